//! Values of Arrow columns as the bytes of a row.

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryViewArray, Float64Array, Int32Array, StringArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Float64Type, Int32Type, TimeUnit, TimestampMicrosecondType,
};
use datafusion::arrow::error::ArrowError;

use super::headers::Headers;
use super::object::headers_of_text;
use super::reasons::Notice;
use super::row::Output;
use super::shape::{Kind, pair};

/// A column that is read.
pub(super) struct Column {
    array: ArrayRef,
    kind: Kind,
}

impl Column {
    /// Numbers and binaries of a fixed length become columns of bytes.
    pub(super) fn of(array: &ArrayRef, kind: Kind) -> Result<Self, ArrowError> {
        let array = match kind {
            Kind::Fixed => cast(array, &DataType::Binary)?,
            _ => array.clone(),
        };
        Ok(Self { array, kind })
    }

    /// Integers as their text.
    pub(super) fn numbers_as_text(self) -> Result<Self, ArrowError> {
        match self.kind {
            Kind::Integer => {
                Ok(Self { array: cast(&self.array, &DataType::Utf8)?, kind: Kind::Text })
            }
            _ => Ok(self),
        }
    }

    /// The values, unless a row may have many.
    pub(super) fn values(&self) -> Values<'_> {
        let array = &self.array;
        match (array.as_binary_view_opt(), array.as_string_opt(), array.as_binary_opt()) {
            (Some(views), _, _) => Values::Views(views),
            (_, Some(strings), _) => Values::Strings(strings),
            (_, _, Some(binary)) => Values::Binary(binary),
            _ => Values::None,
        }
    }

    /// Whether the column is one of text.
    pub(super) fn is_text(&self) -> bool {
        self.kind == Kind::Text
    }

    /// Bytes of all values; where a row may have many, with what holds them.
    pub(super) fn bytes(&self) -> usize {
        if self.kind.is_nested() {
            return self.array.get_array_memory_size();
        }
        self.values().bytes(self.array.len())
    }

    /// The texts of a list; `None` where it is NULL.
    pub(super) fn list(&self, row: usize) -> Option<ArrayRef> {
        let list = self.array.as_list_opt::<i32>()?;
        list.is_valid(row).then(|| list.value(row))
    }

    /// Reads the headers of a row; whether they are headers.
    pub(super) fn headers(&self, row: usize, headers: &mut Headers) -> bool {
        if !self.kind.is_nested() {
            let text = self.values().value(row).map(String::from_utf8_lossy);
            return text.is_none_or(|text| headers_of_text(&text, headers));
        }
        if self.array.is_null(row) {
            return true;
        }
        if let Some(map) = self.array.as_map_opt() {
            let entries = map.value(row);
            if let [names, values] = entries.columns() {
                pairs(names, values, headers);
            }
        } else if let Some(list) = self.array.as_list_opt::<i32>() {
            let items = list.value(row);
            match items.as_struct_opt() {
                Some(items) => {
                    if let Some((name, value)) = pair(items.fields()) {
                        pairs(items.column(name), items.column(value), headers);
                    }
                }
                None => each(&items, |line| headers.push_block(line)),
            }
        } else if let Some(fields) = self.array.as_struct_opt() {
            for (field, column) in fields.fields().iter().zip(fields.columns()) {
                value(column, row, |value| headers.push(field.name(), value));
            }
        }
        true
    }
}

/// Adds the headers of columns of names and values.
fn pairs(names: &ArrayRef, values: &ArrayRef, headers: &mut Headers) {
    for row in 0..names.len() {
        value(names, row, |name| value(values, row, |value| headers.push(name, value)));
    }
}

/// The text of a row, or each one where it is a list.
fn value(column: &ArrayRef, row: usize, mut take: impl FnMut(&str)) {
    if let Some(texts) = column.as_binary_opt::<i32>() {
        if texts.is_valid(row) {
            take(&String::from_utf8_lossy(texts.value(row)));
        }
    } else if let Some(list) = column.as_list_opt::<i32>().filter(|list| list.is_valid(row)) {
        each(&list.value(row), take);
    }
}

/// Each text of a column.
fn each(column: &ArrayRef, mut take: impl FnMut(&str)) {
    let texts = column.as_binary_opt::<i32>();
    for text in texts.into_iter().flat_map(BinaryArray::iter).flatten() {
        take(&String::from_utf8_lossy(text));
    }
}

/// Values of a column as bytes.
#[derive(Clone, Copy)]
pub(super) enum Values<'a> {
    None,
    Views(&'a BinaryViewArray),
    Strings(&'a StringArray),
    Binary(&'a BinaryArray),
}

impl<'a> Values<'a> {
    /// The value of a row.
    pub(super) fn value(&self, row: usize) -> Option<&'a [u8]> {
        match self {
            Values::None => None,
            Values::Views(views) => views.is_valid(row).then(|| views.value(row)),
            Values::Binary(binary) => binary.is_valid(row).then(|| binary.value(row)),
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
pub(super) fn read_times(
    column: &Column,
    first: i64,
    out: &mut Output,
) -> Result<Vec<Option<i64>>, ArrowError> {
    let array = &column.array;
    let mut times = Vec::with_capacity(array.len());
    if column.kind != Kind::Time {
        let texts = column.values();
        for (row, number) in (0..array.len()).zip(first..) {
            let text = texts.value(row).map(String::from_utf8_lossy);
            let time = text.as_deref().and_then(super::time);
            if let (Some(text), None) = (&text, time) {
                out.notice(Notice::Time, number, || text.to_string());
            }
            times.push(time);
        }
        return Ok(times);
    }
    let cast = cast(array, &DataType::Timestamp(TimeUnit::Microsecond, None))?;
    let cast = cast.as_primitive::<TimestampMicrosecondType>();
    for (row, number) in (0..array.len()).zip(first..) {
        if array.is_valid(row) && cast.is_null(row) {
            out.notice(Notice::Time, number, || "a time out of range".to_owned());
        }
        times.push(cast.is_valid(row).then(|| cast.value(row)));
    }
    Ok(times)
}

/// Statuses as 32-bit integers.
pub(super) fn read_statuses(
    column: &Column,
    first: i64,
    out: &mut Output,
) -> Result<Int32Array, ArrowError> {
    let array = &column.array;
    let statuses = match column.kind {
        Kind::Float => {
            let floats = cast(array, &DataType::Float64)?;
            let floats: &Float64Array = floats.as_primitive::<Float64Type>();
            // 200.0 is written as 200.
            floats.iter().map(|status| status?.to_string().parse::<i32>().ok()).collect()
        }
        _ => cast(array, &DataType::Int32)?.as_primitive::<Int32Type>().clone(),
    };
    if statuses.null_count() > array.null_count() {
        for (row, number) in (0..array.len()).zip(first..) {
            if array.is_valid(row) && statuses.is_null(row) {
                out.notice(Notice::Status, number, || "a status out of range".to_owned());
            }
        }
    }
    Ok(statuses)
}
