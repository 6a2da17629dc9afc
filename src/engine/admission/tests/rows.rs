//! Columns, types and single rows.

use super::*;

#[test]
fn every_string_type_gives_the_same_rows() {
    let values = vec!["https://a.example/0", "https://a.example/1"];
    let bytes: Vec<&[u8]> = values.iter().map(|value| value.as_bytes()).collect();
    let dictionary: DictionaryArray<Int32Type> = values.iter().copied().collect();
    let large: ArrayRef = Arc::new(LargeStringArray::from(values.clone()));
    let large_dictionary =
        cast(&large, &DataType::Dictionary(DataType::Int32.into(), DataType::LargeUtf8.into()));
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(values.clone())),
        large,
        Arc::new(StringViewArray::from(values.clone())),
        Arc::new(BinaryArray::from(bytes.clone())),
        Arc::new(LargeBinaryArray::from(bytes.clone())),
        Arc::new(BinaryViewArray::from(bytes)),
        Arc::new(dictionary),
        large_dictionary.unwrap(),
    ];
    for array in arrays {
        let found = array.data_type().clone();
        let all = read("a.parquet", parquet(vec![("url", Arc::clone(&array)), ("text", array)]));
        assert_eq!(all.set_aside, [], "{found}");
        assert_eq!(all.rows.len(), 2, "{found}");
        assert_eq!(all.rows[1].url.as_deref(), Some("https://a.example/1"), "{found}");
        assert_eq!(all.rows[1].text, "https://a.example/1", "{found}");
    }
}

#[test]
fn a_text_column_of_type_null_has_no_text_in_any_row() {
    let all = read("a.parquet", parquet(vec![("url", urls(10)), ("text", nulls(10))]));
    assert_eq!(all.reasons(), [(TEXT_MISSING, Some(0), 10)]);
    let all = read("a.parquet", parquet(vec![("url", nulls(3)), ("text", texts(3))]));
    assert_eq!(all.reasons(), [(NO_KEY, Some(0), 3)]);
    let columns = vec![("url", nulls(3)), ("id", urls(3)), ("text", texts(3))];
    assert_eq!(read("a.parquet", parquet(columns)).rows.len(), 3);
}

#[test]
fn an_id_may_be_an_integer() {
    let arrays: [(ArrayRef, &str); 3] = [
        (Arc::new(Int16Array::from(vec![-7])), "-7"),
        (Arc::new(Int64Array::from(vec![i64::MIN])), "-9223372036854775808"),
        (Arc::new(UInt64Array::from(vec![u64::MAX])), "18446744073709551615"),
    ];
    for (id, wanted) in arrays {
        let all = read("a.parquet", parquet(vec![("id", id), ("text", texts(1))]));
        assert_eq!(all.rows[0].id.as_deref(), Some(wanted));
        assert_eq!(all.rows[0].url, None);
    }
}

#[test]
fn fetch_time_comes_from_timestamps_dates_and_text() {
    let micros = 1_700_000_000_000_000;
    let day = 19_675_i64 * 86_400_000_000;
    let arrays: Vec<(ArrayRef, i64)> = vec![
        (Arc::new(TimestampMillisecondArray::from(vec![1_700_000_000_000])), micros),
        (Arc::new(TimestampSecondArray::from(vec![1_700_000_000])), micros),
        (
            Arc::new(TimestampNanosecondArray::from(vec![micros * 1_000]).with_timezone("UTC")),
            micros,
        ),
        (Arc::new(Date32Array::from(vec![19_675])), day),
        (Arc::new(Date64Array::from(vec![19_675 * 86_400_000])), day),
        (strings(&["2023-11-14T22:13:20Z"]), micros),
        (strings(&["2023-11-15T00:13:20+02:00"]), micros),
        (strings(&["2023-11-14 22:13:20"]), micros),
        (strings(&["2023-11-14"]), day),
    ];
    for (time, wanted) in arrays {
        let columns = vec![("url", urls(1)), ("text", texts(1)), ("fetch_time", time)];
        let all = read("a.parquet", parquet(columns));
        assert_eq!(all.set_aside, []);
        assert_eq!(all.rows[0].time, Some(wanted));
    }
}

