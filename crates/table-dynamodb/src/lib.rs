//! The [`Table`](table::Table) engine on Amazon DynamoDB and servers that speak its API.
//!
//! DynamoDB decides every condition itself, in one request; this crate only translates. What
//! it adds is what the service leaves to its callers: retries that never apply a change
//! twice, items past their `ttl` that are absent at once, and errors by what the caller can
//! do. It must never decide by the text of a server's message, and never know what rows mean.

mod attribute;
mod batch;
mod capacity;
mod config;
mod connect;
mod create;
mod describe;
mod engine;
mod expression;
mod fault;
mod feature;
mod increment;
mod operation;
mod read;
mod retry;
mod transact;

pub use config::{Config, Credentials, RetryPolicy};
pub use connect::OpenError;
pub use create::{CreateOptions, CreateReport, Encryption};
pub use engine::DynamoTable;
pub use feature::{Feature, Warning};
