//! Shingles: tokens become 64-bit hashes, and runs of `width` tokens one 64-bit shingle each.
//!
//! The hash of a token is a folded multiply of its bytes; a shingle is a linear combination of
//! its tokens' hashes, mixed once. So a shingle costs `width` multiplications and never a look
//! at the text again. Sets of shingles are sorted slices; resemblance and containment of two
//! sets are exact up to collisions of 64 bits.
//!
//! Not for an adversary who may choose colliding tokens on purpose: the constants are
//! published. Who needs proof that two texts are equal takes `fingerprint::text_proof`.
//!
//! Source: A. Broder, "On the resemblance and containment of documents", 1997; the folded
//! multiply is that of wyhash by Wang Yi; the last mix is MurmurHash3's by A. Appleby.
//!
//! Cost: one or two products a token, `width` products a shingle; a set is sorted in linear time.
//! Bench: `kernels`, lines `tokens`, `shingles`, `shingle set`, `sort set` and `intersection`.

use super::mix::{low_half, splitmix64};
use super::simd::{self, Isa, Kernel, Portable};
use super::text::{Text, index};

/// Seed of the constants below: position 1 and 2 of [`splitmix64`] for tokens, 11 to 20 for the
/// places in a shingle.
pub const SEED: u64 = 0x5E1F_5A3E_0000_0001;

/// The third byte is 0xFF, which UTF-8 never has: a token's bytes never equal this word, so no
/// factor of the product is 0.
const TOKEN_LOW: u64 = splitmix64(SEED, 1) | 0xFF << 16;
/// The same for the second eight bytes.
const TOKEN_HIGH: u64 = splitmix64(SEED, 2) | 0xFF << 16;

/// The odd factor of each place in a shingle.
static FACTORS: [u64; WIDTH_MAX] = {
    let mut factors = [0; WIDTH_MAX];
    let mut position = 11;
    let mut place = 0;
    while place < WIDTH_MAX {
        factors[place] = splitmix64(SEED, position) | 1;
        position += 1;
        place += 1;
    }
    factors
};

/// The least and the greatest number of tokens in a shingle.
pub const WIDTH_MIN: usize = 3;
/// See [`WIDTH_MIN`].
pub const WIDTH_MAX: usize = 10;

/// Number of tokens in a shingle, 3 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Width(usize);

impl Width {
    /// A checked width; none outside [`WIDTH_MIN`] to [`WIDTH_MAX`].
    pub fn new(tokens: usize) -> Option<Self> {
        (WIDTH_MIN..=WIDTH_MAX).contains(&tokens).then_some(Width(tokens))
    }

    /// The number of tokens.
    pub fn tokens(self) -> usize {
        self.0
    }
}

/// The high and the low half of a product, folded together.
#[inline(always)]
fn fold(left: u64, right: u64) -> u64 {
    let product = (u128::from(left) * u128::from(right)).to_le_bytes();
    let (halves, _) = product.as_chunks::<8>();
    u64::from_le_bytes(halves[0]) ^ u64::from_le_bytes(halves[1])
}

/// The hash of a token of at most 16 bytes, which `bytes` starts with: two masked loads
/// and one product. For a longer token it means nothing.
#[inline(always)]
fn hash_short<I: Isa>(isa: I, bytes: &[u8; 16], length: u32) -> u64 {
    let [first, second] = isa.first_bytes(bytes, length);
    fold(first ^ TOKEN_LOW, second ^ TOKEN_HIGH ^ u64::from(length))
}

/// The hash of a token that `bytes` starts with: a product for every 16 bytes.
#[inline(always)]
fn hash_long<I: Isa>(isa: I, bytes: &[u8], length: u32) -> u64 {
    let (chunks, _) = bytes.as_chunks::<16>();
    let (mut state, mut left) = (0, length);
    for chunk in chunks {
        let [first, second] = isa.first_bytes(chunk, left.min(16));
        if left <= 16 {
            return fold(first ^ TOKEN_LOW ^ state, second ^ TOKEN_HIGH ^ u64::from(length));
        }
        state = fold(first ^ TOKEN_LOW ^ state, second ^ TOKEN_HIGH);
        left -= 16;
    }
    state
}

