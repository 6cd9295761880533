//! Searching, and completing a search that is being written.

use axum::Json;
use axum::extract::State;
use model::SearchQuery;
use serde::{Deserialize, Serialize};
use service::{SearchOrder, Suggestion, SuggestionKind};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::Query;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};
use crate::routes::images::ImageInfo;

error_answers!(SearchErrors: BadSearch, BadCursor);

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search_images)).routes(routes!(suggest_searches))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct SearchParams {
    /// What to search for, such as `sunset tag:"red car" taken:2024-05.. -is:shared`; everything,
    /// unless given.
    #[serde(default)]
    q: String,
    /// Newest first, by upload or by when they were taken, or best first.
    #[serde(default)]
    #[param(inline)]
    order: OrderParam,
}

/// The order of what is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SearchOrder)]
enum OrderParam {
    /// Newest first, by upload.
    #[default]
    Newest,
    /// Last taken first, by the clock on the wall there; images of others, and those of which nobody
    /// says when they were taken, stand by their upload.
    Taken,
    /// Best first, of the newest 200 that are found.
    Relevance,
}

impl OrderParam {
    /// Its name, for the name of a list.
    fn name(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Taken => "taken",
            Self::Relevance => "relevance",
        }
    }
}

impl From<OrderParam> for SearchOrder {
    fn from(order: OrderParam) -> Self {
        match order {
            OrderParam::Newest => Self::Newest,
            OrderParam::Taken => Self::Taken,
            OrderParam::Relevance => Self::Relevance,
        }
    }
}

/// Search
///
/// Among all images that one may see: one's own, what others share, and what is in albums that one
/// sees. Words are looked for in titles, descriptions, alternative texts, filenames, tags, titles of
/// albums and names of persons; the last one may be the beginning of a word. `tag:`, `person:`,
/// `album:`, `owner:`, `type:`, `camera:`, `taken:` and `is:` look for one thing, and a minus
/// excludes. A page may be short, or even empty, although more follows.
#[utoipa::path(
    get,
    path = "/api/v1/search",
    tag = tag::SEARCH,
    params(PageParams, SearchParams),
    responses((status = 200, description = "A page of images.", body = Page<ImageInfo>), SearchErrors),
    security(("bearer" = []), ("session" = []))
)]
async fn search_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
    Query(SearchParams { q, order }): Query<SearchParams>,
) -> Result<Json<Page<ImageInfo>>, ApiError> {
    let query: SearchQuery = q.parse().map_err(service::Error::from)?;
    let list = format!("search?order={}&q={query}", order.name());
    let request = page.request(&app, &caller, &list)?;
    let listed = app.service.search_images(&caller, &query, order.into(), &request).await?;
    Ok(Json(Page::of(&app, &caller, &list, listed, |image| {
        let is_owner = image.owner == caller.user;
        ImageInfo::of(&app, image, is_owner)
    })))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct SuggestParams {
    /// What was written so far.
    #[serde(default)]
    q: String,
}

/// What a search may become.
#[derive(Serialize, ToSchema)]
struct Suggestions {
    /// Up to five of each kind.
    items: Vec<SuggestionInfo>,
}

/// A completion of the last part of a search.
#[derive(Serialize, ToSchema)]
#[schema(as = Suggestion)]
struct SuggestionInfo {
    /// `key`, `tag`, `album`, `person`, `word` or `value`.
    kind: &'static str,
    /// What to show.
    text: String,
    /// The whole search with it.
    query: String,
    /// How many images have the tag, counted up to 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// Whether more than the counted ones have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<bool>,
}

impl SuggestionInfo {
    fn of(suggestion: Suggestion) -> Self {
        let Suggestion { kind, text, query, count, more } = suggestion;
        let kind = match kind {
            SuggestionKind::Key => "key",
            SuggestionKind::Tag => "tag",
            SuggestionKind::Album => "album",
            SuggestionKind::Person => "person",
            SuggestionKind::Word => "word",
            SuggestionKind::Value => "value",
        };
        Self { kind, text, query, count, more: count.map(|_| more) }
    }
}

/// Complete a search
///
/// What the last part of a search that is being written may become: keys of the language, tags with
/// the number of their images, titles of albums, names of persons, and words of one's own images.
#[utoipa::path(
    get,
    path = "/api/v1/search/suggestions",
    tag = tag::SEARCH,
    params(SuggestParams),
    responses((status = 200, description = "Suggestions.", body = Suggestions)),
    security(("bearer" = []), ("session" = []))
)]
async fn suggest_searches(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(SuggestParams { q }): Query<SuggestParams>,
) -> Result<Json<Suggestions>, ApiError> {
    let suggestions = app.service.suggest_searches(&caller, &q).await?;
    Ok(Json(Suggestions { items: suggestions.into_iter().map(SuggestionInfo::of).collect() }))
}
