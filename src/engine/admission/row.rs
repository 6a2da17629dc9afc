//! Rows on their way out: what makes a row unusable, and batches of those that are usable.
//!
//! Lengths and missing values are judged as a row comes. NUL and UTF-8 are judged over the whole
//! batch at once, and only where that finds something row by row; so a good batch costs one copy
//! of its text and two passes over it.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use datafusion::arrow::buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use super::list::Format;
use super::source::{unread, wide};
use super::{
    Admitted, BATCH_BYTES, BATCH_ROWS, Columns, InputFile, Limits, SetAside, YIELD_BYTES,
    YIELD_RATIO, admitted_schema, json_lines, parquet,
};
use crate::error::{Error, Result};

/// What an entry stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The whole file.
    File,
    /// A range of rows, or the rest of the file.
    Range,
    /// Single rows.
    Row,
    /// No row: something was passed over, the rows were admitted.
    Notice,
}

/// A reason that something was set aside.
#[derive(Debug, Clone, Copy)]
pub struct Reason {
    /// Code, as in [`SetAside::reason`].
    pub code: &'static str,
    /// What it stands for.
    pub scope: Scope,
    /// What it means.
    pub sentence: &'static str,
}

macro_rules! reasons {
    ($($name:ident $code:literal $scope:ident $sentence:literal)*) => {
        $(pub(super) const $name: &str = $code;)*
        /// Every reason there is.
        pub const REASONS: &[Reason] =
            &[$(Reason { code: $code, scope: Scope::$scope, sentence: $sentence }),*];
    };
}

reasons! {
    FILE_EMPTY "file_empty" File "The file has no bytes."
    FORMAT_UNKNOWN "format_unknown" File "The ending of the name is of no format that is read."
    MISLABELLED "mislabelled" File "The bytes are of another format than the name says."
    PARQUET_FOOTER "parquet_footer" File "The Parquet footer is missing, damaged or impossible."
    COLUMN_MISSING "column_missing" File "A column that is needed or was mapped does not exist."
    COLUMN_TYPE "column_type" File "A needed column has a type that cannot be used."
    COLUMN_AMBIGUOUS "column_ambiguous" File "Two columns match, and neither is chosen."
    PARQUET_DAMAGED "parquet_damaged" Range "The rest of a row group cannot be decoded."
    COMPRESSION_DAMAGED "compression_damaged" Range "The rest of the file cannot be unpacked."
    RATIO_LIMIT "ratio_limit" Range "The file yields far more bytes than it has."
    READER_PANIC "reader_panic" Range "The reader broke down on the rest of a row group or file."
    TEXT_MISSING "text_missing" Row "The text is NULL or not there."
    TEXT_NUL "text_nul" Row "The text holds a NUL character."
    TEXT_TOO_LONG "text_too_long" Row "The text has more bytes than the limit."
    TEXT_NOT_UTF8 "text_not_utf8" Row "The text is not UTF-8."
    NO_KEY "no_key" Row "There is neither a URL nor an id."
    URL_NUL "url_nul" Row "The URL holds a NUL character."
    URL_TOO_LONG "url_too_long" Row "The URL has more bytes than the limit."
    URL_NOT_UTF8 "url_not_utf8" Row "The URL is not UTF-8."
    ID_NUL "id_nul" Row "The id holds a NUL character."
    ID_TOO_LONG "id_too_long" Row "The id has more bytes than the limit."
    ID_NOT_UTF8 "id_not_utf8" Row "The id is not UTF-8."
    LINE_NOT_UTF8 "line_not_utf8" Row "The line is not UTF-8."
    LINE_TOO_LONG "line_too_long" Row "The line has more bytes than a row within limits can have."
    JSON_SYNTAX "json_syntax" Row "The line is not JSON, or a string of it is no text."
    JSON_NOT_OBJECT "json_not_object" Row "The line is JSON, but not an object."
    JSON_TYPE "json_type" Row "A field has a type that cannot be used."
    JSON_DUPLICATE_FIELD "json_duplicate_field" Row "Two fields match, and neither is chosen."
    COLUMN_UNSEEN "column_unseen" Notice "A mapped column is in no line of the file."
    COLUMN_IGNORED "column_ignored" Notice "An optional column was passed over for its type."
    FETCH_TIME_UNREADABLE "fetch_time_unreadable" Notice "Fetch times that are no time became NULL."
    FETCH_STATUS_UNREADABLE "fetch_status_unreadable" Notice
        "Fetch statuses that are no 32-bit integer became NULL."
}