/// Buffers of [`hash_tokens`]; reused, they stop allocating.
#[derive(Debug, Default)]
pub struct Places {
    edges: Vec<u32>,
    long: Vec<u32>,
}

/// Replaces `hashes` by the hash of every token of a normalised text, in order.
///
/// A text without tokens leaves `hashes` empty. Cost: one pass; allocates until the buffers have
/// grown to the largest text.
pub fn hash_tokens(text: &Text, places: &mut Places, hashes: &mut Vec<u64>) {
    let Places { edges, long } = places;
    hashes.clear();
    text.token_groups(edges, |bytes, tokens| {
        let first = hashes.len();
        hashes.resize(first + tokens.len(), 0);
        long.resize(long.len().max(tokens.len() + 1), 0);
        simd::dispatch(HashTokens { bytes, tokens, hashes: &mut hashes[first..], long });
    });
}

/// Writes the hash of every token, which starts and ends in `bytes` as `tokens` says. `long` has
/// room for one number more than there are tokens.
struct HashTokens<'t> {
    bytes: &'t [u8],
    tokens: &'t [[u32; 2]],
    hashes: &'t mut [u64],
    long: &'t mut [u32],
}

impl Kernel for HashTokens<'_> {
    type Output = ();

    /// Hashes every token as a short one and then the long ones again: where long tokens are no
    /// rarity, a branch for each would be mispredicted.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let HashTokens { bytes, tokens, hashes, long } = self;
        let mut long_count = 0;
        for ((hash, &[start, end]), number) in hashes.iter_mut().zip(tokens).zip(0..) {
            let head = bytes.get(index(start)..index(start) + 16);
            let Some(head) = head.and_then(|head| head.first_chunk()) else { return };
            *hash = hash_short(isa, head, end - start);
            long[long_count] = number;
            long_count += usize::from(end - start > 16);
        }
        for &number in &long[..long_count] {
            let [start, end] = tokens[index(number)];
            hashes[index(number)] = hash_long(isa, &bytes[index(start)..], end - start);
        }
    }
}

/// Replaces `shingles` by the shingle at every position, in order, repeats included.
///
/// Fewer tokens than `width` leave `shingles` empty. Cost: `width` multiplications a token.
pub fn shingle(width: Width, tokens: &[u64], shingles: &mut Vec<u64>) {
    // What the buffer held is overwritten, so only growth costs a fill.
    shingles.resize((tokens.len() + 1).saturating_sub(width.0), 0);
    simd::dispatch(Combine { width, tokens, shingles });
}

struct Combine<'t> {
    width: Width,
    tokens: &'t [u64],
    shingles: &'t mut [u64],
}

impl Kernel for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Combine { width, tokens, shingles } = self;
        match width.0 {
            3 => isa.combine(tokens, places::<3>(), shingles),
            4 => isa.combine(tokens, places::<4>(), shingles),
            5 => isa.combine(tokens, places::<5>(), shingles),
            6 => isa.combine(tokens, places::<6>(), shingles),
            7 => isa.combine(tokens, places::<7>(), shingles),
            8 => isa.combine(tokens, places::<8>(), shingles),
            9 => isa.combine(tokens, places::<9>(), shingles),
            _ => isa.combine(tokens, &FACTORS, shingles),
        }
    }
}

/// The factors of the first places.
#[inline(always)]
fn places<const WIDTH: usize>() -> &'static [u64; WIDTH] {
    const { FACTORS.first_chunk().unwrap() }
}

/// Buffers of [`sort_set`]; reused, it stops allocating.
#[derive(Debug, Default)]
pub struct Spare {
    values: Vec<u64>,
    ends: Vec<u32>,
}

/// At most this many values are sorted by comparison alone.
const COMPARISON_MAX: usize = 24;

