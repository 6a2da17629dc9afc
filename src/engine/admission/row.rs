//! Rows on their way out: what makes a row unusable, and what is left out of one that is usable.
//!
//! Lengths and missing values are judged as a row comes; whether texts are texts is judged over a
//! whole batch, see [`super::batch`]. An optional value costs no row: it becomes NULL, is counted,
//! and told once a file.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use super::batch::Batch;
use super::body::{self, Body};
use super::headers::Headers;
use super::list::Format;
use super::reasons::{
    FILE_EMPTY, FORMAT_UNKNOWN, HTML_PACKED, ID_TOO_LONG, NO_KEY, Notice, Noticed, READER_PANIC,
    TEXT_MISSING, TEXT_TOO_LONG, URL_TOO_LONG, Wrong,
};
use super::source::{unread, wide};
use super::{
    Admitted, BATCH_ROWS, Columns, InputFile, Limits, SetAside, YIELD_BYTES, YIELD_RATIO,
    json_lines, parquet,
};
use crate::error::{Error, Result};

/// Entries kept before they are sent on without rows.
const SET_ASIDE_ENTRIES: usize = 4_096;

/// Characters of a detail at most.
const DETAIL: usize = 200;

/// Bytes of a short optional value at most: content type, charset, address.
const SHORT_BYTES: usize = 64 << 10;

/// Links that are kept of a row.
pub(super) const LINKS: usize = 10_000;

/// Bytes that are kept of the links of a row.
const LINKS_BYTES: usize = 1 << 20;

/// Why a file is not read further.
pub(super) enum Stop {
    /// Nobody takes the rows any more.
    Closed,
    /// The store failed.
    Failed(io::Error),
    /// The file yields too much; its reader says what is left.
    Ratio,
}

/// Goes on, or stops.
pub(super) type Flow<T = ()> = std::result::Result<T, Stop>;

/// A row as it comes from a file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row<'a> {
    pub(super) number: i64,
    pub(super) url: Option<&'a [u8]>,
    pub(super) id: Option<&'a [u8]>,
    /// Microseconds since 1970, UTC.
    pub(super) time: Option<i64>,
    pub(super) status: Option<i32>,
    pub(super) redirect: Option<&'a [u8]>,
    pub(super) content_type: Option<&'a [u8]>,
    pub(super) charset: Option<&'a [u8]>,
    pub(super) headers: Option<&'a Headers>,
    pub(super) ip: Option<&'a [u8]>,
    pub(super) links: Option<&'a [&'a str]>,
    pub(super) html: Option<Body<'a>>,
    pub(super) text: Option<&'a [u8]>,
}

impl Row<'_> {
    /// Bytes that it takes, URL and id aside.
    pub(super) fn held(&self) -> usize {
        let body = self.html.map_or(0, |html| html.bytes.len());
        let short = [self.text, self.redirect, self.content_type, self.charset, self.ip];
        let short: usize = short.iter().flatten().map(|value| value.len()).sum();
        let headers = self.headers.and_then(Headers::lines).map_or(0, str::len);
        let links: usize = self.links.unwrap_or_default().iter().map(|link| link.len() + 4).sum();
        body.saturating_add(short).saturating_add(headers).saturating_add(links)
    }

    /// Whether its status says that it is no page: a redirect, an error, nothing new.
    fn is_no_page(&self) -> bool {
        self.status.is_some_and(|status| !(200..300).contains(&status))
    }
}

/// Reads `file` to its end and sends what it holds.
pub(super) fn run(
    file: &InputFile,
    columns: &Columns,
    limits: Limits,
    runtime: &Handle,
    sender: Sender<Result<Admitted>>,
) {
    let mut out = Output::new(file, limits, sender);
    let read = catch_unwind(AssertUnwindSafe(|| read(file, columns, runtime, &mut out)));
    let flow = match read {
        Ok(flow) => flow,
        Err(payload) => {
            let (row, rows) = (out.next, (out.claimed - out.next).max(0));
            out.set_aside(READER_PANIC, row, rows, &panicked(&*payload));
            Ok(())
        }
    };
    match flow.and_then(|()| out.finish()) {
        Ok(()) | Err(Stop::Closed) => {}
        Err(Stop::Failed(error)) => out.fail(unread(&file.name, error)),
        Err(Stop::Ratio) => out.fail(Error::invariant("a ratio limit was not accounted for")),
    }
}

