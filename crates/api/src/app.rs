use std::ops::Deref;
use std::sync::Arc;

use model::{ImageId, Timestamp};
use service::{KeptViews, NoRelyingParty, PixelName, RelyingParty, Service};

use crate::known_query::KnownQueries;
use crate::observe::Meters;
use crate::oidc::Oidc;
use crate::rate_limit::Rates;
use crate::routes::health::CachedHealth;
use crate::routes::images::ImageBody;
use crate::routes::timeline::KeptSkeletons;
use crate::{ApiError, ErrorCode, Gallery, Settings};

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
    /// The pages for people, if we have them.
    pub(crate) gallery: Gallery,
    /// The identity provider, if there is one.
    pub(crate) oidc: Option<Oidc>,
    /// Whom passkeys are for, or why there are none.
    pub(crate) passkeys: Result<RelyingParty, NoRelyingParty>,
    /// Answers about images, to be given again.
    pub(crate) answers: KeptViews<ImageBody>,
    /// Timelines as they were last answered.
    pub(crate) skeletons: KeptSkeletons,
    /// Counts requests, if they are limited.
    pub(crate) rates: Option<Rates>,
    /// Which parameters each route takes.
    pub(crate) queries: KnownQueries,
    /// Counts what is answered.
    pub(crate) meters: Meters,
    /// Knows whether we can serve.
    pub(crate) health: CachedHealth,
    /// Writes down all metrics.
    pub(crate) metrics: Arc<dyn Fn() -> String + Send + Sync>,
    /// When this server started.
    pub(crate) started_at: Timestamp,
    /// The OpenAPI document, as it is served.
    pub(crate) document: Arc<str>,
}

impl App {
    pub(crate) fn new(parts: AppParts) -> Self {
        Self(Arc::new(parts))
    }

    /// Whom passkeys are for, where there can be passkeys.
    pub(crate) fn relying_party(&self) -> Result<&RelyingParty, ApiError> {
        self.passkeys.as_ref().map_err(|why| {
            let message = format!(
                "passkeys are off, because {why}: the operator sets public_url to the https \
                 address by which people reach this server, such as https://photos.example.org"
            );
            ApiError::new(ErrorCode::PasskeysOff, message)
        })
    }

    /// Where the smallest rendition of an image is that somebody may see.
    pub(crate) fn small_url(&self, image: ImageId) -> String {
        self.url_at_least(image, 0)
    }

    /// Where the smallest rendition is that is not smaller than so many pixels; or the largest.
    pub(crate) fn url_at_least(&self, image: ImageId, side: u32) -> String {
        let sizes = &self.service.settings().sizes;
        let mut by_width: Vec<_> = sizes.iter().collect();
        by_width.sort_by_key(|size| size.width());
        let fitting = by_width.iter().find(|size| size.width() >= side).or(by_width.last());
        let name =
            fitting.map_or_else(PixelName::original, |size| PixelName::size(size.name().clone()));
        [self.settings.pixel_base(), &self.service.pixel_path(image, &name)].concat()
    }
}

impl Deref for App {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}
