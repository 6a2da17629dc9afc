//! One level of the tree: which values stay literals, and which are slots.
//!
//! Types come first (numbers, dates, hashes, languages, versions), then counts. A decision that
//! was made at the checkpoint before is kept while most of its evidence is left.
//!
//! Cost: O(v log v) for the v values of a level.

use std::collections::{BTreeMap, BTreeSet};

use super::sample::{Values, count};
use super::shape::{self, Reading, Shape};
use super::tree::{Label, Tree};
use super::{Kind, Options};

/// One value of a level, over all nodes of the level.
#[derive(Debug, Default)]
pub(super) struct Value {
    pub(super) urls: u64,
    pub(super) nodes: Vec<u32>,
    /// What follows: an end, a query, further segments.
    follows: [bool; 3],
}

/// What stands at one place below one prefix.
#[derive(Debug, Default)]
pub(super) struct Level<'t> {
    pub(super) words: BTreeMap<&'t str, Value>,
    merged: BTreeMap<&'t Label, Value>,
    pub(super) queries: BTreeMap<&'t str, Value>,
    pub(super) ends: Value,
}

/// The children of `nodes` by value.
pub(super) fn gather<'t>(tree: &'t Tree, nodes: &[u32]) -> Level<'t> {
    let mut level = Level::default();
    for &at in nodes {
        let Some(node) = tree.node(at) else { continue };
        if node.ends > 0 {
            level.ends.nodes.push(at);
            level.ends.urls += node.ends;
        }
        for (text, &child) in &node.literals {
            level.words.entry(text).or_default().add(tree, child);
        }
        for (label, child) in &node.merged {
            level.merged.entry(label).or_default().add(tree, *child);
        }
        for (names, &child) in &node.queries {
            level.queries.entry(names).or_default().add(tree, child);
        }
    }
    // A place that was made for an address that then found none.
    level.words.retain(|_, value| value.urls > 0);
    level.merged.retain(|_, value| value.urls > 0);
    level.queries.retain(|_, value| value.urls > 0);
    level
}

impl Value {
    fn add(&mut self, tree: &Tree, at: u32) {
        let Some(node) = tree.node(at) else { return };
        self.urls += node.urls;
        self.nodes.push(at);
        // A slash at the end is an end.
        let has_slash = node.literals.contains_key("");
        let children = node.literals.len() + node.merged.len() - usize::from(has_slash);
        let [end, query, segment] = &mut self.follows;
        *end |= node.ends > 0 || has_slash;
        *query |= !node.queries.is_empty();
        *segment |= children > 0;
    }
}

/// What an edge takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Takes {
    /// Values of the shapes of its kind.
    Shapes,
    /// Languages.
    Languages,
    /// Versions and the words that stand beside them.
    Versions,
    /// Words with its affixes.
    Words,
}

/// The form of a slot in a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) takes: Takes,
    pub(super) kind: Kind,
    pub(super) prefix: Box<str>,
    pub(super) suffix: Box<str>,
}

impl Form {
    /// Whether a value falls into the slot; forms of a level are asked in their order.
    pub(super) fn takes(&self, value: &str, reading: &Reading<'_>) -> bool {
        let is_number = reading.shape.is_number();
        let is_shape = match self.takes {
            Takes::Languages => return shape::is_language(value),
            Takes::Versions => return shape::is_version(value) || shape::is_version_word(value),
            Takes::Words => reading.shape == Shape::Word,
            Takes::Shapes => match self.kind {
                Kind::Year => reading.shape == Shape::Year,
                Kind::Month => reading.shape == Shape::Month,
                Kind::Day => matches!(reading.shape, Shape::Month | Shape::Day),
                Kind::Int => is_number,
                Kind::Hex => reading.shape == Shape::Hex || is_number,
                Kind::Uuid => reading.shape == Shape::Uuid,
                Kind::Date => reading.shape == Shape::Date,
                _ => reading.shape == Shape::Long,
            },
        };
        is_shape
            && *self.suffix == *reading.suffix
            && (self.prefix.is_empty() || *self.prefix == *reading.prefix)
    }

    /// Whether both are the same slot, but for the kind that words show.
    fn is_like(&self, right: &Form) -> bool {
        self.takes == right.takes
            && (self.takes == Takes::Words || self.kind == right.kind)
            && self.prefix == right.prefix
            && self.suffix == right.suffix
    }

