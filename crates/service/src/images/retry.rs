//! Trying again what could not be shown.

use catalog::Retried;
use model::limits::PAGE_MAX;
use model::{Image, ImageId};

use crate::{Caller, Error, Result, Scope, Service};

/// What became of trying one of many images again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryEnd {
    /// It waits to be processed.
    Retried,
    /// It has not failed.
    NotFailed,
    /// The caller has no such image.
    NotFound,
}

impl Service {
    /// Tries an image of the caller again that has failed.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such image, [`Error::NotFailed`] if it has not failed.
    pub async fn retry_image(&self, caller: &Caller, image: ImageId) -> Result<Image> {
        caller.require(Scope::Write)?;
        match self.catalog().retry_image(image, caller.user, self.now()).await? {
            Retried::Retried(image) => {
                self.hint();
                self.hint_change();
                Ok(image)
            }
            Retried::NotFailed => Err(Error::NotFailed),
            Retried::Missing => Err(Error::NotFound { what: "image" }),
        }
    }

    /// The same for many, each as by itself, in the order of the ids.
    ///
    /// # Errors
    /// When there are more than 100, the caller's key does not allow it, or the table cannot be used.
    pub async fn retry_images(
        &self,
        caller: &Caller,
        images: &[ImageId],
    ) -> Result<Vec<(ImageId, RetryEnd)>> {
        caller.require(Scope::Write)?;
        if images.len() > PAGE_MAX {
            return Err(Error::invalid("ids", format_args!("at most {PAGE_MAX} images at once")));
        }
        let mut ends = Vec::with_capacity(images.len());
        for image in images {
            let end = match self.retry_image(caller, *image).await {
                Ok(_) => RetryEnd::Retried,
                Err(Error::NotFailed) => RetryEnd::NotFailed,
                Err(Error::NotFound { .. }) => RetryEnd::NotFound,
                Err(error) => return Err(error),
            };
            ends.push((*image, end));
        }
        Ok(ends)
    }
}
