#![expect(clippy::as_conversions, reason = "a test names an array's trait")]

use std::fs;
use std::io::Write;
use std::path::Path;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryViewArray, BooleanArray, Date32Array, Date64Array,
    DictionaryArray, Int16Array, Int64Array, LargeBinaryArray, LargeStringArray, NullArray,
    StringArray, StringViewArray, TimestampMillisecondArray, TimestampNanosecondArray,
    TimestampSecondArray, UInt64Array,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{Int32Type, Int64Type, TimestampMicrosecondType};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::data_type::ByteArrayType;
use datafusion::parquet::file::properties::{EnabledStatistics, WriterProperties};
use datafusion::parquet::file::writer::SerializedFileWriter;
use datafusion::parquet::schema::parser::parse_message_type;
use proptest::prelude::*;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::reasons::*;
use super::row::clean;
use super::*;
use crate::error::Kind;

mod bodies;
mod layouts;
mod lines;
mod listing;
mod rows;

const LIMITS: Limits = Limits { text_bytes: 16 << 20, html_bytes: 16 << 20, url_bytes: 2_048 };

/// An admitted row.
#[derive(Debug, Clone, Default, PartialEq)]
struct Out {
    row: i64,
    url: Option<String>,
    id: Option<String>,
    time: Option<i64>,
    status: Option<i32>,
    redirect: Option<String>,
    content_type: Option<String>,
    charset: Option<String>,
    headers: Option<String>,
    ip: Option<String>,
    links: Option<Vec<String>>,
    html: Option<Vec<u8>>,
    is_decoded: bool,
    /// Empty for a row without.
    text: String,
}

#[derive(Debug, Default)]
struct All {
    rows: Vec<Out>,
    set_aside: Vec<SetAside>,
}

impl All {
    fn reasons(&self) -> Vec<(&'static str, Option<i64>, i64)> {
        self.set_aside.iter().map(|entry| (entry.reason, entry.row, entry.rows)).collect()
    }

    fn sum(&self) -> i64 {
        count(self.rows.len()) + self.set_aside.iter().map(|entry| entry.rows).sum::<i64>()
    }

    fn numbers(&self) -> Vec<i64> {
        self.rows.iter().map(|row| row.row).collect()
    }

    fn detail(&self) -> &str {
        &self.set_aside[0].detail
    }
}

fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap()
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap()
}

fn block<F: Future>(future: F) -> F::Output {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(runtime);
    RUNTIME.block_on(future)
}

async fn drain(file: &InputFile, columns: &Columns, limits: &Limits) -> All {
    let mut all = All::default();
    let mut steps = admit(file, columns, limits);
    while let Some(step) = steps.next().await {
        let step = step.unwrap();
        assert_eq!(step.rows.schema(), admitted_schema());
        assert!(step.rows.num_rows() <= BATCH_ROWS);
        all.rows.extend((0..step.rows.num_rows()).map(|at| row(&step.rows, at)));
        all.set_aside.extend(step.set_aside);
    }
    for entry in &all.set_aside {
        assert!(REASONS.iter().any(|reason| reason.code == entry.reason), "{}", entry.reason);
        assert!(entry.detail.chars().count() <= 200, "{}", entry.detail);
        assert!(!entry.detail.chars().any(char::is_control), "{}", entry.detail);
        assert!(entry.rows >= 0 && entry.row.is_none_or(|row| row >= 0));
    }
    assert!(all.rows.windows(2).all(|two| two[0].row < two[1].row), "rows come in file order");
    all
}

