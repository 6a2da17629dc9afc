//! Patterns of constructed hosts; the numbers follow from how each was made.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

/// What is learned from `paths` of one host, each with its leading slash.
fn learned_with<S: AsRef<str>>(paths: &[S], options: Options) -> Learned {
    let mut learner = Learner::new(options);
    paths.iter().for_each(|path| learner.push(&key(path.as_ref())));
    learner.finish()
}

fn learned<S: AsRef<str>>(paths: &[S]) -> Learned {
    let found = learned_with(paths, Options::USUAL);
    check(&found, paths);
    found
}

fn key(path: &str) -> String {
    format!("https://a.example{path}")
}

/// Laws of every result within the bounds.
fn check<S: AsRef<str>>(found: &Learned, paths: &[S]) {
    let mut urls = vec![0_u64; found.patterns.len()];
    for path in paths {
        let place = found.pattern_of(&key(path.as_ref())).unwrap();
        urls[place] += 1;
        let pattern = &found.patterns[place].pattern;
        assert_eq!(found.template_of(&key(path.as_ref())), pattern.split('?').next().unwrap());
    }
    assert_eq!(urls, found.patterns.iter().map(|pattern| pattern.urls).collect::<Vec<_>>());
    assert_eq!(found.unplaced, 0);
    let folded: u64 = found.folded().iter().map(|folded| folded.urls).sum();
    assert_eq!(folded, u64::try_from(paths.len()).unwrap());
}

fn counts(found: &Learned) -> Vec<(&str, u64)> {
    found.patterns.iter().map(|pattern| (&*pattern.pattern, pattern.urls)).collect()
}

fn folded(found: &Learned) -> Vec<(String, u64)> {
    found.folded().into_iter().map(|folded| (folded.pattern, folded.urls)).collect()
}

fn owned(wanted: &[(&str, u64)]) -> Vec<(String, u64)> {
    wanted.iter().map(|(pattern, urls)| ((*pattern).to_owned(), *urls)).collect()
}

/// The kind, distinct values and entropy of each slot of a pattern.
fn slots(found: &Learned, pattern: &str) -> Vec<(Kind, u64, u64)> {
    let found = found.patterns.iter().find(|known| known.pattern == pattern).unwrap();
    found.slots.iter().map(|slot| (slot.kind, slot.distinct, slot.entropy_milli)).collect()
}

