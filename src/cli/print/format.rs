//! The rows of a query, written as they come: a table for people, CSV, JSON Lines, Parquet.
//!
//! Binary values are lower-case hex, except in Parquet. A file is written beside its name and takes
//! it when it is whole.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::writer::{LineDelimited, WriterBuilder};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::arrow::util::pretty::pretty_format_batches_with_schema;
use datafusion::parquet::arrow::ArrowWriter;

use super::{note, safe, safe_json};
use crate::error::{Error, Result};

/// Rows that a table for people shows.
const TABLE_ROWS: usize = 1000;

/// Characters of a text that a table for people shows.
const TABLE_CHARACTERS: usize = 200;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum Format {
    /// For people: the first 1,000 rows, long texts cut.
    Table,
    /// Comma-separated, with a header; a text that starts with = + - @ gets a ' before it.
    Csv,
    /// One JSON object a line.
    Jsonl,
    /// Parquet, with --output.
    Parquet,
}

/// Where rows go.
enum Target {
    Terminal,
    Pipe,
    File(BufWriter<File>),
    Parquet(Box<ArrowWriter<File>>),
}

/// Writes batches of one schema; [`Writer::finish`] makes the result whole.
pub(in crate::cli) struct Writer {
    format: Format,
    schema: SchemaRef,
    target: Target,
    /// The file as it is asked for, and the name it has until it is whole.
    path: Option<(PathBuf, PathBuf)>,
    shown: Vec<RecordBatch>,
    rows: usize,
    is_finished: bool,
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let (false, Some((_, part))) = (self.is_finished, &self.path) {
            let _ = std::fs::remove_file(part);
        }
    }
}

fn fault(cause: impl std::fmt::Display) -> Error {
    Error::schema(format!("the rows cannot be written: {cause}"))
}

fn disk(path: &Path, cause: &std::io::Error) -> Error {
    Error::store(format!("{}: {cause}", path.display()))
}

impl Writer {
    /// A writer of rows of `schema` to a file, or to standard output.
    ///
    /// # Errors
    ///
    /// A job error for Parquet without a file; a store error when the file cannot be made.
    pub(in crate::cli) fn create(
        format: Format,
        output: Option<&Path>,
        schema: &Schema,
    ) -> Result<Self> {
        let schema = plain_schema(schema);
        let mut path = None;
        let target = match output {
            None if format == Format::Parquet => {
                return Err(Error::job("--format parquet wants --output FILE"));
            }
            None if std::io::stdout().is_terminal() => Target::Terminal,
            None => Target::Pipe,
            Some(output) => {
                let mut part = output.as_os_str().to_owned();
                part.push(".part");
                let part = PathBuf::from(part);
                let file = File::create(&part).map_err(|cause| disk(&part, &cause))?;
                path = Some((output.to_owned(), part));
                file_target(format, file, &schema)?
            }
        };
        let shown = Vec::new();
        let mut writer = Self { format, schema, target, path, shown, rows: 0, is_finished: false };
        if format == Format::Csv {
            writer.put(csv_header(&writer.schema))?;
        }
        Ok(writer)
    }

    /// Writes a batch.
    ///
    /// # Errors
    ///
    /// A store error.
    pub(in crate::cli) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let batch = plain_batch(batch, &self.schema).map_err(fault)?;
        let before = self.rows;
        self.rows += batch.num_rows();
        match self.format {
            Format::Table => {
                let room = TABLE_ROWS.saturating_sub(before).min(batch.num_rows());
                self.shown.push(short_batch(&batch.slice(0, room)).map_err(fault)?);
                Ok(())
            }
            Format::Csv => self.put(csv_rows(&batch).map_err(fault)?),
            Format::Jsonl => self.put(json_lines(&batch).map_err(fault)?),
            Format::Parquet => match &mut self.target {
                Target::Parquet(writer) => writer.write(&batch).map_err(fault),
                _ => Ok(()),
            },
        }
    }

    /// Ends the output, and gives the number of rows.
    ///
    /// # Errors
    ///
    /// A store error.
    pub(in crate::cli) fn finish(mut self) -> Result<usize> {
        if self.format == Format::Table {
            let table = pretty_format_batches_with_schema(Arc::clone(&self.schema), &self.shown);
            let table = safe(&table.map_err(fault)?.to_string());
            self.put(format!("{table}\n"))?;
            if self.rows > TABLE_ROWS {
                let rows = self.rows;
                note(&format!("{TABLE_ROWS} of {rows} rows are shown; --format csv writes all"));
            }
        }
        match &mut self.target {
            Target::File(file) => {
                file.flush().map_err(|cause| self.broken(&cause))?;
            }
            Target::Parquet(writer) => {
                writer.finish().map_err(fault)?;
            }
            Target::Terminal | Target::Pipe => {}
        }
        self.is_finished = true;
        if let Some((path, part)) = &self.path {
            std::fs::rename(part, path).map_err(|cause| disk(path, &cause))?;
        }
        Ok(self.rows)
    }

    fn put(&mut self, text: String) -> Result<()> {
        match &mut self.target {
            Target::Terminal => super::bytes(safe(&text).as_bytes()),
            Target::Pipe => super::bytes(text.as_bytes()),
            Target::File(file) => {
                let written = file.write_all(text.as_bytes());
                written.map_err(|cause| self.broken(&cause))
            }
            Target::Parquet(_) => Ok(()),
        }
    }

    fn broken(&self, cause: &std::io::Error) -> Error {
        let path = self.path.as_ref().map(|(path, _)| path.clone()).unwrap_or_default();
        disk(&path, cause)
    }
}

