//! The real program, where it keeps things, and somebody who talks to it.
#![allow(dead_code, reason = "each test binary uses a part")]

pub mod client;
pub mod described;
pub mod exiftool;
pub mod files;
pub mod portraits;
pub mod program;
pub mod stores;