/// A row of a batch.
fn row(rows: &RecordBatch, at: usize) -> Out {
    let column = |name| rows.column_by_name(name).unwrap();
    let text = |name| {
        let column = column(name).as_string::<i32>();
        column.is_valid(at).then(|| column.value(at).to_owned())
    };
    let time = column("fetch_time").as_primitive::<TimestampMicrosecondType>();
    let status = column("fetch_status").as_primitive::<Int32Type>();
    let html = column("html").as_binary::<i32>();
    let links = column("links").as_list::<i32>();
    let links = links.is_valid(at).then(|| links.value(at));
    let found = text("text");
    assert!(found.is_none() || html.is_null(at), "a row has a page or a text");
    Out {
        row: column("file_row").as_primitive::<Int64Type>().value(at),
        url: text("url"),
        id: text("id"),
        time: time.is_valid(at).then(|| time.value(at)),
        status: status.is_valid(at).then(|| status.value(at)),
        redirect: text("fetch_redirect"),
        content_type: text("content_type"),
        charset: text("charset"),
        headers: text("headers"),
        ip: text("ip"),
        links: links.map(|links| {
            links.as_string::<i32>().iter().map(|link| link.unwrap().to_owned()).collect()
        }),
        html: html.is_valid(at).then(|| html.value(at).to_vec()),
        is_decoded: column("is_decoded").as_boolean().value(at),
        text: found.unwrap_or_default(),
    }
}

fn read(name: &str, bytes: impl Into<Vec<u8>>) -> All {
    read_with(name, bytes, &Columns::BY_NAME, &LIMITS)
}

fn read_with(name: &str, bytes: impl Into<Vec<u8>>, columns: &Columns, limits: &Limits) -> All {
    let file = InputFile::of_bytes(name, bytes.into()).unwrap();
    block(drain(&file, columns, limits))
}

