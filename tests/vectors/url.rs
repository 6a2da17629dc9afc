//! Values that public sources expect of URLs, where the collection lies beside the package.
//!
//! The rows that matter are frozen by value in `testdata/method/url_key_v1.tsv`; here the whole
//! collection is read, so that a row that is neither right nor an exception with a reason fails.

use std::fs;
use std::path::{Path, PathBuf};

use selfsame::kernels::url::{
    Key, Policy, Rule, Rules, canonical_key, canonical_key_with_surt, resolved,
};
use serde_json::Value;

/// The collection, or `None` where it is not there.
fn collection() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors/url");
    let folder = std::env::var_os("SELFSAME_URL_VECTORS").map_or(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// The rows of one file; none where the collection is not there.
fn rows(name: &str) -> Vec<Value> {
    let Some(folder) = collection() else { return Vec::new() };
    let text = fs::read_to_string(folder.join(format!("{name}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'r>(row: &'r Value, field: &str) -> Option<&'r str> {
    row.get(field).and_then(Value::as_str)
}

fn input(row: &Value) -> &str {
    text(row, "input").unwrap()
}

fn is_peer_only(row: &Value) -> bool {
    row.get("peer_only").and_then(Value::as_bool) == Some(true)
}

/// The key, or the name of the reason in brackets.
fn key_of(url: &str, policy: Policy) -> String {
    let mut key = Key::new();
    match canonical_key(url, policy, &mut key) {
        Ok(()) => key.as_str().to_owned(),
        Err(refused) => format!("({})", refused.name()),
    }
}

fn surt_of(url: &str) -> String {
    let (mut key, mut surt) = (Key::new(), String::new());
    match canonical_key_with_surt(url, Policy::ALL, &mut key, &mut surt) {
        Ok(()) => surt,
        Err(refused) => format!("({})", refused.name()),
    }
}

/// The rows that are right for a reason that the collection does not share.
fn exceptions(name: &str) -> Vec<(String, String, String)> {
    let table = include_str!("url_exceptions.tsv");
    let rows = table.lines().skip(1).map(|line| {
        let mut cells = line.split('\t').map(String::from);
        let [file, input, expected, reason] = [(); 4].map(|()| cells.next().unwrap());
        assert!(cells.next().is_none() && !reason.is_empty(), "{line}");
        (file, unescaped(&input), unescaped(&expected))
    });
    rows.filter(|(file, _, _)| file == name).collect()
}

fn unescaped(cell: &str) -> String {
    let mut text = cell.replace("\\t", "\t").replace("\\n", "\n");
    while let Some((before, rest)) = text.split_once("\\u{") {
        let (digits, after) = rest.split_once('}').unwrap();
        let letter = char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap();
        text = format!("{before}{letter}{after}");
    }
    text.replace("\\\\", "\\")
}

/// Checks each row; `found` gives what may be compared with the value expected, best first.
fn check(name: &str, expected: &str, found: impl Fn(&Value) -> Option<(Vec<String>, String)>) {
    let known = exceptions(name);
    let (mut used, mut faults) = (vec![false; known.len()], Vec::new());
    let rows = rows(name);
    for row in &rows {
        let Some((found, wanted)) = found(row) else { continue };
        let raw = text(row, expected).unwrap_or("null");
        let place = known.iter().position(|(_, url, value)| url == input(row) && value == raw);
        let is_right = found.contains(&wanted);
        match place {
            Some(place) if !is_right => used[place] = true,
            Some(_) => faults.push(format!("{}\tno exception any more", input(row))),
            None if !is_right => faults.push(format!("{name}\t{}\t{raw}\t{found:?}", input(row))),
            None => {}
        }
    }
    let unused = known.iter().zip(&used).filter(|(_, used)| !**used && !rows.is_empty());
    faults.extend(unused.map(|((_, url, _), _)| format!("{url}\texception of no row")));
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// What a row of the safe files stands for: a URL, or a path or host put into one.
fn safe_pair(row: &Value, expected: &str) -> (Vec<String>, String) {
    let given = input(row);
    let wanted = text(row, expected);
    let around = |part: &str| match text(row, "kind") {
        Some("path") => format!("http://example.com{part}"),
        Some("host") => format!("http://{part}/"),
        _ => part.to_owned(),
    };
    let found = match text(row, "base") {
        None => key_of(&around(given), Policy::SAFE),
        Some(base) => match resolved(base, given) {
            Ok(url) => key_of(&url, Policy::SAFE),
            Err(refused) => format!("({})", refused.name()),
        },
    };
    match wanted {
        None => {
            let is_refused = found.starts_with('(');
            (vec![if is_refused { "null".to_owned() } else { found }], "null".to_owned())
        }
        Some(wanted) => (vec![found], around(wanted)),
    }
}

#[test]
fn safe() {
    check("safe", "expected", |row| {
        if is_peer_only(row) {
            let _ = safe_pair(row, "expected");
            return None;
        }
        let (found, wanted) = safe_pair(row, "expected");
        // A path without a leading slash, and one with backslashes, is read inside a URL.
        let wanted = if wanted == "null" { wanted } else { wanted.replace('\\', "/") };
        Some((found, wanted))
    });
}

#[test]
fn resolve() {
    check("resolve", "expected", |row| {
        let found = resolved(text(row, "base").unwrap(), input(row)).unwrap();
        (!is_peer_only(row)).then(|| (vec![found], text(row, "expected").unwrap().to_owned()))
    });
}

/// Parsing is compared through the safe key: the serialised URL must have the same one.
#[test]
fn whatwg() {
    check("whatwg", "expected", |row| {
        let (found, wanted) = safe_pair(row, "expected");
        let is_value = wanted != "null";
        Some((found, if is_value { key_of(&wanted, Policy::SAFE) } else { wanted }))
    });
}

#[test]
fn disputed() {
    check("disputed", "expected", |row| Some(safe_pair(row, "expected")));
}

/// The answer as it is written, where it is a URL; else what its words say, in the table below.
#[test]
fn reported() {
    let web = Policy::WEB;
    check("reported", "right", |row| {
        let right = text(row, "right").unwrap();
        let given = input(row);
        let head = right.split(" (").next().unwrap();
        let (policy, wanted) = match right {
            _ if right.starts_with("unchanged") => (web, given),
            _ if right.contains("sort profile") => (Policy::SAFE.with(Rule::Sort), head),
            _ if right.starts_with("heuristic:session") => (web, right.split_once(": ").unwrap().1),
            _ if right.starts_with("never strip") => (Policy::SAFE.with(Rule::Www), given),
            _ if right.starts_with("safe keeps") => (Policy::SAFE, given),
            _ if right.starts_with("here ';'") => (web, given),
            _ => (Policy::SAFE, head),
        };
        Some((vec![key_of(given, policy)], key_of(wanted, Policy::SAFE)))
    });
}

/// The policies that a profile of the collection may mean; where peers differ in what they call
/// a rule, one of them has to give the value.
fn candidates(profile: &str) -> Vec<Policy> {
    let mut found = vec![Policy::SAFE];
    for part in profile.split('+') {
        let rules: &[&[Rule]] = match part.trim_start_matches("heuristic:") {
            "tracking" => &[&[Rule::Tracking]],
            "session" => &[&[Rule::Session]],
            "sort" => &[&[Rule::Sort]],
            "userinfo" => &[&[Rule::Userinfo]],
            "emptyparam" => &[&[Rule::EmptyParam]],
            "hashbang" => &[&[Rule::Hashbang]],
            "hostdot" => &[&[Rule::HostDot], &[Rule::EmptyLabel, Rule::HostDot]],
            "host" => &[&[Rule::Www]],
            "scheme-guess" => &[&[Rule::SchemeGuess], &[Rule::SchemeGuess, Rule::Scheme]],
            "slash" => &[
                &[Rule::TrailingSlash],
                &[Rule::SlashRun],
                &[Rule::IndexName],
                &[Rule::IndexName, Rule::TrailingSlash],
                &[Rule::SlashRun, Rule::TrailingSlash],
                &[],
            ],
            other => panic!("profile {other}"),
        };
        found = found
            .iter()
            .flat_map(|policy| {
                rules.iter().map(|rules| rules.iter().fold(*policy, |all, rule| all.with(*rule)))
            })
            .collect();
    }
    found
}

#[test]
fn heuristic() {
    check("heuristic", "expected", |row| {
        let around = |part: &str| match text(row, "kind") {
            Some("query") => format!("http://example.com/?{part}"),
            Some("path") => format!("http://example.com{part}"),
            _ => part.to_owned(),
        };
        let given = around(input(row));
        let policies = candidates(text(row, "profile").unwrap());
        let found: Vec<String> = policies.iter().map(|&policy| key_of(&given, policy)).collect();
        let wanted = around(text(row, "expected").unwrap());
        // A peer may leave the path of the root empty.
        (!is_peer_only(row)).then(|| (found, key_of(&wanted, Policy::SAFE)))
    });
}

/// A value in the form of a URL is compared through its own index key.
#[test]
fn surt() {
    check("surt", "expected", |row| {
        let wanted = text(row, "expected").unwrap();
        let is_url =
            ["http://", "https://", "ftp://"].iter().any(|start| wanted.starts_with(start));
        let wanted = match wanted.strip_prefix("http://(") {
            Some(key) => key.to_owned(),
            None if is_url => plain_surt(wanted),
            None => wanted.to_owned(),
        };
        let given = input(row);
        let given = if given.contains(':') { given.to_owned() } else { format!("http://{given}") };
        Some((vec![surt_of(&given)], wanted))
    });
}

/// `url` with its host reversed and nothing else changed.
fn plain_surt(url: &str) -> String {
    let (_, rest) = url.split_once("://").unwrap();
    let (authority, path) = rest.split_at(rest.find('/').unwrap());
    let (host, port) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
    let labels: Vec<&str> = host.rsplit('.').collect();
    format!("{}{port}){path}", labels.join(","))
}

/// A key of a key is itself under every policy, on every input of the collection.
#[test]
fn keys_are_stable() {
    let names = ["safe", "resolve", "whatwg", "disputed", "reported", "heuristic", "surt"];
    let single = Rules::HEURISTIC.iter().map(|rule| Policy::SAFE.with(rule));
    let policies: Vec<_> = single.chain([Policy::SAFE, Policy::WEB, Policy::ALL]).collect();
    for row in names.iter().flat_map(|name| rows(name)) {
        for field in ["input", "base", "expected", "right"] {
            for &policy in &policies {
                let Some(url) = text(&row, field) else { continue };
                let key = key_of(url, policy);
                if !key.starts_with('(') {
                    assert_eq!(key_of(&key, policy), key, "{url} under {policy:?}");
                }
            }
        }
    }
}
