//! Instruction sets: one kernel, compiled for each, chosen once when the process starts.
//!
//! A kernel is written once over [`Isa`], whose methods are the few steps that an instruction set
//! does in its own way. [`dispatch`] runs it on the best set this processor has:
//!
//! ```text
//! struct Dots<'t>(&'t [u8]);
//! impl Kernel for Dots<'_> {
//!     type Output = u64;
//!     #[inline(always)]
//!     fn run<I: Isa>(self, isa: I) -> u64 { isa.members(isa.text(self.0), &DOT) }
//! }
//! let mask = dispatch(Dots(bytes));
//! ```
//!
//! Every method has one meaning, given by [`Portable`], and the other sets are tested against it;
//! what a kernel gives never depends on the machine. On other processors than x86-64 the portable
//! twin is what the compiler makes of it, which on AArch64 uses NEON.
//!
//! `SELFSAME_SIMD=portable`, `avx2` or `avx512` chooses a set by hand. The command line refuses
//! another word and a set that this processor lacks; who calls the library asks [`level`].
//!
//! The only module with `unsafe`: the intrinsics want a processor that has them, and a value of
//! [`Avx2`] or [`Avx512`] exists only where that was checked.

#![expect(unsafe_code, reason = "intrinsics; each has a portable twin and a test that both agree")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

use std::env;
use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use avx512::Avx512;
pub(super) use portable::Portable;

/// The environment variable that chooses an instruction set.
pub const VARIABLE: &str = "SELFSAME_SIMD";

/// An instruction set that kernels are compiled for, from the least to the most able.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor of this architecture has.
    Portable,
    /// AVX2, BMI1, BMI2, LZCNT and POPCNT of x86-64-v3.
    Avx2,
    /// What `Avx2` has and AVX-512 F, BW, CD, DQ, VL, VBMI and VBMI2, as in Ice Lake and Zen 4.
    Avx512,
}

impl Level {
    /// All, from the least to the most able.
    pub const ALL: [Level; 3] = [Level::Portable, Level::Avx2, Level::Avx512];

    /// The word that chooses it in [`VARIABLE`].
    pub fn word(self) -> &'static str {
        match self {
            Level::Portable => "portable",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// Whether this processor has it.
    pub fn is_here(self) -> bool {
        self.set().is_some()
    }

    /// The proof that this processor has it; none where it does not.
    fn set(self) -> Option<Set> {
        match self {
            Level::Portable => Some(Set::Portable(Portable)),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => Avx2::detect().map(Set::Avx2),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => Avx512::detect().map(Set::Avx512),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        }
    }

    /// The most able one that this processor has.
    fn best() -> Level {
        Level::ALL.into_iter().rev().find(|level| level.is_here()).unwrap_or(Level::Portable)
    }

    /// The one that `word` names, or the best where there is no word.
    ///
    /// # Errors
    ///
    /// What was found and what is wanted, for another word or a level this processor lacks.
    fn chosen(word: Option<&str>) -> Result<Level, String> {
        let Some(word) = word else { return Ok(Level::best()) };
        let here = Level::ALL.into_iter().filter(|level| level.is_here());
        here.clone().find(|level| level.word() == word).ok_or_else(|| {
            let words: Vec<&str> = here.map(Level::word).collect();
            format!(
                "{VARIABLE} is {word:?}, wanted one of {}, or nothing for the best",
                words.join(", ")
            )
        })
    }
}

/// The level that kernels run at, or why [`VARIABLE`] names none.
///
/// # Errors
///
/// What was found and what is wanted; kernels then run at the best level.
pub fn level() -> &'static Result<Level, String> {
    static LEVEL: OnceLock<Result<Level, String>> = OnceLock::new();
    LEVEL.get_or_init(|| {
        let word = env::var_os(VARIABLE).filter(|word| !word.is_empty());
        let word = word.map(|word| word.to_string_lossy().into_owned());
        Level::chosen(word.as_deref())
    })
}

/// Work that is compiled once for each instruction set. `run` and all it calls in its inner loops
/// must be `#[inline(always)]`, so that they are compiled for the set of the caller.
pub(super) trait Kernel {
    /// What the work gives.
    type Output;

    /// Does the work.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// Runs `kernel` at the level of this process. Cost: one load and one branch.
#[inline]
pub(super) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    static SET: OnceLock<Set> = OnceLock::new();
    let set = SET.get_or_init(|| {
        let level = level().as_ref().map_or_else(|_| Level::best(), |level| *level);
        level.set().unwrap_or(Set::Portable(Portable))
    });
    set.run(kernel)
}

/// Runs `kernel` at `level`; none where this processor lacks it.
#[cfg(test)]
pub(super) fn dispatch_at<K: Kernel>(level: Level, kernel: K) -> Option<K::Output> {
    level.set().map(|set| set.run(kernel))
}

/// An instruction set that this processor has.
#[derive(Clone, Copy, Debug)]
enum Set {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Set {
    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Set::Portable(isa) => kernel.run(isa),
            // SAFETY: the value is proof that this processor has the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(isa) => unsafe { avx2::enter(isa, kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(isa) => unsafe { avx512::enter(isa, kernel) },
        }
    }
}

