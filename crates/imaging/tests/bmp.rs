//! Bitmaps of every kind that bmpsuite has, made anew here: each shows exactly what was drawn, or
//! is refused; none is shown wrongly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod bmp_file;
mod fixture;
mod shown;

use bmp_file::Bitmap;
use fixture::fixture;
use imaging::{Error, ProfileKind, probe};
use model::{Shown as Part, default_sizes};
use shown::{Shown, render, shown, try_shown};

/// Sides that are no multiple of anything, so that rows have padding.
const SIZES: [(i32, i32); 5] = [(13, 7), (58, 79), (82, 112), (10, 10), (127, 64)];

/// Colours that tell each index from every other.
fn palette(count: usize) -> Vec<[u8; 3]> {
    let color = |n: usize| [(n * 53 % 256) as u8, (n * 97 + 31) as u8, (255 - n % 256) as u8];
    (0..count).map(color).collect()
}

fn index(x: usize, y: usize, count: usize) -> usize {
    (x * 5 + y * 3 + x * y / 7) % count
}

fn drawn(size: (i32, i32), color: impl Fn(usize, usize) -> [u8; 3]) -> Shown {
    let (width, height) = (size.0 as usize, size.1.unsigned_abs() as usize);
    Shown::from_fn(width, height, |x, y| {
        let [r, g, b] = color(x, y);
        [r, g, b, 255]
    })
}

fn check(what: &str, file: &[u8], expected: &Shown) {
    let read = try_shown(file).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!((read.width, read.height), (expected.width, expected.height), "{what}");
    let wrong = read.pixels.iter().zip(&expected.pixels).position(|(a, b)| a != b);
    if let Some(at) = wrong {
        let (x, y) = (at % read.width, at / read.width);
        panic!("{what}: {:?} instead of {:?} at {x}, {y}", read.at(x, y), expected.at(x, y));
    }
}

#[test]
fn palettes_of_all_depths_in_all_headers() {
    for size in SIZES {
        for bits in [1, 2, 4, 8] {
            for header in [12, 16, 24, 40, 48, 52, 56, 64, 108, 124] {
                let colors = palette(1 << bits);
                let at = |x, y| index(x, y, colors.len());
                let bitmap =
                    Bitmap { header, palette: colors.clone(), ..Bitmap::new(size.0, size.1, bits) };
                let bitmap = bitmap.with_rows(|x, y| at(x, y) as u32);
                let expected = drawn(size, |x, y| colors[at(x, y)]);
                let what = format!("{size:?} of {bits} bits, header of {header} bytes");
                check(&what, &bitmap.file(), &expected);
                check(&format!("{what}, in an array"), &bitmap.array(), &expected);
            }
        }
    }
}

#[test]
fn palettes_of_other_lengths_and_pixels_further_back() {
    let size = (58, 11);
    let new = |bits| Bitmap::new(size.0, size.1, bits);
    // Shorter than the depth allows, longer, and of one colour.
    for (bits, count, gap) in
        [(8, 252, 0), (8, 256, 100), (4, 12, 0), (1, 1, 0), (8, 1, 3), (2, 3, 2)]
    {
        let colors = palette(count);
        let at = |x, y| index(x, y, count);
        let bitmap = Bitmap { palette: colors.clone(), colors: count as u32, gap, ..new(bits) };
        let bitmap = bitmap.with_rows(|x, y| at(x, y) as u32);
        let expected = drawn(size, |x, y| colors[at(x, y)]);
        check(&format!("{count} colours of {bits} bits"), &bitmap.file(), &expected);
    }
    let colors = palette(300);
    let bitmap = Bitmap { palette: colors.clone(), colors: 300, ..new(8) };
    let bitmap = bitmap.with_rows(|x, y| index(x, y, 256) as u32);
    check("300 colours", &bitmap.file(), &drawn(size, |x, y| colors[index(x, y, 256)]));
    // An index that the palette does not have is black.
    let bitmap = Bitmap { palette: palette(4), colors: 4, ..new(8) };
    let bitmap = bitmap.with_rows(|x, y| index(x, y, 9) as u32);
    let color = |x, y| palette(4).get(index(x, y, 9)).copied().unwrap_or_default();
    check("indices beyond the palette", &bitmap.file(), &drawn(size, color));
    // One that says its pixels begin where its palette does.
    let colors = palette(252);
    let bitmap = Bitmap { palette: colors.clone(), colors: 252, ..new(8) };
    let mut file = bitmap.with_rows(|x, y| index(x, y, 252) as u32).file();
    file[10..14].copy_from_slice(&54_u32.to_le_bytes());
    check("pixels in the palette", &file, &drawn(size, |x, y| colors[index(x, y, 252)]));
    // From the top, as one may.
    let bitmap = Bitmap { palette: palette(256), ..Bitmap::new(58, -11, 8) };
    let bitmap = bitmap.with_rows(|x, y| index(x, y, 256) as u32);
    check("from the top", &bitmap.file(), &drawn(size, |x, y| palette(256)[index(x, y, 256)]));
}

