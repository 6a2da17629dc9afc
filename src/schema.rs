//! Every table, its key and its columns: the single source of truth for what files hold.
//!
//! From this list come the Arrow schemas, the writer's sort order, the generated heads of the SQL
//! files, `docs/tables.md`, and the completion and `tables` of the command line.
//!
//! Compatibility: a reader accepts every table version up to its own. Adding a nullable column
//! raises `since`; renaming, retyping or changing a meaning is a new table name.

mod document;
mod host;
mod input;
mod page;
mod report;
mod url;

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
    /// List of (`kind`, `value`, `place`): what a page states.
    Facts,
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
            ColumnKind::Members => {
                list_of_structs(&[("order", DataType::Int64), ("document", DataType::Int64)])
            }
            ColumnKind::Facts => list_of_structs(&[
                ("kind", DataType::Utf8),
                ("value", DataType::Utf8),
                ("place", DataType::Utf8),
            ]),
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
            ColumnKind::Members | ColumnKind::Facts => "struct[]",
        }
    }
}

fn list_of_structs(fields: &[(&str, DataType)]) -> DataType {
    let fields = fields.iter().map(|(name, kind)| Field::new(*name, kind.clone(), true));
    list(DataType::Struct(Fields::from(fields.collect::<Vec<_>>())))
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

/// A column that an older generation does not have, and so NULL there.
const fn later(
    since: u16,
    name: &'static str,
    kind: ColumnKind,
    meaning: &'static str,
    example: &'static str,
) -> Column {
    Column { name, kind, nullable: true, meaning, example, since }
}

/// All tables, in the order in which a run makes them.
pub const TABLES: &[Table] = &[
    input::FETCH,
    input::SET_ASIDE,
    url::URL_KEY,
    page::PARSE,
    page::FETCH_FINGERPRINT,
    page::GATED_TEXT,
    page::PAGE,
    page::PAGE_TRAIT,
    page::REPEATED_BLOCK,
    page::REMOVAL,
    page::REDUCED,
    page::PROOF,
    page::PAGE_DOCUMENT,
    page::TEXT,
    url::DECLARATION,
    url::CURRENT_PAGE,
    url::REDIRECT_HOP,
    url::REDIRECT_CHAIN,
    url::RESOLVED_DECLARATION,
    url::DECLARED_PAIR,
    document::BUCKET,
    document::HOT_BUCKET,
    document::CANDIDATE,
    document::CANDIDATE_COMPONENT,
    document::SHINGLE,
    document::RESEMBLANCE,
    document::ALTERNATE_PAIR,
    document::DIFFERENCE,
    document::EDGE,
    document::COMPONENT,
    document::LEADER,
    document::CLOSURE,
    document::CLOSURE_RESEMBLANCE,
    document::CLOSURE_DIFFERENCE,
    document::CLOSURE_EDGE,
    document::DOCUMENT_CLUSTER,
    url::URL_EDGE,
    url::RESOURCE_COMPONENT,
    url::RESOURCE,
    host::HOST_PAGE,
    host::HOST_KEY,
    host::HOT_HOST_KEY,
    host::HOST_POINTER,
    host::HOST_CANDIDATE,
    host::PREFIX_SWAP,
    host::COMMON_PATH,
    host::PATH_SAMPLE,
    host::FOLDER_COUNT,
    host::FOLDER_PATH,
    host::MIRROR_EDGE,
    host::MIRROR_COMPONENT,
    host::MAIN_MIRROR,
    host::MIRROR,
    host::MIRROR_URL,
    host::FETCH_HINT,
    page::DOCUMENT_PAGE,
    page::MEMBER,
    page::FINGERPRINT,
    page::PAGE_FACT,
    page::PAGE_STATEMENT,
    document::DOCUMENT_EDGE,
    document::EXCERPT,
    document::CLUSTER,
    report::IDENTITY,
    url::KEY_CONFLICT,
    input::QUARANTINE,
    report::FUNNEL,
    report::AUDIT,
];
