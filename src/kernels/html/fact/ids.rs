//! Identifiers of analytics, advertising and tag managers in scripts and addresses.
//!
//! One pass over the bytes looks for pairs of bytes that some known word holds; only there words
//! are compared. What follows a word is read for a bounded length.
//!
//! Source: the tag snippets that each provider publishes (Google tag, Yandex Metrica, Meta pixel,
//! Matomo, Hotjar, comScore, Quantcast, TikTok, LinkedIn Insight, Clarity, Chartbeat).
//! Cost: linear in the bytes.

use std::sync::LazyLock;

use super::Facts;
use super::number::is_placeholder;

/// Bytes behind a word in which its value is looked for.
const REACH: usize = 400;

/// Matomo sites of one script whose server is looked for.
const SITES_MAX: usize = 16;

/// What a word introduces.
#[derive(Clone, Copy)]
enum Form {
    /// `UA-account-property`.
    Universal,
    /// The word and upper-case letters and digits, so many.
    Token {
        kind: &'static str,
        least: usize,
        most: usize,
    },
    /// The word and digits, so many.
    Number {
        kind: &'static str,
        least: usize,
        most: usize,
    },
    /// A call or an assignment with digits as its value.
    Assigned {
        kind: &'static str,
        least: usize,
        most: usize,
    },
    /// A call or an assignment with letters, digits, `-` and `_` as its value.
    Word {
        kind: &'static str,
        least: usize,
        most: usize,
    },
    /// Digits right behind the word.
    Behind {
        kind: &'static str,
        least: usize,
        most: usize,
    },
    YandexRtb,
    VkPixel,
    Pixel,
    PixelAddress,
    Metrika,
    Matomo,
    Comscore,
    Chartbeat,
    Clarity,
    Quantcast,
}

/// Each word, where the pair stands in it by which it is found, and what it introduces.
const WORDS: &[(&str, usize, Form)] = &[
    ("UA-", 1, Form::Universal),
    ("G-", 0, Form::Token { kind: "id.ga4", least: 6, most: 12 }),
    ("GTM-", 2, Form::Token { kind: "id.gtm", least: 4, most: 9 }),
    ("AW-", 1, Form::Number { kind: "id.google_ads", least: 8, most: 12 }),
    ("pub-", 2, Form::Number { kind: "id.adsense", least: 16, most: 16 }),
    ("R-A-", 2, Form::YandexRtb),
    ("VK-RTRG-", 6, Form::VkPixel),
    ("ym(", 0, Form::Behind { kind: "id.yandex_metrika", least: 5, most: 9 }),
    ("mc.yandex.ru/watch/", 14, Form::Behind { kind: "id.yandex_metrika", least: 5, most: 9 }),
    ("mc.yandex.com/watch/", 15, Form::Behind { kind: "id.yandex_metrika", least: 5, most: 9 }),
    ("Ya.Metrika", 2, Form::Metrika),
    ("fbq(", 1, Form::Pixel),
    ("facebook.com/tr?", 14, Form::PixelAddress),
    ("facebook.com/tr/?", 13, Form::PixelAddress),
    ("setSiteId", 6, Form::Matomo),
    ("hjid", 0, Form::Assigned { kind: "id.hotjar", least: 4, most: 9 }),
    ("hotjar.com/c/hotjar-", 2, Form::Behind { kind: "id.hotjar", least: 4, most: 9 }),
    ("qacct", 0, Form::Quantcast),
    ("quantserve.com/pixel/", 5, Form::Quantcast),
    ("_sf_async_config", 2, Form::Chartbeat),
    ("ttq.load(", 1, Form::Word { kind: "id.tiktok", least: 16, most: 24 }),
    ("_linkedin_partner_id", 0, Form::Assigned { kind: "id.linkedin", least: 4, most: 9 }),
    ("linkedin.com/collect/?pid=", 21, Form::Behind { kind: "id.linkedin", least: 4, most: 9 }),
    ("clarity", 5, Form::Clarity),
    ("c2", 0, Form::Comscore),
    ("amzn_assoc_tracking_id", 2, Form::Word { kind: "id.amazon_tag", least: 4, most: 40 }),
    ("amazon_ad_tag", 5, Form::Word { kind: "id.amazon_tag", least: 4, most: 40 }),
];

