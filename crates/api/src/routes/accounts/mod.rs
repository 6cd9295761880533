//! Signing in, one's own account, sessions, passkeys and API keys; and other people's accounts, for
//! administrators.

mod invitations;
mod keys;
mod limits;
mod me;
mod oidc;
mod pages;
mod passkeys;
mod profiles;
mod quotas;
mod session;
mod sessions;
mod shapes;
mod users;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(super) use oidc::LOGIN as OIDC_LOGIN;
pub(super) use shapes::client_of;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(session::router())
        .merge(me::router())
        .merge(sessions::router())
        .merge(keys::router())
        .merge(passkeys::router())
        .merge(invitations::router())
        .merge(users::router())
        .merge(profiles::router())
        .merge(quotas::router())
        .merge(pages::router())
        .merge(oidc::router())
}
