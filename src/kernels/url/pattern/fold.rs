//! Sibling literals with the same continuation written as one: `/{en|de}/{slug}`.
//!
//! For display alone: each literal keeps its own pattern. Literals of enough support are folded
//! from the host downwards, so that deeper ones count over all that was folded above them.
//!
//! Cost: O(rules log rules); no recursion.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::decide::Rule;
use super::shape::{escaped, split_extension};
use super::{Folded, Options, Pattern};

/// A place in the folded tree: rules that continue alike.
struct Item {
    rules: Vec<usize>,
    prefix: String,
}

/// One literal over the rules of an item.
#[derive(Default)]
struct Alternative<'r> {
    text: &'r str,
    first: u32,
    urls: u64,
    rules: Vec<usize>,
}

/// The folded patterns, sorted.
pub(super) fn fold(rules: &[Rule], patterns: &[Pattern], options: &Options) -> Vec<Folded> {
    let signatures = signatures(rules, patterns);
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    let mut items = vec![Item { rules: vec![0], prefix: String::new() }];
    while let Some(item) = items.pop() {
        let own: Vec<&Rule> = item.rules.iter().filter_map(|&at| rules.get(at)).collect();
        for end in own.iter().filter_map(|rule| rule.end) {
            *found.entry(item.prefix.clone()).or_default() += end.urls;
        }
        for end in own.iter().flat_map(|rule| rule.queries.values()) {
            let query = query_of(patterns, end.pattern);
            *found.entry(format!("{}{query}", item.prefix)).or_default() += end.urls;
        }
        let mut slots: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for &below in own.iter().flat_map(|rule| &rule.below) {
            let part = rules.get(below).map_or("", Rule::part);
            slots.entry(format!("{}/{part}", item.prefix)).or_default().push(below);
        }
        items.extend(slots.into_iter().map(|(prefix, rules)| Item { rules, prefix }));
        for group in groups(rules, &own, &signatures, options) {
            let prefix = format!("{}/{}", item.prefix, written(&group));
            let rules = group.into_iter().flat_map(|literal| literal.rules).collect();
            items.push(Item { rules, prefix });
        }
    }
    found.into_iter().map(|(pattern, urls)| Folded { pattern, urls }).collect()
}

/// The query of a pattern with its `?`.
fn query_of(patterns: &[Pattern], at: usize) -> &str {
    let pattern = patterns.get(at).map_or("", |found| &*found.pattern);
    pattern.find('?').and_then(|start| pattern.get(start..)).unwrap_or_default()
}

/// A hash of what follows each rule; counts do not enter.
fn signatures(rules: &[Rule], patterns: &[Pattern]) -> Vec<u64> {
    let mut hashes = vec![0_u64; rules.len()];
    let hash_of = |hashes: &[u64], at: usize| hashes.get(at).copied().unwrap_or_default();
    // A rule stands after its parent in the list.
    for (at, rule) in rules.iter().enumerate().rev() {
        let mut text: Vec<u8> = vec![u8::from(rule.end.is_some())];
        for end in rule.queries.values() {
            text.extend(query_of(patterns, end.pattern).as_bytes());
        }
        for (literal, edge) in &rule.literals {
            text.push(b'/');
            text.extend(literal.as_bytes());
            text.extend(hash_of(&hashes, edge.rule).to_le_bytes());
        }
        for &below in &rule.below {
            text.push(b'{');
            text.extend(rules.get(below).map_or("", Rule::part).as_bytes());
            text.extend(hash_of(&hashes, below).to_le_bytes());
        }
        if let Some(hash) = hashes.get_mut(at) {
            *hash = xxh3_64(&text);
        }
    }
    hashes
}

/// Literals below `own`, those that are written as one together.
fn groups<'r>(
    rules: &[Rule],
    own: &[&'r Rule],
    signatures: &[u64],
    options: &Options,
) -> Vec<Vec<Alternative<'r>>> {
    let mut literals: BTreeMap<&str, Alternative<'r>> = BTreeMap::new();
    for (text, edge) in own.iter().flat_map(|rule| &rule.literals) {
        let start = Alternative { text, first: edge.first, ..Alternative::default() };
        let literal = literals.entry(text).or_insert(start);
        literal.first = literal.first.min(edge.first);
        literal.urls += rules.get(edge.rule).map_or(0, |rule| rule.urls);
        literal.rules.push(edge.rule);
    }
    let mut groups: Vec<Vec<Alternative<'r>>> = Vec::new();
    let mut open: BTreeMap<(u64, &str), Vec<Alternative<'r>>> = BTreeMap::new();
    for (text, literal) in literals {
        let signature =
            literal.rules.first().and_then(|&at| signatures.get(at)).copied().unwrap_or_default();
        if text.is_empty() || literal.urls < options.literal_min {
            groups.push(vec![literal]);
        } else {
            open.entry((signature, split_extension(text).1)).or_default().push(literal);
        }
    }
    groups.extend(open.into_values());
    groups
}

/// `{shoes|hats}`, `{install|config}.html`, or the literal alone; the first seen comes first.
fn written(group: &[Alternative<'_>]) -> String {
    if let [literal] = group {
        return escaped(literal.text);
    }
    let mut sorted: Vec<&Alternative<'_>> = group.iter().collect();
    sorted.sort_by_key(|literal| (literal.first, literal.text));
    let suffix = sorted.first().map_or("", |literal| split_extension(literal.text).1);
    let stems: Vec<String> =
        sorted.iter().map(|literal| escaped(split_extension(literal.text).0)).collect();
    format!("{{{}}}{}", stems.join("|"), escaped(suffix))
}
