//! Layouts that crawls come in: one test a layout, and the forms of headers and links.

use datafusion::arrow::array::{
    Float64Array, Int32Array, ListArray, ListBuilder, MapBuilder, MapFieldNames, StringBuilder,
    StructArray, TimestampMicrosecondArray,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::Fields;

use super::*;

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn optional(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn lists(rows: &[Option<&[&str]>]) -> ArrayRef {
    let mut builder = ListBuilder::new(StringBuilder::new());
    for row in rows {
        match row {
            Some(links) => builder.append_value(links.iter().map(Some)),
            None => builder.append_null(),
        }
    }
    Arc::new(builder.finish())
}

fn maps(rows: &[Option<&[(&str, &str)]>]) -> ArrayRef {
    let names = MapFieldNames {
        entry: "entries".to_owned(),
        key: "key".to_owned(),
        value: "value".to_owned(),
    };
    let mut builder = MapBuilder::new(Some(names), StringBuilder::new(), StringBuilder::new());
    for row in rows {
        for (name, value) in row.unwrap_or_default() {
            builder.keys().append_value(name);
            builder.values().append_value(value);
        }
        builder.append(row.is_some()).unwrap();
    }
    Arc::new(builder.finish())
}

/// A list of one pair a row.
fn pairs(name: &str, value: &str) -> ArrayRef {
    let fields: Fields =
        vec![Field::new(name, DataType::Utf8, true), Field::new(value, DataType::LargeUtf8, true)]
            .into();
    let values: ArrayRef = Arc::new(LargeStringArray::from(vec!["a=1", "b=2"]));
    let entries = StructArray::new(
        fields.clone(),
        vec![strings(&["Set-Cookie", "SET-COOKIE"]), values],
        None,
    );
    let item = Arc::new(Field::new("item", DataType::Struct(fields), true));
    Arc::new(ListArray::new(item, OffsetBuffer::from_lengths([1, 1]), Arc::new(entries), None))
}

// Parquet

#[test]
fn the_layout_of_the_table_fetch_is_read() {
    let columns = vec![
        ("url", strings(&["http://a.example/", "http://a.example/old"])),
        ("fetch_time", Arc::new(TimestampMicrosecondArray::from(vec![5, 6])) as ArrayRef),
        ("fetch_status", Arc::new(Int32Array::from(vec![200, 301])) as ArrayRef),
        ("fetch_redirect", optional(&[None, Some("/")])),
        ("content_type", optional(&[Some("text/html; charset=x"), None])),
        ("charset", optional(&[Some("windows-1251"), None])),
        ("headers", optional(&[Some("link: </a>"), None])),
        (
            "html",
            Arc::new(BinaryArray::from(vec![Some(b"<p>\xcf\0".as_slice()), None])) as ArrayRef,
        ),
        ("text", optional(&[Some("dropped"), None])),
        ("links", lists(&[Some(&["/dropped"]), Some(&["/a", "/b"])])),
        ("ip", optional(&[Some("198.51.100.7"), Some("")])),
    ];
    let all = read("a.parquet", parquet(columns));
    assert_eq!(all.set_aside, []);
    let page = Out {
        row: 0,
        url: some("http://a.example/"),
        time: Some(5),
        status: Some(200),
        content_type: some("text/html; charset=x"),
        charset: some("windows-1251"),
        headers: some("link: </a>"),
        ip: some("198.51.100.7"),
        html: Some(b"<p>\xcf\0".to_vec()),
        ..Out::default()
    };
    let redirect = Out {
        row: 1,
        url: some("http://a.example/old"),
        time: Some(6),
        status: Some(301),
        redirect: some("/"),
        links: Some(vec!["/a".to_owned(), "/b".to_owned()]),
        ..Out::default()
    };
    assert_eq!(all.rows, [page, redirect]);
}

#[test]
fn the_layout_of_the_table_fetch_is_read_from_lines() {
    let lines = r#"{"url":"http://a.example/","id":4711,"fetch_time":"2023-11-14T22:13:20Z",
        "fetch_status":200.0,"content_type":"text/html","charset":"utf-8","ip":"198.51.100.7",
        "headers":{"Link":["</a>","</b>"],"Age":7},"html":"<p>\u0000é","text":null,
        "links":["/dropped"],"fetch_redirect":null}
        {"url":"http://a.example/old","fetch_status":301,"fetch_redirect":"/",
        "links":["/a","/b"],"headers":null,"ip":null}"#;
    let lines = lines.replace(",\n", ",");
    let all = read("a.jsonl", lines);
    assert_eq!(all.set_aside, []);
    let page = Out {
        row: 0,
        url: some("http://a.example/"),
        id: some("4711"),
        time: Some(1_700_000_000_000_000),
        status: Some(200),
        content_type: some("text/html"),
        charset: some("utf-8"),
        headers: some("link: </a>\nlink: </b>\nage: 7"),
        ip: some("198.51.100.7"),
        html: Some("<p>\0é".as_bytes().to_vec()),
        is_decoded: true,
        ..Out::default()
    };
    let redirect = Out {
        row: 1,
        url: some("http://a.example/old"),
        status: Some(301),
        redirect: some("/"),
        links: Some(vec!["/a".to_owned(), "/b".to_owned()]),
        ..Out::default()
    };
    assert_eq!(all.rows, [page, redirect]);
}

/// Every role mapped to a name that none is found by.
fn mapped() -> Columns {
    let map = |name: &str| Some(name.to_owned());
    Columns {
        url: map("u"),
        id: map("i"),
        text: map("t"),
        html: map("h"),
        fetch_time: map("ft"),
        fetch_status: map("fs"),
        fetch_redirect: map("fr"),
        content_type: map("ct"),
        charset: map("cs"),
        headers: map("hd"),
        links: map("l"),
        ip: map("p"),
    }
}

#[test]
fn every_role_can_be_mapped() {
    let columns = mapped();
    let wanted = Out {
        row: 0,
        url: some("http://a.example/"),
        id: some("7"),
        time: Some(1_700_000_000_000_000),
        status: Some(301),
        redirect: some("/r"),
        content_type: some("text/plain"),
        charset: some("koi8-r"),
        headers: some("a: 1"),
        ip: some("198.51.100.7"),
        links: Some(vec!["/l".to_owned()]),
        is_decoded: true,
        text: "words".to_owned(),
        ..Out::default()
    };
    let line = r#"{"u":"http://a.example/","i":"7","t":"words","h":null,"fs":301,"fr":"/r",
        "ft":"2023-11-14T22:13:20Z","ct":"text/plain","cs":"koi8-r","hd":{"A":"1"},"l":["/l"],
        "p":"198.51.100.7","url":"other","html":"other"}"#;
    let all = read_with("a.jsonl", line.replace('\n', ""), &columns, &LIMITS);
    assert_eq!((all.set_aside, all.rows), (vec![], vec![wanted.clone()]));
    let cells = vec![
        ("u", strings(&["http://a.example/"])),
        ("i", strings(&["7"])),
        ("t", strings(&["words"])),
        ("h", nulls(1)),
        ("ft", strings(&["2023-11-14T22:13:20Z"])),
        ("fs", Arc::new(Int16Array::from(vec![301])) as ArrayRef),
        ("fr", strings(&["/r"])),
        ("ct", strings(&["text/plain"])),
        ("cs", strings(&["koi8-r"])),
        ("hd", maps(&[Some(&[("A", "1")])])),
        ("l", lists(&[Some(&["/l"])])),
        ("p", strings(&["198.51.100.7"])),
        ("html", strings(&["other"])),
    ];
    let all = read_with("a.parquet", parquet(cells.clone()), &columns, &LIMITS);
    assert_eq!((all.set_aside, all.rows), (vec![], vec![wanted]));
    for at in 0..12 {
        let mut cells = cells.clone();
        cells.remove(at);
        let all = read_with("a.parquet", parquet(cells), &columns, &LIMITS);
        assert_eq!(all.reasons(), [(COLUMN_MISSING, None, 1)]);
    }
}

