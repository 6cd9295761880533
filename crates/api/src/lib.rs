//! The HTTP face of Ferrotype, and the only crate that knows HTTP.
//!
//! Every answer carries the request's id, every error has the shape
//! `{error:{code,message,details?,requestId}}`, and every request is counted and logged once.
//! Routes live in groups under `routes`, and the OpenAPI document is made from them.
//!
//! Nothing here may know which engines stand behind, or decide what somebody may do: what it
//! needs comes in through [`Site`], and rights are checked by `service`.

// What `#[utoipa::path]` expands to.
#![allow(unused_qualifications)]

mod app;
mod below;
mod client;
mod cors;
mod disposition;
mod error;
mod etag;
mod extract;
mod gallery;
mod html;
mod idempotency;
mod identity;
mod known_query;
mod limits;
mod observe;
mod oidc;
mod openapi;
mod paging;
mod patch;
mod public_url;
mod rate_limit;
mod request_id;
mod routes;
mod security;
mod serve;
mod settings;
mod site;
#[cfg(test)]
mod testing;

pub use client::ProxyHeader;
pub use error::{ApiError, ErrorCode, error_table};
pub use gallery::{Gallery, GalleryFile};
pub use observe::describe_metrics;
pub use oidc::{OidcSettings, check_oidc};
pub use openapi::openapi_json;
pub use public_url::{BadPublicUrl, PublicUrl};
pub use request_id::RequestId;
pub use routes::health::{Health, Part, Readiness};
pub use serve::{Drained, serve};
pub use settings::{AnswerMemory, CorsOrigins, RateLimits, RequestLimits, Settings};
pub use site::{Site, router};
