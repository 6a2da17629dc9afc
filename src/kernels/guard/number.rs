//! What a number is about, by its shape and the words around it.
//!
//! A number is looked at with all that is written together with it (`2.3.1`, `6204-2RS`,
//! `2024-05-01`) and with some tokens on both sides. The nearest word that says something decides;
//! of two equally near ones the graver.
//!
//! Not for reading values: a number is only placed.
//!
//! Source: written for this project, after the pairs that the guards' tests hold.
//! Cost: a look-up for each of about twelve tokens around a number.

use super::super::difference::Words;
use super::lexicon::{self, KINDS, Kinds};
use super::part::{Part, digit, is_compact, is_underlined};
use super::{Digits, architecture, place};

/// Tokens looked at on each side of a number.
const WINDOW: usize = 9;

/// Tokens of a number that are written together, at most on each side.
const TOGETHER: usize = 8;

/// A distance that no word has.
const FAR: u8 = u8::MAX;

/// Distance of a word with one, two and three words between.
const ONE: u8 = 2;
const TWO: u8 = 4;
const THREE: u8 = 6;

/// Whether a token bears a number: it has a digit and is no word that happens to have one.
pub(super) fn is_number(token: &str) -> bool {
    let has_digit = if token.is_ascii() {
        token.bytes().any(|byte| byte.is_ascii_digit())
    } else {
        token.chars().any(char::is_numeric)
    };
    has_digit && !lexicon::kinds(token).any(&[lexicon::TECHNICAL, lexicon::ARCHITECTURE])
}

/// The tokens that are written together with one number, and what is around them.
struct Number<'w> {
    words: &'w Words,
    start: usize,
    end: usize,
    /// The first tokens; a long number is judged by its start.
    parts: [Part<'w>; 4],
    /// The first token of each of those.
    starts: [usize; 4],
    /// How many parts there are.
    count: usize,
    /// Distance of the nearest word of each kind; a word of one letter in scripts without spaces
    /// counts 1, another word 2, the end of a sentence 1.
    before: [u8; KINDS],
    after: [u8; KINDS],
}

/// The class of the number that token `at` bears.
pub(super) fn class(words: &Words, at: usize) -> Digits {
    Number::around(words, at).class()
}

/// The same, with the token behind that number: all before it have its class.
pub(super) fn class_and_end(words: &Words, at: usize) -> (Digits, usize) {
    let number = Number::around(words, at);
    (number.class(), number.end)
}

impl<'w> Number<'w> {
    fn around(words: &'w Words, at: usize) -> Self {
        let (mut start, mut end) = (at, at + 1);
        while at - start < TOGETHER && start > 0 && is_joined(words, start - 1, start) {
            start -= 1;
        }
        while end - at < TOGETHER && end < words.len() && is_joined(words, end - 1, end) {
            end += 1;
        }
        let mut number = Number {
            words,
            start,
            end,
            parts: [Part::default(); 4],
            starts: [start; 4],
            count: 0,
            before: [FAR; KINDS],
            after: [FAR; KINDS],
        };
        number.split();
        number.look();
        number
    }

    /// Finds the parts: tokens with nothing between are one, as digits of some scripts are.
    fn split(&mut self) {
        let mut from = self.start;
        for at in self.start + 1..=self.end {
            if at < self.end && self.words.gap(at).is_empty() {
                continue;
            }
            if let (Some(part), Some(start)) =
                (self.parts.get_mut(self.count), self.starts.get_mut(self.count))
            {
                *part = Part::read(self.words.run(from..at));
                *start = from;
            }
            self.count += 1;
            from = at;
        }
    }