/// A colour as it is after it was stored in so many bits a channel.
fn stored(color: [u8; 3], bits: [u32; 3]) -> ([u8; 3], [u32; 3]) {
    let mut seen = [0; 3];
    let mut numbers = [0; 3];
    for channel in 0..3 {
        let most = (1_u64 << bits[channel]) - 1;
        let number = (u64::from(color[channel]) * most + 127) / 255;
        numbers[channel] = number as u32;
        seen[channel] = ((number * 255 + most / 2) / most) as u8;
    }
    (seen, numbers)
}

fn color(x: usize, y: usize) -> [u8; 3] {
    [(x * 4 % 256) as u8, (y * 3 % 256) as u8, ((x + y) * 7 % 256) as u8]
}

#[test]
fn colors_by_masks() {
    // Bits of a pixel, those of each channel, and how far each is shifted.
    let kinds: [(u16, [u32; 3], [u32; 3]); 9] = [
        (16, [5, 5, 5], [10, 5, 0]),
        (16, [5, 6, 5], [11, 5, 0]),
        (16, [4, 4, 4], [8, 4, 0]),
        (16, [3, 3, 2], [5, 2, 0]),
        (32, [8, 8, 8], [16, 8, 0]),
        (32, [8, 8, 8], [0, 8, 16]),
        (32, [8, 8, 8], [24, 16, 8]),
        (32, [10, 10, 10], [20, 10, 0]),
        (32, [11, 11, 10], [21, 10, 0]),
    ];
    for size in [(13, 7), (58, 79)] {
        for (bits, channels, shifts) in kinds {
            for header in [40, 52, 56, 108, 124] {
                let mask = |n: usize| ((1_u32 << channels[n]) - 1) << shifts[n];
                let masks = [mask(0), mask(1), mask(2), 0];
                let bitmap = Bitmap {
                    header,
                    compression: 3,
                    masks: Some(masks),
                    ..Bitmap::new(size.0, size.1, bits)
                };
                let bitmap = bitmap.with_rows(|x, y| {
                    let (_, numbers) = stored(color(x, y), channels);
                    (0..3).map(|n| numbers[n] << shifts[n]).sum()
                });
                let expected = drawn(size, |x, y| stored(color(x, y), channels).0);
                let what = format!("{bits} bits, {channels:?} at {shifts:?}, {header}");
                check(&what, &bitmap.file(), &expected);
            }
        }
    }
}

#[test]
fn colors_without_masks() {
    for size in [(13, 7), (58, -79), (5, 3), (6, 3), (7, 3), (8, 3)] {
        for header in [12, 16, 40, 64, 108, 124] {
            if header == 12 && size.1 < 0 {
                continue;
            }
            let new = |bits| Bitmap { header, ..Bitmap::new(size.0, size.1, bits) };
            let rgb = |x, y| {
                let [r, g, b] = color(x, y);
                u32::from_be_bytes([0, r, g, b])
            };
            let expected = drawn(size, color);
            check("24 bits", &new(24).with_rows(rgb).file(), &expected);
            // What fills up to 32 bits means nothing.
            let filled = new(32).with_rows(|x, y| rgb(x, y) | ((x as u32) << 24));
            check("32 bits", &filled.file(), &expected);
            let expected = drawn(size, |x, y| stored(color(x, y), [5; 3]).0);
            let five = new(16).with_rows(|x, y| {
                let (_, [r, g, b]) = stored(color(x, y), [5; 3]);
                r << 10 | g << 5 | b
            });
            check("16 bits", &five.file(), &expected);
        }
    }
    // A palette that is only a hint for screens of few colours.
    let hint = Bitmap { palette: palette(16), colors: 16, ..Bitmap::new(13, 7, 24) };
    let hint = hint.with_rows(|x, y| {
        let [r, g, b] = color(x, y);
        u32::from_be_bytes([0, r, g, b])
    });
    check("24 bits with a palette", &hint.file(), &drawn((13, 7), color));
}

