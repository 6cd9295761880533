//! The real program, started as its users start it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod backup;
mod configuration;
mod crash;
mod distributed;
mod doctor;
mod faces;
mod full_disk;
mod gate;
mod metadata;
mod proxied;
mod resuming;
mod serve;
mod upload;
mod users;
mod work;

use support::program;
