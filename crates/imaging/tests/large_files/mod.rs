//! Large images of every format that is read: 12 to 24 megapixels, drawn here, or by
//! `tests/large/make.py` where only other programs can write the format.

use std::io::Cursor;
use std::path::Path;

use imaging::{RenderOptions, Renderer, probe};
use model::{Fit, RenditionFormat, SizeSpec};

use crate::shown::spec;

const WIDTH: usize = 4000;
const HEIGHT: usize = 3000;

/// What is in `tests/large`.
const MADE: [&str; 10] = [
    "plain.heic",
    "alpha.heic",
    "deep.heic",
    "plain.jxl",
    "alpha.jxl",
    "lossless.jxl",
    "hdr.jxl",
    "hdr-lossless.jxl",
    "plain.avif",
    "alpha.avif",
];

/// Writes one file of each kind into a folder.
pub fn write_large_files(folder: &Path) {
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    for name in MADE {
        write(name, &std::fs::read(made().join(name)).unwrap());
    }
    write("baseline.jpg", &jpeg((6000, 4000), false));
    write("progressive.jpg", &jpeg((6000, 4000), true));
    write("deep-alpha.png", &png(png::BitDepth::Sixteen));
    let alpha = png(png::BitDepth::Eight);
    write("alpha.png", &alpha);
    write("alpha.webp", &as_webp(&alpha));
    write("lossy.webp", &as_webp(&jpeg((WIDTH, HEIGHT), false)));
    write(
        "deep-alpha.tif",
        &tiff_of::<tiff::encoder::colortype::RGBA16>(|level| u16::from(level) * 257, 4),
    );
    write(
        "float.tif",
        &tiff_of::<tiff::encoder::colortype::RGB32Float>(|level| f32::from(level) / 255.0, 3),
    );
    write("plain.bmp", &bmp());
    let moving = gif();
    write("moving.webp", &as_webp(&moving));
    write("moving.gif", &moving);
}

fn made() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/large")
}

/// Soft shapes, with texture in the lower half, and opacity that changes everywhere.
fn pixel(x: usize, y: usize) -> [u8; 4] {
    let noise = x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503) ^ (x * y);
    let texture = if y.is_multiple_of(HEIGHT) || y < HEIGHT / 2 { 0 } else { noise >> 3 & 15 };
    let level = |number: usize| (number % 240 + texture) as u8;
    [level(x / 16), level(y / 16), level(80), (x / 8 + y / 8) as u8]
}

fn samples(width: usize, height: usize, channels: usize) -> Vec<u8> {
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| pixel(x, y)));
    pixels.flat_map(|pixel| pixel.into_iter().take(channels)).collect()
}

fn jpeg((width, height): (usize, usize), progressive: bool) -> Vec<u8> {
    let rgb = samples(width, height, 3);
    let mut compressor = turbojpeg::Compressor::new().unwrap();
    compressor.set_progressive(progressive).unwrap();
    let (pitch, format) = (width * 3, turbojpeg::PixelFormat::RGB);
    let image = turbojpeg::Image { pixels: &rgb[..], width, height, pitch, format };
    compressor.compress_to_vec(image).unwrap()
}

fn png(depth: png::BitDepth) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH as u32, HEIGHT as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(depth);
    encoder.set_compression(png::Compression::Fast);
    let mut data = samples(WIDTH, HEIGHT, 4);
    if depth == png::BitDepth::Sixteen {
        data = data.iter().flat_map(|level| [*level, *level]).collect();
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&data).unwrap();
    writer.finish().unwrap();
    bytes
}

fn as_webp(file: &[u8]) -> Vec<u8> {
    let found = probe(file).unwrap();
    let whole = [spec("whole", SizeSpec::SIDE_MAX, Fit::Inside, RenditionFormat::Webp)];
    let rendered = Renderer::new().render(file, &found, &whole, &RenderOptions::default());
    rendered.unwrap().renditions.remove(0).bytes
}

fn tiff_of<C: tiff::encoder::colortype::ColorType>(
    sample: impl Fn(u8) -> C::Inner,
    channels: usize,
) -> Vec<u8>
where
    [C::Inner]: tiff::encoder::TiffValue,
{
    let mut bytes = Cursor::new(Vec::new());
    let data: Vec<C::Inner> = samples(WIDTH, HEIGHT, channels).into_iter().map(sample).collect();
    let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes)
        .unwrap()
        .with_compression(tiff::encoder::Compression::Lzw);
    encoder.write_image::<C>(WIDTH as u32, HEIGHT as u32, &data).unwrap();
    bytes.into_inner()
}

/// 24 bits, from the last row to the first.
fn bmp() -> Vec<u8> {
    let data = samples(WIDTH, HEIGHT, 3);
    let mut file = b"BM".to_vec();
    file.extend((54 + data.len() as u32).to_le_bytes());
    file.extend([0; 4]);
    file.extend(54_u32.to_le_bytes());
    file.extend(40_u32.to_le_bytes());
    file.extend((WIDTH as u32).to_le_bytes());
    file.extend((HEIGHT as u32).to_le_bytes());
    file.extend([1, 0, 24, 0]);
    file.extend([0; 24]);
    file.extend(data);
    file
}

/// Frames as large as the largest rendition, with something moving through them.
fn gif() -> Vec<u8> {
    const SIDE: usize = 2048;
    let mut bytes = Vec::new();
    let palette: Vec<u8> = (0..=255_u8).flat_map(|level| [level, level / 2, 255 - level]).collect();
    let mut encoder = gif::Encoder::new(&mut bytes, SIDE as u16, SIDE as u16, &palette).unwrap();
    for moved in 0..3 {
        let level = |at: usize| pixel(at % SIDE + moved * 60, at / SIDE)[0];
        let indices: Vec<u8> = (0..SIDE * SIDE).map(level).collect();
        let mut frame = gif::Frame::from_indexed_pixels(SIDE as u16, SIDE as u16, indices, None);
        frame.delay = 10;
        encoder.write_frame(&frame).unwrap();
    }
    drop(encoder);
    bytes
}
