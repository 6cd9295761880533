//! What is said of formats in `docs/formats.md`, row by row: what is shown renders, and what is not
//! read says so with a code of its own and a text that names it, never rendered wrongly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod raw_file;

use std::path::Path;

use fixture::fixture;
use imaging::{Error, RenderOptions, Renderer, probe, recognise};
use raw_file::{Tiff, long, short};

/// What it is, as in the document, the file, and what the error says of it.
fn refused() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    vec![
        ("AVIF coded as YCgCo, ICtCp or by constant luminance", made("ycgco.avif"), "matrix"),
        ("JPEG XL in printing inks (CMYK)", made("inks.jxl"), "printing inks"),
        ("JPEG of 12 bits", made("twelve-bits.jpg"), "12 bits"),
        ("TIFF with a plane for each channel", planar_tiff(), "a plane for each channel"),
        (
            "TIFF with the bits of each byte in reverse order",
            tiff_of_reversed_bits(),
            "reverse order",
        ),
        ("AVIF of which only a part is to be shown (a crop)", made("crop.avif"), "a crop"),
        ("TIFF with a palette or in Lab", made("palette.tif"), "Palette"),
        ("TIFF with a palette or in Lab", made("lab.tif"), "Lab"),
        (
            "TIFF of YCbCr, of less than 8 bits but for black and white, or packed as a fax of group \
             3, by Huffman, LZMA or WebP",
            made("lzma.tif"),
            "compression method",
        ),
        ("TIFF of integers of 32 or 64 bits", made("integers.tif"), "samples of this kind"),
        ("BMP with a JPEG or PNG file in it", bmp_of_jpeg(), "BMP"),
        ("BMP of 64 bits, in inks or packed as a fax", bmp_of_64_bits(), "64 bits"),
        ("HEIF coded neither as HEVC nor as AV1", heif_of_jpeg(), "neither as HEVC nor as AV1"),
        ("PSD without a picture of all its layers", psd(3, true), "a picture of all its layers"),
        ("PSD in Lab or with several inks", psd(9, false), "mode 9"),
        ("JPEG 2000 of more than five channels or in Lab", jp2_of_many_channels(), "6 channels"),
        ("RAW without a JPEG preview", raw_without_preview(), "without a preview"),
        ("RAW of older cameras (CRW, MRW, X3F)", start(b"FOVb"), "not looked for"),
        ("JPEG XR", start(b"II\xbc\x01"), "image/jxr"),
        ("OpenEXR", start(b"\x76\x2f\x31\x01"), "image/x-exr"),
        (
            "any other format",
            b"<svg xmlns='http://www.w3.org/2000/svg'></svg>".to_vec(),
            "no image format",
        ),
        ("any other format", [&b"\0\0\0\x20ftypisom"[..], &[0; 64]].concat(), "no image format"),
    ]
}

#[test]
fn what_is_not_read_says_so() {
    for (what, file, text) in refused() {
        let error = render(&file).expect_err(what);
        assert_eq!(error.code(), "unsupportedImage", "{what}: {error}");
        println!("{what}: {error}");
        assert!(error.to_string().contains(text), "{what}: {error}");
    }
}

/// What it is, as in the document, and files of it.
fn read() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let all = |names: &[&str]| names.iter().map(|name| fixture(name)).collect();
    vec![
        ("JPEG", all(&["plain.jpg", "progressive.jpg", "gray.jpg", "cmyk.jpg"])),
        ("PNG", all(&["plain.png", "alpha.png", "gray-16.png", "palette.png", "animated.png"])),
        ("WebP", all(&["lossy.webp", "lossless-alpha.webp", "animated.webp"])),
        ("GIF", all(&["plain.gif", "animated.gif"])),
        ("AVIF", all(&["plain.avif", "alpha.avif", "hdr10.avif", "grid.avif", "animated.avif"])),
        ("HEIC, HEIF", all(&["plain.heic", "deep.heic", "alpha.heic", "orientation-6.heic"])),
        ("TIFF", all(&["plain.tif", "big.tif", "alpha.tif", "cmyk.tif", "gray-16.tif"])),
        ("BMP", all(&["plain.bmp"])),
        ("JPEG XL", all(&["plain.jxl", "alpha.jxl", "gray-16.jxl", "animated.jxl"])),
        ("PSD, PSB", vec![psd(3, false), psd(1, false)]),
        ("JPEG 2000", all(&["plain.jp2", "alpha.jp2", "plain.j2k"])),
        ("TGA", vec![tga()]),
        ("ICO, CUR", vec![icon(1), icon(2)]),
        ("RAW", raw_file::raw_files().into_iter().map(|(_, file)| file).collect()),
    ]
}

