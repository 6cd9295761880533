//! The words of Ferrotype: ids, entities, states and limits.
//!
//! Everything here is a pure value. There is no clock, no I/O and no async: whoever
//! needs the time or randomness passes it in.

mod id;
mod timestamp;

pub use id::{AlbumId, BadId, FaceId, ImageId, PersonId, UserId};
pub use timestamp::{BadTimestamp, Timestamp};
