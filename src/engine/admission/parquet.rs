//! Parquet: the needed columns of a file, row group by row group.
//!
//! The footer is checked against the file before the reader sees it, then cut down to the columns
//! that are needed, with strings as plain bytes: a value that is not UTF-8 costs its row, not its
//! file. Embedded Arrow schemas are not looked at, so a column has one type whatever wrote it.
//!
//! A row group that breaks keeps the rows of the batches before the break; the others of it are
//! set aside, and the next row group is read. Damage that still decodes is not noticed here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use datafusion::arrow::array::{Array, AsArray, Int32Array, RecordBatch};
use datafusion::arrow::error::ArrowError;
use datafusion::parquet::arrow::ProjectionMask;
use datafusion::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use datafusion::parquet::basic::Type as Physical;
use datafusion::parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use tokio::runtime::Handle;

use super::body::Body;
use super::columns::{
    BYTES, CHARSET, CONTENT_TYPE, HEADERS, HTML, ID, IP, LINKS, REDIRECT, ROLES, STATUS, TEXT,
    TIME, URL,
};
use super::footer::{self, Chosen};
use super::headers::Headers;
use super::list::InputFile;
use super::reasons::{
    BODY_COLUMN_MISSING, COLUMN_IGNORED, NO_KEY, Notice, PARQUET_DAMAGED, PARQUET_FOOTER,
    RATIO_LIMIT, READER_PANIC, Wrong,
};
use super::row::{Flow, Output, Row, Stop, panicked};
use super::source::{Chunk, Pages, count, wide};
use super::values::{Column, Values, read_statuses, read_times};
use super::{BATCH_BYTES, BATCH_ROWS, Columns};

/// Values that a page may have beyond one a row, where a row may have many.
const NESTED_VALUES: u64 = 4 << 20;

/// Reads a file to its end.
pub(super) fn read(
    file: &InputFile,
    columns: &Columns,
    runtime: &Handle,
    out: &mut Output,
) -> Flow {
    let pages = Pages::new(file.location.clone(), file.size, runtime.clone());
    let bytes = match footer::bytes(&pages, file.size)? {
        Ok(bytes) => bytes,
        Err((reason, detail)) => {
            out.file(reason, 0, &detail);
            return Ok(());
        }
    };
    let footer = match guarded(|| footer::decode(&bytes, file.size)) {
        Ok(Ok(footer)) => footer,
        Ok(Err((reason, detail))) | Err((reason, detail)) => {
            out.file(reason, 0, &detail);
            return Ok(());
        }
    };
    let rows = footer.file_metadata().num_rows();
    out.claimed = rows;
    let chosen = match footer::choose(footer.file_metadata(), &columns.of_parquet()) {
        Ok(chosen) => chosen,
        Err((reason, detail)) => {
            out.file(reason, rows, &detail);
            return Ok(());
        }
    };
    for notice in &chosen.notices {
        out.file(COLUMN_IGNORED, 0, notice);
    }
    if chosen.is_index() {
        out.is_index = true;
        out.file(BODY_COLUMN_MISSING, 0, "found redirects, and no column of pages or texts");
    }
    if rows > 0 && chosen.uses[URL].is_none() && chosen.uses[ID].is_none() {
        out.set_aside(NO_KEY, 0, rows, "found key columns of type Null, wanted a url or id");
        return Ok(());
    }
    match footer::reduce(&footer, &chosen) {
        Ok(metadata) => {
            let data_end = file.size.saturating_sub(8).saturating_sub(wide(bytes.len()));
            Scan { pages, metadata, chosen, data_end }.read(out)
        }
        Err(error) => {
            out.file(PARQUET_FOOTER, rows, &error.to_string());
            Ok(())
        }
    }
}

/// Runs a step of the reader; a panic is a reason like others.
fn guarded<T>(step: impl FnOnce() -> T) -> Result<T, Wrong> {
    catch_unwind(AssertUnwindSafe(step)).map_err(|payload| (READER_PANIC, panicked(&*payload)))
}

