//! One walk over the tree: declared facts as written, links, visible text and blocks.
//!
//! Visible text leaves out the head, scripts, styles, templates, `noscript`, frames, drawings and
//! elements that are hidden by attribute or inline style. A block is a run of text between block
//! boundaries, named after the innermost block element around it: of a paragraph or an item that
//! has no block inside it, the whole text.
//!
//! Cost: linear in the nodes; no recursion.

use std::collections::BTreeSet;

use dom_query::{Document, Element, NodeData, NodeId, Tree, TreeNode, local_name};

use super::block::{self, Block, Kind, Role, Roles, Tag};
use super::layout::Layout;
use super::scan::Scan;
use super::second::Kinds;
use super::{Code, Fault, Limits, Rules, banner, hidden, menu};
use crate::kernels::gate;
use crate::kernels::text::Text;

/// Nodes of the tree for each tag that is allowed: text, comments and what the parser adds.
const NODES_PER_TAG: usize = 4;

/// The extractor writes its result as HTML too. There html5ever 0.40 looks, at every `&` and every
/// byte 0xC2 of a text, through the rest of that text: bytes that are looked at in all, about a
/// second.
const ESCAPES_MAX: usize = 1 << 35;

/// Shorter texts are not counted: they cannot add up to a second within the limit of bytes.
const ESCAPED_BYTES: usize = 2_048;

/// Declared facts of one kind that are kept.
const FACTS_MAX: usize = 1_000;

/// Where a block's text stands in the visible text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Bytes of link text.
    pub(super) linked: usize,
}

/// A `link` element of the head.
pub(super) struct HeadLink {
    pub(super) rel: String,
    pub(super) href: String,
    pub(super) hreflang: Option<String>,
}

/// What a `meta` element says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meta {
    Robots,
    Refresh,
    Language,
}

/// What a tree says, as written.
#[derive(Default)]
pub(super) struct Found {
    pub(super) title: Option<String>,
    pub(super) base: Option<String>,
    pub(super) language: Option<String>,
    pub(super) links: Vec<HeadLink>,
    pub(super) metas: Vec<(Meta, String)>,
    pub(super) hrefs: Vec<String>,
    pub(super) text: String,
    /// The visible text outside menus and banners, without runs that are mostly links.
    pub(super) content: String,
    pub(super) blocks: Vec<Block>,
    /// Elements that ask for consent to cookies, and the foot of the site.
    pub(super) banners: Vec<NodeId>,
    /// Headings and inline elements with names, which the extractor would judge by them.
    pub(super) named: Vec<NodeId>,
    /// What is read by the second rules alone.
    pub(super) more: More,
}

/// What the second rules read of a tree.
#[derive(Default)]
pub(super) struct More {
    /// One run a block.
    pub(super) runs: Vec<Run>,
    /// The first heading of the first level with text, and of the second.
    pub(super) headings: [Option<String>; 2],
    pub(super) passwords: u32,
    /// Which of the gate's marks there are.
    pub(super) marks: BTreeSet<usize>,
    /// Bytes of words outside menus and banners, and how many of them are link text.
    pub(super) outside: usize,
    pub(super) outside_linked: usize,
    pub(super) layout: Layout,
    /// What the page says that it is.
    pub(super) kinds: Kinds,
    /// Elements `noscript` outside the head.
    pub(super) noscripts: Vec<NodeId>,
    /// Most elements inside one another.
    pub(super) depth: usize,
}

