//! The description of the API, made from the routes themselves.
//!
//! A route says what is true of it alone. What follows from its shape, such as errors, headers and
//! examples, is added here to all of them, so that none is forgotten.

mod examples;
mod headers;
mod names;
mod parameters;
mod shapes;
mod values;
mod walk;

use serde_json::{Value, json};
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
        contact(name = "Whoever runs this installation"),
        license(name = "Apache-2.0 OR MIT", identifier = "Apache-2.0 OR MIT")
    ),
    servers((url = "/", description = "This installation.")),
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
        .description(Some("An API key (`ftk_…`), a session's token (`fts_…`), or a token of the configured issuer."))
        .build();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    let cookie = ApiKey::Cookie(ApiKeyValue::with_description(
        "ferrotype_session",
        "The session of a browser.",
    ));
    components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    document
}

/// Adds what follows from each route, step by step.
fn complete(mut document: OpenApi) -> Value {
    name_wildcards(&mut document);
    idempotency::describe(&mut document);
    add_common_answers(&mut document);
    // A document of plain values can always be written; sorted, so that equal ones are equal text.
    let mut document = serde_json::to_value(document).unwrap_or_default();
    names::say_verb_and_noun(&mut document);
    shapes::name_what_lists_hold(&mut document);
    shapes::merge_optional_parts(&mut document);
    shapes::drop_empty_defaults(&mut document);
    shapes::fill_the_form(&mut document);
    values::say_what_values_can_be(&mut document);
    parameters::add_common_parameters(&mut document);
    headers::add_headers(&mut document);
    walk::each_operation(&mut document, |_, operation| {
        describe(operation);
        shapes::say_what_is_bytes(operation);
    });
    examples::add_examples(&mut document);
    shapes::drop_unused(&mut document);
    document
}

/// What a route does not say is still to be said: that nobody has to sign in, and what it does.
fn describe(operation: &mut walk::Object) {
    operation.entry("security").or_insert_with(|| json!([]));
    let summary = walk::text(operation.get("summary")).to_owned();
    operation.entry("description").or_insert_with(|| format!("{summary}.").into());
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
    let mut text = serde_json::to_string_pretty(&complete(document)).unwrap_or_default();
    text.push('\n');
    text
}
