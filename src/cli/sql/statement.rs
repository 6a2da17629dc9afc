//! Where a SQL statement ends, by quotes and comments.

/// What the reader is inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Quote(char),
    Line,
    Block,
}

/// The ends of the statements of `text`: positions of the semicolons, and whether it breaks off
/// inside a quote or a comment.
fn ends(text: &str) -> (Vec<usize>, bool) {
    let mut ends = Vec::new();
    let mut inside = Inside::Nothing;
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let next = signs.peek().map(|&(_, next)| next);
        let two = (sign, next);
        inside = match (inside, two) {
            (Inside::Nothing, ('\'' | '"' | '`', _)) => Inside::Quote(sign),
            (Inside::Nothing, ('-', Some('-'))) => Inside::Line,
            (Inside::Nothing, ('/', Some('*'))) => {
                signs.next();
                Inside::Block
            }
            (Inside::Nothing, (';', _)) => {
                ends.push(at);
                Inside::Nothing
            }
            (Inside::Quote(quote), (sign, _)) if quote == sign => Inside::Nothing,
            (Inside::Line, ('\n', _)) => Inside::Nothing,
            (Inside::Block, ('*', Some('/'))) => {
                signs.next();
                Inside::Nothing
            }
            (inside, _) => inside,
        };
    }
    (ends, matches!(inside, Inside::Quote(_) | Inside::Block))
}

/// The statements of `text`, without semicolons and empty ones.
pub(super) fn split(text: &str) -> Vec<&str> {
    let (ends, _) = ends(text);
    let mut statements = Vec::new();
    let mut start = 0;
    for end in ends.into_iter().chain([text.len()]) {
        statements.push(text.get(start..end).unwrap_or_default().trim());
        start = end + 1;
    }
    statements.retain(|statement| !statement.is_empty());
    statements
}

/// Whether `text`, as it is typed, can be run: its last statement ends with a semicolon.
pub(super) fn is_complete(text: &str) -> bool {
    let (ends, is_broken_off) = ends(text);
    let start = ends.last().map_or(0, |&end| end + 1);
    let rest = text.get(start..).unwrap_or_default();
    let is_blank = rest.lines().all(|line| {
        let line = line.trim();
        line.is_empty() || line.starts_with("--")
    });
    !is_broken_off && is_blank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_at_semicolons_outside_of_quotes_and_comments() {
        let text = "select ';'; -- a ; b\nselect \"x;\" /* ; */ from t;\n;";
        assert_eq!(split(text), ["select ';'", "-- a ; b\nselect \"x;\" /* ; */ from t"]);
        assert_eq!(split("select 'it''s;'"), ["select 'it''s;'"]);
        assert!(split(" ; ;").is_empty());
    }

    #[test]
    fn a_statement_goes_on_until_its_semicolon() {
        assert!(is_complete("select 1;"));
        assert!(is_complete("select 1; -- done"));
        assert!(is_complete("  "));
        assert!(!is_complete("select 1"));
        assert!(!is_complete("select ';"));
        assert!(!is_complete("select 1; /* "));
    }
}