#[test]
fn unusable_optional_values_become_null_with_one_notice() {
    let columns = vec![
        ("url", urls(3)),
        ("text", texts(3)),
        ("date", strings(&["2023-11-14", "yesterday", "soon"])),
        ("status", Arc::new(Int64Array::from(vec![Some(200), None, Some(1 << 40)])) as ArrayRef),
    ];
    let all = read("a.parquet", parquet(columns));
    assert_eq!(all.rows.iter().map(|row| row.status).collect::<Vec<_>>(), [Some(200), None, None]);
    assert_eq!(
        all.reasons(),
        [(FETCH_TIME_UNREADABLE, None, 0), (FETCH_STATUS_UNREADABLE, None, 0)]
    );
    assert_eq!(all.detail(), "2 values, first row 1: yesterday; wanted a time");
}

#[test]
fn an_optional_column_of_unusable_type_is_passed_over() {
    let columns = vec![
        ("url", urls(1)),
        ("text", texts(1)),
        ("date", Arc::new(Int64Array::from(vec![5])) as ArrayRef),
        ("Timestamp", strings(&["2023-11-14"])),
        ("status", strings(&["ok"])),
    ];
    let all = read("a.parquet", parquet(columns));
    assert!(all.rows[0].time.is_some());
    assert_eq!(all.reasons(), [(COLUMN_IGNORED, None, 0), (COLUMN_IGNORED, None, 0)]);
    assert_eq!(all.detail(), "column date is Int64, wanted a timestamp, date or string column");
}

#[test]
fn two_columns_of_a_name_are_never_chosen_between() {
    let twice = vec![("url", urls(10)), ("text", texts(10)), ("text", texts(10))];
    let all = read("a.parquet", parquet(twice));
    assert_eq!(all.reasons(), [(COLUMN_AMBIGUOUS, None, 10)]);
    let case = parquet(vec![("url", urls(10)), ("URL", urls(10)), ("text", texts(10))]);
    let all = read("a.parquet", case.clone());
    assert_eq!(all.reasons(), [(COLUMN_AMBIGUOUS, None, 10)]);
    assert_eq!(all.detail(), "found columns url and URL, wanted one of them");
    let columns = Columns { url: Some("URL".to_owned()), ..Columns::BY_NAME };
    assert_eq!(read_with("a.parquet", case, &columns, &LIMITS).rows.len(), 10);
}

#[test]
fn the_first_name_of_the_list_wins() {
    let columns = vec![("content", urls(1)), ("Text", texts(1)), ("uri", urls(1))];
    let all = read("a.parquet", parquet(columns));
    assert_eq!(all.rows[0].text, "text of row 0, some words");
    assert_eq!(all.rows[0].url.as_deref(), Some("https://a.example/0"));
}

#[test]
fn a_mapped_column_has_to_exist_exactly() {
    let bytes = parquet(vec![("url", urls(2)), ("body", texts(2))]);
    let map = |text: &str| Columns { text: Some(text.to_owned()), ..Columns::BY_NAME };
    assert_eq!(read_with("a.parquet", bytes.clone(), &map("body"), &LIMITS).rows.len(), 2);
    let all = read_with("a.parquet", bytes.clone(), &map("Body"), &LIMITS);
    assert_eq!(all.reasons(), [(COLUMN_MISSING, None, 2)]);
    let both = Columns { id: Some("url".to_owned()), ..map("body") };
    let all = read_with("a.parquet", bytes, &both, &LIMITS);
    assert_eq!(all.rows[0].id, all.rows[0].url);
}

