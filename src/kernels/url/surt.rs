//! The key that the Common Crawl index gives a URL: its column `url_surtkey`.
//!
//! It is lossy on purpose and joins our rows with those of that index; it is not a key to merge by.
//! Scheme, user, fragment, `www` with digits, session ids, a default port and a slash at the end
//! go; the labels of the host are reversed; the path and the query are decoded again and again,
//! encoded once and lower-case; the parameters are sorted with their values.
//!
//! Two departures, each where the index merges different sites or damages a name: `www` stays
//! where the rest is a public suffix, and session names are matched whole. Work starts from the
//! canonical key, so hosts are what the standard reads.
//!
//! Source: WaybackURLKeyMaker of iipc/webarchive-commons and its Python port `surt`, which made
//! the index; the behaviour is re-stated here from their test tables.
//! Cost: some passes over path and query; allocates for each.

use std::borrow::Cow;

use super::domain::registered_domain;
use super::octet::encoded_octet;
use super::{Key, param};

/// Writes the index key of the URL with this canonical key; replaces what `out` holds.
///
/// A URL without host is its own index key, and so is the name of an archive file.
pub(super) fn write_surt(key: &Key, out: &mut String) {
    out.clear();
    if key.host().is_empty() || key.scheme() == "filedesc" {
        out.push_str(key.as_str());
        return;
    }
    write_host(key.host(), out);
    if let Some(port) = key.port() {
        out.push(':');
        out.push_str(&port.to_string());
    }
    out.push(')');
    write_path(key.path(), out);
    write_query(key.query().unwrap_or_default(), out);
}

fn write_host(host: &str, out: &mut String) {
    if host.starts_with('[') {
        out.push_str(host);
        return;
    }
    let digits = host.strip_prefix("www").map(|rest| rest.trim_start_matches(is_digit));
    let rest = digits.and_then(|rest| rest.strip_prefix('.'));
    let host = rest.filter(|rest| registered_domain(rest).is_some()).unwrap_or(host);
    let mut labels = host.rsplit('.').filter(|label| !label.is_empty());
    out.push_str(labels.next().unwrap_or_default());
    for label in labels {
        out.push(',');
        out.push_str(label);
    }
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

/// Octets that stay encoded: controls, the space, `#`, `%` and all beyond ASCII.
fn push_octets(octets: &[u8], out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for &octet in octets {
        if octet.is_ascii_graphic() && octet != b'#' && octet != b'%' {
            out.push(char::from(octet.to_ascii_lowercase()));
        } else {
            out.push('%');
            out.push(char::from(DIGITS[usize::from(octet >> 4)]));
            out.push(char::from(DIGITS[usize::from(octet & 15)]));
        }
    }
}

/// The octets that `text` encodes, decoded until nothing is left to decode.
fn decoded(text: &str) -> Vec<u8> {
    let mut octets: Vec<u8> = Vec::with_capacity(text.len());
    // An octet that is decoded may end an encoded one: `%2` and `5`, then `%25`.
    for &byte in text.as_bytes() {
        octets.push(byte);
        while let Some(start) = octets.len().checked_sub(3)
            && let Some(octet) = encoded_octet(&octets[start..])
        {
            octets.truncate(start);
            octets.push(octet);
        }
    }
    octets
}

fn write_path(path: &str, out: &mut String) {
    let octets = decoded(path);
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in octets.split(|&octet| octet == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    let last = kept.pop().unwrap_or_default();
    let mut path = String::with_capacity(octets.len() + 1);
    for segment in kept.iter().filter(|segment| !segment.is_empty()) {
        path.push('/');
        push_octets(segment, &mut path);
    }
    path.push('/');
    push_octets(last, &mut path);
    let path = without_session_in_path(&path);
    out.push_str(path.strip_suffix('/').filter(|kept| !kept.is_empty()).unwrap_or(&path));
}

/// The index knows `;jsessionid=` with 32 letters and digits at the end, and ASP.NET's segments
/// before an `.aspx` page.
fn without_session_in_path(path: &str) -> Cow<'_, str> {
    if let Some((before, id)) = path.split_once(";jsessionid=")
        && is_long_id(id)
    {
        return Cow::Borrowed(before);
    }
    if path.contains('(') && path.contains(".aspx") {
        return Cow::Owned(param::path_without_sessions(path));
    }
    Cow::Borrowed(path)
}

fn is_long_id(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn write_query(query: &str, out: &mut String) {
    let mut text = String::with_capacity(query.len());
    push_octets(&decoded(query), &mut text);
    let mut pairs: Vec<(&str, Option<&str>)> = without_sessions(&text);
    pairs.sort_unstable();
    let is_empty = matches!(pairs[..], [] | [("", None)]);
    if is_empty {
        return;
    }
    let mut sign = '?';
    for (name, value) in pairs {
        out.push(sign);
        out.push_str(name);
        if let Some(value) = value {
            out.push('=');
            out.push_str(value);
        }
        sign = '&';
    }
}

/// The parameters without session ids; where the last one was dropped, an empty one is left.
fn without_sessions(query: &str) -> Vec<(&str, Option<&str>)> {
    let pairs: Vec<(&str, Option<&str>)> = query
        .split('&')
        .map(|pair| pair.split_once('=').map_or((pair, None), |(name, value)| (name, Some(value))))
        .collect();
    let mut kept = Vec::with_capacity(pairs.len());
    let mut is_cold_fusion = false;
    let mut is_last_kept = true;
    for (at, &(name, value)) in pairs.iter().enumerate() {
        let next = pairs.get(at + 1).map_or("", |&(next, _)| next);
        let follows = is_cold_fusion && matches!(name, "cftoken" | "jsessionid");
        is_cold_fusion = name == "cfid" && next == "cftoken" || follows;
        is_last_kept = !is_cold_fusion && !is_session(name, value.unwrap_or_default());
        if is_last_kept {
            kept.push((name, value));
        }
    }
    if !is_last_kept && !kept.is_empty() {
        kept.push(("", None));
    }
    kept
}

/// Names and values that the index takes for session ids.
fn is_session(name: &str, value: &str) -> bool {
    match name {
        "jsessionid" | "phpsessid" | "sid" => is_long_id(value),
        _ => {
            name.strip_prefix("aspsessionid").is_some_and(|letters| letters.len() == 8)
                && value.len() == 24
                && value.bytes().all(|byte| byte.is_ascii_alphabetic())
        }
    }
}
