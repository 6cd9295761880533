//! Passkeys: those of an account, and signing in with one.

mod own;
mod shapes;
mod sign_in;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().merge(own::router()).merge(sign_in::router())
}
