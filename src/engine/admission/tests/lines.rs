//! Lines of JSON, good and bad.

use super::*;

#[test]
fn each_bad_line_has_its_reason() {
    let cases: Vec<(&[u8], &str)> = vec![
        (b"{\"url\":\"a\",\"text\":", JSON_SYNTAX),
        (b"{\"url\":\"a\",\"text\":\"b\"} x", JSON_SYNTAX),
        (b"{\"url\":\"a\",\"text\":\"\\ud800\"}", JSON_SYNTAX),
        (b"{\"url\":\"a\",\"text\":\"\\udc00 x\"}", JSON_SYNTAX),
        (b"{\"url\":\"a\",\"text\":\"\x01\"}", JSON_SYNTAX),
        (b"nonsense", JSON_SYNTAX),
        (b"[1, 2]", JSON_NOT_OBJECT),
        (b"\"text\"", JSON_NOT_OBJECT),
        (b"null", JSON_NOT_OBJECT),
        (b"{\"url\":5,\"text\":\"b\"}", JSON_TYPE),
        (b"{\"url\":\"a\",\"text\":[\"b\"]}", JSON_TYPE),
        (b"{\"url\":\"a\",\"text\":{\"b\":[{}]}}", JSON_TYPE),
        (b"{\"url\":\"a\",\"text\":true}", JSON_TYPE),
        (b"{\"id\":1.5,\"text\":\"b\"}", JSON_TYPE),
        (b"{\"url\":\"a\",\"text\":\"b\",\"text\":\"b\"}", JSON_DUPLICATE_FIELD),
        (b"{\"url\":\"a\",\"URL\":\"c\",\"text\":\"b\"}", JSON_DUPLICATE_FIELD),
        (b"{\"url\":\"a\",\"text\":\"\xff\"}", LINE_NOT_UTF8),
        (b"{\"url\":\"a\"}", TEXT_MISSING),
        (b"{\"url\":\"a\",\"text\":null}", TEXT_MISSING),
        (b"{\"url\":\"a\",\"text\":\"\\u0000\"}", TEXT_NUL),
        (b"{\"url\":\"a\\u0000\",\"text\":\"\"}", URL_NUL),
        (b"{\"url\":\"\",\"id\":null,\"text\":\"b\"}", NO_KEY),
    ];
    for (bad, reason) in cases {
        let mut lines = line("a", "before").into_bytes();
        lines.extend(bad);
        lines.push(b'\n');
        lines.extend(line("a", "after").bytes());
        let all = read("a.jsonl", lines);
        let shown = String::from_utf8_lossy(bad);
        assert_eq!(all.reasons(), [(reason, Some(1), 1)], "{shown}");
        assert_eq!(all.numbers(), [0, 2], "{shown}");
    }
}

#[test]
fn nesting_does_not_exhaust_the_stack() {
    let deep = "[".repeat(1 << 20);
    let all = read("a.jsonl", format!("{{\"other\":{deep}\n{deep}\n{}", line("a", "b")));
    assert_eq!(all.numbers(), [2]);
    assert_eq!(all.reasons(), [(JSON_SYNTAX, Some(0), 1), (JSON_SYNTAX, Some(1), 1)]);
}

#[test]
fn a_field_of_no_role_may_hold_anything() {
    let lines = "{\"x\":{\"text\":1},\"x\":\"\\ud800\",\"url\":\"a\",\"text\":\"b\"}\n";
    assert_eq!(read("a.jsonl", lines).rows.len(), 1);
    let lines = "{\"content\":[],\"text\":\"b\",\"url\":\"a\",\"status\":\"x\"}\n";
    let all = read("a.jsonl", lines);
    assert_eq!(all.rows[0].text, "b");
    assert_eq!(all.reasons(), [(FETCH_STATUS_UNREADABLE, None, 0)]);
}

#[test]
fn a_mapped_field_that_no_line_has_is_noticed() {
    let columns = Columns { fetch_time: Some("when".to_owned()), ..Columns::BY_NAME };
    let all = read_with("a.jsonl", line("a", "b"), &columns, &LIMITS);
    assert_eq!(all.rows.len(), 1);
    assert_eq!(all.reasons(), [(COLUMN_UNSEEN, None, 0)]);
}

#[test]
fn long_lines_are_passed_over() {
    let token = "x".repeat(10 << 20);
    let all = read("a.jsonl", line("a", &token));
    assert_eq!(all.rows[0].text.len(), 10 << 20);
    let limits = Limits { text_bytes: 1_000, html_bytes: 1_000, url_bytes: 100 };
    let lines = line("a", "short") + &line("b", &token) + &line("c", &"y".repeat(1_001));
    let all = read_with("a.jsonl", lines, &Columns::BY_NAME, &limits);
    assert_eq!(all.numbers(), [0]);
    assert_eq!(all.reasons(), [(LINE_TOO_LONG, Some(1), 1), (TEXT_TOO_LONG, Some(2), 1)]);
    let lines = line("a", "short") + &token;
    let all = read_with("a.jsonl", lines, &Columns::BY_NAME, &limits);
    assert_eq!(all.reasons(), [(LINE_TOO_LONG, Some(1), 1)]);
}
