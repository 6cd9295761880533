//! Small files that claim to be large, go in circles or inflate without end.

use std::io::Write;

use crate::fixture::fixture;
use crate::raw_file::{Tiff, long, longs, short};

/// Name, file, and the code of the error it must end in.
pub fn bombs() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    vec![
        ("png of 2^31-1 pixels a side", png_of(i32::MAX as u32, i32::MAX as u32), "sideTooLong"),
        ("png of 65,535 pixels a side", png_of(65_535, 65_535), "tooManyPixels"),
        ("png of no pixels", png_of(0, 7), "damagedImage"),
        ("png whose profile inflates", png_with_large_profile(), "fine"),
        ("png whose texts inflate", png_with_large_texts(), "fine"),
        ("png whose packet is nothing but elements", png_with_elements(), "fine"),
        ("png whose packet is nested", png_with_nested_elements(), "fine"),
        ("png of 4 billion frames", png_with_frames(u32::MAX), "tooManyFrames"),
        ("png of a million chunks", png_of_chunks(1_000_000), "fine"),
        ("jpeg of 65,535 pixels a side", jpeg_of(u16::MAX, u16::MAX), "tooManyPixels"),
        ("jpeg without a height", jpeg_of(64, 0), "damagedImage"),
        ("jpeg of a million segments", jpeg_of_segments(1_000_000), "damagedImage"),
        ("jpeg of nothing but fill bytes", jpeg_of_fill(8 << 20), "damagedImage"),
        ("jpeg with a profile of 16 MB", jpeg_with_large_profile(), "fine"),
        ("jpeg of a thousand empty packets", jpeg_of_packets(1_000), "fine"),
        ("gif of 65,535 pixels a side", gif(65_535, 65_535, 1, 1), "tooManyPixels"),
        ("gif with a frame beyond its canvas", gif(8, 8, 65_535, 1), "tooManyPixels"),
        ("gif of a million frames", gif(8, 8, 8, 1_000_000), "tooManyFrames"),
        ("gif of tiny blocks", gif_of_blocks(8_000_000), "damagedImage"),
        ("webp of 2^24 pixels a side", webp_of(1 << 24, 1 << 24), "sideTooLong"),
        ("webp with an image beyond its canvas", webp_beyond_canvas(), "tooMuchMemory"),
        ("webp of a million frames", webp_of_frames(1_000_000), "tooManyFrames"),
        ("avif of 2^31 pixels a side", heif_of("plain.avif", 1 << 31), "sideTooLong"),
        ("avif of 60,000 pixels a side", heif_of("plain.avif", 60_000), "tooManyPixels"),
        ("heic of 60,000 pixels a side", heif_of("plain.heic", 60_000), "tooManyPixels"),
        ("heic of a million boxes", heic_of_boxes(1_000_000), "truncatedImage"),
        ("heic of boxes without a length", heic_of_empty_boxes(), "truncatedImage"),
        ("heic of a sequence of 4 billion", heic_of_frames(), "tooManyFrames"),
        ("tiff of 2^32-1 pixels a side", tiff_of(u32::MAX as usize), "sideTooLong"),
        ("tiff whose directory points at itself", tiff_in_circle(), "fine"),
        ("tiff of a million subdirectories", tiff_of_directories(1_000_000), "fine"),
        ("tiff of 65,535 entries", tiff_of_entries(), "fine"),
        ("bmp of 2^31 pixels a side", bmp_of(i32::MIN), "sideTooLong"),
        ("jxl of 2^30 pixels a side", jxl_of(), "sideTooLong"),
        ("jxl whose exif inflates", jxl_with_large_exif(), "fine"),
    ]
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [&length, &name[..], data, &[0; 4]].concat()
}

fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut file = fixture("alpha.png");
    file[16..20].copy_from_slice(&width.to_be_bytes());
    file[20..24].copy_from_slice(&height.to_be_bytes());
    file
}

fn png_with(chunks: &[u8]) -> Vec<u8> {
    let mut file = fixture("alpha.png");
    file.splice(33..33, chunks.iter().copied());
    file
}

fn png_with_frames(frames: u32) -> Vec<u8> {
    png_with(&chunk(b"acTL", &[frames.to_be_bytes(), [0; 4]].concat()))
}

fn png_of_chunks(count: usize) -> Vec<u8> {
    png_with(&chunk(b"teSt", b"").repeat(count))
}

fn png_with_large_profile() -> Vec<u8> {
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..32 {
        zlib.write_all(&[0; 1 << 20]).unwrap();
    }
    png_with(&chunk(b"iCCP", &[b"bomb\0\0", &zlib.finish().unwrap()[..]].concat()))
}

fn deflated(data: &[u8]) -> Vec<u8> {
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    zlib.write_all(data).unwrap();
    zlib.finish().unwrap()
}

