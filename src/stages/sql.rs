//! A SQL file and its head: what a stage reads, which parameters it binds, what it promises.
//!
//! The head is read by machine. Lines that start with `-- word:` are entries; a line that starts
//! with more white space continues the entry before it. The select below it is pure: no table is
//! created and no path is named; values enter as bound parameters, tables by logical name.

use datafusion::common::ParamValues;
use datafusion::scalar::ScalarValue;

use crate::error::{Error, Result};
use crate::job::{Job, Scalar};

/// The head of a SQL file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Head {
    /// Name of the stage or audit.
    pub name: String,
    /// Tables that the select reads.
    pub reads: Vec<String>,
    /// Parameters: name, SQL type, meaning.
    pub params: Vec<(String, String, String)>,
    /// Promises: name and a condition that holds on every row of the output.
    pub invariants: Vec<(String, String)>,
    /// The operator that the selected rows go through, and the parameters that it takes.
    pub operator: Option<(String, Vec<String>)>,
    /// Whether joins build a hash table: rows with text or shingle sets are not sorted.
    pub is_hash_join: bool,
    /// Rows of a batch that it reads, where a row may be many megabytes.
    pub batch_rows: Option<usize>,
    /// Why the stage exists.
    pub why: String,
}

impl Head {
    /// Reads the head of a SQL file.
    pub fn parse(sql: &str) -> Self {
        let mut head = Head::default();
        let mut last = "";
        for line in sql.lines().map_while(|line| line.strip_prefix("--")) {
            let text = line.trim();
            if line.starts_with("  ") {
                head.continued(last, text);
            } else if let Some((word, rest)) = text.split_once(':') {
                last = word;
                head.entry(word, rest.trim());
            }
        }
        head
    }

    /// Takes a line that continues the entry before it.
    fn continued(&mut self, last: &str, text: &str) {
        match last {
            "why" => self.why = format!("{} {text}", self.why),
            "reads" => self.reads.extend(names(text)),
            "invariant" => {
                if let Some((_, condition)) = self.invariants.last_mut() {
                    *condition = format!("{condition} {text}");
                }
            }
            _ => {}
        }
    }

    fn entry(&mut self, word: &str, rest: &str) {
        let mut words = rest.split_whitespace().map(str::to_owned);
        match word {
            "stage" | "audit" => self.name = rest.to_owned(),
            "reads" => self.reads = names(rest).collect(),
            "param" => {
                let (name, kind) = (words.next(), words.next());
                let meaning = words.collect::<Vec<_>>().join(" ");
                self.params.push((name.unwrap_or_default(), kind.unwrap_or_default(), meaning));
            }
            "invariant" => {
                let name = words.next().unwrap_or_default();
                self.invariants.push((name, words.collect::<Vec<_>>().join(" ")));
            }
            "operator" => self.operator = words.next().map(|name| (name, words.collect())),
            "join" => self.is_hash_join = rest == "hash",
            "batch" => self.batch_rows = words.next().and_then(|word| word.parse().ok()),
            "why" => self.why = rest.to_owned(),
            _ => {}
        }
    }

    /// Parameters that the select itself binds, with the values that `job` gives.
    ///
    /// # Errors
    ///
    /// A job error for a parameter that no setting provides.
    pub fn bound(&self, job: &Job) -> Result<Vec<(String, Scalar)>> {
        let value = |(name, _, _): &(String, String, String)| match job.param(name) {
            Some(value) => Ok((name.clone(), value)),
            None => Err(Error::job(format!("stage {}: no setting gives ${name}", self.name))),
        };
        self.params.iter().map(value).collect()
    }
}

/// Names between commas.
fn names(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Bound parameters as DataFusion takes them.
pub fn param_values(bound: &[(String, Scalar)]) -> ParamValues {
    let values = bound.iter().map(|(name, value)| {
        let value = match value {
            Scalar::Int(value) => ScalarValue::Int64(Some(*value)),
            Scalar::Bool(value) => ScalarValue::Boolean(Some(*value)),
            Scalar::Text(value) => ScalarValue::Utf8(Some(value.clone())),
            Scalar::Bytes(value) => ScalarValue::Binary(Some(value.clone())),
        };
        (name.clone(), value.into())
    });
    ParamValues::Map(values.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read() {
        let head = Head::parse(
            "-- stage:      candidate\n-- reads:      bucket,\n--             text\n\
             -- param:      window  int  neighbours that meet\n\
             -- operator:   verify one two\n-- join:       hash\n\
             -- invariant:  ordered  left < right\n-- why:        because:\n--             so\n\
             select 1\n-- stage: not this\n",
        );
        assert_eq!(head.name, "candidate");
        assert_eq!(head.reads, ["bucket", "text"]);
        assert_eq!(head.params[0].2, "neighbours that meet");
        assert_eq!(head.operator, Some(("verify".into(), vec!["one".into(), "two".into()])));
        assert_eq!(head.invariants, [("ordered".into(), "left < right".into())]);
        assert!(head.is_hash_join);
        assert_eq!(head.why, "because: so");
    }
}
