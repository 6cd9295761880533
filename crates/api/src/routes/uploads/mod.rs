//! Uploads that can be resumed (tus 1.0), and uploads straight to storage.

mod direct;
mod tus;
mod tus_headers;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(tus::describe, tus::create))
        .routes(routes!(tus::head, tus::append, tus::cancel))
        .routes(routes!(direct::begin))
        .routes(routes!(direct::complete))
}
