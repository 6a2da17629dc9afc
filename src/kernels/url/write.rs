//! The slow path: a URL is taken apart as the standard does and each part written by the rules.
//!
//! Not for URLs that `octet` recognises as canonical: it gives the same answer, slower.
//!
//! Source: WHATWG URL standard, "basic URL parser"; hosts and file URLs by the `url` crate.
//! Cost: some passes over each part; allocates for white space, dot segments and odd hosts.

use std::borrow::Cow;
use std::fmt::Write as _;

use ::url::{Host, ParseError, Url};

use super::octet::{
    HOST, PATH, QUERY, REG_NAME, UNRESERVED, USERINFO, WEB_QUERY, class, encoded_octet,
    is_plain_domain, push_encoded,
};
use super::{ID_SCHEME, Key, LENGTH_MAX_BYTES, Refused, Rule};

/// The slow path: takes the URL apart as the standard does and writes each part by the rules.
pub(super) fn write_key(url: &str, key: &mut Key) -> Result<(), Refused> {
    if url.len() > LENGTH_MAX_BYTES {
        return Err(Refused::TooLong);
    }
    let clean = without_white_space(url);
    if clean.len() != url.len() {
        key.applied(Rule::WhiteSpace);
    }
    let (scheme, rest) = scheme_and_rest(&clean)?;
    key.text.reserve(clean.len() + 8);
    key.text.push_str(scheme);
    key.text.make_ascii_lowercase();
    if key.text != scheme {
        key.applied(Rule::SchemeCase);
    }
    key.parts.scheme_end = scheme.len();
    key.text.push(':');
    match family(key.scheme()) {
        Family::Reserved => Err(Refused::ReservedScheme),
        Family::File => write_file(rest, key),
        Family::Web(port) => write_web(rest, port, key),
        Family::Other => write_other(rest, key),
    }
}

/// How the standard reads what follows a scheme.
pub(super) enum Family {
    Reserved,
    File,
    /// A host is required, slashes may be any, and this port is the scheme's own.
    Web(u16),
    Other,
}

pub(super) fn family(scheme: &str) -> Family {
    match scheme {
        ID_SCHEME => Family::Reserved,
        "file" => Family::File,
        "http" | "ws" => Family::Web(80),
        "https" | "wss" => Family::Web(443),
        "ftp" => Family::Web(21),
        _ => Family::Other,
    }
}

pub(super) fn without_white_space(url: &str) -> Cow<'_, str> {
    let trimmed = url.trim_matches(|character| character <= ' ');
    let is_break = |character| matches!(character, '\t' | '\n' | '\r');
    if trimmed.contains(is_break) {
        Cow::Owned(trimmed.replace(is_break, ""))
    } else {
        Cow::Borrowed(trimmed)
    }
}

fn scheme_and_rest(url: &str) -> Result<(&str, &str), Refused> {
    if url.is_empty() {
        return Err(Refused::Empty);
    }
    let (scheme, rest) = url.split_once(':').ok_or(Refused::NoScheme)?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if is_scheme { Ok((scheme, rest)) } else { Err(Refused::NoScheme) }
}

/// What follows the scheme, cut at the first `#` and at the first `?` before it.
struct Rest<'t> {
    body: &'t str,
    query: Option<&'t str>,
    fragment: Option<&'t str>,
}

fn cut(rest: &str) -> Rest<'_> {
    let (rest, fragment) = cut_at(rest, '#');
    let (body, query) = cut_at(rest, '?');
    Rest { body, query, fragment }
}

pub(super) fn is_slash(character: char) -> bool {
    matches!(character, '/' | '\\')
}