/// Each says another thing, as far as its keyword goes.
fn png_with_large_texts() -> Vec<u8> {
    let keywords = ["Title", "Description", "Raw profile type exif", "Raw profile type iptc"];
    let text = |keyword: &str| {
        let deflated = deflated(&[b' '; 16 << 20]);
        chunk(b"zTXt", &[keyword.as_bytes(), &[0, 0], &deflated].concat())
    };
    png_with(&keywords.map(text).concat().repeat(50))
}

fn png_with_packet(packet: &str) -> Vec<u8> {
    png_with(&chunk(b"iTXt", &[b"XML:com.adobe.xmp\0\0\0\0\0", packet.as_bytes()].concat()))
}

fn png_with_elements() -> Vec<u8> {
    png_with_packet(&format!(
        "<rdf:RDF><rdf:Description>{}",
        "<dc:a b='c' dc:d=''/>".repeat(200_000)
    ))
}

fn png_with_nested_elements() -> Vec<u8> {
    png_with_packet(&format!("<rdf:RDF><rdf:Description>{}", "<dc:a>".repeat(500_000)))
}

fn jpeg_of(width: u16, height: u16) -> Vec<u8> {
    let mut file = fixture("plain.jpg");
    let at = file.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    file[at + 5..at + 7].copy_from_slice(&height.to_be_bytes());
    file[at + 7..at + 9].copy_from_slice(&width.to_be_bytes());
    file
}

fn jpeg_with(segments: &[u8]) -> Vec<u8> {
    let mut file = fixture("plain.jpg");
    file.splice(2..2, segments.iter().copied());
    file
}

fn jpeg_of_segments(count: usize) -> Vec<u8> {
    jpeg_with(&[0xff, 0xfe, 0, 2].repeat(count))
}

fn jpeg_of_packets(count: usize) -> Vec<u8> {
    let name = b"http://ns.adobe.com/xmp/extension/\0";
    let piece =
        [&name[..], &[b'A'; 32], &u32::MAX.to_be_bytes(), &[0; 4], &[b'<'; 60_000]].concat();
    let length = u16::try_from(piece.len() + 2).unwrap().to_be_bytes();
    jpeg_with(&[&b"\xff\xe1"[..], &length, &piece].concat().repeat(count))
}

fn jpeg_of_fill(length: usize) -> Vec<u8> {
    jpeg_with(&vec![0xff; length])
}

fn jpeg_with_large_profile() -> Vec<u8> {
    let mut segments = Vec::new();
    for number in 1..=255 {
        segments.extend(b"\xff\xe2\xff\xffICC_PROFILE\0");
        segments.extend([number, 255]);
        segments.resize(segments.len() + 0xffff - 16, 0);
    }
    jpeg_with(&segments)
}

fn gif(width: u16, height: u16, frame_side: u16, frames: usize) -> Vec<u8> {
    let mut file = b"GIF89a".to_vec();
    file.extend(width.to_le_bytes());
    file.extend(height.to_le_bytes());
    file.extend([0, 0, 0]);
    let side = frame_side.to_le_bytes();
    let frame = [&[0x2c, 0, 0, 0, 0], &side[..], &side, &[0, 2, 0]].concat();
    file.extend(frame.repeat(frames));
    file.push(0x3b);
    file
}

fn gif_of_blocks(count: usize) -> Vec<u8> {
    let mut file = gif(8, 8, 8, 1);
    let at = file.len() - 2;
    file.splice(at..at, [1, 0].repeat(count));
    // The first of the blocks begins with its length, all of them are one byte long.
    file[at..at + 2 * count].fill(1);
    file
}

fn riff(chunks: &[u8]) -> Vec<u8> {
    let length = u32::try_from(chunks.len() + 4).unwrap().to_le_bytes();
    [b"RIFF", &length[..], b"WEBP", chunks].concat()
}

fn webp_chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_le_bytes();
    [&name[..], &length, data].concat()
}

fn canvas(flags: u8, width: u32, height: u32) -> Vec<u8> {
    let (width, height) = ((width - 1).to_le_bytes(), (height - 1).to_le_bytes());
    webp_chunk(b"VP8X", &[&[flags, 0, 0, 0], &width[..3], &height[..3]].concat())
}

fn webp_of(width: u32, height: u32) -> Vec<u8> {
    riff(&canvas(0, width, height))
}

fn webp_beyond_canvas() -> Vec<u8> {
    let frame = b"\x10\0\0\x9d\x01\x2a\xff\x3f\xff\x3f";
    riff(&[canvas(0, 8, 8), webp_chunk(b"VP8 ", frame)].concat())
}

fn webp_of_frames(count: usize) -> Vec<u8> {
    riff(&[canvas(2, 8, 8), webp_chunk(b"ANMF", &[0; 16]).repeat(count)].concat())
}

