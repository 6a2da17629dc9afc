//! Tables of admission: what came in, and what did not.

use super::ColumnKind::{Binary, Bool, Int32, Int64, Timestamp, Utf8, Utf8List};
use super::{Layout, Table, maybe, needed};

pub(super) const FETCH: Table = Table {
    name: "fetch",
    grain: "one row an admitted input row",
    key: &["fetch"],
    layout: Layout::Work,
    columns: &[
        needed("fetch", Int64, "number of the row within this run", "17"),
        needed("input_file", Utf8, "file the row came from", "part-3.parquet"),
        needed("file_row", Int64, "position in that file, from 0", "17"),
        maybe("url", Utf8, "raw URL", "http://a.example/"),
        maybe("id", Utf8, "the input's own id, as text", "4711"),
        maybe("fetch_time", Timestamp, "when it was fetched", "2026-11-02T00:00:00Z"),
        maybe("fetch_status", Int32, "HTTP status; NULL counts as fetched", "200"),
        maybe("fetch_redirect", Utf8, "where a redirect points, as written", "/new"),
        maybe("content_type", Utf8, "media type, with charset if given", "text/html"),
        maybe("charset", Utf8, "encoding that the crawler noted", "windows-1251"),
        maybe("headers", Utf8, "answer headers, one `name: value` a line", "link: </a>"),
        maybe("ip", Utf8, "address that answered", "198.51.100.7"),
        maybe("links", Utf8List, "links that the crawler found, for rows without HTML", "[/a]"),
        maybe("html", Binary, "body of a page as fetched", "<p>Once</p>"),
        needed("is_decoded", Bool, "whether the body came as text and is UTF-8", "false"),
        maybe("text", Utf8, "plain text; NULL where there is HTML", "Once upon a time"),
    ],
};

pub(super) const SET_ASIDE: Table = Table {
    name: "set_aside",
    grain: "one row an input row or file that was not admitted",
    key: &["input_file", "file_row", "reason", "detail"],
    layout: Layout::Work,
    columns: &[
        needed("input_file", Utf8, "file", "part-3.parquet"),
        maybe("file_row", Int64, "position in that file; NULL for the file", "17"),
        needed("rows", Int64, "input rows this entry stands for; 0 when unknown", "1"),
        needed("reason", Utf8, "why, as a code", "text_nul"),
        needed("detail", Utf8, "what was found and what was wanted", "NUL at byte 12"),
    ],
};

pub(super) const QUARANTINE: Table = Table {
    name: "quarantine",
    grain: "one row an input row or file that was set aside",
    key: &["input_file", "file_row", "reason", "detail"],
    layout: Layout::Published,
    columns: &[
        needed("input_file", Utf8, "file", "part-3.parquet"),
        maybe("file_row", Int64, "position in that file; NULL for the file", "17"),
        needed("rows", Int64, "input rows this entry stands for; 0 when unknown", "1"),
        needed("reason", Utf8, "why, as a code", "text_nul"),
        needed("detail", Utf8, "what was found and what was wanted", "NUL at byte 12"),
    ],
};
