//! Numbers that identify: check digits, prices, and what only holds the place of a number.
//!
//! Source: ISO 17442 and ISO 7064 (LEI), the tax service's rules for INN and OGRN, GS1 (GTIN),
//! ISO 2108 (ISBN), INSEE (Luhn for SIREN and SIRET), GB 32100-2015, ATO (ABN), Receita Federal
//! (CNPJ), the VAT checks as the tax offices of each country publish them.

/// The value of each decimal digit of `text`; none where it holds anything else.
fn values(text: &str) -> Option<Vec<u32>> {
    text.chars().map(|sign| sign.to_digit(10)).collect()
}

fn weighted(values: &[u32], weights: &[u32]) -> u32 {
    values.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

fn at(values: &[u32], place: usize) -> Option<u32> {
    values.get(place).copied()
}

/// The remainder of a decimal number of any length.
fn remainder(values: &[u32], modulus: u32) -> u32 {
    values.iter().fold(0, |rest, value| (rest * 10 + value) % modulus)
}

/// Whether all digits are one, or the number counts up or down from its first digit.
pub(super) fn is_filler(digits: &str) -> bool {
    let bytes = digits.as_bytes();
    let steps = || bytes.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
    if bytes.len() < 3 {
        return false;
    }
    let up = |(left, right): (u8, u8)| right == left + 1 || (left == b'9' && right == b'0');
    let down = |(left, right): (u8, u8)| left == right + 1 || (left == b'0' && right == b'9');
    steps().all(|(left, right)| left == right) || steps().all(up) || steps().all(down)
}

/// Whether a token is what manuals write in place of one.
pub(super) fn is_placeholder(token: &str) -> bool {
    let upper = token.to_ascii_uppercase();
    let digits: String = token.chars().filter(char::is_ascii_digit).collect();
    let is_of_x = upper.bytes().all(|byte| matches!(byte, b'X' | b'Y' | b'Z' | b'0' | b'-'));
    let is_word = ["XXXX", "YOUR", "EXAMPLE", "ABCDEF", "ABC123", "CHANGE", "TODO", "REPLACE"]
        .iter()
        .any(|word| upper.contains(word));
    let is_one_sign =
        upper.len() > 2 && upper.bytes().all(|byte| upper.as_bytes().first() == Some(&byte));
    let is_number = digits.len() == token.len();
    is_of_x || is_word || is_one_sign || (is_number && is_filler(&digits))
}

fn luhn(values: &[u32]) -> bool {
    let double = |value: u32| if value > 4 { value * 2 - 9 } else { value * 2 };
    let places = values.iter().rev().enumerate();
    let sum: u32 =
        places.map(|(place, value)| if place % 2 == 1 { double(*value) } else { *value }).sum();
    sum.is_multiple_of(10) && values.iter().any(|value| *value > 0)
}

/// French company number.
pub(super) fn is_siren(text: &str) -> bool {
    values(text).is_some_and(|values| values.len() == 9 && luhn(&values))
}

/// French establishment number: company number and five digits. Those of La Poste have a check
/// of their own, the plain sum.
pub(super) fn is_siret(text: &str) -> bool {
    let Some(values) = values(text).filter(|values| values.len() == 14) else { return false };
    let is_post = text.starts_with("356000000") && values.iter().sum::<u32>() % 5 == 0;
    luhn(&values) || is_post
}

/// Russian taxpayer number.
pub(super) fn is_inn(text: &str) -> bool {
    const WEIGHTS: [u32; 11] = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];
    let Some(values) = values(text) else { return false };
    let check = |skip: usize, place: usize| {
        let weights = WEIGHTS.get(skip..).unwrap_or_default();
        at(&values, place) == Some(weighted(&values, weights) % 11 % 10)
    };
    let is_right = match values.len() {
        10 => check(2, 9),
        12 => check(1, 10) && check(0, 11),
        _ => false,
    };
    is_right && values.iter().any(|value| *value > 0)
}

/// Russian company register.
pub(super) fn is_ogrn(text: &str) -> bool {
    let Some(values) = values(text) else { return false };
    let modulus = match values.len() {
        13 => 11,
        15 => 13,
        _ => return false,
    };
    let (number, check) = values.split_at(values.len() - 1);
    let starts = matches!(at(&values, 0), Some(1..=5));
    starts && check.first() == Some(&(remainder(number, modulus) % 10))
}

