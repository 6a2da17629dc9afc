//! The heuristic rules: each may give two addresses one key, so each applies only under a policy.
//!
//! They work on the key that the safe rules wrote, of `http` and `https` only, and are repeated
//! until none of them and no safe rule changes it: a key of a key is itself.
//!
//! Source: the parameters are listed in `param.rs`; the other rules follow what URL normalisers
//! of crawlers share, without what they lose: whole names only, values keep their order, a query
//! without `=` is one value and stays as it is.
//! Cost: a look at host, path and query; a key that changes is copied and confirmed.

use super::domain::{has_listed_suffix, registered_domain};
use super::octet::{HOST, Signs, canonical_parts, class, is_plain_domain};
use super::param::{self, Kind};
use super::write::{is_slash, without_white_space, write_key};
use super::{Key, Policy, Refused, Rule, Rules, confirm, safe_key};

/// How often the rules are repeated; real URLs need two rounds, this many need a hostile one.
const ROUNDS_MAX: usize = 16;

/// Applies the rules of `policy` until the key stays as it is.
///
/// # Errors
///
/// [`Refused::Unstable`] after [`ROUNDS_MAX`] rounds; what the safe rules refuse.
pub(super) fn settle(policy: Policy, signs: Signs, key: &mut Key) -> Result<(), Refused> {
    if policy.is_empty() || is_settled(policy, signs, key) {
        return Ok(());
    }
    for _ in 0..ROUNDS_MAX {
        if !apply(policy, key) {
            return Ok(());
        }
        write_again(key)?;
    }
    Err(Refused::Unstable)
}

/// Whether the signs show that no rule of `policy` changes the key; `false` says nothing.
fn is_settled(policy: Policy, signs: Signs, key: &Key) -> bool {
    /// All that the signs tell about.
    const SEEN: Policy = Policy::WEB.with(Rule::SchemeGuess);
    if policy.and(SEEN) != SEEN || signs.other {
        return false;
    }
    let is_changed = signs.session && has_session_sign(key.path())
        || signs.parameter && has_known_parameter(key)
        || key.host().ends_with('.');
    !is_changed
}

/// Whether a parameter of the query has a name that is known.
fn has_known_parameter(key: &Key) -> bool {
    let mut rest = key.query().unwrap_or_default().as_bytes();
    loop {
        let sign = rest.iter().position(|&byte| byte == b'=' || byte == b'&');
        let Some(sign) = sign else { return false };
        if rest[sign] == b'=' && param::kind(&rest[..sign]).is_some() {
            return true;
        }
        let Some(end) = rest[sign..].iter().position(|&byte| byte == b'&') else { return false };
        rest = &rest[sign + end + 1..];
    }
}

/// Brings a changed key back under the safe rules.
fn write_again(key: &mut Key) -> Result<(), Refused> {
    if let Some(found) = canonical_parts(&key.text)
        && found.end == key.text.len()
    {
        key.parts = found.parts;
        return Ok(());
    }
    let mut again = Key::new();
    write_key(&key.text, &mut again)?;
    confirm(&again)?;
    again.rules = key.rules.union(again.rules);
    *key = again;
    Ok(())
}

/// A rule, and whether it changed the key.
type Step = (Rule, fn(&mut Key) -> bool);

const STEPS: [Step; 12] = [
    (Rule::Scheme, scheme),
    (Rule::Userinfo, userinfo),
    (Rule::EmptyLabel, empty_label),
    (Rule::HostDot, host_dot),
    (Rule::Www, www),
    (Rule::Session, session_in_path),
    (Rule::IndexName, index_name),
    (Rule::SlashRun, slash_run),
    (Rule::TrailingSlash, trailing_slash),
    (Rule::EmptyParam, empty_param),
    (Rule::Sort, sort),
    (Rule::Hashbang, hashbang),
];

/// Applies each rule of `policy` once; tells whether the key changed.
fn apply(policy: Policy, key: &mut Key) -> bool {
    if !key.is_web() {
        return false;
    }
    let mut is_changed = drop_parameters(policy, key);
    for (rule, step) in STEPS {
        if policy.contains(rule) && step(key) {
            key.applied(rule);
            is_changed = true;
        }
    }
    is_changed
}

