//! Seeing persons.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::PersonId;
use serde::Deserialize;
use service::{PersonOrder, PersonsWanted};
use utoipa::{IntoParams, ToSchema};

use super::shape::{FaceInfo, PersonInfo, face_url, tagged};
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};
use crate::routes::images::ImageInfo;

error_answers!(ListErrors: BadCursor);
error_answers!(ReadErrors: NotFound);
error_answers!(OfPersonErrors: NotFound, BadCursor);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// Only those of whose name words begin like these.
    q: Option<String>,
    /// Those who are left out of lists, instead of all others.
    #[serde(default)]
    hidden: bool,
    /// Only those with a name, or only those without.
    named: Option<bool>,
    /// In which order.
    #[serde(default)]
    #[param(inline)]
    order: OrderParam,
}

/// The order of persons.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PersonOrder)]
enum OrderParam {
    /// As they were first seen.
    #[default]
    Seen,
    /// Those in the most images first.
    Count,
}

/// The persons in my images
#[utoipa::path(
    get,
    path = "/api/v1/persons",
    tag = tag::PERSONS,
    params(PageParams, ListParams),
    responses((status = 200, description = "A page of persons.", body = Page<PersonInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_persons(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
    Query(params): Query<ListParams>,
) -> Result<Json<Page<PersonInfo>>, ApiError> {
    let ListParams { q, hidden, named, order } = params;
    let list = format!("persons?q={q:?}&hidden={hidden}&named={named:?}&order={order:?}");
    let request = page.request(&app, &caller, &list)?;
    let order = match order {
        OrderParam::Seen => PersonOrder::Seen,
        OrderParam::Count => PersonOrder::Count,
    };
    let wanted = PersonsWanted { named_like: q, hidden, named, order };
    let listed = app.service.list_persons(&caller, &wanted, &request).await?;
    Ok(Json(Page::of(&app, &caller, &list, listed, |person| PersonInfo::of(&app, person))))
}

/// A person
///
/// Of my own library; or of another one, if they have a name there, are not hidden, and are in an
/// image that I may see.
#[utoipa::path(
    get,
    path = "/api/v1/persons/{id}",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The person's id")),
    responses((status = 200, description = "The person.", body = PersonInfo), ReadErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_person(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<PersonId>,
) -> Result<Response, ApiError> {
    Ok(tagged(&app, app.service.load_person(&caller, id).await?))
}

/// The images with a person
///
/// Newest first, those that I may see. A page may be short although more follows.
#[utoipa::path(
    get,
    path = "/api/v1/persons/{id}/images",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The person's id"), PageParams),
    responses(
        (status = 200, description = "A page of images.", body = Page<ImageInfo>),
        OfPersonErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_person_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<PersonId>,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<ImageInfo>>, ApiError> {
    let list = format!("persons/{id}/images");
    let request = page.request(&app, &caller, &list)?;
    let listed = app.service.list_person_images(&caller, id, &request).await?;
    Ok(Json(Page::of(&app, &caller, &list, listed, |image| {
        let is_owner = image.owner == caller.user;
        ImageInfo::of(&app, image, is_owner)
    })))
}

/// The faces of a person
///
/// Of my own library, newest image first.
#[utoipa::path(
    get,
    path = "/api/v1/persons/{id}/faces",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The person's id"), PageParams),
    responses((status = 200, description = "A page of faces.", body = Page<FaceInfo>), OfPersonErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_person_faces(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<PersonId>,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<FaceInfo>>, ApiError> {
    let list = format!("persons/{id}/faces");
    let request = page.request(&app, &caller, &list)?;
    let listed = app.service.list_person_faces(&caller, id, &request).await?;
    Ok(Json(Page::of(&app, &caller, &list, listed, |face| FaceInfo::of(&app, face, true))))
}

/// The picture of a person
///
/// Leads to the face that stands for them, in an image that I may see.
#[utoipa::path(
    get,
    path = "/api/v1/persons/{id}/picture",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The person's id")),
    responses(
        (status = 200, description = "The picture, where the way leads.", content_type = "image/*"),
        (status = 302, description = "It is there."),
        ReadErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_person_picture(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<PersonId>,
) -> Result<Response, ApiError> {
    let seen = app.service.load_person(&caller, id).await?;
    let missing = service::Error::NotFound { what: "picture of this person" };
    let cover = seen.person.cover.ok_or(missing)?;
    let location = [(header::LOCATION, face_url(&app, cover.image, cover.face))];
    let caching = [(header::CACHE_CONTROL, "private, no-store")];
    Ok((StatusCode::FOUND, location, caching).into_response())
}
