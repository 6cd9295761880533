//! A link as its owner sees it.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use model::{AlbumId, ImageId, LinkDownload, LinkId, LinkTarget, SearchText, Timestamp, Title};
use serde::{Deserialize, Serialize};
use service::SeenLink;
use utoipa::ToSchema;

use crate::app::App;
use crate::etag::ETag;

/// A link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Link)]
pub(super) struct LinkInfo {
    /// Its id, a ULID: sorted by creation.
    #[schema(value_type = String)]
    id: LinkId,
    /// Where to send people. Whoever has it sees what it shows.
    url: String,
    /// What proves it: the last part of `url`, for the routes under `/api/v1/shared`.
    token: String,
    /// The id of the image it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    image: Option<ImageId>,
    /// The id of the album it shows, without those nested in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    album: Option<AlbumId>,
    /// The search of whose results it shows those that are its owner's images.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    search: Option<SearchText>,
    /// What it is called; otherwise by what it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    title: Option<Title>,
    /// Whether a password must be known.
    has_password: bool,
    /// What may be taken away.
    download: DownloadParam,
    /// When it ends, if ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// How often it was opened, by others than its owner.
    view_count: i64,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// Counts the changes; send it back with an edit.
    version: i64,
}

/// What those who have a link may take away, beside what they see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LinkDownload)]
pub(in crate::routes) enum DownloadParam {
    /// Nothing.
    Off,
    /// Renditions, which tell nothing of where and by what they were taken.
    Renditions,
    /// Originals of the link's owner, with all that the camera wrote into them.
    Originals,
}

impl LinkInfo {
    pub(super) fn of(app: &App, seen: SeenLink) -> Self {
        let SeenLink { link, token } = seen;
        let (mut image, mut album, mut search) = (None, None, None);
        match link.target {
            LinkTarget::Image(id) => image = Some(id),
            LinkTarget::Album(id) => album = Some(id),
            LinkTarget::Search(text) => search = Some(text),
        }
        Self {
            id: link.id,
            url: format!("{}/s/{}", app.settings.public_base(), token.as_str()),
            token: token.as_str().to_owned(),
            image,
            album,
            search,
            title: link.title,
            has_password: link.password.is_some(),
            download: link.download.into(),
            expires_at: link.expires_at,
            view_count: link.view_count,
            created_at: link.created_at,
            updated_at: link.updated_at,
            version: link.version,
        }
    }
}

/// A link with the tag of its version. It may be opened while that stays the same, so the answer is
/// never spared.
pub(super) fn tagged(app: &App, seen: SeenLink) -> Response {
    let tag = ETag::of(seen.link.id, seen.link.version).header().into_iter();
    let no_cache = (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    let headers: HeaderMap = tag.chain([no_cache]).collect();
    (headers, axum::Json(LinkInfo::of(app, seen))).into_response()
}

impl From<LinkDownload> for DownloadParam {
    fn from(download: LinkDownload) -> Self {
        match download {
            LinkDownload::Off => Self::Off,
            LinkDownload::Renditions => Self::Renditions,
            LinkDownload::Originals => Self::Originals,
        }
    }
}

impl From<DownloadParam> for LinkDownload {
    fn from(download: DownloadParam) -> Self {
        match download {
            DownloadParam::Off => Self::Off,
            DownloadParam::Renditions => Self::Renditions,
            DownloadParam::Originals => Self::Originals,
        }
    }
}
