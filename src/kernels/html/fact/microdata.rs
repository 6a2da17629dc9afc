//! Microdata and RDFa: attributes of elements, read as things.
//!
//! Nesting is by elements: `itemref` is not followed, so no scope can hold itself. A property of
//! many names counts as the first that matters.
//!
//! Source: WHATWG HTML §5 (microdata), RDFa 1.1 Lite (`vocab`, `typeof`, `property`, `resource`).

use dom_query::Element;

use super::number;
use super::thing::{Class, Key, Things};
use super::walk::attribute;

/// Bytes of text that are kept as a value, and properties that are open at once.
const VALUE_BYTES: usize = 512;
const CAPTURES_MAX: usize = 16;

/// One kind of markup on one page.
pub(super) struct Scopes {
    pub(super) things: Things,
    /// Scopes that are open, innermost last, each with the list around it.
    open: Vec<(Option<usize>, Option<usize>)>,
    /// Properties whose text is being read.
    captures: Vec<Capture>,
}

struct Capture {
    thing: usize,
    key: Key,
    text: String,
}

/// What an element opened.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Opened {
    has_scope: bool,
    has_capture: bool,
}

/// What the attributes of an element say.
#[derive(Clone, Copy, Default)]
pub(super) struct Markup<'e> {
    /// The types; there is a scope also where they are empty.
    pub(super) types: Option<&'e str>,
    pub(super) property: Option<&'e str>,
}

impl Scopes {
    pub(super) fn new(place: &'static str) -> Self {
        Scopes { things: Things::new(place), open: Vec::new(), captures: Vec::new() }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Reads an element with markup; gives what [`Scopes::leave`] has to close.
    pub(super) fn enter(&mut self, element: &Element, name: &str, markup: Markup<'_>) -> Opened {
        let (parent, list) = self.open.last().copied().unwrap_or_default();
        let key = markup.property.map(key);
        let mut opened = Opened::default();
        if let Some(types) = markup.types {
            let classes = types.split_ascii_whitespace().take(16).map(Class::of);
            let class = classes.into_iter().find(|class| *class != Class::Other);
            let via = match key {
                Some(key) if parent.is_some() => key,
                _ => Key::Root,
            };
            // A thing inside another that is no property of it stands by itself.
            let parent = if via == Key::Root { list } else { parent };
            let thing = self.things.add(class.unwrap_or_default(), parent, via);
            let id = attribute(element, "itemid").or_else(|| attribute(element, "resource"));
            if let (Some(thing), Some(id)) = (thing, id) {
                self.things.value(thing, Key::Id, id);
            }
            let list = thing.filter(|thing| self.things.is_list(*thing)).or(list);
            self.open.push((thing, list));
            opened.has_scope = true;
            return opened;
        }
        if let (Some(thing), Some(key)) = (parent, key.filter(|key| key.is_kept())) {
            match written(element, name, key) {
                Some(value) => self.things.value(thing, key, value),
                None if self.captures.len() < CAPTURES_MAX => {
                    self.captures.push(Capture { thing, key, text: String::new() });
                    opened.has_capture = true;
                }
                None => {}
            }
        }
        opened
    }

    pub(super) fn text(&mut self, text: &str) {
        for capture in &mut self.captures {
            if capture.text.len() + text.len() <= VALUE_BYTES {
                capture.text.push_str(text);
            }
        }
    }

    pub(super) fn leave(&mut self, opened: Opened) {
        if opened.has_scope {
            self.open.pop();
        }
        if opened.has_capture
            && let Some(capture) = self.captures.pop()
        {
            let price = match capture.key {
                Key::Price => number::price(&capture.text, false),
                _ => None,
            };
            self.things.value(capture.thing, capture.key, &price.unwrap_or(capture.text));
        }
    }
}

fn key(property: &str) -> Key {
    let names = property.split_ascii_whitespace().take(8);
    let mut keys = names.map(|name| {
        let name = name.rsplit(['/', '#']).next().unwrap_or_default();
        Key::of(name.strip_prefix("schema:").unwrap_or(name))
    });
    keys.find(|key| *key != Key::Other).unwrap_or(Key::Other)
}

/// The value that stands in attributes; none where it is the text of the element.
fn written<'e>(element: &'e Element, name: &str, key: Key) -> Option<&'e str> {
    let is_address = matches!(key, Key::Url | Key::SameAs | Key::Id);
    let content = attribute(element, "content");
    match name {
        "meta" => Some(content.unwrap_or_default()),
        "link" => Some(attribute(element, "href").unwrap_or_default()),
        "time" => content.or_else(|| attribute(element, "datetime")),
        "data" | "meter" | "input" => content.or_else(|| attribute(element, "value")),
        "a" | "area" if is_address => content.or_else(|| attribute(element, "href")),
        "img" => Some(content.or_else(|| attribute(element, "src")).unwrap_or_default()),
        _ => content,
    }
}
