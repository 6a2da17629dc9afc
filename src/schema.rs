//! Every table, its key and its columns: the single source of truth for what files hold.
//!
//! From this list come the Arrow schemas, the writer's sort order, the generated heads of the SQL
//! files, `docs/tables.md`, and the completion and `tables` of the command line.
//!
//! Compatibility: a reader accepts every table version up to its own. Adding a nullable column
//! raises `since`; renaming, retyping or changing a meaning is a new table name.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};

/// How a table's files are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Between stages: unsorted parts, equal as sets from run to run, never read by users.
    Work,
    /// Between stages: sorted by key in buckets; the sink fills the column named here with
    /// `bucket << 48 | rank`, a number that keeps the order of the key.
    Numbered(&'static str),
    /// For users: sorted by key, one file a bucket, byte-identical from run to run.
    Published,
}

/// A table: what one row is, what makes it unique, what it holds.
#[derive(Debug)]
pub struct Table {
    /// Name in SQL and in the manifest.
    pub name: &'static str,
    /// What one row is.
    pub grain: &'static str,
    /// Columns that make a row unique, in sort order; the first one decides the bucket.
    pub key: &'static [&'static str],
    /// How its files are laid out.
    pub layout: Layout,
    /// Its columns, in order.
    pub columns: &'static [Column],
}

/// A column. `meaning` states the unit; `since` is the table version that added it.
#[derive(Debug)]
pub struct Column {
    /// Name in SQL.
    pub name: &'static str,
    /// Type.
    pub kind: ColumnKind,
    /// Whether NULL is allowed.
    pub nullable: bool,
    /// What it says, with its unit.
    pub meaning: &'static str,
    /// A value as it is printed.
    pub example: &'static str,
    /// Table version that added it.
    pub since: u16,
}

/// The types that every Parquet reader understands, and no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// 32-bit integer.
    Int32,
    /// 64-bit integer; hashes are bit patterns.
    Int64,
    /// 64-bit float, the quotient of two integers of the same row.
    Float64,
    /// True or false.
    Bool,
    /// Text.
    Utf8,
    /// Bytes; ids and digests have 16.
    Binary,
    /// Microseconds, UTC.
    Timestamp,
    /// List of text.
    Utf8List,
    /// List of 64-bit integers.
    Int64List,
    /// List of (`order`, `document`): the members of a bucket.
    Members,
}

impl ColumnKind {
    /// The Arrow type of the column in files.
    pub fn arrow(self) -> DataType {
        match self {
            ColumnKind::Int32 => DataType::Int32,
            ColumnKind::Int64 => DataType::Int64,
            ColumnKind::Float64 => DataType::Float64,
            ColumnKind::Bool => DataType::Boolean,
            ColumnKind::Utf8 => DataType::Utf8,
            ColumnKind::Binary => DataType::Binary,
            ColumnKind::Timestamp => {
                DataType::Timestamp(TimeUnit::Microsecond, Some(Arc::from("UTC")))
            }
            ColumnKind::Utf8List => list(DataType::Utf8),
            ColumnKind::Int64List => list(DataType::Int64),
            ColumnKind::Members => list(DataType::Struct(Fields::from(vec![
                Field::new("order", DataType::Int64, true),
                Field::new("document", DataType::Int64, true),
            ]))),
        }
    }

    /// The type as it is written in SQL heads and manuals.
    pub fn sql(self) -> &'static str {
        match self {
            ColumnKind::Int32 => "int",
            ColumnKind::Int64 => "bigint",
            ColumnKind::Float64 => "double",
            ColumnKind::Bool => "boolean",
            ColumnKind::Utf8 => "varchar",
            ColumnKind::Binary => "binary",
            ColumnKind::Timestamp => "timestamp",
            ColumnKind::Utf8List => "varchar[]",
            ColumnKind::Int64List => "bigint[]",
            ColumnKind::Members => "struct[]",
        }
    }
}

