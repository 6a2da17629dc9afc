//! Texts drawn from fixed seeds: words of a language's letters by Zipf's law.

use selfsame::kernels::mix::splitmix64;

/// Pseudo-English, pseudo-Cyrillic and pseudo-Chinese texts of about 3 KB.
pub(super) fn inputs() -> Vec<(String, Vec<String>)> {
    let english = spaced("eeeeetttaaaooiinnsshhrrddlcumwfgypbvkjxqz", 64 << 20);
    let cyrillic = spaced("оооеееаииинннттттссррввллкмдпуяыьгзбчйхжшюцщэфё", 16 << 20);
    [("drawn english", english), ("drawn cyrillic", cyrillic), ("drawn han", unspaced(16 << 20))]
        .map(|(name, texts)| (name.to_owned(), texts))
        .into()
}

/// A source of numbers that every run repeats.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> u64 {
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
