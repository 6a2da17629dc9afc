//! The operators on graphs: components, leaders, clusters.
//!
//! `component` labels every document of a pair with the smallest document it is connected to; it
//! sees all pairs at once. `leader` and `cluster` see one component at a time, its rows in order:
//! first its documents (NULL in `left_document`), then its pairs.

use std::mem;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{
    Array, ArrayRef, BooleanArray, BooleanBuilder, Int64Array, Int64Builder, RecordBatch,
    StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::cast::as_boolean_array;
use datafusion::common::{Result, exec_err};
use datafusion::execution::TaskContext;

use super::operator::{Machine, Operator, Spec, Spread};
use super::verify::{BATCH_ROWS, int64_column, table_schema};
use crate::kernels::cluster::{self, Edge, Member, Resemblance};
use crate::kernels::components;

/// Labels the documents of all pairs.
#[derive(Debug)]
pub struct Component;

impl Operator for Component {
    fn name(&self) -> &'static str {
        "component"
    }

    /// `left_X` and `right_X` go in, `X` and its component come out.
    fn schema(&self, _: &Spec, input: &Schema) -> Result<SchemaRef> {
        let left = input.fields().first().and_then(|field| field.name().strip_prefix("left_"));
        let Some(node) = left else {
            return exec_err!("component: wanted left_X and right_X as columns");
        };
        let fields = [node, "component"].map(|name| Field::new(name, DataType::Int64, false));
        Ok(Arc::new(Schema::new(fields.to_vec())))
    }

    fn spread(&self, _: &Spec) -> Spread {
        Spread::One
    }

    fn order(&self, _: &Spec) -> Vec<String> {
        Vec::new()
    }

    fn start(&self, _: &Spec, _: usize, _: &Arc<TaskContext>) -> Result<Box<dyn Machine>> {
        Ok(Box::new(Labeller::default()))
    }
}

#[derive(Default)]
struct Labeller {
    edges: Vec<(i64, i64)>,
    labels: Vec<(i64, i64)>,
    emitted: usize,
}

#[async_trait]
impl Machine for Labeller {
    async fn push(&mut self, batch: RecordBatch) -> Result<()> {
        let lefts = int64_column(&batch, 0)?.values();
        let rights = int64_column(&batch, 1)?.values();
        self.edges.extend(lefts.iter().copied().zip(rights.iter().copied()));
        Ok(())
    }

    async fn finish(&mut self) -> Result<()> {
        let edges = mem::take(&mut self.edges);
        match components::sparse_labels(&edges, &mut self.labels) {
            Ok(()) => Ok(()),
            Err(fault) => exec_err!("component: {fault}"),
        }
    }

    fn take(&mut self) -> Option<RecordBatch> {
        let rest = self.labels.get(self.emitted..).unwrap_or_default();
        let rows = rest.get(..BATCH_ROWS).unwrap_or(rest);
        if rows.is_empty() {
            return None;
        }
        self.emitted += rows.len();
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|&(document, _)| document))),
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|&(_, label)| label))),
        ];
        RecordBatch::try_new(table_schema("component").ok()?, columns).ok()
    }

    fn held_bytes(&self) -> usize {
        (self.edges.capacity() + self.labels.capacity()) * 16
    }
}

/// One row of a component: a document where `left` is none, else a pair.
#[derive(Debug, Clone, Copy)]
struct Row {
    left: Option<i64>,
    right: i64,
    shared: i64,
    joined: i64,
    is_edge: bool,
    is_refused: bool,
}

/// What happens to the rows of one component.
trait ByComponent: Send {
    fn component(&mut self, component: i64, rows: &[Row]) -> Result<()>;
    fn take(&mut self) -> Option<RecordBatch>;
}

/// Gathers the rows of one component after the other.
struct Gather<K> {
    current: Option<i64>,
    rows: Vec<Row>,
    kernel: K,
}

impl<K: ByComponent> Gather<K> {
    fn new(kernel: K) -> Self {
        Self { current: None, rows: Vec::new(), kernel }
    }

    fn flush(&mut self) -> Result<()> {
        if let Some(component) = self.current.take() {
            self.kernel.component(component, &self.rows)?;
        }
        self.rows.clear();
        Ok(())
    }
}

/// The columns after the first three, where a stage has them.
struct Figures<'a> {
    shared: Option<&'a Int64Array>,
    joined: Option<&'a Int64Array>,
    is_edge: Option<&'a BooleanArray>,
    is_refused: Option<&'a BooleanArray>,
}

