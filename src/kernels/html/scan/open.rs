//! The open elements of a page that is being scanned, and the formatting elements that wait.
//!
//! Source: WHATWG HTML §13.2.4.2 (stack of open elements), §13.2.4.3 (list of active formatting
//! elements), §13.2.6.4.7 ("in body").

use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

/// Equal formatting elements that are kept: the standard's "Noah's Ark clause".
const EQUAL_MAX: usize = 3;

/// The name of a tag, and the lists that it is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    packed: u128,
    lists: u32,
}

/// The first 16 bytes of a name in lower case.
pub(super) const fn packed(name: &[u8]) -> u128 {
    let mut packed = 0;
    let mut rest = name;
    while let Some((first, after)) = rest.split_first() {
        packed = packed << 8 | wide(first.to_ascii_lowercase());
        rest = after;
    }
    packed
}

impl Name {
    pub(super) fn of(name: &[u8]) -> Self {
        let packed = packed(name);
        Name { packed, lists: LISTED.lists(packed) }
    }

    /// Whether this is the name that is [`packed`] so.
    pub(super) fn is(self, packed: u128) -> bool {
        self.packed == packed
    }

    fn is_in(self, list: u32) -> bool {
        self.lists & list != 0
    }

    /// Whether the tag may stand in the head.
    pub(super) fn is_of_head(self) -> bool {
        self.is_in(HEAD)
    }

    /// Whether every tag of this name is about one element.
    pub(super) fn is_root(self) -> bool {
        self.is_in(ROOT)
    }

    /// Whether `bytes` have this name at `at`, with nothing behind it that would go on.
    pub(super) fn starts(self, bytes: &[u8], at: usize) -> bool {
        let rest = bytes.get(at..).unwrap_or_default();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        // No raw text element has a name of more than 16 bytes.
        let length = rest.iter().take(17).position(is_end).unwrap_or(17);
        rest.get(..length).is_some_and(|name| self.is(packed(name)))
    }
}

/// Widens a byte.
#[expect(clippy::as_conversions, reason = "`From` is not yet const")]
const fn wide(byte: u8) -> u128 {
    byte as u128
}

/// The lists of every name that is in one: slots by a hash of the name, more than half of them
/// free.
struct Listed(Vec<(u128, u32)>);

/// Slots, a power of two.
const SLOTS: usize = 1_024;

static LISTED: LazyLock<Listed> = LazyLock::new(|| {
    let mut listed = Listed(vec![(0, 0); SLOTS]);
    for (list, names) in LISTS {
        for name in *names {
            let at = listed.slot(packed(name.as_bytes()));
            if let Some(slot) = listed.0.get_mut(at) {
                *slot = (packed(name.as_bytes()), slot.1 | list);
            }
        }
    }
    listed
});

