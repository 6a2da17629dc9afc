//! Frozen vectors of functions whose kernels have none of their own: SQL text and its value.
//!
//! A vector file of a published version never changes, and `UPDATE=1` never rewrites one. A change
//! of behaviour is a new version of the method with a file of its own.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test stops at the unexpected")]

#[path = "vectors/url.rs"]
mod url;

use std::fs;
use std::path::Path;

use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::SessionContext;

/// The value of `expression`, as the vector files write it.
async fn value(context: &SessionContext, expression: &str) -> String {
    let frame = context.sql(&format!("select {expression}")).await;
    let batches = match frame {
        Ok(frame) => frame.collect().await,
        Err(fault) => return format!("fault: {fault}"),
    };
    let batches = match batches {
        Ok(batches) => batches,
        Err(fault) => return format!("fault: {fault}"),
    };
    let options = FormatOptions::default().with_null("NULL");
    let shown = ArrayFormatter::try_new(batches[0].column(0), &options).unwrap();
    shown.value(0).to_string()
}

/// Checks every line of a file: an expression over versioned functions, a tab, its value.
async fn check(name: &str) {
    let path = format!("testdata/method/{name}.tsv");
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).unwrap();
    let mut context = SessionContext::new();
    selfsame::udf::register_all(&mut context, &[]).unwrap();
    let mut faults = Vec::new();
    for line in text.lines().skip(1) {
        let (expression, wanted) = line.split_once('\t').unwrap();
        assert!(expression.contains("_v"), "{path}: {expression} names no version");
        let found = value(&context, expression).await;
        if found != wanted {
            faults.push(format!("{expression}\n    found   {found}\n    wanted  {wanted}"));
        }
    }
    assert!(
        faults.is_empty(),
        "{path}: {} values changed; make a new version of the method, not a new vector file\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[tokio::test]
async fn entity_id() {
    check("entity_id_v1").await;
}

#[tokio::test]
async fn banding() {
    check("banding_v1").await;
}

#[tokio::test]
async fn page() {
    check("page_v1").await;
    check("page_v2").await;
}

#[tokio::test]
async fn boilerplate() {
    check("boilerplate_v1").await;
}

#[tokio::test]
async fn guard() {
    check("guard_v1").await;
}

#[tokio::test]
async fn mirror() {
    check("mirror_v1").await;
}

#[tokio::test]
async fn gate() {
    check("gate_v1").await;
    check("gate_v2").await;
}

#[tokio::test]
async fn registered_domain() {
    check("registered_domain_v1").await;
}

/// Edges `left-right:shared/union`, with `!` those that a guard refuses; then components, leaders
/// in order, (document, leader) pairs and the representative of the first cluster, longest text
/// first.
fn clustered(edges: &str) -> String {
    use selfsame::kernels::cluster::{self, Edge, Member, Resemblance};
    use selfsame::kernels::components;
    let (refused, edges): (Vec<&str>, Vec<&str>) =
        edges.split_whitespace().partition(|edge| edge.starts_with('!'));
    let read = |edges: Vec<&str>| -> Vec<Edge> {
        let edges = edges.into_iter().map(|edge| {
            let numbers: Vec<i64> = edge
                .trim_start_matches('!')
                .split(['-', ':', '/'])
                .map(|number| number.parse().unwrap())
                .collect();
            let [shared, union] =
                [numbers[2], numbers[3]].map(|count| u32::try_from(count).unwrap());
            let resemblance = Resemblance { shared, union };
            Edge { left: numbers[0], right: numbers[1], resemblance }
        });
        edges.collect()
    };
    let (refused, edges) = (read(refused), read(edges));
    let mut labels = Vec::new();
    let ends: Vec<_> = edges.iter().map(|edge| (edge.left, edge.right)).collect();
    components::sparse_labels(&ends, &mut labels).unwrap();
    let nodes: Vec<i64> = labels.iter().map(|&(node, _)| node).collect();
    let (mut order, mut leaders, mut assigned) = (Vec::new(), Vec::new(), Vec::new());
    cluster::order_by_degree(&nodes, &edges, &mut order).unwrap();
    cluster::leaders(&nodes, &order, &edges, &mut leaders).unwrap();
    cluster::assign(&nodes, &order, &edges, &refused, &mut assigned).unwrap();
    let medoid = leaders[0];
    let members: Vec<_> = assigned
        .iter()
        .filter(|&&(_, leader)| leader == medoid)
        .map(|&(node, _)| Member { node, rank: u64::MAX - node.cast_unsigned() })
        .collect();
    let floor = Resemblance { shared: 750, union: 1000 };
    let (chosen, reason) = cluster::representative(medoid, &members, &edges, floor);
    format!("{labels:?}\t{order:?}\t{leaders:?}\t{assigned:?}\t{chosen} {}", reason.name())
}

#[test]
fn clustering_v1() {
    clustering("clustering_v1");
}

#[test]
fn clustering_v2() {
    clustering("clustering_v2");
}

fn clustering(name: &str) {
    let path = format!("{}/testdata/method/{name}.tsv", env!("CARGO_MANIFEST_DIR"));
    let mut faults = Vec::new();
    for line in fs::read_to_string(&path).unwrap().lines().skip(1) {
        let (edges, wanted) = line.split_once('\t').unwrap();
        let found = clustered(edges);
        if found != wanted {
            faults.push(format!("{edges}\n  found  {found}\n  wanted {wanted}"));
        }
    }
    assert!(
        faults.is_empty(),
        "{path}: make a new version of the method, not a new vector file\n{}",
        faults.join("\n")
    );
}
