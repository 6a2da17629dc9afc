//! The footer of a Parquet file: checked against the file, and cut down to the needed columns.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use datafusion::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use datafusion::parquet::arrow::parquet_to_arrow_schema;
use datafusion::parquet::basic::Type as Physical;
use datafusion::parquet::errors::Result as ParquetResult;
use datafusion::parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
};
use datafusion::parquet::schema::types::{SchemaDescriptor, Type};

use super::columns::{
    BYTES, CHARSET, CONTENT_TYPE, HEADERS, HTML, ID, IP, LINKS, Names, REDIRECT, ROLES, STATUS,
    TEXT, TIME, URL, known,
};
use super::json_lines::looks_like;
use super::reasons::{
    COLUMN_AMBIGUOUS, COLUMN_MISSING, COLUMN_TYPE, MISLABELLED, PARQUET_FOOTER, Wrong,
};
use super::row::{Flow, Stop};
use super::shape::{Kind, descriptor, kind, plain, wanted};
use super::source::{Bytes, Pages};
use super::thrift;

/// Footer bytes at most.
const FOOTER: u64 = 64 << 20;

/// Rows that a footer may claim for each byte of the file, beyond [`FREE_ROWS`].
const ROWS_PER_BYTE: u64 = 1_024;

/// See [`ROWS_PER_BYTE`].
const FREE_ROWS: u64 = 65_536;

/// First and last bytes of a Parquet file.
const MAGIC: &[u8] = b"PAR1";

/// The bytes of the footer, once head, tail and lengths are those of a Parquet file.
pub(super) fn bytes(pages: &Pages, size: u64) -> Flow<Result<Bytes, Wrong>> {
    let head = pages.range(0, size.min(512)).map_err(Stop::Failed)?;
    if !head.starts_with(MAGIC) {
        let json = head.trim_ascii_start().starts_with(b"{").then_some("JSON Lines");
        return Ok(Err(match looks_like(&head).or(json) {
            Some(looks) => (MISLABELLED, format!("looks like {looks}, wanted Parquet by its name")),
            None => (PARQUET_FOOTER, "does not begin with PAR1".to_owned()),
        }));
    }
    if size < 12 {
        let found = format!("found {size} bytes, wanted at least 12");
        return Ok(Err((PARQUET_FOOTER, found)));
    }
    let tail = pages.range(size - 8, size).map_err(Stop::Failed)?;
    let (length, magic) = tail.split_at(4);
    if magic != MAGIC {
        return Ok(Err((PARQUET_FOOTER, "does not end with PAR1, as if cut off".to_owned())));
    }
    let length = <[u8; 4]>::try_from(length).map(u32::from_le_bytes).map_or(u64::MAX, u64::from);
    let most = FOOTER.min(size - 12);
    if length > most {
        let found = format!("the footer claims {length} bytes, wanted at most {most}");
        return Ok(Err((PARQUET_FOOTER, found)));
    }
    pages.range(size - 8 - length, size - 8).map(Ok).map_err(Stop::Failed)
}

/// The footer, if it is possible for a file of `size` bytes.
pub(super) fn decode(bytes: &[u8], size: u64) -> Result<ParquetMetaData, Wrong> {
    let wrong = |found: String| (PARQUET_FOOTER, found);
    thrift::footer(bytes).map_err(|found| wrong(format!("the footer has {found}")))?;
    let footer = ParquetMetaDataReader::decode_metadata(bytes)
        .map_err(|error| wrong(format!("the footer cannot be decoded: {error}")))?;
    let rows = footer.file_metadata().num_rows();
    let mut sum = 0_i64;
    for group in footer.row_groups() {
        let group = Some(group.num_rows()).filter(|rows| *rows >= 0);
        sum = group.and_then(|rows| sum.checked_add(rows)).unwrap_or(i64::MIN);
        if sum < 0 {
            return Err(wrong("the footer has a row group of impossible length".to_owned()));
        }
    }
    if sum != rows {
        return Err(wrong(format!("the footer claims {rows} rows and row groups of {sum}")));
    }
    let most = size.saturating_mul(ROWS_PER_BYTE).saturating_add(FREE_ROWS);
    if u64::try_from(rows).map_or(true, |rows| rows > most) {
        return Err(wrong(format!("the footer claims {rows} rows, wanted at most {most}")));
    }
    Ok(footer)
}

