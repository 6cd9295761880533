//! What is true of an image, and whether it passes the tests of a search. An index entry is never
//! believed: the rows of the image decide.
//!
//! Rows are read as they are needed. Until then an answer may be open, which is `None` here.

use std::collections::BTreeSet;

use super::names::{Names, parts_of};
use super::position::Position;
use super::rank::Rank;
use crate::Result;
use crate::names::Word;
use crate::terms::Reader;
use model::{
    AlbumId, Image, ImageId, ImageState, ImageStatus, OwnerName, PersonId, SearchQuery, SearchTest,
    Tag, Term, UserId, Visibility, Written,
};

/// An image that may be found, as far as it was read.
pub(super) struct Truth {
    pub(super) position: Position,
    pub(super) id: ImageId,
    /// The words of its texts, once they were read.
    pub(super) texts: Option<Vec<Term>>,
    /// The words written into it that who searches may know, once they were read.
    pub(super) written: Option<Vec<Term>>,
    /// Its tags that who searches may know, once they were read.
    pub(super) tags: Option<BTreeSet<String>>,
    /// The image and whether it is a favourite, once they were read.
    pub(super) image: Option<Image>,
    pub(super) is_favourite: Option<bool>,
    /// The albums it is in, once they were read.
    pub(super) albums: Option<Vec<AlbumId>>,
    /// The persons in it, once they were read.
    pub(super) persons: Option<BTreeSet<PersonId>>,
    /// How well it fits, if that is asked for.
    pub(super) score: u32,
}

impl Truth {
    /// Nothing is known yet.
    pub(super) fn at(position: Position) -> Result<Self> {
        let id = position.image()?;
        let (texts, written, tags, image, is_favourite) = (None, None, None, None, None);
        let (albums, persons) = (None, None);
        let score = 0;
        Ok(Self { position, id, texts, written, tags, image, is_favourite, albums, persons, score })
    }

    pub(super) fn rank(&self) -> Rank {
        Rank { score: self.score, position: self.position.clone() }
    }

    fn texts_have(&self, word: Word<'_>) -> Option<bool> {
        self.texts.as_ref().map(|texts| texts.iter().any(|text| word.is(text.as_str())))
    }

    pub(super) fn written_has(&self, word: Word<'_>) -> Option<bool> {
        self.written.as_ref().map(|words| words.iter().any(|text| word.is(text.as_str())))
    }

    pub(super) fn tags_have(&self, word: Word<'_>) -> Option<bool> {
        let has = |tag: &String| Tag::words_of(tag).any(|text| word.is(text));
        self.tags.as_ref().map(|tags| tags.iter().any(has))
    }
}

/// Who looks, and for what.
pub(super) struct Judge<'s> {
    pub(super) user: UserId,
    pub(super) query: &'s SearchQuery,
    /// Who the owners are that the search names.
    pub(super) owners: &'s [(OwnerName, Option<UserId>)],
    pub(super) sees_exif: bool,
}

