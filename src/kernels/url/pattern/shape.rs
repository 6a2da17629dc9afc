//! What one value of an address looks like: a number, a date, a hash, a word.
//!
//! Cost: linear in the first 256 bytes of a value.

/// Bytes of a value that are read; longer values are never literals.
const VALUE_BYTES: usize = 256;

/// Segments of a path that are told apart; what follows is one value.
const SEGMENTS_MAX: usize = 64;

/// Parameters of a query that are read.
const PARAMETERS_MAX: usize = 64;

/// The longest file extension, without its dot.
const EXTENSION_BYTES: usize = 5;

/// The longest word before a number that is kept as a prefix: `item-7`.
const PREFIX_BYTES: usize = 24;

/// Languages of ISO 639-1 that sites are written in.
const LANGUAGES: &str = "\
af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id \
is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms mt my nb ne nl nn no pa pl ps pt ro ru sk sl \
sq sr sv sw ta te tg th tk tl tr tt uk ur uz vi zh zu";

/// Words that stand beside versions.
const VERSION_WORDS: &[&str] =
    &["current", "dev", "devel", "latest", "main", "master", "nightly", "stable", "unstable"];

/// Shapes that are told apart before any count; words are decided by counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// 1900 to 2099.
    Year,
    /// 1 to 12, of one or two digits.
    Month,
    /// 13 to 31.
    Day,
    /// Other digits.
    Int,
    /// A day as yyyy-mm-dd.
    Date,
    /// A UUID with its hyphens.
    Uuid,
    /// Eight hex digits or more, with a letter and a digit.
    Hex,
    /// Too long to be a literal.
    Long,
    /// Anything else.
    Word,
}

impl Shape {
    /// Whether it is written in digits alone.
    pub(super) fn is_number(self) -> bool {
        matches!(self, Shape::Year | Shape::Month | Shape::Day | Shape::Int)
    }
}

/// A value as it is read: a core between a literal prefix and a literal suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading<'a> {
    /// What the core looks like.
    pub(super) shape: Shape,
    /// A word before a number, with its separator; empty where the core is no such number.
    pub(super) prefix: &'a str,
    /// The file extension with its dot, or nothing.
    pub(super) suffix: &'a str,
}

/// Reads a segment or a value of a parameter.
pub(super) fn read(value: &str) -> Reading<'_> {
    if value.len() > VALUE_BYTES || value.contains('/') {
        return Reading { shape: Shape::Long, prefix: "", suffix: "" };
    }
    let (stem, suffix) = split_extension(value);
    let shape = shape_of(stem);
    let prefix = if shape == Shape::Word { prefix_of(stem) } else { "" };
    Reading { shape, prefix, suffix }
}

/// The stem and the extension with its dot.
pub(super) fn split_extension(value: &str) -> (&str, &str) {
    let Some(dot) = value.rfind('.') else { return (value, "") };
    let (stem, suffix) = value.split_at(dot);
    let extension = suffix.as_bytes().get(1..).unwrap_or_default();
    let is_extension = extension.len() <= EXTENSION_BYTES
        && extension.first().is_some_and(u8::is_ascii_alphabetic)
        && extension.iter().all(u8::is_ascii_alphanumeric);
    if stem.is_empty() || !is_extension { (value, "") } else { (stem, suffix) }
}

fn shape_of(stem: &str) -> Shape {
    let bytes = stem.as_bytes();
    if !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit) {
        return number_shape(stem);
    }
    let is_hyphen = |at: usize| bytes.get(at) == Some(&b'-');
    let is_hex = |count: usize| {
        let mut others = bytes.iter().filter(|byte| **byte != b'-');
        others.clone().count() == count && others.all(u8::is_ascii_hexdigit)
    };
    if bytes.len() == 36 && [8, 13, 18, 23].into_iter().all(is_hyphen) && is_hex(32) {
        return Shape::Uuid;
    }
    if bytes.len() == 10 && is_date(stem) {
        return Shape::Date;
    }
    let has_both =
        bytes.iter().any(u8::is_ascii_digit) && bytes.iter().any(|b| !b.is_ascii_digit());
    if bytes.len() >= 8 && has_both && bytes.iter().all(u8::is_ascii_hexdigit) {
        return Shape::Hex;
    }
    Shape::Word
}

fn number_shape(digits: &str) -> Shape {
    let value: u32 = digits.parse().unwrap_or(u32::MAX);
    match (digits.len(), value) {
        (4, 1900..=2099) => Shape::Year,
        (1 | 2, 1..=12) => Shape::Month,
        (2, 13..=31) => Shape::Day,
        _ => Shape::Int,
    }
}

fn is_date(stem: &str) -> bool {
    let mut parts = stem.split('-').map(|part| {
        let is_plain = part.bytes().all(|byte| byte.is_ascii_digit());
        (part.len(), if is_plain && !part.is_empty() { number_shape(part) } else { Shape::Word })
    });
    parts.next() == Some((4, Shape::Year))
        && parts.next() == Some((2, Shape::Month))
        && matches!(parts.next(), Some((2, Shape::Month | Shape::Day)))
        && parts.next().is_none()
}

