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

/// A pattern of names of elements or attributes: numbers are compared, not their letters.
macro_rules! names {
    ($($name:tt)+) => { $(dom_query::local_name!($name))|+ };
}

mod address;
mod banner;
mod block;
mod declared;
mod decode;
mod fact;
mod header;
mod hidden;
mod language;
mod layout;
mod lines;
mod main_text;
mod menu;
mod scan;
mod second;
mod walk;

use std::collections::BTreeSet;
use std::fmt;

use dom_query::Document;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::caught::caught;
use super::gate;
use address::Base;
pub use address::Unusable;
pub use block::{
    Block, FLAG_FIRST, FLAG_HEADER, FLAG_HEADING, FLAG_LINKS, FLAG_MENU, LINKS_MILLI, Line, Tag,
    line_hash, lines,
};
use declared::Declared;
pub use decode::CharsetSource;
pub use fact::{Fact, KINDS, PLACES};
pub use header::{Link, links};
pub use layout::{SLOTS as LAYOUT_SLOTS, layout_resemblance};
pub use main_text::Extractor;
use main_text::{Chosen, SUBSTANCE_TOKENS, Tokens};
use walk::Found;

/// Characters at the start of a body that say whether it is text.
const BINARY_SIGNS: usize = 4_096;

/// Tokens of a text for readers without scripts that is more than a notice to turn them on.
const NOSCRIPT_TOKENS: usize = 100;

/// Links of one page that are kept; more are only counted.
pub const LINKS_MAX: usize = 10_000;

/// How a page is read. A published variant never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// The extractor's article, or the blocks outside menus; block hashes are seeded with the tag.
    V1,
    /// As `V1`, with a second extractor for suspicious articles, blocks that an extractor of
    /// articles leaves out of other pages, lines that are blocks, facts, marks and layout.
    V2,
}

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
    /// Control characters of a packed or binary body.
    Binary,
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
            Code::Binary => "html_binary",
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
    /// What the main text was taken from.
    pub extractor: Extractor,
    /// What the second rules read beside; empty by the first.
    pub more: More,
}

/// What a page says by the second rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct More {
    /// The first heading of the first level, else of the second, white space folded.
    pub heading: Option<String>,
    /// Visible fields for a password.
    pub passwords: u32,
    /// Names of the gate's marks on the page, sorted.
    pub marks: Vec<&'static str>,
    /// Link text in thousandths of the visible text outside menus and banners, in bytes.
    pub link_share_milli: Option<u32>,
    /// The lines of the main text.
    pub main_lines: Vec<Line>,
    /// What the page is built of; none of a body of hardly any elements.
    pub layout: Option<[u8; LAYOUT_SLOTS]>,
    /// What frames the page: equal numbers within a host are one template.
    pub template: Option<u64>,
    /// What the page states of itself, its product and its owner.
    pub facts: Vec<Fact>,
    /// Identifiers of the product, `kind:value`, lower-case, sorted.
    pub product_ids: Vec<String>,
    /// Prices, `amount currency`, sorted; the amount alone where no one currency is stated.
    pub prices: Vec<String>,
    /// Resemblance of the two extractors' texts, in thousandths; none where only one was asked.
    pub agreement_milli: Option<u32>,
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
pub fn parse(source: &Source<'_>, limits: &Limits, rules: Rules) -> Result<Page, Fault> {
    if source.body.len() > limits.body_bytes {
        let found = source.body.len();
        return Err(Fault::over(Code::TooLong, "bytes", found, limits.body_bytes));
    }
    match caught(|| read(source, limits, rules)) {
        Ok(outcome) => outcome,
        Err(detail) => Err(Fault { code: Code::Panic, detail }),
    }
}

fn read(source: &Source<'_>, limits: &Limits, rules: Rules) -> Result<Page, Fault> {
    let decoded = decode::decode(source);
    if decoded.text.len() > limits.body_bytes.saturating_mul(3) {
        let (found, most) = (decoded.text.len(), limits.body_bytes.saturating_mul(3));
        return Err(Fault::over(Code::TooLong, "bytes of text", found, most));
    }
    text_of_a_page(&decoded.text)?;
    let scan = scan::scan(&decoded.text, limits)?;
    let document = Document::from(scan.text.as_ref());
    let mut found = walk::walk(&document, &scan, limits, rules)?;
    if rules == Rules::V2 && is_for_scripts(&document, &found) {
        found = walk::walk(&document, &scan, limits, rules)?;
    }
    let tree =
        second::Tree { html: &scan.text, nodes: document.tree.len(), depth: found.more.depth };
    let base = Base::new(source.url, found.base.as_deref());
    let facts = if rules == Rules::V2 { fact::facts(&document, &base) } else { Vec::new() };
    let article = main_text::extract(document, &found);
    let text = match rules {
        Rules::V1 => main_text::choose(article, &found),
        Rules::V2 => second::choose(tree, article, &found),
    };
    let more = match rules {
        Rules::V1 => More::default(),
        Rules::V2 => more(&mut found, &text, facts),
    };
    Ok(page(source, &decoded, found, (text, more), (&base, rules)))
}

/// Whether a page shows hardly anything, and holds a text for readers without scripts, which then
/// becomes part of it.
fn is_for_scripts(document: &Document, found: &Found) -> bool {
    let is_short = |text: &str, tokens: usize| Tokens::of(text).count() < tokens;
    if found.more.noscripts.is_empty() || !is_short(&found.text, SUBSTANCE_TOKENS) {
        return false;
    }
    let nodes = || found.more.noscripts.iter().filter_map(|id| document.tree.get(id));
    let text: String = nodes().map(|node| node.text().to_string() + " ").collect();
    if is_short(&text, NOSCRIPT_TOKENS) {
        return false;
    }
    nodes().for_each(|node| node.rename("div"));
    true
}

