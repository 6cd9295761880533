//! XMP: what Adobe's programs and most others write, as RDF.

mod parts;
mod properties;
mod space;
mod xml;

use std::borrow::Cow;

use model::{Exif, Gps, Place};

use super::charset::{clean, xml as decoded};
use super::keywords::{Path, path};
use super::moment::Moment;
use super::regions::Marked;
use super::says::{Says, stars, stars_of_percent};
use properties::{Node, number, read};
use space::Space;
use xml::Name;

use crate::exif::{camera, shutter_speed};

/// Larger packets are not read: they hold images or depth maps, and the text before those is in
/// the main packet.
pub(crate) const PACKET_BYTES_MAX: usize = 8 << 20;
/// … and of compressed ones or those in other charsets, which have to be copied.
pub(crate) const COPIED_BYTES_MAX: usize = 2 << 20;

/// What the packets of a file say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Xmp {
    pub(super) says: Says,
    /// What other programs than the Metadata Working Group's members would read.
    pub(super) last: Says,
    pub(super) paths: Vec<Path>,
    pub(super) marked: Marked,
    pub(super) exif: Exif,
}

impl Xmp {
    /// Reads the main packet and the extended one, if there is one; `None` if there is no RDF.
    pub(super) fn read<'a>(packets: impl IntoIterator<Item = &'a [u8]>) -> Option<Self> {
        let packets = packets.into_iter().filter(|packet| packet.len() <= PACKET_BYTES_MAX);
        let texts: Vec<Cow<'_, str>> = packets.map(decoded).collect();
        let properties = Properties(read(texts.iter().map(|text| &**text))?);
        Some(Self {
            says: properties.says(),
            last: properties.says_last(),
            paths: properties.paths(),
            marked: parts::marked(&properties),
            exif: properties.exif(),
        })
    }
}

/// The properties of all packets.
struct Properties(Vec<(Name, Node)>);

impl Properties {
    fn get(&self, space: Space, local: &str) -> Option<&Node> {
        self.0.iter().find(|(name, _)| name.is(space, local)).map(|(_, node)| node)
    }

    fn text(&self, space: Space, local: &str) -> Option<String> {
        let mut all = self.0.iter().filter(|(name, _)| name.is(space, local));
        all.find_map(|(_, node)| clean(node.text()?))
    }

    fn texts(&self, space: Space, local: &str) -> Vec<String> {
        let all = self.0.iter().filter(|(name, _)| name.is(space, local));
        all.flat_map(|(_, node)| node.values()).filter_map(|node| clean(node.text()?)).collect()
    }

    fn number(&self, space: Space, local: &str) -> Option<f64> {
        self.get(space, local)?.number()
    }

    fn moment(&self, space: Space, local: &str) -> Option<Moment> {
        Moment::of_xmp(self.get(space, local)?.text()?)
    }

    fn says(&self) -> Says {
        let created = self.moment(Space::Photoshop, "DateCreated");
        let original = self.moment(Space::Exif, "DateTimeOriginal");
        let digitized = self.moment(Space::Xmp, "CreateDate");
        let scanned = self.moment(Space::Exif, "DateTimeDigitized");
        Says {
            title: self.text(Space::Dc, "title"),
            description: self.text(Space::Dc, "description"),
            keywords: self.texts(Space::Dc, "subject"),
            rating: self.number(Space::Xmp, "Rating").and_then(stars),
            artists: self.texts(Space::Dc, "creator"),
            copyright: self.text(Space::Dc, "rights"),
            place: self.place(),
            created: created.map(|at| at.refined_by(original)).or(original),
            digitized: digitized.map(|at| at.refined_by(scanned)).or(scanned),
        }
    }

    fn says_last(&self) -> Says {
        let percent = || self.number(Space::Microsoft, "Rating").and_then(stars_of_percent);
        let of_acdsee = || self.number(Space::Acdsee, "rating").and_then(stars);
        let first = |places: [(Space, &str); 3]| {
            places.into_iter().find_map(|(space, local)| self.text(space, local))
        };
        Says {
            title: self.text(Space::Acdsee, "caption"),
            description: first([
                (Space::Tiff, "ImageDescription"),
                (Space::Acdsee, "notes"),
                (Space::Exif, "UserComment"),
            ]),
            rating: percent().or_else(of_acdsee),
            artists: self.text(Space::Tiff, "Artist").into_iter().collect(),
            copyright: self.text(Space::Tiff, "Copyright"),
            place: self.place_of_creation(),
            ..Says::default()
        }
    }

