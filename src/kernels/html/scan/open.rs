//! The open elements of a page that is being scanned, and the formatting elements that wait.
//!
//! Source: WHATWG HTML §13.2.4.2 (stack of open elements), §13.2.4.3 (list of active formatting
//! elements), §13.2.6.4.7 ("in body").

/// Equal formatting elements that are kept: the standard's "Noah's Ark clause".
const EQUAL_MAX: usize = 3;

/// The name of a tag: its first 16 bytes in lower case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Name(u128);

impl Name {
    pub(super) const fn of(name: &[u8]) -> Self {
        let mut packed = 0;
        let mut rest = name;
        while let Some((first, after)) = rest.split_first() {
            packed = packed << 8 | wide(first.to_ascii_lowercase());
            rest = after;
        }
        Name(packed)
    }

    /// Whether the tag may stand in the head.
    pub(super) fn is_of_head(self) -> bool {
        HEAD.contains(&self)
    }

    /// Whether every tag of this name is about one element.
    pub(super) fn is_root(self) -> bool {
        ROOT.contains(&self)
    }

    /// Whether `bytes` have this name at `at`, with nothing behind it that would go on.
    pub(super) fn starts(self, bytes: &[u8], at: usize) -> bool {
        let rest = bytes.get(at..).unwrap_or_default();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        // No raw text element has a name of more than 16 bytes.
        let length = rest.iter().take(17).position(is_end).unwrap_or(17);
        rest.get(..length).is_some_and(|name| Name::of(name) == self)
    }
}

/// Widens a byte.
#[expect(clippy::as_conversions, reason = "`From` is not yet const")]
const fn wide(byte: u8) -> u128 {
    byte as u128
}

macro_rules! names {
    ($($constant:ident: $($name:literal)+;)+) => {
        $(const $constant: &[Name] = &[$(Name::of($name.as_bytes())),+];)+
    };
}

names! {
    HEAD: "html" "head" "title" "meta" "link" "base" "script" "style" "template" "noscript"
        "basefont" "bgsound" "noframes";
    ROOT: "html" "head" "body" "frameset";
    VOID: "area" "base" "basefont" "bgsound" "br" "col" "embed" "frame" "hr" "img" "image" "input"
        "keygen" "link" "meta" "param" "source" "track" "wbr";
    RAW: "script" "style" "title" "textarea" "xmp" "iframe" "noembed" "noframes";
    FORMATTING: "a" "b" "big" "code" "em" "font" "i" "nobr" "s" "small" "strike" "strong" "tt" "u";
    MARKER: "applet" "marquee" "object" "td" "th" "caption" "template";
    SCOPE: "applet" "caption" "html" "table" "td" "th" "marquee" "object" "template"
        "foreignobject" "desc" "mi" "mo" "mn" "ms" "mtext" "annotation-xml";
    TABLE: "html" "table" "template";
    TABLE_PART: "caption" "table" "tbody" "td" "tfoot" "th" "thead" "tr";
    CLOSES_P: "address" "article" "aside" "blockquote" "center" "details" "dialog" "dir" "div" "dl"
        "fieldset" "figcaption" "figure" "footer" "form" "header" "hgroup" "hr" "li" "dd" "dt"
        "listing" "main" "menu" "nav" "ol" "p" "plaintext" "pre" "search" "section" "summary" "ul"
        "xmp" "h1" "h2" "h3" "h4" "h5" "h6" "table";
    HEADING: "h1" "h2" "h3" "h4" "h5" "h6";
    SPECIAL: "address" "applet" "area" "article" "aside" "base" "blockquote" "body" "button"
        "caption" "center" "col" "colgroup" "dd" "details" "dir" "div" "dl" "dt" "fieldset"
        "figcaption" "figure" "footer" "form" "frameset" "h1" "h2" "h3" "h4" "h5" "h6" "header"
        "hgroup" "html" "iframe" "li" "listing" "main" "marquee" "menu" "nav" "object" "ol" "p"
        "plaintext" "pre" "search" "section" "select" "summary" "table" "tbody" "td" "template"
        "textarea" "tfoot" "th" "thead" "tr" "ul" "xmp" "foreignobject" "desc" "mi" "mo" "mn" "ms"
        "mtext" "annotation-xml";
    PASSED_BY_ITEMS: "address" "div" "p";
    ITEM: "li";
    TERM: "dd" "dt";
    CELL: "td" "th";
    ROW: "tr";
    ROWS: "tbody" "thead" "tfoot" "caption" "colgroup";
    OPTION: "option";
    OPTIONS: "option" "optgroup";
    FOREIGN: "svg" "math";
    INTEGRATION: "foreignobject" "desc" "mi" "mo" "mn" "ms" "mtext" "annotation-xml";
    LEAVES_FOREIGN: "b" "big" "blockquote" "body" "br" "center" "code" "dd" "div" "dl" "dt" "em"
        "embed" "h1" "h2" "h3" "h4" "h5" "h6" "head" "hr" "i" "img" "li" "listing" "menu" "meta"
        "nobr" "ol" "p" "pre" "ruby" "s" "small" "span" "strong" "strike" "sub" "sup" "table" "tt"
        "u" "ul" "var";
}

