use unicode_normalization::UnicodeNormalization;

use crate::limits::TAG_CHARS_MAX;
use crate::term::{is_part_of_word, words_of};
use crate::text::{BadText, clean, text_type};

text_type!(
    /// A tag as it is stored, compared and shown: composed (NFKC, so that full-width and
    /// half-width forms agree), lower-cased, trimmed, with single spaces. Accents stay.
    Tag,
    |text| parse_tag(text)
);

fn parse_tag(text: &str) -> Result<String, BadText> {
    let tag = fold(text);
    clean(&tag, "a tag", TAG_CHARS_MAX, false)
}

/// One spelling for texts that mean the same to a reader.
pub(crate) fn fold(text: &str) -> String {
    // Most texts have nothing to compose.
    let folded: String = match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => text.nfkc().flat_map(char::to_lowercase).nfkc().collect(),
    };
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Tag {
    /// The tag and its endings that begin at an inner word: "red sports car" is also found
    /// as "sports car" and "car".
    pub fn endings(&self) -> impl Iterator<Item = &str> {
        Self::endings_of(&self.0)
    }

    /// The endings of a text that is a tag. Every word of it begins one.
    pub fn endings_of(tag: &str) -> impl Iterator<Item = &str> {
        let mut is_inside = false;
        let starts = tag.char_indices().filter(move |(at, c)| {
            let was_inside = std::mem::replace(&mut is_inside, is_part_of_word(*c));
            is_inside && !was_inside && *at > 0
        });
        std::iter::once(tag).chain(starts.filter_map(|(at, _)| tag.get(at..)))
    }

    /// The word that a tag, or an ending of one, begins with, if it begins with a word.
    pub fn first_word(ending: &str) -> Option<&str> {
        let end = ending.find(|c| !is_part_of_word(c)).unwrap_or(ending.len());
        ending.get(..end).filter(|word| !word.is_empty())
    }

    /// The words of a text that is a tag.
    pub fn words_of(tag: &str) -> impl Iterator<Item = &str> {
        words_of(tag)
    }

    /// What a search for tags beginning with `text` looks for; `None` if nothing is left
    /// of it.
    pub fn search_prefix(text: &str) -> Option<String> {
        let prefix = fold(text);
        (!prefix.is_empty()).then_some(prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> Tag {
        text.parse().unwrap()
    }

    #[test]
    fn spellings_of_one_tag_are_one() {
        for (given, stored) in [
            ("  Red   Sports\tCar ", "red sports car"),
            ("ＦＵＬＬ", "full"),
            ("Cafe\u{301}", "café"),
            ("ÉTÉ", "été"),
            ("İstanbul", "i\u{307}stanbul"),
        ] {
            assert_eq!(tag(given).as_str(), stored);
            assert_eq!(tag(stored), tag(given));
        }
        assert!("".parse::<Tag>().is_err());
        assert!("x".repeat(51).parse::<Tag>().is_err());
    }

    #[test]
    fn a_phrase_has_endings_at_its_inner_words() {
        let phrase = tag("red sports car");
        let endings: Vec<_> = phrase.endings().collect();
        assert_eq!(endings, ["red sports car", "sports car", "car"]);
        assert_eq!(tag("one").endings().count(), 1);
        let odd = tag("#rock'n'roll & b");
        let endings: Vec<_> = odd.endings().collect();
        assert_eq!(endings, ["#rock'n'roll & b", "rock'n'roll & b", "n'roll & b", "roll & b", "b"]);
        let words: Vec<_> = odd.endings().filter_map(Tag::first_word).collect();
        assert_eq!(words, Tag::words_of(odd.as_str()).collect::<Vec<_>>());
    }

    #[test]
    fn a_search_prefix_is_spelt_like_tags() {
        assert_eq!(Tag::search_prefix(" SPORTS  c").as_deref(), Some("sports c"));
        assert_eq!(Tag::search_prefix("  "), None);
    }
}