/// For each of at most 64 words, a pair of bytes that stands in it.
pub(super) struct Pairs {
    first: [u64; 256],
    second: [u64; 256],
}

impl Pairs {
    /// The pairs with the numbers of their words; a word may have several that share no byte.
    pub(super) fn of(pairs: impl Iterator<Item = (usize, u8, u8)>) -> Self {
        let mut set = Pairs { first: [0; 256], second: [0; 256] };
        for (number, first, second) in pairs {
            let bit = 1_u64.checked_shl(u32::try_from(number).unwrap_or(64)).unwrap_or(0);
            let places = [(&mut set.first, first), (&mut set.second, second)];
            for (table, byte) in places {
                if let Some(word) = table.get_mut(usize::from(byte)) {
                    *word |= bit;
                }
            }
        }
        set
    }

    /// The words that hold the pair, a bit each.
    pub(super) fn words(&self, first: u8, second: u8) -> u64 {
        let first = self.first.get(usize::from(first)).copied().unwrap_or(0);
        first & self.second.get(usize::from(second)).copied().unwrap_or(0)
    }
}

/// The numbers of the bits that are set, lowest first.
pub(super) fn numbers(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = usize::try_from(bits.trailing_zeros()).ok().filter(|number| *number < 64)?;
        bits &= bits - 1;
        Some(number)
    })
}

/// The pairs of all words.
static PAIRS: LazyLock<Pairs> = LazyLock::new(|| {
    Pairs::of(WORDS.iter().enumerate().filter_map(|(number, (word, offset, _))| {
        let bytes = word.as_bytes();
        Some((number, *bytes.get(*offset)?, *bytes.get(offset + 1)?))
    }))
});

/// Writes the identifiers that an executed text or an address holds.
pub(super) fn read(script: &str, place: &'static str, facts: &mut Facts) {
    let mut reader = Reader { script, place, is_comscore: None, sites: 0, facts };
    let pairs: &Pairs = &PAIRS;
    let mut last = 0;
    for (at, byte) in script.bytes().enumerate() {
        let words = pairs.words(last, byte);
        if words != 0 {
            reader.candidates(at.saturating_sub(1), words);
        }
        last = byte;
    }
}

struct Reader<'r> {
    script: &'r str,
    place: &'static str,
    is_comscore: Option<bool>,
    /// Matomo sites whose server was looked for.
    sites: usize,
    facts: &'r mut Facts,
}