/// Non-ASCII octets percent-encoded, as canonical keys have them.
fn encoded(url: &str) -> String {
    let octet = |byte: u8| match byte.is_ascii() {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    url.bytes().map(octet).collect()
}

fn shop() -> Vec<String> {
    let names = "red-runner blue-walker green-lace old-boot white-clog fast-spike warm-wool";
    let mut paths = Vec::new();
    for category in ["shoes", "hats", "bags"] {
        for (at, name) in names.split(' ').enumerate() {
            paths.push(format!("/catalog/{category}/{name}-{at}"));
        }
    }
    paths.extend(["/about", "/contact", "/cart"].map(str::to_owned));
    paths
}

#[test]
fn a_shop_has_literal_categories_and_slugs() {
    let found = learned(&shop());
    let wanted = [
        ("/about", 1),
        ("/cart", 1),
        ("/catalog/bags/{slug}", 7),
        ("/catalog/hats/{slug}", 7),
        ("/catalog/shoes/{slug}", 7),
        ("/contact", 1),
    ];
    assert_eq!(counts(&found), wanted);
    let wanted =
        [("/about", 1), ("/cart", 1), ("/catalog/{shoes|hats|bags}/{slug}", 21), ("/contact", 1)];
    assert_eq!(folded(&found), owned(&wanted));
    assert_eq!(slots(&found, "/catalog/hats/{slug}"), [(Kind::Slug, 7, 2807)]);
    let parents: BTreeSet<_> = found.patterns.iter().map(|found| found.parent.as_deref()).collect();
    let wanted = ["/", "/catalog/bags", "/catalog/hats", "/catalog/shoes"].map(Some);
    assert_eq!(parents, BTreeSet::from(wanted));
}

#[test]
fn dates_beat_counts() {
    let mut paths = Vec::new();
    for year in [2024, 2025] {
        for day in ["01/03", "01/19", "07/03", "07/19", "12/03", "12/19"] {
            for article in ["vote-result", "storm-hits", "cup-final"] {
                paths.push(format!("/{year}/{day}/{article}"));
            }
        }
    }
    let found = learned(&paths);
    assert_eq!(counts(&found), [("/{yyyy}/{mm}/{dd}/{slug}", 36)]);
    let wanted = [
        (Kind::Year, 2, 1000),
        (Kind::Month, 3, 1585),
        (Kind::Day, 2, 1000),
        (Kind::Slug, 3, 1585),
    ];
    assert_eq!(slots(&found, "/{yyyy}/{mm}/{dd}/{slug}"), wanted);
}

#[test]
fn dates_are_told_from_numbers_by_their_place() {
    let ids: Vec<String> = (1800..2110).map(|id| format!("/t/{id}")).collect();
    assert_eq!(counts(&learned(&ids)), [("/t/{int}", 310)]);
    let months: Vec<String> = (1..=12).map(|id| format!("/m/{id:02}/{id}")).collect();
    assert_eq!(counts(&learned(&months)), [("/m/{int}/{int}", 12)]);
    let days: Vec<String> = (1..=28).map(|day| format!("/log/2024-02-{day:02}.txt")).collect();
    assert_eq!(counts(&learned(&days)), [("/log/{date}.txt", 28)]);
    let years: Vec<String> = (1990..2020).map(|year| format!("/report/{year}/")).collect();
    assert_eq!(counts(&learned(&years)), [("/report/{yyyy}/", 30)]);
}

#[test]
fn versions_and_pages_of_documents_are_literals() {
    let mut paths = Vec::new();
    for language in ["en", "de"] {
        for version in ["1.0", "1.1", "2.0", "latest"] {
            for page in ["install", "config", "api", "faq", "upgrade"] {
                paths.push(format!("/{language}/{version}/{page}.html"));
            }
        }
    }
    let found = learned(&paths);
    assert_eq!(found.patterns.len(), 40);
    assert!(counts(&found).contains(&("/en/1.0/install.html", 1)));
    let wanted = "/{en|de}/{1.0|1.1|2.0|latest}/{install|config|api|faq|upgrade}.html";
    assert_eq!(folded(&found), owned(&[(wanted, 40)]));
}

#[test]
fn many_languages_or_versions_are_a_slot() {
    let languages = "en de fr es it nl pl pt-br zh-cn";
    let mut paths: Vec<String> = Vec::new();
    for page in ["", "about", "faq"] {
        paths.extend(languages.split(' ').map(|language| format!("/{language}/{page}")));
    }
    paths.extend(["/robots.txt", "/index.html"].map(str::to_owned));
    let wanted = [
        ("/index.html", 1),
        ("/robots.txt", 1),
        ("/{lang}/", 9),
        ("/{lang}/about", 9),
        ("/{lang}/faq", 9),
    ];
    let found = learned(&paths);
    assert_eq!(counts(&found), wanted);
    assert_eq!(slots(&found, "/{lang}/"), [(Kind::Lang, 9, 3170)]);
    let mut paths: Vec<String> =
        (0..9).flat_map(|minor| [format!("/v1.{minor}/api"), format!("/v1.{minor}/")]).collect();
    paths.extend(["/stable/api", "/latest/", "/about"].map(str::to_owned));
    let wanted = [("/about", 1), ("/{version}/", 10), ("/{version}/api", 10)];
    assert_eq!(counts(&learned(&paths)), wanted);
    // Two letters among other words are words.
    let words: Vec<String> =
        "en is it no up we go by hi me".split(' ').map(str::to_owned).collect();
    let paths: Vec<String> = words
        .iter()
        .chain(&["cat", "dog", "cow"].map(str::to_owned))
        .map(|w| format!("/{w}"))
        .collect();
    assert!(!counts(&learned(&paths)).contains(&("/{lang}", 10)));
}

fn forum() -> Vec<String> {
    let mut paths: Vec<String> = (1000..1200).map(|id| format!("/t/{id}")).collect();
    paths.push("/t/new".to_owned());
    paths.extend((1..=40).map(|page| format!("/t/popular?page={page}")));
    paths
}

#[test]
fn a_literal_stays_in_a_level_of_numbers() {
    let found = learned(&forum());
    let wanted = [("/t/new", 1), ("/t/popular?page={int}", 40), ("/t/{int}", 200)];
    assert_eq!(counts(&found), wanted);
    assert_eq!(slots(&found, "/t/popular?page={int}"), [(Kind::Int, 40, 5322)]);
    assert_eq!(found.template_of(&key("/t/99?x=1")), "/t/{int}");
    assert_eq!(found.template_of(&key("/u/9/x-y/c.html")), "/u/{int}/x-y/c.html");
    assert_eq!(found.pattern_of(&key("/t/77")), Some(2));
    assert_eq!(found.pattern_of(&key("/u/77")), None);
}

#[test]
fn encoded_words_are_slugs() {
    let paths: Vec<String> = (0..40).map(|at| encoded(&format!("/статья/новость-{at}"))).collect();
    let wanted = "/%D1%81%D1%82%D0%B0%D1%82%D1%8C%D1%8F/{slug}";
    assert_eq!(counts(&learned(&paths)), [(wanted, 40)]);
}

#[test]
fn hex_and_uuid_are_slots_at_once() {
    let paths = [
        "/o/0a1b2c3d",
        "/o/ffeeddcc00112233",
        "/o/12345678",
        "/c/00112233-4455-6677-8899-aabbccddeeff",
        "/c/deadbeef",
        "/c/feedface1.js",
    ];
    let wanted = [
        ("/c/deadbeef", 1),
        ("/c/{hex}.js", 1),
        ("/c/{uuid}", 1),
        ("/o/{hex}", 2),
        ("/o/{int}", 1),
    ];
    assert_eq!(counts(&learned(&paths)), wanted);
    // One hash in many has no letter.
    let mut paths: Vec<String> =
        (0..20).map(|at| format!("/o/{:08x}", 0xa000_0000_u32 + at)).collect();
    paths.push("/o/12345678".to_owned());
    assert_eq!(counts(&learned(&paths)), [("/o/{hex}", 21)]);
}

#[test]
fn a_slot_keeps_its_extension_and_a_shared_word_before_numbers() {
    let mut paths: Vec<String> = Vec::new();
    for at in 0..30 {
        let word: String = format!("{at:02}").bytes().map(|b| char::from(b + 49)).collect();
        paths.push(format!("/p/{word}.html"));
        paths.push(format!("/p/{word}.pdf"));
        paths.push(format!("/f/topic-{at}.html"));
        paths.push(format!("/f/user{at}"));
        paths.push(format!("/i/{at}.png"));
    }
    paths.extend(["/p/robots.txt", "/f/step-1.html", "/f/step-2.html"].map(str::to_owned));
    let wanted = [
        ("/f/step-1.html", 1),
        ("/f/step-2.html", 1),
        ("/f/topic-{int}.html", 30),
        ("/f/user{int}", 30),
        ("/i/{int}.png", 30),
        ("/p/robots.txt", 1),
        ("/p/{slug}.html", 30),
        ("/p/{slug}.pdf", 30),
    ];
    assert_eq!(counts(&learned(&paths)), wanted);
}

#[test]
fn few_words_in_parts_are_judged_with_their_siblings() {
    let pages = ["about-us", "contact-us", "our-team", "press-kit", "terms-of-use"];
    let languages = ["en", "de", "fr", "es"];
    let mut paths: Vec<String> = Vec::new();
    for language in languages {
        paths.extend(pages.map(|page| format!("/{language}/{page}")));
    }
    let wanted = "/{en|de|fr|es}/{about-us|contact-us|our-team|press-kit|terms-of-use}";
    assert_eq!(folded(&learned(&paths)), owned(&[(wanted, 20)]));
    // Other words below each sibling are names of things.
    let mut paths: Vec<String> = Vec::new();
    for language in languages {
        paths.extend(pages.map(|page| format!("/{language}/{page}-{language}")));
    }
    assert_eq!(folded(&learned(&paths)), owned(&[("/{en|de|fr|es}/{slug}", 20)]));
    // Single words are parts of the site, as long as they are few.
    let paths = paths.iter().map(|path| path.replace('-', "")).collect::<Vec<_>>();
    assert_eq!(learned(&paths).patterns.len(), 20);
}

#[test]
fn what_continues_otherwise_is_no_value_of_a_slot() {
    let mut paths: Vec<String> = (0..60).map(|at| format!("/p/thing-no-{at}")).collect();
    paths.extend((0..5).map(|page| format!("/p/archive/{page}")));
    paths.extend((0..3).map(|page| format!("/p/all?page={page}")));
    let wanted = [("/p/all?page={int}", 3), ("/p/archive/{int}", 5), ("/p/{slug}", 60)];
    assert_eq!(counts(&learned(&paths)), wanted);
}

#[test]
fn parameters_are_sorted_and_typed() {
    let mut paths: Vec<String> = Vec::new();
    for at in 0..4 {
        paths.push(format!("/s?q=word-{at}&page={at}"));
        paths.push(format!("/s?page={at}&q=word-{at}"));
        paths.push(format!("/s?print&v=1.{at}"));
        paths.push(format!("/s?{at}0000"));
        paths.push(format!("/s?lang={}&id=", ["en", "de", "fr", "it"][at]));
    }
    paths.push("/s?a{b=%20x".to_owned());
    let wanted = [
        ("/s?a%7Bb={free}", 1),
        ("/s?id=&lang={lang}", 4),
        ("/s?page={int}&q={slug}", 8),
        ("/s?print&v={version}", 4),
        ("/s?{int}", 4),
    ];
    let found = learned(&paths);
    assert_eq!(counts(&found), wanted);
    assert!(found.patterns.iter().all(|pattern| pattern.parent.as_deref() == Some("/s")));
}

/// Pages of `count` products, four each: few look like categories of a site, many do not.
fn products(count: usize) -> Vec<String> {
    let name = |at: usize| -> String {
        format!("{at:03}").bytes().map(|byte| char::from(byte + 49)).collect()
    };
    (0..count * 4)
        .map(|at| {
            let page = ["", "/reviews", "/photos", "/questions"][at % 4];
            format!("/p/{}{page}", name(at / 4))
        })
        .collect()
}

#[test]
fn an_early_decision_is_revised_and_the_map_tells_it() {
    let mut paths = products(8);
    let early = learned(&paths);
    assert_eq!((early.patterns.len(), &*early.checkpoint_urls), (32, &[16, 32][..]));
    paths = products(75);
    paths.extend(["/about", "/cart"].map(str::to_owned));
    assert_eq!(paths.len(), 302);
    let found = learned(&paths);
    let wanted = [
        ("/about", 1),
        ("/cart", 1),
        ("/p/{slug}", 75),
        ("/p/{slug}/photos", 75),
        ("/p/{slug}/questions", 75),
        ("/p/{slug}/reviews", 75),
    ];
    assert_eq!(counts(&found), wanted);
    assert_eq!(found.checkpoint_urls, [16, 32, 64, 128, 256, 302]);
    let versions: Vec<u32> =
        found.patterns.iter().map(|pattern| pattern.first_checkpoint).collect();
    // 16 words in 64 addresses are identifiers: 16 >= 2 * sqrt(64).
    assert_eq!(versions, [6, 6, 3, 3, 3, 3]);
    assert_eq!(found.retired.len(), 32);
    assert!(found.retired.iter().all(|pattern| pattern.last_checkpoint == 2));
    let [from, to] = ["/p/aab/photos", "/p/{slug}/photos"].map(str::to_owned);
    assert!(found.moves.contains(&Move { checkpoint: 3, from, to, urls: 1 }));
    assert_eq!(found.moves.iter().map(|moved| moved.urls).sum::<u64>(), 32);
    assert!(found.moves.iter().all(|moved| moved.checkpoint == 3));
}

#[test]
fn a_decision_is_kept_while_most_of_its_evidence_is_left() {
    let words: Vec<char> = ('a'..='p').collect();
    let path = |at: usize| format!("/{}/{}", words[at % 16], at / 16);
    let mut paths: Vec<String> = (0..64).map(path).collect();
    assert_eq!(counts(&learned(&paths)), [("/{slug}/{int}", 64)]);
    // In 96 addresses they would not be, had they not been before: 16 < 2 * sqrt(96).
    paths.extend((64..96).map(path));
    let forgetful = Options { keep_milli: 1000, ..Options::USUAL };
    assert_eq!(learned_with(&paths, forgetful).patterns.len(), 16);
    assert_eq!(counts(&learned(&paths)), [("/{slug}/{int}", 96)]);
    // In 128 addresses too little is left of it: 16 < 0.8 * 2 * sqrt(128).
    paths.extend((96..128).map(path));
    assert_eq!(learned(&paths).patterns.len(), 16);
}

#[test]
fn a_slash_at_the_end_is_another_pattern() {
    let mut paths: Vec<String> = vec!["/".to_owned(), "/x".to_owned(), "/x/".to_owned()];
    paths.extend((0..3).map(|at| format!("/n/{at}/")));
    let wanted = [("/", 1), ("/n/{int}/", 3), ("/x", 1), ("/x/", 1)];
    assert_eq!(counts(&learned(&paths)), wanted);
    assert_eq!(counts(&learned::<&str>(&[])), []);
}

#[test]
fn wide_hosts_stay_bounded() {
    let options = Options { children_max: 64, nodes_max: 1000, sample_max: 64, ..Options::USUAL };
    let mut learner = Learner::new(options);
    let word = |at: u32| -> String {
        format!("{at:06}").bytes().map(|byte| char::from(byte + 49)).collect()
    };
    let mut most = 0;
    for at in 0..100_000 {
        learner.push(&key(&format!("/{}/{}/{}?{}={at}", word(at), word(at ^ 5), at, word(at))));
        most = most.max(learner.nodes());
    }
    assert!(most <= 2000, "{most}");
    let found = learner.finish();
    let urls: u64 = found.patterns.iter().map(|pattern| pattern.urls).sum();
    assert_eq!(urls + found.unplaced, 100_000);
    assert!(found.patterns.len() <= 2000);
    // A flat level is open for good, and what is typed has no bound to meet.
    let mut learner = Learner::new(options);
    (0..100_000).for_each(|at| learner.push(&key(&format!("/p/{}", word(at)))));
    (0..100_000).for_each(|at| learner.push(&key(&format!("/t/{at}"))));
    learner.push(&key("/p/x11"));
    assert!(learner.nodes() < 80, "{}", learner.nodes());
    let found = learner.finish();
    assert_eq!(counts(&found), [("/p/{slug}", 100_001), ("/t/{int}", 100_000)]);
    let (kind, distinct, entropy) = slots(&found, "/p/{slug}")[0];
    assert_eq!(kind, Kind::Slug);
    assert!((60_000..150_000).contains(&distinct), "{distinct}");
    assert_eq!(entropy, 16_610);
}

#[test]
fn hostile_addresses_do_no_harm() {
    let mut paths: Vec<String> = vec![
        "/".repeat(60_000),
        format!("/{}", "a".repeat(60_000)),
        format!("/{}", "a/".repeat(30_000)),
        format!("/x?{}", "a&".repeat(30_000)),
        format!("/x?{}=1", "n".repeat(60_000)),
        format!("/x?{}", (0..5000).map(|at| format!("p{at}={at}&")).collect::<String>()),
        "/%".to_owned(),
        "/a%2".to_owned(),
        "/..//.html/.".to_owned(),
        "/{int}/{slug}?{free}={a|b}".to_owned(),
        "/é/ü-ß?ö=ä".to_owned(),
        "?".to_owned(),
        "?x".to_owned(),
        "#".to_owned(),
        String::new(),
    ];
    paths.extend((0..200).map(|at| format!("/{}{at}", "d/".repeat(at))));
    let found = learned(&paths);
    assert!(found.patterns.iter().all(|pattern| pattern.slots.len() <= 128));
    for key in ["", "://", "a", "https://", "?", "#", "https://é", "//"] {
        let _ = (found.pattern_of(key), found.template_of(key));
    }
}

#[test]
fn the_constructed_hosts_of_the_vectors_come_out() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/vectors/url/patterns.json");
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let urls = case["urls"].as_array().unwrap().iter();
        let urls: Vec<String> = urls.map(|url| encoded(url.as_str().unwrap())).collect();
        let mut learner = Learner::new(Options::USUAL);
        urls.iter().for_each(|url| learner.push(url));
        let found = learner.finish();
        let plain = |pattern: &str| match pattern.split_once(" literals kept: ") {
            Some((head, rest)) => {
                format!("{}{rest}", head.trim_end_matches(|c: char| c.is_ascii_digit()))
            }
            None => pattern.to_owned(),
        };
        let expected = case["expected"].as_object().unwrap().iter();
        let expected: BTreeMap<String, u64> =
            expected.map(|(pattern, urls)| (plain(pattern), urls.as_u64().unwrap())).collect();
        let given: BTreeMap<String, u64> = folded(&found).into_iter().collect();
        assert_eq!(given, expected, "{}", case["name"]);
    }
}

