//! Pictures that are made smaller while they are decoded show what they would show if they were
//! decoded whole first.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod shown;

use fixture::fixtures;
use imaging::{Orientation, probe};
use model::{Fit, RenditionFormat, SizeSpec};
use shown::{Shown, render, shown, spec};
use testkit::photos;

fn small(bytes: &[u8], side: u32) -> Shown {
    let size = [spec("small", side, Fit::Inside, RenditionFormat::Png)];
    shown::read_png(&render(bytes, &size).unwrap().renditions[0].bytes)
}

#[test]
fn every_fixture_is_shrunk_as_if_decoded_whole() {
    let mut seen = 0;
    for (name, bytes) in fixtures() {
        let Ok(found) = probe(&bytes) else { continue };
        // Opacity is weighed while shrinking, which the careful resampling here does not do; of
        // those with other colours, the colours are converted after it.
        let plain = found.color_profile.icc.is_none() && !found.has_alpha && found.frames == 1;
        if !plain || name.contains("alpha") || name.contains("adobe") {
            continue;
        }
        let whole = shown(&bytes);
        for side in [40, 31, 11] {
            let made = small(&bytes, side);
            let distance = made.distance(&whole.squeezed(made.width, made.height));
            assert!(distance < 2.0, "{name} at {side}: {distance}");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

/// A picture of odd sides, softly coloured with edges.
fn picture(width: usize, height: usize) -> Shown {
    Shown::from_fn(width, height, |x, y| {
        let edge = if (x / 31 + y / 23).is_multiple_of(2) { 60 } else { 0 };
        [(x * 150 / width) as u8 + edge, (y * 150 / height) as u8 + edge, 90, 255]
    })
}

/// A PNG file of a picture, its pixels written in another way.
fn png(
    shown: &Shown,
    (color, depth): (png::ColorType, png::BitDepth),
    orientation: u32,
    samples: impl Fn([u8; 4]) -> Vec<u8>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, shown.width as u32, shown.height as u32);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == png::ColorType::Indexed {
        encoder.set_palette(
            (0..=255_u8).flat_map(|level| [level, 255 - level, 7]).collect::<Vec<_>>(),
        );
    }
    let mut writer = encoder.write_header().unwrap();
    let mut exif = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01".to_vec();
    exif.extend((orientation as u16).to_be_bytes());
    exif.extend([0; 6]);
    writer.write_chunk(png::chunk::ChunkType(*b"eXIf"), &exif).unwrap();
    let data: Vec<u8> = shown.pixels.iter().flat_map(|pixel| samples(*pixel)).collect();
    writer.write_image_data(&data).unwrap();
    writer.finish().unwrap();
    bytes
}

fn rgb(shown: &Shown, orientation: u32) -> Vec<u8> {
    let kind = (png::ColorType::Rgb, png::BitDepth::Eight);
    png(shown, kind, orientation, |[r, g, b, _]| vec![r, g, b])
}

#[test]
fn png_of_every_kind_is_shrunk_row_by_row() {
    use png::BitDepth::{Eight, Sixteen};
    use png::ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    for (width, height) in [(301, 203), (97, 1), (1, 97), (640, 33)] {
        let colors = picture(width, height);
        let gray = Shown::from_fn(width, height, |x, y| {
            let level = colors.at(x, y)[0];
            [level, level, level, 255]
        });
        let indexed = Shown::from_fn(width, height, |x, y| {
            let level = colors.at(x, y)[0];
            [level, 255 - level, 7, 255]
        });
        let twice = |level: u8| [level, level];
        let files = [
            ("rgb", &colors, rgb(&colors, 1)),
            (
                "rgb 16",
                &colors,
                png(&colors, (Rgb, Sixteen), 1, |p| {
                    p[..3].iter().flat_map(|l| twice(*l)).collect()
                }),
            ),
            ("rgba", &colors, png(&colors, (Rgba, Eight), 1, |p| p.to_vec())),
            (
                "rgba 16",
                &colors,
                png(&colors, (Rgba, Sixteen), 1, |p| p.iter().flat_map(|l| twice(*l)).collect()),
            ),
            ("gray", &gray, png(&gray, (Grayscale, Eight), 1, |p| vec![p[0]])),
            ("gray 16", &gray, png(&gray, (Grayscale, Sixteen), 1, |p| twice(p[0]).to_vec())),
            ("gray alpha", &gray, png(&gray, (GrayscaleAlpha, Eight), 1, |p| vec![p[0], 255])),
            ("palette", &indexed, png(&indexed, (Indexed, Eight), 1, |p| vec![p[0]])),
        ];
        for (name, exact, file) in files {
            for side in [90, 20] {
                let made = small(&file, side);
                let distance = made.distance(&exact.squeezed(made.width, made.height));
                assert!(distance < 1.0, "{name} of {width}x{height} at {side}: {distance}");
            }
        }
    }
}

#[test]
fn orientations_are_applied_to_what_was_shrunk() {
    let plain = picture(301, 203);
    let upright = small(&rgb(&plain, 1), 90);
    for number in 1..=8 {
        let orientation = Orientation::from_exif(number).unwrap();
        let made = small(&rgb(&plain, number), 90);
        let distance = made.distance(&upright.turned(orientation));
        assert!(distance < 0.5, "{orientation:?}: {distance}");
    }
}

/// An uncompressed TIFF file of RGB in square tiles.
fn tiled(shown: &Shown, tile: usize) -> Vec<u8> {
    let (across, down) = (shown.width.div_ceil(tile), shown.height.div_ceil(tile));
    let tiles = across * down;
    let entries = 11_u16;
    let directory = 8 + 2 + usize::from(entries) * 12 + 4;
    let (depths, offsets) = (directory, directory + 6);
    let lengths = offsets + tiles * 4;
    let data = lengths + tiles * 4;
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    file.extend(entries.to_le_bytes());
    let mut entry = |tag: u16, kind: u16, count: usize, value: usize| {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend((count as u32).to_le_bytes());
        file.extend((value as u32).to_le_bytes());
    };
    entry(256, 4, 1, shown.width);
    entry(257, 4, 1, shown.height);
    entry(258, 3, 3, depths);
    entry(259, 3, 1, 1);
    entry(262, 3, 1, 2);
    entry(277, 3, 1, 3);
    entry(284, 3, 1, 1);
    entry(322, 4, 1, tile);
    entry(323, 4, 1, tile);
    entry(324, 4, tiles, if tiles == 1 { data } else { offsets });
    entry(325, 4, tiles, if tiles == 1 { tile * tile * 3 } else { lengths });
    file.extend([0; 4]);
    file.extend([8, 0, 8, 0, 8, 0]);
    (0..tiles).for_each(|at| file.extend(((data + at * tile * tile * 3) as u32).to_le_bytes()));
    (0..tiles).for_each(|_| file.extend(((tile * tile * 3) as u32).to_le_bytes()));
    for at in 0..tiles {
        for (y, x) in (0..tile).flat_map(|y| (0..tile).map(move |x| (y, x))) {
            let (x, y) = (at % across * tile + x, at / across * tile + y);
            let inside = x < shown.width && y < shown.height;
            let pixel = if inside { shown.at(x, y) } else { [255, 0, 255, 0] };
            file.extend_from_slice(&pixel[..3]);
        }
    }
    file
}

#[test]
fn tiff_in_tiles_is_shrunk_a_row_of_tiles_at_a_time() {
    for (width, height, tile) in [(301, 203, 64), (64, 64, 64), (301, 203, 16), (20, 300, 32)] {
        let plain = picture(width, height);
        let file = tiled(&plain, tile);
        assert_eq!(shown(&file), plain);
        let made = small(&file, 19);
        let distance = made.distance(&plain.squeezed(made.width, made.height));
        assert!(distance < 1.0, "{width}x{height} in {tile}: {distance}");
    }
}

#[test]
fn webp_that_is_decoded_smaller_shows_the_same() {
    let photo = photos::take(5, 900, 600);
    let rgb: Vec<[u8; 3]> = photo.rgb.as_chunks::<3>().0.to_vec();
    let photo = Shown::from_fn(photo.width, photo.height, |x, y| {
        let [r, g, b] = rgb[y * photo.width + x];
        [r, g, b, 255]
    });
    let whole =
        SizeSpec::new("x".parse().unwrap(), (900, 900), Fit::Inside, RenditionFormat::Webp, 95);
    let file = render(&shown::write_png(&photo), &[whole.unwrap()]).unwrap().renditions.remove(0);
    assert!(file.bytes.windows(4).any(|name| name == b"VP8 "));
    let made = small(&file.bytes, 200);
    let score = made.likeness(&photo.squeezed(made.width, made.height));
    assert!(score >= 70.0, "{score}");
}
