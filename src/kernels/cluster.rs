//! Leader clustering inside one component: each member has an edge to its leader.
//!
//! Resemblance is not transitive, so a component may chain texts that have nothing in common.
//! Here nodes are walked by degree; one without edge to an earlier leader leads, the others join
//! the adjacent leader they resemble most. A leader is the medoid of its cluster.
//!
//! The work has three steps, and the walk of all is that of the first:
//! 1. [`order_by_degree`] fixes the order by the edges that candidates gave (degree before
//!    closure), and [`leaders`] names the nodes to which missing pairs are to be computed;
//! 2. the caller computes those pairs (`closure`) and adds the edges that reach the threshold;
//! 3. [`assign`] walks the same order over all edges; [`representative`] then picks within one
//!    cluster.
//!
//! Not for components: `components` finds them, and without edges each node leads itself.
//! Every edge given is at or above the threshold and passed the guards; only
//! [`representative`] takes pairs below it.
//!
//! Source: J. Aslam, E. Pelekhov, D. Rus, "The star clustering algorithm", 2004.
//! Cost: O(E log E + N log N) a call, E edges and N nodes; no step looks at pairs without edge.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

/// A resemblance as the exact ratio `shared / union`; no shingles at all count as 0.
///
/// Ratios are equal by value: 3/4 is 6/8.
#[derive(Clone, Copy, Debug)]
pub struct Resemblance {
    /// Shingles that both texts have.
    pub shared: u32,
    /// Shingles that either text has.
    pub union: u32,
}

impl Resemblance {
    /// Both terms; an empty union makes 0/1, so that every two ratios compare.
    fn ratio(self) -> (u64, u64) {
        if self.union == 0 { (0, 1) } else { (self.shared.into(), self.union.into()) }
    }
}

impl Ord for Resemblance {
    fn cmp(&self, right: &Self) -> Ordering {
        let (left_shared, left_union) = self.ratio();
        let (right_shared, right_union) = right.ratio();
        // Two 32-bit factors fit 64 bits.
        (left_shared * right_union).cmp(&(right_shared * left_union))
    }
}

impl PartialOrd for Resemblance {
    fn partial_cmp(&self, right: &Self) -> Option<Ordering> {
        Some(self.cmp(right))
    }
}

impl PartialEq for Resemblance {
    fn eq(&self, right: &Self) -> bool {
        self.cmp(right).is_eq()
    }
}

impl Eq for Resemblance {}

/// A verified pair of nodes; the ends come in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// One end.
    pub left: i64,
    /// The other end.
    pub right: i64,
    /// Their exact resemblance.
    pub resemblance: Resemblance,
}

/// A node that an edge or an order names and the component does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stranger {
    /// The number of that node.
    pub node: i64,
}

impl std::fmt::Display for Stranger {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "node {} is not among the nodes of its component", self.node)
    }
}

impl std::error::Error for Stranger {}

/// Writes the nodes into `order`, by degree descending, then by number.
///
/// `nodes` are sorted and distinct. A degree counts distinct neighbours.
///
/// # Errors
///
/// Fails when an edge names a node outside `nodes`.
pub fn order_by_degree(
    nodes: &[i64],
    edges: &[Edge],
    order: &mut Vec<i64>,
) -> Result<(), Stranger> {
    let graph = Graph::new(nodes, edges)?;
    let mut ranks: Vec<usize> = (0..nodes.len()).collect();
    ranks.sort_unstable_by_key(|&rank| (Reverse(graph.neighbours(rank).len()), rank));
    order.clear();
    order.extend(ranks.iter().map(|&rank| nodes[rank]));
    Ok(())
}

/// Writes the leaders into `leaders`, in the order of the walk.
///
/// A node leads when no earlier leader is adjacent to it. `order` holds each of `nodes` once.
///
/// # Errors
///
/// Fails when an edge or the order names a node outside `nodes`.
pub fn leaders(
    nodes: &[i64],
    order: &[i64],
    edges: &[Edge],
    leaders: &mut Vec<i64>,
) -> Result<(), Stranger> {
    let graph = Graph::new(nodes, edges)?;
    let is_leader = graph.walk(nodes, order)?;
    leaders.clear();
    for &node in order {
        if is_leader[rank_of(nodes, node)?] {
            leaders.push(node);
        }
    }
    Ok(())
}