/// The key of a host that is written without scheme, if it is one beyond doubt.
///
/// `//host` is; else the suffix of the host has to be on the list, and no user may stand before
/// it, because that would be a mail address.
pub(super) fn guess_scheme(url: &str, key: &mut Key) -> Result<Signs, Refused> {
    let clean = without_white_space(url);
    let host = clean.trim_start_matches(is_slash);
    let slashes = clean.len() - host.len();
    if slashes == 1 || host.is_empty() {
        return Err(Refused::NoScheme);
    }
    let signs = safe_key(&["http://", host].concat(), key).map_err(|_| Refused::NoScheme)?;
    let has_user = key.parts.host.start > key.parts.scheme_end + 3;
    if slashes == 0 && (has_user || !has_listed_suffix(key.host())) {
        return Err(Refused::NoScheme);
    }
    key.applied(Rule::SchemeGuess);
    Ok(signs)
}

fn scheme(key: &mut Key) -> bool {
    let is_plain = key.scheme() == "http" && key.port().is_none();
    if is_plain {
        key.replace(0..4, "https");
    }
    is_plain
}

fn userinfo(key: &mut Key) -> bool {
    let start = key.parts.scheme_end + 3;
    let end = key.parts.host.start;
    if end <= start {
        return false;
    }
    key.replace(start..end, "");
    true
}

fn empty_label(key: &mut Key) -> bool {
    let host = key.host();
    if !host.starts_with('.') && !host.contains("..") {
        return false;
    }
    let labels: Vec<&str> = host.split('.').filter(|label| !label.is_empty()).collect();
    let mut kept = labels.join(".");
    let is_host = kept.bytes().all(|byte| class(byte) & HOST != 0);
    if !is_host || !is_plain_domain(kept.as_bytes()) {
        return false;
    }
    if host.ends_with('.') {
        kept.push('.');
    }
    key.replace(key.parts.host.clone(), &kept);
    true
}

fn host_dot(key: &mut Key) -> bool {
    let host = key.host().as_bytes();
    if !matches!(host, [.., before, b'.'] if *before != b'.') {
        return false;
    }
    let end = key.parts.host.end;
    key.replace(end - 1..end, "");
    true
}

fn www(key: &mut Key) -> bool {
    let Some(rest) = key.host().strip_prefix("www.") else { return false };
    if rest.starts_with("www.") || registered_domain(rest).is_none() {
        return false;
    }
    let start = key.parts.host.start;
    key.replace(start..start + 4, "");
    true
}

/// Whether a session id may be in `path`.
fn has_session_sign(path: &str) -> bool {
    path.bytes().fold(false, |found, byte| found | (byte == b';' || byte == b'('))
}

fn session_in_path(key: &mut Key) -> bool {
    let path = key.path();
    if !has_session_sign(path) {
        return false;
    }
    let kept = param::path_without_sessions(path);
    if kept == path {
        return false;
    }
    key.replace(key.parts.path.clone(), &kept);
    true
}

/// Where the last segment of the path starts.
fn last_segment(key: &Key) -> usize {
    key.parts.path.start + key.path().rfind('/').map_or(0, |slash| slash + 1)
}

fn index_name(key: &mut Key) -> bool {
    const ENDINGS: [&str; 20] = [
        "asp", "aspx", "cfm", "cgi", "htm", "html", "jsf", "jsp", "jspa", "jspx", "php", "php3",
        "php4", "php5", "php6", "phtml", "pl", "shtm", "shtml", "xhtml",
    ];
    let start = last_segment(key);
    let segment = key.part(start..key.parts.path.end);
    let is_index = segment.split_once('.').is_some_and(|(stem, ending)| {
        ["index", "default"].iter().any(|name| stem.eq_ignore_ascii_case(name))
            && ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
    });
    if is_index {
        key.replace(start..key.parts.path.end, "");
    }
    is_index
}

/// The shortest and the longest scheme of an address in a path, in bytes.
const EMBEDDED_SCHEME_BYTES: std::ops::RangeInclusive<usize> = 2..=51;

fn slash_run(key: &mut Key) -> bool {
    let path = key.path();
    if !path.contains("//") {
        return false;
    }
    let mut kept = String::with_capacity(path.len());
    let mut run = 0;
    for character in path.chars() {
        run = if character == '/' { run + 1 } else { 0 };
        if run < 2 || run == 2 && ends_with_scheme(&kept) {
            kept.push(character);
        }
    }
    if kept == path {
        return false;
    }
    key.replace(key.parts.path.clone(), &kept);
    true
}

