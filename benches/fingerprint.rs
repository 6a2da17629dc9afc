//! Speed of the text kernels on one core: MB/s of source text and ns a token.
//!
//! Input: pseudo-English, pseudo-Cyrillic and pseudo-Chinese texts of about 3 KB drawn from a
//! fixed seed, each read once (64, 16 and 16 MB); or the file given as argument, one text per
//! NUL-terminated record. Budget on the machine of `LIMITS.md`: full pass on English 100 MB/s
//! without any CPU feature beyond the baseline.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "a bench prints its result")]
#![expect(clippy::as_conversions, reason = "counts become rates")]

use std::hint::black_box;
use std::time::Instant;

use selfsame::kernels::fingerprint::{Plan, Reader, Scratch, shingle_set};
use selfsame::kernels::shingle::{self, splitmix64};
use selfsame::kernels::text::{Rules, Text};
use selfsame::kernels::{minhash, simhash};

/// A stopwatch of CPU time, so that other programs on the machine disturb less.
struct Watch {
    wall: Instant,
    spent: f64,
}

impl Watch {
    fn start() -> Self {
        Watch { wall: Instant::now(), spent: Self::spent() }
    }

    /// Seconds of CPU since the start; of the clock where Linux does not tell, and for times so
    /// short that the kernel's accounting is too coarse.
    fn seconds(&self) -> f64 {
        let wall = self.wall.elapsed().as_secs_f64();
        if wall < 0.1 { wall } else { (Self::spent() - self.spent).clamp(wall / 50.0, wall) }
    }

    fn spent() -> f64 {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let first = told.split(' ').next().and_then(|first| first.parse::<f64>().ok());
        first.unwrap_or(0.0) / 1e9
    }
}

/// A source of numbers that every run repeats.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 += 1;
        splitmix64(7, self.0)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end
    }

    /// A rank in `0..count` with frequency about one over rank: Zipf's law.
    fn rank(&mut self, count: usize) -> usize {
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        ((count as f64).powf(unit) as usize).min(count - 1)
    }
}

fn words(numbers: &mut Numbers, letters: &[char], count: usize) -> Vec<String> {
    (0..count)
        .map(|rank| {
            // Frequent words are short.
            let len = 2 + rank.ilog2_or_zero() / 3 + numbers.below(4);
            (0..len).map(|_| letters[numbers.below(letters.len())]).collect()
        })
        .collect()
}

trait Log {
    fn ilog2_or_zero(self) -> usize;
}

impl Log for usize {
    fn ilog2_or_zero(self) -> usize {
        self.checked_ilog2().unwrap_or(0) as usize
    }
}

/// Texts of spaced words with capitals, full stops and line ends.
fn spaced(letters: &str, bytes: usize) -> Vec<String> {
    let mut numbers = Numbers(0);
    let letters: Vec<char> = letters.chars().collect();
    let words = words(&mut numbers, &letters, 30_000);
    let (mut texts, mut total) = (Vec::new(), 0);
    while total < bytes {
        let (mut text, mut is_start) = (String::new(), true);
        let len = 1000 + numbers.below(4000);
        while text.len() < len {
            let word = &words[numbers.rank(words.len())];
            if is_start {
                text.extend(word.chars().take(1).flat_map(char::to_uppercase));
                text.extend(word.chars().skip(1));
            } else {
                text.push_str(word);
            }
            let end = numbers.below(24);
            is_start = end == 0;
            text.push_str(match end {
                0 => ". ",
                1 => ", ",
                2 => "\n",
                _ => " ",
            });
        }
        total += text.len();
        texts.push(text);
    }
    texts
}

/// Texts of Han characters with a full stop now and then.
fn unspaced(bytes: usize) -> Vec<String> {
    let mut numbers = Numbers(0);
    let (mut texts, mut total) = (Vec::new(), 0);
    while total < bytes {
        let mut text = String::new();
        let len = 1000 + numbers.below(4000);
        while text.len() < len {
            let rank = numbers.rank(5000) as u32;
            text.extend(char::from_u32(0x4E00 + (rank * 7919) % 20_000));
            if numbers.below(20) == 0 {
                text.push('。');
            }
        }
        total += text.len();
        texts.push(text);
    }
    texts
}

