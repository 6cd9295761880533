//! Small photos, each like no other.

use std::fs;
use std::path::Path;

use testkit::photos::Photo;

use crate::Outcome;
use crate::shared::photo_file::jpeg_file;

/// As small as thumbnails of messengers.
const SIDES: (usize, usize) = (96, 64);

/// Writes so many photos, a thousand in a folder. `library` tells them from those of others.
pub fn write(folder: &Path, library: u32, photos: u32) -> Outcome {
    for n in 0..photos {
        let inside = folder.join(format!("{:03}", n / 1000));
        if n % 1000 == 0 {
            fs::create_dir_all(&inside)?;
        }
        fs::write(inside.join(format!("{n:06}.jpg")), jpeg_file(&photo(library, n), 1)?)?;
    }
    Ok(())
}

/// Stripes and a slope, whose colours and places follow from the number.
fn photo(library: u32, n: u32) -> Photo {
    let (width, height) = SIDES;
    let bits = (u64::from(library) << 32 | u64::from(n)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let part = |shift: u32| (bits >> shift & 0xFF) as usize;
    let mut rgb = Vec::with_capacity(3 * width * height);
    for y in 0..height {
        for x in 0..width {
            let stripe = if (x + part(0)) / (4 + part(8) % 12) % 2 == 0 { 64 } else { 0 };
            for colour in [16, 24, 32] {
                let value = part(colour) + x * part(40) / 96 + y * part(48) / 64 + stripe;
                rgb.push((value % 256) as u8);
            }
        }
    }
    // The number itself, in blocks that survive the codec.
    for bit in 0..32 {
        let value = if n >> bit & 1 == 1 { 255 } else { 0 };
        for y in 0..8 {
            for x in 0..3 {
                let at = 3 * (y * width + 3 * bit as usize + x);
                rgb.get_mut(at..at + 3).into_iter().for_each(|pixel| pixel.fill(value));
            }
        }
    }
    Photo { width, height, rgb }
}
