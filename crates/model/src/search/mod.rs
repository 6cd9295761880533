//! What somebody searches for.
//!
//! A search is a list of tests that an image must pass, and of tests that it must not. People write
//! it as one line of text (`docs/search.md`), which [`SearchQuery`] is parsed from and written as.
//! Who may see what is no part of it.

mod draft;
mod parse;
mod rating;
mod show;
mod taken;

pub use draft::SearchDraft;
pub use parse::BadSearch;
pub use rating::RatingRange;
pub use taken::TakenRange;

use crate::{AlbumId, Email, MediaType, PersonId, Tag, Term, UserId};

/// Tests that an image must pass to be found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchQuery {
    /// Those it must pass, all of them.
    pub wanted: Vec<SearchTest>,
    /// Those it must not pass, any of them.
    pub unwanted: Vec<SearchTest>,
}

/// One thing that may be true of an image, for somebody who looks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SearchTest {
    /// All of these words are words of its title, description, alternative text, filename, tags, of
    /// what was written into the file, of the titles of its albums or the names of persons in it.
    Words(Vec<Term>),
    /// Such a word begins with this.
    Beginning(Term),
    /// It has this tag.
    Tag(Tag),
    /// This person is in it.
    Person(PersonName),
    /// It is in this album.
    Album(AlbumName),
    /// It belongs to this user.
    Owner(OwnerName),
    /// It is a file of this kind.
    Type(MediaType),
    /// All of these words are words of what the camera is called.
    Camera(Vec<Term>),
    /// It was taken in this time.
    Taken(TakenRange),
    /// All of these words are words of the names of who made it.
    Artist(Vec<Term>),
    /// All of these words are words of the names of the place it shows.
    Place(Vec<Term>),
    /// It is of who searches, who has rated it so.
    Rating(RatingRange),
    /// It is in this state.
    Is(ImageState),
}

/// Which person.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PersonName {
    /// Who searches, as the person of their own library that they are.
    Me,
    /// The one of this id.
    Id(PersonId),
    /// Everybody whose name has all of these words.
    Words(Vec<Term>),
}

/// Which album.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AlbumName {
    /// The one of this id.
    Id(AlbumId),
    /// Every one whose title has all of these words.
    Words(Vec<Term>),
}

/// Whose image.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OwnerName {
    /// That of who searches.
    Me,
    /// The user of this id.
    Id(UserId),
    /// The user with this address.
    Email(Email),
}

/// What an image can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageState {
    /// A favourite of who searches.
    Favourite,
    /// Shared with everybody.
    Shared,
    /// Not shared with everybody.
    Private,
    /// Moving.
    Animated,
    /// Kept, but not to be shown.
    Failed,
}

/// A key of the language: what stands before a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKey {
    /// `tag:`
    Tag,
    /// `person:`
    Person,
    /// `album:`
    Album,
    /// `owner:`
    Owner,
    /// `type:`
    Type,
    /// `camera:`
    Camera,
    /// `taken:`
    Taken,
    /// `artist:`
    Artist,
    /// `place:`
    Place,
    /// `rating:`
    Rating,
    /// `is:`
    Is,
}

impl SearchKey {
    /// All keys, in the order of the alphabet.
    pub const ALL: [Self; 11] = [
        Self::Album,
        Self::Artist,
        Self::Camera,
        Self::Is,
        Self::Owner,
        Self::Person,
        Self::Place,
        Self::Rating,
        Self::Tag,
        Self::Taken,
        Self::Type,
    ];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Person => "person",
            Self::Album => "album",
            Self::Owner => "owner",
            Self::Type => "type",
            Self::Camera => "camera",
            Self::Taken => "taken",
            Self::Artist => "artist",
            Self::Place => "place",
            Self::Rating => "rating",
            Self::Is => "is",
        }
    }

    fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| text.eq_ignore_ascii_case(key.name()))
    }
}

impl ImageState {
    /// All states.
    pub const ALL: [Self; 5] =
        [Self::Animated, Self::Failed, Self::Favourite, Self::Private, Self::Shared];

    /// As it is written behind `is:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Favourite => "favourite",
            Self::Shared => "shared",
            Self::Private => "private",
            Self::Animated => "animated",
            Self::Failed => "failed",
        }
    }
}

/// Kinds of files as they are written behind `type:`, beside their names in HTTP.
pub const SEARCH_TYPES: [(&str, MediaType); 16] = [
    ("avif", MediaType::Avif),
    ("bmp", MediaType::Bmp),
    ("exr", MediaType::Exr),
    ("gif", MediaType::Gif),
    ("heic", MediaType::Heic),
    ("ico", MediaType::Ico),
    ("jp2", MediaType::Jp2),
    ("jpeg", MediaType::Jpeg),
    ("jxl", MediaType::Jxl),
    ("jxr", MediaType::Jxr),
    ("png", MediaType::Png),
    ("psd", MediaType::Psd),
    ("raw", MediaType::Raw),
    ("tga", MediaType::Tga),
    ("tiff", MediaType::Tiff),
    ("webp", MediaType::Webp),
];

/// A text as a value that is read as it stands, whatever is in it.
pub fn quoted_search_value(text: &str) -> String {
    show::quoted(text)
}

impl SearchQuery {
    /// The same for images of who searches alone.
    #[must_use]
    pub fn only_own(mut self) -> Self {
        let mine = SearchTest::Owner(OwnerName::Me);
        if !self.wanted.contains(&mine) {
            self.wanted.push(mine);
        }
        self
    }
}
