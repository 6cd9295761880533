use model::MediaType;

use crate::probe::{is_ico, is_jpeg, is_tga};
use crate::read::le32;

/// What kind of file it is by its first bytes (4 KiB are enough), if any that is known.
///
/// TIFF files and the RAW files built like them share their first bytes: those that need a look
/// at their directories (DNG, NEF, ARW) are called TIFF here, and [`crate::probe`] tells them apart.
pub fn sniff(bytes: &[u8]) -> Option<MediaType> {
    let starts = |magic: &[u8]| bytes.starts_with(magic);
    let at =
        |offset: usize, magic: &[u8]| bytes.get(offset..).is_some_and(|b| b.starts_with(magic));
    if is_jpeg(bytes) {
        return Some(MediaType::Jpeg);
    }
    if starts(b"\x89PNG\r\n\x1a\n") {
        return Some(MediaType::Png);
    }
    if starts(b"RIFF") && at(8, b"WEBP") {
        return Some(MediaType::Webp);
    }
    if starts(b"GIF87a") || starts(b"GIF89a") {
        return Some(MediaType::Gif);
    }
    if starts(b"\xff\x0a") || starts(b"\0\0\0\x0cJXL \r\n\x87\n") {
        return Some(MediaType::Jxl);
    }
    if starts(b"8BPS") {
        return Some(MediaType::Psd);
    }
    if starts(b"\0\0\0\x0cjP  \r\n\x87\n") || starts(b"\xff\x4f\xff\x51") {
        return Some(MediaType::Jp2);
    }
    if starts(b"II\xbc\x01") {
        return Some(MediaType::Jxr);
    }
    if starts(b"\x76\x2f\x31\x01") {
        return Some(MediaType::Exr);
    }
    if at(4, b"ftyp") {
        return sniff_brands(bytes);
    }
    if is_raw(bytes) {
        return Some(MediaType::Raw);
    }
    if [&b"II\x2a\0"[..], b"MM\0\x2a", b"II\x2b\0", b"MM\0\x2b"].into_iter().any(starts) {
        return Some(MediaType::Tiff);
    }
    if is_bmp(bytes) {
        return Some(MediaType::Bmp);
    }
    if is_ico(bytes) {
        return Some(MediaType::Ico);
    }
    is_tga(bytes).then_some(MediaType::Tga)
}

/// RAW files that say so in their first bytes: CR2, RAF, ORF, RW2, and CRW, MRW and X3F, whose
/// previews are not looked for.
fn is_raw(bytes: &[u8]) -> bool {
    let starts = |magic: &&[u8]| bytes.starts_with(magic);
    let cr2 = bytes.starts_with(b"II\x2a\0") && bytes.get(8..10) == Some(b"CR");
    let named = [&b"FUJIFILMCCD-RAW "[..], b"IIRO", b"IIRS", b"MMOR", b"IIU\0"];
    let others = [&b"II\x1a\0\0\0HEAPCCDR"[..], b"\0MRM", b"FOVb"];
    cr2 || named.iter().chain(&others).any(starts)
}

/// `BM` alone would claim any text that begins so; the header's length is one of few. `BA` is a
/// list of bitmaps.
fn is_bmp(bytes: &[u8]) -> bool {
    let bytes = match bytes.split_at_checked(14) {
        Some((head, rest)) if head.starts_with(b"BA") => rest,
        _ => bytes,
    };
    let header = le32(bytes, 14);
    bytes.starts_with(b"BM") && matches!(header, Some(12 | 16..=64 | 108 | 124))
}

/// AVIF, HEIC or CR3 by the brands of the first box. The major brand decides; a file that is only
/// `mif1` or `msf1` there is what its first compatible brand says.
fn sniff_brands(bytes: &[u8]) -> Option<MediaType> {
    let length = bytes.first_chunk::<4>().map(|b| u32::from_be_bytes(*b))?;
    let end = usize::try_from(length).ok()?.min(bytes.len()).min(4096);
    let major = bytes.get(8..12)?;
    let compatible = bytes.get(16..end).unwrap_or_default().chunks_exact(4);
    std::iter::once(major)
        .chain(compatible)
        .find_map(media_type_of_brand)
        .or_else(|| matches!(major, b"mif1" | b"msf1").then_some(MediaType::Heic))
}

fn media_type_of_brand(brand: &[u8]) -> Option<MediaType> {
    match brand {
        b"avif" | b"avis" => Some(MediaType::Avif),
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"hevm" | b"hevs" => {
            Some(MediaType::Heic)
        }
        b"crx " => Some(MediaType::Raw),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell() {
        let cases: [(&[u8], Option<MediaType>); 22] = [
            (b"\xff\xd8\xff\xe0", Some(MediaType::Jpeg)),
            (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", Some(MediaType::Avif)),
            (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", Some(MediaType::Heic)),
            (b"\0\0\0\x14ftypmif1\0\0\0\0mif1avif", Some(MediaType::Heic)),
            (b"\0\0\0\x18ftypcrx \0\0\0\x01crx isom", Some(MediaType::Raw)),
            (b"\0\0\0\x18ftypisom\0\0\0\0isommp42", None),
            (b"II\x2a\0\x10\0\0\0CR\x02\0", Some(MediaType::Raw)),
            (b"II\x2a\0\x08\0\0\0", Some(MediaType::Tiff)),
            (b"BM is how this text begins, not a bitmap", None),
            (b"<svg xmlns=", None),
            (b"8BPS\0\x01", Some(MediaType::Psd)),
            (b"\xff\x4f\xff\x51\0\x29", Some(MediaType::Jp2)),
            (b"II\xbc\x01\x08\0\0\0", Some(MediaType::Jxr)),
            (b"\x76\x2f\x31\x01\x02\0\0\0", Some(MediaType::Exr)),
            (b"FOVb\0\0\x02\0", Some(MediaType::Raw)),
            (
                b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x68\x04\0\0\x16\0\0\0",
                Some(MediaType::Ico),
            ),
            (b"\0\0\x02\0\0\0\0\0\0\0\0\0\x02\0\x02\0\x18\0", Some(MediaType::Tga)),
            // The beginnings of films, fonts and programs.
            (b"\0\0\x01\xba\x44\0\x04\0\x04\x01\0\x01\xff\xf8\0\0\x01\xbb", None),
            (b"\0\x01\0\0\0\x0f\0\x80\0\x03\0\x70GDEF\0\0", None),
            (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0", None),
            (b"%PDF-1.7", None),
            (b"", None),
        ];
        for (bytes, expected) in cases {
            assert_eq!(sniff(bytes), expected, "{}", bytes.escape_ascii());
        }
    }
}
