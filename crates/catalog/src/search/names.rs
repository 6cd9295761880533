//! Which albums and persons the words of a search name.
//!
//! Their titles and names are looked up when somebody searches. So nothing of an image has to be
//! written again when an album it is in is renamed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::{Album, AlbumId, AlbumName, Person, PersonId, PersonName, SearchTest, Term, UserId};
use table::Key;

use super::reach::Reach;
use crate::names::Word;
use crate::{Catalog, Result, keys, row};

/// What a word, or some words, name.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub(super) albums: BTreeSet<AlbumId>,
    pub(super) persons: BTreeSet<PersonId>,
    /// Whether there may be further ones.
    pub(super) has_more: bool,
}

/// What the tests of a search name, and all titles and names that were read on the way.
pub(super) struct Names {
    user: UserId,
    /// Who the user is among the persons of their library, if that was asked for and is known.
    me: Option<PersonId>,
    named: HashMap<SearchTest, Named>,
    /// The words of the titles of albums; nothing of those that the user may not see.
    titles: BTreeMap<AlbumId, Option<BTreeSet<Term>>>,
    /// The words of the names of persons; nothing of those in other libraries.
    persons: BTreeMap<PersonId, Option<BTreeSet<Term>>>,
}

impl Names {
    /// Looks up everything that these tests may name.
    pub(super) async fn load<'t>(
        catalog: &Catalog,
        user: UserId,
        reach: &Reach,
        tests: impl Iterator<Item = &'t SearchTest>,
    ) -> Result<Self> {
        let (named, titles, persons) = (HashMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut names = Self { user, me: None, named, titles, persons };
        for test in tests {
            for part in parts_of(test) {
                if !names.named.contains_key(&part) {
                    let named = names.look_up(catalog, reach, &part).await?;
                    names.named.insert(part, named);
                }
            }
        }
        Ok(names)
    }

    /// What a test of one word, an album or a person names.
    pub(super) fn named(&self, part: &SearchTest) -> Named {
        self.named.get(part).cloned().unwrap_or_default()
    }

    pub(super) fn may_name_anything(&self) -> bool {
        self.named.keys().any(|part| self.may_name_albums(part) || self.may_name_persons(part))
    }

    pub(super) fn may_name_albums(&self, part: &SearchTest) -> bool {
        self.named.get(part).is_some_and(|named| !named.albums.is_empty() || named.has_more)
    }

    pub(super) fn may_name_persons(&self, part: &SearchTest) -> bool {
        self.named.get(part).is_some_and(|named| !named.persons.is_empty() || named.has_more)
    }

    async fn look_up(
        &mut self,
        catalog: &Catalog,
        reach: &Reach,
        part: &SearchTest,
    ) -> Result<Named> {
        let mut named = Named::default();
        match part {
            SearchTest::Words(words) => {
                if let [word] = words.as_slice() {
                    self.add_albums(catalog, reach, Word::Whole(word), &mut named).await?;
                    self.add_persons(catalog, Word::Whole(word), &mut named).await?;
                }
            }
            SearchTest::Beginning(word) => {
                self.add_albums(catalog, reach, Word::Beginning(word), &mut named).await?;
                self.add_persons(catalog, Word::Beginning(word), &mut named).await?;
            }
            SearchTest::Album(AlbumName::Id(id)) => drop(named.albums.insert(*id)),
            SearchTest::Album(AlbumName::Words(words)) => {
                if let Some(first) = words.first() {
                    self.add_albums(catalog, reach, Word::Whole(first), &mut named).await?;
                }
            }
            SearchTest::Person(PersonName::Me) => {
                self.me = catalog.find_self(self.user).await?;
                named.persons.extend(self.me);
            }
            SearchTest::Person(PersonName::Id(id)) => drop(named.persons.insert(*id)),
            SearchTest::Person(PersonName::Words(words)) => {
                if let Some(first) = words.first() {
                    self.add_persons(catalog, Word::Whole(first), &mut named).await?;
                }
            }
            _ => {}
        }
        self.read_titles(catalog, &named.albums).await?;
        self.read_persons(catalog, &named.persons).await?;
        named.albums.retain(|album| self.album_is(part, *album).unwrap_or(false));
        named.persons.retain(|person| self.person_is(part, *person).unwrap_or(false));
        Ok(named)
    }

    async fn add_albums(
        &self,
        catalog: &Catalog,
        reach: &Reach,
        word: Word<'_>,
        named: &mut Named,
    ) -> Result<()> {
        for owner in std::iter::once(&self.user).chain(&reach.album_owners) {
            let room = catalog.search_limits.named.saturating_sub(named.albums.len()).max(1);
            let (albums, is_all) = catalog.albums_by_word(*owner, word, room).await?;
            named.albums.extend(albums);
            named.has_more |= !is_all;
        }
        Ok(())
    }

    async fn add_persons(
        &self,
        catalog: &Catalog,
        word: Word<'_>,
        named: &mut Named,
    ) -> Result<()> {
        let room = catalog.search_limits.named;
        let (persons, is_all) = catalog.persons_by_word(self.user, word, room).await?;
        named.persons.extend(persons);
        named.has_more |= !is_all;
        Ok(())
    }

    /// Reads the titles of albums that are not known yet, if the user may see them.
    pub(super) async fn read_titles<'a>(
        &mut self,
        catalog: &Catalog,
        albums: impl IntoIterator<Item = &'a AlbumId>,
    ) -> Result<()> {
        let unknown = albums.into_iter().filter(|album| !self.titles.contains_key(album));
        let unknown: Vec<AlbumId> = unknown.copied().collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let mut access = catalog.find_album_access(&unknown, self.user).await?;
        for album in unknown {
            let words = |album: Album| Term::all_in(album.title.as_str());
            self.titles.insert(album, access.remove(&album).map(|access| words(access.album)));
        }
        Ok(())
    }

    /// Reads the names of persons that are not known yet, if they are of the user's library.
    pub(super) async fn read_persons<'a>(
        &mut self,
        catalog: &Catalog,
        persons: impl IntoIterator<Item = &'a PersonId>,
    ) -> Result<()> {
        let unknown = persons.into_iter().filter(|person| !self.persons.contains_key(person));
        let unknown: BTreeSet<PersonId> = unknown.copied().collect();
        let keys: Vec<Key> = unknown.iter().copied().map(keys::person).collect();
        for person in unknown {
            self.persons.insert(person, None);
        }
        for item in catalog.load_rows(&keys).await? {
            let person: Person = row::entity_of(&item)?;
            if person.owner == self.user {
                let words = person.name.map(|name| Term::all_in(name.as_str()));
                self.persons.insert(person.id, Some(words.unwrap_or_default()));
            }
        }
        Ok(())
    }

    /// Whether the user may see an album, if it was read.
    pub(super) fn sees_album(&self, album: AlbumId) -> Option<bool> {
        self.titles.get(&album).map(Option::is_some)
    }

    /// Whether a test means an album, if that was read.
    pub(super) fn album_is(&self, part: &SearchTest, album: AlbumId) -> Option<bool> {
        let Some(title) = self.titles.get(&album)? else { return Some(false) };
        Some(match part {
            SearchTest::Album(AlbumName::Id(id)) => *id == album,
            SearchTest::Album(AlbumName::Words(words)) => has_all(title, words),
            part => names_one(part, title),
        })
    }

    /// Whether a test means a person, if that was read.
    pub(super) fn person_is(&self, part: &SearchTest, person: PersonId) -> Option<bool> {
        let Some(name) = self.persons.get(&person)? else { return Some(false) };
        Some(match part {
            SearchTest::Person(PersonName::Me) => self.me == Some(person),
            SearchTest::Person(PersonName::Id(id)) => *id == person,
            SearchTest::Person(PersonName::Words(words)) => has_all(name, words),
            part => names_one(part, name),
        })
    }
}

/// The tests of single words, albums and persons that a test is made of.
pub(super) fn parts_of(test: &SearchTest) -> Vec<SearchTest> {
    match test {
        SearchTest::Words(words) => {
            words.iter().map(|word| SearchTest::Words(vec![word.clone()])).collect()
        }
        SearchTest::Beginning(_) | SearchTest::Album(_) | SearchTest::Person(_) => {
            vec![test.clone()]
        }
        _ => Vec::new(),
    }
}

fn has_all(words: &BTreeSet<Term>, wanted: &[Term]) -> bool {
    wanted.iter().all(|word| words.contains(word))
}

fn names_one(part: &SearchTest, words: &BTreeSet<Term>) -> bool {
    match part {
        SearchTest::Words(wanted) => has_all(words, wanted),
        SearchTest::Beginning(wanted) => {
            words.iter().any(|word| word.as_str().starts_with(wanted.as_str()))
        }
        _ => false,
    }
}