/// Walks the tree of a page.
///
/// # Errors
///
/// When the tree is deeper or larger than `limits` allow; then nothing may walk it by recursion.
pub(super) fn walk(
    document: &Document,
    scan: &Scan<'_>,
    limits: &Limits,
    rules: Rules,
) -> Result<Found, Fault> {
    let tree = &document.tree;
    let nodes_max = limits.nodes.saturating_mul(NODES_PER_TAG);
    if tree.len() > nodes_max {
        return Err(Fault::over(Code::Nodes, "nodes", tree.len(), nodes_max));
    }
    let mut walker = Walker::new(scan.metas_early, rules);
    let mut opened: Vec<(Kind, Open, Option<NodeId>)> = Vec::new();
    let mut next = Some(document.root().id);
    loop {
        let Some(id) = next else {
            let Some((kind, open, sibling)) = opened.pop() else { break };
            walker.leave(kind);
            walker.end_role(open);
            walker.end_banner(opened.len());
            next = sibling;
            continue;
        };
        walker.around = opened.len();
        let entered =
            tree.query_node(&id, |node| (walker.enter(node), node.first_child, node.next_sibling));
        next = match entered {
            Some((Some(kind), child, sibling)) => {
                walker.start_banner(id, opened.len());
                walker.keep_named(id);
                opened.push((kind, walker.start_role(), sibling));
                child
            }
            Some((None, child, sibling)) => {
                walker.keep_skipped(id, child, tree);
                sibling
            }
            None => None,
        };
        walker.found.more.depth = walker.found.more.depth.max(opened.len());
        if opened.len() > limits.depth + 4 {
            let most = limits.depth;
            return Err(Fault::over(Code::Depth, "elements in one another", most + 1, most));
        }
    }
    if walker.escapes > ESCAPES_MAX {
        let what = "steps to escape long texts";
        return Err(Fault::over(Code::References, what, walker.escapes, ESCAPES_MAX));
    }
    Ok(walker.finish())
}

/// What is kept of an element whose text is none of the page.
#[derive(Clone, Copy)]
enum Skipped {
    Other,
    Noscript,
    /// A JSON-LD script.
    Data,
}

fn skipped(element: &Element, is_in_head: bool) -> Skipped {
    let mut attributes = element.attrs.iter();
    let mut is_data = || {
        attributes.any(|attribute| {
            attribute.name.local == local_name!("type")
                && attribute.value.trim().eq_ignore_ascii_case("application/ld+json")
        })
    };
    match element.name.local {
        local_name!("noscript") if !is_in_head => Skipped::Noscript,
        local_name!("script") if is_data() => Skipped::Data,
        _ => Skipped::Other,
    }
}

/// The role of an open element, and where the text inside it starts.
type Open = (Role, usize);

struct Walker {
    rules: Rules,
    found: Found,
    /// What is kept of the element that was passed by last.
    skipped: Skipped,
    /// How many elements are open around the one that is entered.
    around: usize,
    /// The role of the element that was entered last.
    role: Role,
    roles: Roles,
    tags: Vec<Tag>,
    is_in_head: bool,
    is_in_title: bool,
    is_space_due: bool,
    run_start: usize,
    metas: usize,
    metas_early: usize,
    normalised: Text,
    escapes: usize,
    /// Open menus, and open links.
    menus: usize,
    anchors: usize,
    /// Bytes of the current run that are link text, and that are no white space.
    linked_bytes: usize,
    word_bytes: usize,
    /// The element that was entered last has names, and is none that is known by them.
    is_named: bool,
    /// The element that was entered last looks like a banner.
    is_banner_due: bool,
    /// The outermost open banner, and how many elements were open around it.
    banner: Option<(NodeId, usize)>,
}

impl Walker {
    fn new(metas_early: usize, rules: Rules) -> Self {
        Walker {
            rules,
            found: Found::default(),
            skipped: Skipped::Other,
            around: 0,
            role: Role::None,
            roles: Roles::default(),
            tags: Vec::new(),
            is_in_head: false,
            is_in_title: false,
            is_space_due: false,
            run_start: 0,
            metas: 0,
            metas_early,
            normalised: Text::new(),
            escapes: 0,
            menus: 0,
            anchors: 0,
            linked_bytes: 0,
            word_bytes: 0,
            is_named: false,
            is_banner_due: false,
            banner: None,
        }
    }