/// Writes (node, leader) for each node into `assigned`, sorted by node.
///
/// The walk is that of [`leaders`] over these edges, in the order given; a covered node joins the
/// adjacent leader it resembles most, of equals the smaller, whose group holds no node that
/// `refused` pairs it with; where there is none it leads itself, as a leader does.
///
/// # Errors
///
/// Fails when an edge, a refused pair or the order names a node outside `nodes`.
pub fn assign(
    nodes: &[i64],
    order: &[i64],
    edges: &[Edge],
    refused: &[Edge],
    assigned: &mut Vec<(i64, i64)>,
) -> Result<(), Stranger> {
    let graph = Graph::new(nodes, edges)?;
    let apart = Graph::new(nodes, refused)?;
    let is_leader = graph.walk(nodes, order)?;
    let mut leader_of: Vec<Option<usize>> =
        is_leader.iter().enumerate().map(|(rank, leads)| leads.then_some(rank)).collect();
    for &node in order {
        let rank = rank_of(nodes, node)?;
        if leader_of[rank].is_none() {
            let is_free = |leader: usize| {
                let mut others = apart.neighbours(rank).iter();
                others.all(|other| leader_of[other.to] != Some(leader))
            };
            let adjacent = graph.neighbours(rank).iter();
            let open = adjacent.filter(|arc| is_leader[arc.to] && is_free(arc.to));
            let nearest = open.max_by_key(|arc| (arc.resemblance, Reverse(arc.to)));
            leader_of[rank] = Some(nearest.map_or(rank, |arc| arc.to));
        }
    }
    assigned.clear();
    let leaders = leader_of.iter().zip(nodes);
    assigned.extend(leaders.map(|(leader, node)| (*node, leader.map_or(*node, |at| nodes[at]))));
    Ok(())
}

/// A member of one cluster that may represent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The number of the node.
    pub node: i64,
    /// The caller's preference: the smaller rank is the better, then the smaller number.
    pub rank: u64,
}

/// Why a member represents its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is the only member.
    Only,
    /// It has the best rank, and every member is near enough to it.
    Best,
    /// Members of better rank are too far from some member, or pairs of theirs are unknown.
    BestNear,
    /// The medoid represents, because no better ranked member is known to be near to all.
    Medoid,
}

impl Reason {
    /// The stable name of the reason in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Only => "only",
            Reason::Best => "best",
            Reason::BestNear => "best_near",
            Reason::Medoid => "medoid",
        }
    }
}

/// The member that represents a cluster, and why.
///
/// A member qualifies when its pair with every other member is among `pairs` and at or above
/// `floor`; the medoid always does. `pairs` may hold pairs below the threshold and pairs of
/// other clusters; of copies of one pair the lowest counts. `floor` is the threshold less 0.05
/// as the job writes it, for instance 750/1000.
///
/// Members are distinct and in any order; `medoid` is one of them.
pub fn representative(
    medoid: i64,
    members: &[Member],
    pairs: &[Edge],
    floor: Resemblance,
) -> (i64, Reason) {
    let mut ranked = members.to_vec();
    ranked.sort_unstable_by_key(|member| member.node);
    let nodes: Vec<i64> = ranked.iter().map(|member| member.node).collect();
    let mut links = Vec::new();
    for pair in pairs {
        if let (Ok(left), Ok(right)) = (rank_of(&nodes, pair.left), rank_of(&nodes, pair.right)) {
            links.push(Link { left, right, resemblance: pair.resemblance });
        }
    }
    let graph = Graph::of_links(nodes.len(), links);
    let is_near = |at: usize| {
        let neighbours = graph.neighbours(at);
        neighbours.len() + 1 == nodes.len() && neighbours.iter().all(|arc| arc.resemblance >= floor)
    };
    let order = |&(_, member): &(usize, &Member)| (member.rank, member.node);
    let best = ranked.iter().map(|member| (member.rank, member.node)).min();
    let chosen = ranked
        .iter()
        .enumerate()
        .filter(|&(at, member)| member.node == medoid || is_near(at))
        .min_by_key(order)
        .map_or(medoid, |(_, member)| member.node);
    let reason = if members.len() < 2 {
        Reason::Only
    } else if best.is_some_and(|(_, node)| node == chosen) {
        Reason::Best
    } else if chosen == medoid {
        Reason::Medoid
    } else {
        Reason::BestNear
    };
    (chosen, reason)
}

/// An edge between ranks among the sorted nodes.
#[derive(Clone, Copy, Debug)]
struct Link {
    left: usize,
    right: usize,
    resemblance: Resemblance,
}

