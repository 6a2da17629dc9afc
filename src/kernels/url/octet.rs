//! What each octet of a URL may be, and URLs that are seen to be canonical in one pass.
//!
//! Not a parser: what is not recognised here may be canonical all the same.
//!
//! Source: RFC 3986 appendix A, narrowed by the percent-encode sets of the WHATWG URL standard.
//! Cost: one table look-up an octet, no allocation.

use super::{LENGTH_MAX_BYTES, Parts};

// What may stand where, one bit a place. `%` is in none of them.
pub(super) const UNRESERVED: u8 = 1;
pub(super) const HOST: u8 = 2; // a to z, digits, `-`, `.` and `_`
pub(super) const REG_NAME: u8 = 4; // the host of a scheme the standard does not know
pub(super) const USERINFO: u8 = 8; // without `:`, `;` and `=`, which the standard encodes
pub(super) const PATH: u8 = 16; // with `/`
pub(super) const QUERY: u8 = 32; // with `/` and `?`; fragments too
pub(super) const WEB_QUERY: u8 = 64; // without `'`, which the standard encodes there

const CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    const SETS: [(&[u8], u8); 7] = [
        (b"ABCDEFGHIJKLMNOPQRSTUVWXYZ~", !HOST),
        (b"abcdefghijklmnopqrstuvwxyz0123456789-._", !0),
        (b"!$&()*+,", REG_NAME | USERINFO | PATH | QUERY | WEB_QUERY),
        (b";=", REG_NAME | PATH | QUERY | WEB_QUERY),
        (b"'", REG_NAME | USERINFO | PATH | QUERY),
        (b":@/", PATH | QUERY | WEB_QUERY),
        (b"?", QUERY | WEB_QUERY),
    ];
    let mut table = [0; 256];
    let mut set = 0;
    while set < SETS.len() {
        let (bytes, bits) = SETS[set];
        let mut at = 0;
        while at < bytes.len() {
            #[expect(clippy::as_conversions, reason = "a const function has no From")]
            let byte = bytes[at] as usize;
            table[byte] = bits;
            at += 1;
        }
        set += 1;
    }
    table
}

pub(super) fn class(byte: u8) -> u8 {
    CLASSES[usize::from(byte)]
}

/// The parts of a URL that is seen to be canonical in one pass, up to its end or to its fragment,
/// and where that is; else `None`.
pub(super) fn canonical_parts(url: &str) -> Option<(Parts, usize)> {
    let bytes = url.as_bytes();
    let (scheme_end, own_port) = if bytes.starts_with(b"https://") {
        (5, 443)
    } else if bytes.starts_with(b"http://") {
        (4, 80)
    } else {
        return None;
    };
    if bytes.len() > LENGTH_MAX_BYTES {
        return None;
    }
    let host_start = scheme_end + 3;
    let host_length = bytes[host_start..].iter().position(|&byte| class(byte) & HOST == 0)?;
    let host = host_start..host_start + host_length;
    if !is_plain_domain(&bytes[host.clone()]) {
        return None;
    }
    let (port, path_start) = canonical_port(bytes, host.end, own_port)?;
    let path_end = path_start + canonical_path(&bytes[path_start..])?;
    let query = match bytes.get(path_end) {
        Some(b'?') => {
            let start = path_end + 1;
            Some(start..start + canonical_query(&bytes[start..])?)
        }
        _ => None,
    };
    let end = query.as_ref().map_or(path_end, |query| query.end);
    let is_whole = matches!(bytes.get(end), None | Some(b'#'));
    let parts = Parts { scheme_end, host, port, path: path_start..path_end, query };
    is_whole.then_some((parts, end))
}

/// Whether a host of `HOST` bytes means itself: its last label starts with a letter.
///
/// The standard reads a host whose last label is a number as IPv4. It does not look into the
/// A-labels of a host that is ASCII already, so `xn--0.com`, which decodes to nothing, is kept.
pub(super) fn is_plain_domain(host: &[u8]) -> bool {
    let last = host.iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
    host.get(last).is_some_and(u8::is_ascii_lowercase)
}

/// The port at `at` and where the path starts, if both are written canonically.
fn canonical_port(bytes: &[u8], at: usize, own: u16) -> Option<(Option<u16>, usize)> {
    match bytes.get(at)? {
        b'/' => Some((None, at)),
        b':' => {
            let digits = bytes[at + 1..].iter().take(6).take_while(|b| b.is_ascii_digit()).count();
            let end = at + 1 + digits;
            let is_plain = bytes.get(at + 1).is_some_and(|&first| first != b'0');
            let port = str::from_utf8(&bytes[at + 1..end]).ok()?.parse().ok()?;
            (is_plain && port != own && bytes.get(end) == Some(&b'/')).then_some((Some(port), end))
        }
        _ => None,
    }
}

/// The length of the canonical path that `bytes` starts with; it ends before what it cannot hold.
fn canonical_path(bytes: &[u8]) -> Option<usize> {
    let mut has_slash_dot = false;
    let mut before = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if class(byte) & PATH != 0 {
            has_slash_dot |= before == b'/' && byte == b'.';
            at += 1;
        } else if byte == b'%' {
            at += canonical_octet(&bytes[at..])?;
        } else {
            break;
        }
        before = byte;
    }
    let is_dots = |segment: &[u8]| matches!(segment, b"." | b"..");
    let has_dots = has_slash_dot && bytes[..at].split(|&byte| byte == b'/').any(is_dots);
    (!has_dots).then_some(at)
}

/// The length of the canonical query that `bytes` starts with.
fn canonical_query(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if class(byte) & WEB_QUERY != 0 {
            at += 1;
        } else if byte == b'%' {
            at += canonical_octet(&bytes[at..])?;
        } else {
            break;
        }
    }
    Some(at)
}

/// The length, three, of an encoded octet that no rule changes.
fn canonical_octet(bytes: &[u8]) -> Option<usize> {
    let &[_, high, low] = bytes.get(..3)? else { return None };
    let octet = octet(high, low)?;
    let is_upper = !high.is_ascii_lowercase() && !low.is_ascii_lowercase();
    (is_upper && class(octet) & UNRESERVED == 0).then_some(3)
}

pub(super) fn encoded_octet(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [b'%', high, low, ..] => octet(*high, *low),
        _ => None,
    }
}

fn octet(high: u8, low: u8) -> Option<u8> {
    Some(hex_value(high)? << 4 | hex_value(low)?)
}

fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

pub(super) fn push_encoded(byte: u8, out: &mut String) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    out.extend(['%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
}
