//! The gate, version 2: refused pages that are answered as if they were good ones.
//!
//! For pages that say "not found", "log in", "accept all", "are you a robot", "for sale" or "back
//! soon" with a good status. Not for judging by many pages: what repeats over a host or over the
//! web is found elsewhere.
//!
//! Cheapest first: status and refresh as in version 1; where a redirect ended; the heading and the
//! title; a field for a password; marks of known blockers and parkers; and last the sentences.
//! Nothing counts in a long page, and a heading that tells of something else protects its page:
//! articles about missing pages, passwords and cookies use the same words.
//!
//! Source: the order and the limits of tokens follow common practice of soft-404 detection; the
//! limits here are in words of [`super::phrase`]. Cost: linear in heading and title, and in the
//! text only where it is short.

use super::phrase::{self, Folded, Found};
use super::{Fetched, Gate, gate};

/// A page with as many tokens is not looked at: no limit below reaches it in any script.
const TOKENS_MAX: i64 = 3000;
/// Words of main text below which a refusal counts that both heading and title say.
const WORDS_BOTH: i64 = 300;
/// Words of main text below which a refusal counts that one of them says.
const WORDS_ONE: i64 = 150;
/// Words below which a page that asks for a password is a login page if it says so.
const WORDS_PASSWORD: i64 = 80;
/// Words below which a mark of a blocker or parker counts.
const WORDS_MARK: i64 = 60;
/// Words below which weak signals count, and sentences below another heading.
const WORDS_FEW: i64 = 40;
/// Words below which a password field alone makes a login page.
const WORDS_BARE: i64 = 30;
/// Words below which a mark of a consent tool counts; good pages carry them too.
const WORDS_CONSENT: i64 = 15;
/// Characters of a heading or title that are read.
const HEADING_CHARS: usize = 300;
/// Parts of a title that are read.
const PARTS: usize = 8;

/// What version 2 looks at.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The HTTP status; none where the crawl did not keep it.
    pub status: Option<i32>,
    /// Whether the row came as HTML, not as text.
    pub is_html: bool,
    /// Whether the main text is empty once normalised.
    pub is_empty: bool,
    /// Tokens of the main text.
    pub tokens: i64,
    /// Fewer tokens than this are too short for an HTML page.
    pub tokens_min: i64,
    /// Whether the page sends its reader elsewhere within a second.
    pub is_refresh: bool,
    /// Whether the extractor found what there was.
    pub is_extracted: bool,
    /// The title.
    pub title: Option<&'a str>,
    /// The first heading of the first or second level.
    pub heading: Option<&'a str>,
    /// The main text.
    pub main_text: &'a str,
    /// All text that is shown.
    pub full_text: &'a str,
    /// The address that was asked for.
    pub url: &'a str,
    /// Where its redirects ended.
    pub final_url: Option<&'a str>,
    /// Fields that ask for a password.
    pub passwords: i64,
    /// Names of [`MARKS`] that the page holds.
    pub marks: &'a [&'a str],
}

/// The class of a page, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The class.
    pub gate: Gate,
    /// The signal that decided: `status`, `refresh`, `redirect`, `heading`, `title`, `password`,
    /// `markup`, `text`, `extractor`, `length`, or `ok`.
    pub reason: &'static str,
}

