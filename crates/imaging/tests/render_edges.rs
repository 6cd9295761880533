//! Images at the edge of what there is, and beyond.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod bombs;
mod fixture;
mod raw_file;
mod shown;

use std::time::{Duration, Instant};

use fixture::{fixture, fixtures};
use imaging::{Limits, RenderOptions, Renderer, TransformRequest, TransformRules, probe};
use model::{Fit, MediaType, RenditionFormat, Shown as Part, default_sizes};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shown::{Shown, render, shown, write_png};

/// Of these, what there is of a file that ends early is shown, as `docs/formats.md` says.
const SHOWN_IN_PART: [MediaType; 5] =
    [MediaType::Jpeg, MediaType::Jp2, MediaType::Bmp, MediaType::Tga, MediaType::Psd];

fn sizes_of(bytes: &[u8]) -> Vec<(u32, u32)> {
    let rendered = render(bytes, &default_sizes()).unwrap();
    let size = |made: &imaging::RenderedSize| {
        let found = probe(&made.bytes).unwrap();
        assert_eq!((found.width, found.height), (made.rendition.width, made.rendition.height));
        (found.width, found.height)
    };
    rendered.renditions.iter().map(size).collect()
}

fn plain(width: usize, height: usize) -> Shown {
    Shown::from_fn(width, height, |x, y| [(x % 251) as u8, (y % 241) as u8, 90, 255])
}

#[test]
fn a_pixel_stays_a_pixel() {
    assert_eq!(sizes_of(&write_png(&plain(1, 1))), [(1, 1); 4]);
    for format in [RenditionFormat::Webp, RenditionFormat::Avif, RenditionFormat::Jpeg] {
        let one = shown::spec("x", 9, Fit::Inside, format);
        let rendered = render(&write_png(&plain(1, 1)), &[one]).unwrap();
        let [r, g, b, _] = shown(&rendered.renditions[0].bytes).at(0, 0);
        assert!(r < 12 && g < 12 && b.abs_diff(90) < 12, "{format:?}: {r} {g} {b}");
    }
}

#[test]
fn lines_stay_lines() {
    let down = [(1, 1), (1, 640), (1, 1280), (1, 2048)];
    let across = [(1, 1), (640, 1), (1280, 1), (2048, 1)];
    assert_eq!(sizes_of(&write_png(&plain(1, 20_000))), down);
    assert_eq!(sizes_of(&write_png(&plain(20_000, 1))), across);
    for (width, height, expected) in [(1, 20_000, down), (20_000, 1, across)] {
        let rgb = vec![77; width * height * 3];
        let format = turbojpeg::PixelFormat::RGB;
        let image = turbojpeg::Image { pixels: &rgb[..], width, height, pitch: width * 3, format };
        let jpeg = turbojpeg::compress(image, 90, turbojpeg::Subsamp::Sub2x2).unwrap();
        assert_eq!(sizes_of(&jpeg), expected);
    }
}

#[test]
fn nothing_is_enlarged() {
    assert_eq!(
        sizes_of(&write_png(&plain(100, 300))),
        [(100, 100), (100, 300), (100, 300), (100, 300)]
    );
    assert_eq!(sizes_of(&fixture("plain.jpg"))[1..], [(64, 48); 3]);
}

#[test]
fn half_of_a_file_is_shown_as_incomplete_or_ends_in_an_error() {
    let mut incomplete = Vec::new();
    // The first frame of an animation may be whole in half of it.
    for (name, bytes) in fixtures().into_iter().filter(|(name, _)| !name.starts_with("animated")) {
        // What is missing at the very end may be padding or metadata; half of a file never is.
        let cut = &bytes[..bytes.len() / 2];
        match render(cut, &default_sizes()) {
            Ok(rendered) => {
                let kind = probe(&bytes).unwrap().media_type;
                assert!(SHOWN_IN_PART.contains(&kind), "{name}: half of it renders");
                assert_eq!(rendered.facts.shown, Part::Incomplete, "{name}");
                incomplete.push(name);
            }
            Err(error) => {
                let code = error.code();
                let fits = ["truncatedImage", "damagedImage", "unsupportedImage"].contains(&code);
                assert!(fits, "{name}: {error}");
            }
        }
    }
    for name in ["alpha.jp2", "plain.jp2", "plain.j2k", "plain.bmp", "progressive.jpg"] {
        assert!(incomplete.iter().any(|found| found == name), "{name} shows nothing");
    }
}

