//! Completing a search that is being written.

use std::collections::BTreeSet;

use catalog::PageRequest;
use model::{ImageState, SEARCH_TYPES, SearchDraft, SearchKey, Tag, Term, quoted_search_value};

use crate::{Caller, CountedTag, Result, Scope, Service, TagsBy};

/// What a search that is being written may become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What it completes to.
    pub kind: SuggestionKind,
    /// What to show.
    pub text: String,
    /// The whole search with it.
    pub query: String,
    /// How many images have the tag, counted up to a limit.
    pub count: Option<usize>,
    /// Whether more than the counted ones have it.
    pub more: bool,
}

/// What can be suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionKind {
    /// A key of the language, such as `tag:`.
    Key,
    /// A tag.
    Tag,
    /// The title of an album.
    Album,
    /// The name of a person.
    Person,
    /// A word of the caller's images.
    Word,
    /// A value of a key that has few.
    Value,
}

/// Suggestions of each kind at most.
const OF_EACH_KIND: usize = 5;
/// Images of a tag that are counted.
const COUNTED_MAX: usize = 10;

impl Service {
    /// What the last part of a search may become: keys, tags, albums, persons and words.
    ///
    /// # Errors
    /// When the caller's key does not allow it.
    pub async fn suggest_searches(&self, caller: &Caller, text: &str) -> Result<Vec<Suggestion>> {
        caller.require(Scope::Read)?;
        let draft = SearchDraft::of(text);
        Ok(match draft.key {
            None if draft.started.is_empty() => Vec::new(),
            None => self.suggest_anything(caller, &draft).await?,
            Some(SearchKey::Tag) => self.suggest_tags(caller, &draft).await?,
            Some(SearchKey::Album) => self.suggest_albums(caller, &draft).await?,
            Some(key @ SearchKey::Person) => {
                let mut all = suggest_values(&draft, key, ["me"].into_iter());
                all.extend(self.suggest_persons(caller, &draft).await?);
                all
            }
            Some(SearchKey::Camera) => self.suggest_cameras(caller, &draft).await?,
            Some(key @ SearchKey::Type) => {
                suggest_values(&draft, key, SEARCH_TYPES.iter().map(|(name, _)| *name))
            }
            Some(key @ SearchKey::Is) => {
                suggest_values(&draft, key, ImageState::ALL.into_iter().map(ImageState::name))
            }
            Some(key @ SearchKey::Owner) => suggest_values(&draft, key, ["me"].into_iter()),
            Some(key @ SearchKey::Rating) => {
                suggest_values(&draft, key, ["5", "4..", "3..", "2..", "1..", "-1"].into_iter())
            }
            Some(SearchKey::Taken | SearchKey::Artist | SearchKey::Place) => Vec::new(),
        })
    }

    async fn suggest_anything(
        &self,
        caller: &Caller,
        draft: &SearchDraft<'_>,
    ) -> Result<Vec<Suggestion>> {
        let mut all = suggest_keys(draft);
        all.extend(self.suggest_tags(caller, draft).await?);
        all.extend(self.suggest_albums(caller, draft).await?);
        all.extend(self.suggest_persons(caller, draft).await?);
        if let Some(word) = last_word(draft) {
            let words = self.catalog().list_words(caller.user, &word, OF_EACH_KIND).await?;
            all.extend(words.into_iter().map(|word| {
                let query = format!("{}{word} ", draft.before);
                Suggestion::new(SuggestionKind::Word, word, query)
            }));
        }
        Ok(all)
    }

