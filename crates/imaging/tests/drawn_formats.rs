//! Photoshop documents, TGA files and icons, written here field by field.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod shown;

use fixture::fixture;
use imaging::{Error, probe};
use model::{MediaType, Shown as Part, default_sizes};
use shown::{Shown, drawn, render, shown, write_png};

const WIDTH: usize = 37;
const HEIGHT: usize = 21;

fn color(x: usize, y: usize) -> [u8; 4] {
    [(x * 6) as u8, (y * 11) as u8, ((x / 4 + y) * 9 % 256) as u8, 255]
}

fn picture(pixel: impl Fn(usize, usize) -> [u8; 4]) -> Shown {
    Shown::from_fn(WIDTH, HEIGHT, pixel)
}

fn check(what: &str, file: &[u8], expected: &Shown) {
    let read = shown(file);
    assert_eq!((read.width, read.height), (expected.width, expected.height), "{what}");
    for y in 0..read.height {
        for x in 0..read.width {
            assert_eq!(read.at(x, y), expected.at(x, y), "{what} at {x}, {y}");
        }
    }
}

/// A Photoshop document.
struct Document {
    large: bool,
    depth: u16,
    mode: u16,
    layers: i16,
    palette: Vec<u8>,
    resources: Vec<u8>,
    /// Rows of each channel, as they are stored.
    planes: Vec<Vec<Vec<u8>>>,
    packed: bool,
}

impl Document {
    fn new(mode: u16, depth: u16, planes: Vec<Vec<Vec<u8>>>) -> Self {
        let (palette, resources) = (Vec::new(), Vec::new());
        Self { large: false, depth, mode, layers: 1, palette, resources, planes, packed: false }
    }

    fn file(&self) -> Vec<u8> {
        let mut file = b"8BPS\0".to_vec();
        file.push(1 + u8::from(self.large));
        file.extend([0; 6]);
        file.extend((self.planes.len() as u16).to_be_bytes());
        file.extend((HEIGHT as u32).to_be_bytes());
        file.extend((WIDTH as u32).to_be_bytes());
        file.extend(self.depth.to_be_bytes());
        file.extend(self.mode.to_be_bytes());
        for block in [&self.palette, &self.resources] {
            file.extend((block.len() as u32).to_be_bytes());
            file.extend(block);
        }
        // Layers, of which only the count is looked at.
        let layers = [&[0, 0, 0, 2][..], &self.layers.to_be_bytes(), &[0; 6]].concat();
        let layers = if self.large { [&[0; 4], &layers[..]].concat() } else { layers };
        if self.large {
            file.extend([0; 4]);
        }
        file.extend((layers.len() as u32).to_be_bytes());
        file.extend(layers);
        file.extend(u16::from(self.packed).to_be_bytes());
        let rows = || self.planes.iter().flatten();
        if !self.packed {
            rows().for_each(|row| file.extend(row));
            return file;
        }
        let packed: Vec<Vec<u8>> = rows().map(|row| pack(row)).collect();
        for row in &packed {
            match self.large {
                true => file.extend((row.len() as u32).to_be_bytes()),
                false => file.extend((row.len() as u16).to_be_bytes()),
            }
        }
        packed.iter().for_each(|row| file.extend(row));
        file
    }
}

/// PackBits: runs of equal bytes, and what is between them.
fn pack(row: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < row.len() {
        let same = row[at..].iter().take(128).take_while(|byte| **byte == row[at]).count();
        if same > 1 {
            out.extend([(257 - same) as u8, row[at]]);
            at += same;
            continue;
        }
        let rest = &row[at..row.len().min(at + 5)];
        out.push(rest.len() as u8 - 1);
        out.extend(rest);
        at += rest.len();
        // Stands for nothing.
        out.push(0x80);
    }
    out
}

