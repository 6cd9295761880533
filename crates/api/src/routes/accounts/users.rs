//! Users: for administrators, and a little for everybody.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use model::{Role, User, UserId};
use serde::Deserialize;
use service::{Error, Listed};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::shapes::{EditUser, RoleName, UserAnswer, new_user, password};
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::etag::{ETag, Expected};
use crate::extract::{Json, Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list_users, create_user))
        .routes(routes!(get_user, edit_user, erase_user))
        .routes(routes!(reset_password))
}

const LIST: &str = "users";

/// Which users.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Only the one with this address.
    email: Option<String>,
}

/// A user that an administrator makes.
#[derive(Deserialize, ToSchema)]
struct CreateUser {
    /// The address to sign in with.
    email: String,
    /// The name others see.
    #[schema(max_length = 255)]
    name: String,
    /// What they may do; `user`, unless given.
    role: Option<RoleName>,
    /// A password of at least 10 characters. Without one, they can come only through the
    /// identity provider.
    #[schema(min_length = 10)]
    password: Option<String>,
}

/// A password that an administrator chooses for somebody.
#[derive(Deserialize, ToSchema)]
struct ResetPassword {
    /// A password of at least 10 characters.
    #[schema(min_length = 10)]
    new: String,
}

error_answers!(ListUsersErrors: Forbidden, BadCursor, InvalidValue);
/// All users
///
/// By e-mail address; or the one who has an address.
#[utoipa::path(
    get,
    path = "/api/v1/users",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    params(PageParams, Which),
    responses((status = 200, description = "A page of users.", body = Page<UserAnswer>), ListUsersErrors)
)]
async fn list_users(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
    Query(which): Query<Which>,
) -> Result<axum::Json<Page<UserAnswer>>, ApiError> {
    let page = page.request(&app, &caller, LIST)?;
    let listed = match which.email {
        None => app.service.list_users(&caller, &page).await?,
        Some(email) => {
            let email = field("email", &email)?;
            match app.service.find_user_by_email(&caller, &email).await {
                Ok(user) => Listed { entries: vec![user], next: None },
                Err(Error::NotFound { .. }) => Listed { entries: Vec::new(), next: None },
                Err(error) => return Err(error.into()),
            }
        }
    };
    Ok(axum::Json(Page::of(&app, &caller, LIST, listed, |user| UserAnswer::of(&app, user))))
}

error_answers!(CreateUserErrors: Forbidden, EmailTaken, InvalidValue, NameTooLong);
/// Make a user
#[utoipa::path(
    post,
    path = "/api/v1/users",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    request_body = CreateUser,
    responses((status = 201, description = "The user.", body = UserAnswer), CreateUserErrors)
)]
async fn create_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Json(body): Json<CreateUser>,
) -> Result<Response, ApiError> {
    let new = new_user(&body.email, &body.name)?;
    let password = body.password.as_deref().map(password).transpose()?;
    let role = body.role.map_or(Role::User, Role::from);
    let user = app.service.create_user(&caller, &new, role, password.as_ref()).await?;
    Ok((StatusCode::CREATED, edited(&app, user)).into_response())
}

error_answers!(GetUserErrors: NotFound);
/// A user
///
/// Everything for administrators and the user; for others the name, the picture and the person.
#[utoipa::path(
    get,
    path = "/api/v1/users/{id}",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The user.")),
    responses((status = 200, description = "The user.", body = UserAnswer), GetUserErrors)
)]
async fn get_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<UserId>,
) -> Result<Response, ApiError> {
    match app.service.find_user(&caller, id).await {
        Ok(user) => Ok(edited(&app, user)),
        Err(Error::NotAdministrator | Error::ScopeMissing { scope: service::Scope::Admin }) => {
            let profile = app.service.find_profile(&caller, id).await?;
            Ok(axum::Json(UserAnswer::of_profile(&app, profile)).into_response())
        }
        Err(error) => Err(error.into()),
    }
}

error_answers!(EditUserErrors: Forbidden, NotFound, Conflict, PreconditionFailed, EmailTaken,
    InvalidValue, NameTooLong, LastAdministrator);
/// Change a user
#[utoipa::path(
    patch,
    path = "/api/v1/users/{id}",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The user.")),
    request_body = EditUser,
    responses((status = 200, description = "The user as they are now.", body = UserAnswer), EditUserErrors)
)]
async fn edit_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<UserId>,
    headers: HeaderMap,
    Json(body): Json<EditUser>,
) -> Result<Response, ApiError> {
    let expected = Expected::of(&headers, id, body.version)?;
    let edit = body.parse()?;
    let done = app.service.edit_user(&caller, id, expected.version(), edit).await;
    Ok(edited(&app, done.map_err(|error| expected.error(error))?))
}

error_answers!(EraseUserErrors: Forbidden, NotFound, LastAdministrator);
/// Erase a user
///
/// They are shut out at once; everything of theirs disappears soon after. There is no undo.
#[utoipa::path(
    delete,
    path = "/api/v1/users/{id}",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The user.")),
    responses((status = 202, description = "Being erased."), EraseUserErrors)
)]
async fn erase_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<UserId>,
) -> Result<StatusCode, ApiError> {
    app.service.erase_user(&caller, id).await?;
    Ok(StatusCode::ACCEPTED)
}

error_answers!(ResetPasswordErrors: Forbidden, NotFound, InvalidValue);
/// Give a user a new password
///
/// All their sessions end.
#[utoipa::path(
    post,
    path = "/api/v1/users/{id}/password",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The user.")),
    request_body = ResetPassword,
    responses((status = 204, description = "Changed."), ResetPasswordErrors)
)]
async fn reset_password(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<UserId>,
    Json(body): Json<ResetPassword>,
) -> Result<StatusCode, ApiError> {
    app.service.reset_password(&caller, id, &password(&body.new)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A user with everything, and the tag of their version.
pub(super) fn edited(app: &App, user: User) -> Response {
    let tag = ETag::of(user.id, user.version).header();
    let mut response = axum::Json(UserAnswer::of(app, user)).into_response();
    response.headers_mut().extend(tag);
    response
}
