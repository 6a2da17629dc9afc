//! The rules of a host at one checkpoint: a walk over the tree that decides each level once.
//!
//! Nodes that fall into one slot are one place below it, so a walk meets each node once. Sibling
//! literals are decided together, because their children may be few alone.
//!
//! Cost: one walk, O(nodes log nodes); no recursion.

use std::collections::BTreeMap;

use super::level::{Choice, Form, Level, Setting, Value, choose, gather, pool};
use super::sample::Values;
use super::shape::{Address, escaped, read};
use super::tree::{OTHER_NAMES, Tree};
use super::{Kind, Options, Place, Slot};

/// Sets of names at one place beyond which the rare ones are one.
const NAME_SETS_KEPT: usize = 64;

/// An edge to a literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal {
    /// The rule below.
    pub(super) rule: usize,
    /// Whether it was kept for its own support.
    is_kept: bool,
    /// The number of its first node: the earlier it was seen, the smaller.
    pub(super) first: u32,
}

/// Where addresses end, and how many.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// The pattern, by its place in the list that goes with the rules.
    pub(super) pattern: usize,
    pub(super) urls: u64,
}

/// What was decided at one place.
#[derive(Debug, Default)]
pub(super) struct Rule {
    parent: Option<usize>,
    /// How the edge to here is written.
    part: String,
    /// The slot that the edge is.
    slot: Option<Slot>,
    pub(super) urls: u64,
    pub(super) literals: BTreeMap<Box<str>, Literal>,
    /// Forms of the slots of this level, the special before the general.
    pub(super) forms: Vec<Form>,
    /// The rule below each form.
    pub(super) below: Vec<usize>,
    pub(super) end: Option<End>,
    pub(super) queries: BTreeMap<Box<str>, End>,
}

impl Rule {
    /// How the edge to here is written.
    pub(super) fn part(&self) -> &str {
        &self.part
    }

    /// Where addresses end here.
    pub(super) fn ends(&mut self) -> impl Iterator<Item = &mut End> {
        self.end.iter_mut().chain(self.queries.values_mut())
    }
}

/// A pattern at one checkpoint.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) pattern: String,
    pub(super) parent: Option<String>,
    pub(super) urls: u64,
    pub(super) slots: Vec<Slot>,
}

/// Rules, patterns, and the pattern of each node where addresses end.
#[derive(Debug, Default)]
pub(super) struct Decided {
    pub(super) rules: Vec<Rule>,
    pub(super) found: Vec<Found>,
    pub(super) assigned: Vec<(u32, usize)>,
    known: BTreeMap<String, usize>,
}

/// A place that is still to be decided.
struct Member {
    rule: usize,
    nodes: Vec<u32>,
    above: Option<Kind>,
    /// The same place at the checkpoint before.
    before: Option<usize>,
}

/// Decides every level of `tree`; `before` are the rules of the checkpoint before.
pub(super) fn decide(tree: &Tree, options: &Options, before: &[Rule]) -> Decided {
    let mut decided = Decided { rules: vec![Rule::default()], ..Decided::default() };
    let root = Member { rule: 0, nodes: vec![0], above: None, before: Some(0) };
    let mut families = vec![vec![root]];
    while let Some(family) = families.pop() {
        let levels: Vec<Level<'_>> =
            family.iter().map(|member| gather(tree, &member.nodes)).collect();
        let pools = pool(&levels, options);
        for ((member, level), pooled) in family.into_iter().zip(levels).zip(pools) {
            let old = member.before.and_then(|at| before.get(at));
            let was_kept = |text: &str| {
                old.and_then(|rule| rule.literals.get(text)).is_some_and(|found| found.is_kept)
            };
            let forms = old.map_or(&[][..], |rule| &rule.forms);
            let above = member.above;
            let setting = Setting { tree, options, above, pooled, forms, was_kept: &was_kept };
            let choice = choose(&level, &setting);
            decided.end_here(member.rule, tree, &level, options);
            decided.go_down(&member, &level, choice, old, &mut families);
        }
    }
    decided
}

impl Decided {
    /// Adds a rule below `parent`.
    fn add(&mut self, parent: usize, part: String, slot: Option<Slot>, urls: u64) -> usize {
        let made = self.rules.len();
        let parent = Some(parent);
        self.rules.push(Rule { parent, part, slot, urls, ..Rule::default() });
        made
    }

