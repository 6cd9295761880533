//! People: who is in the photos.
//!
//! It goes in two stages. [`look`] finds the faces of one image, any number of images at a time;
//! [`group`] says who is who in one library, one worker at a time. What somebody decides is a row
//! that both obey, so that it holds whatever is found later, and can be undone.
//!
//! A library's persons are the affair of its owner. Others learn of somebody only by photos that
//! they may see, and only what the owner has called them.

mod change;
mod decide;
mod edit;
mod engine;
mod forget;
mod group;
mod look;
mod myself;
mod portrait;
mod rebuild;
mod suggest;
mod undo;
mod view;
mod written;

pub(crate) use group::KeptLibraries;

pub use decide::{ChangedPersons, FaceName};
pub use edit::EditPerson;
pub use engine::{FindFaces, People};
pub use rebuild::FacesProgress;
pub use suggest::Suggested;
pub use view::{PersonOrder, PersonsWanted, SeenFace, SeenPerson, WrittenName};
pub use written::SuggestedName;

use model::{Person, PersonId};

use crate::{Caller, Error, Result, Service};

const NO_PERSON: Error = Error::NotFound { what: "person" };
const NO_FACE: Error = Error::NotFound { what: "face" };

impl Service {
    /// A person of the caller's own library.
    async fn own_person(&self, caller: &Caller, person: PersonId) -> Result<Person> {
        let found = self.catalog().find_person(person).await?;
        let own = found.filter(|found| found.owner == caller.user && found.is_somebody());
        own.ok_or(NO_PERSON)
    }
}
