//! Patterns of the addresses of one host: `/t/{int}`, `/catalog/shoes/{slug}`, `/s?page={int}`.
//!
//! Path segments and names of parameters form a tree. At each level a value is a literal or falls
//! into a typed slot: types decide first (numbers, dates by their position, UUIDs, hex values,
//! languages, versions), then the number of distinct values against their support. Values of a
//! slot are one place before the level below is decided.
//!
//! Addresses come in the order of their first fetch. Checkpoints are prefixes of that order at
//! doubling counts: at each all levels are decided anew, patterns get the number of the checkpoint
//! that they appeared at, and [`Move`]s say how many addresses went from an old pattern to a new
//! one. A decision made before is kept while most of its evidence is left, so that a level near a
//! threshold does not change sides at each checkpoint. Within the bounds of [`Options`] the
//! patterns of two orders of one set differ by that alone.
//!
//! Not for addresses of several hosts, not for spellings that are no canonical key, and not a
//! statement that two addresses are the same: content decides that.
//!
//! What has affixes: a slot keeps a file extension (`{slug}.html`), and one ASCII word before a
//! number where eight numbers share it (`item-{int}.html`). Other words with numbers are slugs.
//! Parameters are always slots; their names are always literals.
//!
//! Source: T. Lei and others, "A pattern tree-based approach to learning URL normalization
//! rules", 2010, for the tree; the thresholds are ours.
//! Cost: O(length) an address, and O(nodes log nodes) a checkpoint: near linear over all.

mod decide;
mod fold;
mod level;
mod sample;
mod shape;
mod tree;

use std::collections::BTreeMap;
use std::fmt;

use decide::{Decided, Found, Rule, decide, find, template};
use shape::{Shape, address};
use tree::Tree;

/// Numbers that decisions are made by; those of [`Options::USUAL`] are in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Distinct values below which no level is one of identifiers by their number (8).
    pub identifier_min: u64,
    /// A level is one of identifiers from this many thousandths of the square root of its support
    /// (2000: 40 values in 400 addresses).
    pub identifier_root_milli: u64,
    /// Addresses from which a share of distinct values decides (20).
    pub unique_min: u64,
    /// A level is one of identifiers above this share of distinct values, in thousandths (500).
    pub unique_share_milli: u64,
    /// Addresses that a literal is kept for, at least (3).
    pub literal_min: u64,
    /// Share of its level that a literal is kept for, in thousandths (20).
    pub literal_share_milli: u64,
    /// Among identifiers a literal is kept from this many times the mean support (4).
    pub hot_factor: u64,
    /// Languages or versions side by side from which they are a slot (8).
    pub typed_min: u64,
    /// Addresses of several words below a date from which these words are a slot (8).
    pub dated_min: u64,
    /// Addresses of several words that a sibling needs to count among its siblings (5).
    pub pool_member_min: u64,
    /// Siblings with one word from which it is a part of the site (4).
    pub shared_min: usize,
    /// Share of each of these numbers that keeps a decision of the checkpoint before, in
    /// thousandths; 1000 forgets it (800).
    pub keep_milli: u64,
    /// Addresses of the first checkpoint; each further one has twice as many (16).
    pub checkpoint_first: u64,
    /// Words that one node keeps apart (4096).
    pub children_max: usize,
    /// Nodes from which words are no longer kept apart; there are at most twice as many (262144).
    pub nodes_max: usize,
    /// Values that the sample of a slot holds, which counts up to there exactly (1024).
    pub sample_max: usize,
}

impl Options {
    /// What the tests of this module and measurements were made with.
    pub const USUAL: Options = Options {
        identifier_min: 8,
        identifier_root_milli: 2000,
        unique_min: 20,
        unique_share_milli: 500,
        literal_min: 3,
        literal_share_milli: 20,
        hot_factor: 4,
        typed_min: 8,
        dated_min: 8,
        pool_member_min: 5,
        shared_min: 4,
        keep_milli: 800,
        checkpoint_first: 16,
        children_max: 4096,
        nodes_max: 262_144,
        sample_max: 1024,
    };

    /// What a decision needs of `number`; `was` tells that it was made before.
    fn needed(&self, number: u64, was: bool) -> u64 {
        if was { number.saturating_mul(self.keep_milli) / 1000 } else { number }
    }

    /// Whether `distinct` values in `urls` addresses are nearly one an address.
    fn is_unique(&self, urls: u64, distinct: u64, was: bool) -> bool {
        let share_milli = self.needed(self.unique_share_milli, was);
        urls >= self.needed(self.unique_min, was)
            && distinct.saturating_mul(1000) > urls.saturating_mul(share_milli)
    }

    /// Whether `distinct` values in `urls` addresses are identifiers.
    fn is_identifier(&self, urls: u64, distinct: u64, was: bool) -> bool {
        let root_milli = self.needed(self.identifier_root_milli, was);
        // Squared: both sides of distinct >= root * sqrt(urls).
        let left = (u128::from(distinct) * 1000).saturating_pow(2);
        let right = u128::from(root_milli).saturating_pow(2).saturating_mul(urls.into());
        (distinct >= self.needed(self.identifier_min, was) && left >= right)
            || self.is_unique(urls, distinct, was)
    }
}

