//! API keys.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::{ApiKey, Name, Sha256Hex, Timestamp};
use serde::{Deserialize, Serialize};
use service::{Error, NewApiKey, Scope};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::shapes::moment;
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::extract::{Json, Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list_keys, create_key)).routes(routes!(delete_key))
}

const LIST: &str = "keys";

/// What a key shall be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewKey {
    /// What you call it.
    #[schema(max_length = 255)]
    name: String,
    /// What it may do: `read`, `write`, `delete`, `account`, `admin`. At least one, and none that
    /// you do not have.
    #[schema(example = json!(["read", "write"]))]
    scopes: Vec<String>,
    /// When it ends; never, unless given.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<String>,
}

/// A key, without what proves it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApiKey)]
struct KeyAnswer {
    /// Names the key.
    #[schema(value_type = String)]
    id: Sha256Hex,
    /// What its owner calls it.
    #[schema(value_type = String)]
    name: Name,
    /// What it may do.
    scopes: Vec<String>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it ends, if ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
}

/// A new key.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MadeKey {
    /// What to send as `Authorization: Bearer`. Shown now and never again.
    token: String,
    #[serde(flatten)]
    key: KeyAnswer,
}

impl From<ApiKey> for KeyAnswer {
    fn from(key: ApiKey) -> Self {
        Self {
            id: key.hash,
            name: key.name,
            scopes: key.scopes,
            created_at: key.created_at,
            expires_at: key.ttl.map(moment),
        }
    }
}

impl NewKey {
    fn parse(&self) -> Result<NewApiKey, ApiError> {
        let scopes: Result<_, _> = self.scopes.iter().map(|text| text.parse::<Scope>()).collect();
        let scopes = scopes.map_err(|bad| Error::invalid("scopes", bad))?;
        let expires_at = self.expires_at.as_ref().map(|text| text.parse()).transpose();
        let expires_at = expires_at.map_err(|bad| Error::invalid("expiresAt", bad))?;
        Ok(NewApiKey { name: field("name", &self.name)?, scopes, expires_at })
    }
}

error_answers!(ListKeysErrors: BadCursor);
/// My API keys
#[utoipa::path(
    get,
    path = "/api/v1/me/keys",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    params(PageParams),
    responses((status = 200, description = "A page of keys.", body = Page<KeyAnswer>), ListKeysErrors)
)]
async fn list_keys(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
) -> Result<axum::Json<Page<KeyAnswer>>, ApiError> {
    let page = page.request(&app, &caller, LIST)?;
    let listed = app.service.list_api_keys(&caller, &page).await?;
    Ok(axum::Json(Page::of(&app, &caller, LIST, listed, KeyAnswer::from)))
}

error_answers!(CreateKeyErrors: InvalidValue, NameTooLong);
/// Make an API key
#[utoipa::path(
    post,
    path = "/api/v1/me/keys",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    request_body = NewKey,
    responses((status = 201, description = "The key.", body = MadeKey), CreateKeyErrors)
)]
async fn create_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Json(body): Json<NewKey>,
) -> Result<Response, ApiError> {
    let (token, key) = app.service.create_api_key(&caller, &body.parse()?).await?;
    let made = MadeKey { token: token.as_str().to_owned(), key: key.into() };
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, no_store, axum::Json(made)).into_response())
}

error_answers!(DeleteKeyErrors: NotFound);
/// Take an API key back
#[utoipa::path(
    delete,
    path = "/api/v1/me/keys/{id}",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The key.")),
    responses((status = 204, description = "The key is worth nothing now."), DeleteKeyErrors)
)]
async fn delete_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<Sha256Hex>,
) -> Result<StatusCode, ApiError> {
    app.service.delete_api_key(&caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
