//! The operator that looks at the words in which two near texts differ, component by component.
//!
//! Rows of a component come in order: first its documents, each with its text and its title (NULL
//! in `left_document`), then its pairs. The texts of one component are held at a time. A pair whose
//! texts are missing is a broken promise of the stage before, and an error.
//!
//! Cost: a text is cut into words once for each run of pairs that it leads, and once a pair where
//! it is the other; one difference a pair, which grows with the words that differ.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{
    Array, ArrayBuilder, ArrayRef, BooleanBuilder, Int32Builder, Int64Builder, RecordBatch,
    StringBuilder, StringViewArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Schema, SchemaRef};
use datafusion::common::cast::as_string_view_array;
use datafusion::common::{Result, exec_err};
use datafusion::execution::TaskContext;

use super::operator::{Machine, Operator, Spec, Spread};
use super::verify::{int64_column, table_schema};
use crate::kernels::difference::{Differ, Words};
use crate::kernels::guard::{self, Finding, Titles};
use crate::kernels::text::{Rules, Text};

/// See the module.
#[derive(Debug)]
pub struct Difference;

impl Operator for Difference {
    fn name(&self) -> &'static str {
        "difference"
    }

    fn role(&self) -> &'static str {
        "guard"
    }

    fn schema(&self, _: &Spec, _: &Schema) -> Result<SchemaRef> {
        table_schema("difference")
    }

    fn spread(&self, _: &Spec) -> Spread {
        Spread::By("component")
    }

    fn order(&self, _: &Spec) -> Vec<String> {
        ["component", "left_document", "right_document"].map(str::to_owned).to_vec()
    }

    fn start(&self, spec: &Spec, _: usize, _: &Arc<TaskContext>) -> Result<Box<dyn Machine>> {
        let Some(rules) = rules(spec.text("tokeniser")?) else {
            return exec_err!("difference: tokeniser {} is not known", spec.text("tokeniser")?);
        };
        let most = usize::try_from(spec.int("words_max")?).unwrap_or_default();
        Ok(Box::new(Judge::new(rules, most)))
    }
}

/// How the fingerprint method `name` cuts a text into words.
pub fn rules(name: &str) -> Option<Rules> {
    match name {
        "fingerprint_v1" => Some(Rules::V1),
        "fingerprint_v2" => Some(Rules::V2),
        "fingerprint_v3" => Some(Rules::V3),
        "fingerprint_word_v1" => Some(Rules::Word),
        _ => None,
    }
}

/// A document of the component.
struct Document {
    text: String,
    title: Option<String>,
}

struct Judge {
    rules: Rules,
    most: usize,
    component: Option<i64>,
    documents: BTreeMap<i64, Document>,
    text_bytes: usize,
    /// The left text of the last pair, cut into words.
    left: Option<i64>,
    left_words: Words,
    right_words: Words,
    normalised: Text,
    differ: Differ,
    titles: Titles,
    columns: Columns,
}

impl Judge {
    fn new(rules: Rules, most: usize) -> Self {
        Self {
            rules,
            most,
            component: None,
            documents: BTreeMap::new(),
            text_bytes: 0,
            left: None,
            left_words: Words::new(),
            right_words: Words::new(),
            normalised: Text::new(),
            differ: Differ::new(),
            titles: Titles::new(),
            columns: Columns::default(),
        }
    }

    fn clear(&mut self) {
        self.documents.clear();
        self.text_bytes = 0;
        self.left = None;
    }

    fn document(&mut self, document: i64, text: &str, title: Option<&str>) {
        self.text_bytes += text.len();
        let title = title.map(str::to_owned);
        self.documents.insert(document, Document { text: text.to_owned(), title });
    }

    fn pair(&mut self, left: i64, right: i64) -> Result<()> {
        let (Some(left_document), Some(right_document)) =
            (self.documents.get(&left), self.documents.get(&right))
        else {
            return exec_err!("difference: pair ({left}, {right}) without both texts");
        };
        if self.left != Some(left) {
            self.normalised.normalise(self.rules, &left_document.text);
            self.left_words.read(&self.normalised);
            self.left = Some(left);
        }
        self.normalised.normalise(self.rules, &right_document.text);
        self.right_words.read(&self.normalised);
        let titles = match (&left_document.title, &right_document.title) {
            (Some(left), Some(right)) => self.titles.compare(left, right).name(),
            _ => "unknown",
        };
        let found = self.differ.difference(&self.left_words, &self.right_words, self.most);
        let judged = found.map(|found| {
            let words: usize =
                found.hunks.iter().map(|hunk| hunk.left.len().max(hunk.right.len())).sum();
            (words, guard::judge(&self.left_words, &self.right_words, found))
        });
        self.columns.push([left, right], judged.as_ref(), titles);
        Ok(())
    }
}