/// Signs of known blockers, parkers and consent tools: a name, a piece of an address, an id or a
/// class that holds it, and the class of a page that holds hardly anything else.
pub const MARKS: &[(&str, &str, Gate)] = &[
    ("cloudflare", "/cdn-cgi/challenge-platform/", Gate::BotBlock),
    ("cloudflare_text", "challenge-error-text", Gate::BotBlock),
    ("cloudflare_form", "__cf_chl_", Gate::BotBlock),
    ("cloudflare_turnstile", "challenges.cloudflare.com", Gate::BotBlock),
    ("cloudflare_error", "cf-error-details", Gate::BotBlock),
    ("datadome", "captcha-delivery.com", Gate::BotBlock),
    ("perimeterx", "px-captcha", Gate::BotBlock),
    ("perimeterx_script", "captcha.px-c", Gate::BotBlock),
    ("incapsula", "_incapsula_resource", Gate::BotBlock),
    ("awswaf", "awswaf.com", Gate::BotBlock),
    ("sucuri", "sucuri_cloudproxy", Gate::BotBlock),
    ("siteground", "/.well-known/sgcaptcha/", Gate::BotBlock),
    ("anubis", "/.within.website/x/cmd/anubis", Gate::BotBlock),
    ("ddos_guard", "/.well-known/ddos-guard/", Gate::BotBlock),
    ("yandex_captcha", "/showcaptcha", Gate::BotBlock),
    ("sedo", "sedoparking.com", Gate::Parked),
    ("parkingcrew", "parkingcrew.net", Gate::Parked),
    ("bodis", "bodis.com/", Gate::Parked),
    ("afternic", "afternic.com/forsale", Gate::Parked),
    ("dan", "dan.com/buy-domain", Gate::Parked),
    ("above", "parking.above.com", Gate::Parked),
    ("hugedomains", "hugedomains.com/domain_profile", Gate::Parked),
    ("godaddy", "parking-lander", Gate::Parked),
    ("voodoo", "voodoo.com/parking", Gate::Parked),
    ("uniregistry", "uniregistry.com/buy-domains", Gate::Parked),
    ("reg_ru", "parking.reg.ru", Gate::Parked),
    ("google_consent", "consent.google.", Gate::ConsentWall),
    ("yahoo_consent", "guce.yahoo.com", Gate::ConsentWall),
    ("didomi", "didomi-popup", Gate::ConsentWall),
    ("onetrust", "onetrust-pc-sdk", Gate::ConsentWall),
    ("sourcepoint", "sp_message_container", Gate::ConsentWall),
    ("contentpass", "contentpass.net", Gate::ConsentWall),
];

/// The index in [`MARKS`] of the first mark that an attribute's value holds.
///
/// Cost: linear in the value.
pub fn marks_of(attribute_value: &str) -> Option<usize> {
    phrase::find_mark(attribute_value)
}

/// What a heading says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    /// It is missing, or says nothing of the page: "Sorry", the site's name.
    Nothing,
    /// It is a refusal.
    Refusal(Gate),
    /// It is a word that refusals and good pages use alike.
    Maybe(Gate),
    /// Half of it is a refusal.
    Hint(Gate),
    /// It speaks of something.
    Other,
}

/// The class of a page.
///
/// Cost: linear in title, heading and, of a short page, its texts.
pub fn judge(seen: &Seen) -> Verdict {
    let first = gate(&Fetched {
        status: seen.status,
        is_html: seen.is_html,
        is_empty: seen.is_empty,
        tokens: seen.tokens,
        is_refresh: seen.is_refresh,
        is_extracted: seen.is_extracted,
        tokens_min: seen.tokens_min,
    });
    let reason = match first {
        Gate::Redirect if seen.is_refresh && is_good(seen.status) => "refresh",
        Gate::Redirect | Gate::HttpError => "status",
        Gate::ExtractFailed => "extractor",
        Gate::Empty | Gate::TooShort => "length",
        _ => "ok",
    };
    let is_decided = reason == "status" || reason == "refresh";
    let unread = Verdict { gate: first, reason };
    if is_decided || !seen.is_html || seen.tokens >= TOKENS_MAX {
        return unread;
    }
    let words = phrase::words(seen.main_text, WORDS_BOTH);
    if words >= WORDS_BOTH {
        return unread;
    }
    Page::new(seen, words).refusal().unwrap_or(unread)
}

/// Whether the status lets a page be looked at.
fn is_good(status: Option<i32>) -> bool {
    status.is_none_or(|status| (200..300).contains(&status) || status == 304)
}

/// A page being judged.
struct Page<'a> {
    seen: &'a Seen<'a>,
    /// Words of the main text, as far as they matter.
    words: i64,
    title: Says,
    heading: Says,
    is_heading_missing: bool,
}

