//! What is asked for.

use std::fmt;

use catalog::PageRequest;
use model::{AlbumId, SearchQuery};
use service::{Order, SearchOrder};

use crate::Outcome;
use crate::library::{FREQUENT, Library};
use crate::shared::dice::Dice;

/// A page of everything that is listed.
const PAGE: usize = 50;
/// Words, or tags, that begin with what was written so far, at most: as many in every library.
const BEGINNING_SHARED: usize = 8;

/// Kinds of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Word,
    Prefix,
    Tag,
    TagAndWord,
    RareAndFrequent,
    RareTagAndFacts,
    WithoutTag,
    OfOthers,
    Relevance,
    Autocomplete,
    AlbumPage,
    SetStatus,
    FrequentWord,
    FrequentWords,
    BroadPrefix,
    OnlyExclusions,
    NothingInCommon,
}

impl Kind {
    pub const ALL: [Self; 17] = [
        Self::Word,
        Self::Prefix,
        Self::Tag,
        Self::TagAndWord,
        Self::RareAndFrequent,
        Self::RareTagAndFacts,
        Self::WithoutTag,
        Self::OfOthers,
        Self::Relevance,
        Self::Autocomplete,
        Self::AlbumPage,
        Self::SetStatus,
        Self::FrequentWord,
        Self::FrequentWords,
        Self::BroadPrefix,
        Self::OnlyExclusions,
        Self::NothingInCommon,
    ];

    /// Whether something in it is true of few images, or it is a list of its own.
    pub fn is_selective(self) -> bool {
        !matches!(
            self,
            Self::FrequentWord
                | Self::FrequentWords
                | Self::BroadPrefix
                | Self::OnlyExclusions
                | Self::NothingInCommon
        )
    }

    /// Whether something must be found.
    fn finds(self) -> bool {
        !matches!(self, Self::NothingInCommon | Self::WithoutTag | Self::OfOthers)
    }

    /// Makes a request up, and how to send it.
    pub fn request(self, library: &Library, dice: &mut Dice) -> Outcome<Request> {
        let dataset = library.dataset;
        let number = dataset.own_image(dice);
        let [rare, other] = dataset.words(number);
        let [tag, often] = dataset.tags_of(number);
        let search = |text: String| Ok(Request::Search(text.parse()?, SearchOrder::Newest));
        let album = || -> Outcome<AlbumId> {
            let at = usize::try_from(number / 2)?.checked_rem(library.albums.len());
            let album = at.and_then(|at| library.albums.get(at)).copied();
            Ok(album.ok_or("there is no album")?)
        };
        match self {
            Self::Word => search(format!("\"{rare}\"")),
            Self::Prefix => search(library.words.beginning(&rare, BEGINNING_SHARED).to_owned()),
            Self::Tag => search(format!("tag:\"{tag}\"")),
            Self::TagAndWord => search(format!("tag:\"{tag}\" \"{rare}\"")),
            Self::RareAndFrequent => search(format!("\"{rare}\" \"{other}\"")),
            Self::RareTagAndFacts => search(format!("tag:\"{tag}\" taken:2022.. owner:me")),
            Self::WithoutTag => search(format!("\"{rare}\" -tag:\"{often}\" type:jpeg")),
            Self::OfOthers => search(format!("\"{rare}\" -owner:me")),
            Self::Relevance => {
                Ok(Request::Search(format!("\"{rare}\"").parse()?, SearchOrder::Relevance))
            }
            Self::Autocomplete => {
                Ok(Request::Suggest(library.tags.beginning(&tag, BEGINNING_SHARED).to_owned()))
            }
            Self::AlbumPage => Ok(Request::Album(album()?)),
            Self::SetStatus => Ok(Request::Status(album()?)),
            Self::FrequentWord => search(format!("\"{FREQUENT}\"")),
            Self::FrequentWords => search(format!("\"{FREQUENT}\" \"jpg\" type:jpeg")),
            Self::BroadPrefix => search(rare.chars().take(1).collect()),
            Self::OnlyExclusions => search(format!("-{FREQUENT} -type:png")),
            // Frequent each, and never together.
            Self::NothingInCommon => search(format!("\"{FREQUENT}\" type:jpeg is:animated")),
        }
    }
}

/// Something to ask for.
pub enum Request {
    Search(SearchQuery, SearchOrder),
    Suggest(String),
    Album(AlbumId),
    Status(AlbumId),
}

impl Request {
    /// Sends it, and says how much was found.
    pub async fn send(&self, library: &Library) -> Outcome<usize> {
        let Library { service, caller, .. } = library;
        let page = PageRequest::first(PAGE);
        Ok(match self {
            Self::Search(query, order) => {
                service.search_images(caller, query, *order, &page).await?.entries.len()
            }
            Self::Suggest(text) => service.suggest_searches(caller, text).await?.len(),
            Self::Album(album) => {
                let order = Order::Newest;
                service.list_album_images(caller, *album, None, order, &page).await?.entries.len()
            }
            Self::Status(album) => {
                service.list_tag_status(caller, *album, &page).await?.entries.len()
            }
        })
    }
}

impl Kind {
    /// Complains if what must be found was not.
    pub fn check(self, found: usize) -> Outcome {
        match found {
            0 if self.finds() => Err(format!("nothing was found: {self}").into()),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Word => "a rare word",
            Self::Prefix => "the beginning of a rare word",
            Self::Tag => "a tag",
            Self::TagAndWord => "a tag and a word",
            Self::RareAndFrequent => "a rare and a frequent word",
            Self::RareTagAndFacts => "a tag, a time and an owner",
            Self::WithoutTag => "a rare word, a type, and not a tag",
            Self::OfOthers => "a rare word, of others",
            Self::Relevance => "a rare word, best first",
            Self::Autocomplete => "autocomplete",
            Self::AlbumPage => "a page of an album",
            Self::SetStatus => "status of a set",
            Self::FrequentWord => "a word of three in ten images",
            Self::FrequentWords => "frequent words and a type",
            Self::BroadPrefix => "one letter",
            Self::OnlyExclusions => "only exclusions",
            Self::NothingInCommon => "frequent, but never together",
        })
    }
}