/// How the batches of a row group ended.
enum End {
    /// With its last row.
    Whole,
    /// A batch has pages beyond the bound: fewer rows have to be read at a time.
    TooWide,
    /// The rest cannot be read.
    Broken(Wrong),
    /// The file yields too much.
    Ratio,
}

/// How a row group is read on.
#[derive(Clone, Copy)]
struct Step {
    /// Rows at a time.
    batch: usize,
    /// Whether columns of which a row may have many values are not read.
    is_flat: bool,
    /// Bytes of such columns that are unpacked again on the way to the rows that are left.
    passed: u64,
}

/// A file that is read.
struct Scan {
    pages: Pages,
    metadata: ArrowReaderMetadata,
    chosen: Chosen,
    /// First byte after the column chunks.
    data_end: u64,
}

impl Scan {
    fn read(&self, out: &mut Output) -> Flow {
        let metadata = self.metadata.metadata();
        let mut first = 0;
        for (index, group) in metadata.row_groups().iter().enumerate() {
            let rows = group.num_rows();
            let mut done = 0;
            match self.group(index, first, &mut done, out)? {
                End::Broken((reason, detail)) => {
                    let detail = format!("row group {index}: {detail}");
                    out.set_aside(reason, first + done, rows - done, &detail);
                    out.flush_entries()?;
                }
                End::Ratio => {
                    let (row, detail) = (first + done, "found more bytes than it may yield");
                    out.set_aside(RATIO_LIMIT, row, out.claimed - row, detail);
                    return Ok(());
                }
                End::Whole | End::TooWide => {}
            }
            first += rows;
        }
        Ok(())
    }

    /// Reads row group `index`, whose first row is row `first` of the file; `done` counts its rows
    /// that went out.
    fn group(&self, index: usize, first: i64, done: &mut i64, out: &mut Output) -> Flow<End> {
        let group = self.metadata.metadata().row_group(index);
        let rows = group.num_rows();
        let chunks = group.columns().iter().map(|chunk| self.chunk(chunk, rows));
        let chunks: Vec<Chunk> = match chunks.collect() {
            Ok(chunks) => chunks,
            Err(found) => return Ok(End::Broken((PARQUET_DAMAGED, found))),
        };
        let mut step = Step { batch: batch_rows(group), is_flat: false, passed: 0 };
        while *done < rows {
            self.pages.enter(&chunks);
            match self.batches(index, step, first, done, out)? {
                // One row: it has too many values, so those columns are not read further.
                End::TooWide if step.batch == 1 => {
                    step.is_flat = true;
                    let row = first + *done;
                    let found = format!("from row {row} on headers and links have too many values");
                    out.file(COLUMN_IGNORED, 0, &format!("row group {index}: {found}"));
                }
                End::TooWide => step.batch = (step.batch / 8).max(1),
                end => return Ok(end),
            }
            step.passed = self.pages.nested_read();
        }
        Ok(End::Whole)
    }

    /// The place of a column chunk, if it is within the file.
    fn chunk(&self, chunk: &ColumnChunkMetaData, rows: i64) -> Result<Chunk, String> {
        let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
        let length = chunk.compressed_size();
        let place = u64::try_from(start).ok().zip(u64::try_from(length).ok());
        let place = place.and_then(|(start, length)| Some((start, start.checked_add(length)?)));
        match place {
            Some((start, end)) if start >= 4 && end <= self.data_end => {
                let width = match chunk.column_type() {
                    Physical::BYTE_ARRAY | Physical::INT32 => 4,
                    Physical::INT64 => 8,
                    _ => 1,
                };
                let rows = u64::try_from(rows).unwrap_or(0);
                let is_nested = chunk.column_descr().max_rep_level() > 0;
                let values = if is_nested { rows.saturating_add(NESTED_VALUES) } else { rows };
                Ok(Chunk { start, end, values, width, is_nested })
            }
            _ => Err(format!(
                "column {} has {length} bytes from {start}, wanted a place before {}",
                chunk.column_path().string(),
                self.data_end
            )),
        }
    }