fn read(file: &InputFile, columns: &Columns, runtime: &Handle, out: &mut Output) -> Flow {
    if file.size == 0 {
        out.file(FILE_EMPTY, 0, "found 0 bytes");
        return Ok(());
    }
    match Format::of(&file.name) {
        Some(Format::Parquet) => parquet::read(file, columns, runtime, out),
        Some(Format::Lines(packing)) => json_lines::read(file, packing, columns, runtime, out),
        None => {
            out.file(
                FORMAT_UNKNOWN,
                0,
                "wanted .parquet, .jsonl, .ndjson, or those with .gz, .zst",
            );
            Ok(())
        }
    }
}

/// The message of a panic.
pub(super) fn panicked(payload: &(dyn Any + Send)) -> String {
    let message = payload.downcast_ref::<String>().map(String::as_str);
    message.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

/// At most 200 characters of `text`, with control and direction characters escaped.
pub(super) fn clean(text: &str) -> String {
    let mut clean = String::new();
    for (at, letter) in text.chars().enumerate() {
        let direction = ('\u{2028}'..='\u{202e}').contains(&letter)
            || ('\u{2066}'..='\u{2069}').contains(&letter)
            || ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&letter);
        let width = if letter.is_control() || direction { 8 } else { 1 };
        if at >= DETAIL || clean.chars().count() + width >= DETAIL {
            clean.push('…');
            break;
        }
        match width {
            1 => clean.push(letter),
            _ => clean.extend(letter.escape_default()),
        }
    }
    clean
}

/// Where the reader of a file puts rows and reasons.
pub(super) struct Output {
    file: String,
    limits: Limits,
    sender: Sender<Result<Admitted>>,
    batch: Batch,
    set_aside: Vec<SetAside>,
    may_yield: u64,
    noticed: Noticed,
    /// The row after the last one that was admitted or set aside.
    pub(super) next: i64,
    /// Rows of the file by its own account; 0 where it has none.
    pub(super) claimed: i64,
    /// No column of the file holds pages or texts: it is the index of a crawl.
    pub(super) is_index: bool,
}

impl Output {
    fn new(file: &InputFile, limits: Limits, sender: Sender<Result<Admitted>>) -> Self {
        Self {
            file: file.name.clone(),
            limits,
            sender,
            batch: Batch::default(),
            set_aside: Vec::new(),
            may_yield: YIELD_BYTES.saturating_add(file.size.saturating_mul(YIELD_RATIO)),
            noticed: Noticed::default(),
            next: 0,
            claimed: 0,
            is_index: false,
        }
    }

    /// Limits of a row.
    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Counts bytes against what the file may yield.
    pub(super) fn yielded(&mut self, bytes: usize) -> Flow {
        self.may_yield = self.may_yield.checked_sub(wide(bytes)).ok_or(Stop::Ratio)?;
        Ok(())
    }

