//! Components and clusters: million edges a second on one core.
//!
//! ```text
//! cargo bench --bench components
//! ```
//!
//! Budget: 20 million sorted edges/s for components.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "a bench prints its result")]

use std::hint::black_box;
use std::time::Instant;

use selfsame::kernels::cluster::{Edge, Resemblance, assign, order_by_degree};
use selfsame::kernels::components::{Forest, sparse_labels};

/// Nodes of the dense graphs: 40 MB of parents, more than a cache holds.
const NODES: u32 = 10_000_000;
/// Edges of the dense graphs.
const EDGES: u32 = 20_000_000;
/// Edges of the sparse graph, each 16 bytes.
const SPARSE_EDGES: u32 = 4_000_000;
/// Edges of the clustered component.
const CLUSTER_EDGES: u32 = 1_000_000;

fn main() {
    dense("sorted, local: neighbours within 16", |edge| {
        let left = edge / 2;
        (left, (left + 1 + mixed(edge) % 16).min(NODES - 1))
    });
    dense("sorted, near-duplicates: stars of 8", |edge| {
        let left = edge / 2;
        (left, left - left % 8)
    });
    dense("random", |edge| (mixed(edge) % NODES, mixed(edge ^ 0x5555_5555) % NODES));
    sparse("sparse, sorted, local", |edge| edge);
    sparse("sparse, random", mixed);
    clusters();
}

/// A fixed bijection of 32 bits, so that runs compare.
fn mixed(number: u32) -> u32 {
    let number = (number ^ (number >> 16)).wrapping_mul(0x7FEB_352D);
    let number = (number ^ (number >> 15)).wrapping_mul(0x846C_A68B);
    number ^ (number >> 16)
}

/// Edges are made while they are pushed; making them costs about a nanosecond each.
fn dense(name: &str, edge: impl Fn(u32) -> (u32, u32)) {
    let mut forest = Forest::new(NODES);
    let start = Instant::now();
    for number in 0..EDGES {
        let (left, right) = edge(number);
        forest.push(left, right);
    }
    report(name, EDGES, start);
    let start = Instant::now();
    let labels = forest.labels();
    let components = (0..NODES).zip(&labels).filter(|&(node, &label)| node == label).count();
    let seconds = start.elapsed().as_secs_f64();
    println!("  labels of {NODES} nodes in {seconds:.3} s, {components} components");
}

fn sparse(name: &str, number: impl Fn(u32) -> u32) {
    let node = |node: u32| (i64::from(node % 32) << 48) | i64::from(node);
    let sorted = |edge: u32| i64::from(edge / 2) << 20;
    let edges: Vec<(i64, i64)> = (0..SPARSE_EDGES)
        .map(|edge| {
            let left = number(edge);
            if left == edge {
                (sorted(edge), sorted(edge + 1 + mixed(edge) % 16))
            } else {
                (node(left % SPARSE_EDGES), node(number(left) % SPARSE_EDGES))
            }
        })
        .collect();
    let mut labels = Vec::new();
    let start = Instant::now();
    let is_labelled = sparse_labels(&edges, &mut labels).is_ok();
    report(name, SPARSE_EDGES, start);
    println!("  {} nodes, labelled: {is_labelled}", labels.len());
}

fn clusters() {
    let nodes: Vec<i64> = (0..i64::from(CLUSTER_EDGES / 4)).collect();
    let edges: Vec<Edge> = (0..CLUSTER_EDGES)
        .map(|edge| Edge {
            left: i64::from(edge / 4),
            right: i64::from((edge / 4 + 1 + mixed(edge) % 64).min(CLUSTER_EDGES / 4 - 1)),
            resemblance: Resemblance { shared: 800 + mixed(edge) % 200, union: 1000 },
        })
        .collect();
    let (mut order, mut assigned) = (Vec::new(), Vec::new());
    let start = Instant::now();
    let is_ordered = order_by_degree(&nodes, &edges, &mut order).is_ok();
    report("cluster: order by degree", CLUSTER_EDGES, start);
    let start = Instant::now();
    let is_assigned = assign(&nodes, &order, &edges, &[], &mut assigned).is_ok();
    report("cluster: assign", CLUSTER_EDGES, start);
    let leaders = assigned.iter().filter(|(node, leader)| node == leader).count();
    println!("  {leaders} leaders of {} nodes: {is_ordered} {is_assigned}", nodes.len());
}

fn report(name: &str, edges: u32, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    let rate = f64::from(edges) / seconds / 1e6;
    println!("{:<40} {rate:>7.1} million edges/s", black_box(name));
}
