//! Functions of a text: `fingerprint`, `shingle_set`, `text_proof`.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, BinaryBuilder, BooleanBuilder, Int32Builder, Int64Builder, ListBuilder,
    StringViewArray, StructArray,
};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::cast::as_string_view_array;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::ScalarUDF;

use super::{Arguments, Function, list_of};
use crate::kernels::fingerprint::{self, Plan, Reader, Scratch};
use crate::kernels::shingle::Width;
use crate::kernels::text::Rules;

pub(super) fn functions() -> Vec<ScalarUDF> {
    let fingerprint = |name, call| {
        let arguments = vec![DataType::Utf8View, DataType::Int64, DataType::Int64, DataType::Int64];
        Function::udf(name, arguments, DataType::Struct(fields()), call)
    };
    let shingle_set = |name, call| {
        Function::udf(name, vec![DataType::Utf8View, DataType::Int64], DataType::Binary, call)
    };
    let text_proof =
        |name, call| Function::udf(name, vec![DataType::Utf8View], DataType::Binary, call);
    vec![
        fingerprint("fingerprint_v1", |args| fingerprints(Rules::V1, args)),
        fingerprint("fingerprint_v2", |args| fingerprints(Rules::V2, args)),
        fingerprint("fingerprint_v3", |args| fingerprints(Rules::V3, args)),
        fingerprint("fingerprint_word_v1", |args| fingerprints(Rules::Word, args)),
        shingle_set("shingle_set_v1", |args| shingle_sets(Rules::V1, args)),
        shingle_set("shingle_set_v2", |args| shingle_sets(Rules::V2, args)),
        shingle_set("shingle_set_v3", |args| shingle_sets(Rules::V3, args)),
        shingle_set("shingle_set_word_v1", |args| shingle_sets(Rules::Word, args)),
        text_proof("text_proof_v1", |args| text_proofs(Rules::V1, args)),
        text_proof("text_proof_v2", |args| text_proofs(Rules::V2, args)),
        text_proof("text_proof_v3", |args| text_proofs(Rules::V3, args)),
        text_proof("text_proof_word_v1", |args| text_proofs(Rules::Word, args)),
    ]
}

fn fields() -> Fields {
    Fields::from(vec![
        Field::new("tokens", DataType::Int32, true),
        Field::new("text_digest", DataType::Binary, true),
        Field::new("is_empty", DataType::Boolean, true),
        Field::new("scripts", DataType::Int64, true),
        Field::new("simhash", DataType::Int64, true),
        Field::new("buckets", list_of(DataType::Int64), true),
        Field::new("slots", DataType::Binary, true),
        Field::new("samples", list_of(DataType::Int64), true),
    ])
}

fn texts(args: &Arguments) -> Result<&StringViewArray> {
    as_string_view_array(args.array(0)?)
}

fn width(args: &Arguments, index: usize) -> Result<Width> {
    let tokens = args.constant(index)?;
    match Width::new(tokens) {
        Some(width) => Ok(width),
        None => exec_err!("{}: width is {tokens}, wanted 3 to 10", args.name),
    }
}

/// One column of a fingerprint each.
#[derive(Default)]
struct Columns {
    tokens: Int32Builder,
    text_digest: BinaryBuilder,
    is_empty: BooleanBuilder,
    scripts: Int64Builder,
    simhash: Int64Builder,
    buckets: ListBuilder<Int64Builder>,
    slots: BinaryBuilder,
    samples: ListBuilder<Int64Builder>,
}

impl Columns {
    fn push(&mut self, found: &fingerprint::Fingerprint<'_>) {
        self.tokens.append_value(i32::try_from(found.tokens).unwrap_or(i32::MAX));
        self.text_digest.append_value(found.text_digest);
        self.is_empty.append_value(found.is_empty);
        self.scripts.append_value(found.scripts.cast_signed());
        self.simhash.append_option(found.simhash.map(u64::cast_signed));
        for bucket in found.buckets {
            self.buckets.values().append_value(bucket.cast_signed());
        }
        self.buckets.append(true);
        self.slots.append_value(found.slots_low);
        for sample in found.samples {
            self.samples.values().append_value(sample.cast_signed());
        }
        self.samples.append(true);
    }

    fn push_null(&mut self) {
        self.tokens.append_null();
        self.text_digest.append_null();
        self.is_empty.append_null();
        self.scripts.append_null();
        self.simhash.append_null();
        self.buckets.append(false);
        self.slots.append_null();
        self.samples.append(false);
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        vec![
            Arc::new(self.tokens.finish()),
            Arc::new(self.text_digest.finish()),
            Arc::new(self.is_empty.finish()),
            Arc::new(self.scripts.finish()),
            Arc::new(self.simhash.finish()),
            Arc::new(self.buckets.finish()),
            Arc::new(self.slots.finish()),
            Arc::new(self.samples.finish()),
        ]
    }
}

fn fingerprints(rules: Rules, args: &Arguments) -> Result<ArrayRef> {
    let plan = match Plan::new(args.constant(1)?, args.constant(2)?, args.constant(3)?) {
        Ok(plan) => plan,
        Err(fault) => return exec_err!("{}: {fault}", args.name),
    };
    let texts = texts(args)?;
    let mut reader = Reader::new(rules, plan);
    let mut columns = Columns::default();
    for text in texts {
        match text {
            Some(text) => columns.push(&reader.read(text)),
            None => columns.push_null(),
        }
    }
    let nulls: Option<NullBuffer> = texts.nulls().cloned();
    Ok(Arc::new(StructArray::try_new(fields(), columns.finish(), nulls)?))
}

fn shingle_sets(rules: Rules, args: &Arguments) -> Result<ArrayRef> {
    let width = width(args, 1)?;
    let mut scratch = Scratch::new();
    let mut sets = BinaryBuilder::with_capacity(args.rows, args.rows * 4096);
    let mut bytes = Vec::new();
    for text in texts(args)? {
        let Some(text) = text else {
            sets.append_null();
            continue;
        };
        bytes.clear();
        for hash in fingerprint::shingle_set(rules, width, text, &mut scratch) {
            bytes.extend_from_slice(&hash.to_le_bytes());
        }
        sets.append_value(&bytes);
    }
    Ok(Arc::new(sets.finish()))
}

fn text_proofs(rules: Rules, args: &Arguments) -> Result<ArrayRef> {
    let mut scratch = Scratch::new();
    let mut proofs = BinaryBuilder::with_capacity(args.rows, args.rows * 16);
    for text in texts(args)? {
        proofs.append_option(text.map(|text| fingerprint::text_proof(rules, text, &mut scratch)));
    }
    Ok(Arc::new(proofs.finish()))
}