    async fn suggest_tags(
        &self,
        caller: &Caller,
        draft: &SearchDraft<'_>,
    ) -> Result<Vec<Suggestion>> {
        let page = PageRequest::first(OF_EACH_KIND);
        let (mut known, mut tags): (BTreeSet<Tag>, _) = (BTreeSet::new(), Vec::new());
        for by in [TagsBy::Me, TagsBy::Everyone] {
            if tags.len() == OF_EACH_KIND {
                break;
            }
            let prefix = draft.started.as_str();
            let found = self.list_counted_tags(caller, by, prefix, &page, COUNTED_MAX).await?;
            for CountedTag { tag, count, more } in found.entries {
                if tags.len() == OF_EACH_KIND || !known.insert(tag.clone()) {
                    continue;
                }
                let query = draft.with_value(SearchKey::Tag, &quoted_search_value(tag.as_str()));
                let suggestion = Suggestion::new(SuggestionKind::Tag, tag.to_string(), query);
                tags.push(Suggestion { count: Some(count), more, ..suggestion });
            }
        }
        Ok(tags)
    }

    async fn suggest_albums(
        &self,
        caller: &Caller,
        draft: &SearchDraft<'_>,
    ) -> Result<Vec<Suggestion>> {
        let Some(word) = last_word(draft) else { return Ok(Vec::new()) };
        let albums = self.catalog().find_albums_named(caller.user, &word, OF_EACH_KIND).await?;
        let suggestion = |album: model::Album| {
            let title = album.title.to_string();
            let query = draft.with_value(SearchKey::Album, &quoted_search_value(&title));
            Suggestion::new(SuggestionKind::Album, title, query)
        };
        Ok(albums.into_iter().map(suggestion).collect())
    }

    async fn suggest_persons(
        &self,
        caller: &Caller,
        draft: &SearchDraft<'_>,
    ) -> Result<Vec<Suggestion>> {
        let Some(word) = last_word(draft) else { return Ok(Vec::new()) };
        let persons = self.catalog().find_persons_named(caller.user, &word, OF_EACH_KIND).await?;
        let suggestion = |person: model::Person| {
            let name = person.name.map(|name| name.to_string()).unwrap_or_default();
            let query = draft.with_value(SearchKey::Person, &quoted_search_value(&name));
            Suggestion::new(SuggestionKind::Person, name, query)
        };
        Ok(persons.into_iter().map(suggestion).collect())
    }

    async fn suggest_cameras(
        &self,
        caller: &Caller,
        draft: &SearchDraft<'_>,
    ) -> Result<Vec<Suggestion>> {
        let word = last_word(draft);
        let started = word.as_ref().map(Term::as_str).unwrap_or_default();
        let words = self.catalog().list_camera_words(caller.user, started, OF_EACH_KIND).await?;
        Ok(suggest(draft, SearchKey::Camera, words.into_iter()))
    }
}

impl Suggestion {
    fn new(kind: SuggestionKind, text: String, query: String) -> Self {
        Self { kind, text, query, count: None, more: false }
    }
}

fn last_word(draft: &SearchDraft<'_>) -> Option<Term> {
    Term::in_order(&draft.started).pop()
}

fn suggest_keys(draft: &SearchDraft<'_>) -> Vec<Suggestion> {
    let started = draft.started.to_ascii_lowercase();
    let keys = SearchKey::ALL.into_iter().filter(|key| key.name().starts_with(&started));
    let suggestion = |key: SearchKey| {
        let text = format!("{}:", key.name());
        let query = format!("{}{text}", draft.before);
        Suggestion::new(SuggestionKind::Key, text, query)
    };
    keys.map(suggestion).collect()
}

fn suggest_values(
    draft: &SearchDraft<'_>,
    key: SearchKey,
    values: impl Iterator<Item = &'static str>,
) -> Vec<Suggestion> {
    let started = draft.started.to_ascii_lowercase();
    suggest(draft, key, values.filter(|value| value.starts_with(&started)).map(str::to_owned))
}

fn suggest(
    draft: &SearchDraft<'_>,
    key: SearchKey,
    values: impl Iterator<Item = String>,
) -> Vec<Suggestion> {
    let suggestion = |value: String| {
        let query = draft.with_value(key, &value);
        Suggestion::new(SuggestionKind::Value, value, query)
    };
    values.map(suggestion).collect()
}
