//! The operator that writes a table's files.
//!
//! A published table comes spread by bucket and sorted by its key: one file a bucket, written by
//! one machine. Equal neighbours under the key are an error, so a finished table has a unique key.
//! A numbered table gets its number here, `bucket << 48 | rank`. A table between stages is written
//! as it comes, one file a partition.
//!
//! It emits one row a file: name, rows, bytes, BLAKE3.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, AsArray, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::{DataType, Field, Int32Type, Schema, SchemaRef};
use datafusion::arrow::row::{OwnedRow, RowConverter, SortField};
use datafusion::common::{Result, exec_err};
use datafusion::execution::TaskContext;
use datafusion::execution::object_store::ObjectStoreUrl;
use object_store::ObjectStore;
use object_store::path::Path;
use url::Url;

use super::file::TableFile;
use super::store::DataFile;
use crate::schema::{self, Layout, Table};
use crate::stages::operator::{Machine, Operator, Spec, Spread};

/// Column by which rows are spread; the engine adds it, no file holds it.
pub const BUCKET: &str = "_bucket";

/// See the module.
#[derive(Debug)]
pub struct Sink;

impl Sink {
    /// Name and arguments for writing `table` into the folder at `url`.
    pub fn spec(table: &Table, url: &Url, attempt: &str) -> Spec {
        let arguments = [("table", table.name), ("url", url.as_str()), ("attempt", attempt)];
        Spec {
            operator: "sink".to_owned(),
            arguments: arguments.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        }
    }
}

fn table_of(spec: &Spec) -> Result<&'static Table> {
    let name = spec.text("table")?;
    match schema::table(name) {
        Some(table) => Ok(table),
        None => exec_err!("sink: no table {name}"),
    }
}

fn is_sorted(table: &Table) -> bool {
    table.layout != Layout::Work
}

impl Operator for Sink {
    fn name(&self) -> &'static str {
        "sink"
    }

    fn schema(&self, _: &Spec, _: &Schema) -> Result<SchemaRef> {
        Ok(files_schema())
    }

    fn spread(&self, spec: &Spec) -> Spread {
        match table_of(spec) {
            Ok(table) if is_sorted(table) => Spread::By(BUCKET),
            _ => Spread::Any,
        }
    }

    fn order(&self, spec: &Spec) -> Vec<String> {
        match table_of(spec) {
            Ok(table) if is_sorted(table) => std::iter::once(BUCKET)
                .chain(table.key.iter().copied())
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        }
    }

    fn is_holding(&self) -> bool {
        false
    }

    fn start(
        &self,
        spec: &Spec,
        partition: usize,
        context: &Arc<TaskContext>,
    ) -> Result<Box<dyn Machine>> {
        let table = table_of(spec)?;
        let Ok(url) = Url::parse(spec.text("url")?) else {
            return exec_err!("sink: url is not a URL");
        };
        let host = ObjectStoreUrl::parse(&url[..url::Position::BeforePath])?;
        let writer = Writer {
            table,
            store: context.runtime_env().object_store(host)?,
            folder: Path::from_url_path(url.path()).map_err(object_store::Error::from)?,
            part: part_name(spec.text("attempt")?, partition, context.task_id().as_deref()),
            open: None,
            files: Vec::new(),
        };
        Ok(Box::new(writer))
    }
}

/// A name that no other writer of the table has. Tasks of a cluster may count partitions anew, so
/// the name of the task is part of it.
fn part_name(attempt: &str, partition: usize, task: Option<&str>) -> String {
    let task: String = task
        .unwrap_or_default()
        .chars()
        .map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '-' })
        .collect();
    match task.as_str() {
        "" => format!("{attempt}-{partition:04}"),
        task => format!("{attempt}-{task}-{partition:04}"),
    }
}

/// The schema of the rows that the sink emits.
fn files_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("name", DataType::Utf8, false),
        Field::new("rows", DataType::Int64, false),
        Field::new("bytes", DataType::Int64, false),
        Field::new("blake3", DataType::Utf8, false),
    ]))
}

/// Reads the files that a sink emitted, sorted by name.
///
/// # Errors
///
/// When a batch does not have the sink's columns, or two files have one name.
pub fn files_of(batches: &[RecordBatch]) -> Result<Vec<DataFile>> {
    let all = concat_batches(&files_schema(), batches)?;
    let names = all.column(0).as_string::<i32>();
    let hashes = all.column(3).as_string::<i32>();
    let rows = datafusion::common::cast::as_int64_array(all.column(1))?;
    let bytes = datafusion::common::cast::as_int64_array(all.column(2))?;
    let mut files: Vec<_> = (0..all.num_rows())
        .map(|row| DataFile {
            name: names.value(row).to_owned(),
            rows: u64::try_from(rows.value(row)).unwrap_or_default(),
            bytes: u64::try_from(bytes.value(row)).unwrap_or_default(),
            blake3: hashes.value(row).to_owned(),
        })
        .collect();
    files.sort();
    if let Some(pair) = files.array_windows().find(|[left, right]| left.name == right.name) {
        return exec_err!("sink: two writers have written {}", pair[0].name);
    }
    Ok(files)
}

