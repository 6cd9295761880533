//! The texts of PNG files: captions by keyword, and whole blocks that other formats have places for.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::ZlibDecoder;

use super::Carriers;
use super::charset::{clean, guessed};
use super::moment::Moment;
use super::says::{Says, names};
use super::xmp::COPIED_BYTES_MAX;
use crate::exif;

/// What all compressed texts of one file may come to, so that many small ones do not take long.
const INFLATED_BYTES_MAX: usize = COPIED_BYTES_MAX;

/// What the captions say.
#[derive(Clone, Debug, Default)]
pub(crate) struct PngTexts {
    says: Says,
    inflated_bytes: usize,
}

impl PngTexts {
    pub(super) fn says(&self) -> &Says {
        &self.says
    }
}

impl<'a> Carriers<'a> {
    /// Takes a chunk `tEXt`, `zTXt` or `iTXt`.
    pub(crate) fn take_png_text(&mut self, chunk: [u8; 4], data: &'a [u8]) {
        let Some((keyword, rest)) = split(data).filter(|(keyword, _)| keyword.len() < 80) else {
            return;
        };
        if !self.wants(keyword) {
            return;
        }
        let text = match &chunk {
            b"tEXt" => Some(Cow::Borrowed(rest)),
            b"zTXt" => rest.get(1..).and_then(|deflated| self.inflate(deflated)),
            _ => self.international(rest),
        };
        if let Some(text) = text {
            self.take_text(keyword, text);
        }
    }

    /// Whether a text of this keyword says something that is not known yet.
    fn wants(&self, keyword: &[u8]) -> bool {
        let says = &self.texts.says;
        match keyword {
            b"XML:com.adobe.xmp" | b"Raw profile type xmp" => self.xmp.is_none(),
            b"Raw profile type iptc" => self.iptc.is_none(),
            b"Raw profile type exif" => self.exif.is_none(),
            b"Raw profile type APP1" => self.exif.is_none() || self.xmp.is_none(),
            b"Title" => says.title.is_none(),
            b"Description" => says.description.is_none(),
            b"Author" | b"Artist" => says.artists.is_empty(),
            b"Copyright" => says.copyright.is_none(),
            b"Creation Time" => says.created.is_none(),
            _ => false,
        }
    }

    fn take_text(&mut self, keyword: &[u8], text: Cow<'a, [u8]>) {
        let plain = || clean(&guessed(&text));
        match keyword {
            b"XML:com.adobe.xmp" => self.xmp = Some(text),
            b"Title" => self.texts.says.title = plain(),
            b"Description" => self.texts.says.description = plain(),
            b"Author" | b"Artist" => {
                self.texts.says.artists = plain().as_deref().map(names).unwrap_or_default();
            }
            b"Copyright" => self.texts.says.copyright = plain(),
            b"Creation Time" => {
                self.texts.says.created = plain().as_deref().and_then(Moment::of_png);
            }
            _ => self.take_profile(raw_profile(&text).unwrap_or_default()),
        }
    }

    /// A block of another format, by its first bytes.
    fn take_profile(&mut self, block: Vec<u8>) {
        if let Some(xmp) = block.strip_prefix(b"http://ns.adobe.com/xap/1.0/\0") {
            self.xmp = self.xmp.take().or_else(|| Some(Cow::Owned(xmp.to_vec())));
        } else if let Some(resources) = block.strip_prefix(b"Photoshop 3.0\0") {
            self.copy_photoshop(resources);
        } else if block.starts_with(b"8BIM") {
            self.copy_photoshop(&block);
        } else if block.starts_with(&[0x1c]) {
            self.iptc = self.iptc.take().or(Some(Cow::Owned(block)));
        } else if block.trim_ascii_start().starts_with(b"<") {
            self.xmp = self.xmp.take().or(Some(Cow::Owned(block)));
        } else {
            self.exif = self.exif.take().or_else(|| exif::read(&block));
        }
    }

    /// A flag and a method, language and translated keyword, and then the text.
    fn international(&mut self, data: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let is_deflated = *data.first()? == 1;
        let (_, rest) = split(data.get(2..)?)?;
        let (_, text) = split(rest)?;
        if is_deflated { self.inflate(text) } else { Some(Cow::Borrowed(text)) }
    }

    fn inflate(&mut self, deflated: &[u8]) -> Option<Cow<'a, [u8]>> {
        let left = INFLATED_BYTES_MAX.saturating_sub(self.texts.inflated_bytes);
        let mut text = Vec::new();
        let mut inflated = ZlibDecoder::new(deflated).take(left as u64);
        let outcome = inflated.read_to_end(&mut text);
        // A failure counts, too.
        self.texts.inflated_bytes += text.len() + 4096;
        outcome.ok()?;
        Some(Cow::Owned(text))
    }
}

/// What stands before the first zero, and after it.
fn split(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = data.iter().position(|&byte| byte == 0)?;
    Some((data.get(..at)?, data.get(at + 1..)?))
}

/// ImageMagick's way: a name, a length, and hexadecimal digits in lines.
fn raw_profile(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.get(..COPIED_BYTES_MAX).unwrap_or(text);
    let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let (_name, length) = (words.next()?, words.next()?);
    let length: usize = std::str::from_utf8(length).ok()?.parse().ok()?;
    let digits: Vec<u8> = words.flatten().map(|&digit| hex(digit)).collect::<Option<_>>()?;
    let mut block: Vec<u8> =
        digits.as_chunks().0.iter().map(|[high, low]| high << 4 | low).collect();
    block.truncate(length);
    Some(block)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
