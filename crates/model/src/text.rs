use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Deserializer;
use serde::de::{self, Visitor};

use crate::limits;

/// A text that does not fit where it was given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadText {
    /// It has more characters than allowed.
    #[error("{what} has at most {chars_max} characters; this one has {chars}")]
    TooLong {
        /// What the text was to be.
        what: &'static str,
        /// Characters allowed.
        chars_max: usize,
        /// Characters found.
        chars: usize,
    },
    /// It is empty, or nothing but white space.
    #[error("{what} must not be empty")]
    Empty {
        /// What the text was to be.
        what: &'static str,
    },
    /// It has a character that cannot stand there.
    #[error("{what} must not contain the character {character:?}")]
    Character {
        /// What the text was to be.
        what: &'static str,
        /// The first offending character.
        character: char,
    },
    /// It has the wrong form.
    #[error("{text:?} is not {what}")]
    Form {
        /// What the text was to be.
        what: &'static str,
        /// The text, cut if long.
        text: String,
    },
}

/// Trims a text and checks its length in characters and that it has no control
/// characters; line breaks and tabs are allowed where `multiline`.
pub(crate) fn clean(
    text: &str,
    what: &'static str,
    chars_max: usize,
    multiline: bool,
) -> Result<String, BadText> {
    let text = text.trim();
    let chars = text.chars().count();
    if chars > chars_max {
        return Err(BadText::TooLong { what, chars_max, chars });
    }
    let is_bad = |c: &char| c.is_control() && !(multiline && matches!(c, '\n' | '\r' | '\t'));
    if let Some(character) = text.chars().find(is_bad) {
        return Err(BadText::Character { what, character });
    }
    if text.is_empty() {
        return Err(BadText::Empty { what });
    }
    Ok(text.to_owned())
}

/// Reads something by its text, without keeping the text.
pub(crate) fn parse_text<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    deserializer.deserialize_str(Text(PhantomData))
}

/// Whoever is shown a text and parses it.
struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// A text newtype that can only be made by parsing.
macro_rules! text_type {
    ($(#[$doc:meta])* $name:ident, |$text:ident| $parse:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::BadText;

            fn from_str($text: &str) -> Result<Self, $crate::BadText> {
                $parse.map(Self)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::text::parse_text(deserializer)
            }
        }
    };
}
pub(crate) use text_type;

text_type!(
    /// The title of an image or album.
    Title,
    |text| clean(text, "a title", limits::TITLE_CHARS_MAX, false)
);
text_type!(
    /// The description of an image or album; may have several lines.
    Description,
    |text| clean(text, "a description", limits::DESCRIPTION_CHARS_MAX, true)
);
text_type!(
    /// What a screen reader says in place of the image.
    AltText,
    |text| clean(text, "an alternative text", limits::ALT_TEXT_CHARS_MAX, true)
);
text_type!(
    /// A name shown for a user or a person.
    Name,
    |text| clean(text, "a name", limits::NAME_CHARS_MAX, false)
);
text_type!(
    /// The name a file had where it came from. It is shown and offered for download, never
    /// used as a path.
    Filename,
    |text| parse_filename(text)
);
text_type!(
    /// An e-mail address, lower-cased, since people do not remember which letters they
    /// capitalised.
    Email,
    |text| parse_email(text)
);
text_type!(
    /// The name of a configured rendition, such as `thumb`; part of object keys and URLs.
    SizeName,
    |text| parse_size_name(text)
);

fn parse_filename(text: &str) -> Result<String, BadText> {
    const WHAT: &str = "a filename";
    // Some browsers send the whole path.
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = clean(name, WHAT, limits::FILENAME_CHARS_MAX, false)?;
    if name == "." || name == ".." {
        return Err(BadText::Form { what: WHAT, text: name });
    }
    Ok(name)
}

fn parse_email(text: &str) -> Result<String, BadText> {
    const WHAT: &str = "an e-mail address such as ada@example.org";
    let bad = || BadText::Form { what: WHAT, text: text.chars().take(64).collect() };
    let email = text.trim().to_lowercase();
    let (local, domain) = email.rsplit_once('@').ok_or_else(bad)?;
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    let fits = !local.is_empty()
        && domain.split('.').all(|label| !label.is_empty())
        && !local.contains('@')
        && email.chars().all(is_plain)
        && email.len() <= limits::EMAIL_BYTES_MAX;
    if fits { Ok(email) } else { Err(bad()) }
}

fn parse_size_name(text: &str) -> Result<String, BadText> {
    let fits = (1..=32).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && text.bytes().next().is_some_and(|b| b.is_ascii_lowercase())
        && text != "original";
    if fits {
        return Ok(text.to_owned());
    }
    Err(BadText::Form {
        what: "a size name (1 to 32 lower-case letters, digits and dashes, a letter first, not \"original\")",
        text: text.chars().take(64).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_counted_in_characters() {
        let longest = "é".repeat(255);
        assert_eq!(longest.parse::<Title>().unwrap().as_str(), longest);
        assert_eq!(
            "é".repeat(256).parse::<Title>(),
            Err(BadText::TooLong { what: "a title", chars_max: 255, chars: 256 })
        );
        assert!("x".repeat(5000).parse::<Description>().is_ok());
        assert!("x".repeat(5001).parse::<Description>().is_err());
        assert!("x".repeat(256).parse::<AltText>().is_err());
    }

    #[test]
    fn texts_are_trimmed_and_have_no_control_characters() {
        assert_eq!("  Iron \n".parse::<Title>().unwrap().as_str(), "Iron");
        assert!("a\nb".parse::<Title>().is_err());
        assert!("a\nb".parse::<Description>().is_ok());
        assert!("a\u{0}b".parse::<Description>().is_err());
        assert!("   ".parse::<Title>().is_err());
    }

    #[test]
    fn filenames_lose_their_folders() {
        for (given, kept) in [
            ("IMG_1.jpg", "IMG_1.jpg"),
            ("../../etc/passwd", "passwd"),
            ("C:\\photos\\été.png", "été.png"),
        ] {
            assert_eq!(given.parse::<Filename>().unwrap().as_str(), kept);
        }
        for bad in ["", "..", "a/", "a\u{0}.jpg"] {
            assert!(bad.parse::<Filename>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn emails_are_lower_cased_and_plausible() {
        assert_eq!("Ada@Example.ORG ".parse::<Email>().unwrap().as_str(), "ada@example.org");
        for bad in ["", "ada", "@example.org", "ada@", "a b@c.d", "a@b..c", "a@b@c"] {
            assert!(bad.parse::<Email>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn size_names_fit_into_keys_and_urls() {
        assert!("thumb".parse::<SizeName>().is_ok());
        for bad in ["", "original", "Thumb", "a/b", "1st", "a.b", &"x".repeat(33)] {
            assert!(bad.parse::<SizeName>().is_err(), "{bad:?}");
        }
    }
}