    /// Takes a row, or sets it aside.
    pub(super) fn row(&mut self, row: Row) -> Flow {
        let row = self.tidied(row);
        let mut unpacked = Vec::new();
        let row = match self.judged(row, &mut unpacked) {
            Ok(row) => row,
            Err((reason, detail)) => {
                self.set_aside(reason, row.number, 1, &detail);
                return self.flush_entries();
            }
        };
        if !self.batch.fits(&row) {
            self.flush()?;
        }
        self.batch.push(&row);
        self.next = row.number + 1;
        if self.batch.rows() == BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    /// The row with optional values that can be used, from its headers where they are missing.
    fn tidied<'a>(&mut self, row: Row<'a>) -> Row<'a> {
        let full = |value: Option<&'a [u8]>| value.filter(|value| !value.is_empty());
        let mut row = Row { url: full(row.url), id: full(row.id), ..row };
        let (number, url_bytes) = (row.number, self.limits.url_bytes);
        let mut short = |notice, value, limit| {
            let value: &[u8] = full(value)?;
            let found = if value.len() > limit {
                format!("{} bytes", value.len())
            } else if value.contains(&0) {
                "a NUL".to_owned()
            } else if std::str::from_utf8(value).is_err() {
                "no UTF-8".to_owned()
            } else {
                return Some(value);
            };
            self.noticed.add(notice, number, || found);
            None
        };
        row.redirect = short(Notice::Redirect, row.redirect, url_bytes);
        row.content_type = short(Notice::ContentType, row.content_type, SHORT_BYTES);
        row.charset = short(Notice::Charset, row.charset, SHORT_BYTES);
        row.ip = short(Notice::Ip, row.ip, SHORT_BYTES);
        if let Some(headers) = row.headers {
            let header = |name| headers.get(name).map(str::as_bytes);
            if row.content_type.is_none() {
                row.content_type = full(header("content-type"));
            }
            // With 201 it names what was made.
            if row.redirect.is_none() && row.status.is_none_or(|_| row.is_no_page()) {
                row.redirect = short(Notice::Redirect, header("location"), url_bytes);
            }
            if headers.is_cut {
                self.noticed.add(Notice::HeadersCut, number, || "more".to_owned());
            }
        }
        row
    }

    /// The row with a body that can be used, if it has one or needs none, and has a key.
    fn judged<'a>(
        &mut self,
        mut row: Row<'a>,
        unpacked: &'a mut Vec<u8>,
    ) -> std::result::Result<Row<'a>, Wrong> {
        let limits = self.limits;
        let needs_none = self.is_index || row.is_no_page() || row.redirect.is_some();
        if let Some(html) = row.html {
            (row.text, row.links) = (None, None);
            row.html = match self.page(html, row.content_type, unpacked) {
                Ok(page) => Some(page),
                Err((_, detail)) if needs_none => {
                    self.noticed.add(Notice::Body, row.number, || detail);
                    None
                }
                Err(wrong) => return Err(wrong),
            };
        } else if let Some(text) = row.text {
            if text.len() > limits.text_bytes {
                return Err((TEXT_TOO_LONG, long(text.len(), limits.text_bytes)));
            }
        } else if !needs_none {
            let found = "found no html and no text, wanted one; input.columns names their columns";
            return Err((TEXT_MISSING, found.to_owned()));
        }
        for (value, reason) in [(row.url, URL_TOO_LONG), (row.id, ID_TOO_LONG)] {
            if let Some(value) = value.filter(|value| value.len() > limits.url_bytes) {
                return Err((reason, long(value.len(), limits.url_bytes)));
            }
        }
        if row.url.is_none() && row.id.is_none() {
            return Err((NO_KEY, "found neither url nor id, wanted one of them".to_owned()));
        }
        if let Some(text) = row.text.filter(|text| body::looks_html(text)) {
            let start = || String::from_utf8_lossy(text.get(..40).unwrap_or(text)).into_owned();
            self.noticed.add(Notice::LooksHtml, row.number, start);
        }
        Ok(row)
    }

    /// The body as a page, unpacked where it was compressed.
    fn page<'a>(
        &mut self,
        html: Body<'a>,
        content_type: Option<&[u8]>,
        unpacked: &'a mut Vec<u8>,
    ) -> std::result::Result<Body<'a>, Wrong> {
        let content_type = content_type.and_then(|found| std::str::from_utf8(found).ok());
        let packed = html.bytes.len();
        let page = body::page(html, content_type, self.limits.html_bytes, unpacked)?;
        let more = page.bytes.len().saturating_sub(packed);
        if self.yielded(more).is_err() {
            self.may_yield = 0;
            let found = "unpacks to more than a file of its size may yield".to_owned();
            return Err((HTML_PACKED, found));
        }
        Ok(page)
    }

    /// What is kept of the links of a row, in `kept`.
    pub(super) fn links<'a>(
        &mut self,
        row: i64,
        links: impl Iterator<Item = &'a [u8]>,
        kept: &mut Vec<&'a str>,
    ) {
        kept.clear();
        let mut bytes: usize = 0;
        for link in links.filter(|link| !link.is_empty()) {
            let text = std::str::from_utf8(link).ok();
            let text = text.filter(|link| !link.contains('\0'));
            let Some(text) = text.filter(|link| link.len() <= self.limits.url_bytes) else {
                self.noticed.add(Notice::Links, row, || "a link that is none".to_owned());
                continue;
            };
            bytes = bytes.saturating_add(text.len());
            if kept.len() >= LINKS || bytes > LINKS_BYTES {
                self.noticed.add(Notice::LinksCut, row, || "more".to_owned());
                return;
            }
            kept.push(text);
        }
    }

    /// Sets aside `rows` rows from `row`.
    pub(super) fn set_aside(&mut self, reason: &'static str, row: i64, rows: i64, detail: &str) {
        let file = self.file.clone();
        let entry = SetAside { file, row: Some(row), rows, reason, detail: clean(detail) };
        self.next = self.next.max(row + rows);
        join(&mut self.set_aside, entry);
    }

    /// Sets aside the whole file, or gives notice about it.
    pub(super) fn file(&mut self, reason: &'static str, rows: i64, detail: &str) {
        self.next = self.next.max(rows);
        let file = self.file.clone();
        self.set_aside.push(SetAside { file, row: None, rows, reason, detail: clean(detail) });
    }

    /// Counts a value that was noticed.
    pub(super) fn notice(&mut self, notice: Notice, row: i64, found: impl FnOnce() -> String) {
        self.noticed.add(notice, row, found);
    }

    /// Sends entries on where they have become many.
    pub(super) fn flush_entries(&mut self) -> Flow {
        if self.set_aside.len() < SET_ASIDE_ENTRIES { Ok(()) } else { self.flush() }
    }

    /// Sends what there is.
    fn flush(&mut self) -> Flow {
        // The next batch is likely of the same size.
        let next = self.batch.alike();
        let batch = std::mem::replace(&mut self.batch, next);
        let mut set_aside = std::mem::take(&mut self.set_aside);
        let (rows, bad) = batch.finish().map_err(|error| Stop::Failed(io::Error::other(error)))?;
        if !bad.is_empty() {
            let file = &self.file;
            set_aside.extend(bad.into_iter().map(|(row, reason, detail)| SetAside {
                file: file.clone(),
                row: Some(row),
                rows: 1,
                reason,
                detail,
            }));
            set_aside.sort_by_key(|entry| entry.row);
            let entries = std::mem::take(&mut set_aside);
            entries.into_iter().for_each(|entry| join(&mut set_aside, entry));
        }
        if rows.num_rows() == 0 && set_aside.is_empty() {
            return Ok(());
        }
        self.sender.blocking_send(Ok(Admitted { rows, set_aside })).map_err(|_| Stop::Closed)
    }

    fn finish(&mut self) -> Flow {
        for (reason, detail) in std::mem::take(&mut self.noticed).told() {
            self.file(reason, 0, &detail);
        }
        self.flush()
    }

    fn fail(&mut self, error: Error) {
        // Rows read before the failure do not matter any more, nor whether anyone listens.
        drop(self.sender.blocking_send(Err(error)));
    }
}

/// Appends an entry, or widens the last one.
fn join(entries: &mut Vec<SetAside>, entry: SetAside) {
    match entries.last_mut() {
        Some(last)
            if last.reason == entry.reason
                && last.rows > 0
                && entry.rows > 0
                && last.row.map(|row| row + last.rows) == entry.row
                && last.detail == entry.detail =>
        {
            last.rows += entry.rows;
        }
        _ => entries.push(entry),
    }
}

fn long(bytes: usize, limit: usize) -> String {
    format!("found {bytes} bytes, wanted at most {limit}")
}