fn planes(count: usize, sample: impl Fn(usize, usize, usize) -> Vec<u8>) -> Vec<Vec<Vec<u8>>> {
    let row = |channel, y| (0..WIDTH).flat_map(|x| sample(x, y, channel)).collect();
    (0..count).map(|channel| (0..HEIGHT).map(|y| row(channel, y)).collect()).collect()
}

#[test]
fn documents_of_photoshop_show_all_their_layers_together() {
    let rgb = || planes(3, |x, y, channel| vec![color(x, y)[channel]]);
    for packed in [false, true] {
        for large in [false, true] {
            let document = Document { packed, large, ..Document::new(3, 8, rgb()) };
            let file = document.file();
            assert_eq!(probe(&file).unwrap().media_type, MediaType::Psd);
            check(&format!("packed {packed}, large {large}"), &file, &picture(color));
        }
    }
    let deep = planes(3, |x, y, channel| vec![color(x, y)[channel]; 2]);
    check("16 bits", &Document::new(3, 16, deep).file(), &picture(color));
    let gray = planes(1, |x, y, _| vec![(x * 5 + y) as u8]);
    let lightness = |x, y| [(x * 5 + y) as u8; 3];
    let expected =
        picture(|x, y| [lightness(x, y)[0], lightness(x, y)[0], lightness(x, y)[0], 255]);
    check("grey", &Document::new(1, 8, gray).file(), &expected);
    // A channel that is no opacity, since there is a layer in the background.
    let further =
        planes(4, |x, y, channel| vec![if channel < 3 { color(x, y)[channel] } else { 9 }]);
    check("a further channel", &Document::new(3, 8, further).file(), &picture(color));
    let bits = vec![(0..HEIGHT).map(|y| vec![if y % 2 == 0 { 0xaa } else { 0 }; 5]).collect()];
    let expected = picture(|x, y| match (x + 1) * (y + 1) % 2 {
        1 => [0, 0, 0, 255],
        _ => [255; 4],
    });
    check("black and white", &Document::new(0, 1, bits).file(), &expected);
    let indexed = planes(1, |x, y, _| vec![(x + y) as u8]);
    let palette = (0..768).map(|n| if n < 256 { n as u8 } else { (n / 3) as u8 }).collect();
    let expected = picture(|x, y| {
        let n = x + y;
        [n as u8, ((256 + n) / 3) as u8, ((512 + n) / 3) as u8, 255]
    });
    check("indexed", &Document { palette, ..Document::new(2, 8, indexed) }.file(), &expected);
}

