//! Tables of the page level: parsed bodies, fingerprints, pages.

use super::ColumnKind::{
    Binary, Bool, Facts, Float64, Int32, Int64, Int64List, Timestamp, Utf8, Utf8List,
};
use super::{Layout, Table, later, maybe, needed};

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
        later(2, "agreement_milli", Int32, "thousandths in which two extractors agree", "870"),
        maybe("title", Utf8, "title of a page", "A tale"),
        later(2, "heading", Utf8, "first heading of a page", "A tale"),
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
        later(2, "link_share_milli", Int32, "link text, thousandths of its text", "120"),
        needed("blocks", Int64List, "hash of each block of text", "[7, 9]"),
        later(2, "main_blocks", Int64List, "hash of each line of the main text", "[7]"),
        later(2, "main_flags", Int64List, "what each of these lines is, a bit mask", "[1]"),
        later(2, "main_tokens", Int64List, "tokens of each of these lines", "[12]"),
        later(2, "layout", Binary, "slots of the set of its tag paths", "01ff"),
        later(2, "template", Int64, "hash of the frame of its tag paths", "42"),
        later(2, "passwords", Int64, "visible fields for a password", "0"),
        later(2, "marks", Utf8List, "marks of walls and of parked domains", "[cloudflare]"),
        later(2, "facts", Facts, "what it states of itself and of its owner", "[...]"),
        later(2, "product_ids", Utf8List, "ids of the one product it is about", "[sku:4711]"),
        later(2, "prices", Utf8List, "prices of that product", "[19.90 EUR]"),
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
        later(2, "host", Utf8, "host of the key; NULL for an id", "a.example"),
        later(2, "title", Utf8, "title of a page", "A tale"),
        later(2, "link_share_milli", Int32, "link text, thousandths of its text", "120"),
        needed("gate", Utf8, "may it be compared, as far as it shows itself", "ok"),
        later(2, "gate_reason", Utf8, "what decided the gate", "status"),
        needed("is_empty", Bool, "whether the normalised text is empty", "false"),
        needed("tokens", Int32, "tokens of the text", "812"),
        needed("scripts", Int64, "bit mask of the scripts it is written in", "1"),
        needed("text_digest", Binary, "xxh3-128 of the normalised text", "77ab"),
        maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
        needed("buckets", Int64List, "one bucket a band; empty without shingles", "[7, 9]"),
        needed("slots", Binary, "low 8 bits of each slot; empty without shingles", "01ff"),
        later(2, "samples", Int64List, "sampled shingles", "[64, 128]"),
        later(2, "full_tokens", Int32, "tokens of all visible text of a page", "1204"),
        later(2, "full_digest", Binary, "xxh3-128 of all visible text, normalised", "81fa"),
        later(2, "full_simhash", Int64, "SimHash of all visible text", "-7"),
        later(2, "body_digest", Binary, "xxh3-128 of the body as fetched", "c0de"),
        later(2, "facts_digest", Binary, "xxh3-128 of all that was parsed", "fac7"),
    ],
};

pub(super) const GATED_TEXT: Table = Table {
    name: "gated_text",
    grain: "one row a host and a text that its pages share with too many others",
    key: &["host", "text_digest"],
    layout: Layout::Work,
    columns: &[
        needed("host", Utf8, "host", "a.example"),
        needed("text_digest", Binary, "xxh3-128 of the normalised text", "77ab"),
        needed("gate", Utf8, "soft404, global_boilerplate, infinite_space", "soft404"),
        needed("gate_reason", Utf8, "probe, domains, mass or loop", "mass"),
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
        later(2, "host", Utf8, "host of the key; NULL for an id", "a.example"),
        needed("gate", Utf8, "may it be compared: ok, or why not", "ok"),
        later(2, "gate_reason", Utf8, "what decided the gate", "status"),
        needed("tokens", Int32, "tokens of the text", "812"),
        maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
        later(2, "full_tokens", Int32, "tokens of all visible text", "1204"),
        later(2, "full_digest", Binary, "xxh3-128 of all visible text, normalised", "81fa"),
        later(2, "full_simhash", Int64, "SimHash of all visible text", "-7"),
    ],
};

pub(super) const PAGE_TRAIT: Table = Table {
    name: "page_trait",
    grain: "one row an HTML page that may be compared",
    key: &["page"],
    layout: Layout::Work,
    columns: &[
        needed("page", Int64, "page", "3"),
        maybe("title", Utf8, "first heading, else the title", "A tale"),
        maybe("language", Utf8, "language of the main text, if sure", "en"),
        maybe("version_of", Utf8, "language under which it lists itself", "en-gb"),
        needed("home_key", Utf8, "key of its usable canonical, else its own", "http://a.example/"),
        needed("product_ids", Utf8List, "ids of the one product it is about", "[sku:4711]"),
        needed("prices", Utf8List, "prices of that product", "[19.90 EUR]"),
        needed("link_share_milli", Int64, "link text, thousandths of its text", "120"),
        maybe("layout", Binary, "slots of the set of its tag paths", "01ff"),
    ],
};

