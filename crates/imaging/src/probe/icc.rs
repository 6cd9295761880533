//! What an ICC profile is, by its primaries and curves rather than by its name.

use crate::read::{array_at, be16, be32, slice_at};

/// Larger profiles are ignored: those of printers have up to about 3 MB.
pub(super) const PROFILE_BYTES_MAX: usize = 4 << 20;

/// The colours an image's numbers stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColorProfile {
    /// Which well-known profile it is.
    pub kind: ProfileKind,
    /// The name the profile gives itself.
    pub description: Option<String>,
    /// The ICC profile, if the file has one (JPEG XL may hold it compressed: then only its
    /// decoder can tell).
    pub icc: Option<Vec<u8>>,
}

/// Well-known colour profiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProfileKind {
    /// sRGB, or nothing said.
    #[default]
    Srgb,
    /// Display P3.
    DisplayP3,
    /// Adobe RGB (1998).
    AdobeRgb,
    /// A profile for lightness only.
    Gray,
    /// A profile for printing inks.
    Cmyk,
    /// Any other.
    Other,
}

impl ColorProfile {
    /// Whether the numbers must be converted to be sRGB.
    pub fn needs_conversion(&self) -> bool {
        self.kind != ProfileKind::Srgb
    }

    /// A well-known profile named by the file without an ICC profile.
    pub(super) fn named(kind: ProfileKind) -> Self {
        Self { kind, description: None, icc: None }
    }

    /// The profile with these bytes; `None` if it is none.
    pub(super) fn from_icc(icc: &[u8]) -> Option<Self> {
        let is_profile = icc.len() <= PROFILE_BYTES_MAX && slice_at(icc, 36, 4) == Some(b"acsp");
        is_profile.then(|| Self {
            kind: kind_of(icc),
            description: description(icc),
            icc: Some(icc.to_vec()),
        })
    }

    /// By the code points of ITU-T H.273 (nclx, cICP).
    pub(super) fn from_code_points(primaries: u16, transfer: u16) -> Self {
        // 2 is "unspecified"; the transfers of BT.709, BT.601 and sRGB are all shown as sRGB.
        let srgb_curve = matches!(transfer, 1 | 2 | 6 | 13 | 14 | 15);
        Self::named(match primaries {
            1 | 2 | 5 | 6 if srgb_curve => ProfileKind::Srgb,
            12 if srgb_curve => ProfileKind::DisplayP3,
            _ => ProfileKind::Other,
        })
    }
}

fn kind_of(icc: &[u8]) -> ProfileKind {
    match slice_at(icc, 16, 4) {
        Some(b"GRAY") => ProfileKind::Gray,
        Some(b"CMYK") => ProfileKind::Cmyk,
        Some(b"RGB ") => rgb_kind(icc).unwrap_or(ProfileKind::Other),
        _ => ProfileKind::Other,
    }
}

/// Primaries adapted to D50, in the order of the tags below.
const SRGB: [[f64; 3]; 3] =
    [[0.4360, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]];
const DISPLAY_P3: [[f64; 3]; 3] =
    [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]];
const ADOBE_RGB: [[f64; 3]; 3] =
    [[0.6097, 0.3111, 0.0195], [0.2053, 0.6257, 0.0609], [0.1492, 0.0632, 0.7446]];

