//! The steps that are measured, and their rows.

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

use selfsame::kernels::fingerprint::{Plan, Reader, Scratch, shingle_set};
use selfsame::kernels::shingle::{self, Places};
use selfsame::kernels::text::{Rules, Text};
use selfsame::kernels::{minhash, simhash};

use crate::generated::Numbers;

/// Bytes of texts that a step sees before the next one does.
const CHUNK_BYTES: usize = 8 << 20;

/// What one step took.
pub(super) struct Row {
    input: String,
    step: &'static str,
    unit: &'static str,
    value: f64,
    /// Nanoseconds a token.
    each: Option<f64>,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { input, step, unit, value, each } = self;
        let each = each.map_or(String::new(), |each| format!("{each:.2}"));
        write!(f, "{input}\t{step}\t{unit}\t{value:.2}\t{each}")
    }
}

/// Seconds of the processor that this thread has used; of Linux, which tells it every few
/// milliseconds.
fn spent() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = told.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    first.unwrap_or(0.0) / 1e9
}

/// What a step took over all chunks, and over each.
#[derive(Default)]
struct Time {
    spent: f64,
    chunks: Vec<f64>,
}

impl Time {
    fn take(&mut self, texts: &[String], step: &mut dyn FnMut(&str)) {
        let (clock, before) = (Instant::now(), spent());
        texts.iter().for_each(|text| step(text));
        self.spent += spent() - before;
        let bytes: usize = texts.iter().map(String::len).sum();
        if bytes >= CHUNK_BYTES {
            self.chunks.push(bytes as f64 / 1e6 / clock.elapsed().as_secs_f64());
        }
    }

    /// Rates over all, of the best chunk and of the middle one.
    fn rates(&mut self, bytes: usize) -> [(&'static str, f64); 3] {
        self.chunks.sort_by(f64::total_cmp);
        let all = bytes as f64 / 1e6 / self.spent;
        let best = self.chunks.last().copied().unwrap_or(all);
        let middle = self.chunks.get(self.chunks.len() / 2).copied().unwrap_or(all);
        [("all MB/s", all), ("best MB/s", best), ("middle MB/s", middle)]
    }
}

/// Buffers of the text kernels.
struct Bench {
    plan: Plan,
    text: Text,
    places: Places,
    hashes: Vec<u64>,
    shingles: Vec<u64>,
    slots: [u32; 120],
    reader: Reader,
    scratch: Scratch,
}

/// The steps of the full pass, each with those before it.
const PASS: [&str; 5] =
    ["normalise", "+ tokens", "+ shingles", "+ simhash", "+ minhash 120 (full pass)"];

impl Bench {
    fn new() -> Option<Self> {
        let plan = Plan::new(5, 120, 20).ok()?;
        Some(Bench {
            plan,
            text: Text::new(),
            places: Places::default(),
            hashes: Vec::new(),
            shingles: Vec::new(),
            slots: [0; 120],
            reader: Reader::new(Rules::V1, plan),
            scratch: Scratch::new(),
        })
    }

    /// The pass up to step `last` of `PASS`.
    fn pass(&mut self, last: usize, text: &str) {
        self.text.normalise(Rules::V1, text);
        if last >= 1 {
            shingle::hash_tokens(&self.text, &mut self.places, &mut self.hashes);
        }
        if last >= 2 {
            shingle::shingle(self.plan.width(), &self.hashes, &mut self.shingles);
        }
        if last >= 3 {
            black_box(simhash::simhash(&self.shingles));
        }
        if last >= 4 {
            minhash::sign(&self.shingles, &mut self.slots);
        }
        black_box((self.text.as_bytes(), &self.hashes, &self.shingles, &self.slots));
    }