impl Reader<'_> {
    /// Looks for each of `words` whose pair stands at `pair`.
    fn candidates(&mut self, pair: usize, words: u64) {
        let bytes = self.script.as_bytes();
        for (word, offset, form) in numbers(words).filter_map(|number| WORDS.get(number)) {
            let Some(start) = pair.checked_sub(*offset) else { continue };
            let rest = bytes.get(start..).unwrap_or_default();
            if !rest.starts_with(word.as_bytes()) {
                continue;
            }
            let before = start.checked_sub(1).and_then(|at| bytes.get(at).copied());
            let is_address = word.contains('/');
            if before.is_some_and(is_word) && !is_address {
                continue;
            }
            let reach = bounded(self.script, start + word.len(), REACH);
            self.word(*form, before, reach, start);
        }
    }

    fn word(&mut self, form: Form, before: Option<u8>, rest: &str, start: usize) {
        match form {
            Form::Universal => self.universal(rest),
            Form::Token { kind, least, most } => self.token(kind, before, rest, least..=most),
            Form::Number { kind, least, most } => {
                let prefix = if kind == "id.adsense" { "pub-" } else { "AW-" };
                self.number(kind, prefix, rest, least..=most);
            }
            Form::Behind { kind, least, most } => {
                self.number(kind, "", rest.trim_start(), least..=most);
            }
            Form::Assigned { kind, least, most } => {
                let value = assigned(rest).unwrap_or_default();
                self.number(kind, "", value, least..=most);
            }
            Form::Word { kind, least, most } => {
                let value = assigned(rest).unwrap_or(rest.trim_start_matches(is_quote));
                let value = run(value, |byte| is_word(byte) || byte == b'-');
                if (least..=most).contains(&value.len()) && value.bytes().any(is_digit) {
                    self.push(kind, value);
                }
            }
            Form::YandexRtb => self.yandex_rtb(rest),
            Form::VkPixel => self.vk_pixel(rest),
            Form::Pixel => self.pixel(rest),
            Form::PixelAddress => {
                let id = rest.split(['&', ';', '?']).find_map(|part| part.strip_prefix("id="));
                self.number("id.facebook_pixel", "", id.unwrap_or_default(), 10..=17);
            }
            Form::Metrika => {
                let value = rest.get(..80).unwrap_or(rest).split_once("id");
                let value = value.and_then(|(_, value)| assigned(value)).unwrap_or_default();
                self.number("id.yandex_metrika", "", value, 5..=9);
            }
            Form::Matomo => self.matomo(rest, start),
            Form::Comscore => self.comscore(rest),
            Form::Chartbeat => self.chartbeat(rest),
            Form::Clarity => self.clarity(rest),
            Form::Quantcast => self.quantcast(rest),
        }
    }

    fn push(&mut self, kind: &'static str, value: &str) {
        if !is_placeholder(value) {
            self.facts.push(kind, value, self.place);
        }
    }

    /// `prefix` and the digits at the start of `rest`, if they are as many as `counts` says.
    fn number(
        &mut self,
        kind: &'static str,
        prefix: &str,
        rest: &str,
        counts: std::ops::RangeInclusive<usize>,
    ) {
        let digits = run(rest, is_digit);
        let is_ended = !rest.as_bytes().get(digits.len()).copied().is_some_and(is_word);
        if is_ended && counts.contains(&digits.len()) && !is_placeholder(digits) {
            self.facts.push(kind, &format!("{prefix}{digits}"), self.place);
        }
    }

    fn universal(&mut self, rest: &str) {
        let account = run(rest, is_digit);
        let Some(rest) = rest.get(account.len()..).and_then(|rest| rest.strip_prefix('-')) else {
            return;
        };
        let property = run(rest, is_digit);
        let is_ended = !rest.as_bytes().get(property.len()).copied().is_some_and(is_word);
        let is_form = (4..=10).contains(&account.len()) && (1..=4).contains(&property.len());
        if is_ended && is_form && !is_placeholder(account) {
            self.facts.push("id.ga_ua", &format!("UA-{account}"), self.place);
        }
    }

    fn token(
        &mut self,
        kind: &'static str,
        before: Option<u8>,
        rest: &str,
        counts: std::ops::RangeInclusive<usize>,
    ) {
        let token = run(rest, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let after = rest.as_bytes().get(token.len()).copied();
        if !counts.contains(&token.len()) || after.is_some_and(is_word) || is_placeholder(token) {
            return;
        }
        if kind == "id.gtm" {
            self.facts.push(kind, &format!("GTM-{token}"), self.place);
            return;
        }
        // `G-` is also the end of a name: a measurement stands in quotes or in an address.
        let is_quoted = before.is_none_or(|byte| b"\"'`=/;,".contains(&byte));
        let is_likely = token.bytes().any(is_digit) || token.len() == 10;
        if is_quoted && is_likely && after != Some(b'-') {
            self.facts.push(kind, &format!("G-{token}"), self.place);
        }
    }

    fn yandex_rtb(&mut self, rest: &str) {
        let page = run(rest, is_digit);
        let block = rest.get(page.len()..).and_then(|rest| rest.strip_prefix('-'));
        let block = run(block.unwrap_or_default(), is_digit);
        if page.len() >= 5 && page.len() <= 10 && !block.is_empty() && block.len() <= 5 {
            self.push("id.yandex_rtb", &format!("R-A-{page}-{block}"));
        }
    }

    fn vk_pixel(&mut self, rest: &str) {
        let token = run(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if token.len() >= 8 && token.len() <= 24 && token.bytes().next().is_some_and(is_digit) {
            self.push("id.vk_pixel", &format!("VK-RTRG-{token}"));
        }
    }

    fn pixel(&mut self, rest: &str) {
        let rest = rest.trim_start().trim_start_matches(is_quote);
        let value = rest.strip_prefix("init").and_then(assigned).unwrap_or_default();
        self.number("id.facebook_pixel", "", value, 10..=17);
    }

    /// A site number means nothing without the server that gave it.
    fn matomo(&mut self, rest: &str, start: usize) {
        self.sites += 1;
        if self.sites > SITES_MAX {
            return;
        }
        let site = run(assigned(rest).unwrap_or_default(), is_digit);
        let server = matomo_server(self.script, start);
        if let (1..=6, Some(server)) = (site.len(), server) {
            self.facts.push("id.matomo", &format!("{server}#{site}"), self.place);
        }
    }

    fn comscore(&mut self, rest: &str) {
        let Some(value) = assigned(rest) else { return };
        let digits = run(value, is_digit);
        if !(6..=9).contains(&digits.len()) {
            return;
        }
        let script = self.script;
        let is_comscore = *self.is_comscore.get_or_insert_with(|| {
            script.contains("comscore") || script.contains("scorecardresearch")
        });
        if is_comscore {
            self.number("id.comscore", "", value, 6..=9);
        }
    }

    fn chartbeat(&mut self, rest: &str) {
        for (at, _) in rest.match_indices("uid").take(4) {
            let value = rest.get(at + 3..).and_then(assigned).unwrap_or_default();
            self.number("id.chartbeat", "", value, 3..=6);
        }
    }

    /// The address of the tag, or the last argument of the snippet that builds it.
    fn clarity(&mut self, rest: &str) {
        let value = match rest.strip_prefix(".ms/tag/") {
            Some(value) => value,
            None => {
                let parts = rest.get(1..).and_then(assigned).unwrap_or_default();
                let value = parts.strip_prefix("script").and_then(|rest| rest.get(1..));
                value.and_then(assigned).unwrap_or_default()
            }
        };
        let value = run(value, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if (8..=12).contains(&value.len()) && value.bytes().any(is_digit) {
            self.push("id.clarity", value);
        }
    }

    fn quantcast(&mut self, rest: &str) {
        let value = assigned(rest).unwrap_or(rest);
        let Some(token) = value.strip_prefix("p-") else { return };
        let token = run(token, |byte| is_word(byte) || byte == b'-');
        if (8..=20).contains(&token.len()) && !is_placeholder(token) {
            self.facts.push("id.quantcast", &format!("p-{token}"), self.place);
        }
    }
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_quote(sign: char) -> bool {
    matches!(sign, '"' | '\'' | '\\' | '`')
}

/// The bytes at the start of `text` that `is_part` holds for; they must be ASCII.
fn run(text: &str, is_part: impl Fn(u8) -> bool) -> &str {
    let end = text.bytes().position(|byte| !is_part(byte)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// `text` from `start` on, at most about `most` bytes.
fn bounded(text: &str, start: usize, most: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    let end = (most..most + 4).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
    rest.get(..end).unwrap_or(rest)
}

/// What stands behind `:`, `=` or `,`, without the quotes around both.
fn assigned(rest: &str) -> Option<&str> {
    let is_around = |sign: char| is_quote(sign) || sign.is_ascii_whitespace() || sign == ']';
    let rest = rest.trim_start_matches(is_around).strip_prefix([':', '=', ','])?;
    Some(rest.trim_start_matches(|sign: char| is_quote(sign) || sign.is_ascii_whitespace()))
}

/// Host and path of the Matomo server that a snippet around `start` names.
fn matomo_server(script: &str, start: usize) -> Option<String> {
    let from = (start.saturating_sub(REACH)..start).find(|at| script.is_char_boundary(*at))?;
    let around = bounded(script, from, 2 * REACH);
    let marked = |mark: &str| {
        let (_, rest) = around.split_once(mark)?;
        let mut quoted = rest.split(['"', '\'']).take(8);
        quoted.find(|part| part.contains("//"))
    };
    let address = marked("setTrackerUrl").or_else(|| marked("u="))?;
    let (_, address) = address.split_once("//")?;
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let (folder, file) = address.rsplit_once('/').unwrap_or((address, ""));
    let server = if file.ends_with(".php") || file.is_empty() { folder } else { address };
    let is_host = server.contains('.') && !server.contains(char::is_whitespace);
    is_host.then(|| server.trim_end_matches('/').to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(script: &str) -> Vec<String> {
        let mut facts = Facts::default();
        read(script, "script", &mut facts);
        let found = facts.finish().into_iter();
        found.map(|fact| format!("{} {}", fact.kind, fact.value)).collect()
    }

    #[test]
    fn snippets_of_providers_are_read() {
        let cases = [
            ("ga('create', 'UA-8273511-3', 'auto');", "id.ga_ua UA-8273511"),
            ("gtag('config', 'G-S812YQPLT2');", "id.ga4 G-S812YQPLT2"),
            ("'dataLayer','GTM-W8JKW6');", "id.gtm GTM-W8JKW6"),
            ("gtag('config','AW-316245675');", "id.google_ads AW-316245675"),
            ("google_ad_client = \"ca-pub-9811502795429889\";", "id.adsense pub-9811502795429889"),
            ("ym(23897031, \"init\", {});", "id.yandex_metrika 23897031"),
            ("new Ya.Metrika({id:23897031,", "id.yandex_metrika 23897031"),
            ("https://mc.yandex.ru/watch/23897031", "id.yandex_metrika 23897031"),
            ("blockId: \"R-A-284113-1\"", "id.yandex_rtb R-A-284113-1"),
            ("VK.Retargeting.Init(\"VK-RTRG-431978-gTx3a\")", "id.vk_pixel VK-RTRG-431978-gTx3a"),
            ("fbq( 'init' , '1529072587392214');", "id.facebook_pixel 1529072587392214"),
            ("fbq(\\\"init\\\",\\\"1529072587392214\\\")", "id.facebook_pixel 1529072587392214"),
            (
                "https://www.facebook.com/tr?ev=PageView&id=1529072587392214&noscript=1",
                "id.facebook_pixel 1529072587392214",
            ),
            ("h._hjSettings={hjid:407345,hjsv:6};", "id.hotjar 407345"),
            (
                "var _comscore = _comscore || []; _comscore.push({ c1: \"2\", c2: \"6035868\" });",
                "id.comscore 6035868",
            ),
            ("_qevents.push({qacct:\"p-D1yc5zQgjmqr5\"});", "id.quantcast p-D1yc5zQgjmqr5"),
            ("_sf_async_config.uid = 63768;", "id.chartbeat 63768"),
            ("ttq.load('C5NMJ1V6I6Q3V2R7T4K0');", "id.tiktok C5NMJ1V6I6Q3V2R7T4K0"),
            ("_linkedin_partner_id = \"1608044\";", "id.linkedin 1608044"),
            (
                "})(window, document, \"clarity\", \"script\", \"56dfkv8ty1\");",
                "id.clarity 56dfkv8ty1",
            ),
            ("amzn_assoc_tracking_id = \"gardenwith-20\";", "id.amazon_tag gardenwith-20"),
            (
                "var u=\"//stats.example.org/piwik/\"; _paq.push(['setTrackerUrl', u+'m.php']); \
                 _paq.push(['setSiteId', '7']);",
                "id.matomo stats.example.org/piwik#7",
            ),
            (
                "_paq.push([\"setTrackerUrl\",\"https://M.example.org/matomo.php\"],\
                 [\"setSiteId\",12]);",
                "id.matomo m.example.org#12",
            ),
        ];
        for (script, expected) in cases {
            assert_eq!(ids(script), [expected], "{script}");
        }
    }

    #[test]
    fn placeholders_and_parts_of_words_are_none() {
        let scripts = [
            "UA-XXXXX-X UA-12345-1 UA-1234567-1 UA-12345678-9 UA-00000000-1 UA-123-1",
            "'G-XXXXXXX' 'G-XXXXXXXXXX' 'GTM-XXXX' 'GTM-XXXXXXX' 'AW-123456789'",
            "pub-0000000000000000 pub-1234567890123456 pub-981150279542988",
            "MSG-ABCDE12345 'G-lowercase1' aUA-8273511-3 UA-8273511-3x UA-8273511",
            "fbq('init', '1234567890'); fbq('track', '1529072587392214');",
            "c2: 6035868, c2=1",
            "hjid",
            "setSiteId', 'x'",
            "setSiteId', '3'",
            "ym(",
            "ym(x)",
            "R-A-",
            "clarity",
            "ttq.load('')",
            "é UA-é",
            "",
        ];
        for script in scripts {
            assert_eq!(ids(script), Vec::<&str>::new(), "{script}");
        }
    }

    #[test]
    fn every_word_holds_its_pair() {
        assert!(WORDS.len() <= 64);
        for (number, (word, offset, _)) in WORDS.iter().enumerate() {
            let pair = word.as_bytes().get(*offset..offset + 2).unwrap();
            assert!(numbers(PAIRS.words(pair[0], pair[1])).any(|n| n == number), "{word}");
        }
    }
}
