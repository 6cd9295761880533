//! Everything that answers over HTTP, and what it needs from outside.

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use service::{KeptViews, Service};
use utoipa::openapi::Server;

use crate::app::{App, AppParts};
use crate::below::below;
use crate::known_query::KnownQueries;
use crate::observe::Meters;
use crate::oidc::Oidc;
use crate::rate_limit::Rates;
use crate::routes::health::{CachedHealth, Health};
use crate::routes::timeline::KeptSkeletons;
use crate::{Gallery, Settings, error, observe, openapi, routes};

/// What the routes need from the program around them.
#[derive(Clone)]
pub struct Site {
    /// All use cases.
    pub service: Service,
    /// What the operator has decided about HTTP.
    pub settings: Settings,
    /// The pages for people.
    pub gallery: Gallery,
    /// Knows whether we can serve.
    pub health: Arc<dyn Health>,
    /// Writes down all metrics in Prometheus's text form.
    pub metrics: Arc<dyn Fn() -> String + Send + Sync>,
}

/// Everything that answers over HTTP.
pub fn router(site: Site) -> Router {
    let path = site.settings.path().to_owned();
    let (routes, mut document) = routes::all(&site.settings).split_for_parts();
    if !path.is_empty() {
        document.servers = Some(vec![Server::new(path.as_str())]);
    }
    let app = App::new(AppParts {
        started_at: site.service.now(),
        service: site.service,
        gallery: site.gallery,
        rates: site.settings.rates.map(Rates::new),
        oidc: site.settings.oidc.clone().map(Oidc::new),
        passkeys: site.settings.relying_party(),
        answers: KeptViews::new(site.settings.answers.bytes),
        skeletons: KeptSkeletons::new(),
        settings: site.settings,
        queries: KnownQueries::of(&document),
        meters: Meters::new(),
        health: CachedHealth::new(site.health),
        metrics: site.metrics,
        document: openapi::to_json(document).into(),
    });
    // The last layer is the first to see a request.
    let site = routes
        .method_not_allowed_fallback(error::method_not_allowed)
        .layer(middleware::from_fn_with_state(app.clone(), observe::observe))
        .with_state(app);
    below(&path, site)
}
