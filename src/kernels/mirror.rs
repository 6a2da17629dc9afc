//! Hosts that may be mirrors: names, prefixes, an order of paths, bounds of a share.
//!
//! A host here is a scheme, a name and a port, as a key begins: `https://www.a.example:8443`. A
//! path is the rest of a key, query included. Nothing here decides; a name only proposes a pair.
//!
//! Source: names of candidates and swaps of prefixes follow Bharat and Broder's and Cho's work on
//! mirrored hosts; the bounds are E. B. Wilson's interval of 1927 at 95 %.
//! Cost: linear in the text, a few short allocations.

use xxhash_rust::xxh3::Xxh3;

use super::url::registered_domain;

/// First labels that name an edition of a host, or one of its machines.
const EDITIONS: [&str; 8] = ["www", "www1", "www2", "www3", "web", "ww", "home", "new"];

/// First labels of hosts that exist beside the one that people keep.
const LESSER: [&str; 18] = [
    "m", "mobile", "mob", "amp", "print", "wap", "touch", "pda", "cdn", "static", "old", "beta",
    "stage", "staging", "test", "dev", "preview", "mirror",
];

/// Most names of one host.
const NAMES: usize = 2;

/// Deepest prefix of [`prefixes`].
const DEPTH: usize = 16;

/// A share and its bounds, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The true share is hardly lower.
    pub lower_milli: i32,
    /// The true share is hardly higher.
    pub upper_milli: i32,
}

/// Wilson's interval at 95 % of `same` among `compared`, rounded down and up to thousandths.
///
/// Nothing compared says nothing: 0 to 1000.
pub fn bounds(same: i64, compared: i64) -> Bounds {
    let count = |value: i64| f64::from(u32::try_from(value.max(0)).unwrap_or(u32::MAX));
    let (n, z) = (count(compared), 1.96_f64);
    if compared <= 0 {
        return Bounds { lower_milli: 0, upper_milli: 1000 };
    }
    let share = count(same.min(compared)) / n;
    let square = z * z;
    let centre = share + square / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    let whole = 1.0 + square / n;
    let below = |limit: f64| (0..=1000).rev().find(|milli| f64::from(*milli) <= limit);
    Bounds {
        lower_milli: below((centre - spread) / whole * 1000.0).unwrap_or(0),
        upper_milli: below((centre + spread) / whole * 1000.0)
            .map_or(0, |milli| if milli < 1000 { milli + 1 } else { milli }),
    }
}

/// The name of a host without scheme and port.
fn name_of(host: &str) -> &str {
    let rest = host.split_once("://").map_or(host, |(_, rest)| rest);
    if rest.starts_with('[') {
        return rest.split_once(']').map_or(rest, |(name, _)| name);
    }
    rest.split_once(':').map_or(rest, |(name, _)| name)
}

fn has_port(host: &str) -> bool {
    let rest = host.split_once("://").map_or(host, |(_, rest)| rest);
    let tail = rest.rsplit_once(']').map_or(rest, |(_, tail)| tail);
    tail.contains(':')
}

/// The name without labels that only name an edition of it.
fn stripped(name: &str) -> &str {
    let mut name = name;
    while let Some((first, rest)) = name.split_once('.') {
        let is_edition = EDITIONS.contains(&first) || LESSER.contains(&first);
        if !is_edition || registered_domain(rest).is_none() {
            break;
        }
        name = rest;
    }
    name
}

/// Names under which hosts of one site meet: its name without `www` and the like, and the label
/// that was registered, without hyphens, where the host is the site's own.
pub fn names(host: &str) -> Vec<String> {
    let name = stripped(name_of(host));
    let mut names = Vec::with_capacity(NAMES);
    let Some(domain) = registered_domain(name) else { return names };
    if domain == name
        && let Some((label, _)) = name.split_once('.')
    {
        names.push(label.replace('-', ""));
    }
    names.push(name.to_owned());
    names
}

/// Whether a host by its name exists beside another: `m.`, `cdn.`, a port, an address.
pub fn is_lesser(host: &str) -> bool {
    let name = name_of(host);
    let is_label =
        |(first, rest): (&str, &str)| LESSER.contains(&first) && registered_domain(rest).is_some();
    name.split_once('.').is_some_and(is_label)
        || has_port(host)
        || registered_domain(name).is_none()
}

/// The prefixes of two paths before their longest common run of last segments; both end in `/`.
///
/// `None` where not even the last segments are equal.
pub fn swap<'a>(left: &'a str, right: &'a str) -> Option<(&'a str, &'a str)> {
    let equal = left.bytes().rev().zip(right.bytes().rev()).take_while(|(l, r)| l == r).count();
    let start = left.len().checked_sub(equal)?;
    let tail = left.as_bytes().get(start..)?;
    let query = tail.iter().position(|byte| *byte == b'?').unwrap_or(tail.len());
    let slash = tail.get(..query)?.iter().position(|byte| *byte == b'/')?;
    let suffix = equal.checked_sub(slash + 1)?;
    let prefix = |path: &'a str| path.get(..path.len().checked_sub(suffix)?);
    let (left, right) = (prefix(left)?, prefix(right)?);
    (!left.contains('?') && !right.contains('?')).then_some((left, right))
}

/// The folders above what a path names, from the root down: `/`, `/docs/`, `/docs/api/`.
///
/// `depth` is the most segments of one, and 16 the most that is ever looked at.
pub fn prefixes(path: &str, depth: usize) -> Vec<&str> {
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let ends = path.bytes().enumerate().filter(|(_, byte)| *byte == b'/').map(|(end, _)| end + 1);
    ends.take(depth.min(DEPTH) + 1).filter_map(|end| path.get(..end)).collect()
}