impl Listed {
    /// The slot of a name, or the free one where it would be.
    fn slot(&self, packed: u128) -> usize {
        let low = u64::try_from(packed & u128::from(u64::MAX)).unwrap_or_default();
        let high = u64::try_from(packed >> 64).unwrap_or_default();
        let hash = (low ^ high.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54;
        let mut at = usize::try_from(hash).unwrap_or_default();
        while self.0.get(at).is_some_and(|(name, _)| *name != packed && *name != 0) {
            at = (at + 1) % SLOTS;
        }
        at
    }

    fn lists(&self, packed: u128) -> u32 {
        self.0.get(self.slot(packed)).map_or(0, |(_, lists)| *lists)
    }
}

/// Lists of names: each a bit.
macro_rules! names {
    ($($constant:ident $bit:literal: $($name:literal)+;)+) => {
        $(const $constant: u32 = 1 << $bit;)+

        const LISTS: &[(u32, &[&str])] = &[$(($constant, &[$($name),+])),+];
    };
}

names! {
    HEAD 0: "html" "head" "title" "meta" "link" "base" "script" "style" "template" "noscript"
        "basefont" "bgsound" "noframes";
    ROOT 1: "html" "head" "body" "frameset";
    VOID 2: "area" "base" "basefont" "bgsound" "br" "col" "embed" "frame" "hr" "img" "image"
        "input" "keygen" "link" "meta" "param" "source" "track" "wbr";
    RAW 3: "script" "style" "title" "textarea" "xmp" "iframe" "noembed" "noframes";
    FORMATTING 4: "a" "b" "big" "code" "em" "font" "i" "nobr" "s" "small" "strike" "strong" "tt"
        "u";
    MARKER 5: "applet" "marquee" "object" "td" "th" "caption" "template";
    SCOPE 6: "applet" "caption" "html" "table" "td" "th" "marquee" "object" "template"
        "foreignobject" "desc" "mi" "mo" "mn" "ms" "mtext" "annotation-xml";
    TABLE 7: "html" "table" "template";
    TABLE_PART 8: "caption" "table" "tbody" "td" "tfoot" "th" "thead" "tr";
    CLOSES_P 9: "address" "article" "aside" "blockquote" "center" "details" "dialog" "dir" "div"
        "dl" "fieldset" "figcaption" "figure" "footer" "form" "header" "hgroup" "hr" "li" "dd" "dt"
        "listing" "main" "menu" "nav" "ol" "p" "plaintext" "pre" "search" "section" "summary" "ul"
        "xmp" "h1" "h2" "h3" "h4" "h5" "h6" "table";
    HEADING 10: "h1" "h2" "h3" "h4" "h5" "h6";
    SPECIAL 11: "address" "applet" "area" "article" "aside" "base" "blockquote" "body" "button"
        "caption" "center" "col" "colgroup" "dd" "details" "dir" "div" "dl" "dt" "fieldset"
        "figcaption" "figure" "footer" "form" "frameset" "h1" "h2" "h3" "h4" "h5" "h6" "header"
        "hgroup" "html" "iframe" "li" "listing" "main" "marquee" "menu" "nav" "object" "ol" "p"
        "plaintext" "pre" "search" "section" "select" "summary" "table" "tbody" "td" "template"
        "textarea" "tfoot" "th" "thead" "tr" "ul" "xmp" "foreignobject" "desc" "mi" "mo" "mn" "ms"
        "mtext" "annotation-xml";
    PASSED_BY_ITEMS 12: "address" "div" "p";
    ITEM 13: "li";
    TERM 14: "dd" "dt";
    CELL 15: "td" "th";
    ROW 16: "tr";
    ROWS 17: "tbody" "thead" "tfoot" "caption" "colgroup";
    OPTION 18: "option";
    OPTIONS 19: "option" "optgroup";
    FOREIGN 20: "svg" "math";
    INTEGRATION 21: "foreignobject" "desc" "mi" "mo" "mn" "ms" "mtext" "annotation-xml";
    LEAVES_FOREIGN 22: "b" "big" "blockquote" "body" "br" "center" "code" "dd" "div" "dl" "dt" "em"
        "embed" "h1" "h2" "h3" "h4" "h5" "h6" "head" "hr" "i" "img" "li" "listing" "menu" "meta"
        "nobr" "ol" "p" "pre" "ruby" "s" "small" "span" "strong" "strike" "sub" "sup" "table" "tt"
        "u" "ul" "var";
}

const P: u128 = packed(b"p");
const A: u128 = packed(b"a");
const NOBR: u128 = packed(b"nobr");
const BUTTON: u128 = packed(b"button");
const FORM: u128 = packed(b"form");

/// A formatting element that opens again wherever text follows its forced end.
struct Active {
    /// None is a marker: a cell or an object, which hides what stands before it.
    name: Option<Name>,
    hash: u64,
    is_open: bool,
}

/// Open elements, and formatting elements that wait to be opened again.
#[derive(Default)]
pub(super) struct Open {
    stack: Vec<Name>,
    active: Vec<Active>,
    closed: usize,
    reopened: usize,
    /// Whether a drawing or formula was ever open: on most pages none has to be looked for.
    is_foreign_seen: bool,
}

impl Open {
    /// Elements in one another, below the body.
    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Formatting elements that are open or wait.
    pub(super) fn active(&self) -> usize {
        self.active.len()
    }

    /// Elements that were opened again, in all.
    pub(super) fn reopened(&self) -> usize {
        self.reopened
    }

    /// Text: it opens again what waits, save blank text between the parts of a table.
    pub(super) fn text(&mut self, is_blank: bool) {
        let is_between = self.stack.last().is_some_and(|top| top.is_in(TABLE_PART));
        let is_cell = self.stack.last().is_some_and(|top| top.is_in(CELL));
        if !(is_blank && is_between && !is_cell) {
            self.reopen();
        }
    }

