//! Bodies: what is a page, what a row needs, what is left out; and the fields of JSON Lines.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::*;

/// One row for each body, all with the same content type.
fn pages(bodies: &[&[u8]], content_type: &str) -> All {
    let columns = vec![
        ("url", urls(bodies.len())),
        ("content_type", strings(&vec![content_type; bodies.len()])),
        ("body", Arc::new(BinaryArray::from(bodies.to_vec())) as ArrayRef),
    ];
    read("a.parquet", parquet(columns))
}

fn lines(lines: &[&str]) -> All {
    read("a.jsonl", lines.join("\n"))
}

#[test]
fn a_row_needs_a_body_or_a_status_that_explains_it() {
    let all = lines(&[
        r#"{"url":"a"}"#,
        r#"{"url":"a","status":200}"#,
        r#"{"url":"a","status":204,"html":null,"text":null}"#,
        r#"{"url":"a","status":404}"#,
        r#"{"url":"a","status":301}"#,
        r#"{"url":"a","fetch_redirect":"/b"}"#,
        r#"{"url":"a","status":200,"html":""}"#,
        r#"{"status":404}"#,
        r#"{"url":"a","headers":{"Location":"/c"}}"#,
        r#"{"url":"a","status":201,"headers":{"Location":"/c"},"text":""}"#,
    ]);
    assert_eq!(all.numbers(), [3, 4, 5, 6, 8, 9]);
    assert_eq!(all.reasons(), [(TEXT_MISSING, Some(0), 3), (NO_KEY, Some(7), 1)]);
    let redirects: Vec<_> = all.rows.iter().map(|row| row.redirect.as_deref()).collect();
    assert_eq!(redirects, [None, None, Some("/b"), None, Some("/c"), None]);
    assert_eq!(all.rows[3].html.as_deref(), Some(b"".as_slice()));
    assert_eq!((all.rows[0].is_decoded, all.rows[3].is_decoded), (false, true));
}