impl Judge<'_> {
    /// Whether an image may be seen and passes all tests.
    pub(super) fn finds(&self, truth: &Truth, names: &Names) -> Option<bool> {
        let wanted = self.query.wanted.iter().map(|test| self.passes(test, truth, names));
        let unwanted =
            self.query.unwanted.iter().map(|test| self.passes(test, truth, names).map(|is| !is));
        all(wanted.chain(unwanted).chain([self.sees(truth, names)]))
    }

    /// Their own, what others share, and what is in albums that they see. What others share is
    /// found once it can be shown, as in the feed.
    pub(super) fn sees(&self, truth: &Truth, names: &Names) -> Option<bool> {
        let image = truth.image.as_ref()?;
        let is_shared = image.visibility == Visibility::Shared;
        if !image.is_visible() {
            return Some(false);
        }
        if image.owner == self.user || (is_shared && image.status == ImageStatus::Completed) {
            return Some(true);
        }
        let albums = truth.albums.as_ref()?;
        any(albums.iter().map(|album| names.sees_album(*album)))
    }

    fn passes(&self, test: &SearchTest, truth: &Truth, names: &Names) -> Option<bool> {
        let image = truth.image.as_ref();
        match test {
            SearchTest::Words(_) | SearchTest::Beginning(_) => {
                all(parts_of(test).iter().map(|part| has_word(part, truth, names)))
            }
            SearchTest::Tag(tag) => truth.tags.as_ref().map(|tags| tags.contains(tag.as_str())),
            SearchTest::Album(_) => in_named_album(test, truth, names),
            SearchTest::Person(_) => shows_named_person(test, truth, names),
            SearchTest::Owner(name) => image.map(|image| self.owner(name) == Some(image.owner)),
            SearchTest::Type(media_type) => {
                image.map(|image| image.media_type == Some(*media_type))
            }
            SearchTest::Camera(words) => image.map(|image| self.has_camera(image, words)),
            SearchTest::Taken(range) => image.map(|image| {
                let taken = image.taken().filter(|_| self.knows_camera_of(image));
                taken.is_some_and(|taken| range.contains(taken.at.day()))
            }),
            SearchTest::Artist(words) => image.map(|image| {
                let artist = self.written_in(image).and_then(|written| written.artist.as_deref());
                has_words(artist.into_iter(), words)
            }),
            SearchTest::Place(words) => image.map(|image| {
                let written = self.written_in(image);
                has_words(written.into_iter().flat_map(Written::place_names), words)
            }),
            SearchTest::Rating(range) => image.map(|image| {
                let rating = image.rating.filter(|_| image.owner == self.user);
                rating.is_some_and(|rating| range.contains(rating))
            }),
            SearchTest::Is(ImageState::Favourite) => truth.is_favourite,
            SearchTest::Is(ImageState::Shared) => {
                image.map(|image| image.visibility == Visibility::Shared)
            }
            SearchTest::Is(ImageState::Private) => {
                image.map(|image| image.visibility == Visibility::Private)
            }
            SearchTest::Is(ImageState::Failed) => {
                image.map(|image| image.status == ImageStatus::Failed)
            }
            SearchTest::Is(ImageState::Animated) => {
                image.map(|image| image.facts.as_ref().is_some_and(|facts| facts.animated))
            }
        }
    }

    pub(super) fn owner(&self, name: &OwnerName) -> Option<UserId> {
        let named = self.owners.iter().find(|(known, _)| known == name);
        named.and_then(|(_, owner)| *owner)
    }

    fn has_camera(&self, image: &Image, words: &[Term]) -> bool {
        let camera = self.exif_of(image).and_then(|exif| exif.camera.as_deref());
        let found = camera.map(Term::all_in).unwrap_or_default();
        words.iter().all(|word| found.contains(word))
    }

    /// How much of what was written into an image may be known.
    pub(super) fn reader_of(&self, image: &Image) -> Reader {
        match (image.owner == self.user, self.sees_exif) {
            (true, _) => Reader::Owner,
            (false, true) => Reader::Other,
            (false, false) => Reader::Stranger,
        }
    }

    /// What was written into an image, if it may be known.
    fn written_in<'i>(&self, image: &'i Image) -> Option<&'i Written> {
        image.metadata.as_deref().filter(|_| self.reader_of(image) != Reader::Stranger)
    }

    /// What the camera wrote, if it may be known.
    fn exif_of<'i>(&self, image: &'i Image) -> Option<&'i model::Exif> {
        image.exif.as_ref().filter(|_| self.knows_camera_of(image))
    }

    /// Whether it may be known by what and when an image was taken.
    fn knows_camera_of(&self, image: &Image) -> bool {
        self.sees_exif || image.owner == self.user
    }
}

fn has_words<'t>(texts: impl Iterator<Item = &'t str>, words: &[Term]) -> bool {
    let found: BTreeSet<Term> = texts.flat_map(Term::all_in).collect();
    words.iter().all(|word| found.contains(word))
}

/// Whether a word is among those of the image, its tags, its albums and its persons.
fn has_word(part: &SearchTest, truth: &Truth, names: &Names) -> Option<bool> {
    let word = word_of(part)?;
    let named = [in_named_album(part, truth, names), shows_named_person(part, truth, names)];
    let own = [truth.texts_have(word), truth.written_has(word), truth.tags_have(word)];
    any(own.into_iter().chain(named))
}

/// The word of a test of one word.
pub(super) fn word_of(part: &SearchTest) -> Option<Word<'_>> {
    match part {
        SearchTest::Words(words) => words.first().map(Word::Whole),
        SearchTest::Beginning(word) => Some(Word::Beginning(word)),
        _ => None,
    }
}

pub(super) fn in_named_album(part: &SearchTest, truth: &Truth, names: &Names) -> Option<bool> {
    if !names.may_name_albums(part) {
        return Some(false);
    }
    any(truth.albums.as_ref()?.iter().map(|album| names.album_is(part, *album)))
}

pub(super) fn shows_named_person(part: &SearchTest, truth: &Truth, names: &Names) -> Option<bool> {
    if !names.may_name_persons(part) {
        return Some(false);
    }
    any(truth.persons.as_ref()?.iter().map(|person| names.person_is(part, *person)))
}

/// Whether all are true; open if one is, and none is false.
fn all(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut is_open = false;
    for answer in answers {
        match answer {
            Some(false) => return Some(false),
            Some(true) => {}
            None => is_open = true,
        }
    }
    (!is_open).then_some(true)
}

/// Whether any is true; open if one is, and none is true.
fn any(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(answers.map(|answer| answer.map(|is| !is))).map(|none| !none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_stays_open_unless_another_answer_decides() {
        let (yes, no, open) = (Some(true), Some(false), None);
        assert_eq!(all([yes, yes].into_iter()), yes);
        assert_eq!(all([yes, open].into_iter()), open);
        assert_eq!(all([open, no].into_iter()), no);
        assert_eq!(any([no, no].into_iter()), no);
        assert_eq!(any([no, open].into_iter()), open);
        assert_eq!(any([open, yes].into_iter()), yes);
    }
}
