//! Some images of a month: what a page shows of them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use model::{Image, Month, SizeName, Timestamp};
use serde::{Deserialize, Serialize};
use service::PixelName;
use utoipa::{IntoParams, ToSchema};

use super::{OrderParam, tag_text};
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::Query;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::routes::images::{status_name, visibility_name};

error_answers!(ChunkErrors: BadQuery, InvalidValue);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ChunkQuery {
    /// `uploaded`, unless asked otherwise.
    #[serde(default)]
    #[param(inline)]
    by: OrderParam,
    /// The month, such as `2026-05`.
    month: String,
    /// How many newer images of the month to leave out.
    #[serde(default)]
    offset: u32,
    /// How many images; 256, unless fewer are asked for.
    #[param(minimum = 1, maximum = 256)]
    count: Option<u32>,
}

/// Some images of a month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TimelineChunk {
    /// The month, such as `2026-05`.
    month: String,
    /// How many newer images of the month were left out.
    offset: u32,
    /// The state of the month in which these images stand there; absent if they come and go
    /// faster than they are read. If it is not the one that the client knows, the month has
    /// changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    /// The images, newest first.
    items: Vec<TimelineImage>,
}

/// An image in a timeline.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TimelineImage {
    /// Its id.
    id: String,
    /// Width in pixels, as seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    /// Height in pixels, as seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    /// Whether it moves.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    animated: bool,
    /// A tiny preview, as base64 of a ThumbHash.
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbhash: Option<String>,
    /// The dominant colour, as `#rrggbb`.
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    /// `processing`, `completed` or `failed`.
    status: &'static str,
    /// `private` or `shared`.
    visibility: &'static str,
    /// What kind of file it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'static str>,
    /// Whether it is one of the caller's favourites.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    favourite: bool,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The alternative text.
    #[serde(skip_serializing_if = "Option::is_none")]
    alt_text: Option<String>,
    /// The name that the file had.
    #[serde(skip_serializing_if = "Option::is_none")]
    filename: Option<String>,
    /// When its bytes had arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    uploaded_at: Option<Timestamp>,
    /// When it was taken; where the zone is not known, as if the clock had shown UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    taken_at: Option<Timestamp>,
    /// Minutes east of UTC where it was taken, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset_minutes: Option<i32>,
    /// Where its renditions are, by size name; signed, and good for an hour at least.
    #[schema(value_type = BTreeMap<String, String>)]
    urls: BTreeMap<SizeName, String>,
    /// Counts the changes; send it back with an edit.
    version: i64,
}

/// Some images of a month of my timeline
///
/// The little that a page of many needs; `GET /api/v1/images/{id}` has all. New images at the top
/// never move what stands in other months.
#[utoipa::path(
    get,
    path = "/api/v1/timeline/chunk",
    tag = tag::IMAGES,
    params(ChunkQuery),
    responses((status = 200, description = "The images.", body = TimelineChunk), ChunkErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_timeline_chunk(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(query): Query<ChunkQuery>,
) -> Result<Json<TimelineChunk>, ApiError> {
    let month: Month = query.month.parse().map_err(|bad| service::Error::invalid("month", bad))?;
    let offset = usize::try_from(query.offset).unwrap_or(usize::MAX);
    let count = usize::try_from(query.count.unwrap_or(256)).unwrap_or(usize::MAX);
    let order = query.by.into();
    let chunk = app.service.load_timeline_chunk(&caller, order, month, offset, count).await?;
    let favourites = chunk.favourites;
    let item = |image: Image| {
        let favourite = favourites.contains(&image.id);
        TimelineImage::of(&app, image, favourite)
    };
    Ok(Json(TimelineChunk {
        month: month.to_string(),
        offset: query.offset,
        tag: chunk.tag.map(tag_text),
        items: chunk.images.into_iter().map(item).collect(),
    }))
}

impl TimelineImage {
    fn of(app: &App, image: Image, favourite: bool) -> Self {
        let base = app.settings.pixel_base();
        let url = |size: &SizeName| {
            let path = app.service.pixel_path(image.id, &PixelName::size(size.clone()));
            (size.clone(), [base, &path].concat())
        };
        let taken = image.taken();
        let facts = image.facts;
        Self {
            id: image.id.to_string(),
            width: facts.as_ref().map(|facts| facts.width),
            height: facts.as_ref().map(|facts| facts.height),
            animated: facts.as_ref().is_some_and(|facts| facts.animated),
            color: facts.as_ref().and_then(|facts| facts.color.clone()),
            thumbhash: facts.and_then(|facts| facts.thumbhash),
            status: status_name(image.status),
            visibility: visibility_name(image.visibility),
            mime_type: image.media_type.map(model::MediaType::name),
            favourite,
            title: image.title.map(|text| text.to_string()),
            alt_text: image.alt_text.map(|text| text.to_string()),
            filename: image.filename.map(|text| text.to_string()),
            uploaded_at: image.uploaded_at,
            taken_at: taken.map(|taken| taken.at.at),
            offset_minutes: taken.and_then(|taken| taken.at.offset_minutes),
            urls: image.renditions.keys().map(url).collect(),
            version: image.version,
        }
    }
}
