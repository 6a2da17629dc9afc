//! Addresses on a page: resolved against its base, and which of them can be meant.
//!
//! A declared canonical URL is usable when it is one address on the web that its author can have
//! meant. Slips of templates are declared and not usable: an address inside its own path, a host
//! written as the first segment, a host without a dot, words in place of an address.

use xxhash_rust::xxh3::xxh3_64;

use super::LINKS_MAX;
use crate::kernels::url::{self, Key, Policy};

/// Why a declared canonical URL is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unusable {
    /// Several that name different addresses.
    Conflict,
    /// The path holds the same host again, with its scheme.
    Doubled,
    /// The first segment of the path is a host: the scheme was forgotten.
    HostInPath,
    /// The host has no dot.
    BareHost,
    /// It holds white space: words, no address.
    WhiteSpace,
    /// It is no web address, or none at all.
    NotWeb,
}

impl Unusable {
    /// The stable name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Unusable::Conflict => "conflict",
            Unusable::Doubled => "doubled",
            Unusable::HostInPath => "host_in_path",
            Unusable::BareHost => "bare_host",
            Unusable::WhiteSpace => "white_space",
            Unusable::NotWeb => "not_web",
        }
    }
}

/// What references of a page are resolved against.
pub(super) struct Base {
    page: String,
    base: String,
    /// What stands before a plain reference: one to the root, and one to what is beside the page.
    root: Option<String>,
    directory: Option<String>,
}

impl Base {
    /// The base of a page: its first `<base href>`, itself resolved, else its URL.
    pub(super) fn new(page: &str, base: Option<&str>) -> Self {
        let declared = base.and_then(|base| resolve(page, base)).filter(|base| is_web(base));
        let base = declared.unwrap_or_else(|| page.to_owned());
        let before = |reference: &str| {
            let mut address = resolve(&base, reference).filter(|address| is_web(address))?;
            let end = address.strip_suffix('x')?.len();
            address.truncate(end);
            Some(address)
        };
        let (root, directory) = (before("/x"), before("x"));
        Base { page: page.to_owned(), base, root, directory }
    }

    /// The address that a plain reference means: most are plain, and no URL has to be parsed.
    fn plain(&self, reference: &str) -> Option<String> {
        let (before, rest) = match reference.strip_prefix('/') {
            Some(rest) => (self.root.as_deref()?, rest),
            None => self.above(reference)?,
        };
        (is_plain(rest) && before.len() + rest.len() < PLAIN_BYTES).then(|| [before, rest].concat())
    }

    /// The directory that a reference starts from, and what stands behind its steps upwards.
    fn above<'r>(&self, reference: &'r str) -> Option<(&str, &'r str)> {
        let (root, mut before) = (self.root.as_deref()?, self.directory.as_deref()?);
        let mut rest = reference;
        while let Some(after) = rest.strip_prefix("../") {
            rest = after;
            if before.len() > root.len() {
                let end = before.strip_suffix('/')?.rfind('/')?;
                before = before.get(..=end)?;
            }
        }
        Some((before, rest))
    }

    /// The absolute web URL that `reference` means, without its fragment.
    pub(super) fn web(&self, reference: &str) -> Option<String> {
        if let Some(address) = self.plain(reference) {
            return Some(address);
        }
        let mut address = resolve(&self.base, reference).filter(|address| is_web(address))?;
        if let Some(at) = address.find('#')
            && !address.get(at..).is_some_and(|fragment| fragment.starts_with("#!"))
        {
            address.truncate(at);
        }
        Some(address)
    }
}

/// Longer addresses are resolved the long way, which has a limit of its own.
const PLAIN_BYTES: usize = 512;

/// Whether a path and query are their own canonical form behind any directory.
fn is_plain(rest: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./?=&".contains(&byte);
    let mut last = b'/';
    let is_step = |byte: u8| {
        let is_refused = last == b'/' && matches!(byte, b'/' | b'.');
        last = byte;
        !is_refused && is_sign(byte)
    };
    rest.starts_with(|sign: char| sign.is_ascii_alphanumeric()) && rest.bytes().all(is_step)
}

fn resolve(base: &str, reference: &str) -> Option<String> {
    if url::is_canonical(reference) {
        return Some(reference.to_owned());
    }
    if base.is_empty() {
        return url::resolved(reference, "").ok();
    }
    url::resolved(base, reference).ok()
}

fn is_web(address: &str) -> bool {
    address.starts_with("http://") || address.starts_with("https://")
}

/// Whether two URLs have one canonical key.
pub(super) fn is_same(left: &str, right: &str) -> bool {
    let (mut left_key, mut right_key) = (Key::new(), Key::new());
    url::canonical_key(left, Policy::SAFE, &mut left_key).is_ok()
        && url::canonical_key(right, Policy::SAFE, &mut right_key).is_ok()
        && left_key.as_str() == right_key.as_str()
}

/// The canonical URLs of a page: all that are declared, and the one that counts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Canonical {
    pub(super) declared: Vec<String>,
    pub(super) usable: Option<String>,
    pub(super) unusable: Option<Unusable>,
}

