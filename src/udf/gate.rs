//! Functions of the gate: `gate`, `page_gate`, `path_repeats`.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, BooleanArray, Int32Array, Int32Builder, Int64Array, ListArray,
    StringViewArray, StringViewBuilder, StructArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::common::cast::{
    as_boolean_array, as_int32_array, as_int64_array, as_list_array, as_string_view_array,
};
use datafusion::logical_expr::ScalarUDF;

use super::{Arguments, Function, list_of};
use crate::kernels::gate::{self, Fetched, Seen};
use crate::kernels::url;

pub(super) fn functions() -> Vec<ScalarUDF> {
    use DataType::{Boolean, Int32, Int64, Utf8View};
    let first = vec![Int32, Boolean, Boolean, Int64, Boolean, Boolean, Int64];
    let verdict = || DataType::Struct(fields());
    vec![
        Function::udf("gate_v1", first, Utf8View, gates),
        Function::udf("page_gate_v1", arguments(), verdict(), page_gates_v1),
        Function::udf("page_gate_v2", arguments(), verdict(), page_gates_v2),
        Function::udf("path_repeats_v1", vec![Utf8View], Int32, no_repeats),
        Function::udf("path_repeats_v2", vec![Utf8View], Int32, path_repeats),
    ]
}

/// Status, is HTML, is empty, tokens, is sent on, is extracted, least tokens, title, heading, main
/// text, full text, URL, where it is sent, password fields, marks.
fn arguments() -> Vec<DataType> {
    use DataType::{Boolean, Int32, Int64, Utf8View};
    let texts = || Utf8View;
    vec![
        Int32,
        Boolean,
        Boolean,
        Int64,
        Boolean,
        Boolean,
        Int64,
        texts(),
        texts(),
        texts(),
        texts(),
        texts(),
        texts(),
        Int64,
        list_of(Utf8View),
    ]
}

fn fields() -> Fields {
    Fields::from(vec![
        Field::new("gate", DataType::Utf8View, true),
        Field::new("reason", DataType::Utf8View, true),
    ])
}

/// The columns that every version looks at. NULL is: no status, no HTML, an empty text of no
/// tokens, no refresh, an extractor that worked.
struct Answers<'a> {
    statuses: &'a Int32Array,
    is_html: &'a BooleanArray,
    is_empty: &'a BooleanArray,
    tokens: &'a Int64Array,
    is_refresh: &'a BooleanArray,
    is_extracted: &'a BooleanArray,
    tokens_min: i64,
}

/// And those that the second looks at. NULL is: nothing.
struct Columns<'a> {
    answers: Answers<'a>,
    titles: &'a StringViewArray,
    headings: &'a StringViewArray,
    main_texts: &'a StringViewArray,
    full_texts: &'a StringViewArray,
    urls: &'a StringViewArray,
    final_urls: &'a StringViewArray,
    passwords: &'a Int64Array,
    marks: &'a ListArray,
}

fn text_at(texts: &StringViewArray, row: usize) -> Option<&str> {
    texts.is_valid(row).then(|| texts.value(row))
}

fn is_true(values: &BooleanArray, row: usize) -> bool {
    values.is_valid(row) && values.value(row)
}

fn number_at(values: &Int64Array, row: usize) -> i64 {
    if values.is_valid(row) { values.value(row) } else { 0 }
}

impl<'a> Answers<'a> {
    fn of(args: &'a Arguments) -> Result<Self> {
        Ok(Self {
            statuses: as_int32_array(args.array(0)?)?,
            is_html: as_boolean_array(args.array(1)?)?,
            is_empty: as_boolean_array(args.array(2)?)?,
            tokens: as_int64_array(args.array(3)?)?,
            is_refresh: as_boolean_array(args.array(4)?)?,
            is_extracted: as_boolean_array(args.array(5)?)?,
            tokens_min: i64::try_from(args.constant(6)?).unwrap_or(i64::MAX),
        })
    }

    fn fetched(&self, row: usize) -> Fetched {
        Fetched {
            status: self.statuses.is_valid(row).then(|| self.statuses.value(row)),
            is_html: is_true(self.is_html, row),
            is_empty: self.is_empty.is_null(row) || self.is_empty.value(row),
            tokens: number_at(self.tokens, row),
            is_refresh: is_true(self.is_refresh, row),
            is_extracted: self.is_extracted.is_null(row) || self.is_extracted.value(row),
            tokens_min: self.tokens_min,
        }
    }
}