/// Sorts `set` and removes repeats.
///
/// Values are dealt into about as many buckets as there are values by their top bits. Shingles
/// are evenly spread, so few then have more than two greater ones before them, and one pass puts
/// them right. Values that are not evenly spread cost a comparison sort as well.
///
/// Cost: linear for shingles; allocates until `spare` has grown to the largest set.
pub fn sort_set(set: &mut Vec<u64>, spare: &mut Spare) {
    if COMPARISON_MAX < set.len() && u32::try_from(set.len()).is_ok() {
        deal(set, spare);
        let (values, _) = spare.values.split_at(set.len());
        if let Some(kept) = settle(&spare.values, set) {
            return set.truncate(kept);
        }
        set.copy_from_slice(values);
    }
    set.sort_unstable();
    set.dedup();
}

/// Writes the values of `set` to those of `spare`, sorted by their top bits, and [`HELD`] of the
/// greatest value behind them.
fn deal(set: &[u64], Spare { values, ends }: &mut Spare) {
    let bits = set.len().ilog2();
    let bucket = |value: u64| low_index(value >> (64 - bits));
    ends.clear();
    ends.resize(1 << bits, 0);
    for &value in set {
        ends[bucket(value)] += 1;
    }
    let mut sum = 0;
    for end in &mut *ends {
        (*end, sum) = (sum, sum + *end);
    }
    values.resize(set.len() + HELD, 0);
    values[set.len()..].fill(u64::MAX);
    // `ends` holds starts here; dealing moves each to the end of its bucket.
    for &value in set {
        let end = &mut ends[bucket(value)];
        values[index(*end)] = value;
        *end += 1;
    }
}

/// Values that are held back while others pass.
const HELD: usize = 2;

/// Writes `values`, of which the last [`HELD`] are not counted, to the start of `set`, sorted and
/// without repeats, and gives their number. None when they are far from sorted.
///
/// The greatest values so far are held back and every other is let out. So a value is in order
/// unless more than [`HELD`] greater ones came before it; such a rare one is inserted. Minima and
/// maxima take no branch, so nothing is mispredicted but an insertion.
fn settle(values: &[u64], set: &mut [u64]) -> Option<usize> {
    let mut held = [0; HELD];
    let mut passed = values.iter().map(|value| {
        held.iter_mut().fold(*value, |value, held| {
            let less = value.min(*held);
            *held = value.max(*held);
            less
        })
    });
    // What is held at first comes out first.
    let mut last = passed.by_ref().nth(HELD)?;
    set[0] = last;
    let mut kept = 1;
    let mut moves_left = 4 * set.len();
    for value in passed {
        if value < last {
            let before = set[..kept].iter().rposition(|before| *before < value);
            let place = before.map_or(0, |before| before + 1);
            moves_left = moves_left.checked_sub(kept - place)?;
            if set[place] != value {
                set.copy_within(place..kept, place + 1);
                set[place] = value;
                kept += 1;
            }
        } else {
            set[kept] = value;
            kept += usize::from(value != last);
            last = value;
        }
    }
    Some(kept)
}

/// The low 32 bits as an index.
#[inline(always)]
fn low_index(value: u64) -> usize {
    index(low_half(value))
}

/// The number of values that two sets share. Both must be sorted and free of repeats.
///
/// Cost: linear in both sets, without mispredicted branches.
pub fn intersection(left: &[u64], right: &[u64]) -> usize {
    simd::dispatch(Intersection { left, right, shared: 0, needed: 0 }).unwrap_or(0)
}

/// Counts the values that two sets share; none as soon as fewer than `needed` are certain.
struct Intersection<'s> {
    /// What is left to compare of the one set, and of the other.
    left: &'s [u64],
    right: &'s [u64],
    /// Values found in both so far.
    shared: usize,
    needed: usize,
}

impl Kernel for Intersection<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> Option<usize> {
        self.narrow(isa)?;
        self.narrow(Portable)?;
        // One side has at most one value left.
        let Intersection { left, right, shared, needed } = self;
        let last = left.iter().filter(|value| right.contains(value)).count();
        (needed <= shared + last).then_some(shared + last)
    }
}

