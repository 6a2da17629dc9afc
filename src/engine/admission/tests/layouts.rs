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
    assert_eq!(all.reasons(), [(TEXT_MISSING, Some(0), 1)]);
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
    let fixed = cast(
        &(Arc::new(BinaryArray::from(
            vec!["<p>1", "<p>2", "<p>3"].iter().map(|p| p.as_bytes()).collect::<Vec<_>>(),
        )) as ArrayRef),
        &DataType::FixedSizeBinary(4),
    );
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
