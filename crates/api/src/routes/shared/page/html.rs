//! The frame of a page: head, style, and what a preview of the link shows.

use std::fmt::Write as _;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::html::escape;

/// A page.
pub(super) struct Page {
    pub(super) preview: Preview,
    /// What stands in it, as HTML.
    pub(super) body: String,
}

/// What other programs show of a link, and browsers in their title.
#[derive(Default)]
pub(super) struct Preview {
    pub(super) title: String,
    pub(super) description: Option<String>,
    /// Where the page is.
    pub(super) url: Option<String>,
    pub(super) picture: Option<PreviewPicture>,
}

pub(super) struct PreviewPicture {
    pub(super) url: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) alt: String,
}

const STYLE: &str = include_str!("style.css");

/// The style as browsers know it again.
static STYLE_HASH: LazyLock<String> = LazyLock::new(|| STANDARD.encode(Sha256::digest(STYLE)));

/// What the pages may load: their own style, and pictures from where these are.
pub(super) fn policy(app: &App) -> String {
    let mut pictures = "'self'".to_owned();
    if let Some(cdn) = &app.settings.cdn_url {
        pictures = format!("{pictures} {}", cdn.as_str());
    }
    if app.service.settings().redirect_pixels {
        // Where the storage is, only the storage knows.
        pictures = format!("{pictures} https: http:");
    }
    let style = STYLE_HASH.as_str();
    format!(
        "default-src 'none'; img-src {pictures}; style-src 'sha256-{style}'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    )
}

impl Preview {
    /// One that tells nothing but what the page says anyway.
    pub(super) fn plain(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    fn render(&self) -> String {
        let card = if self.picture.is_some() { "summary_large_image" } else { "summary" };
        let mut meta = String::new();
        let mut add = |kind: &str, name: &str, value: &str| {
            // Writing to a text cannot fail.
            let _ = writeln!(meta, "<meta {kind}=\"{name}\" content=\"{}\">", escape(value));
        };
        add("name", "robots", "noindex, nofollow");
        add("property", "og:type", "website");
        add("property", "og:site_name", "Ferrotype");
        add("property", "og:title", &self.title);
        if let Some(description) = &self.description {
            add("name", "description", description);
            add("property", "og:description", description);
        }
        if let Some(url) = &self.url {
            add("property", "og:url", url);
        }
        if let Some(picture) = &self.picture {
            add("property", "og:image", &picture.url);
            add("property", "og:image:width", &picture.width.to_string());
            add("property", "og:image:height", &picture.height.to_string());
            add("property", "og:image:alt", &picture.alt);
        }
        add("name", "twitter:card", card);
        meta
    }
}

impl Page {
    pub(super) fn render(&self) -> String {
        let Self { preview, body } = self;
        let (title, meta) = (escape(&preview.title), preview.render());
        format!(
            "<!doctype html>\n<html lang=\"en\" prefix=\"og: https://ogp.me/ns#\">\n\
             <head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n{meta}<style>{STYLE}</style>\n</head>\n\
             <body>\n<main>\n{body}</main>\n</body>\n</html>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_stays_text() {
        let hostile = "\"><script>alert(1)</script>";
        let preview = Preview {
            description: Some(hostile.to_owned()),
            url: Some(hostile.to_owned()),
            picture: Some(PreviewPicture {
                url: hostile.to_owned(),
                width: 1,
                height: 1,
                alt: hostile.to_owned(),
            }),
            ..Preview::plain(hostile)
        };
        let page = Page { preview, body: String::new() }.render();
        assert!(!page.contains("<script"), "{page}");
    }

    #[test]
    fn a_plain_preview_tells_nothing_but_its_title() {
        let page = Page { preview: Preview::plain("A password is needed"), body: String::new() };
        let page = page.render();
        assert!(page.contains("noindex") && page.contains("og:title"), "{page}");
        assert!(!page.contains("og:image") && !page.contains("og:description"), "{page}");
    }
}
