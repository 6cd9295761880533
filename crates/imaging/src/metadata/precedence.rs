//! Which of several carriers is believed, by the guidelines of the Metadata Working Group.
//!
//! EXIF comes first. XMP and IPTC say the same; whichever was changed last counts, which a digest
//! of the IPTC data tells: programs that write both note it, those that know IPTC only leave it as
//! it was. Behind these come the carriers that the guidelines do not know.

use md5::{Digest, Md5};
use model::{Exif, Metadata, Place};

use super::keywords::merged as merged_keywords;
use super::moment::Moment;
use super::regions::upright;
use super::says::Says;
use super::xmp::Xmp;
use super::{Carriers, iptc};
use crate::Orientation;
use crate::exif::Found;

/// Larger blocks are not read; real ones have some kilobytes.
const IPTC_BYTES_MAX: usize = 1 << 20;

/// What all carriers together say, of an image with this orientation and size as stored.
pub(super) fn merged(
    carriers: &Carriers<'_>,
    orientation: Orientation,
    size: (u32, u32),
) -> (Metadata, Option<Exif>) {
    let packets = carriers.xmp.as_deref().into_iter().chain(carriers.extended_xmp.as_deref());
    let xmp = Xmp::read(packets).unwrap_or_default();
    let block = carriers.iptc.as_deref().filter(|block| block.len() <= IPTC_BYTES_MAX);
    let mut iptc = block.map(iptc::read).unwrap_or_default();
    let iptc_is_newer = is_changed(carriers);
    if iptc_is_newer {
        complete(&mut iptc, &xmp.says);
    }
    let exif = carriers.exif.clone().unwrap_or_default();
    let (first, last) = (exif.texts.first(), exif.texts.last());
    let synchronised = if iptc_is_newer { [&iptc, &xmp.says] } else { [&xmp.says, &iptc] };
    let all = [&first, synchronised[0], synchronised[1], &last, &xmp.last, carriers.texts.says()];
    let metadata = Metadata {
        keywords: merged_keywords(&first_list(&all, |says| &says.keywords), xmp.paths.clone()),
        regions: upright(&xmp.marked, orientation, size),
        ..texts(&all)
    };
    let taken = taken(&exif, &all, &xmp);
    let exif = supplemented(exif.exif, &xmp.exif);
    let exif = Exif {
        taken_at: taken.map(|moment| moment.at),
        offset_minutes: taken.and_then(|moment| moment.offset_minutes),
        ..exif
    };
    let exif = exif.finite();
    (metadata, (exif != Exif::default()).then_some(exif))
}

/// What the first of them says, field by field.
pub(super) fn texts(all: &[&Says]) -> Metadata {
    let first = |of: fn(&Says) -> &Option<String>| all.iter().find_map(|says| of(says).clone());
    let artists = first_list(all, |says| &says.artists);
    Metadata {
        title: first(|says| &says.title),
        description: first(|says| &says.description),
        rating: all.iter().find_map(|says| says.rating),
        artist: (!artists.is_empty()).then(|| artists.join("; ")),
        copyright: first(|says| &says.copyright),
        place: Place {
            location: first(|says| &says.place.location),
            city: first(|says| &says.place.city),
            state: first(|says| &says.place.state),
            country: first(|says| &says.place.country),
            country_code: first(|says| &says.place.country_code),
        },
        ..Metadata::default()
    }
}

fn first_list(all: &[&Says], of: fn(&Says) -> &Vec<String>) -> Vec<String> {
    all.iter().map(|says| of(says)).find(|list| !list.is_empty()).cloned().unwrap_or_default()
}

/// Whether the IPTC data were changed after the XMP data had been made equal to them.
fn is_changed(carriers: &Carriers<'_>) -> bool {
    let noted = carriers.iptc_digest.filter(|digest| digest != &[0; 16]);
    let iptc = carriers.iptc.as_deref().filter(|block| block.len() <= IPTC_BYTES_MAX);
    let Some((noted, iptc)) = noted.zip(iptc) else { return false };
    Md5::digest(iptc).as_slice() != noted
}

/// IPTC cuts texts off; where XMP goes on in the same words it is believed.
fn complete(iptc: &mut Says, xmp: &Says) {
    let place = (&mut iptc.place, &xmp.place);
    let texts = [
        (&mut iptc.title, &xmp.title, 64),
        (&mut iptc.description, &xmp.description, 2000),
        (&mut iptc.copyright, &xmp.copyright, 128),
        (&mut place.0.location, &place.1.location, 32),
        (&mut place.0.city, &place.1.city, 32),
        (&mut place.0.state, &place.1.state, 32),
        (&mut place.0.country, &place.1.country, 64),
    ];
    for (short, long, limit) in texts {
        if let (Some(short), Some(long)) = (short, long) {
            complete_text(short, long, limit);
        }
    }
    let lists = [(&mut iptc.keywords, &xmp.keywords, 64), (&mut iptc.artists, &xmp.artists, 32)];
    for (short, long, limit) in lists {
        short.iter_mut().zip(long).for_each(|(short, long)| complete_text(short, long, limit));
    }
}

fn complete_text(short: &mut String, long: &str, limit: usize) {
    // A text that ends in a space or within a sign was trimmed by a little more.
    let is_cut = short.len() + 3 >= limit && short.len() <= limit;
    if is_cut && long.len() > short.len() && long.starts_with(short.as_str()) {
        long.clone_into(short);
    }
}

/// When it was taken. That a file was changed counts only where nothing else is known: cameras of
/// old wrote nothing but that.
fn taken(exif: &Found, all: &[&Says], xmp: &Xmp) -> Option<Moment> {
    let [original, digitized, changed] = exif.dates;
    let created = original.or_else(|| all.iter().find_map(|says| says.created));
    let created = created.map(|moment| moment.refined_by(xmp.says.created));
    let made = || {
        let moment = digitized.or_else(|| all.iter().find_map(|says| says.digitized))?;
        Some(moment.refined_by(xmp.says.digitized))
    };
    created.or_else(made).or(changed)
}

/// What the first leaves open, by the second; never the date.
pub(super) fn supplemented(exif: Exif, other: &Exif) -> Exif {
    Exif {
        camera: exif.camera.or_else(|| other.camera.clone()),
        lens: exif.lens.or_else(|| other.lens.clone()),
        iso: exif.iso.or(other.iso),
        shutter_speed: exif.shutter_speed.or_else(|| other.shutter_speed.clone()),
        aperture: exif.aperture.or(other.aperture),
        focal_length: exif.focal_length.or(other.focal_length),
        gps: exif.gps.or(other.gps),
        ..exif
    }
}