fn cut_at(text: &str, sign: char) -> (&str, Option<&str>) {
    text.split_once(sign).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// A scheme with host and hierarchy: any slashes of either kind may stand before the host.
fn write_web(rest: &str, own_port: u16, key: &mut Key) -> Result<(), Refused> {
    let rest = cut(rest);
    let body = rest.body.trim_start_matches(is_slash);
    if &rest.body[..rest.body.len() - body.len()] != "//" {
        key.applied(Rule::AuthoritySlashes);
    }
    key.text.push_str("//");
    let (authority, path) = body.split_at(body.find(is_slash).unwrap_or(body.len()));
    let authority = Authority::new(authority)?;
    write_userinfo(authority.userinfo, key);
    write_host(authority.host, key)?;
    write_port(authority.port, Some(own_port), key)?;
    key.parts.path.start = key.text.len();
    if path.is_empty() {
        key.applied(Rule::EmptyPath);
        key.text.push('/');
    } else if path.contains('\\') {
        key.applied(Rule::Backslash);
        write_path(&path.replace('\\', "/"), key);
    } else {
        write_path(path, key);
    }
    write_tail(&rest, WEB_QUERY, key);
    Ok(())
}

/// A scheme the standard does not know: its host is not a domain, its path may be opaque.
fn write_other(rest: &str, key: &mut Key) -> Result<(), Refused> {
    let rest = cut(rest);
    let mut path = rest.body;
    if let Some(body) = rest.body.strip_prefix("//") {
        key.text.push_str("//");
        let (authority, after) = body.split_at(body.find('/').unwrap_or(body.len()));
        path = after;
        if !authority.is_empty() {
            let authority = Authority::new(authority)?;
            write_userinfo(authority.userinfo, key);
            write_opaque_host(authority.host, key)?;
            write_port(authority.port, None, key)?;
        }
    }
    key.parts.path.start = key.text.len();
    if path.starts_with('/') {
        write_path(path, key);
    } else {
        write_part(path, PATH, key);
    }
    write_tail(&rest, QUERY, key);
    Ok(())
}

/// A file URL: the standard's many readings of it are left to the `url` crate.
fn write_file(rest: &str, key: &mut Key) -> Result<(), Refused> {
    let url = Url::parse(&["file:", rest].concat()).map_err(refusal)?;
    let serialised = url.as_str().strip_prefix("file:").unwrap_or_default();
    let given = cut(rest);
    let parts = cut(serialised);
    let body = parts.body.strip_prefix("//").unwrap_or(parts.body);
    let (host, path) = body.split_at(body.find('/').unwrap_or(body.len()));
    let path = with_drive_letter(path);
    if given.body.strip_prefix("//").and_then(|body| body.strip_prefix(host)) != Some(&*path)
        || given.query != parts.query
    {
        key.applied(Rule::FileForm);
    }
    key.text.push_str("//");
    key.parts.host = key.text.len()..key.text.len() + host.len();
    key.text.push_str(host);
    key.parts.path.start = key.text.len();
    write_path(&path, key);
    write_tail(&Rest { fragment: given.fragment, ..parts }, WEB_QUERY, key);
    Ok(())
}

/// A drive letter with its bar as a colon, which the `url` crate does not do everywhere.
fn with_drive_letter(path: &str) -> Cow<'_, str> {
    match path.as_bytes() {
        [b'/', letter, b'|', rest @ ..]
            if letter.is_ascii_alphabetic() && matches!(rest.first(), None | Some(b'/')) =>
        {
            Cow::Owned(path.replacen('|', ":", 1))
        }
        _ => Cow::Borrowed(path),
    }
}

/// What stands before the path: `user:password@host:port`.
struct Authority<'t> {
    userinfo: Option<&'t str>,
    host: &'t str,
    port: Option<&'t str>,
}

impl<'t> Authority<'t> {
    fn new(text: &'t str) -> Result<Self, Refused> {
        let (userinfo, rest) = match text.rsplit_once('@') {
            Some((userinfo, rest)) => (Some(userinfo), rest),
            None => (None, text),
        };
        let mut is_bracket = false;
        let colon = rest.bytes().position(|byte| {
            is_bracket = byte == b'[' || is_bracket && byte != b']';
            byte == b':' && !is_bracket
        });
        let (host, port) = match colon {
            Some(colon) => (&rest[..colon], Some(&rest[colon + 1..])),
            None => (rest, None),
        };
        if host.is_empty() { Err(Refused::NoHost) } else { Ok(Self { userinfo, host, port }) }
    }
}

