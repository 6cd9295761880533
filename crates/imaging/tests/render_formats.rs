//! Every format in, every format out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod shown;

use fixture::{fixture, fixtures};
use imaging::{RenderOptions, Renderer, probe, sha256};
use model::{Fit, RenditionFormat};
use shown::{drawn, drawn_with_shift, render, shown, spec};

const OUTPUTS: [RenditionFormat; 4] =
    [RenditionFormat::Webp, RenditionFormat::Avif, RenditionFormat::Jpeg, RenditionFormat::Png];

#[test]
fn every_format_becomes_every_format() {
    // Lossy files of this tiny picture with its hard red edge score only 35 to 75 by themselves
    // (chroma is stored at half size), so that is what they can have; those without loss must be
    // all but identical. A wrong matrix, range or channel order scores below 0.
    let inputs = [
        ("plain.jpg", 30.0),
        ("progressive.jpg", 30.0),
        ("lossy.webp", 30.0),
        ("plain.avif", 30.0),
        ("plain.heic", 30.0),
        ("plain.jxl", 55.0),
        ("big.tif", 99.0),
        ("plain.gif", 30.0),
        ("cmyk.tif", 99.0),
        ("cmyk.jpg", 30.0),
    ];
    for (name, faithful) in inputs {
        let bytes = fixture(name);
        let read = shown(&bytes);
        let score = read.likeness(&drawn());
        assert!(score >= faithful, "{name} is read as something else: {score}");
        let sizes = OUTPUTS
            .map(|format| spec(&format!("{format:?}").to_lowercase(), 64, Fit::Inside, format));
        // Each on its own, since a set of WebP and JPEG alone takes the way through planes.
        for size in sizes {
            let rendered = render(&bytes, std::slice::from_ref(&size)).unwrap();
            let score = shown(&rendered.renditions[0].bytes).likeness(&read);
            let wanted = match (name, size.format()) {
                (_, RenditionFormat::Png) => 99.9,
                // Its dots of few colours are noise to a lossy encoder.
                ("plain.gif", _) => 15.0,
                _ => 30.0,
            };
            assert!(score >= wanted, "{name} as {:?}: {score}", size.format());
        }
    }
}

#[test]
fn a_bitmap_is_read() {
    let read = shown(&fixture("plain.bmp"));
    assert_eq!((read.width, read.height), (32, 24));
    assert!(read.distance(&drawn().resampled(32, 24)) < 3.0);
}

#[test]
fn every_fixture_renders() {
    for (name, bytes) in fixtures() {
        let rendered = render(&bytes, &model::default_sizes());
        let rendered = rendered.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(rendered.renditions.len(), 4, "{name}");
        let facts = &rendered.facts;
        assert!(facts.thumbhash.is_some() && facts.perceptual_hash.is_some(), "{name}");
        for made in &rendered.renditions {
            let again = probe(&made.bytes).unwrap();
            let size = (made.rendition.width, made.rendition.height);
            assert_eq!(again.display_size(), size, "{name} {}", made.name);
            assert_eq!(made.rendition.size_bytes, made.bytes.len() as i64);
        }
    }
}

#[test]
fn opacity_is_kept() {
    for name in
        ["alpha.png", "alpha.tif", "alpha.avif", "alpha.heic", "alpha.jxl", "lossless-alpha.webp"]
    {
        for format in [RenditionFormat::Webp, RenditionFormat::Avif, RenditionFormat::Png] {
            let rendered = render(&fixture(name), &[spec("x", 64, Fit::Inside, format)]).unwrap();
            let read = shown(&rendered.renditions[0].bytes);
            for x in [0, 10, 32, 63] {
                let alpha = read.at(x, 24)[3];
                assert!(alpha.abs_diff((x * 4) as u8) <= 6, "{name} as {format:?} at {x}: {alpha}");
            }
        }
    }
}

