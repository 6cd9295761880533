//! Making the renditions of an image that has been received.

use std::collections::BTreeMap;

use blob::{BlobKey, PutLimits};
use catalog::{Finished, PageRequest, Processed};
use imaging::{Probe, Rendered, RenderedSize};
use model::{Facts, Image, ImageId, Rendition, SizeName, SizeSpec, Subject, Work, WorkKind};

use crate::studio::Held;
use crate::studio::Turn;
use crate::work::{Done, Task};
use crate::{Caller, Error, Result, Service, SizesRun};

/// How far making renditions has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Images that still wait, at most [`Progress::COUNTED_MAX`].
    pub waiting: usize,
    /// Images that were given up, at most as many.
    pub failed: usize,
}

impl Progress {
    /// Counting stops here.
    pub const COUNTED_MAX: usize = 10_000;
}

impl Service {
    /// What a worker does who has claimed it: decode once, store all renditions, record them.
    /// May be repeated at any point; the same objects are then written again.
    pub(crate) async fn process(&self, task: &Task, image: ImageId) -> Result<Done> {
        let Some(found) = self.catalog().find_image(image).await? else {
            // The row is gone, and so is what was to be done.
            let _ = self.catalog().finish_work(&*task.held().await).await?;
            return Ok(Done::Finished);
        };
        let (facts, made, probe) = match self.make_renditions(&found).await {
            Err(error @ Error::Image(_)) if found.sidecar.is_some() => {
                // What cannot be shown can still be found by what is written beside it, which may
                // be another sidecar by now.
                if let Some(found) = self.catalog().find_image(image).await? {
                    self.read_file_of(&found, found.sidecar.clone()).await?;
                }
                return Err(error);
            }
            made => made?,
        };
        let processed = Processed {
            facts,
            read: self.read_with(image, Some(&probe), found.sidecar.clone()).await?,
            renditions: self.kept_renditions(&found).chain(made).collect(),
            next: self.work_after_processing(&found).await?,
        };
        let (held, now) = (task.held().await, self.now());
        match self.catalog().finish_processing(&held, image, &processed, now).await? {
            Finished::Finished(_) => {
                // For albums that it was put into meanwhile.
                self.catalog().place_by_taken(image).await?;
                self.hint();
                self.hint_change();
                Ok(Done::Finished)
            }
            Finished::Gone => {
                self.hint_change();
                Ok(Done::Finished)
            }
            Finished::Lost => Ok(Done::Lost),
        }
    }

    /// Makes the renditions that are missing. Where none is, and the facts are known, the file is
    /// only read again for what is written into it.
    async fn make_renditions(
        &self,
        found: &Image,
    ) -> Result<(Facts, Vec<(SizeName, Rendition)>, Probe)> {
        if let Some(facts) = found.facts.clone().filter(|_| !self.lacks_sizes(found)) {
            return Ok((facts, Vec::new(), self.probe_original(found.id).await?));
        }
        let (rendered, probe) = self.render_original(found.id, self.missing_sizes(found)).await?;
        let made = self.store_renditions(found.id, &rendered.renditions).await?;
        Ok((rendered.facts, made, probe))
    }

    /// The sizes that an image does not have yet, or has in another form. At least the smallest,
    /// so that decoding tells the facts.
    fn missing_sizes(&self, image: &Image) -> Vec<SizeSpec> {
        let sizes = &self.settings().sizes;
        let missing: Vec<_> = sizes.iter().filter(|size| !has_size(image, size)).cloned().collect();
        let smallest = sizes.iter().min_by_key(|size| size.width());
        if missing.is_empty() { smallest.into_iter().cloned().collect() } else { missing }
    }

    /// Renditions of sizes that are still configured and in the same form.
    fn kept_renditions(&self, image: &Image) -> impl Iterator<Item = (SizeName, Rendition)> {
        let kept: BTreeMap<_, _> = self
            .settings()
            .sizes
            .iter()
            .filter(|size| has_size(image, size))
            .filter_map(|size| Some((size.name().clone(), image.renditions.get(size.name())?)))
            .map(|(name, rendition)| (name, rendition.clone()))
            .collect();
        kept.into_iter()
    }

    async fn render_original(
        &self,
        image: ImageId,
        sizes: Vec<SizeSpec>,
    ) -> Result<(Rendered, Probe)> {
        let file: Held = self.load_file(&BlobKey::Original(image)).await?;
        let (probe, file) = file.probe_within(self.settings().limits, sizes.clone()).await?;
        let options = self.settings().render;
        let rendered =
            self.studio().render(file, probe.clone(), sizes, options, Turn::Background).await?;
        Ok((rendered, probe))
    }

