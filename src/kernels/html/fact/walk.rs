//! One walk over the tree of a page for its facts.
//!
//! Cost: linear in the nodes and the bytes; no recursion.

use dom_query::{Document, Element, LocalName, NodeData, NodeId, TreeNode, local_name};

use super::super::address::Base;
use super::label::Labels;
use super::legal::{self, Foot};
use super::link::Links;
use super::metas::Metas;
use super::microdata::{Markup, Opened, Scopes};
use super::thing::Things;
use super::{Fact, Facts, date, ids, json_ld, social};

/// Reads a tree.
pub(super) fn walk(document: &Document, base: &Base) -> Vec<Fact> {
    let tree = &document.tree;
    let mut walker = Walker::new(base);
    let mut opened: Vec<(Inside, Option<NodeId>)> = Vec::new();
    let mut next = Some(document.root().id);
    loop {
        let Some(id) = next else {
            let Some((inside, sibling)) = opened.pop() else { break };
            walker.leave(inside);
            next = sibling;
            continue;
        };
        let entered =
            tree.query_node(&id, |node| (walker.enter(node), node.first_child, node.next_sibling));
        next = match entered {
            Some((Some(inside), child, sibling)) => {
                opened.push((inside, sibling));
                child
            }
            Some((None, _, sibling)) => sibling,
            None => None,
        };
    }
    walker.finish()
}

/// What an open element is for the walk.
#[derive(Clone, Copy, Default)]
struct Inside {
    region: Region,
    is_foot: bool,
    is_block: bool,
    is_link: bool,
    microdata: Opened,
    rdfa: Opened,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Region {
    #[default]
    Plain,
    /// Code that is shown.
    Code,
    Article,
    /// The name of another work, with its numbers.
    Citation,
    Noscript,
    Script,
    Amp,
}

/// What the text of a script is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Executed,
    JsonLd,
    /// Settings that scripts of a known maker read: AMP and Drupal.
    Settings,
    Unread,
}

struct Walker<'b> {
    base: &'b Base,
    facts: Facts,
    /// Open elements of each region.
    codes: usize,
    articles: usize,
    citations: usize,
    feet: usize,
    noscripts: usize,
    amps: usize,
    script: Option<Script>,
    json_ld: json_ld::Reader,
    described: Things,
    microdata: Scopes,
    rdfa: Scopes,
    metas: Metas,
    links: Links,
    labels: Labels,
    foot: Foot,
}

impl<'b> Walker<'b> {
    fn new(base: &'b Base) -> Self {
        Walker {
            base,
            facts: Facts::default(),
            codes: 0,
            articles: 0,
            citations: 0,
            feet: 0,
            noscripts: 0,
            amps: 0,
            script: None,
            json_ld: json_ld::Reader::default(),
            described: Things::new("json_ld"),
            microdata: Scopes::new("microdata"),
            rdfa: Scopes::new("rdfa"),
            metas: Metas::default(),
            links: Links::default(),
            labels: Labels::default(),
            foot: Foot::default(),
        }
    }

    /// What is inside `node` that has to be walked; none to pass it by.
    fn enter(&mut self, node: &TreeNode) -> Option<Inside> {
        match &node.data {
            NodeData::Text { contents } => {
                self.text(contents);
                None
            }
            NodeData::Element(element) => self.element(element),
            NodeData::Document | NodeData::Fragment => Some(Inside::default()),
            _ => None,
        }
    }

    fn text(&mut self, text: &str) {
        match self.script {
            Some(Script::Executed | Script::Settings) => ids::read(text, "script", &mut self.facts),
            Some(Script::JsonLd) => self.json_ld.read(text, &mut self.described),
            Some(Script::Unread) => {}
            None => self.visible(text),
        }
    }

    fn visible(&mut self, text: &str) {
        self.microdata.text(text);
        self.rdfa.text(text);
        if self.codes > 0 {
            return;
        }
        if self.feet > 0 {
            self.foot.text(text);
        }
        if self.citations == 0 {
            self.labels.text(text);
        }
    }

