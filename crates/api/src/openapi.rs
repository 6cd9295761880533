//! The description of the API, made from the routes themselves.

use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};

use crate::error::{ErrorAnswer, add_common_answers};
use crate::{idempotency, routes};

/// The tags by which routes are grouped.
pub(crate) mod tag {
    pub(crate) const ACCOUNTS: &str = "accounts";
    pub(crate) const ADMIN: &str = "admin";
    pub(crate) const ALBUMS: &str = "albums";
    pub(crate) const CHANGES: &str = "changes";
    pub(crate) const IMAGES: &str = "images";
    pub(crate) const LINKS: &str = "links";
    pub(crate) const PERSONS: &str = "persons";
    pub(crate) const PIXELS: &str = "pixels";
    pub(crate) const SEARCH: &str = "search";
    pub(crate) const SERVICE: &str = "service";
    pub(crate) const TAGS: &str = "tags";
    pub(crate) const UPLOADS: &str = "uploads";
}

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Ferrotype",
        description = "An image service. Errors have one shape and stable codes; lists are paged \
                       by opaque cursors; what can be changed carries a version.",
        license(name = "Apache-2.0 OR MIT")
    ),
    components(schemas(ErrorAnswer)),
    tags(
        (name = tag::SERVICE, description = "What this installation offers, and how it is."),
        (name = tag::ACCOUNTS, description = "Signing in, one's own account, sessions and API keys."),
        (name = tag::IMAGES, description = "Finding, reading, changing and deleting images."),
        (name = tag::ALBUMS, description = "Albums, their images, and who may see them."),
        (name = tag::PERSONS, description = "Who is in the photos, and what is said about that."),
        (name = tag::TAGS, description = "Tags of each author and of everyone, and favourites."),
        (name = tag::SEARCH, description = "Finding images by what is written and known of them."),
        (name = tag::LINKS, description = "Links for people without an account, and what these see."),
        (name = tag::UPLOADS, description = "Uploads that can be resumed, and uploads straight to storage."),
        (name = tag::PIXELS, description = "The bytes of images and renditions."),
        (name = tag::CHANGES, description = "What happened, in order."),
        (name = tag::ADMIN, description = "What only administrators may.")
    )
)]
struct Base;

/// An empty document: what is true of all routes.
pub(crate) fn base() -> OpenApi {
    let mut document = Base::openapi();
    let components = document.components.get_or_insert_default();
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An API key, or a token of the configured issuer."))
        .build();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    let cookie = ApiKey::Cookie(ApiKeyValue::with_description(
        "ferrotype_session",
        "The session of a browser.",
    ));
    components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    document
}

/// Adds what follows from each route.
pub(crate) fn complete(mut document: OpenApi) -> OpenApi {
    name_wildcards(&mut document);
    idempotency::describe(&mut document);
    add_common_answers(&mut document);
    document
}

/// OpenAPI has no word for a parameter that spans several parts of a path.
fn name_wildcards(document: &mut OpenApi) {
    let paths = std::mem::take(&mut document.paths.paths);
    let named = paths.into_iter().map(|(path, item)| (path.replace("{*", "{"), item));
    document.paths.paths = named.collect();
}

/// The OpenAPI document as JSON, as it is served and kept in `docs/openapi.json`.
pub fn openapi_json() -> String {
    let (_, document) = routes::all(&crate::Settings::default()).split_for_parts();
    to_json(document)
}

pub(crate) fn to_json(document: OpenApi) -> String {
    // A document of plain values can always be written; sorted, so that equal ones are equal text.
    let value = serde_json::to_value(complete(document)).unwrap_or_default();
    let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
    text.push('\n');
    text
}
