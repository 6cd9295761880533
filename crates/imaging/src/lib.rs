//! Bytes in, facts and renditions out.
//!
//! [`probe`] tells what a file is without decoding a pixel, [`Probe::check`] says whether it is
//! within the [`Limits`], and a [`MemoryBudget`] admits it when there is memory for it. Nothing
//! here reads a file, a socket or a clock, and no bytes whatsoever may make it panic.

mod allocators;
mod color;
mod decode;
mod encode;
mod error;
mod exif;
mod limits;
mod media_type;
mod memory_budget;
pub mod metadata;
mod orientation;
mod picture;
mod placeholder;
mod probe;
mod read;
mod render;
mod resize;
mod tiff;
mod transform;
mod webp;

pub use error::Error;
pub use limits::Limits;
pub use media_type::sniff;
pub use memory_budget::{MemoryBudget, Permit};
pub use orientation::Orientation;
pub use probe::{ColorModel, ColorProfile, Probe, ProfileKind, probe, probe_within, recognise};
pub use render::{Part, Raster, RenderOptions, Rendered, RenderedSize, Renderer, sha256};
pub use transform::{Transform, TransformRequest, TransformRules};
