//! The two networks, run by hand.
//!
//! Both are chains of three kinds of layers, so that a general runtime would bring sixty crates to
//! be slower (see ADR 17). Pictures are rows of pixels of channels, which is how these layers read
//! fastest; weights come from the ONNX files, whose SHA-256 has been checked before anything here
//! sees them.

mod depthwise;
mod full;
mod onnx;
mod pointwise;
mod sface;
mod yunet;

pub(crate) use sface::{FACE, SFace};
pub(crate) use yunet::{Candidate, YuNet};

pub(crate) use onnx::Weights;

/// Why weights cannot be used.
pub(crate) type Unusable = String;

/// What becomes of negative numbers after a layer: multiplied by the channel's own slope. All kinds
/// of both networks are this.
fn slopes(kind: Slope, channels: usize) -> Vec<f32> {
    match kind {
        Slope::Keep => vec![1.0; channels],
        Slope::Cut => vec![0.0; channels],
        Slope::Learnt(slopes) => slopes,
    }
}

enum Slope {
    /// No activation.
    Keep,
    /// ReLU.
    Cut,
    /// PReLU.
    Learnt(Vec<f32>),
}