#[test]
fn a_column_of_redirects_stands_for_a_body() {
    let columns = vec![
        ("url", urls(2)),
        ("fetch_status", Arc::new(Int16Array::from(vec![301, 200])) as ArrayRef),
        ("fetch_redirect", optional(&[Some("/a"), None])),
    ];
    let all = read("a.parquet", parquet(columns.clone()));
    let index = vec![(BODY_COLUMN_MISSING, None, 0)];
    assert_eq!((all.numbers(), all.reasons()), (vec![0, 1], index));
    let all = read("a.parquet", parquet(columns[..2].to_vec()));
    assert_eq!(all.reasons(), [(COLUMN_MISSING, None, 2)]);
}

#[test]
fn names_of_the_common_crawl_index_are_read() {
    let columns = vec![
        ("url_surtkey", strings(&["example,a)/"])),
        ("url", strings(&["http://a.example/"])),
        ("fetch_time", Arc::new(TimestampMillisecondArray::from(vec![5])) as ArrayRef),
        ("fetch_status", Arc::new(Int16Array::from(vec![200])) as ArrayRef),
        ("fetch_redirect", optional(&[None])),
        ("content_mime_type", strings(&["text/html"])),
        ("content_mime_detected", strings(&["application/xhtml+xml"])),
        ("content_charset", strings(&["UTF-8"])),
        ("content_languages", strings(&["eng"])),
        ("warc_filename", strings(&["f.warc.gz"])),
        ("warc_record_offset", Arc::new(Int32Array::from(vec![7])) as ArrayRef),
    ];
    for (name, html) in [("html", Some(b"body".to_vec())), ("text", None), ("content", None)] {
        let mut columns = columns.clone();
        columns.push((name, strings(&["body"])));
        let all = read("a.parquet", parquet(columns));
        assert_eq!(all.set_aside, []);
        assert_eq!(all.rows[0].content_type.as_deref(), Some("text/html"));
        assert_eq!(all.rows[0].charset.as_deref(), Some("UTF-8"));
        assert_eq!((all.rows[0].status, all.rows[0].time), (Some(200), Some(5_000)));
        assert_eq!(all.rows[0].html, html);
        assert_eq!(all.rows[0].text, if html.is_some() { "" } else { "body" });
        assert!(all.rows[0].is_decoded);
    }
    let all = read("a.parquet", parquet(columns));
    assert_eq!((all.rows.len(), all.reasons()), (1, vec![(BODY_COLUMN_MISSING, None, 0)]));
}

