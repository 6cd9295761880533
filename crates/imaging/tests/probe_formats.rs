//! Every format, as real encoders write it. The files are made by `fixtures/make.py`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;

use fixture::fixture;
use imaging::{ColorModel, Error, Limits, Orientation, Probe, ProfileKind, probe};

/// A probe as a line of words.
fn words(probe: &Probe) -> String {
    let media_type = format!("{:?}", probe.media_type).to_lowercase();
    let mut words =
        format!("{media_type} {}x{} {} bits", probe.width, probe.height, probe.bit_depth);
    if probe.orientation != Orientation::Upright {
        words += &format!(" {:?}", probe.orientation);
    }
    if probe.color_model != ColorModel::Rgb {
        words += &format!(" {:?}", probe.color_model);
    }
    if probe.has_alpha {
        words += " alpha";
    }
    if probe.frames != 1 {
        words += &format!(" {} frames", probe.frames);
    }
    if probe.color_profile.kind != ProfileKind::Srgb {
        words += &format!(" {:?} profile", probe.color_profile.kind);
    }
    if probe.exif.is_some() {
        words += " exif";
    }
    words
}

fn check(cases: &[(&str, &str)]) {
    for (name, expected) in cases {
        let probe = probe(&fixture(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(words(&probe), *expected, "{name}");
    }
}

#[test]
fn jpeg() {
    check(&[
        ("plain.jpg", "jpeg 64x48 8 bits"),
        ("progressive.jpg", "jpeg 64x48 8 bits"),
        ("gray.jpg", "jpeg 64x48 8 bits Gray Gray profile"),
        ("cmyk.jpg", "jpeg 64x48 8 bits Cmyk Cmyk profile"),
        ("display-p3.jpg", "jpeg 64x48 8 bits DisplayP3 profile"),
        ("adobe-rgb.jpg", "jpeg 64x48 8 bits AdobeRgb profile"),
        ("adobe-rgb-by-exif.jpg", "jpeg 64x48 8 bits AdobeRgb profile exif"),
        ("camera.jpg", "jpeg 64x48 8 bits Rotate90 exif"),
    ]);
}

#[test]
fn eight_orientations() {
    for orientation in Orientation::ALL {
        let name = format!("orientation-{}.jpg", orientation.to_exif());
        let probe = probe(&fixture(&name)).unwrap();
        assert_eq!(probe.orientation, orientation);
        let expected = if orientation.swaps_sides() { (48, 64) } else { (64, 48) };
        assert_eq!(probe.display_size(), expected);
    }
}

#[test]
fn png() {
    check(&[
        ("plain.png", "png 64x48 8 bits Rotate180 DisplayP3 profile exif"),
        ("alpha.png", "png 64x48 8 bits alpha"),
        ("gray-16.png", "png 64x48 16 bits Gray"),
        ("palette.png", "png 64x48 8 bits alpha"),
        ("animated.png", "png 64x48 8 bits alpha 3 frames"),
    ]);
}

#[test]
fn webp() {
    check(&[
        ("lossy.webp", "webp 64x48 8 bits"),
        ("lossless-alpha.webp", "webp 64x48 8 bits alpha"),
        ("extended.webp", "webp 64x48 8 bits Rotate270 DisplayP3 profile exif"),
        ("animated.webp", "webp 64x48 8 bits 4 frames"),
    ]);
}

#[test]
fn gif() {
    check(&[("plain.gif", "gif 64x48 8 bits"), ("animated.gif", "gif 64x48 8 bits 5 frames")]);
}

#[test]
fn tiff_and_bmp() {
    check(&[
        ("plain.tif", "tiff 64x48 8 bits Rotate90 AdobeRgb profile exif"),
        ("alpha.tif", "tiff 64x48 8 bits alpha"),
        ("big.tif", "tiff 64x48 8 bits"),
        ("cmyk.tif", "tiff 64x48 8 bits Cmyk Cmyk profile"),
        ("gray-16.tif", "tiff 64x48 16 bits Gray"),
        ("plain.bmp", "bmp 32x24 8 bits"),
    ]);
}

#[test]
fn bmp_with_a_mask_for_alpha() {
    let mut file = fixture("plain.bmp");
    file[14] = 108;
    file[28] = 32;
    file[30] = 3;
    file[66..70].copy_from_slice(&0xff00_0000_u32.to_le_bytes());
    assert_eq!(words(&probe(&file).unwrap()), "bmp 32x24 8 bits alpha");
}

#[test]
fn avif() {
    check(&[
        ("plain.avif", "avif 64x48 8 bits exif"),
        ("alpha.avif", "avif 64x48 8 bits alpha DisplayP3 profile"),
        ("animated.avif", "avif 64x48 8 bits 3 frames"),
        ("orientation-4.avif", "avif 64x48 8 bits FlipVertical exif"),
        ("orientation-5.avif", "avif 64x48 8 bits Transpose exif"),
        ("orientation-6.avif", "avif 64x48 8 bits Rotate90 exif"),
        ("orientation-8.avif", "avif 64x48 8 bits Rotate270 exif"),
    ]);
}

/// Coded as 64×64, the least there is, with an aperture of 64×48.
#[test]
fn heic() {
    check(&[
        ("plain.heic", "heic 64x48 8 bits"),
        ("alpha.heic", "heic 64x48 8 bits alpha"),
        ("deep.heic", "heic 64x48 10 bits"),
        ("display-p3.heic", "heic 64x48 8 bits DisplayP3 profile"),
        ("orientation-2.heic", "heic 64x48 8 bits FlipHorizontal exif"),
        ("orientation-3.heic", "heic 64x48 8 bits Rotate180 exif"),
        ("orientation-6.heic", "heic 64x48 8 bits Rotate90 exif"),
        ("orientation-8.heic", "heic 64x48 8 bits Rotate270 exif"),
    ]);
}

/// Those files have the same orientation in EXIF, as some writers do; it must not count twice,
/// and where only EXIF has it, it must not count at all.
#[test]
fn orientation_of_heic_and_avif_is_not_that_of_exif() {
    for (name, property) in [("orientation-6.heic", b"irot"), ("orientation-6.avif", b"irot")] {
        let mut file = fixture(name);
        let at = file.windows(4).position(|bytes| bytes == property).expect("a rotation");
        file[at..at + 4].copy_from_slice(b"free");
        let probe = probe(&file).unwrap();
        assert_eq!(probe.orientation, Orientation::Upright, "{name}");
        assert!(probe.exif.is_some(), "{name}");
    }
}

#[test]
fn jpeg_xl() {
    check(&[
        ("plain.jxl", "jxl 64x48 8 bits"),
        ("alpha.jxl", "jxl 64x48 8 bits alpha"),
        ("gray-16.jxl", "jxl 64x48 16 bits Gray"),
        ("display-p3.jxl", "jxl 64x48 8 bits DisplayP3 profile"),
        ("icc.jxl", "jxl 64x48 8 bits Other profile"),
        ("animated.jxl", "jxl 64x48 8 bits alpha 2 frames"),
        ("camera.jxl", "jxl 64x48 8 bits Rotate90 exif"),
        ("camera-compressed.jxl", "jxl 64x48 8 bits Rotate90 exif"),
    ]);
}

#[test]
fn profiles_carry_their_name_and_bytes() {
    let names = ["display-p3.jpg", "plain.png", "extended.webp", "display-p3.heic", "alpha.avif"];
    for name in names {
        let profile = probe(&fixture(name)).unwrap().color_profile;
        assert_eq!(profile.description.as_deref(), Some("Display P3"), "{name}");
        assert_eq!(profile.icc.as_ref().map(Vec::len), Some(452), "{name}");
        assert!(profile.needs_conversion(), "{name}");
    }
    assert!(!probe(&fixture("plain.jpg")).unwrap().color_profile.needs_conversion());
}

/// A bitstream larger than its file claims is what a decoder would allocate.
#[test]
fn a_heic_bitstream_counts_whatever_its_file_claims() {
    let mut file = fixture("plain.heic");
    let at = file.windows(4).position(|bytes| bytes == b"ispe").expect("a size");
    file[at + 8..at + 16].copy_from_slice(&[0, 0, 0, 8, 0, 0, 0, 8]);
    let probe = probe(&file).unwrap();
    assert_eq!((probe.width, probe.height), (8, 8));
    let limits = Limits { pixels: 1_000, ..Limits::default() };
    assert_eq!(
        probe.check(&limits, &[]),
        Err(Error::TooManyPixels { pixels: 4_096, limit: 1_000 })
    );
}

/// Each limit has an error of its own.
#[test]
fn limits_fail_one_by_one() {
    let probe = probe(&fixture("animated.gif")).unwrap();
    let fine = Limits::default();
    let code =
        |limits: Limits| probe.check(&limits, &[]).map_or_else(|error| error.code(), |()| "fine");
    assert_eq!(code(fine), "fine");
    assert_eq!(code(Limits { bytes: 100, ..fine }), "tooManyBytes");
    assert_eq!(code(Limits { pixels: 64 * 48 - 1, ..fine }), "tooManyPixels");
    assert_eq!(code(Limits { side: 63, ..fine }), "sideTooLong");
    assert_eq!(code(Limits { frames: 4, ..fine }), "tooManyFrames");
    assert_eq!(code(Limits { decoded_bytes: 1_000, ..fine }), "tooMuchMemory");
    let exact = Limits {
        bytes: probe.size_bytes,
        pixels: 64 * 48,
        side: 64,
        frames: 5,
        decoded_bytes: probe.decoded_bytes(&[]),
    };
    assert_eq!(code(exact), "fine");
}

/// As the decoder takes it, and so its memory is counted.
#[test]
fn a_fourth_channel_of_tiff_that_nothing_is_said_of_is_opacity() {
    use tiff::encoder::colortype::{ColorType, RGB8, RGBA8};
    fn file<C: ColorType<Inner = u8>>(channels: usize) -> Vec<u8> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes).unwrap();
        encoder.write_image::<C>(4, 3, &vec![7; 12 * channels]).unwrap();
        bytes.into_inner()
    }
    assert!(probe(&file::<RGBA8>(4)).unwrap().has_alpha);
    assert!(!probe(&file::<RGB8>(3)).unwrap().has_alpha);
}
