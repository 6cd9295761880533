//! Photos of real people, free of rights, and others made of them. `scripts/setup test` gets them.

use std::path::PathBuf;

use imaging::{Raster, RenderOptions, Renderer};
use model::{Fit, RenditionFormat, SizeSpec};

/// The folder of the face models.
pub fn models() -> PathBuf {
    testkit::servers::installed("models")
}

/// Grace Hopper.
pub fn hopper() -> Raster {
    raster("grace_hopper.jpg")
}

/// Eileen Collins.
pub fn collins() -> Raster {
    raster("astronaut.png")
}

/// The same photo from the other side of a mirror.
pub fn mirrored(photo: &Raster) -> Raster {
    let rows = photo.rgb.chunks(photo.width as usize * 3);
    let rgb = rows.flat_map(|row| row.chunks(3).rev().flatten().copied()).collect();
    Raster { rgb, ..*photo }
}

/// The same photo in worse light.
pub fn darker(photo: &Raster) -> Raster {
    let rgb = photo.rgb.iter().map(|byte| (f32::from(*byte) * 0.7) as u8).collect();
    Raster { rgb, ..*photo }
}

/// Two photos side by side.
pub fn beside(one: &Raster, other: &Raster) -> Raster {
    let (width, height) = (one.width + other.width, one.height.max(other.height));
    let mut rgb = Vec::new();
    for row in 0..height as usize {
        for part in [one, other] {
            let stride = part.width as usize * 3;
            match part.rgb.get(row * stride..(row + 1) * stride) {
                Some(pixels) => rgb.extend_from_slice(pixels),
                None => rgb.resize(rgb.len() + stride, 128),
            }
        }
    }
    Raster { width, height, rgb }
}

/// A photo as a file that needs no encoder, and is like no other with the same seed.
pub fn file(photo: &Raster, seed: u32) -> Vec<u8> {
    let stride = (photo.width as usize * 3).next_multiple_of(4);
    let mut data = Vec::new();
    for row in photo.rgb.chunks(photo.width as usize * 3).rev() {
        let start = data.len();
        data.extend(row.chunks(3).flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]));
        data.resize(start + stride, 0);
    }
    // In a corner where nobody is.
    for (byte, seed) in data.iter_mut().zip(seed.to_le_bytes()) {
        *byte = seed;
    }
    let mut file = b"BM".to_vec();
    let size = u32::try_from(54 + data.len()).unwrap();
    for number in [size, 0, 54, 40, photo.width, photo.height] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.extend_from_slice(&[1, 0, 24, 0]);
    file.extend_from_slice(&[0; 24]);
    file.extend_from_slice(&data);
    file
}

fn raster(name: &str) -> Raster {
    let bytes = std::fs::read(testkit::servers::installed("test-faces").join(name)).unwrap();
    let probe = imaging::probe(&bytes).unwrap();
    let size =
        SizeSpec::new("x".parse().unwrap(), (640, 640), Fit::Inside, RenditionFormat::Png, 80);
    let options = RenderOptions::default();
    Renderer::new().raster(&bytes, &probe, &size.unwrap(), &options).unwrap()
}
