//! The directory of an archive until it is sent, behind the last file. It is kept compressed, so that
//! a million photos take some thirty megabytes.

use std::collections::VecDeque;
use std::io::{Read, Write};

use bytes::Bytes;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::{Error, Result};

/// What stands in it of each file that is in the archive.
#[derive(Default)]
pub(super) struct Directory {
    parts: VecDeque<Vec<u8>>,
    last: Vec<u8>,
    entries: u64,
    length: u64,
}

/// Bytes that are compressed together.
const PART_BYTES: usize = 64 << 10;

impl Directory {
    pub(super) fn add(&mut self, header: &[u8]) -> Result<()> {
        self.last.extend_from_slice(header);
        self.entries = self.entries.saturating_add(1);
        self.length = self.length.saturating_add(header.len() as u64);
        if self.last.len() >= PART_BYTES {
            self.parts.push_back(deflate(&self.last).map_err(Error::internal)?);
            self.last.clear();
        }
        Ok(())
    }

    /// How many files it has.
    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    /// Bytes of it as it is sent.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// The next piece to be sent, which is not kept any longer.
    pub(super) fn take(&mut self) -> Result<Option<Bytes>> {
        if let Some(part) = self.parts.pop_front() {
            return inflate(&part).map(|part| Some(part.into())).map_err(Error::internal);
        }
        let last = std::mem::take(&mut self.last);
        Ok((!last.is_empty()).then(|| last.into()))
    }
}

fn deflate(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    let mut packed = encoder.finish()?;
    packed.shrink_to_fit();
    Ok(packed)
}

fn inflate(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    DeflateDecoder::new(bytes).read_to_end(&mut plain)?;
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_comes_out_and_is_small_meanwhile() {
        let mut directory = Directory::default();
        let mut expected = Vec::new();
        for number in 0..50_000_u32 {
            let random = number.wrapping_mul(2_654_435_761).to_le_bytes();
            let header =
                [format!("PK..2026/2026-11/IMG_{number}").as_bytes(), &random[..]].concat();
            expected.extend_from_slice(&header);
            directory.add(&header).unwrap();
        }
        assert_eq!((directory.entries(), directory.length()), (50_000, expected.len() as u64));
        let kept: usize = directory.parts.iter().map(Vec::len).sum();
        assert!(kept * 2 < expected.len(), "{kept} of {}", expected.len());
        let mut found = Vec::new();
        while let Some(piece) = directory.take().unwrap() {
            found.extend_from_slice(&piece);
        }
        assert!(found == expected);
    }
}
