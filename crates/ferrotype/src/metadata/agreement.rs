//! Whether what was read is what exiftool reads, field by field.

use model::{Exif, Timestamp};
use serde_json::json;

use super::Read;
use super::field::Field;
use super::marked::{are_same, words_of};
use super::tags::Tags;

/// How a field of a file compares.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    Neither,
    Agrees,
    /// exiftool has nothing.
    OnlyHere,
    Differs {
        exiftool: String,
        here: String,
    },
}

/// Compares one field.
pub(super) fn compare(field: Field, tags: &Tags, read: &Read) -> Outcome {
    let (exif, metadata) = (&read.exif, &read.metadata);
    let place = &metadata.place;
    let text = |theirs: Option<String>, ours: &Option<String>| {
        outcome(theirs.as_deref(), ours.as_deref(), texts_agree)
    };
    let number = |theirs: Option<f64>, ours: Option<f64>| {
        outcome(theirs, ours, |theirs, ours| (theirs - ours).abs() <= theirs.abs() * 0.02)
    };
    match field {
        Field::Date => outcome(tags.date(), on_the_clock(exif), |theirs, ours| {
            dates_agree(theirs, ours, exif.offset_minutes)
        }),
        Field::Title => text(tags.title(), &metadata.title),
        Field::Description => text(tags.description(), &metadata.description),
        Field::Keywords => keywords(tags, read),
        Field::Rating => number(tags.rating(), metadata.rating.map(f64::from)),
        Field::Artist => {
            let theirs = tags.artists();
            outcome(
                (!theirs.is_empty()).then_some(theirs),
                metadata.artist.as_deref(),
                |theirs, ours| lists_agree(theirs, ours),
            )
        }
        Field::Copyright => {
            // The photographer's and the editor's stand in lines there.
            let theirs = tags.copyright();
            outcome(theirs.as_deref(), metadata.copyright.as_deref(), |theirs, ours| {
                texts_agree(theirs, ours) || texts_agree(&theirs.replace('\n', "; "), &ours)
            })
        }
        Field::Location => text(tags.location(), &place.location),
        Field::City => text(tags.city(), &place.city),
        Field::State => text(tags.state(), &place.state),
        Field::Country => text(tags.country(), &place.country),
        Field::CountryCode => text(tags.country_code(), &place.country_code),
        Field::Regions => regions(tags, read),
        Field::Gps => {
            let ours = exif.gps.map(|gps| (gps.latitude, gps.longitude));
            outcome(tags.coordinates(), ours, |theirs, ours| {
                (theirs.0 - ours.0).abs() < 1e-4 && (theirs.1 - ours.1).abs() < 1e-4
            })
        }
        Field::Camera => outcome(tags.camera(), exif.camera.as_deref(), |(make, model), ours| {
            let holds = |part: &Option<String>| {
                part.as_deref().is_none_or(|part| {
                    let first = part.split_whitespace().next().unwrap_or_default();
                    ours.to_lowercase().contains(&first.to_lowercase())
                })
            };
            holds(make) && model.as_deref().is_none_or(|model| ours.ends_with(model))
        }),
        Field::Lens => text(tags.lens(), &exif.lens),
        Field::Iso => number(tags.iso(), exif.iso.map(f64::from)),
        Field::ShutterSpeed => {
            let ours = exif.shutter_speed.as_deref().and_then(seconds);
            // Written to be read: in tenths of a second, or as one by a whole number.
            outcome(tags.exposure(), ours, |theirs, ours| {
                (theirs - ours).abs()
                    <= (theirs * 0.25).max(0.0).max(if *theirs >= 0.4 { 0.06 } else { 0.0 })
            })
        }
        Field::Aperture => number(tags.aperture(), exif.aperture),
        Field::FocalLength => number(tags.focal_length(), exif.focal_length),
    }
}

fn outcome<T: std::fmt::Debug, O: std::fmt::Debug>(
    theirs: Option<T>,
    ours: Option<O>,
    agree: impl Fn(&T, &O) -> bool,
) -> Outcome {
    match (theirs, ours) {
        (None, None) => Outcome::Neither,
        (None, Some(_)) => Outcome::OnlyHere,
        (Some(theirs), Some(ours)) if agree(&theirs, &ours) => Outcome::Agrees,
        (Some(theirs), ours) => Outcome::Differs {
            exiftool: format!("{theirs:?}"),
            here: ours.map_or_else(|| "nothing".to_owned(), |ours| format!("{ours:?}")),
        },
    }
}

