use std::fmt;
use std::str::FromStr;

/// A SHA-256 checksum, written as 64 lower-case hexadecimal digits, the text that
/// [`model::Sha256Hex`] reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256Sum([u8; 32]);

/// A text that is not a SHA-256 checksum.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a SHA-256 checksum (64 lower-case hexadecimal digits)")]
pub struct BadChecksum(String);

impl Sha256Sum {
    /// The checksum of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        use sha2::Digest;
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The checksum with these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes of the checksum.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Sha256Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha256Sum({self})")
    }
}

impl FromStr for Sha256Sum {
    type Err = BadChecksum;

    fn from_str(text: &str) -> Result<Self, BadChecksum> {
        from_hex(text).map(Self).ok_or_else(|| BadChecksum(text.chars().take(80).collect()))
    }
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let &[high, low] = pair else { return None };
        *byte = nibble(high)? << 4 | nibble(low)?;
    }
    Some(bytes)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn is_written_in_hexadecimal_and_read_back() {
        let sum = Sha256Sum::of(b"");
        assert_eq!(sum.to_string(), EMPTY);
        assert_eq!(EMPTY.parse(), Ok(sum));
    }

    #[test]
    fn has_one_spelling() {
        let upper = EMPTY.to_uppercase();
        for bad in ["", "e3b0", &upper, &EMPTY.replace('e', "g"), &format!("{EMPTY}00")] {
            assert!(bad.parse::<Sha256Sum>().is_err(), "{bad}");
        }
    }
}