#[test]
fn a_needed_column_that_is_missing_or_of_a_wrong_type_costs_the_file() {
    let all = read("a.parquet", parquet(vec![("url", urls(4)), ("article", texts(4))]));
    assert_eq!(all.reasons(), [(COLUMN_MISSING, None, 4)]);
    let wanted = "found no text column, wanted one of text, content, raw_content; \
                  found no html column, wanted one of html, raw_html, html_content";
    assert_eq!(all.detail(), wanted);
    let all = read("a.parquet", parquet(vec![("text", texts(4))]));
    assert_eq!(all.reasons(), [(COLUMN_MISSING, None, 4)]);
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true; 4]));
    let all = read("a.parquet", parquet(vec![("url", urls(4)), ("text", flags)]));
    assert_eq!(all.reasons(), [(COLUMN_TYPE, None, 4)]);
    assert_eq!(all.detail(), "column text is Boolean, wanted a string or binary column");
}

// Rows

#[test]
fn rows_are_set_aside_one_by_one() {
    let long = "u".repeat(20);
    let text: ArrayRef = Arc::new(StringArray::from(vec![
        Some("good"),
        None,
        Some("nul\0"),
        Some("longer than 10"),
        Some(""),
        Some("x"),
        Some("x"),
        Some("x"),
    ]));
    let url = strings(&["a", "a", "a", "a", "", "", &long, "n\0"]);
    let id: ArrayRef =
        Arc::new(StringArray::from(vec![None, None, None, None, Some("i"), Some(""), None, None]));
    let bytes = parquet(vec![("url", url), ("id", id), ("text", text)]);
    let limits = Limits { text_bytes: 10, url_bytes: 12, ..LIMITS };
    let all = read_with("a.parquet", bytes, &Columns::BY_NAME, &limits);
    assert_eq!(all.numbers(), [0, 4]);
    assert_eq!((all.rows[1].url.as_deref(), all.rows[1].id.as_deref()), (None, Some("i")));
    assert_eq!(
        all.reasons(),
        [
            (TEXT_MISSING, Some(1), 1),
            (TEXT_NUL, Some(2), 1),
            (TEXT_TOO_LONG, Some(3), 1),
            (NO_KEY, Some(5), 1),
            (URL_TOO_LONG, Some(6), 1),
            (URL_NUL, Some(7), 1),
        ]
    );
    let bytes = parquet(vec![("id", strings(&[&long, "n\0"])), ("text", texts(2))]);
    let limits = Limits { url_bytes: 12, ..LIMITS };
    let all = read_with("a.parquet", bytes, &Columns::BY_NAME, &limits);
    assert_eq!(all.reasons(), [(ID_TOO_LONG, Some(0), 1), (ID_NUL, Some(1), 1)]);
}

#[test]
fn bytes_that_are_no_text_cost_their_row() {
    let bad: Vec<&[u8]> = vec![b"fine", b"\xff\xfe A broken row", "\u{4e2d}".as_bytes()];
    let binary: ArrayRef = Arc::new(BinaryArray::from(bad));
    let all = read("a.parquet", parquet(vec![("url", urls(3)), ("text", Arc::clone(&binary))]));
    assert_eq!(all.numbers(), [0, 2]);
    assert_eq!(all.rows[1].text, "\u{4e2d}");
    assert_eq!(all.reasons(), [(TEXT_NOT_UTF8, Some(1), 1)]);
    assert_eq!(all.detail(), "found byte 0xff at byte 0, wanted UTF-8");
    let all = read("a.parquet", parquet(vec![("url", Arc::clone(&binary)), ("text", texts(3))]));
    assert_eq!(all.reasons(), [(URL_NOT_UTF8, Some(1), 1)]);
    let all = read("a.parquet", parquet(vec![("id", binary), ("text", texts(3))]));
    assert_eq!(all.reasons(), [(ID_NOT_UTF8, Some(1), 1)]);
}

