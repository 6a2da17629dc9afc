//! Admission: the files of a crawl become rows of one schema, or a reason why not.
//!
//! Input is hostile and old: truncated files, columns of three types in one data set, texts that
//! are not text. Nothing a file holds is an error of the run. What cannot be used is set aside,
//! with file, row and reason, and every row that a file claims is either admitted or set aside,
//! never both: `rows in = admitted + set aside`. An error is returned only where a pattern
//! matches nothing or where the store itself fails.
//!
//! Not here: whether a URL is valid, whether a text is worth comparing, or what is the same thing.
//!
//! Memory is bounded by constants, not by files: batches of at most [`BATCH_ROWS`] rows and about
//! [`BATCH_BYTES`] of pages and text, two of them waiting, one line or a few Parquet pages being
//! read.

mod batch;
mod body;
mod columns;
mod footer;
mod headers;
mod json_lines;
mod list;
mod object;
mod parquet;
mod reasons;
mod row;
mod shape;
mod source;
mod thrift;
mod values;

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::array::timezone::Tz;
use datafusion::arrow::compute::kernels::cast_utils::string_to_datetime;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use tokio::sync::mpsc;

use crate::error::Result;

pub use columns::Columns;
pub use list::{InputFile, list};
pub use reasons::{REASONS, Reason, Scope};

/// Rows of a batch at most.
pub const BATCH_ROWS: usize = 2_048;

/// Bytes of a batch, URLs and ids aside: one more row would exceed it, unless it is one row.
pub const BATCH_BYTES: usize = 32 << 20;

/// A file may yield this many bytes, and [`YIELD_RATIO`] more for each of its own bytes; what
/// comes after is set aside as `ratio_limit`. It ends decompression bombs, which are streamed and
/// so never were a matter of memory.
pub const YIELD_BYTES: u64 = 1 << 30;

/// See [`YIELD_BYTES`]. gzip cannot exceed 1,032; real crawl text stays below 20.
pub const YIELD_RATIO: u64 = 2_000;

/// A fetch time in microseconds since 1970, UTC: RFC 3339, also with a space, without an offset
/// (taken as UTC), or a date alone.
fn time(text: &str) -> Option<i64> {
    let utc: Tz = "+00:00".parse().ok()?;
    string_to_datetime(&utc, text).ok().map(|time| time.timestamp_micros())
}

/// What a row may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a text at most.
    pub text_bytes: usize,
    /// Bytes of a page at most, once unpacked.
    pub html_bytes: usize,
    /// Bytes of a URL, and of an id, at most.
    pub url_bytes: usize,
}

/// One step of a file: admitted rows, and what was set aside since the step before.
#[derive(Debug, Clone)]
pub struct Admitted {
    /// Rows with the schema [`admitted_schema`]; may be empty.
    pub rows: RecordBatch,
    /// What was set aside, in file order.
    pub set_aside: Vec<SetAside>,
}

/// Rows or a file that were not admitted, or a notice about them.
///
/// Neighbouring rows with the same reason and detail share an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// Name of the file, see [`InputFile::name`].
    pub file: String,
    /// First row, from 0; `None` for the whole file. For JSON Lines it counts lines, blank ones
    /// too, so that row `n` is line `n + 1`.
    pub row: Option<i64>,
    /// Rows that the entry stands for; 0 where that is unknown, and for a notice.
    pub rows: i64,
    /// Code of [`REASONS`].
    pub reason: &'static str,
    /// What was found and what was wanted: at most 200 characters, control characters escaped.
    pub detail: String,
}

/// Schema of [`Admitted::rows`].
pub fn admitted_schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
        let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        let links = DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)));
        Arc::new(Schema::new(vec![
            Field::new("file_row", DataType::Int64, false),
            Field::new("url", DataType::Utf8, true),
            Field::new("id", DataType::Utf8, true),
            Field::new("fetch_time", time, true),
            Field::new("fetch_status", DataType::Int32, true),
            Field::new("fetch_redirect", DataType::Utf8, true),
            Field::new("content_type", DataType::Utf8, true),
            Field::new("charset", DataType::Utf8, true),
            Field::new("headers", DataType::Utf8, true),
            Field::new("ip", DataType::Utf8, true),
            Field::new("links", links, true),
            Field::new("html", DataType::Binary, true),
            Field::new("is_decoded", DataType::Boolean, false),
            Field::new("text", DataType::Utf8, true),
        ]))
    });
    Arc::clone(&SCHEMA)
}

/// Streams one file, in file order.
///
/// Fails only where the store fails; the stream ends after an error. Damage, even a panic of a
/// reader, becomes a [`SetAside`]. Needs a tokio runtime: reading and decoding run on one
/// of its blocking threads (the store may need another), which waits while two steps are not
/// taken, and stops when the stream is dropped.
pub fn admit(
    file: &InputFile,
    columns: &Columns,
    limits: &Limits,
) -> BoxStream<'static, Result<Admitted>> {
    let (sender, receiver) = mpsc::channel(2);
    let (file, columns, limits) = (file.clone(), columns.clone(), *limits);
    let runtime = tokio::runtime::Handle::current();
    // The handle is dropped on purpose: the task reports over the channel, its panics too.
    drop(tokio::task::spawn_blocking(move || row::run(&file, &columns, limits, &runtime, sender)));
    stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|step| (step, receiver))
    })
    .boxed()
}

#[cfg(test)]
mod tests;
