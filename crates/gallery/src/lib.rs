//! The gallery: what `web/` becomes when it is built, as files in the binary.
//!
//! It knows nothing of HTTP and nothing of the API; how the files are built says `build/main.rs`,
//! and how they are answered says `api`.

/// A file of the gallery.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Where it stands, such as `assets/index-BvX1.js`.
    pub path: &'static str,
    /// What it holds.
    pub bytes: &'static [u8],
    /// The same by gzip, if that is shorter.
    pub gzip: Option<&'static [u8]>,
    /// The same by Brotli, if that is shorter.
    pub brotli: Option<&'static [u8]>,
    /// Changes whenever the bytes do.
    pub hash: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{FILES, MISSING};

    #[test]
    fn there_is_a_page_or_a_reason_why_there_is_none() {
        let has_page = FILES.iter().any(|file| file.path == "index.html");
        assert_eq!(has_page, MISSING.is_none());
    }

    #[test]
    fn compressed_files_hold_the_same_and_are_shorter() {
        for file in FILES {
            let Some(gzip) = file.gzip else { continue };
            assert!(gzip.len() < file.bytes.len(), "{}", file.path);
            let mut bytes = Vec::new();
            flate2::read::GzDecoder::new(gzip).read_to_end(&mut bytes).unwrap();
            assert!(bytes == file.bytes, "{}", file.path);
        }
    }

    #[test]
    fn the_page_has_no_script_and_no_style_of_its_own() {
        for page in FILES.iter().filter(|file| file.path.ends_with(".html")) {
            let text = std::str::from_utf8(page.bytes).unwrap();
            assert!(!text.contains("<style") && !text.contains(" style="), "{}", page.path);
            for script in text.split("<script").skip(1) {
                let (tag, rest) = script.split_once('>').unwrap();
                assert!(tag.contains("src=") && rest.starts_with("</script>"), "{}", page.path);
            }
        }
    }
}