    /// Where the form stands among those of its level: the special before the general.
    fn rank(&self) -> (Takes, bool, Kind) {
        (self.takes, self.prefix.is_empty(), self.kind)
    }
}

/// A slot of a level and what falls into it.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) form: Form,
    pub(super) values: Values,
    pub(super) nodes: Vec<u32>,
}

/// What was decided at a level.
#[derive(Debug, Default)]
pub(super) struct Choice<'t> {
    /// Literals, and whether each was kept for its own support.
    pub(super) literals: BTreeMap<&'t str, bool>,
    pub(super) slots: Vec<Opened>,
}

/// What a decision sees beside the level.
pub(super) struct Setting<'a> {
    pub(super) tree: &'a Tree,
    pub(super) options: &'a Options,
    /// The slot above, where there is one.
    pub(super) above: Option<Kind>,
    /// Suffixes whose words are slots by the evidence of the siblings.
    pub(super) pooled: BTreeSet<&'a str>,
    /// Forms of the same level at the checkpoint before.
    pub(super) forms: &'a [Form],
    /// Whether a literal was kept for its support at the checkpoint before.
    pub(super) was_kept: &'a dyn Fn(&str) -> bool,
}

impl Setting<'_> {
    fn was_open(&self, form: &Form) -> bool {
        self.forms.iter().any(|known| known.is_like(form))
    }

    /// Whether the level stands where articles of a day or a month stand.
    fn is_dated(&self) -> bool {
        matches!(self.above, Some(Kind::Year | Kind::Month | Kind::Day | Kind::Date))
    }
}

fn form(takes: Takes, kind: Kind, prefix: &str, suffix: &str) -> Form {
    Form { takes, kind, prefix: prefix.into(), suffix: suffix.into() }
}

/// Decides a level.
pub(super) fn choose<'t>(level: &Level<'t>, setting: &Setting<'_>) -> Choice<'t> {
    let mut choice = Choice::default();
    numbers(level, setting, &mut choice);
    let mut words: BTreeMap<&'t str, &Value> =
        level.words.iter().map(|(text, value)| (*text, value)).collect();
    if words.remove("").is_some() {
        choice.literals.insert("", false);
    }
    let is_version = |text: &str| shape::is_version(text);
    typed(Takes::Languages, &mut words, setting, &mut choice, shape::is_language);
    typed(Takes::Versions, &mut words, setting, &mut choice, is_version);
    let mut buckets = split(level, &mut words, setting);
    keep_hot(level, &mut words, setting, &mut choice);
    for (text, value) in words {
        let suffix = shape::split_extension(text).1;
        buckets.entry(("", suffix)).or_default().push(text, value);
    }
    for ((prefix, suffix), bucket) in buckets {
        bucket.settle(prefix, suffix, setting, &mut choice);
    }
    choice.slots.sort_by(|left, right| {
        let of = |slot: &Opened| (slot.form.rank(), slot.form.clone());
        of(left).cmp(&of(right))
    });
    choice
}

/// Share of numbers of one sort from which they are read as that sort, in thousandths.
const PREVAILS_MILLI: u64 = 900;

/// Share of words that have to be languages or versions, in thousandths.
const TYPED_MILLI: u64 = 500;

/// Whether most of `whole` are of one sort.
fn prevails(part: u64, whole: u64, was: bool, options: &Options) -> bool {
    let share_milli = options.needed(PREVAILS_MILLI, was);
    part > 0 && part.saturating_mul(1000) >= whole.saturating_mul(share_milli)
}

/// Slots of the shapes that are told apart before counts.
fn numbers(level: &Level<'_>, setting: &Setting<'_>, choice: &mut Choice<'_>) {
    let mut by_suffix: BTreeMap<&str, Vec<(Shape, &Value)>> = BTreeMap::new();
    for (label, value) in &level.merged {
        if label.shape != Shape::Word {
            by_suffix.entry(&label.suffix).or_default().push((label.shape, value));
        }
    }
    for (suffix, shapes) in by_suffix {
        let mut found: BTreeMap<Kind, (Values, Vec<u32>)> = BTreeMap::new();
        let kinds = NumberKinds::of(&shapes, suffix, setting);
        for (shape, value) in shapes {
            let (values, nodes) = found.entry(kinds.kind(shape)).or_default();
            nodes.extend(&value.nodes);
            merge_values(values, &value.nodes, setting.tree);
        }
        choice.slots.extend(found.into_iter().map(|(kind, (values, nodes))| Opened {
            form: form(Takes::Shapes, kind, "", suffix),
            values,
            nodes,
        }));
    }
}