impl<'a> Page<'a> {
    fn new(seen: &'a Seen<'a>, words: i64) -> Page<'a> {
        let heading_text = shortened(seen.heading.unwrap_or_default());
        let title_text = shortened(seen.title.unwrap_or_default());
        let title = title_says(title_text, seen.url);
        let mut heading = title_says(heading_text, seen.url);
        if is_other(heading) && is_refusal(title) && is_part(heading_text, title_text) {
            heading = Says::Nothing;
        }
        let is_heading_missing = Folded::new(heading_text).is_empty();
        Page { seen, words, title, heading, is_heading_missing }
    }

    /// The refusal that the page is, by the first signal that shows one.
    fn refusal(&self) -> Option<Verdict> {
        let verdict = |reason| move |gate| Verdict { gate, reason };
        let sent = self.sent_to_login().map(verdict("redirect"));
        sent.or_else(|| self.named()).or_else(|| {
            let asked = self.asks_password().map(verdict("password"));
            asked
                .or_else(|| self.marked().map(verdict("markup")))
                .or_else(|| self.told().map(verdict("text")))
        })
    }

    /// A login page at which another address ended.
    fn sent_to_login(&self) -> Option<Gate> {
        let end = self.seen.final_url?;
        let is_sent = is_login_path(end) && !is_login_path(self.seen.url);
        (is_sent && self.words < WORDS_ONE).then_some(Gate::LoginWall)
    }

    /// What heading and title say.
    fn named(&self) -> Option<Verdict> {
        let weak = if self.seen.passwords > 0 { WORDS_PASSWORD } else { WORDS_FEW };
        let (gate, reason, limit) = match (self.heading, self.title) {
            (Says::Refusal(Gate::HttpError), Says::Refusal(gate)) => (gate, "title", WORDS_BOTH),
            (Says::Refusal(gate), Says::Refusal(_)) => (gate, "heading", WORDS_BOTH),
            (Says::Refusal(gate), _) => (gate, "heading", WORDS_ONE),
            (Says::Nothing | Says::Maybe(_), Says::Refusal(gate)) => (gate, "title", WORDS_ONE),
            (Says::Other | Says::Hint(_), Says::Refusal(gate)) => (gate, "title", WORDS_FEW),
            (Says::Maybe(gate), _) => (gate, "heading", weak),
            (Says::Nothing, Says::Maybe(gate)) => (gate, "title", weak),
            (Says::Hint(gate), _) => (gate, "heading", WORDS_FEW),
            (Says::Nothing, Says::Hint(gate)) => (gate, "title", WORDS_FEW),
            (Says::Other, Says::Maybe(gate)) => (gate, "title", WORDS_CONSENT),
            (Says::Nothing | Says::Other, _) => return None,
        };
        (self.words < limit).then_some(Verdict { gate, reason })
    }

    /// A page that asks for a password and holds little else.
    fn asks_password(&self) -> Option<Gate> {
        if self.seen.passwords < 1 || self.words >= WORDS_PASSWORD {
            return None;
        }
        let is_free = !is_other(self.heading) && !is_other(self.title);
        let is_bare = is_free && self.words < WORDS_BARE && self.shown_words() < WORDS_ONE;
        let tells = |text| self.told_in(text) == Some(Gate::LoginWall);
        let is_told = || !is_other(self.heading) && tells(self.seen.main_text);
        (is_bare || is_told()).then_some(Gate::LoginWall)
    }

    /// The class of the first mark that counts.
    fn marked(&self) -> Option<Gate> {
        if self.seen.marks.is_empty() || self.words >= WORDS_MARK {
            return None;
        }
        let class = |name: &&str| MARKS.iter().find(|mark| mark.0 == *name).map(|mark| mark.2);
        let counts = |gate: &Gate| *gate != Gate::ConsentWall || self.words < WORDS_CONSENT;
        let found = self.seen.marks.iter().filter_map(class).find(counts)?;
        (self.shown_words() < WORDS_ONE).then_some(found)
    }

    /// All words that are shown, as far as they matter.
    fn shown_words(&self) -> i64 {
        phrase::words(self.seen.full_text, WORDS_ONE)
    }

    /// What the sentences of the page say.
    fn told(&self) -> Option<Gate> {
        let is_named = is_other(self.heading) || self.is_heading_missing && is_other(self.title);
        let limit = if is_named { WORDS_FEW } else { WORDS_ONE };
        if self.words >= limit {
            return None;
        }
        let told = self.told_in(self.seen.main_text);
        let is_shown_short = || self.shown_words() < WORDS_MARK.max(limit / 2);
        told.or_else(|| is_shown_short().then(|| self.told_in(self.seen.full_text)).flatten())
    }

    /// The class that the text's sentences say.
    fn told_in(&self, text: &str) -> Option<Gate> {
        let is_named = is_other(self.heading) || is_other(self.title);
        let is_free = self.words < WORDS_FEW && !is_named;
        let (mut seen, mut all, mut told) = (0, 0, Vec::new());
        for sentence in text.split(is_end) {
            let folded = Folded::new(sentence);
            let found = phrase::find(&folded);
            let is_early = all <= WORDS_FEW;
            all += folded.words().max(1);
            let weak = found.weak.filter(|_| self.words < WORDS_CONSENT);
            let is_enough = found.is_whole() || is_free && found.is_half();
            let whole = found.core.or(weak).filter(|_| is_enough);
            if let Some(gate) = found.text.or(whole) {
                seen += folded.words().max(1);
                let is_plain = found.text.is_some() && !found.is_about && !is_furniture(gate);
                told.push((gate, is_early && is_plain));
            }
        }
        let is_most = seen * 5 >= all * 2;
        told.iter().find(|(_, is_plain)| is_most || *is_plain).map(|(gate, _)| *gate)
    }
}

