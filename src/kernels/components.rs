//! Connected components: edges become labels, the lowest number of a component is its label.
//!
//! Union-find over dense numbers: edges are pushed once, in any order, and never kept. The
//! larger of two roots hangs under the smaller (link by index), so a parent is never above its
//! node, labels need no second structure, and no order of edges changes them.
//!
//! Components are work units, not clusters: resemblance is not transitive (see `cluster`).
//! Not for graphs whose nodes exceed memory: those need forests by partition first.
//!
//! Source: R. Tarjan, J. van Leeuwen, "Worst-case analysis of set union algorithms", 1984
//! (path halving; with linking by index the bound is logarithmic a push, amortised).
//! Cost: 4 bytes a node; one pass over the nodes for labels. Bench: `benches/components.rs`.

/// A union-find over the nodes `0..nodes`.
#[derive(Clone, Debug)]
pub struct Forest {
    /// A root is its own parent; every other parent is below its node.
    parents: Vec<u32>,
}

impl Forest {
    /// A forest of `nodes` nodes without edges.
    pub fn new(nodes: u32) -> Self {
        Self { parents: (0..nodes).collect() }
    }

    /// Joins the components of two nodes; a repeated edge and a loop change nothing.
    ///
    /// # Panics
    ///
    /// As slices do, when a node is not below the number of nodes.
    pub fn push(&mut self, left: u32, right: u32) {
        let left = self.root(left);
        let right = self.root(right);
        let (low, high) = if left < right { (left, right) } else { (right, left) };
        self.parents[at(high)] = low;
    }

    /// The label of each node: the lowest node of its component.
    pub fn labels(mut self) -> Vec<u32> {
        // Parents are below their nodes, so a parent met here has its label already.
        for node in 0..self.parents.len() {
            self.parents[node] = self.parents[at(self.parents[node])];
        }
        self.parents
    }

    /// The root above `node`; each second node on the way is hung one step higher.
    fn root(&mut self, mut node: u32) -> u32 {
        loop {
            let parent = self.parents[at(node)];
            if parent == node {
                return node;
            }
            let above = self.parents[at(parent)];
            if above == parent {
                return parent;
            }
            self.parents[at(node)] = above;
            node = above;
        }
    }
}

#[expect(clippy::as_conversions, reason = "u32 fits usize on every target with 32 bits or more")]
fn at(node: u32) -> usize {
    node as usize
}

/// More than a [`Forest`] can number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyEdges {
    /// The edges given.
    pub found: usize,
}

impl std::fmt::Display for TooManyEdges {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} sparse edges at once, wanted fewer than 2,147,483,648", self.found)
    }
}

impl std::error::Error for TooManyEdges {}

