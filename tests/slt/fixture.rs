//! Fixtures: JSON Lines in the columns of a table, written as Parquet.
//!
//! Bytes are hex digits, times are RFC 3339, members of a bucket are `[order, document]`. A column
//! that a row leaves out is NULL, or zero, false or empty where NULL is not allowed.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BinaryBuilder, BooleanBuilder, Float64Builder, Int32Builder, Int64Builder,
    ListBuilder, RecordBatch, StringBuilder, StructArray, StructBuilder,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::parquet::arrow::ArrowWriter;
use selfsame::engine::store::DataFile;
use selfsame::schema::{Column, ColumnKind, Table};
use serde_json::{Map, Value};

type Row = Map<String, Value>;

/// The rows of `lines` as a batch of `table`.
pub(crate) fn batch(table: &Table, lines: &str) -> Result<RecordBatch, String> {
    let rows = lines
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).map_err(|cause| format!("{line}: {cause}")))
        .collect::<Result<Vec<Row>, String>>()?;
    for name in rows.iter().flat_map(|row| row.keys()) {
        if !table.columns.iter().any(|column| column.name == name) {
            return Err(format!("table {} has no column {name}", table.name));
        }
    }
    let columns = table.columns.iter().map(|column| array(column, &rows));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    RecordBatch::try_new(table.arrow(), columns).map_err(|cause| cause.to_string())
}

/// Writes `batch` as the only file of `folder`.
pub(crate) fn write(folder: &Path, batch: &RecordBatch) -> DataFile {
    let name = "part-0000.parquet".to_owned();
    fs::create_dir_all(folder).unwrap();
    let file = File::create(folder.join(&name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    let bytes = fs::metadata(folder.join(&name)).unwrap().len();
    DataFile { name, rows: u64::try_from(batch.num_rows()).unwrap(), bytes, blake3: String::new() }
}

/// The value of `column` in each row; None is NULL.
fn values<'a>(column: &Column, rows: &'a [Row]) -> impl Iterator<Item = Option<&'a Value>> {
    rows.iter().map(|row| row.get(column.name).filter(|value| !value.is_null()))
}

fn array(column: &Column, rows: &[Row]) -> Result<ArrayRef, String> {
    let wrong = |value: &Value| format!("{} is {value}", column.name);
    let is_null = |value: Option<&Value>| value.is_none() && column.nullable;
    macro_rules! filled {
        ($builder:expr, $zero:expr, $read:expr) => {{
            let mut builder = $builder;
            for value in values(column, rows) {
                let read = value.map(|value| $read(value).ok_or_else(|| wrong(value)));
                match read.transpose()? {
                    Some(value) => builder.append_value(value),
                    None if is_null(value) => builder.append_null(),
                    None => builder.append_value($zero),
                }
            }
            let array: ArrayRef = Arc::new(builder.finish());
            array
        }};
    }
    let int32 = |value: &Value| value.as_i64().and_then(|value| i32::try_from(value).ok());
    Ok(match column.kind {
        ColumnKind::Int32 => filled!(Int32Builder::new(), 0, int32),
        ColumnKind::Int64 => filled!(Int64Builder::new(), 0, Value::as_i64),
        ColumnKind::Float64 => filled!(Float64Builder::new(), 0.0, Value::as_f64),
        ColumnKind::Bool => filled!(BooleanBuilder::new(), false, Value::as_bool),
        ColumnKind::Utf8 => filled!(StringBuilder::new(), "", Value::as_str),
        ColumnKind::Binary => filled!(BinaryBuilder::new(), b"", bytes),
        ColumnKind::Timestamp => {
            let texts = filled!(StringBuilder::new(), "", Value::as_str);
            cast(&texts, &column.kind.arrow()).map_err(|cause| cause.to_string())?
        }
        ColumnKind::Utf8List => {
            list(column, rows, ListBuilder::new(StringBuilder::new()), |to, value| {
                to.append_option(value.as_str());
            })
        }
        ColumnKind::Int64List => {
            list(column, rows, ListBuilder::new(Int64Builder::new()), |to, value| {
                to.append_option(value.as_i64());
            })
        }
        ColumnKind::Members => members(column, rows),
        ColumnKind::Facts => facts(column, rows),
    })
}

/// Bytes from hex digits.
fn bytes(value: &Value) -> Option<Vec<u8>> {
    let text = value.as_str()?;
    let pair = |at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    (0..text.len()).step_by(2).map(pair).collect()
}

fn list<B: datafusion::arrow::array::ArrayBuilder>(
    column: &Column,
    rows: &[Row],
    mut builder: ListBuilder<B>,
    append: fn(&mut B, &Value),
) -> ArrayRef {
    for value in values(column, rows) {
        for item in value.and_then(Value::as_array).into_iter().flatten() {
            append(builder.values(), item);
        }
        builder.append(value.is_some() || !column.nullable);
    }
    Arc::new(builder.finish())
}

/// Statements of a page, written as `[kind, value, place]`.
fn facts(column: &Column, rows: &[Row]) -> ArrayRef {
    let DataType::List(item) = column.kind.arrow() else { unreachable!("facts are a list") };
    let DataType::Struct(fields) = item.data_type().clone() else {
        unreachable!("a fact is a struct")
    };
    let mut builder = ListBuilder::new(StructBuilder::from_fields(fields, 0));
    for value in values(column, rows) {
        for fact in value.and_then(Value::as_array).into_iter().flatten() {
            for part in 0..3 {
                let texts = builder.values().field_builder::<StringBuilder>(part).unwrap();
                texts.append_option(fact[part].as_str());
            }
            builder.values().append(true);
        }
        builder.append(true);
    }
    Arc::new(builder.finish())
}

/// Members of a bucket, written as `[order, document]`.
fn members(column: &Column, rows: &[Row]) -> ArrayRef {
    let (mut orders, mut documents) = (Int64Builder::new(), Int64Builder::new());
    let mut lengths = Vec::new();
    for value in values(column, rows) {
        let pairs: Vec<&Value> = value.and_then(Value::as_array).into_iter().flatten().collect();
        for pair in &pairs {
            orders.append_option(pair[0].as_i64());
            documents.append_option(pair[1].as_i64());
        }
        lengths.push(pairs.len());
    }
    let DataType::List(item) = column.kind.arrow() else { unreachable!("members are a list") };
    let DataType::Struct(fields) = item.data_type().clone() else {
        unreachable!("a member is a struct")
    };
    let columns: Vec<ArrayRef> = vec![Arc::new(orders.finish()), Arc::new(documents.finish())];
    let members = StructArray::new(fields, columns, None);
    let item: Arc<Field> = Arc::clone(&item);
    let offsets = OffsetBuffer::from_lengths(lengths);
    Arc::new(datafusion::arrow::array::ListArray::new(item, offsets, Arc::new(members), None))
}