/// Entries kept before they are sent on without rows.
const SET_ASIDE_ENTRIES: usize = 4_096;

/// Characters of a detail at most.
const DETAIL: usize = 200;

/// Why a file is not read further.
pub(super) enum Stop {
    /// Nobody takes the rows any more.
    Closed,
    /// The store failed.
    Failed(io::Error),
    /// The file yields too much; its reader says what is left.
    Ratio,
}

/// Goes on, or stops.
pub(super) type Flow<T = ()> = std::result::Result<T, Stop>;

/// A row as it comes from a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) number: i64,
    pub(super) url: Option<&'a [u8]>,
    pub(super) id: Option<&'a [u8]>,
    /// Microseconds since 1970, UTC.
    pub(super) time: Option<i64>,
    pub(super) status: Option<i32>,
    pub(super) text: Option<&'a [u8]>,
}

/// Reads `file` to its end and sends what it holds.
pub(super) fn run(
    file: &InputFile,
    columns: &Columns,
    limits: Limits,
    runtime: &Handle,
    sender: Sender<Result<Admitted>>,
) {
    let mut out = Output::new(file, limits, sender);
    let read = catch_unwind(AssertUnwindSafe(|| read(file, columns, runtime, &mut out)));
    let flow = match read {
        Ok(flow) => flow,
        Err(payload) => {
            let (row, rows) = (out.next, (out.claimed - out.next).max(0));
            out.set_aside(READER_PANIC, row, rows, &panicked(&*payload));
            Ok(())
        }
    };
    match flow.and_then(|()| out.finish()) {
        Ok(()) | Err(Stop::Closed) => {}
        Err(Stop::Failed(error)) => out.fail(unread(&file.name, error)),
        Err(Stop::Ratio) => out.fail(Error::invariant("a ratio limit was not accounted for")),
    }
}

fn read(file: &InputFile, columns: &Columns, runtime: &Handle, out: &mut Output) -> Flow {
    if file.size == 0 {
        out.file(FILE_EMPTY, 0, "found 0 bytes");
        return Ok(());
    }
    match Format::of(&file.name) {
        Some(Format::Parquet) => parquet::read(file, columns, runtime, out),
        Some(Format::Lines(packing)) => json_lines::read(file, packing, columns, runtime, out),
        None => {
            out.file(
                FORMAT_UNKNOWN,
                0,
                "wanted .parquet, .jsonl, .ndjson, or those with .gz, .zst",
            );
            Ok(())
        }
    }
}

/// The message of a panic.
pub(super) fn panicked(payload: &(dyn Any + Send)) -> String {
    let message = payload.downcast_ref::<String>().map(String::as_str);
    message.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

/// At most 200 characters of `text`, with control and direction characters escaped.
pub(super) fn clean(text: &str) -> String {
    let mut clean = String::new();
    for (at, letter) in text.chars().enumerate() {
        let direction = ('\u{2028}'..='\u{202e}').contains(&letter)
            || ('\u{2066}'..='\u{2069}').contains(&letter)
            || ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&letter);
        let width = if letter.is_control() || direction { 8 } else { 1 };
        if at >= DETAIL || clean.chars().count() + width >= DETAIL {
            clean.push('…');
            break;
        }
        match width {
            1 => clean.push(letter),
            _ => clean.extend(letter.escape_default()),
        }
    }
    clean
}

/// Values of optional columns that became NULL.
#[derive(Default)]
struct Lost {
    values: i64,
    first: String,
}

impl Lost {
    fn add(&mut self, row: i64, found: &str) {
        if self.values == 0 {
            self.first = format!("row {row}: {found}");
        }
        self.values += 1;
    }
}