#[test]
fn opacity_by_a_mask() {
    let size = (13, 7);
    let alpha = |x: usize, y: usize| ((x * 19 + y * 5) % 255) as u8 + 1;
    for (header, compression) in [(40, 6), (56, 3), (108, 3), (124, 3)] {
        let masks = Some([0xff_0000, 0xff00, 0xff, 0xff00_0000]);
        let bitmap = Bitmap { header, compression, masks, ..Bitmap::new(size.0, size.1, 32) };
        let bitmap = bitmap.with_rows(|x, y| {
            let [r, g, b] = color(x, y);
            u32::from_be_bytes([alpha(x, y), r, g, b])
        });
        let read = shown(&bitmap.file());
        for y in 0..7 {
            for x in 0..13 {
                let [r, g, b] = color(x, y);
                assert_eq!(read.at(x, y), [r, g, b, alpha(x, y)], "{header} at {x}, {y}");
            }
        }
    }
    // Reserved and left empty: then it stands for nothing.
    let masks = Some([0xff_0000, 0xff00, 0xff, 0xff00_0000]);
    let empty = Bitmap { header: 124, compression: 3, masks, ..Bitmap::new(13, 7, 32) };
    let empty = empty.with_rows(|x, y| {
        let [r, g, b] = color(x, y);
        u32::from_be_bytes([0, r, g, b])
    });
    check("empty opacity", &empty.file(), &drawn(size, color));
}

/// Rows as runs, from the bottom: whole rows alternate between runs, pixels written out, and both.
fn packed(size: (i32, i32), bits: u16, number: impl Fn(usize, usize) -> u8) -> Vec<u8> {
    let (width, height) = (size.0 as usize, size.1 as usize);
    let mut out = Vec::new();
    for y in (0..height).rev() {
        let mut x = 0;
        while x < width {
            let first = number(x, y);
            let same = (x..width.min(x + 255)).take_while(|&x| number(x, y) == first).count();
            let rest = (width - x).min(if y % 3 == 0 { 255 } else { 9 });
            if same > 1 || rest < 3 || y % 3 == 1 {
                let value = if bits == 4 { first << 4 | first } else { first };
                out.extend([same as u8, value]);
                x += same;
                continue;
            }
            out.extend([0, rest as u8]);
            let row: Vec<u8> = (x..x + rest).map(|x| number(x, y)).collect();
            let bytes: Vec<u8> = match bits {
                4 => row.chunks(2).map(|p| p[0] << 4 | p.get(1).unwrap_or(&0)).collect(),
                _ => row,
            };
            out.extend(&bytes);
            if bytes.len() % 2 == 1 {
                out.push(0);
            }
            x += rest;
        }
        out.extend([0, 0]);
    }
    out.extend([0, 1]);
    out
}

#[test]
fn runs_of_four_and_eight_bits() {
    for size in SIZES {
        for (bits, compression) in [(4, 2), (8, 1)] {
            let colors = palette(1 << bits);
            let at = |x: usize, y: usize| match (x / 6 + y) % 2 {
                0 => index(x, y, colors.len()),
                _ => index(x / 6, y, colors.len()),
            };
            let pixels = packed(size, bits, |x, y| at(x, y) as u8);
            for header in [40, 64, 124] {
                let bitmap = Bitmap {
                    header,
                    compression,
                    palette: colors.clone(),
                    pixels: pixels.clone(),
                    ..Bitmap::new(size.0, size.1, bits)
                };
                let expected = drawn(size, |x, y| colors[at(x, y)]);
                check(&format!("{size:?} of {bits} bits"), &bitmap.file(), &expected);
            }
        }
    }
}

#[test]
fn runs_alternate_between_two_colors() {
    let bitmap = Bitmap {
        compression: 2,
        palette: palette(16),
        pixels: vec![5, 0x3c, 0, 0, 5, 0xc3, 0, 1],
        ..Bitmap::new(5, 2, 4)
    };
    let expected = drawn((5, 2), |x, y| palette(16)[if (x + y) % 2 == 1 { 3 } else { 12 }]);
    check("two colours in turn", &bitmap.file(), &expected);
}

#[test]
fn runs_may_skip_pixels_and_end_early() {
    // Two pixels, then two to the right and one up, one pixel, the end of the picture.
    let pixels = vec![2, 7, 0, 2, 2, 1, 1, 9, 0, 1];
    let bitmap = Bitmap { compression: 1, palette: palette(16), pixels, ..Bitmap::new(6, 3, 8) };
    let color = |x, y| {
        palette(16)[match (x, y) {
            (0 | 1, 2) => 7,
            (4, 1) => 9,
            _ => 0,
        }]
    };
    check("skipped pixels", &bitmap.file(), &drawn((6, 3), color));
    let rendered = render(&bitmap.file(), &default_sizes()).unwrap();
    assert_eq!(rendered.facts.shown, Part::Whole);
}