#[test]
fn a_string_column_that_is_not_utf8_costs_single_rows() {
    let mut bytes = plain(vec![("url", urls(5)), ("text", texts(5))], 100);
    patch(&mut bytes, b"text of row 3, some", b"text of row 3, \xff\xfe\xfd\xfc");
    let all = read("a.parquet", bytes);
    assert_eq!(all.numbers(), [0, 1, 2, 4]);
    assert_eq!(all.reasons(), [(TEXT_NOT_UTF8, Some(3), 1)]);
}

#[test]
fn a_character_cut_in_two_by_rows_is_not_text() {
    let halves: Vec<&[u8]> = vec![b"a\xc3", b"\xa9b"];
    let text: ArrayRef = Arc::new(BinaryArray::from(halves));
    let all = read("a.parquet", parquet(vec![("url", urls(2)), ("text", text)]));
    assert_eq!(all.reasons(), [(TEXT_NOT_UTF8, Some(0), 1), (TEXT_NOT_UTF8, Some(1), 1)]);
}

#[test]
fn neighbours_with_one_reason_share_an_entry() {
    let text: ArrayRef = Arc::new(StringArray::from(vec![None::<&str>; 10_000]));
    let all = read("a.parquet", parquet(vec![("url", urls(10_000)), ("text", text)]));
    assert_eq!(all.reasons(), [(TEXT_MISSING, Some(0), 10_000)], "{}", all.detail());
}

#[test]
fn many_rows_come_in_order_and_in_batches() {
    let bytes = plain(vec![("url", urls(10_000)), ("text", texts(10_000))], 3_000);
    let all = read("a.parquet", bytes);
    assert_eq!(all.numbers(), (0..10_000).collect::<Vec<_>>());
    assert_eq!(all.rows[7_123].text, "text of row 7123, some words");
}

#[test]
fn a_text_of_100_mb_is_too_long_and_costs_only_itself() {
    let long = "word ".repeat(20 << 20);
    let text: ArrayRef = Arc::new(StringArray::from(vec!["short", &long, "short"]));
    let zstd = Compression::ZSTD(ZstdLevel::try_new(1).unwrap());
    let properties = WriterProperties::builder().set_compression(zstd).build();
    let all = read("a.parquet", parquet_with(vec![("url", urls(3)), ("text", text)], properties));
    assert_eq!(all.numbers(), [0, 2]);
    assert_eq!(all.reasons(), [(TEXT_TOO_LONG, Some(1), 1)]);
}

#[test]
fn wide_rows_are_read_a_few_at_a_time() {
    // 2,000 short rows, then 60 of 10 MB: the stated average allows 106 rows a batch, which
    // would be 600 MB of pages.
    let (long, rows) = (vec![b'x'; 10 << 20], 2_060);
    let schema = "message m { required binary url; required binary text; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let zstd = Compression::ZSTD(ZstdLevel::try_new(1).unwrap());
    let properties = WriterProperties::builder()
        .set_compression(zstd)
        .set_dictionary_enabled(false)
        .set_data_page_row_count_limit(4)
        .set_statistics_enabled(EnabledStatistics::None)
        .build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties.into()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        let wide = column.typed::<ByteArrayType>().get_descriptor().name() == "text";
        for row in 0..rows {
            let value = if wide && row >= 2_000 { long.clone() } else { b"short".to_vec() };
            column.typed::<ByteArrayType>().write_batch(&[value.into()], None, None).unwrap();
        }
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    let file = InputFile::of_bytes("a.parquet", bytes).unwrap();
    let (mut read, mut most) = (0, 0);
    block(async {
        let mut steps = admit(&file, &Columns::BY_NAME, &LIMITS);
        while let Some(step) = steps.next().await {
            let step = step.unwrap();
            assert_eq!(step.set_aside, []);
            read += step.rows.num_rows();
            most = most.max(
                step.rows.column_by_name("text").unwrap().as_string::<i32>().value_data().len(),
            );
        }
    });
    assert_eq!(read, rows);
    assert!(most <= BATCH_BYTES, "{most}");
}

// Parquet: damage
