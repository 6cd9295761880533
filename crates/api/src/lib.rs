//! The HTTP face of Ferrotype, and the only crate that knows HTTP.
//!
//! Every answer carries the request's id, every error has the shape
//! `{error:{code,message,requestId}}`, and every request is counted and logged once.
//!
//! Nothing here may know which engines stand behind: what it needs from them comes in
//! through [`Site`].

mod about;
mod error;
mod health;
mod observe;
mod request_id;
mod serve;
mod site;

pub use error::{ApiError, ErrorCode};
pub use health::{Health, Part, Readiness};
pub use observe::describe_metrics;
pub use request_id::RequestId;
pub use serve::{Drained, serve};
pub use site::{Site, router};
