//! The addresses of a host as a tree with counts, before any decision.
//!
//! Numbers, dates, UUIDs and hex values are one child a shape from the start. Words are children
//! of their own up to a bound; further ones are one child for each pair of affixes.
//!
//! Cost: O(length) an address and a look-up a part; memory by the bounds of [`Options`].

use std::collections::BTreeMap;

use super::Options;
use super::sample::Values;
use super::shape::{Address, Reading, Shape, read};

/// Pairs of affixes that merged children of one node are told apart by.
const LABELS_MAX: usize = 256;

/// Sets of parameter names that one node tells apart.
const NAME_SETS_MAX: usize = 256;

/// The set of names that stands for those beyond the bound.
pub(super) const OTHER_NAMES: &str = "{free}";

/// The least number of values that a sample is cut to.
const SAMPLE_MIN: usize = 16;

/// What a child of many values stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Label {
    pub(super) shape: Shape,
    pub(super) prefix: Box<str>,
    pub(super) suffix: Box<str>,
}

impl Label {
    fn is(&self, reading: &Reading<'_>) -> bool {
        self.shape == reading.shape
            && *self.prefix == *reading.prefix
            && *self.suffix == *reading.suffix
    }
}

/// A place in the tree.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Addresses that pass here or end here.
    pub(super) urls: u64,
    /// Addresses that end here; on a set of names, those with that set.
    pub(super) ends: u64,
    /// Children of one word each.
    pub(super) literals: BTreeMap<Box<str>, u32>,
    /// Children of many values.
    pub(super) merged: Vec<(Label, u32)>,
    /// Sets of parameter names.
    pub(super) queries: BTreeMap<Box<str>, u32>,
    /// Values that this node stands for; on a set of names, those of each parameter.
    pub(super) values: Vec<Values>,
}

/// The tree; node 0 is the host.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Values that samples hold, over all nodes.
    sampled: usize,
    sample_limit: usize,
    /// Nodes of the address that is added.
    trail: Vec<u32>,
}

impl Tree {
    pub(super) fn new(options: &Options) -> Tree {
        Tree {
            nodes: vec![Node::default()],
            sampled: 0,
            sample_limit: options.sample_max.max(SAMPLE_MIN),
            trail: Vec::new(),
        }
    }

    /// The node of this number.
    pub(super) fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(usize::try_from(at).ok()?)
    }

    fn node_mut(&mut self, at: u32) -> Option<&mut Node> {
        self.nodes.get_mut(usize::try_from(at).ok()?)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Values that a sample holds at most.
    pub(super) fn sample_limit(&self) -> usize {
        self.sample_limit
    }

    /// Adds an address; None when the tree is full and has no place for it.
    pub(super) fn push(&mut self, address: &Address<'_>, options: &Options) -> Option<()> {
        self.trail.clear();
        self.trail.push(0);
        let mut at = 0;
        for segment in &address.segments {
            at = self.child(at, segment, options)?;
            self.trail.push(at);
        }
        if !address.names.is_empty() {
            at = self.name_set(at, &address.names, options)?;
            self.trail.push(at);
        }
        self.node_mut(at)?.ends += 1;
        let trail = std::mem::take(&mut self.trail);
        for &number in &trail {
            self.node_mut(number)?.urls += 1;
        }
        // The host comes first, and is no value.
        for (&number, segment) in trail.iter().skip(1).zip(&address.segments) {
            self.sample(number, 0, segment);
        }
        self.trail = trail;
        for (position, value) in &address.values {
            self.sample(at, *position, value);
        }
        if self.sampled > options.nodes_max.saturating_mul(4) && self.sample_limit > SAMPLE_MIN {
            self.cut_samples();
        }
        Some(())
    }

    fn sample(&mut self, at: u32, position: usize, value: &str) {
        let limit = self.sample_limit;
        let values = self.node_mut(at).and_then(|node| node.values.get_mut(position));
        if let Some(values) = values {
            let before = values.sample.len();
            values.add(value, 1, limit);
            let added = values.sample.len() - before;
            self.sampled += added;
        }
    }

    fn cut_samples(&mut self) {
        self.sample_limit = (self.sample_limit / 2).max(SAMPLE_MIN);
        let mut left = 0;
        for values in self.nodes.iter_mut().flat_map(|node| &mut node.values) {
            values.sample.cut(self.sample_limit);
            left += values.sample.len();
        }
        self.sampled = left;
    }

    fn child(&mut self, at: u32, segment: &str, options: &Options) -> Option<u32> {
        let is_full = self.nodes.len() >= options.nodes_max;
        let node = self.node(at)?;
        let mut reading = read(segment);
        if reading.shape == Shape::Word {
            if let Some(&known) = node.literals.get(segment) {
                return Some(known);
            }
            // The slash at the end is no value.
            if (!is_full && node.literals.len() < options.children_max) || segment.is_empty() {
                let made = self.make(options, 0)?;
                self.node_mut(at)?.literals.insert(segment.into(), made);
                return Some(made);
            }
        }
        if is_full || node.merged.len() >= LABELS_MAX {
            (reading.prefix, reading.suffix) = ("", "");
        }
        if let Some((_, known)) = node.merged.iter().find(|(label, _)| label.is(&reading)) {
            return Some(*known);
        }
        let label = Label {
            shape: reading.shape,
            prefix: reading.prefix.into(),
            suffix: reading.suffix.into(),
        };
        let made = self.make(options, 1)?;
        self.node_mut(at)?.merged.push((label, made));
        Some(made)
    }

    fn name_set(&mut self, at: u32, names: &str, options: &Options) -> Option<u32> {
        let is_full = self.nodes.len() >= options.nodes_max;
        let node = self.node(at)?;
        if let Some(&known) = node.queries.get(names) {
            return Some(known);
        }
        let is_other = is_full || node.queries.len() >= NAME_SETS_MAX;
        if is_other && let Some(&known) = node.queries.get(OTHER_NAMES) {
            return Some(known);
        }
        let (kept, slots) =
            if is_other { (OTHER_NAMES, 0) } else { (names, names.split('&').count()) };
        let made = self.make(options, slots)?;
        self.node_mut(at)?.queries.insert(kept.into(), made);
        Some(made)
    }

    /// A new node with `slots` lists of values; None when twice the bound is reached.
    fn make(&mut self, options: &Options, slots: usize) -> Option<u32> {
        if self.nodes.len() >= options.nodes_max.saturating_mul(2) {
            return None;
        }
        let made = u32::try_from(self.nodes.len()).ok()?;
        self.nodes.push(Node { values: vec![Values::default(); slots], ..Node::default() });
        Some(made)
    }
}
