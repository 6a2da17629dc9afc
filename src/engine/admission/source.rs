//! Bytes of a file: a stream for lines, and random access for Parquet pages.
//!
//! Both run on a blocking thread. [`Pages`] is also the guard of the Parquet reader: it looks at
//! each page header before the reader does, and refuses pages whose stated sizes would make it
//! allocate far beyond what the file can hold.

use std::io::{self, BufReader, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use datafusion::parquet::errors::{ParquetError, Result as ParquetResult};
use datafusion::parquet::file::reader::{ChunkReader, Length};
use futures::StreamExt;
use futures::stream::BoxStream;
use object_store::{GetResultPayload, ObjectStoreExt, PutPayload};
use tokio::runtime::Handle;

use super::list::Location;
use super::thrift;
use crate::error::Error;

/// `bytes::Bytes`, which both libraries use and neither names.
pub(super) type Bytes = <PutPayload as IntoIterator>::Item;

/// Bytes fetched at a time from a column chunk.
const WINDOW: u64 = 4 << 20;

/// A page may always unpack to this many bytes.
pub(super) const PAGE_BYTES: u64 = 256 << 20;

/// A page above [`PAGE_BYTES`] may unpack to this many times its packed size.
pub(super) const PAGE_RATIO: u64 = 256;

/// Pages unpacked for one batch may have this many bytes together; beyond it the batch is read
/// again with fewer rows.
const BATCH_PAGES: u64 = 256 << 20;

/// Bytes that pages may have for one batch where a row may have many values; beyond it those
/// columns are not read.
const NESTED_PAGES: u64 = 64 << 20;

/// Bytes that such a value takes besides its own.
const NESTED_VALUE: u64 = 8;

/// A length as a file offset.
pub(super) fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// A length as a number of rows.
pub(super) fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// The error of a run that cannot read one of its files.
pub(super) fn unread(name: &str, error: io::Error) -> Error {
    Error::store(format!("input {}: cannot be read", super::row::clean(name))).because(error)
}

/// Opens a file as a stream of bytes; only for a blocking thread.
pub(super) fn open(location: &Location, runtime: &Handle) -> io::Result<Box<dyn Read + Send>> {
    let got = runtime.block_on(location.store.get(&location.path)).map_err(io::Error::other)?;
    Ok(match got.payload {
        GetResultPayload::File(file, _) => Box::new(file),
        GetResultPayload::Stream(stream) => {
            Box::new(Streamed { stream, runtime: runtime.clone(), chunk: Bytes::new() })
        }
    })
}

struct Streamed {
    stream: BoxStream<'static, object_store::Result<Bytes>>,
    runtime: Handle,
    chunk: Bytes,
}

impl Read for Streamed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            match self.runtime.block_on(self.stream.next()) {
                None => return Ok(0),
                Some(chunk) => self.chunk = chunk.map_err(io::Error::other)?,
            }
        }
        let taken = self.chunk.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&self.chunk.split_to(taken));
        Ok(taken)
    }
}

/// Remembers an error of the store, so that it is not taken for damage of the file.
pub(super) struct Watched<R> {
    pub(super) inner: R,
    pub(super) failure: Arc<Mutex<Option<io::Error>>>,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| {
            if error.kind() == io::ErrorKind::Interrupted {
                return error;
            }
            let shown = io::Error::new(error.kind(), "the store failed");
            *held(&self.failure) = Some(error);
            shown
        })
    }
}

/// Locks `mutex`, also after a panic of the reader.
pub(super) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A column chunk that may be read.
#[derive(Debug, Clone)]
pub(super) struct Chunk {
    /// First byte.
    pub(super) start: u64,
    /// First byte after it.
    pub(super) end: u64,
    /// Values that a page of it may hold.
    pub(super) values: u64,
    /// Bytes of a dictionary value at least.
    pub(super) width: u64,
    /// Whether a row may have many values.
    pub(super) is_nested: bool,
}

struct Open {
    chunk: Chunk,
    window: (u64, Bytes),
    /// The page whose header came last.
    page: Option<Page>,
}

/// A page by its header.
#[derive(Clone, Copy)]
struct Page {
    start: u64,
    packed: u64,
    unpacked: u64,
    values: u64,
}

