//! Links with a meaning: neighbours in a series, other versions, profiles, telephone and mail.
//!
//! Source: WHATWG HTML (link types), RFC 3966 (`tel`), RFC 6068 (`mailto`), AMP documentation.

use dom_query::{Element, local_name};

use super::super::address::Base;
use super::number::is_filler;
use super::walk::attribute;
use super::{Facts, social};

/// Different print versions of one page; more are those of a list's members.
const PRINTS_MAX: usize = 3;

/// Reads the links of a page.
#[derive(Default)]
pub(super) struct Links {
    prints: Vec<String>,
}

impl Links {
    /// Reads a `link` element.
    pub(super) fn link(&mut self, element: &Element, base: &Base, facts: &mut Facts) {
        let (Some(rel), Some(href)) = (attribute(element, "rel"), attribute(element, "href"))
        else {
            return;
        };
        self.series(rel, href, "link", base, facts);
        if is_one_of(rel, &["amphtml"]) {
            facts.push_some("amp", base.web(href), "link");
        }
        if is_one_of(rel, &["me"]) {
            facts.push_some("social", social::profile(href, true), "link");
        }
        if is_one_of(rel, &["alternate"])
            && let Some(media) = attribute(element, "media")
        {
            let media = media.to_ascii_lowercase();
            if media.split([',', ' ']).any(|part| part == "print") {
                self.print(base.web(href));
            } else if ["max-width", "handheld"].iter().any(|word| media.contains(word)) {
                facts.push_some("alternate_media", base.web(href), "link");
            }
        }
    }

    /// Reads an `a` or `area` element.
    pub(super) fn anchor(
        &mut self,
        element: &Element,
        place: &'static str,
        base: &Base,
        facts: &mut Facts,
    ) {
        let (mut href, mut rel, mut class) = (None, "", "");
        for attribute in &element.attrs {
            match attribute.name.local {
                local_name!("href") => href = Some(attribute.value.trim()),
                local_name!("rel") => rel = &attribute.value,
                local_name!("class") => class = &attribute.value,
                _ => {}
            }
        }
        let Some(href) = href.filter(|href| href.len() <= 2_048) else { return };
        if let Some(number) = without_scheme(href, "tel:") {
            facts.push_some("phone", phone(number), place);
            return;
        }
        if let Some(addresses) = without_scheme(href, "mailto:") {
            for address in addresses.split('?').next().unwrap_or_default().split(',').take(16) {
                facts.push_some("email", email(address), place);
            }
            return;
        }
        if !rel.is_empty() {
            self.series(rel, href, place, base, facts);
        }
        let is_me = !rel.is_empty() && is_one_of(rel, &["me"]);
        facts.push_some("social", social::profile(href, is_me), place);
        if is_print(rel, class, href) {
            let own = base.web("/").unwrap_or_default();
            self.print(base.web(href).filter(|address| address.starts_with(&own)));
        }
    }

    fn series(
        &mut self,
        rel: &str,
        href: &str,
        place: &'static str,
        base: &Base,
        facts: &mut Facts,
    ) {
        if is_one_of(rel, &["next"]) {
            facts.push_some("next", base.web(href), place);
        }
        if is_one_of(rel, &["prev", "previous"]) {
            facts.push_some("prev", base.web(href), place);
        }
    }

    fn print(&mut self, address: Option<String>) {
        if let Some(address) = address
            && self.prints.len() <= PRINTS_MAX
            && !self.prints.contains(&address)
        {
            self.prints.push(address);
        }
    }

    /// Writes the print versions, where they are not those of a list.
    pub(super) fn finish(self, facts: &mut Facts) {
        if self.prints.len() <= PRINTS_MAX {
            for address in &self.prints {
                facts.push("print", address, "link");
            }
        }
    }
}

fn is_one_of(value: &str, wanted: &[&str]) -> bool {
    let mut words = value.split_ascii_whitespace();
    words.any(|word| wanted.iter().any(|name| name.eq_ignore_ascii_case(word)))
}

/// Whether a link says of its target that it is for print.
fn is_print(rel: &str, class: &str, href: &str) -> bool {
    const NAMES: &[&str] =
        &["print", "printer", "printable", "print-version", "printversion", "print-friendly"];
    const PARAMETERS: &[&str] = &[
        "print=1",
        "print=true",
        "print=yes",
        "print=y",
        "printable=yes",
        "printable=1",
        "format=print",
        "view=print",
        "action=print",
        "mode=print",
        "output=print",
        "printview=1",
    ];
    if is_one_of(rel, NAMES) || (class.contains("rint") && is_one_of(class, NAMES)) {
        return !href.starts_with(['#', 'j', 'J']) || href.starts_with("j/");
    }
    if !href.as_bytes().windows(5).any(|part| part == b"print") {
        return false;
    }
    let address = href.split('#').next().unwrap_or_default();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let mut segments = path.rsplit('/').filter(|segment| !segment.is_empty());
    let last = segments.next().unwrap_or_default();
    let is_segment = |segment: &str| matches!(segment, "print" | "print.html");
    is_segment(last)
        || segments.next().is_some_and(|segment| segment == "print")
        || query.split(['&', ';']).any(|part| PARAMETERS.contains(&part))
}