#[test]
fn documents_of_photoshop_may_be_transparent() {
    let alpha = |x: usize| (x * 7).min(255) as u8;
    let over_white = |x: usize, y: usize, channel: usize| {
        let (value, alpha) = (u32::from(color(x, y)[channel]), u32::from(alpha(x)));
        ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    let sample =
        |x, y, channel| vec![if channel < 3 { over_white(x, y, channel) } else { alpha(x) }];
    let document = Document { layers: -1, ..Document::new(3, 8, planes(4, sample)) };
    let read = shown(&document.file());
    for x in [0, 10, 20, 36] {
        let (seen, expected) = (read.at(x, 10), color(x, 10));
        assert_eq!(seen[3], alpha(x));
        if alpha(x) > 60 {
            assert!((0..3).all(|c| seen[c].abs_diff(expected[c]) <= 4), "{seen:?} {expected:?}");
        }
    }
}

#[test]
fn a_document_that_ends_early_shows_what_is_there() {
    let rgb = planes(3, |x, y, channel| vec![color(x, y)[channel]]);
    let file = Document::new(3, 8, rgb).file();
    let cut = &file[..file.len() - WIDTH * 5];
    assert_eq!(render(cut, &default_sizes()).unwrap().facts.shown, Part::Incomplete);
    assert_eq!(shown(cut).at(3, 3), color(3, 3));
}

#[test]
fn a_document_without_its_picture_shows_its_small_one() {
    let rgb = planes(3, |_, _, _| vec![255]);
    let resource = |id: u16, data: &[u8]| {
        let length = (data.len() as u32).to_be_bytes();
        let filled = vec![0; data.len() % 2];
        [b"8BIM", &id.to_be_bytes()[..], &[0, 0], &length, data, &filled].concat()
    };
    let nothing = resource(1057, &[0, 0, 0, 1, 0, 0]);
    let document = Document { resources: nothing.clone(), ..Document::new(3, 8, rgb.clone()) };
    let error = render(&document.file(), &default_sizes()).unwrap_err();
    assert!(error.to_string().contains("without a picture of all its layers"), "{error}");
    let mut small = vec![0, 0, 0, 1];
    small.extend([0; 24]);
    small.extend(fixture("plain.jpg"));
    let resources = [nothing, resource(1036, &small)].concat();
    let file = Document { resources, ..Document::new(3, 8, rgb) }.file();
    let rendered = render(&file, &default_sizes()).unwrap();
    assert_eq!(rendered.facts.shown, Part::Preview);
    assert!(shown(&file).likeness(&drawn()) > 30.0);
}

/// A TGA file of colours.
fn tga(kind: u8, bits: u8, descriptor: u8, pixels: &[u8]) -> Vec<u8> {
    let mut file = vec![3, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend((WIDTH as u16).to_le_bytes());
    file.extend((HEIGHT as u16).to_le_bytes());
    file.extend([bits, descriptor]);
    file.extend(b"abc");
    file.extend(pixels);
    file
}

fn stored(bits: u8, [r, g, b, a]: [u8; 4]) -> Vec<u8> {
    match bits {
        8 => vec![r],
        15 | 16 => {
            let five = |channel: u8| u16::from(channel >> 3);
            (five(r) << 10 | five(g) << 5 | five(b) | 0x8000).to_le_bytes().to_vec()
        }
        24 => vec![b, g, r],
        _ => vec![b, g, r, a],
    }
}

#[test]
fn tga_files_of_every_kind_are_read() {
    let five = |channel: u8| (channel >> 3) << 3 | channel >> 5;
    let pixels = |bits: u8, top: bool, right: bool| -> Vec<Vec<u8>> {
        let at = move |n: usize| {
            let (x, y) = (n % WIDTH, n / WIDTH);
            let x = if right { WIDTH - 1 - x } else { x };
            color(x, if top { y } else { HEIGHT - 1 - y })
        };
        (0..WIDTH * HEIGHT).map(|n| stored(bits, at(n))).collect()
    };
    for bits in [15, 16, 24, 32] {
        let expected = picture(|x, y| match bits {
            15 | 16 => color(x, y).map(|channel| if channel == 255 { 255 } else { five(channel) }),
            _ => color(x, y),
        });
        for (top, right) in [(false, false), (true, false), (false, true), (true, true)] {
            let descriptor = u8::from(top) << 5 | u8::from(right) << 4;
            let plain = pixels(bits, top, right);
            let what = format!("{bits} bits, from the top {top}, from the right {right}");
            let file = tga(2, bits, descriptor, &plain.concat());
            assert_eq!(probe(&file).unwrap().media_type, MediaType::Tga, "{what}");
            check(&what, &file, &expected);
            check(&what, &tga(10, bits, descriptor, &packed(&plain)), &expected);
        }
    }
    let gray: Vec<u8> = pixels(8, true, false).concat();
    let expected = picture(|x, y| [color(x, y)[0], color(x, y)[0], color(x, y)[0], 255]);
    check("grey", &tga(3, 8, 0x20, &gray), &expected);
    let clear = |bits: u8, alpha: u8| -> Vec<u8> {
        let pixel = |n: usize| {
            let [r, g, b, _] = color(n % WIDTH, n / WIDTH);
            stored(bits, [r, g, b, alpha.saturating_mul((n % WIDTH) as u8)])
        };
        (0..WIDTH * HEIGHT).flat_map(pixel).collect()
    };
    let with_opacity = shown(&tga(2, 32, 0x28, &clear(32, 6)));
    assert_eq!(with_opacity.at(20, 3)[3], 120);
    check("empty opacity", &tga(2, 32, 0x28, &clear(32, 0)), &picture(color));
    let file = tga(2, 24, 0x20, &pixels(24, true, false).concat());
    let cut = &file[..file.len() / 2];
    assert_eq!(render(cut, &default_sizes()).unwrap().facts.shown, Part::Incomplete);
    assert_eq!(shown(cut).at(5, 2), color(5, 2));
}

/// Packets of pixels, some across the ends of rows.
fn packed(pixels: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = pixels;
    while let Some(first) = rest.first() {
        let same = rest.iter().take(128).take_while(|pixel| *pixel == first).count();
        if same > 1 {
            out.push(0x80 | (same - 1) as u8);
            out.extend(first);
            rest = &rest[same..];
        } else {
            let count = rest.len().min(50);
            out.push(count as u8 - 1);
            rest[..count].iter().for_each(|pixel| out.extend(pixel));
            rest = &rest[count..];
        }
    }
    out
}

#[test]
fn tga_files_with_a_palette_are_read() {
    let mut file = vec![0, 1, 1, 2, 0, 40, 0, 24, 0, 0, 0, 0];
    file.extend((WIDTH as u16).to_le_bytes());
    file.extend((HEIGHT as u16).to_le_bytes());
    file.extend([8, 0x20]);
    (0..40_u8).for_each(|n| file.extend([n, n * 2, n * 3]));
    (0..HEIGHT).for_each(|y| file.extend((0..WIDTH).map(|x| ((x + y) % 40 + 2) as u8)));
    let expected = picture(|x, y| {
        let n = ((x + y) % 40) as u8;
        [n * 3, n * 2, n, 255]
    });
    check("palette", &file, &expected);
}

/// A TIFF of red, green, blue and opacity, which is named by `extra`.
fn transparent_tiff(extra: u16, (width, height): (usize, usize), pixels: &[u8]) -> Vec<u8> {
    let entry = |tag: u16, kind: u16, count: u32, value: usize| {
        let [tag, kind] = [tag, kind].map(u16::to_le_bytes);
        let value = u32::try_from(value).unwrap().to_le_bytes();
        [&tag[..], &kind[..], &count.to_le_bytes()[..], &value[..]].concat()
    };
    let behind = 8 + 2 + 10 * 12 + 4;
    let entries = [
        entry(256, 4, 1, width),
        entry(257, 4, 1, height),
        entry(258, 3, 4, behind),
        entry(259, 3, 1, 1),
        entry(262, 3, 1, 2),
        entry(273, 4, 1, behind + 8),
        entry(277, 3, 1, 4),
        entry(278, 4, 1, height),
        entry(279, 4, 1, pixels.len()),
        entry(338, 3, 1, extra.into()),
    ];
    let head = b"II\x2a\0\x08\0\0\0\x0a\0";
    let bits = [8, 0, 8, 0, 8, 0, 8, 0];
    [&head[..], &entries.concat(), &[0; 4], &bits, pixels].concat()
}

#[test]
fn colors_of_a_tiff_may_be_multiplied_by_their_opacity() {
    let expected = picture(|x, y| {
        let [r, g, b, _] = color(x, y);
        [r, g, b, if x % 2 == 0 { 255 } else { 128 }]
    });
    let (width, height) = (expected.width, expected.height);
    let pixels: Vec<[u8; 4]> =
        (0..width * height).map(|n| expected.at(n % width, n / width)).collect();
    let plain = transparent_tiff(2, (width, height), &pixels.concat());
    check("as they are", &plain, &expected);
    let multiply = |[r, g, b, a]: [u8; 4]| {
        let by_opacity = |color: u8| (u32::from(color) * u32::from(a) / 255) as u8;
        [by_opacity(r), by_opacity(g), by_opacity(b), a]
    };
    let multiplied: Vec<[u8; 4]> = pixels.iter().map(|pixel| multiply(*pixel)).collect();
    let file = transparent_tiff(1, (width, height), &multiplied.concat());
    // What was rounded away does not come back.
    let read = shown(&file);
    let pairs = read.pixels.as_flattened().iter().zip(expected.pixels.as_flattened());
    let furthest = pairs.map(|(found, expected)| found.abs_diff(*expected)).max();
    assert!(furthest <= Some(2), "{furthest:?}");
}

/// An icon of pictures, each with its side.
fn icon(pictures: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut file = vec![0, 0, 1, 0, pictures.len() as u8, 0];
    let mut start = 6 + 16 * pictures.len();
    for (side, data) in pictures {
        file.extend([*side, *side, 0, 0, 1, 0, 32, 0]);
        file.extend((data.len() as u32).to_le_bytes());
        file.extend((start as u32).to_le_bytes());
        start += data.len();
    }
    pictures.iter().for_each(|(_, data)| file.extend(data));
    file
}

/// A bitmap of an icon with a mask that hides its left half.
fn icon_bitmap(side: usize, bits: u16, opacity: bool) -> Vec<u8> {
    let mut data = 40_u32.to_le_bytes().to_vec();
    data.extend((side as u32).to_le_bytes());
    data.extend((2 * side as u32).to_le_bytes());
    data.extend([1, 0]);
    data.extend(bits.to_le_bytes());
    data.extend([0; 24]);
    if bits == 4 {
        (0..16_u8).for_each(|n| data.extend([n, n * 2, n * 3, 0]));
    }
    for y in (0..side).rev() {
        let mut row = Vec::new();
        for x in 0..side {
            let [r, g, b, _] = color(x, y);
            let alpha = if opacity { 100 + x as u8 } else { 0 };
            match bits {
                4 if x % 2 == 0 => row.push(((((x + y) % 16) << 4) | ((x + 1 + y) % 16)) as u8),
                4 => {}
                24 => row.extend([b, g, r]),
                _ => row.extend([b, g, r, alpha]),
            }
        }
        row.resize(row.len().div_ceil(4) * 4, 0);
        data.extend(row);
    }
    for _ in 0..side {
        let mut row: Vec<u8> =
            (0..side.div_ceil(8)).map(|n| if n * 8 < side / 2 { 0xff } else { 0 }).collect();
        row.resize(side.div_ceil(32) * 4, 0);
        data.extend(row);
    }
    data
}

#[test]
fn icons_show_their_best_picture() {
    for (bits, opacity) in [(4, false), (24, false), (32, false), (32, true)] {
        let file = icon(&[
            (8, icon_bitmap(8, 24, false)),
            (32, icon_bitmap(32, bits, opacity)),
            (16, icon_bitmap(16, 32, true)),
        ]);
        assert_eq!(probe(&file).unwrap().media_type, MediaType::Ico);
        let read = shown(&file);
        assert_eq!((read.width, read.height), (32, 32), "{bits}");
        for (x, y) in [(3, 3), (20, 9), (31, 31)] {
            let [r, g, b, _] = match bits {
                4 => [(x + y) % 16 * 3, (x + y) % 16 * 2, (x + y) % 16, 0].map(|n| n as u8),
                _ => color(x, y),
            };
            match read.at(x, y) {
                seen if opacity => assert_eq!(seen, [r, g, b, 100 + x as u8], "{bits}"),
                seen if x < 16 => assert_eq!(seen[3], 0, "{bits}: hidden"),
                seen => assert_eq!(seen, [r, g, b, 255], "{bits}"),
            }
        }
    }
    let small = (16, icon_bitmap(16, 32, true));
    let file = icon(&[small, (48, write_png(&drawn()))]);
    check("a PNG file in it", &file, &drawn());
}

#[test]
fn an_icon_whose_pictures_are_missing_is_refused() {
    let file = icon(&[(32, icon_bitmap(32, 24, false))]);
    let error = probe(&file[..50]).unwrap_err();
    assert!(matches!(error, Error::Truncated { .. }), "{error}");
}
