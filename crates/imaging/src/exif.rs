//! What cameras write about a picture.
//!
//! Reads the handful of tags that are shown, straight from the bytes. Maker notes are never
//! looked into here.

use model::{Exif, Gps};

use crate::Orientation;
use crate::metadata::{Moment, Texts};
use crate::tiff::{Directory, Entry, Tiff};

/// What an EXIF block says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    pub(crate) orientation: Option<Orientation>,
    /// All but the date.
    pub(crate) exif: Exif,
    /// When it was taken, when it was scanned, when the file was changed.
    pub(crate) dates: [Option<Moment>; 3],
    /// What people wrote.
    pub(crate) texts: Texts,
    /// Whether the colours are Adobe RGB, which cameras say here instead of in a profile.
    pub(crate) is_adobe_rgb: bool,
}

/// Reads an EXIF block, which is a TIFF file without an image.
pub(crate) fn read(block: &[u8]) -> Option<Found> {
    // Some writers repeat the marker of JPEG segments in other containers.
    let block = block.strip_prefix(b"Exif\0\0").unwrap_or(block);
    let tiff = Tiff::open(block)?;
    let main = tiff.directory(tiff.first)?;
    Some(read_directories(tiff, main))
}

/// Reads the main directory and those it points to.
pub(crate) fn read_directories<'a>(tiff: Tiff<'a>, main: Directory<'a>) -> Found {
    let mut tags = Tags::default();
    tags.take(main);
    if let Some(photo) = tags.photo.and_then(|at| tiff.directory(at)) {
        tags.take(photo);
    }
    let place = tags.place.and_then(|at| tiff.directory(at));
    let rules = tags.interoperability.and_then(|at| tiff.directory(at));
    let rules = rules.and_then(|directory| directory.find(0x0001)?.text());
    Found { is_adobe_rgb: rules.as_deref() == Some("R03"), ..tags.finish(place) }
}

/// Reads directories that stand alone, as CR3 files have them.
pub(crate) fn read_separate(main: &[u8], photo: Option<&[u8]>, place: Option<&[u8]>) -> Found {
    fn first(block: &[u8]) -> Option<Directory<'_>> {
        let tiff = Tiff::open(block)?;
        tiff.directory(tiff.first)
    }
    let mut tags = Tags::default();
    for directory in [first(main), photo.and_then(first)].into_iter().flatten() {
        tags.take(directory);
    }
    tags.finish(place.and_then(first))
}

/// The tags of interest, from the main and the photo directory.
#[derive(Default)]
struct Tags {
    orientation: Option<Orientation>,
    make: Option<String>,
    model: Option<String>,
    lens: Option<String>,
    iso: Option<u32>,
    shutter_speed: Option<String>,
    shutter_apex: Option<f64>,
    aperture: Option<f64>,
    aperture_apex: Option<f64>,
    focal_length: Option<f64>,
    taken: [Option<String>; 3],
    offset: [Option<String>; 3],
    subsecond: [Option<String>; 3],
    photo: Option<usize>,
    place: Option<usize>,
    interoperability: Option<usize>,
    texts: Texts,
}

impl Tags {
    fn take(&mut self, directory: Directory<'_>) {
        for entry in directory.entries() {
            self.take_entry(entry);
        }
    }

    fn take_entry(&mut self, entry: Entry<'_>) {
        match entry.tag {
            0x0112 => {
                let number = entry.number(0).and_then(|n| u32::try_from(n).ok());
                self.orientation = self.orientation.or(number.and_then(Orientation::from_exif));
            }
            0x010f => self.make = entry.text(),
            0x0110 => self.model = entry.text(),
            0x8769 => self.photo = entry.pointer(0),
            0x8825 => self.place = entry.pointer(0),
            0xa005 => self.interoperability = entry.pointer(0),
            0xa434 => self.lens = entry.text(),
            0xfdea => self.lens = self.lens.take().or_else(|| entry.text()),
            // Sensitivities that do not fit 16 bits are repeated in the tags after it.
            // Panasonic's RAW files have a place of their own for it.
            0x8827 | 0x0017 => self.take_iso(entry, 65_535),
            0x8831..=0x8833 => self.take_iso(entry, u32::MAX),
            0x829a => self.shutter_speed = entry.fraction(0).and_then(|(a, b)| shutter_speed(a, b)),
            0x9201 => self.shutter_apex = entry.real(0),
            0x829d => self.aperture = entry.real(0).filter(|&number| number > 0.0),
            0x9202 => self.aperture_apex = entry.real(0),
            0x920a => self.focal_length = entry.real(0).filter(|&number| number > 0.0),
            // When it was taken, when it was scanned, when the file was changed.
            0x9003 => self.taken[0] = entry.text(),
            0x9004 => self.taken[1] = entry.text(),
            0x0132 => self.taken[2] = entry.text(),
            0x9011 => self.offset[0] = entry.text(),
            0x9012 => self.offset[1] = entry.text(),
            0x9010 => self.offset[2] = entry.text(),
            0x9291 => self.subsecond[0] = entry.text(),
            0x9292 => self.subsecond[1] = entry.text(),
            0x9290 => self.subsecond[2] = entry.text(),
            _ => self.texts.take(entry),
        }
    }

