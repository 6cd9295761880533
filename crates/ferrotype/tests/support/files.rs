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
