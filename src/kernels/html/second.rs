//! The second extractor, and what becomes of two answers.
//!
//! An extractor of articles takes one place of a page. A product is described in several, a list is
//! all its items, a thread all its posts; and an article may be the notice at the foot. So a page
//! that says it is a thread, or whose article is little of what stands outside menus, is made of
//! its blocks. A second extractor, which judges lines instead of places, is asked where the first
//! one's answer is suspicious: its blocks join those of the first. How much the two agree is kept.
//!
//! Not for pages whose article is long and no list: there a second answer adds what it should not.
//!
//! Source: trafilatura 0.6 without its fallbacks; the types are those of schema.org; the bounds
//! below are the project's own, by the extraction sets of `benches/peers/html`.
//! Cost: of a page that is asked for, some five times the first extractor; of others nothing.

use std::collections::BTreeSet;

use trafilatura::{HtmlDateMode, Options};

use super::block::{FLAG_HEADING, FLAG_MENU, Tag};
use super::lines::{self, Blocks, Piece};
use super::main_text::{self, Chosen, Extractor, Tokens};
use super::walk::Found;
use crate::kernels::caught::caught;
use crate::kernels::mix::fmix64;

/// Longest text that the second extractor is given, and most nodes: its lists of siblings are
/// walked again and again.
const HTML_BYTES: usize = 2 << 20;
const NODES_MAX: usize = 40_000;

/// Deepest tree that it is given: it walks by recursion.
const DEPTH_MAX: usize = 256;

/// An article of fewer bytes than this, or one that is mostly links, is suspicious where it is less
/// than one in so many bytes of what stands outside menus.
const SHORT_BYTES: usize = 250;
const SHORT_SHARE: usize = 4;

/// An article of fewer bytes than one in this many of what stands outside menus is suspicious,
/// however much of that is links.
const OUTSIDE_SHARE: usize = 20;

/// An article of so many bytes stands by itself beside six times as much, be it comments.
const ALONE_BYTES: usize = 2_000;

/// Unless there is this many times as much.
const ALONE_SHARE: usize = 20;

/// Two answers that agree in less than this, in thousandths, do not confirm each other.
const AGREED_MILLI: u32 = 100;

/// Two answers that agree in so much, in thousandths, are one: the first stands.
const CONFIRMED_MILLI: u32 = 800;

/// Of a product so much is enough: where half is the same, the rest of the second answer is more
/// often reviews and notices of the shop than the product.
const CONFIRMED_PRODUCT_MILLI: u32 = 500;

/// Tokens of the runs by which two texts are compared.
const RUN_TOKENS: usize = 4;

/// A block is in a text when so many thousandths of its runs are.
const COVERED_MILLI: usize = 800;

/// Shorter blocks of a thread are no posts: names, dates, counts, buttons.
const POST_TOKENS: usize = 5;

/// Blocks of fewer tokens that a page repeats three times are its furniture.
const FURNITURE_TOKENS: usize = 8;
const FURNITURE_TIMES: usize = 3;

/// What a page says that it is, by its structured data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kinds {
    pub(super) is_thread: bool,
    pub(super) is_product: bool,
    pub(super) is_list: bool,
    pub(super) is_article: bool,
}

impl Kinds {
    /// Reads the text of a JSON-LD script; that it is JSON is not asked.
    pub(super) fn read_data(&mut self, data: &str) {
        let has = |name: &str| data.contains(name);
        self.is_thread |= has("\"DiscussionForumPosting\"") || has("\"QAPage\"");
        self.is_product |= has("\"Product\"");
        self.is_list |= has("\"ItemList\"") || has("\"CollectionPage\"");
        self.is_article |= has("Article\"") || has("\"BlogPosting\"");
    }

    /// Reads the type of an item, or of the whole page.
    pub(super) fn read_type(&mut self, types: &str) {
        for name in types.split_ascii_whitespace() {
            match name.rsplit(['/', ':', '#']).next().unwrap_or_default() {
                "DiscussionForumPosting" | "QAPage" => self.is_thread = true,
                "Product" => self.is_product = true,
                "ItemList" | "CollectionPage" => self.is_list = true,
                "Article" | "NewsArticle" | "BlogPosting" => self.is_article = true,
                _ => {}
            }
        }
    }
}