#[test]
fn bytes_beat_text_row_by_row() {
    let bytes = BinaryArray::from(vec![None, Some(b"\xcf\xf0".as_slice())]);
    let columns = vec![
        ("url", urls(2)),
        ("status", Arc::new(Int16Array::from(vec![200, 200])) as ArrayRef),
        ("content_type", strings(&["text/html", "text/html"])),
        ("charset_declared", optional(&[None, Some("cp1251")])),
        ("links", lists(&[Some(&["/a"]), None])),
        ("html", strings(&["<p>one", "<p>lossy"])),
        ("body_raw", Arc::new(bytes) as ArrayRef),
    ];
    let all = read("a.parquet", parquet(columns));
    assert_eq!(all.set_aside, []);
    assert_eq!(all.rows[0].html.as_deref(), Some(b"<p>one".as_slice()));
    assert_eq!(all.rows[1].html.as_deref(), Some(b"\xcf\xf0".as_slice()));
    assert_eq!((all.rows[0].is_decoded, all.rows[1].is_decoded), (true, false));
    assert_eq!(all.rows[1].charset.as_deref(), Some("cp1251"));
}

#[test]
fn the_shared_crawl_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../shared/data/crawl/realcrawl_open.parquet");
    let Ok(files) = block(list(&[path.to_str().unwrap().to_owned()])) else { return };
    block(async {
        let mut steps = admit(&files[0], &Columns::BY_NAME, &LIMITS);
        let step = steps.next().await.unwrap().unwrap();
        assert_eq!(step.set_aside, []);
        let rows: Vec<Out> = (0..100).map(|at| row(&step.rows, at)).collect();
        for (number, row) in (0..).zip(&rows) {
            assert_eq!((row.row, row.status), (number, Some(200)));
            assert!(row.url.as_ref().unwrap().starts_with("http"));
            assert!(row.html.as_ref().unwrap().len() > 100);
            assert!(row.time.is_some() && row.ip.is_some() && row.content_type.is_some());
        }
        assert!(rows.iter().any(|row| row.is_decoded));
    });
}

