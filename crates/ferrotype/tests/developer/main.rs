//! A developer's first hour: what the documents say, as typed; the description, as programs read
//! it; and clients made from it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod clients;
mod description;
mod documents;
mod fences;
mod readme;
mod site;
