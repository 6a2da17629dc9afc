//! Tables of the page level: parsed bodies, fingerprints, pages.

use super::ColumnKind::{Binary, Bool, Int32, Int64, Int64List, Timestamp, Utf8, Utf8List};
use super::{Layout, Table, maybe, needed};

pub(super) const PARSE: Table = Table {
    name: "parse",
    grain: "one row an admitted input row",
    key: &["fetch"],
    layout: Layout::Work,
    columns: &[
        needed("fetch", Int64, "number of the row within this run", "17"),
        maybe("url", Utf8, "raw URL", "http://a.example/"),
        maybe("id", Utf8, "the input's own id, as text", "4711"),
        maybe("fetch_time", Timestamp, "when it was fetched", "2026-11-02T00:00:00Z"),
        maybe("fetch_status", Int32, "HTTP status; NULL counts as fetched", "200"),
        needed("is_html", Bool, "whether there was a body to parse", "true"),
        needed("text", Utf8, "main text of a page, or the plain text", "Once upon a time"),
        maybe("full_text", Utf8, "all visible text of a page", "Home Once upon a time"),
        maybe("extractor", Utf8, "what the text was taken from; NULL for text", "article"),
        maybe("title", Utf8, "title of a page", "A tale"),
        maybe("canonical", Utf8, "the declared canonical that may be used", "http://a.example/"),
        needed("canonicals", Utf8List, "all declared canonicals", "[http://a.example/]"),
        maybe("robots", Utf8, "robots directives, from header and page", "noindex, follow"),
        needed("is_noindex", Bool, "whether they say noindex or none", "false"),
        maybe("language_declared", Utf8, "language that the page states", "en"),
        maybe("language_detected", Utf8, "language of the main text, if sure", "en"),
        needed("hreflang", Utf8List, "language and address of its versions", "[de http://...]"),
        maybe("redirect", Utf8, "absolute target of a redirect", "http://a.example/new"),
        maybe("refresh", Utf8, "absolute target of a refresh", "http://a.example/new"),
        maybe("refresh_delay", Int32, "seconds before a refresh", "0"),
        needed("links", Utf8List, "absolute targets of its links", "[http://b.example/]"),
        needed("blocks", Int64List, "hash of each block of text", "[7, 9]"),
        maybe("charset", Utf8, "encoding that the body was read in", "windows-1251"),
        maybe("charset_source", Utf8, "what named the encoding", "meta"),
        maybe("body_digest", Binary, "xxh3-128 of the body as fetched", "c0de"),
        maybe("facts_digest", Binary, "xxh3-128 of all that was parsed", "fac7"),
        maybe("fault", Utf8, "why the body was not parsed", "html_depth"),
        maybe("fault_detail", Utf8, "what was found and wanted", "found depth 9000"),
    ],
};

pub(super) const FETCH_FINGERPRINT: Table = Table {
    name: "fetch_fingerprint",
    grain: "one row a parsed input row that has a key",
    key: &["fetch"],
    layout: Layout::Work,
    columns: &[
        needed("fetch", Int64, "number of the row within this run", "17"),
        needed("page_id", Binary, "id of its page", "9f3c"),
        needed("url_key", Utf8, "key of the URL, or of the id", "http://a.example/"),
        maybe("url", Utf8, "raw URL", "http://a.example/"),
        maybe("id", Utf8, "the input's own id, as text", "4711"),
        maybe("fetch_time", Timestamp, "when it was fetched", "2026-11-02T00:00:00Z"),
        maybe("fetch_status", Int32, "HTTP status; NULL counts as fetched", "200"),
        needed("gate", Utf8, "may it be compared: ok, or why not", "ok"),
        needed("is_empty", Bool, "whether the normalised text is empty", "false"),
        needed("tokens", Int32, "tokens of the text", "812"),
        needed("scripts", Int64, "bit mask of the scripts it is written in", "1"),
        needed("text_digest", Binary, "xxh3-128 of the normalised text", "77ab"),
        maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
        needed("buckets", Int64List, "one bucket a band; empty without shingles", "[7, 9]"),
        needed("slots", Binary, "low 8 bits of each slot; empty without shingles", "01ff"),
    ],
};

pub(super) const PAGE: Table = Table {
    name: "page",
    grain: "one row a key with one text digest",
    key: &["page_id"],
    layout: Layout::Numbered("page"),
    columns: &[
        needed("page_id", Binary, "BLAKE3-128 of key and digest", "9f3c"),
        needed("page", Int64, "number of the page within this generation", "3"),
        needed("url_key", Utf8, "key of the URL, or of the id", "http://a.example/"),
        needed("text_digest", Binary, "xxh3-128 of the normalised text", "77ab"),
        needed("fetch", Int64, "one fetch that holds its text", "17"),
        needed("fetches", Int64, "input rows that map to it", "2"),
        maybe("newest_ok", Timestamp, "newest fetch that passed", "2026-11-02T00:00:00Z"),
        maybe("newest", Timestamp, "newest fetch", "2026-11-02T00:00:00Z"),
        needed("gate", Utf8, "may it be compared: ok, or why not", "ok"),
        needed("tokens", Int32, "tokens of the text", "812"),
        maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
    ],
};

