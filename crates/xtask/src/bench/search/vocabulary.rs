//! Words and tags by their numbers, so that there are as many as wanted and each is always the same.

const SYLLABLES: [&str; 32] = [
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "qui", "ro", "su",
    "ta", "ve", "wi", "xo", "yu", "za", "bre", "cli", "dro", "flu", "gra", "ple", "sti", "tro",
    "stu", "kra", "sme",
];

/// The word of a number: numbers that are near each other begin differently.
pub fn word(number: u64) -> String {
    let mut rest = number;
    let mut text = String::new();
    for _ in 0..3 {
        text.push_str(syllable(rest));
        rest /= 32;
    }
    while rest > 0 {
        text.push_str(syllable(rest));
        rest /= 32;
    }
    text
}

/// The tag of a number: every third is a phrase.
pub fn tag(number: u64) -> String {
    // Other words than those of titles, of which there are fewer.
    let first = word(number + TAGS_FROM);
    match number % 3 {
        0 => format!("{first} {}", word(number % 5_000)),
        _ => first,
    }
}

const TAGS_FROM: u64 = 100_000;

fn syllable(number: u64) -> &'static str {
    let at = usize::try_from(number % 32).unwrap_or(0);
    SYLLABLES.get(at).copied().unwrap_or_default()
}

/// Words in order, to tell how many begin alike.
pub struct Sorted(Vec<String>);

impl Sorted {
    pub fn of(words: impl Iterator<Item = String>) -> Self {
        let mut words: Vec<String> = words.collect();
        words.sort_unstable();
        words.dedup();
        Self(words)
    }

    /// As much of the beginning of a word as it takes until no more than `shared` begin so.
    pub fn beginning<'w>(&self, word: &'w str, shared: usize) -> &'w str {
        let ends = word.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let beginnings = ends.filter_map(|end| word.get(..end));
        beginnings.into_iter().find(|start| self.count(start) <= shared).unwrap_or(word)
    }

    fn count(&self, start: &str) -> usize {
        let first = self.0.partition_point(|word| word.as_str() < start);
        let rest = self.0.get(first..).unwrap_or_default();
        rest.partition_point(|word| word.starts_with(start))
    }
}
