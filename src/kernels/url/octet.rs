//! What each octet of a URL may be, and URLs that are seen to be canonical in one pass.
//!
//! Not a parser: what is not recognised here may be canonical all the same.
//!
//! Source: RFC 3986 appendix A, narrowed by the percent-encode sets of the WHATWG URL standard.
//! Cost: one look at 64 bytes at a time, no allocation.

use super::super::simd::{self, Ascii, Isa, Kernel, place};
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

/// The characters of a class, and `more`.
const fn set(class: u8, more: &[u8]) -> Ascii {
    let (mut characters, mut count) = ([0; 128], 0);
    let mut byte: u8 = 0;
    while byte.is_ascii() {
        #[expect(clippy::as_conversions, reason = "a const function has no From")]
        let is_in = CLASSES[byte as usize] & class != 0;
        if is_in {
            characters[count] = byte;
            count += 1;
        }
        byte += 1;
    }
    Ascii::new(characters.split_at(count).0).with(more)
}

const HOST_SET: Ascii = set(HOST, b"");
const PATH_RUN: Ascii = set(PATH, b"%");
const QUERY_RUN: Ascii = set(WEB_QUERY, b"%");
const SLASH: Ascii = Ascii::new(b"/");
const DOT: Ascii = Ascii::new(b".");
const PERCENT: Ascii = Ascii::new(b"%");
const EQUALS: Ascii = Ascii::new(b"=");
const SESSION_SIGN: Ascii = Ascii::new(b";(");

/// A URL that is seen to be canonical in one pass, up to its end or to its fragment.
pub(super) struct Canonical {
    pub(super) parts: Parts,
    /// Where it ends.
    pub(super) end: usize,
    pub(super) signs: Signs,
}

/// Signs without which some heuristic rules have nothing to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signs {
    /// The path may hold a session id: `;` or `(` is in it.
    pub(super) session: bool,
    /// The query may hold parameters: `=` is in it.
    pub(super) parameter: bool,
    /// It may hold a name or a password, or have another scheme than `http` and `https`.
    pub(super) other: bool,
}

impl Signs {
    /// Nothing is known.
    pub(super) const ANY: Signs = Signs { session: true, parameter: true, other: true };
}

/// What is seen of `url` in one pass; `None` where it is not seen to be canonical.
#[inline]
pub(super) fn canonical_parts(url: &str) -> Option<Canonical> {
    simd::dispatch(Recognise { url })
}

/// The work of [`canonical_parts`].
pub(super) struct Recognise<'u> {
    pub(super) url: &'u str,
}

impl Kernel for Recognise<'_> {
    type Output = Option<Canonical>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Canonical> {
        let bytes = self.url.as_bytes();
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
        if I::IS_WIDE {
            parts_by_blocks(isa, bytes, scheme_end, own_port)
        } else {
            parts_by_bytes(bytes, scheme_end, own_port)
        }
    }
}

/// The parts of a URL behind its scheme, 64 bytes at a time.
#[inline(always)]
fn parts_by_blocks<I: Isa>(
    isa: I,
    bytes: &[u8],
    scheme_end: usize,
    own_port: u16,
) -> Option<Canonical> {
    let mut blocks = Blocks::new(isa, bytes, 0);
    let host_start = scheme_end + 3;
    let mut last_label = host_start;
    let host_end = blocks.run(host_start, &HOST_SET, |block, run| {
        let dots = block.members(&DOT) & run;
        if dots != 0 {
            last_label = block.start + 64 - place(dots.leading_zeros());
        }
        Some(())
    })?;
    // As `is_plain_domain` tells.
    if last_label >= host_end || !bytes[last_label].is_ascii_lowercase() {
        return None;
    }
    let (port, path_start) = match bytes.get(host_end)? {
        b'/' => (None, host_end),
        _ => canonical_port(bytes, host_end, own_port)?,
    };
    let (mut slash_dots, mut session) = (0, 0);
    let path_end = blocks.run(path_start, &PATH_RUN, |block, run| {
        // What stands before a block may be a slash.
        let behind_slash = block.members(&SLASH) << 1 | 1;
        slash_dots |= behind_slash & block.members(&DOT) & run;
        session |= block.members(&SESSION_SIGN) & run;
        block.has_canonical_octets(run)
    })?;
    if slash_dots != 0 && has_dots(&bytes[path_start..path_end]) {
        return None;
    }
    let (mut query, mut end, mut parameter) = (None, path_end, 0);
    if bytes.get(path_end) == Some(&b'?') {
        end = blocks.run(path_end + 1, &QUERY_RUN, |block, run| {
            parameter |= block.members(&EQUALS) & run;
            block.has_canonical_octets(run)
        })?;
        query = Some(path_end + 1..end);
    }
    if !matches!(bytes.get(end), None | Some(b'#')) {
        return None;
    }
    let parts =
        Parts { scheme_end, host: host_start..host_end, port, path: path_start..path_end, query };
    let signs = Signs { session: session != 0, parameter: parameter != 0, other: false };
    Some(Canonical { parts, end, signs })
}