/// A column that is read.
#[derive(Debug, Clone)]
pub(super) struct Used {
    /// Its first leaf among those of the schema.
    pub(super) leaf: usize,
    /// How many it has.
    leaves: usize,
    /// What it is used as.
    pub(super) kind: Kind,
    /// The type by the embedded Arrow schema, where Parquet has none: seconds, for one.
    hint: Option<DataType>,
    column: Arc<Type>,
}

/// The columns that are read.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// Each column once, those with many values a row last.
    pub(super) columns: Vec<Used>,
    /// For each role the column among `columns`; `None` where it has none, or is all NULL.
    pub(super) uses: [Option<usize>; ROLES],
    /// The roles that have a column.
    found: [bool; ROLES],
    /// Optional columns that were passed over.
    pub(super) notices: Vec<String>,
}

/// A column of the file.
struct Candidate<'a> {
    rank: usize,
    root: usize,
    leaf: usize,
    leaves: usize,
    column: &'a Arc<Type>,
}

/// Chooses the column of each role; fails where there is none to be had, or two.
pub(super) fn choose(file: &FileMetaData, names: &Names) -> Result<Chosen, Wrong> {
    let mut chosen = Chosen::default();
    let mut wrong_body = None;
    for role in NESTED_LAST {
        let mapped = names.mapped(role);
        let mut candidates = candidates(file.schema_descr(), role, names);
        if let Some(mapped) = mapped.filter(|_| candidates.is_empty()) {
            return Err((COLUMN_MISSING, format!("found no column {mapped}, which is mapped")));
        }
        while let Some((best, more)) = best(&mut candidates) {
            if let Some(more) = more {
                let (one, two) = (best.column.name(), more.column.name());
                let found = format!("found columns {one} and {two}, wanted one of them");
                return Err((COLUMN_AMBIGUOUS, found));
            }
            let (mut kind, found) = kind(best.column);
            let hint = if role == TIME && kind == Kind::Integer { hint(file, &best) } else { None };
            if hint.is_some() {
                kind = Kind::Time;
            }
            if kind.is_usable(role) {
                chosen.found[role] = true;
                chosen.uses[role] = chosen.add(&best, kind, hint);
                break;
            }
            let found =
                format!("column {} is {found}, wanted {}", best.column.name(), wanted(role));
            if mapped.is_some() || role == URL || role == ID {
                return Err((COLUMN_TYPE, found));
            }
            if BODIES.contains(&role) {
                wrong_body = wrong_body.or_else(|| Some(found.clone()));
            }
            chosen.notices.push(found);
        }
    }
    let has = |roles: &[usize]| roles.iter().any(|role| chosen.found[*role]);
    // Redirects may come without bodies.
    if !has(&BODIES) && !has(&[REDIRECT]) {
        return Err(match wrong_body {
            Some(found) => (COLUMN_TYPE, found),
            None => (COLUMN_MISSING, format!("{}; {}", missing(TEXT), missing(HTML))),
        });
    }
    if !has(&[URL, ID]) {
        return Err((COLUMN_MISSING, format!("{}; {}", missing(URL), missing(ID))));
    }
    Ok(chosen)
}

/// Roles of which a file needs one, besides that of redirects.
const BODIES: [usize; 3] = [TEXT, HTML, BYTES];

/// All roles, those whose columns may have many values a row last.
const NESTED_LAST: [usize; ROLES] =
    [URL, ID, TEXT, HTML, BYTES, TIME, STATUS, REDIRECT, CONTENT_TYPE, CHARSET, IP, HEADERS, LINKS];

fn missing(role: usize) -> String {
    let (name, names) = known(role);
    format!("found no {name} column, wanted one of {}", names.join(", "))
}

fn candidates<'a>(schema: &'a SchemaDescriptor, role: usize, names: &Names) -> Vec<Candidate<'a>> {
    let fields = schema.root_schema().get_fields();
    let mut leaves = vec![(0, 0); fields.len()];
    for leaf in (0..schema.num_columns()).rev() {
        if let Some((first, count)) = leaves.get_mut(schema.get_column_root_idx(leaf)) {
            *first = leaf;
            *count += 1;
        }
    }
    let named = fields.iter().zip(leaves).enumerate();
    let ranked = named.filter_map(|(root, (column, (leaf, leaves)))| {
        let rank = names.rank(role, column.name())?;
        Some(Candidate { rank, root, leaf, leaves, column })
    });
    ranked.collect()
}

