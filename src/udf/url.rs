//! Functions of a URL: `url_key`, `url_resolve`, `id_key`, `registered_domain`.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, ListBuilder, StringBuilder, StringViewArray, StringViewBuilder, StructArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::cast::as_string_view_array;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::ScalarUDF;

use super::{Arguments, Function, list_of};
use crate::kernels::url::{self, Key, Policy};

pub(super) fn functions() -> Vec<ScalarUDF> {
    use DataType::Utf8View;
    let key = DataType::Struct(fields());
    vec![
        Function::udf("url_key_v1", vec![Utf8View, Utf8View], key, url_keys),
        Function::udf("url_resolve_v1", vec![Utf8View, Utf8View], Utf8View, resolved_urls),
        Function::udf("id_key_v1", vec![Utf8View], Utf8View, id_keys),
        Function::udf("registered_domain_v1", vec![Utf8View], Utf8View, registered_domains),
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

/// The policy that the argument at `index` names, one for all rows.
fn policy(args: &Arguments, index: usize) -> Result<Policy> {
    let words = as_string_view_array(args.array(index)?)?;
    let mut rows = words.iter();
    let Some(first) = rows.next() else { return Ok(Policy::SAFE) };
    let Some(first) = first.filter(|_| rows.all(|row| row == first)) else {
        return exec_err!("{}: argument {} wants one policy for all rows", args.name, index + 1);
    };
    match Policy::of_words(first) {
        Ok(policy) => Ok(policy),
        Err(unknown) => exec_err!("{}: argument {}: {unknown}", args.name, index + 1),
    }
}

fn url_keys(args: &Arguments) -> Result<ArrayRef> {
    let urls = as_string_view_array(args.array(0)?)?;
    let policy = policy(args, 1)?;
    let mut keys = StringViewBuilder::with_capacity(args.rows);
    let mut surtkeys = StringViewBuilder::with_capacity(args.rows);
    let mut hosts = StringViewBuilder::with_capacity(args.rows);
    let mut rules = ListBuilder::new(StringBuilder::new());
    let mut refusals = StringViewBuilder::with_capacity(args.rows);
    let (mut key, mut surt) = (Key::new(), String::new());
    for url in urls {
        let found = url.map(|url| url::canonical_key_with_surt(url, policy, &mut key, &mut surt));
        let has_key = matches!(found, Some(Ok(())));
        keys.append_option(has_key.then(|| key.as_str()));
        surtkeys.append_option(has_key.then_some(&surt));
        hosts.append_option(Some(key.host()).filter(|host| has_key && !host.is_empty()));
        if has_key {
            for rule in key.rules().iter() {
                rules.values().append_value(rule.name());
            }
        }
        rules.append(found.is_some());
        refusals.append_option(found.and_then(Result::err).map(url::Refused::name));
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(keys.finish()),
        Arc::new(surtkeys.finish()),
        Arc::new(hosts.finish()),
        Arc::new(rules.finish()),
        Arc::new(refusals.finish()),
    ];
    Ok(Arc::new(StructArray::try_new(fields(), columns, None)?))
}

/// NULL also where the base is no URL and where the reference has no meaning there.
fn resolved_urls(args: &Arguments) -> Result<ArrayRef> {
    let bases = as_string_view_array(args.array(0)?)?;
    let references = as_string_view_array(args.array(1)?)?;
    let resolved = bases.iter().zip(references).map(|pair| match pair {
        (Some(base), Some(reference)) => url::resolved(base, reference).ok(),
        _ => None,
    });
    Ok(Arc::new(resolved.collect::<StringViewArray>()))
}

fn id_keys(args: &Arguments) -> Result<ArrayRef> {
    let ids = as_string_view_array(args.array(0)?)?;
    let keys: StringViewArray = ids.iter().map(|id| id.map(url::id_key)).collect();
    Ok(Arc::new(keys))
}

fn registered_domains(args: &Arguments) -> Result<ArrayRef> {
    let hosts = as_string_view_array(args.array(0)?)?;
    let domains: StringViewArray =
        hosts.iter().map(|host| host.and_then(url::registered_domain)).collect();
    Ok(Arc::new(domains))
}
