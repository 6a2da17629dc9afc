//! Pages: the bytes of an HTML page become its texts, its declared facts and its blocks.
//!
//! One tree is built for a page. Facts, links, blocks and the full text are read from it in one
//! walk, and the main-text extractor then consumes it. A page whose encoding is broken is read
//! with replacement characters and never lost; a page that would cost too much is refused before
//! a tree is built, by counts of bytes, tags, attributes and open elements and never by time.
//!
//! Not for text files, not for XML, and not for what a browser would show after running scripts.
//!
//! Source: WHATWG HTML (encoding prescan, tree construction by html5ever 0.40), RFC 8288 (`Link`
//! header), Mozilla's Readability as written in dom_smoothie 0.19.
//! Cost: linear in the bytes plus bounded corners of the parser. Bench: `benches/peers/html`.

mod address;
mod declared;
mod decode;
mod header;
mod language;
mod main_text;
mod scan;
mod walk;

use std::fmt;

use dom_query::Document;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::text::{Rules, Text};
use crate::error::caught;
use address::Base;
pub use address::Unusable;
use declared::Declared;
pub use decode::CharsetSource;
pub use header::{Link, links};
use walk::Found;
pub use walk::{Block, Tag};

/// Full text with fewer tokens than this is no substance that an extractor could have missed.
pub const SUBSTANCE_TOKENS: usize = 30;

/// Links of one page that are kept; more are only counted.
pub const LINKS_MAX: usize = 10_000;

/// A page as it came in, and what is known of it from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    /// The bytes of the body.
    pub body: &'a [u8],
    /// The body came as text: it is UTF-8, whatever its own declaration says.
    pub is_decoded: bool,
    /// The absolute URL of the page; empty when there is none.
    pub url: &'a str,
    /// The value of the `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// The crawler's note of the encoding: weaker than what the page itself declares.
    pub charset: Option<&'a str>,
    /// The response headers, one `name: value` a line.
    pub headers: Option<&'a str>,
}

/// What a page may cost. A page over a limit is a [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the body, and of the text it decodes to.
    pub body_bytes: usize,
    /// Tags, and elements that the parser makes from them.
    pub nodes: usize,
    /// Elements inside one another.
    pub depth: usize,
}

/// Why a page has no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// More bytes than [`Limits::body_bytes`].
    TooLong,
    /// More tags or elements than [`Limits::nodes`].
    Nodes,
    /// More elements inside one another than [`Limits::depth`].
    Depth,
    /// Too many attributes, on one tag or in all.
    Attributes,
    /// Too many character references.
    References,
    /// The parser or the extractor broke a promise of its own.
    Panic,
}

impl Code {
    /// The stable name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Code::TooLong => "html_too_long",
            Code::Nodes => "html_nodes",
            Code::Depth => "html_depth",
            Code::Attributes => "html_attributes",
            Code::References => "html_references",
            Code::Panic => "parser_panic",
        }
    }
}

/// Why a page was refused, with what was found and what was wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The reason for code.
    pub code: Code,
    /// The reason for people: found and wanted.
    pub detail: String,
}

impl Fault {
    fn over(code: Code, what: &str, found: usize, most: usize) -> Self {
        Fault { code, detail: format!("{found} {what}, wanted at most {most}") }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code.name(), self.detail)
    }
}

impl std::error::Error for Fault {}

/// What a page says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The main text, paragraphs by line breaks; empty when the extractor found none.
    pub main_text: String,
    /// All visible text, one line a block.
    pub full_text: String,
    /// The title, white space folded.
    pub title: Option<String>,
    /// The one canonical URL that counts: none when several differ or it cannot be meant.
    pub canonical: Option<String>,
    /// Why `canonical` is none although something is declared.
    pub canonical_unusable: Option<Unusable>,
    /// Every declared canonical URL that resolves, distinct, header first.
    pub canonicals: Vec<String>,
    /// Directives for robots, lower-case, sorted, joined by `, `.
    pub robots: Option<String>,
    /// Whether the page asks not to be indexed.
    pub is_noindex: bool,
    /// The declared language, a lower-case tag.
    pub language_declared: Option<String>,
    /// The detected language as ISO 639-1, or 639-3 where that has none.
    pub language_detected: Option<&'static str>,
    /// Versions in other languages.
    pub hreflang: Vec<Alternate>,
    /// Where the page sends its reader by `refresh`.
    pub refresh: Option<Refresh>,
    /// Absolute web links in document order, distinct, without fragments.
    pub links: Vec<String>,
    /// Distinct links before the cap of [`LINKS_MAX`].
    pub links_count: usize,
    /// Runs of text between block boundaries, in document order.
    pub blocks: Vec<Block>,
    /// The encoding that was used, by its WHATWG name.
    pub charset: &'static str,
    /// Who named the encoding.
    pub charset_source: CharsetSource,
    /// xxh3-128 of the body as it came in.
    pub body_digest: [u8; 16],
    /// xxh3-128 of everything declared: equal digests mean equal facts.
    pub facts_digest: [u8; 16],
    /// False when the page has substance and the extractor found no main text.
    pub is_extracted: bool,
}

