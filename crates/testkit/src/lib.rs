//! What tests and benchmarks run against: real servers on free loopback ports, a proxy that
//! injects faults, a private PostgreSQL cluster, photo-like pixels, passkeys in software, printed
//! seeds, waiting with a deadline.
//!
//! For development only: no shipped crate may depend on it. Whatever a test cannot go on without
//! panics here, with a message that says what to do.
#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot be set up must fail loudly"
)]

pub mod authenticator;
pub mod fault_proxy;
pub mod faults;
mod leash;
pub mod listing;
pub mod photos;
pub mod postgres;
pub mod seed;
pub mod servers;
pub mod wait;
