//! A search as text, which says the same when it is read again.

use std::fmt::{self, Write as _};

use super::{
    AlbumName, ImageState, OwnerName, PersonName, SEARCH_TYPES, SearchKey, SearchQuery, SearchTest,
};
use crate::{MediaType, Term};

impl fmt::Display for SearchQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_beginning = |test: &&SearchTest| matches!(test, SearchTest::Beginning(_));
        let (beginnings, others): (Vec<_>, Vec<_>) = self.wanted.iter().partition(is_beginning);
        let wanted = others.into_iter().map(|test| ("", test));
        let unwanted = self.unwanted.iter().map(|test| ("-", test));
        // What a word begins with stands at the end; else it would be a whole word.
        let last = beginnings.into_iter().map(|test| ("", test));
        for (number, (sign, test)) in wanted.chain(unwanted).chain(last).enumerate() {
            if number > 0 {
                f.write_char(' ')?;
            }
            write!(f, "{sign}{test}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SearchTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(&quoted(&joined(words))),
            Self::Beginning(word) => write!(f, "{word}"),
            Self::Tag(tag) => keyed(f, SearchKey::Tag, &quoted(tag.as_str())),
            Self::Person(PersonName::Me) => keyed(f, SearchKey::Person, "me"),
            Self::Person(PersonName::Id(id)) => keyed(f, SearchKey::Person, &id.to_string()),
            Self::Person(PersonName::Words(words)) => {
                keyed(f, SearchKey::Person, &quoted(&joined(words)))
            }
            Self::Album(AlbumName::Id(id)) => keyed(f, SearchKey::Album, &id.to_string()),
            Self::Album(AlbumName::Words(words)) => {
                keyed(f, SearchKey::Album, &quoted(&joined(words)))
            }
            Self::Owner(OwnerName::Me) => keyed(f, SearchKey::Owner, "me"),
            Self::Owner(OwnerName::Id(id)) => keyed(f, SearchKey::Owner, &id.to_string()),
            Self::Owner(OwnerName::Email(email)) => {
                keyed(f, SearchKey::Owner, &quoted(email.as_str()))
            }
            Self::Type(media_type) => keyed(f, SearchKey::Type, type_name(*media_type)),
            Self::Camera(words) => keyed(f, SearchKey::Camera, &quoted(&joined(words))),
            Self::Taken(range) => keyed(f, SearchKey::Taken, &range.to_string()),
            Self::Artist(words) => keyed(f, SearchKey::Artist, &quoted(&joined(words))),
            Self::Place(words) => keyed(f, SearchKey::Place, &quoted(&joined(words))),
            Self::Rating(range) => keyed(f, SearchKey::Rating, &range.to_string()),
            Self::Is(state) => keyed(f, SearchKey::Is, ImageState::name(*state)),
        }
    }
}

fn keyed(f: &mut fmt::Formatter<'_>, key: SearchKey, value: &str) -> fmt::Result {
    write!(f, "{}:{value}", key.name())
}

fn joined(words: &[Term]) -> String {
    words.iter().map(Term::as_str).collect::<Vec<_>>().join(" ")
}

pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn type_name(media_type: MediaType) -> &'static str {
    let named = SEARCH_TYPES.iter().find(|(_, of)| *of == media_type);
    named.map_or_else(|| media_type.name(), |(name, _)| name)
}
