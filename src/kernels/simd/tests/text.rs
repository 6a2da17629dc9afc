//! Steps of text: blocks, tokens, characters.

use proptest::prelude::*;

use super::super::{Block, EDGES, Isa, Kernel};
use super::agree;

struct Classify<'t>(&'t [u8; 64]);

impl Kernel for Classify<'_> {
    type Output = (Block, [u8; 64]);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (Block, [u8; 64]) {
        let mut lower = [0; 64];
        (isa.classify(self.0, &mut lower), lower)
    }
}

/// The kept bytes, and the kept bits of the same masks.
struct Pack<'t>(&'t [u8; 128], u64, u64);

impl Kernel for Pack<'_> {
    type Output = (Vec<u8>, u64);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (Vec<u8>, u64) {
        let Pack(bytes, kept, bits) = self;
        let mut out = [0; 128];
        isa.compact(bytes, kept, &mut out);
        let count = usize::try_from(kept.count_ones()).unwrap();
        (out[..count].to_vec(), isa.extract(bits, kept))
    }
}

struct Edges(u64, u64, u32);

impl Kernel for Edges {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<u32> {
        let mut out = [0; EDGES];
        let count = isa.edges(self.0, self.1, self.2, &mut out);
        out[..count].to_vec()
    }
}

struct FirstBytes([u8; 16], u32);

impl Kernel for FirstBytes {
    type Output = [u64; 2];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [u64; 2] {
        isa.first_bytes(&self.0, self.1)
    }
}

struct CodePoint([u8; 4]);

impl Kernel for CodePoint {
    type Output = u32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u32 {
        isa.code_point(self.0)
    }
}

/// Masks of few bits, of many bits and of long runs.
fn mask() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        (any::<u64>(), any::<u64>()).prop_map(|(left, right)| left & right),
        (any::<u64>(), any::<u64>()).prop_map(|(left, right)| left | right),
        (0_u32..64, 0_u32..64).prop_map(|(left, right)| u64::MAX << left & u64::MAX >> right),
        prop::sample::select(vec![0, u64::MAX, 1, 1 << 63, 0xFFFF, 0xFFFF << 48]),
    ]
}

#[test]
fn every_byte_has_its_class() {
    for first in (0..=255).step_by(64) {
        let mut block = [0_u8; 64];
        for (byte, value) in block.iter_mut().zip(first..=255) {
            *byte = value;
        }
        agree(|| Classify(&block)).unwrap();
    }
}

#[test]
fn every_character_has_its_code_point() {
    for c in ('\0'..=char::MAX).step_by(17) {
        for behind in [0, 0x80, 0xFF] {
            let mut bytes = [behind; 4];
            c.encode_utf8(&mut bytes);
            agree(|| CodePoint(bytes)).unwrap();
            let found = super::super::dispatch(CodePoint(bytes));
            assert_eq!(found, u32::from(c));
        }
    }
}

proptest! {
    #[test]
    fn blocks_are_classified(block in prop::collection::vec(any::<u8>(), 64)) {
        agree(|| Classify(block.first_chunk().unwrap()))?;
    }

    #[test]
    fn bytes_and_bits_are_packed(
        bytes in prop::collection::vec(any::<u8>(), 128),
        kept in mask(),
        bits in mask(),
    ) {
        agree(|| Pack(bytes.first_chunk().unwrap(), kept, bits))?;
    }

    #[test]
    fn edges_are_placed(starts in mask(), ends in mask(), base in 0_u32..1 << 31) {
        agree(|| Edges(starts, ends, base))?;
        let found = super::super::dispatch(Edges(starts, ends, base));
        let count = starts.count_ones() + ends.count_ones();
        prop_assert_eq!(found.len(), usize::try_from(count).unwrap());
        prop_assert!(found.is_sorted());
    }

    #[test]
    fn first_bytes_are_kept(bytes in any::<[u8; 16]>(), length in 0_u32..=16) {
        agree(|| FirstBytes(bytes, length))?;
    }
}
