//! Parquet: the needed columns of a file, row group by row group.
//!
//! The footer is checked against the file before the reader sees it, then cut down to the columns
//! that are needed, with strings as plain bytes: a value that is not UTF-8 costs its row, not its
//! file. Embedded Arrow schemas are not looked at, so a column has one type whatever wrote it.
//!
//! A row group that breaks keeps the rows of the batches before the break; the others of it are
//! set aside, and the next row group is read. Damage that still decodes is not noticed here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use datafusion::arrow::array::{
    Array, AsArray, BinaryViewArray, Int32Array, RecordBatch, StringArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int32Type, TimeUnit, TimestampMicrosecondType};
use datafusion::arrow::error::ArrowError;
use datafusion::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use datafusion::parquet::basic::Type as Physical;
use datafusion::parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use tokio::runtime::Handle;

use super::footer::{self, Chosen, Kind, Wrong};
use super::list::InputFile;
use super::row::{
    COLUMN_IGNORED, Flow, NO_KEY, Output, PARQUET_DAMAGED, PARQUET_FOOTER, RATIO_LIMIT,
    READER_PANIC, Row, Stop, TEXT_MISSING, panicked,
};
use super::source::{Chunk, Pages, count, wide};
use super::{BATCH_BYTES, BATCH_ROWS, Columns, ID, STATUS, TEXT, TIME, URL};

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
    let chosen = match footer::choose(footer.file_metadata(), columns) {
        Ok(chosen) => chosen,
        Err((reason, detail)) => {
            out.file(reason, rows, &detail);
            return Ok(());
        }
    };
    for notice in &chosen.notices {
        out.file(COLUMN_IGNORED, 0, notice);
    }
    if rows > 0 && chosen.uses[TEXT].is_none() {
        out.set_aside(TEXT_MISSING, 0, rows, "found a text column of type Null, wanted text");
        return Ok(());
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
        let mut batch = batch_rows(group);
        while *done < rows {
            self.pages.enter(&chunks);
            match self.batches(index, batch, first, done, out)? {
                End::TooWide => batch = (batch / 8).max(1),
                end => return Ok(end),
            }
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
                Ok(Chunk { start, end, values: u64::try_from(rows).unwrap_or(0), width })
            }
            _ => Err(format!(
                "column {} has {length} bytes from {start}, wanted a place before {}",
                chunk.column_path().string(),
                self.data_end
            )),
        }
    }

    /// Reads on after `done` rows, `batch` rows at a time.
    fn batches(
        &self,
        index: usize,
        batch: usize,
        first: i64,
        done: &mut i64,
        out: &mut Output,
    ) -> Flow<End> {
        let rows = self.metadata.metadata().row_group(index).num_rows();
        self.pages.begin_batch(batch);
        let opened = guarded(|| self.open(index, batch, *done));
        let mut reader = match self.checked(opened, |error| error.to_string())? {
            Ok(reader) => reader,
            Err(end) => return Ok(end),
        };
        while *done < rows {
            self.pages.begin_batch(batch);
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
        batch: usize,
        done: i64,
    ) -> datafusion::parquet::errors::Result<ParquetRecordBatchReader> {
        let pages = self.pages.clone();
        ParquetRecordBatchReaderBuilder::new_with_metadata(pages, self.metadata.clone())
            .with_row_groups(vec![index])
            .with_batch_size(batch)
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
        let column = |role: usize| {
            let at = self.chosen.uses[role]?;
            Some((batch.columns().get(at)?.as_ref(), self.chosen.columns.get(at)?.kind))
        };
        let ids = column(ID).filter(|(_, kind)| *kind == Kind::Integer);
        let ids = match ids.map(|(ids, _)| cast(ids, &DataType::Utf8)).transpose() {
            Ok(ids) => ids,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let url = Values::of(column(URL).map(|(urls, _)| urls));
        let id = Values::of(ids.as_deref().or_else(|| column(ID).map(|(ids, _)| ids)));
        let text = Values::of(column(TEXT).map(|(texts, _)| texts));
        let rows = batch.num_rows();
        out.yielded(text.bytes(rows))?;
        let times = match column(TIME).map(|(times, kind)| read_times(times, kind, first, out)) {
            Some(Err(error)) => return Ok(Err(error.to_string())),
            Some(Ok(times)) => times,
            None => Vec::new(),
        };
        let statuses = match column(STATUS).map(|(statuses, _)| read_statuses(statuses, first, out))
        {
            Some(Err(error)) => return Ok(Err(error.to_string())),
            Some(Ok(statuses)) => Some(statuses),
            None => None,
        };
        for (row, number) in (0..rows).zip(first..) {
            let status = statuses.as_ref().filter(|statuses| statuses.is_valid(row));
            out.row(Row {
                number,
                url: url.value(row),
                id: id.value(row),
                time: times.get(row).copied().flatten(),
                status: status.map(|statuses| statuses.value(row)),
                text: text.value(row),
            })?;
        }
        Ok(Ok(()))
    }
}

/// Rows to read at a time, by the size that the footer states.
fn batch_rows(group: &RowGroupMetaData) -> usize {
    let sizes = group.columns().iter().map(|chunk| chunk.uncompressed_size().max(0));
    let bytes = sizes.fold(0, i64::saturating_add);
    let row = usize::try_from(bytes / group.num_rows().max(1)).unwrap_or(usize::MAX);
    (BATCH_BYTES / row.max(1)).clamp(1, BATCH_ROWS)
}

/// Values of a column as bytes.
enum Values<'a> {
    None,
    Views(&'a BinaryViewArray),
    Strings(&'a StringArray),
}

impl<'a> Values<'a> {
    fn of(column: Option<&'a dyn Array>) -> Self {
        let Some(column) = column else { return Values::None };
        match (column.as_binary_view_opt(), column.as_string_opt()) {
            (Some(views), _) => Values::Views(views),
            (None, Some(strings)) => Values::Strings(strings),
            (None, None) => Values::None,
        }
    }

    fn value(&self, row: usize) -> Option<&'a [u8]> {
        match self {
            Values::None => None,
            Values::Views(views) => views.is_valid(row).then(|| views.value(row)),
            Values::Strings(strings) => {
                strings.is_valid(row).then(|| strings.value(row).as_bytes())
            }
        }
    }

    fn bytes(&self, rows: usize) -> usize {
        (0..rows).filter_map(|row| self.value(row)).map(<[u8]>::len).fold(0, usize::saturating_add)
    }
}

/// Microseconds since 1970, UTC; a timestamp without zone is taken as UTC.
fn read_times(
    column: &dyn Array,
    kind: Kind,
    first: i64,
    out: &mut Output,
) -> Result<Vec<Option<i64>>, ArrowError> {
    let mut times = Vec::with_capacity(column.len());
    if kind == Kind::Bytes {
        let texts = Values::of(Some(column));
        for (row, number) in (0..column.len()).zip(first..) {
            let text = texts.value(row).map(String::from_utf8_lossy);
            let time = text.as_deref().and_then(super::time);
            if let (Some(text), None) = (&text, time) {
                out.lost_time(number, text);
            }
            times.push(time);
        }
        return Ok(times);
    }
    let cast = cast(column, &DataType::Timestamp(TimeUnit::Microsecond, None))?;
    let cast = cast.as_primitive::<TimestampMicrosecondType>();
    for (row, number) in (0..column.len()).zip(first..) {
        if column.is_valid(row) && cast.is_null(row) {
            out.lost_time(number, "a time out of range");
        }
        times.push(cast.is_valid(row).then(|| cast.value(row)));
    }
    Ok(times)
}

/// Statuses as 32-bit integers.
fn read_statuses(
    column: &dyn Array,
    first: i64,
    out: &mut Output,
) -> Result<Int32Array, ArrowError> {
    let statuses = cast(column, &DataType::Int32)?.as_primitive::<Int32Type>().clone();
    if statuses.null_count() > column.null_count() {
        for (row, number) in (0..column.len()).zip(first..) {
            if column.is_valid(row) && statuses.is_null(row) {
                out.lost_status(number, "a status out of range");
            }
        }
    }
    Ok(statuses)
}