impl<'a> Columns<'a> {
    fn of(args: &'a Arguments) -> Result<Self> {
        Ok(Self {
            answers: Answers::of(args)?,
            titles: as_string_view_array(args.array(7)?)?,
            headings: as_string_view_array(args.array(8)?)?,
            main_texts: as_string_view_array(args.array(9)?)?,
            full_texts: as_string_view_array(args.array(10)?)?,
            urls: as_string_view_array(args.array(11)?)?,
            final_urls: as_string_view_array(args.array(12)?)?,
            passwords: as_int64_array(args.array(13)?)?,
            marks: as_list_array(args.array(14)?)?,
        })
    }

    fn seen<'s>(&'s self, row: usize, marks: &'s [&'s str]) -> Seen<'s> {
        let fetched = self.answers.fetched(row);
        Seen {
            status: fetched.status,
            is_html: fetched.is_html,
            is_empty: fetched.is_empty,
            tokens: fetched.tokens,
            tokens_min: fetched.tokens_min,
            is_refresh: fetched.is_refresh,
            is_extracted: fetched.is_extracted,
            title: text_at(self.titles, row),
            heading: text_at(self.headings, row),
            main_text: text_at(self.main_texts, row).unwrap_or_default(),
            full_text: text_at(self.full_texts, row).unwrap_or_default(),
            url: text_at(self.urls, row).unwrap_or_default(),
            final_url: text_at(self.final_urls, row),
            passwords: number_at(self.passwords, row),
            marks,
        }
    }
}

/// Both parts of a verdict, as columns.
#[derive(Default)]
struct Verdicts {
    gates: StringViewBuilder,
    reasons: StringViewBuilder,
}

impl Verdicts {
    fn push(&mut self, gate: &str, reason: &str) {
        self.gates.append_value(gate);
        self.reasons.append_value(reason);
    }

    fn finish(mut self) -> Result<ArrayRef> {
        let columns: Vec<ArrayRef> =
            vec![Arc::new(self.gates.finish()), Arc::new(self.reasons.finish())];
        Ok(Arc::new(StructArray::try_new(fields(), columns, None)?))
    }
}

fn gates(args: &Arguments) -> Result<ArrayRef> {
    let answers = Answers::of(args)?;
    let mut classes = StringViewBuilder::with_capacity(args.rows);
    for row in 0..args.rows {
        classes.append_value(gate::gate(&answers.fetched(row)).name());
    }
    Ok(Arc::new(classes.finish()))
}

/// Version 1 gives no reason but its class.
fn page_gates_v1(args: &Arguments) -> Result<ArrayRef> {
    let answers = Answers::of(args)?;
    let mut verdicts = Verdicts::default();
    for row in 0..args.rows {
        let name = gate::gate(&answers.fetched(row)).name();
        verdicts.push(name, name);
    }
    verdicts.finish()
}

fn page_gates_v2(args: &Arguments) -> Result<ArrayRef> {
    let columns = Columns::of(args)?;
    let mut verdicts = Verdicts::default();
    for row in 0..args.rows {
        let marks = columns.marks.is_valid(row).then(|| columns.marks.value(row));
        let marks: Vec<&str> = match &marks {
            Some(marks) => as_string_view_array(marks)?.iter().flatten().collect(),
            None => Vec::new(),
        };
        let verdict = gate::judge(&columns.seen(row, &marks));
        verdicts.push(verdict.gate.name(), verdict.reason);
    }
    verdicts.finish()
}

/// Version 1 knows no loops.
fn no_repeats(args: &Arguments) -> Result<ArrayRef> {
    Ok(Arc::new(Int32Array::from(vec![0; args.rows])))
}

fn path_repeats(args: &Arguments) -> Result<ArrayRef> {
    let urls = as_string_view_array(args.array(0)?)?;
    let mut counts = Int32Builder::with_capacity(args.rows);
    for address in urls {
        let repeats = address.map_or(0, url::path_repeats);
        counts.append_value(i32::try_from(repeats).unwrap_or(i32::MAX));
    }
    Ok(Arc::new(counts.finish()))
}