#[test]
fn flipped_bits_end_in_a_picture_or_an_error() {
    let seed = testkit::seed::seed_from_env_or_random("render_edges");
    let mut random = StdRng::seed_from_u64(seed);
    let options = RenderOptions {
        limits: Limits { pixels: 1 << 20, decoded_bytes: 128 << 20, ..Limits::default() },
        ..RenderOptions::default()
    };
    let mut renderer = Renderer::new();
    for (name, bytes) in fixtures() {
        for round in 0..6 {
            let mut damaged = bytes.clone();
            for _ in 0..=round {
                let at = random.random_range(0..damaged.len());
                damaged[at] ^= 1 << random.random_range(0..8);
            }
            let started = Instant::now();
            if let Ok(found) = probe(&damaged) {
                let _ = renderer.render(&damaged, &found, &default_sizes(), &options);
            }
            assert!(started.elapsed() < Duration::from_secs(20), "{name} with seed {seed}");
        }
    }
}

#[test]
fn bombs_go_off_harmlessly() {
    for (name, bytes, _) in bombs::bombs() {
        let started = Instant::now();
        let result = render(&bytes, &default_sizes());
        let took = started.elapsed();
        assert!(took < Duration::from_secs(20), "{name} took {took:?}: {:?}", result.err());
    }
}

#[test]
fn limits_are_checked_before_decoding() {
    let bytes = fixture("plain.jpg");
    let found = probe(&bytes).unwrap();
    let code = |limits| {
        let options = RenderOptions { limits, ..RenderOptions::default() };
        let result = Renderer::new().render(&bytes, &found, &default_sizes(), &options);
        result.unwrap_err().code()
    };
    let limits = Limits::default();
    assert_eq!(code(Limits { bytes: 100, ..limits }), "tooManyBytes");
    assert_eq!(code(Limits { pixels: 100, ..limits }), "tooManyPixels");
    assert_eq!(code(Limits { side: 50, ..limits }), "sideTooLong");
    assert_eq!(code(Limits { decoded_bytes: 100, ..limits }), "tooMuchMemory");
}

#[test]
fn transforms_on_demand() {
    let bytes = write_png(&plain(800, 600));
    let found = probe(&bytes).unwrap();
    let rules = TransformRules::default();
    let mut renderer = Renderer::new();
    let mut made = |request: TransformRequest| {
        let transform = rules.check(request).unwrap();
        let made = renderer.transform(&bytes, &found, &transform, &RenderOptions::default());
        let made = made.unwrap();
        assert_eq!(
            probe(&made.bytes).unwrap().display_size(),
            (made.rendition.width, made.rendition.height)
        );
        (made.rendition.width, made.rendition.height, made.rendition.format)
    };
    let request = TransformRequest::default();
    let webp = RenditionFormat::Webp;
    assert_eq!(made(TransformRequest { width: Some(256), ..request }), (256, 192, webp));
    assert_eq!(made(TransformRequest { height: Some(384), ..request }), (512, 384, webp));
    assert_eq!(made(TransformRequest { width: Some(2048), ..request }), (800, 600, webp));
    let square = TransformRequest {
        width: Some(128),
        height: Some(128),
        fit: Fit::Cover,
        format: Some(RenditionFormat::Jpeg),
        quality: Some(60),
    };
    assert_eq!(made(square), (128, 128, RenditionFormat::Jpeg));
}