fn write_userinfo(userinfo: Option<&str>, key: &mut Key) {
    let Some(userinfo) = userinfo else { return };
    let (user, password) = cut_at(userinfo, ':');
    write_part(user, USERINFO, key);
    let password_given = password.unwrap_or_default();
    if !password_given.is_empty() {
        key.text.push(':');
        write_part(password_given, USERINFO, key);
    } else if password.is_some() || user.is_empty() {
        key.applied(Rule::EmptyUserinfo);
    }
    if !user.is_empty() || !password_given.is_empty() {
        key.text.push('@');
    }
}

fn write_host(host: &str, key: &mut Key) -> Result<(), Refused> {
    let start = key.text.len();
    let is_ascii_host = host.bytes().all(|byte| class(byte.to_ascii_lowercase()) & HOST != 0);
    key.text.push_str(host);
    if let Some(written) = key.text.get_mut(start..) {
        written.make_ascii_lowercase();
    }
    if is_ascii_host && is_plain_domain(&key.text.as_bytes()[start..]) {
        if key.text[start..] != *host {
            key.applied(Rule::HostCase);
        }
    } else {
        key.text.truncate(start);
        write_odd_host(host, key)?;
    }
    key.parts.host = start..key.text.len();
    Ok(())
}

/// A host that is encoded, outside ASCII, an A-label or an address.
fn write_odd_host(host: &str, key: &mut Key) -> Result<(), Refused> {
    let parsed = Host::parse(host).map_err(refusal)?;
    let decoded = decoded_host(host);
    if decoded != host {
        key.applied(Rule::HostDecoded);
    }
    let lower = decoded.to_ascii_lowercase();
    if lower != decoded {
        key.applied(Rule::HostCase);
    }
    let start = key.text.len();
    // Writing to a String does not fail.
    let _ = write!(key.text, "{parsed}");
    if key.text[start..] != *lower {
        let is_domain = matches!(parsed, Host::Domain(_));
        key.applied(if is_domain { Rule::Idna } else { Rule::HostIp });
    }
    Ok(())
}

fn decoded_host(host: &str) -> Cow<'_, str> {
    if !host.contains('%') {
        return Cow::Borrowed(host);
    }
    let bytes = host.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let found = encoded_octet(&bytes[at..]);
        decoded.push(found.unwrap_or(byte));
        at += if found.is_some() { 3 } else { 1 };
    }
    // A host that parsed is UTF-8 after decoding.
    String::from_utf8(decoded).map_or(Cow::Borrowed(host), Cow::Owned)
}

fn write_opaque_host(host: &str, key: &mut Key) -> Result<(), Refused> {
    let start = key.text.len();
    match Host::parse_opaque(host).map_err(refusal)? {
        Host::Ipv6(address) => {
            let _ = write!(key.text, "[{address}]");
            let written = &key.text[start..];
            let is_case = host.eq_ignore_ascii_case(written) && host != written;
            let is_ip = !host.eq_ignore_ascii_case(written);
            if is_case {
                key.applied(Rule::HostCase);
            } else if is_ip {
                key.applied(Rule::HostIp);
            }
        }
        _ => write_part(host, REG_NAME, key),
    }
    key.parts.host = start..key.text.len();
    Ok(())
}

fn write_port(text: Option<&str>, own: Option<u16>, key: &mut Key) -> Result<(), Refused> {
    let Some(text) = text else { return Ok(()) };
    if text.is_empty() {
        key.applied(Rule::DefaultPort);
        return Ok(());
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Refused::BadPort);
    }
    let port: u16 = text.parse().map_err(|_| Refused::BadPort)?;
    if Some(port) == own {
        key.applied(Rule::DefaultPort);
        return Ok(());
    }
    if text.len() > 1 && text.starts_with('0') {
        key.applied(Rule::PortZeros);
    }
    key.parts.port = Some(port);
    let _ = write!(key.text, ":{port}");
    Ok(())
}

