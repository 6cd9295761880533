//! The words an image is found by: those of what its owner wrote about it, and what is known of it.
//!
//! They follow from the image, which alone is believed. The words of tags are found by the entries
//! of the tags.

use std::collections::BTreeSet;

use model::{Image, Rating, Term, Timestamp, Visibility, Written};
use table::Item;

use crate::entries::{Entries, Swap};
use crate::gone_words::{Left, SINCE};
use crate::keys;
use crate::keys::FactKind;
use crate::schema::{GLOBAL_PK, GLOBAL_SK, WORDS_PK, WORDS_SK};

/// Adds the terms of a new image to a swap whose guards make the image itself.
pub(crate) fn add_terms(swap: &mut Swap, image: &Image) {
    swap.exchange(&Entries::new(), entries(image, &terms_of(image), None));
}

/// Adds the exchange of an image's terms to a swap whose guards change the image itself. Entries of
/// words that the image no longer has may be left where they are.
pub(crate) fn exchange_terms(
    swap: &mut Swap,
    before: &Image,
    after: &Image,
    now: Timestamp,
) -> Left {
    if !has_same_places(before, after) {
        let entries = |image| entries(image, &terms_of(image), Some(now));
        swap.exchange(&entries(before), entries(after));
        return Left::Nothing;
    }
    // Entries of words that stay are the same. Most texts stay, and with them all their words.
    let (mut stay, mut old, mut new) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (old_text, new_text) in texts_of(before).into_iter().zip(texts_of(after)) {
        if old_text == new_text {
            stay.extend(terms_in(old_text));
        } else {
            old.extend(terms_in(old_text));
            new.extend(terms_in(new_text));
        }
    }
    if before.metadata == after.metadata {
        stay.extend(written_words(after));
    } else {
        old.extend(written_words(before));
        new.extend(written_words(after));
    }
    if has_same_facts(before, after) {
        stay.extend(facts_of(before));
    } else {
        old.extend(facts_of(before));
        new.extend(facts_of(after));
    }
    let added = new.difference(&old).filter(|word| !stay.contains(*word));
    swap.exchange(&Entries::new(), entries(after, added, Some(now)));
    let is_gone = old.difference(&new).any(|word| !stay.contains(word));
    if is_gone { Left::GoneWords } else { Left::Nothing }
}

/// Whether the entries of a word are the same for both.
fn has_same_places(before: &Image, after: &Image) -> bool {
    let places = |image: &Image| (image.id, image.owner, image.uploaded_at, image.visibility);
    places(before) == places(after)
}

/// All rows of an image's terms.
pub(crate) fn rows(image: &Image) -> Vec<Item> {
    entries(image, &terms_of(image), None).into_values().collect()
}

/// The words of everything the owner wrote about the image or into it, and what is known of it.
pub(crate) fn terms_of(image: &Image) -> BTreeSet<String> {
    let words = words_of(image).map(String::from);
    words.chain(written_words(image)).chain(facts_of(image)).collect()
}

/// The words of everything the owner wrote about the image; some may come twice.
pub(crate) fn words_of(image: &Image) -> impl Iterator<Item = Term> {
    texts_of(image).into_iter().flatten().flat_map(Term::all_in)
}

/// Who may know what was written into a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Its owner.
    Owner,
    /// Somebody else, where the installation shows it to all.
    Other,
    /// Somebody else, where it does not.
    Stranger,
}

/// The words written into the photo that somebody may know, but for those that became its title,
/// its description and its tags: keywords, whom it is by, the names of the place and of who is in
/// it. Some may come twice.
pub(crate) fn written_for(image: &Image, reader: Reader) -> impl Iterator<Item = Term> {
    let written = image.metadata.as_deref();
    let keywords = written.into_iter().flat_map(|written| &written.keywords).map(String::as_str);
    let told = written.filter(|_| reader != Reader::Stranger);
    let artist = told.and_then(|written| written.artist.as_deref());
    let place = told.into_iter().flat_map(Written::place_names);
    let own = written.filter(|_| reader == Reader::Owner);
    let names = own.into_iter().flat_map(|written| &written.regions);
    let names = names.filter_map(|region| region.name.as_deref());
    keywords.chain(artist).chain(place).chain(names).flat_map(Term::all_in)
}

/// All of them. Who may know which is decided when somebody searches.
fn written_words(image: &Image) -> impl Iterator<Item = String> {
    written_for(image, Reader::Owner).map(String::from)
}

fn terms_in(text: Option<&str>) -> impl Iterator<Item = String> {
    text.into_iter().flat_map(Term::all_in).map(String::from)
}

/// Everything the owner wrote about the image.
fn texts_of(image: &Image) -> [Option<&str>; 4] {
    [
        image.title.as_ref().map(|text| text.as_str()),
        image.description.as_ref().map(|text| text.as_str()),
        image.alt_text.as_ref().map(|text| text.as_str()),
        image.filename.as_ref().map(|text| text.as_str()),
    ]
}

/// Whether the same is known of both.
fn has_same_facts(before: &Image, after: &Image) -> bool {
    let facts = |image: &'_ Image| (image.media_type, image.rating, image.taken());
    facts(before) == facts(after) && before.exif == after.exif
}

fn facts_of(image: &Image) -> impl Iterator<Item = String> {
    let media_type = image.media_type.map(|of| keys::fact(FactKind::Type, of.name()));
    let exif = image.exif.as_ref();
    let camera = exif.and_then(|exif| exif.camera.as_deref()).map(Term::all_in).unwrap_or_default();
    let camera = camera.into_iter().map(|word| keys::fact(FactKind::Camera, word.as_str()));
    let taken = image.taken().map(|taken| taken.at.day());
    let taken = taken.map(|day| keys::fact(FactKind::Taken, &day.month_text()));
    let rating = image.rating.map(rating_fact);
    media_type.into_iter().chain(camera).chain(taken).chain(rating)
}

/// That an image has this rating.
pub(crate) fn rating_fact(rating: Rating) -> String {
    keys::fact(FactKind::Rating, &rating.stars().to_string())
}

/// The entries of words. Those of an image that can be found already say since when they are there.
fn entries<'w>(
    image: &Image,
    words: impl IntoIterator<Item = &'w String>,
    since: Option<Timestamp>,
) -> Entries {
    let Some(uploaded_at) = image.uploaded_at else { return Entries::new() };
    let position = keys::position(uploaded_at, image.id);
    let is_shared = image.visibility == Visibility::Shared;
    words
        .into_iter()
        .map(|word| {
            let place = keys::word_place(word, &position);
            let mut item = Item::new(keys::term_entry(image.id, word))
                .with(WORDS_PK, keys::term_words(image.owner))
                .with(WORDS_SK, place.clone());
            if is_shared {
                item = item.with(GLOBAL_PK, keys::SHARED_TERMS).with(GLOBAL_SK, place);
            }
            if let Some(since) = since {
                item = item.with(SINCE, since.as_seconds());
            }
            (item.key.clone(), item)
        })
        .collect()
}
