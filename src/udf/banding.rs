//! Functions of signatures: `bucket_orders`, `bucket_pairs`, `equal_slots`, `hamming`,
//! `simhash_blocks`.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, Int32Array, Int64Array, Int64Builder, ListArray, ListBuilder, StructArray,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::common::cast::{
    as_binary_array, as_boolean_array, as_int64_array, as_list_array, as_struct_array,
};
use datafusion::logical_expr::ScalarUDF;

use super::{Arguments, Function, list_of};
use crate::kernels::banding::{self, Bounds};
use crate::kernels::{minhash, simhash};
use crate::schema::ColumnKind;

pub(super) fn functions() -> Vec<ScalarUDF> {
    use DataType::{Binary, Boolean, Int32, Int64};
    let members = ColumnKind::Members.arrow();
    vec![
        Function::udf("bucket_orders_v1", vec![Binary, Int64], list_of(Int64), bucket_orders),
        Function::udf(
            "bucket_pairs_v1",
            vec![members, Int64, Int64, Int64],
            DataType::List(pair_field()),
            bucket_pairs,
        ),
        Function::udf("equal_slots_v1", vec![Binary, Binary], Int32, equal_slots),
        Function::udf("hamming_v1", vec![Int64, Int64], Int32, hamming),
        Function::udf("simhash_blocks_v1", vec![Int64, Boolean], list_of(Int64), simhash_blocks),
    ]
}

fn pair_fields() -> Fields {
    Fields::from(vec![
        Field::new("left", DataType::Int64, true),
        Field::new("right", DataType::Int64, true),
    ])
}

fn pair_field() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Struct(pair_fields()), true))
}

fn bucket_orders(args: &Arguments) -> Result<ArrayRef> {
    let slots = as_binary_array(args.array(0)?)?;
    let bands = args.constant(1)?;
    let mut lists = ListBuilder::new(Int64Builder::new());
    let mut orders = Vec::new();
    for slots in slots {
        if let Some(slots) = slots {
            banding::orders(slots, bands, &mut orders);
            lists.values().append_slice(&orders);
        }
        lists.append(slots.is_some());
    }
    Ok(Arc::new(lists.finish()))
}

fn bucket_pairs(args: &Arguments) -> Result<ArrayRef> {
    let lists = as_list_array(args.array(0)?)?;
    let bounds = Bounds {
        bucket_limit: args.constant(1)?,
        centres: args.constant(2)?,
        window: args.constant(3)?,
    };
    let members = as_struct_array(lists.values())?;
    let orders = as_int64_array(members.column(0))?.values();
    let documents = as_int64_array(members.column(1))?.values();
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    let mut lengths = Vec::with_capacity(lists.len());
    let mut bucket = Vec::new();
    for range in lists.value_offsets().windows(2) {
        let [start, end] = [range[0], range[1]].map(|at| usize::try_from(at).unwrap_or_default());
        bucket.clear();
        let rows = orders[start..end].iter().zip(&documents[start..end]);
        bucket.extend(rows.map(|(&order, &document)| (order, document)));
        let before = lefts.len();
        banding::pairs(&mut bucket, bounds, |left, right| {
            lefts.push(left);
            rights.push(right);
        });
        lengths.push(lefts.len() - before);
    }
    let columns: Vec<ArrayRef> =
        vec![Arc::new(Int64Array::from(lefts)), Arc::new(Int64Array::from(rights))];
    let pairs = StructArray::try_new(pair_fields(), columns, None)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(
        pair_field(),
        offsets,
        Arc::new(pairs),
        lists.nulls().cloned(),
    )?))
}

fn equal_slots(args: &Arguments) -> Result<ArrayRef> {
    let lefts = as_binary_array(args.array(0)?)?;
    let rights = as_binary_array(args.array(1)?)?;
    let count = |(left, right): (Option<&[u8]>, Option<&[u8]>)| {
        Some(i32::try_from(minhash::equal_slots(left?, right?)).unwrap_or(i32::MAX))
    };
    Ok(Arc::new(lefts.iter().zip(rights).map(count).collect::<Int32Array>()))
}

fn hamming(args: &Arguments) -> Result<ArrayRef> {
    let lefts = as_int64_array(args.array(0)?)?;
    let rights = as_int64_array(args.array(1)?)?;
    let distance = |(left, right): (Option<i64>, Option<i64>)| {
        let bits = simhash::hamming(left?.cast_unsigned(), right?.cast_unsigned());
        Some(i32::try_from(bits).unwrap_or(i32::MAX))
    };
    Ok(Arc::new(lefts.iter().zip(rights).map(distance).collect::<Int32Array>()))
}

/// Block keys where the second argument is true, else none: a switch that is an argument keeps the
/// branch of the plan, which a constant condition would drop on one side of a cluster only.
fn simhash_blocks(args: &Arguments) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(Int64Builder::new());
    let switches = as_boolean_array(args.array(1)?)?;
    for (simhash, is_used) in as_int64_array(args.array(0)?)?.iter().zip(switches) {
        if let Some(simhash) = simhash.filter(|_| is_used == Some(true)) {
            for key in simhash::block_keys(simhash.cast_unsigned()) {
                lists.values().append_value(key.cast_signed());
            }
        }
        lists.append(simhash.is_some());
    }
    Ok(Arc::new(lists.finish()))
}
