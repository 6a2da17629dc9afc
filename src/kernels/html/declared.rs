//! What a page declares, in its head and in the response headers, made comparable.
//!
//! Source: WHATWG HTML ("shared declarative refresh steps"), RFC 8288, Google's documentation of
//! robots directives.

use std::collections::BTreeSet;

use super::address::{self, Base, Canonical};
use super::walk::{Found, Meta};
use super::{Alternate, Refresh, Source, header, language};

/// Declared canonicals of one page that are kept; two that differ already cancel out.
const CANONICALS_MAX: usize = 16;

/// Directives of one page that are kept, and their longest.
const DIRECTIVES_MAX: usize = 32;
const DIRECTIVE_BYTES: usize = 64;

/// Directives that hold a value after a colon, so that no robot is named before it.
const VALUED: &[&str] =
    &["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

/// The declarations of one page.
pub(super) struct Declared<'p> {
    found: &'p Found,
    headers: Option<&'p str>,
    page_url: &'p str,
    robots: BTreeSet<String>,
}

impl<'p> Declared<'p> {
    pub(super) fn of(source: &Source<'p>, found: &'p Found) -> Self {
        let mut robots = BTreeSet::new();
        for value in header::values(source.headers, "x-robots-tag").filter_map(for_all_robots) {
            add_directives(value, &mut robots);
        }
        for value in metas(found, Meta::Robots) {
            add_directives(value, &mut robots);
        }
        Declared { found, headers: source.headers, page_url: source.url, robots }
    }

    pub(super) fn title(&self) -> Option<String> {
        let words: Vec<&str> = self.found.title.as_deref()?.split_whitespace().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    pub(super) fn robots(&self) -> Option<String> {
        let directives: Vec<&str> = self.robots.iter().map(String::as_str).collect();
        (!directives.is_empty()).then(|| directives.join(", "))
    }

    pub(super) fn is_noindex(&self) -> bool {
        ["noindex", "none"].iter().any(|directive| self.robots.contains(*directive))
    }

    /// The `lang` of the root, else the first `content-language` of the page, else the header's.
    pub(super) fn language(&self) -> Option<String> {
        let written = self.found.language.as_deref().into_iter();
        let in_page = metas(self.found, Meta::Language);
        let in_header = header::values(self.headers, "content-language");
        written.chain(in_page).chain(in_header).find_map(language::tag)
    }

    pub(super) fn canonical(&self, base: &Base) -> Canonical {
        let in_header: Vec<String> = self
            .header_links()
            .filter(|link| link.has("canonical"))
            .map(|link| link.target)
            .collect();
        let in_page = self.found.links.iter().filter(|link| has(&link.rel, "canonical"));
        let references = in_header.iter().map(String::as_str);
        let references = references.chain(in_page.map(|link| link.href.as_str()));
        address::canonical(base, references.take(CANONICALS_MAX))
    }

    pub(super) fn alternates(&self, base: &Base) -> Vec<Alternate> {
        let in_header = self
            .header_links()
            .filter(|link| link.has("alternate"))
            .filter_map(|link| Some((link.hreflang?, link.target)));
        let in_page = self
            .found
            .links
            .iter()
            .filter(|link| has(&link.rel, "alternate"))
            .filter_map(|link| Some((link.hreflang.clone()?, link.href.clone())));
        let mut alternates: Vec<Alternate> = Vec::new();
        for (language, reference) in in_header.chain(in_page) {
            let language = language.trim().to_ascii_lowercase();
            let Some(url) = base.web(&reference).filter(|_| !language.is_empty()) else { continue };
            let alternate = Alternate { language, url };
            if !alternates.contains(&alternate) {
                alternates.push(alternate);
            }
        }
        alternates
    }

    /// The refresh that a browser follows: the header's, else the page's first; none to itself.
    pub(super) fn refresh(&self, base: &Base) -> Option<Refresh> {
        let in_header = header::values(self.headers, "refresh");
        let (delay_seconds, reference) =
            in_header.chain(metas(self.found, Meta::Refresh)).find_map(parsed_refresh)?;
        let url = base.web(reference?)?;
        let is_self = address::is_same(&url, self.page_url);
        (!is_self).then_some(Refresh { url, delay_seconds })
    }

    fn header_links(&self) -> impl Iterator<Item = header::Link> {
        header::values(self.headers, "link").flat_map(header::links)
    }
}

fn has(rel: &str, relation: &str) -> bool {
    rel.split_ascii_whitespace().any(|part| part == relation)
}

fn metas(found: &Found, wanted: Meta) -> impl Iterator<Item = &str> {
    found.metas.iter().filter(move |(meta, _)| *meta == wanted).map(|(_, content)| content.as_str())
}

/// The directives of an `X-Robots-Tag`; none when they are for one robot other than Googlebot.
fn for_all_robots(value: &str) -> Option<&str> {
    let first = value.split(',').next().unwrap_or_default();
    let Some((name, _)) = first.split_once(':') else { return Some(value) };
    let name = name.trim().to_ascii_lowercase();
    if VALUED.contains(&name.as_str()) {
        return Some(value);
    }
    let rest = value.split_once(':').map_or("", |(_, rest)| rest);
    matches!(name.as_str(), "googlebot" | "*").then_some(rest)
}

fn add_directives(value: &str, directives: &mut BTreeSet<String>) {
    let parts = value.split(',').map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    for part in parts.filter(|part| !part.is_empty() && part.len() <= DIRECTIVE_BYTES) {
        if directives.len() < DIRECTIVES_MAX {
            directives.insert(part.to_lowercase());
        }
    }
}

/// The delay and the reference of a refresh; no reference means the page itself.
pub(super) fn parsed_refresh(value: &str) -> Option<(u32, Option<&str>)> {
    let value = value.trim_ascii_start();
    let digits = value.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(value.len());
    let (number, rest) = value.split_at(digits);
    if number.is_empty() && !rest.starts_with('.') {
        return None;
    }
    let delay = if number.is_empty() { 0 } else { number.parse().unwrap_or(u32::MAX) };
    let rest = rest.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    if rest.is_empty() {
        return Some((delay, None));
    }
    let after = rest.trim_ascii_start();
    if after.len() == rest.len() && !after.starts_with([';', ',']) {
        return None;
    }
    let after = after.strip_prefix([';', ',']).unwrap_or(after).trim_ascii_start();
    let reference = unquoted(without_name(after));
    Some((delay, Some(reference).filter(|reference| !reference.is_empty())))
}

/// What stands behind `url=`, if it is there.
fn without_name(value: &str) -> &str {
    let is_named = value.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("url"));
    let after = if is_named { value.get(3..).unwrap_or_default() } else { return value };
    after.trim_ascii_start().strip_prefix('=').map_or(value, str::trim_ascii_start)
}

/// The inside of quotes that stand around all or the start of `value`.
fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inside) = value.strip_prefix(quote) {
            return inside.split(quote).next().unwrap_or_default().trim();
        }
    }
    value.trim()
}
