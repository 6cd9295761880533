//! RAW files as their formats are described: every directory a reader needs, small previews, and
//! no sensor data.
#![allow(dead_code, reason = "not every test uses everything")]

use crate::fixture::fixture;

const SHORT: u16 = 3;
const LONG: u16 = 4;

/// All of them, by the name of the format.
pub fn raw_files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("dng", dng()),
        ("cr2", cr2()),
        ("nef", nef()),
        ("arw", arw()),
        ("orf", orf()),
        ("rw2", rw2()),
        ("raf", raf()),
        ("cr3", cr3()),
    ]
}

/// The picture that must be found: 64×48.
pub fn preview() -> Vec<u8> {
    fixture("plain.jpg")
}

/// A JPEG file that claims a size and a kind of frame.
fn jpeg(width: u8, height: u8, marker: u8) -> Vec<u8> {
    let mut file = preview();
    let at = file.windows(2).position(|pair| pair == [0xff, 0xc0]).expect("a frame");
    file[at + 1] = marker;
    file[at + 6] = height;
    file[at + 8] = width;
    file
}

fn thumbnail() -> Vec<u8> {
    jpeg(16, 12, 0xc0)
}

/// Sensor data are lossless JPEG in many formats; it is larger than any preview.
fn sensor_data() -> Vec<u8> {
    jpeg(200, 150, 0xc3)
}

/// A file of TIFF's structure that grows.
pub struct Tiff {
    pub bytes: Vec<u8>,
}

pub type Value = (u16, u16, Vec<u8>);

pub fn short(tag: u16, value: u16) -> Value {
    (tag, SHORT, value.to_le_bytes().to_vec())
}

pub fn long(tag: u16, value: usize) -> Value {
    (tag, LONG, u32::try_from(value).unwrap().to_le_bytes().to_vec())
}

pub fn longs(tag: u16, values: &[usize]) -> Value {
    (tag, LONG, values.iter().flat_map(|value| long(tag, *value).2).collect())
}

pub fn text(tag: u16, value: &str) -> Value {
    (tag, 2, [value.as_bytes(), b"\0"].concat())
}

impl Tiff {
    pub fn new(header: &[u8]) -> Self {
        Self { bytes: header.to_vec() }
    }

    /// Appends bytes; returns where they are.
    pub fn push(&mut self, bytes: &[u8]) -> usize {
        let at = self.bytes.len();
        self.bytes.extend(bytes);
        at
    }

    /// Appends a directory whose offsets count from `base`; returns where it is.
    pub fn directory(&mut self, base: usize, mut values: Vec<Value>, next: usize) -> usize {
        values.sort_by_key(|value| value.0);
        let mut entries = Vec::new();
        for (tag, kind, data) in &values {
            let width = match *kind {
                SHORT => 2,
                LONG => 4,
                5 => 8,
                _ => 1,
            };
            entries.extend(tag.to_le_bytes());
            entries.extend(kind.to_le_bytes());
            entries.extend(u32::try_from(data.len() / width).unwrap().to_le_bytes());
            if data.len() <= 4 {
                entries.extend(data);
                entries.extend(vec![0; 4 - data.len()]);
            } else {
                let at = self.push(data) - base;
                entries.extend(u32::try_from(at).unwrap().to_le_bytes());
            }
        }
        let at = self.push(&u16::try_from(values.len()).unwrap().to_le_bytes()) - base;
        self.push(&entries);
        self.push(&u32::try_from(next).unwrap().to_le_bytes());
        at
    }

    /// Names the first directory.
    pub fn finish(mut self, first: usize) -> Vec<u8> {
        self.bytes[4..8].copy_from_slice(&u32::try_from(first).unwrap().to_le_bytes());
        self.bytes
    }
}

const TIFF: &[u8] = b"II\x2a\0\0\0\0\0";

fn facts(make: &str, model: &str) -> Vec<Value> {
    vec![text(0x010f, make), text(0x0110, model), short(0x0112, 6)]
}

/// An offset and a length for a JPEG file, by the tags of old.
fn jpeg_at(file: &mut Tiff, jpeg: &[u8]) -> Vec<Value> {
    vec![long(0x0201, file.push(jpeg)), long(0x0202, jpeg.len())]
}

/// The same as one strip.
fn strip_at(file: &mut Tiff, jpeg: &[u8], compression: u16) -> Vec<Value> {
    vec![short(0x0103, compression), long(0x0111, file.push(jpeg)), long(0x0117, jpeg.len())]
}

/// A directory of sensor data.
fn sensor(file: &mut Tiff) -> usize {
    let mut values = strip_at(file, &sensor_data(), 7);
    values.push(short(0x0106, 32_803));
    file.directory(0, values, 0)
}

pub fn dng() -> Vec<u8> {
    let mut file = Tiff::new(TIFF);
    let sensor = sensor(&mut file);
    let mut values = strip_at(&mut file, &preview(), 7);
    values.push(short(0x0106, 6));
    let large = file.directory(0, values, 0);
    let mut values = facts("Ferrotype", "Model D");
    values.extend([(0xc612, 1, vec![1, 4, 0, 0]), longs(0x014a, &[sensor, large])]);
    values.extend([short(0x0100, 16), short(0x0101, 12)]);
    let first = file.directory(0, values, 0);
    file.finish(first)
}

pub fn cr2() -> Vec<u8> {
    let mut file = Tiff::new(b"II\x2a\0\0\0\0\0CR\x02\0\0\0\0\0");
    let values = strip_at(&mut file, &sensor_data(), 6);
    let last = file.directory(0, values, 0);
    let values = jpeg_at(&mut file, &thumbnail());
    let second = file.directory(0, values, last);
    let mut values = strip_at(&mut file, &preview(), 6);
    values.extend(facts("Canon", "Canon Model C"));
    let first = file.directory(0, values, second);
    file.finish(first)
}

