//! The segments of a JPEG file that hold XMP, and Photoshop's resources with IPTC in them.

use std::borrow::Cow;

use crate::metadata::Carriers;
use crate::metadata::xmp::PACKET_BYTES_MAX;
use crate::read::{array_at, be32};

/// Pieces of 64 KB that are looked at.
const PIECES_MAX: usize = 128;

const MAIN: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const EXTENSION: &[u8] = b"http://ns.adobe.com/xmp/extension/\0";
const PHOTOSHOP: &[u8] = b"Photoshop 3.0\0";

/// What was found.
#[derive(Default)]
pub(super) struct Described<'a> {
    main: Option<&'a [u8]>,
    pieces: Vec<Piece<'a>>,
    resources: Vec<&'a [u8]>,
    /// Without Photoshop's frame, as some programs write it.
    iptc: Option<&'a [u8]>,
}

/// A piece of what did not fit into the 64 KB of the main packet.
struct Piece<'a> {
    /// The name of the whole, which the main packet mentions.
    name: [u8; 32],
    whole_bytes: u32,
    offset: u32,
    data: &'a [u8],
}

impl<'a> Described<'a> {
    pub(super) fn take_xmp(&mut self, segment: &'a [u8]) {
        if let Some(packet) = segment.strip_prefix(MAIN) {
            self.main = self.main.or(Some(packet));
        } else if let Some(piece) = segment.strip_prefix(EXTENSION).and_then(Piece::read) {
            if self.pieces.len() < PIECES_MAX {
                self.pieces.push(piece);
            }
        } else if self.main.is_none() && is_like_xmp(segment) {
            let start = segment.iter().position(|&byte| byte == b'<');
            self.main = start.and_then(|start| segment.get(start..));
        }
    }

    pub(super) fn take_photoshop(&mut self, segment: &'a [u8]) {
        if let Some(resources) = segment.strip_prefix(PHOTOSHOP) {
            self.resources.push(resources);
        } else if segment.starts_with(&[0x1c]) {
            self.iptc = self.iptc.or(Some(segment));
        }
    }

    pub(super) fn add_to(&self, carriers: &mut Carriers<'a>) {
        carriers.xmp = self.main.map(Cow::Borrowed);
        carriers.extended_xmp = self.main.and_then(|main| self.extended(main));
        carriers.iptc = self.iptc.map(Cow::Borrowed);
        match &*self.resources {
            [] => {}
            [alone] => carriers.take_photoshop(alone),
            // A resource may go on in the next segment.
            several => {
                let several = several.get(..PIECES_MAX / 8).unwrap_or(several);
                carriers.copy_photoshop(&several.concat());
            }
        }
    }

    /// The pieces of the packet that the main one mentions put together, if none is missing.
    fn extended(&self, main: &[u8]) -> Option<Vec<u8>> {
        let mentioned = |piece: &&Piece<'_>| main.windows(32).any(|name| name == piece.name);
        let Piece { name, whole_bytes, .. } = *self.pieces.iter().find(mentioned)?;
        let whole_bytes = usize::try_from(whole_bytes).ok().filter(|n| *n <= PACKET_BYTES_MAX)?;
        let mut pieces: Vec<_> = self.pieces.iter().filter(|piece| piece.name == name).collect();
        pieces.sort_by_key(|piece| piece.offset);
        let mut whole = Vec::new();
        for piece in pieces {
            if usize::try_from(piece.offset).ok()? != whole.len() {
                return None;
            }
            whole.extend_from_slice(piece.data);
            if whole.len() > whole_bytes {
                return None;
            }
        }
        (whole.len() == whole_bytes).then_some(whole)
    }
}

/// Whether it is XMP with another head than the standard says, or none.
fn is_like_xmp(segment: &[u8]) -> bool {
    let head = segment.get(..40).unwrap_or(segment);
    let has = |text: &[u8]| head.windows(text.len()).any(|window| window == text);
    has(b"ns.adobe.com/xap/") || has(b"<?xpacket") || has(b"<x:xmpmeta")
}

impl<'a> Piece<'a> {
    fn read(segment: &'a [u8]) -> Option<Self> {
        Some(Self {
            name: array_at(segment, 0)?,
            whole_bytes: be32(segment, 32)?,
            offset: be32(segment, 36)?,
            data: segment.get(40..)?,
        })
    }
}
