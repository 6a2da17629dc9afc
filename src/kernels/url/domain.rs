//! Registered domains: the part of a host name that somebody registered.
//!
//! It is the public suffix and one label more; the list of public suffixes is compiled in, with its
//! private section, so `a.github.io` and `b.github.io` are two. A suffix that is not on the list
//! follows the list's own default rule: its last label is the suffix.
//!
//! Source: the Public Suffix List as the crate `psl` carries it, see [`LIST`] and [`LIST_DATE`].
//! Cost: one walk over the last labels, no allocation for a host as keys have it.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use ::url::Host;

use super::octet::{HOST, class};

/// The package that carries the list.
pub const LIST: &str = "psl 2.1.247";

/// The day on which the crate registry took [`LIST`] in (2026-11-05, 05:58 UTC).
///
/// The list itself carries no date there; its package is made every day on which the list changed,
/// so this is the state of the list on that day.
pub const LIST_DATE: &str = "2026-11-05";

/// The registered domain of `host`, as A-labels and without a trailing dot.
///
/// `None` for an address, for a host that is itself a public suffix, for one with an empty label
/// in the registered part, and for what is no host. The host of a key is taken as it is; another
/// spelling is brought into that form first, which allocates.
pub fn registered_domain(host: &str) -> Option<Cow<'_, str>> {
    if host.bytes().all(|byte| class(byte) & HOST != 0) {
        return registered_part(host).map(Cow::Borrowed);
    }
    match Host::parse(host) {
        Ok(Host::Domain(domain)) => {
            registered_part(&domain).map(|found| Cow::Owned(found.to_owned()))
        }
        _ => None,
    }
}

/// Whether the list knows the suffix of `host`, which is as keys have it.
pub(super) fn has_listed_suffix(host: &str) -> bool {
    registered_part(host).is_some()
        && psl::suffix(without_dot(host).as_bytes()).is_some_and(|suffix| suffix.is_known())
}

fn registered_part(host: &str) -> Option<&str> {
    let host = without_dot(host);
    let last = host.rsplit('.').next().unwrap_or_default();
    if is_number(last) || host.parse::<Ipv4Addr>().is_ok() {
        return None;
    }
    let domain = psl::domain_str(host)?;
    let has_empty_label = domain.split('.').any(str::is_empty);
    (!has_empty_label).then_some(domain)
}

fn without_dot(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

/// Whether the standard reads a host with this last label as an IPv4 address.
fn is_number(label: &str) -> bool {
    match label.strip_prefix("0x") {
        Some(hex) => hex.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => label.bytes().all(|digit| digit.is_ascii_digit()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_the_domain_that_was_registered() {
        for (host, wanted) in [
            ("www.example.com", Some("example.com")),
            ("example.com", Some("example.com")),
            ("example.com.", Some("example.com")),
            ("com", None),
            ("co.uk", None),
            ("a.b.example.co.uk", Some("example.co.uk")),
            ("test.xn--55qx5d.cn", Some("test.xn--55qx5d.cn")),
            ("test.公司.cn", Some("test.xn--55qx5d.cn")),
            ("xn--55qx5d.cn", None),
            ("blogname\u{3002}com.de", Some("blogname.com.de")),
            ("WWW.Example.COM", Some("example.com")),
            ("a.github.io", Some("a.github.io")),
            ("github.io", None),
            ("a.b.unlisted", Some("b.unlisted")),
            ("unlisted", None),
            ("localhost", None),
            ("www.ck", Some("www.ck")),
            ("a.b.ck", Some("a.b.ck")),
            ("b.ck", None),
            ("127.0.0.1", None),
            ("[::1]", None),
            ("a.0x1f", None),
            ("", None),
            (".", None),
            ("..", None),
            (".com", None),
            ("a..com", None),
            ("a.com..", None),
            ("a_b.example.com", Some("example.com")),
            ("a b.com", None),
        ] {
            assert_eq!(registered_domain(host).as_deref(), wanted, "{host}");
        }
    }

    /// The version that is locked, and rules that an older list does not have.
    #[test]
    fn the_list_is_the_one_that_is_named() {
        let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock");
        let lock = std::fs::read_to_string(lock).unwrap();
        let (name, version) = LIST.split_once(' ').unwrap();
        assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"")), "{LIST}");
        for suffix in ["forms.ac", "feedback.ac", "prg1-zerops.zone", "a.triton.zone"] {
            let host = format!("x.y.{suffix}");
            assert_eq!(registered_domain(&host).as_deref(), Some(&host[2..]), "{suffix}");
        }
        assert!(has_listed_suffix("example.com") && !has_listed_suffix("index.html"));
    }
}
