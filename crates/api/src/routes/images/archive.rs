//! Images as one file: all of one's own, those that a search finds, or those that were chosen.

use axum::extract::{FromRequest, Request, State};
use axum::http::header;
use axum::response::Response;
use model::{ImageId, SearchQuery};
use serde::Deserialize;
use service::Folders;
use utoipa::{IntoParams, ToSchema};

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Form, Json, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::routes::shared::archive_answer;

error_answers!(AllErrors: BadSearch);
error_answers!(ChosenErrors: NotFound, InvalidValue, ArchiveTooLarge);

/// Bytes of a body: room for more ids than there may be, with what JSON puts around them, so that
/// too many are told as such.
pub(super) const BODY_BYTES_MAX: usize = 4 << 20;

/// How the files are put into folders.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ArchiveFolders)]
pub(super) enum FoldersParam {
    /// By the month in which they were taken: `2026/2026-11/IMG_1.jpg`.
    #[default]
    Month,
    /// All beside each other.
    None,
}

impl From<FoldersParam> for Folders {
    fn from(folders: FoldersParam) -> Self {
        match folders {
            FoldersParam::Month => Self::Month,
            FoldersParam::None => Self::None,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct AllParams {
    /// A search, as for `/api/v1/search`; all of one's own images, unless given.
    q: Option<String>,
    /// How the files are put into folders.
    #[serde(default)]
    #[param(inline)]
    folders: FoldersParam,
}

/// All images as a ZIP file
///
/// However many they are: all of one's own, as originals, or what a search finds among all that one
/// may see, with the largest renditions of those of others. Each file has the date of its photo. The
/// archive is made while it is sent; up to some thousand images its length is told beforehand. What
/// is deleted meanwhile is named in a text file at its end. If anything else goes wrong on the way,
/// the connection is broken off, so that nobody takes a part for the whole.
#[utoipa::path(
    get,
    path = "/api/v1/images/archive.zip",
    tag = tag::IMAGES,
    params(AllParams),
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        AllErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn archive_all_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(AllParams { q, folders }): Query<AllParams>,
) -> Result<Response, ApiError> {
    let folders = folders.into();
    let archive = match q {
        None => app.service.archive_library(&caller, folders).await?,
        Some(q) => {
            let query: SearchQuery = q.parse().map_err(service::Error::from)?;
            app.service.archive_found(&caller, query, folders).await?
        }
    };
    Ok(archive_answer(archive))
}

/// Which images.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChosenImages {
    /// Ids, 100,000 at most.
    ids: Vec<String>,
    /// How the files are put into folders.
    #[serde(default)]
    folders: FoldersParam,
}

/// The same from the form of a page, which browsers save without keeping it in memory.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChosenImagesForm {
    /// Ids, 100,000 at most, with spaces between them.
    ids: String,
    /// How the files are put into folders.
    #[serde(default)]
    folders: FoldersParam,
}

/// Images as a ZIP file
///
/// In the order of the ids, each once: originals of the caller's own images, and the largest
/// renditions of those of others. If one of them may not be seen there is no archive; of those
/// behind the first 5,000 that is seen only when their turn comes, and told in a text file at the
/// end, as is what has no file. Otherwise as for all images.
#[utoipa::path(
    post,
    path = "/api/v1/images/archive.zip",
    tag = tag::IMAGES,
    request_body(content(
        (ChosenImages = "application/json"),
        (ChosenImagesForm = "application/x-www-form-urlencoded"),
    )),
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        ChosenErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn archive_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    request: Request,
) -> Result<Response, ApiError> {
    let (ids, folders) = chosen_by(request).await?;
    let ids = ids.iter().map(|id| id.parse::<ImageId>());
    let ids: Vec<ImageId> =
        ids.collect::<Result<_, _>>().map_err(|bad| service::Error::invalid("ids", bad))?;
    Ok(archive_answer(app.service.archive_images(&caller, &ids, folders.into()).await?))
}

async fn chosen_by(request: Request) -> Result<(Vec<String>, FoldersParam), ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded")) {
        let Form(ChosenImagesForm { ids, folders }) = Form::from_request(request, &()).await?;
        return Ok((ids.split_whitespace().map(str::to_owned).collect(), folders));
    }
    let Json(ChosenImages { ids, folders }) = Json::from_request(request, &()).await?;
    Ok((ids, folders))
}