/// Takes the best candidate, and another one that is as good.
fn best<'a>(candidates: &mut Vec<Candidate<'a>>) -> Option<(Candidate<'a>, Option<Candidate<'a>>)> {
    let rank = candidates.iter().map(|candidate| candidate.rank).min()?;
    let mut best = candidates.extract_if(.., |candidate| candidate.rank == rank);
    let first = best.next()?;
    let second = best.next();
    best.for_each(drop);
    Some((first, second))
}

impl Chosen {
    /// Whether no column holds pages or texts.
    pub(super) fn is_index(&self) -> bool {
        !BODIES.iter().any(|role| self.found[*role])
    }

    /// The number of the column among those that are read.
    fn add(&mut self, candidate: &Candidate, kind: Kind, hint: Option<DataType>) -> Option<usize> {
        if kind == Kind::Null {
            return None;
        }
        if let Some(at) =
            self.columns.iter().position(|used| (used.leaf, used.kind) == (candidate.leaf, kind))
        {
            return Some(at);
        }
        let column = Arc::clone(candidate.column);
        let (leaf, leaves) = (candidate.leaf, candidate.leaves);
        self.columns.push(Used { leaf, leaves, kind, hint, column });
        Some(self.columns.len() - 1)
    }
}

/// The time type that an integer column has by the embedded Arrow schema.
fn hint(file: &FileMetaData, candidate: &Candidate) -> Option<DataType> {
    let schema = parquet_to_arrow_schema(file.schema_descr(), file.key_value_metadata()).ok()?;
    let found = schema.field(candidate.root).data_type();
    let time = matches!(found, DataType::Timestamp(_, _) | DataType::Date64);
    time.then(|| found.clone())
}

/// The footer with only the columns that are read, strings among them as binary views.
pub(super) fn reduce(
    footer: &ParquetMetaData,
    chosen: &Chosen,
) -> ParquetResult<ArrowReaderMetadata> {
    let columns = chosen.columns.iter().map(|used| plain(&used.column));
    let schema = Arc::new(descriptor(columns.collect::<ParquetResult<_>>()?)?);
    let mut groups = Vec::new();
    for group in footer.row_groups() {
        let leaves = chosen.columns.iter().flat_map(|used| used.leaf..used.leaf + used.leaves);
        let chunks = leaves.enumerate().map(|(at, leaf)| {
            let old = group.column(leaf);
            // Some writers state a dictionary at 0 where there is none.
            let data = old.data_page_offset();
            let dictionary = old.dictionary_page_offset().filter(|at| (1..data).contains(at));
            ColumnChunkMetaData::builder(schema.column(at))
                .set_compression_codec(old.compression_codec())
                .set_encodings_mask(*old.encodings_mask())
                .set_num_values(old.num_values())
                .set_total_compressed_size(old.compressed_size())
                .set_total_uncompressed_size(old.uncompressed_size())
                .set_data_page_offset(data)
                .set_dictionary_page_offset(dictionary)
                .build()
        });
        groups.push(
            RowGroupMetaData::builder(Arc::clone(&schema))
                .set_num_rows(group.num_rows())
                .set_total_byte_size(group.total_byte_size())
                .set_column_metadata(chunks.collect::<ParquetResult<_>>()?)
                .build()?,
        );
    }
    let fields = fields(&schema, chosen)?;
    let options = ArrowReaderOptions::new()
        .with_skip_arrow_metadata(true)
        .with_schema(Arc::new(Schema::new(fields)));
    let old = footer.file_metadata();
    let (version, rows) = (old.version(), old.num_rows());
    let created_by = old.created_by().map(str::to_owned);
    let file = FileMetaData::new(version, rows, created_by, None, schema, None);
    ArrowReaderMetadata::try_new(Arc::new(ParquetMetaData::new(file, groups)), options)
}

/// The Arrow fields that the columns are read as.
fn fields(schema: &SchemaDescriptor, chosen: &Chosen) -> ParquetResult<Vec<Field>> {
    let inferred = parquet_to_arrow_schema(schema, None)?;
    let fields = inferred.fields().iter().zip(&chosen.columns).map(|(field, used)| {
        let field = field.as_ref().clone();
        let int96 = |used: &Used| used.column.get_physical_type() == Physical::INT96;
        match used.kind {
            Kind::Text | Kind::Bytes => field.with_data_type(DataType::BinaryView),
            Kind::Time if int96(used) => {
                field.with_data_type(DataType::Timestamp(TimeUnit::Microsecond, None))
            }
            _ => match &used.hint {
                Some(hint) => field.with_data_type(hint.clone()),
                None => field,
            },
        }
    });
    Ok(fields.collect())
}
