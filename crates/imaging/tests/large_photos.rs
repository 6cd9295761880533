//! Photos of 200 megapixels and panoramas of 30,000 × 4,000 are rendered within the default budget,
//! and with less than 256 MB above what the process had before.
//!
//! Each is rendered in a process of its own: the test starts itself again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod shown;

use std::path::Path;
use std::process::Command;

use imaging::{Limits, RenderOptions, Renderer, probe};
use model::default_sizes;
use shown::read_png;

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The default of `images.memory`.
const BUDGET_BYTES: u64 = 512 << 20;
const ABOVE_IDLE_BYTES_MAX: u64 = 256 << 20;

const FILE: &str = "FERROTYPE_TEST_IMAGE";

/// Sensors of 200 and 108 megapixels, and a panorama.
const SENSOR: (u32, u32) = (16_320, 12_240);
const SMALLER_SENSOR: (u32, u32) = (12_000, 9_000);
const PANORAMA: (u32, u32) = (30_000, 4_000);
/// A sheet of paper at 600 dots an inch, and some.
const SCAN: (u32, u32) = (6_000, 8_000);

#[test]
fn photos_of_200_megapixels_and_panoramas_take_less_than_256_mb() {
    if let Some(file) = std::env::var_os(FILE) {
        return render_alone(Path::new(&file));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut undercounted = Vec::new();
    let mut check = |name: &str, bytes: Vec<u8>, size: (u32, u32)| {
        let file = folder.path().join(name);
        std::fs::write(&file, &bytes).unwrap();
        let [taken, admitted] = again(&file);
        println!("{name} of {} MB: {} of {} MiB", bytes.len() >> 20, taken >> 20, admitted >> 20);
        if taken > ABOVE_IDLE_BYTES_MAX || taken > admitted {
            undercounted.push(format!("{name}: {} of {} MiB", taken >> 20, admitted >> 20));
        }
        check_small(&read_png(&std::fs::read(file.with_extension("made")).unwrap()), size);
        std::fs::remove_file(file).unwrap();
    };
    check("sensor.jpg", jpeg(SENSOR, false), SENSOR);
    check("sensor-progressive.jpg", jpeg(SENSOR, true), SENSOR);
    check("panorama.jpg", jpeg(PANORAMA, false), PANORAMA);
    check("panorama-progressive.jpg", jpeg(PANORAMA, true), PANORAMA);
    check("sensor.png", png(SENSOR, png::ColorType::Rgb), SENSOR);
    check("panorama.png", png(PANORAMA, png::ColorType::Rgb), PANORAMA);
    check("upright.png", png((4_000, 30_000), png::ColorType::Rgb), (4_000, 30_000));
    check("clear.png", png(SMALLER_SENSOR, png::ColorType::Rgba), SMALLER_SENSOR);
    check("scan.tif", tiff(SCAN), SCAN);
    assert!(undercounted.is_empty(), "{undercounted:?}");
}

/// Colours that go from corner to corner.
fn pixel(x: u32, y: u32, (width, height): (u32, u32)) -> [u8; 4] {
    let level = |at: u32, all: u32| (at * 200 / all.max(1) + 20) as u8;
    [level(x, width), level(y, height), 120, 255]
}

/// What is shown at every size: the same slopes.
fn check_small(made: &shown::Shown, (width, height): (u32, u32)) {
    let (across, down) = (made.width as u32, made.height as u32);
    assert_eq!(across.max(down), 256);
    assert_eq!(width.cmp(&height), across.cmp(&down));
    for (x, y) in [(0, 0), (across / 3, down / 2), (across - 1, down / 4), (across - 1, down - 1)] {
        let (shown, exact) = (made.at(x as usize, y as usize), pixel(x, y, (across, down)));
        let near = shown.iter().zip(exact).all(|(a, b)| a.abs_diff(b) <= 9);
        assert!(near, "{shown:?} instead of {exact:?} at {x}, {y}");
    }
}

/// Rows are drawn once for many that are alike: the files are to be made in no time.
fn rows(size: (u32, u32), channels: usize) -> impl Iterator<Item = Vec<u8>> {
    let first = move |y: u32| -> Vec<u8> {
        (0..size.0).flat_map(|x| pixel(x, y, size).into_iter().take(channels)).collect()
    };
    let mut row = first(0);
    (0..size.1).map(move |y| {
        let green = pixel(0, y, size)[1];
        if row[1] != green {
            row.iter_mut().skip(1).step_by(channels).for_each(|sample| *sample = green);
        }
        row.clone()
    })
}

fn jpeg(size: (u32, u32), is_progressive: bool) -> Vec<u8> {
    let (width, height) = (size.0 as usize, size.1 as usize);
    let mut rgb = Vec::with_capacity(width * height * 3);
    rows(size, 3).for_each(|row| rgb.extend_from_slice(&row));
    let mut compressor = turbojpeg::Compressor::new().unwrap();
    compressor.set_progressive(is_progressive).unwrap();
    compressor.set_subsamp(turbojpeg::Subsamp::Sub2x2).unwrap();
    let (pitch, format) = (width * 3, turbojpeg::PixelFormat::RGB);
    let image = turbojpeg::Image { pixels: &rgb[..], width, height, pitch, format };
    compressor.compress_to_vec(image).unwrap()
}

fn png(size: (u32, u32), color: png::ColorType) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(color);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().unwrap();
    let mut stream = writer.stream_writer().unwrap();
    for row in rows(size, color.samples()) {
        std::io::Write::write_all(&mut stream, &row).unwrap();
    }
    stream.finish().unwrap();
    drop(writer);
    bytes
}