    /// Reads what is kept of an element that is passed by.
    fn keep_skipped(&mut self, id: NodeId, child: Option<NodeId>, tree: &Tree) {
        match std::mem::replace(&mut self.skipped, Skipped::Other) {
            Skipped::Other => {}
            Skipped::Noscript if self.found.more.noscripts.len() >= FACTS_MAX => {}
            Skipped::Noscript => self.found.more.noscripts.push(id),
            Skipped::Data => {
                let kinds = &mut self.found.more.kinds;
                child.map(|child| {
                    tree.query_node(&child, |node| {
                        if let NodeData::Text { contents } = &node.data {
                            kinds.read_data(contents);
                        }
                    })
                });
            }
        }
    }

    fn start_role(&mut self) -> Open {
        let role = std::mem::replace(&mut self.role, Role::None);
        self.roles.enter(role, self.found.blocks.len());
        (role, self.found.text.len())
    }

    fn end_role(&mut self, (role, start): Open) {
        self.roles.leave(role, &mut self.found.blocks);
        let [first, second] = &mut self.found.more.headings;
        let heading = match role {
            Role::First => first,
            Role::Second => second,
            _ => return,
        };
        let text = self.found.text.get(start..).unwrap_or_default().trim_end();
        if heading.is_none() && !text.is_empty() {
            *heading = Some(text.replace('\n', " "));
        }
    }

    fn start_banner(&mut self, id: NodeId, around: usize) {
        if std::mem::take(&mut self.is_banner_due) && self.banner.is_none() {
            self.banner = Some((id, around));
        }
    }

    fn keep_named(&mut self, id: NodeId) {
        if std::mem::take(&mut self.is_named) {
            self.found.named.push(id);
        }
    }

    fn end_banner(&mut self, around: usize) {
        if let Some((id, _)) = self.banner.take_if(|(_, start)| *start == around) {
            self.found.banners.push(id);
        }
    }

    /// Counts what it costs to write `text` as HTML.
    fn escape(&mut self, text: &str) {
        if text.len() > ESCAPED_BYTES {
            let count = text.bytes().filter(|byte| matches!(byte, b'&' | 0xC2)).count();
            self.escapes = self.escapes.saturating_add(count.saturating_mul(text.len()));
        }
    }

    fn finish(mut self) -> Found {
        self.flush();
        let end = self.found.text.trim_end().len();
        self.found.text.truncate(end);
        self.found
    }

    /// What is inside `node` that has to be walked; none to pass it by.
    fn enter(&mut self, node: &TreeNode) -> Option<Kind> {
        match &node.data {
            NodeData::Text { contents } => {
                self.escape(contents);
                match &mut self.found.title {
                    Some(title) if self.is_in_title => title.push_str(contents),
                    _ if self.is_in_head => {}
                    _ => self.push(contents),
                }
                None
            }
            NodeData::Element(element) => self.element(element),
            NodeData::Document | NodeData::Fragment => Some(Kind::Inline),
            _ => None,
        }
    }

    fn element(&mut self, element: &Element) -> Option<Kind> {
        for attribute in &element.attrs {
            self.escape(&attribute.value);
        }
        if self.rules == Rules::V2 {
            self.marks(element);
            self.skipped = skipped(element, self.is_in_head);
        }
        match element.name.local {
            names!(
                "script" "style" "template" "noscript" "svg" "iframe" "object" "audio" "video"
                "canvas" "noembed" "noframes" "datalist"
            ) => return None,
            local_name!("html") => self.language(element),
            local_name!("head") => {
                self.is_in_head = true;
                return Some(Kind::Head);
            }
            local_name!("meta") => self.meta(element),
            local_name!("link") => self.link(element),
            local_name!("base") => set(&mut self.found.base, attribute(element, "href")),
            local_name!("title") => return self.title(),
            names!("br" "hr" "wbr") => self.line_break(&element.name.local),
            names!("a" "area") => self.href(element),
            // What holds the page itself is no banner.
            names!("main" "article" "h1") => {
                self.banner = None;
                self.is_named = element.name.local == local_name!("h1") && has_names(element);
            }
            names!("div" "section" "aside" "dialog" "form" "footer") => {
                self.is_banner_due = banner::is_banner(element);
            }
            names!(
                "span" "code" "em" "strong" "b" "i" "small" "h2" "h3" "h4" "h5" "h6"
            ) => self.is_named = has_names(element),
            _ => {}
        }
        if hidden::is_hidden(element) {
            self.is_banner_due = false;
            return None;
        }
        if self.rules == Rules::V2 {
            self.more(element);
        }
        Some(self.begin(element))
    }