/// Runs `step` over every text once and prints its rate.
fn measure(name: &str, texts: &[String], tokens: usize, mut step: impl FnMut(&str)) {
    let bytes: usize = texts.iter().map(String::len).sum();
    let watch = Watch::start();
    for text in texts {
        step(text);
    }
    let spent = watch.seconds();
    let (rate, each) = (bytes as f64 / 1e6 / spent, spent * 1e9 / tokens.max(1) as f64);
    println!("  {name:<24} {rate:>8.0} MB/s {each:>8.2} ns/token");
}

fn report(name: &str, texts: &[String]) {
    let rules = Rules::V1;
    let Ok(plan) = Plan::new(5, 120, 20) else { return };
    let (mut text, mut hashes, mut shingles) = (Text::new(), Vec::new(), Vec::new());
    let mut slots = [0; 120];
    let mut reader = Reader::new(rules, plan);
    let mut scratch = Scratch::new();
    let mut tokens = 0;
    for one in texts {
        text.normalise(rules, one);
        shingle::hash_tokens(rules, &text, &mut hashes);
        tokens += hashes.len();
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{name}: {} texts, {:.1} MB, {tokens} tokens", texts.len(), bytes as f64 / 1e6);
    measure("normalise", texts, tokens, |one| {
        text.normalise(rules, one);
        black_box(text.as_bytes());
    });
    measure("tokens", texts, tokens, |one| {
        text.normalise(rules, one);
        black_box(shingle::hash_tokens(rules, &text, &mut hashes));
    });
    measure("shingle", texts, tokens, |one| {
        hashes.resize(tokens * one.len() / bytes, 1);
        shingle::shingle(plan.width(), &hashes, &mut shingles);
        black_box(&shingles);
    });
    let random: Vec<u64> = (0..1 << 16).map(|n| splitmix64(3, n)).collect();
    measure("minhash", texts, tokens, |one| {
        minhash::sign(&random[..(tokens * one.len() / bytes).min(1 << 16)], &mut slots);
        black_box(&slots);
    });
    measure("simhash", texts, tokens, |one| {
        black_box(simhash::simhash(&random[..(tokens * one.len() / bytes).min(1 << 16)]));
    });
    measure("full pass", texts, tokens, |one| {
        black_box(reader.read(one));
    });
    measure("shingle_set", texts, tokens, |one| {
        black_box(shingle_set(rules, plan.width(), one, &mut scratch));
    });
    intersections(tokens / texts.len().max(1));
}

/// Pairs of sets with half of their elements in common, never met before.
fn intersections(len: usize) {
    let mut numbers = Numbers(1 << 32);
    let pairs: Vec<[Vec<u64>; 2]> = (0..400)
        .map(|_| {
            let both: Vec<u64> = (0..len * 2 / 3).map(|_| numbers.next()).collect();
            [(); 2].map(|()| {
                let mut set = both.clone();
                set.extend((0..len / 3).map(|_| numbers.next()));
                set.sort_unstable();
                set
            })
        })
        .collect();
    let elements: usize = pairs.iter().flatten().map(Vec::len).sum();
    let watch = Watch::start();
    let shared: usize = pairs.iter().map(|[left, right]| shingle::intersection(left, right)).sum();
    let spent = watch.seconds();
    println!("  {:<24} {:>22.2} ns/element", "intersection", spent * 1e9 / elements as f64);
    black_box(shared);
}

fn main() {
    let file = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if let Some(path) = file {
        match std::fs::read(&path) {
            Ok(bytes) => {
                let records = bytes.split(|&byte| byte == 0).filter(|record| !record.is_empty());
                let texts: Vec<String> =
                    records.map(|record| String::from_utf8_lossy(record).into_owned()).collect();
                report(&path, &texts);
            }
            Err(error) => println!("{path}: {error}"),
        }
        return;
    }
    report("english", &spaced("eeeeetttaaaooiinnsshhrrddlcumwfgypbvkjxqz", 64 << 20));
    report("cyrillic", &spaced("оооеееааиинннттссррввллкмдпуяыьгзбчйхжшюцщэфё", 16 << 20));
    report("han", &unspaced(16 << 20));
}
