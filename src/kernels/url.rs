//! Canonical URL keys: a URL as written becomes the key of the address it names.
//!
//! Only *safe* rules live here: they never change what a URL means by the WHATWG standard
//! and RFC 3986. Two URLs with one key are one address; two keys may still show one page, which
//! is for evidence and for a job's policy to say, not for this file. What safe rules keep:
//! userinfo, `//`, `a` beside `a=`, queries without `=`, `+` beside `%20`, the order of
//! parameters, a trailing host dot, the case of paths, `%2F`.
//!
//! Not for display (hosts are A-labels) and not for fetching (the fragment is gone).
//! A key may hold userinfo: it must not reach logs or reports.
//!
//! Laws, tested below: a key of a key is itself; no rule is reported exactly when the key equals
//! the input; the key equals the key of the URL as the `url` crate writes it.
//!
//! Source: WHATWG URL standard (hosts by the `url` crate), RFC 3986 §2 and §6.2.2.
//! Cost: one pass over a URL that is canonical already; else some passes over each part, and for
//! hosts outside plain ASCII a second run that confirms the key. Bench: `benches/url.rs`.

mod octet;
mod write;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use ::url::Url;
use octet::{HOST, UNRESERVED, canonical_parts, class, push_encoded};
use write::{Family, family, is_slash, refusal, without_white_space, write_key};

/// The longest URL and the longest key, in bytes; longer ones are refused.
///
/// A key grows to at most three times its input, so both ends are checked.
pub const LENGTH_MAX_BYTES: usize = 65_536;

/// The scheme of keys made from identifiers; a URL with this scheme is refused.
pub const ID_SCHEME: &str = "id";

/// A safe rule, in the order in which rules apply and are reported.
///
/// Heuristic rules follow `Fragment` once jobs have policies; numbers of published rules stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Rule {
    /// Spaces and controls around the URL, and tabs and line ends inside it, are removed.
    WhiteSpace,
    /// The scheme is lower-case.
    SchemeCase,
    /// Two slashes stand before the host of `http`, `https`, `ws`, `wss` and `ftp`.
    AuthoritySlashes,
    /// A file URL is written as the standard writes it: host, slashes, drive letter, path.
    FileForm,
    /// An empty name and password, or an empty password, are removed with their sign.
    EmptyUserinfo,
    /// Percent-encoded octets of a host are decoded.
    HostDecoded,
    /// The host is lower-case.
    HostCase,
    /// A host outside ASCII becomes A-labels (UTS 46, non-transitional).
    Idna,
    /// An IPv4 address is four decimal numbers, an IPv6 address is compressed.
    HostIp,
    /// A port that is empty or the scheme's own is removed.
    DefaultPort,
    /// Leading zeros of a port are removed.
    PortZeros,
    /// A backslash in the path of a web URL is a slash.
    Backslash,
    /// The segments `.` and `..` are resolved, also where they are percent-encoded.
    DotSegments,
    /// A `%` without two hexadecimal digits becomes `%25`: a repair.
    StrayPercent,
    /// Encoded letters, digits, `-`, `.`, `_` and `~` are decoded, once.
    UnreservedDecoded,
    /// The digits of encoded octets are upper-case.
    HexCase,
    /// What RFC 3986 forbids is percent-encoded as UTF-8; so is `'` in the query of a web URL.
    ForbiddenEncoded,
    /// An empty path becomes `/`.
    EmptyPath,
    /// The fragment is dropped, save one that starts with `!`; a text directive always goes.
    Fragment,
}

impl Rule {
    /// Every rule, in order.
    pub const ALL: [Rule; 19] = [
        Rule::WhiteSpace,
        Rule::SchemeCase,
        Rule::AuthoritySlashes,
        Rule::FileForm,
        Rule::EmptyUserinfo,
        Rule::HostDecoded,
        Rule::HostCase,
        Rule::Idna,
        Rule::HostIp,
        Rule::DefaultPort,
        Rule::PortZeros,
        Rule::Backslash,
        Rule::DotSegments,
        Rule::StrayPercent,
        Rule::UnreservedDecoded,
        Rule::HexCase,
        Rule::ForbiddenEncoded,
        Rule::EmptyPath,
        Rule::Fragment,
    ];

