//! The walk over a source text that writes its normalised form and marks its tokens.
//!
//! 64 bytes at a time: ASCII is lowered and classed at once; each character outside ASCII is looked
//! up, folded in place and marked in the same masks. Then white space and zero-width characters are
//! taken out of bytes and masks alike, and both are appended. A character that grows ends the step
//! early and is written alone; one whose form depends on its neighbours, with them.

use icu_properties::CodePointSetData;
use icu_properties::props::{CaseIgnorable, Cased};

use super::super::simd::{Block, Isa, Kernel};
use super::table::{DISTANCE, DROP, MARK, RARE, SLOW, SOLO, SPACE, Table, WORD};
use super::{Rules, STEP, Text, index};

/// A slow segment ends at the first safe character this many bytes behind its last odd one: any
/// number is right, and this one joins segments that are close.
const SEGMENT_BYTES: usize = 12;

/// Any bit that a character which stands for itself wherever it is does not have.
const ODD: u32 = SPACE | DROP | SLOW | MARK | DISTANCE;

/// The lowest eight bits.
const fn low(value: u32) -> u8 {
    value.to_le_bytes()[0]
}

/// The UTF-8 bytes of a code point and their number.
#[inline(always)]
fn encode(code: u32) -> ([u8; 4], usize) {
    let last = 0x80 | low(code) & 0x3F;
    match code {
        0..0x80 => ([low(code), 0, 0, 0], 1),
        0x80..0x800 => ([0xC0 | low(code >> 6), last, 0, 0], 2),
        0x800..0x1_0000 => {
            let second = 0x80 | low(code >> 6) & 0x3F;
            ([0xE0 | low(code >> 12), second, last, 0], 3)
        }
        _ => {
            let second = 0x80 | low(code >> 12) & 0x3F;
            let third = 0x80 | low(code >> 6) & 0x3F;
            ([0xF0 | low(code >> 18), second, third, last], 4)
        }
    }
}

/// The bytes of the character that starts with `lead`.
#[inline(always)]
fn length_of(lead: u8) -> usize {
    index(lead.leading_ones().max(1))
}

/// The code point that a character folds to.
fn target(code: u32, entry: u32) -> u32 {
    code.wrapping_add_signed(entry.cast_signed() >> 12)
}

/// The index of a character's script in `Letters`.
#[inline(always)]
fn script(entry: u32) -> usize {
    index(entry >> 6 & 63)
}

/// The start of the last character of valid UTF-8; 0 for no bytes.
fn last_start(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte & 0xC0 != 0x80).unwrap_or(0)
}

/// Replaces the content of `out` by the normalised form of `text`.
pub(super) struct Normalise<'t> {
    pub(super) table: &'static Table,
    pub(super) rules: Rules,
    pub(super) text: &'t str,
    pub(super) out: &'t mut Text,
}

impl Kernel for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let mut walk = Walk {
            table: self.table,
            rules: self.rules,
            text: self.text,
            position: 0,
            mark_end: 0,
            usual: WORD,
            next: WORD,
            out: self.out,
        };
        let mut bytes = [0; STEP];
        while walk.position < walk.text.len() {
            walk.step(isa, &mut bytes);
        }
    }
}

/// What a step does with its bytes, one bit a byte.
#[derive(Clone, Copy)]
struct Plan {
    /// Bytes that the step handles, at most 64; in `write`, those that are not dropped.
    count: usize,
    space: u64,
    word: u64,
    solo: u64,
    lead: u64,
    dropped: u64,
}

/// A character that is not what the last letter was.
#[derive(Clone, Copy)]
struct Odd {
    code: u32,
    length: usize,
    entry: u32,
}

struct Walk<'t> {
    table: &'static Table,
    rules: Rules,
    text: &'t str,
    position: usize,
    /// Where the last combining mark ended, and what is dropped behind it; a mark there stands
    /// behind another. 0 for none, so that a mark at the start takes the slow way, too.
    mark_end: usize,
    /// What characters outside ASCII are expected to be: the entry of the last one before the step
    /// that was of a word and stood for itself.
    usual: u32,
    /// The same for the next step.
    next: u32,
    out: &'t mut Text,
}