/// What the page is read from: the text that was parsed, and how large its tree is.
#[derive(Clone, Copy)]
pub(super) struct Tree<'t> {
    pub(super) html: &'t str,
    pub(super) nodes: usize,
    pub(super) depth: usize,
}

/// The text that stands for a page, of the first extractor's article, what the walk found, and the
/// second extractor where it has to be asked.
pub(super) fn choose(tree: Tree<'_>, article: Option<String>, found: &Found) -> Chosen {
    let text = article.as_deref().unwrap_or_default();
    let pieces = if text.is_empty() { Vec::new() } else { Blocks::of(found).pieces(text) };
    let page = Page { found, article: text, pieces };
    let extractor = main_text::source(article.as_deref(), found, page.is_content_mostly());
    match extractor {
        Extractor::Visible => page.made(page.all(), Extractor::Visible, None),
        Extractor::Failed => page.asked(tree, Doubt::Failed),
        Extractor::Blocks if text.is_empty() => page.blocks(None),
        _ => match page.doubt(extractor) {
            Doubt::None => page.first(None),
            Doubt::Beside => page.blocks(None),
            doubt => page.asked(tree, doubt),
        },
    }
}

/// Why the article may not stand for the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    None,
    /// Most of it stands elsewhere; or it is one post of a thread.
    Beside,
    /// All text stands in menus.
    Failed,
    /// The page is about one product; does the article stand in menus?
    Product(bool),
    /// The page is a list.
    List,
    /// It is short or made of links, and little of what stands outside menus.
    Suspicious,
}

struct Page<'p> {
    found: &'p Found,
    article: &'p str,
    pieces: Vec<Piece<'p>>,
}

impl<'p> Page<'p> {
    fn doubt(&self, extractor: Extractor) -> Doubt {
        let (article, content) = (self.article.len(), self.found.content.len());
        let is_little = main_text::is_little(self.article, &self.found.content);
        let is_beside = extractor == Extractor::Blocks && !is_little;
        let kinds = self.found.more.kinds;
        let is_alone = article >= ALONE_BYTES && article * ALONE_SHARE > content;
        match () {
            () if kinds.is_thread && (is_beside || article * 2 < content) => Doubt::Beside,
            () if kinds.is_thread => Doubt::None,
            () if kinds.is_product && !kinds.is_list => Doubt::Product(is_beside),
            () if is_little && is_alone => Doubt::None,
            () if is_beside || is_little => Doubt::Beside,
            () if self.is_suspicious() => Doubt::Suspicious,
            () if kinds.is_list && !kinds.is_article => Doubt::List,
            () => Doubt::None,
        }
    }

