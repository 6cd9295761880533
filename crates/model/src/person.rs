use serde::{Deserialize, Serialize};

use crate::{FaceId, ImageId, Name, PersonId, Timestamp, UserId};

/// Someone who appears in the photos of one user's library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// The person's id.
    pub id: PersonId,
    /// In whose library.
    pub owner: UserId,
    /// What they are called, once somebody said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// The face that stands for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cover: Option<FaceId>,
    /// How many faces of theirs are known, exactly.
    pub face_count: i64,
    /// Whether they are left out of lists.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// When they were first seen.
    pub created_at: Timestamp,
    /// When anything about them last changed.
    pub updated_at: Timestamp,
    /// Counts the changes of their own attributes, for optimistic locking.
    pub version: i64,
}

/// A face in an image, and whose it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tagging {
    /// The image.
    pub image: ImageId,
    /// The person.
    pub person: PersonId,
    /// The face.
    pub face: FaceId,
    /// Where it is.
    #[serde(rename = "box")]
    pub bounds: FaceBox,
    /// How sure the detector is, from 0 to 1.
    pub confidence: f64,
    /// When it was found.
    pub created_at: Timestamp,
}

/// What a model makes of a face, by which faces are compared. Vectors of different models
/// cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceVector {
    /// Which model made it.
    pub model: String,
    /// The numbers, in the model's own form.
    pub embedding: Vec<u8>,
}

/// Where a face is, as parts of the image's width and height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FaceBox {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}