/// Where the reader of a file puts rows and reasons.
pub(super) struct Output {
    file: String,
    limits: Limits,
    sender: Sender<Result<Admitted>>,
    batch: Batch,
    set_aside: Vec<SetAside>,
    may_yield: u64,
    lost_times: Lost,
    lost_statuses: Lost,
    /// The row after the last one that was admitted or set aside.
    pub(super) next: i64,
    /// Rows of the file by its own account; 0 where it has none.
    pub(super) claimed: i64,
}

impl Output {
    fn new(file: &InputFile, limits: Limits, sender: Sender<Result<Admitted>>) -> Self {
        Self {
            file: file.name.clone(),
            limits,
            sender,
            batch: Batch::default(),
            set_aside: Vec::new(),
            may_yield: YIELD_BYTES.saturating_add(file.size.saturating_mul(YIELD_RATIO)),
            lost_times: Lost::default(),
            lost_statuses: Lost::default(),
            next: 0,
            claimed: 0,
        }
    }

    /// Limits of a row.
    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Counts bytes against what the file may yield.
    pub(super) fn yielded(&mut self, bytes: usize) -> Flow {
        self.may_yield = self.may_yield.checked_sub(wide(bytes)).ok_or(Stop::Ratio)?;
        Ok(())
    }

    /// Takes a row, or sets it aside.
    pub(super) fn row(&mut self, row: Row) -> Flow {
        let row = Row {
            url: row.url.filter(|url| !url.is_empty()),
            id: row.id.filter(|id| !id.is_empty()),
            ..row
        };
        let text = match judge(&row, self.limits) {
            Ok(text) => text,
            Err((reason, detail)) => {
                self.set_aside(reason, row.number, 1, &detail);
                return self.flush_entries();
            }
        };
        if !self.batch.fits(text.len()) {
            self.flush()?;
        }
        self.batch.push(&row, text);
        self.next = row.number + 1;
        if self.batch.rows.len() == BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    /// Sets aside `rows` rows from `row`.
    pub(super) fn set_aside(&mut self, reason: &'static str, row: i64, rows: i64, detail: &str) {
        let file = self.file.clone();
        let entry = SetAside { file, row: Some(row), rows, reason, detail: clean(detail) };
        self.next = self.next.max(row + rows);
        join(&mut self.set_aside, entry);
    }

    /// Sets aside the whole file, or gives notice about it.
    pub(super) fn file(&mut self, reason: &'static str, rows: i64, detail: &str) {
        self.next = self.next.max(rows);
        let file = self.file.clone();
        self.set_aside.push(SetAside { file, row: None, rows, reason, detail: clean(detail) });
    }

    /// A fetch time that is no time.
    pub(super) fn lost_time(&mut self, row: i64, found: &str) {
        self.lost_times.add(row, found);
    }

    /// A fetch status that is no status.
    pub(super) fn lost_status(&mut self, row: i64, found: &str) {
        self.lost_statuses.add(row, found);
    }

    /// Sends entries on where they have become many.
    pub(super) fn flush_entries(&mut self) -> Flow {
        if self.set_aside.len() < SET_ASIDE_ENTRIES { Ok(()) } else { self.flush() }
    }

    /// Sends what there is.
    fn flush(&mut self) -> Flow {
        let batch = std::mem::take(&mut self.batch);
        // The next batch is likely of the same size; growing would copy its text again.
        self.batch.text.bytes.reserve(batch.text.bytes.len());
        let mut set_aside = std::mem::take(&mut self.set_aside);
        let (rows, bad) = batch.finish().map_err(|error| Stop::Failed(io::Error::other(error)))?;
        if !bad.is_empty() {
            let file = &self.file;
            set_aside.extend(bad.into_iter().map(|(row, reason, detail)| SetAside {
                file: file.clone(),
                row: Some(row),
                rows: 1,
                reason,
                detail,
            }));
            set_aside.sort_by_key(|entry| entry.row);
            let entries = std::mem::take(&mut set_aside);
            entries.into_iter().for_each(|entry| join(&mut set_aside, entry));
        }
        if rows.num_rows() == 0 && set_aside.is_empty() {
            return Ok(());
        }
        self.sender.blocking_send(Ok(Admitted { rows, set_aside })).map_err(|_| Stop::Closed)
    }

    fn finish(&mut self) -> Flow {
        for (lost, reason, wanted) in [
            (std::mem::take(&mut self.lost_times), FETCH_TIME_UNREADABLE, "a time"),
            (std::mem::take(&mut self.lost_statuses), FETCH_STATUS_UNREADABLE, "a 32-bit integer"),
        ] {
            if lost.values > 0 {
                let found =
                    format!("{} values, first {}; wanted {wanted}", lost.values, lost.first);
                self.file(reason, 0, &found);
            }
        }
        self.flush()
    }

    fn fail(&mut self, error: Error) {
        // Rows read before the failure do not matter any more, nor whether anyone listens.
        drop(self.sender.blocking_send(Err(error)));
    }
}

/// Appends an entry, or widens the last one.
fn join(entries: &mut Vec<SetAside>, entry: SetAside) {
    match entries.last_mut() {
        Some(last)
            if last.reason == entry.reason
                && last.rows > 0
                && entry.rows > 0
                && last.row.map(|row| row + last.rows) == entry.row
                && last.detail == entry.detail =>
        {
            last.rows += entry.rows;
        }
        _ => entries.push(entry),
    }
}

/// The text of a row whose lengths and keys are in order, else reason and detail.
fn judge<'a>(
    row: &Row<'a>,
    limits: Limits,
) -> std::result::Result<&'a [u8], (&'static str, String)> {
    let long = |bytes: usize, limit: usize| format!("found {bytes} bytes, wanted at most {limit}");
    let Some(text) = row.text else {
        return Err((TEXT_MISSING, "found no text, wanted text".to_owned()));
    };
    if text.len() > limits.text_bytes {
        return Err((TEXT_TOO_LONG, long(text.len(), limits.text_bytes)));
    }
    for (value, reason) in [(row.url, URL_TOO_LONG), (row.id, ID_TOO_LONG)] {
        if let Some(value) = value.filter(|value| value.len() > limits.url_bytes) {
            return Err((reason, long(value.len(), limits.url_bytes)));
        }
    }
    if row.url.is_none() && row.id.is_none() {
        return Err((NO_KEY, "found neither url nor id, wanted one of them".to_owned()));
    }
    Ok(text)
}

