//! What happened, in order, by pull and by server-sent events.

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
