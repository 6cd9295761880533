//! The description of the API, for programs and for people. The page is our own few kilobytes
//! and loads nothing from elsewhere: viewers to be had are megabytes of scripts.

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::security::PAGE_POLICY;

const JAVASCRIPT: [(header::HeaderName, &str); 1] =
    [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")];

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .route("/api/openapi.json", get(openapi))
        .route("/api/docs", get(page))
        .route("/api/docs/viewer.js", get(viewer))
        .route("/api/docs/try.js", get(trying))
        .route("/api/docs/viewer.css", get(style))
}

async fn openapi(State(app): State<App>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], app.document.to_string())
}

async fn page() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
    ];
    (headers, include_str!("../../assets/viewer.html"))
}

async fn viewer() -> impl IntoResponse {
    (JAVASCRIPT, include_str!("../../assets/viewer.js"))
}

async fn trying() -> impl IntoResponse {
    (JAVASCRIPT, include_str!("../../assets/try.js"))
}

async fn style() -> impl IntoResponse {
    let css = [(header::CONTENT_TYPE, "text/css; charset=utf-8")];
    (css, include_str!("../../assets/viewer.css"))
}