/// A URL by blocks of 64 bytes; the last one ends with the URL and may lie over the one before.
struct Blocks<'u, I: Isa> {
    isa: I,
    bytes: &'u [u8],
    /// Where the block starts that was read last.
    start: usize,
    text: I::Text,
}

impl<'u, I: Isa> Blocks<'u, I> {
    /// The block that `from` is in, or the last one.
    #[inline(always)]
    fn new(isa: I, bytes: &'u [u8], from: usize) -> Self {
        let start = from.min(bytes.len().saturating_sub(64));
        Blocks { isa, bytes, start, text: isa.text(&bytes[start..]) }
    }

    /// Where the run of bytes of `set` ends that starts at `from`, which is not before the last
    /// block. `see` gets each block that the run reaches and the run's own bytes in it, and may
    /// give up.
    #[inline(always)]
    fn run(
        &mut self,
        mut from: usize,
        set: &Ascii,
        mut see: impl FnMut(&Self, u64) -> Option<()>,
    ) -> Option<usize> {
        loop {
            if self.bytes.len() <= from {
                return Some(self.bytes.len());
            }
            while self.start + 64 <= from {
                *self = Blocks::new(self.isa, self.bytes, self.start + 64);
            }
            let behind = u64::MAX << (from - self.start);
            let outside = !self.members(set) & behind;
            // The bits below the lowest one of `outside`; all where it has none.
            see(self, behind & outside.wrapping_sub(1) & !outside)?;
            if outside != 0 {
                return Some(self.start + place(outside.trailing_zeros()));
            }
            from = self.start + 64;
        }
    }

    #[inline(always)]
    fn members(&self, set: &Ascii) -> u64 {
        self.isa.members(self.text, set)
    }

    /// Whether no rule changes the encoded octets that start at the bits of `run`.
    #[inline(always)]
    fn has_canonical_octets(&self, run: u64) -> Option<()> {
        let mut signs = self.members(&PERCENT) & run;
        while signs != 0 {
            canonical_octet(&self.bytes[self.start + place(signs.trailing_zeros())..])?;
            signs &= signs - 1;
        }
        Some(())
    }
}

/// The parts of a URL behind its scheme, byte by byte.
#[inline(always)]
fn parts_by_bytes(bytes: &[u8], scheme_end: usize, own_port: u16) -> Option<Canonical> {
    let host_start = scheme_end + 3;
    let host = host_start..host_start + run_length(&bytes[host_start..], HOST);
    if !is_plain_domain(&bytes[host.clone()]) {
        return None;
    }
    let (port, path_start) = canonical_port(bytes, host.end, own_port)?;
    let path_end = path_start + canonical_path(&bytes[path_start..])?;
    let query = match bytes.get(path_end) {
        Some(b'?') => {
            let start = path_end + 1;
            Some(start..start + canonical_run(&bytes[start..], WEB_QUERY)?)
        }
        _ => None,
    };
    let end = query.as_ref().map_or(path_end, |query| query.end);
    let is_whole = matches!(bytes.get(end), None | Some(b'#'));
    let parts = Parts { scheme_end, host, port, path: path_start..path_end, query };
    let signs = Signs { other: false, ..Signs::ANY };
    is_whole.then_some(Canonical { parts, end, signs })
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

/// The length of the run of bytes of a class that `bytes` starts with.
#[inline(always)]
fn run_length(bytes: &[u8], wanted: u8) -> usize {
    let (words, _) = bytes.as_chunks::<8>();
    let is_whole = |word: &&[u8; 8]| word.iter().fold(wanted, |all, &byte| all & class(byte)) != 0;
    let start = 8 * words.iter().take_while(is_whole).count();
    let is_in = |&&byte: &&u8| class(byte) & wanted != 0;
    start + bytes[start..].iter().take_while(is_in).count()
}

/// The length of the canonical path that `bytes` starts with; it ends before what it cannot hold.
#[inline(always)]
fn canonical_path(bytes: &[u8]) -> Option<usize> {
    let length = canonical_run(bytes, PATH)?;
    let path = &bytes[..length];
    let behind = path.get(1..).unwrap_or_default();
    let has_slash_dot = path
        .iter()
        .zip(behind)
        .fold(false, |found, (&left, &right)| found | ((left == b'/') & (right == b'.')));
    let is_canonical = !(has_slash_dot && has_dots(path));
    is_canonical.then_some(length)
}

/// The length of the run of bytes of a class, and of encoded octets that no rule changes, that
/// `bytes` starts with.
#[inline(always)]
fn canonical_run(bytes: &[u8], wanted: u8) -> Option<usize> {
    let mut at = run_length(bytes, wanted);
    while bytes.get(at) == Some(&b'%') {
        at += canonical_octet(&bytes[at..])?;
        at += run_length(&bytes[at..], wanted);
    }
    Some(at)
}

/// Whether a segment of `path` is `.` or `..`.
fn has_dots(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(|segment| matches!(segment, b"." | b".."))
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
