//! No bytes whatsoever make the probe panic, overflow or take more than it may.
#![no_main]

use imaging::{Limits, probe};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(probe) = probe(bytes) else { return };
    assert!(probe.width > 0 && probe.height > 0 && probe.frames > 0);
    assert_eq!(probe.size_bytes, bytes.len() as u64);
    if let Some(preview) = &probe.preview {
        assert!(bytes.get(preview.clone()).is_some(), "a preview outside of the file");
    }
    let profile = probe.color_profile.icc.as_ref().map_or(0, Vec::len);
    assert!(profile <= 4 << 20, "a profile of {profile} bytes");
    let _ = (probe.check(&Limits::default(), &[]), probe.decoded_bytes(&[]), probe.display_size());
});
