//! Who I am in the photos.

use axum::Json;
use axum::extract::State;

use super::shape::{FoundPersons, PersonInfo};
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::Query;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};
use crate::routes::images::ImageInfo;

error_answers!(ListErrors: BadCursor);

const LIST: &str = "me/photos-with-me";

/// Who I am
///
/// In my own library, and in those of others who said so, as far as I may see images with me.
#[utoipa::path(
    get,
    path = "/api/v1/me/persons",
    tag = tag::PERSONS,
    responses((status = 200, description = "All of them.", body = FoundPersons)),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_my_persons(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<FoundPersons>, ApiError> {
    let persons = app.service.list_my_persons(&caller).await?;
    let items = persons.into_iter().map(|person| PersonInfo::of(&app, person)).collect();
    Ok(Json(FoundPersons { items }))
}

/// Photos with me
///
/// Those that I may see: of my own library first, then of others, newest first in each. A page may
/// be short although more follows.
#[utoipa::path(
    get,
    path = "/api/v1/me/photos-with-me",
    tag = tag::PERSONS,
    params(PageParams),
    responses((status = 200, description = "A page of images.", body = Page<ImageInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_photos_with_me(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<ImageInfo>>, ApiError> {
    let request = page.request(&app, &caller, LIST)?;
    let listed = app.service.list_photos_with_me(&caller, &request).await?;
    Ok(Json(Page::of(&app, &caller, LIST, listed, |image| {
        let is_owner = image.owner == caller.user;
        ImageInfo::of(&app, image, is_owner)
    })))
}
