//! RAW files are shown by their largest JPEG preview.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod raw_file;

use fixture::fixture;
use imaging::{Orientation, probe};
use model::MediaType;
use raw_file::{Tiff, long, raw_files, short, text};

#[test]
fn the_largest_preview_is_found() {
    for (name, file) in raw_files() {
        let probe = probe(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(probe.media_type, MediaType::Raw, "{name}");
        assert_eq!((probe.width, probe.height), (64, 48), "{name}");
        let preview = &file[probe.preview.clone().expect(name)];
        let expected =
            if name == "raf" { fixture("orientation-6.jpg") } else { raw_file::preview() };
        assert_eq!(preview, expected, "{name}");
    }
}

#[test]
fn camera_and_orientation_are_those_of_the_file() {
    for (name, file) in raw_files() {
        let probe = probe(&file).unwrap();
        assert_eq!(probe.orientation, Orientation::Rotate90, "{name}");
        let camera = probe.exif.and_then(|exif| exif.camera);
        let expected = match name {
            "dng" => "Ferrotype Model D",
            "cr2" => "Canon Model C",
            "nef" => "NIKON N",
            "arw" => "SONY ILCE-F",
            "orf" => "OLYMPUS CORPORATION E-F",
            "rw2" => "Panasonic DMC-F",
            "raf" => "Ferrotype Model F",
            _ => "Canon EOS F",
        };
        assert_eq!(camera.as_deref(), Some(expected), "{name}");
    }
}

#[test]
fn a_raw_file_without_a_preview_is_not_supported() {
    let mut file = Tiff::new(b"II\x2a\0\0\0\0\0");
    let values = vec![text(0x010f, "Maker"), short(0x0106, 32_803), long(0x0100, 6000)];
    let first = file.directory(0, values, 0);
    assert_eq!(probe(&file.finish(first)).unwrap_err().code(), "unsupportedImage");
}

#[test]
fn directories_in_a_circle_end() {
    let mut file = Tiff::new(b"II\x2a\0\0\0\0\0");
    // Offsets of the two directories: 8, and 8 + 2 + 2 entries + 4.
    let values = vec![short(0x0106, 32_803), long(0x014a, 38)];
    let first = file.directory(0, values.clone(), 38);
    let second = file.directory(0, values, first);
    assert_eq!((first, second), (8, 38));
    assert_eq!(probe(&file.finish(first)).unwrap_err().code(), "unsupportedImage");
}