    /// Whether half of the article are blocks outside menus: true of nearly every page, and then no
    /// word has to be counted.
    fn is_content_mostly(&self) -> bool {
        let blocks = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Block(block) if self.is_content(*block) => Some(*block),
            _ => None,
        });
        let bytes: usize = blocks.map(|block| lines::text_of(self.found, block).len()).sum();
        bytes * 2 >= self.article.len()
    }

    /// Whether the article is short, next to nothing of the page, or made of links.
    fn is_suspicious(&self) -> bool {
        let (article, outside) = (self.article.len(), self.found.more.outside);
        let runs = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Block(block) => self.found.more.runs.get(*block),
            Piece::Other(_) => None,
        });
        let linked: usize = runs.map(|run| run.linked).sum();
        article * OUTSIDE_SHARE < outside
            || ((article < SHORT_BYTES || linked * 2 > article) && article * SHORT_SHARE < outside)
    }

    /// What two answers come to.
    fn asked(&self, tree: Tree<'_>, doubt: Doubt) -> Chosen {
        let Some(text) = second(tree) else { return self.alone(doubt) };
        let tokens = Tokens::of(&text);
        let agreement = agreement_milli(&Tokens::of(self.article), &tokens);
        let chosen = self.covered(&tokens);
        let bytes: usize =
            chosen.iter().map(|block| lines::text_of(self.found, *block).len()).sum();
        let content = self.found.content.len();
        let only = |blocks: Vec<usize>| {
            let pieces = blocks.into_iter().map(Piece::Block).collect();
            self.made(pieces, Extractor::Second, Some(agreement))
        };
        match doubt {
            Doubt::Failed if bytes < SHORT_BYTES => self.made(Vec::new(), Extractor::Failed, None),
            Doubt::Failed => only(chosen),
            Doubt::Product(is_beside) if is_beside || agreement < AGREED_MILLI => {
                if bytes * 2 >= content { only(chosen) } else { self.blocks(Some(agreement)) }
            }
            _ if agreement >= CONFIRMED_MILLI => self.first(Some(agreement)),
            Doubt::Product(_) if agreement >= CONFIRMED_PRODUCT_MILLI && !self.is_suspicious() => {
                self.first(Some(agreement))
            }
            Doubt::List if agreement < AGREED_MILLI => self.first(Some(agreement)),
            _ => self.both(&chosen, agreement, doubt == Doubt::List),
        }
    }

    /// The choice where the second extractor has no answer.
    fn alone(&self, doubt: Doubt) -> Chosen {
        match doubt {
            Doubt::Failed => self.made(Vec::new(), Extractor::Failed, None),
            Doubt::Beside | Doubt::Product(true) => self.blocks(None),
            Doubt::None | Doubt::Product(false) | Doubt::List | Doubt::Suspicious => {
                self.first(None)
            }
        }
    }

    /// The article, with the blocks of the second answer where they stand on the page. Of a list
    /// what is no block goes: it is what the extractor joined across items, or is not seen.
    fn both(&self, second: &[usize], agreement: u32, is_list: bool) -> Chosen {
        let mut place = 0;
        let mut placed = Vec::with_capacity(self.pieces.len() + second.len());
        let mut known = BTreeSet::new();
        for piece in &self.pieces {
            match piece {
                Piece::Block(block) => {
                    place = *block;
                    known.insert(*block);
                }
                Piece::Other(_) if is_list => continue,
                Piece::Other(_) => {}
            }
            placed.push((place, *piece));
        }
        let more = second.iter().filter(|block| !known.contains(block));
        placed.extend(more.map(|block| (*block, Piece::Block(*block))));
        if second.iter().all(|block| known.contains(block)) {
            return self.first(Some(agreement));
        }
        placed.sort_by_key(|(place, _)| *place);
        let pieces = placed.into_iter().map(|(_, piece)| piece).collect();
        self.made(pieces, Extractor::Second, Some(agreement))
    }

    /// The article as it is.
    fn first(&self, agreement: Option<u32>) -> Chosen {
        self.made(self.pieces.clone(), Extractor::Article, agreement)
    }

    /// The blocks outside menus; of a thread those that may be posts.
    fn blocks(&self, agreement: Option<u32>) -> Chosen {
        let mut blocks: Vec<usize> =
            (0..self.found.more.runs.len()).filter(|block| self.is_content(*block)).collect();
        if self.found.more.kinds.is_thread {
            blocks = self.posts(&blocks);
        }
        let pieces = blocks.into_iter().map(Piece::Block).collect();
        self.made(pieces, Extractor::Blocks, agreement)
    }

    fn all(&self) -> Vec<Piece<'p>> {
        (0..self.found.more.runs.len()).map(Piece::Block).collect()
    }

    fn made(&self, pieces: Vec<Piece<'_>>, extractor: Extractor, agreement: Option<u32>) -> Chosen {
        let main_text = lines::joined(self.found, &pieces);
        Chosen { main_text, extractor, agreement_milli: agreement }
    }

    fn has_flag(&self, block: usize, flag: u8) -> bool {
        self.found.blocks.get(block).is_some_and(|block| block.flags & flag != 0)
    }

    /// Whether a block stands outside menus and is not mostly links; code may be all links.
    fn is_content(&self, block: usize) -> bool {
        let run = self.found.more.runs.get(block);
        let is_links = run.is_some_and(|run| run.linked * 2 > run.end - run.start);
        let is_code = self.found.blocks.get(block).is_some_and(|b| b.tag == Tag::Preformatted);
        !self.has_flag(block, FLAG_MENU) && (!is_links || is_code)
    }

    /// The blocks that may be posts of a thread, or head them.
    fn posts(&self, blocks: &[usize]) -> Vec<usize> {
        let mut hashes: Vec<u64> = self.found.blocks.iter().map(|block| block.hash).collect();
        hashes.sort_unstable();
        let times = |hash: u64| {
            let start = hashes.partition_point(|other| *other < hash);
            hashes.iter().skip(start).take(FURNITURE_TIMES).take_while(|o| **o == hash).count()
        };
        let is_post = |block: &usize| {
            let tokens = Tokens::of(lines::text_of(self.found, *block)).count();
            let hash = self.found.blocks.get(*block).map_or(0, |block| block.hash);
            (tokens >= POST_TOKENS || self.has_flag(*block, FLAG_HEADING))
                && (tokens >= FURNITURE_TOKENS || times(hash) < FURNITURE_TIMES)
        };
        blocks.iter().copied().filter(is_post).collect()
    }

    /// The blocks outside menus that are in the second answer: all but the shortest by their runs
    /// of tokens, and those beside them.
    fn covered(&self, second: &Tokens) -> Vec<usize> {
        let known: Vec<Runs> = (1..=RUN_TOKENS).map(|width| Runs::of(second, width)).collect();
        let share = |block: usize| {
            let tokens = Tokens::of(lines::text_of(self.found, block));
            let width = tokens.count().min(RUN_TOKENS);
            let known = width.checked_sub(1).and_then(|at| known.get(at));
            (width, known.map_or(0, |known| known.share_milli(&tokens)))
        };
        let shares: Vec<(usize, usize)> = (0..self.found.blocks.len()).map(share).collect();
        let is_long = |at: usize| {
            let share = shares.get(at);
            share.is_some_and(|(width, share)| *width == RUN_TOKENS && *share >= COVERED_MILLI)
        };
        let is_short = |at: usize| {
            let beside = is_long(at + 1) || at.checked_sub(1).is_some_and(is_long);
            beside
                && shares
                    .get(at)
                    .is_some_and(|(width, share)| *width < RUN_TOKENS && *share == 1_000)
        };
        (0..shares.len())
            .filter(|at| (is_long(*at) || is_short(*at)) && !self.has_flag(*at, FLAG_MENU))
            .collect()
    }
}