    /// Notes the nearest words of each kind on both sides.
    fn look(&mut self) {
        let mut cost = 0;
        let first = self.start.saturating_sub(WINDOW);
        for at in (first..self.start).rev() {
            cost += sentence(self.words.gap(at + 1));
            let (length, kinds) = lexicon::entry(self.words, at);
            // A phrase ends where its last token does: nearer than its first token is.
            let inner: u8 = (at + 1..at + length).map(|at| width(self.words.token(at))).sum();
            if at + length <= self.start {
                note(&mut self.before, kinds, cost.saturating_sub(inner));
            }
            cost = cost.saturating_add(width(self.words.token(at)));
        }
        let (mut at, mut cost) = (self.end, 0);
        while at < self.words.len().min(self.end + WINDOW) {
            // "2. Auflage": the full stop of an ordinal number ends no sentence.
            let is_ordinal = at == self.end && self.last().width <= 2;
            cost += if is_ordinal { 0 } else { sentence(self.words.gap(at)) };
            let (length, kinds) = lexicon::entry(self.words, at);
            note(&mut self.after, kinds, cost);
            for at in at..at + length {
                cost = cost.saturating_add(width(self.words.token(at)));
            }
            at += length;
        }
        // "5h", "20mm", "2024년": the suffix stands behind the number, without space.
        let suffix = self.last().suffix;
        if !suffix.is_empty() {
            note(&mut self.after, lexicon::kinds(suffix), 0);
        }
    }

    fn class(&self) -> Digits {
        if self.is_software() {
            return Digits::Version;
        }
        if self.is_money() {
            return Digits::Identifying;
        }
        let marked = |gap: &str| gap.trim_end().ends_with(['§', '№', '#', '¶']);
        if marked(self.words.gap(self.start)) {
            return Digits::Identifying;
        }
        let is_return = self.near_before(lexicon::RETURN) <= TWO;
        if self.is_copyright() || self.is_relative() || self.is_weather() || is_return {
            return Digits::Volatile;
        }
        if let Some(class) = self.hexadecimal().or_else(|| self.by_place()) {
            return class;
        }
        let is_versioned = self.near_before(lexicon::VERSION) == 0;
        if !is_versioned && (self.is_time() || self.is_date()) {
            // "of 12.05.2020 № 5": the date of a law.
            let is_law = self.words.gap(self.end).contains('№');
            return if is_law { Digits::Identifying } else { Digits::Volatile };
        }
        self.by_words().unwrap_or_else(|| self.by_shape())
    }

    fn near_before(&self, kind: usize) -> u8 {
        self.before.get(kind).copied().unwrap_or(FAR)
    }

    fn near_after(&self, kind: usize) -> u8 {
        self.after.get(kind).copied().unwrap_or(FAR)
    }

    fn near(&self, kind: usize) -> u8 {
        self.near_before(kind).min(self.near_after(kind))
    }

