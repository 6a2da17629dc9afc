//! The text of a page before a tree is built: what it would cost, and what is cut out of it.
//!
//! The parser's work grows with tags, with the elements that are open at each of them and with the
//! formatting elements it opens again. One linear pass estimates all three: it reads tags as the
//! tokeniser does and keeps the open elements as the standard's tree construction would, with
//! implied ends, scopes and the list of formatting elements. A text that passes costs the parser
//! at most tags times depth steps. The tree is measured again once it is built.
//!
//! `noscript` in the head is cut out: browsers read it as text there, while a parser without
//! scripts ends the head at an image inside it, and with the head all that is declared behind it.
//!
//! Source: WHATWG HTML §13.2.5 (tokenisation), §13.2.6 (tree construction).
//! Cost: linear in the bytes, and at most [`ACTIVE_MAX`] or the depth limit for each tag.

mod open;

use std::borrow::Cow;

use super::{Code, Fault, Limits};
use open::{Name, Open, packed};

/// Bytes of the page in which a refresh may stand outside the head.
const EARLY_BYTES: usize = 32 << 10;

/// Attributes of one element: the parser compares each with all before it. All `html` tags are
/// about one element.
const TAG_ATTRIBUTES_MAX: usize = 512;

/// Attributes in all, for each tag that is allowed.
const ATTRIBUTES_PER_TAG: usize = 8;

/// Character references, zero bytes and signs `<` that start nothing, for each tag that is allowed:
/// the parser takes each by itself.
const REFERENCES_PER_TAG: usize = 16;

/// Formatting elements that wait to be opened again.
const ACTIVE_MAX: usize = 256;

const META: u128 = packed(b"meta");
const NOSCRIPT: u128 = packed(b"noscript");

/// A text that may be parsed.
pub(super) struct Scan<'t> {
    /// The text, without `noscript` in the head.
    pub(super) text: Cow<'t, str>,
    /// Tags `meta` in the first 32 KiB.
    pub(super) metas_early: usize,
}

/// Scans a text.
///
/// # Errors
///
/// When the text would cost more than `limits` allow.
pub(super) fn scan<'t>(text: &'t str, limits: &Limits) -> Result<Scan<'t>, Fault> {
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        at: 0,
        limits,
        counts: Counts::default(),
        open: Open::default(),
        is_in_head: true,
        noscript_start: None,
        cuts: Vec::new(),
    };
    scanner.run()?;
    let metas_early = scanner.counts.metas_early;
    Ok(Scan { text: without(text, &scanner.cuts), metas_early })
}

/// `text` without the ranges `cuts`, which ascend.
fn without<'t>(text: &'t str, cuts: &[(usize, usize)]) -> Cow<'t, str> {
    if cuts.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for &(start, end) in cuts {
        kept.push_str(text.get(at..start).unwrap_or_default());
        at = end;
    }
    kept.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(kept)
}

#[derive(Default)]
struct Counts {
    tags: usize,
    attributes: usize,
    root_attributes: usize,
    references: usize,
    metas_early: usize,
}

struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
    limits: &'t Limits,
    counts: Counts,
    open: Open,
    is_in_head: bool,
    noscript_start: Option<usize>,
    cuts: Vec<(usize, usize)>,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn run(&mut self) -> Result<(), Fault> {
        while let Some(length) = find(self.rest(), b'<') {
            self.text(length)?;
            self.at += length;
            let rest = self.rest();
            let is_letter = |index: usize| rest.get(index).is_some_and(u8::is_ascii_alphabetic);
            if is_letter(1) {
                self.start_tag()?;
            } else if rest.get(1) == Some(&b'/') && is_letter(2) {
                self.end_tag()?;
            } else if rest.starts_with(b"<!--") {
                self.counts.tags += 1;
                self.comment();
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.at += find(rest, b'>').map_or(rest.len(), |end| end + 1);
                self.counts.tags += 1;
            } else {
                self.counts.references += 1;
                self.at += 1;
            }
        }
        let length = self.rest().len();
        self.text(length)?;
        self.within()
    }

    /// The text before the next tag: its references, and the elements that it opens again.
    fn text(&mut self, length: usize) -> Result<(), Fault> {
        let text = self.rest().get(..length).unwrap_or_default();
        if text.is_empty() {
            return Ok(());
        }
        let references = text.iter().filter(|byte| matches!(byte, b'&' | 0)).count();
        let is_blank = text.iter().all(u8::is_ascii_whitespace);
        self.counts.references += references;
        self.is_in_head &= is_blank || self.noscript_start.is_some();
        self.open.text(is_blank);
        self.within()
    }

    fn at_most(&self, code: Code, found: usize, per_tag: usize) -> Result<(), Fault> {
        let most = self.limits.nodes.saturating_mul(per_tag);
        let what = match code {
            Code::References => "character references and stray signs",
            Code::Attributes => "attributes",
            _ => "tags and elements",
        };
        if found > most { Err(Fault::over(code, what, found, most)) } else { Ok(()) }
    }

    /// Checks what grows with every tag.
    fn within(&self) -> Result<(), Fault> {
        self.at_most(Code::References, self.counts.references, REFERENCES_PER_TAG)?;
        self.at_most(Code::Nodes, self.counts.tags + self.open.reopened(), 1)?;
        let depth = self.open.depth();
        if depth > self.limits.depth {
            let most = self.limits.depth;
            return Err(Fault::over(Code::Depth, "elements in one another", depth, most));
        }
        if self.open.active() > ACTIVE_MAX {
            let found = self.open.active();
            return Err(Fault::over(Code::Depth, "open formatting elements", found, ACTIVE_MAX));
        }
        Ok(())
    }

    fn comment(&mut self) {
        let rest = self.rest();
        let inside = rest.get(4..).unwrap_or_default();
        let is_closed = inside.starts_with(b">") || inside.starts_with(b"->");
        // The two dashes of the start may be those of the end.
        let from = rest.get(2..).unwrap_or_default();
        let end = if is_closed { find(rest, b'>').map(|end| end + 1) } else { comment_end(from) };
        self.at += end.unwrap_or(rest.len());
    }

    fn start_tag(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        let name = self.name();
        let before = self.counts.attributes;
        let (is_closed, written) = self.attributes()?;
        if name.is_root() {
            self.counts.root_attributes += self.counts.attributes - before;
            attributes_of_one(self.counts.root_attributes)?;
        }
        self.counts.tags += 1;
        let is_meta = name.is(META) && self.noscript_start.is_none();
        if is_meta && start < EARLY_BYTES {
            self.counts.metas_early += 1;
        }
        self.in_head(name, start);
        let is_raw = self.open.start(name, written, is_closed);
        self.within()?;
        if is_raw {
            self.raw_text(name);
        }
        Ok(())
    }

    /// Follows where the head ends and where `noscript` starts in it.
    fn in_head(&mut self, name: Name, start: usize) {
        if !self.is_in_head || self.noscript_start.is_some() {
            return;
        }
        if name.is(NOSCRIPT) {
            self.noscript_start = Some(start);
        }
        self.is_in_head = name.is_of_head();
    }

    fn end_tag(&mut self) -> Result<(), Fault> {
        self.at += 2;
        let name = self.name();
        self.attributes()?;
        self.counts.tags += 1;
        if name.is(NOSCRIPT)
            && let Some(start) = self.noscript_start.take()
        {
            self.cuts.push((start, self.at));
        }
        self.open.end(name);
        self.within()
    }

    fn name(&mut self) -> Name {
        let rest = self.rest();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        let name = Name::of(rest.get(..length).unwrap_or_default());
        self.at += length;
        name
    }

    /// Reads the attributes of a tag up to its end: whether it closes itself, and they as
    /// written.
    fn attributes(&mut self) -> Result<(bool, &'t [u8]), Fault> {
        let start = self.at;
        let mut count = 0_usize;
        let mut is_closed = false;
        loop {
            let rest = self.rest();
            match rest.first() {
                None => break,
                Some(b'>') => {
                    self.at += 1;
                    break;
                }
                Some(b'/') => {
                    is_closed = rest.get(1) == Some(&b'>');
                    self.at += 1;
                }
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                Some(_) => {
                    count += 1;
                    self.attribute();
                }
            }
        }
        self.counts.attributes += count;
        attributes_of_one(count)?;
        self.at_most(Code::Attributes, self.counts.attributes, ATTRIBUTES_PER_TAG)?;
        let written = if count == 0 { None } else { self.bytes.get(start..self.at) };
        Ok((is_closed, written.unwrap_or_default()))
    }

    fn attribute(&mut self) {
        let rest = self.rest();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'=');
        // An equals sign at the start belongs to the name.
        let name = rest.iter().skip(1).position(is_end).map_or(rest.len(), |end| end + 1);
        let after = rest.get(name..).unwrap_or_default();
        let blank = after.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if after.get(blank) != Some(&b'=') {
            self.at += name;
            return;
        }
        let value = after.get(blank + 1..).unwrap_or_default();
        let value_blank = value.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let value = value.get(value_blank..).unwrap_or_default();
        let length = match value.first() {
            Some(quote @ (b'"' | b'\'')) => {
                let inside = value.get(1..).unwrap_or_default();
                find(inside, *quote).map_or(value.len(), |end| end + 2)
            }
            _ => value
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || *byte == b'>')
                .unwrap_or(value.len()),
        };
        self.at += name + blank + 1 + value_blank + length;
    }

    /// Passes by text that holds no tags, up to the end tag of `name`.
    fn raw_text(&mut self, name: Name) {
        loop {
            let Some(length) = find(self.rest(), b'<') else {
                self.at = self.bytes.len();
                return;
            };
            self.at += length;
            if self.rest().get(1) == Some(&b'/') && name.starts(self.rest(), 2) {
                return;
            }
            self.at += 1;
        }
    }
}

/// Checks the attributes of one element.
fn attributes_of_one(found: usize) -> Result<(), Fault> {
    if found > TAG_ATTRIBUTES_MAX {
        let most = TAG_ATTRIBUTES_MAX;
        return Err(Fault::over(Code::Attributes, "attributes on one element", found, most));
    }
    Ok(())
}

/// The first `wanted` of `bytes`.
fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    // Blocks first: without an early end the compiler compares 16 bytes at once.
    let is_in = |block: &[u8; 16]| block.iter().fold(false, |is, byte| is | (*byte == wanted));
    let (blocks, _) = bytes.as_chunks::<16>();
    let skipped = blocks.iter().take_while(|block| !is_in(block)).count() * 16;
    let rest = bytes.get(skipped..)?;
    rest.iter().position(|byte| *byte == wanted).map(|at| skipped + at)
}

/// Where a comment ends that starts two bytes before `bytes`, counted from its start.
fn comment_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += find(bytes.get(at..)?, b'>')?;
        let before = bytes.get(..at).unwrap_or_default();
        if before.ends_with(b"--") || before.ends_with(b"--!") {
            return Some(at + 3);
        }
        at += 1;
    }
}