    fn reopen(&mut self) {
        if self.closed == 0 {
            return;
        }
        let from =
            self.active.iter().rposition(|entry| entry.name.is_none()).map_or(0, |at| at + 1);
        for entry in self.active.iter_mut().skip(from).filter(|entry| !entry.is_open) {
            entry.is_open = true;
            self.closed -= 1;
            self.reopened += 1;
            self.stack.extend(entry.name);
        }
    }

    /// A start tag with its attributes as written; gives whether text without tags follows.
    pub(super) fn start(&mut self, name: Name, attributes: &[u8], is_closed: bool) -> bool {
        if name.is_root() {
            return false;
        }
        let foreign = self.foreign();
        if let Some(at) = foreign {
            if !name.is_in(LEAVES_FOREIGN) {
                if !is_closed {
                    self.push(name, attributes);
                }
                return false;
            }
            self.truncate(at);
        }
        self.imply_ends(name);
        if !name.is_in(SPECIAL) || name.is(BUTTON) {
            self.reopen();
        }
        let is_foreign = name.is_in(FOREIGN) && is_closed;
        if !name.is_in(VOID) && !name.is_in(RAW) && !is_foreign {
            self.push(name, attributes);
        }
        name.is_in(RAW)
    }

    /// Where the innermost drawing or formula starts, when no HTML is allowed inside it here.
    fn foreign(&self) -> Option<usize> {
        if !self.is_foreign_seen {
            return None;
        }
        let is_edge = |name: &Name| name.is_in(FOREIGN) || name.is_in(INTEGRATION);
        let at = self.stack.iter().rposition(is_edge)?;
        self.stack.get(at).filter(|name| name.is_in(FOREIGN)).map(|_| at)
    }

    fn push(&mut self, name: Name, attributes: &[u8]) {
        self.is_foreign_seen |= name.is_in(FOREIGN);
        self.stack.push(name);
        if name.is_in(MARKER) {
            self.active.push(Active { name: None, hash: 0, is_open: true });
        } else if name.is_in(FORMATTING) {
            let hash = xxh3_64(attributes);
            self.forget_equal(name, hash);
            self.active.push(Active { name: Some(name), hash, is_open: true });
        }
    }

    /// Drops the earliest of equal formatting elements when there are as many as may be.
    fn forget_equal(&mut self, name: Name, hash: u64) {
        let from =
            self.active.iter().rposition(|entry| entry.name.is_none()).map_or(0, |at| at + 1);
        let is_equal = |entry: &Active| entry.name == Some(name) && entry.hash == hash;
        let recent = self.active.iter().skip(from);
        if recent.filter(|entry| is_equal(entry)).count() < EQUAL_MAX {
            return;
        }
        if let Some(at) = self.active.iter().skip(from).position(is_equal) {
            let dropped = self.active.remove(from + at);
            self.closed -= usize::from(!dropped.is_open);
        }
    }

    /// Ends what a start tag of `name` ends without saying so.
    fn imply_ends(&mut self, name: Name) {
        if name.is_in(CLOSES_P) {
            self.close_p();
        }
        if name.is_in(ITEM) {
            self.close_item(ITEM);
        } else if name.is_in(TERM) {
            self.close_item(TERM);
        } else if name.is_in(HEADING) {
            self.pop_if(HEADING);
        } else if name.is_in(CELL) {
            self.close_to(|part| part.is_in(CELL));
        } else if name.is_in(ROW) {
            self.close_to(|part| part.is_in(ROW));
        } else if name.is_in(ROWS) {
            self.close_to(|part| part.is_in(ROWS));
        } else if name.is_in(OPTIONS) {
            self.pop_if(if name.is_in(OPTION) { OPTION } else { OPTIONS });
        } else if name.is(BUTTON) {
            self.close_in_scope(name);
        } else if name.is(A) || name.is(NOBR) {
            self.end_formatting(name);
        }
    }

    fn pop_if(&mut self, names: u32) {
        if self.stack.last().is_some_and(|top| top.is_in(names)) {
            self.truncate(self.stack.len() - 1);
        }
    }