fn list(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new("item", item, true)))
}

impl Table {
    /// The schema of the table's files; meaning and version travel as field metadata.
    pub fn arrow(&self) -> SchemaRef {
        let field = |column: &Column| {
            let metadata = [
                ("meaning".to_owned(), column.meaning.to_owned()),
                ("since".to_owned(), column.since.to_string()),
            ];
            Field::new(column.name, column.kind.arrow(), column.nullable)
                .with_metadata(metadata.into_iter().collect())
        };
        Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()))
    }

    /// Columns that a stage must produce: all but the number that the sink gives.
    pub fn produced(&self) -> impl Iterator<Item = &'static Column> + use<'_> {
        let numbered = match self.layout {
            Layout::Numbered(column) => column,
            _ => "",
        };
        self.columns.iter().filter(move |column| column.name != numbered)
    }

    /// Whether users read it.
    pub fn is_published(&self) -> bool {
        self.layout == Layout::Published
    }
}

/// The table called `name`.
pub fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}

/// Table version of a layout change that touches every table; part of each stage key.
pub const WRITER_VERSION: u32 = 1;

const fn needed(
    name: &'static str,
    kind: ColumnKind,
    meaning: &'static str,
    example: &'static str,
) -> Column {
    Column { name, kind, nullable: false, meaning, example, since: 1 }
}

const fn maybe(
    name: &'static str,
    kind: ColumnKind,
    meaning: &'static str,
    example: &'static str,
) -> Column {
    Column { name, kind, nullable: true, meaning, example, since: 1 }
}

use ColumnKind::{
    Binary, Bool, Float64, Int32, Int64, Int64List, Members, Timestamp, Utf8, Utf8List,
};

const RESEMBLANCE: &[Column] = &[
    needed("left_document", Int64, "document with the smaller number", "3"),
    needed("right_document", Int64, "document with the larger number", "8"),
    needed("shared", Int64, "shingles that both hold", "412"),
    needed("left_shingles", Int64, "distinct shingles of the left document", "430"),
    needed("right_shingles", Int64, "distinct shingles of the right document", "425"),
];

const EDGE: &[Column] = &[
    needed("left_document", Int64, "document with the smaller number", "3"),
    needed("right_document", Int64, "document with the larger number", "8"),
    needed("shared", Int64, "shingles that both hold", "412"),
    needed("joined", Int64, "shingles that at least one holds", "443"),
    needed("left_shingles", Int64, "distinct shingles of the left document", "430"),
    needed("right_shingles", Int64, "distinct shingles of the right document", "425"),
    needed("hamming", Int32, "bits in which the SimHashes differ", "2"),
    maybe("guard", Utf8, "the guard that refused the pair; NULL when accepted", "script"),
];