#[test]
fn runs_of_whole_colors() {
    // Of OS/2 only, three bytes a colour.
    let pixels = vec![3, 10, 20, 30, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 6, 90, 80, 70, 0, 1];
    let bitmap = Bitmap { header: 64, compression: 4, pixels, ..Bitmap::new(6, 2, 24) };
    let color = |x, y| match (x, y) {
        (0..=2, 1) => [30, 20, 10],
        (_, 1) => [[3, 2, 1], [6, 5, 4], [9, 8, 7]][x - 3],
        _ => [70, 80, 90],
    };
    check("runs of colours", &bitmap.file(), &drawn((6, 2), color));
}

#[test]
fn a_profile_in_the_file_counts() {
    let profile = probe(&fixture("display-p3.jpg")).unwrap().color_profile.icc.unwrap();
    let bitmap = Bitmap { header: 124, profile, ..Bitmap::new(4, 4, 24) };
    let file = bitmap.with_rows(|_, _| 0x00ff_0000).file();
    assert_eq!(probe(&file).unwrap().color_profile.kind, ProfileKind::DisplayP3);
    assert_eq!(shown(&file).at(1, 1), [255, 0, 0, 255]);
}

#[test]
fn a_bitmap_that_ends_early_shows_what_is_there() {
    let bitmap = Bitmap { palette: palette(256), ..Bitmap::new(58, 79, 8) };
    let bitmap = bitmap.with_rows(|x, y| index(x, y, 256) as u32);
    let file = bitmap.file();
    let cut = &file[..file.len() - 60 * 30];
    let rendered = render(cut, &default_sizes()).unwrap();
    assert_eq!(rendered.facts.shown, Part::Incomplete);
    let read = shown(cut);
    for y in 30..79 {
        let [r, g, b] = palette(256)[index(7, y, 256)];
        assert_eq!(read.at(7, y), [r, g, b, 255], "{y}");
    }
    assert_eq!(read.at(7, 29), [0, 0, 0, 255]);
    let rle = Bitmap { compression: 1, palette: palette(16), ..Bitmap::new(58, 79, 8) };
    let mut rle = Bitmap { pixels: packed((58, 79), 8, |x, y| index(x, y, 16) as u8), ..rle };
    rle.pixels.truncate(rle.pixels.len() / 2);
    assert_eq!(render(&rle.file(), &default_sizes()).unwrap().facts.shown, Part::Incomplete);
}

#[test]
fn what_cannot_be_right_is_refused() {
    let new = |bits| Bitmap::new(13, 7, bits).with_rows(|_, _| 0);
    let cases = [
        ("7 bits", Bitmap { bits: 7, ..new(8) }, "damagedImage"),
        ("64 bits", Bitmap { bits: 64, ..new(32) }, "unsupportedImage"),
        ("negative width", Bitmap { width: -13, ..new(8) }, "damagedImage"),
        ("no width", Bitmap { width: 0, ..new(8) }, "damagedImage"),
        ("a JPEG file", Bitmap { compression: 4, ..new(24) }, "unsupportedImage"),
        ("a PNG file", Bitmap { compression: 5, ..new(24) }, "unsupportedImage"),
        ("a fax", Bitmap { header: 64, compression: 3, ..new(1) }, "unsupportedImage"),
        ("unknown compression", Bitmap { compression: 11, ..new(32) }, "unsupportedImage"),
        ("runs of another depth", Bitmap { compression: 1, ..new(4) }, "unsupportedImage"),
        ("runs from the top", Bitmap { height: -7, compression: 1, ..new(8) }, "damagedImage"),
        ("no pixels", Bitmap { pixels: Vec::new(), ..new(8) }, "truncatedImage"),
        ("too large", Bitmap { width: 3_000_000, height: 2_000_000, ..new(8) }, "sideTooLong"),
    ];
    for (what, bitmap, code) in cases {
        let error = render(&bitmap.file(), &default_sizes()).expect_err(what);
        assert_eq!(error.code(), code, "{what}: {error}");
    }
    // Too short for a header.
    let file = new(8).file();
    assert!(matches!(probe(&file[..30]), Err(Error::Truncated { .. })));
}