fn parquet_with(columns: Vec<(&str, ArrayRef)>, properties: WriterProperties) -> Vec<u8> {
    let fields: Vec<_> = columns
        .iter()
        .map(|(name, array)| Field::new(*name, array.data_type().clone(), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let columns = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, schema, Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn parquet(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    parquet_with(columns, WriterProperties::builder().build())
}

/// Plain pages without compression, so that bytes of values can be found and changed.
fn plain(columns: Vec<(&str, ArrayRef)>, group: usize) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_compression(Compression::UNCOMPRESSED)
        .set_max_row_group_row_count(Some(group))
        .build();
    parquet_with(columns, properties)
}

fn strings(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn urls(rows: usize) -> ArrayRef {
    let urls = (0..rows).map(|row| Some(format!("https://a.example/{row}")));
    Arc::new(urls.collect::<StringArray>())
}

fn texts(rows: usize) -> ArrayRef {
    let texts = (0..rows).map(|row| Some(format!("text of row {row}, some words")));
    Arc::new(texts.collect::<StringArray>())
}

fn nulls(rows: usize) -> ArrayRef {
    Arc::new(NullArray::new(rows))
}

fn put(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn at(folder: &TempDir, rest: &str) -> String {
    folder.path().join(rest).to_str().unwrap().to_owned()
}

/// Replaces one occurrence of `from` by as many bytes.
fn patch(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    assert_eq!(from.len(), to.len());
    let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
    bytes[at..at + to.len()].copy_from_slice(to);
}

// Parquet: types and columns

#[test]
fn files_that_are_no_parquet_are_named_for_what_they_are() {
    let html = read("a.parquet", "<!DOCTYPE html><title>404</title>");
    assert_eq!(html.reasons(), [(MISLABELLED, None, 0)]);
    assert_eq!(html.detail(), "looks like HTML, wanted Parquet by its name");
    let lines = read("a.parquet", "{\"url\":\"a\",\"text\":\"b\"}\n");
    assert_eq!(lines.detail(), "looks like JSON Lines, wanted Parquet by its name");
    assert_eq!(read("a.parquet", "").reasons(), [(FILE_EMPTY, None, 0)]);
    assert_eq!(read("a.jsonl", "").reasons(), [(FILE_EMPTY, None, 0)]);
    assert_eq!(read("a.txt", "x").reasons(), [(FORMAT_UNKNOWN, None, 0)]);
    assert_eq!(read("a.parquet", "PAR1").reasons(), [(PARQUET_FOOTER, None, 0)]);
    assert_eq!(read("a.parquet", "PAR1PAR1").reasons(), [(PARQUET_FOOTER, None, 0)]);
    assert_eq!(read("a.parquet", "nothing at all").reasons(), [(PARQUET_FOOTER, None, 0)]);
    let whole = parquet(vec![("url", urls(3)), ("text", texts(3))]);
    for packed in ["a.jsonl", "a.jsonl.gz", "a.ndjson.zst"] {
        let all = read(packed, whole.clone());
        assert_eq!(all.reasons(), [(MISLABELLED, None, 0)]);
        assert!(all.detail().starts_with("looks like Parquet"), "{}", all.detail());
    }
}

#[test]
fn a_footer_length_beyond_the_file_is_not_believed() {
    let mut bytes = parquet(vec![("url", urls(3)), ("text", texts(3))]);
    let at = bytes.len() - 8;
    bytes[at..at + 4].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    let all = read("a.parquet", bytes);
    assert_eq!(all.reasons(), [(PARQUET_FOOTER, None, 0)]);
    assert!(all.detail().starts_with("the footer claims 2147483647 bytes"));
}

#[test]
fn a_footer_of_no_bytes_is_set_aside() {
    for between in [b"".as_slice(), b"filler"] {
        let bytes = [b"PAR1", between, &[0; 4], b"PAR1"].concat();
        assert_eq!(read("a.parquet", bytes).reasons(), [(PARQUET_FOOTER, None, 0)]);
    }
}

#[test]
fn a_footer_cannot_reserve_memory() {
    // A list of 2^31 - 1 row groups, of which none follows; then a schema 200,000 levels deep.
    let groups = [0x15, 2, 0x39, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07];
    let mut deep = vec![0x15, 2, 0x19, 0xfc];
    deep.extend([0x90, 0xa1, 0x05]); // 86,160 elements
    deep.extend([0x48, 1, b'a', 0x15, 2, 0].repeat(86_160));
    for footer in [groups.to_vec(), deep] {
        let mut bytes = b"PAR1".to_vec();
        bytes.extend(&footer);
        bytes.extend(u32::try_from(footer.len()).unwrap().to_le_bytes());
        bytes.extend(b"PAR1");
        let all = read("a.parquet", bytes);
        assert_eq!(all.reasons(), [(PARQUET_FOOTER, None, 0)]);
        assert!(all.detail().starts_with("the footer has a"), "{}", all.detail());
    }
}

#[test]
fn a_truncated_file_is_set_aside_at_any_length() {
    let bytes = parquet(vec![("url", urls(3)), ("text", texts(3))]);
    for length in 1..bytes.len() {
        let all = read("a.parquet", &bytes[..length]);
        assert_eq!(all.rows, [], "{length}");
        assert_eq!(all.set_aside.len(), 1, "{length}");
    }
}

#[test]
fn a_damaged_row_group_costs_itself() {
    let mut bytes = plain(vec![("url", urls(30)), ("text", texts(30))], 10);
    // The length of a value reaches beyond its page.
    let value = b"text of row 10,";
    let at = bytes.windows(value.len()).position(|window| window == value).unwrap();
    bytes[at - 4..at].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    let all = read("a.parquet", bytes);
    assert_eq!(all.numbers(), (0..10).chain(20..30).collect::<Vec<_>>());
    assert_eq!(all.reasons(), [(PARQUET_DAMAGED, Some(10), 10)]);
    assert!(all.detail().starts_with("row group 1: "), "{}", all.detail());
}

#[test]
fn a_page_that_claims_too_much_is_not_unpacked() {
    let mut bytes = plain(vec![("url", urls(30)), ("text", texts(30))], 30);
    // The header of the first page: type 0, then the unpacked size as a zigzag varint.
    assert_eq!(bytes[4..7], [0x15, 0, 0x15]);
    let walked = thrift::page(&bytes[4..], 1 << 20).unwrap();
    assert_eq!(walked.values, 30);
    assert_eq!(walked.packed, walked.unpacked);
    let varint = [0xff, 0xff];
    bytes[7..9].copy_from_slice(&varint);
    let all = read("a.parquet", bytes);
    assert_eq!(all.sum(), 30);
    assert_eq!(all.rows, []);
}

#[test]
fn flipped_bytes_lose_no_row() {
    for properties in [
        WriterProperties::builder().set_max_row_group_row_count(Some(10)),
        WriterProperties::builder()
            .set_max_row_group_row_count(Some(10))
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).unwrap())),
    ] {
        let columns = vec![
            ("url", urls(30)),
            ("id", Arc::new(Int64Array::from_iter_values(0..30)) as ArrayRef),
            ("text", texts(30)),
            ("date", Arc::new(TimestampMillisecondArray::from(vec![5; 30])) as ArrayRef),
        ];
        let bytes = parquet_with(columns, properties.build());
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= if at % 3 == 0 { 0xff } else { 1 << (at % 8) };
            reconciles(&read("a.parquet", bytes), 30, at);
        }
    }
}

