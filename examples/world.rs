//! A made-up crawl with planted near-duplicates, and the truth about it.
//!
//! `cargo run --release --example world -- SEED DOCUMENTS OUT_FOLDER` writes two JSON Lines files:
//! `pages.jsonl` (`id`, `url`, `text`) is the input of a job; `truth.jsonl` (`id`, `cluster`,
//! `kind`) says which text each page was made from and how. The same arguments give the same bytes
//! on every machine: one generator of random numbers, whole numbers only, no hash map.
//!
//! Texts are pseudo-words drawn by Zipf's law in seven scripts, two of them written without spaces.
//! A planted cluster says where a text came from, not that its resemblance is above a threshold:
//! `words_5` and the far ends of a chain of `drift` are below 0.8 on purpose. Not for judging
//! languages: the words mean nothing.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

/// Words of a script; the word of rank `n` is drawn in proportion to `1 / n`.
const VOCABULARY: usize = 4_000;

/// Words of a sentence.
const SENTENCE: usize = 12;

/// One document in this many is a page of the template, at the start of the file.
const TEMPLATE_SHARE: usize = 50;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = arguments.iter().take(2).flat_map(|text| text.parse()).collect();
    let ([seed, documents], [_, _, folder]) = (numbers.as_slice(), arguments.as_slice()) else {
        eprintln!("usage: world SEED DOCUMENTS OUT_FOLDER");
        return ExitCode::from(2);
    };
    match World::create(*seed, Path::new(folder)).and_then(|world| world.write(index(*documents))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{folder}: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// A count as an index; counts here are far below 32 bits.
fn index(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// The splitmix64 generator (G. Steele, D. Lea, C. Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        index(self.next() % u64::try_from(limit).unwrap_or(u64::MAX))
    }

    fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// Syllables of a script, what stands between its words, and what ends a sentence.
struct Script {
    syllables: &'static str,
    space: &'static str,
    stop: &'static str,
}

const SCRIPTS: [Script; 7] = [
    Script {
        syllables: "ba ce di fo gu ha je ki lo mu na pe ri so tu va xe zi ström llá",
        space: " ",
        stop: ". ",
    },
    Script {
        syllables: "ба ве ги до жу за ке ли мо ну па ре си то фу ща ый ём",
        space: " ",
        stop: ". ",
    },
    Script {
        syllables: "βα γε δι ζο θυ κα λε μι νο ξυ πα ρε τι φο χυ ψά", space: " ", stop: ". "
    },
    Script {
        syllables: "با تو جي دا رو زي سا شو في قا كو لي ما نو هي ور", space: " ", stop: "، "
    },
    Script {
        syllables: "का गे चि जो टु डा ते दि नो पु बा मे यि रो लु सा", space: " ", stop: "। "
    },
    Script {
        syllables: "山 水 木 火 土 金 石 田 雨 雪 風 花 鳥 魚 月 星 門 車 舟 米 竹 糸 羊 貝",
        space: "",
        stop: "。",
    },
    Script {
        syllables: "กา ขอ คำ จะ ดี ตู นา ปี มือ ยา ราว ลม วัน สี หู ไฟ", space: "", stop: " "
    },
];

/// A script with its words, and their weights summed up.
struct Language {
    script: &'static Script,
    words: Vec<String>,
    sums: Vec<u64>,
}

impl Language {
    fn new(script: &'static Script, random: &mut Random) -> Self {
        let syllables: Vec<_> = script.syllables.split(' ').collect();
        let word = |random: &mut Random| {
            let length = 1 + random.below(4);
            (0..length).map(|_| *random.pick(&syllables)).collect()
        };
        let words = (0..VOCABULARY).map(|_| word(random)).collect();
        let mut sum = 0;
        let mut sums = Vec::with_capacity(VOCABULARY);
        for rank in (1u64..).take(VOCABULARY) {
            sum += (1 << 32) / rank;
            sums.push(sum);
        }
        Self { script, words, sums }
    }

    fn word(&self, random: &mut Random) -> String {
        let total = self.sums.last().copied().unwrap_or(1);
        let drawn = random.next() % total;
        self.words[self.sums.partition_point(|&sum| sum <= drawn)].clone()
    }

    fn words(&self, count: usize, random: &mut Random) -> Vec<String> {
        (0..count).map(|_| self.word(random)).collect()
    }

    fn text(&self, words: &[String]) -> String {
        let sentences = words.chunks(SENTENCE).map(|words| words.join(self.script.space));
        sentences.map(|sentence| sentence + self.script.stop).collect()
    }
}

/// How a variant is made from a text.
const VARIANTS: [&str; 8] =
    ["equal", "case", "words_1", "words_2", "words_5", "block_insert", "block_delete", "shuffle"];

/// The text of a variant.
fn variant(kind: &str, language: &Language, words: &[String], random: &mut Random) -> String {
    let mut words = words.to_vec();
    match kind {
        "case" => return language.text(&words).to_uppercase().replace(['.', ','], " !"),
        "words_1" => edit(1, language, &mut words, random),
        "words_2" => edit(2, language, &mut words, random),
        "words_5" => edit(5, language, &mut words, random),
        "block_insert" => {
            let at = random.below(words.len());
            let block = language.words(1 + words.len() / 10, random);
            words.splice(at..at, block);
        }
        "block_delete" => {
            let length = 1 + words.len() / 10;
            let at = random.below(words.len() - length);
            words.drain(at..at + length);
        }
        "shuffle" => {
            let mut blocks: Vec<_> = words.chunks(2 * SENTENCE).map(<[String]>::to_vec).collect();
            for last in (1..blocks.len()).rev() {
                blocks.swap(last, random.below(last + 1));
            }
            words = blocks.concat();
        }
        _ => {}
    }
    language.text(&words)
}

/// Replaces `percent` of the words, at least one.
fn edit(percent: usize, language: &Language, words: &mut [String], random: &mut Random) {
    let edits = (words.len() * percent).div_ceil(100);
    for _ in 0..edits {
        let at = random.below(words.len());
        words[at] = language.word(random);
    }
}

/// The world while it is written.
struct World {
    random: Random,
    languages: Vec<Language>,
    pages: BufWriter<File>,
    truth: BufWriter<File>,
    written: usize,
    cluster: usize,
}

impl World {
    fn create(seed: u64, folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut random = Random(seed);
        let languages = SCRIPTS.iter().map(|script| Language::new(script, &mut random)).collect();
        let file = |name| File::create(folder.join(name)).map(BufWriter::new);
        let (pages, truth) = (file("pages.jsonl")?, file("truth.jsonl")?);
        Ok(Self { random, languages, pages, truth, written: 0, cluster: 0 })
    }

    fn write(mut self, documents: usize) -> io::Result<()> {
        self.template(documents / TEMPLATE_SHARE)?;
        while self.written < documents {
            let room = documents - self.written;
            self.cluster += 1;
            match self.random.below(100) {
                0..55 => self.family(1)?,
                55..92 => {
                    let members = 2 + self.random.below(4);
                    self.family(members.min(room))?;
                }
                92..96 => {
                    let members = 4 + self.random.below(6);
                    self.chain(members.min(room))?;
                }
                96..99 => self.tiny()?,
                _ => self.page("empty", self.cluster, " \n")?,
            }
        }
        self.pages.flush()?;
        self.truth.flush()
    }

    /// A base text and variants of it.
    fn family(&mut self, members: usize) -> io::Result<()> {
        let chosen = self.random.below(self.languages.len());
        let length = 40 + self.random.below(360);
        let words = self.languages[chosen].words(length, &mut self.random);
        self.page("base", self.cluster, &self.languages[chosen].text(&words))?;
        for _ in 1..members {
            let kind = *self.random.pick(&VARIANTS);
            let text = variant(kind, &self.languages[chosen], &words, &mut self.random);
            self.page(kind, self.cluster, &text)?;
        }
        Ok(())
    }

    /// Texts of which each was made from the one before.
    fn chain(&mut self, members: usize) -> io::Result<()> {
        let chosen = self.random.below(self.languages.len());
        let length = 100 + self.random.below(200);
        let mut words = self.languages[chosen].words(length, &mut self.random);
        for _ in 0..members {
            self.page("drift", self.cluster, &self.languages[chosen].text(&words))?;
            edit(2, &self.languages[chosen], &mut words, &mut self.random);
        }
        Ok(())
    }

    /// Pages of one template, with a few words of their own at the end.
    fn template(&mut self, members: usize) -> io::Result<()> {
        self.cluster += 1;
        let words = self.languages[0].words(200, &mut self.random);
        for _ in 0..members {
            let mut page = words.clone();
            page.extend(self.languages[0].words(3, &mut self.random));
            self.page("template", self.cluster, &self.languages[0].text(&page))?;
        }
        Ok(())
    }

    /// A text of one to three words; equal ones come up by chance.
    fn tiny(&mut self) -> io::Result<()> {
        let words = 1 + self.random.below(3);
        let words = self.languages[0].words(words, &mut self.random);
        self.page("tiny", self.cluster, &self.languages[0].text(&words))
    }

    fn page(&mut self, kind: &str, cluster: usize, text: &str) -> io::Result<()> {
        let id = format!("{:08}", self.written);
        let url = format!("https://host{}.example/{id}", self.random.below(997));
        self.written += 1;
        writeln!(self.pages, "{}", json!({ "id": id, "url": url, "text": text }))?;
        writeln!(self.truth, "{}", json!({ "id": id, "cluster": cluster, "kind": kind }))
    }
}
