//! Shapes of Parquet columns: what a column can be used as.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Fields};
use datafusion::parquet::arrow::parquet_to_arrow_schema;
use datafusion::parquet::basic::{LogicalType, Type as Physical};
use datafusion::parquet::errors::Result as ParquetResult;
use datafusion::parquet::schema::types::{SchemaDescriptor, Type};

use super::columns::{BYTES, HEADERS, ID, LINKS, STATUS, TIME};

/// Fields of a structure of headers at most: each is a column chunk that is read.
const STRUCTURE: usize = 32;

/// What a column can be used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// String.
    Text,
    /// Binary.
    Bytes,
    /// Binary of a fixed length.
    Fixed,
    /// Integers of any width.
    Integer,
    /// Floating-point numbers.
    Float,
    /// Timestamp or date.
    Time,
    /// A list of strings or binaries.
    List,
    /// A map or structure of such, or a list of pairs of them.
    Nested,
    /// Every value is NULL.
    Null,
    /// Something else.
    Other,
}

impl Kind {
    /// Whether a row may have many values.
    pub(super) fn is_nested(self) -> bool {
        matches!(self, Kind::List | Kind::Nested)
    }

    /// Whether a column of this kind is good for a role.
    pub(super) fn is_usable(self, role: usize) -> bool {
        match self {
            Kind::Null => true,
            Kind::Text => ![STATUS, BYTES, LINKS].contains(&role),
            Kind::Bytes => ![STATUS, LINKS].contains(&role),
            Kind::Fixed => ![STATUS, LINKS, ID, TIME].contains(&role),
            Kind::Integer => role == ID || role == STATUS,
            Kind::Float => role == STATUS,
            Kind::Time => role == TIME,
            Kind::List => role == LINKS || role == HEADERS,
            Kind::Nested => role == HEADERS,
            Kind::Other => false,
        }
    }
}

/// What kinds of column a role takes, in words.
pub(super) fn wanted(role: usize) -> &'static str {
    match role {
        ID => "a string, binary or integer column",
        TIME => "a timestamp, date or string column",
        STATUS => "an integer or float column",
        BYTES => "a binary column",
        HEADERS => "a map, list of pairs, structure or string column",
        LINKS => "a list of strings",
        _ => "a string or binary column",
    }
}

/// What a column can be used as, and its type for people.
pub(super) fn kind(column: &Arc<Type>) -> (Kind, String) {
    let info = column.get_basic_info();
    if column.is_primitive() && info.logical_type_ref() == Some(&LogicalType::Unknown) {
        return (Kind::Null, DataType::Null.to_string());
    }
    match alone(column) {
        Ok(found) => (kind_of(&found), found.to_string()),
        Err(_) if column.is_primitive() => {
            (Kind::Other, format!("{} of an unusual form", column.get_physical_type()))
        }
        Err(_) => (Kind::Other, "a group of an unusual form".to_owned()),
    }
}

fn kind_of(found: &DataType) -> Kind {
    match found {
        DataType::Utf8 => Kind::Text,
        DataType::Binary => Kind::Bytes,
        DataType::FixedSizeBinary(_) => Kind::Fixed,
        DataType::Timestamp(_, _) | DataType::Date32 => Kind::Time,
        DataType::Float16 | DataType::Float32 | DataType::Float64 => Kind::Float,
        found if found.is_integer() => Kind::Integer,
        DataType::List(item) if is_text(item.data_type()) => Kind::List,
        DataType::List(item) => match item.data_type() {
            DataType::Struct(fields) if pair(fields).is_some() => Kind::Nested,
            _ => Kind::Other,
        },
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) => match fields.iter().as_slice() {
                [name, value] if is_text(name.data_type()) && is_value(value.data_type()) => {
                    Kind::Nested
                }
                _ => Kind::Other,
            },
            _ => Kind::Other,
        },
        DataType::Struct(fields)
            if fields.len() <= STRUCTURE
                && fields.iter().all(|field| is_value(field.data_type())) =>
        {
            Kind::Nested
        }
        _ => Kind::Other,
    }
}

fn is_text(found: &DataType) -> bool {
    matches!(found, DataType::Utf8 | DataType::Binary)
}

/// Whether it is a text, or a list of texts.
fn is_value(found: &DataType) -> bool {
    match found {
        DataType::List(item) => is_text(item.data_type()),
        found => is_text(found),
    }
}

/// The places of name and value in the fields of a pair.
pub(super) fn pair(fields: &Fields) -> Option<(usize, usize)> {
    let find = |names: &[&str]| {
        let known = |name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        fields.iter().position(|field| known(field.name()) && is_text(field.data_type()))
    };
    let both = find(&["name", "key"]).zip(find(&["value"]));
    both.filter(|_| fields.len() == 2)
}

/// The Arrow type of one column.
fn alone(column: &Arc<Type>) -> ParquetResult<DataType> {
    let schema = parquet_to_arrow_schema(&descriptor(vec![Arc::clone(column)])?, None)?;
    Ok(schema.fields().first().map_or(DataType::Null, |field| field.data_type().clone()))
}

/// A schema of these columns.
pub(super) fn descriptor(columns: Vec<Arc<Type>>) -> ParquetResult<SchemaDescriptor> {
    let root = Type::group_type_builder("schema").with_fields(columns).build()?;
    Ok(SchemaDescriptor::new(Arc::new(root)))
}

/// The column with strings as plain bytes, at any depth.
pub(super) fn plain(column: &Arc<Type>) -> ParquetResult<Arc<Type>> {
    let info = column.get_basic_info();
    if column.is_primitive() {
        if column.get_physical_type() != Physical::BYTE_ARRAY {
            return Ok(Arc::clone(column));
        }
        let bytes = Type::primitive_type_builder(column.name(), Physical::BYTE_ARRAY);
        return bytes.with_repetition(info.repetition()).build().map(Arc::new);
    }
    let fields = column.get_fields().iter().map(plain).collect::<ParquetResult<Vec<_>>>()?;
    Type::group_type_builder(column.name())
        .with_repetition(info.repetition())
        .with_converted_type(info.converted_type())
        .with_logical_type(info.logical_type_ref().cloned())
        .with_fields(fields)
        .build()
        .map(Arc::new)
}
