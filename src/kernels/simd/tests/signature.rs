//! Steps of MinHash, shingles and sets.

use proptest::prelude::*;

use super::super::{Isa, Kernel, Level, dispatch_at};
use super::agree;

/// Words with many zeros and ones beside random ones.
fn word() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => any::<u64>(),
        1 => prop::sample::select(vec![0, 1, u64::MAX, 1 << 31, 1 << 32, 1 << 63, 0xFFFF_FFFF]),
    ]
}

struct Lower<'w> {
    shingles: &'w [u64],
    factors: &'w [[u32; 8]],
    addends: &'w [[u32; 8]],
    slots: Vec<[u32; 8]>,
}

impl Kernel for Lower<'_> {
    type Output = Vec<[u32; 8]>;

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> Vec<[u32; 8]> {
        isa.lower_slots(self.shingles, self.factors, self.addends, &mut self.slots);
        self.slots
    }
}

struct Combine<'w, const WIDTH: usize>(&'w [u64], &'w [u64; WIDTH]);

impl<const WIDTH: usize> Kernel for Combine<'_, WIDTH> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<u64> {
        let mut shingles = vec![7; (self.0.len() + 1).saturating_sub(WIDTH)];
        isa.combine(self.0, self.1, &mut shingles);
        shingles
    }
}

/// The number of common values of blocks of eight, by blocks of as many as the set compares.
struct Common([u64; 8], [u64; 8]);

impl Kernel for Common {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> usize {
        let left = self.0.chunks(I::LANES);
        left.flat_map(|left| self.1.chunks(I::LANES).map(move |right| isa.common(left, right)))
            .sum()
    }
}

proptest! {
    #[test]
    fn slots_are_lowered(
        shingles in prop::collection::vec(word(), 0..40),
        slots in prop::collection::vec(any::<[[u32; 8]; 3]>(), 0..40),
    ) {
        let [factors, addends, slots] =
            [0, 1, 2].map(|part| slots.iter().map(|parts| parts[part]).collect::<Vec<_>>());
        let (factors, addends) = (&factors, &addends);
        agree(|| Lower { shingles: &shingles, factors, addends, slots: slots.clone() })?;
    }

    #[test]
    fn tokens_are_combined(
        tokens in prop::collection::vec(word(), 0..50),
        factors in prop::collection::vec(word(), 10),
    ) {
        agree(|| Combine::<3>(&tokens, factors.first_chunk().unwrap()))?;
        agree(|| Combine::<5>(&tokens, factors.first_chunk().unwrap()))?;
        agree(|| Combine::<10>(&tokens, factors.first_chunk().unwrap()))?;
    }

    #[test]
    fn common_values_are_counted(
        values in prop::collection::btree_set(prop_oneof![word(), 0..20_u64], 16),
        taken in any::<[u8; 16]>(),
        shared in 0_usize..=8,
    ) {
        // Two random choices of eight values, `shared` of which are the same.
        let mut values: Vec<u64> = values.into_iter().collect();
        for (at, with) in (0..16).zip(taken) {
            values.swap(at, usize::from(with % 16));
        }
        let (left, right) = values.split_at_mut(8);
        right[..shared].copy_from_slice(&left[8 - shared..]);
        let block = |values: &[u64]| *values.first_chunk().unwrap();
        let kernel = || Common(block(left), block(right));
        agree(kernel)?;
        prop_assert_eq!(dispatch_at(Level::Portable, kernel()), Some(shared));
    }
}
