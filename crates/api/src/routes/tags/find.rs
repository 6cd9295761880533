//! Tags by their beginnings, and images by tags.

use axum::Json;
use axum::extract::State;
use model::Tag;
use serde::{Deserialize, Serialize};
use service::{CountedTag, WantedTag};
use utoipa::{IntoParams, ToSchema};

use super::ByParam;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::extract::Query;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};
use crate::routes::images::ImageInfo;
use crate::{ApiError, ErrorCode};

error_answers!(ListErrors: BadCursor);
error_answers!(FindErrors: BadCursor, TagTooLong, InvalidValue);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct TagParams {
    /// Whose tags; one's own, unless given.
    #[serde(default)]
    #[param(inline)]
    by: ByParam,
    /// What they begin with.
    #[serde(default)]
    prefix: String,
}

/// A tag and how many images have it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CountedTag)]
pub(super) struct TagInfo {
    /// The tag.
    #[schema(value_type = String)]
    tag: Tag,
    /// How many images have it, counted up to 50.
    count: usize,
    /// Whether more than the counted ones have it.
    more: bool,
}

/// Tags
///
/// In the order of the alphabet, for lists and for completing what somebody types. Of everyone's
/// tags, those on images that are one's own or shared with everybody. A page may be short although
/// more follows.
#[utoipa::path(
    get,
    path = "/api/v1/tags",
    tag = tag::TAGS,
    params(PageParams, TagParams),
    responses((status = 200, description = "A page of tags.", body = Page<TagInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_tags(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
    Query(TagParams { by, prefix }): Query<TagParams>,
) -> Result<Json<Page<TagInfo>>, ApiError> {
    let list = format!("tags?by={}&prefix={prefix}", by.name());
    let request = page.request(&app, &caller, &list)?;
    let listed = app.service.list_tags(&caller, by.into(), &prefix, &request).await?;
    let shape = |CountedTag { tag, count, more }| TagInfo { tag, count, more };
    Ok(Json(Page::of(&app, &caller, &list, listed, shape)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct TaggedParams {
    /// Whose tags; one's own, unless given.
    #[serde(default)]
    #[param(inline)]
    by: ByParam,
    /// The tag they have; or give a `prefix`.
    tag: Option<String>,
    /// What a tag of theirs, or an inner word of it, begins with; or give a `tag`.
    prefix: Option<String>,
}

/// Images by tag
///
/// With a `tag`, newest first; with a `prefix`, tag by tag from the last one of the alphabet to
/// the first. "red sports car" is also found by "sports". No image comes twice. A page may be
/// short although more follows.
#[utoipa::path(
    get,
    path = "/api/v1/tags/images",
    tag = tag::TAGS,
    params(PageParams, TaggedParams),
    responses((status = 200, description = "A page of images.", body = Page<ImageInfo>), FindErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_tagged_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
    Query(TaggedParams { by, tag, prefix }): Query<TaggedParams>,
) -> Result<Json<Page<ImageInfo>>, ApiError> {
    let wanted = match (tag, prefix) {
        (Some(tag), None) => WantedTag::Exactly(field("tag", &tag)?),
        (None, Some(prefix)) => WantedTag::Beginning(prefix),
        _ => return Err(ApiError::new(ErrorCode::BadQuery, "give either a tag or a prefix")),
    };
    let list = match &wanted {
        WantedTag::Exactly(tag) => format!("tags/images?by={}&tag={tag}", by.name()),
        WantedTag::Beginning(text) => format!("tags/images?by={}&prefix={text}", by.name()),
    };
    let request = page.request(&app, &caller, &list)?;
    let listed = app.service.list_tagged_images(&caller, by.into(), &wanted, &request).await?;
    Ok(Json(Page::of(&app, &caller, &list, listed, |image| {
        let is_owner = image.owner == caller.user;
        ImageInfo::of(&app, image, is_owner)
    })))
}
