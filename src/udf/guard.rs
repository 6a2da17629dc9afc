//! Functions of the guards: `product_relation`.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, ListArray, StringViewBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::cast::{as_list_array, as_string_view_array};
use datafusion::logical_expr::ScalarUDF;

use super::{Arguments, Function, list_of};
use crate::kernels::product;

pub(super) fn functions() -> Vec<ScalarUDF> {
    let texts = || list_of(DataType::Utf8View);
    let two = vec![texts(), texts()];
    vec![Function::udf("product_relation_v1", two, DataType::Utf8View, product_relations)]
}

/// NULL is the empty list.
fn product_relations(args: &Arguments) -> Result<ArrayRef> {
    let (lefts, rights) = (as_list_array(args.array(0)?)?, as_list_array(args.array(1)?)?);
    let mut relations = StringViewBuilder::with_capacity(args.rows);
    for row in 0..args.rows {
        let (left, right) = (values(lefts, row), values(rights, row));
        let (left, right) = (as_texts(left.as_ref())?, as_texts(right.as_ref())?);
        relations.append_value(product::relation(&left, &right).name());
    }
    Ok(Arc::new(relations.finish()))
}

fn values(lists: &ListArray, row: usize) -> Option<ArrayRef> {
    lists.is_valid(row).then(|| lists.value(row))
}

fn as_texts(values: Option<&ArrayRef>) -> Result<Vec<&str>> {
    let Some(values) = values else { return Ok(Vec::new()) };
    Ok(as_string_view_array(values)?.iter().flatten().collect())
}