#[test]
fn every_row_of_what_is_shown_is_true() {
    let document = document();
    let rows = document.split("## What is shown").nth(1).unwrap();
    let table = rows.split("### Not all of it").next().unwrap();
    let named: Vec<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .filter(|name| *name != "format")
        .collect();
    let read = read();
    assert_eq!(named, read.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (name, files) in read {
        for file in files {
            render(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn every_row_of_what_is_not_shown_has_a_sample() {
    let document = document();
    let rows = document.split("## What is kept, not shown").nth(1).unwrap();
    let refused = refused();
    for line in rows.lines().filter(|line| line.starts_with("| ")) {
        let name = line[2..].split(" | ").next().unwrap();
        let known = name == "what" || refused.iter().any(|(what, ..)| *what == name);
        assert!(known, "{name}");
    }
}

/// What is kept is told from what is none of ours.
#[test]
fn what_is_kept_is_recognised_as_an_image() {
    for (what, file, _) in refused() {
        let error = render(&file).expect_err(what);
        let kept = recognise(&file).is_some() && error.is_about_showing();
        assert_eq!(kept, what != "any other format", "{what}");
    }
}

#[test]
fn users_are_told_what_is_not_read() {
    let document = document();
    for (what, ..) in refused() {
        assert!(document.contains(&format!("| {what} |")), "{what}");
    }
}

fn document() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    std::fs::read_to_string(path).unwrap()
}

fn start(of: &[u8]) -> Vec<u8> {
    [of, &[0; 64]].concat()
}

fn bmp_of_64_bits() -> Vec<u8> {
    let mut file = fixture("plain.bmp");
    file[28] = 64;
    file
}

/// A document of one pixel, perhaps saved without it.
fn psd(mode: u8, empty: bool) -> Vec<u8> {
    let channels = if mode == 1 { 1 } else { 3 };
    let mut file = b"8BPS\0\x01\0\0\0\0\0\0\0".to_vec();
    file.extend([channels, 0, 0, 0, 1, 0, 0, 0, 1, 0, 8, 0, mode, 0, 0, 0, 0]);
    file.extend([0, 0, 0, 18]);
    file.extend(b"8BIM\x04\x21\0\0\0\0\0\x06\0\0\0\x01");
    file.extend([u8::from(!empty), 0, 0, 0, 0, 0, 0, 0]);
    file.extend([9, 90, 200]);
    file
}

fn tga() -> Vec<u8> {
    let mut file = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 24, 0];
    file.extend([1, 2, 3, 4, 5, 6]);
    file
}

/// An icon, or the picture of a pointer.
fn icon(kind: u8) -> Vec<u8> {
    let picture = fixture("alpha.png");
    let mut file = vec![0, 0, kind, 0, 1, 0, 64, 48, 0, 0, 0, 0, 0, 0];
    file.extend((picture.len() as u32).to_le_bytes());
    file.extend(22_u32.to_le_bytes());
    file.extend(picture);
    file
}

fn jp2_of_many_channels() -> Vec<u8> {
    let mut file = fixture("plain.j2k");
    file[41] = 6;
    file
}

fn render(file: &[u8]) -> Result<(), Error> {
    let found = probe(file)?;
    let (sizes, options) = (model::default_sizes(), RenderOptions::default());
    Renderer::new().render(file, &found, &sizes, &options).map(drop)
}

fn made(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused");
    std::fs::read(folder.join(name)).unwrap()
}

/// An entry of the directory says whether planes are apart.
fn planar_tiff() -> Vec<u8> {
    let mut file = fixture("plain.tif");
    let entry = [284_u16.to_le_bytes(), 3_u16.to_le_bytes()].concat();
    let at = file.windows(4).position(|bytes| bytes == entry).expect("the entry");
    file[at + 8] = 2;
    file
}

/// What says how colours are to be read says now that bits are in reverse order.
fn tiff_of_reversed_bits() -> Vec<u8> {
    let mut file = fixture("plain.tif");
    // `PlanarConfiguration`, which says what is usual.
    let entry = [284_u16.to_le_bytes(), 3_u16.to_le_bytes()].concat();
    let at = file.windows(4).position(|bytes| bytes == entry).expect("the entry");
    file[at..at + 2].copy_from_slice(&266_u16.to_le_bytes());
    file[at + 8] = 2;
    file
}

fn bmp_of_jpeg() -> Vec<u8> {
    let mut file = fixture("plain.bmp");
    file[30] = 4;
    file
}

fn heif_of_jpeg() -> Vec<u8> {
    let mut file = fixture("plain.heic");
    while let Some(at) = file.windows(4).position(|bytes| bytes == b"hvc1") {
        file[at..at + 4].copy_from_slice(b"jpeg");
    }
    file
}

fn raw_without_preview() -> Vec<u8> {
    let mut file = Tiff::new(b"II\x2a\0\0\0\0\0");
    let first = file.directory(0, vec![short(0x0106, 32_803), long(0x0100, 6000)], 0);
    file.finish(first)
}
