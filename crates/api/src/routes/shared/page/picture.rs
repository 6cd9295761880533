//! Pictures on a page, and the page of one picture.

use model::{Image, LinkDownload, LinkTarget, Rendition, SizeName};
use service::{Guest, PixelName, Shown};

use super::html::{Page, Preview, PreviewPicture};
use crate::app::App;
use crate::html::escape;
use crate::routes::shared::guest::Opening;

/// Where the pages are, and where the pictures are for programs elsewhere.
pub(super) struct Base {
    pub(super) token: String,
    /// Scheme and host by which we were reached.
    origin: String,
    /// What stands before the path of a picture.
    pixels: String,
}

impl Base {
    pub(super) fn of(app: &App, opening: &Opening<'_>) -> Self {
        let origin = opening.client.reached_at(opening.headers, &app.settings);
        let pixels = app.settings.pixel_base().to_owned();
        Self { token: opening.token.to_owned(), origin, pixels }
    }

    /// A path of a page as other programs need it.
    pub(super) fn url(&self, path: &str) -> String {
        [self.origin.as_str(), path].concat()
    }

    fn path(&self) -> String {
        format!("/s/{}", self.token)
    }
}

/// The page of a link to one image.
pub(super) fn of_image_link(
    app: &App,
    guest: &Guest,
    base: &Base,
    shown: &Shown,
    image: &Image,
) -> Page {
    let title = shown.title.clone().unwrap_or_else(|| "A photo".to_owned());
    page(app, guest, base, image, &title, &base.path(), "")
}

/// The page of an image in what a link shows.
pub(super) fn of_image(app: &App, guest: &Guest, base: &Base, image: &Image) -> Page {
    let title = image.title.as_ref().map_or_else(|| "A photo".to_owned(), ToString::to_string);
    let path = format!("{}/{}", base.path(), image.id);
    let back = match guest.link().target {
        LinkTarget::Image(_) => String::new(),
        LinkTarget::Album(_) | LinkTarget::Search(_) => {
            format!("<a href=\"{}\">Back to all photos</a>\n", escape(&base.path()))
        }
    };
    page(app, guest, base, image, &title, &path, &back)
}

fn page(
    app: &App,
    guest: &Guest,
    base: &Base,
    image: &Image,
    title: &str,
    path: &str,
    back: &str,
) -> Page {
    let download = match guest.link().download {
        LinkDownload::Off => String::new(),
        LinkDownload::Renditions | LinkDownload::Originals => {
            let file = format!("/api/v1/shared/{}/images/{}/file", base.token, image.id);
            format!("<a href=\"{}\" download>Download</a>\n", escape(&file))
        }
    };
    let description = image.description.as_ref().map(ToString::to_string);
    let text = description
        .as_ref()
        .map_or_else(String::new, |text| format!("<p class=\"text\">{}</p>\n", escape(text)));
    let picture = tag(app, guest, base, image, "(max-width: 90rem) 100vw, 90rem", u32::MAX, title);
    let picture = picture.unwrap_or_else(|| "<p class=\"quiet\">Not ready yet.</p>".to_owned());
    let heading = escape(title);
    let body = format!(
        "<nav>\n{back}{download}</nav>\n<figure>\n{picture}\n</figure>\n\
         <h1>{heading}</h1>\n{text}"
    );
    let preview = Preview {
        title: title.to_owned(),
        description,
        url: Some(base.url(path)),
        picture: preview_of(app, guest, base, image),
    };
    Page { preview, body }
}

/// An image's renditions from small to large, each width once.
fn by_width(image: &Image) -> Vec<(&SizeName, &Rendition)> {
    let mut sizes: Vec<_> = image.renditions.iter().collect();
    sizes.sort_by_key(|(_, rendition)| (rendition.width, rendition.height));
    sizes.dedup_by_key(|(_, rendition)| rendition.width);
    sizes
}

/// A picture of this many pixels' width or less, in whichever size the browser needs.
pub(super) fn tag(
    app: &App,
    guest: &Guest,
    base: &Base,
    image: &Image,
    shown_as: &str,
    width_max: u32,
    otherwise: &str,
) -> Option<String> {
    let mut sizes = by_width(image);
    let fitting = sizes.iter().filter(|(_, rendition)| rendition.width <= width_max).count();
    sizes.truncate(fitting.max(1));
    let url = |name: &SizeName| -> Option<String> {
        let path = app.service.guest_pixel_path(guest, image, &PixelName::size(name.clone()))?;
        Some([base.pixels.as_str(), &path].concat())
    };
    let sources = sizes.iter().filter_map(|(name, rendition)| {
        Some(format!("{} {}w", escape(&url(name)?), rendition.width))
    });
    let sources: Vec<String> = sources.collect();
    let (name, largest) = sizes.last()?;
    let (source, sources) = (escape(&url(name)?), sources.join(", "));
    let (width, height) = (largest.width, largest.height);
    let alt = escape(&alt_of(image, otherwise));
    Some(format!(
        "<img src=\"{source}\" srcset=\"{sources}\" sizes=\"{shown_as}\" width=\"{width}\" \
         height=\"{height}\" alt=\"{alt}\" loading=\"lazy\" decoding=\"async\">"
    ))
}

/// What a preview shows: large enough for all programs that we know of, and not the largest.
pub(super) fn preview_of(
    app: &App,
    guest: &Guest,
    base: &Base,
    image: &Image,
) -> Option<PreviewPicture> {
    const WIDTH_MIN: u32 = 1200;
    let sizes = by_width(image);
    let large = sizes.iter().find(|(_, rendition)| rendition.width >= WIDTH_MIN);
    let (name, rendition) = large.or(sizes.last())?;
    let name = PixelName::size((*name).clone());
    let path = app.service.guest_pixel_path(guest, image, &name)?;
    let pixels = if base.pixels.is_empty() { &base.origin } else { &base.pixels };
    Some(PreviewPicture {
        url: [pixels.as_str(), &path].concat(),
        width: rendition.width,
        height: rendition.height,
        alt: alt_of(image, "A photo"),
    })
}

fn alt_of(image: &Image, otherwise: &str) -> String {
    let alt = image.alt_text.as_ref().map(ToString::to_string);
    let title = || image.title.as_ref().map(ToString::to_string);
    alt.or_else(title).unwrap_or_else(|| otherwise.to_owned())
}
