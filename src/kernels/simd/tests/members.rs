//! Members of sets of ASCII characters.

use super::super::{Ascii, Isa, Kernel, Level, dispatch_at};

/// Numbers that look random, the same in every run (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

/// The first 64 bytes against each set.
struct Members<'t> {
    bytes: &'t [u8],
    sets: &'t [Ascii],
}

impl Kernel for Members<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<u64> {
        let text = isa.text(self.bytes);
        self.sets.iter().map(|set| isa.members(text, set)).collect()
    }
}

/// The masks by their meaning.
fn masks(bytes: &[u8], characters: &[Vec<u8>]) -> Vec<u64> {
    let mask = |set: &Vec<u8>| {
        let here = bytes.iter().take(64).enumerate().filter(|(_, byte)| set.contains(byte));
        here.map(|(place, _)| 1 << place).sum()
    };
    characters.iter().map(mask).collect()
}

fn check_members(bytes: &[u8], characters: &[Vec<u8>]) {
    let sets: Vec<Ascii> = characters.iter().map(|set| Ascii::new(set)).collect();
    let wanted = masks(bytes, characters);
    for level in Level::ALL {
        let found = dispatch_at(level, Members { bytes, sets: &sets });
        assert!(found.is_none_or(|found| found == wanted), "{level:?}: {bytes:?}");
    }
}

#[test]
fn members_of_sets_are_the_same_at_every_level() {
    let mut numbers = Numbers(1);
    let mut characters: Vec<Vec<u8>> = [0, 1, 2, 3, 40, 80, 120]
        .map(|count| (0..count).map(|_| numbers.byte() & 127).collect())
        .into();
    characters.push((0..128).collect());
    for length in 0..=200 {
        for kept in [255, 127] {
            // A slice of exact size: a read behind it is one behind its allocation.
            let bytes: Box<[u8]> = (0..length).map(|_| numbers.byte() & kept).collect();
            check_members(&bytes, &characters);
        }
    }
    let all: Vec<u8> = (0..=255).collect();
    for at in 0..=256 {
        check_members(&all[at..], &characters);
    }
}

#[test]
fn each_character_is_in_its_set_alone() {
    let all: Vec<u8> = (0..=255).collect();
    for character in 0..128 {
        for part in all.chunks(64) {
            check_members(part, &[vec![character]]);
        }
    }
}