    fn element(&mut self, element: &Element) -> Option<Inside> {
        let name: &str = &element.name.local;
        let mut inside = Inside::default();
        match element.name.local {
            names!(
                "style" "template" "svg" "math" "object" "canvas" "audio" "datalist" "select"
                "textarea"
            ) => return None,
            local_name!("script") => {
                let script = self.script(element);
                self.script = Some(script);
                inside.region = Region::Script;
                return Some(inside);
            }
            local_name!("meta") => self.metas.read(element, self.base, &mut self.facts),
            local_name!("link") => self.links.link(element, self.base, &mut self.facts),
            names!("a" "area") => self.anchor(element, &mut inside),
            local_name!("iframe") => self.address(element, "iframe"),
            local_name!("img") if self.noscripts > 0 || is_pixel(element) => {
                self.address(element, "script")
            }
            local_name!("cite") => {
                inside.region = Region::Citation;
                self.citations += 1;
            }
            local_name!("ins") => self.advertising(element),
            local_name!("time") => self.time(element),
            names!("pre" "code" "samp" "kbd" "xmp" "listing" "plaintext") => {
                inside.region = Region::Code;
                self.codes += 1;
            }
            names!("article" "blockquote" "figure" "figcaption") => {
                inside.region = Region::Article;
                self.articles += 1;
            }
            local_name!("noscript") => {
                inside.region = Region::Noscript;
                self.noscripts += 1;
            }
            ref name if name.starts_with("amp-") => match &**name {
                "amp-ad" | "amp-auto-ads" => self.advertising(element),
                "amp-analytics" => {
                    inside.region = Region::Amp;
                    self.amps += 1;
                }
                _ => {}
            },
            _ => {}
        }
        self.attributes(element, name, &mut inside);
        inside.is_block = self.feet > 0 && !is_inline(&element.name.local);
        if inside.is_block {
            self.foot.end_block();
        }
        Some(inside)
    }

    /// Reads the attributes that any element may have.
    fn attributes(&mut self, element: &Element, name: &str, inside: &mut Inside) {
        let (mut microdata, mut rdfa) = (Markup::default(), Markup::default());
        let mut is_scope = false;
        let mut is_foot = element.name.local == local_name!("footer") && self.articles == 0;
        for attribute in &element.attrs {
            let value: &str = &attribute.value;
            match attribute.name.local {
                local_name!("itemscope") => is_scope = true,
                local_name!("itemtype") => microdata.types = Some(value),
                local_name!("itemprop") => microdata.property = Some(value),
                local_name!("property") => rdfa.property = Some(value),
                local_name!("role") => is_foot |= value == "contentinfo" && self.articles == 0,
                names!("id" "class") if self.feet == 0 && !is_foot => {
                    is_foot =
                        legal::is_named(value, self.articles > 0 || is_inline(&element.name.local));
                }
                ref name if **name == *"typeof" => rdfa.types = Some(value),
                _ => {}
            }
        }
        microdata.types = is_scope.then(|| microdata.types.unwrap_or_default());
        if is_scope || (microdata.property.is_some() && self.microdata.is_open()) {
            inside.microdata = self.microdata.enter(element, name, microdata);
        }
        if rdfa.types.is_some() || (rdfa.property.is_some() && self.rdfa.is_open()) {
            inside.rdfa = self.rdfa.enter(element, name, rdfa);
        }
        if is_foot && !is_page(&element.name.local) {
            inside.is_foot = true;
            self.feet += 1;
        }
    }

    fn script(&mut self, element: &Element) -> Script {
        let kind = attribute(element, "type").map(str::trim).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if kind == "application/ld+json" {
            return Script::JsonLd;
        }
        if self.codes > 0 {
            return Script::Unread;
        }
        let is_executed = kind.is_empty()
            || kind == "module"
            || kind.ends_with("javascript")
            // Plugins that delay scripts give them types of their own.
            || (kind.ends_with("script") && !kind.contains('/'))
            || (kind == "text/plain" && is_deferred(element));
        if is_executed {
            self.address(element, "script_src");
            return Script::Executed;
        }
        let is_settings = self.amps > 0 || attribute(element, "data-drupal-selector").is_some();
        if is_settings && kind == "application/json" {
            return Script::Settings;
        }
        Script::Unread
    }

    /// Reads identifiers in the address that an element loads.
    fn address(&mut self, element: &Element, place: &'static str) {
        if self.codes > 0 {
            return;
        }
        let names = |name: &str| matches!(name, "src" | "data-src" | "data-lazy-src");
        let found = element.attrs.iter().filter(|attribute| names(&attribute.name.local));
        for attribute in found {
            if attribute.value.len() <= 8_192 && !attribute.value.starts_with("data:") {
                ids::read(&attribute.value, place, &mut self.facts);
            }
        }
    }

