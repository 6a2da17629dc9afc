//! Legal numbers and the holder of the copyright, in the foot of a site or its imprint.
//!
//! A number counts after its label and, where its kind has check digits, if they are right. VAT
//! numbers count with the letters of their country.
//!
//! Source: labels as companies of each country must or do write them, the project's own list;
//! check digits as `number.rs` says.

use std::sync::LazyLock;

use super::Facts;
use super::ids::Pairs;
use super::label::{is_start, is_wide, starts, without_label};
use super::number;

/// Bytes of text that are kept of one page.
const TEXT_BYTES: usize = 16_384;

/// Characters of the longest holder.
const HOLDER_CHARS: usize = 80;

/// Signs behind a label in which its number is looked for.
const REACH_CHARS: usize = 64;

/// What kind of number a label introduces.
#[derive(Clone, Copy)]
enum Form {
    /// Digits without signs between them.
    Run(&'static str, fn(&str) -> bool),
    /// So many digits, signs between them.
    Spaced(&'static str, usize, fn(&str) -> bool),
    /// So many letters and digits.
    Signs(&'static str, usize, fn(&str) -> bool),
    Vat(&'static str),
    Ein,
    /// A number of the register that is named.
    Register(&'static str),
}

const LABELS: &[(&str, Form)] = &[
    ("инн/кпп", Form::Run("legal.inn", number::is_inn)),
    ("инн", Form::Run("legal.inn", number::is_inn)),
    ("огрнип", Form::Run("legal.ogrn", number::is_ogrn)),
    ("огрн", Form::Run("legal.ogrn", number::is_ogrn)),
    ("siret", Form::Spaced("legal.siret", 14, number::is_siret)),
    ("siren", Form::Spaced("legal.siren", 9, number::is_siren)),
    ("rcs", Form::Spaced("legal.siren", 9, number::is_siren)),
    ("nip", Form::Spaced("legal.nip", 10, number::is_nip)),
    ("krs", Form::Spaced("legal.krs", 10, is_any)),
    ("abn", Form::Spaced("legal.abn", 11, number::is_abn)),
    ("cnpj", Form::Spaced("legal.cnpj", 14, number::is_cnpj)),
    ("lei", Form::Signs("legal.lei", 20, number::is_lei)),
    ("统一社会信用代码", Form::Signs("legal.uscc", 18, number::is_uscc)),
    ("ein", Form::Ein),
    ("federal tax id", Form::Ein),
    ("tax id", Form::Ein),
    ("vat", Form::Vat("")),
    ("ust-id", Form::Vat("DE")),
    ("ust.-id", Form::Vat("DE")),
    ("ust id", Form::Vat("DE")),
    ("ustid", Form::Vat("DE")),
    ("umsatzsteuer-id", Form::Vat("DE")),
    ("umsatzsteueridentifikationsnummer", Form::Vat("DE")),
    ("uid", Form::Vat("")),
    ("tva", Form::Vat("")),
    ("btw", Form::Vat("")),
    ("p.iva", Form::Vat("IT")),
    ("p. iva", Form::Vat("IT")),
    ("p.i.", Form::Vat("IT")),
    ("partita iva", Form::Vat("IT")),
    ("moms", Form::Vat("")),
    ("company number", Form::Register("company")),
    ("company no", Form::Register("company")),
    ("company reg", Form::Register("company")),
    ("companies house", Form::Register("company")),
    ("registered number", Form::Register("company")),
    ("registered no", Form::Register("company")),
    ("registered company number", Form::Register("company")),
    ("registered company no", Form::Register("company")),
    ("registration number", Form::Register("company")),
    ("hrb", Form::Register("hrb")),
    ("kvk", Form::Register("kvk")),
    ("cvr", Form::Register("cvr")),
    ("org.nr", Form::Register("org")),
    ("org. nr", Form::Register("org")),
    ("orgnr", Form::Register("org")),
    ("organisationsnummer", Form::Register("org")),
    ("y-tunnus", Form::Register("y")),
    ("corporate number", Form::Register("jp")),
    ("法人番号", Form::Register("jp")),
    ("사업자등록번호", Form::Register("kr")),
    ("사업자 등록번호", Form::Register("kr")),
];

/// The first two bytes of all labels, and of what stands in no label.
static PAIRS: LazyLock<Pairs> = LazyLock::new(|| {
    let labels = LABELS.iter().map(|(label, _)| *label);
    starts(labels.chain(["ICP", "©", "(c)"]))
});

fn is_any(_: &str) -> bool {
    true
}

/// Words in `id` and `class` of what holds legal text, and whether it does inside articles too.
const NAMES: &[(&str, bool)] = &[
    ("footer", false),
    ("copyright", false),
    ("colophon", false),
    ("imprint", true),
    ("impressum", true),
    ("legal", true),
];

/// Whether the names of an element are those of the foot of a site or an imprint.
pub(super) fn is_named(names: &str, is_in_article: bool) -> bool {
    let is_likely = |word: &[u8]| {
        (5..=9).contains(&word.len())
            && word.first().is_some_and(|first| b"fcilFCIL".contains(first))
    };
    let words = names.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
    words.filter(|word| is_likely(word)).any(|word| {
        NAMES.iter().any(|(name, always)| {
            (*always || !is_in_article) && word.eq_ignore_ascii_case(name.as_bytes())
        })
    })
}

/// The text of the foot of a site, read when it is complete.
#[derive(Default)]
pub(super) struct Foot {
    text: String,
}

impl Foot {
    pub(super) fn text(&mut self, text: &str) {
        for word in text.split_whitespace() {
            if self.text.len() + word.len() >= TEXT_BYTES {
                return;
            }
            self.text.push_str(word);
            self.text.push(' ');
        }
    }

    /// Marks the border of a block.
    pub(super) fn end_block(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Marks the border of a link.
    pub(super) fn end_link(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(['\n', '\t']) {
            self.text.push('\t');
        }
    }

    /// Writes what the text says.
    pub(super) fn finish(&self, facts: &mut Facts) {
        let text = self.text.as_str();
        let pairs: &Pairs = &PAIRS;
        let (mut before, mut last) = (b' ', b' ');
        for (at, byte) in text.bytes().enumerate() {
            if pairs.words(last, byte) != 0
                && let Some(start) = at.checked_sub(1)
                && let Some(rest) = text.get(start..)
            {
                candidate(text, start, rest, before, facts);
            }
            before = last;
            last = byte;
        }
    }
}

fn candidate(text: &str, start: usize, rest: &str, before: u8, facts: &mut Facts) {
    if let Some(after) = rest.strip_prefix('©').or_else(|| without_label(rest, "(c)")) {
        if let Some(holder) = holder(after) {
            facts.push("copyright", &holder, "footer");
        }
        return;
    }
    if let Some(after) = rest.strip_prefix("ICP") {
        if let Some(filing) = filing(text, start, after) {
            facts.push("legal.icp", &filing, "footer");
        }
        return;
    }
    if !rest.bytes().next().is_some_and(|first| is_start(before, first)) {
        return;
    }
    let longest = LABELS
        .iter()
        .filter_map(|(label, form)| Some((label.len(), without_label(rest, label)?, *form)))
        .max_by_key(|(length, _, _)| *length);
    if let Some((_, after, form)) = longest {
        let end = after.char_indices().nth(REACH_CHARS).map_or(after.len(), |(at, _)| at);
        let after = after.get(..end).unwrap_or(after).split('\n').next().unwrap_or_default();
        read(after, form, facts);
    }
}

fn read(after: &str, form: Form, facts: &mut Facts) {
    match form {
        Form::Run(kind, is_right) => {
            let digits = digits_run(after);
            if is_right(digits) {
                facts.push(kind, digits, "footer");
            }
        }
        Form::Spaced(kind, count, is_right) => {
            let signs = compact(after, |sign| sign.is_ascii_digit());
            let digits = signs.get(..count).filter(|_| signs.len() <= 24);
            if let Some(digits) = digits.filter(|digits| is_right(digits)) {
                facts.push(kind, digits, "footer");
            }
        }
        Form::Signs(kind, count, is_right) => {
            let signs = after.trim_start_matches(|sign: char| !sign.is_ascii_alphanumeric());
            let end = signs.find(|sign: char| !sign.is_ascii_alphanumeric());
            let signs = signs.get(..end.unwrap_or(signs.len())).unwrap_or_default();
            if signs.len() == count && is_right(&signs.to_ascii_uppercase()) {
                facts.push(kind, &signs.to_ascii_uppercase(), "footer");
            }
        }
        Form::Vat(country) => facts.push_some("legal.vat", vat(after, country), "footer"),
        Form::Ein => facts.push_some("legal.ein", ein(after), "footer"),
        Form::Register(register) => {
            let number = register_number(after).map(|number| format!("{register}:{number}"));
            facts.push_some("legal.company_number", number, "footer");
        }
    }
}

/// The first run of digits.
fn digits_run(text: &str) -> &str {
    let start = text.find(|sign: char| sign.is_ascii_digit()).unwrap_or(text.len());
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// The first run of signs that `is_part` holds for, single signs between them left out.
fn compact(text: &str, is_part: impl Fn(char) -> bool) -> String {
    let start = text.find(&is_part).unwrap_or(text.len());
    let mut signs = String::new();
    let mut gap = 0;
    for sign in text.get(start..).unwrap_or_default().chars() {
        if is_part(sign) {
            signs.push(sign);
            gap = 0;
        } else if gap == 0 && matches!(sign, ' ' | '.' | '-' | '/' | '\u{a0}') {
            gap = 1;
        } else {
            break;
        }
    }
    signs
}

/// The VAT number among the words of `text`; of `country` where it has no letters of its own.
fn vat(text: &str, country: &str) -> Option<String> {
    for (at, _) in text.char_indices().take(40) {
        let rest = text.get(at..)?;
        let is_start = rest.starts_with(|sign: char| sign.is_ascii_uppercase())
            && !text.get(..at)?.ends_with(|sign: char| sign.is_alphanumeric());
        if is_start {
            let signs = compact(rest, |sign| sign.is_ascii_uppercase() || sign.is_ascii_digit());
            // The number may run into the next word: the longest that is right counts.
            let lengths = (8..=14).rev();
            let found = lengths.filter_map(|length| signs.get(..length)).find(|signs| {
                number::is_vat(signs) && !number::is_filler(signs.get(2..).unwrap_or_default())
            });
            if let Some(found) = found {
                return Some(found.to_owned());
            }
        }
    }
    let digits = compact(text, |sign| sign.is_ascii_digit());
    let number = format!("{country}{digits}");
    (!country.is_empty() && number::is_vat(&number)).then_some(number)
}

/// `NN-NNNNNNN`.
fn ein(text: &str) -> Option<String> {
    let start = text.find(|sign: char| sign.is_ascii_digit())?;
    let rest = text.get(start..)?;
    let form = rest.get(..10)?;
    let (area, serial) = form.split_once('-')?;
    let is_form = area.len() == 2 && serial.bytes().all(|byte| byte.is_ascii_digit());
    let is_ended = !rest.get(10..)?.starts_with(|sign: char| sign.is_alphanumeric() || sign == '-');
    (is_form && is_ended && !number::is_filler(serial)).then(|| form.to_owned())
}

/// Letters and digits of a register's number: at most two letters, then four digits or more.
fn register_number(text: &str) -> Option<String> {
    let words =
        text.split(|sign: char| sign.is_whitespace() || matches!(sign, ':' | ',' | '|' | ')'));
    let word = words.take(8).find(|word| word.contains(|sign: char| sign.is_ascii_digit()))?;
    let number: String = word.chars().filter(|sign| sign.is_alphanumeric()).collect();
    let digits = number.trim_start_matches(|sign: char| sign.is_ascii_uppercase());
    let is_number = digits.len() + 2 >= number.len()
        && (4..=14).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !number::is_filler(digits)).then_some(number)
}

/// The filing of a site in China: province, `ICP备`, number, `号`.
fn filing(text: &str, start: usize, after: &str) -> Option<String> {
    let kind = after.chars().next().filter(|sign| matches!(sign, '备' | '備' | '证' | '證'))?;
    let province = text.get(..start)?.chars().next_back().filter(|sign| is_wide(*sign))?;
    let rest = after.strip_prefix(kind)?.trim_start();
    let digits = digits_run(rest);
    let is_filing = rest.starts_with(digits) && (5..=12).contains(&digits.len());
    is_filing.then(|| format!("{province}ICP{kind}{digits}号"))
}

/// The name in what follows the sign of copyright.
fn holder(text: &str) -> Option<String> {
    let lines = text.split(['\n', '\t', '|', '•', '·', '©', ';']).take(4);
    lines.map(cleaned).find(|name| !name.is_empty()).filter(|name| {
        name.chars().count() <= HOLDER_CHARS && name.chars().any(char::is_alphabetic)
    })
}

/// Phrases that end the name of a holder, lower-case.
const ENDS: &[&str] = &[
    "all rights",
    "all right reserved",
    "alle rechte",
    "tous droits",
    "todos los derechos",
    "todos os direitos",
    "tutti i diritti",
    "wszelkie prawa",
    "все права",
    "alla rättigheter",
    "alle rettigheder",
    "alle rettigheter",
    "všechna práva",
    "minden jog",
    "tüm hakları",
    "版权所有",
    "保留所有权利",
    "all rights reserved",
    "powered by",
    "privacy",
    "terms of",
];

fn cleaned(line: &str) -> String {
    let mut name = line.trim();
    for (at, _) in line.char_indices() {
        let rest = line.get(at..).unwrap_or_default();
        let is_end = ENDS.iter().any(|end| without_label(rest, end).is_some());
        if is_end {
            name = line.get(..at).unwrap_or_default();
            break;
        }
    }
    let is_edge = |sign: char| {
        sign.is_whitespace()
            || matches!(sign, '\u{fe0f}' | '-' | '–' | '—' | ',' | ':' | '/' | '(' | '"')
    };
    loop {
        let start = name.trim_matches(is_edge);
        let start = start.trim_start_matches('.');
        let next = without_word(start);
        if next == name {
            break;
        }
        name = next;
    }
    let name = sentence(name).trim_matches(is_edge);
    super::folded(name)
}

/// `name` without a year or a word of the formula at one of its ends.
fn without_word(name: &str) -> &str {
    const STARTS: &[&str] = &["copyright ", "by ", "(c)", "since ", "the copyright "];
    if let Some(rest) = STARTS.iter().find_map(|start| without_label(name, start)) {
        return rest;
    }
    if name.eq_ignore_ascii_case("copyright") {
        return "";
    }
    if let Some(rest) = name.strip_suffix(" г").or_else(|| name.strip_suffix(" г.")) {
        return rest;
    }
    let is_year = |word: &str| {
        let word = word.trim_end_matches(['г', '.', '年', '-', '–', ')', ',']);
        let has_digits = word.bytes().filter(u8::is_ascii_digit).count() >= 4;
        has_digits && word.chars().all(|sign| sign.is_ascii_digit() || "-–—/".contains(sign))
    };
    match name.split_once(' ') {
        Some((first, rest)) if is_year(first) => return rest,
        None if is_year(name) => return "",
        _ => {}
    }
    match name.rsplit_once(' ') {
        Some((rest, last)) if is_year(last) => rest,
        _ => name,
    }
}

/// `name` up to the end of its sentence; the point of an abbreviation ends none.
fn sentence(name: &str) -> &str {
    const SHORT: &[&str] =
        &["inc", "ltd", "co", "corp", "st", "dr", "llc", "bv", "gmbh", "s.a", "pvt", "mr", "no"];
    for (at, _) in name.match_indices(". ") {
        let before = name.get(..at).unwrap_or_default();
        let word = before.rsplit([' ', ',']).next().unwrap_or_default();
        let is_short =
            word.chars().count() <= 2 || SHORT.iter().any(|short| short.eq_ignore_ascii_case(word));
        if !is_short {
            return before;
        }
        // An address follows the name.
        let after = name.get(at + 2..).unwrap_or_default();
        if after.starts_with(|sign: char| sign.is_ascii_digit()) {
            return name.get(..=at).unwrap_or(before);
        }
    }
    let end = name.trim_end_matches('.');
    let last = end.rsplit([' ', ',']).next().unwrap_or_default();
    if SHORT.iter().any(|short| short.eq_ignore_ascii_case(last)) { name } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut foot = Foot::default();
        for line in text.lines() {
            foot.text(line);
            foot.end_block();
        }
        let mut facts = Facts::default();
        foot.finish(&mut facts);
        let facts = facts.finish().into_iter();
        facts.map(|fact| format!("{} {}", fact.kind, fact.value)).collect()
    }

    #[test]
    fn numbers_after_their_labels_are_read() {
        let cases = [
            ("ИНН 7707083893, КПП 773601001", "legal.inn 7707083893"),
            ("ИНН/КПП: 7707083893/773601001", "legal.inn 7707083893"),
            ("ОГРН № 1027700132195", "legal.ogrn 1027700132195"),
            ("SIRET : 732 829 320 00074", "legal.siret 73282932000074"),
            ("R.C.S. - RCS Paris 732 829 320", "legal.siren 732829320"),
            ("NIP: 526-025-02-74", "legal.nip 5260250274"),
            ("ABN 51 824 753 556", "legal.abn 51824753556"),
            ("CNPJ: 33.000.167/0001-01", "legal.cnpj 33000167000101"),
            ("LEI: 5493001KJTIIGC8Y1R12", "legal.lei 5493001KJTIIGC8Y1R12"),
            ("统一社会信用代码：91350100M000100Y43", "legal.uscc 91350100M000100Y43"),
            ("USt-IdNr.: DE 136 695 976", "legal.vat DE136695976"),
            ("VAT number: FR 44 732829320", "legal.vat FR44732829320"),
            ("P.IVA 00743110157", "legal.vat IT00743110157"),
            ("UID: ATU13585627", "legal.vat ATU13585627"),
            ("EIN: 53-0196605", "legal.ein 53-0196605"),
            ("Company No. 03977902", "legal.company_number company:03977902"),
            (
                "Registered in Scotland, company number SC123457.",
                "legal.company_number company:SC123457",
            ),
            ("Amtsgericht München HRB 42243", "legal.company_number hrb:42243"),
            ("京ICP备11008151号-2", "legal.icp 京ICP备11008151号"),
        ];
        for (text, expected) in cases {
            assert_eq!(found(text), [expected], "{text}");
        }
    }

    #[test]
    fn wrong_numbers_are_none() {
        for text in [
            "ИНН 7707083894",
            "SIRET 732 829 320 00075",
            "VAT DE136695977",
            "VAT included 123456789",
            "EIN 12-345",
            "company number 1",
            "winner 7707083893",
            "NIP",
            "LEI LEI LEI",
            "ICP备",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn holders_are_names() {
        let cases = [
            ("© 2024 Acme Inc. All rights reserved.", Some("Acme Inc.")),
            ("© Acme GmbH 2010–2024", Some("Acme GmbH")),
            ("Copyright © 1999-2024, by The Acme Times Co.", Some("The Acme Times Co.")),
            ("© 2024. Acme. We use cookies", Some("Acme")),
            ("(C) ООО «Ромашка», 2024 г.", Some("ООО «Ромашка»")),
            ("© Acme US, Inc. 11 West 42nd Street, New York", Some("Acme US, Inc.")),
            ("© 2024\nAcme", Some("Acme")),
            ("© 2024 Acme | Imprint", Some("Acme")),
            ("© 株式会社アクメ 2024年", Some("株式会社アクメ")),
            ("© 2024", None),
            ("©", None),
        ];
        for (text, expected) in cases {
            let expected: Vec<String> =
                expected.iter().map(|name| format!("copyright {name}")).collect();
            assert_eq!(found(text), expected, "{text}");
        }
        assert_eq!(found(&format!("© {}", "a".repeat(81))), Vec::<&str>::new());
    }

    #[test]
    fn feet_are_known_by_their_names() {
        assert!(is_named("site-footer wide", false) && !is_named("site-footer", true));
        assert!(is_named("Page_Impressum", true) && !is_named("footers", false));
    }
}