    /// Makes the rules below a level and puts them on the list of what is to be decided.
    fn go_down(
        &mut self,
        member: &Member,
        level: &Level<'_>,
        choice: Choice<'_>,
        old: Option<&Rule>,
        families: &mut Vec<Vec<Member>>,
    ) {
        let mut siblings = Vec::new();
        for (text, is_kept) in choice.literals {
            let Some(value) = level.words.get(text) else { continue };
            let rule = self.add(member.rule, escaped(text), None, value.urls);
            let first = value.nodes.iter().copied().min().unwrap_or_default();
            if let Some(own) = self.rules.get_mut(member.rule) {
                own.literals.insert(text.into(), Literal { rule, is_kept, first });
            }
            let before = old.and_then(|rule| rule.literals.get(text)).map(|found| found.rule);
            siblings.push(Member { rule, nodes: value.nodes.clone(), above: None, before });
        }
        families.push(siblings);
        let depth = self.depth(member.rule);
        for opened in choice.slots {
            let form = opened.form;
            let slot = slot(Place::Segment(depth), form.kind, &opened.values);
            let part = format!("{}{}{}", escaped(&form.prefix), form.kind, escaped(&form.suffix));
            let rule = self.add(member.rule, part, Some(slot), opened.values.uses());
            let before = old.and_then(|old| {
                let at = old.forms.iter().position(|known| *known == form)?;
                old.below.get(at).copied()
            });
            let above = Some(form.kind);
            families.push(vec![Member { rule, nodes: opened.nodes, above, before }]);
            if let Some(own) = self.rules.get_mut(member.rule) {
                own.forms.push(form);
                own.below.push(rule);
            }
        }
    }

    /// Rules from `rule` up to the host, without the host itself.
    fn upwards(&self, rule: usize) -> impl Iterator<Item = &Rule> {
        let start = self.rules.get(rule);
        let next = |rule: &&Rule| self.rules.get(rule.parent?);
        std::iter::successors(start, next).filter(|rule| rule.parent.is_some())
    }

    fn depth(&self, rule: usize) -> usize {
        self.upwards(rule).count()
    }

    /// Adds the patterns of addresses that end at `rule`, with and without query.
    fn end_here(&mut self, rule: usize, tree: &Tree, level: &Level<'_>, options: &Options) {
        if level.ends.urls == 0 && level.queries.is_empty() {
            return;
        }
        let mut parts: Vec<&Rule> = self.upwards(rule).collect();
        parts.reverse();
        let path: String = parts.iter().flat_map(|rule| ["/", &rule.part]).collect();
        let slots: Vec<Slot> = parts.iter().filter_map(|rule| rule.slot.clone()).collect();
        if level.ends.urls > 0 {
            let parent = parent_of(&path);
            let end = self.pattern(path.clone(), parent, slots.clone(), &level.ends);
            if let Some(own) = self.rules.get_mut(rule) {
                own.end = Some(end);
            }
        }
        for (names, value) in name_sets(level, options) {
            let own_slots = parameters(tree, names, &value);
            let query = query_pattern(names, &own_slots);
            let slots = slots.iter().cloned().chain(own_slots.into_iter().flatten()).collect();
            let pattern = format!("{path}?{query}");
            let end = self.pattern(pattern, Some(path.clone()), slots, &value);
            if let Some(own) = self.rules.get_mut(rule) {
                own.queries.insert(names.into(), end);
            }
        }
    }

    /// Adds to the pattern of this form, which two places may have.
    fn pattern(
        &mut self,
        pattern: String,
        parent: Option<String>,
        slots: Vec<Slot>,
        value: &Value,
    ) -> End {
        let at = match self.known.get(&pattern) {
            Some(&at) => at,
            None => {
                let at = self.found.len();
                self.known.insert(pattern.clone(), at);
                self.found.push(Found { pattern, parent, urls: 0, slots });
                at
            }
        };
        if let Some(found) = self.found.get_mut(at) {
            found.urls += value.urls;
        }
        self.assigned.extend(value.nodes.iter().map(|&node| (node, at)));
        End { pattern: at, urls: value.urls }
    }
}

