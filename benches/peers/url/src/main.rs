//! URL keys beside `url` and `ada-url`, which parse alone: million URLs a second on one core.
//!
//! Each line is the fastest of some rounds over a whole list; rounds of all lines take turns, so
//! that a busy machine slows all of them. Time is that of the processor, not of the wall.

use std::env;
use std::fs;
use std::hint::black_box;

#[path = "../../../../src/kernels"]
mod kernels {
    #[allow(dead_code, reason = "the bench needs a part of it")]
    pub mod mix;
    #[allow(dead_code, unused_imports, reason = "the bench needs a part of it")]
    pub mod simd;
    #[allow(dead_code, unused_imports, reason = "the bench needs a part of it")]
    pub mod url;
}

use kernels::url::{Key, Policy, canonical_key, canonical_key_with_surt};

/// Rounds over the list; the fastest of each line counts.
const ROUNDS: usize = 15;

/// Seconds of processor time that this process has taken.
///
/// The kernel counts the main thread's time in nanoseconds as the first number of this file.
fn processor_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e9
}

/// What is measured: a name and the work for one URL; the sum keeps the work from being left out.
type Line<'w> = (&'static str, Box<dyn FnMut(&str) -> usize + 'w>);

fn key_line(name: &'static str, policy: Policy) -> Line<'static> {
    let mut key = Key::new();
    let work = move |url: &str| match canonical_key(url, policy, &mut key) {
        Ok(()) => key.as_str().len() + usize::from(key.rules().is_empty()),
        Err(refused) => refused.name().len(),
    };
    (name, Box::new(work))
}

fn surt_line() -> Line<'static> {
    let (mut key, mut surt) = (Key::new(), String::new());
    let work = move |url: &str| {
        let found = canonical_key_with_surt(url, Policy::WEB, &mut key, &mut surt);
        found.map_or(0, |()| key.as_str().len() + surt.len())
    };
    ("selfsame key web, surt", Box::new(work))
}

fn lines() -> Vec<Line<'static>> {
    vec![
        key_line("selfsame key safe", Policy::SAFE),
        key_line("selfsame key web", Policy::WEB),
        key_line("selfsame key all rules", Policy::ALL),
        surt_line(),
        ("url parse", Box::new(|url| url::Url::parse(url).map_or(0, |url| url.as_str().len()))),
        (
            "ada-url parse",
            Box::new(|url| ada_url::Url::parse(url, None).map_or(0, |url| url.href().len())),
        ),
    ]
}

fn main() {
    let Some(file) = env::args().nth(1) else {
        println!("wanted a file with one URL a line");
        return;
    };
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => return println!("{file}: {error}"),
    };
    let urls: Vec<&str> = text.lines().collect();
    println!("{} URLs, {} bytes on average", urls.len(), text.len() / urls.len().max(1));
    report_changes(&urls);
    let mut lines = lines();
    let mut fastest = vec![f64::INFINITY; lines.len()];
    for _ in 0..ROUNDS {
        for ((_, work), fastest) in lines.iter_mut().zip(&mut fastest) {
            let start = processor_seconds();
            let sum: usize = urls.iter().map(|url| work(black_box(url))).sum();
            black_box(sum);
            *fastest = fastest.min(processor_seconds() - start);
        }
    }
    for ((name, _), seconds) in lines.iter().zip(fastest) {
        let rate = urls.len() as f64 / seconds;
        println!("{name:<24} {:>7.2} million URLs/s  {:>6.1} ns a URL", rate / 1e6, 1e9 / rate);
    }
}

fn report_changes(urls: &[&str]) {
    let mut key = Key::new();
    let (mut changed, mut refused, mut unstable) = (0, 0, 0);
    for url in urls {
        for policy in [Policy::SAFE, Policy::WEB, Policy::ALL] {
            let Ok(()) = canonical_key(url, policy, &mut key) else {
                refused += usize::from(policy == Policy::WEB);
                continue;
            };
            changed += usize::from(policy == Policy::WEB && !key.rules().is_empty());
            let first = key.as_str().to_owned();
            let again = canonical_key(&first, policy, &mut key);
            unstable += usize::from(again.is_err() || key.as_str() != first);
        }
    }
    println!("under web: changed {changed}, refused {refused}; keys with another key {unstable}");
}