    fn tokens(&mut self, texts: &[String]) -> usize {
        let count = |text: &String| {
            self.pass(1, text);
            self.hashes.len()
        };
        texts.iter().map(count).sum()
    }
}

/// The rows of one input.
pub(super) fn measure(input: &str, texts: &[String]) -> Vec<Row> {
    let Some(mut bench) = Bench::new() else { return Vec::new() };
    let tokens = bench.tokens(texts);
    let bytes: usize = texts.iter().map(String::len).sum();
    let mut times: Vec<(&str, Time)> = PASS
        .into_iter()
        .chain(["full pass with digests", "shingle set", "warm full pass"])
        .map(|step| (step, Time::default()))
        .collect();
    for chunk in chunks(texts, CHUNK_BYTES) {
        for (number, (_, time)) in times.iter_mut().take(PASS.len()).enumerate() {
            time.take(chunk, &mut |text| bench.pass(number, text));
        }
        times[5].1.take(chunk, &mut |text| {
            black_box(bench.reader.read(text));
        });
        times[6].1.take(chunk, &mut |text| {
            black_box(shingle_set(Rules::V1, bench.plan.width(), text, &mut bench.scratch));
        });
    }
    let first = chunks(texts, 1 << 20).next().unwrap_or_default();
    let repeated = first.iter().map(String::len).sum::<usize>() * 32;
    for _ in 0..32 {
        times[7].1.take(first, &mut |text| bench.pass(4, text));
    }
    let mut rows = Vec::new();
    for (step, time) in &mut times {
        let bytes = if step.starts_with("warm") { repeated } else { bytes };
        for (unit, value) in time.rates(bytes) {
            let each = (unit == "all MB/s" && !step.starts_with("warm"))
                .then(|| time.spent * 1e9 / tokens.max(1) as f64);
            rows.push(Row { input: input.to_owned(), step, unit, value, each });
        }
    }
    rows
}

/// Texts in runs of at least `bytes`.
fn chunks(texts: &[String], bytes: usize) -> impl Iterator<Item = &[String]> {
    let mut left = texts;
    std::iter::from_fn(move || {
        let mut size = 0;
        let count = left.iter().take_while(|text| {
            let is_in = size < bytes;
            size += text.len();
            is_in
        });
        let (chunk, rest) = left.split_at(count.count());
        left = rest;
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// The rows of sets: sorting one, and pairs that were never met before.
pub(super) fn sets() -> Vec<Row> {
    let mut numbers = Numbers(1 << 32);
    let mut rows = Vec::new();
    for (step, len) in [("sort set of 490", 490), ("sort set of 5000", 5000)] {
        let sets: Vec<Vec<u64>> =
            (0..2_000_000 / len).map(|_| (0..len).map(|_| numbers.next()).collect()).collect();
        let mut spare = shingle::Spare::default();
        let clock = Instant::now();
        for mut set in sets {
            shingle::sort_set(&mut set, &mut spare);
            black_box(&set);
        }
        rows.push(per_element(step, clock, 2_000_000));
    }
    for (step, len, shared) in [
        ("intersection 490, J 0.8", 490, 436),
        ("intersection 490, J 0.3", 490, 226),
        ("intersection 5000, J 0.8", 5000, 4444),
    ] {
        let pairs: Vec<[Vec<u64>; 2]> = (0..400).map(|_| pair(&mut numbers, len, shared)).collect();
        let elements: usize = pairs.iter().flatten().map(Vec::len).sum();
        let clock = Instant::now();
        let found: usize = pairs.iter().map(|[l, r]| shingle::intersection(l, r)).sum();
        rows.push(per_element(step, clock, elements));
        black_box(found);
    }
    rows
}

fn per_element(step: &'static str, clock: Instant, elements: usize) -> Row {
    let value = clock.elapsed().as_secs_f64() * 1e9 / elements as f64;
    Row { input: "sets".to_owned(), step, unit: "ns/element", value, each: None }
}

/// Two sorted sets of `len` random values, `shared` of them in both.
fn pair(numbers: &mut Numbers, len: usize, shared: usize) -> [Vec<u64>; 2] {
    let both: Vec<u64> = (0..shared).map(|_| numbers.next()).collect();
    [(); 2].map(|()| {
        let mut set = both.clone();
        set.extend((shared..len).map(|_| numbers.next()));
        set.sort_unstable();
        set
    })
}