#[test]
fn headers_of_every_parquet_form_become_lines() {
    let map: &[(&str, &str)] = &[("Link", "</a>"), (":status", "200"), ("X-A", "1\r\n2")];
    let fields: Fields = vec![
        Field::new("Link", DataType::Utf8, true),
        Field::new("x_b", DataType::List(Field::new("item", DataType::Utf8, true).into()), true),
    ]
    .into();
    let columns = vec![strings(&["</a>", "</b>"]), lists(&[Some(&["1", "2"]), None])];
    let structure = StructArray::new(fields, columns, None);
    let block = "HTTP/1.1 200 OK\r\nLink: </a>\r\nX-Long: one\r\n  two\r\n\r\n";
    let json = "{\"Link\":[\"</a>\",\"</b>\"],\"Age\":7,\"no\":{\"x\":1}}";
    let list = "[[\"A\",\"1\"],{\"key\":\"B\",\"value\":\"2\"},\"C: 3\"]";
    let cases: Vec<(ArrayRef, [Option<&str>; 2])> = vec![
        (maps(&[Some(map), None]), [Some("link: </a>\nx-a: 1  2"), None]),
        (pairs("name", "value"), [Some("set-cookie: a=1"), Some("set-cookie: b=2")]),
        (pairs("Key", "VALUE"), [Some("set-cookie: a=1"), Some("set-cookie: b=2")]),
        (Arc::new(structure), [Some("link: </a>\nx_b: 1\nx_b: 2"), Some("link: </b>")]),
        (lists(&[Some(&["A: 1", "B: 2"]), Some(&[])]), [Some("a: 1\nb: 2"), None]),
        (
            strings(&[block, json]),
            [Some("link: </a>\nx-long: one two"), Some("link: </a>\nlink: </b>\nage: 7")],
        ),
        (optional(&[Some(list), None]), [Some("a: 1\nb: 2\nc: 3"), None]),
    ];
    for (headers, wanted) in cases {
        let found = headers.data_type().to_string();
        let columns = vec![("url", urls(2)), ("text", texts(2)), ("headers", headers)];
        let all = read("a.parquet", parquet(columns));
        assert_eq!(all.set_aside, [], "{found}");
        let headers: Vec<_> = all.rows.iter().map(|row| row.headers.as_deref()).collect();
        assert_eq!(headers, wanted, "{found}");
    }
}

#[test]
fn a_column_of_unusable_type_is_passed_over_with_a_notice() {
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![7]));
    let columns = vec![
        ("url", urls(1)),
        ("text", texts(1)),
        ("html", Arc::new(BooleanArray::from(vec![true])) as ArrayRef),
        ("body", texts(1)),
        ("headers", numbers.clone()),
        ("links", strings(&["/a"])),
        ("ip", numbers.clone()),
        ("content_type", numbers),
    ];
    let all = read("a.parquet", parquet(columns));
    assert_eq!(all.rows[0].text, "text of row 0, some words");
    assert_eq!(all.reasons(), [(COLUMN_IGNORED, None, 0); 6]);
    assert_eq!(all.detail(), "column html is Boolean, wanted a string or binary column");
    assert_eq!(all.set_aside[1].detail, "column body is Utf8, wanted a binary column");
    let all = read("a.parquet", parquet(vec![("url", urls(2)), ("body", texts(2))]));
    assert_eq!(all.reasons(), [(COLUMN_TYPE, None, 2)]);
}

