use std::fmt;

use model::ImageId;

use crate::{Error, Result};

/// Where an image stands among all others: its upload and its id, as they stand in keys. Later
/// ones are greater.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position(String);

/// Characters of a time in a key.
const TIME_CHARS: usize = 24;
/// Characters of a position.
const CHARS: usize = TIME_CHARS + 1 + 26;
/// Sorts behind everything that follows a position in a key.
const BEHIND_ALL: &str = "~";

impl Position {
    /// The position that a text begins with.
    pub(crate) fn at_start_of(text: &str) -> Option<Self> {
        let (time, rest) = text.get(..CHARS)?.split_at_checked(TIME_CHARS)?;
        rest.starts_with('#').then(|| Self([time, rest].concat()))
    }

    pub(crate) fn image(&self) -> Result<ImageId> {
        let id = self.0.get(TIME_CHARS + 1..).unwrap_or_default();
        id.parse().map_err(|_| Error::BadCursor)
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// A text that sorts behind all keys of smaller positions, and before all of this one: many
    /// entries may have the same position, so it would not do to skip one.
    fn just_below(&self) -> String {
        let mut text = self.0.clone();
        let last = text.pop().map_or(0, u32::from);
        text.extend(char::from_u32(last.saturating_sub(1)));
        text + BEHIND_ALL
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// From where on to read, going back in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// Everything.
    Newest,
    /// This one and what is older.
    At(Position),
    /// What is older than this one.
    Behind(Position),
}

impl From {
    pub(super) fn covers(&self, position: &Position) -> bool {
        match self {
            Self::Newest => true,
            Self::At(newest) => position <= newest,
            Self::Behind(newer) => position < newer,
        }
    }

    /// The greatest text that a key may have behind its prefix.
    pub(super) fn bound(&self) -> Option<String> {
        match self {
            Self::Newest => None,
            Self::At(newest) => Some(format!("{}{BEHIND_ALL}", newest.0)),
            Self::Behind(newer) => Some(newer.just_below()),
        }
    }

    /// As the text of a cursor.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Newest => String::new(),
            Self::At(newest) => format!("{}{BEHIND_ALL}", newest.0),
            Self::Behind(newer) => newer.0.clone(),
        }
    }

    pub(super) fn from_text(text: &str) -> Result<Self> {
        let position = Position::at_start_of(text).ok_or(Error::BadCursor)?;
        match text.get(CHARS..) {
            Some("") => Ok(Self::Behind(position)),
            Some(BEHIND_ALL) => Ok(Self::At(position)),
            _ => Err(Error::BadCursor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "2026-05-01T09:24:22.159Z#01ARZ3NDEKTSV4RRFFQ69G5FAV";

    #[test]
    fn a_position_is_read_from_the_beginning_of_a_key() {
        let position = Position::at_start_of(&format!("{TEXT}#face")).unwrap();
        assert_eq!(position.as_str(), TEXT);
        assert_eq!(position.image().unwrap().to_string(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
        for bad in ["", "é", &"é".repeat(40), &TEXT[1..], &TEXT[..50]] {
            assert_eq!(Position::at_start_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_was_written_is_read_again() {
        let position = Position::at_start_of(TEXT).unwrap();
        for from in [From::At(position.clone()), From::Behind(position.clone())] {
            assert_eq!(From::from_text(&from.text()).unwrap(), from);
        }
        assert!(From::At(position.clone()).covers(&position));
        assert!(!From::Behind(position.clone()).covers(&position));
        let smaller = TEXT.replace("FAV", "FAU");
        let below = From::Behind(position).bound().unwrap();
        assert!(format!("{smaller}#face") < below && below.as_str() < TEXT);
        for bad in ["", "x", &format!("{TEXT}~~"), &TEXT[1..]] {
            assert!(From::from_text(bad).is_err());
        }
    }
}