impl<'a> Figures<'a> {
    fn of(batch: &'a RecordBatch) -> Result<Self> {
        if batch.num_columns() < 7 {
            return Ok(Self { shared: None, joined: None, is_edge: None, is_refused: None });
        }
        Ok(Self {
            shared: Some(int64_column(batch, 3)?),
            joined: Some(int64_column(batch, 4)?),
            is_edge: Some(as_boolean_array(batch.column(5))?),
            is_refused: Some(as_boolean_array(batch.column(6))?),
        })
    }
}

#[async_trait]
impl<K: ByComponent> Machine for Gather<K> {
    async fn push(&mut self, batch: RecordBatch) -> Result<()> {
        let components = int64_column(&batch, 0)?;
        let lefts = int64_column(&batch, 1)?;
        let rights = int64_column(&batch, 2)?;
        let figures = Figures::of(&batch)?;
        for row in 0..batch.num_rows() {
            let component = components.value(row);
            if self.current != Some(component) {
                self.flush()?;
                self.current = Some(component);
            }
            let number = |column: Option<&Int64Array>| column.map_or(1, |column| column.value(row));
            self.rows.push(Row {
                left: lefts.is_valid(row).then(|| lefts.value(row)),
                right: rights.value(row),
                shared: number(figures.shared),
                joined: number(figures.joined),
                is_edge: figures.is_edge.is_none_or(|column| column.value(row)),
                is_refused: figures.is_refused.is_some_and(|column| column.value(row)),
            });
        }
        Ok(())
    }

    async fn finish(&mut self) -> Result<()> {
        self.flush()
    }

    fn take(&mut self) -> Option<RecordBatch> {
        self.kernel.take()
    }

    fn held_bytes(&self) -> usize {
        self.rows.capacity() * mem::size_of::<Row>()
    }
}

/// The pairs among `rows` that are `wanted`, with their figures.
fn pairs(rows: &[Row], wanted: fn(&Row) -> bool) -> Result<Vec<Edge>> {
    let mut edges = Vec::new();
    for row in rows.iter().filter(|row| wanted(row)) {
        let Some(left) = row.left else { continue };
        let (Ok(shared), Ok(union)) = (u32::try_from(row.shared), u32::try_from(row.joined)) else {
            return exec_err!("pair ({left}, {}): more than 4 billion shingles", row.right);
        };
        edges.push(Edge { left, right: row.right, resemblance: Resemblance { shared, union } });
    }
    Ok(edges)
}

/// Puts the documents of each component in order, and finds its leaders.
#[derive(Debug)]
pub struct Leader;

const BY_COMPONENT: [&str; 3] = ["component", "left_document", "right_document"];

impl Operator for Leader {
    fn name(&self) -> &'static str {
        "leader"
    }

    fn schema(&self, _: &Spec, _: &Schema) -> Result<SchemaRef> {
        table_schema("leader")
    }

    fn spread(&self, _: &Spec) -> Spread {
        Spread::By("component")
    }

    fn order(&self, _: &Spec) -> Vec<String> {
        BY_COMPONENT.map(str::to_owned).to_vec()
    }

    fn start(&self, _: &Spec, _: usize, _: &Arc<TaskContext>) -> Result<Box<dyn Machine>> {
        Ok(Box::new(Gather::new(Ranker::default())))
    }
}

#[derive(Default)]
struct Ranker {
    documents: Int64Builder,
    components: Int64Builder,
    ranks: Int64Builder,
    is_leader: BooleanBuilder,
}

impl ByComponent for Ranker {
    fn component(&mut self, component: i64, rows: &[Row]) -> Result<()> {
        let edges = pairs(rows, |row| row.is_edge)?;
        let mut nodes: Vec<i64> = edges.iter().flat_map(|edge| [edge.left, edge.right]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let (mut order, mut leaders) = (Vec::new(), Vec::new());
        let ranked = cluster::order_by_degree(&nodes, &edges, &mut order)
            .and_then(|()| cluster::leaders(&nodes, &order, &edges, &mut leaders));
        if let Err(stranger) = ranked {
            return exec_err!("leader: {stranger}");
        }
        leaders.sort_unstable();
        for (rank, &document) in (1i64..).zip(&order) {
            self.documents.append_value(document);
            self.components.append_value(component);
            self.ranks.append_value(rank);
            self.is_leader.append_value(leaders.binary_search(&document).is_ok());
        }
        Ok(())
    }

    fn take(&mut self) -> Option<RecordBatch> {
        use datafusion::arrow::array::ArrayBuilder;
        if self.documents.is_empty() {
            return None;
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.documents.finish()),
            Arc::new(self.components.finish()),
            Arc::new(self.ranks.finish()),
            Arc::new(self.is_leader.finish()),
        ];
        RecordBatch::try_new(table_schema("leader").ok()?, columns).ok()
    }
}

/// Cuts each component into clusters and chooses what stands for each.
#[derive(Debug)]
pub struct Cluster;