    /// Reads on after `done` rows.
    fn batches(
        &self,
        index: usize,
        step: Step,
        first: i64,
        done: &mut i64,
        out: &mut Output,
    ) -> Flow<End> {
        let rows = self.metadata.metadata().row_group(index).num_rows();
        self.pages.begin_batch(step.batch, step.passed);
        let opened = guarded(|| self.open(index, step, *done));
        let mut reader = match self.checked(opened, |error| error.to_string())? {
            Ok(reader) => reader,
            Err(end) => return Ok(end),
        };
        let mut passed = step.passed;
        while *done < rows {
            self.pages.begin_batch(step.batch, std::mem::take(&mut passed));
            let next = guarded(|| reader.next().transpose());
            let next = match self.checked(next, |error: ArrowError| error.to_string())? {
                Ok(next) => next,
                Err(end) => return Ok(end),
            };
            let Some(next) = next.filter(|next| next.num_rows() > 0) else {
                let found = format!("found {done} rows, wanted {rows}");
                return Ok(End::Broken((PARQUET_DAMAGED, found)));
            };
            let wanted = usize::try_from(rows - *done).unwrap_or(usize::MAX);
            let next = next.slice(0, next.num_rows().min(wanted));
            match self.send(&next, first + *done, out) {
                Ok(Ok(())) => *done += count(next.num_rows()),
                Ok(Err(found)) => return Ok(End::Broken((PARQUET_DAMAGED, found))),
                Err(Stop::Ratio) => return Ok(End::Ratio),
                Err(stop) => return Err(stop),
            }
        }
        Ok(End::Whole)
    }

    fn open(
        &self,
        index: usize,
        step: Step,
        done: i64,
    ) -> datafusion::parquet::errors::Result<ParquetRecordBatchReader> {
        let pages = self.pages.clone();
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(pages, self.metadata.clone());
        let columns = self.chosen.columns.iter().enumerate();
        let read = columns.filter(|(_, used)| !step.is_flat || !used.kind.is_nested());
        let mask = ProjectionMask::roots(builder.parquet_schema(), read.map(|(at, _)| at));
        builder
            .with_row_groups(vec![index])
            .with_projection(mask)
            .with_batch_size(step.batch)
            .with_offset(usize::try_from(done).unwrap_or(usize::MAX))
            .build()
    }

    /// A step of the reader, or how it ended; an error where the store failed.
    fn checked<T, E>(
        &self,
        step: Result<Result<T, E>, Wrong>,
        message: impl Fn(E) -> String,
    ) -> Flow<Result<T, End>> {
        let wrong = match step {
            Ok(Ok(step)) => return Ok(Ok(step)),
            Ok(Err(error)) => (PARQUET_DAMAGED, message(error)),
            Err(panic) => panic,
        };
        match self.pages.take_failure() {
            Some(failure) => Err(Stop::Failed(failure)),
            None if self.pages.take_too_wide() => Ok(Err(End::TooWide)),
            None => Ok(Err(End::Broken(wrong))),
        }
    }

