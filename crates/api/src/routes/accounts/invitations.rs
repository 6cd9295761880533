//! Invitations, for administrators.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::{Email, Invitation, Role, Sha256Hex, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use service::NewInvitation;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::shapes::{RoleName, moment};
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::extract::{Json, Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list_invitations, create_invitation))
        .routes(routes!(delete_invitation))
}

const LIST: &str = "invitations";

/// What an invitation shall be good for.
#[derive(Deserialize, ToSchema)]
struct Invite {
    /// What the account will be allowed; `user`, unless given.
    role: Option<RoleName>,
    /// The only address it is good for, if any.
    email: Option<String>,
}

/// An invitation, without what proves it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invitation)]
struct InvitationAnswer {
    /// Names the invitation.
    #[schema(value_type = String)]
    id: Sha256Hex,
    /// What the account will be allowed.
    role: RoleName,
    /// The only address it is good for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    email: Option<Email>,
    /// Who invites.
    #[schema(value_type = String)]
    created_by: UserId,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it ends by itself.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// A new invitation.
#[derive(Serialize, ToSchema)]
struct MadeInvitation {
    /// What to sign up with. Shown now and never again.
    token: String,
    /// Where to send people: the path of the page that signs up with it.
    path: String,
    #[serde(flatten)]
    invitation: InvitationAnswer,
}

impl From<Invitation> for InvitationAnswer {
    fn from(invitation: Invitation) -> Self {
        Self {
            id: invitation.hash,
            role: invitation.role.into(),
            email: invitation.email,
            created_by: invitation.created_by,
            created_at: invitation.created_at,
            expires_at: moment(invitation.ttl),
        }
    }
}

error_answers!(ListInvitationsErrors: Forbidden, BadCursor);
/// Invitations that wait to be used
#[utoipa::path(
    get,
    path = "/api/v1/invitations",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    params(PageParams),
    responses((status = 200, description = "A page of invitations.", body = Page<InvitationAnswer>), ListInvitationsErrors)
)]
async fn list_invitations(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
) -> Result<axum::Json<Page<InvitationAnswer>>, ApiError> {
    let page = page.request(&app, &caller, LIST)?;
    let listed = app.service.list_invitations(&caller, &page).await?;
    Ok(axum::Json(Page::of(&app, &caller, LIST, listed, InvitationAnswer::from)))
}

error_answers!(InviteErrors: Forbidden, SignUpClosed, InvalidValue);
/// Invite somebody
#[utoipa::path(
    post,
    path = "/api/v1/invitations",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    request_body = Invite,
    responses((status = 201, description = "The invitation.", body = MadeInvitation), InviteErrors)
)]
async fn create_invitation(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Json(body): Json<Invite>,
) -> Result<Response, ApiError> {
    let role = body.role.map_or(Role::User, Role::from);
    let email = body.email.map(|text| field("email", &text)).transpose()?;
    let new = NewInvitation { role, email };
    let (token, invitation) = app.service.create_invitation(&caller, &new).await?;
    let made = MadeInvitation {
        token: token.as_str().to_owned(),
        path: format!("/signup?invitation={}", token.as_str()),
        invitation: invitation.into(),
    };
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, no_store, axum::Json(made)).into_response())
}

error_answers!(DeleteInvitationErrors: Forbidden, NotFound);
/// Take an invitation back
#[utoipa::path(
    delete,
    path = "/api/v1/invitations/{id}",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The invitation.")),
    responses((status = 204, description = "It is worth nothing now."), DeleteInvitationErrors)
)]
async fn delete_invitation(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<Sha256Hex>,
) -> Result<StatusCode, ApiError> {
    app.service.delete_invitation(&caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
