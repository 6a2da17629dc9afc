//! Batches of rows that are not sent yet.
//!
//! NUL and UTF-8 are judged over the whole batch at once, and only where that finds something row
//! by row; so a good batch costs one copy of its text and two passes over it. A page is not looked
//! at: its bytes may be anything. Columns that no row of a batch has cost nothing.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Int32Array, Int64Array, ListBuilder, RecordBatch,
    StringArray, StringBuilder, TimestampMicrosecondArray, new_null_array,
};
use datafusion::arrow::buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use datafusion::arrow::compute::filter;
use datafusion::arrow::datatypes::DataType;

use super::reasons::{ID_NOT_UTF8, ID_NUL, TEXT_NOT_UTF8, TEXT_NUL, URL_NOT_UTF8, URL_NUL, Wrong};
use super::row::Row;
use super::{BATCH_BYTES, admitted_schema};

/// Values of one string or binary column.
#[derive(Default)]
struct Strings {
    bytes: Vec<u8>,
    /// As many as there are values, or none where all are NULL.
    ends: Vec<i32>,
    valid: Vec<bool>,
    /// Values, NULL included.
    rows: usize,
}

impl Strings {
    fn push(&mut self, value: Option<&[u8]>) {
        if self.ends.is_empty() {
            if value.is_none() {
                self.rows += 1;
                return;
            }
            self.ends.resize(self.rows + 1, 0);
            self.valid.resize(self.rows, false);
        }
        self.bytes.extend_from_slice(value.unwrap_or_default());
        // A batch ends far below 2 GiB: see `Batch::fits`.
        self.ends.push(i32::try_from(self.bytes.len()).unwrap_or(i32::MAX));
        self.valid.push(value.is_some());
        self.rows += 1;
    }

    fn frozen(self) -> Frozen {
        let ends = if self.ends.is_empty() { vec![0; self.rows + 1] } else { self.ends };
        let valid = if self.valid.is_empty() { vec![false; self.rows] } else { self.valid };
        Frozen {
            bytes: Buffer::from_vec(self.bytes),
            ends: OffsetBuffer::new(ScalarBuffer::from(ends)),
            nulls: valid.contains(&false).then(|| NullBuffer::from(valid)),
        }
    }
}

/// A column that takes no more values.
struct Frozen {
    bytes: Buffer,
    ends: OffsetBuffer<i32>,
    nulls: Option<NullBuffer>,
}

impl Frozen {
    fn value(&self, row: usize) -> Option<&[u8]> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        let start = usize::try_from(*self.ends.get(row)?).ok()?;
        let end = usize::try_from(*self.ends.get(row + 1)?).ok()?;
        self.bytes.get(start..end)
    }

    /// The column as text, unless a value of it is not text.
    fn text(&self) -> Option<StringArray> {
        if self.bytes.contains(&0) {
            return None;
        }
        StringArray::try_new(self.ends.clone(), self.bytes.clone(), self.nulls.clone()).ok()
    }

    /// The column as bytes.
    fn binary(self) -> Result<BinaryArray, String> {
        BinaryArray::try_new(self.ends, self.bytes, self.nulls).map_err(|error| error.to_string())
    }
}

/// Lists of links; empty until a row has some.
#[derive(Default)]
struct Lists {
    builder: Option<ListBuilder<StringBuilder>>,
    rows: usize,
}

impl Lists {
    fn push(&mut self, links: Option<&[&str]>) {
        if links.is_some() && self.builder.is_none() {
            let mut builder = ListBuilder::new(StringBuilder::new());
            (0..self.rows).for_each(|_| builder.append_null());
            self.builder = Some(builder);
        }
        self.rows += 1;
        let Some(builder) = &mut self.builder else { return };
        match links {
            Some(links) => builder.append_value(links.iter().map(Some)),
            None => builder.append_null(),
        }
    }

    fn array(self, kind: &DataType) -> ArrayRef {
        match self.builder {
            Some(mut builder) => Arc::new(builder.finish()),
            None => new_null_array(kind, self.rows),
        }
    }
}

/// Rows that are not sent yet.
#[derive(Default)]
pub(super) struct Batch {
    rows: Vec<i64>,
    url: Strings,
    id: Strings,
    times: Vec<Option<i64>>,
    statuses: Vec<Option<i32>>,
    redirect: Strings,
    content_type: Strings,
    charset: Strings,
    headers: Strings,
    ip: Strings,
    links: Lists,
    html: Strings,
    is_decoded: Vec<bool>,
    text: Strings,
    /// Bytes held, those of URL and id aside.
    held: usize,
}