/// Whether good pages often hold such sentences beside their text.
const fn is_furniture(gate: Gate) -> bool {
    matches!(gate, Gate::LoginWall | Gate::ConsentWall | Gate::HttpError)
}

/// Whether a sentence ends here.
fn is_end(letter: char) -> bool {
    matches!(
        letter,
        '.' | '!' | '?' | '\n' | '。' | '！' | '？' | '।' | '۔' | '؟' | '។' | '…' | ';'
    )
}

/// The start of a heading.
fn shortened(text: &str) -> &str {
    let end = text.char_indices().nth(HEADING_CHARS).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// Whether it is a refusal or may be one.
const fn is_refusal(says: Says) -> bool {
    matches!(says, Says::Refusal(_) | Says::Maybe(_))
}

/// Whether it speaks of something, in whole or in half.
const fn is_other(says: Says) -> bool {
    matches!(says, Says::Other | Says::Hint(_))
}

/// What one part of a title says.
fn part_says(part: &str) -> Says {
    if is_numbered(part) {
        return Says::Other;
    }
    let folded = Folded::new(part);
    if folded.is_empty() {
        return Says::Nothing;
    }
    let found = phrase::find(&folded);
    let is_told = found.is_half();
    match found {
        Found { text: Some(gate), .. } if is_told => Says::Refusal(gate),
        Found { core: Some(gate), .. } if found.is_whole() => Says::Refusal(gate),
        Found { weak: Some(gate), .. } if found.is_whole() => Says::Maybe(gate),
        Found { core: Some(gate), .. } if found.is_half() => Says::Hint(gate),
        _ if found.is_whole() => Says::Nothing,
        _ => Says::Other,
    }
}

/// What a title says: the whole of it, or one of its parts where the others can be the site's name.
fn title_says(title: &str, url: &str) -> Says {
    let whole = part_says(title);
    if !matches!(whole, Says::Other | Says::Hint(_)) {
        return whole;
    }
    let loose = parts(title, is_bar);
    let found = loudest(loose.iter().map(|part| part_says(part)));
    if is_refusal(found) {
        return found;
    }
    for part in &loose {
        let strict = parts(part, |_, letter| matches!(letter, ':' | '：'));
        let is_name = |part: &&str| is_site_name(part, url) || is_beside(part);
        let found = loudest(strict.iter().map(|part| part_says(part)));
        if is_refusal(found) && strict.iter().all(is_name) {
            return found;
        }
    }
    if whole != Says::Other {
        return whole;
    }
    if is_missing_code(title) {
        return Says::Hint(Gate::Soft404);
    }
    if is_site_name(title, url) { Says::Nothing } else { Says::Other }
}

/// Whether the title is short and gives the code 404 in a part of at most two words, in whatever
/// language: "Fähler 404: ...".
fn is_missing_code(title: &str) -> bool {
    let folded = Folded::new(title);
    let is_end = |letter| matches!(letter, ':' | '：' | '.' | '!' | '|' | '-' | '–');
    let is_code = |part: &str| {
        part.split_whitespace().count() <= 2 && Folded::new(part).text().contains(" 404 ")
    };
    folded.words() <= 10 && !phrase::find(&folded).is_about && title.split(is_end).any(is_code)
}

/// Whether the part of a title can stand beside a refusal: it is one too, or a short name.
fn is_beside(part: &str) -> bool {
    let folded = Folded::new(part);
    let found = phrase::find(&folded);
    !found.is_about && (folded.words() <= 3 || found.is_whole())
}

/// Whether the heading counts chapters: "7.3. Log in".
fn is_numbered(heading: &str) -> bool {
    let heading = heading.trim_start();
    let end = heading.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(heading.len());
    let (number, rest) = heading.split_at_checked(end).unwrap_or_default();
    let is_code = number.len() == 3 && number.starts_with(['4', '5']);
    !number.is_empty() && !is_code && rest.starts_with(['.', ')', '-', ':', ' '])
}

/// The strongest of the parts.
fn loudest(parts: impl Iterator<Item = Says>) -> Says {
    let mut loudest = Says::Other;
    for part in parts {
        match (part, loudest) {
            (Says::Refusal(_), _) => return part,
            (Says::Maybe(_), Says::Other | Says::Hint(_)) => loudest = part,
            (Says::Hint(_), Says::Other) => loudest = part,
            _ => {}
        }
    }
    loudest
}

/// Whether a bar between a title and the site's name stands here.
fn is_bar(before: char, letter: char) -> bool {
    match letter {
        '|' | '–' | '—' | '·' | '•' | '»' | '«' | '›' | '‹' | '｜' | '―' => true,
        '-' => before == ' ',
        ':' => before == ':',
        _ => false,
    }
}

/// The parts of a title between bars.
fn parts(title: &str, is_bar: impl Fn(char, char) -> bool) -> Vec<&str> {
    let (mut before, mut from, mut found) = (' ', 0, Vec::new());
    for (at, letter) in title.char_indices() {
        if is_bar(before, letter) && found.len() < PARTS {
            found.extend(title.get(from..at));
            from = at + letter.len_utf8();
        }
        before = letter;
    }
    found.extend(title.get(from..));
    found
}

/// Whether the heading is one of the title's parts.
fn is_part(heading: &str, title: &str) -> bool {
    let heading = Folded::new(heading);
    let loose = parts(title, |before, letter| is_bar(before, letter) || letter == ':');
    loose.iter().any(|part| Folded::new(part).text() == heading.text())
}

/// The ASCII letters and digits of a text, as lower case.
fn letters(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Whether the text is the name of the site: its host in other words.
fn is_site_name(name: &str, url: &str) -> bool {
    let host = url.split("//").nth(1).unwrap_or(url).split(['/', '?', '#']).next();
    let host = host.unwrap_or_default().trim_start_matches("www.");
    let text = letters(name);
    if text.len() < 3 {
        return false;
    }
    let is_host_word = |word: &str| {
        let word = letters(word);
        word.len() >= 4 && host.split(['.', '-']).any(|part| part == word)
    };
    let is_short = name.split_whitespace().count() <= 4;
    letters(host).contains(&text) || is_short && name.split_whitespace().any(is_host_word)
}

/// Names of login pages, without marks.
const LOGIN_PATHS: [&str; 12] = [
    "login",
    "signin",
    "logon",
    "wplogin",
    "userlogin",
    "accountlogin",
    "sso",
    "auth",
    "authorize",
    "authenticate",
    "anmelden",
    "connexion",
];

/// Whether the path of an address is that of a login page.
fn is_login_path(url: &str) -> bool {
    let path = url.split("//").nth(1).unwrap_or(url).split(['?', '#']).next().unwrap_or_default();
    path.split('/').skip(1).any(|segment| {
        let name = letters(segment.split('.').next().unwrap_or_default());
        LOGIN_PATHS.contains(&name.as_str())
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
