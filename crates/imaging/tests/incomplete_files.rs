//! Files that are not quite right: stray bytes that harm nothing, pixels that are missing, and the
//! smaller picture in a file where the large one cannot be shown.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod raw_file;
mod shown;

use fixture::fixture;
use imaging::{Error, Limits, probe, probe_within, recognise};
use model::{MediaType, Shown as Part, default_sizes};
use raw_file::{Tiff, long, short};
use shown::{drawn, render, shown};

/// Where each segment begins, up to the first scan.
fn segments(file: &[u8]) -> Vec<usize> {
    let mut at = 2;
    let mut found = Vec::new();
    loop {
        assert_eq!(file[at], 0xff);
        found.push(at);
        if file[at + 1] == 0xda {
            return found;
        }
        at += 2 + usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
    }
}

/// Where the pixels of the first scan begin.
fn pixels_at(file: &[u8]) -> usize {
    let scan = *segments(file).last().unwrap();
    scan + 2 + usize::from(u16::from_be_bytes([file[scan + 2], file[scan + 3]]))
}

#[test]
fn stray_bytes_before_any_marker_of_a_jpeg_harm_nothing() {
    for name in ["plain.jpg", "progressive.jpg", "camera.jpg", "cmyk.jpg"] {
        let file = fixture(name);
        let before = shown(&file);
        for count in [1, 2, 14, 100] {
            for at in segments(&file) {
                let mut changed = file.clone();
                changed.splice(at..at, vec![0x20; count]);
                let rendered = render(&changed, &default_sizes());
                let rendered = rendered.unwrap_or_else(|error| panic!("{name} at {at}: {error}"));
                assert_eq!(rendered.facts.shown, Part::Whole, "{name}: {count} at {at}");
                assert_eq!(shown(&changed), before, "{name}: {count} at {at}");
            }
        }
    }
}

#[test]
fn a_jpeg_that_ends_early_shows_what_is_there() {
    for name in ["plain.jpg", "progressive.jpg", "gray.jpg"] {
        let file = fixture(name);
        let scan = *segments(&file).last().unwrap();
        let cut = &file[..scan + (file.len() - scan) * 2 / 3];
        let rendered = render(cut, &default_sizes()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(rendered.facts.shown, Part::Incomplete, "{name}");
        if name == "plain.jpg" {
            let (read, whole) = (shown(cut), shown(&file));
            assert_eq!(read.at(40, 3), whole.at(40, 3));
        }
        // Nothing of the pixels, or of the head.
        for length in [pixels_at(&file), scan, 100, 3] {
            let error = render(&file[..length], &default_sizes()).unwrap_err();
            assert!(matches!(error, Error::Truncated { .. } | Error::Damaged { .. }), "{error}");
        }
    }
    assert_eq!(render(&fixture("plain.jpg"), &default_sizes()).unwrap().facts.shown, Part::Whole);
}

/// A JPEG file whose EXIF block has a smaller JPEG file in it.
fn with_thumbnail(file: &[u8], thumbnail: &[u8]) -> Vec<u8> {
    let mut block = Tiff::new(b"II\x2a\0\0\0\0\0");
    let at = block.push(thumbnail);
    let length = thumbnail.len();
    let second = block.directory(0, vec![long(513, at), long(514, length)], 0);
    let first = block.directory(0, vec![short(0x0112, 6)], second);
    let block = block.finish(first);
    let mut out = file[..2].to_vec();
    out.extend([0xff, 0xe1]);
    out.extend((8 + block.len() as u16).to_be_bytes());
    out.extend(b"Exif\0\0");
    out.extend(block);
    out.extend(&file[2..]);
    out
}

#[test]
fn the_preview_stands_for_what_cannot_be_shown() {
    let small = fixture("plain.jpg");
    let twelve_bits = std::fs::read("tests/refused/twelve-bits.jpg").unwrap();
    let file = with_thumbnail(&twelve_bits, &small);
    let found = probe(&file).unwrap();
    assert_eq!((found.media_type, found.shown), (MediaType::Jpeg, Part::Preview));
    let rendered = render(&file, &default_sizes()).unwrap();
    assert_eq!(rendered.facts.shown, Part::Preview);
    // Turned by a quarter, as the file says of its picture.
    assert_eq!((rendered.facts.width, rendered.facts.height), (48, 64));
    assert!(shown(&file).likeness(&drawn().turned(imaging::Orientation::Rotate90)) > 30.0);

    // What only the decoder finds: pixels that are missing altogether.
    let file = with_thumbnail(&fixture("gray.jpg"), &small);
    let rendered = render(&file[..pixels_at(&file)], &default_sizes()).unwrap();
    assert_eq!(rendered.facts.shown, Part::Preview);
}

#[test]
fn the_preview_stands_for_what_is_too_large() {
    let file = with_thumbnail(&fixture("cmyk.jpg"), &fixture("plain.jpg"));
    let limits = Limits { pixels: 64 * 48 - 1, ..Limits::default() };
    assert_eq!(probe_within(&file, &limits, &default_sizes()).unwrap_err().code(), "tooManyPixels");
    let mut file = with_thumbnail(&fixture("plain.jpg"), &fixture("plain.jpg"));
    let frame = segments(&file).into_iter().find(|at| file[at + 1] == 0xc0).unwrap();
    file[frame + 5..frame + 9].copy_from_slice(&[0x70, 0, 0x70, 0]);
    let limits = Limits { pixels: 10_000, ..Limits::default() };
    let found = probe_within(&file, &limits, &default_sizes()).unwrap();
    assert_eq!((found.shown, found.width, found.height), (Part::Preview, 64, 48));
}

#[test]
fn what_is_kept_but_not_shown_is_recognised_and_says_why() {
    let cases: [(&[u8], MediaType); 5] = [
        (b"II\xbc\x01\x08\0\0\0", MediaType::Jxr),
        (b"\x76\x2f\x31\x01\x02\0\0\0", MediaType::Exr),
        (b"FOVb\0\0\x02\0", MediaType::Raw),
        (b"\0MRM\0\0\x02\0", MediaType::Raw),
        (b"II\x1a\0\0\0HEAPCCDR", MediaType::Raw),
    ];
    for (start, kind) in cases {
        let file = [start, &[0; 64]].concat();
        assert_eq!(recognise(&file), Some(kind));
        let error = probe(&file).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        assert!(error.is_about_showing());
    }
    for file in [&b"%PDF-1.7\n"[..], b"<svg xmlns=", b"Dear diary, ", b"\0\0\0\x20ftypisom"] {
        assert_eq!(recognise(&[file, &[0x20; 64]].concat()), None);
    }
}
