//! A part of a number: decimal digits of any script, and what is written before and behind them.
//!
//! Not for numbers of several parts: `number` reads those.
//!
//! Source: written for this project. Cost: linear in the token.

/// The zeros of the decimal digits that pages use, next to those of ASCII.
const ZEROS: [u32; 19] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x17E0, 0x1810, 0xFF10,
];

/// The value of a decimal digit of any script.
pub(super) fn digit(c: char) -> Option<u32> {
    c.to_digit(10).or_else(|| {
        let code = u32::from(c);
        let zero = ZEROS.iter().find(|&&zero| (zero..zero + 10).contains(&code))?;
        Some(code - zero)
    })
}

/// Decimal digits at the start of a token and what follows them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part<'t> {
    pub(super) value: u64,
    /// How many digits.
    pub(super) width: usize,
    /// What stands before the digits.
    pub(super) prefix: &'t str,
    /// What stands behind them.
    pub(super) suffix: &'t str,
}

impl<'t> Part<'t> {
    pub(super) fn read(token: &'t str) -> Self {
        let start = token.find(|c| digit(c).is_some()).unwrap_or(token.len());
        let (prefix, rest) = token.split_at(start);
        let end = rest.find(|c| digit(c).is_none()).unwrap_or(rest.len());
        let (digits, suffix) = rest.split_at(end);
        let mut part = Part { value: 0, width: 0, prefix, suffix };
        for value in digits.chars().filter_map(digit) {
            part.value = part.value.saturating_mul(10).saturating_add(value.into());
            part.width += 1;
        }
        part
    }

    pub(super) fn is_plain(&self) -> bool {
        self.width > 0 && self.prefix.is_empty() && self.suffix.is_empty()
    }

    /// A year of any calendar in use.
    pub(super) fn is_year(&self) -> bool {
        self.width == 4 && (1300..2700).contains(&self.value)
    }

    /// A year before there were pages: of a birth, a battle, a law.
    pub(super) fn is_past(&self) -> bool {
        self.is_year() && (1500..1990).contains(&self.value)
    }

    pub(super) fn is_day(&self) -> bool {
        (1..=2).contains(&self.width) && (1..=31).contains(&self.value)
    }

    pub(super) fn is_month(&self) -> bool {
        (1..=2).contains(&self.width) && (1..=12).contains(&self.value)
    }
}

/// "boost_1_74_0": numbers between underscores, none of them part of a word.
pub(super) fn is_underlined(part: &Part) -> bool {
    let numbers = |part: &str| !part.is_empty() && part.chars().all(|c| digit(c).is_some());
    let is_apart = part.prefix.is_empty() || part.prefix.ends_with('_');
    is_apart && part.suffix.strip_prefix('_').is_some_and(|rest| rest.split('_').all(numbers))
}

/// "20240501".
pub(super) fn is_compact(part: &Part) -> bool {
    let (year, month, day) = (part.value / 10_000, part.value / 100 % 100, part.value % 100);
    part.width == 8
        && (1900..2100).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
}
