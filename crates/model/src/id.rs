use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ulid::Ulid;

use crate::Timestamp;
use crate::text::parse_text;

/// A text that cannot be the id it was given as.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {expected}")]
pub struct BadId {
    text: String,
    expected: &'static str,
}

impl BadId {
    pub(crate) fn new(text: &str, expected: &'static str) -> Self {
        Self { text: text.chars().take(64).collect(), expected }
    }
}

/// An id that is a ULID: 26 characters, unique, sorted by creation time.
macro_rules! ulid_id {
    ($(#[$doc:meta])* $name:ident, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Ulid);

        impl $name {
            /// The id made at `created` that is told from others of the same millisecond
            /// by the lower 80 bits of `random`.
            pub fn new(created: Timestamp, random: u128) -> Self {
                let millis = u64::try_from(created.as_millis()).unwrap_or(0);
                Self(Ulid::from_parts(millis, random))
            }

            /// The id as a number; it sorts as the text does.
            pub fn to_bits(self) -> u128 {
                self.0.0
            }

            /// The id of such a number.
            pub fn from_bits(bits: u128) -> Self {
                Self(Ulid(bits))
            }

            /// When the id was made.
            pub fn created(self) -> Timestamp {
                Timestamp::from_millis(i64::try_from(self.0.timestamp_ms()).unwrap_or(i64::MAX))
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            /// Accepts only the canonical upper-case form, so that one thing has one id.
            fn from_str(text: &str) -> Result<Self, BadId> {
                let is_canonical =
                    |ulid: &Ulid| ulid.array_to_str(&mut [0; ulid::ULID_LEN]) == text;
                match Ulid::from_string(text) {
                    Ok(ulid) if is_canonical(&ulid) => Ok(Self(ulid)),
                    _ => Err(BadId::new(text, $expected)),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        text_form!($name);
    };
}

/// `Debug` and serde by the id's text.
macro_rules! text_form {
    ($name:ident) => {
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                parse_text(deserializer)
            }
        }
    };
}

ulid_id!(
    /// An image.
    ImageId,
    "an image id (26 upper-case letters and digits, a ULID)"
);
ulid_id!(
    /// An album.
    AlbumId,
    "an album id (26 upper-case letters and digits, a ULID)"
);
ulid_id!(
    /// A link that shows something to whoever has it.
    LinkId,
    "a link id (26 upper-case letters and digits, a ULID)"
);
ulid_id!(
    /// A face found in an image.
    FaceId,
    "a face id (26 upper-case letters and digits, a ULID)"
);
ulid_id!(
    /// Something that was decided about persons by hand.
    PeopleEditId,
    "the id of a change of persons (26 upper-case letters and digits, a ULID)"
);
ulid_id!(
    /// A user. E-mail addresses change; this does not.
    UserId,
    "a user id (26 upper-case letters and digits, a ULID)"
);

/// A person found in images: `person1`, `person2`, … from one counter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonId(NonZeroU64);

impl PersonId {
    const PREFIX: &'static str = "person";

    /// The person with this number; there is no person 0.
    pub fn new(number: u64) -> Option<Self> {
        NonZeroU64::new(number).map(Self)
    }

    /// The number in `personN`.
    pub fn number(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Self::PREFIX, self.0)
    }
}

impl FromStr for PersonId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let id = text
            .strip_prefix(Self::PREFIX)
            .and_then(|digits| digits.parse().ok())
            .map(Self)
            .ok_or_else(|| BadId::new(text, "a person id such as person1"))?;
        // One spelling only: "person+1" and "person01" parse as numbers but are refused.
        if id.to_string() == text {
            Ok(id)
        } else {
            Err(BadId::new(text, "a person id such as person1"))
        }
    }
}

text_form!(PersonId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ulid_ids_sort_by_creation_time() {
        let early = ImageId::new(Timestamp::from_millis(1), u128::MAX);
        let late = ImageId::new(Timestamp::from_millis(2), 0);
        assert!(early < late);
        assert!(early.to_string() < late.to_string());
        assert_eq!(late.created(), Timestamp::from_millis(2));
    }

    #[test]
    fn ulid_ids_have_one_spelling() {
        let id = ImageId::new(Timestamp::from_millis(1_754_040_262_159), 0xABCDEF);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert!(id.to_string().to_lowercase().parse::<ImageId>().is_err());
        for bad in ["", "01ARZ3", "zzzzzzzzzzzzzzzzzzzzzzzzzz", "01ARZ3NDEKTSV4RRFFQ69G5FAVX"] {
            assert!(bad.parse::<ImageId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn person_ids_have_one_spelling() {
        let id = PersonId::new(17).unwrap();
        assert_eq!(id.to_string(), "person17");
        assert_eq!("person17".parse(), Ok(id));
        for bad in ["person0", "person", "person01", "person+1", "Person1", "person-1", "17"] {
            assert!(bad.parse::<PersonId>().is_err(), "{bad}");
        }
    }
}