    /// Opens what the element is in the text.
    fn begin(&mut self, element: &Element) -> Kind {
        let kind = match block::kind(&element.name.local) {
            Kind::Block(tag) if menu::is_menu(element) => Kind::Menu(tag),
            Kind::Link if !leads_elsewhere(element) => Kind::Inline,
            kind => kind,
        };
        match kind {
            Kind::Block(tag) | Kind::Menu(tag) => {
                self.flush();
                self.tags.push(tag);
                self.menus += usize::from(matches!(kind, Kind::Menu(_)));
            }
            Kind::Link => self.anchors += 1,
            Kind::Cell => self.is_space_due = true,
            Kind::Head | Kind::Title | Kind::Inline => {}
        }
        kind
    }

    fn leave(&mut self, kind: Kind) {
        match kind {
            Kind::Block(_) | Kind::Menu(_) => {
                self.flush();
                self.tags.pop();
                self.menus -= usize::from(matches!(kind, Kind::Menu(_)));
            }
            Kind::Link => self.anchors -= 1,
            Kind::Cell => self.is_space_due = true,
            Kind::Head => self.is_in_head = false,
            Kind::Title => self.is_in_title = false,
            Kind::Inline => {}
        }
    }

    /// Appends text with white space folded.
    fn push(&mut self, text: &str) {
        self.is_space_due |= text.starts_with(char::is_whitespace);
        for word in text.split_whitespace() {
            let is_first = self.found.text.len() == self.run_start;
            if is_first {
                self.roles.begin_run();
            }
            if self.is_space_due && !is_first && !self.found.text.ends_with('\n') {
                self.found.text.push(' ');
            }
            self.found.text.push_str(word);
            self.word_bytes += word.len();
            self.linked_bytes += if self.anchors > 0 { word.len() } else { 0 };
            self.is_space_due = true;
        }
        if let Some(last) = text.chars().next_back() {
            self.is_space_due &= last.is_whitespace() || text.trim_start().is_empty();
        }
    }

    fn line_break(&mut self, name: &str) {
        match name {
            "hr" => self.flush(),
            "br" if self.found.text.len() > self.run_start => {
                if !self.found.text.ends_with('\n') {
                    self.found.text.push('\n');
                } else if self.rules == Rules::V2 {
                    // Two in a row end a paragraph.
                    self.flush();
                }
                self.is_space_due = false;
            }
            _ => {}
        }
    }

    /// Ends the run of text and makes it a block.
    fn flush(&mut self) {
        self.is_space_due = false;
        let end = self.found.text.trim_end().len().max(self.run_start);
        self.found.text.truncate(end);
        let linked_bytes = std::mem::take(&mut self.linked_bytes);
        let word_bytes = std::mem::take(&mut self.word_bytes);
        let run = self.found.text.get(self.run_start..).unwrap_or_default();
        if run.is_empty() {
            return;
        }
        let tag = self.tags.last().copied().unwrap_or(Tag::Other);
        let hash = block::block_hash(self.rules, &mut self.normalised, tag, run);
        let is_in_menu = self.menus > 0 || self.banner.is_some();
        let mut flags = 0;
        if self.rules == Rules::V2 {
            let more = &mut self.found.more;
            flags = self.roles.flags(linked_bytes, word_bytes, is_in_menu);
            more.runs.push(Run { start: self.run_start, end, linked: linked_bytes });
            more.outside += if is_in_menu { 0 } else { word_bytes };
            more.outside_linked += if is_in_menu { 0 } else { linked_bytes };
        }
        self.found.blocks.push(Block { tag, hash, flags });
        // Code may be all links, each name to its page.
        let is_links = linked_bytes * 2 > run.len() && tag != Tag::Preformatted;
        if !is_in_menu && !is_links {
            self.found.content.push_str(run);
            self.found.content.push('\n');
        }
        self.found.text.push('\n');
        self.run_start = self.found.text.len();
    }

