//! Bitmaps of every kind, written field by field.

/// A bitmap to be written.
#[derive(Clone)]
pub struct Bitmap {
    pub width: i32,
    /// Negative where the first row is the top one.
    pub height: i32,
    pub bits: u16,
    /// Bytes of the header: 12, 16 to 64, 108 or 124.
    pub header: u32,
    pub compression: u32,
    /// The field that says how many colours there are.
    pub colors: u32,
    /// Red, green and blue.
    pub palette: Vec<[u8; 3]>,
    /// Red, green, blue and opacity.
    pub masks: Option<[u32; 4]>,
    /// Bytes between the palette and the pixels.
    pub gap: usize,
    pub pixels: Vec<u8>,
    pub profile: Vec<u8>,
}

impl Bitmap {
    /// A bitmap of Windows, without pixels.
    pub fn new(width: i32, height: i32, bits: u16) -> Self {
        Self {
            width,
            height,
            bits,
            header: 40,
            compression: 0,
            colors: 0,
            palette: Vec::new(),
            masks: None,
            gap: 0,
            pixels: Vec::new(),
            profile: Vec::new(),
        }
    }

    /// The file.
    pub fn file(&self) -> Vec<u8> {
        let rest = self.after_file_header();
        let palette_and_gap = rest.len() - self.pixels.len() - self.profile.len();
        let mut file = b"BM".to_vec();
        file.extend((14 + rest.len() as u32).to_le_bytes());
        file.extend([0; 4]);
        file.extend((14 + palette_and_gap as u32).to_le_bytes());
        file.extend(rest);
        file
    }

    /// The file as the only one of an "array".
    pub fn array(&self) -> Vec<u8> {
        let mut file = b"BA".to_vec();
        file.extend(14_u32.to_le_bytes());
        file.extend([0; 8]);
        let mut inner = self.file();
        let pixels = u32::from_le_bytes(inner[10..14].try_into().unwrap()) + 14;
        inner[10..14].copy_from_slice(&pixels.to_le_bytes());
        file.extend(inner);
        file
    }

    fn after_file_header(&self) -> Vec<u8> {
        let mut rest = self.header.to_le_bytes().to_vec();
        if self.header == 12 {
            for number in [self.width as u16, self.height as u16, 1, self.bits] {
                rest.extend(number.to_le_bytes());
            }
        } else {
            rest.extend(self.width.to_le_bytes());
            rest.extend(self.height.to_le_bytes());
            rest.extend(1_u16.to_le_bytes());
            rest.extend(self.bits.to_le_bytes());
            let fields = [self.compression, self.pixels.len() as u32, 2835, 2835, self.colors, 0];
            fields.iter().for_each(|field| rest.extend(field.to_le_bytes()));
            let masks = self.masks.unwrap_or_default();
            let behind = if self.header == 40 && self.masks.is_some() {
                if self.compression == 6 { 4 } else { 3 }
            } else {
                0
            };
            if self.header == 40 {
                masks.iter().take(behind).for_each(|mask| rest.extend(mask.to_le_bytes()));
            } else {
                masks.iter().for_each(|mask| rest.extend(mask.to_le_bytes()));
            }
            let length = self.header as usize + behind * 4;
            rest.resize(length, 0);
        }
        if self.header == 124 && !self.profile.is_empty() {
            rest[56..60].copy_from_slice(b"DEBM");
            let start = rest.len() + self.palette.len() * 4 + self.gap + self.pixels.len();
            rest[112..116].copy_from_slice(&(start as u32).to_le_bytes());
            rest[116..120].copy_from_slice(&(self.profile.len() as u32).to_le_bytes());
        }
        for [red, green, blue] in &self.palette {
            rest.extend([blue, green, red]);
            if self.header != 12 {
                rest.push(0);
            }
        }
        rest.resize(rest.len() + self.gap, 0xaa);
        rest.extend(&self.pixels);
        rest.extend(&self.profile);
        rest
    }

    /// Rows of numbers of this many bits each, from the bottom up, or from the top down as the
    /// height says.
    pub fn with_rows(mut self, number: impl Fn(usize, usize) -> u32) -> Self {
        let (width, height) = (self.width as usize, self.height.unsigned_abs() as usize);
        for row in 0..height {
            let y = if self.height < 0 { row } else { height - 1 - row };
            let mut line = vec![0_u8; (width * usize::from(self.bits)).div_ceil(32) * 4];
            for x in 0..width {
                let number = number(x, y);
                match self.bits {
                    bits @ 1..=8 => {
                        let per_byte = 8 / usize::from(bits);
                        let shift = 8 - usize::from(bits) * (x % per_byte + 1);
                        line[x / per_byte] |= (number as u8) << shift;
                    }
                    bits => {
                        let bytes = usize::from(bits / 8);
                        let from = number.to_le_bytes();
                        line[x * bytes..(x + 1) * bytes].copy_from_slice(&from[..bytes]);
                    }
                }
            }
            self.pixels.extend(line);
        }
        self
    }
}