/// A host whose levels are far from every threshold.
fn clear_host() -> Vec<String> {
    let mut paths = forum();
    paths.extend(shop());
    for at in 0..120 {
        paths.push(format!("/2024/{:02}/{:02}/the-story-{at}", at % 12 + 1, at % 28 + 1));
        paths.push(format!("/help/topic-{at}.html"));
        paths.push(format!("/find?q=word&page={at}"));
    }
    paths
}

/// Any address of a few values.
const ADDRESS: &str = "(/(a|b-c|[a-z]{1,2}|[0-9]{1,4}|v1\\.[0-9]|[a-f0-9]{8}|x\\.html|)){1,4}\
    (\\?(a|b=[0-9a-z]|c=x-y|)){0,1}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_does_not_change_the_final_patterns(
        paths in Just(clear_host()).prop_shuffle()
    ) {
        let plain = learned(&clear_host());
        let found = learned(&paths);
        prop_assert_eq!(counts(&found), counts(&plain));
        for (left, right) in found.patterns.iter().zip(&plain.patterns) {
            prop_assert_eq!(&left.slots, &right.slots);
        }
    }

    #[test]
    fn counts_and_look_ups_agree_on_any_addresses(
        paths in prop::collection::vec(ADDRESS, 0..200)
    ) {
        let found = learned(&paths);
        prop_assert_eq!(&learned(&paths).patterns, &found.patterns);
        let last = found.checkpoint_urls.len();
        for moved in &found.moves {
            prop_assert!(usize::try_from(moved.checkpoint).unwrap() <= last);
            prop_assert!(moved.from != moved.to && moved.urls > 0);
        }
    }
}