impl Intersection<'_> {
    /// Compares blocks until one side is shorter than two.
    ///
    /// Of two blocks at the low ends, the one that ends first is done with, or both where they
    /// end alike; the same goes for the high ends. Where the next blocks are follows from those
    /// before, so a processor compares at one end while it waits for the other.
    #[inline(always)]
    fn narrow<I: Isa>(&mut self, isa: I) -> Option<()> {
        let Intersection { left, right, mut shared, needed } = *self;
        let (mut left_at, mut left_end) = (0, left.len());
        let (mut right_at, mut right_end) = (0, right.len());
        loop {
            let rest = (left_end - left_at).min(right_end - right_at);
            if shared + rest < needed {
                return None;
            }
            if rest < 2 * I::LANES {
                break;
            }
            let left_low = &left[left_at..left_at + I::LANES];
            let right_low = &right[right_at..right_at + I::LANES];
            let left_high = &left[left_end - I::LANES..left_end];
            let right_high = &right[right_end - I::LANES..right_end];
            shared += isa.common(left_low, right_low) + isa.common(left_high, right_high);
            let (left_last, right_last) = (left_low[I::LANES - 1], right_low[I::LANES - 1]);
            left_at += I::LANES * usize::from(left_last <= right_last);
            right_at += I::LANES * usize::from(right_last <= left_last);
            left_end -= I::LANES * usize::from(right_high[0] <= left_high[0]);
            right_end -= I::LANES * usize::from(left_high[0] <= right_high[0]);
        }
        let (left, right) = (&left[left_at..left_end], &right[right_at..right_end]);
        *self = Intersection { left, right, shared, needed };
        Some(())
    }
}

/// How far two sets overlap, in elements. An empty set reaches nothing and resembles nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Elements that both sets have.
    pub shared: u32,
    /// Elements of the left set.
    pub left: u32,
    /// Elements of the right set.
    pub right: u32,
}

impl Overlap {
    /// The overlap of two sorted sets of fewer than 2^32 elements. Cost: one `intersection`.
    pub fn of(left: &[u64], right: &[u64]) -> Self {
        Overlap::new(intersection(left, right), left, right)
    }

    /// The overlap of two sorted sets of fewer than 2^32 elements when it [`reaches`] the
    /// threshold, and none when it does not.
    ///
    /// Cost: nothing when the lengths alone forbid it; else one `intersection`, which is left as
    /// soon as the rests are too short to reach the threshold. A pair that reaches it is counted
    /// to the end even when that is certain early: callers store the exact count.
    ///
    /// [`reaches`]: Overlap::reaches
    pub fn reaching(left: &[u64], right: &[u64], threshold_milli: u32) -> Option<Self> {
        // No resemblance exceeds 1000 thousandths; 1001 keeps the product below 2^64.
        let milli = u64::from(threshold_milli.min(1001));
        let both = u64::try_from(left.len() + right.len()).unwrap_or(u64::MAX);
        // shared * 1000 >= milli * (both - shared)
        let needed = milli.saturating_mul(both).div_ceil(1000 + milli);
        let needed = usize::try_from(needed).unwrap_or(usize::MAX);
        if both == 0 || left.len().min(right.len()) < needed {
            return None;
        }
        let shared = simd::dispatch(Intersection { left, right, shared: 0, needed })?;
        Some(Overlap::new(shared, left, right))
    }

