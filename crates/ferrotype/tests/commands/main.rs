//! The real program, started as its users start it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod backup;
mod configuration;
mod distributed;
mod photos;
mod program;
mod serve;
mod users;
