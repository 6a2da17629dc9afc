//! Difference: which tokens, and which signs between tokens, two texts do not share.
//!
//! [`Words`] holds the tokens of a normalised text; [`Differ`] aligns two of them with the fewest
//! tokens left over. What is left over comes as hunks: runs of tokens of one text that stand where
//! other tokens, or none, stand in the other one. Signs between aligned tokens are compared too,
//! without spaces: `a == b` and `a != b` have equal tokens.
//!
//! For texts that are known to be near; a pair with more than `most` tokens left over has no
//! difference here. Not for patches or for display: an alignment is one of the shortest, and
//! nothing makes it the one that reads best. Equal hashes are taken for equal tokens.
//!
//! Source: E. Myers, "An O(ND) difference algorithm and its variations", 1986.
//!
//! Cost: O(N + D²) expected and O(N D) at worst, N tokens and D of them left over; D² / 2 words of
//! memory, D being at most `most`.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::text::Text;

/// The tokens of a normalised text, with the signs between them.
#[derive(Clone, Debug, Default)]
pub struct Words {
    text: String,
    /// Start and end byte of each token.
    spans: Vec<Range<u32>>,
    hashes: Vec<u64>,
    /// Hash of the signs before each token, and of those behind the last; 0 where there are none.
    gaps: Vec<u64>,
}

impl Words {
    /// No words. Allocates nothing until the first `read`.
    pub fn new() -> Self {
        Words::default()
    }

    /// Replaces the content by the tokens of a normalised text.
    ///
    /// Cost: linear in the bytes; one hash a token and one a run of signs.
    pub fn read(&mut self, text: &Text) {
        self.text.clear();
        self.text.push_str(text.as_str());
        self.spans.clear();
        self.hashes.clear();
        self.gaps.clear();
        let (bytes, mut open) = (text.as_bytes(), 0);
        let slice = |from: usize, to: usize| bytes.get(from..to).unwrap_or_default();
        text.tokens(|start, end| {
            self.gaps.push(gap_hash(slice(open, start)));
            self.hashes.push(xxh3_64(slice(start, end)));
            self.spans.push(narrow(start)..narrow(end));
            open = end;
        });
        self.gaps.push(gap_hash(slice(open, bytes.len())));
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Token number `at`; empty behind the last one.
    pub fn token(&self, at: usize) -> &str {
        self.spans.get(at).map_or("", |span| self.slice(wide(span.start), wide(span.end)))
    }

    /// The hash of token `at`, xxh3 of its bytes; 0 behind the last one.
    pub(super) fn hash(&self, at: usize) -> u64 {
        self.hashes.get(at).copied().unwrap_or(0)
    }

    /// What stands between token `at` and the one before, spaces included; the ends of the text
    /// for the first token and for `len`.
    pub fn gap(&self, at: usize) -> &str {
        let from = at.checked_sub(1).and_then(|before| self.spans.get(before));
        let from = from.map_or(0, |span| wide(span.end));
        let to = self.spans.get(at).map_or(self.text.len(), |span| wide(span.start));
        self.slice(from, to)
    }

    /// The text from the first to the last of some tokens.
    pub fn run(&self, tokens: Range<usize>) -> &str {
        let last = tokens.end.checked_sub(1).filter(|&last| last >= tokens.start);
        match (self.spans.get(tokens.start), last.and_then(|last| self.spans.get(last))) {
            (Some(first), Some(last)) => self.slice(wide(first.start), wide(last.end)),
            _ => "",
        }
    }

    fn slice(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default()
    }

    fn gap_hash(&self, at: usize) -> u64 {
        self.gaps.get(at).copied().unwrap_or(0)
    }
}

/// The hash of the signs in `gap`, whatever the spaces among them; 0 without signs.
fn gap_hash(gap: &[u8]) -> u64 {
    if matches!(gap, b" " | b"") {
        return 0;
    }
    let gap = gap.trim_ascii();
    if gap.is_empty() {
        0
    } else if gap.contains(&b' ') {
        let signs: Vec<u8> = gap.iter().copied().filter(|&byte| byte != b' ').collect();
        xxh3_64(&signs)
    } else {
        xxh3_64(gap)
    }
}

/// A position in a text; texts of 4 GiB and more saturate.
fn narrow(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

fn wide(position: u32) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// Tokens of the left text where the right one has others; at most one of both is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Token numbers in the left text.
    pub left: Range<usize>,
    /// Token numbers in the right text.
    pub right: Range<usize>,
}

/// What two texts do not share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Runs of tokens, in order; between two of them is at least one shared token.
    pub hunks: Vec<Hunk>,
    /// Places where only the signs differ, between two shared tokens or at both ends: the numbers
    /// of the left and the right token behind the signs (see [`Words::gap`]).
    pub gaps: Vec<(usize, usize)>,
}