/// Either the file is set aside, or each of its rows went one way.
fn reconciles(all: &All, rows: i64, at: usize) {
    let scope = |reason| REASONS.iter().find(|known| known.code == reason).unwrap().scope;
    let whole = |entry: &SetAside| entry.row.is_none() && scope(entry.reason) != Scope::Notice;
    if all.set_aside.iter().any(whole) {
        assert!(all.rows.is_empty(), "{at}");
        return;
    }
    let mut seen = vec![0; usize::try_from(rows).unwrap()];
    let aside = all.set_aside.iter().filter(|entry| entry.row.is_some());
    let ranges = aside.map(|entry| (entry.row.unwrap(), entry.rows));
    for (row, length) in ranges.chain(all.numbers().into_iter().map(|row| (row, 1))) {
        for row in row..row + length {
            seen[usize::try_from(row).unwrap()] += 1;
        }
    }
    assert!(seen.iter().all(|times| *times == 1), "{at}: {seen:?} {:?}", all.set_aside);
}

// JSON Lines

fn line(url: &str, text: &str) -> String {
    format!("{{\"url\":\"{url}\",\"status\":200,\"text\":\"{text}\"}}\n")
}

#[test]
fn lines_with_mark_blank_lines_and_without_end_are_read() {
    let mut lines = b"\xef\xbb\xbf".to_vec();
    lines.extend(line("a", "one").bytes());
    lines.extend(b"\r\n \t\n{\"url\":\"b\",\"text\":\"two\"}\r\n");
    lines.extend(b"{\"id\":7,\"content\":\"three\",\"fetch_time\":\"2023-11-14T22:13:20Z\"}");
    let all = read("a.jsonl", lines);
    assert_eq!(all.set_aside, []);
    assert_eq!(all.numbers(), [0, 3, 4]);
    assert_eq!(all.rows[0].status, Some(200));
    assert_eq!(all.rows[2].id.as_deref(), Some("7"));
    assert_eq!(all.rows[2].time, Some(1_700_000_000_000_000));
}

