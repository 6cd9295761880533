//! Reading a search. Whatever is written, it is either understood or told where and why not.

use std::str::FromStr;

use super::{
    AlbumName, ImageState, OwnerName, PersonName, RatingRange, SEARCH_TYPES, SearchKey,
    SearchQuery, SearchTest, TakenRange,
};
use crate::limits::{SEARCH_CHARS_MAX, SEARCH_TESTS_MAX};
use crate::{MediaType, Term};

/// A search that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {}: {message}", self.offset + 1)]
pub struct BadSearch {
    /// How many characters stand before what is wrong.
    pub offset: usize,
    /// What stands there, cut if long.
    pub found: String,
    /// What is wrong with it, and what would be right.
    pub message: String,
    /// What may stand there, if that can be listed.
    pub allowed: Vec<&'static str>,
}

type Result<T> = std::result::Result<T, BadSearch>;

impl FromStr for SearchQuery {
    type Err = BadSearch;

    fn from_str(text: &str) -> Result<Self> {
        let chars = text.chars().count();
        if chars > SEARCH_CHARS_MAX {
            let message =
                format!("a search has at most {SEARCH_CHARS_MAX} characters; this one has {chars}");
            return Err(bad(SEARCH_CHARS_MAX, "", message));
        }
        let mut scanner = Scanner { chars: text.chars().collect(), at: 0 };
        let mut query = Self::default();
        while let Some(part) = scanner.next_part()? {
            part.add_to(&mut query)?;
            if query.wanted.len() + query.unwanted.len() > SEARCH_TESTS_MAX {
                let message = format!("a search has at most {SEARCH_TESTS_MAX} parts");
                return Err(bad(part.offset, &part.text, message));
            }
        }
        Ok(query)
    }
}

fn bad(offset: usize, found: &str, message: impl Into<String>) -> BadSearch {
    let found = found.chars().take(64).collect();
    BadSearch { offset, found, message: message.into(), allowed: Vec::new() }
}

/// A part of a search as it is written: `-key:"text"`, where only the text is always there.
struct Part {
    is_unwanted: bool,
    key: Option<SearchKey>,
    text: String,
    is_quoted: bool,
    /// Whether the search ends with it, so that its last word may not be whole yet.
    is_last: bool,
    /// Where the text begins.
    offset: usize,
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
}

impl Scanner {
    fn next_part(&mut self) -> Result<Option<Part>> {
        self.take_while(char::is_whitespace);
        let start = self.at;
        let Some(first) = self.peek() else { return Ok(None) };
        let is_unwanted = first == '-';
        if is_unwanted {
            self.at += 1;
            if self.is_at_end_of_part() {
                let message = "nothing follows the minus; put what is not wanted right behind it";
                return Err(bad(start, "-", message));
            }
        }
        let key = self.key()?;
        let offset = self.at;
        let is_quoted = self.peek() == Some('"');
        let text = match is_quoted {
            true => self.quoted()?,
            false => self.take_while(|c| !c.is_whitespace()),
        };
        if !self.is_at_end_of_part() {
            let found = self.take_while(|c| !c.is_whitespace());
            let message = format!("after the closing quote a space is missing before {found:?}");
            return Err(bad(self.at - found.chars().count(), &found, message));
        }
        let is_last = self.peek().is_none();
        Ok(Some(Part { is_unwanted, key, text, is_quoted, is_last, offset }))
    }

    /// The key, if letters and a colon come next.
    fn key(&mut self) -> Result<Option<SearchKey>> {
        let start = self.at;
        let name = self.take_while(|c| c.is_ascii_alphabetic());
        if name.is_empty() || self.peek() != Some(':') {
            self.at = start;
            return Ok(None);
        }
        let Some(key) = SearchKey::of(&name) else {
            let names = SearchKey::ALL.map(SearchKey::name);
            let message = format!(
                "there is no key {name:?}; the keys are {}. To search for the words, put them in quotes",
                names.join(", ")
            );
            return Err(BadSearch { allowed: names.to_vec(), ..bad(start, &name, message) });
        };
        self.at += 1;
        if self.is_at_end_of_part() {
            let message =
                format!("nothing follows {}:; put what you look for behind it", key.name());
            return Err(bad(self.at, "", message));
        }
        Ok(Some(key))
    }

