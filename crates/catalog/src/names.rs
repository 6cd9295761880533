//! Albums by the words of their titles, and persons by those of their names.
//!
//! Each word is an entry in the partition of the album or person. The title or name itself is the
//! truth: who follows an entry looks there.

use model::{Album, AlbumId, Person, PersonId, Term, UserId};
use table::{Item, Key, Query};

use crate::albums::album_of;
use crate::entries::{Entries, Swap};
use crate::schema::{WORDS, WORDS_PK, WORDS_SK};
use crate::{Catalog, Error, Result, keys};

/// A word that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Word<'t> {
    /// This one.
    Whole(&'t Term),
    /// One that begins with this.
    Beginning(&'t Term),
}

impl Word<'_> {
    pub(crate) fn is(self, word: &str) -> bool {
        match self {
            Self::Whole(term) => word == term.as_str(),
            Self::Beginning(term) => word.starts_with(term.as_str()),
        }
    }

    /// What its places in an index begin with.
    pub(crate) fn place(self) -> String {
        match self {
            Self::Whole(term) => keys::word_place(term.as_str(), ""),
            Self::Beginning(term) => term.to_string(),
        }
    }
}

/// Adds the exchange of the words of an album's title to a swap.
pub(crate) fn exchange_album_words(swap: &mut Swap, before: Option<&Album>, after: &Album) {
    swap.exchange(&before.map(album_entries).unwrap_or_default(), album_entries(after));
}

/// Adds the exchange of the words of a person's name to a swap.
pub(crate) fn exchange_person_words(
    swap: &mut Swap,
    before: Option<&Person>,
    after: Option<&Person>,
) {
    let entries = |person: Option<&Person>| person.map(person_entries).unwrap_or_default();
    swap.exchange(&entries(before), entries(after));
}

fn album_entries(album: &Album) -> Entries {
    let partition = keys::album_words(album.owner);
    let entry = |word: &Term| {
        let key = keys::album_word(album.id, word.as_str());
        entry(key, &partition, word, &album.id.to_string())
    };
    Term::all_in(album.title.as_str()).iter().map(entry).collect()
}

fn person_entries(person: &Person) -> Entries {
    let is_there = person.merged_into.is_none() && person.deleting_since.is_none();
    let Some(name) = person.name.as_ref().filter(|_| is_there) else { return Entries::new() };
    let partition = keys::person_words(person.owner);
    let entry = |word: &Term| {
        let key = keys::person_word(person.id, word.as_str());
        entry(key, &partition, word, &person.id.to_string())
    };
    Term::all_in(name.as_str()).iter().map(entry).collect()
}

fn entry(key: Key, partition: &str, word: &Term, id: &str) -> (Key, Item) {
    let place = keys::word_place(word.as_str(), id);
    let item = Item::new(key.clone()).with(WORDS_PK, partition).with(WORDS_SK, place);
    (key, item)
}

impl Catalog {
    /// The albums of an owner whose titles have such a word, as far as an index knows, up to
    /// `limit`; and whether that is all.
    pub(crate) async fn albums_by_word(
        &self,
        owner: UserId,
        word: Word<'_>,
        limit: usize,
    ) -> Result<(Vec<AlbumId>, bool)> {
        let (keys, is_all) = self.named(keys::album_words(owner), word, limit).await?;
        let albums = keys.iter().map(album_of).collect::<Result<Vec<_>>>()?;
        Ok((albums, is_all))
    }

    /// The persons of a library whose names have such a word, likewise.
    pub(crate) async fn persons_by_word(
        &self,
        owner: UserId,
        word: Word<'_>,
        limit: usize,
    ) -> Result<(Vec<PersonId>, bool)> {
        let (keys, is_all) = self.named(keys::person_words(owner), word, limit).await?;
        let persons = keys.iter().map(person_of).collect::<Result<Vec<_>>>()?;
        Ok((persons, is_all))
    }

    async fn named(
        &self,
        partition: String,
        word: Word<'_>,
        limit: usize,
    ) -> Result<(Vec<Key>, bool)> {
        let query = Query::index(WORDS, partition).prefix(word.place()).limit(limit);
        let page = self.table.query(&query).await?;
        Ok((page.items.into_iter().map(|item| item.key).collect(), page.next.is_none()))
    }
}

fn person_of(key: &Key) -> Result<PersonId> {
    let id = key.pk.strip_prefix("PERSON#").unwrap_or_default();
    id.parse().map_err(|error| Error::bad_row(key, error))
}
