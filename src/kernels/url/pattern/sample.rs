//! Values of a slot: how many are distinct, how evenly they are spread, what they look like.
//!
//! A sample keeps the values of the smallest hashes with exact counts. Below its limit it holds
//! all of them; above it the share of the hash range that it covers estimates the rest. It does
//! not depend on the order of values.
//!
//! Source: Z. Bar-Yossef and others, "Counting distinct elements in a data stream", 2002.
//! Cost: O(log limit) a value.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::Kind;
use super::shape::{self, Shape};

/// Counts of the values of smallest hash.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    counts: BTreeMap<u64, u64>,
    /// The smallest hash that was left out.
    bound: Option<u64>,
}

impl Sample {
    /// Adds `count` uses of a value.
    pub(super) fn add(&mut self, hash: u64, count: u64, limit: usize) {
        if self.bound.is_none_or(|bound| hash < bound) {
            *self.counts.entry(hash).or_default() += count;
            self.cut(limit);
        }
    }

    /// Adds all of `other`.
    fn merge(&mut self, other: &Sample, limit: usize) {
        if let Some(bound) = other.bound {
            self.bound = Some(self.bound.map_or(bound, |own| own.min(bound)));
            let _ = self.counts.split_off(&bound);
        }
        for (&hash, &count) in &other.counts {
            self.add(hash, count, limit);
        }
    }

    /// Leaves out the largest hashes.
    pub(super) fn cut(&mut self, limit: usize) {
        while self.counts.len() > limit {
            self.bound = self.counts.pop_last().map(|(hash, _)| hash).or(self.bound);
        }
    }

    /// Values that are held.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// How many values there are; exact while none was left out.
    pub(super) fn distinct(&self) -> u64 {
        let held = count(self.counts.len());
        let Some(bound) = self.bound else { return held };
        let all = (u128::from(held) << 64) / u128::from(bound.max(1));
        u64::try_from(all).unwrap_or(u64::MAX)
    }

    /// Entropy of the values in thousandths of a bit, over `total` uses.
    pub(super) fn entropy_milli(&self, total: u64) -> u64 {
        let held: u128 = self.counts.values().map(|&count| u128::from(count)).sum();
        let weighted: u128 =
            self.counts.values().map(|&count| u128::from(count) * log2_fixed(count)).sum();
        let bits = log2_fixed(total).saturating_sub(weighted / held.max(1));
        u64::try_from((bits * 1000 + 0x8000) >> 16).unwrap_or(u64::MAX)
    }
}

/// The logarithm to base two in units of 2^-16; 0 for 0.
fn log2_fixed(value: u64) -> u128 {
    let Some(whole) = value.checked_ilog2() else { return 0 };
    let mut mantissa = u128::from(value) << (63 - whole);
    let mut found = u128::from(whole);
    for _ in 0..16 {
        mantissa = (mantissa * mantissa) >> 63;
        found <<= 1;
        if mantissa >> 64 != 0 {
            mantissa >>= 1;
            found |= 1;
        }
    }
    found
}

/// A number of things in memory as a count.
pub(super) fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// What is known of the values of one slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// Which values there are.
    pub(super) sample: Sample,
    uses: u64,
    empty: u64,
    kinds: BTreeMap<Kind, u64>,
}

impl Values {
    /// Adds `uses` of a value.
    pub(super) fn add(&mut self, value: &str, uses: u64, limit: usize) {
        self.sample.add(xxh3_64(value.as_bytes()), uses, limit);
        self.uses += uses;
        if value.is_empty() {
            self.empty += uses;
        } else {
            *self.kinds.entry(kind_of(value)).or_default() += uses;
        }
    }

    /// Adds all of `other`.
    pub(super) fn merge(&mut self, other: &Values, limit: usize) {
        self.sample.merge(&other.sample, limit);
        self.uses += other.uses;
        self.empty += other.empty;
        for (&kind, &uses) in &other.kinds {
            *self.kinds.entry(kind).or_default() += uses;
        }
    }

    /// How often values were used.
    pub(super) fn uses(&self) -> u64 {
        self.uses
    }

    /// The kind of nine in ten uses; None when all values are empty.
    pub(super) fn kind(&self) -> Option<Kind> {
        let filled = self.uses - self.empty;
        let of = |kind: Kind| self.kinds.get(&kind).copied().unwrap_or_default();
        let is_most = |uses: u64| uses.saturating_mul(10) >= filled.saturating_mul(9);
        let words = of(Kind::Lang) + of(Kind::Version) + of(Kind::Slug);
        let found = match () {
            () if filled == 0 => return None,
            // One value of two letters alone says nothing.
            () if of(Kind::Lang) == filled && self.sample.distinct() > 1 => Kind::Lang,
            () if is_most(of(Kind::Version)) => Kind::Version,
            () if is_most(words) => Kind::Slug,
            () => [Kind::Int, Kind::Hex, Kind::Uuid, Kind::Date]
                .into_iter()
                .find(|&kind| is_most(of(kind)))
                .unwrap_or(Kind::Free),
        };
        Some(found)
    }
}

/// The kind of a value that stands alone.
fn kind_of(value: &str) -> Kind {
    match shape::read(value).shape {
        Shape::Year | Shape::Month | Shape::Day | Shape::Int => Kind::Int,
        Shape::Hex => Kind::Hex,
        Shape::Uuid => Kind::Uuid,
        Shape::Date => Kind::Date,
        Shape::Word if shape::is_language(value) => Kind::Lang,
        Shape::Word if shape::is_version(value) => Kind::Version,
        Shape::Word if shape::is_slug(value) => Kind::Slug,
        Shape::Word | Shape::Long => Kind::Free,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_that_of_the_counts() {
        let mut sample = Sample::default();
        (0..8).for_each(|hash| sample.add(hash, 5, 100));
        assert_eq!((sample.distinct(), sample.entropy_milli(40)), (8, 3000));
        let mut uneven = Sample::default();
        uneven.add(1, 3, 100);
        uneven.add(2, 1, 100);
        assert_eq!(uneven.entropy_milli(4), 811);
        assert_eq!(Sample::default().entropy_milli(0), 0);
    }

    #[test]
    fn a_full_sample_estimates_the_rest_in_any_order() {
        let hash = |number: u64| xxh3_64(&number.to_le_bytes());
        let (mut up, mut down) = (Sample::default(), Sample::default());
        (0..50_000).for_each(|number| up.add(hash(number), 1, 1024));
        (0..50_000).rev().for_each(|number| down.add(hash(number), 1, 1024));
        assert_eq!(up.distinct(), down.distinct());
        assert!((45_000..55_000).contains(&up.distinct()), "{}", up.distinct());
        let mut halves = [Sample::default(), Sample::default()];
        (0..50_000)
            .for_each(|number| halves[usize::from(number > 9000)].add(hash(number), 1, 1024));
        let [mut left, right] = halves;
        left.merge(&right, 1024);
        assert_eq!(left.distinct(), up.distinct());
    }
}
