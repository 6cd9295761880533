//! Pixels in, faces out.
//!
//! [`Faces`] finds the faces in a picture, measures how much each can be relied on, and gives each
//! a [`Vector`] that is near to others of the same person. [`grouping::Library`] makes persons of
//! the vectors of one library. Everything is a pure function of pixels, vectors and what people
//! have decided; only [`Faces::load`] and [`Models`] read files. No pixels whatsoever may make it panic.

pub mod grouping;

mod align;
mod bounds;
mod detect;
mod faces;
mod models;
mod nets;
mod pixels;
mod quality;
mod shrink;
mod vector;

pub use bounds::{Bounds, Point, Square, crop};
pub use faces::{Error, Faces, Found, LoadError, MODEL_FILES};
pub use models::Models;
pub use pixels::Pixels;
pub use quality::Quality;
pub use vector::{Similarity, Vector};
