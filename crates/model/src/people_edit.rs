use serde::{Deserialize, Serialize};

use crate::{FaceId, ImageId, PeopleEditId, PersonId, Timestamp, UserId};

/// Something that was decided about the persons of a library by hand: who, when, and what. It holds
/// until it is undone, whatever else becomes known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PeopleEdit {
    /// Its id: sorted by when it was decided.
    pub id: PeopleEditId,
    /// Whose library.
    pub owner: UserId,
    /// Who decided.
    pub by: UserId,
    /// When.
    pub at: Timestamp,
    /// What kind of decision it was.
    pub kind: PeopleEditKind,
    /// The person it is about.
    pub person: PersonId,
    /// The other one: whom they were merged with, parted from, or took a face from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<PersonId>,
    /// The face it is about, where that is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub face: Option<FaceId>,
    /// The image of that face.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<ImageId>,
    /// What was there before, such as a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Faces that are a person's from then on. No two persons that have such faces are ever taken
    /// for one by themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<FacePin>,
    /// Faces that are not a person's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<FacePin>,
    /// Since when it does not hold any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_at: Option<Timestamp>,
    /// Who undid it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_by: Option<UserId>,
    /// Counts the changes.
    pub version: i64,
}

/// A face and a person whose it is, or is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FacePin {
    /// The face.
    pub face: FaceId,
    /// The person.
    pub person: PersonId,
}

/// What can be decided about persons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PeopleEditKind {
    /// They are called like this.
    Rename,
    /// They are left out of lists, or not any more.
    Hide,
    /// This face stands for them.
    Cover,
    /// They have this account.
    Link,
    /// The other one is the same.
    Merge,
    /// Some of their faces are of somebody else.
    Split,
    /// A face is theirs.
    Assign,
    /// A face is not theirs.
    Reject,
    /// The other one is somebody else.
    Different,
    /// Nothing is to be known of them.
    Delete,
}

impl PeopleEdit {
    /// A decision that says no more than this.
    pub fn new(
        id: PeopleEditId,
        owner: UserId,
        by: UserId,
        kind: PeopleEditKind,
        person: PersonId,
    ) -> Self {
        Self {
            id,
            owner,
            by,
            at: id.created(),
            kind,
            person,
            other: None,
            face: None,
            image: None,
            before: None,
            after: None,
            pins: Vec::new(),
            parts: Vec::new(),
            undone_at: None,
            undone_by: None,
            version: 1,
        }
    }
}