#[test]
fn a_status_may_be_a_float_and_a_page_of_fixed_length() {
    let statuses = Float64Array::from(vec![Some(200.0), None, Some(200.5)]);
    let pages: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"<p>1", b"<p>2", b"<p>3"]));
    let fixed = cast(&pages, &DataType::FixedSizeBinary(4));
    let columns = vec![
        ("url", urls(3)),
        ("status", Arc::new(statuses) as ArrayRef),
        ("payload", fixed.unwrap()),
    ];
    let all = read("a.parquet", parquet(columns));
    assert_eq!(all.rows.iter().map(|row| row.status).collect::<Vec<_>>(), [Some(200), None, None]);
    assert_eq!(all.rows[2].html.as_deref(), Some(b"<p>3".as_slice()));
    assert_eq!(all.reasons(), [(FETCH_STATUS_UNREADABLE, None, 0)]);
}

#[test]
fn a_row_of_too_many_links_costs_the_links_alone() {
    // Millions of equal links in one row pack to a few kilobytes.
    let links: ArrayRef = {
        let values: ArrayRef = Arc::new(StringArray::from(vec![""; 1]));
        let many = 5 << 20;
        let keys = Int32Array::from(vec![0; many + 2]);
        let keys = DictionaryArray::<Int32Type>::new(keys, values);
        let item = Arc::new(Field::new("item", keys.data_type().clone(), true));
        let offsets = OffsetBuffer::from_lengths([1, many, 1]);
        Arc::new(ListArray::new(item, offsets, Arc::new(keys), None))
    };
    let columns = vec![("url", urls(3)), ("text", texts(3)), ("links", links)];
    let bytes = parquet(columns);
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
    let all = read("a.parquet", bytes);
    assert_eq!(all.numbers(), [0, 1, 2]);
    assert_eq!(all.reasons(), [(COLUMN_IGNORED, None, 0)]);
}

/// A crawl with a column of every kind, ten rows a row group.
fn crawl() -> Vec<u8> {
    let links: Vec<Option<&[&str]>> = [Some(["/a", "/b"].as_slice()), None, Some(&[])].repeat(10);
    let map: &[(&str, &str)] = &[("Link", "</a>"), ("Age", "7")];
    let html = (0..30).map(|row| (row % 3 > 0).then_some(b"<p>page".as_slice()));
    let columns = vec![
        ("url", urls(30)),
        ("status", Arc::new(Float64Array::from(vec![404.0; 30])) as ArrayRef),
        ("headers", maps(&[Some(map), None].repeat(15))),
        ("links", lists(&links)),
        ("html", Arc::new(html.collect::<BinaryArray>()) as ArrayRef),
        ("ip", strings(&["198.51.100.7"; 30])),
    ];
    plain(columns, 10)
}

#[test]
fn flipped_bytes_of_nested_columns_lose_no_row() {
    let whole = crawl();
    assert_eq!(read("a.parquet", whole.clone()).rows.len(), 30);
    for at in (0..whole.len()).step_by(3) {
        let mut bytes = whole.clone();
        bytes[at] ^= if at % 2 == 0 { 0xff } else { 1 << (at % 8) };
        reconciles(&read("a.parquet", bytes), 30, at);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_damage_to_nested_columns_loses_no_row(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = crawl();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        reconciles(&read("a.parquet", bytes), 30, 0);
    }

    #[test]
    fn any_headers_become_lines(text in "[\\PC\r\n\t:{}\\[\\]\"]{0,40}") {
        let lines = format!("{{\"url\":\"a\",\"text\":\"b\",\"headers\":{}}}",
            serde_json::to_string(&text).unwrap());
        let all = read("a.jsonl", lines);
        prop_assert_eq!(all.rows.len(), 1);
        for line in all.rows[0].headers.iter().flat_map(|headers| headers.split('\n')) {
            let (name, _) = line.split_once(": ").unwrap();
            prop_assert!(!name.is_empty() && name.chars().all(|letter| letter.is_ascii_graphic()));
        }
    }
}