#[test]
fn headers_give_what_columns_do_not() {
    let types = r#""status":302,"content_type":"x/y""#;
    let own = r#""status":302,"fetch_redirect":"/own""#;
    let all = lines(&[
        r#"{"url":"a","text":"b","headers":"Content-Type: text/html\nLocation: /no"}"#,
        &format!(
            r#"{{"url":"a",{types},"headers":[["content-type","text/html"],["location","/b"]]}}"#
        ),
        &format!(r#"{{"url":"a",{own},"headers":{{"location":"/no","a":["1","2"],"n":7}}}}"#),
        r#"{"url":"a","status":200,"text":"b","headers":[{"name":"Location","value":"/no"}]}"#,
        r#"{"url":"a","text":"b","headers":7}"#,
    ]);
    let found: Vec<_> = all
        .rows
        .iter()
        .map(|row| (row.content_type.as_deref(), row.redirect.as_deref(), row.headers.as_deref()))
        .collect();
    let wanted = [
        (Some("text/html"), Some("/no"), Some("content-type: text/html\nlocation: /no")),
        (Some("x/y"), Some("/b"), Some("content-type: text/html\nlocation: /b")),
        (None, Some("/own"), Some("location: /no\na: 1\na: 2\nn: 7")),
        (None, None, Some("location: /no")),
        (None, None, None),
    ];
    assert_eq!(found, wanted);
    assert_eq!(all.reasons(), [(VALUE_UNUSABLE, None, 0)]);
    let wanted = "headers: 1 values, first row 4: another value; wanted names with values";
    assert_eq!(all.detail(), wanted);
}

#[test]
fn a_page_may_hold_any_bytes_and_a_text_may_not() {
    let columns = vec![
        ("url", urls(2)),
        ("html", Arc::new(BinaryArray::from_vec(vec![b"<p>\0\xff", b"<p>\0"])) as ArrayRef),
    ];
    let all = read("a.parquet", parquet(columns));
    assert_eq!(all.set_aside, []);
    assert_eq!(all.rows[0].html.as_deref(), Some(b"<p>\0\xff".as_slice()));
    let mut bytes = plain(vec![("url", urls(2)), ("html", texts(2))], 100);
    patch(&mut bytes, b"text of row 1, some", b"text of row 1, \xff\xfe\xfd\xfc");
    let all = read("a.parquet", bytes);
    assert_eq!(all.set_aside, []);
    assert_eq!((all.rows[0].is_decoded, all.rows[1].is_decoded), (true, false));
}

#[test]
fn bad_texts_cost_no_neighbour_its_page() {
    let columns = vec![
        ("url", urls(3)),
        ("html", optional(&[Some("<p>0"), None, Some("<p>2")])),
        ("text", optional(&[None, Some("n\0"), Some("dropped\0")])),
        ("ip", optional(&[Some("1"), Some("2"), Some("3")])),
    ];
    let all = read("a.parquet", parquet(columns));
    assert_eq!(all.reasons(), [(TEXT_NUL, Some(1), 1)]);
    let found: Vec<_> = all.rows.iter().map(|row| (row.row, row.ip.as_deref())).collect();
    assert_eq!(found, [(0, Some("1")), (2, Some("3"))]);
    assert_eq!(all.rows[1].html.as_deref(), Some(b"<p>2".as_slice()));
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

fn optional(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

#[test]
fn what_is_no_page_is_set_aside() {
    let page: &[u8] = b"<p>page";
    for content_type in [
        "application/pdf",
        "IMAGE/PNG; q=1",
        "image/svg+xml",
        "video/mp4",
        "application/json",
        "application/ld+json",
        "text/css",
        "application/javascript",
        "application/zip",
        "application/vnd.ms-excel",
    ] {
        let all = pages(&[page, page], content_type);
        assert_eq!(all.reasons(), [(CONTENT_TYPE_OTHER, Some(0), 2)], "{content_type}");
    }
    for content_type in [
        "text/html;charset=x",
        "application/xhtml+xml",
        "application/rss+xml",
        "text/xml",
        "text/plain",
        "application/octet-stream",
        "application/vnd.wap.xhtml+xml",
        "unknown/unknown",
        "nonsense",
        "",
    ] {
        let all =
            pages(&[page, b"%PDF-1.4", b"\x89PNG\r\n\x1a\n..", b"RIFF....WEBP"], content_type);
        assert_eq!(all.numbers(), [0], "{content_type}");
        assert_eq!(all.set_aside[0].detail, "looks like PDF, wanted a page");
        assert!(all.set_aside.iter().all(|entry| entry.reason == CONTENT_TYPE_OTHER));
    }
    let all = lines(&[
        r#"{"url":"a","status":404,"content_type":"image/png","html":"x"}"#,
        r#"{"url":"a","content_type":"application/json","text":"a text of any type"}"#,
    ]);
    assert_eq!(all.numbers(), [0, 1]);
    assert_eq!(all.rows[0].html, None);
    assert_eq!(all.reasons(), [(BODY_LEFT_OUT, None, 0)]);
    assert_eq!(
        all.detail(),
        "1 values, first row 0: found image/png, wanted a page; wanted a page"
    );
}

#[test]
fn a_page_that_is_still_packed_is_unpacked() {
    let good = gzip(b"<p>packed");
    let bomb = gzip(&vec![b' '; (1 << 20) + 1]);
    let picture = gzip(b"\x89PNG\r\n\x1a\n");
    let cut = &good[..good.len() - 9];
    let zstd = zst(b"<p>packed");
    let bodies: Vec<&[u8]> = vec![&good, &bomb, cut, &picture, &zstd];
    let columns = vec![("url", urls(5)), ("body", Arc::new(BinaryArray::from(bodies)) as ArrayRef)];
    let limits = Limits { html_bytes: 1 << 20, ..LIMITS };
    let all = read_with("a.parquet", parquet(columns), &Columns::BY_NAME, &limits);
    assert_eq!(all.numbers(), [0]);
    assert_eq!(all.rows[0].html.as_deref(), Some(b"<p>packed".as_slice()));
    assert_eq!(
        all.reasons(),
        [
            (HTML_TOO_LONG, Some(1), 1),
            (HTML_PACKED, Some(2), 1),
            (CONTENT_TYPE_OTHER, Some(3), 1),
            (HTML_PACKED, Some(4), 1),
        ]
    );
}

#[test]
fn base64_of_a_page_is_bytes_and_beats_its_text() {
    let page = STANDARD.encode(b"<p>\xcf\xf0");
    let wrapped = format!("{}\\r\\n{}", &page[..4], page[4..].trim_end_matches('='));
    let all = lines(&[
        &format!(r#"{{"url":"a","html":"lossy","html_base64":"{page}"}}"#),
        &format!(r#"{{"url":"a","body_base64":"{wrapped}"}}"#),
        r#"{"url":"a","html":"<p>é","html_base64":null}"#,
        r#"{"url":"a","html":"<p>","html_base64":"not base64"}"#,
        r#"{"url":"a","html_base64":7}"#,
    ]);
    let found: Vec<_> = all.rows.iter().map(|row| (row.html.as_deref(), row.is_decoded)).collect();
    let bytes = Some(b"<p>\xcf\xf0".as_slice());
    assert_eq!(found, [(bytes, false), (bytes, false), (Some("<p>é".as_bytes()), true)]);
    assert_eq!(all.reasons(), [(HTML_NOT_BASE64, Some(3), 1), (JSON_TYPE, Some(4), 1)]);
    let columns = Columns { html: Some("page_base64".to_owned()), ..Columns::BY_NAME };
    let line = format!(r#"{{"url":"a","html":"other","page_base64":"{page}"}}"#);
    let all = read_with("a.jsonl", line, &columns, &LIMITS);
    assert_eq!((all.rows[0].html.as_deref(), all.set_aside.len()), (bytes, 0));
}

#[test]
fn a_mapped_page_is_no_text_and_a_mapped_text_no_page() {
    let line = r#"{"url":"a","content":"<p>1","html":"<p>2","body":"words"}"#;
    let map = |text: Option<&str>, html: Option<&str>| Columns {
        text: text.map(str::to_owned),
        html: html.map(str::to_owned),
        ..Columns::BY_NAME
    };
    let all = read_with("a.jsonl", line, &map(None, Some("content")), &LIMITS);
    assert_eq!(all.rows[0].html.as_deref(), Some(b"<p>1".as_slice()));
    let all = read_with("a.jsonl", line, &map(Some("html"), None), &LIMITS);
    assert_eq!((all.rows[0].html.as_deref(), &*all.rows[0].text), (None, "<p>2"));
    let binary: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"words"]));
    let bytes = parquet(vec![("url", urls(1)), ("body", binary)]);
    let all = read_with("a.parquet", bytes, &map(Some("body"), None), &LIMITS);
    assert_eq!((all.rows[0].html.as_deref(), &*all.rows[0].text), (None, "words"));
}

#[test]
fn a_text_that_looks_like_html_is_noticed_once() {
    let all = lines(&[
        r#"{"url":"a","content":"plain"}"#,
        r#"{"url":"a","content":" \n<!DOCTYPE HTML><p>x"}"#,
        r#"{"url":"a","content":"<HTML>"}"#,
        r#"{"url":"a","content":"<htm"}"#,
    ]);
    assert_eq!(all.rows.len(), 4);
    assert!(all.rows.iter().all(|row| row.html.is_none() && row.is_decoded));
    assert_eq!(all.reasons(), [(TEXT_LOOKS_HTML, None, 0)]);
    let found =
        "2 values, first row 1:  \\n<!DOCTYPE HTML><p>x; wanted plain text, or a column of HTML";
    assert_eq!(all.detail(), found);
}

#[test]
fn optional_values_that_cannot_be_used_cost_no_row() {
    let long = "x".repeat(70_000);
    let links: String = (0..10_005).map(|at| format!("\"/{at}\",")).collect();
    let all = lines(&[
        &format!(r#"{{"url":"a","text":"b","fetch_redirect":"{long}","content_type":"{long}"}}"#),
        r#"{"url":"a","text":"b","charset":"a\u0000","ip":7,"headers":"no header"}"#,
        &format!(r#"{{"url":"a","text":"b","links":[{links}"/last"]}}"#),
        &format!(r#"{{"url":"a","text":"b","links":["/a",null,"",7,"{long}","/b"]}}"#),
        &format!(r#"{{"url":"a","text":"b","headers":{{"a":"1","b":"{long}","c":"3"}}}}"#),
        r#"{"url":"a","text":"b","links":"/a","headers":"{\"x\":"}"#,
    ]);
    assert_eq!(all.rows.len(), 6);
    let links = |at: usize| all.rows[at].links.as_ref().map(Vec::len);
    assert_eq!([links(0), links(2), links(3), links(5)], [None, Some(10_000), Some(2), None]);
    assert_eq!(all.rows[4].headers.as_deref(), Some("a: 1\nc: 3"));
    let found = &all.rows[0];
    assert_eq!((found.redirect.as_deref(), found.content_type.as_deref()), (None, None));
    let details: Vec<_> = all.set_aside.iter().map(|entry| &*entry.detail).collect();
    let wanted = [
        "fetch_redirect: 1 values, first row 0: 70000 bytes; wanted a short text",
        "content_type: 1 values, first row 0: 70000 bytes; wanted a short text",
        "charset: 1 values, first row 1: a NUL; wanted a short text",
        "ip: 1 values, first row 1: a number; wanted a short text",
        "headers: 2 values, first row 1: another value; wanted names with values",
        "headers: 1 values, first row 4: more; wanted at most 65536 bytes",
        "links: 3 values, first row 3: a link that is none; wanted a list of short texts",
        "links: 1 values, first row 2: more; wanted at most 10000 in 1 MiB",
    ];
    assert_eq!(details, wanted);
}

#[test]
fn a_page_of_100_mb_costs_only_itself() {
    let long = "<p>word ".repeat(13 << 20);
    let page = |html: &str| format!("{{\"url\":\"a\",\"html\":\"{html}\"}}\n");
    let limit = "x".repeat(16 << 20);
    let lines = [page("<p>1"), page(&long), page(&limit), page(&(limit.clone() + "x"))].concat();
    let all = read("a.jsonl.zst", zst((lines + &page("<p>2")).as_bytes()));
    assert_eq!(all.numbers(), [0, 2, 4]);
    assert_eq!(all.reasons(), [(LINE_TOO_LONG, Some(1), 1), (HTML_TOO_LONG, Some(3), 1)]);
    assert_eq!(all.rows[1].html.as_ref().map(Vec::len), Some(16 << 20));
    let columns = vec![("url", urls(3)), ("html", strings(&["<p>1", &long, "<p>2"]))];
    let all = read("a.parquet", parquet(columns));
    assert_eq!(all.numbers(), [0, 2]);
    assert_eq!(all.reasons(), [(HTML_TOO_LONG, Some(1), 1)]);
}

#[test]
fn batches_are_bounded_by_their_pages() {
    let page = "<p>word ".repeat(1 << 19);
    let columns = vec![("url", urls(12)), ("html", strings(&[&*page; 12])), ("text", texts(12))];
    let file = InputFile::of_bytes("a.parquet", parquet(columns)).unwrap();
    let (mut read, mut most) = (0, 0);
    block(async {
        let mut steps = admit(&file, &Columns::BY_NAME, &LIMITS);
        while let Some(step) = steps.next().await {
            let rows = step.unwrap().rows;
            read += rows.num_rows();
            let html = rows.column_by_name("html").unwrap().as_binary::<i32>();
            most = most.max(html.value_data().len());
        }
    });
    assert_eq!(read, 12);
    assert!(most <= BATCH_BYTES, "{most}");
}

#[test]
fn pages_packed_twice_cannot_yield_without_end() {
    // Each line is 22 KB of base64 that unpacks to 16 MiB; equal lines pack well again.
    let page = STANDARD.encode(gzip(&vec![b' '; 16 << 20]));
    let line = format!("{{\"url\":\"a\",\"html_base64\":\"{page}\"}}\n");
    let file = InputFile::of_bytes("a.jsonl.zst", zst(line.repeat(100).as_bytes())).unwrap();
    let (mut rows, mut reasons) = (0, Vec::new());
    block(async {
        let mut steps = admit(&file, &Columns::BY_NAME, &LIMITS);
        while let Some(step) = steps.next().await {
            let step = step.unwrap();
            rows += step.rows.num_rows();
            reasons.extend(step.set_aside.iter().map(|entry| entry.reason));
        }
    });
    assert!(rows < 100, "{rows}");
    assert_eq!(reasons.last(), Some(&RATIO_LIMIT));
}

/// Values of every kind that JSON has, good and bad for any role.
const ODD: [&str; 14] = [
    "null",
    "7",
    "-1e300",
    "true",
    "\"\"",
    "\"x: y\"",
    "\"SGk=\"",
    "\"H4sI\"",
    "\"{\\\"a\\\":[[1]]}\"",
    "[]",
    "[\"a\",[\"b\",\"c\"],7,null,{\"name\":\"n\",\"value\":[\"v\",{}]}]",
    "{\"a\":{\"b\":[1]},\"Location\":\"/x\",\"c\":[\"1\",2]}",
    "[[[[[[[[[\"deep\"]]]]]]]]]",
    "\"\\u0000\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_value_of_any_field_reconciles(rows in prop::collection::vec(
        prop::collection::vec((0..15_usize, 0..ODD.len()), 0..8),
        1..4,
    )) {
        let names = Columns::NAMES.map(|(_, names)| names[0]);
        let names = [names.as_slice(), Columns::BASE64].concat();
        let lines = rows.iter().map(|fields| {
            let fields = fields.iter().map(|(name, value)| {
                format!("\"{}\":{}", names[*name], ODD[*value])
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        });
        let all = read("a.jsonl", lines.collect::<Vec<_>>().join("\n"));
        prop_assert_eq!(all.sum(), count(rows.len()), "{:?}", all);
        prop_assert!(all.set_aside.iter().all(|entry| entry.reason != READER_PANIC));
    }
}
