//! One Parquet file: fixed batches in, bytes out, hashed on the way.
//!
//! The same rows give the same bytes: batches are cut anew to a fixed size before they reach the
//! writer, and nothing of the run enters the file. Between stages, where files are equal as sets,
//! batches are written as they come, and a row group ends by its bytes.

use std::sync::{Arc, Mutex};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::BatchCoalescer;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;
use datafusion::parquet::arrow::AsyncArrowWriter;
use datafusion::parquet::arrow::async_writer::AsyncFileWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::errors::ParquetError;
use datafusion::parquet::file::properties::{EnabledStatistics, WriterProperties};
use futures::FutureExt;
use futures::future::BoxFuture;
use object_store::ObjectStore;
use object_store::buffered::BufWriter;
use object_store::path::Path;
use tokio::io::AsyncWriteExt;

use super::store::DataFile;
use crate::schema::{Layout, Table};

/// Rows of a batch that reaches the writer.
const BATCH_ROWS: usize = 8192;

/// Rows of a row group in a published table.
const GROUP_ROWS_PUBLISHED: usize = 65_536;

/// Rows of a row group between stages; texts and shingle sets are kilobytes a row.
const GROUP_ROWS_WORK: usize = 8192;

/// Bytes of a row group between stages: a row may hold a body of many megabytes.
const GROUP_BYTES_WORK: usize = 64 << 20;

/// A file that is being written.
pub(super) struct TableFile {
    name: String,
    writer: AsyncArrowWriter<Hashed>,
    digest: Arc<Mutex<Digest>>,
    /// Cuts the batches of a table whose bytes have to agree; none between stages.
    coalescer: Option<BatchCoalescer>,
    rows: u64,
}

#[derive(Default)]
struct Digest {
    hasher: blake3::Hasher,
    bytes: u64,
}

/// Hashes what passes through to the store.
struct Hashed {
    inner: BufWriter,
    digest: Arc<Mutex<Digest>>,
}

impl AsyncFileWriter for Hashed {
    fn write(
        &mut self,
        bytes: bytes::Bytes,
    ) -> BoxFuture<'_, datafusion::parquet::errors::Result<()>> {
        async move {
            if let Ok(mut digest) = self.digest.lock() {
                digest.hasher.update(&bytes);
                digest.bytes += u64::try_from(bytes.len()).unwrap_or_default();
            }
            self.inner.put(bytes).await.map_err(external)
        }
        .boxed()
    }

    fn complete(&mut self) -> BoxFuture<'_, datafusion::parquet::errors::Result<()>> {
        async move { self.inner.shutdown().await.map_err(external) }.boxed()
    }
}

fn external(cause: impl std::error::Error + Send + Sync + 'static) -> ParquetError {
    ParquetError::External(Box::new(cause))
}

impl TableFile {
    /// Starts the file `name` of `table` in `folder`.
    ///
    /// # Errors
    ///
    /// When the schema cannot be written.
    pub(super) fn create(
        store: Arc<dyn ObjectStore>,
        folder: &Path,
        name: String,
        table: &Table,
        schema: SchemaRef,
    ) -> Result<Self> {
        let digest = Arc::new(Mutex::new(Digest::default()));
        let inner = BufWriter::new(store, folder.clone().join(name.as_str()));
        let hashed = Hashed { inner, digest: Arc::clone(&digest) };
        let properties = Some(properties(table));
        let writer = AsyncArrowWriter::try_new(hashed, Arc::clone(&schema), properties)?;
        let is_cut = table.layout != Layout::Work;
        let coalescer = is_cut.then(|| BatchCoalescer::new(schema, BATCH_ROWS));
        Ok(Self { name, writer, digest, coalescer, rows: 0 })
    }

    /// Appends rows.
    ///
    /// # Errors
    ///
    /// What the store or the writer reports.
    pub(super) async fn push(&mut self, batch: RecordBatch) -> Result<()> {
        self.rows += u64::try_from(batch.num_rows()).unwrap_or_default();
        match &mut self.coalescer {
            Some(coalescer) => coalescer.push_batch(batch)?,
            None => {
                self.writer.write(&batch).await?;
                if self.writer.memory_size() > GROUP_BYTES_WORK {
                    self.writer.flush().await?;
                }
            }
        }
        self.drain().await
    }

    async fn drain(&mut self) -> Result<()> {
        let Some(coalescer) = &mut self.coalescer else { return Ok(()) };
        while let Some(batch) = coalescer.next_completed_batch() {
            self.writer.write(&batch).await?;
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// What the store or the writer reports.
    pub(super) async fn finish(mut self) -> Result<DataFile> {
        if let Some(coalescer) = &mut self.coalescer {
            coalescer.finish_buffered_batch()?;
        }
        self.drain().await?;
        self.writer.close().await?;
        let (bytes, blake3) = match self.digest.lock() {
            Ok(digest) => (digest.bytes, digest.hasher.finalize().to_hex().to_string()),
            Err(_) => (0, String::new()),
        };
        Ok(DataFile { name: self.name, rows: self.rows, bytes, blake3 })
    }
}

fn properties(table: &Table) -> WriterProperties {
    let builder = WriterProperties::builder().set_created_by("selfsame".to_owned());
    let builder = match table.layout {
        Layout::Published => builder
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(GROUP_ROWS_PUBLISHED)),
        Layout::Work | Layout::Numbered(_) => builder
            .set_compression(Compression::LZ4_RAW)
            .set_dictionary_enabled(false)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_max_row_group_row_count(Some(GROUP_ROWS_WORK)),
    };
    builder.build()
}