pub(super) const REPEATED_BLOCK: Table = Table {
    name: "repeated_block",
    grain: "one row a host and a block of text that its pages repeat",
    key: &["host", "block"],
    layout: Layout::Work,
    columns: &[
        needed("host", Utf8, "host", "a.example"),
        needed("block", Int64, "hash of the normalised text of the block", "7"),
        needed("pages", Int64, "distinct pages that hold it", "31"),
        needed("of_pages", Int64, "distinct pages of the host", "40"),
        needed("rule", Utf8, "host, template or links: what counts it as repeated", "host"),
    ],
};

pub(super) const REMOVAL: Table = Table {
    name: "removal",
    grain: "one row a page whose main text holds a repeated block",
    key: &["page"],
    layout: Layout::Work,
    columns: &[
        needed("page", Int64, "page", "3"),
        needed("fetch", Int64, "one fetch that holds its text", "17"),
        needed("removed", Int64List, "hashes of the lines that go", "[7]"),
        needed("removed_blocks", Int32, "lines that go", "2"),
        needed("verdict", Utf8, "removed, kept_long, kept_whole or kept_frame", "removed"),
    ],
};

pub(super) const REDUCED: Table = Table {
    name: "reduced",
    grain: "one row a page that lost a block",
    key: &["page"],
    layout: Layout::Work,
    columns: &[
        needed("page", Int64, "page", "3"),
        needed("tokens", Int32, "tokens of what is left", "612"),
        needed("scripts", Int64, "bit mask of the scripts it is written in", "1"),
        needed("text_digest", Binary, "xxh3-128 of what is left, normalised", "77ab"),
        maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
        needed("buckets", Int64List, "one bucket a band; empty without shingles", "[7, 9]"),
        needed("slots", Binary, "low 8 bits of each slot; empty without shingles", "01ff"),
        needed("samples", Int64List, "sampled shingles", "[64, 128]"),
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
        later(2, "samples", Int64List, "sampled shingles", "[64, 128]"),
        later(2, "host", Utf8, "the host of all its pages, if there is one", "a.example"),
        later(2, "hosts", Int64, "hosts of its pages", "1"),
        later(2, "title", Utf8, "first heading, else the title", "A tale"),
        later(
            2,
            "home_key",
            Utf8,
            "key of its usable canonical, else its own",
            "http://a.example/",
        ),
        later(2, "language", Utf8, "language of the main text, if sure", "en"),
        later(2, "product_ids", Utf8List, "ids of the one product it is about", "[sku:4711]"),
        later(2, "prices", Utf8List, "prices of that product", "[19.90 EUR]"),
        later(2, "link_share_milli", Int64, "link text, thousandths of its text", "120"),
        later(2, "layout", Binary, "slots of the set of its tag paths", "01ff"),
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
        needed("kind", Utf8, "which text of the page: main or full", "main"),
        needed("url_key", Utf8, "key of the URL, or of the id", "http://a.example/"),
        needed("gate", Utf8, "may it be compared: ok, or why not", "ok"),
        later(2, "gate_reason", Utf8, "what decided the gate", "status"),
        needed("tokens", Int32, "tokens of the text", "812"),
        needed("text_digest", Binary, "xxh3-128 of the normalised text", "77ab"),
        maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
        needed("fetches", Int64, "input rows that map to the page", "2"),
        later(2, "removed_blocks", Int64, "lines taken out as repeated on the host", "2"),
        later(2, "removal", Utf8, "what became of its repeated lines; NULL without", "removed"),
    ],
};

pub(super) const PAGE_STATEMENT: Table = Table {
    name: "page_statement",
    grain: "one row a page, a kind of statement, a value and where it stands",
    key: &["page_id", "kind", "value", "place"],
    layout: Layout::Published,
    columns: &[
        needed("page_id", Binary, "id of the page", "9f3c"),
        needed("kind", Utf8, "what is stated", "organization.name"),
        needed("value", Utf8, "the value, normalised by its kind", "Acme Ltd"),
        needed("place", Utf8, "where it stands in the page", "json_ld"),
        needed("url_key", Utf8, "canonical key", "http://a.example/"),
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
        later(2, "agreement", Float64, "agreement with a second extractor, if asked", "0.87"),
        later(2, "heading", Utf8, "first heading", "A tale"),
        later(2, "link_share", Float64, "share of link text in its text", "0.12"),
        later(2, "template", Int64, "hash of the frame of its tag paths", "42"),
        needed("links", Int64, "distinct links", "31"),
        needed("blocks", Int64, "blocks of text", "40"),
        maybe("charset", Utf8, "encoding that the body was read in", "windows-1251"),
        maybe("charset_source", Utf8, "what named the encoding", "meta"),
        maybe("body_digest", Binary, "xxh3-128 of the body as fetched", "c0de"),
    ],
};