#[test]
fn characters_across_buffer_edges_stay_whole() {
    for edge in [8_192, 65_536, 1_048_576] {
        for shift in [1, 2] {
            let head = "{\"url\":\"https://b.example/long\",\"status\":200,\"text\":\"";
            let pad = "x".repeat(edge - shift - head.len());
            let lines = format!("{head}{pad}\u{4e2d}\u{6587} tail\"}}\n");
            let all = read("a.jsonl", lines);
            assert_eq!(all.rows[0].text, format!("{pad}\u{4e2d}\u{6587} tail"));
        }
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn members_and_frames_are_read_to_the_last() {
    let lines: Vec<String> = (0..3).map(|at| line("a", &format!("text {at}"))).collect();
    let gz: Vec<u8> = lines.iter().flat_map(|line| gzip(line.as_bytes())).collect();
    let zst: Vec<u8> =
        lines.iter().flat_map(|line| zstd::encode_all(line.as_bytes(), 1).unwrap()).collect();
    for (name, bytes) in [("a.jsonl.gz", gz), ("a.ndjson.zst", zst)] {
        let all = read(name, bytes);
        assert_eq!(all.set_aside, []);
        assert_eq!(all.numbers(), [0, 1, 2]);
        assert_eq!(all.rows[2].text, "text 2");
    }
}

#[test]
fn broken_compression_keeps_the_rows_before_it() {
    let lines: String =
        (0..4_000).map(|at| line("a", &format!("text {at} {}", at * 7_919))).collect();
    let packed = [
        ("a.jsonl.gz", gzip(lines.as_bytes())),
        ("a.jsonl.zst", zstd::encode_all(lines.as_bytes(), 1).unwrap()),
    ];
    for (name, bytes) in packed {
        let cut = read(name, &bytes[..bytes.len() - 10]);
        let rows = count(cut.rows.len());
        assert_eq!(cut.reasons(), [(COMPRESSION_DAMAGED, Some(rows), 0)], "{name}");
        let head = read(name, &bytes[..6]);
        assert_eq!(head.reasons(), [(COMPRESSION_DAMAGED, Some(0), 0)], "{name}");
        let mut after = bytes.clone();
        after.extend(b"not a member");
        let after = read(name, after);
        assert_eq!(after.rows.len(), 4_000, "{name}");
        assert_eq!(after.reasons(), [(COMPRESSION_DAMAGED, Some(4_000), 0)], "{name}");
    }
}

#[test]
fn broken_compression_keeps_the_rows_of_its_first_bytes() {
    let mut bytes = gzip(line("a", "b").as_bytes());
    bytes.extend(b"not a member");
    let all = read("a.jsonl.gz", bytes);
    assert_eq!(all.numbers(), [0]);
    assert_eq!(all.reasons(), [(COMPRESSION_DAMAGED, Some(1), 0)]);
}

#[test]
fn a_bomb_is_streamed_and_ends() {
    let zeros = vec![0; 64 << 20];
    let limits = Limits { text_bytes: 1_000, html_bytes: 1_000, url_bytes: 100 };
    let all = read_with("a.jsonl.gz", gzip(&zeros), &Columns::BY_NAME, &limits);
    assert_eq!(all.reasons(), [(LINE_TOO_LONG, Some(0), 1)]);
    let frame = zstd::encode_all(&zeros[..], 1).unwrap();
    let bomb: Vec<u8> = frame.repeat(100);
    let all = read_with("a.jsonl.zst", bomb, &Columns::BY_NAME, &limits);
    assert_eq!(all.reasons(), [(RATIO_LIMIT, Some(0), 0)]);
}

#[test]
fn lines_of_another_format_are_named_for_what_they_are() {
    let good = line("a", "b");
    let packed = gzip(good.as_bytes());
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("a.jsonl", b"<html><body>".to_vec(), "looks like HTML, wanted JSON Lines by its name"),
        ("a.jsonl", packed.clone(), "looks like gzip, wanted JSON Lines by its name"),
        ("a.jsonl.zst", packed, "looks like gzip, wanted zstd by its name"),
        ("a.jsonl.gz", good.into_bytes(), "looks like JSON Lines, wanted gzip by its name"),
        (
            "a.jsonl",
            b"\xff\xfe{\0".to_vec(),
            "looks like UTF-16 text, wanted JSON Lines by its name",
        ),
        ("a.jsonl.gz", gzip(b"PAR1"), "unpacked it looks like Parquet, wanted JSON Lines"),
    ];
    for (name, bytes, wanted) in cases {
        let all = read(name, bytes);
        assert_eq!(all.reasons(), [(MISLABELLED, None, 0)]);
        assert_eq!(all.detail(), wanted);
    }
}

#[test]
fn a_panic_of_the_reader_becomes_an_entry() {
    let id: ArrayRef = Arc::new(Int64Array::from_iter_values(0..30));
    let mut bytes = plain(vec![("id", id), ("text", texts(30))], 10);
    // The first page claims the encoding RLE_DICTIONARY, and there is no dictionary.
    patch(&mut bytes, &[0x15, 0, 0x15, 6, 0x15, 6], &[0x15, 16, 0x15, 6, 0x15, 6]);
    let all = read("a.parquet", bytes);
    assert_eq!(all.numbers(), (10..30).collect::<Vec<_>>());
    assert_eq!(all.reasons(), [(READER_PANIC, Some(0), 10)], "{}", all.detail());
}

#[test]
fn details_are_short_and_harmless() {
    assert_eq!(clean("a\n\u{1b}[31m\u{202e}b"), "a\\n\\u{1b}[31m\\u{202e}b");
    assert!(clean(&"\u{7}".repeat(1_000)).chars().count() <= 200);
    assert_eq!(clean(&"x".repeat(1_000)).chars().count(), 200);
}

#[test]
fn reasons_are_distinct_sentences() {
    for (at, reason) in REASONS.iter().enumerate() {
        assert!(REASONS[..at].iter().all(|other| other.code != reason.code));
        assert!(reason.sentence.ends_with('.'));
    }
}

// Listing

#[test]
fn a_store_that_fails_is_an_error_and_no_damage() {
    let folder = TempDir::new().unwrap();
    for (name, bytes) in [
        ("a.parquet", plain(vec![("url", urls(5_000)), ("text", texts(5_000))], 1_000)),
        ("a.jsonl", line("a", "b").into_bytes()),
    ] {
        put(folder.path(), name, &bytes);
        let files = block(list(&[at(&folder, name)])).unwrap();
        fs::remove_file(folder.path().join(name)).unwrap();
        let steps =
            block(async { admit(&files[0], &Columns::BY_NAME, &LIMITS).collect::<Vec<_>>().await });
        let error = steps.into_iter().last().unwrap().unwrap_err();
        assert_eq!(error.kind(), Kind::Store);
    }
}

#[test]
fn a_dropped_stream_stops_the_reader() {
    let bytes = plain(vec![("url", urls(50_000)), ("text", texts(50_000))], 50_000);
    let file = InputFile::of_bytes("a.parquet", bytes).unwrap();
    // A runtime waits for its blocking threads when it ends.
    runtime().block_on(async {
        let mut steps = admit(&file, &Columns::BY_NAME, &LIMITS);
        assert!(steps.next().await.unwrap().is_ok());
    });
}

// Anything

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_as_lines(bytes in prop::collection::vec(any::<u8>(), 1..400), kind in 0_usize..3) {
        let name = ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"][kind];
        let all = read(name, bytes);
        prop_assert!(all.rows.len() + all.set_aside.len() < 500);
    }

    #[test]
    fn any_lines_reconcile(lines in prop::collection::vec(
        "(\\{\"url\":\"[a-z]{0,2}\",\"(text|Text|x)\":(\"[a\\PC]{0,3}\"|[0-9]|null)\\}|[ -~]{1,9})",
        0..20,
    )) {
        let wanted = lines.iter().filter(|line| !line.trim_ascii().is_empty()).count();
        let all = read("a.jsonl", lines.join("\n"));
        let whole = all.set_aside.iter().any(|entry| {
            entry.reason == MISLABELLED || entry.reason == FILE_EMPTY
        });
        prop_assert!(whole || all.sum() == count(wanted), "{:?}", all);
    }

    #[test]
    fn any_damage_to_parquet_loses_no_row(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = plain(vec![("url", urls(30)), ("text", texts(30))], 10);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()) + 1);
        }
        reconciles(&read("a.parquet", bytes), 30, 0);
    }
}