fn file_target(format: Format, file: File, schema: &SchemaRef) -> Result<Target> {
    if format != Format::Parquet {
        return Ok(Target::File(BufWriter::new(file)));
    }
    let writer = ArrowWriter::try_new(file, Arc::clone(schema), None).map_err(fault)?;
    Ok(Target::Parquet(Box::new(writer)))
}

/// `schema` without view types, which not every reader of Parquet knows.
fn plain_schema(schema: &Schema) -> SchemaRef {
    let plain = |field: &Arc<Field>| {
        Field::new(field.name(), plain_type(field.data_type()), field.is_nullable())
    };
    Arc::new(Schema::new(schema.fields().iter().map(plain).collect::<Vec<_>>()))
}

fn plain_type(kind: &DataType) -> DataType {
    let plain = |field: &Arc<Field>| {
        Arc::new(Field::new(field.name(), plain_type(field.data_type()), field.is_nullable()))
    };
    match kind {
        DataType::Utf8View => DataType::Utf8,
        DataType::BinaryView => DataType::Binary,
        DataType::List(item) | DataType::ListView(item) => DataType::List(plain(item)),
        DataType::LargeList(item) => DataType::LargeList(plain(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(plain).collect()),
        kind => kind.clone(),
    }
}

fn plain_batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let columns = batch.columns().iter().zip(schema.fields());
    let columns = columns
        .map(|(column, field)| cast(column, field.data_type()))
        .collect::<Result<Vec<_>, _>>()?;
    let rows =
        datafusion::arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &rows)
}

/// The batch with long texts cut.
fn short_batch(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let columns = batch.columns().iter().map(|column| match column.as_string_opt::<i32>() {
        Some(texts) => {
            let cut: ArrayRef =
                Arc::new(texts.iter().map(|text| text.map(short)).collect::<StringArray>());
            cut
        }
        None => Arc::clone(column),
    });
    let rows =
        datafusion::arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(batch.schema(), columns.collect(), &rows)
}

fn short(text: &str) -> String {
    match text.char_indices().nth(TABLE_CHARACTERS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
    }
}

fn json_lines(batch: &RecordBatch) -> Result<String, ArrowError> {
    let builder = WriterBuilder::new().with_explicit_nulls(true);
    let mut writer = builder.build::<_, LineDelimited>(Vec::new());
    writer.write(batch)?;
    writer.finish()?;
    Ok(safe_json(&String::from_utf8_lossy(&writer.into_inner())))
}

fn csv_header(schema: &Schema) -> String {
    let names: Vec<_> = schema.fields().iter().map(|field| csv_cell(field.name(), true)).collect();
    format!("{}\n", names.join(","))
}

fn csv_rows(batch: &RecordBatch) -> Result<String, ArrowError> {
    let options = FormatOptions::default();
    let columns = batch.columns().iter().map(|column| {
        let is_number = column.data_type().is_numeric() || column.data_type().is_temporal();
        Ok((column, !is_number, ArrayFormatter::try_new(column.as_ref(), &options)?))
    });
    let columns = columns.collect::<Result<Vec<_>, ArrowError>>()?;
    let mut text = String::new();
    for row in 0..batch.num_rows() {
        for (at, (column, is_text, formatter)) in columns.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            if column.is_valid(row) {
                text.push_str(&csv_cell(&formatter.value(row).to_string(), *is_text));
            }
        }
        text.push('\n');
    }
    Ok(text)
}

/// A cell of CSV: an empty text is `""`, NULL is nothing. A spreadsheet runs a text that starts
/// like a formula, so such a text gets an apostrophe.
fn csv_cell(value: &str, is_text: bool) -> String {
    let is_formula = is_text && value.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let value = if is_formula { format!("'{value}") } else { value.to_owned() };
    if value.is_empty() || value.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", value.replace('"', "\"\""));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{BinaryArray, Int64Array, StringViewArray};

    fn batch() -> RecordBatch {
        let columns: [(&str, ArrayRef); 3] = [
            ("id", Arc::new(BinaryArray::from_vec(vec![b"\x9f\x3c", b""]))),
            ("text", Arc::new(StringViewArray::from(vec![Some("=1+1"), None]))),
            ("count", Arc::new(Int64Array::from(vec![-5, 7]))),
        ];
        RecordBatch::try_from_iter(columns).unwrap()
    }

    #[test]
    fn csv_is_quoted_and_runs_no_formula() {
        assert_eq!(csv_rows(&batch()).unwrap(), "9f3c,'=1+1,-5\n\"\",,7\n");
        assert_eq!(csv_cell("say \"hi\", you", true), "\"say \"\"hi\"\", you\"");
        assert_eq!(csv_cell("-5", false), "-5");
        assert_eq!(csv_cell("@x,y", true), "\"'@x,y\"");
    }

    #[test]
    fn json_lines_have_hex_and_nulls() {
        let lines = json_lines(&batch()).unwrap();
        assert_eq!(lines.lines().next(), Some(r#"{"id":"9f3c","text":"=1+1","count":-5}"#));
        assert!(lines.lines().nth(1).unwrap().contains(r#""text":null"#));
    }

    #[test]
    fn files_hold_no_view_types() {
        let schema = plain_schema(&batch().schema());
        assert_eq!(schema.field(1).data_type(), &DataType::Utf8);
        assert!(plain_batch(&batch(), &schema).is_ok());
    }

    #[test]
    fn a_file_appears_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let mut writer = Writer::create(Format::Parquet, Some(&path), &batch().schema()).unwrap();
        writer.write(&batch()).unwrap();
        assert!(!path.exists());
        assert_eq!(writer.finish().unwrap(), 2);
        assert!(path.exists());
        drop(Writer::create(Format::Csv, Some(&path), &batch().schema()).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