fn rgb_kind(icc: &[u8]) -> Option<ProfileKind> {
    // Lookup tables win over primaries, and then say anything.
    if tag(icc, b"A2B0").is_some() {
        return None;
    }
    let primaries = [xyz(icc, b"rXYZ")?, xyz(icc, b"gXYZ")?, xyz(icc, b"bXYZ")?];
    let curves = [curve(icc, b"rTRC")?, curve(icc, b"gTRC")?, curve(icc, b"bTRC")?];
    let near = |known: &[[f64; 3]; 3]| {
        primaries.iter().flatten().zip(known.iter().flatten()).all(|(a, b)| (a - b).abs() < 0.003)
    };
    let all_curves = |middle: f64, dark: f64| {
        curves.iter().all(|c| (c.0 - middle).abs() < 0.002 && (c.1 - dark).abs() < 0.001)
    };
    let srgb_curve = all_curves(0.2140, 0.0100);
    let adobe_curve = all_curves(0.2178, 0.0063);
    if near(&SRGB) && srgb_curve {
        return Some(ProfileKind::Srgb);
    }
    if near(&DISPLAY_P3) && srgb_curve {
        return Some(ProfileKind::DisplayP3);
    }
    (near(&ADOBE_RGB) && adobe_curve).then_some(ProfileKind::AdobeRgb)
}

/// The data of a tag. Profiles have some ten tags; more than 100 are not looked at.
fn tag<'a>(icc: &'a [u8], name: &[u8; 4]) -> Option<&'a [u8]> {
    let count = be32(icc, 128)?.min(100) as usize;
    let entry = (0..count).map(|i| 132 + 12 * i).find(|&at| slice_at(icc, at, 4) == Some(name))?;
    slice_at(icc, be32(icc, entry + 4)? as usize, be32(icc, entry + 8)? as usize)
}

fn xyz(icc: &[u8], name: &[u8; 4]) -> Option<[f64; 3]> {
    let data = tag(icc, name)?;
    Some([fixed(data, 8)?, fixed(data, 12)?, fixed(data, 16)?])
}

fn fixed(data: &[u8], offset: usize) -> Option<f64> {
    array_at(data, offset).map(|b| f64::from(i32::from_be_bytes(b)) / 65_536.0)
}

/// What a curve makes of 0.5 and of 0.1.
fn curve(icc: &[u8], name: &[u8; 4]) -> Option<(f64, f64)> {
    let data = tag(icc, name)?;
    match data.get(..4)? {
        b"curv" => Some((sampled(data, 0.5)?, sampled(data, 0.1)?)),
        b"para" => Some((parametric(data, 0.5)?, parametric(data, 0.1)?)),
        _ => None,
    }
}

fn sampled(data: &[u8], x: f64) -> Option<f64> {
    let count = be32(data, 8)? as usize;
    match count {
        0 => return Some(x),
        1 => return Some(x.powf(f64::from(be16(data, 12)?) / 256.0)),
        _ => {}
    }
    let position = x * (count - 1) as f64;
    let sample = |i: usize| be16(data, 12 + 2 * i).map(|v| f64::from(v) / 65_535.0);
    let below = position as usize;
    let (low, high) = (sample(below)?, sample((below + 1).min(count - 1))?);
    Some(low + (high - low) * position.fract())
}

fn parametric(data: &[u8], x: f64) -> Option<f64> {
    let number = |i: usize| fixed(data, 12 + 4 * i);
    let g = number(0)?;
    Some(match be16(data, 8)? {
        0 => x.powf(g),
        3 => {
            let (a, b, c, d) = (number(1)?, number(2)?, number(3)?, number(4)?);
            if x >= d { (a * x + b).powf(g) } else { c * x }
        }
        _ => return None,
    })
}

/// The profile's name, of version 2 (ASCII) or 4 (UTF-16, the first language).
fn description(icc: &[u8]) -> Option<String> {
    let data = tag(icc, b"desc")?;
    let text = match data.get(..4)? {
        b"desc" => {
            let length = be32(data, 8)?.min(200) as usize;
            String::from_utf8_lossy(data.get(12..(12 + length).min(data.len()))?).into_owned()
        }
        b"mluc" => {
            let (length, at) = (be32(data, 20)?.min(400) as usize, be32(data, 24)? as usize);
            let units = slice_at(data, at, length)?.chunks_exact(2);
            let units: Vec<u16> = units.filter_map(|unit| be16(unit, 0)).collect();
            String::from_utf16_lossy(&units)
        }
        _ => return None,
    };
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
