//! The page of an album, or of what a search finds.

use model::{Image, LinkDownload};
use service::{Guest, Shown, ShownCount};

use super::html::{Page, Preview};
use super::picture::{Base, preview_of, tag};
use crate::app::App;
use crate::html::escape;

/// The images of one page.
pub(super) struct Images<'a> {
    pub(super) entries: &'a [Image],
    /// The key of the page behind it.
    pub(super) next: Option<String>,
    pub(super) is_first: bool,
}

/// As wide as a column can become, in the styles of these pages.
const SHOWN_AS: &str = "(max-width: 40rem) 50vw, 18rem";
/// Enough for that on the finest screens.
const TILE_WIDTH_MAX: u32 = 1300;

pub(super) fn page(
    app: &App,
    guest: &Guest,
    base: &Base,
    shown: &Shown,
    images: &Images<'_>,
) -> Page {
    let title = shown.title.clone().unwrap_or_else(|| "Photos".to_owned());
    let here = format!("/s/{}", base.token);
    let count = count_of(shown.count);
    let description = shown.description.as_ref().map(ToString::to_string);
    let text = description
        .as_ref()
        .map_or_else(String::new, |text| format!("<p class=\"text\">{}</p>\n", escape(text)));
    let tiles: String = (1..)
        .zip(images.entries)
        .map(|(number, image)| tile(app, guest, base, image, number))
        .collect();
    let body = format!(
        "<h1>{}</h1>\n{text}<p class=\"quiet\">{count}</p>\n{}<ul class=\"grid\">\n{tiles}</ul>\n{}",
        escape(&title),
        archive_link(guest, base, shown),
        paging(&here, images),
    );
    let preview = Preview {
        title,
        description: Some(description.unwrap_or(count)),
        url: Some(base.url(&here)),
        picture: shown.cover.as_ref().and_then(|cover| preview_of(app, guest, base, cover)),
    };
    Page { preview, body }
}

fn tile(app: &App, guest: &Guest, base: &Base, image: &Image, number: usize) -> String {
    let name = format!("Photo {number}");
    match tag(app, guest, base, image, SHOWN_AS, TILE_WIDTH_MAX, &name) {
        Some(picture) => {
            let there = format!("/s/{}/{}", base.token, image.id);
            format!("<li><a href=\"{}\">{picture}</a></li>\n", escape(&there))
        }
        None => "<li><span>Not ready yet</span></li>\n".to_owned(),
    }
}

fn archive_link(guest: &Guest, base: &Base, shown: &Shown) -> String {
    if guest.link().download == LinkDownload::Off || shown.count == ShownCount::Exactly(0) {
        return String::new();
    }
    let archive = format!("/api/v1/shared/{}/archive.zip", base.token);
    format!("<nav><a href=\"{}\" download>Download all (ZIP)</a></nav>\n", escape(&archive))
}

fn paging(here: &str, images: &Images<'_>) -> String {
    let here = escape(here);
    let mut links = String::new();
    if !images.is_first {
        links.push_str(&format!("<a href=\"{here}\">To the beginning</a>\n"));
    }
    if let Some(next) = &images.next {
        links.push_str(&format!(
            "<a href=\"{here}?cursor={}\" rel=\"next\">More photos</a>\n",
            escape(next)
        ));
    }
    match links.is_empty() {
        true => links,
        false => format!("<nav aria-label=\"Pages\">\n{links}</nav>\n"),
    }
}

fn count_of(count: ShownCount) -> String {
    match count {
        ShownCount::Exactly(0) => "No photos".to_owned(),
        ShownCount::Exactly(1) => "1 photo".to_owned(),
        ShownCount::Exactly(count) => format!("{count} photos"),
        ShownCount::MoreThan(count) => format!("More than {count} photos"),
    }
}
