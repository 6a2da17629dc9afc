//! Pairs of texts and pages, each with what a run makes of it.

use super::*;

fn compared(left: &str, right: &str, urls: [&str; 2], overrides: &[&str]) -> Figures {
    let overrides: Vec<_> = overrides.iter().map(|text| (*text).to_owned()).collect();
    let jobs = Jobs::built_in(&overrides).unwrap();
    let content = |text: &str| match text.starts_with("<html") {
        true => Content::Html(text.as_bytes().to_vec()),
        false => Content::Text(text.to_owned()),
    };
    let given =
        |text: &str, url: &str| Given { content: content(text), url: url.to_owned(), known: None };
    let given = [given(left, urls[0]), given(right, urls[1])];
    block_on(2, figures(&jobs, given, false)).unwrap()
}

fn compare(left: &str, right: &str, overrides: &[&str]) -> Figures {
    compared(left, right, ["", ""], overrides)
}

/// `count` words from number `first` on, each of them once.
fn words(first: u32, count: u32) -> String {
    let word = |number: u32| {
        let letter = |at: u32| char::from_u32(u32::from('a') + at % 20).unwrap();
        format!("w{}{}{}", letter(number / 400), letter(number / 20), letter(number))
    };
    (first..first + count).map(word).collect::<Vec<_>>().join(" ")
}

/// A page with a title, and with paragraphs that hold `text`.
fn page(head: &str, text: &str) -> String {
    let words: Vec<_> = text.split(' ').collect();
    let paragraphs = words.chunks(30).map(|words| format!("<p>{}.</p>", words.join(" ")));
    let paragraphs: String = paragraphs.collect();
    format!(
        "<html><head><title>A tale</title>{head}</head><body><main><h1>A tale</h1>{paragraphs}\
         </main></body></html>"
    )
}

