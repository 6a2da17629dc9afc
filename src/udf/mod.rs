//! SQL functions: adapters that move values in and out of Arrow and do not compute.
//!
//! A function is a name, its argument types, what it returns, and a plain `fn`. All that matters
//! is in the name or the arguments, so on a cluster a function is found again by name alone.
//! [`register_all`] makes every version callable; a plain name is bound to the version that a job
//! pins, or to the newest.

mod banding;
mod boilerplate;
mod gate;
mod guard;
mod html;
mod id;
mod mirror;
mod text;
mod url;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::{Result, exec_err};
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use crate::method::{METHODS, Method};

/// Arguments as arrays of equal length, and that length.
struct Arguments {
    name: &'static str,
    arrays: Vec<ArrayRef>,
    rows: usize,
}

impl Arguments {
    fn array(&self, index: usize) -> Result<&ArrayRef> {
        match self.arrays.get(index) {
            Some(array) => Ok(array),
            None => exec_err!("{}: argument {} is missing", self.name, index + 1),
        }
    }

    /// The integer argument at `index`, which has to be one value for all rows.
    fn constant(&self, index: usize) -> Result<usize> {
        let array = datafusion::common::cast::as_int64_array(self.array(index)?)?;
        let mut values = array.iter();
        let first = values.next().flatten();
        let is_one = values.all(|value| value == first);
        let value = first
            .filter(|_| is_one || array.is_empty())
            .and_then(|value| usize::try_from(value).ok());
        match value {
            Some(value) => Ok(value),
            None if array.is_empty() => Ok(0),
            None => exec_err!(
                "{}: argument {} wants one integer, 0 or more, for all rows",
                self.name,
                index + 1
            ),
        }
    }
}

/// One SQL function.
#[derive(Debug)]
struct Function {
    name: &'static str,
    signature: Signature,
    returns: DataType,
    call: fn(&Arguments) -> Result<ArrayRef>,
}

impl Function {
    fn udf(
        name: &'static str,
        arguments: Vec<DataType>,
        returns: DataType,
        call: fn(&Arguments) -> Result<ArrayRef>,
    ) -> ScalarUDF {
        let signature = Signature::exact(arguments, Volatility::Immutable);
        ScalarUDF::new_from_impl(Function { name, signature, returns, call })
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.returns.clone())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let is_scalar = args.args.iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
        let rows = if is_scalar { 1 } else { rows };
        let arrays =
            args.args.into_iter().map(|value| value.into_array(rows)).collect::<Result<_>>()?;
        let array = (self.call)(&Arguments { name: self.name, arrays, rows })?;
        if is_scalar {
            let value = datafusion::scalar::ScalarValue::try_from_array(&array, 0)?;
            return Ok(ColumnarValue::Scalar(value));
        }
        Ok(ColumnarValue::Array(array))
    }
}

fn list_of(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new("item", item, true)))
}

/// Every function under its versioned name.
fn functions() -> Vec<ScalarUDF> {
    let mut functions = url::functions();
    functions.extend(html::functions());
    functions.extend(gate::functions());
    functions.extend(boilerplate::functions());
    functions.extend(guard::functions());
    functions.extend(text::functions());
    functions.extend(banding::functions());
    functions.extend(id::functions());
    functions.extend(mirror::functions());
    functions
}

/// Registers every version of every function, and binds the plain names to the methods of
/// `pinned`; a role that `pinned` leaves out gets its newest method.
///
/// # Errors
///
/// When the registry refuses a function.
pub fn register_all(registry: &mut dyn FunctionRegistry, pinned: &[&'static Method]) -> Result<()> {
    for function in functions() {
        let function = match plain_name(function.name(), pinned) {
            Some(plain) => function.with_aliases([plain]),
            None => function,
        };
        registry.register_udf(Arc::new(function))?;
    }
    Ok(())
}

fn plain_name(versioned: &str, pinned: &[&'static Method]) -> Option<&'static str> {
    let bound = |method: &&'static Method| {
        method.functions.iter().find(|(_, name)| *name == versioned).map(|(plain, _)| *plain)
    };
    let newest = METHODS.iter().filter(|method| {
        let is_first_name =
            METHODS.iter().find(|other| other.role == method.role).map(|other| other.name);
        let is_newest = METHODS
            .iter()
            .filter(|other| other.name == method.name)
            .all(|other| other.version <= method.version);
        let is_pinned = pinned.iter().any(|other| other.role == method.role);
        is_first_name == Some(method.name) && is_newest && !is_pinned
    });
    pinned.iter().copied().chain(newest).find_map(|method| bound(&method))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn functions_and_methods_name_each_other() {
        let made: BTreeSet<_> = functions().iter().map(|udf| udf.name().to_owned()).collect();
        let named: BTreeSet<_> = METHODS
            .iter()
            .flat_map(|method| method.functions.iter().map(|(_, name)| (*name).to_owned()))
            .collect();
        assert_eq!(made, named);
        assert_eq!(made.len(), functions().len(), "a name is used twice");
    }

    #[test]
    fn a_plain_name_means_the_pinned_version_or_the_newest() {
        let first = crate::method::find("fingerprint", 1).unwrap();
        assert_eq!(plain_name("fingerprint_v1", &[first]), Some("fingerprint"));
        assert_eq!(plain_name("fingerprint_v2", &[first]), None);
        assert_eq!(plain_name("fingerprint_v3", &[]), Some("fingerprint"));
        assert_eq!(plain_name("fingerprint_word_v1", &[]), None);
        assert_eq!(plain_name("url_key_v1", &[first]), Some("url_key"));
    }
}
