use std::sync::Arc;

use service::Service;

use crate::Settings;
use crate::oidc::Oidc;
use crate::rate_limit::Rates;
use crate::routes::health::CachedHealth;

/// What handlers need: `State(app): State<App>`. Cheap to clone.
#[derive(Clone)]
pub(crate) struct App {
    /// All use cases.
    pub(crate) service: Service,
    /// What the operator has decided about HTTP.
    pub(crate) settings: Arc<Settings>,
    /// The identity provider, if there is one.
    pub(crate) oidc: Option<Arc<Oidc>>,
    /// Counts requests, if they are limited.
    pub(crate) rates: Option<Arc<Rates>>,
    /// Knows whether we can serve.
    pub(crate) health: Arc<CachedHealth>,
    /// Writes down all metrics.
    pub(crate) metrics: Arc<dyn Fn() -> String + Send + Sync>,
    /// The OpenAPI document, as it is served.
    pub(crate) document: Arc<str>,
}