/// The second extractor's text; none where it has none or may not be asked.
fn second(tree: Tree<'_>) -> Option<String> {
    if tree.html.len() > HTML_BYTES || tree.nodes > NODES_MAX || tree.depth > DEPTH_MAX {
        return None;
    }
    let options = Options::default().with_html_date_mode(HtmlDateMode::Disabled);
    let read = caught(|| trafilatura::extract(tree.html, &options).ok()).ok().flatten()?;
    let mut text = read.content_text;
    text.push('\n');
    text.push_str(&read.comments_text);
    (!text.trim().is_empty()).then_some(text)
}

/// The runs of tokens of a text, as a set of hashes.
struct Runs {
    width: usize,
    hashes: Vec<u64>,
}

impl Runs {
    fn of(tokens: &Tokens, width: usize) -> Self {
        let mut hashes: Vec<u64> = tokens.runs(width).map(hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        Runs { width, hashes }
    }

    /// How many thousandths of the runs of `tokens` are known.
    fn share_milli(&self, tokens: &Tokens) -> usize {
        let is_known = |run: &[u64]| self.hashes.binary_search(&hash(run)).is_ok();
        let known = tokens.runs(self.width).filter(|run| is_known(run)).count();
        (known * 1_000).checked_div(tokens.runs(self.width).count()).unwrap_or(0)
    }
}

fn hash(run: &[u64]) -> u64 {
    run.iter().fold(0, |hash, token| fmix64(hash ^ token).wrapping_add(1))
}

/// The resemblance of the sets of runs of four tokens of two texts, in thousandths.
fn agreement_milli(left: &Tokens, right: &Tokens) -> u32 {
    let [left, right] = [left, right].map(|tokens| Runs::of(tokens, RUN_TOKENS).hashes);
    let shared = left.iter().filter(|run| right.binary_search(run).is_ok()).count();
    let all = left.len() + right.len() - shared;
    let agreement = (shared * 1_000).checked_div(all).unwrap_or(0);
    u32::try_from(agreement).unwrap_or(u32::MAX)
}
