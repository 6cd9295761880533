//! What proves the uploader to the server.

use std::fmt;
use std::fs;
use std::path::Path;

use reqwest::header::HeaderValue;
use sha2::{Digest, Sha256};

/// An API key or a session's token. It is never shown.
pub struct Key(String);

/// The environment variable that has it.
pub const KEY_VARIABLE: &str = "FERROTYPE_KEY";

impl Key {
    /// Takes the key from a file, if one is named, or from the environment. There is no flag for
    /// it, since all users of a machine can see those.
    pub fn find(file: Option<&Path>, server: &str) -> Result<Self, String> {
        let text = match file {
            Some(file) => fs::read_to_string(file)
                .map_err(|error| format!("cannot read the key file {}: {error}", file.display()))?,
            None => std::env::var(KEY_VARIABLE).unwrap_or_default(),
        };
        let text = text.trim();
        if text.is_empty() {
            return Err(format!(
                "there is no key: set {KEY_VARIABLE} to an API key, or name a file that has it with \
                 --key-file\nmake one in the gallery: your profile, API keys, New key, \"Upload from \
                 another machine\": {server}/profile/keys"
            ));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("the key has characters that no key has; it is one line, such as \
                        ftk_…"
                .to_owned());
        }
        Ok(Self(text.to_owned()))
    }

    /// What a request carries.
    pub(super) fn header(&self) -> HeaderValue {
        let mut header = HeaderValue::from_str(&format!("Bearer {}", self.0))
            .unwrap_or_else(|_| HeaderValue::from_static(""));
        header.set_sensitive(true);
        header
    }

    /// What tells keys apart without giving them away.
    pub(super) fn fingerprint(&self) -> String {
        let hash = Sha256::digest(self.0.as_bytes());
        hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_one_line_of_a_file_and_is_not_shown() {
        let find = |file: &Path| Key::find(Some(file), "http://127.0.0.1:8080");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        fs::write(&file, "ftk_secret\n").unwrap();
        let key = find(&file).unwrap();
        assert_eq!(key.header().to_str().unwrap(), "Bearer ftk_secret");
        assert!(!format!("{key:?}{:?}", key.header()).contains("secret"));
        fs::write(&file, "two\nlines").unwrap();
        assert!(find(&file).is_err());
        fs::write(&file, "\n").unwrap();
        assert!(find(&file).unwrap_err().contains("there is no key"));
        assert!(find(&folder.path().join("gone")).is_err());
    }
}
