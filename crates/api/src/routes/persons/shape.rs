//! Persons and faces as clients see them.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use model::{
    Cover, FaceId, ImageId, Name, PeopleEdit, PeopleEditId, PeopleEditKind, Person, PersonId,
    Timestamp, UserId,
};
use serde::Serialize;
use service::{ChangedPersons, SeenFace, SeenPerson};
use utoipa::ToSchema;

use crate::app::App;
use crate::etag::ETag;

/// A person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Person)]
pub(super) struct PersonInfo {
    /// Their id, such as `person17`.
    #[schema(value_type = String)]
    id: PersonId,
    /// The id of the user in whose library they are.
    #[schema(value_type = String)]
    owner: UserId,
    /// Whether that is the caller.
    is_owner: bool,
    /// What they are called.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    name: Option<Name>,
    /// In how many images they are: for the owner of the library with those in the trash, for others
    /// of those that they may see.
    count: usize,
    /// Whether there may be more that were not counted.
    more: bool,
    /// Whether they are left out of lists.
    hidden: bool,
    /// The face that stands for them, in an image that the caller may see.
    #[serde(skip_serializing_if = "Option::is_none")]
    cover: Option<CoverInfo>,
    /// The id of the account they have, as the owner of the library says; for the owner alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    user: Option<UserId>,
    /// When they were first seen.
    #[schema(value_type = String)]
    created_at: Timestamp,
    /// When anything about them last changed.
    #[schema(value_type = String)]
    updated_at: Timestamp,
    /// Counts the changes of what is said of them; send it back with an edit.
    version: i64,
}

/// The face that stands for a person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PersonCover)]
struct CoverInfo {
    /// The id of the face.
    #[schema(value_type = String)]
    face: FaceId,
    /// The id of the image it is in.
    #[schema(value_type = String)]
    image: ImageId,
    /// Whether the owner chose it.
    chosen: bool,
    /// The face, cut out; signed, and good for an hour at least.
    url: String,
}

/// A face in an image.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Face)]
pub(super) struct FaceInfo {
    /// Its id, a ULID.
    #[schema(value_type = String)]
    id: FaceId,
    /// The id of the image it is in.
    #[schema(value_type = String)]
    image: ImageId,
    /// Where it is.
    #[serde(rename = "box")]
    bounds: BoxInfo,
    /// How sure it is that this is a face, from 0 to 1.
    confidence: f64,
    /// Whether it is large, sharp and frontal enough to tell what somebody looks like; for the owner
    /// alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    shapes: Option<bool>,
    /// Whether somebody said whose it is; for the owner alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<bool>,
    /// Whose it is, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    person: Option<FacePerson>,
    /// Whose it may be by what is written into the image, as long as it is nobody's with a name; for
    /// the owner alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<WrittenNameInfo>,
    /// The face, cut out; signed, and good for an hour at least.
    url: String,
}

/// A name that a photo program has written beside a face.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WrittenName)]
struct WrittenNameInfo {
    /// The name.
    #[schema(value_type = String)]
    name: Name,
    /// The id of the person who is called so already.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    person: Option<PersonId>,
}

/// A part of an image, in parts of its width and height, upright.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FaceBox)]
struct BoxInfo {
    /// Left edge.
    left: f64,
    /// Upper edge.
    top: f64,
    /// Width.
    width: f64,
    /// Height.
    height: f64,
}

/// Whose a face is.
#[derive(Debug, Serialize, ToSchema)]
struct FacePerson {
    /// The person's id.
    #[schema(value_type = String)]
    id: PersonId,
    /// What they are called.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    name: Option<Name>,
}

/// Something that was decided about persons.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PersonEdit)]
pub(super) struct EditInfo {
    /// Its id, a ULID: sorted by when it was decided.
    #[schema(value_type = String)]
    id: PeopleEditId,
    /// `rename`, `hide`, `cover`, `link`, `merge`, `split`, `assign`, `reject`, `different` or
    /// `delete`.
    kind: &'static str,
    /// The id of the person it is about.
    #[schema(value_type = String)]
    person: PersonId,
    /// The id of the other one: who was merged into them, was split off, had the face, or is
    /// somebody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    other: Option<PersonId>,
    /// The id of the face it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    face: Option<FaceId>,
    /// The id of the image of that face.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    image: Option<ImageId>,
    /// What was there before, such as a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    /// What took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    /// The id of the user who decided.
    #[schema(value_type = String)]
    by: UserId,
    /// When.
    #[schema(value_type = String)]
    at: Timestamp,
    /// When it was undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    undone_at: Option<Timestamp>,
    /// The id of the user who undid it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    undone_by: Option<UserId>,
}