    /// Marks of the gate, in names and in the addresses of what a page loads or sends to; types.
    fn marks(&mut self, element: &Element) {
        for attribute in &element.attrs {
            let is_read = match attribute.name.local {
                names!("id" "class") => true,
                local_name!("src") => {
                    matches!(element.name.local, names!("script" "iframe"))
                }
                local_name!("action") => element.name.local == local_name!("form"),
                ref name if *name == local_name!("itemtype") || **name == *"typeof" => {
                    self.found.more.kinds.read_type(&attribute.value);
                    false
                }
                _ => false,
            };
            if is_read {
                self.found.more.marks.extend(gate::marks_of(&attribute.value));
            }
        }
    }

    /// What the second rules read of an element that is seen.
    fn more(&mut self, element: &Element) {
        self.role = block::role(&element.name.local);
        self.found.more.layout.enter(element, self.around);
        let mut attributes = element.attrs.iter();
        let is_password = element.name.local == local_name!("input")
            && attributes.any(|attribute| {
                attribute.name.local == local_name!("type")
                    && attribute.value.trim().eq_ignore_ascii_case("password")
            });
        self.found.more.passwords += u32::from(is_password);
    }

    fn language(&mut self, element: &Element) {
        let tag = attribute(element, "lang").or_else(|| attribute(element, "xml:lang"));
        set(&mut self.found.language, tag);
    }

    /// The first title; its text is all inside it, and no part of the visible text.
    fn title(&mut self) -> Option<Kind> {
        if self.found.title.is_some() {
            return None;
        }
        self.found.title = Some(String::new());
        self.is_in_title = true;
        Some(Kind::Title)
    }

    fn meta(&mut self, element: &Element) {
        self.metas += 1;
        let is_early = self.is_in_head || self.metas <= self.metas_early;
        let name = attribute(element, "http-equiv").or_else(|| attribute(element, "name"));
        let (Some(name), true) = (name, is_early) else { return };
        let meta = match name.trim().to_ascii_lowercase().as_str() {
            "robots" | "googlebot" => Meta::Robots,
            "refresh" => Meta::Refresh,
            "content-language" => Meta::Language,
            _ => return,
        };
        if let Some(content) = attribute(element, "content")
            && self.found.metas.len() < FACTS_MAX
        {
            self.found.metas.push((meta, content));
        }
    }

    fn link(&mut self, element: &Element) {
        if !self.is_in_head || self.found.links.len() >= FACTS_MAX {
            return;
        }
        let (Some(rel), Some(href)) = (attribute(element, "rel"), attribute(element, "href"))
        else {
            return;
        };
        let rel = rel.to_ascii_lowercase();
        let is_wanted = |part: &str| part == "canonical" || part == "alternate";
        if rel.split_ascii_whitespace().any(is_wanted) {
            let hreflang = attribute(element, "hreflang");
            self.found.links.push(HeadLink { rel, href, hreflang });
        }
    }

    fn href(&mut self, element: &Element) {
        if let Some(href) = attribute(element, "href") {
            self.found.hrefs.push(href);
        }
    }
}

fn has_names(element: &Element) -> bool {
    element.attrs.iter().any(|attribute| matches!(attribute.name.local, names!("class" "id")))
}

/// Whether a link leads to another place: anchors and links within the page are text like other.
fn leads_elsewhere(element: &Element) -> bool {
    let mut attributes = element.attrs.iter();
    let href = attributes.find(|attribute| attribute.name.local == local_name!("href"));
    href.is_some_and(|href| !href.value.trim_start().starts_with('#'))
}

fn set(place: &mut Option<String>, value: Option<String>) {
    if place.is_none() {
        *place = value;
    }
}

fn attribute(element: &Element, name: &str) -> Option<String> {
    let found = element.attrs.iter().find(|attribute| &*attribute.name.local == name)?;
    Some(found.value.to_string())
}