    /// The stable name of the rule in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::WhiteSpace => "white_space",
            Rule::SchemeCase => "scheme_case",
            Rule::AuthoritySlashes => "authority_slashes",
            Rule::FileForm => "file_form",
            Rule::EmptyUserinfo => "empty_userinfo",
            Rule::HostDecoded => "host_decoded",
            Rule::HostCase => "host_case",
            Rule::Idna => "idna",
            Rule::HostIp => "host_ip",
            Rule::DefaultPort => "default_port",
            Rule::PortZeros => "port_zeros",
            Rule::Backslash => "backslash",
            Rule::DotSegments => "dot_segments",
            Rule::StrayPercent => "stray_percent",
            Rule::UnreservedDecoded => "unreserved_decoded",
            Rule::HexCase => "hex_case",
            Rule::ForbiddenEncoded => "forbidden_encoded",
            Rule::EmptyPath => "empty_path",
            Rule::Fragment => "fragment",
        }
    }
}

/// The set of rules that changed a URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules(u32);

impl Rules {
    /// Whether `rule` changed something.
    pub fn contains(self, rule: Rule) -> bool {
        self.0 & Rules::bit(rule) != 0
    }

    /// Whether no rule changed anything: the key is the URL itself.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rules that changed something, in order.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.into_iter().filter(move |&rule| self.contains(rule))
    }

    fn insert(&mut self, rule: Rule) {
        self.0 |= Rules::bit(rule);
    }

    #[expect(clippy::as_conversions, reason = "the only way from a plain enum to its number")]
    const fn bit(rule: Rule) -> u32 {
        1 << rule as u8
    }
}

/// Why a URL has no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refused {
    /// Nothing is left after white space is removed.
    Empty,
    /// It is a relative reference, or a host written without scheme; none is guessed.
    NoScheme,
    /// Its scheme is [`ID_SCHEME`], which belongs to keys of identifiers.
    ReservedScheme,
    /// Its scheme wants a host, or a name or a port stands without one.
    NoHost,
    /// Its host is no domain and no address.
    BadHost,
    /// Its port is no number from 0 to 65535.
    BadPort,
    /// It, or its key, is longer than [`LENGTH_MAX_BYTES`].
    TooLong,
    /// Its key would get another key.
    Unstable,
}

impl Refused {
    /// Every reason, in order.
    pub const ALL: [Refused; 8] = [
        Refused::Empty,
        Refused::NoScheme,
        Refused::ReservedScheme,
        Refused::NoHost,
        Refused::BadHost,
        Refused::BadPort,
        Refused::TooLong,
        Refused::Unstable,
    ];

    /// The stable name of the reason in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Refused::Empty => "empty",
            Refused::NoScheme => "no_scheme",
            Refused::ReservedScheme => "reserved_scheme",
            Refused::NoHost => "no_host",
            Refused::BadHost => "bad_host",
            Refused::BadPort => "bad_port",
            Refused::TooLong => "too_long",
            Refused::Unstable => "unstable",
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Refused::Empty => "the URL is empty, wanted an absolute URL",
            Refused::NoScheme => "the URL has no scheme, wanted an absolute URL",
            Refused::ReservedScheme => "the scheme is `id`, which only keys of identifiers have",
            Refused::NoHost => "the host is missing, wanted a domain or an address",
            Refused::BadHost => "the host is neither a domain nor an address",
            Refused::BadPort => "the port is not a number from 0 to 65535",
            Refused::TooLong => "the URL or its key is longer than 65,536 bytes",
            Refused::Unstable => "the key of the URL would have another key",
        })
    }
}

impl std::error::Error for Refused {}