/// A version of the page in another language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternate {
    /// The language as declared, lower-case; also `x-default`.
    pub language: String,
    /// The absolute URL.
    pub url: String,
}

/// The language and the URL, by one space.
impl fmt::Display for Alternate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.language, self.url)
    }
}

/// A redirect by `refresh`, in a header or the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refresh {
    /// The absolute URL.
    pub url: String,
    /// Seconds before it takes place.
    pub delay_seconds: u32,
}

/// xxh3-128 of a body.
pub fn body_digest(body: &[u8]) -> [u8; 16] {
    xxh3_128(body).to_be_bytes()
}

/// Reads a page.
///
/// Cost: linear in the bytes, and at most `limits.nodes * limits.depth` steps of the parser.
///
/// # Errors
///
/// A page over a limit; a panic of the parser or the extractor, which is caught.
pub fn parse(source: &Source<'_>, limits: &Limits) -> Result<Page, Fault> {
    if source.body.len() > limits.body_bytes {
        let found = source.body.len();
        return Err(Fault::over(Code::TooLong, "bytes", found, limits.body_bytes));
    }
    match caught(|| read(source, limits)) {
        Ok(outcome) => outcome,
        Err(detail) => Err(Fault { code: Code::Panic, detail }),
    }
}

fn read(source: &Source<'_>, limits: &Limits) -> Result<Page, Fault> {
    let decoded = decode::decode(source);
    if decoded.text.len() > limits.body_bytes.saturating_mul(3) {
        let (found, most) = (decoded.text.len(), limits.body_bytes.saturating_mul(3));
        return Err(Fault::over(Code::TooLong, "bytes of text", found, most));
    }
    let scan = scan::scan(&decoded.text, limits)?;
    let document = Document::from(scan.text.as_ref());
    let found = walk::walk(&document, &scan, limits)?;
    let main = main_text::extract(document);
    Ok(page(source, &decoded, found, main))
}

/// Puts a page together from what was found.
fn page(
    source: &Source<'_>,
    decoded: &decode::Decoded<'_>,
    found: Found,
    main: Option<String>,
) -> Page {
    let declared = Declared::of(source, &found);
    let base = Base::new(source.url, found.base.as_deref());
    let canonical = declared.canonical(&base);
    let has_substance = main.is_none() && has_tokens(&found.text, SUBSTANCE_TOKENS);
    let main_text = match main {
        Some(main) => main,
        None if has_substance => String::new(),
        None => found.text.clone(),
    };
    let (links, links_count) = address::links(&base, &found.hrefs);
    let mut page = Page {
        title: declared.title(),
        canonical: canonical.usable,
        canonical_unusable: canonical.unusable,
        canonicals: canonical.declared,
        robots: declared.robots(),
        is_noindex: declared.is_noindex(),
        language_declared: declared.language(),
        language_detected: language::detected(&main_text),
        hreflang: declared.alternates(&base),
        refresh: declared.refresh(&base),
        links,
        links_count,
        charset: decoded.encoding.name(),
        charset_source: decoded.source,
        body_digest: body_digest(source.body),
        facts_digest: [0; 16],
        is_extracted: !has_substance,
        main_text,
        full_text: String::new(),
        blocks: Vec::new(),
    };
    page.facts_digest = facts_digest(&page);
    page.full_text = found.text;
    page.blocks = found.blocks;
    page
}

/// Whether `text` has at least `least` tokens.
fn has_tokens(text: &str, least: usize) -> bool {
    let mut normalised = Text::new();
    normalised.normalise(Rules::V1, text);
    let mut tokens = 0_usize;
    normalised.tokens(Rules::V1, |_, _| tokens += 1);
    tokens >= least
}

/// The digest of everything declared, every part with its length before it.
fn facts_digest(page: &Page) -> [u8; 16] {
    let mut facts = Facts(Xxh3::new());
    facts.option(page.title.as_deref());
    facts.option(page.canonical.as_deref());
    facts.list(page.canonicals.iter().map(String::as_str));
    facts.option(page.robots.as_deref());
    facts.option(page.language_declared.as_deref());
    facts.option(page.language_detected);
    facts.list(page.hreflang.iter().flat_map(|other| [&*other.language, &*other.url]));
    facts.option(page.refresh.as_ref().map(|refresh| refresh.url.as_str()));
    facts.count(page.refresh.as_ref().map_or(0, |refresh| u64::from(refresh.delay_seconds)));
    facts.list(page.links.iter().map(String::as_str));
    facts.count(u64::try_from(page.links_count).unwrap_or(u64::MAX));
    facts.0.digest128().to_be_bytes()
}

/// A hasher of parts that cannot run into one another.
struct Facts(Xxh3);

impl Facts {
    fn count(&mut self, count: u64) {
        self.0.update(&count.to_le_bytes());
    }

    fn option(&mut self, part: Option<&str>) {
        self.list(part.into_iter());
    }

    fn list<'p>(&mut self, parts: impl Iterator<Item = &'p str> + Clone) {
        self.count(u64::try_from(parts.clone().count()).unwrap_or(u64::MAX));
        for part in parts {
            self.count(u64::try_from(part.len()).unwrap_or(u64::MAX));
            self.0.update(part.as_bytes());
        }
    }
}