    fn tokens(&self) -> impl Iterator<Item = &'w str> {
        let words = self.words;
        (self.start..self.end).map(move |at| words.token(at))
    }

    fn parts(&self) -> &[Part<'w>] {
        self.parts.get(..self.count.min(self.parts.len())).unwrap_or_default()
    }

    fn part(&self, at: usize) -> Part<'w> {
        self.parts().get(at).copied().unwrap_or_default()
    }

    fn last(&self) -> Part<'w> {
        Part::read(self.words.token(self.end - 1))
    }

    /// What stands behind one of the first parts, within the number.
    fn joint(&self, at: usize) -> &str {
        if at + 1 >= self.count {
            return "";
        }
        self.starts.get(at + 1).map_or("", |&start| self.words.gap(start))
    }

    fn is_money(&self) -> bool {
        let is_sign = |gap: &str| gap.chars().any(is_currency);
        is_sign(self.words.gap(self.start))
            || is_sign(self.words.gap(self.end).trim_start().get(..3).unwrap_or_default())
            || self.words.gap(self.end).trim_start().chars().next().is_some_and(is_currency)
            || self.near(lexicon::CURRENCY) == 0
    }

    /// A year, or years, near a word or a sign of copyright.
    fn is_copyright(&self) -> bool {
        let is_signed = (self.start.saturating_sub(5)..=self.end.min(self.start + 2)).any(|at| {
            self.words.gap(at).contains('©')
                || self.words.token(at) == "c"
                    && self.words.gap(at).ends_with('(')
                    && self.words.gap(at + 1).starts_with(')')
        });
        self.part(0).is_year()
            && (is_signed || self.near(lexicon::COPYRIGHT) <= 10 && self.count <= 2)
    }

    /// "5 hours ago", "vor 5 Stunden", "5 分钟前"; and how long it took to make the page.
    fn is_relative(&self) -> bool {
        let has_unit = self.near_after(lexicon::TIME) == 0 || self.is_short_time();
        let is_ago = self.near_after(lexicon::AGO) <= TWO || self.near_before(lexicon::AGO) <= 1;
        let is_made = self.near_before(lexicon::STAMP) <= ONE && self.is_seconds();
        has_unit && (is_ago || is_made)
            || self.near_after(lexicon::TIME) == 0 && self.near_after(lexicon::AGO) == 0
    }

    /// What a server takes; hours are what a journey takes.
    fn is_seconds(&self) -> bool {
        let unit = match self.last().suffix {
            "" => self.words.token(self.end),
            suffix => suffix,
        };
        let is_second = ["sec", "sek", "seg", "сек", "ثاني", "秒", "초"];
        self.count <= 2
            && (matches!(unit, "s" | "ms") || is_second.iter().any(|start| unit.starts_with(start)))
    }

    /// "5m", "3d": units of time only where the time is relative.
    fn is_short_time(&self) -> bool {
        self.count == 1 && matches!(self.last().suffix, "m" | "d" | "w" | "s" | "y" | "mo" | "h")
    }

    fn is_weather(&self) -> bool {
        let is_degree = self.words.gap(self.end).trim_start().starts_with(['°', '℃', '℉', '%']);
        let has_unit = self.near_after(lexicon::UNIT) == 0;
        (is_degree || has_unit) && self.near(lexicon::WEATHER) <= 8
    }

    /// Digests, sessions and builds: hexadecimal digits with letters among them.
    fn hexadecimal(&self) -> Option<Digits> {
        let is_hex = self.tokens().all(|token| token.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let length: usize = self.tokens().map(str::len).sum();
        let has_letters = self.tokens().any(|token| token.bytes().any(|b| b.is_ascii_alphabetic()));
        // "Session 5" is one of several talks.
        let is_drawn = length > 5 || length > 2 && has_letters && self.count == 1;
        if self.near_before(lexicon::SESSION) <= ONE && is_drawn {
            return Some(Digits::Volatile);
        }
        if !is_hex || !has_letters || length < 8 {
            return None;
        }
        if self.near_before(lexicon::CHECKSUM) <= TWO || self.near(lexicon::VERSION) <= ONE {
            return Some(Digits::Version);
        }
        let is_stamped = self.near(lexicon::STAMP) <= TWO;
        Some(if length >= 16 || is_stamped { Digits::Volatile } else { Digits::Unknown })
    }

    /// Numbers that a document gives to its own parts, and the width of an architecture.
    fn by_place(&self) -> Option<Digits> {
        let is_short = self.count <= 4 && self.parts().iter().all(|part| part.width <= 3);
        let is_plain = is_short && self.parts().iter().all(Part::is_plain);
        if is_plain && self.count == 1 && place::is_footnote(self.words, self.start) {
            return Some(Digits::Volatile);
        }
        let is_dotted = self.count >= 2 && (0..self.count - 1).all(|at| self.joint(at) == ".");
        let is_part = self.near(lexicon::NUMBERED) == 0 && is_dotted
            || self.near_before(lexicon::LINE) == 0 && self.count == 1
            || place::opens(self.words, self.start, self.end, is_dotted);
        let has_suffix = matches!(self.last().suffix, "절" | "장");
        let is_part = is_part && is_plain || is_short && is_dotted && has_suffix;
        (is_part || self.is_architecture()).then_some(Digits::Version)
    }

    /// "64-bit PC", "32-bit hard-float ARMv7": what tells architectures apart.
    fn is_architecture(&self) -> bool {
        let [part, ..] = self.parts;
        let bit = match part.suffix {
            "" => self.words.token(self.end),
            suffix => suffix,
        };
        self.count == 1
            && part.prefix.is_empty()
            && matches!(part.value, 32 | 64)
            && matches!(bit, "bit" | "bits" | "бит" | "битный")
            && architecture::is_beside(self.words, self.start, self.end)
    }

    /// "12:30:05", "09:30", "5:30 pm", "17h30".
    fn is_time(&self) -> bool {
        let [hour, minute, ..] = self.parts;
        let has_clock = self.near_after(lexicon::CLOCK) == 0;
        if self.count == 1 {
            let (clock, rest) = (hour.suffix.chars().next(), Part::read(hour.suffix));
            let is_french = clock == Some('h') && rest.width == 2 && rest.value < 60;
            let is_alone = hour.suffix.is_empty() || has_clock;
            return hour.prefix.is_empty()
                && hour.value <= 24
                && hour.width <= 2
                && (is_french || is_alone && has_clock);
        }
        let is_clock = hour.value <= 24 && minute.value < 60 && minute.width == 2;
        let is_dated = self.near_before(lexicon::MONTH) <= THREE;
        let is_sure = self.count > 2 || hour.width == 2 || has_clock || is_dated;
        hour.width <= 2 && hour.is_plain() && is_clock && is_sure && self.joint(0) == ":"
    }

    fn is_date(&self) -> bool {
        let mut around = self.start.saturating_sub(3)..self.end + 3;
        if around.any(|at| Part::read(self.words.token(at)).is_past()) {
            return false;
        }
        let [first, second, third, _] = self.parts;
        let (joint, next) = (self.joint(0), self.joint(1));
        let is_split = matches!(joint, "-" | "/" | "." | "–" | "−" | "");
        if self.count >= 3 && is_split && (joint == next) {
            let is_pair = |left: &Part, right: &Part| {
                left.is_day() && right.is_day() && (left.is_month() || right.is_month())
            };
            let is_short = joint == "/" && third.width == 2;
            return first.is_year() && second.is_month() && third.is_day()
                || is_pair(&first, &second) && (third.is_year() || is_short);
        }
        if self.count == 2 && is_split && !joint.is_empty() {
            let is_month = first.is_year() && second.is_month() && second.width == 2
                || first.is_month() && first.width == 2 && second.is_year();
            return is_month || first.is_year() && second.is_year() && self.is_stamped();
        }
        self.count == 1 && self.is_part_of_date(&first)
    }

    /// A day, month or year with words or signs of a date around it.
    fn is_part_of_date(&self, part: &Part) -> bool {
        let is_plain = part.prefix.is_empty()
            && (part.suffix.is_empty()
                || lexicon::kinds(part.suffix).any(&[lexicon::ORDINAL, lexicon::DATE]));
        if !is_plain || self.near_after(lexicon::UNIT) == 0 {
            return false;
        }
        let is_dayish = part.is_day() || part.is_year();
        // "Room 12, May 5" has one part of a date.
        let is_named = self.near_before(lexicon::NAMING) == 0;
        if is_dayish && !is_named && self.near(lexicon::MONTH) <= ONE {
            return true;
        }
        if part.is_year() && self.is_stamped() || is_compact(part) && self.is_stamped() {
            return true;
        }
        self.is_marked_date(part)
    }

    /// "2024年5月1日", "2024년 5월 1일", "ngày 5 tháng 6".
    fn is_marked_date(&self, part: &Part) -> bool {
        let behind = match part.suffix {
            "" => self.words.token(self.end),
            suffix => suffix,
        };
        let ahead = self.start.checked_sub(1).map_or("", |at| self.words.token(at));
        let is_dated = self.near_before(lexicon::DATED) == 0;
        match behind {
            // 年度 is a year of business.
            "年" | "년" => (part.is_year() || is_dated) && self.words.token(self.end + 1) != "度",
            "月" | "월" => part.is_month(),
            "日" | "号" | "號" | "일" => part.is_day() && ahead.ends_with(['月', '월']),
            "時" | "时" | "点" | "點" | "分" | "秒" | "시" | "분" | "초" => {
                ahead.ends_with(['日', '号', '號', '時', '时', '点', '點', '分', '일', '시', '분'])
            }
            _ => is_dated && (part.is_day() || part.is_year()),
        }
    }

    fn is_stamped(&self) -> bool {
        self.near_before(lexicon::STAMP) <= THREE || self.near_after(lexicon::STAMP) <= ONE
    }

    /// The class by the nearest word that says one; of two the graver.
    fn by_words(&self) -> Option<Digits> {
        let limit = |distance: u8, most: u8| if distance <= most { distance } else { FAR };
        let unit = match self.last().suffix {
            "" => self.near_after(lexicon::UNIT),
            suffix if lexicon::kinds(suffix).has(lexicon::UNIT) => 0,
            _ => FAR,
        };
        let counter = if self.is_counted() { self.near(lexicon::COUNTER) } else { FAR };
        // "pandas.UInt16Dtype" has no version.
        let is_named = self.part(0).prefix.is_empty();
        let software = if is_named { self.near_before(lexicon::SOFTWARE) } else { FAR };
        let found = [
            (limit(counter, ONE), Digits::Volatile),
            (limit(self.near_before(lexicon::CHECKSUM), ONE), Digits::Version),
            (limit(self.near_before(lexicon::VERSION), TWO), Digits::Version),
            (limit(self.near_after(lexicon::VERSION), 0), Digits::Version),
            (limit(software, TWO), Digits::Version),
            (limit(self.near_before(lexicon::NAMING), TWO), Digits::Identifying),
            (limit(self.numbered(), 0), Digits::Identifying),
            (limit(unit, 0), Digits::Identifying),
            (limit(self.near_after(lexicon::TIME), 0), Digits::Unknown),
        ];
        let nearest = found.iter().map(|&(distance, _)| distance).min().filter(|&d| d != FAR)?;
        found.iter().filter(|(distance, _)| *distance == nearest).map(|&(_, class)| class).max()
    }

    /// "debian10", "qt6": software with its version.
    fn is_software(&self) -> bool {
        let part = self.part(0);
        let is_named = lexicon::kinds(part.prefix).has(lexicon::SOFTWARE);
        is_named && part.suffix.is_empty() && part.width <= 2
    }

    /// "12", "1,204", "1.2k".
    fn is_counted(&self) -> bool {
        let is_short = matches!(self.last().suffix, "k" | "m" | "万" | "тыс");
        self.part(0).prefix.is_empty()
            && (is_short || self.parts().iter().skip(1).all(|part| part.width == 3))
    }

    /// "第3章": what is numbered stands behind.
    fn numbered(&self) -> u8 {
        let ahead = self.start.checked_sub(1).map_or("", |at| self.words.token(at));
        if ahead == "第" && self.near_after(lexicon::VERSION) != 0 { 0 } else { FAR }
    }

    fn by_shape(&self) -> Digits {
        let behind = self.words.gap(self.end).trim_start();
        if behind.starts_with(['%', '°', '℃', '℉', '′', '″', '‰', '٪', '％']) {
            return Digits::Identifying;
        }
        if self.is_version() {
            return Digits::Version;
        }
        let ordinal = |part: &Part| lexicon::kinds(part.suffix).has(lexicon::ORDINAL);
        let is_mixed = |part: &Part| {
            !(part.is_plain() || part.prefix.is_empty() && part.width > 0 && ordinal(part))
        };
        if self.parts().iter().any(is_mixed) || self.is_joined_to_letters() || self.is_phone() {
            return Digits::Identifying;
        }
        Digits::Unknown
    }

    /// "2.3.1", "v2", "1.0b2", "boost_1_74".
    fn is_version(&self) -> bool {
        let first = self.part(0);
        let is_prefix = lexicon::kinds(first.prefix.trim_end_matches('_'))
            .any(&[lexicon::VERSION, lexicon::SOFTWARE]);
        let is_dotted = self.count >= 2 && (0..self.count - 1).all(|at| self.joint(at) == ".");
        // "1.204.500" is a number with its thousands apart.
        let is_grouped = self.parts().iter().skip(1).all(|part| part.width == 3);
        let is_marked = self.tokens().any(|token| {
            ["rc", "beta", "alpha", "dev", "post", "pre"].iter().any(|mark| token.contains(mark))
                || token.bytes().last().is_some_and(|byte| matches!(byte, b'a' | b'b' | b'x'))
        });
        is_prefix
            || is_underlined(&first)
            || is_dotted && self.count >= 3 && !is_grouped && !self.is_no_version()
            || is_dotted && is_marked
    }

    /// "192.168.0.1", "12.05.1871": dotted numbers that are an address or an old date.
    fn is_no_version(&self) -> bool {
        let [first, _, third, _] = self.parts;
        let is_byte = |part: &Part| part.value < 256 && part.is_plain();
        self.count == 4 && first.value >= 10 && self.parts.iter().all(is_byte) || third.is_year()
    }

    /// "covid-19", "F-16": part of a name.
    fn is_joined_to_letters(&self) -> bool {
        let is_joint = |gap: &str| matches!(gap, "-" | "‑" | "_" | "/");
        self.start > 0 && is_joint(self.words.gap(self.start))
            || self.end < self.words.len() && is_joint(self.words.gap(self.end))
    }

    /// Seven digits and more with hyphens among them or a plus sign before.
    fn is_phone(&self) -> bool {
        let is_next = |at: usize| {
            matches!(self.words.gap(at), " " | "-" | "/" | ") " | " (" | ".")
                && is_number(self.words.token(at))
        };
        let before = (self.start.saturating_sub(TOGETHER)..self.start).rev();
        let before = before.take_while(|&at| is_next(at + 1) && is_number(self.words.token(at)));
        let first = before.last().unwrap_or(self.start);
        let behind = (self.end..self.end + TOGETHER).take_while(|&at| is_next(at));
        let end = behind.last().map_or(self.end, |last| last + 1);
        let digits: usize =
            (first..end).map(|at| self.words.token(at).chars().filter_map(digit).count()).sum();
        digits >= 7 && (self.words.gap(first).ends_with('+') || self.joint(0) == "-")
    }
}