impl Operator for Cluster {
    fn name(&self) -> &'static str {
        "cluster"
    }

    fn schema(&self, _: &Spec, _: &Schema) -> Result<SchemaRef> {
        table_schema("document_cluster")
    }

    fn spread(&self, _: &Spec) -> Spread {
        Spread::By("component")
    }

    fn order(&self, _: &Spec) -> Vec<String> {
        BY_COMPONENT.map(str::to_owned).to_vec()
    }

    fn start(&self, spec: &Spec, _: usize, _: &Arc<TaskContext>) -> Result<Box<dyn Machine>> {
        let floor = spec.int("resemblance_min_milli")? - spec.int("floor_slack_milli")?;
        let shared = u32::try_from(floor).unwrap_or_default();
        Ok(Box::new(Gather::new(Clusterer {
            floor: Resemblance { shared, union: 1000 },
            is_leader_policy: spec.text("is_leader_policy")? == "true",
            is_apart: spec.text("clusterer")? != "clustering_v1",
            columns: Columns::default(),
        })))
    }
}

struct Clusterer {
    floor: Resemblance,
    is_leader_policy: bool,
    /// Whether pairs that a guard refused stay out of one cluster: from version 2 on.
    is_apart: bool,
    columns: Columns,
}

#[derive(Default)]
struct Columns {
    documents: Int64Builder,
    components: Int64Builder,
    medoids: Int64Builder,
    representatives: Int64Builder,
    reasons: StringBuilder,
    /// Shared and joined shingles with the medoid, then with the representative.
    figures: [Int64Builder; 4],
}

impl Clusterer {
    /// The medoid of each document, as (medoid, document), sorted.
    fn medoids(&self, documents: &[Row], rows: &[Row]) -> Result<Vec<(i64, i64)>> {
        let mut nodes: Vec<i64> = documents.iter().map(|row| row.right).collect();
        nodes.sort_unstable();
        let mut order = documents.to_vec();
        order.sort_unstable_by_key(|row| (row.shared, row.right));
        let order: Vec<i64> = order.iter().map(|row| row.right).collect();
        if !self.is_leader_policy {
            let Some(&first) = order.first() else { return Ok(Vec::new()) };
            return Ok(nodes.into_iter().map(|node| (first, node)).collect());
        }
        let mut assigned = Vec::new();
        let edges = pairs(rows, |row| row.is_edge)?;
        let refused = if self.is_apart { pairs(rows, |row| row.is_refused)? } else { Vec::new() };
        let outcome = cluster::assign(&nodes, &order, &edges, &refused, &mut assigned);
        if let Err(stranger) = outcome {
            return exec_err!("cluster: {stranger}");
        }
        let mut medoids: Vec<_> =
            assigned.into_iter().map(|(document, medoid)| (medoid, document)).collect();
        medoids.sort_unstable();
        Ok(medoids)
    }
}

impl ByComponent for Clusterer {
    fn component(&mut self, component: i64, rows: &[Row]) -> Result<()> {
        let split = rows.partition_point(|row| row.left.is_none());
        let (documents, _) = rows.split_at(split);
        // A longer text is the better representative: `joined` holds minus its tokens.
        let rank_of = |document: i64| {
            let at = documents.partition_point(|row| row.right < document);
            documents.get(at).map_or(u64::MAX, |row| row.joined.cast_unsigned() ^ (1 << 63))
        };
        let mut known = pairs(rows, |_| true)?;
        known.sort_unstable_by_key(|pair| (pair.left, pair.right));
        let medoids = self.medoids(documents, rows)?;
        for group in medoids.chunk_by(|left, right| left.0 == right.0) {
            let Some(&(medoid, _)) = group.first() else { continue };
            let members: Vec<_> =
                group.iter().map(|&(_, node)| Member { node, rank: rank_of(node) }).collect();
            let inside = inside(&known, group);
            let (representative, reason) =
                cluster::representative(medoid, &members, &inside, self.floor);
            for member in &members {
                self.columns.push(component, member.node, medoid, representative, reason.name());
                self.columns.push_figures(0, find(&known, member.node, medoid));
                self.columns.push_figures(2, find(&known, member.node, representative));
            }
        }
        Ok(())
    }

    fn take(&mut self) -> Option<RecordBatch> {
        self.columns.take()
    }
}

/// The known pairs whose ends are both in `group`, which is sorted by document.
fn inside(known: &[Edge], group: &[(i64, i64)]) -> Vec<Edge> {
    let holds = |node: i64| group.binary_search_by_key(&node, |&(_, document)| document).is_ok();
    let mut found = Vec::new();
    for &(_, document) in group {
        let start = known.partition_point(|pair| pair.left < document);
        let of_document = known.get(start..).unwrap_or_default();
        let of_document = of_document.iter().take_while(|pair| pair.left == document);
        found.extend(of_document.filter(|pair| holds(pair.right)).copied());
    }
    found
}

