use std::ops::Deref;
use std::sync::Arc;

use service::{KeptViews, Service};

use crate::Settings;
use crate::observe::Meters;
use crate::oidc::Oidc;
use crate::rate_limit::Rates;
use crate::routes::health::CachedHealth;
use crate::routes::images::ImageBody;

/// What handlers need: `State(app): State<App>`. Cheap to clone, which every layer does for every
/// request.
#[derive(Clone)]
pub(crate) struct App(Arc<AppParts>);

/// What [`App`] is made of, and stands for.
pub(crate) struct AppParts {
    /// All use cases.
    pub(crate) service: Service,
    /// What the operator has decided about HTTP.
    pub(crate) settings: Settings,
    /// The identity provider, if there is one.
    pub(crate) oidc: Option<Oidc>,
    /// Answers about images, to be given again.
    pub(crate) answers: KeptViews<ImageBody>,
    /// Counts requests, if they are limited.
    pub(crate) rates: Option<Rates>,
    /// Counts what is answered.
    pub(crate) meters: Meters,
    /// Knows whether we can serve.
    pub(crate) health: CachedHealth,
    /// Writes down all metrics.
    pub(crate) metrics: Arc<dyn Fn() -> String + Send + Sync>,
    /// The OpenAPI document, as it is served.
    pub(crate) document: Arc<str>,
}

impl App {
    pub(crate) fn new(parts: AppParts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for App {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}
