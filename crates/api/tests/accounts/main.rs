//! Accounts and access over HTTP: set-up, sign-in, keys, invitations, administration, pages.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod access;
mod administration;
mod pages;
mod passkeys;
mod people;
mod signing_in;