/// Judges the `references` that are declared canonical.
pub(super) fn canonical<'r>(base: &Base, references: impl Iterator<Item = &'r str>) -> Canonical {
    let mut found = Canonical::default();
    let mut reason = None;
    for reference in references.map(str::trim).filter(|reference| !reference.is_empty()) {
        let Some(address) = base.web(reference) else {
            reason = reason.or(Some(Unusable::NotWeb));
            continue;
        };
        if found.declared.iter().any(|other| is_same(other, &address)) {
            continue;
        }
        reason = reason.or_else(|| slip(base, reference, &address));
        found.declared.push(address);
    }
    if found.declared.len() > 1 {
        reason = Some(Unusable::Conflict);
    }
    found.unusable = reason;
    found.usable = found.declared.first().filter(|_| reason.is_none()).cloned();
    found
}

/// The slip that made `address` from `reference`, if there is one.
fn slip(base: &Base, reference: &str, address: &str) -> Option<Unusable> {
    let mut key = Key::new();
    if url::canonical_key(address, Policy::SAFE, &mut key).is_err() {
        return Some(Unusable::NotWeb);
    }
    if reference.contains(char::is_whitespace) {
        return Some(Unusable::WhiteSpace);
    }
    let host = without_www(key.host());
    if !key.host().contains('.') && !key.host().starts_with('[') {
        return Some(Unusable::BareHost);
    }
    let mut page_key = Key::new();
    let has_page = url::canonical_key(&base.page, Policy::SAFE, &mut page_key).is_ok();
    let is_own = |other: &str| {
        let other = without_www(other);
        other == host || (has_page && other == without_www(page_key.host()))
    };
    let path = key.path().to_ascii_lowercase();
    if inner_hosts(&path).any(is_own) {
        return Some(Unusable::Doubled);
    }
    let reference = reference.to_ascii_lowercase();
    let written = reference.split('/').next().unwrap_or_default();
    let first = path.split('/').nth(1).unwrap_or_default();
    let is_host = |part: &str| part.contains('.') && (is_own(part) || is_domain_of_www(part));
    (is_host(written) || is_host(first)).then_some(Unusable::HostInPath)
}

fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether `segment` looks like `www.name.tld`.
fn is_domain_of_www(segment: &str) -> bool {
    segment.starts_with("www.") && segment.split('.').count() > 2
}

/// Hosts of web addresses inside a path.
fn inner_hosts(path: &str) -> impl Iterator<Item = &str> {
    ["http:/", "https:/", "http%3a/", "https%3a/"].into_iter().flat_map(move |scheme| {
        path.match_indices(scheme).map(move |(at, _)| {
            let rest = path.get(at + scheme.len()..).unwrap_or_default();
            rest.trim_start_matches('/').split('/').next().unwrap_or_default()
        })
    })
}

/// Schemes that lead nowhere on the web, and fragments of the page itself.
const ELSEWHERE: &[&str] = &["javascript:", "mailto:", "tel:", "data:", "#"];

/// The web links that `hrefs` mean, distinct, in order; and how many there are.
pub(super) fn links(base: &Base, hrefs: &[String]) -> (Vec<String>, usize) {
    let written = hrefs.iter().map(|href| {
        let href = href.trim_ascii();
        href.split('#').next().filter(|_| !href.contains("#!")).unwrap_or(href)
    });
    let written = written.filter(|href| !href.is_empty() && !is_elsewhere(href));
    let resolved = distinct(written).into_iter().filter_map(|href| base.web(href));
    let mut links = distinct(resolved);
    let count = links.len();
    links.truncate(LINKS_MAX);
    (links, count)
}

/// The first of each of equal `texts`, in order.
fn distinct<T: AsRef<str> + Ord>(texts: impl Iterator<Item = T>) -> Vec<T> {
    // By hashes first: the addresses of a page start alike.
    let hashed = texts.enumerate().map(|(at, text)| (xxh3_64(text.as_ref().as_bytes()), text, at));
    let mut sorted: Vec<(u64, T, usize)> = hashed.collect();
    sorted.sort_unstable();
    sorted.dedup_by(|(hash, text, _), (kept_hash, kept, _)| hash == kept_hash && text == kept);
    sorted.sort_unstable_by_key(|(_, _, at)| *at);
    sorted.into_iter().map(|(_, text, _)| text).collect()
}

fn is_elsewhere(href: &str) -> bool {
    let is_likely = href.starts_with(['#', 'j', 'J', 'm', 'M', 't', 'T', 'd', 'D']);
    is_likely
        && ELSEWHERE.iter().any(|scheme| {
            href.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_references_mean_what_the_long_way_says() {
        for page in [
            "http://a.example/dir/page?q=1",
            "https://a.example",
            "http://a.example:81/d/",
            "http://a.example/a//b/c",
        ] {
            let base = Base::new(page, None);
            for reference in [
                "x",
                "/x",
                "x/y",
                "/x/y.html",
                "a?b=c&d=/e",
                "/a-b_c/",
                "x.y/z",
                "0",
                "a.",
                "/a./b",
                "../x",
                "../../x/y.html?z",
                "../../../../x",
            ] {
                let wanted = resolve(page, reference);
                assert_eq!(base.plain(reference), wanted, "{page} {reference}");
            }
            for reference in [
                "?a", "//b/c", "..", "../", "../.x", "..//x", "x/../y", "./x", "a b", "/", "",
                "a:b", "a%", "/.x",
            ] {
                assert_eq!(base.plain(reference), None, "{page} {reference}");
            }
        }
        assert_eq!(Base::new("", None).plain("x"), None);
    }
}