    async fn store_renditions(
        &self,
        image: ImageId,
        rendered: &[RenderedSize],
    ) -> Result<Vec<(SizeName, Rendition)>> {
        let mut stored = Vec::with_capacity(rendered.len());
        for made in rendered {
            let key = BlobKey::Rendition {
                image,
                size: made.name.clone(),
                format: made.rendition.format,
            };
            let bytes = bytes::Bytes::copy_from_slice(&made.bytes);
            let limits = PutLimits::at_most(bytes.len() as u64);
            self.blobs().put_bytes(&key, bytes, &limits).await?;
            stored.push((made.name.clone(), made.rendition.clone()));
        }
        self.pixel_cache().forget(image);
        Ok(stored)
    }

    /// Gives every image of every user the sizes that it lacks, and says how many wait for that
    /// now. For sizes that were added or changed since.
    ///
    /// # Errors
    /// When the caller is no administrator.
    pub async fn make_missing_sizes(&self, caller: &Caller) -> Result<usize> {
        caller.require_administrator()?;
        if !self.begin_sizes_run() {
            return Ok(0);
        }
        let done = self.queue_all_missing_sizes().await;
        let now = self.now();
        self.change_sizes_run(|run| run.finished_at = Some(now));
        self.hint();
        done
    }

    /// Tells whether nobody else does the same now.
    fn begin_sizes_run(&self) -> bool {
        let started_at = Some(self.now());
        self.change_sizes_run(|run| {
            let begins = !run.is_running();
            if begins {
                *run = SizesRun { started_at, ..SizesRun::default() };
            }
            begins
        })
    }

    async fn queue_all_missing_sizes(&self) -> Result<usize> {
        let mut queued = 0;
        let mut users = PageRequest::first(100);
        loop {
            let page = self.catalog().list_users(&users).await?;
            for user in &page.entries {
                queued += self.queue_missing_sizes(user.id).await?;
            }
            if page.next.is_none() {
                return Ok(queued);
            }
            users.cursor = page.next;
        }
    }

    async fn queue_missing_sizes(&self, owner: model::UserId) -> Result<usize> {
        let mut queued = 0;
        let mut images = PageRequest::first(100);
        loop {
            let page = self.catalog().list_images(owner, catalog::Order::Newest, &images).await?;
            for image in page.entries.iter().filter(|image| self.lacks_sizes(image)) {
                let subject = Subject::Image(image.id);
                let work = Work::new(WorkKind::Process, subject, owner, self.now());
                let is_new = usize::from(self.catalog().put_work(&work).await?);
                self.change_sizes_run(|run| run.queued += is_new);
                queued += is_new;
            }
            self.change_sizes_run(|run| run.checked += page.entries.len());
            if page.next.is_none() {
                return Ok(queued);
            }
            images.cursor = page.next;
        }
    }

    fn lacks_sizes(&self, image: &Image) -> bool {
        image.external.is_none() && self.settings().sizes.iter().any(|size| !has_size(image, size))
    }

    /// How many images wait for their renditions, and how many were given up.
    ///
    /// # Errors
    /// When the caller is no administrator.
    pub async fn progress(&self, caller: &Caller) -> Result<Progress> {
        caller.require_administrator()?;
        let mut progress = Progress::default();
        let mut page = PageRequest::first(1000);
        loop {
            let waiting = self.catalog().list_work(WorkKind::Process, &page).await?;
            progress.waiting += waiting.entries.len();
            page.cursor = waiting.next;
            if page.cursor.is_none() || progress.waiting >= Progress::COUNTED_MAX {
                break;
            }
        }
        page.cursor = None;
        loop {
            let dead = self.catalog().list_dead_work(WorkKind::Process, &page).await?;
            progress.failed += dead.entries.len();
            page.cursor = dead.next;
            if page.cursor.is_none() || progress.failed >= Progress::COUNTED_MAX {
                return Ok(progress);
            }
        }
    }
}

/// Whether an image has a rendition as this size wants it. The box may be larger than the image,
/// so only format and quality tell whether a rendition was made for another specification, and
/// its sides that it fits the box.
fn has_size(image: &Image, size: &SizeSpec) -> bool {
    image.renditions.get(size.name()).is_some_and(|rendition| {
        let fits = rendition.width <= size.width() && rendition.height <= size.height();
        let lossless = rendition.quality.is_none();
        let is_largest = image.facts.as_ref().is_none_or(|facts| {
            let fills = rendition.width == size.width() || rendition.height == size.height();
            fills || facts.width.min(facts.height) <= rendition.width.min(rendition.height)
        });
        rendition.format == size.format()
            && (lossless || rendition.quality == Some(size.quality()))
            && fits
            && is_largest
    })
}