    /// Where what it shows is; what is said in detail wins over what is said as ever.
    fn place(&self) -> Place {
        let old = |space, local| self.text(space, local);
        let new = self.place_in("LocationShown");
        Place {
            location: new.location.or_else(|| old(Space::IptcCore, "Location")),
            city: new.city.or_else(|| old(Space::Photoshop, "City")),
            state: new.state.or_else(|| old(Space::Photoshop, "State")),
            country: new.country.or_else(|| old(Space::Photoshop, "Country")),
            country_code: new.country_code.or_else(|| old(Space::IptcCore, "CountryCode")),
        }
    }

    /// Where the camera was.
    fn place_of_creation(&self) -> Place {
        self.place_in("LocationCreated")
    }

    fn place_in(&self, property: &str) -> Place {
        let places = self.get(Space::IptcExt, property).map(Node::values).unwrap_or_default();
        let name = |local| {
            places.iter().find_map(|place| clean(place.field(Space::IptcExt, local)?.text()?))
        };
        Place {
            location: name("Sublocation").or_else(|| name("LocationName")),
            city: name("City"),
            state: name("ProvinceState"),
            country: name("CountryName"),
            country_code: name("CountryCode"),
        }
    }

    /// Keywords in hierarchies, as each program writes them.
    fn paths(&self) -> Vec<Path> {
        const LISTS: [(Space, &str, char); 4] = [
            (Space::Lightroom, "hierarchicalSubject", '|'),
            (Space::DigiKam, "TagsList", '/'),
            (Space::Microsoft, "LastKeywordXMP", '/'),
            (Space::MediaPro, "CatalogSets", '|'),
        ];
        let of_list = |(space, local, separator)| {
            self.texts(space, local).into_iter().map(move |text| path(&text, separator))
        };
        let lists = LISTS.into_iter().flat_map(of_list);
        lists.chain(parts::paths(self)).collect()
    }

    fn exif(&self) -> Exif {
        let text = |space, local| self.text(space, local);
        let sensitivity = |space, local| self.number(space, local);
        let iso = sensitivity(Space::ExifEx, "PhotographicSensitivity")
            .or_else(|| sensitivity(Space::Exif, "ISOSpeedRatings"));
        let positive = |local| self.number(Space::Exif, local).filter(|&number| number > 0.0);
        Exif {
            camera: camera(text(Space::Tiff, "Make"), text(Space::Tiff, "Model")),
            lens: text(Space::ExifEx, "LensModel").or_else(|| text(Space::Aux, "Lens")),
            iso: iso.filter(|&iso| (1.0..=4e9).contains(&iso)).map(|iso| iso as u32),
            shutter_speed: positive("ExposureTime").and_then(|time| match time < 1.0 {
                true => shutter_speed(1.0, 1.0 / time),
                false => shutter_speed(time, 1.0),
            }),
            aperture: positive("FNumber"),
            focal_length: positive("FocalLength"),
            gps: self.gps(),
            ..Exif::default()
        }
    }

    fn gps(&self) -> Option<Gps> {
        let latitude = degrees(&self.text(Space::Exif, "GPSLatitude")?, 'N', 'S')?;
        let longitude = degrees(&self.text(Space::Exif, "GPSLongitude")?, 'E', 'W')?;
        let below_sea = self.number(Space::Exif, "GPSAltitudeRef") == Some(1.0);
        let altitude = self.number(Space::Exif, "GPSAltitude");
        let altitude = altitude.map(|metres| if below_sea { -metres } else { metres });
        let nowhere = latitude == 0.0 && longitude == 0.0;
        (!nowhere).then_some(Gps { latitude, longitude, altitude })
    }
}

/// `46,12.345N`, `46,12,20.7N`, or degrees with a sign.
fn degrees(text: &str, plus: char, minus: char) -> Option<f64> {
    let text = text.trim();
    let last = text.chars().last()?.to_ascii_uppercase();
    let sign = if last == minus { -1.0 } else { 1.0 };
    let numbers = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if numbers.len() == text.len() {
        return number(text);
    }
    if last != plus && last != minus {
        return None;
    }
    let mut parts = numbers.split(',').map(number);
    let mut part = || parts.next().unwrap_or(Some(0.0));
    Some(sign * (part()? + part()? / 60.0 + part()? / 3600.0))
}

#[cfg(test)]
mod tests;