fn product(sku: &str) -> String {
    let data = serde_json::json!({
        "@context": "https://schema.org", "@type": "Product", "name": "Lamp", "sku": sku,
    });
    format!(r#"<script type="application/ld+json">{data}</script>"#)
}

#[test]
fn hex_is_read() {
    assert_eq!(bytes("009fff"), [0, 0x9f, 0xff]);
    assert_eq!(ratio(1, 0), None);
}

#[test]
fn equal_texts_are_equal_though_spelled_otherwise() {
    let long = words(0, 170);
    let found = compare(&long, &format!("  {}\n", long.to_uppercase()), &[]);
    assert_eq!((found.verdict, found.resemblance), ("equal_text", Some(1.0)));
    assert_eq!((found.hamming, found.differing.places), (Some(0), Some(0)));
    assert_eq!((found.class.as_deref(), found.tier.as_deref()), (Some("equal"), Some("merge")));
    assert_eq!(found.kind.as_deref(), Some("same_content"));
    let short = compare("only this", "only this", &[]);
    assert_eq!((short.verdict, short.resemblance), ("equal_text", Some(1.0)));
    assert_eq!((short.hamming, short.left.tokens, short.left.shingles), (None, 2, 0));
}

#[test]
fn figures_are_exact() {
    let long = words(0, 196);
    let found = compare(&long, &format!("{long} finally"), &[]);
    assert_eq!((found.shared_shingles, found.left.shingles), (192, 192));
    assert_eq!((found.verdict, found.right.shingles), ("near", 193));
    assert_eq!(found.resemblance, Some(192.0 / 193.0));
    assert_eq!(found.containment_left, Some(1.0));
    assert_eq!(
        (found.class.as_deref(), found.tier.as_deref()),
        (Some("cross_host"), Some("merge"))
    );
    assert_eq!(found.kind.as_deref(), Some("same_content"));
    let shown: Vec<_> = found.differing.words.iter().map(ToString::to_string).collect();
    assert_eq!(shown, [format!("{} nothing -> [finally]", words(194, 2))]);
    let strict = ["edge.resemblance_min_milli=996"];
    let strict = compare(&long, &format!("{long} finally"), &strict);
    assert_eq!((strict.verdict, strict.tier, strict.kind), ("different", None, None));
}

#[test]
fn a_class_wants_more_than_the_threshold() {
    let [left, right] = [words(0, 170), format!("{} {}", words(0, 160), words(300, 10))];
    let urls = ["http://a.example/1", "http://a.example/2"];
    let across = compared(&left, &right, ["http://a.example/1", "http://b.example/1"], &[]);
    assert_eq!((across.verdict, across.class.as_deref()), ("near", Some("cross_host")));
    let same = compared(&left, &right, urls, &[]);
    assert_eq!((same.verdict, same.class.as_deref()), ("refused", Some("same_host")));
    assert_eq!(same.guards, ["class_same_host"]);
    assert_eq!(same.tier.as_deref(), Some("suggest"));
    let lower = compared(&left, &right, urls, &["class.same_host_milli=800"]);
    assert_eq!((lower.verdict, lower.guards.len()), ("near", 0));
    let short = compare(&words(0, 40), &format!("{} more", words(0, 40)), &[]);
    assert_eq!((short.verdict, short.guards[0].as_str()), ("refused", "class_short"));
}

#[test]
fn short_and_empty_texts_have_no_figures() {
    let short = compare("only this", &words(0, 20), &[]);
    assert_eq!((short.verdict, short.resemblance, short.hamming), ("too_short", None, None));
    assert_eq!(short.class, None);
    assert_eq!(compare("", " \n", &[]).verdict, "empty");
}

#[test]
fn a_guard_is_named_even_below_the_threshold() {
    let letters = |first: char| {
        let letter = |at: u32| char::from_u32(u32::from(first) + at).unwrap();
        let word = |at: u32| format!("{}{}", letter(at / 10), letter(at % 10));
        (0..100).map(word).collect::<Vec<_>>().join(" ")
    };
    let [left, right] = ['а', 'α'].map(|first| format!("{} {}", words(0, 170), letters(first)));
    let found = compare(&left, &right, &[]);
    assert_eq!((found.verdict, found.guards.as_slice()), ("different", &["script".to_owned()][..]));
    let low = ["edge.resemblance_min_milli=300", "class.cross_host_milli=300"];
    assert_eq!(compare(&left, &right, &low).verdict, "refused");
    let off = [low[0], low[1], "guard.script=false"];
    assert_eq!(compare(&left, &right, &off).verdict, "near");
}

#[test]
fn numbers_decide_by_what_they_are_about() {
    let text = |what: &str| format!("{} {what} {}", words(0, 100), words(100, 100));
    let found = compare(&text("road 1506"), &text("road 1507"), &[]);
    assert_eq!(
        (found.verdict, found.guards.as_slice()),
        ("refused", &["digits_identifying".to_owned()][..])
    );
    assert_eq!(
        (found.numbers.as_deref(), found.tier.as_deref()),
        (Some("identifying"), Some("none"))
    );
    let version = compare(&text("version 2.1"), &text("version 2.2"), &[]);
    assert_eq!((version.verdict, version.tier.as_deref()), ("near", Some("group")));
    let off = compare(&text("road 1506"), &text("road 1507"), &["guard.digits=false"]);
    assert_eq!((off.verdict, off.tier.as_deref()), ("near", Some("merge")));
}

#[test]
fn equal_texts_of_two_products_are_a_pair() {
    let text = words(0, 200);
    let [one, same, other] = ["a-1", "a-1", "a-2"].map(|sku| page(&product(sku), &text));
    let found = compare(&one, &same, &[]);
    assert_eq!(found.verdict, "equal_text");
    assert_eq!(found.kind.as_deref(), Some("same_content_same_layout"));
    let found = compare(&one, &other, &[]);
    assert_eq!((found.verdict, found.resemblance), ("refused", Some(1.0)));
    assert_eq!(found.guards, ["product"]);
    assert_eq!(found.class.as_deref(), Some("cross_host"));
    assert_eq!(found.kind.as_deref(), Some("partial_content_same_layout"));
    assert_eq!(compare(&one, &other, &["guard.product=false"]).verdict, "near");
}

#[test]
fn one_address_with_one_text_is_one_page() {
    let text = page("", &words(0, 200));
    let found = compared(&text, &text, ["http://a.example/", "http://a.example/"], &[]);
    assert_eq!((found.verdict, found.resemblance), ("equal_text", Some(1.0)));
}

#[test]
fn a_declared_canonical_is_met() {
    let [left, right] = [words(0, 200), words(1000, 200)];
    let canonical = r#"<link rel="canonical" href="http://a.example/right">"#;
    let left = page(canonical, &left);
    let urls = ["http://a.example/left", "http://a.example/right"];
    let found = compared(&left, &page("", &right), urls, &[]);
    assert_eq!((found.verdict, found.is_declared, found.is_met), ("different", true, true));
    let alone = compare(&left, &page("", &right), &[]);
    assert_eq!((alone.is_declared, alone.is_met), (false, false));
}
