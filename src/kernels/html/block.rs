//! Blocks: runs of text between block boundaries, what they stand in, and their hashes.
//!
//! A page's blocks and the lines of its main text have one hash: of the normalised text alone. So
//! what a host repeats can be counted over whole pages and taken out of main texts by line.
//!
//! Not for finding equal text inside a block; that is what shingles are for.
//!
//! Source: HTML's block elements and its table model.
//! Cost: linear in the text; one normalisation a block.

use dom_query::{LocalName, local_name};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::Rules;
use crate::kernels::text::{self, Text};

/// The block stands in the head of a table, a caption or a term, or is a row of header cells.
pub const FLAG_HEADER: u8 = 1;
/// The block stands in a heading.
pub const FLAG_HEADING: u8 = 1 << 1;
/// The block stands in a heading of the first level.
pub const FLAG_FIRST: u8 = 1 << 2;
/// At least [`LINKS_MILLI`] of the block are link text.
pub const FLAG_LINKS: u8 = 1 << 3;
/// The block stands in a menu, a banner or the foot of the site.
pub const FLAG_MENU: u8 = 1 << 4;

/// Share of link text, in thousandths of the bytes, from which on a block is one of links.
pub const LINKS_MILLI: usize = 600;

/// What kind of element a block of text stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Tag {
    /// A block of no class of its own: `div`, `section`, the body itself.
    Other = 0,
    /// `p`.
    Paragraph = 1,
    /// `li`, `dd`, `dt`.
    Item = 2,
    /// `h1` to `h6`.
    Heading = 3,
    /// `tr`, `caption`.
    Row = 4,
    /// `blockquote`.
    Quote = 5,
    /// `pre`.
    Preformatted = 6,
}

/// A run of text between block boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The innermost block element around it.
    pub tag: Tag,
    /// xxh3-64 of the normalised text; by the first rules seeded with the number of the tag.
    pub hash: u64,
    /// What it stands in: [`FLAG_HEADER`] and its like; 0 by the first rules.
    pub flags: u8,
}

/// A line of the main text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// [`line_hash`] of the line.
    pub hash: u64,
    /// The flags of the page's first block of that hash; 0 where no block has it.
    pub flags: u8,
    /// Tokens of the line.
    pub tokens: u32,
}

/// The hash of a line of the main text, which is that of the page's block of the same text.
pub fn line_hash(normalised: &mut Text, line: &str) -> u64 {
    normalised.normalise(text::Rules::V2, line);
    xxh3_64(normalised.as_bytes())
}

/// The lines of a main text, trimmed, and their hashes; empty lines are none.
pub fn lines(main_text: &str) -> impl Iterator<Item = (&str, u64)> {
    let mut normalised = Text::new();
    trimmed_lines(main_text).map(move |line| (line, line_hash(&mut normalised, line)))
}

/// The lines of a text, trimmed, without empty ones.
pub(super) fn trimmed_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(str::trim).filter(|line| !line.is_empty())
}

/// The hash of a block under `rules`.
pub(super) fn block_hash(rules: Rules, normalised: &mut Text, tag: Tag, run: &str) -> u64 {
    if rules == Rules::V2 {
        return line_hash(normalised, run);
    }
    normalised.normalise(text::Rules::V1, run);
    xxh3_64_with_seed(normalised.as_bytes(), u64::from(number(tag)))
}

/// The lines of `main_text` as blocks of the page that has `blocks`.
pub(super) fn main_lines(main_text: &str, blocks: &[Block]) -> Vec<Line> {
    let mut known: Vec<(u64, usize, u8)> =
        blocks.iter().enumerate().map(|(at, block)| (block.hash, at, block.flags)).collect();
    known.sort_unstable();
    known.dedup_by_key(|(hash, ..)| *hash);
    let mut normalised = Text::new();
    let line = |line| {
        let hash = line_hash(&mut normalised, line);
        let mut tokens = 0;
        normalised.tokens(|_, _| tokens += 1);
        let found = known.binary_search_by_key(&hash, |(hash, ..)| *hash).ok();
        let flags = found.and_then(|at| known.get(at)).map_or(0, |(.., flags)| *flags);
        Line { hash, flags, tokens }
    };
    trimmed_lines(main_text).map(line).collect()
}

/// What an element means for the walk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Block(Tag),
    /// A block that helps to find pages and says nothing of its own.
    Menu(Tag),
    Link,
    Cell,
    Head,
    Title,
    Inline,
}