/// All tables, in the order in which a run makes them.
pub const TABLES: &[Table] = &[
    Table {
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
    },
    Table {
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
    },
    Table {
        name: "url_key",
        grain: "one row a raw URL",
        key: &["url"],
        layout: Layout::Published,
        columns: &[
            needed("url", Utf8, "raw URL as it came in", "HTTP://A.example:80/x/../"),
            maybe("url_key", Utf8, "canonical key; NULL when refused", "http://a.example/"),
            maybe("url_host_name", Utf8, "host of the key", "a.example"),
            needed("rules", Utf8List, "rules that changed the URL, in order", "[host_case]"),
            maybe("refused", Utf8, "why there is no key", "host_invalid"),
        ],
    },
    Table {
        name: "fetch_fingerprint",
        grain: "one row an admitted input row that has a key",
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
            needed("is_empty", Bool, "whether the normalised text is empty", "false"),
            needed("tokens", Int32, "tokens of the text", "812"),
            needed("scripts", Int64, "bit mask of the scripts it is written in", "1"),
            needed("text_digest", Binary, "xxh3-128 of the normalised text", "77ab"),
            maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
            needed("buckets", Int64List, "one bucket a band; empty without shingles", "[7, 9]"),
            needed("slots", Binary, "low 8 bits of each slot; empty without shingles", "01ff"),
        ],
    },
    Table {
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
            maybe("newest_ok", Timestamp, "newest fetch with status 200", "2026-11-02T00:00:00Z"),
            needed("gate", Utf8, "may it be compared: ok or empty", "ok"),
            needed("tokens", Int32, "tokens of the text", "812"),
            maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
        ],
    },
    Table {
        name: "proof",
        grain: "one row a page whose digest another page shares",
        key: &["page"],
        layout: Layout::Work,
        columns: &[
            needed("page", Int64, "page", "3"),
            needed("proof", Binary, "BLAKE3-128 of the normalised text", "12fe"),
        ],
    },
    Table {
        name: "page_document",
        grain: "one row a page that has text",
        key: &["page"],
        layout: Layout::Work,
        columns: &[
            needed("page", Int64, "page", "8"),
            needed("document", Int64, "delegate: the smallest page with the same text", "3"),
        ],
    },
    Table {
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
    },
    Table {
        name: "bucket",
        grain: "one row a bucket that holds at least two documents",
        key: &["bucket"],
        layout: Layout::Work,
        columns: &[
            needed("bucket", Int64, "hash of band number and slots, or SimHash block key", "77"),
            needed("source", Utf8, "what made the bucket: minhash or simhash", "minhash"),
            needed("documents", Int64, "documents in the bucket", "2"),
            needed("members", Members, "the documents, each with its second order", "[...]"),
        ],
    },
    Table {
        name: "hot_bucket",
        grain: "one row a bucket too large for all its pairs",
        key: &["bucket"],
        layout: Layout::Published,
        columns: &[
            needed("bucket", Int64, "hash of band number and slots, or SimHash block key", "77"),
            needed("source", Utf8, "what made the bucket: minhash or simhash", "minhash"),
            needed("documents", Int64, "documents in the bucket", "8120"),
            needed("pairs_possible", Int64, "n (n - 1) / 2", "32963140"),
            needed("pairs_emitted", Int64, "pairs with a centre or inside the window", "194000"),
        ],
    },
    Table {
        name: "candidate",
        grain: "one row a pair of documents that share at least one bucket",
        key: &["left_document", "right_document"],
        layout: Layout::Work,
        columns: &[
            needed("left_document", Int64, "document with the smaller number", "3"),
            needed("right_document", Int64, "document with the larger number", "8"),
            needed("shared_bands", Int64, "MinHash buckets in which the pair meets", "14"),
            needed("shared_blocks", Int64, "SimHash block keys in which the pair meets", "0"),
            needed("equal_slots", Int32, "stored slots that are equal", "101"),
            needed("hamming", Int32, "bits in which the SimHashes differ", "2"),
            needed("is_kept", Bool, "whether the estimate is near enough to verify", "true"),
        ],
    },
    Table {
        name: "candidate_component",
        grain: "one row a document of a kept candidate pair",
        key: &["document"],
        layout: Layout::Work,
        columns: &[
            needed("document", Int64, "document", "8"),
            needed("component", Int64, "smallest document it is connected to", "3"),
        ],
    },
    Table {
        name: "shingle",
        grain: "one row a document of a kept candidate pair",
        key: &["document"],
        layout: Layout::Work,
        columns: &[
            needed("document", Int64, "document", "8"),
            needed("component", Int64, "component of candidates it belongs to", "3"),
            needed("shingles", Binary, "its sorted shingle set, 8 bytes each", "..."),
        ],
    },
    Table {
        name: "resemblance",
        grain: "one row a verified candidate pair",
        key: &["left_document", "right_document"],
        layout: Layout::Work,
        columns: RESEMBLANCE,
    },
    Table {
        name: "edge",
        grain: "one row a candidate pair at or above the threshold",
        key: &["left_document", "right_document"],
        layout: Layout::Work,
        columns: EDGE,
    },
    Table {
        name: "component",
        grain: "one row a document with at least one accepted edge",
        key: &["document"],
        layout: Layout::Work,
        columns: &[
            needed("document", Int64, "document", "8"),
            needed("component", Int64, "smallest document it is connected to", "3"),
        ],
    },
    Table {
        name: "leader",
        grain: "one row a document with at least one accepted edge",
        key: &["document"],
        layout: Layout::Work,
        columns: &[
            needed("document", Int64, "document", "8"),
            needed("component", Int64, "component it belongs to", "3"),
            needed("rank", Int64, "place in its component by degree, then number, from 1", "2"),
            needed("is_leader", Bool, "whether no earlier leader is its neighbour", "false"),
        ],
    },
    Table {
        name: "closure",
        grain: "one row a leader and a member of its component that were never compared",
        key: &["left_document", "right_document"],
        layout: Layout::Work,
        columns: &[
            needed("left_document", Int64, "document with the smaller number", "3"),
            needed("right_document", Int64, "document with the larger number", "8"),
        ],
    },
    Table {
        name: "closure_resemblance",
        grain: "one row a verified closure pair",
        key: &["left_document", "right_document"],
        layout: Layout::Work,
        columns: RESEMBLANCE,
    },
    Table {
        name: "closure_edge",
        grain: "one row a closure pair at or above the threshold",
        key: &["left_document", "right_document"],
        layout: Layout::Work,
        columns: EDGE,
    },
    Table {
        name: "document_cluster",
        grain: "one row a document with at least one accepted edge",
        key: &["document"],
        layout: Layout::Work,
        columns: &[
            needed("document", Int64, "document", "8"),
            needed("component", Int64, "component it belongs to", "3"),
            needed("medoid", Int64, "document to which every member was compared", "3"),
            needed("representative", Int64, "document that stands for the cluster", "8"),
            needed("reason", Utf8, "why that one", "best"),
            maybe("medoid_shared", Int64, "shingles shared with the medoid", "412"),
            maybe("medoid_joined", Int64, "shingles of it or the medoid", "443"),
            maybe("representative_shared", Int64, "shingles shared with the representative", "412"),
            maybe("representative_joined", Int64, "shingles of it or the representative", "443"),
        ],
    },
    Table {
        name: "document_page",
        grain: "one row a document",
        key: &["document"],
        layout: Layout::Work,
        columns: &[
            needed("document", Int64, "document", "3"),
            needed("page", Int64, "page that stands for the document", "3"),
            needed("pages", Int64, "pages that hold the text", "2"),
        ],
    },
    Table {
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
    },
    Table {
        name: "fingerprint",
        grain: "one row a page and text kind",
        key: &["page_id", "kind"],
        layout: Layout::Published,
        columns: &[
            needed("page_id", Binary, "BLAKE3-128 of key and digest", "9f3c"),
            needed("kind", Utf8, "which text of the page", "main"),
            needed("url_key", Utf8, "key of the URL, or of the id", "http://a.example/"),
            needed("gate", Utf8, "may it be compared: ok or empty", "ok"),
            needed("tokens", Int32, "tokens of the text", "812"),
            needed("text_digest", Binary, "xxh3-128 of the normalised text", "77ab"),
            maybe("simhash", Int64, "SimHash; NULL without shingles", "-42"),
            needed("fetches", Int64, "input rows that map to the page", "2"),
        ],
    },
    Table {
        name: "document_edge",
        grain: "one row a pair of pages at or above the threshold",
        key: &["left_page_id", "right_page_id"],
        layout: Layout::Published,
        columns: &[
            needed("left_page_id", Binary, "page with the smaller id", "9f3c"),
            needed("right_page_id", Binary, "page with the larger id", "a001"),
            needed("kind", Utf8, "equal_text or resemblance", "resemblance"),
            needed("source", Utf8, "how the pair was found: digest, bucket or closure", "bucket"),
            needed("resemblance", Float64, "exact resemblance of the shingle sets", "0.93"),
            needed("containment_left", Float64, "share of the left set in the right", "0.95"),
            needed("containment_right", Float64, "share of the right set in the left", "0.97"),
            needed("hamming", Int32, "bits in which the SimHashes differ", "2"),
            maybe("shared_bands", Int64, "MinHash buckets in which the pair met", "14"),
            maybe("shared_blocks", Int64, "SimHash block keys in which the pair met", "0"),
            needed("outcome", Utf8, "accepted or refused", "accepted"),
            maybe("guard", Utf8, "the guard that refused it", "script"),
        ],
    },
    Table {
        name: "cluster",
        grain: "one row a member: a page, raw URL and id",
        key: &["page_id", "url", "id"],
        layout: Layout::Published,
        columns: &[
            needed("page_id", Binary, "id of the page", "9f3c"),
            maybe("url", Utf8, "raw URL", "http://a.example/"),
            maybe("id", Utf8, "the input's own id, as text", "4711"),
            maybe("cluster", Binary, "id of the cluster; NULL for an empty text", "c71d"),
            maybe("medoid_page_id", Binary, "page to which every member was compared", "9f3c"),
            maybe("representative_page_id", Binary, "page that stands for the cluster", "a001"),
            maybe("representative_url", Utf8, "its URL, or its id", "http://a.example/"),
            needed("is_representative", Bool, "whether this page is that one", "false"),
            needed("reason", Utf8, "why that representative", "best"),
            maybe("resemblance_medoid", Float64, "exact resemblance to the medoid", "0.93"),
            maybe("resemblance_representative", Float64, "exact, to the representative", "0.91"),
            maybe("component", Binary, "smallest page id of its component of edges", "9f3c"),
        ],
    },
    Table {
        name: "identity",
        grain: "one row a known URL, or an id where there is no URL",
        key: &["url", "id"],
        layout: Layout::Published,
        columns: &[
            maybe("url", Utf8, "raw URL; NULL for a row without", "http://a.example/"),
            maybe("id", Utf8, "the input's own id where there is no URL", "4711"),
            needed("url_key", Utf8, "canonical key", "http://a.example/"),
            needed("canonical_url", Utf8, "address that stands for the URL", "http://a.example/"),
            needed("page_id", Binary, "current page: the newest ok fetch", "9f3c"),
            maybe("cluster", Binary, "id of the cluster; NULL for an empty text", "c71d"),
            maybe("representative_url", Utf8, "what stands for the cluster", "http://a.example/"),
            needed("is_representative", Bool, "whether the current page is that one", "true"),
            needed("gate", Utf8, "may it be compared: ok or empty", "ok"),
            maybe("main_mirror", Utf8, "main mirror of its host; NULL when unknown", ""),
            maybe("owner", Utf8, "owner behind its host; NULL when unknown", ""),
            needed("pages", Int64, "pages seen under this URL", "1"),
            needed("methods", Utf8, "versions that made this row", "fingerprint_v1 url_key_v1"),
        ],
    },
    Table {
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
    },
    Table {
        name: "funnel",
        grain: "one row a count of the run",
        key: &["step", "name"],
        layout: Layout::Published,
        columns: &[
            needed("step", Int64, "place in the order of the run", "4"),
            needed("name", Utf8, "what is counted", "candidate_pairs"),
            needed("count", Int64, "how many", "8120"),
        ],
    },
    Table {
        name: "audit",
        grain: "one row a check of the output",
        key: &["name"],
        layout: Layout::Published,
        columns: &[
            needed("name", Utf8, "the check", "cluster_floor"),
            needed("rows", Int64, "rows that break it; more than 0 stops publishing", "0"),
        ],
    },
];