/// Finds differences; reused, it stops allocating.
#[derive(Debug, Default)]
pub struct Differ {
    /// Row d, at `d * (d + 1) / 2`, has for every second diagonal from -d to d how many tokens of
    /// the left text are behind when d tokens are left over.
    trace: Vec<u32>,
    found: Difference,
}

/// As [`Differ::difference`], with buffers of its own.
pub fn difference(left: &Words, right: &Words, most: usize) -> Option<Difference> {
    let mut differ = Differ::new();
    differ.difference(left, right, most)?;
    Some(differ.found)
}

impl Differ {
    /// A differ without buffers.
    pub fn new() -> Self {
        Differ::default()
    }

    /// The difference of two texts; none when more than `most` tokens of both are left over.
    ///
    /// Exchanging the texts exchanges the sides of the result and changes nothing else.
    pub fn difference(&mut self, left: &Words, right: &Words, most: usize) -> Option<&Difference> {
        self.found.hunks.clear();
        self.found.gaps.clear();
        let (a, b) = (left.hashes.as_slice(), right.hashes.as_slice());
        let head = shared_head(a, b);
        let (a, b) = (tail(a, head), tail(b, head));
        let end = shared_tail(a, b);
        let (a, b) = (cut(a, end), cut(b, end));
        // One order for both calls: the shorter first, then the one whose first token is lower.
        let is_turned = (b.len(), b.first()) < (a.len(), a.first());
        let (a, b) = if is_turned { (b, a) } else { (a, b) };
        let edits = self.search(a, b, most)?;
        self.walk(a, b, edits, head);
        if is_turned {
            for Hunk { left, right } in &mut self.found.hunks {
                std::mem::swap(left, right);
            }
        }
        self.compare_gaps(left, right);
        Some(&self.found)
    }

    /// Fills the trace; the number of tokens left over, or none when they are too many.
    fn search(&mut self, a: &[u64], b: &[u64], most: usize) -> Option<usize> {
        self.trace.clear();
        if a.len().abs_diff(b.len()) > most {
            return None;
        }
        for edits in 0..=most.min(a.len() + b.len()) {
            let row = self.trace.len();
            for step in 0..=edits {
                // Diagonal 2 * step - edits: x - y of the place.
                let from = self.best(row, edits, step);
                let x = wide(from);
                let y = (x + edits).checked_sub(2 * step);
                let y = y.filter(|&y| x <= a.len() && y <= b.len());
                let Some(y) = y else {
                    self.trace.push(OUTSIDE);
                    continue;
                };
                let x = x + shared_head(tail(a, x), tail(b, y));
                self.trace.push(narrow(x));
                if x == a.len() && x + edits == b.len() + 2 * step {
                    return Some(edits);
                }
            }
        }
        None
    }

    /// How far a row's diagonal starts: one more token of either text left over than in the row
    /// before, which ends at `row`.
    fn best(&self, row: usize, edits: usize, step: usize) -> u32 {
        let Some(before) = row.checked_sub(edits).filter(|_| edits > 0) else { return 0 };
        let down = if step < edits { self.at(before + step) } else { OUTSIDE };
        let along = if step > 0 { self.at(before + step - 1) } else { OUTSIDE };
        match (down, along) {
            (OUTSIDE, OUTSIDE) => OUTSIDE,
            (OUTSIDE, along) => along + 1,
            (down, OUTSIDE) => down,
            (down, along) => down.max(along + 1),
        }
    }

    fn at(&self, place: usize) -> u32 {
        self.trace.get(place).copied().unwrap_or(OUTSIDE)
    }

