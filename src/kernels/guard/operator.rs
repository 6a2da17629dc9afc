//! Whether two runs of signs between equal tokens mean different things.
//!
//! `operator+` and `operator-`, `==` and `!=`, C and C++, €5 and $5 have equal tokens. Commas,
//! quotes, dashes, bullets and the signs of a menu's path do not count.
//!
//! Source: written for this project. Cost: linear in the signs.

use super::super::difference::Words;
use super::number::{is_currency, is_number};

/// Signs that stand between the steps of a path or the items of a row, too.
const ROW: [char; 5] = ['>', '/', '|', '*', '-'];

/// Whether the signs before token `x` of one text and token `y` of the other differ in meaning.
pub(super) fn differ(left: &Words, x: usize, right: &Words, y: usize) -> bool {
    let (a, b) = (Signs::before(left, x), Signs::before(right, y));
    a.currency != b.currency || a.brackets != b.brackets || differ_in_signs(&a, &b)
}

/// The signs of one place that can mean something.
struct Signs {
    /// Operators, in order.
    operators: String,
    currency: String,
    /// Empty brackets: a call or an index.
    brackets: String,
    /// A minus sign before a number.
    is_negative: bool,
    /// The operators touch the word before or behind.
    is_attached: bool,
}

impl Signs {
    fn before(words: &Words, at: usize) -> Signs {
        let gap = words.gap(at);
        let is_operator = |&c: &char| {
            matches!(c, '+' | '-' | '=' | '<' | '>' | '*' | '/' | '%' | '&' | '|' | '^' | '~' | '#')
                || matches!(
                    c,
                    '!' | '±' | '×' | '÷' | '≠' | '≤' | '≥' | '¬' | '∧' | '∨' | '∈' | '∉'
                )
        };
        let mut operators: String = gap.chars().filter(is_operator).collect();
        // An exclamation mark negates what it touches and is not.
        let negates = gap.contains("!=") || gap.ends_with('!') && gap != "!";
        if !negates {
            operators.retain(|c| c != '!');
        }
        let is_minus = gap.ends_with(['-', '−']) && (gap.len() > 1 || at == 0);
        let touches = |c: Option<char>| c.is_some_and(|c| is_operator(&c));
        let is_behind = touches(gap.chars().next_back()) && at < words.len();
        Signs {
            operators,
            currency: gap.chars().filter(|&c| is_currency(c)).collect(),
            brackets: ["()", "[]"].iter().filter(|pair| gap.contains(**pair)).copied().collect(),
            is_negative: is_minus && is_number(words.token(at)),
            is_attached: touches(gap.chars().next()) && at > 0 || is_behind,
        }
    }
}

fn differ_in_signs(a: &Signs, b: &Signs) -> bool {
    if a.is_negative != b.is_negative {
        return true;
    }
    if a.operators == b.operators {
        return false;
    }
    let is_row = |signs: &Signs| {
        signs.operators.chars().all(|c| ROW.contains(&c)) && !signs.operators.contains("||")
    };
    match (a.operators.is_empty(), b.operators.is_empty()) {
        (false, false) => !(is_row(a) && is_row(b)) || a.is_attached && b.is_attached,
        (true, _) => !is_row(b) && is_alone_meant(b),
        (_, true) => !is_row(a) && is_alone_meant(a),
    }
}

/// Operators that mean something where the other text has none.
fn is_alone_meant(signs: &Signs) -> bool {
    signs.operators != "&" && signs.is_attached
        || signs.operators.contains(['=', '<', '≠', '≤', '≥', '±', '×', '÷'])
}