    fn advertising(&mut self, element: &Element) {
        if let Some(client) = attribute(element, "data-ad-client").filter(|_| self.codes == 0) {
            ids::read(client, "script", &mut self.facts);
        }
    }

    fn anchor(&mut self, element: &Element, inside: &mut Inside) {
        let place = if self.feet > 0 { "footer" } else { "anchor" };
        self.links.anchor(element, place, self.base, &mut self.facts);
        inside.is_link = self.feet > 0;
        if inside.is_link {
            self.foot.end_link();
        }
    }

    /// A `time` element outside of all items.
    fn time(&mut self, element: &Element) {
        let property = attribute(element, "itemprop").unwrap_or_default();
        let has = |name: &str| property.split_ascii_whitespace().any(|other| other == name);
        let is_published = has("datePublished") || attribute(element, "pubdate").is_some();
        let kind = match (is_published, has("dateModified")) {
            (true, _) => "published",
            (_, true) => "modified",
            _ => return,
        };
        if !self.microdata.is_open() {
            let written = attribute(element, "datetime").or_else(|| attribute(element, "content"));
            self.facts.push_some(kind, written.and_then(date::normalised), "time");
        }
    }

    fn leave(&mut self, inside: Inside) {
        match inside.region {
            Region::Plain => {}
            Region::Code => self.codes -= 1,
            Region::Article => self.articles -= 1,
            Region::Citation => self.citations -= 1,
            Region::Noscript => self.noscripts -= 1,
            Region::Amp => self.amps -= 1,
            Region::Script => self.script = None,
        }
        self.microdata.leave(inside.microdata);
        self.rdfa.leave(inside.rdfa);
        if inside.is_link {
            self.foot.end_link();
        }
        if inside.is_block {
            self.foot.end_block();
        }
        self.feet -= usize::from(inside.is_foot);
    }

    fn finish(mut self) -> Vec<Fact> {
        let (facts, base) = (&mut self.facts, self.base);
        let kinds = [&self.described, &self.microdata.things, &self.rdfa.things];
        for things in kinds {
            things.read(base, facts);
            for address in things.same_as() {
                facts.push_some("social", social::profile(address, false), things.place());
            }
        }
        if self.json_ld.errors > 0 {
            facts.push("json_ld_error", &self.json_ld.errors.to_string(), "json_ld");
        }
        let most = kinds.iter().map(|things| things.products_count()).max().unwrap_or_default();
        // Where the page says that it is a product, what other markup lists is related to it.
        let is_one = most <= 1 || (self.metas.is_product && self.described.products_count() == 1);
        if is_one {
            for things in kinds.iter().filter(|things| things.products_count() == 1) {
                things.read_product(facts);
            }
            self.metas.read_product(facts);
            self.labels.finish(facts);
        } else {
            let place = kinds.iter().find(|things| things.products_count() == most);
            let place = place.map_or("json_ld", |things| things.place());
            facts.push("product.count", &most.to_string(), place);
        }
        self.links.finish(facts);
        self.foot.finish(facts);
        self.facts.finish()
    }
}

/// The value of an attribute.
pub(super) fn attribute<'e>(element: &'e Element, name: &str) -> Option<&'e str> {
    let found = element.attrs.iter().find(|attribute| &*attribute.name.local == name)?;
    Some(&*found.value)
}

/// Whether a script waits for consent: it is run then.
fn is_deferred(element: &Element) -> bool {
    const NAMES: &[&str] = &["cookie", "consent", "usercentrics", "cmp", "service", "category"];
    element.attrs.iter().any(|attribute| {
        let name = attribute.name.local.strip_prefix("data-").unwrap_or_default();
        NAMES.iter().any(|part| name.contains(part))
    })
}

/// Whether a picture is one that nobody sees.
fn is_pixel(element: &Element) -> bool {
    element.attrs.iter().any(|attribute| match &*attribute.name.local {
        "width" | "height" => matches!(attribute.value.trim(), "0" | "1" | "0px" | "1px"),
        _ => false,
    })
}

fn is_inline(name: &LocalName) -> bool {
    matches!(
        *name,
        names!(
            "a" "abbr" "b" "bdi" "big" "cite" "em" "font" "i" "img" "meta" "small" "span" "strong"
            "sub" "sup" "time" "u"
        )
    )
}

/// Whether an element holds the page itself, or is a link: it is no foot.
fn is_page(name: &LocalName) -> bool {
    matches!(*name, names!("html" "body" "main" "article" "a"))
}