/// The sizes of all items changed.
fn heif_of(name: &str, side: u32) -> Vec<u8> {
    let mut file = fixture(name);
    let found: Vec<_> = file.windows(4).enumerate().filter(|(_, kind)| kind == b"ispe").collect();
    let positions: Vec<usize> = found.into_iter().map(|(at, _)| at).collect();
    for at in positions {
        file[at + 8..at + 12].copy_from_slice(&side.to_be_bytes());
        file[at + 12..at + 16].copy_from_slice(&side.to_be_bytes());
    }
    // Without an aperture that would cut it down again.
    if let Some(at) = file.windows(4).position(|kind| kind == b"clap") {
        file[at..at + 4].copy_from_slice(b"free");
    }
    file
}

const HEIC: &[u8] = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";

fn boxed(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len() + 8).unwrap().to_be_bytes();
    [&length, &kind[..], data].concat()
}

fn heic_of_boxes(count: usize) -> Vec<u8> {
    [HEIC, &boxed(b"free", b"").repeat(count)].concat()
}

fn heic_of_empty_boxes() -> Vec<u8> {
    [HEIC, &b"\0\0\0\x01free\0\0\0\0\0\0\0\0".repeat(1000)].concat()
}

fn heic_of_frames() -> Vec<u8> {
    let handler = boxed(b"hdlr", b"\0\0\0\0\0\0\0\0pict");
    let sizes = boxed(b"stsz", b"\0\0\0\0\0\0\0\x01\xff\xff\xff\xff");
    let entry = [&[0; 24][..], &[0, 64, 0, 48]].concat();
    let description = [&[0, 0, 0, 0, 0, 0, 0, 1][..], &boxed(b"hvc1", &entry)].concat();
    let table = [boxed(b"stsd", &description), sizes].concat();
    let media = [handler, boxed(b"minf", &boxed(b"stbl", &table))].concat();
    let movie = boxed(b"moov", &boxed(b"trak", &boxed(b"mdia", &media)));
    [HEIC, &movie].concat()
}

fn tiff_of(side: usize) -> Vec<u8> {
    let mut file = Tiff::new(b"II\x2a\0\0\0\0\0");
    let first = file.directory(0, vec![long(0x0100, side), long(0x0101, side)], 0);
    file.finish(first)
}

fn tiff_in_circle() -> Vec<u8> {
    let mut file = Tiff::new(b"II\x2a\0\0\0\0\0");
    let size = [long(0x0100, 8), long(0x0101, 8)];
    let circle = [long(0x014a, 8), long(0x8769, 8), long(0x8825, 8)];
    let first = file.directory(0, [&size[..], &circle].concat(), 8);
    file.finish(first)
}

/// Half the directories are different ones.
fn tiff_of_directories(count: usize) -> Vec<u8> {
    let mut file = Tiff::new(b"II\x2a\0\0\0\0\0");
    let below: Vec<usize> = (0..count).map(|i| 8 + i).collect();
    let size = vec![long(0x0100, 8), long(0x0101, 8), longs(0x014a, &below)];
    let first = file.directory(0, size, 0);
    file.finish(first)
}

fn tiff_of_entries() -> Vec<u8> {
    let mut file = Tiff::new(b"II\x2a\0\0\0\0\0");
    let mut values = vec![short(0x0100, 8), short(0x0101, 8)];
    values.resize(65_535, short(0x0fff, 1));
    let first = file.directory(0, values, 0);
    file.finish(first)
}

fn bmp_of(side: i32) -> Vec<u8> {
    let mut file = fixture("plain.bmp");
    file[22..26].copy_from_slice(&side.to_le_bytes());
    file
}

/// A size of 30 bits, square, and everything else by default.
fn jxl_of() -> Vec<u8> {
    let bits = 0b11 << 1 | ((1_u64 << 30) - 1) << 3 | 1 << 33 | 1 << 36;
    [&b"\xff\x0a"[..], &bits.to_le_bytes(), &[0; 64]].concat()
}

fn jxl_with_large_exif() -> Vec<u8> {
    // 64 MiB of zeros, as brotli packs them.
    let zeros = [
        0xcf, 0xff, 0xff, 0x7f, 0xf8, 0x27, 0x00, 0xe2, 0xb1, 0x40, 0x20, 0xf7, 0xfe, 0x9f, 0xff,
        0xff, 0xff, 0xf0, 0x4f, 0x00, 0xc4, 0x61, 0x01, 0x80, 0xee, 0xfd, 0x3f, 0xff, 0xff, 0xff,
        0xe1, 0x9f, 0x00, 0x88, 0xc3, 0x22, 0x00, 0xdd, 0xfb, 0x7f, 0xfe, 0xff, 0xff, 0xc3, 0x3f,
        0x01, 0x10, 0x87, 0x05, 0x00, 0xba, 0xf7, 0xff, 0x03,
    ];
    let mut file = fixture("camera-compressed.jxl");
    file.extend(boxed(b"brob", &[&b"Exif"[..], &zeros].concat()));
    file
}
