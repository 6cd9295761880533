//! What persons are called, merging, splitting and deleting them.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use model::{FaceId, PersonId};
use serde::Deserialize;
use service::EditPerson;
use utoipa::ToSchema;

use super::shape::{ChangedInfo, PersonInfo, tagged};
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::etag::{DeleteParams, Expected};
use crate::extract::{Json, Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::patch::Patch;

error_answers!(EditErrors: NotFound, Conflict, PreconditionFailed, NameTooLong, InvalidValue);
error_answers!(DeleteErrors: NotFound, Conflict, PreconditionFailed);
error_answers!(ChangeErrors: NotFound, Conflict, SamePhoto, InvalidValue);

/// What to change. What is absent stays; `null` clears.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PersonChanges {
    /// The version that is to be changed, unless `If-Match` says so.
    version: Option<i64>,
    /// What they are called.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    name: Patch<String>,
    /// Whether they are left out of lists.
    hidden: Option<bool>,
    /// The id of the face that stands for them; with `null`, the best one does.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    cover: Patch<String>,
    /// The id of the account they have.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    user: Patch<String>,
}

/// Change a person
///
/// With `If-Match` or `version`, only if nobody else has changed them since. Each part is a decision
/// of its own, that can be undone.
#[utoipa::path(
    patch,
    path = "/api/v1/persons/{id}",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The person's id")),
    request_body = PersonChanges,
    responses((status = 200, description = "The person as they are now.", body = PersonInfo), EditErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn edit_person(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<PersonId>,
    headers: HeaderMap,
    Json(changes): Json<PersonChanges>,
) -> Result<Response, ApiError> {
    let expected = Expected::of(&headers, id, changes.version)?;
    let edit = EditPerson {
        name: changes.name.try_map(|text| field("name", &text))?.into_option(),
        hidden: changes.hidden,
        cover: changes.cover.try_map(|id| parse_id("cover", &id))?.into_option(),
        user: changes.user.try_map(|id| parse_id("user", &id))?.into_option(),
    };
    let edited = app.service.edit_person(&caller, id, expected.version(), edit).await;
    Ok(tagged(&app, edited.map_err(|error| expected.error(error))?))
}

/// Delete a person
///
/// Everything goes by which they could be recognised, and their faces stay nobody's. It can be
/// undone: their images are looked at again then.
#[utoipa::path(
    delete,
    path = "/api/v1/persons/{id}",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The person's id"), DeleteParams),
    responses((status = 204, description = "They are gone."), DeleteErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn delete_person(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<PersonId>,
    Query(DeleteParams { version }): Query<DeleteParams>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let expected = Expected::of(&headers, id, version)?;
    let deleted = app.service.delete_person(&caller, id, expected.version()).await;
    deleted.map_err(|error| expected.error(error))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Who else they are.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct MergePersons {
    /// Ids of other persons, 20 at most, who are this one.
    with: Vec<String>,
}

/// Say that other persons are this one
///
/// All their faces become this person's, also those that are found later. It can be undone at any
/// time, one by one.
#[utoipa::path(
    post,
    path = "/api/v1/persons/{id}/merge",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The person's id")),
    request_body = MergePersons,
    responses((status = 200, description = "The person as they are now.", body = ChangedInfo), ChangeErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn merge_persons(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<PersonId>,
    Json(asked): Json<MergePersons>,
) -> Result<axum::Json<ChangedInfo>, ApiError> {
    let others: Vec<PersonId> = parse_ids("with", &asked.with)?;
    let changed = app.service.merge_persons(&caller, id, &others).await?;
    Ok(axum::Json(ChangedInfo::of(&app, changed)))
}

/// Who is somebody else.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SplitPerson {
    /// Ids of faces of the person, 100 at most, that are another person's.
    faces: Vec<String>,
}

/// Say that some faces of a person are another one's
///
/// That one is new, and has no name yet.
#[utoipa::path(
    post,
    path = "/api/v1/persons/{id}/split",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The person's id")),
    request_body = SplitPerson,
    responses((status = 201, description = "The new person.", body = ChangedInfo), ChangeErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn split_person(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<PersonId>,
    Json(asked): Json<SplitPerson>,
) -> Result<(StatusCode, axum::Json<ChangedInfo>), ApiError> {
    let faces: Vec<FaceId> = parse_ids("faces", &asked.faces)?;
    let changed = app.service.split_person(&caller, id, &faces).await?;
    Ok((StatusCode::CREATED, axum::Json(ChangedInfo::of(&app, changed))))
}

pub(super) fn parse_id<T: std::str::FromStr<Err = model::BadId>>(
    name: &'static str,
    id: &str,
) -> Result<T, ApiError> {
    Ok(id.parse().map_err(|bad| service::Error::invalid(name, bad))?)
}

fn parse_ids<T: std::str::FromStr<Err = model::BadId>>(
    name: &'static str,
    ids: &[String],
) -> Result<Vec<T>, ApiError> {
    ids.iter().map(|id| parse_id(name, id)).collect()
}
