//! Colours are what the profile says, in every rendition.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod shown;

use fixture::fixture;
use imaging::{ProfileKind, RenderOptions, Renderer, probe};
use model::{Fit, RenditionFormat};
use shown::{drawn, shown, spec};

type Matrix = [[f64; 3]; 3];

/// From the linear light of Display P3 and of Adobe RGB to that of sRGB.
const P3_TO_SRGB: Matrix = [
    [1.224_940, -0.224_940, 0.0],
    [-0.042_057, 1.042_057, 0.0],
    [-0.019_638, -0.078_636, 1.098_274],
];
const ADOBE_TO_SRGB: Matrix =
    [[1.398_283, -0.398_283, 0.0], [0.0, 1.0, 0.0], [0.0, -0.042_938, 1.042_938]];

fn srgb_to_light(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn light_to_srgb(light: f64) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let value =
        if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}

fn converted(rgb: [u8; 3], curve: impl Fn(f64) -> f64, matrix: &Matrix) -> [u8; 3] {
    let light = rgb.map(|channel| curve(f64::from(channel) / 255.0));
    matrix.map(|row| light_to_srgb(row.iter().zip(light).map(|(a, b)| a * b).sum()))
}

/// Looks at some places of the picture: within the square, and in the gradient. `plain` is a file
/// with the same numbers without a profile, so that what the coding loses is lost in both.
fn check(name: &str, plain: &str, convert: impl Fn([u8; 3]) -> [u8; 3], tolerance: u8) {
    let read = shown(&fixture(name));
    let original = shown(&fixture(plain));
    for (x, y) in [(8, 6), (24, 30), (40, 20), (50, 40), (32, 24)] {
        let [r, g, b, _] = original.at(x, y);
        let expected = convert([r, g, b]);
        let found = read.at(x, y);
        let off = expected.iter().zip(found).map(|(e, f)| e.abs_diff(f)).max().unwrap();
        assert!(off <= tolerance, "{name} at {x},{y}: {found:?} instead of {expected:?}");
    }
}

/// Numbers are rounded to 8 bits before they are converted, and dark ones spread.
const ROUNDED: u8 = 4;

/// What the coding of a tiny picture may be off by itself.
const LOSSY: u8 = 9;

#[test]
fn display_p3() {
    let convert = |rgb| converted(rgb, srgb_to_light, &P3_TO_SRGB);
    check("display-p3.jpg", "plain.jpg", convert, ROUNDED);
    check("display-p3.heic", "plain.heic", convert, LOSSY);
    check("icc.jxl", "plain.jxl", convert, LOSSY);
}

#[test]
fn adobe_rgb() {
    let convert = |rgb| converted(rgb, |v: f64| v.powf(563.0 / 256.0), &ADOBE_TO_SRGB);
    check("adobe-rgb.jpg", "plain.jpg", convert, ROUNDED);
    check("adobe-rgb-by-exif.jpg", "plain.jpg", convert, ROUNDED);
}

#[test]
fn inks_without_a_profile() {
    check("cmyk.tif", "big.tif", |rgb| rgb, 1);
    check("cmyk.jpg", "big.tif", |rgb| rgb, LOSSY);
}

#[test]
fn inks_with_a_profile() {
    let plain = fixture("cmyk.jpg");
    let segment = icc_segment(&profile_of_gray_inks());
    let file = [&plain[..2], &segment, &plain[2..]].concat();
    assert_eq!(probe(&file).unwrap().color_profile.kind, ProfileKind::Cmyk);
    let (read, ideal) = (shown(&file), shown(&plain));
    for (x, y) in [(8, 6), (24, 30), (40, 20), (50, 40), (32, 24)] {
        let [r, g, b, _] = read.at(x, y);
        let spread = r.max(g).max(b) - r.min(g).min(b);
        assert!(spread <= 8, "{:?} is not grey at {x},{y}", read.at(x, y));
        let brightest = ideal.at(x, y)[..3].iter().max().copied().unwrap();
        assert!(g <= brightest, "{g} is brighter than the paper between the inks, {brightest}");
    }
    assert!(read.distance(&ideal) > 10.0, "the profile was not used");
}