#[derive(Default)]
struct State {
    open: Vec<Open>,
    /// Bytes that may still be unpacked for this batch; `None` without a bound.
    left: Option<u64>,
    /// As `left`, for columns of which a row may have many values.
    nested_left: u64,
    /// Such bytes that were unpacked so far.
    nested_read: u64,
    too_wide: bool,
    failure: Option<io::Error>,
}

impl State {
    /// Counts a page against what a batch may unpack.
    fn take(&mut self, page: Page, is_nested: bool) -> ParquetResult<()> {
        let mut is_within = true;
        if let Some(left) = &mut self.left {
            is_within = page.unpacked <= *left;
            *left = left.saturating_sub(page.unpacked);
        }
        if is_nested {
            let bytes = page.unpacked.saturating_add(page.values.saturating_mul(NESTED_VALUE));
            is_within &= bytes <= self.nested_left;
            self.nested_left = self.nested_left.saturating_sub(bytes);
            self.nested_read = self.nested_read.saturating_add(bytes);
        }
        if is_within {
            return Ok(());
        }
        self.too_wide = true;
        Err(refused("the pages of a batch are too large"))
    }
}

/// Random access to the column chunks of one row group, with the guard.
#[derive(Clone)]
pub(super) struct Pages {
    shared: Arc<Shared>,
}

struct Shared {
    location: Location,
    size: u64,
    runtime: Handle,
    state: Mutex<State>,
}

impl Pages {
    /// The file, with no chunk open.
    pub(super) fn new(location: Location, size: u64, runtime: Handle) -> Self {
        let state = Mutex::new(State::default());
        Self { shared: Arc::new(Shared { location, size, runtime, state }) }
    }

    /// Bytes outside of chunks, for head and footer.
    pub(super) fn range(&self, start: u64, end: u64) -> io::Result<Bytes> {
        // Stores refuse to read nothing.
        if start == end {
            return Ok(Bytes::new());
        }
        let Shared { location, runtime, .. } = &*self.shared;
        let got = runtime.block_on(location.store.get_range(&location.path, start..end));
        let got = got.map_err(io::Error::other)?;
        if wide(got.len()) != end.saturating_sub(start) {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter"));
        }
        Ok(got)
    }

    /// Opens the chunks of a row group, and closes those before.
    pub(super) fn enter(&self, chunks: &[Chunk]) {
        let open = |chunk: &Chunk| Open {
            chunk: chunk.clone(),
            window: (chunk.start, Bytes::new()),
            page: None,
        };
        let mut state = held(&self.shared.state);
        *state = State { open: chunks.iter().map(open).collect(), ..State::default() };
    }

    /// A batch begins; a batch of one row has no bound beyond that of its pages, except where a
    /// row may have many values. `passed` bytes of those are unpacked again on the way to it.
    pub(super) fn begin_batch(&self, rows: usize, passed: u64) {
        let mut state = held(&self.shared.state);
        state.left = (rows > 1).then_some(BATCH_PAGES);
        state.nested_left = NESTED_PAGES.saturating_add(passed);
    }

    /// Bytes that were unpacked where a row may have many values.
    pub(super) fn nested_read(&self) -> u64 {
        held(&self.shared.state).nested_read
    }

    /// Whether the batch was refused because its pages are too many, and forgets it.
    pub(super) fn take_too_wide(&self) -> bool {
        std::mem::take(&mut held(&self.shared.state).too_wide)
    }

    /// The error of the store, if that is why the reader failed.
    pub(super) fn take_failure(&self) -> Option<io::Error> {
        held(&self.shared.state).failure.take()
    }