    /// Walks the trace back and writes the hunks, moved by `head` tokens.
    fn walk(&mut self, a: &[u64], b: &[u64], edits: usize, head: usize) {
        let (mut x, mut y) = (a.len(), b.len());
        for edits in (1..=edits).rev() {
            let row = edits * (edits + 1) / 2;
            let step = (x + edits).saturating_sub(y) / 2;
            let from = wide(self.best(row, edits, step));
            // Of the two ways to the start of this diagonal, the one that `best` took.
            let along = if step > 0 { self.at(row - edits + step - 1) } else { OUTSIDE };
            let is_along = along != OUTSIDE && wide(along) + 1 == from;
            let start = (from, (from + edits).saturating_sub(2 * step));
            (x, y) = if is_along {
                (start.0.saturating_sub(1), start.1)
            } else {
                (start.0, start.1.saturating_sub(1))
            };
            self.add(head, x..start.0, y..start.1);
        }
        self.found.hunks.reverse();
    }

    /// Adds a token left over; those come from the end of the texts on.
    fn add(&mut self, head: usize, left: Range<usize>, right: Range<usize>) {
        let left = head + left.start..head + left.end;
        let right = head + right.start..head + right.end;
        match self.found.hunks.last_mut() {
            Some(last) if last.left.start == left.end && last.right.start == right.end => {
                last.left.start = left.start;
                last.right.start = right.start;
            }
            _ => self.found.hunks.push(Hunk { left, right }),
        }
    }

    /// Compares the signs within runs of shared tokens.
    fn compare_gaps(&mut self, left: &Words, right: &Words) {
        let (mut x, mut y) = (0, 0);
        let end = Hunk { left: left.len()..left.len(), right: right.len()..right.len() };
        let Difference { hunks, gaps } = &mut self.found;
        for hunk in hunks.iter().chain([&end]) {
            // A run's first gap is shared at the start of the texts, its last one at their end.
            let first = usize::from(x + y > 0);
            let is_end = hunk.left.start == left.len() && hunk.right.start == right.len();
            let last = usize::from(is_end);
            let run = hunk.left.start.saturating_sub(x) + last;
            for step in first..run {
                if left.gap_hash(x + step) != right.gap_hash(y + step) {
                    gaps.push((x + step, y + step));
                }
            }
            (x, y) = (hunk.left.end, hunk.right.end);
        }
    }
}

/// A place that no path reaches.
const OUTSIDE: u32 = u32::MAX;

