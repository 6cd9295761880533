//! Addresses of pictures for guests.

use std::time::Duration;

use model::{Image, LinkDownload};

use super::Guest;
use crate::{PixelName, PixelSource, Service};

/// How long an address works at least that a guest is given; twice that at most. So it is over an
/// hour after a link was taken back, at the latest.
const GUEST_URL_TIME: Duration = Duration::from_secs(30 * 60);

impl Service {
    /// The path and query of a signed address of a picture that a guest may have.
    pub fn guest_pixel_path(
        &self,
        guest: &Guest,
        image: &Image,
        name: &PixelName,
    ) -> Option<String> {
        if name.source == PixelSource::Original && !self.gets_original(guest, image) {
            return None;
        }
        let time = GUEST_URL_TIME.min(self.settings().url_time);
        let show_only = guest.link().download == LinkDownload::Off;
        Some(self.signed_path(image.id, name, self.urls_until_by(time), show_only))
    }

    /// Whether a guest may have the original of an image. Originals of others, who have put them
    /// into the album of the link's owner, are not the owner's to give away.
    pub(crate) fn gets_original(&self, guest: &Guest, image: &Image) -> bool {
        let link = guest.link();
        link.download == LinkDownload::Originals
            && image.owner == link.owner
            && image.original.is_some()
    }
}
