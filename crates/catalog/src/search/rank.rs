//! The order of relevance.

use super::position::Position;
use crate::{Cursor, Error, Result};

/// Where an image stands in the order of relevance; better ones are greater.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) score: u32,
    pub(super) position: Position,
}

impl Rank {
    pub(super) fn to_cursor(&self) -> Cursor {
        Cursor::from_text(format!("{}@{}", self.score, self.position.as_str()))
    }

    pub(super) fn from_cursor(cursor: &Cursor) -> Result<Self> {
        let (score, position) = cursor.as_str().split_once('@').ok_or(Error::BadCursor)?;
        let score = score.parse().map_err(|_| Error::BadCursor)?;
        let position = Position::at_start_of(position).ok_or(Error::BadCursor)?;
        Ok(Self { score, position })
    }
}