    /// `length` bytes from `start`, or fewer where `whole` is false.
    fn fetch(
        &self,
        state: &mut State,
        start: u64,
        length: u64,
        whole: bool,
    ) -> ParquetResult<Bytes> {
        let State { open, failure, .. } = state;
        let open = find(open, start)?;
        let end = if whole { start.saturating_add(length) } else { open.chunk.end };
        if end > open.chunk.end {
            return Err(outside(start));
        }
        let (at, bytes) = &open.window;
        let wanted = if whole { end } else { start.saturating_add(1).min(end) };
        if start < *at || wanted > at.saturating_add(wide(bytes.len())) {
            let until = wanted.max(start.saturating_add(WINDOW)).min(open.chunk.end);
            let got = self.range(start, until).map_err(|error| {
                *failure = Some(error);
                ParquetError::General("the store failed".to_owned())
            })?;
            open.window = (start, got);
        }
        let (at, bytes) = &open.window;
        let from = usize::try_from(start - at).map_err(|_| outside(start))?;
        let length = usize::try_from(length).map_err(|_| outside(start))?;
        Ok(bytes.slice(from..bytes.len().min(from.saturating_add(length))))
    }

    /// Looks at the page header at `start`, unless `start` is where its page begins.
    fn look(&self, start: u64) -> ParquetResult<()> {
        let (end, values, width) = {
            let mut state = held(&self.shared.state);
            let ends = state.open.iter().any(|open| open.chunk.end == start);
            let open = match find(&mut state.open, start) {
                // A page of no bytes may be the last of its chunk.
                Err(_) if ends => return Ok(()),
                open => open?,
            };
            // After a page of no bytes its start is also that of the next header.
            if open.page.is_some_and(|page| page.start == start && page.packed > 0) {
                return Ok(());
            }
            (open.chunk.end, open.chunk.values, open.chunk.width)
        };
        let reader = BufReader::with_capacity(256, PageRead { pages: self.clone(), at: start });
        let header = thrift::page(reader, end - start).map_err(refused)?;
        let allowed = PAGE_BYTES.max(header.packed.saturating_mul(PAGE_RATIO));
        if header.unpacked > allowed {
            return Err(refused(format!(
                "a page of {} bytes claims to unpack to {}, wanted at most {allowed}",
                header.packed, header.unpacked
            )));
        }
        let held_values = if header.dictionary { header.unpacked / width.max(1) } else { values };
        if header.values > held_values {
            let mut state = held(&self.shared.state);
            state.too_wide |= find(&mut state.open, start)?.chunk.is_nested;
            return Err(refused(format!(
                "a page claims {} values, wanted at most {held_values}",
                header.values
            )));
        }
        let mut state = held(&self.shared.state);
        let open = find(&mut state.open, start)?;
        open.page = Some(Page {
            start: start.saturating_add(header.length),
            packed: header.packed,
            unpacked: header.unpacked,
            values: header.values,
        });
        Ok(())
    }
}

fn find(open: &mut [Open], start: u64) -> ParquetResult<&mut Open> {
    open.iter_mut()
        .find(|open| open.chunk.start <= start && start < open.chunk.end)
        .ok_or_else(|| outside(start))
}

fn outside(start: u64) -> ParquetError {
    ParquetError::General(format!("offset {start} reaches beyond its column chunk"))
}

fn refused(message: impl Into<String>) -> ParquetError {
    ParquetError::General(message.into())
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.shared.size
    }
}

impl ChunkReader for Pages {
    type T = BufReader<PageRead>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        self.look(start)?;
        Ok(BufReader::with_capacity(256, PageRead { pages: self.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        if length == 0 {
            return Ok(Bytes::new());
        }
        let mut state = held(&self.shared.state);
        let open = find(&mut state.open, start)?;
        let is_nested = open.chunk.is_nested;
        let Some(page) = open.page.filter(|page| page.start == start) else {
            return Err(refused(format!("the page at offset {start} has no header")));
        };
        state.take(page, is_nested)?;
        self.fetch(&mut state, start, wide(length), true)
    }
}

/// Reads on from an offset to the end of its chunk.
pub(super) struct PageRead {
    pages: Pages,
    at: u64,
}

impl Read for PageRead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = held(&self.pages.shared.state);
        if find(&mut state.open, self.at).is_err() {
            return Ok(0);
        }
        let wanted = wide(buffer.len());
        let got = self.pages.fetch(&mut state, self.at, wanted, false).map_err(io::Error::other)?;
        buffer[..got.len()].copy_from_slice(&got);
        self.at = self.at.saturating_add(wide(got.len()));
        Ok(got.len())
    }
}
