//! Links: what their owners show to people without an account, and what those guests may see.
//!
//! A guest is a kind of caller of their own: they hold a link, and see what it shows and nothing
//! else. Nobody becomes a [`Guest`] but by [`admit_guest`](crate::Service::admit_guest), which looks
//! at the link each time, so what a link showed is gone with the link, with its end, and with the
//! image's place in what it shows. What the camera wrote is never shown; only originals have it, and
//! only those that belong to the owner of the link.

mod guest;
mod manage;
mod pictures;
mod target;
mod token;
mod unlock;

pub use guest::Guest;
pub use manage::{EditLink, NewLink, SeenLink};
pub use target::{Shown, ShownCount};
pub use unlock::Unlocked;

use crate::Error;

/// Links that were taken back, that have been forgotten and that never were look alike.
const NO_LINK: Error = Error::NotFound { what: "link" };
