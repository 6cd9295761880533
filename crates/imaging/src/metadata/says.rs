//! What one of a file's carriers of metadata says, whichever it is.

use model::Place;

use super::moment::Moment;

/// What EXIF, IPTC, XMP or the texts of a PNG file say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Says {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) keywords: Vec<String>,
    pub(crate) rating: Option<i8>,
    pub(crate) artists: Vec<String>,
    pub(crate) copyright: Option<String>,
    pub(crate) place: Place,
    /// When what it shows was there.
    pub(crate) created: Option<Moment>,
    /// When it was made an image file.
    pub(crate) digitized: Option<Moment>,
}

/// Stars, or -1 for rejected. What else programs write stands for nothing.
pub(super) fn stars(number: f64) -> Option<i8> {
    let whole = number.floor();
    // Within these, no digit is lost.
    (-1.0..=5.0).contains(&whole).then_some(whole as i8)
}

/// Microsoft's percentages.
pub(super) fn stars_of_percent(percent: f64) -> Option<i8> {
    Some(match percent {
        0.0 => 0,
        1.0..13.0 => 1,
        13.0..38.0 => 2,
        38.0..63.0 => 3,
        63.0..88.0 => 4,
        88.0..=100.0 => 5,
        _ => return None,
    })
}

/// `Ann; "Be; C"`: several names in one text, as the Metadata Working Group writes them.
pub(super) fn names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut quoted = false;
    for part in text.split(';') {
        if quoted {
            if let Some(last) = names.last_mut() {
                last.push(';');
                last.push_str(part);
            }
        } else {
            names.push(part.trim_start().to_owned());
            quoted = part.trim_start().starts_with('"');
        }
        let ends =
            names.last().is_some_and(|name| name.len() > 1 && name.trim_end().ends_with('"'));
        quoted &= !ends;
    }
    let bare = |name: &String| {
        let name = name.trim();
        let inner = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        inner.map_or_else(|| name.to_owned(), |inner| inner.replace("\"\"", "\""))
    };
    names.iter().map(bare).filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_names_stand_in_one_text() {
        assert_eq!(names("Ann"), ["Ann"]);
        assert_eq!(names("Ann; Be;"), ["Ann", "Be"]);
        assert_eq!(names("\"Be; C\"; D"), ["Be; C", "D"]);
        assert_eq!(names("\"open; end"), ["\"open; end"]);
        assert_eq!(names("\"Be \"\"B\"\" C\""), ["Be \"B\" C"]);
        assert_eq!(names(" ; "), [""; 0]);
    }

    #[test]
    fn stars_are_from_minus_one_to_five() {
        assert_eq!([-1.0, 0.0, 4.0, 4.5].map(stars), [Some(-1), Some(0), Some(4), Some(4)]);
        assert_eq!([-2.0, 6.0, f64::NAN].map(stars), [None; 3]);
        let percents = [0.0, 1.0, 25.0, 50.0, 75.0, 99.0].map(stars_of_percent);
        assert_eq!(percents, [0, 1, 2, 3, 4, 5].map(Some));
    }
}
