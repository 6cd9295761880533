//! Whether an upload that comes with the key of an earlier one is that one, repeated.

use std::fmt;

use bytes::Bytes;
use futures::{Stream, StreamExt};
use model::{Image, ImageId, Visibility};
use sha2::{Digest, Sha256};

use super::{NewImage, Uploaded};
use crate::hex::hex;
use crate::{Caller, Error, Result, Scope, Service};

impl Service {
    /// The image that an upload of the caller has become. Whoever may send bytes may know what
    /// became of them.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller had no such upload, or its image is gone.
    pub async fn load_uploaded(&self, caller: &Caller, upload: ImageId) -> Result<Uploaded> {
        caller.require(Scope::Write)?;
        let found = self.catalog().find_uploaded(caller.user, upload).await?;
        let image = found.ok_or(Error::NotFound { what: "upload" })?;
        Ok(match image.id == upload {
            true => Uploaded::Repeated(image),
            false => Uploaded::Duplicate(image),
        })
    }

    /// Fails unless the bytes are those of `first`. What says so beforehand need not come.
    pub(super) async fn expect_same_body<S, E>(
        &self,
        first: &Image,
        new: &NewImage,
        body: S,
    ) -> Result<()>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: fmt::Display,
    {
        if new.sha256.is_some() {
            return Ok(());
        }
        let Some(original) = &first.original else { return Ok(()) };
        let mut hasher = Sha256::new();
        let mut size_bytes = 0_u64;
        let mut body = std::pin::pin!(body);
        while let Some(bytes) = body.next().await {
            let bytes = bytes.map_err(|error| Error::Interrupted { message: error.to_string() })?;
            size_bytes = size_bytes.saturating_add(bytes.len() as u64);
            self.settings().limits.check_bytes(size_bytes)?;
            hasher.update(&bytes);
        }
        let sha256 = hex(&hasher.finalize());
        if sha256 == original.sha256.as_str() { Ok(()) } else { Err(Error::KeyTaken) }
    }
}

/// Fails if other bytes are announced than those of `first`.
pub(super) fn expect_same_announced(first: &Image, new: &NewImage) -> Result<()> {
    let Some(original) = &first.original else { return Ok(()) };
    let size_bytes = u64::try_from(original.size_bytes).unwrap_or_default();
    let is_same = new.size_bytes.is_none_or(|announced| announced == size_bytes)
        && new.sha256.as_ref().is_none_or(|announced| *announced == original.sha256);
    if is_same { Ok(()) } else { Err(Error::KeyTaken) }
}

/// What is said about an image, in short. The bytes are compared by themselves, since not every way
/// to send them says beforehand what they are. What is not said is left out, so that a field more
/// changes nothing for requests without it.
pub(super) fn said_of(new: &NewImage) -> String {
    let mut said = Sha256::new();
    let mut say = |name: &str, value: Option<String>| {
        for text in value.iter().flat_map(|value| [name, value.as_str()]) {
            said.update((text.len() as u64).to_be_bytes());
            said.update(text);
        }
    };
    say("filename", new.filename.as_ref().map(ToString::to_string));
    say("title", new.title.as_ref().map(ToString::to_string));
    say("description", new.description.as_ref().map(ToString::to_string));
    say("altText", new.alt_text.as_ref().map(ToString::to_string));
    for tag in &new.tags {
        say("tag", Some(tag.to_string()));
    }
    say("shared", (new.visibility == Visibility::Shared).then(String::new));
    say("expiresAt", new.expires_at.map(|at| at.to_string()));
    say("keepDuplicate", new.keep_duplicate.then(String::new));
    say("onlyShown", new.only_shown.then(String::new));
    hex(&said.finalize())
}
