//! All images of the caller in the order of time: what a page needs to know before it has seen
//! any of them, and then some at a time.

mod chunk;
mod skeleton;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::{Month, TimelineOrder};
use serde::{Deserialize, Serialize};
use service::Timeline;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::etag::ETag;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;

pub(crate) use self::skeleton::KeptSkeletons;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_timeline))
        .routes(routes!(list_timeline_months))
        .routes(routes!(get_timeline_month))
        .routes(routes!(chunk::get_timeline_chunk))
}

error_answers!(TimelineErrors: BadQuery);
error_answers!(MonthErrors: BadQuery, NotFound);

/// What a timeline is ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TimelineOrder)]
enum OrderParam {
    /// When the images were uploaded.
    #[default]
    Uploaded,
    /// When they were taken, by the clock on the wall there; uploaded, if nobody said so.
    Taken,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OrderQuery {
    /// `uploaded`, unless asked otherwise.
    #[serde(default)]
    #[param(inline)]
    by: OrderParam,
}

impl From<OrderParam> for TimelineOrder {
    fn from(order: OrderParam) -> Self {
        match order {
            OrderParam::Uploaded => Self::Uploaded,
            OrderParam::Taken => Self::Taken,
        }
    }
}

/// My timeline
///
/// How many images stand in which hour, and the shape of each: a byte for every image, in a binary
/// form that docs/api.md describes. Newest first; without the trash, and without images that will
/// disappear by themselves.
#[utoipa::path(
    get,
    path = "/api/v1/timeline",
    tag = tag::IMAGES,
    params(OrderQuery),
    responses(
        (status = 200, description = "The timeline.", content_type = "application/octet-stream"),
        (status = 304, description = "The client has it."),
        TimelineErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
async fn get_timeline(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    headers: HeaderMap,
    Query(OrderQuery { by }): Query<OrderQuery>,
) -> Result<Response, ApiError> {
    let timeline = app.service.load_timeline(&caller, by.into()).await?;
    skeleton::respond(&app, &caller, &timeline, &headers).await
}

/// A month of a timeline.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MonthInfo {
    /// Which month, such as `2026-05`.
    month: String,
    /// How many images there are.
    count: usize,
    /// Changes whenever an image comes, goes, moves or takes another shape.
    tag: String,
}

/// The months of a timeline.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MonthList {
    /// How many images there are in all.
    total: usize,
    /// Those with images, newest first.
    months: Vec<MonthInfo>,
}

/// The months of my timeline
///
/// For those who have a timeline and want to know what of it has changed.
#[utoipa::path(
    get,
    path = "/api/v1/timeline/months",
    tag = tag::IMAGES,
    params(OrderQuery),
    responses(
        (status = 200, description = "The months.", body = MonthList),
        (status = 304, description = "The client has them."),
        TimelineErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
async fn list_timeline_months(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    headers: HeaderMap,
    Query(OrderQuery { by }): Query<OrderQuery>,
) -> Result<Response, ApiError> {
    let timeline = app.service.load_timeline(&caller, by.into()).await?;
    let etag = ETag::of_hash(format_args!("{:016x}-months", timeline.tag()));
    if etag.is_known_by(&headers) {
        return Ok(kept(StatusCode::NOT_MODIFIED.into_response(), &etag));
    }
    Ok(kept(Json(MonthList::of(&timeline)).into_response(), &etag))
}

/// A month of my timeline
///
/// In the same form as the whole, which then has only this month; or none, if it has no images.
#[utoipa::path(
    get,
    path = "/api/v1/timeline/months/{month}",
    tag = tag::IMAGES,
    params(("month" = String, Path, description = "The month, such as `2026-05`"), OrderQuery),
    responses(
        (status = 200, description = "The month.", content_type = "application/octet-stream"),
        (status = 304, description = "The client has it."),
        MonthErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
async fn get_timeline_month(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    headers: HeaderMap,
    Path(month): Path<String>,
    Query(OrderQuery { by }): Query<OrderQuery>,
) -> Result<Response, ApiError> {
    let month: Month = month.parse().map_err(|_| service::Error::NotFound { what: "month" })?;
    let timeline = app.service.load_timeline(&caller, by.into()).await?;
    let months: Vec<_> = timeline.month(month).cloned().into_iter().collect();
    let one = Timeline::of_months(by.into(), months);
    Ok(skeleton::respond_small(&one, &headers))
}

impl MonthList {
    fn of(timeline: &Timeline) -> Self {
        let info = |month: &std::sync::Arc<service::TimelineMonth>| MonthInfo {
            month: month.month.to_string(),
            count: month.count(),
            tag: tag_text(month.tag()),
        };
        Self { total: timeline.count(), months: timeline.months.iter().map(info).collect() }
    }
}

fn tag_text(tag: u64) -> String {
    format!("{tag:016x}")
}

/// An answer that the client may keep and must ask about.
fn kept(mut response: Response, etag: &ETag) -> Response {
    let headers = response.headers_mut();
    headers.extend(etag.header());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}