/// Writes a path that starts with `/`, its dot segments resolved.
fn write_path(path: &str, key: &mut Key) {
    let segments = || path.split('/').skip(1);
    let dots = segments().filter(|segment| dot_count(segment) > 0).count();
    if dots == 0 {
        write_part(path, PATH, key);
        return;
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut rest = segments().peekable();
    while let Some(segment) = rest.next() {
        let count = dot_count(segment);
        if count == 2 {
            kept.pop();
        }
        if count == 0 {
            kept.push(segment);
        } else if rest.peek().is_none() {
            kept.push("");
        }
    }
    // Without a host, a path `//x` would read as a host: the standard writes `/.//x`.
    let is_guarded = !key.text.ends_with("//")
        && key.text.len() == key.parts.scheme_end + 1
        && kept.len() > 1
        && kept.first().is_some_and(|first| first.is_empty());
    if is_guarded {
        key.text.push_str("/.");
    }
    if !(is_guarded && dots == 1 && path.starts_with("/./")) {
        key.applied(Rule::DotSegments);
    }
    for segment in kept {
        key.text.push('/');
        write_part(segment, PATH, key);
    }
}

/// How many dots a dot segment has; 0 for every other segment.
fn dot_count(segment: &str) -> usize {
    let mut bytes = segment.as_bytes();
    let mut count = 0;
    while count < 3 {
        bytes = match bytes {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            [] => return count,
            _ => return 0,
        };
        count += 1;
    }
    0
}

/// What separates a fragment from a text directive.
const DIRECTIVE: &str = ":~:";

/// Writes query and fragment, and closes the ranges of path and query.
fn write_tail(rest: &Rest<'_>, query_class: u8, key: &mut Key) {
    key.parts.path.end = key.text.len();
    if let Some(query) = rest.query {
        key.text.push('?');
        let start = key.text.len();
        write_part(query, query_class, key);
        key.parts.query = Some(start..key.text.len());
    }
    let Some(fragment) = rest.fragment else { return };
    let kept = fragment.find(DIRECTIVE).map_or(fragment, |directive| &fragment[..directive]);
    if !kept.starts_with('!') {
        key.applied(Rule::Fragment);
        return;
    }
    key.text.push('#');
    let start = key.text.len();
    write_part(kept, QUERY, key);
    // Decoding may show a directive that was encoded.
    let directive = key.text.get(start..).and_then(|written| written.find(DIRECTIVE));
    if let Some(directive) = directive {
        key.text.truncate(start + directive);
    }
    if directive.is_some() || kept.len() < fragment.len() {
        key.applied(Rule::Fragment);
    }
}

/// Writes one part by the rules for octets; `allowed` is the class of what stands as it is.
fn write_part(part: &str, allowed: u8, key: &mut Key) {
    let bytes = part.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let is_special = |&byte: &u8| class(byte) & allowed == 0;
        let end = bytes[at..].iter().position(is_special).map_or(bytes.len(), |run| at + run);
        if at < end {
            key.text.push_str(&part[at..end]);
            at = end;
            continue;
        }
        if bytes[at] == b'%' {
            at += write_octet(&bytes[at..], key);
        } else {
            key.applied(Rule::ForbiddenEncoded);
            push_encoded(bytes[at], &mut key.text);
            at += 1;
        }
    }
}

/// Writes the octet that `bytes`, which start with `%`, encode; returns how many bytes it took.
fn write_octet(bytes: &[u8], key: &mut Key) -> usize {
    let Some(octet) = encoded_octet(bytes) else {
        key.applied(Rule::StrayPercent);
        key.text.push_str("%25");
        return 1;
    };
    if class(octet) & UNRESERVED != 0 {
        key.applied(Rule::UnreservedDecoded);
        key.text.push(char::from(octet));
    } else {
        if bytes[1..3].iter().any(u8::is_ascii_lowercase) {
            key.applied(Rule::HexCase);
        }
        push_encoded(octet, &mut key.text);
    }
    3
}

pub(super) fn refusal(error: ParseError) -> Refused {
    match error {
        ParseError::EmptyHost => Refused::NoHost,
        ParseError::InvalidPort => Refused::BadPort,
        ParseError::RelativeUrlWithoutBase => Refused::NoScheme,
        ParseError::Overflow => Refused::TooLong,
        _ => Refused::BadHost,
    }
}