fn merge_values(into: &mut Values, nodes: &[u32], tree: &Tree) {
    for values in nodes.iter().filter_map(|&at| tree.node(at)?.values.first()) {
        into.merge(values, tree.sample_limit());
    }
}

/// How the numbers of a level are read.
struct NumberKinds {
    is_year: bool,
    is_month: bool,
    is_day: bool,
    is_hex: bool,
}

impl NumberKinds {
    fn of(shapes: &[(Shape, &Value)], suffix: &str, setting: &Setting<'_>) -> NumberKinds {
        let urls = |wanted: fn(Shape) -> bool| -> u64 {
            shapes.iter().filter(|(shape, _)| wanted(*shape)).map(|(_, value)| value.urls).sum()
        };
        let was = |kind: Kind| setting.was_open(&form(Takes::Shapes, kind, "", suffix));
        let options = setting.options;
        let all = urls(Shape::is_number);
        let years = urls(|shape| shape == Shape::Year);
        let months = urls(|shape| shape == Shape::Month);
        let days = urls(|shape| matches!(shape, Shape::Month | Shape::Day));
        let hexes = urls(|shape| shape == Shape::Hex);
        let under_year = shapes
            .iter()
            .filter(|(shape, _)| *shape == Shape::Year)
            .flat_map(|(_, value)| &value.nodes)
            .filter_map(|&at| setting.tree.node(at))
            .flat_map(|node| &node.merged)
            .filter(|(label, _)| label.shape == Shape::Month && label.suffix.is_empty())
            .filter_map(|(_, at)| setting.tree.node(*at))
            .map(|node| node.urls)
            .sum::<u64>();
        let has_months = under_year > 0 && under_year.saturating_mul(2) >= years;
        NumberKinds {
            is_year: has_months || prevails(years, all, was(Kind::Year), options),
            is_month: setting.above == Some(Kind::Year)
                && prevails(months, all, was(Kind::Month), options),
            is_day: setting.above == Some(Kind::Month)
                && prevails(days, all, was(Kind::Day), options),
            // A hash of digits alone is a number by chance.
            is_hex: prevails(hexes, hexes + all, was(Kind::Hex) && !was(Kind::Int), options),
        }
    }

    fn kind(&self, shape: Shape) -> Kind {
        match shape {
            Shape::Year if self.is_year => Kind::Year,
            Shape::Month if self.is_month => Kind::Month,
            Shape::Month | Shape::Day if self.is_day => Kind::Day,
            Shape::Year | Shape::Month | Shape::Day | Shape::Int if self.is_hex => Kind::Hex,
            Shape::Year | Shape::Month | Shape::Day | Shape::Int => Kind::Int,
            Shape::Date => Kind::Date,
            Shape::Uuid => Kind::Uuid,
            Shape::Hex => Kind::Hex,
            Shape::Long | Shape::Word => Kind::Free,
        }
    }
}

/// Takes languages or versions out of `words` where enough of them stand together.
fn typed<'t>(
    takes: Takes,
    words: &mut BTreeMap<&'t str, &Value>,
    setting: &Setting<'_>,
    choice: &mut Choice<'t>,
    is_typed: impl Fn(&str) -> bool,
) {
    let kind = if takes == Takes::Languages { Kind::Lang } else { Kind::Version };
    let form = form(takes, kind, "", "");
    let all: u64 = words.values().map(|value| value.urls).sum();
    let (mut urls, mut distinct) = (0_u64, 0_u64);
    for (_, value) in words.iter().filter(|(text, _)| is_typed(text)) {
        (urls, distinct) = (urls + value.urls, distinct + 1);
    }
    let was = setting.was_open(&form);
    let wanted = setting.options.needed(setting.options.typed_min, was).max(1);
    let share_milli = setting.options.needed(TYPED_MILLI, was);
    if distinct < wanted || urls.saturating_mul(1000) < all.saturating_mul(share_milli) {
        return;
    }
    let mut opened = Opened { form, values: Values::default(), nodes: Vec::new() };
    words.retain(|text, value| {
        let is_taken = opened.form.takes(text, &shape::read(text));
        if is_taken {
            opened.nodes.extend(&value.nodes);
            opened.values.add(text, value.urls, setting.tree.sample_limit());
        }
        !is_taken
    });
    choice.slots.push(opened);
}

