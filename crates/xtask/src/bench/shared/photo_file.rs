//! A photo as a camera writes it.

use testkit::photos::Photo;
use turbojpeg::{Compressor, Image, PixelFormat, Subsamp};

use crate::Outcome;

/// As cameras write them: what telephones and cameras have written is as large as when it is
/// written again at this quality.
const QUALITY: i32 = 95;

/// A photo as a JPEG file with EXIF, held as EXIF's number says.
pub fn jpeg_file(photo: &Photo, orientation: u8) -> Outcome<Vec<u8>> {
    let mut compressor = Compressor::new()?;
    compressor.set_quality(QUALITY)?;
    compressor.set_subsamp(Subsamp::Sub2x2)?;
    let image = Image {
        pixels: photo.rgb.as_slice(),
        width: photo.width,
        pitch: 3 * photo.width,
        height: photo.height,
        format: PixelFormat::RGB,
    };
    let jpeg = compressor.compress_to_vec(image)?;
    let (start, rest) = jpeg.split_at_checked(2).ok_or("an empty JPEG file")?;
    Ok([start, &exif_segment(orientation)?, rest].concat())
}

/// What a camera writes before the pixels, cut down to who it is and how it was held.
fn exif_segment(orientation: u8) -> Outcome<Vec<u8>> {
    /// An entry of four bytes or fewer, or text that stands after the directory.
    enum Value {
        Short(u8),
        Text(&'static [u8]),
    }
    let entries = [
        (0x010F_u16, Value::Text(b"Ferrotype\0")),
        (0x0110, Value::Text(b"Dead leaves\0")),
        (0x0112, Value::Short(orientation)),
        (0x0132, Value::Text(b"2024:05:17 12:34:56\0")),
    ];
    let mut directory = (entries.len() as u16).to_be_bytes().to_vec();
    let mut texts = Vec::new();
    let texts_at = 8 + 2 + 12 * entries.len() + 4;
    for (tag, value) in &entries {
        directory.extend(tag.to_be_bytes());
        match value {
            Value::Short(number) => {
                directory.extend([0, 3, 0, 0, 0, 1, 0, *number, 0, 0]);
            }
            Value::Text(text) => {
                directory.extend([0, 2]);
                directory.extend(u32::try_from(text.len())?.to_be_bytes());
                directory.extend(u32::try_from(texts_at + texts.len())?.to_be_bytes());
                texts.extend_from_slice(text);
            }
        }
    }
    let body = [b"Exif\0\0MM\0\x2A\0\0\0\x08".as_slice(), &directory, &[0; 4], &texts].concat();
    let length = u16::try_from(body.len() + 2)?.to_be_bytes();
    Ok([[0xFF, 0xE1].as_slice(), &length, &body].concat())
}
