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
    pub cover: Option<Cover>,
    /// How many faces of theirs are known, exactly. As no photo has two of them, this is also
    /// how many images they are in.
    pub face_count: i64,
    /// Whether they are left out of lists.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// The account this person has, once the owner of the library said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// The person they turned out to be. They have no faces of their own then, and are only kept
    /// so that this can be undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<PersonId>,
    /// Since when they are being removed, with everything that is known of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleting_since: Option<Timestamp>,
    /// When they were first seen.
    pub created_at: Timestamp,
    /// When anything about them last changed.
    pub updated_at: Timestamp,
    /// Counts the changes of their own attributes, for optimistic locking.
    pub version: i64,
}

impl Person {
    /// Somebody unknown, without a face yet.
    pub fn new(id: PersonId, owner: UserId, now: Timestamp) -> Self {
        Self {
            id,
            owner,
            name: None,
            cover: None,
            face_count: 0,
            hidden: false,
            user: None,
            merged_into: None,
            deleting_since: None,
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }

    /// Whether they are somebody now: neither somebody else, nor about to be removed.
    pub fn is_somebody(&self) -> bool {
        self.merged_into.is_none() && self.deleting_since.is_none()
    }

    /// Whether others than the owner may know of them at all.
    pub fn is_told(&self) -> bool {
        self.name.is_some() && !self.hidden && self.is_somebody()
    }
}

/// The face that stands for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cover {
    /// The image it is in.
    pub image: ImageId,
    /// The face.
    pub face: FaceId,
    /// Whether somebody chose it; otherwise a better one may take its place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
}

/// A face in an image, and whose it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Face {
    /// The face. It keeps its id when the image is looked at again.
    pub id: FaceId,
    /// The image.
    pub image: ImageId,
    /// Whose image it is.
    pub owner: UserId,
    /// When the image was uploaded, by which the images of a person are ordered.
    pub uploaded_at: Timestamp,
    /// Where it is.
    #[serde(rename = "box")]
    pub bounds: FaceBox,
    /// Both eyes, the tip of the nose and both corners of the mouth, as parts of the image's width
    /// and height: x and y of each.
    pub landmarks: Vec<f64>,
    /// How sure the detector is, from 0 to 1.
    pub confidence: f64,
    /// How good a picture of them it is.
    pub quality: FaceQuality,
    /// Which models found it.
    pub model: String,
    /// What they made of it. None of a face that nobody is to be recognised by.
    #[serde(skip)]
    pub vector: Option<FaceVector>,
    /// The person, once that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonId>,
    /// Whether somebody said so, so that it stays theirs although no model finds it any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirmed: bool,
    /// The person it was of, who was deleted. It is nobody's from then on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_person: Option<PersonId>,
    /// When it was found.
    pub created_at: Timestamp,
    /// Counts the changes.
    pub version: i64,
}

/// How good a picture of somebody a face is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FaceQuality {
    /// All in all, from 0 to 1.
    pub score: f64,
    /// Whether it is large, sharp and frontal enough to tell what a person looks like. One that is
    /// not can only be added to a person whom others have shown.
    pub shapes: bool,
}

/// What a model makes of a face, by which faces are compared. Vectors of different models
/// cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceVector(pub Vec<u8>);

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

impl FaceBox {
    /// How much two boxes have in common, as a part of what they cover together.
    pub fn overlap(&self, other: &Self) -> f64 {
        let side = |from: f64, length: f64, other_from: f64, other_length: f64| {
            let end = (from + length).min(other_from + other_length);
            (end - from.max(other_from)).max(0.0)
        };
        let common = side(self.left, self.width, other.left, other.width)
            * side(self.top, self.height, other.top, other.height);
        let all = self.area() + other.area() - common;
        if all > 0.0 { common / all } else { 0.0 }
    }

    /// The part of the image it covers.
    pub fn area(&self) -> f64 {
        self.width * self.height
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_overlap_by_what_they_have_in_common() {
        let at = |left: f64| FaceBox { left, top: 0.2, width: 0.2, height: 0.1 };
        assert!((at(0.1).overlap(&at(0.1)) - 1.0).abs() < 1e-9);
        assert!((at(0.1).overlap(&at(0.2)) - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(at(0.1).overlap(&at(0.5)), 0.0);
        let nothing = FaceBox { left: 0.0, top: 0.0, width: 0.0, height: 0.0 };
        assert_eq!(nothing.overlap(&nothing), 0.0);
    }
}