/// The pattern without its last segment.
fn parent_of(path: &str) -> Option<String> {
    let (parent, _) = path.strip_suffix('/').unwrap_or(path).rsplit_once('/')?;
    Some(if parent.is_empty() { "/".to_owned() } else { parent.to_owned() })
}

/// Sets of names with their nodes; where there are many, the rare ones are one set.
fn name_sets<'l>(level: &Level<'l>, options: &Options) -> BTreeMap<&'l str, Value> {
    let all: u64 = level.queries.values().map(|value| value.urls).sum();
    let is_rare = |value: &Value| {
        value.urls < options.literal_min
            || value.urls.saturating_mul(1000) < all.saturating_mul(options.literal_share_milli)
    };
    let is_many = level.queries.len() > NAME_SETS_KEPT;
    let mut sets: BTreeMap<&str, Value> = BTreeMap::new();
    for (names, value) in &level.queries {
        let names = if is_many && is_rare(value) { OTHER_NAMES } else { *names };
        let set = sets.entry(names).or_default();
        set.urls += value.urls;
        set.nodes.extend(&value.nodes);
    }
    sets
}

fn slot(place: Place, kind: Kind, values: &Values) -> Slot {
    let (distinct, uses) = (values.sample.distinct(), values.uses());
    Slot { place, kind, distinct, entropy_milli: values.sample.entropy_milli(uses) }
}

/// The slot of each name; None for a name without values.
fn parameters(tree: &Tree, names: &str, value: &Value) -> Vec<Option<Slot>> {
    if names == OTHER_NAMES {
        return Vec::new();
    }
    let of = |(position, name): (usize, &str)| {
        let mut values = Values::default();
        for &at in &value.nodes {
            if let Some(own) = tree.node(at).and_then(|node| node.values.get(position)) {
                values.merge(own, tree.sample_limit());
            }
        }
        let name = name.strip_suffix('=')?;
        Some(slot(Place::Parameter(name.to_owned()), values.kind()?, &values))
    };
    names.split('&').enumerate().map(of).collect()
}

fn query_pattern(names: &str, slots: &[Option<Slot>]) -> String {
    let mut written = String::new();
    for (position, name) in names.split('&').enumerate() {
        if position > 0 {
            written.push('&');
        }
        written.push_str(name);
        if let Some(Some(slot)) = slots.get(position) {
            written.push_str(&slot.kind.to_string());
        }
    }
    written
}

/// The rule below `rule` that a segment leads to.
fn next(rules: &[Rule], rule: usize, segment: &str) -> Option<usize> {
    let own = rules.get(rule)?;
    if let Some(literal) = own.literals.get(segment) {
        return Some(literal.rule);
    }
    let reading = read(segment);
    let at = own.forms.iter().position(|form| form.takes(segment, &reading))?;
    own.below.get(at).copied()
}

/// The pattern of an address, by its place in the list that goes with `rules`.
pub(super) fn find(rules: &[Rule], address: &Address<'_>) -> Option<usize> {
    let mut at = 0;
    for segment in &address.segments {
        at = next(rules, at, segment)?;
    }
    let own = rules.get(at)?;
    let end = if address.names.is_empty() {
        own.end
    } else {
        let other = || own.queries.get(OTHER_NAMES);
        own.queries.get(&*address.names).or_else(other).copied()
    };
    end.map(|end| end.pattern)
}

/// The path of an address as patterns write it; what no rule knows is written by its own shape.
pub(super) fn template(rules: &[Rule], address: &Address<'_>) -> String {
    let mut at = Some(0);
    let mut written = String::new();
    for segment in &address.segments {
        written.push('/');
        at = at.and_then(|rule| next(rules, rule, segment));
        match at.and_then(|rule| rules.get(rule)) {
            Some(rule) => written.push_str(&rule.part),
            None => written.push_str(&lone(segment)),
        }
    }
    written
}

/// A segment that no rule knows.
fn lone(segment: &str) -> String {
    let reading = read(segment);
    match Kind::of_shape(reading.shape) {
        Some(kind) => format!("{kind}{}", escaped(reading.suffix)),
        None => escaped(segment),
    }
}