impl Walk<'_> {
    /// Handles the next 64 bytes, or fewer where one character needs more than this.
    #[inline(always)]
    fn step<I: Isa>(&mut self, isa: I, bytes: &mut [u8; STEP]) {
        let rest = &self.text.as_bytes()[self.position..];
        let (lower, _) = bytes.as_chunks_mut::<64>();
        let mut tail = [0; STEP];
        let (source, count) = match rest.first_chunk::<STEP>() {
            Some(source) => (source, 64),
            None => {
                tail[..rest.len()].copy_from_slice(rest);
                (&tail, rest.len().min(64))
            }
        };
        let (halves, _) = source.as_chunks::<64>();
        let block = isa.classify(&halves[0], &mut lower[0]);
        let Block { space, word, wide, lead, .. } = block;
        let mut plan = Plan { count, space, word, solo: 0, lead, dropped: 0 };
        let odd =
            if wide == 0 { None } else { self.characters(isa, source, bytes, wide, &mut plan) };
        if plan.count > 0 {
            let valid = u64::MAX >> (64 - plan.count);
            self.out.letters.counts[1] += (block.letter & valid).count_ones();
            self.write(isa, bytes, plan, valid);
            self.position += plan.count;
        }
        if let Some(odd) = odd {
            self.odd(odd);
        }
    }

    /// Adds the characters outside ASCII to the plan, folded in place; gives the character that
    /// ends the step, if one does.
    ///
    /// All are taken for what the last letter was, and those that are not are set right one by
    /// one: in most texts few.
    #[inline(always)]
    fn characters<I: Isa>(
        &mut self,
        isa: I,
        source: &[u8; STEP],
        bytes: &mut [u8; STEP],
        wide: u64,
        plan: &mut Plan,
    ) -> Option<Odd> {
        self.usual = self.next;
        let (usual, last) = (self.usual, index(63 - plan.lead.leading_zeros()));
        if last + length_of(source[last]) > plan.count {
            plan.count = last;
        }
        let valid = if plan.count == 64 { u64::MAX } else { !(u64::MAX << plan.count) };
        plan.word |= wide & valid;
        plan.solo = wide & valid & 0_u64.wrapping_sub(u64::from(usual & SOLO) >> 1);
        let mut leads = plan.lead & valid;
        let table = self.table.quick();
        self.out.letters.counts[script(usual)] += leads.count_ones();
        while leads != 0 {
            let at = index(leads.trailing_zeros());
            let head = source[at..].first_chunk()?;
            let code = isa.code_point(*head);
            let entry = table.entry(code);
            if entry != usual {
                let odd = Odd { code, length: length_of(head[0]), entry };
                let odd = if entry == RARE { self.rare(odd) } else { odd };
                let is_plain = odd.entry & ODD == 0 || self.is_lone_mark(at, odd);
                if !is_plain && !self.unlike(bytes, at, odd, plan) {
                    self.out.letters.counts[script(usual)] -= leads.count_ones();
                    plan.count = at;
                    return Some(odd);
                }
                self.reclass(at, odd, plan);
            }
            leads &= leads - 1;
        }
        None
    }

    /// Gives a character its own class instead of that of the last letter.
    #[inline(always)]
    fn reclass(&mut self, at: usize, Odd { length, entry, .. }: Odd, plan: &mut Plan) {
        let counts = &mut self.out.letters.counts;
        counts[script(self.usual)] -= 1;
        counts[script(entry)] += 1;
        if (entry ^ self.usual) & (WORD | SOLO) != 0 {
            let span = !(u64::MAX << length) << at;
            plan.word = plan.word & !span | span & 0_u64.wrapping_sub(u64::from(entry & WORD));
            plan.solo = plan.solo & !span | span & 0_u64.wrapping_sub(u64::from(entry & SOLO) >> 1);
        }
        if entry & (ODD | WORD) == WORD {
            self.next = entry;
        }
    }

    /// A character that the table does not have, with its entry.
    #[cold]
    fn rare(&self, odd: Odd) -> Odd {
        Odd { entry: self.table.entry(odd.code), ..odd }
    }

    /// Whether a character is a combining mark that folds to itself and stands behind no other; it
    /// is remembered if so.
    #[inline(always)]
    fn is_lone_mark(&mut self, at: usize, odd: Odd) -> bool {
        let start = self.position + at;
        let is_lone = odd.entry & ODD == MARK && self.mark_end != start;
        if is_lone {
            self.mark_end = start + odd.length;
        }
        is_lone
    }

    /// Does what a character that does not stand for itself needs; false when that is more than
    /// its own bytes.
    #[inline(never)]
    fn unlike(&mut self, bytes: &mut [u8; STEP], at: usize, odd: Odd, plan: &mut Plan) -> bool {
        let Odd { code, length, entry } = odd;
        let (start, end) = (self.position + at, self.position + at + length);
        let is_behind_mark = self.mark_end == start;
        let (encoded, written) = match entry & (SPACE | DROP | SLOW | MARK) {
            SPACE => ([b' ', 0, 0, 0], 1),
            DROP => ([0; 4], 0),
            MARK if is_behind_mark => return false,
            0 | MARK => encode(target(code, entry)),
            _ => return false,
        };
        if written > length {
            return false;
        }
        if entry & MARK != 0 || (entry & DROP != 0 && is_behind_mark) {
            self.mark_end = end;
        }
        bytes[at..at + written].copy_from_slice(&encoded[..written]);
        plan.space |= u64::from(entry & SPACE != 0) << at;
        plan.dropped |= (u64::MAX << written & !(u64::MAX << length)) << at;
        true
    }

    /// Appends what the plan keeps of the bytes.
    #[inline(always)]
    fn write<I: Isa>(&mut self, isa: I, bytes: &mut [u8; STEP], mut plan: Plan, mut valid: u64) {
        let out = &mut *self.out;
        out.reserve(STEP);
        if plan.dropped != 0 {
            let kept = valid & !plan.dropped;
            let mut packed = [0; STEP];
            isa.compact(bytes, kept, &mut packed);
            *bytes = packed;
            for mask in [&mut plan.space, &mut plan.word, &mut plan.solo, &mut plan.lead] {
                *mask = isa.extract(*mask, kept);
            }
            plan.count = index(kept.count_ones());
            if plan.count == 0 {
                return;
            }
            valid = u64::MAX >> (64 - plan.count);
        }
        let twice = plan.space & (plan.space << 1 | u64::from(out.is_closed()));
        let kept = valid & !twice;
        let (word, solo) = (plan.word & kept, plan.solo & kept);
        let room = out.bytes[out.len..].first_chunk_mut::<STEP>();
        let Some(room) = room else { return };
        if kept == valid {
            room[..64].copy_from_slice(&bytes[..64]);
            out.mark(plan.count, word, solo, plan.lead);
        } else if kept != 0 {
            isa.compact(bytes, kept, room);
            let count = index(kept.count_ones());
            let word = isa.extract(word, kept);
            let (solo, lead) = match solo {
                0 => (0, 0),
                _ => (isa.extract(solo, kept), isa.extract(plan.lead, kept)),
            };
            out.mark(count, word, solo, lead);
        }
    }

    /// Writes a character alone, or with its neighbours where its form depends on them.
    #[cold]
    fn odd(&mut self, Odd { code, length, entry }: Odd) {
        let is_behind_mark = self.mark_end == self.position;
        if entry & SLOW != 0 && self.rules == Rules::Word {
            self.lower(code);
        } else if entry & SLOW != 0 || (entry & MARK != 0 && is_behind_mark) {
            return self.segment(length);
        } else {
            if entry & MARK != 0 {
                self.mark_end = self.position + length;
            }
            self.push(target(code, entry));
        }
        self.position += length;
    }

    /// Normalises from the last starter to a character that nothing before it can change.
    fn segment(&mut self, length: usize) {
        let (start, out_start) = self.starter();
        let (mut end, mut odd_end) = (self.position + length, self.position + length);
        for c in self.text[end..].chars() {
            let is_safe = self.table.entry(u32::from(c)) & (DROP | SLOW | MARK) == 0;
            if is_safe && end - odd_end >= SEGMENT_BYTES {
                break;
            }
            end += c.len_utf8();
            if !is_safe {
                odd_end = end;
            }
        }
        self.rewind(out_start);
        let mut segment = std::mem::take(&mut self.out.segment);
        segment.clear();
        let source = self.text.get(start..end).unwrap_or_default();
        let facts = &self.table.facts;
        for c in source.chars() {
            match self.table.entry(u32::from(c)) & (DROP | SLOW | DISTANCE) {
                0 => segment.push(c),
                DROP => {}
                _ => facts.spell(c, &mut segment),
            }
        }
        let composed = facts.nfc.normalize(&segment);
        let folded = facts.fold.fold_string(&composed);
        for c in facts.nfc.normalize(&folded).chars() {
            if !facts.space.contains(c) {
                self.push(u32::from(c));
            } else if !self.out.is_closed() {
                self.push(u32::from(b' '));
            }
        }
        drop(folded);
        drop(composed);
        self.out.segment = segment;
        self.position = end;
    }

    /// Where the character that a mark here would join starts, in the source and in the output;
    /// white space joins nothing. Behind the last segment each source character that is not dropped
    /// gave one of the output, because a segment ends before characters that nothing changes.
    fn starter(&self) -> (usize, usize) {
        let (mut source, mut out) = (self.position, self.out.len);
        for (at, c) in self.text[..self.position].char_indices().rev() {
            let entry = self.table.entry(u32::from(c));
            if entry & SPACE != 0 {
                break;
            }
            if entry & DROP == 0 {
                (source, out) = (at, last_start(&self.out.bytes[..out]));
                if entry & MARK == 0 {
                    break;
                }
            }
        }
        (source, out)
    }

    /// Takes back what was written from `start` on.
    fn rewind(&mut self, start: usize) {
        let out = &mut *self.out;
        let taken = str::from_utf8(&out.bytes[start..out.len]).unwrap_or_default();
        for c in taken.chars() {
            let script = script(self.table.entry(u32::from(c)));
            // Of ASCII only letters are counted.
            out.letters.counts[script] -= u32::from(script != 0);
        }
        let left = &out.bytes[..start];
        let last = str::from_utf8(&left[last_start(left)..]).unwrap_or_default().chars().next();
        let is_solo = last.is_some_and(|c| self.table.entry(u32::from(c)) & SOLO != 0);
        out.is_solo = u64::from(is_solo);
        out.len = start;
        let kept = !(u64::MAX << (start % 64));
        let marks = &mut out.marks[start / 64];
        (marks.word, marks.cut) = (marks.word & kept, marks.cut & kept);
    }

    /// Appends a character and marks it.
    fn push(&mut self, code: u32) {
        let entry = self.table.entry(code);
        let (bytes, length) = encode(code);
        let span = u64::MAX >> (64 - length);
        let out = &mut *self.out;
        out.reserve(STEP);
        out.bytes[out.len..out.len + 4].copy_from_slice(&bytes);
        out.letters.counts[script(entry)] += 1;
        let word = span & 0_u64.wrapping_sub(u64::from(entry & WORD));
        let solo = span & 0_u64.wrapping_sub(u64::from(entry & SOLO) >> 1);
        out.mark(length, word, solo, 1);
    }

    /// Lower-cases the two characters of `Rules::Word` that have no single small form.
    fn lower(&mut self, code: u32) {
        if code == u32::from('İ') {
            self.push(u32::from('i'));
            self.push(0x307);
            return;
        }
        let before = self.text.get(..self.position).unwrap_or_default();
        let behind = self.text.get(self.position + 'Σ'.len_utf8()..).unwrap_or_default();
        let is_final = is_cased(before.chars().rev()) && !is_cased(behind.chars());
        self.push(u32::from(if is_final { 'ς' } else { 'σ' }));
    }
}

/// True when the first character that case rules do not skip is a cased letter.
fn is_cased(mut characters: impl Iterator<Item = char>) -> bool {
    let (cased, skipped) =
        (CodePointSetData::new::<Cased>(), CodePointSetData::new::<CaseIgnorable>());
    characters.find(|&c| !skipped.contains(c)).is_some_and(|c| cased.contains(c))
}
