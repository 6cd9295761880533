use std::fmt;

/// A secret text that no log or debug output ever shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// A secret that is too short to protect anything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the signing secret has {0} bytes, at least {min} are needed: make one with `openssl rand -hex 32`",
    min = Secret::SIGNING_BYTES_MIN
)]
pub struct BadSecret(usize);

impl Secret {
    /// The shortest secret that may sign URLs: as long as the hash it keys.
    pub const SIGNING_BYTES_MIN: usize = 32;

    /// A secret that somebody else judges, such as an S3 access key.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// A secret to sign URLs with.
    pub fn for_signing(text: impl Into<String>) -> Result<Self, BadSecret> {
        let text = text.into();
        if text.len() < Self::SIGNING_BYTES_MIN {
            Err(BadSecret(text.len()))
        } else {
            Ok(Self(text))
        }
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_never_printed() {
        assert_eq!(format!("{:?}", Secret::new("hunter2")), "Secret(…)");
    }

    #[test]
    fn short_secrets_cannot_sign() {
        assert!(Secret::for_signing("x".repeat(32)).is_ok());
        let error = Secret::for_signing("x".repeat(31)).unwrap_err();
        assert!(error.to_string().contains("31 bytes, at least 32"), "{error}");
    }
}