/// What the values of a slot are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A year, 1900 to 2099.
    Year,
    /// A month below a year.
    Month,
    /// A day below a month.
    Day,
    /// Digits.
    Int,
    /// A day as yyyy-mm-dd.
    Date,
    /// A UUID.
    Uuid,
    /// Hex digits, eight or more.
    Hex,
    /// A language, alone or with its region.
    Lang,
    /// A version, or a word that stands beside versions.
    Version,
    /// Letters, digits and hyphens.
    Slug,
    /// Anything.
    Free,
}

impl Kind {
    /// The stable name in tables and patterns.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Year => "yyyy",
            Kind::Month => "mm",
            Kind::Day => "dd",
            Kind::Int => "int",
            Kind::Date => "date",
            Kind::Uuid => "uuid",
            Kind::Hex => "hex",
            Kind::Lang => "lang",
            Kind::Version => "version",
            Kind::Slug => "slug",
            Kind::Free => "free",
        }
    }

    /// The kind of a shape that needs no other values; None for words.
    fn of_shape(shape: Shape) -> Option<Kind> {
        match shape {
            Shape::Year | Shape::Month | Shape::Day | Shape::Int => Some(Kind::Int),
            Shape::Date => Some(Kind::Date),
            Shape::Uuid => Some(Kind::Uuid),
            Shape::Hex => Some(Kind::Hex),
            Shape::Long => Some(Kind::Free),
            Shape::Word => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{{{}}}", self.name())
    }
}

/// Where a slot stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A segment of the path, from 0.
    Segment(usize),
    /// The parameter of this name.
    Parameter(String),
}

/// A slot of a pattern.
///
/// Numbers of a segment are over all addresses that share the path up to and with the slot, those
/// of a parameter over the addresses of the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Where it stands.
    pub place: Place,
    /// What its values are.
    pub kind: Kind,
    /// Distinct values; an estimate above [`Options::sample_max`].
    pub distinct: u64,
    /// Entropy of the values, in thousandths of a bit.
    pub entropy_milli: u64,
}

/// A pattern and its addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The pattern from the slash on; `{`, `}` and `|` of an address are percent-encoded in it.
    pub pattern: String,
    /// Addresses that it has; for a retired one, that it had at its last checkpoint.
    pub urls: u64,
    /// Its slots, from left to right.
    pub slots: Vec<Slot>,
    /// The checkpoint at which it appeared first, from 1: its version.
    pub first_checkpoint: u32,
    /// The last checkpoint that it was decided at.
    pub last_checkpoint: u32,
    /// The pattern without its query, or without its last segment; it may have no addresses.
    pub parent: Option<String>,
}

/// Addresses that went from one pattern to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The checkpoint that moved them.
    pub checkpoint: u32,
    /// Their pattern at the checkpoint before.
    pub from: String,
    /// Their pattern from this checkpoint on.
    pub to: String,
    /// How many there were at the checkpoint before.
    pub urls: u64,
}

/// Patterns that differ in literals alone, written as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    /// The pattern with its alternatives: `/{en|de}/{slug}`.
    pub pattern: String,
    /// Addresses of all of them.
    pub urls: u64,
}

/// A node where addresses end, as the last checkpoint left it.
#[derive(Clone, Copy, Debug)]
struct Settled {
    pattern: usize,
    urls: u64,
}

/// Learns the patterns of one host from its addresses in the order of their first fetch.
#[derive(Debug)]
pub struct Learner {
    options: Options,
    tree: Tree,
    pushed: u64,
    unplaced: u64,
    next_checkpoint: u64,
    checkpoint_urls: Vec<u64>,
    rules: Vec<Rule>,
    /// For each pattern of `rules`, its place in `patterns`.
    ids: Vec<usize>,
    /// Every pattern so far.
    patterns: Vec<Pattern>,
    known: BTreeMap<String, usize>,
    settled: BTreeMap<u32, Settled>,
    moves: Vec<Move>,
}

impl Learner {
    /// A learner that knows no address.
    pub fn new(options: Options) -> Learner {
        Learner {
            tree: Tree::new(&options),
            pushed: 0,
            unplaced: 0,
            next_checkpoint: options.checkpoint_first.max(1),
            checkpoint_urls: Vec::new(),
            rules: Vec::new(),
            ids: Vec::new(),
            patterns: Vec::new(),
            known: BTreeMap::new(),
            settled: BTreeMap::new(),
            moves: Vec::new(),
            options,
        }
    }

    /// Adds an address: a canonical key of the host.
    pub fn push(&mut self, url_key: &str) {
        self.pushed += 1;
        if self.tree.push(&address(url_key), &self.options).is_none() {
            self.unplaced += 1;
        }
        if self.pushed == self.next_checkpoint {
            self.next_checkpoint = self.next_checkpoint.saturating_mul(2);
            self.check();
        }
    }