pub(super) const PROOF: Table = Table {
    name: "proof",
    grain: "one row a page whose digest another page shares",
    key: &["page"],
    layout: Layout::Work,
    columns: &[
        needed("page", Int64, "page", "3"),
        needed("proof", Binary, "BLAKE3-128 of the normalised text", "12fe"),
    ],
};

pub(super) const PAGE_DOCUMENT: Table = Table {
    name: "page_document",
    grain: "one row a page that has text",
    key: &["page"],
    layout: Layout::Work,
    columns: &[
        needed("page", Int64, "page", "8"),
        needed("document", Int64, "delegate: the smallest page with the same text", "3"),
    ],
};

pub(super) const TEXT: Table = Table {
    name: "text",
    grain: "one row a document, the delegate of equal texts",
    key: &["document"],
    layout: Layout::Work,
    columns: &[
        needed("document", Int64, "number of the delegate page", "3"),
        needed("fetch", Int64, "a fetch that holds the text", "17"),
        needed("tokens", Int32, "tokens of the text", "812"),
        needed("scripts", Int64, "bit mask of the scripts it is written in", "1"),
        maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
        needed("buckets", Int64List, "one bucket a band", "[7, 9]"),
        needed("slots", Binary, "low 8 bits of each slot", "01ff"),
    ],
};

pub(super) const DOCUMENT_PAGE: Table = Table {
    name: "document_page",
    grain: "one row a document",
    key: &["document"],
    layout: Layout::Work,
    columns: &[
        needed("document", Int64, "document", "3"),
        needed("page", Int64, "page that stands for the document", "3"),
        needed("pages", Int64, "pages that hold the text", "2"),
    ],
};

pub(super) const MEMBER: Table = Table {
    name: "member",
    grain: "one row a page, raw URL and id; equal input rows are counted",
    key: &["page_id", "url", "id"],
    layout: Layout::Published,
    columns: &[
        needed("page_id", Binary, "id of the page", "9f3c"),
        maybe("url", Utf8, "raw URL", "http://a.example/"),
        maybe("id", Utf8, "the input's own id, as text", "4711"),
        needed("multiplicity", Int64, "equal input rows", "1"),
    ],
};

pub(super) const FINGERPRINT: Table = Table {
    name: "fingerprint",
    grain: "one row a page and text kind",
    key: &["page_id", "kind"],
    layout: Layout::Published,
    columns: &[
        needed("page_id", Binary, "BLAKE3-128 of key and digest", "9f3c"),
        needed("kind", Utf8, "which text of the page", "main"),
        needed("url_key", Utf8, "key of the URL, or of the id", "http://a.example/"),
        needed("gate", Utf8, "may it be compared: ok, or why not", "ok"),
        needed("tokens", Int32, "tokens of the text", "812"),
        needed("text_digest", Binary, "xxh3-128 of the normalised text", "77ab"),
        maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
        needed("fetches", Int64, "input rows that map to the page", "2"),
    ],
};

pub(super) const PAGE_FACT: Table = Table {
    name: "page_fact",
    grain: "one row a page that was HTML",
    key: &["page_id"],
    layout: Layout::Published,
    columns: &[
        needed("page_id", Binary, "id of the page", "9f3c"),
        needed("url_key", Utf8, "canonical key", "http://a.example/"),
        maybe("fetch_time", Timestamp, "fetch that the facts are of", "2026-11-02T00:00:00Z"),
        maybe("fetch_status", Int32, "its HTTP status", "200"),
        maybe("title", Utf8, "title", "A tale"),
        maybe("canonical", Utf8, "the declared canonical that may be used", "http://a.example/"),
        needed("canonicals", Utf8List, "all declared canonicals", "[http://a.example/]"),
        maybe("robots", Utf8, "robots directives, from header and page", "noindex, follow"),
        needed("is_noindex", Bool, "whether they say noindex or none", "false"),
        maybe("language_declared", Utf8, "language that the page states", "en"),
        maybe("language_detected", Utf8, "language of the main text, if sure", "en"),
        needed("hreflang", Utf8List, "language and address of its versions", "[de http://...]"),
        maybe("final_url", Utf8, "where a redirect or refresh leads", "http://a.example/new"),
        maybe("extractor", Utf8, "what the main text was taken from", "article"),
        needed("links", Int64, "distinct links", "31"),
        needed("blocks", Int64, "blocks of text", "40"),
        maybe("charset", Utf8, "encoding that the body was read in", "windows-1251"),
        maybe("charset_source", Utf8, "what named the encoding", "meta"),
        maybe("body_digest", Binary, "xxh3-128 of the body as fetched", "c0de"),
    ],
};