/// What a decision has made of persons.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ChangedPersons)]
pub(super) struct ChangedInfo {
    /// The person it was about, as they are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    person: Option<PersonInfo>,
    /// What was decided, to be undone by its id.
    edits: Vec<EditInfo>,
}

/// Some persons.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FoundPersons {
    /// Those in one's own library first.
    pub(super) items: Vec<PersonInfo>,
}

impl PersonInfo {
    pub(super) fn of(app: &App, seen: SeenPerson) -> Self {
        let SeenPerson { person, count, more, is_owner } = seen;
        let Person {
            id, owner, name, cover, hidden, user, created_at, updated_at, version, ..
        } = person;
        let cover = cover.map(|cover| CoverInfo::of(app, cover));
        Self {
            id,
            owner,
            is_owner,
            name,
            count,
            more,
            hidden,
            cover,
            user,
            created_at,
            updated_at,
            version,
        }
    }
}

impl CoverInfo {
    fn of(app: &App, cover: Cover) -> Self {
        let Cover { image, face, chosen } = cover;
        Self { face, image, chosen, url: face_url(app, image, face) }
    }
}

impl FaceInfo {
    pub(super) fn of(app: &App, seen: SeenFace, is_owner: bool) -> Self {
        let SeenFace { face, person, written } = seen;
        let written =
            written.map(|service::WrittenName { name, person }| WrittenNameInfo { name, person });
        let model::FaceBox { left, top, width, height } = face.bounds;
        Self {
            id: face.id,
            image: face.image,
            bounds: BoxInfo { left, top, width, height },
            confidence: face.confidence,
            shapes: is_owner.then_some(face.quality.shapes),
            confirmed: is_owner.then_some(face.confirmed),
            person: person.map(|person| FacePerson { id: person.id, name: person.name }),
            written,
            url: face_url(app, face.image, face.id),
        }
    }
}

impl EditInfo {
    #[allow(clippy::needless_pass_by_value, reason = "pages give their entries away")]
    pub(super) fn of(edit: PeopleEdit) -> Self {
        Self {
            id: edit.id,
            kind: kind_name(edit.kind),
            person: edit.person,
            other: edit.other,
            face: edit.face,
            image: edit.image,
            before: edit.before,
            after: edit.after,
            by: edit.by,
            at: edit.at,
            undone_at: edit.undone_at,
            undone_by: edit.undone_by,
        }
    }
}

impl ChangedInfo {
    pub(super) fn of(app: &App, changed: ChangedPersons) -> Self {
        Self {
            person: changed.person.map(|person| PersonInfo::of(app, person)),
            edits: changed.edits.into_iter().map(EditInfo::of).collect(),
        }
    }
}

pub(super) fn face_url(app: &App, image: ImageId, face: FaceId) -> String {
    [app.settings.pixel_base(), &app.service.face_path(image, face)].concat()
}

/// A person with the tag of their version. In how many images they are may change while that stays
/// the same, so the answer is never spared.
pub(super) fn tagged(app: &App, seen: SeenPerson) -> Response {
    let tag = ETag::of(seen.person.id, seen.person.version).header().into_iter();
    let no_cache = (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    let headers: HeaderMap = tag.chain([no_cache]).collect();
    (headers, axum::Json(PersonInfo::of(app, seen))).into_response()
}

fn kind_name(kind: PeopleEditKind) -> &'static str {
    match kind {
        PeopleEditKind::Rename => "rename",
        PeopleEditKind::Hide => "hide",
        PeopleEditKind::Cover => "cover",
        PeopleEditKind::Link => "link",
        PeopleEditKind::Merge => "merge",
        PeopleEditKind::Split => "split",
        PeopleEditKind::Assign => "assign",
        PeopleEditKind::Reject => "reject",
        PeopleEditKind::Different => "different",
        PeopleEditKind::Delete => "delete",
    }
}
