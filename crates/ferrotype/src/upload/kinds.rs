//! What files are that are no images, in the words of those who have them.

use std::fmt;
use std::path::Path;

/// A kind of file that is left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Moving pictures.
    Video,
    /// Sound.
    Sound,
    /// A file of XMP whose photo is not there.
    Sidecar,
    /// Whatever its name ends with, in capitals.
    Other(String),
    /// A name that ends with nothing.
    Unnamed,
}

const VIDEOS: [&str; 16] = [
    "3gp", "avi", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "mxf", "ogv", "vob",
    "webm", "wmv", "insv",
];
const SOUNDS: [&str; 8] = ["aac", "aiff", "flac", "m4a", "mp3", "ogg", "opus", "wav"];

impl Kind {
    /// The kind of a file, by its first bytes if they tell, or by its name.
    pub(super) fn of(path: &Path, start: &[u8]) -> Self {
        let is_matroska = start.starts_with(b"\x1a\x45\xdf\xa3");
        let is_avi = start.starts_with(b"RIFF") && start.get(8..12) == Some(b"AVI ");
        let brand = start.get(4..8).filter(|mark| *mark == b"ftyp").and(start.get(8..12));
        let is_video = matches!(
            brand,
            Some(b"qt  " | b"isom" | b"iso2" | b"mp41" | b"mp42" | b"M4V " | b"avc1")
        ) || brand.is_some_and(|brand| brand.starts_with(b"3gp"));
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let ending = ending.to_lowercase();
        if is_matroska || is_avi || is_video || VIDEOS.contains(&ending.as_str()) {
            Self::Video
        } else if SOUNDS.contains(&ending.as_str()) {
            Self::Sound
        } else if ending.is_empty() || ending.chars().count() > 12 {
            Self::Unnamed
        } else {
            Self::Other(ending.to_uppercase())
        }
    }

    /// A name for programs.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Video => "video",
            Self::Sound => "sound",
            Self::Sidecar => "sidecar_alone",
            Self::Other(_) | Self::Unnamed => "not_an_image",
        }
    }

    /// Why one of them is left out.
    pub(super) fn reason(&self) -> &'static str {
        match self {
            Self::Video => "a video, not taken yet",
            Self::Sidecar => "a sidecar without its photo",
            Self::Sound | Self::Other(_) | Self::Unnamed => "not an image",
        }
    }

    /// How many were left out, and why.
    pub(super) fn counted(&self, count: usize) -> String {
        let why = match self {
            Self::Video => "not taken yet",
            Self::Sidecar => "without a photo",
            _ if count > 1 => "no images",
            _ => "not an image",
        };
        format!("{count} {}: {why}", Counted(self, count))
    }
}

struct Counted<'a>(&'a Kind, usize);

impl fmt::Display for Counted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.0, self.1) {
            (Kind::Video, 1) => "video",
            (Kind::Video, _) => "videos",
            (Kind::Sidecar, 1) => "sidecar",
            (Kind::Sidecar, _) => "sidecars",
            (Kind::Sound, 1) => "sound",
            (Kind::Sound, _) => "sounds",
            (Kind::Other(ending), _) => ending,
            (Kind::Unnamed, 1) => "file of no known kind",
            (Kind::Unnamed, _) => "files of no known kind",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_called_by_its_kind() {
        let kind = |name: &str, start: &[u8]| Kind::of(Path::new(name), start);
        assert_eq!(kind("a.MOV", b""), Kind::Video);
        assert_eq!(kind("a", b"\0\0\0\x18ftypmp42"), Kind::Video);
        assert_eq!(kind("a.mp3", b"ID3"), Kind::Sound);
        assert_eq!(kind("a.pdf", b"%PDF"), Kind::Other("PDF".to_owned()));
        assert_eq!(kind("README", b"hi"), Kind::Unnamed);
        assert_eq!(kind("a.mp4", b"").counted(12), "12 videos: not taken yet");
        assert_eq!(kind("a.pdf", b"").counted(3), "3 PDF: no images");
        assert_eq!(kind("a.txt", b"").counted(1), "1 TXT: not an image");
    }
}
