//! Rust sources as text: what is code, where a function starts and ends.

/// `text` with comments, strings and character literals blanked out; lines stay where they are.
pub(crate) fn code_of(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = skipped(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
            continue;
        }
        code.extend(chars[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
        at = end;
    }
    code
}

/// Where the comment, string or character literal that starts at `at` ends; `at` if there is none.
fn skipped(chars: &[char], at: usize) -> usize {
    let is = |offset: usize, wanted: char| chars.get(at + offset) == Some(&wanted);
    let find = |from: usize, wanted: &str| {
        let wanted: Vec<char> = wanted.chars().collect();
        let mut places = from..chars.len();
        places
            .find(|&place| chars[place..].starts_with(&wanted))
            .map_or(chars.len(), |place| place + wanted.len())
    };
    match chars[at] {
        '/' if is(1, '/') => find(at, "\n") - 1,
        '/' if is(1, '*') => find(at + 2, "*/"),
        'r' if (is(1, '"') || is(1, '#')) && !follows_a_word(chars, at) => {
            let hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
            if !is(1 + hashes, '"') {
                return at;
            }
            find(at + 2 + hashes, &format!("\"{}", "#".repeat(hashes)))
        }
        '"' => string_end(chars, at + 1, '"'),
        '\'' if is(1, '\\') || is(2, '\'') => string_end(chars, at + 1, '\''),
        _ => at,
    }
}

fn follows_a_word(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

fn string_end(chars: &[char], mut at: usize, quote: char) -> usize {
    while at < chars.len() && chars[at] != quote {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

/// Functions of `code` (see [`code_of`]): name, first line from 1, number of lines.
pub(crate) fn functions(code: &str) -> Vec<(String, usize, usize)> {
    let lines: Vec<&str> = code.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let (mut depth, mut has_body) = (0i64, false);
        for (length, line) in lines[at..].iter().enumerate() {
            for character in line.chars() {
                match character {
                    '{' => (depth, has_body) = (depth + 1, true),
                    '}' => depth -= 1,
                    _ => {}
                }
            }
            if has_body && depth <= 0 {
                found.push((name, at + 1, length + 1));
                break;
            }
            if !has_body && line.trim_end().ends_with(';') {
                break;
            }
        }
    }
    found
}

fn function_name(line: &str) -> Option<String> {
    let mut words = line.split_whitespace().skip_while(|word| {
        ["pub", "pub(super)", "pub(crate)", "const", "async", "unsafe"].contains(word)
    });
    if words.next() != Some("fn") {
        return None;
    }
    let name: String =
        words.next()?.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(name)
}

/// Paths that `code` names: each a list of parts (`crate`, `engine`, `store`) with its line.
pub(crate) fn paths(code: &str) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    let mut statement: Option<(usize, String)> = None;
    for (at, line) in code.lines().enumerate() {
        let trimmed = line.trim_start();
        let trimmed = trimmed.strip_prefix("pub(super) ").unwrap_or(trimmed);
        let trimmed = trimmed.strip_prefix("pub ").unwrap_or(trimmed);
        if statement.is_none() {
            match trimmed.strip_prefix("use ") {
                Some(rest) => statement = Some((at + 1, rest.to_owned())),
                None => found.extend(inline(line).into_iter().map(|path| (at + 1, path))),
            }
        } else if let Some((_, text)) = &mut statement {
            text.push_str(trimmed);
        }
        if let Some((line, text)) = statement.take_if(|(_, text)| text.contains(';')) {
            let text = text.split(';').next().unwrap_or_default().to_owned();
            expand(&[], &text, &mut |path| found.push((line, path)));
        }
    }
    found
}

/// Writes `a::{b, c::d}` out as the paths that it stands for.
fn expand(prefix: &[String], text: &str, emit: &mut impl FnMut(Vec<String>)) {
    let text = text.trim();
    let Some((head, tail)) = text.split_once('{') else {
        let parts = text.split("::").map(|part| part.trim().to_owned());
        emit(prefix.iter().cloned().chain(parts.filter(|part| !part.is_empty())).collect());
        return;
    };
    let parts = head.split("::").map(|part| part.trim().to_owned());
    let prefix: Vec<String> =
        prefix.iter().cloned().chain(parts.filter(|part| !part.is_empty())).collect();
    let tail = tail.trim_end().strip_suffix('}').unwrap_or(tail);
    let (mut depth, mut start) = (0, 0);
    for (at, character) in tail.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&prefix, &tail[start..at], emit);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !tail[start..].trim().is_empty() {
        expand(&prefix, &tail[start..], emit);
    }
}

/// Paths of two parts or more on a line that is no `use`.
fn inline(line: &str) -> Vec<Vec<String>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    line.split(|c| !is_word(c))
        .filter(|text| text.contains("::") && !text.starts_with(':'))
        .map(|text| text.split("::").map(str::to_owned).collect())
        .collect()
}

#[test]
fn code_is_told_from_text() {
    let text = "let a = \"fn x() {\"; // }\nlet b = r#\"{\"#; let c = '{'; let d = &'a str;";
    let code = code_of(text);
    assert_eq!(code.matches('{').count() + code.matches('}').count(), 0, "{code}");
    assert!(code.contains("&'a str") && code.lines().count() == 2);
}

#[test]
fn paths_are_written_out() {
    let code = "use a::{b, c::{self, D}};\nlet x = e::f(g::H);\n";
    let found: Vec<String> = paths(code).into_iter().map(|(_, path)| path.join("::")).collect();
    assert_eq!(found, ["a::b", "a::c::self", "a::c::D", "e::f", "g::H"]);
}
