//! Signing in, one's own account, sessions and API keys.

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
