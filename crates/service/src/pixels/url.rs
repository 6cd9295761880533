//! URLs by which a picture can be had without signing in: for one picture, until a moment.

use std::time::Duration;

use model::{ImageId, Timestamp};

use super::{PixelName, PixelSource};
use crate::hex::hex;
use crate::secret::{Purpose, same};
use crate::{Caller, Error, Result, Service};

/// What a URL carries to prove that it may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The last second at which it works, since 1970.
    pub expires: i64,
    /// The proof.
    pub proof: String,
    /// Whether the picture is only to be shown, and not offered to be saved.
    pub show_only: bool,
}

/// Half of an HMAC is far more than can be guessed, and URLs stay short.
const PROOF_BYTES: usize = 16;

impl Service {
    /// The path and query of a signed URL of a picture. Whoever hands it out has checked that the
    /// receiver may see the image.
    ///
    /// It works for the configured time at least and twice that at most: all URLs given out within
    /// such a time are the same, so that caches can keep what they lead to.
    pub fn pixel_path(&self, image: ImageId, name: &PixelName) -> String {
        self.signed_path(image, name, self.urls_until(), false)
    }

    pub(crate) fn signed_path(
        &self,
        image: ImageId,
        name: &PixelName,
        expires: i64,
        show_only: bool,
    ) -> String {
        let (image, name) = (image.to_string(), name.to_string());
        let proof = self.proof(&image, &name, expires, show_only);
        let show = if show_only { "&show=1" } else { "" };
        ["/i/", &image, "/", &name, "?e=", &expires.to_string(), show, "&s=", &proof].concat()
    }

    /// The last second at which URLs work that are given out now.
    pub(crate) fn urls_until(&self) -> i64 {
        self.urls_until_by(self.settings().url_time)
    }

    /// The same, for URLs that are to work for this time at least.
    pub(crate) fn urls_until_by(&self, time: Duration) -> i64 {
        let window = i64::try_from(time.as_secs()).unwrap_or(i64::MAX).max(1);
        let elapsed = self.now().as_seconds().div_euclid(window);
        elapsed.saturating_add(2).saturating_mul(window)
    }

    /// Whether a URL was signed by us for this picture and still works.
    pub fn check_signature(&self, image: ImageId, name: &PixelName, given: &Signature) -> bool {
        let Signature { expires, show_only, .. } = *given;
        let proof = || self.proof(&image.to_string(), &name.to_string(), expires, show_only);
        given.expires >= self.now().as_seconds() && same(proof().as_bytes(), given.proof.as_bytes())
    }

    /// Whether a caller may have a picture without a signature. The original, with all that the
    /// camera wrote into it, is its owner's alone.
    ///
    /// # Errors
    /// [`Error::NotFound`] if they may not.
    pub async fn check_pixels(
        &self,
        caller: &Caller,
        image: ImageId,
        name: &PixelName,
    ) -> Result<()> {
        let image = self.load_image(caller, image).await?;
        let is_owners = name.source == PixelSource::Original && !self.settings().share_exif;
        if is_owners && image.owner != caller.user {
            return Err(Error::NotFound { what: "image" });
        }
        Ok(())
    }

    /// How long a picture given out now may be kept by the client.
    pub fn seconds_left(&self, signature: &Signature) -> u64 {
        u64::try_from(signature.expires.saturating_sub(self.now().as_seconds())).unwrap_or(0)
    }

    fn proof(&self, image: &str, name: &str, expires: i64, show_only: bool) -> String {
        let expires = expires.to_be_bytes();
        let parts: [&[u8]; 4] = [image.as_bytes(), name.as_bytes(), &expires, b"show only"];
        let signed = match &parts {
            [unrestricted @ .., _] if !show_only => self.secret().sign(Purpose::Urls, unrestricted),
            all => self.secret().sign(Purpose::Urls, all),
        };
        hex(signed.split_at_checked(PROOF_BYTES).map_or(&signed, |(proof, _)| proof))
    }
}

impl Signature {
    /// The signature in a URL's query, if it has the form of one.
    ///
    /// # Errors
    /// [`Error::BadSignature`].
    pub fn parse(expires: &str, proof: &str, show_only: bool) -> Result<Self> {
        let expires = expires.parse().map_err(|_| Error::BadSignature)?;
        Ok(Self { expires, proof: proof.to_owned(), show_only })
    }

    /// The moment at which it ends.
    pub fn expires_at(&self) -> Timestamp {
        Timestamp::from_millis(self.expires.saturating_mul(1000))
    }
}
