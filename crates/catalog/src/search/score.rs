//! How well an image fits the words of a search.

use model::{Image, SearchQuery, SearchTest, Term};

use super::names::{Names, parts_of};
use super::truth::{Truth, in_named_album, shows_named_person, word_of};
use crate::names::Word;

/// What a word counts by where it stands.
const IN_TITLE: u32 = 100;
const IN_TAG: u32 = 80;
const IN_NAME: u32 = 60;
const IN_ALT_TEXT: u32 = 40;
const IN_DESCRIPTION: u32 = 20;
const IN_FILE: u32 = 15;
const IN_FILENAME: u32 = 10;
/// What a word counts more than its beginning.
const WHOLE: u32 = 5;

/// The sum over all that is wanted of the best place where each is found.
pub(super) fn score(query: &SearchQuery, truth: &Truth, names: &Names) -> u32 {
    let Some(image) = &truth.image else { return 0 };
    sum(query, |part| part_score(part, image, truth, names))
}

/// The score of an image that fits as well as any can: with every word in its title.
pub(super) fn highest(query: &SearchQuery) -> u32 {
    sum(query, |_| IN_TITLE + WHOLE)
}

/// The sum over all that is wanted, of which only words count differently from image to image.
fn sum(query: &SearchQuery, of_word: impl Fn(&SearchTest) -> u32) -> u32 {
    let score = |test: &SearchTest| match test {
        SearchTest::Tag(_) => IN_TAG + WHOLE,
        SearchTest::Album(_) | SearchTest::Person(_) => IN_NAME + WHOLE,
        test => parts_of(test).iter().map(&of_word).sum(),
    };
    query.wanted.iter().map(score).sum()
}

/// Whether the tags of an image, which were not read yet, can make a difference: nothing counts more
/// than a title.
pub(super) fn depends_on_tags(query: &SearchQuery, truth: &Truth) -> bool {
    let is_in_title = |part: &SearchTest| {
        let title_has = |image| word_of(part).is_none_or(|word| is_in_title(word, image));
        truth.image.as_ref().is_none_or(title_has)
    };
    let mut parts = query.wanted.iter().flat_map(parts_of);
    truth.tags.is_none() && !parts.all(|part| is_in_title(&part))
}

fn is_in_title(word: Word<'_>, image: &Image) -> bool {
    image.title.as_ref().is_some_and(|title| has_word(title.as_str(), word))
}

fn has_word(text: &str, word: Word<'_>) -> bool {
    Term::all_in(text).iter().any(|term| word.is(term.as_str()))
}

fn part_score(part: &SearchTest, image: &Image, truth: &Truth, names: &Names) -> u32 {
    let Some(word) = word_of(part) else { return 0 };
    match word {
        Word::Whole(_) => place_score(word, part, image, truth, names) + WHOLE,
        Word::Beginning(term) => {
            let as_whole = SearchTest::Words(vec![term.clone()]);
            let whole = place_score(Word::Whole(term), &as_whole, image, truth, names);
            let whole = if whole > 0 { whole + WHOLE } else { 0 };
            whole.max(place_score(word, part, image, truth, names))
        }
    }
}

fn place_score(
    word: Word<'_>,
    part: &SearchTest,
    image: &Image,
    truth: &Truth,
    names: &Names,
) -> u32 {
    let stands_in = |text: Option<&str>| text.is_some_and(|text| has_word(text, word));
    let is_named = |answer: Option<bool>| answer == Some(true);
    if is_in_title(word, image) {
        return IN_TITLE;
    }
    if truth.tags_have(word) == Some(true) {
        return IN_TAG;
    }
    if is_named(in_named_album(part, truth, names))
        || is_named(shows_named_person(part, truth, names))
    {
        return IN_NAME;
    }
    if stands_in(image.alt_text.as_ref().map(|text| text.as_str())) {
        return IN_ALT_TEXT;
    }
    if stands_in(image.description.as_ref().map(|text| text.as_str())) {
        return IN_DESCRIPTION;
    }
    if truth.written_has(word) == Some(true) {
        return IN_FILE;
    }
    if stands_in(image.filename.as_ref().map(|text| text.as_str())) {
        return IN_FILENAME;
    }
    0
}