/// A canonical key, its parts and the rules that made it; reused from row to row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    text: String,
    rules: Rules,
    parts: Parts,
}

/// Where the parts of a key lie; offsets are bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Parts {
    scheme_end: usize,
    host: Range<usize>,
    port: Option<u16>,
    path: Range<usize>,
    query: Option<Range<usize>>,
}

impl Key {
    /// An empty key to write into.
    pub fn new() -> Self {
        Self::default()
    }

    /// The key; empty after a refusal.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The rules that changed the URL.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The scheme, without the colon.
    pub fn scheme(&self) -> &str {
        self.part(0..self.parts.scheme_end)
    }

    /// The host as A-labels or address (IPv6 in brackets); empty where the URL has none.
    pub fn host(&self) -> &str {
        self.part(self.parts.host.clone())
    }

    /// The port, where it is written: never the scheme's own.
    pub fn port(&self) -> Option<u16> {
        self.parts.port
    }

    /// The path; for a scheme without hierarchy all up to the query.
    pub fn path(&self) -> &str {
        self.part(self.parts.path.clone())
    }

    /// The query without its question mark; an empty query is not an absent one.
    pub fn query(&self) -> Option<&str> {
        self.parts.query.clone().map(|query| self.part(query))
    }

    /// Whether the scheme is `http` or `https`; `mailto:`, `data:` and others have keys too.
    pub fn is_web(&self) -> bool {
        matches!(self.scheme(), "http" | "https")
    }

    /// Whether the host holds what the standard accepts and no resolver knows, such as `"`.
    pub fn is_odd_host(&self) -> bool {
        let host = self.host().as_bytes();
        host.first() != Some(&b'[') && !host.iter().all(|&byte| class(byte) & HOST != 0)
    }

    fn part(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.text.clear();
        self.rules = Rules::default();
        self.parts = Parts::default();
    }

    fn applied(&mut self, rule: Rule) {
        self.rules.insert(rule);
    }
}

/// Writes the canonical key of `url` into `key`, with the rules that changed something.
///
/// A refused URL leaves `key` empty.
///
/// # Errors
///
/// Gives the reason why the URL has no key.
pub fn canonical_key(url: &str, key: &mut Key) -> Result<(), Refused> {
    key.clear();
    if let Some(parts) = canonical_parts(url) {
        key.text.push_str(url);
        key.parts = parts;
        return Ok(());
    }
    let written = write_key(url, key).and_then(|()| confirm(key));
    if written.is_err() {
        key.clear();
    }
    written
}

/// Whether `url` is recognised as its own key in one pass.
///
/// Conservative: `true` implies that the key is `url` and that no rule applies; `false` says
/// nothing. It knows `http` and `https` with a plain domain, without userinfo and fragment.
pub fn is_canonical(url: &str) -> bool {
    canonical_parts(url).is_some()
}

/// The absolute URL that `reference` means on a page at `base`, not yet canonical.
///
/// # Errors
///
/// Gives the reason why `base` is no URL, or why `reference` has no meaning there.
pub fn resolved(base: &str, reference: &str) -> Result<String, Refused> {
    if base.len() > LENGTH_MAX_BYTES || reference.len() > LENGTH_MAX_BYTES {
        return Err(Refused::TooLong);
    }
    let base = Url::parse(base).map_err(refusal)?;
    let reference = without_white_space(reference);
    // The `url` crate refuses `///host`, which the standard reads as `//host`.
    let is_network_path = reference.chars().take_while(|&sign| is_slash(sign)).count() > 2;
    if is_network_path && matches!(family(base.scheme()), Family::Web(_)) {
        return Ok([base.scheme(), ":", &reference].concat());
    }
    base.join(&reference).map(String::from).map_err(refusal)
}