/// Polish tax number.
pub(super) fn is_nip(text: &str) -> bool {
    let Some(values) = values(text).filter(|values| values.len() == 10) else { return false };
    let sum = weighted(&values, &[6, 5, 7, 2, 3, 4, 5, 6, 7]);
    at(&values, 9) == Some(sum % 11) && values.iter().any(|value| *value > 0)
}

/// Australian business number.
pub(super) fn is_abn(text: &str) -> bool {
    let Some(values) = values(text).filter(|values| values.len() == 11) else { return false };
    let sum = weighted(&values, &[10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
    at(&values, 0) > Some(0) && sum > 10 && (sum - 10).is_multiple_of(89)
}

/// Brazilian company number.
pub(super) fn is_cnpj(text: &str) -> bool {
    const WEIGHTS: [u32; 13] = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
    let Some(values) = values(text).filter(|values| values.len() == 14) else { return false };
    let check = |skip: usize, place: usize| {
        let rest = weighted(&values, WEIGHTS.get(skip..).unwrap_or_default()) % 11;
        at(&values, place) == Some(if rest < 2 { 0 } else { 11 - rest })
    };
    check(1, 12) && check(0, 13) && !is_filler(text)
}

/// Legal entity identifier.
pub(super) fn is_lei(text: &str) -> bool {
    if text.len() != 20 || !text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return false;
    }
    let rest = text.chars().filter_map(|sign| sign.to_digit(36)).fold(0, |rest, value| {
        if value < 10 { (rest * 10 + value) % 97 } else { (rest * 100 + value) % 97 }
    });
    rest == 1 && text.bytes().rev().take(2).all(|byte| byte.is_ascii_digit())
}

/// Chinese unified social credit code.
pub(super) fn is_uscc(text: &str) -> bool {
    const SIGNS: &str = "0123456789ABCDEFGHJKLMNPQRTUWXY";
    const WEIGHTS: [u32; 17] = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];
    let value = |sign: char| SIGNS.find(sign).and_then(|place| u32::try_from(place).ok());
    let Some(values) = text.chars().map(value).collect::<Option<Vec<u32>>>() else { return false };
    let check = (31 - weighted(&values, &WEIGHTS) % 31) % 31;
    values.len() == 18 && at(&values, 17) == Some(check) && text.contains(|sign| sign != '0')
}

/// A VAT number with the letters of its country, its check digits right where they are known.
pub(super) fn is_vat(text: &str) -> bool {
    let Some((country, number)) = text.split_at_checked(2) else { return false };
    let digits = values(number);
    let has = |count: usize| digits.as_ref().is_some_and(|values| values.len() == count);
    let ends = |modulus: u32, check: fn(u32) -> u32| {
        let (start, end) = number.split_at_checked(number.len().saturating_sub(2))?;
        let rest = remainder(&values(start)?, modulus);
        Some(end.parse::<u32>().ok()? == check(rest))
    };
    match country {
        "DE" => has(9) && is_mod_11_10(number),
        "FR" => has(11) && is_vat_fr(number),
        "PL" => is_nip(number),
        "IT" => has(11) && digits.is_some_and(|values| luhn(&values)),
        "BE" => has(10) && ends(97, |rest| 97 - rest) == Some(true),
        "AT" => is_vat_at(number),
        "NL" => number.len() == 12 && number.get(9..10) == Some("B"),
        "GB" => (has(9) || has(12)) && digits.is_some_and(|values| is_vat_gb(&values)),
        "ES" => number.len() == 9 && number.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        "DK" | "FI" | "HU" | "LU" | "MT" | "SI" => has(8),
        "EE" | "EL" | "PT" => has(9),
        "HR" => has(11) && is_mod_11_10(number),
        "SE" => has(12) && number.ends_with("01"),
        "CZ" => has(8) || has(9) || has(10),
        "SK" => has(10),
        "RO" => (2..=10).contains(&number.len()) && digits.is_some(),
        "BG" => has(9) || has(10),
        "LT" => has(9) || has(12),
        "LV" => has(11),
        "CY" | "IE" => {
            (8..=9).contains(&number.len()) && number.bytes().any(|b| b.is_ascii_digit())
        }
        _ => false,
    }
}

