//! Two texts: what the gate, the guards and the removal of lines make of them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use selfsame::kernels::boilerplate::{kept_text, removed_text};
use selfsame::kernels::difference::{Differ, Words};
use selfsame::kernels::gate::{Seen, judge as gate};
use selfsame::kernels::guard::{Titles, judge};
use selfsame::kernels::html::line_hash;
use selfsame::kernels::text::{Rules, Text};

fn words(text: &str) -> Words {
    let (mut normalised, mut words) = (Text::new(), Words::new());
    normalised.normalise(Rules::V3, text);
    words.read(&normalised);
    words
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (left, right) = text.split_once('\u{1}').unwrap_or((&text, ""));
    let seen = Seen {
        status: Some(200),
        is_html: true,
        is_empty: false,
        tokens: 40,
        tokens_min: 10,
        is_refresh: false,
        is_extracted: true,
        title: Some(left),
        heading: Some(right),
        main_text: &text,
        full_text: &text,
        url: left,
        final_url: Some(right),
        passwords: 1,
        marks: &[],
    };
    assert_eq!(gate(&seen), gate(&seen));

    let (left_words, right_words) = (words(left), words(right));
    let mut differ = Differ::new();
    let there = differ.difference(&left_words, &right_words, 64);
    let there = there.map(|found| judge(&left_words, &right_words, found));
    let back = differ.difference(&right_words, &left_words, 64);
    let back = back.map(|found| judge(&right_words, &left_words, found));
    assert_eq!(there, back);
    let mut titles = Titles::new();
    assert_eq!(titles.compare(left, right), titles.compare(right, left));

    let mut scratch = Text::new();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut removed: Vec<i64> =
        lines.step_by(2).map(|line| line_hash(&mut scratch, line).cast_signed()).collect();
    removed.sort_unstable();
    let kept = kept_text(&text, &removed, &mut scratch);
    assert!(removed_text(&kept, &removed, &mut scratch).is_empty());
});
