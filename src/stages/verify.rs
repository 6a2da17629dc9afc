//! The operator that verifies pairs: exact overlap of shingle sets, component by component.
//!
//! Rows of a component come in order: first its documents, each with its sorted shingle set (NULL
//! in `left_document`), then its pairs. The sets of one component are held at a time. A pair whose
//! sets are missing is a broken promise of the stage before, and an error.
//!
//! Cost: one merge of two sorted sets a pair.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{Array, ArrayRef, BinaryArray, Int64Array, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Schema, SchemaRef};
use datafusion::common::cast::as_int64_array;
use datafusion::common::{Result, exec_err};
use datafusion::execution::TaskContext;

use super::operator::{Machine, Operator, Spec, Spread};
use crate::kernels::shingle;
use crate::schema;

/// Rows of a batch that an operator emits.
pub(super) const BATCH_ROWS: usize = 8192;

/// See the module.
#[derive(Debug)]
pub struct Verify;

impl Operator for Verify {
    fn name(&self) -> &'static str {
        "verify"
    }

    fn schema(&self, _: &Spec, _: &Schema) -> Result<SchemaRef> {
        table_schema("resemblance")
    }

    fn spread(&self, _: &Spec) -> Spread {
        Spread::By("component")
    }

    fn order(&self, _: &Spec) -> Vec<String> {
        ["component", "left_document", "right_document"].map(str::to_owned).to_vec()
    }

    fn start(&self, _: &Spec, _: usize, _: &Arc<TaskContext>) -> Result<Box<dyn Machine>> {
        Ok(Box::new(Verifier::default()))
    }
}

/// The schema of a table of ours.
pub(super) fn table_schema(name: &str) -> Result<SchemaRef> {
    match schema::table(name) {
        Some(table) => Ok(table.arrow()),
        None => exec_err!("no table {name}"),
    }
}

/// The column at `index` as int64 values.
pub(super) fn int64_column(batch: &RecordBatch, index: usize) -> Result<&Int64Array> {
    as_int64_array(batch.column(index))
}

#[derive(Debug, Default)]
struct Verifier {
    component: Option<i64>,
    /// The sets of the component, one behind the other; the next component reuses the room.
    shingles: Vec<u64>,
    /// Where the set of a document stands.
    sets: BTreeMap<i64, Range<usize>>,
    columns: [Vec<i64>; 5],
}

impl Verifier {
    fn document(&mut self, document: i64, shingles: &[u8]) {
        let start = self.shingles.len();
        let (words, _) = shingles.as_chunks::<8>();
        self.shingles.extend(words.iter().map(|word| u64::from_le_bytes(*word)));
        self.sets.insert(document, start..self.shingles.len());
    }

    fn set(&self, document: i64) -> Option<&[u64]> {
        self.shingles.get(self.sets.get(&document)?.clone())
    }

    fn clear(&mut self) {
        self.sets.clear();
        self.shingles.clear();
    }

    fn pair(&mut self, left: i64, right: i64) -> Result<()> {
        let (Some(left_set), Some(right_set)) = (self.set(left), self.set(right)) else {
            return exec_err!("verify: pair ({left}, {right}) without both shingle sets");
        };
        let shared = shingle::intersection(left_set, right_set);
        let row = [left, right, count(shared), count(left_set.len()), count(right_set.len())];
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(value);
        }
        Ok(())
    }
}

fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

#[async_trait]
impl Machine for Verifier {
    async fn push(&mut self, batch: RecordBatch) -> Result<()> {
        let components = int64_column(&batch, 0)?;
        let lefts = int64_column(&batch, 1)?;
        let rights = int64_column(&batch, 2)?;
        let shingles = cast(batch.column(3), &DataType::Binary)?;
        let shingles = datafusion::common::cast::as_binary_array(&shingles)?;
        for row in 0..batch.num_rows() {
            let component = components.value(row);
            if self.component != Some(component) {
                self.component = Some(component);
                self.clear();
            }
            if lefts.is_null(row) {
                self.document(rights.value(row), value_of(shingles, row));
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
        take_rows(&mut self.columns, "resemblance")
    }

    fn held_bytes(&self) -> usize {
        /// Bytes of a set's place, with the node of the tree it stands in.
        const PLACE_BYTES: usize = 64;
        let sets = self.shingles.capacity() * 8 + self.sets.len() * PLACE_BYTES;
        sets + self.columns.iter().map(|column| column.capacity() * 8).sum::<usize>()
    }
}

fn value_of(shingles: &BinaryArray, row: usize) -> &[u8] {
    if shingles.is_null(row) { &[] } else { shingles.value(row) }
}

/// Takes all rows of `columns` as one batch of `table`; none when they are empty.
fn take_rows<const N: usize>(columns: &mut [Vec<i64>; N], table: &str) -> Option<RecordBatch> {
    if columns.iter().all(Vec::is_empty) {
        return None;
    }
    let arrays = columns
        .iter_mut()
        .map(|column| -> ArrayRef { Arc::new(Int64Array::from(std::mem::take(column))) })
        .collect();
    RecordBatch::try_new(table_schema(table).ok()?, arrays).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_gets_its_exact_overlap() {
        let mut verifier = Verifier::default();
        let bytes =
            |set: &[u64]| set.iter().flat_map(|hash| hash.to_le_bytes()).collect::<Vec<_>>();
        verifier.document(1, &bytes(&[1, 2, 3]));
        verifier.document(2, &bytes(&[2, 3, 4, 5]));
        verifier.pair(1, 2).unwrap();
        assert_eq!(verifier.columns, [[1], [2], [2], [3], [4]]);
        assert!(verifier.pair(1, 9).is_err());
    }
}
