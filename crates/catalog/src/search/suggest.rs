//! What may be completed to what.

use std::collections::{BTreeMap, BTreeSet};

use model::{Album, ImageId, Person, Term, UserId};
use table::{Key, Query, SortRange};

use super::reach::Reach;
use crate::keys::FactKind;
use crate::names::Word;
use crate::places::{read_places, word_and_image};
use crate::schema::WORDS;
use crate::terms::terms_of;
use crate::{Catalog, Result, keys, row};

/// Words looked at that are no more, for each that is wanted.
const LOOKS_PER_WORD: usize = 3;

impl Catalog {
    /// Words of the texts of a user's images that begin with this, in order.
    pub async fn list_words(
        &self,
        owner: UserId,
        beginning: &Term,
        limit: usize,
    ) -> Result<Vec<String>> {
        self.words_between(owner, beginning.as_str(), limit).await
    }

    /// Words of the cameras of a user's images that begin with this, in order.
    pub async fn list_camera_words(
        &self,
        owner: UserId,
        beginning: &str,
        limit: usize,
    ) -> Result<Vec<String>> {
        let prefix = keys::fact(FactKind::Camera, beginning);
        let words = self.words_between(owner, &prefix, limit).await?;
        let word = |word: String| word.strip_prefix(FactKind::Camera.prefix()).map(str::to_owned);
        Ok(words.into_iter().filter_map(word).collect())
    }

    async fn words_between(
        &self,
        owner: UserId,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<String>> {
        let mut words: Vec<String> = Vec::new();
        let mut first = prefix.to_owned();
        for _ in 0..LOOKS_PER_WORD {
            let missing = limit - words.len();
            let entries = self.first_entries(owner, prefix, &first, missing).await?;
            let Some((last, _)) = entries.last() else { break };
            first = keys::behind_word(last);
            // The image itself says whether the word is still one of its own.
            let images: BTreeSet<ImageId> = entries.iter().map(|(_, image)| *image).collect();
            let images = self.find_images(&images.into_iter().collect::<Vec<_>>()).await?;
            let known: BTreeMap<ImageId, BTreeSet<String>> =
                images.iter().map(|image| (image.id, terms_of(image))).collect();
            let is_there = |(word, image): &(String, ImageId)| {
                known.get(image).is_some_and(|terms| terms.contains(word))
            };
            words.extend(entries.into_iter().filter(is_there).map(|(word, _)| word));
        }
        Ok(words)
    }

    /// The first words of a user's images from `first` on that begin with a prefix, and an image
    /// that may have it for each. Skips from word to word.
    async fn first_entries(
        &self,
        owner: UserId,
        prefix: &str,
        first: &str,
        limit: usize,
    ) -> Result<Vec<(String, ImageId)>> {
        let (mut first, last) = (first.to_owned(), format!("{prefix}{}", char::MAX));
        let mut entries = Vec::new();
        while first <= last && entries.len() < limit {
            let range = SortRange::Between(first.as_str().into(), last.as_str().into());
            let query = Query::index(WORDS, keys::term_words(owner)).range(range).limit(1);
            let (places, _) = read_places(&*self.table, WORDS, query).await?;
            let Some(place) = places.first() else { break };
            let (word, image) = word_and_image(place)?;
            first = keys::behind_word(word);
            entries.push((word.to_owned(), image));
        }
        Ok(entries)
    }

    /// Albums that a user may see whose titles have a word that begins with this.
    pub async fn find_albums_named(
        &self,
        user: UserId,
        beginning: &Term,
        limit: usize,
    ) -> Result<Vec<Album>> {
        let reach = Reach::load(self, user).await?;
        let mut ids = BTreeSet::new();
        for owner in std::iter::once(&user).chain(&reach.album_owners) {
            let (albums, _) =
                self.albums_by_word(*owner, Word::Beginning(beginning), limit).await?;
            ids.extend(albums);
        }
        let ids: Vec<_> = ids.into_iter().collect();
        let access = self.find_album_access(&ids, user).await?;
        let albums = access.into_values().map(|access| access.album);
        let mut albums: Vec<Album> =
            albums.filter(|album| has_word(album.title.as_str(), beginning)).collect();
        albums.sort_by(|one, other| one.title.cmp(&other.title));
        albums.truncate(limit);
        Ok(albums)
    }

    /// Persons of a user's library whose names have a word that begins with this, without those
    /// that are left out of lists.
    pub async fn find_persons_named(
        &self,
        user: UserId,
        beginning: &Term,
        limit: usize,
    ) -> Result<Vec<Person>> {
        let word = Word::Beginning(beginning);
        let (ids, _) = self.persons_by_word(user, word, limit).await?;
        let keys: BTreeSet<Key> = ids.into_iter().map(keys::person).collect();
        let rows = self.load_rows(&keys.into_iter().collect::<Vec<_>>()).await?;
        let mut persons = Vec::new();
        for item in rows {
            let person: Person = row::entity_of(&item)?;
            let name = person.name.as_ref().map(|name| name.as_str());
            let is_meant = name.is_some_and(|name| has_word(name, beginning));
            if is_meant && person.owner == user && !person.hidden {
                persons.push(person);
            }
        }
        persons.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(persons)
    }
}

fn has_word(text: &str, beginning: &Term) -> bool {
    Term::all_in(text).iter().any(|word| word.as_str().starts_with(beginning.as_str()))
}