/// Widens the number of a bit.
#[expect(clippy::as_conversions, reason = "usize has at least 32 bits wherever this is built")]
#[inline(always)]
pub(super) const fn place(bit: u32) -> usize {
    bit as usize
}

/// What 64 bytes of text hold, one bit a byte, the first byte lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// ASCII white space: space, tab to carriage return.
    pub(super) space: u64,
    /// ASCII letters, digits and the underscore.
    pub(super) word: u64,
    /// ASCII letters.
    pub(super) letter: u64,
    /// Bytes outside ASCII.
    pub(super) wide: u64,
    /// Bytes that start a character outside ASCII.
    pub(super) lead: u64,
}

/// The most edges of 64 bytes, and room for those that are overwritten.
pub(super) const EDGES: usize = 192;

/// A set of ASCII characters: by the low half of a byte, bit `n` tells whether the byte with the
/// high half `n` is in the set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ascii([u8; 16]);

impl Ascii {
    /// The set of these characters; others than ASCII do not compile where the set is a constant.
    pub(super) const fn new(characters: &[u8]) -> Ascii {
        Ascii([0; 16]).with(characters)
    }

    /// The set and these characters.
    pub(super) const fn with(self, characters: &[u8]) -> Ascii {
        let mut rows = self.0;
        let mut at = 0;
        while at < characters.len() {
            let byte = characters[at];
            assert!(byte.is_ascii(), "a set of ASCII characters");
            #[expect(clippy::as_conversions, reason = "a const function has no From")]
            let low = (byte & 15) as usize;
            rows[low] |= 1 << (byte >> 4);
            at += 1;
        }
        Ascii(rows)
    }

    /// Whether `byte` is in the set; no byte outside ASCII is.
    const fn contains(self, byte: u8) -> bool {
        #[expect(clippy::as_conversions, reason = "a const function has no From")]
        let low = (byte & 15) as usize;
        byte.is_ascii() && self.0[low] >> (byte >> 4) & 1 != 0
    }
}

/// The steps that instruction sets do in their own way.
pub(super) trait Isa: Copy {
    /// Classes of 64 bytes; `lower` gets them with ASCII capitals as small letters and ASCII white
    /// space as spaces.
    fn classify(self, block: &[u8; 64], lower: &mut [u8; 64]) -> Block;

    /// Writes those of the first 64 bytes whose bit is set in `kept` to the start of `out`, in
    /// order. What `out` holds behind them is not defined.
    fn compact(self, bytes: &[u8; 128], kept: u64, out: &mut [u8; 128]);

    /// The bits of `bits` at the places that are set in `kept`, in order, at the low end.
    fn extract(self, bits: u64, kept: u64) -> u64;

    /// Writes `base` plus the place of every bit that is set in `starts` or `ends` to the start of
    /// `out`, in order, twice where it is set in both, and gives how many were written. What `out`
    /// holds behind them is not defined.
    fn edges(self, starts: u64, ends: u64, base: u32, out: &mut [u32; EDGES]) -> usize;

    /// Two little-endian words of which only the first `length` bytes are kept, the others 0. For a
    /// length above 16 their value is not defined.
    fn first_bytes(self, bytes: &[u8; 16], length: u32) -> [u64; 2];

    /// The code point of the character that valid UTF-8 starts with; what stands behind it does not
    /// matter.
    fn code_point(self, bytes: [u8; 4]) -> u32;

    /// Lowers every slot to the least `factor * half + addend` modulo 2^32 over the low halves of
    /// `shingles`. Slots, factors and addends come in eights, as many of each.
    fn lower_slots(
        self,
        shingles: &[u64],
        factors: &[[u32; 8]],
        addends: &[[u32; 8]],
        slots: &mut [[u32; 8]],
    );

    /// Writes `fmix64` of the sum of `tokens[at + place] * factors[place]`, modulo 2^64, to every
    /// `shingles[at]`. There are `WIDTH - 1` tokens more than shingles, unless there are no
    /// shingles.
    fn combine<const WIDTH: usize>(
        self,
        tokens: &[u64],
        factors: &[u64; WIDTH],
        shingles: &mut [u64],
    );

    /// Values that [`Isa::common`] compares with as many others at once. No result depends on it.
    const LANES: usize;

    /// The number of values that two blocks of [`Isa::LANES`] values have in common. Neither has
    /// a repeat.
    fn common(self, left: &[u64], right: &[u64]) -> usize;

    /// Up to 64 bytes of text, as [`Isa::members`] wants them.
    type Text: Copy;

    /// Whether [`Isa::members`] looks at many bytes at once; where not, a walk by table is faster.
    const IS_WIDE: bool;

    /// The first 64 bytes of `bytes`. Nothing behind `bytes` is read.
    fn text(self, bytes: &[u8]) -> Self::Text;

    /// Which bytes of `text` are in `set`, one bit a byte, the first byte lowest; bits behind the
    /// end of the text are zero.
    fn members(self, text: Self::Text, set: &Ascii) -> u64;
}