/// The known resemblance of two documents.
fn find(known: &[Edge], document: i64, other: i64) -> Option<Resemblance> {
    let ends = (document.min(other), document.max(other));
    let at = known.binary_search_by_key(&ends, |pair| (pair.left, pair.right)).ok()?;
    known.get(at).map(|pair| pair.resemblance)
}

impl Columns {
    fn push(
        &mut self,
        component: i64,
        document: i64,
        medoid: i64,
        representative: i64,
        reason: &str,
    ) {
        self.documents.append_value(document);
        self.components.append_value(component);
        self.medoids.append_value(medoid);
        self.representatives.append_value(representative);
        self.reasons.append_value(reason);
    }

    fn push_figures(&mut self, first: usize, found: Option<Resemblance>) {
        let values = [found.map(|found| found.shared), found.map(|found| found.union)];
        for (column, value) in self.figures.iter_mut().skip(first).zip(values) {
            column.append_option(value.map(i64::from));
        }
    }

    fn take(&mut self) -> Option<RecordBatch> {
        use datafusion::arrow::array::ArrayBuilder;
        if self.documents.is_empty() {
            return None;
        }
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.documents.finish()),
            Arc::new(self.components.finish()),
            Arc::new(self.medoids.finish()),
            Arc::new(self.representatives.finish()),
            Arc::new(self.reasons.finish()),
        ];
        for figure in &mut self.figures {
            columns.push(Arc::new(figure.finish()));
        }
        RecordBatch::try_new(table_schema("document_cluster").ok()?, columns).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(number: i64, rank: i64, tokens: i64) -> Row {
        Row {
            left: None,
            right: number,
            shared: rank,
            joined: -tokens,
            is_edge: false,
            is_refused: false,
        }
    }

    fn pair(left: i64, right: i64, shared: i64, is_edge: bool) -> Row {
        Row { left: Some(left), right, shared, joined: 100, is_edge, is_refused: false }
    }

    fn clustered(rows: &[Row], is_leader_policy: bool) -> RecordBatch {
        let floor = Resemblance { shared: 750, union: 1000 };
        let columns = Columns::default();
        let mut clusterer = Clusterer { floor, is_leader_policy, is_apart: true, columns };
        clusterer.component(1, rows).unwrap();
        clusterer.take().unwrap()
    }

    fn column(batch: &RecordBatch, name: &str) -> Vec<i64> {
        let column = batch.column_by_name(name).unwrap();
        datafusion::common::cast::as_int64_array(column).unwrap().values().to_vec()
    }

    #[test]
    fn a_chain_is_cut_and_plain_components_are_not() {
        // 1 - 2 - 3 - 4: the ends are far apart; 2 leads by its number, and 3 is nearer to 4.
        let rows = [
            document(1, 3, 10),
            document(2, 1, 10),
            document(3, 2, 10),
            document(4, 4, 10),
            pair(1, 2, 90, true),
            pair(2, 3, 85, true),
            pair(2, 4, 40, false),
            pair(3, 4, 90, true),
        ];
        let cut = clustered(&rows, true);
        assert_eq!(column(&cut, "medoid"), [2, 2, 4, 4]);
        assert_eq!(column(&cut, "document"), [1, 2, 3, 4]);
        let plain = clustered(&rows, false);
        assert_eq!(column(&plain, "medoid"), [2, 2, 2, 2]);
    }

    #[test]
    fn a_refused_pair_is_not_in_one_cluster() {
        // 2 and 3 are near to 1, and a guard keeps them apart; 2 is the nearer one in the order.
        let rows = [
            document(1, 1, 10),
            document(2, 2, 10),
            document(3, 3, 10),
            pair(1, 2, 85, true),
            pair(1, 3, 95, true),
            Row { is_refused: true, ..pair(2, 3, 90, false) },
        ];
        assert_eq!(column(&clustered(&rows, true), "medoid"), [1, 1, 3]);
    }

    #[test]
    fn the_longest_near_text_represents() {
        let rows = [
            document(1, 1, 10),
            document(2, 2, 99),
            document(3, 3, 50),
            pair(1, 2, 90, true),
            pair(1, 3, 90, true),
            pair(2, 3, 76, false),
        ];
        let near = clustered(&rows, true);
        assert_eq!(column(&near, "representative"), [2, 2, 2]);
        let mut far = rows;
        far[5].shared = 70;
        let far = clustered(&far, true);
        assert_eq!(column(&far, "representative"), [1, 1, 1]);
    }
}
