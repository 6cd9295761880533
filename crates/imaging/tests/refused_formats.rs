//! What is not read is refused with a code of its own and a text that says what it is, never
//! rendered wrongly. `docs/formats.md` tells users the same.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod raw_file;

use std::path::Path;

use fixture::fixture;
use imaging::{Error, RenderOptions, Renderer, probe};
use raw_file::{Tiff, long, short};

/// What it is, as in the document, the file, and what the error says of it.
fn refused() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    vec![
        ("AVIF in tiles (a grid)", made("grid.avif"), "in tiles"),
        ("AVIF coded as YCgCo, ICtCp or by constant luminance", made("ycgco.avif"), "matrix"),
        ("JPEG XL in printing inks (CMYK)", made("inks.jxl"), "printing inks"),
        ("JPEG of 12 bits", made("twelve-bits.jpg"), "12 bits"),
        ("TIFF with a plane for each channel", planar_tiff(), "a plane for each channel"),
        ("TIFF with a palette or in Lab", made("palette.tif"), "Palette"),
        ("TIFF with a palette or in Lab", made("lab.tif"), "Lab"),
        ("TIFF of integers of 32 or 64 bits", made("integers.tif"), "samples of this kind"),
        ("BMP with a JPEG or PNG file in it", bmp_of_jpeg(), "BMP"),
        ("HEIF coded neither as HEVC nor as AV1", heif_of_jpeg(), "neither as HEVC nor as AV1"),
        ("RAW without a JPEG preview", raw_without_preview(), "without a preview"),
        (
            "any other format",
            b"<svg xmlns='http://www.w3.org/2000/svg'></svg>".to_vec(),
            "no image format",
        ),
        ("any other format", [&b"8BPS\0\x01"[..], &[0; 64]].concat(), "no image format"),
        (
            "any other format",
            [&b"\0\0\0\x0cjP  \r\n\x87\n"[..], &[0; 64]].concat(),
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

#[test]
fn users_are_told_what_is_not_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let document = std::fs::read_to_string(path).unwrap();
    for (what, ..) in refused() {
        assert!(document.contains(&format!("| {what} |")), "{what}");
    }
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