/// ISO 7064 mod 11,10: the last digit checks the others.
fn is_mod_11_10(text: &str) -> bool {
    let Some(values) = values(text) else { return false };
    let Some((check, rest)) = values.split_last() else { return false };
    let product = rest.iter().fold(10, |product, value| {
        let sum = (value + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    let wanted = (11 - product) % 10;
    *check == wanted && at(&values, 0) > Some(0)
}

fn is_vat_fr(number: &str) -> bool {
    let Some((key, siren)) = number.split_at_checked(2) else { return false };
    let Some(values) = values(siren) else { return false };
    let wanted = (12 + 3 * remainder(&values, 97)) % 97;
    is_siren(siren) && key.parse() == Ok(wanted)
}

/// The last two of nine digits check the others, by the rule of before or after 2010.
fn is_vat_gb(values: &[u32]) -> bool {
    let sum = weighted(values, &[8, 7, 6, 5, 4, 3, 2, 10, 1]);
    sum.is_multiple_of(97) || (sum + 55).is_multiple_of(97)
}

fn is_vat_at(number: &str) -> bool {
    let Some(values) = number.strip_prefix('U').and_then(values) else { return false };
    let double = |value: u32| value * 2 / 10 + value * 2 % 10;
    let places = values.iter().take(7).enumerate();
    let sum: u32 =
        places.map(|(place, value)| if place % 2 == 1 { double(*value) } else { *value }).sum();
    values.len() == 8 && at(&values, 7) == Some((96 - sum % 10) % 10)
}

/// The digits of a GTIN, EAN, UPC or ISBN whose check digit is right.
pub(super) fn gtin(written: &str) -> Option<String> {
    let digits: String = written
        .chars()
        .filter(|sign| !sign.is_whitespace() && !matches!(sign, '-' | '\u{2010}'..='\u{2013}'))
        .map(|sign| sign.to_ascii_uppercase())
        .collect();
    let (number, check) = digits.split_at_checked(digits.len().checked_sub(1)?)?;
    let number = values(number)?;
    let is_right = match digits.len() {
        8 | 12 | 13 | 14 => {
            let places = number.iter().rev().enumerate();
            let sum: u32 =
                places.map(|(place, value)| value * if place % 2 == 0 { 3 } else { 1 }).sum();
            check.parse() == Ok((10 - sum % 10) % 10)
        }
        10 => {
            let sum = weighted(&number, &[10, 9, 8, 7, 6, 5, 4, 3, 2]);
            let wanted = (11 - sum % 11) % 11;
            if wanted == 10 { check == "X" } else { check.parse() == Ok(wanted) }
        }
        _ => false,
    };
    (is_right && number.iter().any(|value| *value > 0)).then_some(digits)
}

/// A price as a decimal number with at least two decimals.
///
/// A point before three digits is a decimal point where `is_machine` says that the value was
/// written for programs, and divides thousands where it was written for people.
pub(super) fn price(written: &str, is_machine: bool) -> Option<String> {
    let start = written.find(|sign: char| sign.is_ascii_digit())?;
    if written.get(..start)?.trim_end().ends_with(['-', '−']) {
        return None;
    }
    let written = written.get(start..)?;
    let is_part = |sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ',' | '\'' | '’');
    let is_space = |sign: char| matches!(sign, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let end = written.find(|sign: char| !is_part(sign) && !is_space(sign));
    let number = written.get(..end.unwrap_or(written.len()))?;
    // An exponent or a range is no price.
    let behind = written.get(number.len()..)?;
    if behind.strip_prefix(['e', 'E', '-', '–']).is_some_and(|rest| {
        rest.trim_start_matches(['+', '-', ' ']).starts_with(|sign: char| sign.is_ascii_digit())
    }) {
        return None;
    }
    let number = number.trim_end_matches(|sign: char| !sign.is_ascii_digit());
    if number.len() > 24 {
        return None;
    }
    let (whole, decimals) = match decimal_mark(number, is_machine) {
        Some(place) => {
            let (whole, rest) = number.split_at_checked(place)?;
            (whole, rest.get(1..)?)
        }
        None => (number, ""),
    };
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    let whole = whole.trim_start_matches('0');
    let decimals = decimals.trim_end_matches('0');
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(format!("{whole}.{decimals:0<2}"))
}

/// Where the mark stands that divides whole from parts.
fn decimal_mark(number: &str, is_machine: bool) -> Option<usize> {
    let place = number.rfind(['.', ','])?;
    let mark = number.get(place..=place)?;
    let after = number.len() - place - 1;
    let is_only = number.find(['.', ',']) == Some(place);
    let is_repeated = !is_only && number.matches(mark).count() > 1;
    let is_decimal = match after {
        _ if is_repeated => false,
        3 if is_only => is_machine && mark == ".",
        1..=4 => true,
        _ => is_machine && mark == "." && is_only,
    };
    is_decimal.then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a number may be one of its kind.
    type Check = fn(&str) -> bool;

    #[test]
    fn numbers_of_known_holders_pass_and_their_neighbours_do_not() {
        let cases: &[(Check, &str, &str)] = &[
            (is_inn, "7707083893", "7707083894"),
            (is_inn, "500100732259", "500100732258"),
            (is_ogrn, "1027700132195", "1027700132196"),
            (is_ogrn, "304500116000157", "304500116000158"),
            (is_siren, "732829320", "732829321"),
            (is_siret, "73282932000074", "73282932000075"),
            (is_siret, "35600000049837", "35600000049838"),
            (is_nip, "5260250274", "5260250275"),
            (is_abn, "51824753556", "51824753557"),
            (is_cnpj, "33000167000101", "33000167000102"),
            (is_lei, "5493001KJTIIGC8Y1R12", "5493001KJTIIGC8Y1R13"),
            (is_uscc, "91350100M000100Y43", "91350100M000100Y44"),
            (is_vat, "DE136695976", "DE136695977"),
            (is_vat, "FR44732829320", "FR45732829320"),
            (is_vat, "ATU13585627", "ATU13585626"),
            (is_vat, "BE0428759497", "BE0428759498"),
            (is_vat, "IT00743110157", "IT00743110158"),
            (is_vat, "PL5260250274", "PL5260250275"),
            (is_vat, "GB716632831", "GB716632832"),
            (is_vat, "HR33392005961", "HR33392005962"),
        ];
        for (check, right, wrong) in cases {
            assert!(check(right), "{right}");
            assert!(!check(wrong), "{wrong}");
            assert!(!check(""), "empty beside {right}");
            assert!(!check("é1"), "letters beside {right}");
        }
    }

    #[test]
    fn product_numbers_are_digits_with_a_right_check() {
        assert_eq!(gtin("978-3-16-148410-0").as_deref(), Some("9783161484100"));
        assert_eq!(gtin("3-16-148410-X").as_deref(), Some("316148410X"));
        assert_eq!(gtin("4006381333931").as_deref(), Some("4006381333931"));
        assert_eq!(gtin("036000291452").as_deref(), Some("036000291452"));
        assert_eq!(gtin("96385074").as_deref(), Some("96385074"));
        for wrong in ["4006381333932", "0000000000000", "12", "", "abc", "日本"] {
            assert_eq!(gtin(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn prices_are_decimal_numbers() {
        let cases = [
            ("1299.00", true, Some("1299.00")),
            ("1299", true, Some("1299.00")),
            ("1.299", true, Some("1.299")),
            ("1.299", false, Some("1299.00")),
            ("1.299,00 €", false, Some("1299.00")),
            ("$1,299.50", false, Some("1299.50")),
            ("1,299", true, Some("1299.00")),
            ("1 299,5 zł", false, Some("1299.50")),
            ("CHF 1'299.–", false, Some("1299.00")),
            ("¥12,000,000", false, Some("12000000.00")),
            ("0.5", true, Some("0.50")),
            ("19,99", true, Some("19.99")),
            ("1\u{a0}299\u{202f}000 ₽", false, Some("1299000.00")),
            ("free", true, None),
            ("1e3", true, None),
            ("-5", true, None),
            ("12-15", true, None),
            ("", true, None),
        ];
        for (written, is_machine, expected) in cases {
            assert_eq!(price(written, is_machine).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn placeholders_are_known() {
        for token in ["XXXXXXX", "1234567", "12345", "0000000000000000", "9876543210", "YOUR_ID"] {
            assert!(is_placeholder(token), "{token}");
        }
        for token in ["S812YQPLT2", "52447", "407345290", "1234568", "W8JKW6"] {
            assert!(!is_placeholder(token), "{token}");
        }
    }
}