/// Words that may become one slot.
#[derive(Debug, Default)]
struct Bucket<'t, 'v> {
    words: Vec<(&'t str, &'v Value)>,
    urls: u64,
    /// Nodes of many words; where there are some the slot is open for good.
    merged: Vec<u32>,
    merged_values: Values,
}

type Buckets<'t, 'v> = BTreeMap<(&'t str, &'t str), Bucket<'t, 'v>>;

/// Nodes of many words, and words with a prefix that enough of them share.
fn split<'t, 'v>(
    level: &'v Level<'t>,
    words: &mut BTreeMap<&'t str, &'v Value>,
    setting: &Setting<'_>,
) -> Buckets<'t, 'v> {
    let mut buckets = Buckets::new();
    for (label, value) in level.merged.iter().filter(|(label, _)| label.shape == Shape::Word) {
        let bucket = buckets.entry((&*label.prefix, &*label.suffix)).or_default();
        bucket.urls += value.urls;
        bucket.merged.extend(&value.nodes);
        merge_values(&mut bucket.merged_values, &value.nodes, setting.tree);
    }
    for (text, value) in words.iter() {
        let reading = shape::read(text);
        if !reading.prefix.is_empty() {
            let bucket = buckets.entry((reading.prefix, reading.suffix)).or_default();
            bucket.push(text, value);
        }
    }
    let min = setting.options.identifier_min;
    let mut poured = Vec::new();
    buckets.retain(|(prefix, suffix), bucket| {
        let was = setting.was_open(&form(Takes::Words, Kind::Int, prefix, suffix));
        let is_kept = prefix.is_empty() || bucket.distinct() >= setting.options.needed(min, was);
        if !is_kept {
            bucket.urls -= bucket.words.iter().map(|(_, value)| value.urls).sum::<u64>();
            poured.push((*suffix, std::mem::take(bucket)));
        }
        is_kept
    });
    for (suffix, rest) in poured.into_iter().filter(|(_, rest)| !rest.merged.is_empty()) {
        let bucket = buckets.entry(("", suffix)).or_default();
        bucket.urls += rest.urls;
        bucket.merged.extend(rest.merged);
        bucket.merged_values.merge(&rest.merged_values, setting.tree.sample_limit());
    }
    for bucket in buckets.values() {
        for (text, _) in &bucket.words {
            words.remove(text);
        }
    }
    buckets
}

/// Moves the words of high support from `words` to the literals.
fn keep_hot<'t>(
    level: &Level<'t>,
    words: &mut BTreeMap<&'t str, &Value>,
    setting: &Setting<'_>,
    choice: &mut Choice<'t>,
) {
    let options = setting.options;
    let all: u64 = level.words.values().chain(level.merged.values()).map(|value| value.urls).sum();
    let urls: u64 = words.values().map(|value| value.urls).sum();
    let distinct = count(words.len());
    let is_plain = |form: &Form| form.takes == Takes::Words && form.prefix.is_empty();
    let was_open = setting.forms.iter().any(is_plain);
    let is_identifier = options.is_identifier(urls, distinct, was_open);
    words.retain(|text, value| {
        let was = (setting.was_kept)(text);
        let share_milli = options.needed(options.literal_share_milli, was);
        let factor_milli = options.needed(options.hot_factor.saturating_mul(1000), was);
        let support_milli = value.urls.saturating_mul(1000);
        let is_hot = value.urls >= options.needed(options.literal_min, was)
            && support_milli >= all.saturating_mul(share_milli)
            && (!is_identifier
                || support_milli.saturating_mul(distinct) >= urls.saturating_mul(factor_milli));
        let is_slug = setting.is_dated() && shape::has_parts(text);
        if is_hot && !is_slug {
            choice.literals.insert(text, true);
        }
        !is_hot || is_slug
    });
}

