//! Making links, changing them and taking them back.

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::{BadId, LinkDownload, LinkId, LinkTarget, Timestamp};
use serde::Deserialize;
use service::{EditLink, Error, NewLink, Once, Password};
use utoipa::ToSchema;

use super::shape::{DownloadParam, LinkInfo, tagged};
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::etag::Expected;
use crate::extract::{Json, Path};
use crate::idempotency;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::patch::Patch;

error_answers!(CreateErrors: TitleTooLong, InvalidValue, BadSearch, TooManyLinks);
error_answers!(
    EditErrors: NotFound, Conflict, PreconditionFailed, TitleTooLong, InvalidValue,
);
error_answers!(DeleteErrors: NotFound);

/// A new link: to an image, to an album, or to what a search finds.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = NewLink)]
pub(super) struct CreateLink {
    /// The id of an image of one's own.
    image: Option<String>,
    /// The id of an album of one's own. What is nested in it is not shown.
    album: Option<String>,
    /// A search. Whatever of one's own images it finds is shown, as it is then.
    #[schema(max_length = 500)]
    search: Option<String>,
    /// What it is called; by what it shows, unless given.
    #[schema(max_length = 255)]
    title: Option<String>,
    /// What must be known to look at it; at least 6 characters.
    #[schema(min_length = 6)]
    password: Option<String>,
    /// What may be taken away; `renditions`, unless given.
    download: Option<DownloadParam>,
    /// When it ends; never, unless given.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<String>,
}

/// What to change. What is absent stays; `null` clears.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LinkChanges {
    /// The version that is to be changed, unless `If-Match` says so.
    version: Option<i64>,
    /// What it is called.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    title: Patch<String>,
    /// What must be known to look at it. Whoever has looked at it already must know the new one.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 6)]
    password: Patch<String>,
    /// What may be taken away.
    download: Option<DownloadParam>,
    /// When it ends; `null` for never.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Patch<String>,
}

/// Make a link
///
/// Whoever has it sees what it shows, without an account: the renditions of an image, of an album or
/// of what a search finds, and neither who has taken them nor where and by what. Name exactly one of
/// `image`, `album` and `search`.
#[utoipa::path(
    post,
    path = "/api/v1/links",
    tag = tag::LINKS,
    request_body = CreateLink,
    responses((status = 201, description = "The link.", body = LinkInfo), CreateErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn create_link(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    once: Option<Extension<Once>>,
    Json(new): Json<CreateLink>,
) -> Result<Response, ApiError> {
    let once = idempotency::once(&app, once);
    let made = app.service.create_link_once(&caller, new.parse()?, once).await?;
    let path = format!("/api/v1/links/{}", made.link.id);
    let location = HeaderValue::from_str(&path).ok().map(|path| (header::LOCATION, path));
    let mut response = (StatusCode::CREATED, tagged(&app, made)).into_response();
    response.headers_mut().extend(location);
    Ok(response)
}

/// Change a link
///
/// With `If-Match` or `version`, only if nobody else has changed it since. What it shows cannot be
/// changed; make another one.
#[utoipa::path(
    patch,
    path = "/api/v1/links/{id}",
    tag = tag::LINKS,
    params(("id" = String, Path, description = "The link's id")),
    request_body = LinkChanges,
    responses((status = 200, description = "The link as it is now.", body = LinkInfo), EditErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn edit_link(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<LinkId>,
    headers: HeaderMap,
    Json(changes): Json<LinkChanges>,
) -> Result<Response, ApiError> {
    let expected = Expected::of(&headers, id, changes.version)?;
    let edit = changes.parse()?;
    let edited = app.service.edit_link(&caller, id, expected.version(), edit).await;
    Ok(tagged(&app, edited.map_err(|error| expected.error(error))?))
}

/// Take a link back
///
/// It shows nothing from now on. Pictures whose addresses were given out before can be fetched for
/// an hour at most.
#[utoipa::path(
    delete,
    path = "/api/v1/links/{id}",
    tag = tag::LINKS,
    params(("id" = String, Path, description = "The link's id")),
    responses((status = 204, description = "It is worth nothing now."), DeleteErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn delete_link(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<LinkId>,
) -> Result<StatusCode, ApiError> {
    app.service.delete_link(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl CreateLink {
    fn parse(self) -> Result<NewLink, ApiError> {
        let target = match (&self.image, &self.album, &self.search) {
            (Some(id), None, None) => LinkTarget::Image(parse_id("image", id)?),
            (None, Some(id), None) => LinkTarget::Album(parse_id("album", id)?),
            (None, None, Some(text)) => LinkTarget::Search(field("search", text)?),
            _ => {
                let message = "name an image, an album or a search, and only one of them";
                return Err(Error::invalid("image", message).into());
            }
        };
        Ok(NewLink {
            target,
            title: self.title.map(|text| field("title", &text)).transpose()?,
            password: self.password.map(|text| password(&text)).transpose()?,
            download: self.download.map(LinkDownload::from).unwrap_or_default(),
            expires_at: self.expires_at.map(|text| moment(&text)).transpose()?,
        })
    }
}

impl LinkChanges {
    fn parse(self) -> Result<EditLink, ApiError> {
        Ok(EditLink {
            title: self.title.try_map(|text| field("title", &text))?.into_option(),
            password: self.password.try_map(|text| password(&text))?.into_option(),
            download: self.download.map(LinkDownload::from),
            expires_at: self.expires_at.try_map(|text| moment(&text))?.into_option(),
        })
    }
}

fn parse_id<T: std::str::FromStr<Err = BadId>>(
    name: &'static str,
    id: &str,
) -> Result<T, ApiError> {
    Ok(id.parse().map_err(|bad| Error::invalid(name, bad))?)
}

fn password(text: &str) -> Result<Password, ApiError> {
    Ok(Password::for_link(text).map_err(|bad| Error::invalid("password", bad))?)
}

fn moment(text: &str) -> Result<Timestamp, ApiError> {
    Ok(text.parse().map_err(|bad| Error::invalid("expiresAt", bad))?)
}
