//! Functions of hosts that may be mirrors: `mirror_names`, `is_lesser_host`, `path_swap`,
//! `path_prefixes`, `path_stratum`, `path_order`, `share_bounds`.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Int32Builder, Int64Array, ListBuilder, StringBuilder, StringViewArray,
    StringViewBuilder, StructArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::common::cast::{as_int64_array, as_string_view_array};
use datafusion::logical_expr::ScalarUDF;

use super::{Arguments, Function, list_of};
use crate::kernels::mirror;

pub(super) fn functions() -> Vec<ScalarUDF> {
    use DataType::{Boolean, Int64, Struct, Utf8, Utf8View};
    let texts = list_of(Utf8);
    vec![
        Function::udf("mirror_names_v1", vec![Utf8View], texts.clone(), names),
        Function::udf("is_lesser_host_v1", vec![Utf8View], Boolean, are_lesser),
        Function::udf("path_swap_v1", vec![Utf8View, Utf8View], Struct(swap_fields()), swaps),
        Function::udf("path_prefixes_v1", vec![Utf8View, Int64], texts, prefixes),
        Function::udf("path_stratum_v1", vec![Utf8View], Utf8View, strata),
        Function::udf("path_order_v1", vec![Utf8View, Utf8View, Utf8View], Int64, orders),
        Function::udf("share_bounds_v1", vec![Int64, Int64], Struct(bound_fields()), bounds),
    ]
}

fn swap_fields() -> Fields {
    let names = ["left_prefix", "right_prefix"];
    names.into_iter().map(|name| Field::new(name, DataType::Utf8View, true)).collect()
}

fn bound_fields() -> Fields {
    let names = ["lower_milli", "upper_milli"];
    names.into_iter().map(|name| Field::new(name, DataType::Int32, true)).collect()
}

fn texts(args: &Arguments, index: usize) -> Result<&StringViewArray> {
    as_string_view_array(args.array(index)?)
}

fn names(args: &Arguments) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for host in texts(args, 0)? {
        lists.append_value(host.map(mirror::names).unwrap_or_default().into_iter().map(Some));
    }
    Ok(Arc::new(lists.finish()))
}

fn are_lesser(args: &Arguments) -> Result<ArrayRef> {
    let hosts = texts(args, 0)?.iter();
    Ok(Arc::new(hosts.map(|host| host.map(mirror::is_lesser)).collect::<BooleanArray>()))
}

/// NULL where the last segments differ.
fn swaps(args: &Arguments) -> Result<ArrayRef> {
    let mut lefts = StringViewBuilder::with_capacity(args.rows);
    let mut rights = StringViewBuilder::with_capacity(args.rows);
    for (left, right) in texts(args, 0)?.iter().zip(texts(args, 1)?) {
        let found = left.zip(right).and_then(|(left, right)| mirror::swap(left, right));
        lefts.append_option(found.map(|(left, _)| left));
        rights.append_option(found.map(|(_, right)| right));
    }
    let columns: Vec<ArrayRef> = vec![Arc::new(lefts.finish()), Arc::new(rights.finish())];
    Ok(Arc::new(StructArray::try_new(swap_fields(), columns, None)?))
}

fn prefixes(args: &Arguments) -> Result<ArrayRef> {
    let depth = args.constant(1)?;
    let mut lists = ListBuilder::new(StringBuilder::new());
    for path in texts(args, 0)? {
        let found = path.map(|path| mirror::prefixes(path, depth)).unwrap_or_default();
        lists.append_value(found.into_iter().map(Some));
    }
    Ok(Arc::new(lists.finish()))
}

fn strata(args: &Arguments) -> Result<ArrayRef> {
    let paths = texts(args, 0)?.iter();
    Ok(Arc::new(paths.map(|path| path.map(mirror::stratum)).collect::<StringViewArray>()))
}

fn orders(args: &Arguments) -> Result<ArrayRef> {
    let (lefts, rights, paths) = (texts(args, 0)?, texts(args, 1)?, texts(args, 2)?);
    let rows = lefts.iter().zip(rights).zip(paths);
    let order = |((left, right), path): ((Option<&str>, Option<&str>), Option<&str>)| {
        Some(mirror::order(left?, right?, path?))
    };
    Ok(Arc::new(rows.map(order).collect::<Int64Array>()))
}

fn bounds(args: &Arguments) -> Result<ArrayRef> {
    let (same, compared) = (as_int64_array(args.array(0)?)?, as_int64_array(args.array(1)?)?);
    let mut lowers = Int32Builder::with_capacity(args.rows);
    let mut uppers = Int32Builder::with_capacity(args.rows);
    for (same, compared) in same.iter().zip(compared) {
        let found = same.zip(compared).map(|(same, compared)| mirror::bounds(same, compared));
        lowers.append_option(found.map(|found| found.lower_milli));
        uppers.append_option(found.map(|found| found.upper_milli));
    }
    let columns: Vec<ArrayRef> = vec![Arc::new(lowers.finish()), Arc::new(uppers.finish())];
    Ok(Arc::new(StructArray::try_new(bound_fields(), columns, None)?))
}