/// The kind of an element by its name.
pub(super) fn kind(name: &LocalName) -> Kind {
    match *name {
        local_name!("p") => Kind::Block(Tag::Paragraph),
        names!("li" "dd" "dt") => Kind::Block(Tag::Item),
        names!("h1" "h2" "h3" "h4" "h5" "h6") => Kind::Block(Tag::Heading),
        names!("tr" "caption") => Kind::Block(Tag::Row),
        local_name!("blockquote") => Kind::Block(Tag::Quote),
        names!("pre" "listing" "xmp" "plaintext") => Kind::Block(Tag::Preformatted),
        names!(
            "address" "article" "aside" "body" "center" "details" "dialog" "dir" "div" "dl"
            "fieldset" "figcaption" "figure" "footer" "form" "header" "hgroup" "html" "legend"
            "main" "menu" "nav" "ol" "search" "section" "summary" "table" "tbody" "tfoot" "thead"
            "ul"
        ) => Kind::Block(Tag::Other),
        local_name!("a") => Kind::Link,
        names!("td" "th" "option" "optgroup" "select" "button" "textarea" "input") => Kind::Cell,
        _ => Kind::Inline,
    }
}

/// The published number of a tag.
const fn number(tag: Tag) -> u8 {
    match tag {
        Tag::Other => 0,
        Tag::Paragraph => 1,
        Tag::Item => 2,
        Tag::Heading => 3,
        Tag::Row => 4,
        Tag::Quote => 5,
        Tag::Preformatted => 6,
    }
}

/// What an element makes of the blocks inside it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    None,
    /// `thead`, `caption`, `dt`.
    Header,
    HeaderCell,
    Cell,
    Row,
    /// `h1`.
    First,
    /// `h2`.
    Second,
    /// Any other heading.
    Heading,
}

/// The role of an element by its name.
pub(super) fn role(name: &LocalName) -> Role {
    match *name {
        names!("thead" "caption" "dt") => Role::Header,
        local_name!("th") => Role::HeaderCell,
        local_name!("td") => Role::Cell,
        local_name!("tr") => Role::Row,
        local_name!("h1") => Role::First,
        local_name!("h2") => Role::Second,
        names!("h3" "h4" "h5" "h6") => Role::Heading,
        _ => Role::None,
    }
}

/// A row of a table that is open.
struct Row {
    /// How many blocks were before it.
    start: usize,
    headers: usize,
    cells: usize,
}

/// The open elements that say what a block stands in.
#[derive(Default)]
pub(super) struct Roles {
    headers: usize,
    headings: usize,
    firsts: usize,
    rows: Vec<Row>,
    /// Whether the current run began inside a header.
    is_run_header: bool,
}

impl Roles {
    /// Opens an element, before which there are `blocks`.
    pub(super) fn enter(&mut self, role: Role, blocks: usize) {
        match role {
            Role::Header => self.headers += 1,
            Role::HeaderCell => self.headers += 1,
            Role::Row => self.rows.push(Row { start: blocks, headers: 0, cells: 0 }),
            Role::First => self.firsts += 1,
            Role::None | Role::Cell | Role::Second | Role::Heading => {}
        }
        self.headings += usize::from(is_heading(role));
        if let (Role::HeaderCell | Role::Cell, Some(row)) = (role, self.rows.last_mut()) {
            row.headers += usize::from(role == Role::HeaderCell);
            row.cells += usize::from(role == Role::Cell);
        }
    }

    /// Closes an element; a row of header cells alone makes its blocks headers.
    pub(super) fn leave(&mut self, role: Role, blocks: &mut [Block]) {
        match role {
            Role::Header | Role::HeaderCell => self.headers -= 1,
            Role::First => self.firsts -= 1,
            Role::Row => {
                let row = self.rows.pop().filter(|row| row.headers > 0 && row.cells == 0);
                let start = row.map_or(blocks.len(), |row| row.start);
                for block in blocks.iter_mut().skip(start) {
                    block.flags |= FLAG_HEADER;
                }
            }
            Role::None | Role::Cell | Role::Second | Role::Heading => {}
        }
        self.headings -= usize::from(is_heading(role));
    }

    /// A run of text begins here.
    pub(super) fn begin_run(&mut self) {
        self.is_run_header = self.headers > 0;
    }

    /// The flags of a run that ends here, of which `linked` of `bytes` are link text.
    pub(super) fn flags(&self, linked: usize, bytes: usize, is_in_menu: bool) -> u8 {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        flag(self.is_run_header && self.headers > 0, FLAG_HEADER)
            | flag(self.headings > 0, FLAG_HEADING)
            | flag(self.firsts > 0, FLAG_FIRST)
            | flag(linked * 1_000 >= bytes * LINKS_MILLI, FLAG_LINKS)
            | flag(is_in_menu, FLAG_MENU)
    }
}

fn is_heading(role: Role) -> bool {
    matches!(role, Role::First | Role::Second | Role::Heading)
}