const P: Name = Name::of(b"p");
const BUTTON: Name = Name::of(b"button");
const FORM: Name = Name::of(b"form");

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
        let is_between = self.stack.last().is_some_and(|top| TABLE_PART.contains(top));
        let is_cell = self.stack.last().is_some_and(|top| CELL.contains(top));
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

    /// A start tag; gives whether text without tags follows.
    pub(super) fn start(&mut self, name: Name, hash: u64, is_closed: bool) -> bool {
        if name.is_root() {
            return false;
        }
        let foreign = self.foreign();
        if let Some(at) = foreign {
            if !LEAVES_FOREIGN.contains(&name) {
                if !is_closed {
                    self.push(name, hash);
                }
                return false;
            }
            self.truncate(at);
        }
        self.imply_ends(name);
        if !SPECIAL.contains(&name) || name == BUTTON {
            self.reopen();
        }
        let is_foreign = FOREIGN.contains(&name) && is_closed;
        if !VOID.contains(&name) && !RAW.contains(&name) && !is_foreign {
            self.push(name, hash);
        }
        RAW.contains(&name)
    }

    /// Where the innermost drawing or formula starts, when no HTML is allowed inside it here.
    fn foreign(&self) -> Option<usize> {
        if !self.is_foreign_seen {
            return None;
        }
        let is_edge = |name: &Name| FOREIGN.contains(name) || INTEGRATION.contains(name);
        let at = self.stack.iter().rposition(is_edge)?;
        self.stack.get(at).filter(|name| FOREIGN.contains(name)).map(|_| at)
    }

    fn push(&mut self, name: Name, hash: u64) {
        self.is_foreign_seen |= FOREIGN.contains(&name);
        self.stack.push(name);
        if MARKER.contains(&name) {
            self.active.push(Active { name: None, hash: 0, is_open: true });
        } else if FORMATTING.contains(&name) {
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
        if CLOSES_P.contains(&name) {
            self.close_p();
        }
        if ITEM.contains(&name) {
            self.close_item(ITEM);
        } else if TERM.contains(&name) {
            self.close_item(TERM);
        } else if HEADING.contains(&name) {
            self.pop_if(HEADING);
        } else if CELL.contains(&name) {
            self.close_to(CELL);
        } else if ROW.contains(&name) {
            self.close_to(ROW);
        } else if ROWS.contains(&name) {
            self.close_to(ROWS);
        } else if OPTIONS.contains(&name) {
            self.pop_if(if OPTION.contains(&name) { OPTION } else { OPTIONS });
        } else if name == BUTTON {
            self.close_in_scope(BUTTON);
        } else if name == Name::of(b"a") || name == Name::of(b"nobr") {
            self.end_formatting(name);
        }
    }

    fn pop_if(&mut self, names: &[Name]) {
        if self.stack.last().is_some_and(|top| names.contains(top)) {
            self.truncate(self.stack.len() - 1);
        }
    }

    fn close_p(&mut self) {
        let is_stop = |name: &Name| *name == P || *name == BUTTON || SCOPE.contains(name);
        if let Some(at) = self.stack.iter().rposition(is_stop)
            && self.stack.get(at) == Some(&P)
        {
            self.truncate(at);
        }
    }

    fn close_item(&mut self, items: &[Name]) {
        for at in (0..self.stack.len()).rev() {
            let Some(name) = self.stack.get(at) else { return };
            if items.contains(name) {
                return self.truncate(at);
            }
            if SPECIAL.contains(name) && !PASSED_BY_ITEMS.contains(name) {
                return;
            }
        }
    }

    /// Ends the nearest of `parts` inside the nearest table.
    fn close_to(&mut self, parts: &[Name]) {
        let is_stop = |name: &Name| parts.contains(name) || TABLE.contains(name);
        if let Some(at) = self.stack.iter().rposition(is_stop)
            && self.stack.get(at).is_some_and(|name| parts.contains(name))
        {
            self.truncate(at);
        }
    }

    fn close_in_scope(&mut self, name: Name) {
        let is_stop = |open: &Name| *open == name || SCOPE.contains(open);
        if let Some(at) = self.stack.iter().rposition(is_stop)
            && self.stack.get(at) == Some(&name)
        {
            self.truncate(at);
        }
    }

    /// An end tag.
    pub(super) fn end(&mut self, name: Name) {
        if name == FORM {
            self.end_form();
        } else if FORMATTING.contains(&name) {
            self.end_formatting(name);
        } else if TABLE_PART.contains(&name) {
            self.close_to(&[name]);
        } else if HEADING.contains(&name) {
            let is_stop = |open: &Name| HEADING.contains(open) || SCOPE.contains(open);
            if let Some(at) = self.stack.iter().rposition(is_stop)
                && self.stack.get(at).is_some_and(|open| HEADING.contains(open))
            {
                self.truncate(at);
            }
        } else if SPECIAL.contains(&name) || FOREIGN.contains(&name) {
            self.close_in_scope(name);
        } else {
            let is_stop = |open: &Name| *open == name || SPECIAL.contains(open);
            if let Some(at) = self.stack.iter().rposition(is_stop)
                && self.stack.get(at) == Some(&name)
            {
                self.truncate(at);
            }
        }
    }

    /// Takes a form out; what is open inside it stays open.
    fn end_form(&mut self) {
        let is_stop = |open: &Name| *open == FORM || SCOPE.contains(open);
        if let Some(at) = self.stack.iter().rposition(is_stop)
            && self.stack.get(at) == Some(&FORM)
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
        let has_block = self.stack.iter().skip(at + 1).any(|open| SPECIAL.contains(open));
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
            if MARKER.contains(&name) {
                self.clear_to_marker();
            } else if FORMATTING.contains(&name) {
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