/// What a node sees of an edge: the rank at the other end.
#[derive(Clone, Copy, Debug)]
struct Arc {
    to: usize,
    resemblance: Resemblance,
}

/// Both directions of each edge, grouped by node and sorted by neighbour.
struct Graph {
    arcs: Vec<Arc>,
    /// The arcs of each rank.
    ranges: Vec<Range<usize>>,
}

impl Graph {
    fn new(nodes: &[i64], edges: &[Edge]) -> Result<Self, Stranger> {
        let mut links = Vec::with_capacity(edges.len());
        for edge in edges {
            let left = rank_of(nodes, edge.left)?;
            let right = rank_of(nodes, edge.right)?;
            links.push(Link { left, right, resemblance: edge.resemblance });
        }
        Ok(Self::of_links(nodes.len(), links))
    }

    /// A loop says nothing and is left out. Of copies of one edge the lowest resemblance stays,
    /// so that their order does not matter.
    fn of_links(nodes: usize, mut links: Vec<Link>) -> Self {
        links.retain(|link| link.left != link.right);
        let mut ranges = vec![0..0; nodes];
        for link in &links {
            ranges[link.left].end += 1;
            ranges[link.right].end += 1;
        }
        let mut start = 0;
        for range in &mut ranges {
            let degree = range.end;
            *range = start..start;
            start += degree;
        }
        let mut arcs = vec![Arc { to: 0, resemblance: Resemblance { shared: 0, union: 0 } }; start];
        for &Link { left, right, resemblance } in &links {
            for (from, to) in [(left, right), (right, left)] {
                arcs[ranges[from].end] = Arc { to, resemblance };
                ranges[from].end += 1;
            }
        }
        for range in &mut ranges {
            let found = &mut arcs[range.clone()];
            found.sort_unstable_by_key(|arc| (arc.to, arc.resemblance));
            range.end = range.start + distinct(found);
        }
        Self { arcs, ranges }
    }

    fn neighbours(&self, rank: usize) -> &[Arc] {
        &self.arcs[self.ranges[rank].clone()]
    }

    /// Which ranks lead, when nodes are walked in `order`.
    fn walk(&self, nodes: &[i64], order: &[i64]) -> Result<Vec<bool>, Stranger> {
        let mut is_leader = vec![false; nodes.len()];
        let mut is_covered = vec![false; nodes.len()];
        for &node in order {
            let rank = rank_of(nodes, node)?;
            if !is_covered[rank] {
                is_leader[rank] = true;
                for arc in self.neighbours(rank) {
                    is_covered[arc.to] = true;
                }
            }
        }
        Ok(is_leader)
    }
}

/// Moves the first arc to each neighbour to the front and returns how many there are.
fn distinct(sorted: &mut [Arc]) -> usize {
    let mut kept = 0;
    for at in 0..sorted.len() {
        if kept == 0 || sorted[kept - 1].to != sorted[at].to {
            sorted[kept] = sorted[at];
            kept += 1;
        }
    }
    kept
}