/// Refuses what is no text: packed bytes read as letters would be a page that resembles none.
fn text_of_a_page(text: &str) -> Result<(), Fault> {
    let is_control =
        |sign: char| matches!(sign, '\x01'..='\x08' | '\x0B' | '\x0E'..='\x1F' | '\x7F');
    let (mut found, mut signs) = (0, 0);
    for sign in text.chars().take(BINARY_SIGNS) {
        signs += 1;
        found += usize::from(is_control(sign));
    }
    let most = signs / 50 + 1;
    if found > most {
        return Err(Fault::over(Code::Binary, "control characters at the start", found, most));
    }
    Ok(())
}

/// Puts a page together from what was found.
fn page(
    source: &Source<'_>,
    decoded: &decode::Decoded<'_>,
    found: Found,
    (text, more): (Chosen, More),
    (base, rules): (&Base, Rules),
) -> Page {
    let declared = Declared::of(source, &found);
    let canonical = declared.canonical(base);
    let main_text = text.main_text;
    let (links, links_count) = address::links(base, &found.hrefs);
    let mut page = Page {
        title: declared.title(),
        canonical: canonical.usable,
        canonical_unusable: canonical.unusable,
        canonicals: canonical.declared,
        robots: declared.robots(),
        is_noindex: declared.is_noindex(),
        language_declared: declared.language(),
        language_detected: language::detected(&main_text),
        hreflang: declared.alternates(base),
        refresh: declared.refresh(base),
        links,
        links_count,
        charset: decoded.encoding.name(),
        charset_source: decoded.source,
        body_digest: body_digest(source.body),
        facts_digest: [0; 16],
        extractor: text.extractor,
        main_text,
        full_text: String::new(),
        blocks: Vec::new(),
        more,
    };
    page.facts_digest = facts_digest(&page, rules);
    page.full_text = found.text;
    page.blocks = found.blocks;
    page
}

/// What the second rules read beside.
fn more(found: &mut Found, text: &Chosen, facts: Vec<Fact>) -> More {
    let read = std::mem::take(&mut found.more);
    let [first, second] = read.headings;
    let (layout, template) = read.layout.finish();
    let mark = |at: usize| gate::MARKS.get(at).map(|(name, ..)| *name);
    let marks: BTreeSet<&str> = read.marks.into_iter().filter_map(mark).collect();
    let share = (read.outside_linked * 1_000).checked_div(read.outside).unwrap_or(0);
    More {
        heading: first.or(second),
        passwords: read.passwords,
        marks: marks.into_iter().collect(),
        link_share_milli: Some(u32::try_from(share).unwrap_or(u32::MAX)),
        main_lines: block::main_lines(&text.main_text, &found.blocks),
        layout,
        template,
        product_ids: product_ids(&facts),
        prices: prices(&facts),
        facts,
        agreement_milli: text.agreement_milli,
    }
}

/// Identifiers of the product, without what its writers put between the signs.
fn product_ids(facts: &[Fact]) -> Vec<String> {
    let id = |fact: &Fact| {
        let kind = fact.kind.strip_prefix("product.")?;
        let is_id = matches!(kind, "gtin" | "mpn" | "sku" | "product_id" | "labelled_id");
        let is_kept = |sign: &char| !sign.is_whitespace() && *sign != '-';
        let value: String = fact.value.to_lowercase().chars().filter(is_kept).collect();
        (is_id && !value.is_empty()).then(|| format!("{kind}:{value}"))
    };
    let ids: BTreeSet<String> = facts.iter().filter_map(id).collect();
    ids.into_iter().collect()
}

/// Prices with the currency, where the page states one.
fn prices(facts: &[Fact]) -> Vec<String> {
    let values = |kind: &'static str| -> BTreeSet<&str> {
        facts.iter().filter(|fact| fact.kind == kind).map(|fact| fact.value.as_str()).collect()
    };
    let currencies = values("product.currency");
    let currency = currencies.first().filter(|_| currencies.len() == 1);
    let price = |amount: &str| match currency {
        Some(currency) => format!("{amount} {currency}"),
        None => amount.to_owned(),
    };
    values("product.price").into_iter().map(price).collect()
}

