use model::MediaType;

/// What kind of file it is by its first bytes (4 KiB are enough), if any that is known.
///
/// TIFF files and the RAW files built like them share their first bytes: those that need a look
/// at their directories (DNG, NEF, ARW) are called TIFF here, and [`crate::probe`] tells them apart.
pub fn sniff(bytes: &[u8]) -> Option<MediaType> {
    let starts = |magic: &[u8]| bytes.starts_with(magic);
    let at =
        |offset: usize, magic: &[u8]| bytes.get(offset..).is_some_and(|b| b.starts_with(magic));
    if starts(b"\xff\xd8\xff") {
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
    if at(4, b"ftyp") {
        return sniff_brands(bytes);
    }
    if is_raw(bytes) {
        return Some(MediaType::Raw);
    }
    if [&b"II\x2a\0"[..], b"MM\0\x2a", b"II\x2b\0", b"MM\0\x2b"].into_iter().any(starts) {
        return Some(MediaType::Tiff);
    }
    is_bmp(bytes).then_some(MediaType::Bmp)
}

/// RAW files that say so in their first bytes: CR2, RAF, ORF, RW2.
fn is_raw(bytes: &[u8]) -> bool {
    let starts = |magic: &&[u8]| bytes.starts_with(magic);
    let cr2 = bytes.starts_with(b"II\x2a\0") && bytes.get(8..10) == Some(b"CR");
    let named = [&b"FUJIFILMCCD-RAW "[..], b"IIRO", b"IIRS", b"MMOR", b"IIU\0"];
    cr2 || named.iter().any(starts)
}

/// `BM` alone would claim any text that begins so; the header's length is one of few.
fn is_bmp(bytes: &[u8]) -> bool {
    let header =
        bytes.get(14..18).and_then(|b| <[u8; 4]>::try_from(b).ok()).map(u32::from_le_bytes);
    bytes.starts_with(b"BM") && matches!(header, Some(12 | 16 | 40 | 52 | 56 | 64 | 108 | 124))
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
        let cases: [(&[u8], Option<MediaType>); 12] = [
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
            (b"%PDF-1.7", None),
            (b"", None),
        ];
        for (bytes, expected) in cases {
            assert_eq!(sniff(bytes), expected, "{}", bytes.escape_ascii());
        }
    }
}