/// A profile of a printer whose inks are all grey: paper is white, one of the three inks alone is
/// half as light, anything more is black.
fn profile_of_gray_inks() -> Vec<u8> {
    const CORNERS: u8 = 16;
    let identity: Vec<u8> = (0..=255).collect();
    let mut table = b"mft1\0\0\0\0\x04\x03\x02\0".to_vec();
    for place in 0..9 {
        let one: i32 = if place % 4 == 0 { 1 << 16 } else { 0 };
        table.extend(one.to_be_bytes());
    }
    table.extend(identity.repeat(4));
    for inks in 0..CORNERS {
        // The last ink, black, changes fastest.
        let lightness = match (inks & 1, inks.count_ones()) {
            (0, 0) => 255,
            (0, 1) => 128,
            _ => 0,
        };
        table.extend([lightness, 128, 128]);
    }
    table.extend(identity.repeat(3));

    let (table_at, length) = (144_u32, 144 + table.len() as u32);
    let mut profile = vec![0; 128];
    profile[..4].copy_from_slice(&length.to_be_bytes());
    profile[8..12].copy_from_slice(&[2, 0x40, 0, 0]);
    profile[12..24].copy_from_slice(b"prtrCMYKLab ");
    profile[36..40].copy_from_slice(b"acsp");
    // The light of the profile connection space, D50.
    for (place, number) in [(68, 0xF6D6_u32), (72, 0x1_0000), (76, 0xD32D)] {
        profile[place..place + 4].copy_from_slice(&number.to_be_bytes());
    }
    profile.extend(1_u32.to_be_bytes());
    profile.extend(b"A2B0");
    profile.extend(table_at.to_be_bytes());
    profile.extend((table.len() as u32).to_be_bytes());
    profile.extend(table);
    profile
}

fn icc_segment(profile: &[u8]) -> Vec<u8> {
    let body = [b"ICC_PROFILE\0\x01\x01", profile].concat();
    let length = u16::try_from(body.len() + 2).unwrap().to_be_bytes();
    [&[0xFF, 0xE2], &length[..], &body].concat()
}

#[test]
fn gray_with_a_curve() {
    let read = shown(&fixture("gray.jpg"));
    let original = drawn();
    for (x, y) in [(8, 6), (24, 30), (40, 20), (50, 40)] {
        let [r, g, b, _] = original.at(x, y).map(f64::from);
        let lightness = 0.299 * r + 0.587 * g + 0.114 * b;
        let expected = light_to_srgb((lightness / 255.0).powf(2.2));
        let found = read.at(x, y);
        assert!(found[0] == found[1] && found[1] == found[2], "{found:?}");
        assert!(found[0].abs_diff(expected) <= LOSSY, "{} instead of {expected}", found[0]);
    }
}

#[test]
fn wide_colours_are_kept_when_asked() {
    let bytes = fixture("display-p3.jpg");
    let found = probe(&bytes).unwrap();
    let options = RenderOptions { keep_wide_gamut: true, ..RenderOptions::default() };
    for format in [RenditionFormat::Webp, RenditionFormat::Jpeg, RenditionFormat::Png] {
        let size = [spec("x", 64, Fit::Inside, format)];
        let rendered = Renderer::new().render(&bytes, &found, &size, &options).unwrap();
        let kept = &rendered.renditions[0].bytes;
        assert_eq!(probe(kept).unwrap().color_profile.kind, ProfileKind::DisplayP3, "{format:?}");
        // Seen through its profile, it is the same picture as the one that was converted.
        assert!(shown(kept).distance(&shown(&bytes)) < 4.0, "{format:?}");
    }
}