/// The digest of everything declared, every part with its length before it.
fn facts_digest(page: &Page, rules: Rules) -> [u8; 16] {
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
    if rules == Rules::V2 {
        facts.more(&page.more);
    }
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

    fn more(&mut self, more: &More) {
        self.option(more.heading.as_deref());
        self.list(more.marks.iter().copied());
        self.list(more.facts.iter().flat_map(|fact| [fact.kind, &*fact.value, fact.place]));
        self.count(u64::from(more.passwords));
        for number in [more.link_share_milli, more.agreement_milli] {
            self.count(number.map_or(u64::MAX, u64::from));
        }
        self.count(more.template.unwrap_or(0));
    }

    fn list<'p>(&mut self, parts: impl Iterator<Item = &'p str> + Clone) {
        self.count(u64::try_from(parts.clone().count()).unwrap_or(u64::MAX));
        for part in parts {
            self.count(u64::try_from(part.len()).unwrap_or(u64::MAX));
            self.0.update(part.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::text::Text;

    const LIMITS: Limits = Limits { body_bytes: 16 << 20, nodes: 250_000, depth: 512 };

    const URL: &str = "http://a.example/dir/page";

    fn source(body: &[u8]) -> Source<'_> {
        Source { body, url: URL, ..Source::default() }
    }

    fn read(html: &str) -> Page {
        parse(&source(html.as_bytes()), &LIMITS, Rules::V1).unwrap()
    }

    fn fault(html: &str, limits: &Limits) -> &'static str {
        parse(&source(html.as_bytes()), limits, Rules::V1)
            .err()
            .map_or("read", |fault| fault.code.name())
    }

    fn head(html: &str) -> Page {
        read(&format!("<!doctype html><head>{html}</head><body><p>Text.</p></body>"))
    }

    /// The page as it comes with `headers`.
    fn with_headers(html: &str, headers: &str) -> Page {
        let source = Source { headers: Some(headers), ..source(html.as_bytes()) };
        parse(&source, &LIMITS, Rules::V1).unwrap()
    }

    fn charset(source: Source<'_>) -> (&'static str, &'static str, String) {
        let page = parse(&source, &LIMITS, Rules::V1).unwrap();
        (page.charset, page.charset_source.name(), page.full_text)
    }

    #[test]
    fn a_title_is_folded_and_no_text() {
        let page = read("<title>\n One &amp;\ttwo </title><svg><title>no</title></svg><p>Text.");
        assert_eq!((page.title.as_deref(), page.full_text.as_str()), (Some("One & two"), "Text."));
        assert_eq!(read("<title> </title>x").title, None);
    }

    #[test]
    fn a_canonical_counts_in_the_head_alone() {
        let link = "<link rel='Canonical x' href=other>";
        let page = head(link);
        assert_eq!(page.canonical.as_deref(), Some("http://a.example/dir/other"));
        for html in [
            format!("<body><p>x</p>{link}"),
            format!("<head><!-- {link} --></head>"),
            format!("<head><script>'{link}'</script></head>"),
            format!("<head><template>{link}</template></head>"),
            format!("<head><noscript>{link}</noscript></head>"),
            "<head><meta name=canonical content=http://b.example/></head>".to_owned(),
            "<head><link rel=canonical content=http://b.example/></head>".to_owned(),
            "<head><link rel=canonical href=' '></head>".to_owned(),
        ] {
            let page = read(&html);
            assert_eq!((page.canonical, page.canonicals.len()), (None, 0), "{html}");
        }
    }

    #[test]
    fn an_image_without_scripts_does_not_end_the_head() {
        let page = head("<noscript><img src=x></noscript><link rel=canonical href=/c>");
        assert_eq!(page.canonical.as_deref(), Some("http://a.example/c"));
        let page = head("<img src=x><link rel=canonical href=/c>");
        assert_eq!(page.canonical, None);
    }

    #[test]
    fn canonicals_that_differ_cancel_out() {
        let same =
            head("<link rel=canonical href=/c><link rel=canonical href='HTTP://A.example:80/c'>");
        assert_eq!(same.canonical.as_deref(), Some("http://a.example/c"));
        let both = head("<link rel=canonical href=/c><link rel=canonical href=/d>");
        assert_eq!((both.canonical, both.canonicals.len()), (None, 2));
        assert_eq!(both.canonical_unusable, Some(Unusable::Conflict));
        let html = "<head><link rel=canonical href=/c></head>";
        let header = with_headers(html, "LINK: </x>; rel=prev, </c>; a=\"b,>\"; rel=\"canonical\"");
        assert_eq!(header.canonical.as_deref(), Some("http://a.example/c"));
        assert_eq!(with_headers(html, "Link: </d>; rel=canonical").canonical, None);
    }

    #[test]
    fn slips_are_declared_and_not_usable() {
        for (href, why) in [
            ("http://a.example/http://a.example/x", Unusable::Doubled),
            ("https://www.a.example/https:/a.example/x", Unusable::Doubled),
            ("a.example/x", Unusable::HostInPath),
            ("/www.other.example/x", Unusable::HostInPath),
            ("http://bare/x", Unusable::BareHost),
            ("'What are they?'", Unusable::WhiteSpace),
        ] {
            let page = head(&format!("<link rel=canonical href={href}>"));
            assert_eq!((page.canonical_unusable, page.canonicals.len()), (Some(why), 1), "{href}");
            assert_eq!(page.canonical, None);
        }
        assert_eq!(
            head("<link rel=canonical href=ftp://b.example/>").canonical_unusable,
            Some(Unusable::NotWeb)
        );
        let archive = head("<link rel=canonical href=http://b.example/web/http://c.example/>");
        assert!(archive.canonical.is_some());
    }

    #[test]
    fn a_base_is_what_references_are_resolved_against() {
        let page = read("<base href=/other/><link rel=canonical href=c><a href=x>");
        assert_eq!(page.canonical.as_deref(), Some("http://a.example/other/c"));
        assert_eq!(page.links, ["http://a.example/other/x"]);
        let page = read("<base href='javascript:1'><a href=x>");
        assert_eq!(page.links, ["http://a.example/dir/x"]);
    }

    #[test]
    fn robots_are_merged_in_lower_case() {
        let html = "<meta name=Robots content='NOINDEX,  max-snippet: 5'><meta name=googlebot \
                    content=nofollow><meta name=bingbot content=none>";
        let page = with_headers(html, "x-robots-tag: otherbot: none\nX-Robots-Tag: noarchive");
        assert_eq!(page.robots.as_deref(), Some("max-snippet: 5, noarchive, nofollow, noindex"));
        assert!(page.is_noindex);
        assert!(with_headers("", "x-robots-tag: googlebot: none").is_noindex);
        assert_eq!((read("x").robots, read("x").is_noindex), (None, false));
    }

    #[test]
    fn the_language_is_declared_or_detected() {
        let page = read("<html lang=' EN_us '><p>x");
        assert_eq!(page.language_declared.as_deref(), Some("en-us"));
        let page = with_headers("<html lang='{{lang}}'>", "content-language: de, en");
        assert_eq!(page.language_declared.as_deref(), Some("de"));
        let german = "Der Rat hat gestern beschlossen, dass die Brücke im kommenden Frühjahr neu \
                      gebaut wird, weil das alte Holz an vielen Stellen nicht mehr trägt.";
        assert_eq!(read(german).language_detected, Some("de"));
        assert_eq!(read("ok").language_detected, None);
    }

    #[test]
    fn versions_in_other_languages_are_listed_once() {
        let link = "<link rel=alternate hreflang=DE href=/de><link rel=alternate href=/rss>";
        let page = with_headers(
            &format!("<head>{link}{link}</head>"),
            "link: <http://b.example/>; rel=alternate; hreflang=x-default",
        );
        let shown: Vec<String> = page.hreflang.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["x-default http://b.example/", "de http://a.example/de"]);
    }

    #[test]
    fn a_refresh_leads_elsewhere() {
        for (content, wanted) in [
            ("0;url=/x", Some((0, "http://a.example/x"))),
            ("5; URL='x y'", Some((5, "http://a.example/dir/x%20y"))),
            ("0.9, http://b.example/", Some((0, "http://b.example/"))),
            ("1 url = \u{22}x\u{22}z", Some((1, "http://a.example/dir/x"))),
            (";url=/x", None),
            ("60", None),
            ("60; url=", None),
            ("0;url=page", None),
            ("0;url=javascript:x", None),
            ("x;url=/x", None),
        ] {
            let found = head(&format!(
                "<meta http-equiv=Refresh content='{}'>",
                content.replace('\'', "&#39;")
            ));
            let found = found.refresh.map(|refresh| (refresh.delay_seconds, refresh.url));
            let found = found.as_ref().map(|(delay, url)| (*delay, url.as_str()));
            assert_eq!(found, wanted, "{content}");
        }
        let header = with_headers("x", "Refresh: 3; url=/r");
        assert_eq!(header.refresh.unwrap().url, "http://a.example/r");
    }

    #[test]
    fn a_refresh_in_the_body_counts_when_it_comes_early() {
        let meta = "<meta http-equiv=refresh content='0;url=/x'>";
        assert!(read(&format!("<body><p>x</p>{meta}")).refresh.is_some());
        assert!(read(&format!("<body><p>{}</p>{meta}", "x ".repeat(20_000))).refresh.is_none());
        assert!(read(&format!("<body><noscript>{meta}</noscript>x")).refresh.is_none());
    }

    #[test]
    fn links_are_absolute_distinct_and_in_order() {
        let page = read(
            "<a href=/b>x</a><area href=a><a href='/b#part'>x</a><a href='#top'>x</a>\
             <a href=''>x</a>\
             <a href='JavaScript:x'>x</a><a href=mailto:x@a.example>x</a><a>x</a>\
             <a href='//b.example/'>x</a><a href='/app#!state'>x</a>",
        );
        let wanted = ["b", "dir/a"].map(|path| format!("http://a.example/{path}"));
        assert_eq!(page.links.get(..2).unwrap(), wanted);
        assert_eq!(
            page.links.get(2..).unwrap(),
            ["http://b.example/", "http://a.example/app#!state"]
        );
        let many: String = (0..LINKS_MAX + 5).map(|n| format!("<a href={n}>x</a>")).collect();
        let page = read(&many);
        assert_eq!((page.links.len(), page.links_count), (LINKS_MAX, LINKS_MAX + 5));
    }

    #[test]
    fn boundaries_separate_words_whatever_the_white_space() {
        let dense = "<article><h3>Email</h3><a href=x>info</a><div>Open daily</div>\
                     <span>from</span>\
                     <p>First<br>second</p><ul><li>tea</li><li>cof<b>fee</b></li></ul>\
                     <table><tr><td>1</td><td>2</td></tr></table></article>";
        let page = read(dense);
        let wanted = "Email\ninfo\nOpen daily\nfrom\nFirst\nsecond\ntea\ncoffee\n1 2";
        assert_eq!(page.full_text, wanted);
        let airy = read(&dense.replace("><", ">\n  <").replace("cof\n  <b>", "cof<b>"));
        assert_eq!((airy.full_text, airy.blocks), (page.full_text, page.blocks));
    }

    #[test]
    fn hidden_and_unseen_elements_are_no_text() {
        let page = read(
            "<style>a</style><script>b</script><noscript>c</noscript><template>d</template>\
             <p hidden>e</p><p style='color: red; DISPLAY : none'>f</p><iframe>g</iframe><p>seen",
        );
        assert_eq!(page.full_text, "seen");
    }

    #[test]
    fn blocks_are_named_after_their_element() {
        let page = read("<h1>One</h1><p>One</p><ul><li>One<li> one </ul><div>One</div>");
        let tags: Vec<Tag> = page.blocks.iter().map(|block| block.tag).collect();
        assert_eq!(tags, [Tag::Heading, Tag::Paragraph, Tag::Item, Tag::Item, Tag::Other]);
        let hashes: Vec<u64> = page.blocks.iter().map(|block| block.hash).collect();
        assert_eq!(hashes[2], hashes[3]);
        assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[3] != hashes[4]);
    }

    #[test]
    fn main_text_leaves_out_menus_and_banners() {
        let sentence = "The harbour bank moved its deposit rate to three percent on Tuesday. ";
        let html = format!(
            "<div class=cookie-consent><p>{}</p></div><nav><a href=/>Home</a></nav>\
             <main><h1>Rate</h1>\
             <p>{}</p></main>",
            "We store small files, as you may know. ".repeat(20),
            sentence.repeat(8),
        );
        let page = read(&html);
        assert!(page.main_text.contains("harbour bank") && !page.main_text.contains("small files"));
        assert!(page.full_text.contains("small files") && page.extractor != Extractor::Failed);
        let held = html.replace("</div><nav>", "<nav>").replace("</main>", "</main></div>");
        assert!(read(&held).main_text.contains("harbour bank"));
    }

    #[test]
    fn a_short_page_is_its_own_main_text() {
        let page = read("<p>Gone.</p>");
        assert_eq!((page.main_text.as_str(), page.extractor != Extractor::Failed), ("Gone.", true));
        let page = read("<body></body>");
        assert_eq!((page.main_text.as_str(), page.extractor != Extractor::Failed), ("", true));
    }

    #[test]
    fn digests_tell_bodies_and_facts_apart() {
        let (one, two) = (head("<title>x</title>"), head("<title>x</title> "));
        assert_ne!(one.body_digest, two.body_digest);
        assert_eq!(one.facts_digest, two.facts_digest);
        assert_ne!(one.facts_digest, head("<title>y</title>").facts_digest);
        assert_ne!(one.facts_digest, head("<link rel=canonical href=/c>").facts_digest);
    }

    #[test]
    fn the_encoding_is_named_in_order_of_strength() {
        let meta = b"<meta charset=koi8-r><p>\xc1\xc2\xc7".as_slice();
        let (utf8, cyrillic) = ("text/html; charset=utf-8", "text/html;charset=windows-1251");
        let with = |content_type| Source { content_type: Some(content_type), ..source(meta) };
        assert_eq!(charset(with(cyrillic)).0, "windows-1251");
        assert_eq!(charset(source(meta)), ("KOI8-R", "meta", "абг".to_owned()));
        assert_eq!(charset(with(utf8)), ("KOI8-R", "meta", "абг".to_owned()));
        let noted = Source { charset: Some("windows-1251"), ..source(b"<p>\xe0\xe1") };
        assert_eq!(charset(noted), ("windows-1251", "noted", "аб".to_owned()));
        let marked = Source { content_type: Some(cyrillic), ..source(b"\xef\xbb\xbf<p>\xd0\xb0") };
        assert_eq!(charset(marked), ("UTF-8", "bom", "а".to_owned()));
        let decoded =
            Source { is_decoded: true, ..source("<meta charset=koi8-r><p>é".as_bytes()) };
        assert_eq!(charset(decoded), ("UTF-8", "decoded", "é".to_owned()));
        assert_eq!(charset(source(b"<p>plain")), ("UTF-8", "default", "plain".to_owned()));
        assert_eq!(charset(source("<p>é".as_bytes())), ("UTF-8", "detected", "é".to_owned()));
        let header = with_headers("<p>x", "content-type: text/html; charset='ISO-8859-1'");
        assert_eq!(header.charset, "windows-1252");
    }

    #[test]
    fn declarations_are_read_as_the_standard_reads_them() {
        for (start, wanted) in [
            ("<title><meta charset=koi8-r></title>", "KOI8-R"),
            ("<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>", "KOI8-R"),
            ("<meta content='text/html; charset=koi8-r'>", "UTF-8"),
            ("<!-- <meta charset=koi8-r> -->", "UTF-8"),
            ("<!--><meta charset=koi8-r>", "KOI8-R"),
            ("<script charset=koi8-r></script>", "UTF-8"),
            ("<script>charset=koi8-r</script>", "UTF-8"),
            ("<p title='<meta charset=koi8-r>'>", "UTF-8"),
            ("<meta charset=utf-16le>", "UTF-8"),
            ("<meta charset=x-user-defined>", "windows-1252"),
            ("<meta charset=iso-2022-kr>", "UTF-8"),
            ("<meta charset=nonsense><meta charset=koi8-r>", "KOI8-R"),
            ("<?xml version='1.0' encoding='koi8-r'?>", "KOI8-R"),
            ("</meta charset=koi8-r><META/CHARSET = \"KOI8-R\">", "KOI8-R"),
        ] {
            assert_eq!(read(start).charset, wanted, "{start}");
        }
    }

    #[test]
    fn contradictions_are_settled_for_a_readable_text() {
        let latin = Some("text/html; charset=iso-8859-1");
        let utf8 = "<meta charset=utf-8><p>Köln".as_bytes();
        let page = charset(Source { content_type: latin, ..source(utf8) });
        assert_eq!(page, ("UTF-8", "meta", "Köln".to_owned()));
        let undeclared = charset(Source { content_type: latin, ..source("<p>Köln".as_bytes()) });
        assert_eq!(undeclared.0, "windows-1252");
        let cut = charset(source(b"<meta charset=utf-8><p>caf\xc3\xa9 caf\xc3"));
        assert_eq!((cut.0, cut.2.as_str()), ("UTF-8", "café caf\u{fffd}"));
        let stray = charset(source(b"<meta charset=utf-8><p>caf\xc3\xa9 \xe9"));
        assert_eq!((stray.0, stray.2.as_str()), ("UTF-8", "café \u{fffd}"));
    }

    #[test]
    fn no_page_is_lost_because_its_encoding_is_broken() {
        let pair = |units: Vec<u16>, is_big: bool| -> Vec<u8> {
            let bytes = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            units.into_iter().flat_map(bytes).collect()
        };
        let text: Vec<u16> = "<p>page text of some length</p>".encode_utf16().collect();
        for is_big in [false, true] {
            let page = charset(Source { ..source(&pair(text.clone(), is_big)) });
            assert_eq!(page.2, "page text of some length");
            assert_eq!(page.1, "detected");
        }
        for body in [
            b"".as_slice(),
            b"\xff",
            b"\xfe\xff",
            b"\xff\xfe<",
            b"\xef\xbb\xbf",
            b"\xef\xbb",
            b"\0",
            b"\0\0\0\0",
            b"<p>\xed\xa0\x80</p>",
            b"<p>\xc0\x80</p>",
            b"<p>\xf4\x90\x80\x80</p>",
            b"\x1b$B<p>",
            b"<meta charset=utf-7><p>+AGE-",
            b"<meta charset=hz-gb-2312><p>~{VP~}",
            b"<meta charset=shift_jis><p>\x81",
            b"<meta charset=gb18030><p>\x81\x30\x81",
            b"<meta charset=big5><p>\xff\xff",
            b"<meta charset=euc-kr><p>\xa1",
            b"<meta charset=iso-2022-jp><p>\x1b$B\xff",
            b"<meta charset=utf-8><p>\x80\x81\x82",
            b"<?xml encoding=",
            b"<meta charset",
            b"<meta charset='utf-8",
            b"<!-",
            b"<",
            b"</",
            b"<a b='",
        ] {
            assert!(parse(&source(body), &LIMITS, Rules::V1).is_ok(), "{body:?}");
        }
    }

    #[test]
    fn zero_bytes_are_read_as_the_standard_reads_them() {
        assert_eq!(read("<p>a\0b<\0p>\0</p><a href='/x\0'>x</a>").full_text, "ab<p>\nx");
    }

    #[test]
    fn pages_over_a_limit_are_faults() {
        let limits = Limits { nodes: 20_000, ..LIMITS };
        let many = |part: &str, count: usize| part.repeat(count);
        let numbered =
            |part: &str| (0..20_000).map(|n| part.replace('#', &n.to_string())).collect();
        let pages: Vec<(String, &str)> = vec![
            (many("<div>", 1_000_000), "html_depth"),
            (many("<p></p>", 1_000_000), "html_nodes"),
            (format!("<p {}>", many("a ", 1_000_000)), "html_attributes"),
            (many("<html a b c d>", 1_000), "html_attributes"),
            (many("<p a b c d e f g h i>", 19_000), "html_attributes"),
            (many("&amp;", 1_000_000), "html_references"),
            (many("&am", 1_000_000), "html_references"),
            (many("\0", 1_000_000), "html_references"),
            (many("<", 1_000_000), "html_references"),
            (many("& ", 250_000), "html_references"),
            (many("<!-->", 1_000_000), "html_nodes"),
            (numbered("<b id=#>"), "html_depth"),
            (many("<p><font color=red>x", 10_000), "html_nodes"),
            (many("<a><div>", 5_000), "html_depth"),
            (many("<form><div></form>", 5_000), "html_depth"),
            (format!("<svg>{}", many("<source>", 1_000)), "html_depth"),
            (format!("<svg><style>{}", many("<g>", 1_000)), "html_depth"),
            (many("<table><tr><td>", 1_000), "html_depth"),
            (many("x", (16 << 20) + 1), "html_too_long"),
        ];
        for (html, wanted) in pages {
            assert_eq!(fault(&html, &limits), wanted, "{:.40}", html);
        }
        let error =
            parse(&source(b"<i><i><i>"), &Limits { depth: 2, ..LIMITS }, Rules::V1).unwrap_err();
        assert_eq!(error.to_string(), "html_depth: 3 elements in one another, wanted at most 2");
    }

    #[test]
    fn broken_markup_is_no_depth() {
        for part in [
            "<p>x",
            "<li>x",
            "<dt>x<dd>y",
            "<tr><td>x",
            "<option>x",
            "<p><b>x</p></b>",
            "<div></span></div>",
            "<a href=x>y",
            "<h1>x<h2>y",
            "<td>x",
            "</div></p></b>",
            "<p><i>x</i><div>y</div>",
            "<br></br>",
            "<ul><li><p>x</ul>",
            "<table><tr><td>x</table>",
            "<select><option>x</select>",
            "<img><hr><input>",
            "<svg><path/></svg>",
            "<svg><path></svg>",
            "<button>x",
            "<nobr>x",
            "<script><div></script>",
            "<textarea><div></textarea>",
            "<!--<div>--><![CDATA[<div>]]>",
            "<details><summary>x</details>",
        ] {
            let outcome = parse(&source(part.repeat(1_500).as_bytes()), &LIMITS, Rules::V1);
            assert!(outcome.is_ok(), "{part}: {}", outcome.unwrap_err());
        }
    }

    #[test]
    fn the_deepest_page_fits_a_small_stack() {
        let work = || {
            for tag in
                ["div", "span", "ins", "a", "section", "table><tr><td", "ul><li", "blockquote"]
            {
                let levels = 500 / (tag.matches('<').count() * 2 + 1);
                let html = format!("{}word, word", format!("<{tag}>").repeat(levels));
                assert!(parse(&source(html.as_bytes()), &LIMITS, Rules::V1).is_ok(), "{tag}");
            }
        };
        std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
    }

    #[test]
    fn a_notice_at_the_foot_is_no_main_text() {
        let notice = "<p>Copyright Kestrel Savings. Reproduction in whole or in part wants the \
                      written consent of the bank, save where the law of the land allows it, and \
                      the name of the bank has to be given in full.</p>";
        let page = |class: &str| {
            format!(
                "<body><div><a href=/>Home</a> <a href=/l>Loans</a></div><div>Rate</div>\
                 <pre>rate = 3.25</pre><div>Since Tuesday, until 9 May</div>\
                 <div class={class}>{notice}</div>"
            )
        };
        let found = read(&page("copyright"));
        assert_eq!(found.extractor, Extractor::Blocks);
        assert_eq!(found.main_text, "Rate\nrate = 3.25\nSince Tuesday, until 9 May");
        assert!(found.full_text.contains("Reproduction") && found.full_text.contains("Loans"));
        assert_eq!(read(&page("text")).extractor, Extractor::Article);
    }

    #[test]
    fn names_of_highlighters_do_not_decide() {
        let long = "<p>The keeper of the north sluice writes down each night how far the gate is \
                    open, how high the water stands and who has passed, in a book of ruled paper.";
        let page = read(&format!(
            "<body><article>{long}</p><h3 class=header>Signs</h3>{long}</p><pre>open(); \
             <span class=comment>// three turns of the wheel</span></pre>{long}</p></article>"
        ));
        assert!(page.main_text.contains("three turns of the wheel"), "{}", page.main_text);
        assert!(page.main_text.contains("Signs"), "{}", page.main_text);
    }

    #[test]
    fn anchors_and_linked_code_are_no_menus() {
        let page = read(
            "<body><a id=top><div>Opening times of the north sluice</div><pre><a href=/o>open</a> \
             <a href=/s>shut</a></pre><div><a href=#top>Back</a> to the start</div></a>\
             <div class=copyright><p>Kept by the canal office, which is at the harbour, and which \
             is open on working days, save in the week between the years, from nine.</p></div>\
             <div role=contentinfo>Printed by the canal office</div>",
        );
        assert_eq!(page.extractor, Extractor::Blocks);
        let wanted = "Opening times of the north sluice\nopen shut\nBack to the start";
        assert_eq!(page.main_text, wanted);
    }

    #[test]
    fn packed_bytes_are_no_page() {
        let mut sign = 7_u8;
        let mut next = || {
            sign = sign.wrapping_mul(73).wrapping_add(41);
            sign
        };
        let packed: Vec<u8> = (0..2_000).map(|_| next()).collect();
        let fault = parse(&source(&packed), &LIMITS, Rules::V1).unwrap_err();
        assert_eq!(fault.code, Code::Binary);
        assert_eq!(read("<p>a\u{1}b").main_text, "a\u{1}b");
    }

    #[test]
    fn much_utf8_outweighs_its_label() {
        let body = "<p>Открытие моста перенесено на неопределённый срок";
        let source =
            |body| Source { content_type: Some("text/html; charset=koi8-r"), ..source(body) };
        assert_eq!(charset(source(body.as_bytes())).0, "UTF-8");
        assert_eq!(charset(source("<p>é".as_bytes())).0, "KOI8-R");
    }

    #[test]
    fn a_panic_is_caught_and_told() {
        let outcome = caught(|| -> u8 { panic!("expected by a test") });
        assert_eq!(outcome, Err("expected by a test".to_owned()));
    }

    fn read_v2(html: &str) -> Page {
        parse(&source(html.as_bytes()), &LIMITS, Rules::V2).unwrap()
    }

    const SENTENCE: &str =
        "The keeper of the north sluice writes down each night how far the gate is open. ";

    #[test]
    fn the_first_rules_read_nothing_beside() {
        let html = "<h1>One</h1><input type=password><p id=g-recaptcha>Text <a href=/x>link</a>";
        assert_eq!(read(html).more, More::default());
        assert_ne!(read(html).facts_digest, read_v2(html).facts_digest);
        assert!(read(html).blocks.iter().all(|block| block.flags == 0));
    }

    #[test]
    fn the_heading_is_the_first_with_text() {
        let heading = |html: &str| read_v2(html).more.heading;
        let one = "<h2>Second</h2><h1> </h1><h1 hidden>No</h1><h1>The\n <b>first</b><br>one</h1>";
        assert_eq!(heading(one).as_deref(), Some("The first one"));
        assert_eq!(heading("<h3>x</h3><h2>Second</h2><h2>x</h2>").as_deref(), Some("Second"));
        assert_eq!(heading("<p>x</p>"), None);
    }

    #[test]
    fn passwords_and_marks_are_seen() {
        let page = read_v2(
            "<form><input type=Password><input><div hidden><input type=password></div></form>",
        );
        assert_eq!(page.more.passwords, 1);
        let (name, sign, _) = gate::MARKS[0];
        for html in [
            format!("<script src='https://x.example/{sign}'></script>"),
            format!("<iframe src='https://x.example/{sign}'></iframe>"),
            format!("<form action='https://x.example/{sign}'></form>"),
            format!("<p id='{sign}'>x</p><p class='{sign}'>y</p>"),
        ] {
            assert_eq!(read_v2(&html).more.marks, [name], "{html}");
        }
        assert!(read_v2(&format!("<p title='{sign}'>{sign}</p>")).more.marks.is_empty());
    }

    #[test]
    fn the_share_of_links_leaves_out_menus() {
        let html = "<nav><a href=/a>aaaaaaaaaa</a></nav><p>bbbb <a href=/c>cccccc</a></p>";
        assert_eq!(read_v2(html).more.link_share_milli, Some(600));
        assert_eq!(read_v2("<body></body>").more.link_share_milli, Some(0));
    }

    #[test]
    fn blocks_say_what_they_stand_in() {
        let page = read_v2(
            "<h1>One</h1><h2>Two</h2><table><caption>Cap</caption><tr><th>A</th><th>B</th></tr>\
             <tr><th>Name</th><td>value</td></tr><thead><tr><td>Head</td></tr></thead></table>\
             <dl><dt>Term</dt><dd>One</dd></dl><nav>Menu</nav><p><a href=/l>Link</a></p>\
             <footer><h3>Foot</h3></footer>",
        );
        let flags: Vec<u8> = page.blocks.iter().map(|block| block.flags).collect();
        let (header, heading) = (FLAG_HEADER, FLAG_HEADING);
        let wanted = [
            heading | FLAG_FIRST,
            heading,
            header,
            header,
            0,
            header,
            header,
            0,
            FLAG_MENU,
            FLAG_LINKS,
            heading | FLAG_MENU,
        ];
        assert_eq!(flags, wanted);
        // The text alone decides, whatever the element.
        assert_eq!(page.blocks[0].hash, page.blocks[7].hash);
        assert_eq!(page.blocks[0].hash, line_hash(&mut Text::new(), "ONE"));
    }

    #[test]
    fn lines_of_the_main_text_are_blocks() {
        let page = read_v2(&format!(
            "<article><h1>The gate</h1><p>{0}<br>and so on</p><pre>one\n  two</pre>\
             <p>{0}</p><p>{0}<br><br>Alone</p>\
             <table><tr><th>a</th><th>b</th></tr></table></article>",
            SENTENCE.repeat(4),
        ));
        let lines: Vec<(&str, u64)> = lines(&page.main_text).collect();
        let hashes: Vec<u64> = page.more.main_lines.iter().map(|line| line.hash).collect();
        assert_eq!(lines.iter().map(|(_, hash)| *hash).collect::<Vec<_>>(), hashes);
        let known = |hash: &u64| page.blocks.iter().any(|block| block.hash == *hash);
        assert!(hashes.iter().all(known), "{}", page.main_text);
        let texts: Vec<&str> = lines.iter().map(|(line, _)| *line).collect();
        assert!(texts.contains(&"one two") && texts.contains(&"Alone"), "{texts:?}");
        assert!(texts.iter().any(|line| line.ends_with("open. and so on")), "{texts:?}");
        let last = page.more.main_lines.last().unwrap();
        assert_eq!((last.flags, last.tokens), (FLAG_HEADER, 2));
    }

    #[test]
    fn a_layout_knows_the_template_and_not_the_text() {
        let page = |class: &str, text: &str, more: &str| {
            read_v2(&format!(
                "<body><header><a href=/>Home</a></header><div class={class}><h1>{text}</h1>\
                 <p>{text}</p>{more}</div><footer>Foot</footer>"
            ))
            .more
        };
        let (one, two) = (page("post", "One", ""), page("post", "Another", "<p>x</p><p>y</p>"));
        assert_eq!((one.layout, one.template), (two.layout, two.template));
        assert_ne!(one.template, page("product", "One", "").template);
        assert_eq!(one.template, page("'post p17'", "One", "").template);
        let other =
            page("post", "One", "<table><tr><td><ul><li>x</ul></table><form><input></form>");
        let equal = layout_resemblance(&one.layout.unwrap(), &other.layout.unwrap());
        assert!((16..64).contains(&equal), "{equal}");
        let small = read_v2("<body><p>One</p><p>two</p>").more;
        assert_eq!((small.layout, small.template), (None, None));
    }

    fn product(ld: &str, body: &str) -> Page {
        read_v2(&format!("<script type='application/ld+json'>{ld}</script><body>{body}"))
    }

    #[test]
    fn a_product_has_identifiers_and_prices() {
        let ld = "{'@type':'Product','name':'Lamp','sku':'AB-12 x','gtin13':'4006381333931',\
                  'offers':{'@type':'Offer','price':'12.50','priceCurrency':'EUR'}}"
            .replace('\'', "\"");
        let page = product(&ld, "<h1>Lamp</h1>");
        assert_eq!(page.more.product_ids, ["gtin:4006381333931", "sku:ab12x"]);
        assert_eq!(page.more.prices, ["12.50 EUR"]);
        let other = product(&ld.replace("12.50", "13.50"), "<h1>Lamp</h1>");
        assert_ne!(page.facts_digest, other.facts_digest);
    }

    #[test]
    fn a_product_is_read_by_both_extractors() {
        let ld = "{\"@type\":\"Product\",\"name\":\"Lamp\"}";
        let body = format!(
            "<div><div class=gallery><span>Lamp of brass</span></div><div class=text><p>{0}</p>\
             <p>{0}</p></div></div><div class=facts><table><tr><td>Height</td><td>forty \
             centimetres without the cord and plug</td></tr><tr><td>Weight</td><td>two kilograms \
             and a half in its box of card</td></tr></table></div>",
            SENTENCE.repeat(5)
        );
        let page = product(ld, &body);
        assert!(page.more.agreement_milli.is_some());
        assert!(page.main_text.contains("keeper of the north sluice"));
        let plain = read_v2(&body);
        assert_eq!((plain.more.agreement_milli, plain.extractor), (None, Extractor::Article));
    }

    #[test]
    fn a_thread_is_its_posts() {
        let post = |name: &str| {
            format!(
                "<div class=comment><div class=author>{name}</div><div>{}{name} says so.</div>\
                 <button>Reply</button></div>",
                SENTENCE.repeat(2)
            )
        };
        let posts: String = ["Ann", "Ben", "Cid", "Dov", "Eve", "Fay"].map(post).concat();
        let html = |kind: &str| {
            format!(
                "<body><div itemscope itemtype='https://schema.org/{kind}'><h1>The gate</h1>\
                 <article><p>{0}</p><p>{0}</p></article></div><div class=comments>{posts}</div>",
                SENTENCE.repeat(4)
            )
        };
        let page = read_v2(&html("DiscussionForumPosting"));
        assert_eq!(page.extractor, Extractor::Blocks, "{}", page.main_text);
        assert!(["Ann", "Fay"].iter().all(|name| page.main_text.contains(name)));
        assert!(!page.main_text.contains("Reply"), "{}", page.main_text);
        let page = read_v2(&html("BlogPosting"));
        assert_eq!(page.extractor, Extractor::Article);
        assert!(!page.main_text.contains("Ann says so"), "{}", page.main_text);
    }

    #[test]
    fn a_page_for_scripts_is_read_by_what_it_holds_without() {
        let text = format!("<h1>The gate</h1><p>{}</p>", SENTENCE.repeat(10));
        let html = format!("<div id=app></div><noscript>{text}</noscript>");
        assert_eq!(read(&html).main_text, "");
        let page = read_v2(&html);
        assert!(page.main_text.contains("north sluice"));
        assert_eq!(page.more.heading.as_deref(), Some("The gate"));
        let notice = read_v2("<div id=app></div><noscript>Turn on scripts.</noscript>");
        assert_eq!(notice.full_text, "");
        let both = read_v2(&format!("{text}<noscript>{text}</noscript>"));
        assert_eq!(both.blocks.len(), 2);
    }

    #[test]
    fn hostile_pages_cost_no_more_by_the_second_rules() {
        let ld = "<script type=application/ld+json>{\"@type\":\"Product\"}</script>";
        let work = move || {
            for tag in ["div", "span", "ul><li", "table><tr><td", "blockquote", "section", "a"] {
                for depth in [250, 500] {
                    let levels = depth / (tag.matches('<').count() * 2 + 1);
                    let html = format!("{ld}{}word, word", format!("<{tag}>").repeat(levels));
                    let page = parse(&source(html.as_bytes()), &LIMITS, Rules::V2);
                    assert!(page.is_ok(), "{tag}");
                }
            }
        };
        std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
        let line = format!("{ld}<p>{}", "word and ".repeat(1_200_000));
        let page = read_v2(&line);
        assert_eq!((page.blocks.len(), page.more.main_lines.len()), (1, 1));
        let breaks = format!("<div>{}<select><option>x</select></div>", "a<br>".repeat(60_000));
        assert!(parse(&source(breaks.as_bytes()), &LIMITS, Rules::V2).is_ok());
    }
}