fn shared_head(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

fn shared_tail(a: &[u64], b: &[u64]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

fn tail(tokens: &[u64], from: usize) -> &[u64] {
    tokens.get(from..).unwrap_or_default()
}

/// All but the last `count`.
fn cut(tokens: &[u64], count: usize) -> &[u64] {
    tokens.get(..tokens.len().saturating_sub(count)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::text::Rules;
    use super::*;

    fn words(text: &str) -> Words {
        let mut normal = Text::new();
        normal.normalise(Rules::V1, text);
        let mut words = Words::new();
        words.read(&normal);
        words
    }

    /// Hunks as `left>right`, then the signs that differ as `left~right`.
    fn shown(left: &str, right: &str, most: usize) -> Option<String> {
        let (left, right) = (words(left), words(right));
        let found = difference(&left, &right, most)?;
        let hunks = found.hunks.iter().map(|hunk| {
            format!("{}>{}", left.run(hunk.left.clone()), right.run(hunk.right.clone()))
        });
        let gaps = found.gaps.iter().map(|&(x, y)| format!("{}~{}", left.gap(x), right.gap(y)));
        Some(hunks.chain(gaps).collect::<Vec<_>>().join("|"))
    }

    #[test]
    fn hunks_hold_what_is_not_shared() {
        for (left, right, wanted) in [
            ("", "", ""),
            ("a b c", "A  b\tc", ""),
            ("a b c", "a x c", "b>x"),
            ("a b c", "a c", "b>"),
            ("a c", "a b c", ">b"),
            ("", "a b", ">a b"),
            ("a b c d e", "x b c d y", "a>x|e>y"),
            ("road 1506 north", "road 1507 south", "1506 north>1507 south"),
            ("posted 1 hour ago", "posted 2 hours ago", "1 hour>2 hours"),
            ("四季酒店", "全季酒店", "四>全"),
            ("it is allowed", "it is not allowed", ">not"),
            ("a a a b", "a a b", "a>"),
        ] {
            assert_eq!(shown(left, right, 9).as_deref(), Some(wanted), "{left} {right}");
        }
    }

    #[test]
    fn signs_between_shared_tokens_are_compared() {
        for (left, right, wanted) in [
            ("if a == b", "if a != b", " == ~ != "),
            ("operator+ (x)", "operator- (x)", "+ (~- ("),
            ("-5 degrees", "5 degrees", "-~"),
            ("the end.", "the end", ".~"),
            ("a , b", "a, b", ""),
            ("x ( ) y", "x() y", ""),
            ("1.204", "1,204", ".~,"),
            ("a + b c", "a + x c", "b>x"),
            ("...", "", "...~"),
        ] {
            assert_eq!(shown(left, right, 9).as_deref(), Some(wanted), "{left} {right}");
        }
    }

    #[test]
    fn too_many_left_over_are_no_difference() {
        assert_eq!(shown("a b c", "x y c", 4).as_deref(), Some("a b>x y"));
        assert_eq!(shown("a b c", "x y c", 3), None);
        assert_eq!(shown("a", "a b c d", 2), None);
        assert_eq!(shown("a", "a", 0).as_deref(), Some(""));
    }

    #[test]
    fn tokens_and_signs_are_kept() {
        let words = words("“Costs 3.14 €”!");
        assert_eq!((words.len(), words.is_empty()), (3, false));
        assert_eq!([words.token(0), words.token(2), words.token(3)], ["costs", "14", ""]);
        assert_eq!([words.gap(0), words.gap(2), words.gap(3)], ["“", ".", " €”!"]);
        assert_eq!(words.run(1..3), "3.14");
        assert_eq!(words.run(2..2), "");
    }

    /// Length of the longest common subsequence, by the table.
    fn common(a: &[u64], b: &[u64]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut corner = 0;
            for (at, y) in b.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if x == y { corner + 1 } else { above.max(row[at]) };
                corner = above;
            }
        }
        row[b.len()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn hunks_turn_left_into_right(left in "[abc ,]{0,60}", right in "[abc ,]{0,60}") {
            let (left, right) = (words(&left), words(&right));
            let found = difference(&left, &right, 200).unwrap();
            let (mut made, mut at, mut count) = (Vec::new(), 0, 0);
            for hunk in &found.hunks {
                made.extend_from_slice(&left.hashes[at..hunk.left.start]);
                prop_assert_eq!(made.len(), hunk.right.start);
                made.extend_from_slice(&right.hashes[hunk.right.clone()]);
                at = hunk.left.end;
                count += hunk.left.len() + hunk.right.len();
                prop_assert!(!hunk.left.is_empty() || !hunk.right.is_empty());
            }
            made.extend_from_slice(&left.hashes[at..]);
            prop_assert_eq!(&made, &right.hashes);
            // The fewest possible, and no fewer are asked for in vain.
            let fewest = left.len() + right.len() - 2 * common(&left.hashes, &right.hashes);
            prop_assert_eq!(count, fewest);
            prop_assert!(difference(&left, &right, fewest).is_some());
            prop_assert!(fewest == 0 || difference(&left, &right, fewest - 1).is_none());
        }

        #[test]
        fn sides_can_be_exchanged(left in "[ab ,.]{0,40}", right in "[ab ,.]{0,40}") {
            let (left, right) = (words(&left), words(&right));
            let there = difference(&left, &right, 100).unwrap();
            let mut back = difference(&right, &left, 100).unwrap();
            for hunk in &mut back.hunks {
                std::mem::swap(&mut hunk.left, &mut hunk.right);
            }
            for gap in &mut back.gaps {
                *gap = (gap.1, gap.0);
            }
            prop_assert_eq!(there, back);
        }

        #[test]
        fn any_text_is_read(left in any::<String>(), right in any::<String>()) {
            let (left, right) = (words(&left), words(&right));
            let _ = difference(&left, &right, 50);
            let whole: String =
                (0..=left.len()).flat_map(|at| [left.gap(at), left.token(at)]).collect();
            prop_assert_eq!(whole, left.text);
        }
    }
}