    /// Sends the rows of a batch; nothing of it is sent where a column cannot be used.
    fn send(&self, batch: &RecordBatch, first: i64, out: &mut Output) -> Flow<Result<(), String>> {
        match self.columns(batch, first, out)? {
            Ok(columns) => columns.send(batch.num_rows(), first, out).map(Ok),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    /// The columns of a batch by role.
    fn columns(
        &self,
        batch: &RecordBatch,
        first: i64,
        out: &mut Output,
    ) -> Flow<Result<BatchColumns, ArrowError>> {
        let mut columns = BatchColumns::default();
        let mut bytes: usize = 0;
        for (role, slot) in columns.roles.iter_mut().enumerate() {
            let Some(at) = self.chosen.uses[role] else { continue };
            let Some(array) = batch.columns().get(at) else { continue };
            let Some(used) = self.chosen.columns.get(at) else { continue };
            let column = Column::of(array, used.kind);
            let column = column
                .and_then(|column| if role == ID { column.numbers_as_text() } else { Ok(column) });
            match column {
                Ok(column) => {
                    bytes = bytes.saturating_add(column.bytes());
                    *slot = Some(column);
                }
                Err(error) => return Ok(Err(error)),
            }
        }
        out.yielded(bytes)?;
        let times = columns.roles[TIME].as_ref().map(|times| read_times(times, first, out));
        let statuses = columns.roles[STATUS].as_ref();
        let statuses = statuses.map(|statuses| read_statuses(statuses, first, out));
        match (times.transpose(), statuses.transpose()) {
            (Ok(times), Ok(statuses)) => {
                columns.times = times.unwrap_or_default();
                columns.statuses = statuses;
                Ok(Ok(columns))
            }
            (Err(error), _) | (_, Err(error)) => Ok(Err(error)),
        }
    }
}

/// The columns of a batch.
#[derive(Default)]
struct BatchColumns {
    roles: [Option<Column>; ROLES],
    times: Vec<Option<i64>>,
    statuses: Option<Int32Array>,
}

impl BatchColumns {
    fn values(&self, role: usize) -> Values<'_> {
        self.roles[role].as_ref().map_or(Values::None, Column::values)
    }

    fn send(&self, rows: usize, first: i64, out: &mut Output) -> Flow {
        let [url, id, text, html, bytes] =
            [URL, ID, TEXT, HTML, BYTES].map(|role| self.values(role));
        let [redirect, content_type, charset, ip] =
            [REDIRECT, CONTENT_TYPE, CHARSET, IP].map(|role| self.values(role));
        let is_text = self.roles[HTML].as_ref().is_some_and(Column::is_text);
        let mut headers = Headers::default();
        for (row, number) in (0..rows).zip(first..) {
            let bytes = bytes.value(row).map(|bytes| Body { bytes, is_decoded: false });
            let html = bytes.or_else(|| {
                let bytes = html.value(row)?;
                let is_decoded = is_text && std::str::from_utf8(bytes).is_ok();
                Some(Body { bytes, is_decoded })
            });
            let has_headers = self.headers(row, number, &mut headers, out);
            let list = self.roles[LINKS].as_ref().filter(|_| html.is_none());
            let list = list.and_then(|links| links.list(row));
            let mut links = Vec::new();
            if let Some(list) = list.as_ref().and_then(|list| list.as_binary_opt::<i32>()) {
                out.links(number, list.iter().flatten(), &mut links);
            }
            let statuses = self.statuses.as_ref().filter(|statuses| statuses.is_valid(row));
            out.row(Row {
                number,
                url: url.value(row),
                id: id.value(row),
                time: self.times.get(row).copied().flatten(),
                status: statuses.map(|statuses| statuses.value(row)),
                redirect: redirect.value(row),
                content_type: content_type.value(row),
                charset: charset.value(row),
                headers: has_headers.then_some(&headers),
                ip: ip.value(row),
                links: list.is_some().then_some(&links),
                html,
                text: text.value(row),
            })?;
        }
        Ok(())
    }

    /// Reads the headers of a row; whether there is such a column.
    fn headers(&self, row: usize, number: i64, headers: &mut Headers, out: &mut Output) -> bool {
        let Some(column) = &self.roles[HEADERS] else { return false };
        headers.clear();
        if !column.headers(row, headers) {
            out.notice(Notice::Headers, number, || "another value".to_owned());
        }
        true
    }
}

/// Rows to read at a time, by the size that the footer states.
fn batch_rows(group: &RowGroupMetaData) -> usize {
    let sizes = group.columns().iter().map(|chunk| chunk.uncompressed_size().max(0));
    let bytes = sizes.fold(0, i64::saturating_add);
    let row = usize::try_from(bytes / group.num_rows().max(1)).unwrap_or(usize::MAX);
    (BATCH_BYTES / row.max(1)).clamp(1, BATCH_ROWS)
}
