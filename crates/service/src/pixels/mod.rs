//! Serving pixels: which picture of an image is meant, who may have it, and its bytes.

mod cache;
mod demand;
mod name;
mod open;
mod url;

pub(crate) use cache::PixelCache;
pub(crate) use demand::SingleFlight;
pub use name::{BadPixelName, PixelName, PixelSource};
pub use open::{Accepts, OpenedPixels, PixelBody};
pub use url::Signature;