#[async_trait]
impl Machine for Judge {
    async fn push(&mut self, batch: RecordBatch) -> Result<()> {
        let components = int64_column(&batch, 0)?;
        let lefts = int64_column(&batch, 1)?;
        let rights = int64_column(&batch, 2)?;
        let texts = cast(batch.column(3), &DataType::Utf8View)?;
        let titles = cast(batch.column(4), &DataType::Utf8View)?;
        let (texts, titles) = (as_string_view_array(&texts)?, as_string_view_array(&titles)?);
        for row in 0..batch.num_rows() {
            let component = components.value(row);
            if self.component != Some(component) {
                self.component = Some(component);
                self.clear();
            }
            if lefts.is_null(row) {
                let text = text_at(texts, row).unwrap_or_default();
                self.document(rights.value(row), text, text_at(titles, row));
            } else {
                self.pair(lefts.value(row), rights.value(row))?;
            }
        }
        Ok(())
    }

    async fn finish(&mut self) -> Result<()> {
        self.clear();
        Ok(())
    }

    fn take(&mut self) -> Option<RecordBatch> {
        self.columns.take()
    }

    fn held_bytes(&self) -> usize {
        /// Bytes of a document's place, with the node of the tree it stands in.
        const PLACE_BYTES: usize = 128;
        self.text_bytes + self.documents.len() * PLACE_BYTES + self.columns.left.len() * 64
    }
}

fn text_at(texts: &StringViewArray, row: usize) -> Option<&str> {
    texts.is_valid(row).then(|| texts.value(row))
}

#[derive(Default)]
struct Columns {
    left: Int64Builder,
    right: Int64Builder,
    words: Int32Builder,
    numbers: StringBuilder,
    is_numbers_only: BooleanBuilder,
    is_polarity: BooleanBuilder,
    is_operator: BooleanBuilder,
    titles: StringBuilder,
}

impl Columns {
    /// Appends a pair; no finding is a pair that differs in too many words to be looked at.
    fn push(&mut self, [left, right]: [i64; 2], judged: Option<&(usize, Finding)>, titles: &str) {
        self.left.append_value(left);
        self.right.append_value(right);
        let words = judged.map(|(words, _)| i32::try_from(*words).unwrap_or(i32::MAX));
        self.words.append_option(words);
        let finding = judged.map(|(_, finding)| finding);
        self.numbers.append_value(finding.map_or("many", |found| found.numbers.name()));
        self.is_numbers_only.append_value(finding.is_some_and(|found| found.only_numbers));
        self.is_polarity.append_value(finding.is_some_and(|found| found.polarity));
        self.is_operator.append_value(finding.is_some_and(|found| found.operators > 0));
        self.titles.append_value(titles);
    }

    fn take(&mut self) -> Option<RecordBatch> {
        if self.left.is_empty() {
            return None;
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.left.finish()),
            Arc::new(self.right.finish()),
            Arc::new(self.words.finish()),
            Arc::new(self.numbers.finish()),
            Arc::new(self.is_numbers_only.finish()),
            Arc::new(self.is_polarity.finish()),
            Arc::new(self.is_operator.finish()),
            Arc::new(self.titles.finish()),
        ];
        RecordBatch::try_new(table_schema("difference").ok()?, columns).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_gets_what_differs() {
        let mut judge = Judge::new(Rules::V2, 64);
        judge.document(1, "The road 1506 is open to all who come by", Some("Road 1506"));
        judge.document(2, "The road 1507 is open to all who come by", Some("Road 1507"));
        judge.document(3, "Nothing of this is told by what is written here", None);
        judge.pair(1, 2).unwrap();
        judge.pair(1, 3).unwrap();
        assert!(judge.pair(1, 9).is_err());
        let rows = judge.take().unwrap();
        let shown = |name: &str| {
            let column = cast(rows.column_by_name(name).unwrap(), &DataType::Utf8View).unwrap();
            let column = as_string_view_array(&column).unwrap().clone();
            column.iter().map(|value| value.map(str::to_owned)).collect::<Vec<_>>()
        };
        assert_eq!(shown("numbers")[0].as_deref(), Some("identifying"));
        assert_eq!(shown("is_numbers_only")[0].as_deref(), Some("true"));
        assert_eq!(shown("titles")[1].as_deref(), Some("unknown"));
        let far = Judge::new(Rules::V2, 0);
        assert_eq!(far.most, 0);
    }
}