pub fn nef() -> Vec<u8> {
    let mut file = Tiff::new(TIFF);
    let sensor = sensor(&mut file);
    let values = jpeg_at(&mut file, &preview());
    let large = file.directory(0, values, 0);
    let mut values = facts("NIKON CORPORATION", "NIKON N");
    values.push(longs(0x014a, &[large, sensor]));
    values.extend([short(0x0100, 16), short(0x0101, 12)]);
    let first = file.directory(0, values, 0);
    file.finish(first)
}

pub fn arw() -> Vec<u8> {
    let mut file = Tiff::new(TIFF);
    let sensor = sensor(&mut file);
    let values = jpeg_at(&mut file, &thumbnail());
    let second = file.directory(0, values, 0);
    let mut values = facts("SONY", "ILCE-F");
    values.extend(jpeg_at(&mut file, &preview()));
    values.push(longs(0x014a, &[sensor]));
    let first = file.directory(0, values, second);
    file.finish(first)
}

/// The preview is named in the maker's note only, with offsets that count from the note.
pub fn orf() -> Vec<u8> {
    let mut file = Tiff::new(b"IIRO\0\0\0\0");
    let note = file.push(b"OLYMPUS\0II\x03\0");
    // The note's directory stands right after its head, so its end is known before it is written.
    let head = file.push(&[0; 2 + 12 + 4]);
    let jpeg = file.push(&preview()) - note;
    let settings = vec![long(0x0101, jpeg), long(0x0102, preview().len())];
    let settings = file.directory(note, settings, 0);
    let mut entry = vec![1, 0, 0x20, 0x20, 13, 0, 1, 0, 0, 0];
    entry.extend(u32::try_from(settings).unwrap().to_le_bytes());
    file.bytes[head..head + entry.len()].copy_from_slice(&entry);
    let data = file.bytes[note..].to_vec();
    let photo = note_directory(&mut file, note, data.len());
    let mut values = facts("OLYMPUS CORPORATION", "E-F");
    values.push(long(0x8769, photo));
    let first = file.directory(0, values, 0);
    file.finish(first)
}

/// A directory whose maker's note is already in the file.
fn note_directory(file: &mut Tiff, note: usize, length: usize) -> usize {
    let at = file.push(&[1, 0, 0x7c, 0x92, 7, 0]);
    file.push(&u32::try_from(length).unwrap().to_le_bytes());
    file.push(&u32::try_from(note).unwrap().to_le_bytes());
    file.push(&[0; 4]);
    at
}

pub fn rw2() -> Vec<u8> {
    let mut file = Tiff::new(b"IIU\0\0\0\0\0");
    let mut values = facts("Panasonic", "DMC-F");
    values.push((0x002e, 7, preview()));
    let first = file.directory(0, values, 0);
    file.finish(first)
}

/// The orientation is the preview's own.
pub fn raf() -> Vec<u8> {
    let preview = fixture("orientation-6.jpg");
    let mut file = b"FUJIFILMCCD-RAW 0201FF383501".to_vec();
    file.resize(84, 0);
    file.extend(148_u32.to_be_bytes());
    file.extend(u32::try_from(preview.len()).unwrap().to_be_bytes());
    file.resize(148, 0);
    file.extend(preview);
    file
}

fn boxed(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len() + 4 + kind.len()).unwrap();
    [&length.to_be_bytes()[..], kind, data].concat()
}

/// A small preview in a box, the large one as the sample of a track.
pub fn cr3() -> Vec<u8> {
    const CANON: &[u8] = b"uuid\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48";
    const PREVIEW: &[u8] = b"uuid\xea\xf4\x2b\x5e\x1c\x98\x4b\x88\xb9\xfb\xb7\xdc\x40\x6e\x4d\x16";
    let mut main = Tiff::new(TIFF);
    let first = main.directory(0, facts("Canon", "Canon EOS F"), 0);
    let main = main.finish(first);
    let canon = boxed(CANON, &boxed(b"CMT1", &main));
    let movie = |offset: usize| {
        let length = u32::try_from(preview().len()).unwrap().to_be_bytes();
        let sizes = [&[0; 8][..], &1_u32.to_be_bytes(), &length].concat();
        let sizes = [&sizes[..4], &[0; 4], &sizes[8..]].concat();
        let offsets = [&[0; 4][..], &1_u32.to_be_bytes(), &(offset as u64).to_be_bytes()].concat();
        let table = [boxed(b"stsz", &sizes), boxed(b"co64", &offsets)].concat();
        let media = boxed(b"mdia", &boxed(b"minf", &boxed(b"stbl", &table)));
        boxed(b"moov", &[canon.clone(), boxed(b"trak", &media)].concat())
    };
    let small = thumbnail();
    let mut head = vec![0, 0, 0, 0, 0, 1, 0, 16, 0, 12, 0, 1];
    head.extend(u32::try_from(small.len()).unwrap().to_be_bytes());
    let preview_box = [&[0, 0, 0, 0, 0, 0, 0, 1][..], &boxed(b"PRVW", &[head, small].concat())];
    let before = |offset| {
        let brand = boxed(b"ftyp", b"crx \0\0\0\x01crx isom");
        [brand, movie(offset), boxed(PREVIEW, &preview_box.concat())].concat()
    };
    let offset = before(0).len() + 8;
    [before(offset), boxed(b"mdat", &preview())].concat()
}
