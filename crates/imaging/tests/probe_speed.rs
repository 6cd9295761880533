//! The probe of a photo takes microseconds: it reads the header and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;

use std::time::{Duration, Instant};

use fixture::fixture;
use imaging::probe;

/// 12 megapixels with a camera's EXIF data and a profile.
fn photo() -> Vec<u8> {
    let (width, height) = (4000, 3000);
    let pixels: Vec<u8> =
        (0..3 * width * height).map(|i| (i / 3 % 251 + i % 3 * 40) as u8).collect();
    let image = turbojpeg::Image {
        pixels,
        width,
        pitch: 3 * width,
        height,
        format: turbojpeg::PixelFormat::RGB,
    };
    let plain = turbojpeg::compress(image.as_deref(), 85, turbojpeg::Subsamp::Sub2x2).unwrap();
    let mut file = plain[..2].to_vec();
    file.extend(segments_of("camera.jpg", 0xe1));
    file.extend(segments_of("display-p3.jpg", 0xe2));
    file.extend(&plain[2..]);
    file
}

/// The segments of a fixture that have a marker.
fn segments_of(name: &str, marker: u8) -> Vec<u8> {
    let file = fixture(name);
    let at = file.windows(2).position(|pair| pair == [0xff, marker]).expect("a segment");
    let length = usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
    file[at..at + 2 + length].to_vec()
}

#[test]
fn a_photo_of_12_megapixels_in_less_than_100_microseconds() {
    let file = photo();
    let found = probe(&file).unwrap();
    assert_eq!((found.width, found.height), (4000, 3000));
    assert!(found.exif.is_some() && found.color_profile.icc.is_some());
    let mut times: Vec<Duration> = (0..2_000)
        .map(|_| {
            let started = Instant::now();
            std::hint::black_box(probe(std::hint::black_box(&file))).unwrap();
            started.elapsed()
        })
        .collect();
    times.sort();
    let (median, slowest) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!("{} bytes: median {median:?}, 99 of 100 within {slowest:?}", file.len());
    assert!(median < Duration::from_micros(100), "median {median:?}");
}