fn without_scheme<'h>(href: &'h str, scheme: &str) -> Option<&'h str> {
    let (start, rest) = href.split_at_checked(scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// The number of a telephone link; letters and extensions make it none or end it.
fn phone(written: &str) -> Option<String> {
    let written = written.split([';', ',', '?']).next()?.trim_start_matches('/');
    let written = percent_decoded(written)?;
    let mut digits = String::new();
    for sign in written.trim().chars() {
        match sign {
            '0'..='9' => digits.push(sign),
            '+' if digits.is_empty() => digits.push(sign),
            sign if sign.is_alphabetic() => return None,
            _ => {}
        }
    }
    if let Some(rest) = digits.strip_prefix("00") {
        digits = format!("+{rest}");
    }
    // `+49 (0)30`: the zero is dialled inside the country only.
    if digits.starts_with('+') && written.contains("(0)") {
        digits = phone(&written.replacen("(0)", "", 1))?;
    }
    let number = digits.trim_start_matches('+');
    let is_number = (7..=15).contains(&number.len()) && !is_filler(number);
    is_number.then_some(digits)
}

/// The address of a mail link, lower-case.
fn email(written: &str) -> Option<String> {
    let address = percent_decoded(written)?.trim().to_lowercase();
    let (name, host) = address.split_once('@')?;
    let is_part = |sign: char| sign.is_alphanumeric() || ".-_+'&".contains(sign);
    let is_host = host.split('.').count() > 1
        && host.split('.').all(|label| !label.is_empty())
        && host.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '.' | '-'));
    let is_example = host.starts_with("example.") || host.ends_with(".example");
    let is_name = !name.is_empty() && name.chars().all(is_part);
    (is_name && is_host && !is_example && address.len() <= 254).then_some(address)
}

fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => hexadecimal(*high, *low),
            _ => None,
        };
        if escaped.is_some() {
            rest = tail.get(2..).unwrap_or_default();
        }
        bytes.push(escaped.unwrap_or(*first));
    }
    String::from_utf8(bytes).ok()
}

fn hexadecimal(high: u8, low: u8) -> Option<u8> {
    let value = |byte: u8| char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    Some(value(high)? * 16 + value(low)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telephone_numbers_are_digits() {
        let cases = [
            ("+49-30-1234 567", Some("+49301234567")),
            ("+49%20(0)30%201234568", Some("+49301234568")),
            ("0044 20 7946 0018", Some("+442079460018")),
            ("555-010-9988;ext=4", Some("5550109988")),
            ("//555-010-9988", Some("5550109988")),
            ("1-800-FLOWERS", None),
            ("1234567890", None),
            ("0000000000", None),
            ("112", None),
            ("%", None),
            ("", None),
        ];
        for (written, expected) in cases {
            assert_eq!(phone(written).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn mail_addresses_are_lower_case() {
        let cases = [
            ("Info@Shop.de", Some("info@shop.de")),
            (" info%40shop.de", Some("info@shop.de")),
            ("почта@пример.рф", Some("почта@пример.рф")),
            ("me@example.com", None),
            ("me@localhost", None),
            ("a@b@c.de", None),
            ("", None),
            ("a@b..de", None),
        ];
        for (written, expected) in cases {
            assert_eq!(email(written).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn print_versions_are_known_by_name_or_address() {
        for (rel, class, href) in [
            ("nofollow print", "", "/x"),
            ("", "icon print", "/x"),
            ("", "", "/story/print"),
            ("", "", "/print/99"),
            ("", "", "/x?id=4&print=1#top"),
            ("", "", "index.php?printable=yes"),
        ] {
            assert!(is_print(rel, class, href), "{rel} {class} {href}");
        }
        for (rel, class, href) in [
            ("", "blueprint", "/x"),
            ("", "", "/prints-and-posters"),
            ("", "print", "javascript:window.print()"),
            ("", "", "/x?q=print"),
        ] {
            assert!(!is_print(rel, class, href), "{rel} {class} {href}");
        }
    }
}
