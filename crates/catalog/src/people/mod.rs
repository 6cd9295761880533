//! Faces, whose they are, and what was decided about that.
//!
//! A face is one row in its image's partition: where it is, what a model made of it, and whose it
//! is. Two indexes show it, with the person and with the library. Whatever changes who is who counts
//! in the library's own row and leaves work to group the library again, in the same transaction.

mod change;
mod edits;
mod library;
mod likeness;
mod list;
mod record;

use model::{Face, FaceVector};
use table::{Item, Value};

pub use change::FaceChange;
pub use edits::Decided;
pub use library::LibraryState;
pub use likeness::Likeness;
pub use record::{FoundFace, LookedAt, NewFaces, Recorded, RecordedFaces};

use crate::schema::{CONTAINER_PK, CONTAINER_SK, OWNER_PK, OWNER_SK};
use crate::{Result, keys, row};

/// The attribute that says whose a face is.
pub(crate) const PERSON: &str = "person";
const VECTOR: &str = "vector";

/// The whole row of a face: what it is, and where the indexes show it.
fn face_row(face: &Face) -> Result<Item> {
    let key = keys::face(face.image, face.id);
    let mut item = Item::of(key.clone(), row::attributes_of(&key, face)?)
        .with(OWNER_PK, keys::user_partition(face.owner))
        .with(OWNER_SK, keys::owned_face(face.image, face.id));
    if let Some(FaceVector(bytes)) = &face.vector {
        item = item.with(VECTOR, bytes.clone());
    }
    let place = format!("{}#{}", keys::uploaded(face.uploaded_at, face.image), face.id);
    Ok(match (face.person, face.deleted_person) {
        (Some(person), _) => {
            item.with(CONTAINER_PK, keys::person_container(person)).with(CONTAINER_SK, place)
        }
        (None, Some(person)) => item
            .with(CONTAINER_PK, keys::person_container(person))
            .with(CONTAINER_SK, format!("{}{place}", keys::DELETED_FACES)),
        (None, None) => item,
    })
}

/// The face of such a row.
pub(crate) fn face_of(item: &Item) -> Result<Face> {
    let mut face: Face = row::entity_of(item)?;
    let vector = item.get(VECTOR).and_then(Value::as_bytes);
    face.vector = vector.map(|bytes| FaceVector(bytes.to_vec()));
    Ok(face)
}