/// Where a file does not say its charset, exiftool takes UTF-8 as western signs, or puts question
/// marks for what is no UTF-8: the same bytes then are the same text.
fn texts_agree(theirs: &(impl AsRef<str> + ?Sized), ours: &(impl AsRef<str> + ?Sized)) -> bool {
    let (theirs, ours) = (theirs.as_ref(), ours.as_ref());
    theirs == ours
        || theirs.parse::<f64>().is_ok_and(|number| ours.parse() == Ok(number))
        || misread(ours) == theirs
        || theirs.contains('?')
            && theirs.chars().count() == ours.chars().count()
            && theirs.chars().zip(ours.chars()).all(|(a, b)| a == b || a == '?' && !b.is_ascii())
}

/// UTF-8 read as Latin-1, as far as both have the same signs.
fn misread(text: &str) -> String {
    const WESTERN: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let sign = |byte: u8| match byte {
        0x80..0xa0 => WESTERN.chars().nth(usize::from(byte - 0x80)).unwrap_or('?'),
        _ => char::from(byte),
    };
    text.bytes().map(sign).filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

fn lists_agree(theirs: &[String], ours: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(';').map(|part| part.trim().trim_matches('"').to_owned());
        parts.filter(|part| !part.is_empty()).collect()
    };
    let theirs: Vec<String> = theirs.iter().flat_map(|text| parts(text)).collect();
    let ours = parts(ours);
    theirs.len() == ours.len() && theirs.iter().zip(&ours).all(|(a, b)| texts_agree(a, b))
}

/// What a clock showed there, in EXIF's writing.
fn on_the_clock(exif: &Exif) -> Option<String> {
    let at = exif.taken_at?;
    let east = i64::from(exif.offset_minutes.unwrap_or(0)) * 60_000;
    let text = Timestamp::from_millis(at.as_millis() + east).to_string();
    let (day, time) = text.split_once('T')?;
    Some(format!("{} {}", day.replace('-', ":"), time.trim_end_matches('Z')))
}

/// As far as theirs goes; a zone only counts where both have one.
fn dates_agree(theirs: &str, ours: &str, offset_minutes: Option<i32>) -> bool {
    let end = theirs.rfind(['+', 'Z']).or_else(|| theirs.rfind('-').filter(|&at| at > 10));
    let (clock, zone) = theirs.split_at(end.unwrap_or(theirs.len()));
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let (mut clock, ours) = (digits(clock), digits(ours));
    // A second beyond 59 is none.
    if clock.get(12..14).is_some_and(|second| second > "59") {
        clock.truncate(12);
    }
    let length = clock.len().min(ours.len());
    let same_clock = ours.get(..length) == clock.get(..length);
    let minutes = match zone {
        "" => return same_clock,
        "Z" => Some(0),
        zone => zone.get(1..).and_then(|rest| rest.split_once(':')).and_then(|(hours, minutes)| {
            let east = hours.parse::<i32>().ok()? * 60 + minutes.parse::<i32>().ok()?;
            Some(if zone.starts_with('-') { -east } else { east })
        }),
    };
    same_clock
        && (offset_minutes == minutes || minutes.is_none_or(|minutes| minutes.abs() > 14 * 60))
}

/// `1/250` as a number.
fn seconds(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((above, below)) => Some(above.parse::<f64>().ok()? / below.parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}

fn keywords(tags: &Tags, read: &Read) -> Outcome {
    let ours = &read.metadata.keywords;
    let theirs = tags.keywords();
    if theirs.is_none() && ours.is_empty() {
        return Outcome::Neither;
    }
    let Some(theirs) = theirs else { return Outcome::OnlyHere };
    let words: std::collections::BTreeSet<String> =
        ours.iter().flat_map(|keyword| words_of(keyword)).collect();
    let same_words = words.len() == theirs.words.len()
        && theirs.words.iter().all(|word| words.iter().any(|ours| texts_agree(word, ours)));
    let lower: Vec<String> = ours.iter().map(|keyword| keyword.to_lowercase()).collect();
    if same_words && theirs.paths.iter().all(|path| lower.contains(path)) {
        return Outcome::Agrees;
    }
    let exiftool = json!({"words": theirs.words, "hierarchies": theirs.paths}).to_string();
    Outcome::Differs { exiftool, here: json!(ours).to_string() }
}

fn regions(tags: &Tags, read: &Read) -> Outcome {
    let ours = &read.metadata.regions;
    match tags.regions(read.orientation) {
        None if ours.is_empty() => Outcome::Neither,
        None => Outcome::OnlyHere,
        Some(theirs) if are_same(&theirs, ours) => Outcome::Agrees,
        Some(theirs) => {
            Outcome::Differs { exiftool: json!(theirs).to_string(), here: json!(ours).to_string() }
        }
    }
}