/// Writes (node, label) for every node of `edges` into `labels`, sorted by node.
///
/// A label is the lowest node of its component. A loop makes its node known, so a node without
/// edges is given as one. Edges come in any order.
///
/// The ends are sorted to give each number its rank among the distinct ones; ranks keep the
/// order of the numbers, so the lowest rank of a component is its lowest number.
///
/// Cost: O(E log E) time; 40 bytes an edge and 12 bytes a node beside the input. For more edges
/// than that, number the nodes densely and push into a [`Forest`].
///
/// # Errors
///
/// Fails at 2^31 edges, whose ends could exceed 32 bits.
pub fn sparse_labels(
    edges: &[(i64, i64)],
    labels: &mut Vec<(i64, i64)>,
) -> Result<(), TooManyEdges> {
    labels.clear();
    let too_many = TooManyEdges { found: edges.len() };
    let end_count = u32::try_from(edges.len() * 2).map_err(|_| too_many)?;
    let numbers = edges.iter().flat_map(|&(left, right)| [left, right]);
    let mut ends: Vec<(i64, u32)> = numbers.zip(0..end_count).collect();
    ends.sort_unstable();
    let mut nodes: Vec<i64> = Vec::new();
    let mut ranks = vec![0_u32; ends.len()];
    let mut rank = 0;
    for (number, end) in ends {
        if nodes.last().is_some_and(|&last| last != number) {
            rank += 1;
        }
        if nodes.last() != Some(&number) {
            nodes.push(number);
        }
        ranks[at(end)] = rank;
    }
    let node_count = if nodes.is_empty() { 0 } else { rank + 1 };
    let mut forest = Forest::new(node_count);
    for pair in ranks.chunks_exact(2) {
        forest.push(pair[0], pair[1]);
    }
    let found = forest.labels();
    labels.extend(nodes.iter().zip(found).map(|(&node, label)| (node, nodes[at(label)])));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    /// Floods labels along edges until nothing changes.
    fn naive_labels(nodes: u32, edges: &[(u32, u32)]) -> Vec<u32> {
        let mut labels: Vec<u32> = (0..nodes).collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for &(left, right) in edges {
                let low = labels[at(left)].min(labels[at(right)]);
                is_changed |= labels[at(left)] != low || labels[at(right)] != low;
                labels[at(left)] = low;
                labels[at(right)] = low;
            }
        }
        labels
    }

    fn labels_of(nodes: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> Vec<u32> {
        let mut forest = Forest::new(nodes);
        for (left, right) in edges {
            forest.push(left, right);
        }
        forest.labels()
    }

    fn sparse(edges: &[(i64, i64)]) -> Vec<(i64, i64)> {
        let mut labels = vec![(7, 7)];
        sparse_labels(edges, &mut labels).unwrap();
        labels
    }

    #[test]
    fn small_graphs() {
        assert!(labels_of(0, []).is_empty());
        assert_eq!(labels_of(3, []), [0, 1, 2]);
        assert_eq!(labels_of(4, [(3, 3), (3, 1), (1, 3)]), [0, 1, 2, 1]);
        assert_eq!(sparse(&[]), []);
        let extreme = [(i64::MAX, i64::MIN), (0, 0), (5, -1), (-1, i64::MAX - 1)];
        let low = i64::MIN;
        assert_eq!(
            sparse(&extreme),
            [(low, low), (-1, -1), (0, 0), (5, -1), (i64::MAX - 1, -1), (i64::MAX, low)]
        );
    }

    #[test]
    fn a_chain_and_a_star_of_a_million_in_hostile_orders() {
        let nodes = 1_000_000;
        let chain = |node: u32| (node, node + 1);
        for edges in [
            (0..nodes - 1).map(chain).collect::<Vec<_>>(),
            (0..nodes - 1).rev().map(chain).collect(),
            (0..nodes).map(|node| (node, nodes - 1)).collect(),
            (1..nodes).rev().map(|node| (node, 0)).collect(),
        ] {
            assert!(labels_of(nodes, edges).iter().all(|&label| label == 0));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn agrees_with_a_naive_solver(
            (nodes, edges) in (1..40_u32).prop_flat_map(|nodes| {
                (Just(nodes), prop::collection::vec((0..nodes, 0..nodes), 0..50))
            }),
            turn in any::<prop::sample::Index>(),
        ) {
            let labels = naive_labels(nodes, &edges);
            prop_assert_eq!(&labels_of(nodes, edges.iter().copied()), &labels);
            let mut turned: Vec<_> = edges.iter().map(|&(left, right)| (right, left)).collect();
            turned.rotate_left(turn.index(edges.len().max(1)).min(edges.len()));
            prop_assert_eq!(&labels_of(nodes, turned), &labels);
        }

        #[test]
        fn sparse_numbers_agree_with_dense_ones(
            edges in prop::collection::vec((-9..9_i64, -9..9_i64), 0..20),
            scale in prop::sample::select(vec![1, 1_000_003, i64::MAX / 10]),
        ) {
            let scaled = |&(left, right): &(i64, i64)| (left * scale, right * scale);
            let edges: Vec<_> = edges.iter().map(scaled).collect();
            let ends = edges.iter().flat_map(|&(left, right)| [left, right]);
            let numbers: BTreeSet<i64> = ends.collect();
            let rank: BTreeMap<i64, u32> = numbers.iter().copied().zip(0..).collect();
            let ranked = |(left, right): &(i64, i64)| (rank[left], rank[right]);
            let dense: Vec<_> = edges.iter().map(ranked).collect();
            let numbers: Vec<i64> = numbers.into_iter().collect();
            let labels = naive_labels(u32::try_from(numbers.len()).unwrap(), &dense);
            let wanted: Vec<_> = labels
                .iter()
                .zip(&numbers)
                .map(|(&label, &node)| (node, numbers[at(label)]))
                .collect();
            prop_assert_eq!(sparse(&edges), wanted);
        }
    }
}
