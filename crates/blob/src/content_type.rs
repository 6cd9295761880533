use std::fmt;
use std::str::FromStr;

/// A media type such as `image/jpeg`, without parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ContentType(String);

/// A text that is not a plain media type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a media type such as image/jpeg")]
pub struct BadContentType(String);

const LENGTH_MAX: usize = 127;

impl ContentType {
    /// `image/<subtype>` of a subtype this crate knows.
    pub(crate) fn image(subtype: &'static str) -> Self {
        Self(format!("image/{subtype}"))
    }

    /// The media type as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ContentType {
    type Err = BadContentType;

    fn from_str(text: &str) -> Result<Self, BadContentType> {
        let token = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b))
        };
        let valid = text.len() <= LENGTH_MAX
            && text.split_once('/').is_some_and(|(kind, subtype)| token(kind) && token(subtype));
        if valid {
            Ok(Self(text.to_owned()))
        } else {
            Err(BadContentType(text.chars().take(LENGTH_MAX).collect()))
        }
    }
}

impl fmt::Display for ContentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_media_types_are_accepted() {
        for good in ["image/jpeg", "image/svg+xml", "application/vnd.adobe.photoshop"] {
            assert_eq!(good.parse::<ContentType>().unwrap().as_str(), good);
        }
        let long = format!("image/{}", "x".repeat(LENGTH_MAX));
        for bad in ["", "jpeg", "/", "image/", "image/a b", "image/a/b", "a/b\r\nx: y", &long] {
            assert!(bad.parse::<ContentType>().is_err(), "{bad:?}");
        }
    }
}
