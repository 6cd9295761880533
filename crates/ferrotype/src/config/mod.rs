//! Configuration: a file, the environment and flags, in this order of increasing precedence.
//!
//! [`RawConfig`] collects texts and remembers where each comes from; [`Config`] is what they
//! mean, and cannot be wrong. Whatever is wrong is said all at once, with its place.

mod accounts;
#[cfg(test)]
mod document;
mod environment;
mod error;
mod file;
mod flags;
mod http;
mod images;
mod parse;
mod people;
mod raw;
mod setting;
mod suggest;
mod validate;

pub use error::{ConfigError, ConfigErrors};
pub use flags::SettingFlags;
pub use images::{ImageConfig, WorkerConfig};
pub use parse::{byte_limit, duration, image_limit};
pub use people::{PeopleConfig, PeopleWanted};
pub use raw::{Origin, RawConfig, Surroundings};
pub use setting::{SETTINGS, Setting, find_setting};
pub use validate::{BlobConfig, Config, LogConfig, LogFormat, TableConfig, shown};
