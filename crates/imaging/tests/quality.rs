//! Renditions of photographs are near what careful resampling of them would be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod shown;

use model::{Fit, RenditionFormat};
use shown::{Shown, render, shown, spec, write_png};
use testkit::photos;

const WIDTH: usize = 900;
const HEIGHT: usize = 600;

fn photo(seed: u64) -> Shown {
    let photo = photos::take(seed, WIDTH, HEIGHT);
    let pixels = photo.rgb.as_chunks::<3>().0.iter().map(|[r, g, b]| [*r, *g, *b, 255]).collect();
    Shown { width: photo.width, height: photo.height, pixels }
}

fn jpeg(photo: &Shown) -> Vec<u8> {
    let rgb: Vec<u8> = photo.pixels.iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
    let (width, height) = (photo.width, photo.height);
    let format = turbojpeg::PixelFormat::RGB;
    let image = turbojpeg::Image { pixels: &rgb[..], width, height, pitch: width * 3, format };
    turbojpeg::compress(image, 95, turbojpeg::Subsamp::Sub2x2).unwrap().to_vec()
}

#[test]
fn resizing_is_as_good_as_careful_resampling() {
    // PNG renditions show resizing alone. Numbers are rounded to 8 bits between the two directions
    // and between the links of the chain, which costs a few points of 100; a softer filter
    // or a shift by half a pixel costs more than 20.
    let photo = photo(1);
    let sizes = [
        spec("whole", 450, Fit::Inside, RenditionFormat::Png),
        spec("chained", 225, Fit::Inside, RenditionFormat::Png),
        spec("square", 128, Fit::Cover, RenditionFormat::Png),
    ];
    let rendered = render(&write_png(&photo), &sizes).unwrap();
    for (made, wanted) in rendered.renditions.iter().zip([90.0, 85.0, 80.0]) {
        let read = shown(&made.bytes);
        let score = read.likeness(&photo.resampled(read.width, read.height));
        assert!(score >= wanted, "{}: {score}", made.name);
    }
}

#[test]
fn photographs_stay_good_by_way_of_planes() {
    // Quality 80 of WebP and JPEG is about 70 on this scale ("high quality"), less on small and
    // busy pictures; 60 leaves room for the noise between photographs, while chroma that
    // is off by one sample, or a wrong range, ends below 50.
    for seed in [1, 2] {
        let photo = photo(seed);
        let bytes = jpeg(&photo);
        for format in [RenditionFormat::Webp, RenditionFormat::Jpeg] {
            let sizes = [
                spec("whole", 450, Fit::Inside, format),
                spec("chained", 225, Fit::Inside, format),
            ];
            for made in render(&bytes, &sizes).unwrap().renditions {
                let read = shown(&made.bytes);
                let score = read.likeness(&photo.resampled(read.width, read.height));
                assert!(score >= 60.0, "seed {seed}, {} as {format:?}: {score}", made.name);
            }
        }
    }
}

#[test]
fn decoding_at_a_smaller_scale_shows_the_same() {
    // 900 × 600 for a rendition of 200 is decoded at half size; a PNG of the same pixels is not.
    let photo = photo(3);
    let size = [spec("small", 200, Fit::Inside, RenditionFormat::Png)];
    let scaled = shown(&render(&jpeg(&photo), &size).unwrap().renditions[0].bytes);
    let score = scaled.likeness(&photo.resampled(scaled.width, scaled.height));
    assert!(score >= 75.0, "{score}");
}
