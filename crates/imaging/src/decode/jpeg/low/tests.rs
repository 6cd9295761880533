use turbojpeg::{Compressor, Image as Whole, PixelFormat, Subsamp};

use super::*;

/// Soft waves with edges.
fn rgb((width, height): Size) -> Vec<u8> {
    let wave = |at: u32, length: f32| ((at as f32 / length).sin() * 60.0 + 120.0) as u8;
    let pixel = |x: u32, y: u32| {
        let edge = if (x / 50 + y / 40).is_multiple_of(2) { 40 } else { 0 };
        [wave(x, 9.0) + edge, wave(y, 14.0), wave(x + y, 30.0) + edge]
    };
    (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect()
}

fn jpeg(size: Size, subsamp: Subsamp, is_progressive: bool) -> Vec<u8> {
    let (width, height) = (size.0 as usize, size.1 as usize);
    let mut compressor = Compressor::new().unwrap();
    compressor.set_subsamp(subsamp).unwrap();
    compressor.set_quality(90).unwrap();
    compressor.set_progressive(is_progressive).unwrap();
    let rgb = rgb(size);
    let (pitch, format) = (width * 3, PixelFormat::RGB);
    compressor.compress_to_vec(Whole { pixels: &rgb[..], width, height, pitch, format }).unwrap()
}

fn low(bytes: &[u8], size: Size, eighths: usize) -> Result<Picture, Error> {
    let along = |side: u32| (side * eighths as u32).div_ceil(8);
    let scaled = (along(size.0), along(size.1));
    let (picture, is_whole) = decode(bytes, size, (scaled, eighths), &mut Buffers::default())?;
    if is_whole { Ok(picture) } else { Err(cut_off()) }
}

/// All planes by libjpeg, without gaps.
fn whole(bytes: &[u8]) -> Vec<u8> {
    let mut decompressor = turbojpeg::Decompressor::new().unwrap();
    let turbojpeg::DecompressHeader { width, height, subsamp, .. } =
        decompressor.read_header(bytes).unwrap();
    let size = turbojpeg::yuv_pixels_len(width, 1, height, subsamp).unwrap();
    let mut pixels = vec![0; size];
    let into = turbojpeg::YuvImage { pixels: &mut pixels[..], width, align: 1, height, subsamp };
    decompressor.decompress_to_yuv(bytes, into).unwrap();
    pixels
}

fn planes(picture: &Picture) -> Vec<(Vec<u8>, Size)> {
    match picture {
        Picture::Pixels(pixels) => vec![(pixels.data.to_vec(), pixels.size)],
        Picture::Ycc(ycc) => {
            let size = |plane: crate::picture::Plane<'_>| (plane.stride as u32, plane.rows as u32);
            ycc.planes().iter().map(|plane| (plane.data.to_vec(), size(*plane))).collect()
        }
    }
}

const SUBSAMPS: [Subsamp; 7] = [
    Subsamp::None,
    Subsamp::Sub2x1,
    Subsamp::Sub2x2,
    Subsamp::Sub1x2,
    Subsamp::Sub4x1,
    Subsamp::Sub1x4,
    Subsamp::Gray,
];

const SIZES: [Size; 5] = [(256, 192), (161, 123), (8, 8), (1, 70), (97, 1)];

#[test]
fn all_scans_are_read_as_libjpeg_reads_them() {
    for subsamp in SUBSAMPS {
        for size in SIZES {
            let file = jpeg(size, subsamp, true);
            let picture = low(&file, size, 8).unwrap();
            let made: Vec<u8> = planes(&picture).into_iter().flat_map(|(plane, _)| plane).collect();
            let exact = whole(&file);
            assert_eq!(made.len(), exact.len(), "{subsamp:?} {size:?}");
            let worst = made.iter().zip(&exact).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            // Padding beyond the picture may differ in how it is made up.
            let wrong = made.iter().zip(&exact).filter(|(a, b)| a.abs_diff(**b) > 2).count();
            assert!(wrong * 100 <= made.len(), "{subsamp:?} {size:?}: {wrong}, worst {worst}");
        }
    }
}

#[test]
fn smaller_scales_show_the_means_of_what_the_whole_shows() {
    let size = (256, 192);
    for subsamp in SUBSAMPS {
        let file = jpeg(size, subsamp, true);
        let all = planes(&low(&file, size, 8).unwrap());
        for eighths in [1, 2, 4] {
            let step = 8 / eighths;
            let small = planes(&low(&file, size, eighths).unwrap());
            for ((plane, (width, _)), (large, (stride, _))) in small.iter().zip(&all) {
                let mean = |x: usize, y: usize| {
                    let rows = large.chunks(*stride as usize).skip(y * step).take(step);
                    let sum: u32 = rows
                        .flat_map(|row| row[x * step..(x + 1) * step].iter())
                        .map(|sample| u32::from(*sample))
                        .sum();
                    f64::from(sum) / (step * step) as f64
                };
                let distance = |(at, sample): (usize, &u8)| {
                    (mean(at % *width as usize, at / *width as usize) - f64::from(*sample)).abs()
                };
                let all: f64 = plane.iter().enumerate().map(distance).sum();
                let mean = all / plane.len() as f64;
                assert!(mean < 4.0, "{subsamp:?} at {eighths} eighths: {mean}");
            }
        }
    }
}

/// The scans of three grey files as those of one file of three channels.
fn scan_by_scan(size: Size) -> Vec<u8> {
    let (width, height) = (size.0 as usize, size.1 as usize);
    let rgb = rgb(size);
    let mut file = Vec::new();
    for channel in 0..3_usize {
        let gray: Vec<u8> = rgb.iter().skip(channel).step_by(3).copied().collect();
        let mut compressor = Compressor::new().unwrap();
        compressor.set_subsamp(Subsamp::Gray).unwrap();
        let format = PixelFormat::GRAY;
        let image = Whole { pixels: &gray[..], width, height, pitch: width, format };
        let bytes = compressor.compress_to_vec(image).unwrap();
        let frame = bytes.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
        let scan = bytes.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap();
        if channel == 0 {
            file.extend_from_slice(&bytes[..frame]);
            file.extend([0xff, 0xc0, 0, 17]);
            file.extend_from_slice(&bytes[frame + 4..frame + 9]);
            file.extend([3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
            file.extend_from_slice(&bytes[frame + 13..scan]);
        }
        let end = bytes.len() - 2;
        file.extend([0xff, 0xda, 0, 8, 1, channel as u8 + 1, 0]);
        file.extend_from_slice(&bytes[scan + 7..end]);
    }
    file.extend([0xff, 0xd9]);
    file
}

#[test]
fn channels_in_scans_of_their_own_are_read() {
    let size = (161, 123);
    let file = scan_by_scan(size);
    let probe = crate::probe(&file).unwrap();
    assert!(probe.held_bytes > 0 && probe.held_in_part);
    let picture = low(&file, size, 8).unwrap();
    let made: Vec<u8> = planes(&picture).into_iter().flat_map(|(plane, _)| plane).collect();
    let worst = made.iter().zip(whole(&file)).map(|(a, b)| a.abs_diff(b)).max().unwrap();
    assert!(worst <= 2, "{worst}");
}

#[test]
fn files_that_end_too_early_say_so_and_damage_harms_nothing() {
    let size = (256, 192);
    let file = jpeg(size, Subsamp::Sub2x2, true);
    let cut = low(&file[..file.len() / 2], size, 2).err().unwrap();
    assert!(matches!(cut, Error::Truncated { .. }), "{cut}");
    for at in (2..file.len()).step_by(7) {
        let mut damaged = file.clone();
        damaged[at] = damaged[at].wrapping_add(1 + (at % 251) as u8);
        // Whatever comes of it, there is no panic.
        let _ = low(&damaged, size, 2);
    }
}

#[test]
fn only_large_files_at_a_smaller_scale_are_worth_it() {
    let coefficients = 600 << 20;
    assert!(is_worth(coefficients, 4) && !is_worth(coefficients, 8) && !is_worth(50 << 20, 1));
    let megabytes = |eighths| held_bytes(coefficients, eighths) >> 20;
    assert_eq!([megabytes(1), megabytes(2), megabytes(4)], [46, 75, 187]);
}
