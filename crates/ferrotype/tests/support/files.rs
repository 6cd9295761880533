//! Files to upload.

/// A small file of a kind that needs no encoder: a bitmap of 320 × 200 that no other seed gives.
pub fn bitmap(seed: u32) -> Vec<u8> {
    bitmap_of(seed, 320, 200)
}

/// A bitmap of this size. Rows have no padding: the width must be a multiple of four.
pub fn bitmap_of(seed: u32, width: u32, height: u32) -> Vec<u8> {
    assert_eq!(width % 4, 0, "rows without padding");
    let [one, two, three, _] = seed.to_le_bytes();
    let pixels = (0..width * height).flat_map(|n| {
        let byte = |shift: u32| u8::try_from((n >> shift) & 0xFF).unwrap();
        [byte(0) ^ one, byte(4) ^ two, byte(8) ^ three]
    });
    let data: Vec<u8> = pixels.collect();
    let mut file = b"BM".to_vec();
    let size = u32::try_from(54 + data.len()).unwrap();
    for number in [size, 0, 54, 40, width, height] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.extend_from_slice(&[1, 0, 24, 0]);
    file.extend_from_slice(&[0; 24]);
    file.extend_from_slice(&data);
    file
}

/// A grey TIFF that a camera says to have taken then (`2019:07:03 18:30:02`), so far from UTC
/// (`+02:00`).
pub fn dated_tiff(taken: &str, offset: &str) -> Vec<u8> {
    const SIDE: u32 = 64;
    assert_eq!((taken.len(), offset.len()), (19, 6));
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        let [tag, kind] = [tag, kind].map(u16::to_le_bytes);
        [&tag[..], &kind[..], &count.to_le_bytes()[..], &value.to_le_bytes()[..]].concat()
    };
    let directory = |entries: &[Vec<u8>]| {
        let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
        [&count[..], &entries.concat()[..], &[0; 4]].concat()
    };
    // The head, ten and two entries, two texts, the pixels.
    let (exif, texts) = (8 + 2 + 10 * 12 + 4, 8 + 2 + 10 * 12 + 4 + 2 + 2 * 12 + 4);
    let main = directory(&[
        entry(0x100, 4, 1, SIDE),
        entry(0x101, 4, 1, SIDE),
        entry(0x102, 3, 1, 8),
        entry(0x103, 3, 1, 1),
        entry(0x106, 3, 1, 1),
        entry(0x111, 4, 1, texts + 28),
        entry(0x115, 3, 1, 1),
        entry(0x116, 4, 1, SIDE),
        entry(0x117, 4, 1, SIDE * SIDE),
        entry(0x8769, 4, 1, exif),
    ]);
    let camera = directory(&[entry(0x9003, 2, 20, texts), entry(0x9011, 2, 7, texts + 20)]);
    let texts = format!("{taken}\0{offset}\0\0");
    let pixels: Vec<u8> = (0..SIDE * SIDE).map(|n| u8::try_from(n % SIDE * 4).unwrap()).collect();
    [&b"II\x2a\0\x08\0\0\0"[..], &main, &camera, texts.as_bytes(), &pixels].concat()
}