/// Whether `path` ends with a scheme, its colon and one slash, as a whole segment.
fn ends_with_scheme(path: &str) -> bool {
    let segment = path.strip_suffix(":/").map(|path| path.rsplit('/').next().unwrap_or_default());
    segment.is_some_and(|scheme| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && EMBEDDED_SCHEME_BYTES.contains(&scheme.len())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

fn trailing_slash(key: &mut Key) -> bool {
    let path = key.path().as_bytes();
    if !matches!(path, [.., before, b'/'] if *before != b'/') {
        return false;
    }
    let end = key.parts.path.end;
    key.replace(end - 1..end, "");
    true
}

/// Drops parameters that track or name a session.
fn drop_parameters(policy: Policy, key: &mut Key) -> bool {
    if !policy.contains(Rule::Tracking) && !policy.contains(Rule::Session) {
        return false;
    }
    if !has_known_parameter(key) {
        return false;
    }
    let query = key.query().unwrap_or_default();
    let dropped_by = |pair| dropped_by(pair, key).filter(|&rule| policy.contains(rule));
    if !query.split('&').any(|pair| dropped_by(pair).is_some()) {
        return false;
    }
    let mut kept = Vec::new();
    let mut rules = Rules::NONE;
    for pair in query.split('&') {
        match dropped_by(pair) {
            Some(rule) => rules = rules.with(rule),
            None => kept.push(pair),
        }
    }
    let kept = kept.join("&");
    replace_query(key, &kept);
    key.rules = key.rules.union(rules);
    true
}

/// The rule that drops the parameter `pair` of this key. A name without `=` is no parameter.
fn dropped_by(pair: &str, key: &Key) -> Option<Rule> {
    let (name, value) = pair.split_once('=')?;
    match param::kind(name.as_bytes())? {
        Kind::Click => Some(Rule::Tracking),
        Kind::Mail => (!param::is_mail_page(&key.text)).then_some(Rule::Tracking),
        Kind::Session => Some(Rule::Session),
        Kind::ShapedSession => param::has_session_shape(value).then_some(Rule::Session),
        Kind::PairedSession => {
            let has_pair = key.query().unwrap_or_default().split('&').any(|other| {
                other.split_once('=').is_some_and(|(name, _)| param::is_pair_of_session(name))
            });
            has_pair.then_some(Rule::Session)
        }
    }
}

/// Writes another query; with an empty one the question mark goes too.
fn replace_query(key: &mut Key, kept: &str) {
    let Some(query) = key.parts.query.clone() else { return };
    if kept.is_empty() {
        key.replace(query.start - 1..query.end, "");
        key.parts.query = None;
    } else {
        key.replace(query, kept);
    }
}

/// Whether the query is one value and no list of parameters, such as `?1750,4`.
fn is_one_value(query: &str) -> bool {
    !query.contains('=') && query.bytes().any(|byte| byte != b'&')
}

fn empty_param(key: &mut Key) -> bool {
    let Some(query) = key.query() else { return false };
    let is_empty = |pair: &&str| pair.is_empty() || pair.starts_with('=');
    if is_one_value(query) || !query.split('&').any(|pair| is_empty(&pair)) {
        return false;
    }
    let kept: Vec<&str> = query.split('&').filter(|pair| !is_empty(pair)).collect();
    let kept = kept.join("&");
    replace_query(key, &kept);
    true
}

fn sort(key: &mut Key) -> bool {
    fn name(pair: &str) -> &str {
        pair.split_once('=').map_or(pair, |(name, _)| name)
    }
    let Some(query) = key.query() else { return false };
    if is_one_value(query) || query.split('&').is_sorted_by_key(name) {
        return false;
    }
    let mut pairs: Vec<&str> = query.split('&').collect();
    pairs.sort_by_key(|pair| name(pair));
    let sorted = pairs.join("&");
    replace_query(key, &sorted);
    true
}

fn hashbang(key: &mut Key) -> bool {
    let end = key.parts.query.as_ref().map_or(key.parts.path.end, |query| query.end);
    let has_fragment = end < key.text.len();
    key.text.truncate(end);
    has_fragment
}
