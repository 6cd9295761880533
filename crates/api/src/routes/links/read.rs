//! One link, and lists of links.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use model::{AlbumId, ImageId, LinkId};
use serde::Deserialize;
use utoipa::IntoParams;

use super::shape::{LinkInfo, tagged};
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};
use crate::{ApiError, ErrorCode};

error_answers!(ListErrors: BadQuery, BadCursor);
error_answers!(ReadErrors: NotFound);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// Only links to the image of this id.
    image: Option<String>,
    /// Only links to the album of this id.
    album: Option<String>,
}

/// My links
///
/// Newest first; all of them, or those to one image or album.
#[utoipa::path(
    get,
    path = "/api/v1/links",
    tag = tag::LINKS,
    params(PageParams, ListParams),
    responses((status = 200, description = "A page of links.", body = Page<LinkInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_links(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
    Query(only): Query<ListParams>,
) -> Result<Json<Page<LinkInfo>>, ApiError> {
    let service = &app.service;
    let (list, listed) = match (only.image, only.album) {
        (None, None) => {
            let list = "links".to_owned();
            let request = page.request(&app, &caller, &list)?;
            (list, service.list_links(&caller, &request).await?)
        }
        (Some(image), None) => {
            let image: ImageId = parse("image", &image)?;
            let list = format!("links?image={image}");
            let request = page.request(&app, &caller, &list)?;
            (list, service.list_links_to_image(&caller, image, &request).await?)
        }
        (None, Some(album)) => {
            let album: AlbumId = parse("album", &album)?;
            let list = format!("links?album={album}");
            let request = page.request(&app, &caller, &list)?;
            (list, service.list_links_to_album(&caller, album, &request).await?)
        }
        (Some(_), Some(_)) => {
            let message = "image, album: name one of them";
            return Err(ApiError::new(ErrorCode::BadQuery, message));
        }
    };
    Ok(Json(Page::of(&app, &caller, &list, listed, |seen| LinkInfo::of(&app, seen))))
}

fn parse<T: std::str::FromStr<Err = model::BadId>>(name: &str, id: &str) -> Result<T, ApiError> {
    id.parse().map_err(|bad| ApiError::new(ErrorCode::BadQuery, format!("{name}: {bad}")))
}

/// A link
#[utoipa::path(
    get,
    path = "/api/v1/links/{id}",
    tag = tag::LINKS,
    params(("id" = String, Path, description = "The link's id")),
    responses((status = 200, description = "The link.", body = LinkInfo), ReadErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_link(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<LinkId>,
) -> Result<Response, ApiError> {
    Ok(tagged(&app, app.service.load_link(&caller, id).await?))
}