/// A row of a batch that is not text after all: number, reason, detail.
pub(super) type Bad = (i64, &'static str, String);

impl Batch {
    /// Rows held.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// A batch with room for as much text as `self` holds: growing would copy it again.
    pub(super) fn alike(&self) -> Batch {
        let mut batch = Batch::default();
        batch.text.bytes.reserve(self.text.bytes.len());
        batch.html.bytes.reserve(self.html.bytes.len());
        batch
    }

    /// Whether a row may join; an empty batch takes any.
    pub(super) fn fits(&self, row: &Row) -> bool {
        let keys = self.url.bytes.len().max(self.id.bytes.len());
        let held = self.held.saturating_add(row.held());
        self.rows.is_empty() || (held <= BATCH_BYTES && keys <= BATCH_BYTES)
    }

    /// Takes a row.
    pub(super) fn push(&mut self, row: &Row) {
        self.held = self.held.saturating_add(row.held());
        self.rows.push(row.number);
        self.url.push(row.url);
        self.id.push(row.id);
        self.times.push(row.time);
        self.statuses.push(row.status);
        self.redirect.push(row.redirect);
        self.content_type.push(row.content_type);
        self.charset.push(row.charset);
        self.headers.push(row.headers.and_then(|headers| headers.lines()).map(str::as_bytes));
        self.ip.push(row.ip);
        self.links.push(row.links);
        self.html.push(row.html.map(|html| html.bytes));
        self.is_decoded.push(row.html.map_or(row.text.is_some(), |html| html.is_decoded));
        self.text.push(row.text);
    }

    /// The batch without the rows that are not text.
    pub(super) fn finish(mut self) -> Result<(RecordBatch, Vec<Bad>), String> {
        let [url, id, text] = [&mut self.url, &mut self.id, &mut self.text]
            .map(|strings| std::mem::take(strings).frozen());
        if let (Some(url), Some(id), Some(text)) = (url.text(), id.text(), text.text()) {
            return self.columns([url, id, text], None).map(|rows| (rows, Vec::new()));
        }
        let mut good = [Strings::default(), Strings::default(), Strings::default()];
        let (mut kept, mut bad) = (Vec::new(), Vec::new());
        for (at, number) in self.rows.iter().enumerate() {
            let values = [url.value(at), id.value(at), text.value(at)];
            let wrong = wrong(values);
            kept.push(wrong.is_none());
            match wrong {
                Some((reason, detail)) => bad.push((*number, reason, detail)),
                None => {
                    for (strings, value) in good.iter_mut().zip(values) {
                        strings.push(value);
                    }
                }
            }
        }
        let [Some(url), Some(id), Some(text)] = good.map(|strings| strings.frozen().text()) else {
            return Err("a row that is text did not become a string".to_owned());
        };
        let kept = BooleanArray::from(kept);
        self.columns([url, id, text], Some(&kept)).map(|rows| (rows, bad))
    }

    /// The columns, of the rows that are `kept`; the three given ones hold those alone.
    fn columns(
        self,
        [url, id, text]: [StringArray; 3],
        kept: Option<&BooleanArray>,
    ) -> Result<RecordBatch, String> {
        let schema = admitted_schema();
        let links = schema.field_with_name("links").map_err(|error| error.to_string())?;
        let short = [self.redirect, self.content_type, self.charset, self.headers, self.ip];
        let mut others: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from(self.rows)),
            Arc::new(TimestampMicrosecondArray::from(self.times).with_timezone("UTC")),
            Arc::new(Int32Array::from(self.statuses)),
        ];
        for strings in short {
            let array = strings.frozen().text();
            others.push(Arc::new(array.ok_or("an optional value is no text")?));
        }
        others.push(self.links.array(links.data_type()));
        others.push(Arc::new(self.html.frozen().binary()?));
        others.push(Arc::new(BooleanArray::from(self.is_decoded)));
        if let Some(kept) = kept {
            for array in &mut others {
                *array = filter(array, kept).map_err(|error| error.to_string())?;
            }
        }
        others.insert(1, Arc::new(url));
        others.insert(2, Arc::new(id));
        others.push(Arc::new(text));
        RecordBatch::try_new(schema, others).map_err(|error| error.to_string())
    }
}

/// Why a URL, an id or a text is no text.
fn wrong([url, id, text]: [Option<&[u8]>; 3]) -> Option<Wrong> {
    let checks =
        [(text, TEXT_NUL, TEXT_NOT_UTF8), (url, URL_NUL, URL_NOT_UTF8), (id, ID_NUL, ID_NOT_UTF8)];
    checks.into_iter().find_map(|(value, nul, not_utf8)| not_text(value?, nul, not_utf8))
}

/// Why `value` is not text: `nul` or `not_utf8`.
fn not_text(value: &[u8], nul: &'static str, not_utf8: &'static str) -> Option<Wrong> {
    if let Err(error) = std::str::from_utf8(value) {
        let at = error.valid_up_to();
        let byte = value.get(at).copied().unwrap_or_default();
        return Some((not_utf8, format!("found byte {byte:#04x} at byte {at}, wanted UTF-8")));
    }
    let at = value.iter().position(|byte| *byte == 0)?;
    Some((nul, format!("found NUL at byte {at}")))
}