#[test]
fn formats_without_opacity_are_on_white() {
    let jpeg = [spec("x", 64, Fit::Inside, RenditionFormat::Jpeg)];
    let rendered = render(&fixture("alpha.png"), &jpeg).unwrap();
    let read = shown(&rendered.renditions[0].bytes);
    let [r, g, b, _] = read.at(1, 40);
    assert!(r > 240 && g > 240 && b > 240, "{r} {g} {b}");
}

#[test]
fn sixteen_bits_become_eight() {
    // A gradient from 0 to 255 of 65,535: all but black.
    for name in ["gray-16.png", "gray-16.tif", "gray-16.jxl"] {
        let read = shown(&fixture(name));
        assert!(read.pixels.iter().all(|[r, g, b, _]| r.max(g).max(b) <= &1), "{name}");
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 2, 1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Sixteen);
    let mut writer = encoder.write_header().unwrap();
    let samples = [0x8000_u16, 0x4000, 0xffff, 0x0180, 0x00ff, 0x0000];
    let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_be_bytes()).collect();
    writer.write_image_data(&bytes).unwrap();
    writer.finish().unwrap();
    assert_eq!(shown(&file).pixels, [[128, 64, 255, 255], [1, 1, 0, 255]]);
    let deep = shown(&fixture("deep.heic"));
    assert!(deep.likeness(&drawn()) > 30.0);
}

#[test]
fn animations_keep_moving() {
    for (name, frames) in [("animated.gif", 5), ("animated.webp", 4)] {
        let bytes = fixture(name);
        let rendered = render(&bytes, &model::default_sizes()).unwrap();
        assert!(rendered.facts.animated);
        for made in &rendered.renditions {
            assert_eq!(probe(&made.bytes).unwrap().frames, frames, "{name} {}", made.name);
        }
        let first = shown(&rendered.renditions[3].bytes);
        assert!(first.distance(&drawn_with_shift(0)) < 8.0, "{name}");
    }
}

#[test]
fn other_formats_show_the_first_frame() {
    let sizes = [
        spec("still", 64, Fit::Inside, RenditionFormat::Jpeg),
        spec("moving", 64, Fit::Inside, RenditionFormat::Webp),
    ];
    let rendered = render(&fixture("animated.gif"), &sizes).unwrap();
    let frames = rendered.renditions.iter().map(|made| probe(&made.bytes).unwrap().frames);
    assert_eq!(frames.collect::<Vec<_>>(), [1, 5]);
    assert!(shown(&rendered.renditions[0].bytes).distance(&drawn()) < 8.0);
}

#[test]
fn animations_with_too_many_frames_stand_still() {
    let bytes = fixture("animated.gif");
    let options = RenderOptions { moving_frames_max: 4, ..RenderOptions::default() };
    let found = probe(&bytes).unwrap();
    let rendered = Renderer::new().render(&bytes, &found, &model::default_sizes(), &options);
    let rendered = rendered.unwrap();
    assert!(rendered.facts.animated);
    assert!(rendered.renditions.iter().all(|made| probe(&made.bytes).unwrap().frames == 1));
}

#[test]
fn nothing_of_the_metadata_reaches_a_rendition() {
    for name in
        ["camera.jpg", "camera.jxl", "extended.webp", "plain.png", "plain.tif", "display-p3.jpg"]
    {
        let bytes = fixture(name);
        for format in OUTPUTS {
            let rendered = render(&bytes, &[spec("x", 64, Fit::Inside, format)]).unwrap();
            let file = &rendered.renditions[0].bytes;
            for secret in [
                "Exif",
                "EXIF",
                "GPS",
                "eXIf",
                "Ferrotype",
                "http://ns.adobe.com",
                "ICC_PROFILE",
                "ICCP",
                "iCCP",
            ] {
                let found = file.windows(secret.len()).any(|part| part == secret.as_bytes());
                assert!(!found, "{name} as {format:?} has {secret:?}");
            }
            let again = probe(file).unwrap();
            assert_eq!((again.exif, again.color_profile.icc), (None, None), "{name} as {format:?}");
        }
    }
}

#[test]
fn the_checksum_is_that_of_the_file() {
    let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(sha256(b"abc").as_str(), known);
}