/// The segments above what a path names, with digits as `0`: what a sample is spread over.
pub fn stratum(path: &str) -> String {
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let named = path.strip_suffix('/').unwrap_or(path);
    let folder = named.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut stratum = String::with_capacity(folder.len());
    for letter in folder.chars() {
        if !letter.is_ascii_digit() {
            stratum.push(letter);
        } else if !stratum.ends_with('0') {
            stratum.push('0');
        }
    }
    stratum
}

/// A place of a path in an order that is the same for every run and different for every pair.
pub fn order(left_host: &str, right_host: &str, path: &str) -> i64 {
    let mut hash = Xxh3::new();
    for part in [left_host, right_host, path] {
        hash.update(part.as_bytes());
        hash.update(b"\n");
    }
    i64::from_le_bytes(hash.digest().to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the interval as tables of it give them, rounded outwards.
    #[test]
    fn bounds_are_wilsons() {
        let milli = |same, compared| {
            let bounds = bounds(same, compared);
            (bounds.lower_milli, bounds.upper_milli)
        };
        assert_eq!(milli(12, 12), (757, 1000));
        assert_eq!(milli(15, 15), (796, 1000));
        assert_eq!(milli(20, 20), (838, 1000));
        assert_eq!(milli(29, 30), (833, 995));
        assert_eq!(milli(60, 60), (939, 1000));
        assert_eq!(milli(0, 8), (0, 325));
        assert_eq!(milli(5, 10), (236, 764));
        assert_eq!(milli(0, 0), (0, 1000));
        assert_eq!(milli(9, 4), milli(4, 4));
        assert_eq!(milli(-1, -1), (0, 1000));
    }

    #[test]
    fn hosts_of_one_site_share_a_name() {
        assert_eq!(names("https://www.my-shop.co.uk"), ["myshop", "my-shop.co.uk"]);
        assert_eq!(names("http://m.my-shop.co.uk:8080"), ["myshop", "my-shop.co.uk"]);
        assert_eq!(names("https://myshop.com"), ["myshop", "myshop.com"]);
        assert_eq!(names("https://docs.myshop.com"), ["docs.myshop.com"]);
        assert_eq!(names("https://www.docs.myshop.com"), ["docs.myshop.com"]);
        assert_eq!(names("https://m.com"), ["m", "m.com"], "a label that was registered stays");
        assert!(names("http://127.0.0.1:80").is_empty());
        assert!(names("http://[::1]").is_empty());
        assert!(names("").is_empty());
    }

    #[test]
    fn lesser_hosts_are_known_by_name() {
        for lesser in
            ["https://m.a.example", "http://a.example:8080", "http://127.0.0.1", "http://[::1]:80"]
        {
            assert!(is_lesser(lesser), "{lesser}");
        }
        for other in ["https://a.example", "https://www.a.example", "https://m.com"] {
            assert!(!is_lesser(other), "{other}");
        }
    }

    #[test]
    fn equal_ends_of_paths_leave_a_swap() {
        assert_eq!(swap("/docs/a/b.html", "/a/b.html"), Some(("/docs/", "/")));
        assert_eq!(swap("/a/b.html", "/a/b.html"), Some(("/", "/")));
        assert_eq!(swap("/m/x?id=1", "/x?id=1"), Some(("/m/", "/")));
        assert_eq!(swap("/de/x/", "/en/x/"), Some(("/de/", "/en/")));
        assert_eq!(swap("/xa/b", "/ya/b"), Some(("/xa/", "/ya/")));
        assert_eq!(swap("/a/xb", "/a/yb"), None, "the last segments differ");
        assert_eq!(swap("/a", "/b/a"), Some(("/", "/b/")));
        assert_eq!(swap("/a?u=/x", "/b?u=/x"), None, "a slash of a query is no folder");
        assert_eq!(swap("/a/b?u=/x", "/a/c?v=/x"), None);
        assert_eq!(swap("", ""), None);
        assert_eq!(swap("/é/a", "/è/a"), Some(("/é/", "/è/")));
    }

    #[test]
    fn prefixes_are_folders() {
        assert_eq!(prefixes("/a/b/c.html", 3), ["/", "/a/", "/a/b/"]);
        assert_eq!(prefixes("/a/b/c.html", 1), ["/", "/a/"]);
        assert_eq!(prefixes("/a/?x=/y/", 9), ["/", "/a/"]);
        assert_eq!(prefixes("", 3), Vec::<&str>::new());
        assert_eq!(prefixes(&"/a".repeat(100), 99).len(), 17);
    }

    #[test]
    fn strata_are_folders_without_numbers() {
        assert_eq!(stratum("/2024/01/x.html"), "/0/0");
        assert_eq!(stratum("/p12b/x?y=/z"), "/p0b");
        assert_eq!(stratum("/a/x/"), "/a", "what a path names may be a folder");
        assert_eq!(stratum("/x"), "");
        assert_eq!(stratum("/"), "");
    }

    #[test]
    fn the_order_of_paths_is_the_pairs_own() {
        assert_eq!(order("a", "b", "/x"), order("a", "b", "/x"));
        assert_ne!(order("a", "b", "/x"), order("a", "c", "/x"));
        assert_ne!(order("a", "b", "/x"), order("ab", "", "/x"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_taken(left in "\\PC{0,40}", right in "\\PC{0,40}") {
            let _ = (names(&left), is_lesser(&left), prefixes(&left, 3), stratum(&left));
            if let Some((first, second)) = swap(&left, &right) {
                proptest::prop_assert!(first.ends_with('/') && second.ends_with('/'));
                proptest::prop_assert_eq!(&left[first.len()..], &right[second.len()..]);
            }
        }
    }
}
