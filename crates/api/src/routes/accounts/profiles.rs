//! What users see of each other: to show names and pictures, and to find somebody to share with.

use axum::Json;
use axum::extract::State;
use model::UserId;
use serde::{Deserialize, Serialize};
use service::Profile;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::shapes::UserAnswer;
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::Query;
use crate::identity::SignedIn;
use crate::openapi::tag;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(find_profiles)).routes(routes!(search_profiles))
}

/// Some users, as everybody sees them.
#[derive(Serialize, ToSchema)]
struct Profiles {
    /// In no particular order.
    items: Vec<UserAnswer>,
}

/// Which users.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UserIds {
    /// Their ids, 100 at most.
    #[schema(max_items = 100)]
    ids: Vec<String>,
}

error_answers!(FindErrors: InvalidValue);
/// Users by their ids
///
/// What everybody sees of them, without those that are no more.
#[utoipa::path(
    post,
    path = "/api/v1/users/batch-get",
    tag = tag::ACCOUNTS,
    request_body = UserIds,
    responses((status = 200, description = "Those there are.", body = Profiles), FindErrors),
    security(("bearer" = []), ("session" = []))
)]
async fn find_profiles(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(UserIds { ids }): crate::extract::Json<UserIds>,
) -> Result<Json<Profiles>, ApiError> {
    let parsed: Result<Vec<UserId>, _> = ids.iter().map(|id| id.parse()).collect();
    let ids = parsed.map_err(|bad| service::Error::invalid("ids", bad))?;
    let found = app.service.find_profiles(&caller, &ids).await?;
    Ok(Json(Profiles::of(&app, found)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// A whole e-mail address, or the beginning of a word of a name, of two characters at least.
    q: String,
}

/// Users found at once.
const FOUND_MAX: usize = 20;

error_answers!(SearchErrors: BadQuery, InvalidValue);
/// Find a user
///
/// By the whole e-mail address or by the name, to share an album with them. Addresses are told to
/// nobody.
#[utoipa::path(
    get,
    path = "/api/v1/users/find",
    tag = tag::ACCOUNTS,
    params(Wanted),
    responses((status = 200, description = "20 of them at most.", body = Profiles), SearchErrors),
    security(("bearer" = []), ("session" = []))
)]
async fn search_profiles(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(Wanted { q }): Query<Wanted>,
) -> Result<Json<Profiles>, ApiError> {
    let found = app.service.search_profiles(&caller, &q, FOUND_MAX).await?;
    Ok(Json(Profiles::of(&app, found)))
}

impl Profiles {
    fn of(app: &App, found: Vec<Profile>) -> Self {
        let answer = |profile| UserAnswer::of_profile(app, profile);
        Self { items: found.into_iter().map(answer).collect() }
    }
}