    fn take_iso(&mut self, entry: Entry<'_>, below: u32) {
        let number = entry.number(0).and_then(|n| u32::try_from(n).ok());
        self.iso = self.iso.or(number.filter(|&n| n > 0 && n < below));
    }

    fn finish(self, place: Option<Directory<'_>>) -> Found {
        let dates = self.dates();
        let apex_speed = || {
            let seconds = (-self.shutter_apex?).exp2();
            if seconds < 1.0 {
                shutter_speed(1.0, 1.0 / seconds)
            } else {
                shutter_speed(seconds, 1.0)
            }
        };
        let exif = Exif {
            shutter_speed: self.shutter_speed.clone().or_else(apex_speed),
            aperture: self.aperture.or_else(|| self.aperture_apex.map(|apex| (apex / 2.0).exp2())),
            camera: camera(self.make, self.model),
            lens: self.lens,
            iso: self.iso,
            focal_length: self.focal_length,
            taken_at: None,
            offset_minutes: None,
            gps: place.and_then(gps),
        };
        Found {
            orientation: self.orientation,
            exif: exif.finite(),
            dates,
            texts: self.texts,
            is_adobe_rgb: false,
        }
    }

    fn dates(&self) -> [Option<Moment>; 3] {
        [0, 1, 2].map(|index| {
            let of = |texts: &[Option<String>; 3]| texts.get(index).cloned().flatten();
            let (offset, subsecond) = (of(&self.offset), of(&self.subsecond));
            Moment::of_exif(&of(&self.taken)?, offset.as_deref(), subsecond.as_deref())
        })
    }
}

/// Maker and model; most models begin with their maker's name already.
pub(crate) fn camera(make: Option<String>, model: Option<String>) -> Option<String> {
    let (Some(make), Some(model)) = (&make, &model) else {
        return model.or(make);
    };
    let word = |text: &str| text.split_whitespace().next().unwrap_or_default().to_lowercase();
    Some(if word(make) == word(model) { model.clone() } else { format!("{make} {model}") })
}

/// Seconds as photographers write them: `1/250`, `2`, `0.8`.
pub(crate) fn shutter_speed(above: f64, below: f64) -> Option<String> {
    let seconds = above / below;
    if !seconds.is_finite() || seconds <= 0.0 {
        return None;
    }
    if seconds < 0.5 {
        return Some(format!("1/{:.0}", 1.0 / seconds));
    }
    Some(format!("{}", (seconds * 10.0).round() / 10.0))
}

/// The place; `None` unless both coordinates say on which half of the earth they are.
fn gps(directory: Directory<'_>) -> Option<Gps> {
    let latitude = degrees(directory, 0x0001, 0x0002, "N", "S")?;
    let longitude = degrees(directory, 0x0003, 0x0004, "E", "W")?;
    let below_sea = directory.number(0x0005) == Some(1);
    let altitude = directory.find(0x0006).and_then(|entry| entry.real(0));
    let altitude = altitude.map(|metres| if below_sea { -metres } else { metres });
    // Phones without a fix write zeros.
    let nowhere = latitude == 0.0 && longitude == 0.0;
    (!nowhere).then_some(Gps { latitude, longitude, altitude })
}

fn degrees(directory: Directory<'_>, half: u16, tag: u16, plus: &str, minus: &str) -> Option<f64> {
    let entry = directory.find(tag)?;
    let text = entry.text().unwrap_or_default();
    let mut written = text.split([',', ' ', ';']).filter(|number| !number.is_empty());
    // Some programs write them as a text.
    let mut next = |index| entry.real(index).or_else(|| written.next()?.parse().ok());
    let degrees = next(0)?;
    // Minutes and seconds may be missing, or 0/0 where the degrees have a fraction.
    let degrees = degrees + next(1).unwrap_or(0.0) / 60.0 + next(2).unwrap_or(0.0) / 3600.0;
    let half = directory.find(half)?.text()?;
    if half.eq_ignore_ascii_case(plus) {
        return Some(degrees);
    }
    half.eq_ignore_ascii_case(minus).then_some(-degrees)
}
