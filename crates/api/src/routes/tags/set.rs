//! Reading, setting and renaming tags.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use model::{ImageId, Tag};
use serde::{Deserialize, Serialize};
use service::{ImageTags, SetTagsEnd, TagVisibility, TagsOfImage};
use utoipa::ToSchema;

use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::extract::Path;
use crate::identity::SignedIn;
use crate::openapi::tag;

error_answers!(GetErrors: NotFound);
error_answers!(SetErrors: NotFound, TagTooLong, TooManyTags, InvalidValue);
error_answers!(SetManyErrors: TagTooLong, InvalidValue);
error_answers!(RenameErrors: TagTooLong, InvalidValue);

/// The tags of an image.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TagsOfImage)]
pub(super) struct TagsAnswer {
    /// The caller's own public tags.
    #[schema(value_type = Vec<String>)]
    public: Vec<Tag>,
    /// The caller's own private tags, which nobody else sees.
    #[schema(value_type = Vec<String>)]
    private: Vec<Tag>,
    /// The public tags of everyone, with the number of their authors.
    #[schema(value_type = BTreeMap<String, i64>)]
    everyone: BTreeMap<Tag, i64>,
    /// Whether the image is one of the caller's favourites.
    favourite: bool,
}

/// The caller's tags, all of them.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NewTags {
    /// Tags that everybody sees who may see the image.
    #[serde(default)]
    public: Vec<String>,
    /// Tags that nobody else sees. One that is also among the public ones is private.
    #[serde(default)]
    private: Vec<String>,
}

/// The tags of an image
#[utoipa::path(
    get,
    path = "/api/v1/images/{id}/tags",
    tag = tag::TAGS,
    params(("id" = String, Path, description = "The image's id")),
    responses((status = 200, description = "The tags.", body = TagsAnswer), GetErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_tags(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
) -> Result<Json<TagsAnswer>, ApiError> {
    Ok(Json(TagsAnswer::of(app.service.load_tags(&caller, id).await?)))
}

/// Set my tags of an image
///
/// Those that were set before are replaced in one step. Everybody who may see an image may tag it:
/// its owner with 20 tags, others with 10 each.
#[utoipa::path(
    put,
    path = "/api/v1/images/{id}/tags",
    tag = tag::TAGS,
    params(("id" = String, Path, description = "The image's id")),
    request_body = NewTags,
    responses((status = 200, description = "The tags as they are now.", body = TagsAnswer), SetErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn set_tags(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
    crate::extract::Json(new): crate::extract::Json<NewTags>,
) -> Result<Json<TagsAnswer>, ApiError> {
    let tags = new.parse()?;
    Ok(Json(TagsAnswer::of(app.service.set_tags(&caller, id, &tags).await?)))
}

/// The caller's tags of many images.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ManyTags {
    /// 100 at most.
    items: Vec<TagsOf>,
}

/// The caller's tags of one image, all of them.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TagsOf {
    /// The image's id.
    image: String,
    /// Public tags.
    #[serde(default)]
    public: Vec<String>,
    /// Private tags.
    #[serde(default)]
    private: Vec<String>,
}

/// What became of each.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ManySet {
    /// In the order of the request.
    items: Vec<OneSet>,
}

/// What became of the tags of an image.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OneSet {
    /// The image's id.
    #[schema(value_type = String)]
    image: ImageId,
    /// `set`, `notFound` or `tooMany`.
    outcome: &'static str,
}

/// Set my tags of many images
///
/// Each image as by itself, and the answer says what became of it.
#[utoipa::path(
    post,
    path = "/api/v1/tags/set",
    tag = tag::TAGS,
    request_body = ManyTags,
    responses((status = 200, description = "What became of each.", body = ManySet), SetManyErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn set_many_tags(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(ManyTags { items }): crate::extract::Json<ManyTags>,
) -> Result<Json<ManySet>, ApiError> {
    let parse = |TagsOf { image, public, private }: TagsOf| {
        let image = image.parse().map_err(|bad| service::Error::invalid("image", bad))?;
        Ok((image, NewTags { public, private }.parse()?))
    };
    let items = items.into_iter().map(parse).collect::<Result<Vec<_>, ApiError>>()?;
    let ends = app.service.set_many_tags(&caller, &items).await?;
    let set = ends.into_iter().map(|(image, end)| {
        let outcome = match end {
            SetTagsEnd::Set => "set",
            SetTagsEnd::NotFound => "notFound",
            SetTagsEnd::TooMany { .. } => "tooMany",
        };
        OneSet { image, outcome }
    });
    Ok(Json(ManySet { items: set.collect() }))
}

/// A tag and what it is to be called.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RenameTag {
    /// The tag as it is.
    from: String,
    /// The tag as it is to be; if it is there already, the two become one.
    to: String,
}

/// How far renaming has come.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RenamedTag {
    /// Images on which it was renamed by this request.
    changed: usize,
    /// Images on which it was not, because the image has as many public tags as it may have.
    refused: usize,
    /// Whether there are more; send the same request again.
    more: bool,
}

/// Rename one of my tags
///
/// On all images on which I have set it; tags of others stay. If I have set both on an image, they
/// become one, which stays public or private as it is. Each image is changed in one step, some
/// hundred with one request: while `more` is true, send it again.
#[utoipa::path(
    post,
    path = "/api/v1/tags/rename",
    tag = tag::TAGS,
    request_body = RenameTag,
    responses((status = 200, description = "How far it has come.", body = RenamedTag), RenameErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn rename_tag(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(RenameTag { from, to }): crate::extract::Json<RenameTag>,
) -> Result<Json<RenamedTag>, ApiError> {
    let (from, to) = (field("tag", &from)?, field("tag", &to)?);
    let done = app.service.rename_tag(&caller, &from, &to).await?;
    Ok(Json(RenamedTag { changed: done.changed, refused: done.refused, more: done.more }))
}

impl NewTags {
    fn parse(&self) -> Result<ImageTags, ApiError> {
        let mut tags = BTreeMap::new();
        for tag in &self.public {
            tags.insert(field("tags", tag)?, TagVisibility::Public);
        }
        for tag in &self.private {
            tags.insert(field("tags", tag)?, TagVisibility::Private);
        }
        Ok(ImageTags(tags))
    }
}

impl TagsAnswer {
    fn of(tags: TagsOfImage) -> Self {
        let TagsOfImage { mine, everyone, favourite } = tags;
        let (public, private): (Vec<_>, Vec<_>) =
            mine.0.into_iter().partition(|(_, visibility)| *visibility == TagVisibility::Public);
        let only_tags = |tags: Vec<(Tag, _)>| tags.into_iter().map(|(tag, _)| tag).collect();
        Self { public: only_tags(public), private: only_tags(private), everyone, favourite }
    }
}
