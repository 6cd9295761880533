//! All routes, in groups. Each group is a module with its own `router()`, and describes its routes
//! for OpenAPI where it defines them; `service_info` shows how.

mod accounts;
mod admin;
mod albums;
mod changes;
mod docs;
mod gallery;
pub(crate) mod health;
pub(crate) mod images;
mod links;
mod metrics;
mod persons;
mod pixels;
mod search;
mod service_info;
mod shared;
mod tags;
pub(crate) mod timeline;
mod uploads;

use axum::extract::DefaultBodyLimit;
use axum::middleware;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::{Settings, limits, openapi};

/// Everything that answers.
pub(crate) fn all(settings: &Settings) -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::base())
        .merge(quick(settings))
        .merge(streams())
        .fallback(gallery::find_page)
        .layer(DefaultBodyLimit::max(settings.limits.body_bytes))
}

/// Routes that answer at once, or are cut off.
fn quick(settings: &Settings) -> OpenApiRouter<App> {
    let time = settings.limits.request_time;
    OpenApiRouter::new()
        .merge(gallery::router())
        .merge(docs::router())
        .merge(health::router())
        .merge(metrics::router())
        .merge(service_info::router())
        .merge(accounts::router())
        .merge(admin::router())
        .merge(images::router())
        .merge(timeline::router())
        .merge(albums::router())
        .merge(persons::router())
        .merge(tags::router())
        .merge(links::router())
        .merge(shared::router())
        .merge(search::router())
        .merge(changes::router())
        .layer(middleware::from_fn_with_state(time, limits::watch_time))
}

/// Routes whose bodies may take as long as they make progress: files that come and go, and
/// events. A group that has both kinds has two routers.
fn streams() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(images::streaming_router())
        .merge(uploads::router())
        .merge(pixels::router())
        .merge(albums::streaming_router())
        .merge(shared::streaming_router())
        .merge(changes::stream_router())
        .layer(DefaultBodyLimit::disable())
}