/// The text of a URL given as bytes; what is not UTF-8 is percent-encoded, never replaced.
///
/// The result is owned exactly when something was encoded.
pub fn text_of_bytes(raw: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(raw) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(raw.len() + 16);
    for chunk in raw.utf8_chunks() {
        text.push_str(chunk.valid());
        for &byte in chunk.invalid() {
            push_encoded(byte, &mut text);
        }
    }
    Cow::Owned(text)
}

/// The key of a row that has an identifier and no URL: `id:` and the percent-encoded identifier.
///
/// Different identifiers have different keys, and no URL has such a key, because the scheme `id`
/// is refused there.
pub fn id_key(id: &str) -> String {
    let mut key = String::with_capacity(ID_SCHEME.len() + 1 + id.len());
    key.push_str(ID_SCHEME);
    key.push(':');
    for character in id.chars() {
        if u8::try_from(character).is_ok_and(|byte| class(byte) & UNRESERVED != 0) {
            key.push(character);
        } else {
            for &byte in character.encode_utf8(&mut [0; 4]).as_bytes() {
                push_encoded(byte, &mut key);
            }
        }
    }
    key
}

/// Checks that the key as written is its own key, so that keys are stable by construction.
fn confirm(key: &Key) -> Result<(), Refused> {
    if key.text.len() > LENGTH_MAX_BYTES {
        return Err(Refused::TooLong);
    }
    if is_canonical(&key.text) {
        return Ok(());
    }
    let mut again = Key::new();
    match write_key(&key.text, &mut again) {
        Ok(()) if again.text == key.text => Ok(()),
        _ => Err(Refused::Unstable),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key_of(url: &str) -> Result<Key, Refused> {
        let mut key = Key::new();
        canonical_key(url, &mut key).map(|()| key)
    }

    fn names(rules: Rules) -> String {
        rules.iter().map(Rule::name).collect::<Vec<_>>().join(",")
    }

    /// Undoes `\t`, `\n`, `\r`, `\\` and `\u{..}` of the vector files.
    fn unescaped(cell: &str) -> String {
        let mut text = String::new();
        let mut rest = cell.chars();
        while let Some(character) = rest.next() {
            if character != '\\' {
                text.push(character);
                continue;
            }
            match rest.next().unwrap() {
                't' => text.push('\t'),
                'n' => text.push('\n'),
                'r' => text.push('\r'),
                'u' => {
                    let digits: String =
                        rest.by_ref().skip(1).take_while(|&digit| digit != '}').collect();
                    text.push(char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap());
                }
                other => text.push(other),
            }
        }
        text
    }

    #[test]
    fn vectors() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/method/url_key_v1.tsv");
        let text = std::fs::read_to_string(file).unwrap();
        let mut rows = 0;
        for (number, line) in text.lines().enumerate().skip(1) {
            let mut cells = line.split('\t').map(unescaped);
            let [input, expected, wanted] = [(); 3].map(|()| cells.next().unwrap());
            assert!(cells.next().is_none(), "line {}: wanted three cells", number + 1);
            let (found, why) = match key_of(&input) {
                Ok(key) => (key.as_str().to_owned(), names(key.rules())),
                Err(refused) => (String::new(), refused.name().to_owned()),
            };
            assert_eq!(
                (found, why),
                (expected, wanted),
                "line {}: {input}; make a new version of the method, not a new vector file",
                number + 1
            );
            rows += 1;
        }
        assert!(rows > 150, "{rows} rows");
    }

    #[test]
    fn parts_of_keys() {
        let key = key_of("HTTP://u:p@WWW.Example.com:8080/a/b?x=1#!state").unwrap();
        assert_eq!(key.as_str(), "http://u:p@www.example.com:8080/a/b?x=1#!state");
        assert_eq!((key.scheme(), key.host(), key.port()), ("http", "www.example.com", Some(8080)));
        assert_eq!((key.path(), key.query()), ("/a/b", Some("x=1")));
        assert!(key.is_web() && !key.is_odd_host());
        let key = key_of("mailto:a@b.org?").unwrap();
        assert_eq!((key.scheme(), key.host(), key.path()), ("mailto", "", "a@b.org"));
        assert_eq!((key.query(), key.port(), key.is_web()), (Some(""), None, false));
        let key = key_of("file://host/c").unwrap();
        assert_eq!((key.host(), key.path()), ("host", "/c"));
        let key = key_of("http://[::1]/").unwrap();
        assert_eq!((key.host(), key.is_odd_host()), ("[::1]", false));
        assert!(key_of("http://a\"b/").unwrap().is_odd_host());
    }

    #[test]
    fn long_urls_are_refused_at_both_ends() {
        let url = |length: usize, filler: &str| format!("http://a.org/{}", filler.repeat(length));
        let room = LENGTH_MAX_BYTES - "http://a.org/".len();
        assert!(key_of(&url(room, "x")).is_ok());
        assert_eq!(key_of(&url(room + 1, "x")).unwrap_err(), Refused::TooLong);
        assert_eq!(key_of(&url(room / 2, " x")).unwrap_err(), Refused::TooLong);
        assert!(Refused::TooLong.to_string().contains("65,536"));
    }

    #[test]
    fn names_are_distinct_and_rules_are_in_order() {
        let names: std::collections::BTreeSet<_> = Rule::ALL.iter().map(|r| r.name()).collect();
        assert_eq!(names.len(), Rule::ALL.len());
        assert!(Rule::ALL.is_sorted());
        let names: std::collections::BTreeSet<_> = Refused::ALL.iter().map(|r| r.name()).collect();
        assert_eq!(names.len(), Refused::ALL.len());
        assert!(Refused::ALL.iter().all(|refused| !refused.to_string().ends_with('.')));
    }

    #[test]
    fn references_resolve_against_a_base() {
        assert_eq!(resolved("http://a/b/c/d;p?q", "../g").unwrap(), "http://a/b/g");
        assert_eq!(resolved("http://a/b", "///c").unwrap(), "http:///c");
        assert_eq!(resolved("g", "g").unwrap_err(), Refused::NoScheme);
    }

    #[test]
    fn bytes_outside_utf8_keep_their_value() {
        assert_eq!(text_of_bytes(b"http://a/caf\xE9"), "http://a/caf%E9");
        assert_eq!(text_of_bytes("http://a/café".as_bytes()), "http://a/café");
    }

    #[test]
    fn identifiers_have_keys_of_their_own() {
        assert_eq!(id_key("a/b c~1"), "id:a%2Fb%20c~1");
        assert_eq!(id_key("é%"), "id:%C3%A9%25");
        assert_eq!(key_of(&id_key("x")).unwrap_err(), Refused::ReservedScheme);
        assert_eq!(key_of("ID:x").unwrap_err(), Refused::ReservedScheme);
    }

    /// What URLs are put together from, hostile ones too; white space is added below.
    const PIECES: &str = "http HTTPS ftp ws file foo javascript : :// / // \\ a B www. example \
        .com . .. %2e %2E. % %4 %41 %7e %2f %25 %C3%A9 é ß ☃ xn-- xn--n3h @ u:p@ :80 :443 :0080 \
        : ? a=1 & ' # #! :~:text=a [::1] [ ] | ^ \" < { 0x7f 1 127.0.0.1 ; = + C: C| localhost \
        \u{AD} \u{200d} \0 - _ ~ !";

    const HEADS: &str = "http://a.b/ https:// http: foo:// foo:/ foo: file: file:/// \
        http://a.b/? HTTP:// http://a.b/#!";

    fn pieces() -> impl Strategy<Value = String> {
        let words = |text: &'static str| text.split(' ').filter(|word| !word.is_empty());
        let piece =
            prop::sample::select(words(PIECES).chain([" ", "\t", "\n"]).collect::<Vec<_>>());
        let head = prop::sample::select(words(HEADS).chain(["", ""]).collect::<Vec<_>>());
        (head, prop::collection::vec(piece, 0..9))
            .prop_map(|(head, pieces)| head.to_owned() + &pieces.concat())
    }

    fn check_laws(url: &str) -> Result<(), TestCaseError> {
        let found = key_of(url);
        prop_assert_ne!(found.as_ref().err(), Some(&Refused::Unstable), "{}", url);
        if is_canonical(url) {
            let key = found.as_ref().unwrap();
            prop_assert!(key.as_str() == url && key.rules().is_empty(), "{}", url);
            let mut slow = Key::new();
            prop_assert!(write_key(url, &mut slow).is_ok());
            prop_assert_eq!(&slow.text, url);
            prop_assert_eq!(&slow.parts, &key.parts);
            prop_assert!(slow.rules().is_empty());
        }
        if let Ok(key) = found {
            let again = key_of(key.as_str()).unwrap();
            prop_assert_eq!(again.as_str(), key.as_str());
            prop_assert!(again.rules().is_empty(), "{} {}", key.as_str(), names(again.rules()));
            prop_assert_eq!(again.parts, key.parts.clone());
            prop_assert_eq!(key.rules().is_empty(), key.as_str() == url, "{}", url);
            prop_assert!(key.as_str().is_ascii());
        }
        check_standard(url)
    }

    /// The `url` crate, an independent parser, must lead to the same key.
    ///
    /// Left out is where it departs from the standard: for schemes it does not know it takes
    /// `foo://@` and a backslash after the port, and it refuses A-labels that decode to nothing.
    /// White space goes first, because a tab misleads it about drive letters, and dot segments
    /// after a letter and a colon are left out, because it sees drive letters in every scheme.
    fn check_standard(url: &str) -> Result<(), TestCaseError> {
        let found = key_of(url);
        let has_drive = url.as_bytes().windows(3).any(|bytes| {
            b"/\\".contains(&bytes[0])
                && bytes[1].is_ascii_alphabetic()
                && b":|".contains(&bytes[2])
        });
        if found.as_ref().is_ok_and(|key| {
            key.host().contains("xn--") || has_drive && key.rules().contains(Rule::DotSegments)
        }) {
            return Ok(());
        }
        match Url::parse(&without_white_space(url)) {
            Err(_) => prop_assert!(found.is_err(), "{} is invalid", url),
            Ok(parsed) if matches!(family(parsed.scheme()), Family::Other) && found.is_err() => {
                prop_assert!(url.contains(['@', '\\']), "{}", url);
            }
            Ok(parsed) if parsed.scheme() != ID_SCHEME => {
                let standard = key_of(parsed.as_str()).map(|key| key.text);
                prop_assert_eq!(found.map(|key| key.text), standard, "{} {}", url, parsed);
            }
            Ok(_) => prop_assert_eq!(found.unwrap_err(), Refused::ReservedScheme),
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn laws_hold_on_url_like_text(url in pieces()) {
            check_laws(&url)?;
        }

        #[test]
        fn laws_hold_on_any_text(url in ".{0,40}") {
            check_laws(&url)?;
            check_laws(&["http://", url.as_str()].concat())?;
            check_laws(&["http://a.b/", url.as_str()].concat())?;
        }

        #[test]
        fn laws_hold_near_canonical_urls(
            host in "https?://[a-z0-9.-]{1,12}(:[0-9]{1,6})?",
            rest in "/[a-z./%0-9A-F]{0,12}(\\?[a-z'%0-9A-F=?/]{0,9})?",
        ) {
            check_laws(&(host + &rest))?;
        }

        #[test]
        fn identifier_keys_are_injective(left in ".{0,12}", right in ".{0,12}") {
            prop_assert_eq!(id_key(&left) == id_key(&right), left == right);
            prop_assert_eq!(key_of(&id_key(&left)).unwrap_err(), Refused::ReservedScheme);
        }

        #[test]
        fn any_bytes_become_text(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = key_of(&text_of_bytes(&bytes));
        }
    }
}
