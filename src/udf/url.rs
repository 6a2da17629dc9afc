//! Functions of a URL: `url_key`, `id_key`.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, ListBuilder, StringBuilder, StringViewArray, StringViewBuilder, StructArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::common::cast::as_string_view_array;
use datafusion::logical_expr::ScalarUDF;

use super::{Arguments, Function, list_of};
use crate::kernels::url::{self, Key};

pub(super) fn functions() -> Vec<ScalarUDF> {
    use DataType::Utf8View;
    vec![
        Function::udf(
            "url_key_v1",
            vec![Utf8View, DataType::Utf8],
            DataType::Struct(fields()),
            url_keys,
        ),
        Function::udf("url_resolve_v1", vec![Utf8View, Utf8View], Utf8View, resolve),
        Function::udf("registered_domain_v1", vec![Utf8View], Utf8View, domain),
        Function::udf("id_key_v1", vec![Utf8View], Utf8View, id_keys),
    ]
}

fn fields() -> Fields {
    Fields::from(vec![
        Field::new("key", DataType::Utf8View, true),
        Field::new("surtkey", DataType::Utf8View, true),
        Field::new("host", DataType::Utf8View, true),
        Field::new("rules", list_of(DataType::Utf8), true),
        Field::new("refused", DataType::Utf8View, true),
    ])
}

fn url_keys(args: &Arguments) -> Result<ArrayRef> {
    let urls = as_string_view_array(args.array(0)?)?;
    let mut keys = StringViewBuilder::with_capacity(args.rows);
    let mut hosts = StringViewBuilder::with_capacity(args.rows);
    let mut rules = ListBuilder::new(StringBuilder::new());
    let mut refusals = StringViewBuilder::with_capacity(args.rows);
    let mut key = Key::new();
    for url in urls {
        let found = url.map(|url| url::canonical_key(url, &mut key));
        let has_key = matches!(found, Some(Ok(())));
        keys.append_option(has_key.then(|| key.as_str()));
        hosts.append_option(Some(key.host()).filter(|host| has_key && !host.is_empty()));
        if has_key {
            for rule in key.rules().iter() {
                rules.values().append_value(rule.name());
            }
        }
        rules.append(found.is_some());
        refusals.append_option(found.and_then(Result::err).map(url::Refused::name));
    }
    let keys = keys.finish();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(keys.clone()),
        Arc::new(keys),
        Arc::new(hosts.finish()),
        Arc::new(rules.finish()),
        Arc::new(refusals.finish()),
    ];
    Ok(Arc::new(StructArray::try_new(fields(), columns, None)?))
}

fn id_keys(args: &Arguments) -> Result<ArrayRef> {
    let ids = as_string_view_array(args.array(0)?)?;
    let keys: StringViewArray = ids.iter().map(|id| id.map(url::id_key)).collect();
    Ok(Arc::new(keys))
}

fn resolve(args: &Arguments) -> Result<ArrayRef> {
    let bases = as_string_view_array(args.array(0)?)?;
    let refs = as_string_view_array(args.array(1)?)?;
    let out: StringViewArray =
        bases.iter().zip(refs).map(|(b, r)| url::resolved(b?, r?).ok()).collect();
    Ok(Arc::new(out))
}

fn domain(args: &Arguments) -> Result<ArrayRef> {
    Ok(Arc::clone(args.array(0)?))
}