fn rank_of(nodes: &[i64], node: i64) -> Result<usize, Stranger> {
    nodes.binary_search(&node).map_err(|_| Stranger { node })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn ratio(shared: u32, union: u32) -> Resemblance {
        Resemblance { shared, union }
    }

    fn edge(left: i64, right: i64, hundredths: u32) -> Edge {
        Edge { left, right, resemblance: ratio(hundredths, 100) }
    }

    fn order_of(nodes: &[i64], edges: &[Edge]) -> Vec<i64> {
        let mut order = Vec::new();
        order_by_degree(nodes, edges, &mut order).unwrap();
        order
    }

    fn leaders_of(nodes: &[i64], order: &[i64], edges: &[Edge]) -> Vec<i64> {
        let mut found = Vec::new();
        leaders(nodes, order, edges, &mut found).unwrap();
        found
    }

    fn assigned_of(nodes: &[i64], order: &[i64], edges: &[Edge]) -> Vec<(i64, i64)> {
        let mut assigned = Vec::new();
        assign(nodes, order, edges, &[], &mut assigned).unwrap();
        assigned
    }

    #[test]
    fn ratios_compare_by_value() {
        assert_eq!(ratio(3, 4), ratio(6, 8));
        assert!(ratio(1, 3) < ratio(334, 1000));
        assert!(ratio(u32::MAX - 1, u32::MAX) < ratio(u32::MAX, u32::MAX));
        assert_eq!(ratio(0, 0), ratio(0, 5));
        assert!(ratio(0, 0) < ratio(1, u32::MAX));
    }

    #[test]
    fn a_chain_is_cut_into_stars() {
        let nodes = [10, 20, 30, 40, 50];
        let edges = [edge(10, 20, 80), edge(20, 30, 80), edge(30, 40, 90), edge(40, 50, 80)];
        let order = order_of(&nodes, &edges);
        assert_eq!(order, [20, 30, 40, 10, 50]);
        assert_eq!(leaders_of(&nodes, &order, &edges), [20, 40]);
        // 30 touches both leaders and resembles 40 more.
        let wanted = [(10, 20), (20, 20), (30, 40), (40, 40), (50, 40)];
        assert_eq!(assigned_of(&nodes, &order, &edges), wanted);
    }

    #[test]
    fn of_equal_leaders_the_smaller_wins() {
        let nodes = [1, 2, 3, 4, 5];
        let edges = [edge(1, 3, 80), edge(3, 5, 80), edge(1, 2, 80), edge(5, 4, 80)];
        let order = [5, 1, 2, 3, 4];
        let wanted = [(1, 1), (2, 1), (3, 1), (4, 5), (5, 5)];
        assert_eq!(assigned_of(&nodes, &order, &edges), wanted);
    }

    #[test]
    fn closure_edges_keep_the_first_order() {
        let nodes = [1, 2, 3, 4];
        let first = [edge(1, 2, 80), edge(1, 3, 80), edge(3, 4, 80)];
        let order = order_of(&nodes, &first);
        assert_eq!(order, [1, 3, 2, 4]);
        assert_eq!(leaders_of(&nodes, &order, &first), [1, 4]);
        let all = [&first[..], &[edge(2, 4, 95)]].concat();
        let wanted = [(1, 1), (2, 4), (3, 1), (4, 4)];
        assert_eq!(assigned_of(&nodes, &order, &all), wanted);
        // An edge between two leaders leaves one of them.
        let all = [&first[..], &[edge(4, 1, 80)]].concat();
        let wanted = [(1, 1), (2, 1), (3, 1), (4, 1)];
        assert_eq!(assigned_of(&nodes, &order, &all), wanted);
    }

    #[test]
    fn strangers_are_named() {
        let mut out = Vec::new();
        let found = order_by_degree(&[1, 2], &[edge(1, 3, 80)], &mut out).unwrap_err();
        assert_eq!(found.to_string(), "node 3 is not among the nodes of its component");
        assert_eq!(leaders(&[1], &[4], &[], &mut out), Err(Stranger { node: 4 }));
        assert!(order_of(&[], &[]).is_empty());
        assert_eq!(assigned_of(&[7], &[7], &[edge(7, 7, 100)]), [(7, 7)]);
    }

    #[test]
    fn representatives_and_their_reasons() {
        let floor = ratio(750, 1000);
        let member = |node, rank| Member { node, rank };
        let members = [member(1, 5), member(2, 0), member(3, 9)];
        let star = [edge(1, 2, 80), edge(3, 1, 80)];
        let choose = |members: &[Member], pairs: &[Edge]| representative(1, members, pairs, floor);
        assert_eq!(choose(&members[..1], &[]), (1, Reason::Only));
        assert_eq!(choose(&members, &star), (1, Reason::Medoid), "the pair 2, 3 is unknown");
        let far = [&star[..], &[edge(2, 3, 74)]].concat();
        assert_eq!(choose(&members, &far), (1, Reason::Medoid));
        let near = [&star[..], &[edge(2, 3, 75), edge(2, 99, 1)]].concat();
        assert_eq!(choose(&members, &near), (2, Reason::Best));
        let copies = [&near[..], &far[..]].concat();
        assert_eq!(choose(&members, &copies), (1, Reason::Medoid), "the lowest copy counts");
        let equal = [member(2, 5), member(1, 5), member(3, 5)];
        assert_eq!(choose(&equal, &near), (1, Reason::Best));
        let four = [member(1, 5), member(2, 1), member(3, 9), member(4, 0)];
        let pairs = [&near[..], &[edge(1, 4, 80), edge(2, 4, 76), edge(3, 4, 10)]].concat();
        assert_eq!(choose(&four, &pairs), (2, Reason::BestNear));
        assert_eq!(choose(&members, &[]), (1, Reason::Medoid));
    }

    #[test]
    fn a_star_of_a_hundred_thousand_is_no_quadratic_work() {
        let nodes: Vec<i64> = (0..100_000).collect();
        let edges: Vec<_> = (1..100_000).map(|node| edge(node, 0, 80)).collect();
        let order = order_of(&nodes, &edges);
        assert!(assigned_of(&nodes, &order, &edges).iter().all(|&(_, leader)| leader == 0));
    }

    fn graphs() -> impl Strategy<Value = (Vec<i64>, Vec<Edge>, Vec<Edge>)> {
        let ends = (0..14_i64, 0..14_i64, 80..84_u32);
        let edges = move || {
            prop::collection::vec(ends.clone(), 0..30).prop_map(|all| {
                all.iter().map(|&(left, right, r)| edge(left * 3, right * 3, r)).collect::<Vec<_>>()
            })
        };
        (Just((0..14).map(|node| node * 3).collect()), edges(), edges())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn laws((nodes, first, closure) in graphs()) {
            let order = order_of(&nodes, &first);
            let all = [&first[..], &closure[..]].concat();
            let assigned = assigned_of(&nodes, &order, &all);
            prop_assert!(assigned.iter().map(|&(node, _)| node).eq(nodes.iter().copied()));

            let mut lowest: BTreeMap<(i64, i64), Resemblance> = BTreeMap::new();
            for edge in &all {
                for ends in [(edge.left, edge.right), (edge.right, edge.left)] {
                    let found = lowest.entry(ends).or_insert(edge.resemblance);
                    *found = edge.resemblance.min(*found);
                }
            }
            let leader_of: BTreeMap<i64, i64> = assigned.iter().copied().collect();
            for (&node, &leader) in &leader_of {
                prop_assert_eq!(leader_of[&leader], leader, "a leader leads itself");
                if node == leader {
                    continue;
                }
                let joined = lowest[&(node, leader)];
                for (&(_, other), &found) in lowest.range((node, i64::MIN)..=(node, i64::MAX)) {
                    if leader_of[&other] == other {
                        prop_assert!((joined, Reverse(leader)) >= (found, Reverse(other)));
                    }
                }
            }
            for (left, right) in lowest.keys().filter(|(left, right)| left != right) {
                prop_assert!(leader_of[left] != *left || leader_of[right] != *right);
            }
            let mut named = leaders_of(&nodes, &order, &all);
            named.sort_unstable();
            let selves = assigned.iter().filter(|(node, leader)| node == leader);
            prop_assert!(selves.map(|&(node, _)| node).eq(named));
        }

        #[test]
        fn order_and_direction_of_edges_do_not_matter(
            (nodes, first, closure) in graphs(),
            turn in 0..30_usize,
        ) {
            let turned = |edges: &[Edge]| {
                let mut turned: Vec<Edge> = edges
                    .iter()
                    .map(|edge| Edge { left: edge.right, right: edge.left, ..*edge })
                    .collect();
                turned.rotate_left(turn % edges.len().max(1));
                turned
            };
            let order = order_of(&nodes, &first);
            prop_assert_eq!(&order_of(&nodes, &turned(&first)), &order);
            let all = [&first[..], &closure[..]].concat();
            let assigned = assigned_of(&nodes, &order, &all);
            prop_assert_eq!(assigned_of(&nodes, &order, &turned(&all)), assigned);
        }

        #[test]
        fn the_representative_is_near_to_all_or_the_medoid((nodes, pairs, _) in graphs()) {
            let floor = ratio(81, 100);
            let cluster = &nodes[..4];
            let members: Vec<_> = cluster
                .iter()
                .map(|&node| Member { node, rank: 99 - node.unsigned_abs() })
                .collect();
            let (chosen, reason) = representative(cluster[0], &members, &pairs, floor);
            let is_near = cluster.iter().filter(|&&node| node != chosen).all(|&node| {
                let ends = [(node, chosen), (chosen, node)];
                let mut known = pairs
                    .iter()
                    .filter(|pair| ends.contains(&(pair.left, pair.right)))
                    .peekable();
                known.peek().is_some() && known.all(|pair| pair.resemblance >= floor)
            });
            prop_assert!(chosen == cluster[0] || is_near);
            prop_assert!(reason != Reason::Medoid || chosen == cluster[0]);
            prop_assert_eq!(reason == Reason::Best, chosen == cluster[3]);
        }
    }
}
