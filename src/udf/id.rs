//! Functions that make public ids and spread rows: `page_id`, `cluster_id`, `id_bucket`,
//! `text_bucket`.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BinaryArray, Int32Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::cast::{as_binary_array, as_string_view_array};
use datafusion::logical_expr::ScalarUDF;

use super::{Arguments, Function};
use crate::kernels::id;

pub(super) fn functions() -> Vec<ScalarUDF> {
    use DataType::{Binary, Int32, Int64, Utf8View};
    vec![
        Function::udf("page_id_v1", vec![Utf8View, Binary], Binary, page_id),
        Function::udf("cluster_id_v1", vec![Binary], Binary, cluster_id),
        Function::udf("id_bucket_v1", vec![Binary, Int64], Int32, id_bucket),
        Function::udf("text_bucket_v1", vec![Utf8View, Int64], Int32, text_bucket),
    ]
}

fn page_id(args: &Arguments) -> Result<ArrayRef> {
    let keys = as_string_view_array(args.array(0)?)?;
    let digests = as_binary_array(args.array(1)?)?;
    let ids: BinaryArray =
        keys.iter().zip(digests).map(|(key, digest)| Some(id::page(key?, digest?))).collect();
    Ok(Arc::new(ids))
}

fn cluster_id(args: &Arguments) -> Result<ArrayRef> {
    let medoids = as_binary_array(args.array(0)?)?;
    let ids: BinaryArray = medoids.iter().map(|medoid| medoid.map(id::cluster)).collect();
    Ok(Arc::new(ids))
}

fn id_bucket(args: &Arguments) -> Result<ArrayRef> {
    let buckets = args.constant(1)?;
    let ids = as_binary_array(args.array(0)?)?;
    let bucket = |id: Option<&[u8]>| Some(id::bucket(id?, buckets));
    Ok(Arc::new(ids.iter().map(bucket).collect::<Int32Array>()))
}

fn text_bucket(args: &Arguments) -> Result<ArrayRef> {
    let buckets = args.constant(1)?;
    let texts = as_string_view_array(args.array(0)?)?;
    let bucket = |text: Option<&str>| id::text_bucket(text.unwrap_or_default(), buckets);
    Ok(Arc::new(texts.iter().map(|text| Some(bucket(text))).collect::<Int32Array>()))
}