/// Whether two neighbours are one number: both have digits and at most a joint between.
fn is_joined(words: &Words, left: usize, right: usize) -> bool {
    let is_joint = matches!(
        words.gap(right),
        "" | "." | "," | ":" | "/" | "-" | "'" | "’" | "–" | "−" | "‑" | "٫" | "٬" | "·"
    );
    is_joint && is_number(words.token(left)) && is_number(words.token(right))
}

/// Whether a character is a currency sign.
pub(super) fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '֏' | '؋' | '৲' | '৳' | '฿' | '៛' | '₠'..='⃀' | '﷼' | '＄' | '￠'
        | '￡' | '￥' | '￦')
}

fn note(found: &mut [u8; KINDS], kinds: Kinds, distance: u8) {
    if kinds == Kinds::default() {
        return;
    }
    for (kind, nearest) in found.iter_mut().enumerate() {
        if kinds.has(kind) {
            *nearest = distance.min(*nearest);
        }
    }
}

/// What a token between a word and a number adds to their distance.
fn width(token: &str) -> u8 {
    let mut chars = token.chars();
    let is_single = chars.next().is_some_and(|c| !c.is_ascii()) && chars.next().is_none();
    if is_single { 1 } else { 2 }
}

/// What the end of a sentence between a word and a number adds to their distance.
fn sentence(gap: &str) -> u8 {
    if gap == " " {
        return 0;
    }
    let ends = |c| matches!(c, '!' | '?' | ';' | '|' | '。' | '؟' | '।' | '•' | '·');
    u8::from(gap.contains(ends) || gap.starts_with(". "))
}
