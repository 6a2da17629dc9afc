//! The main text of a page: what it says without menus, banners and lists of links.
//!
//! The extractor knows articles. Of a page that is none it may give one paragraph, often the notice
//! at the foot, which a thousand pages share; taken for their text, it would make them one. Where
//! its text is too little to stand for the page, the blocks outside menus and banners stand.
//!
//! Source: Mozilla's Readability as written in dom_smoothie 0.19, text mode `Formatted`; the bounds
//! of [`is_beside`] are the project's own, by the extraction sets of `benches/peers/html`.

use dom_query::Document;
use dom_smoothie::{Config, Readability, TextMode};
use xxhash_rust::xxh3::xxh3_64;

use super::walk::Found;
use crate::kernels::text::{Rules, Text};

/// Text with fewer tokens than this is no substance that an extractor could have missed.
pub(super) const SUBSTANCE_TOKENS: usize = 30;

/// An article of fewer bytes than one in this many of the text outside menus is too little.
const SHARE: usize = 6;

/// Tokens of the runs that say whether an article is made of what stands outside menus.
const RUN_TOKENS: usize = 3;

/// What the main text was taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extractor {
    /// The extractor's article.
    #[default]
    Article,
    /// The blocks outside menus and banners: the article was too little.
    Blocks,
    /// All visible text: there is nothing else, and hardly any of it.
    Visible,
    /// Nothing: there is visible text, and all of it in menus and banners.
    Failed,
    /// The second extractor's text, as one of the two is suspicious.
    Second,
}

impl Extractor {
    /// The stable name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Extractor::Article => "article",
            Extractor::Blocks => "blocks",
            Extractor::Visible => "visible",
            Extractor::Failed => "failed",
            Extractor::Second => "second",
        }
    }
}

/// The text that stands for a page.
pub(super) struct Chosen {
    pub(super) main_text: String,
    pub(super) extractor: Extractor,
    /// Resemblance of two extractors' texts, in thousandths, where two were asked.
    pub(super) agreement_milli: Option<u32>,
}

/// The text that stands for a page, of the extractor's article and what the walk found.
pub(super) fn choose(article: Option<String>, found: &Found) -> Chosen {
    let is_found = article.as_deref().is_some_and(|text| is_found(text, &found.content));
    let extractor = source(article.as_deref(), found, is_found);
    let main_text = match extractor {
        Extractor::Article => article.unwrap_or_default(),
        Extractor::Blocks => found.content.trim_end().to_owned(),
        Extractor::Visible => found.text.clone(),
        Extractor::Failed | Extractor::Second => String::new(),
    };
    Chosen { main_text, extractor, agreement_milli: None }
}

/// What the main text is to be taken from: the article, or what the walk found. `is_found` says
/// that half of the article stands outside menus, and spares the counting.
pub(super) fn source(article: Option<&str>, found: &Found, is_found: bool) -> Extractor {
    match article {
        Some(article) if is_beside(article, &found.content, is_found) => Extractor::Blocks,
        Some(_) => Extractor::Article,
        None if Tokens::of(&found.content).count() >= RUN_TOKENS => Extractor::Blocks,
        None if Tokens::of(&found.text).count() >= SUBSTANCE_TOKENS => Extractor::Failed,
        None => Extractor::Visible,
    }
}

/// Whether `article` does not stand for a page that has `content` outside menus: it is next to
/// nothing of it, or most of it stands in menus.
fn is_beside(article: &str, content: &str, is_found: bool) -> bool {
    if is_little(article, content) {
        return true;
    }
    if is_found {
        return false;
    }
    let content = Tokens::of(content);
    content.count() >= RUN_TOKENS && Tokens::of(article).is_mostly_outside(&content)
}

/// Whether `article` is next to nothing of `content`.
pub(super) fn is_little(article: &str, content: &str) -> bool {
    article.len() * SHARE < content.len()
}

/// Whether the lines of `article` that stand in `content` word for word, one after the other, are
/// half of it. True of nearly every page, and then no word has to be counted.
fn is_found(article: &str, content: &str) -> bool {
    let (mut rest, mut found_bytes) = (content, 0);
    for line in article.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some((_, after)) = rest.split_once(line) {
            rest = after;
            found_bytes += line.len();
            if found_bytes * 2 >= article.len() {
                return true;
            }
        }
    }
    false
}

/// The hashes of a text's tokens, in order.
pub(super) struct Tokens(Vec<u64>);

impl Tokens {
    pub(super) fn of(text: &str) -> Self {
        let mut normalised = Text::new();
        normalised.normalise(Rules::V1, text);
        let mut hashes = Vec::with_capacity(text.len() / 6);
        let bytes = normalised.as_bytes();
        normalised.tokens(|start, end| {
            hashes.push(xxh3_64(bytes.get(start..end).unwrap_or_default()));
        });
        Self(hashes)
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// The runs of `width` tokens, which is not 0.
    pub(super) fn runs(&self, width: usize) -> impl Iterator<Item = &[u64]> {
        self.0.windows(width.max(1))
    }

    /// Whether less than half of the runs of three tokens occur in `other`.
    fn is_mostly_outside(&self, other: &Tokens) -> bool {
        let mut known: Vec<&[u64]> = other.runs(RUN_TOKENS).collect();
        known.sort_unstable();
        let is_known = |run: &&[u64]| known.binary_search(run).is_ok();
        let inside = self.runs(RUN_TOKENS).filter(is_known).count();
        inside * 2 < self.runs(RUN_TOKENS).count()
    }
}

/// The extractor's article; none when there is none. Consumes the tree, which it changes.
///
/// Banners are taken out. The extractor drops what is called `comment`, `header` or `extra`; on
/// inline elements and headings these are words of highlighters of code, so the names go.
pub(super) fn extract(document: Document, found: &Found) -> Option<String> {
    for banner in &found.banners {
        document.tree.remove_from_parent(banner);
    }
    for id in &found.named {
        document.tree.update_node(id, |node| node.remove_attrs(&["class", "id"]));
    }
    // Classes stay, as nothing but the text is read.
    let config = Config {
        text_mode: TextMode::Formatted,
        disable_json_ld: true,
        keep_classes: true,
        ..Config::default()
    };
    let mut reader = Readability::with_document(document, None, Some(config)).ok()?;
    let article = reader.parse().ok()?;
    let text = article.text_content.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
