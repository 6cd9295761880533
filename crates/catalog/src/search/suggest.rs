//! What may be completed to what.

use std::collections::BTreeSet;

use model::{Album, Person, Term, UserId};
use table::{Key, Query, SortRange};

use super::reach::Reach;
use super::stream::sort_text;
use crate::entries::{image_of, words_of};
use crate::keys::FactKind;
use crate::names::Word;
use crate::schema::WORDS;
use crate::{Catalog, Result, keys, row};

/// Entries passed over while looking for words, for each that is wanted.
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
        let (mut first, last) = (prefix.to_owned(), format!("{prefix}{}", char::MAX));
        for _ in 0..limit * LOOKS_PER_WORD {
            if first > last || words.len() == limit {
                break;
            }
            let range = SortRange::Between(first.as_str().into(), last.as_str().into());
            let query = Query::index(WORDS, keys::term_words(owner)).range(range).limit(1);
            let page = self.table.query(&query).await?;
            let Some(entry) = page.items.first() else { break };
            let Some(place) = sort_text(entry, WORDS) else { break };
            let word = keys::word_of(&place).unwrap_or_default().to_owned();
            first = keys::behind_word(&word);
            // The image itself says whether the word is still one of its own.
            let image = image_of(&entry.key)?;
            let summary = self.table.get(&keys::term_summary(image)).await?;
            let is_there = |words: Vec<&str>| words.contains(&word.as_str());
            if summary.as_ref().map(words_of).is_some_and(is_there) {
                words.push(word);
            }
        }
        Ok(words)
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
