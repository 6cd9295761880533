//! All routes, and what they need from outside.

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::middleware;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::health::CachedHealth;
use crate::{Health, about, error, health, observe};

/// What the routes need from the program around them.
#[derive(Clone)]
pub struct Site {
    /// Knows whether we can serve.
    pub health: Arc<dyn Health>,
    /// Writes down all metrics in Prometheus's text form.
    pub metrics: Arc<dyn Fn() -> String + Send + Sync>,
}

/// Everything that answers over HTTP.
pub fn router(site: Site) -> Router {
    let Site { health, metrics } = site;
    let cached = Arc::new(CachedHealth::new(health));
    Router::new()
        .route("/", get(about::about))
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready).with_state(cached))
        .route("/metrics", get(async move || metrics_text(metrics())))
        .fallback(error::not_found)
        .method_not_allowed_fallback(error::method_not_allowed)
        .layer(middleware::from_fn(observe::observe))
}

fn metrics_text(text: String) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}
