//! URL keys: million URLs a second on one core.
//!
//! ```text
//! cargo bench --bench url                 # generated inputs
//! cargo bench --bench url -- urls.txt     # a file with one URL a line
//! ```
//!
//! Budget: 5 million URLs/s on real lists, most of which are canonical already.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "a bench prints its result")]

use std::env;
use std::fs;
use std::hint::black_box;
use std::time::Instant;

use selfsame::kernels::url::{Key, Policy, canonical_key, id_key, is_canonical, registered_domain};

/// URLs per input; large enough that one round takes some milliseconds.
const URLS: u64 = 100_000;

/// Rounds per line; the fastest counts.
const ROUNDS: usize = 20;

fn main() {
    let files: Vec<String> =
        env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    for file in &files {
        match fs::read_to_string(file) {
            Ok(text) => measure(file, &text.lines().map(String::from).collect::<Vec<_>>()),
            Err(error) => println!("{file}: {error}"),
        }
    }
    if files.is_empty() {
        measure("canonical", &generated(canonical));
        measure("crawl-like: 4 % change", &generated(crawl_like));
        measure("repaired: every URL changes", &generated(repaired));
        measure("hosts outside plain ASCII", &generated(odd_host));
        measure("parameters that track", &generated(tracked));
    }
}

fn generated(url: impl Fn(u64) -> String) -> Vec<String> {
    (0..URLS).map(url).collect()
}

/// 77 bytes on average, as the hrefs of real pages.
fn canonical(number: u64) -> String {
    let site = number % 997;
    let page = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    format!("https://www.site-{site}.example.com/category/section/{page}/page.html?id={number}")
}

fn crawl_like(number: u64) -> String {
    match number % 100 {
        0 => format!("{}#comments", canonical(number)),
        1 => format!("http://WWW.Example.com/{number}"),
        2 => format!("http://example.com/a/../{number}/%7euser"),
        3 => format!("http://example.com?q=a b&n={number}"),
        _ => canonical(number),
    }
}

fn repaired(number: u64) -> String {
    format!("HTTP://WWW.Site-{number}.Example.com:80/a/./b/../%7euser/{number}?x=%41 b&y=[1]#top")
}

fn odd_host(number: u64) -> String {
    match number % 4 {
        0 => format!("https://bücher-{number}.de/"),
        1 => format!("http://10.0.0.{}/{number}", number % 256),
        2 => format!("http://user@example.com/{number}"),
        _ => format!("foo://host/{number}"),
    }
}

fn tracked(number: u64) -> String {
    format!("{}&utm_source=mail&utm_campaign=autumn&gclid={number}&lang=en", canonical(number))
}

fn measure(name: &str, urls: &[String]) {
    let bytes: usize = urls.iter().map(String::len).sum();
    println!("{name}: {} URLs, {} bytes on average", urls.len(), bytes / urls.len().max(1));
    let mut key = Key::new();
    let changed = urls
        .iter()
        .filter(|url| canonical_key(url, Policy::WEB, &mut key).is_err() || !key.rules().is_empty())
        .count();
    println!("  changed or refused under web {changed}");
    report("is_canonical", urls, |url| usize::from(is_canonical(url)));
    for (what, policy) in [("key safe", Policy::SAFE), ("key web", Policy::WEB)] {
        report(what, urls, |url| {
            black_box(canonical_key(url, policy, &mut key).is_ok());
            key.as_str().len()
        });
    }
    report("key and domain", urls, |url| {
        black_box(canonical_key(url, Policy::WEB, &mut key).is_ok());
        registered_domain(key.host()).map_or(0, |domain| domain.len())
    });
    report("id_key", urls, |url| id_key(url).len());
}

fn report(what: &str, urls: &[String], mut kernel: impl FnMut(&str) -> usize) {
    let mut fastest = f64::INFINITY;
    let mut sum = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        sum = urls.iter().map(|url| kernel(black_box(url))).sum::<usize>();
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    let count = u32::try_from(urls.len()).map_or(f64::NAN, f64::from);
    let per_url = fastest * 1e9 / count;
    println!(
        "  {what:<15} {:>7.2} million URLs/s  {per_url:>6.1} ns a URL  (sum {sum})",
        1e3 / per_url
    );
}