/// Why `value` is not text: `nul` or `not_utf8`.
fn not_text(
    value: &[u8],
    nul: &'static str,
    not_utf8: &'static str,
) -> Option<(&'static str, String)> {
    if let Err(error) = std::str::from_utf8(value) {
        let at = error.valid_up_to();
        let byte = value.get(at).copied().unwrap_or_default();
        return Some((not_utf8, format!("found byte {byte:#04x} at byte {at}, wanted UTF-8")));
    }
    let at = value.iter().position(|byte| *byte == 0)?;
    Some((nul, format!("found NUL at byte {at}")))
}

/// Values of one string column.
struct Strings {
    bytes: Vec<u8>,
    ends: Vec<i32>,
    valid: Vec<bool>,
}

impl Default for Strings {
    fn default() -> Self {
        Self { bytes: Vec::new(), ends: vec![0], valid: Vec::new() }
    }
}

impl Strings {
    fn push(&mut self, value: Option<&[u8]>) {
        self.bytes.extend_from_slice(value.unwrap_or_default());
        // A batch ends far below 2 GiB: see `Batch::fits`.
        self.ends.push(i32::try_from(self.bytes.len()).unwrap_or(i32::MAX));
        self.valid.push(value.is_some());
    }

    fn value(&self, row: usize) -> Option<&[u8]> {
        let start = usize::try_from(*self.ends.get(row)?).ok()?;
        let end = usize::try_from(*self.ends.get(row + 1)?).ok()?;
        self.valid.get(row).filter(|valid| **valid).and_then(|_| self.bytes.get(start..end))
    }

    fn nulls(&self) -> Option<NullBuffer> {
        self.valid.contains(&false).then(|| NullBuffer::from(self.valid.as_slice()))
    }

