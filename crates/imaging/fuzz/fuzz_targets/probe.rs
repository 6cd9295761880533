//! No bytes whatsoever make the probe panic, overflow or take more than it may.
//!
//! The modules are those of the crate, without its codecs: built in a minute, and instrumented.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the rest of the crate uses it")]

#[path = "../../src/error.rs"]
mod error;
#[path = "../../src/exif.rs"]
mod exif;
#[path = "../../src/limits.rs"]
mod limits;
#[path = "../../src/media_type.rs"]
mod media_type;
#[path = "../../src/orientation.rs"]
mod orientation;
#[path = "../../src/probe/mod.rs"]
mod probe;
#[path = "../../src/read.rs"]
mod read;
#[path = "../../src/tiff.rs"]
mod tiff;

use error::Error;
use libfuzzer_sys::fuzz_target;
use limits::Limits;
use media_type::sniff;
use orientation::Orientation;
use probe::Probe;

fuzz_target!(|bytes: &[u8]| {
    let Ok(probe) = probe::probe(bytes) else { return };
    assert!(probe.width > 0 && probe.height > 0 && probe.frames > 0);
    assert_eq!(probe.size_bytes, bytes.len() as u64);
    if let Some(preview) = &probe.preview {
        assert!(bytes.get(preview.clone()).is_some(), "a preview outside of the file");
    }
    let profile = probe.color_profile.icc.as_ref().map_or(0, Vec::len);
    assert!(profile <= 4 << 20, "a profile of {profile} bytes");
    let _ = (probe.check(&Limits::default(), &[]), probe.decoded_bytes(&[]), probe.display_size());
});