impl<'t, 'v> Bucket<'t, 'v> {
    fn push(&mut self, text: &'t str, value: &'v Value) {
        self.urls += value.urls;
        self.words.push((text, value));
    }

    fn distinct(&self) -> u64 {
        count(self.words.len()).saturating_add(self.merged_values.sample.distinct())
    }

    /// Whether the words of the bucket are values of a slot.
    fn is_open(&self, prefix: &str, suffix: &str, setting: &Setting<'_>) -> bool {
        let was = setting.was_open(&form(Takes::Words, Kind::Slug, prefix, suffix));
        let in_parts: u64 = self
            .words
            .iter()
            .filter(|(text, _)| shape::has_parts(text))
            .map(|(_, value)| value.urls)
            .sum();
        !prefix.is_empty()
            || !self.merged.is_empty()
            || (setting.pooled.contains(suffix) && in_parts >= setting.options.pool_member_min)
            || setting.options.is_identifier(self.urls, self.distinct(), was)
            || (setting.is_dated() && in_parts >= setting.options.dated_min)
    }

    fn settle(self, prefix: &str, suffix: &str, setting: &Setting<'_>, choice: &mut Choice<'t>) {
        if !self.is_open(prefix, suffix, setting) {
            choice.literals.extend(self.words.iter().map(|(text, _)| (*text, false)));
            return;
        }
        let usual = self.usual();
        let Bucket { words, merged, merged_values, .. } = self;
        let (mut nodes, mut values) = (merged, merged_values);
        for (text, value) in words {
            let is_usual = value.follows.iter().zip(usual).any(|(has, wanted)| *has && wanted);
            if !is_usual && value.urls >= setting.options.literal_min {
                choice.literals.insert(text, true);
                continue;
            }
            nodes.extend(&value.nodes);
            values.add(text, value.urls, setting.tree.sample_limit());
        }
        let kind = if prefix.is_empty() { values.kind().unwrap_or(Kind::Free) } else { Kind::Int };
        choice.slots.push(Opened { form: form(Takes::Words, kind, prefix, suffix), values, nodes });
    }

    /// What follows at least a tenth of the words; all is usual where they are not known.
    fn usual(&self) -> [bool; 3] {
        let is_usual = |at: usize| {
            let has = |value: &Value| value.follows.get(at).is_some_and(|has| *has);
            let holders = self.words.iter().filter(|(_, value)| has(value)).count();
            !self.merged.is_empty() || holders * 10 >= self.words.len()
        };
        [is_usual(0), is_usual(1), is_usual(2)]
    }
}

/// For each level of sibling literals, suffixes whose words are slots by the evidence of all.
///
/// Words in several parts below many siblings are as a rule names of things, though each sibling
/// has few; a word that stands below most of them is a part of the site.
pub(super) fn pool<'t>(levels: &[Level<'t>], options: &Options) -> Vec<BTreeSet<&'t str>> {
    let mut holders: BTreeMap<&str, usize> = BTreeMap::new();
    for text in levels.iter().flat_map(|level| level.words.keys()) {
        *holders.entry(text).or_default() += 1;
    }
    let is_shared = |text: &str| {
        let count = holders.get(text).copied().unwrap_or_default();
        count >= options.shared_min && count * 2 >= levels.len()
    };
    let mut own: Vec<BTreeMap<&'t str, (u64, u64)>> = Vec::new();
    let mut sums: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for level in levels {
        let mut found: BTreeMap<&'t str, (u64, u64)> = BTreeMap::new();
        for (text, value) in &level.words {
            if shape::has_parts(text) && !is_shared(text) {
                let (urls, distinct) = found.entry(shape::split_extension(text).1).or_default();
                (*urls, *distinct) = (*urls + value.urls, *distinct + 1);
            }
        }
        found.retain(|_, (urls, _)| *urls >= options.pool_member_min);
        for (suffix, (urls, distinct)) in &found {
            let sum = sums.entry(suffix).or_default();
            *sum = (sum.0 + urls, sum.1 + distinct);
        }
        own.push(found);
    }
    let is_open = |suffix: &str| {
        sums.get(suffix).is_some_and(|(urls, distinct)| options.is_unique(*urls, *distinct, false))
    };
    own.into_iter()
        .map(|found| found.into_keys().filter(|suffix| is_open(suffix)).collect())
        .collect()
}