fn tiff(size: (u32, u32)) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let encoder = tiff::encoder::TiffEncoder::new(&mut bytes).unwrap();
    let mut encoder = encoder.with_compression(tiff::encoder::Compression::Lzw);
    let mut rgb = Vec::new();
    rows(size, 3).for_each(|row| rgb.extend_from_slice(&row));
    encoder.write_image::<tiff::encoder::colortype::RGB8>(size.0, size.1, &rgb).unwrap();
    bytes.into_inner()
}

fn render_alone(file: &Path) {
    let before = peak_bytes();
    let bytes = std::fs::read(file).unwrap();
    let found = probe(&bytes).unwrap();
    let limits = Limits { decoded_bytes: BUDGET_BYTES, ..Limits::default() };
    let options = RenderOptions { limits, ..RenderOptions::default() };
    let rendered = Renderer::new().render(&bytes, &found, &default_sizes(), &options);
    let rendered = rendered.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    println!("numbers {} {}", peak_bytes() - before, found.decoded_bytes(&default_sizes()));
    // The largest one, small enough to be looked at.
    let largest = rendered.renditions.last().unwrap();
    let small = [shown::spec("small", 256, model::Fit::Inside, model::RenditionFormat::Png)];
    let made = shown::render(&largest.bytes, &small).unwrap();
    std::fs::write(file.with_extension("made"), &made.renditions[0].bytes).unwrap();
}

/// Runs the test in a process of its own; returns the two numbers it has found.
fn again(file: &Path) -> [u64; 2] {
    let name = "photos_of_200_megapixels_and_panoramas_take_less_than_256_mb";
    let output = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture"])
        .env(FILE, file)
        .output()
        .unwrap();
    let (text, errors) = (output.stdout, output.stderr);
    let (text, errors) = (String::from_utf8_lossy(&text), String::from_utf8_lossy(&errors));
    assert!(output.status.success(), "{}: {text}{errors}", file.display());
    let at = text.find("numbers ").expect("the numbers");
    let mut words = text[at..].split_whitespace().skip(1).map(|word| word.parse().unwrap());
    [words.next().unwrap(), words.next().unwrap()]
}

fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() * 1024
}