    fn close_p(&mut self) {
        let is_stop = |name: &Name| name.is(P) || name.is(BUTTON) || name.is_in(SCOPE);
        if let Some(at) = self.stack.iter().rposition(is_stop)
            && self.stack.get(at).is_some_and(|name| name.is(P))
        {
            self.truncate(at);
        }
    }

    fn close_item(&mut self, items: u32) {
        for at in (0..self.stack.len()).rev() {
            let Some(name) = self.stack.get(at) else { return };
            if name.is_in(items) {
                return self.truncate(at);
            }
            if name.is_in(SPECIAL) && !name.is_in(PASSED_BY_ITEMS) {
                return;
            }
        }
    }

    /// Ends the nearest of `parts` inside the nearest table.
    fn close_to(&mut self, is_part: impl Fn(&Name) -> bool) {
        let is_stop = |name: &Name| is_part(name) || name.is_in(TABLE);
        if let Some(at) = self.stack.iter().rposition(is_stop)
            && self.stack.get(at).is_some_and(is_part)
        {
            self.truncate(at);
        }
    }

    fn close_in_scope(&mut self, name: Name) {
        let is_stop = |open: &Name| *open == name || open.is_in(SCOPE);
        if let Some(at) = self.stack.iter().rposition(is_stop)
            && self.stack.get(at) == Some(&name)
        {
            self.truncate(at);
        }
    }

    /// An end tag.
    pub(super) fn end(&mut self, name: Name) {
        if name.is(FORM) {
            self.end_form();
        } else if name.is_in(FORMATTING) {
            self.end_formatting(name);
        } else if name.is_in(TABLE_PART) {
            self.close_to(|part| *part == name);
        } else if name.is_in(HEADING) {
            let is_stop = |open: &Name| open.is_in(HEADING) || open.is_in(SCOPE);
            if let Some(at) = self.stack.iter().rposition(is_stop)
                && self.stack.get(at).is_some_and(|open| open.is_in(HEADING))
            {
                self.truncate(at);
            }
        } else if name.is_in(SPECIAL) || name.is_in(FOREIGN) {
            self.close_in_scope(name);
        } else {
            let is_stop = |open: &Name| *open == name || open.is_in(SPECIAL);
            if let Some(at) = self.stack.iter().rposition(is_stop)
                && self.stack.get(at) == Some(&name)
            {
                self.truncate(at);
            }
        }
    }

    /// Takes a form out; what is open inside it stays open.
    fn end_form(&mut self) {
        let is_stop = |open: &Name| open.is(FORM) || open.is_in(SCOPE);
        if let Some(at) = self.stack.iter().rposition(is_stop)
            && self.stack.get(at).is_some_and(|name| name.is(FORM))
        {
            self.stack.remove(at);
        }
    }

    /// Ends a formatting element; what is open inside it stays open when it is a block.
    fn end_formatting(&mut self, name: Name) {
        let from =
            self.active.iter().rposition(|entry| entry.name.is_none()).map_or(0, |at| at + 1);
        let Some(at) = self.active.iter().skip(from).rposition(|entry| entry.name == Some(name))
        else {
            return;
        };
        let ended = self.active.remove(from + at);
        if !ended.is_open {
            self.closed -= 1;
            return;
        }
        let Some(at) = self.stack.iter().rposition(|open| *open == name) else { return };
        let has_block = self.stack.iter().skip(at + 1).any(|open| open.is_in(SPECIAL));
        if has_block {
            self.stack.remove(at);
        } else {
            self.truncate(at + 1);
            self.stack.pop();
        }
    }

    /// Ends every element from position `at` on; formatting elements among them wait.
    fn truncate(&mut self, at: usize) {
        while self.stack.len() > at {
            let Some(name) = self.stack.pop() else { return };
            if name.is_in(MARKER) {
                self.clear_to_marker();
            } else if name.is_in(FORMATTING) {
                let is_it = |entry: &&mut Active| entry.is_open && entry.name == Some(name);
                if let Some(entry) = self.active.iter_mut().rev().find(is_it) {
                    entry.is_open = false;
                    self.closed += 1;
                }
            }
        }
    }

    fn clear_to_marker(&mut self) {
        while let Some(entry) = self.active.pop() {
            self.closed -= usize::from(!entry.is_open);
            if entry.name.is_none() {
                return;
            }
        }
    }
}
