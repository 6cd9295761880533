//! What a link shows, as guests see it: nothing that is its owner's business.

use std::collections::BTreeMap;

use model::{
    AltText, Description, Filename, Image, ImageId, LinkTarget, SizeName, Timestamp, Title,
};
use serde::Serialize;
use service::{Guest, PixelName, Shown, ShownCount};
use utoipa::ToSchema;

use crate::app::App;
use crate::routes::images::SizeUrl;
use crate::routes::links::DownloadParam;

/// What a link shows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Shared)]
pub(super) struct SharedInfo {
    /// `image`, `album` or `search`.
    kind: &'static str,
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// What its owner says about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    description: Option<Description>,
    /// How many images it shows; absent if there are more than 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    image_count: Option<usize>,
    /// The image that stands for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    cover: Option<SharedImage>,
    /// What may be taken away.
    download: DownloadParam,
    /// When the link ends, if ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
}

/// An image that a link shows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SharedImage {
    /// Its id.
    #[schema(value_type = String)]
    id: ImageId,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    title: Option<Title>,
    /// The description.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    description: Option<Description>,
    /// The alternative text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    alt_text: Option<AltText>,
    /// Width in pixels, as seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    /// Height in pixels, as seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    /// Whether it moves.
    animated: bool,
    /// A tiny preview, as base64 of a ThumbHash.
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbhash: Option<String>,
    /// The dominant colour, as `#rrggbb`.
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    /// The renditions that have been made, by size name. Their addresses end soon.
    #[schema(value_type = BTreeMap<String, SizeUrl>)]
    sizes: BTreeMap<SizeName, SizeUrl>,
    /// Where the original is, if the link gives it away.
    #[serde(skip_serializing_if = "Option::is_none")]
    original_url: Option<String>,
    /// The name that the original has, if the link gives it away.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    filename: Option<Filename>,
}

impl SharedInfo {
    pub(super) fn of(app: &App, guest: &Guest, shown: Shown) -> Self {
        let link = guest.link();
        Self {
            kind: match link.target {
                LinkTarget::Image(_) => "image",
                LinkTarget::Album(_) => "album",
                LinkTarget::Search(_) => "search",
            },
            title: shown.title,
            description: shown.description,
            image_count: match shown.count {
                ShownCount::Exactly(count) => Some(count),
                ShownCount::MoreThan(_) => None,
            },
            cover: shown.cover.map(|image| SharedImage::of(app, guest, image)),
            download: link.download.into(),
            expires_at: link.expires_at,
        }
    }
}

impl SharedImage {
    pub(super) fn of(app: &App, guest: &Guest, image: Image) -> Self {
        let base = app.settings.pixel_base();
        let url = |name: &PixelName| {
            app.service.guest_pixel_path(guest, &image, name).map(|path| [base, &path].concat())
        };
        let sizes = image.renditions.iter().filter_map(|(name, rendition)| {
            let url = url(&PixelName::size(name.clone()))?;
            Some((name.clone(), SizeUrl::of(url, rendition)))
        });
        let (sizes, original_url) = (sizes.collect(), url(&PixelName::original()));
        let facts = image.facts.as_ref();
        Self {
            id: image.id,
            width: facts.map(|facts| facts.width),
            height: facts.map(|facts| facts.height),
            animated: facts.is_some_and(|facts| facts.animated),
            thumbhash: facts.and_then(|facts| facts.thumbhash.clone()),
            color: facts.and_then(|facts| facts.color.clone()),
            title: image.title,
            description: image.description,
            alt_text: image.alt_text,
            sizes,
            filename: image.filename.filter(|_| original_url.is_some()),
            original_url,
        }
    }
}