    /// What stands between quotes, where a backslash takes a quote or a backslash for itself.
    fn quoted(&mut self) -> Result<String> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            match (self.peek(), self.chars.get(self.at + 1)) {
                (None, _) => {
                    return Err(bad(start, "\"", "the quote that begins here is not closed"));
                }
                (Some('"'), _) => break,
                (Some('\\'), Some(escaped @ ('"' | '\\'))) => {
                    text.push(*escaped);
                    self.at += 1;
                }
                (Some(c), _) => text.push(c),
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(text)
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> String {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let taken: String = rest.iter().copied().take_while(|c| fits(*c)).collect();
        self.at += taken.chars().count();
        taken
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn is_at_end_of_part(&self) -> bool {
        self.peek().is_none_or(char::is_whitespace)
    }
}

impl Part {
    fn add_to(&self, query: &mut SearchQuery) -> Result<()> {
        let test = match self.key {
            Some(key) => self.keyed(key)?,
            None if self.is_unwanted => SearchTest::Words(self.words()?),
            None => return self.add_words_to(query),
        };
        match self.is_unwanted {
            true => query.unwanted.push(test),
            false => query.wanted.push(test),
        }
        Ok(())
    }

    /// Words that are wanted are wanted each for itself; the last of all may be a beginning.
    fn add_words_to(&self, query: &mut SearchQuery) -> Result<()> {
        let mut words = self.words()?;
        let is_open = self.is_last && !self.is_quoted && self.ends_in_word();
        let beginning = if is_open { words.pop() } else { None };
        query.wanted.extend(words.into_iter().map(|word| SearchTest::Words(vec![word])));
        query.wanted.extend(beginning.map(SearchTest::Beginning));
        Ok(())
    }

    /// Whether the last thing written is a word, and not, say, a full stop.
    fn ends_in_word(&self) -> bool {
        self.text
            .chars()
            .next_back()
            .is_some_and(|last| !Term::in_order(&last.to_string()).is_empty())
    }

    fn keyed(&self, key: SearchKey) -> Result<SearchTest> {
        Ok(match key {
            SearchKey::Tag => {
                SearchTest::Tag(self.text.parse().map_err(|bad| self.not_possible(&bad))?)
            }
            SearchKey::Person => SearchTest::Person(match self.id() {
                Some(id) => PersonName::Id(id),
                // In quotes, it is what somebody is called.
                None if self.is_me() && !self.is_quoted => PersonName::Me,
                None => PersonName::Words(self.words()?),
            }),
            SearchKey::Album => SearchTest::Album(match self.id() {
                Some(id) => AlbumName::Id(id),
                None => AlbumName::Words(self.words()?),
            }),
            SearchKey::Owner => SearchTest::Owner(self.owner()?),
            SearchKey::Type => SearchTest::Type(self.media_type()?),
            SearchKey::Camera => SearchTest::Camera(self.words()?),
            SearchKey::Taken => SearchTest::Taken(self.taken()?),
            SearchKey::Artist => SearchTest::Artist(self.words()?),
            SearchKey::Place => SearchTest::Place(self.words()?),
            SearchKey::Rating => SearchTest::Rating(self.rating()?),
            SearchKey::Is => SearchTest::Is(self.state()?),
        })
    }

    /// The id that it is; in quotes, it is words.
    fn id<T: FromStr>(&self) -> Option<T> {
        self.text.parse().ok().filter(|_| !self.is_quoted)
    }

    fn words(&self) -> Result<Vec<Term>> {
        let words = Term::in_order(&self.text);
        if words.is_empty() {
            let message = format!("there is no word in {:?}", self.text);
            return Err(bad(self.offset, &self.text, message));
        }
        Ok(words)
    }

    fn is_me(&self) -> bool {
        self.text.eq_ignore_ascii_case("me")
    }

    fn owner(&self) -> Result<OwnerName> {
        if self.is_me() {
            return Ok(OwnerName::Me);
        }
        let by_id = self.text.parse().map(OwnerName::Id).ok();
        let by_email = || self.text.parse().map(OwnerName::Email).ok();
        by_id.or_else(by_email).ok_or_else(|| {
            let message =
                format!("{:?} is neither me nor a user's id or e-mail address", self.text);
            BadSearch { allowed: vec!["me"], ..bad(self.offset, &self.text, message) }
        })
    }

    fn media_type(&self) -> Result<MediaType> {
        let text = self.text.to_ascii_lowercase();
        let text = match text.as_str() {
            "jpg" => "jpeg",
            "tif" => "tiff",
            "heif" => "heic",
            other => other,
        };
        let is_meant =
            |(name, of): &&(&str, MediaType)| *name == text || MediaType::name(*of) == text;
        SEARCH_TYPES.iter().find(is_meant).map(|(_, media_type)| *media_type).ok_or_else(|| {
            self.not_one_of("a type of image", SEARCH_TYPES.iter().map(|(name, _)| *name).collect())
        })
    }

    fn state(&self) -> Result<ImageState> {
        let text = self.text.to_ascii_lowercase();
        let text = if text == "favorite" { "favourite" } else { text.as_str() };
        let state = ImageState::ALL.into_iter().find(|state| state.name() == text);
        state.ok_or_else(|| {
            self.not_one_of("what an image can be", ImageState::ALL.map(ImageState::name).to_vec())
        })
    }

    fn taken(&self) -> Result<TakenRange> {
        TakenRange::parse(&self.text).ok_or_else(|| {
            let message = format!(
                "{:?} is not a time such as 2024, 2024-05, 2024-05-31, 2024-05..2024-06 or 2024-05..",
                self.text
            );
            bad(self.offset, &self.text, message)
        })
    }

    fn rating(&self) -> Result<RatingRange> {
        RatingRange::parse(&self.text).ok_or_else(|| {
            let message = format!(
                "{:?} is not a rating such as 5, 4.., ..2, 2..4, >=4 or -1 for rejected",
                self.text
            );
            bad(self.offset, &self.text, message)
        })
    }

    fn not_one_of(&self, what: &str, allowed: Vec<&'static str>) -> BadSearch {
        let message = format!("{:?} is not {what}: {}", self.text, allowed.join(", "));
        BadSearch { allowed, ..bad(self.offset, &self.text, message) }
    }

    fn not_possible(&self, problem: &crate::BadText) -> BadSearch {
        bad(self.offset, &self.text, problem.to_string())
    }
}

#[cfg(test)]
mod tests;
