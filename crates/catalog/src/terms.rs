//! The words an image is found by: those of what its owner wrote about it, and what is known of it.
//!
//! The words of tags are found by the entries of the tags.

use std::collections::BTreeSet;

use model::{Image, Term, Timestamp, Visibility};
use table::{Action, Item};

use crate::entries::{Entries, SUMMARY_WORDS, Swap, summary_words, words_of};
use crate::keys;
use crate::keys::FactKind;
use crate::schema::{GLOBAL_PK, GLOBAL_SK, WORDS_PK, WORDS_SK};

/// Adds the terms of a new image to a swap whose guards make the image itself.
pub(crate) fn add_terms(swap: &mut Swap, image: &Image) {
    let terms = terms_of(image);
    swap.guard(set_summary(image, &terms));
    swap.exchange(&Entries::new(), entries(image, terms.iter().map(String::as_str)));
}

/// Adds the exchange of an image's terms to a swap whose guards change the image itself.
pub(crate) fn exchange_terms(
    swap: &mut Swap,
    summary: Option<&Item>,
    before: &Image,
    after: &Image,
    now: Timestamp,
) {
    let old: BTreeSet<&str> = summary.into_iter().flat_map(words_of).collect();
    let new = terms_of(after);
    if !old.iter().copied().eq(new.iter().map(String::as_str)) {
        swap.guard(set_summary(after, &new));
    }
    let new_words = new.iter().map(String::as_str);
    if !has_same_places(before, after) {
        swap.exchange(&entries(before, old.into_iter()), entries(after, new_words));
        return;
    }
    // Entries of words that stay are the same.
    let come = new_words.filter(|word| !old.contains(word));
    swap.exchange(&Entries::new(), entries(after, come));
    let gone = old.iter().copied().filter(|word| !new.contains(*word));
    swap.let_end(entries(before, gone).keys(), now);
}

fn set_summary(image: &Image, terms: &BTreeSet<String>) -> Action {
    let words = summary_words(terms.iter().map(String::as_str));
    Action::update(keys::term_summary(image.id)).set(SUMMARY_WORDS, words)
}

/// Whether the entries of a word are the same for both.
fn has_same_places(before: &Image, after: &Image) -> bool {
    let places = |image: &Image| (image.id, image.owner, image.uploaded_at, image.visibility);
    places(before) == places(after)
}

/// All rows of an image's terms.
pub(crate) fn rows(image: &Image) -> Vec<Item> {
    let terms = terms_of(image);
    let words = summary_words(terms.iter().map(String::as_str));
    let summary = Item::new(keys::term_summary(image.id)).with(SUMMARY_WORDS, words);
    let entries = entries(image, terms.iter().map(String::as_str));
    std::iter::once(summary).chain(entries.into_values()).collect()
}

/// The words of everything the owner wrote about the image, and what is known of it.
fn terms_of(image: &Image) -> BTreeSet<String> {
    let texts = [
        image.title.as_ref().map(|text| text.as_str()),
        image.description.as_ref().map(|text| text.as_str()),
        image.alt_text.as_ref().map(|text| text.as_str()),
        image.filename.as_ref().map(|text| text.as_str()),
    ];
    let words = texts.into_iter().flatten().flat_map(Term::all_in).map(|term| term.to_string());
    words.chain(facts_of(image)).collect()
}

fn facts_of(image: &Image) -> impl Iterator<Item = String> {
    let media_type = image.media_type.map(|of| keys::fact(FactKind::Type, of.name()));
    let exif = image.exif.as_ref();
    let camera = exif.and_then(|exif| exif.camera.as_deref()).map(Term::all_in).unwrap_or_default();
    let camera = camera.into_iter().map(|word| keys::fact(FactKind::Camera, word.as_str()));
    let taken = exif.and_then(|exif| exif.taken_on());
    let taken = taken.map(|day| keys::fact(FactKind::Taken, &day.month_text()));
    media_type.into_iter().chain(camera).chain(taken)
}

fn entries<'w>(image: &Image, words: impl Iterator<Item = &'w str>) -> Entries {
    let Some(uploaded_at) = image.uploaded_at else { return Entries::new() };
    let position = keys::position(uploaded_at, image.id);
    let is_shared = image.visibility == Visibility::Shared;
    words
        .map(|word| {
            let place = keys::word_place(word, &position);
            let mut item = Item::new(keys::term_entry(image.id, word))
                .with(WORDS_PK, keys::term_words(image.owner))
                .with(WORDS_SK, place.clone());
            if is_shared {
                item = item.with(GLOBAL_PK, keys::SHARED_TERMS).with(GLOBAL_SK, place);
            }
            (item.key.clone(), item)
        })
        .collect()
}
