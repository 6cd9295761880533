//! What the benchmarks have in common: the machine, the images, numbers for people, targets.

#![allow(dead_code, reason = "each benchmark uses some of it")]

pub mod bulk_load;
pub mod dice;
pub mod format;
pub mod images;
pub mod machine;
pub mod photo_file;
pub mod repository;
pub mod smoke;
pub mod spread;
pub mod targets;

/// Tells whoever waits how far it is.
pub fn say(what: std::fmt::Arguments<'_>) {
    eprintln!("bench: {what}");
}
