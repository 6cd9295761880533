//! The files of the gallery, as whoever starts us has brought them.

use std::collections::HashMap;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::Settings;
use crate::etag::ETag;

/// The gallery, or why there is none.
#[derive(Clone, Debug)]
pub struct Gallery {
    files: HashMap<&'static str, GalleryFile>,
    missing: Option<&'static str>,
}

/// A file of the gallery.
#[derive(Clone, Copy, Debug)]
pub struct GalleryFile {
    /// Where it stands, such as `assets/index-BvX1.js`.
    pub path: &'static str,
    /// What it holds.
    pub bytes: &'static [u8],
    /// The same by gzip.
    pub gzip: Option<&'static [u8]>,
    /// The same by Brotli.
    pub brotli: Option<&'static [u8]>,
    /// Changes whenever the bytes do.
    pub hash: &'static str,
}

const INDEX: &str = "index.html";
const SERVICE_WORKER: &str = "sw.js";
/// What stands here has a hash of its content in its name.
const HASHED: &str = "assets/";

impl Gallery {
    /// A gallery of these files, one of which is `index.html`.
    pub fn of(files: impl IntoIterator<Item = GalleryFile>) -> Self {
        let files = files.into_iter().map(|file| (file.path, file)).collect();
        Self { files, missing: None }
    }

    /// No gallery, for this reason.
    pub fn missing(why: &'static str) -> Self {
        Self { files: HashMap::new(), missing: Some(why) }
    }

    /// Why there is none.
    pub(crate) fn why_missing(&self) -> Option<&'static str> {
        self.missing
    }

    /// The file at the path of a request.
    pub(crate) fn find(&self, path: &str) -> Option<&GalleryFile> {
        self.files.get(path.strip_prefix('/')?)
    }

    /// The page that shows all others.
    pub(crate) fn index(&self) -> Option<&GalleryFile> {
        self.files.get(INDEX)
    }
}

impl GalleryFile {
    /// The file in the shortest form that the client takes, or 304.
    pub(crate) fn respond(&self, headers: &HeaderMap, settings: &Settings) -> Response {
        let (encoding, bytes) = self.choose(headers, settings);
        // A strong tag is about the very bytes that are sent.
        let tag = match encoding {
            Some(encoding) => ETag::of_hash(format_args!("{}-{encoding}", self.hash)),
            None => ETag::of_hash(self.hash),
        };
        let mut response = match tag.is_known_by(headers) {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => Body::from(bytes).into_response(),
        };
        let answer = response.headers_mut();
        answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type()));
        answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.keeping()));
        answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        answer.extend(tag.header());
        let encoding = encoding.map(HeaderValue::from_static);
        answer.extend(encoding.map(|encoding| (header::CONTENT_ENCODING, encoding)));
        if self.has_policy() {
            let policy = HeaderValue::from_str(&policy(settings)).ok();
            answer.extend(policy.map(|policy| (header::CONTENT_SECURITY_POLICY, policy)));
        }
        response
    }

    /// Below a path, pages are sent plain, so that their addresses can be moved there.
    fn choose(
        &self,
        headers: &HeaderMap,
        settings: &Settings,
    ) -> (Option<&'static str>, &'static [u8]) {
        if !settings.path().is_empty() && self.media_type().starts_with("text/html") {
            return (None, self.bytes);
        }
        match (self.brotli, self.gzip) {
            (Some(brotli), _) if takes(headers, "br") => (Some("br"), brotli),
            (_, Some(gzip)) if takes(headers, "gzip") => (Some("gzip"), gzip),
            _ => (None, self.bytes),
        }
    }

    /// Whether it may load something by itself: pages, and the service worker, which goes by the
    /// policy that it came with and not by that of its pages.
    fn has_policy(&self) -> bool {
        self.path == SERVICE_WORKER || self.media_type().starts_with("text/html")
    }

    fn keeping(&self) -> &'static str {
        match self.path.starts_with(HASHED) {
            true => "public, max-age=31536000, immutable",
            false => "no-cache",
        }
    }

    fn media_type(&self) -> &'static str {
        match self.path.rsplit_once('.').map_or("", |(_, end)| end) {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "json" => "application/json",
            "webmanifest" => "application/manifest+json",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "webp" => "image/webp",
            "jpg" | "jpeg" => "image/jpeg",
            "ico" => "image/x-icon",
            "woff2" => "font/woff2",
            "txt" => "text/plain; charset=utf-8",
            _ => "application/octet-stream",
        }
    }
}

/// Whether a client takes this encoding, by name or by `*`, unless it is given no weight.
pub(crate) fn takes(headers: &HeaderMap, encoding: &str) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter();
    let entries = lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
    let (mut named, mut any) = (None, None);
    for entry in entries {
        let mut parts = entry.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let refused = parts.filter_map(|part| part.strip_prefix("q=")).any(is_zero);
        if name.eq_ignore_ascii_case(encoding) {
            named = Some(!refused);
        } else if name == "*" {
            any = Some(!refused);
        }
    }
    named.or(any).unwrap_or(false)
}

fn is_zero(weight: &str) -> bool {
    weight.parse::<f32>().is_ok_and(|weight| weight == 0.0)
}

/// What the gallery may load: what comes from here, and pictures and uploads where the operator
/// has put them.
fn policy(settings: &Settings) -> String {
    let pictures: Vec<&str> = [settings.cdn_url.as_ref(), settings.public_url.as_ref()]
        .into_iter()
        .flatten()
        .map(crate::PublicUrl::origin)
        .chain(settings.storage_origins.iter().map(String::as_str))
        .collect();
    let storage = settings.storage_origins.join(" ");
    let (pictures, storage) = (spaced(&pictures.join(" ")), spaced(&storage));
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; \
         img-src 'self' data: blob:{pictures}; connect-src 'self'{pictures}{storage}; \
         font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    )
}

fn spaced(origins: &str) -> String {
    if origins.is_empty() { String::new() } else { format!(" {origins}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(value: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn encodings_are_taken_by_name_or_as_any() {
        assert!(takes(&accepting("gzip, deflate, br"), "br"));
        assert!(takes(&accepting("GZIP;q=0.5"), "gzip"));
        assert!(takes(&accepting("*"), "br"));
        assert!(!takes(&accepting("*, br;q=0"), "br"));
        assert!(!takes(&accepting("br;q=0.0, gzip"), "br"));
        assert!(!takes(&accepting("identity"), "gzip"));
        assert!(!takes(&HeaderMap::new(), "gzip"));
    }

    #[test]
    fn the_policy_names_where_pictures_are() {
        let plain = policy(&Settings::default());
        assert!(plain.contains("img-src 'self' data: blob:;"), "{plain}");
        assert!(!plain.contains("unsafe") && !plain.contains("http"), "{plain}");
        let cdn_url = Some("https://cdn.example.org".parse().unwrap());
        let storage_origins = vec!["https://bucket.example.org".to_owned()];
        let far = policy(&Settings { cdn_url, storage_origins, ..Settings::default() });
        let pictures = "https://cdn.example.org https://bucket.example.org";
        assert!(far.contains(&format!("img-src 'self' data: blob: {pictures};")), "{far}");
    }
}