    fn new(shared: usize, left: &[u64], right: &[u64]) -> Self {
        let [shared, left, right] =
            [shared, left.len(), right.len()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        Overlap { shared, left, right }
    }

    /// Elements of the union.
    pub fn union(self) -> u64 {
        (u64::from(self.left) + u64::from(self.right)).saturating_sub(u64::from(self.shared))
    }

    /// True when the resemblance is at least `threshold_milli` thousandths, in exact integers.
    /// False for two empty sets, whatever the threshold.
    pub fn reaches(self, threshold_milli: u32) -> bool {
        let union = self.union();
        union > 0 && u64::from(self.shared) * 1000 >= u64::from(threshold_milli) * union
    }

    /// Resemblance in thousandths, rounded down; 0 for two empty sets.
    pub fn resemblance_milli(self) -> u32 {
        let milli = (u64::from(self.shared) * 1000).checked_div(self.union()).unwrap_or(0);
        u32::try_from(milli).unwrap_or(1000)
    }

    /// Shared elements by elements of the union, 0 to 1; 0 for two empty sets.
    pub fn resemblance(self) -> f64 {
        // Both counts are below 2^33, which f64 holds exactly.
        let union = f64::from(self.left) + f64::from(self.right) - f64::from(self.shared);
        ratio(f64::from(self.shared), union)
    }

    /// The part of the left set that the right one has, 0 to 1; 0 when the left is empty.
    pub fn containment_left(self) -> f64 {
        ratio(f64::from(self.shared), f64::from(self.left))
    }

    /// The part of the right set that the left one has, 0 to 1; 0 when the right is empty.
    pub fn containment_right(self) -> f64 {
        ratio(f64::from(self.shared), f64::from(self.right))
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::simd::Level;
    use super::super::text::Rules;
    use super::*;

    fn wide(length: usize) -> u64 {
        u64::try_from(length).unwrap()
    }

    fn tokens(text: &str) -> Vec<u64> {
        let (mut normal, mut hashes) = (Text::new(), Vec::new());
        normal.normalise(Rules::V1, text);
        hash_tokens(&normal, &mut Places::default(), &mut hashes);
        hashes
    }

    /// The token hash as its definition reads: bytes padded by zeros, blocks of 16.
    fn hash_by_definition(token: &[u8]) -> u64 {
        let blocks = token.len().div_ceil(16);
        let mut state = 0;
        for block in 0..blocks {
            let mut bytes = [0; 16];
            let part = &token[block * 16..token.len().min(block * 16 + 16)];
            bytes[..part.len()].copy_from_slice(part);
            let (words, _) = bytes.as_chunks::<8>();
            let [low, high] = [0, 1].map(|word| u64::from_le_bytes(words[word]));
            let len = if block + 1 == blocks { wide(token.len()) } else { 0 };
            state = fold(low ^ TOKEN_LOW ^ state, high ^ TOKEN_HIGH ^ len);
        }
        state
    }

    #[test]
    fn tokens_hash_as_defined() {
        for len in 1..100 {
            let token: String = ('a'..='z').cycle().take(len).collect();
            let text = format!("xx {token}  yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
            assert_eq!(tokens(&text)[1], hash_by_definition(token.as_bytes()), "{len} bytes");
        }
    }

    #[test]
    fn fewer_tokens_than_width_give_none() {
        let mut shingles = vec![1];
        for width in WIDTH_MIN..=WIDTH_MAX {
            let width = Width::new(width).unwrap();
            shingle(width, &vec![7; width.tokens() - 1], &mut shingles);
            assert!(shingles.is_empty());
            shingle(width, &vec![7; width.tokens() + 1], &mut shingles);
            assert_eq!(shingles.len(), 2);
        }
        assert_eq!(Width::new(2), None);
        assert_eq!(Width::new(11), None);
    }

    #[test]
    fn places_matter() {
        let [mut left, mut right] = [vec![], vec![]];
        shingle(Width(3), &tokens("man bites dog"), &mut left);
        shingle(Width(3), &tokens("dog bites man"), &mut right);
        assert_ne!(left, right);
    }

    #[test]
    fn distinct_runs_have_distinct_hashes() {
        // Runs over a small alphabet are many and alike: the hard case for a linear form.
        let mut text = String::new();
        let mut state = 1;
        for position in 1..200_000 {
            state = splitmix64(state, position);
            text.push_str(["a", "b", "c", "aa", "ab", "1", "12", "21", "ba"][low_index(state) % 9]);
            text.push(' ');
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut shingles = Vec::new();
        shingle(Width(5), &tokens(&text), &mut shingles);
        let by_text: BTreeSet<&[&str]> = words.windows(5).collect();
        let by_hash: BTreeSet<u64> = shingles.iter().copied().collect();
        assert_eq!(by_text.len(), by_hash.len());
        // Each of 256 values of a byte is met evenly: chi-square over 255 degrees.
        for byte in 0..8 {
            let mut counts = [0.0; 256];
            by_hash.iter().for_each(|hash| counts[usize::from(hash.to_le_bytes()[byte])] += 1.0);
            let expected = f64::from(u32::try_from(by_hash.len()).unwrap()) / 256.0;
            let chi: f64 = counts.iter().map(|n| (n - expected) * (n - expected) / expected).sum();
            assert!((150.0..380.0).contains(&chi), "byte {byte}: {chi}");
        }
    }

    #[test]
    fn thresholds_are_exact() {
        let overlap = Overlap { shared: 4, left: 5, right: 4 };
        assert!(overlap.reaches(800));
        assert!(!overlap.reaches(801));
        assert_eq!(overlap.resemblance_milli(), 800);
        assert_eq!(overlap.containment_left(), 0.8);
        assert_eq!(overlap.containment_right(), 1.0);
        let empty = Overlap::of(&[], &[]);
        assert!(!empty.reaches(0));
        assert_eq!(empty.resemblance(), 0.0);
        assert_eq!(empty.resemblance_milli(), 0);
        assert_eq!(empty.containment_left(), 0.0);
    }

    proptest! {
        #[test]
        fn sets_are_sorted_and_free_of_repeats(
            values in prop::collection::vec(any::<u64>(), 0..2000),
            narrow in prop::collection::vec(0_u64..500, 0..2000),
        ) {
            let mut spare = Spare::default();
            for values in [values, narrow] {
                let wanted: Vec<u64> = BTreeSet::from_iter(values.clone()).into_iter().collect();
                let mut set = values;
                sort_set(&mut set, &mut spare);
                prop_assert_eq!(set, wanted);
            }
        }

        #[test]
        fn overlap_is_that_of_sets(
            left in prop::collection::btree_set(0_u64..300, 0..200),
            right in prop::collection::btree_set(0_u64..300, 0..200),
        ) {
            let shared = left.intersection(&right).count();
            let union = left.union(&right).count();
            let [left, right]: [Vec<u64>; 2] = [left, right].map(|set| set.into_iter().collect());
            prop_assert_eq!(intersection(&left, &right), shared);
            let overlap = Overlap::of(&left, &right);
            prop_assert_eq!(overlap.union(), wide(union));
            prop_assert_eq!(overlap, {
                let Overlap { shared, left, right } = Overlap::of(&right, &left);
                Overlap { shared, left: right, right: left }
            });
        }

        #[test]
        fn extremes_and_crowds_are_sorted(
            values in prop::collection::vec(
                prop_oneof![
                    6 => any::<u64>(),
                    1 => prop::sample::select(vec![0, 1, u64::MAX, u64::MAX - 1]),
                    2 => 0_u64..50,
                ],
                0..600,
            ),
            crowded in 0_u32..60,
        ) {
            // Shifted values crowd into the first buckets.
            let mut set: Vec<u64> = values.iter().map(|value| value >> crowded).collect();
            let wanted: Vec<u64> = BTreeSet::from_iter(set.clone()).into_iter().collect();
            sort_set(&mut set, &mut Spare::default());
            prop_assert_eq!(set, wanted);
        }

        #[test]
        fn reaching_is_the_overlap_filtered(
            shared in prop::collection::btree_set(any::<u64>(), 0..300),
            left in prop::collection::btree_set(any::<u64>(), 0..150),
            right in prop::collection::btree_set(any::<u64>(), 0..150),
            near in prop::collection::btree_set(0_u64..300, 0..200),
            threshold_milli in prop_oneof![0_u32..=1002, Just(u32::MAX)],
        ) {
            let unions = [&shared | &left, &shared | &right, &near | &right];
            let sets = [&shared, &left, &near].into_iter().chain(&unions);
            let sets: Vec<Vec<u64>> = sets.map(|set| set.iter().copied().collect()).collect();
            for left in &sets {
                for right in &sets {
                    let shared = left.iter().filter(|value| right.binary_search(value).is_ok());
                    let shared = shared.count();
                    for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
                        let kernel = Intersection { left, right, shared: 0, needed: 0 };
                        prop_assert_eq!(simd::dispatch_at(level, kernel), Some(Some(shared)));
                    }
                    let overlap = Overlap::of(left, right);
                    let milli = overlap.resemblance_milli();
                    for milli in [threshold_milli, milli, milli + 1] {
                        let wanted = Some(overlap).filter(|overlap| overlap.reaches(milli));
                        prop_assert_eq!(Overlap::reaching(left, right, milli), wanted);
                    }
                }
            }
        }
    }
}