    /// The column, unless a value of it is not text.
    fn array(&self, bytes: Buffer) -> Option<StringArray> {
        if bytes.contains(&0) {
            return None;
        }
        let ends = OffsetBuffer::new(ScalarBuffer::from(self.ends.clone()));
        StringArray::try_new(ends, bytes, self.nulls()).ok()
    }
}

/// Rows that are not sent yet.
#[derive(Default)]
struct Batch {
    rows: Vec<i64>,
    url: Strings,
    id: Strings,
    times: Vec<Option<i64>>,
    statuses: Vec<Option<i32>>,
    text: Strings,
}

/// A row of a batch that is not text after all: number, reason, detail.
type Bad = (i64, &'static str, String);

impl Batch {
    /// Whether a text of `bytes` may join; an empty batch takes any.
    fn fits(&self, bytes: usize) -> bool {
        let keys = self.url.bytes.len().max(self.id.bytes.len());
        let held = self.text.bytes.len();
        self.rows.is_empty() || (held.saturating_add(bytes) <= BATCH_BYTES && keys <= BATCH_BYTES)
    }

    fn push(&mut self, row: &Row, text: &[u8]) {
        self.rows.push(row.number);
        self.url.push(row.url);
        self.id.push(row.id);
        self.times.push(row.time);
        self.statuses.push(row.status);
        self.text.push(Some(text));
    }

    /// The batch without the rows that are not text.
    fn finish(mut self) -> std::result::Result<(RecordBatch, Vec<Bad>), String> {
        let url = std::mem::take(&mut self.url.bytes);
        let id = std::mem::take(&mut self.id.bytes);
        let text = std::mem::take(&mut self.text.bytes);
        let buffers = [url, id, text].map(Buffer::from_vec);
        let arrays = [&self.url, &self.id, &self.text];
        let arrays = [0, 1, 2].map(|at| arrays[at].array(buffers[at].clone()));
        if let [Some(url), Some(id), Some(text)] = arrays {
            return self.record_batch([url, id, text]).map(|rows| (rows, Vec::new()));
        }
        let [url, id, text] = buffers.map(|buffer| buffer.to_vec());
        (self.url.bytes, self.id.bytes, self.text.bytes) = (url, id, text);
        let (good, bad) = self.sort_out();
        let arrays = [&good.url, &good.id, &good.text]
            .map(|strings| strings.array(Buffer::from_slice_ref(&strings.bytes)));
        let [Some(url), Some(id), Some(text)] = arrays else {
            return Err("a row that is text did not become a string".to_owned());
        };
        good.record_batch([url, id, text]).map(|rows| (rows, bad))
    }

    /// Looks at each row.
    fn sort_out(&self) -> (Batch, Vec<Bad>) {
        let (mut good, mut bad) = (Batch::default(), Vec::new());
        for (at, &number) in self.rows.iter().enumerate() {
            let (url, id, text) = (self.url.value(at), self.id.value(at), self.text.value(at));
            let text = text.unwrap_or_default();
            let wrong = not_text(text, TEXT_NUL, TEXT_NOT_UTF8)
                .or_else(|| not_text(url?, URL_NUL, URL_NOT_UTF8))
                .or_else(|| not_text(id?, ID_NUL, ID_NOT_UTF8));
            if let Some((reason, detail)) = wrong {
                bad.push((number, reason, detail));
                continue;
            }
            let time = self.times.get(at).copied().flatten();
            let status = self.statuses.get(at).copied().flatten();
            good.push(&Row { number, url, id, time, status, text: Some(text) }, text);
        }
        (good, bad)
    }

    fn record_batch(self, strings: [StringArray; 3]) -> std::result::Result<RecordBatch, String> {
        let [url, id, text] = strings.map(|array| -> ArrayRef { Arc::new(array) });
        let times = TimestampMicrosecondArray::from(self.times).with_timezone("UTC");
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from(self.rows)),
            url,
            id,
            Arc::new(times),
            Arc::new(Int32Array::from(self.statuses)),
            text,
        ];
        RecordBatch::try_new(admitted_schema(), columns).map_err(|error| error.to_string())
    }
}
