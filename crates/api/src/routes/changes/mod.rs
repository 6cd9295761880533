//! What happened, in order, by pull and by server-sent events.

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures::stream::{self, Stream, StreamExt};
use model::{Change, ChangeKind, Entity};
use serde::{Deserialize, Serialize};
use service::{Changes, Follower, Since};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::Query;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging;
use crate::serve::Stopping;

/// How long a follower waits at most before it looks again, without a hint.
const PAUSE: Duration = Duration::from_millis(500);
/// How often a quiet stream says that it lives; proxies cut off what is silent for a minute.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How soon a browser comes back after a break.
const RETRY: Duration = Duration::from_secs(2);

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list_changes))
}

pub(super) fn stream_router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(stream_changes))
}

error_answers!(ChangesErrors: BadCursor);

/// List changes
///
/// What happened to the caller's own things and to images that others share (administrators: to
/// everything), oldest first, each change once. A change is told a few seconds after it happened,
/// when nothing earlier can appear any more. Changes are kept for 30 days; whoever was away
/// longer gets `bad_cursor` and starts from the lists.
#[utoipa::path(
    get,
    path = "/api/v1/changes",
    tag = tag::CHANGES,
    params(ChangesParams),
    security(("bearer" = []), ("session" = [])),
    responses((status = 200, description = "Some changes.", body = ChangesPage), ChangesErrors)
)]
async fn list_changes(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(params): Query<ChangesParams>,
) -> Result<Response, ApiError> {
    let limit = paging::limit(params.limit)?;
    let changes = app.service.list_changes(&caller, since(params.after.as_deref()), limit).await?;
    let page = ChangesPage {
        items: changes.changes.iter().map(ChangeView::of).collect(),
        next_cursor: changes.next,
        more: changes.more,
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(page)).into_response())
}

/// Follow changes
///
/// Server-sent events of the type `change`, as they happen. The id of an event is a cursor from
/// which to go on, in `Last-Event-ID` (as browsers do by themselves) or in `after`; without one,
/// the stream begins with what happens next. After a break some changes may come twice, but none
/// is lost. Comments are sent while nothing happens.
#[utoipa::path(
    get,
    path = "/api/v1/changes/stream",
    tag = tag::CHANGES,
    params(
        StreamParams,
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event.")
    ),
    security(("bearer" = []), ("session" = [])),
    responses(
        (status = 200, description = "Events.", body = String, content_type = "text/event-stream"),
        ChangesErrors
    )
)]
async fn stream_changes(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(params): Query<StreamParams>,
    stopping: Option<Extension<Stopping>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let since = match last.or(params.after.as_deref()) {
        None | Some("") => Since::Now,
        after => since(after),
    };
    let mut follower = app.service.follow_changes(&caller, since)?;
    // What is wrong with the cursor or the table shows before the stream begins.
    let first = follower.next().await?;
    let events = events(follower, first);
    let events: std::pin::Pin<Box<dyn Stream<Item = _> + Send>> = match stopping {
        Some(Extension(mut stopping)) => {
            Box::pin(events.take_until(Box::pin(async move { stopping.wait().await })))
        }
        None => Box::pin(events),
    };
    let heartbeat = KeepAlive::new().interval(HEARTBEAT);
    // Proxies shall pass events on at once.
    let headers = [(header::CACHE_CONTROL, "no-store"), (NO_BUFFERING, "no")];
    Ok((headers, Sse::new(events).keep_alive(heartbeat)).into_response())
}

const NO_BUFFERING: header::HeaderName = header::HeaderName::from_static("x-accel-buffering");

fn since(after: Option<&str>) -> Since<'_> {
    match after {
        None | Some("") => Since::Oldest,
        Some("now") => Since::Now,
        Some(cursor) => Since::Cursor(cursor),
    }
}

/// Events as they happen; the stream ends when the table cannot be read, and the client comes
/// back by itself.
fn events(
    follower: Follower,
    first: Changes,
) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    let begin = stream::iter([Ok(Event::default().retry(RETRY).id(first.next.clone()))]);
    let rest = stream::unfold((follower, Some(first)), |(mut follower, first)| async move {
        let mut changes = match first {
            Some(first) => first,
            None => follower.next().await.ok()?,
        };
        while changes.changes.is_empty() && !changes.more {
            // Nothing is lost by a hint that comes between: it is only earlier than the pause.
            let _ = tokio::time::timeout(PAUSE, follower.wait()).await;
            changes = follower.next().await.ok()?;
        }
        let batch: Vec<_> = changes.changes.iter().map(|c| event(c, &changes.next)).collect();
        Some((stream::iter(batch), (follower, None)))
    });
    begin.chain(rest.flatten())
}

fn event(change: &Change, cursor: &str) -> Result<Event, Infallible> {
    let event = Event::default().event("change").id(cursor);
    // A change of plain values can always be written.
    Ok(event.json_data(ChangeView::of(change)).unwrap_or_default())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ChangesParams {
    /// `nextCursor` of the page before, or `now`; without it, the oldest changes come first.
    after: Option<String>,
    /// Changes at most.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct StreamParams {
    /// The cursor to go on from; `Last-Event-ID` wins over it.
    after: Option<String>,
}

/// Some changes, oldest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangesPage {
    /// What happened.
    items: Vec<ChangeView>,
    /// Where to go on, also when nothing has happened.
    next_cursor: String,
    /// Whether more has happened already.
    more: bool,
}

/// Something that happened.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Change)]
struct ChangeView {
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// What: `created`, `updated` or `deleted`.
    kind: &'static str,
    /// To what: `image`, `album`, `person` or `user`.
    entity: &'static str,
    /// Its id.
    id: String,
    /// Whose it is.
    owner: String,
    /// Its version afterwards; absent when it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i64>,
}

impl ChangeView {
    fn of(change: &Change) -> Self {
        let (entity, id) = match change.entity {
            Entity::Image(id) => ("image", id.to_string()),
            Entity::Album(id) => ("album", id.to_string()),
            Entity::Person(id) => ("person", id.to_string()),
            Entity::User(id) => ("user", id.to_string()),
        };
        let kind = match change.kind {
            ChangeKind::Created => "created",
            ChangeKind::Updated => "updated",
            ChangeKind::Deleted => "deleted",
        };
        let (at, owner) = (change.at.to_string(), change.owner.to_string());
        Self { at, kind, entity, id, owner, version: change.version }
    }
}