    /// Nodes that are held: at most twice [`Options::nodes_max`].
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// Decides all levels and compares with the checkpoint before.
    fn check(&mut self) {
        self.checkpoint_urls.push(self.pushed);
        let checkpoint = u32::try_from(self.checkpoint_urls.len()).unwrap_or(u32::MAX);
        let Decided { rules, found, assigned, .. } = decide(&self.tree, &self.options, &self.rules);
        self.rules = rules;
        self.ids = found.into_iter().map(|found| self.name(found, checkpoint)).collect();
        let mut moved: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for (node, at) in assigned {
            let Some(&pattern) = self.ids.get(at) else { continue };
            let urls = self.tree.node(node).map_or(0, |node| node.ends);
            let before = self.settled.insert(node, Settled { pattern, urls });
            if let Some(before) = before.filter(|before| before.pattern != pattern) {
                *moved.entry((before.pattern, pattern)).or_default() += before.urls;
            }
        }
        let text = |at: usize| self.patterns.get(at).map_or("", |found| &*found.pattern).to_owned();
        let mut moves: Vec<Move> = moved
            .into_iter()
            .map(|((from, to), urls)| Move { checkpoint, from: text(from), to: text(to), urls })
            .collect();
        moves.sort_by(|left, right| (&left.from, &left.to).cmp(&(&right.from, &right.to)));
        self.moves.append(&mut moves);
    }

    /// The place of a pattern among all, with its numbers brought up to date.
    fn name(&mut self, found: Found, checkpoint: u32) -> usize {
        let Found { pattern, parent, urls, slots } = found;
        if let Some(&at) = self.known.get(&pattern) {
            if let Some(known) = self.patterns.get_mut(at) {
                (known.urls, known.slots, known.last_checkpoint) = (urls, slots, checkpoint);
            }
            return at;
        }
        let at = self.patterns.len();
        self.known.insert(pattern.clone(), at);
        let (first_checkpoint, last_checkpoint) = (checkpoint, checkpoint);
        let new = Pattern { pattern, urls, slots, first_checkpoint, last_checkpoint, parent };
        self.patterns.push(new);
        at
    }

    /// The patterns of all addresses; the last checkpoint is the end.
    pub fn finish(mut self) -> Learned {
        if self.checkpoint_urls.last() != Some(&self.pushed) {
            self.check();
        }
        let last = u32::try_from(self.checkpoint_urls.len()).unwrap_or(u32::MAX);
        let by_place: Vec<String> = self
            .ids
            .iter()
            .filter_map(|&id| self.patterns.get(id))
            .map(|p| p.pattern.clone())
            .collect();
        self.patterns.sort_by(|left, right| left.pattern.cmp(&right.pattern));
        let (patterns, retired): (Vec<Pattern>, Vec<Pattern>) =
            self.patterns.into_iter().partition(|pattern| pattern.last_checkpoint == last);
        let place = |text: &String| {
            patterns.binary_search_by(|pattern| pattern.pattern.cmp(text)).unwrap_or_default()
        };
        let places: Vec<usize> = by_place.iter().map(place).collect();
        let mut rules = self.rules;
        for end in rules.iter_mut().flat_map(Rule::ends) {
            end.pattern = places.get(end.pattern).copied().unwrap_or_default();
        }
        Learned {
            patterns,
            retired,
            moves: self.moves,
            checkpoint_urls: self.checkpoint_urls,
            unplaced: self.unplaced,
            rules,
            options: self.options,
        }
    }
}

/// The patterns of one host.
#[derive(Debug)]
pub struct Learned {
    /// Patterns of the last checkpoint, sorted.
    pub patterns: Vec<Pattern>,
    /// Patterns of earlier checkpoints alone, sorted.
    pub retired: Vec<Pattern>,
    /// How addresses moved, by checkpoint, then from, then to.
    pub moves: Vec<Move>,
    /// Addresses of each checkpoint; the first is checkpoint 1.
    pub checkpoint_urls: Vec<u64>,
    /// Addresses that found no place because the tree was full; no pattern counts them.
    pub unplaced: u64,
    rules: Vec<Rule>,
    options: Options,
}

impl Learned {
    /// The place in `patterns` of the pattern of an address, also of one that was not pushed.
    ///
    /// Where a bound of [`Options`] was reached, an address that came after it may be found under
    /// another pattern than the one that counts it.
    pub fn pattern_of(&self, url_key: &str) -> Option<usize> {
        find(&self.rules, &address(url_key))
    }

    /// The pattern of the path alone: the kind of page that an address names.
    ///
    /// An address that no pattern fits is written by the rules as far as they go, then by the
    /// shapes of its segments.
    pub fn template_of(&self, url_key: &str) -> String {
        template(&self.rules, &address(url_key))
    }

    /// The patterns with sibling literals of the same continuation written as one, sorted.
    pub fn folded(&self) -> Vec<Folded> {
        fold::fold(&self.rules, &self.patterns, &self.options)
    }
}

#[cfg(test)]
mod tests;