struct Writer {
    table: &'static Table,
    store: Arc<dyn ObjectStore>,
    folder: Path,
    part: String,
    open: Option<Open>,
    files: Vec<DataFile>,
}

/// The file that is being written.
struct Open {
    bucket: Option<i32>,
    file: TableFile,
    rank: i64,
    keys: Option<RowConverter>,
    last: Option<OwnedRow>,
}

impl Writer {
    fn open(&self, bucket: Option<i32>) -> Result<Open> {
        let name = match bucket {
            Some(bucket) => format!("{bucket:04}.parquet"),
            None => format!("part-{}.parquet", self.part),
        };
        let schema = self.table.arrow();
        let keys = match bucket {
            Some(_) => {
                let field = |name: &&str| {
                    let found = schema.field_with_name(name)?;
                    Ok(SortField::new(found.data_type().clone()))
                };
                Some(RowConverter::new(
                    self.table.key.iter().map(field).collect::<Result<Vec<_>>>()?,
                )?)
            }
            None => None,
        };
        let store = Arc::clone(&self.store);
        let file = TableFile::create(store, &self.folder, name, self.table, schema)?;
        Ok(Open { bucket, file, rank: 0, keys, last: None })
    }

    async fn close(&mut self) -> Result<()> {
        if let Some(open) = self.open.take() {
            self.files.push(open.file.finish().await?);
        }
        Ok(())
    }

    async fn write(&mut self, bucket: Option<i32>, batch: RecordBatch) -> Result<()> {
        if self.open.as_ref().is_none_or(|open| open.bucket != bucket) {
            self.close().await?;
            self.open = Some(self.open(bucket)?);
        }
        let table = self.table;
        let Some(open) = self.open.as_mut() else { return Ok(()) };
        open.check_key(table, &batch)?;
        let batch = open.complete(table, &batch)?;
        open.file.push(batch).await
    }
}

impl Open {
    fn check_key(&mut self, table: &Table, batch: &RecordBatch) -> Result<()> {
        let Some(converter) = self.keys.as_ref() else { return Ok(()) };
        let mut columns = Vec::with_capacity(table.key.len());
        for name in table.key {
            match batch.column_by_name(name) {
                Some(column) => columns.push(Arc::clone(column)),
                None => return exec_err!("table {}: key column {name} is missing", table.name),
            }
        }
        let rows = converter.convert_columns(&columns)?;
        for row in rows.iter() {
            if self.last.as_ref().is_some_and(|last| last.row() >= row) {
                return exec_err!(
                    "table {}: key {} is not unique in bucket {}",
                    table.name,
                    table.key.join(", "),
                    self.bucket.unwrap_or_default()
                );
            }
            self.last = Some(row.owned());
        }
        Ok(())
    }

    /// The columns of `table` in order, with the number that the sink gives.
    fn complete(&mut self, table: &Table, batch: &RecordBatch) -> Result<RecordBatch> {
        let numbered = match table.layout {
            Layout::Numbered(column) => column,
            _ => "",
        };
        let first = (i64::from(self.bucket.unwrap_or_default()) << 48) + self.rank;
        let count = i64::try_from(batch.num_rows()).unwrap_or_default();
        self.rank += count;
        let column = |field: &Arc<Field>| -> Result<ArrayRef> {
            if field.name() == numbered {
                return Ok(Arc::new(Int64Array::from_iter_values(first..first + count)));
            }
            match batch.column_by_name(field.name()) {
                Some(column) => Ok(Arc::clone(column)),
                None => exec_err!("table {}: column {} is missing", table.name, field.name()),
            }
        };
        let schema = table.arrow();
        let columns = schema.fields().iter().map(column).collect::<Result<Vec<_>>>()?;
        Ok(RecordBatch::try_new(schema, columns)?)
    }
}

#[async_trait]
impl Machine for Writer {
    async fn push(&mut self, batch: RecordBatch) -> Result<()> {
        let Some(buckets) = batch.column_by_name(BUCKET).filter(|_| is_sorted(self.table)) else {
            return self.write(None, batch).await;
        };
        let buckets = buckets.as_primitive::<Int32Type>().values().clone();
        let mut start = 0;
        while let Some(&bucket) = buckets.get(start) {
            let length = buckets[start..].partition_point(|&other| other <= bucket);
            self.write(Some(bucket), batch.slice(start, length)).await?;
            start += length;
        }
        Ok(())
    }

    async fn finish(&mut self) -> Result<()> {
        self.close().await
    }

    fn take(&mut self) -> Option<RecordBatch> {
        if self.files.is_empty() || self.open.is_some() {
            return None;
        }
        let files = std::mem::take(&mut self.files);
        let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from_iter_values(files.iter().map(|file| &file.name))),
            Arc::new(Int64Array::from_iter_values(files.iter().map(|file| number(file.rows)))),
            Arc::new(Int64Array::from_iter_values(files.iter().map(|file| number(file.bytes)))),
            Arc::new(StringArray::from_iter_values(files.iter().map(|file| &file.blake3))),
        ];
        RecordBatch::try_new(files_schema(), columns).ok()
    }
}