/// `item-` of `item-7`, `p` of `p7`: one ASCII word before digits that end the stem.
fn prefix_of(stem: &str) -> &str {
    let head = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let word = head.strip_suffix(['-', '_']).unwrap_or(head);
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    if is_word && head.len() < stem.len() && word.len() <= PREFIX_BYTES { head } else { "" }
}

/// Whether the value is written in several parts: `red-runner-0`, `Foo_Bar`, `a+b`.
pub(super) fn has_parts(value: &str) -> bool {
    let inner = value.get(1..value.len().saturating_sub(1)).unwrap_or_default();
    inner.contains(['-', '_', '+']) || inner.contains("%20")
}

/// Whether the value is `xx` or `xx-yy` of a known language.
pub(super) fn is_language(value: &str) -> bool {
    let (language, region) = match value.split_once(['-', '_']) {
        Some((language, region)) => (language, Some(region)),
        None => (value, None),
    };
    let is_region = |region: &str| {
        matches!(region.len(), 2 | 4) && region.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    matches!(language.len(), 2 | 3)
        && region.is_none_or(is_region)
        && LANGUAGES.split(' ').any(|known| known.eq_ignore_ascii_case(language))
}

/// Whether the value is `1.0`, `v2`, `2.1.3` or `1.x`.
pub(super) fn is_version(value: &str) -> bool {
    let digits = value.strip_prefix(['v', 'V']).unwrap_or(value);
    let mut parts = digits.split('.');
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    parts.next().is_some_and(is_digits)
        && parts.all(|part| is_digits(part) || part == "x")
        && (digits.len() < value.len() || digits.contains('.'))
}

/// Whether the value is a word that stands for a version beside versions.
pub(super) fn is_version_word(value: &str) -> bool {
    VERSION_WORDS.binary_search(&value).is_ok()
}

/// Whether the value is letters, digits, `-_.~` and octets of other scripts alone.
pub(super) fn is_slug(value: &str) -> bool {
    let bytes = value.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).filter(|_| at < VALUE_BYTES) {
        let is_octet = *byte == b'%' && bytes.get(at + 1).is_some_and(|high| *high >= b'8');
        if !byte.is_ascii_alphanumeric() && !b"-_.~".contains(byte) && !is_octet {
            return false;
        }
        at += if is_octet { 3 } else { 1 };
    }
    true
}

/// A canonical key in the parts that a tree is made of.
#[derive(Debug, Default)]
pub(super) struct Address<'a> {
    /// The segments of the path; a slash at the end gives an empty last one.
    pub(super) segments: Vec<&'a str>,
    /// Names of the parameters, sorted and distinct: `page=&sort=`; `print` where no `=` is.
    pub(super) names: String,
    /// Values with the position of their name in `names`.
    pub(super) values: Vec<(usize, &'a str)>,
}

/// Takes a key apart.
pub(super) fn address(key: &str) -> Address<'_> {
    let plain = key.split('#').next().unwrap_or_default();
    let rest = plain.split_once("://").map_or(plain, |(_, rest)| rest);
    let start = rest.find(['/', '?']).unwrap_or(rest.len());
    let (path, query) = match rest.get(start..).unwrap_or_default().split_once('?') {
        Some((path, query)) => (path, query),
        None => (rest.get(start..).unwrap_or_default(), ""),
    };
    let path = path.strip_prefix('/').unwrap_or(path);
    let mut found =
        Address { segments: path.splitn(SEGMENTS_MAX, '/').collect(), ..Address::default() };
    let mut pairs: Vec<(String, &str)> =
        query.split('&').filter(|part| !part.is_empty()).take(PARAMETERS_MAX).map(pair).collect();
    pairs.sort();
    let mut last: Option<(usize, String)> = None;
    for (name, value) in pairs {
        let at = match &last {
            Some((at, known)) if *known == name => *at,
            before => {
                let at = before.as_ref().map_or(0, |(at, _)| at + 1);
                if at > 0 {
                    found.names.push('&');
                }
                found.names.push_str(&name);
                last = Some((at, name));
                at
            }
        };
        found.values.push((at, value));
    }
    found
}

/// The name of a parameter with its `=`, and its value; a name that is no word becomes its type.
fn pair(part: &str) -> (String, &str) {
    let (name, value) =
        part.split_once('=').map_or((part, None), |(name, rest)| (name, Some(rest)));
    let shown = match read(name).shape {
        _ if value.is_some() && name.len() <= VALUE_BYTES => escaped(name),
        Shape::Word => escaped(name),
        Shape::Hex => "{hex}".to_owned(),
        Shape::Uuid => "{uuid}".to_owned(),
        Shape::Date => "{date}".to_owned(),
        Shape::Long => "{free}".to_owned(),
        Shape::Year | Shape::Month | Shape::Day | Shape::Int => "{int}".to_owned(),
    };
    match value {
        Some(value) => (shown + "=", value),
        None => (shown, ""),
    }
}

/// `text` without the signs that patterns are written with.
pub(super) fn escaped(text: &str) -> String {
    if text.contains(['{', '}', '|']) {
        text.replace('{', "%7B").replace('}', "%7D").replace('|', "%7C")
    } else {
        text.to_owned()
    }
}
