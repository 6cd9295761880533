//! Metrics for Prometheus.

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::openapi::tag;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(metrics))
}

/// Metrics in Prometheus's text form
#[utoipa::path(
    get,
    path = "/metrics",
    tag = tag::SERVICE,
    responses((status = 200, description = "All metrics.", body = String, content_type = "text/plain"))
)]
async fn metrics(State(app): State<App>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], (app.metrics)())
}
