use std::collections::BTreeSet;

use crate::limits::TERM_CHARS_MAX;
use crate::tag::fold;
use crate::text::{BadText, clean, text_type};

text_type!(
    /// A word an image is found by: folded like a tag, letters and digits only.
    Term,
    |text| parse_term(text)
);

fn parse_term(text: &str) -> Result<String, BadText> {
    let term = clean(&fold(text), "a search term", TERM_CHARS_MAX, false)?;
    match term.chars().find(|c| !is_part_of_word(*c)) {
        None => Ok(term),
        Some(character) => Err(BadText::Character { what: "a search term", character }),
    }
}

/// The words of a text that is folded.
pub(crate) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_part_of_word(c)).filter(|word| !word.is_empty())
}

pub(crate) fn is_part_of_word(c: char) -> bool {
    // Combining marks that composition could not absorb belong to their letter.
    c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)
}

impl Term {
    /// What a search for words beginning with `text` looks for; `None` if nothing is left
    /// of it.
    pub fn search_prefix(text: &str) -> Option<String> {
        let prefix = fold(text);
        (!prefix.is_empty()).then_some(prefix)
    }

    /// The distinct words of a text; what is longer than a term is cut.
    pub fn all_in(text: &str) -> BTreeSet<Self> {
        words_of(&fold(text)).map(Self::cut).collect()
    }

    /// The words of a text as they come, each once.
    pub fn in_order(text: &str) -> Vec<Self> {
        let mut words: Vec<Self> = Vec::new();
        for word in words_of(&fold(text)).map(Self::cut) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }

    fn cut(word: &str) -> Self {
        Self(word.chars().take(TERM_CHARS_MAX).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        Term::all_in(text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_text_falls_into_words() {
        assert_eq!(
            words("Grandma's 80th, at the LAKE—été!"),
            ["80th", "at", "grandma", "lake", "s", "the", "été"]
        );
        assert_eq!(words("IMG_2024-05.jpg"), ["05", "2024", "img", "jpg"]);
        assert_eq!(words("  …  "), [""; 0]);
    }

    #[test]
    fn long_words_are_cut() {
        assert_eq!(words(&"x".repeat(100))[0].len(), TERM_CHARS_MAX);
    }

    #[test]
    fn every_word_of_a_text_is_a_term() {
        for word in words("Ünïcode İstanbul 日本語 क्षि 1½ a_b") {
            assert_eq!(word.parse::<Term>().unwrap().as_str(), word);
        }
        assert!("two words".parse::<Term>().is_err());
    }
}
