//! Tags and favourites.

mod albums;
mod favourites;
mod find;
mod set;

use serde::Deserialize;
use service::TagsBy;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(set::get_tags, set::set_tags))
        .routes(routes!(set::set_many_tags))
        .routes(routes!(set::rename_tag))
        .routes(routes!(find::list_tags))
        .routes(routes!(find::list_tagged_images))
        .routes(routes!(albums::list_album_tags))
        .routes(routes!(albums::list_tag_status))
        .routes(routes!(favourites::list_favourites))
        .routes(routes!(favourites::put_favourite, favourites::delete_favourite))
}

/// Whose tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TagsBy)]
enum ByParam {
    /// One's own, public and private.
    #[default]
    Me,
    /// The public ones of everyone.
    Everyone,
}

impl ByParam {
    /// Its name, for the name of a list.
    fn name(self) -> &'static str {
        match self {
            Self::Me => "me",
            Self::Everyone => "everyone",
        }
    }
}

impl From<ByParam> for TagsBy {
    fn from(by: ByParam) -> Self {
        match by {
            ByParam::Me => Self::Me,
            ByParam::Everyone => Self::Everyone,
        }
    }
}
