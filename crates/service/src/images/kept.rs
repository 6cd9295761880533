//! What was made of images for those who see them, kept for as long as it is the same.
//!
//! A view is made of one version of an image, by somebody above who knows what to make of it. It
//! is handed out again only to those who would get the same now: whether the image has changed
//! since is known by its stamp where the table can tell, or by its version in a row that was just
//! found. So nothing here is ever out of date, and nothing needs to be told to forget.

use std::sync::Arc;

use catalog::{Listed, Order, PageRequest, Stamp, Stamped, UnreadImage};
use model::{Image, ImageId, ImageStatus, UserId, Visibility};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::{Caller, Result, Scope, Service};

/// Something that is made of an image, and its length in memory.
pub trait View: Send + Sync + 'static {
    /// Bytes that it takes, about.
    fn size_bytes(&self) -> usize;
}

/// Views by image.
pub struct KeptViews<V>(Cache<Key, Arc<KeptView<V>>, BySize>);

/// A view and what it was made of.
pub struct KeptView<V> {
    /// What was made.
    pub view: V,
    /// Of which version of the image.
    pub version: i64,
    owner: UserId,
    /// The signed addresses in it are those that are given out until then.
    urls_until: i64,
    /// When the image ends, in seconds since 1970.
    ttl: Option<i64>,
    /// Whether it stands among its owner's images.
    is_listed: bool,
    /// The image's state before it was read, or after it was written.
    stamp: Option<Stamp>,
}

/// Now, as far as kept views go by it.
#[derive(Clone, Copy)]
struct Moment {
    now_seconds: i64,
    urls_until: i64,
}

/// Owners see more of an image than others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    image: ImageId,
    by_owner: bool,
}

#[derive(Clone)]
struct BySize;

/// What a view takes beside itself, about.
const OVERHEAD_BYTES: usize = 256;
/// What a view usually takes.
const VIEW_BYTES: u64 = 2048;

impl<V: View> Weighter<Key, Arc<KeptView<V>>> for BySize {
    fn weight(&self, _: &Key, kept: &Arc<KeptView<V>>) -> u64 {
        (kept.view.size_bytes() + OVERHEAD_BYTES) as u64
    }
}

impl<V: View> KeptViews<V> {
    /// Room for views of this many bytes in all.
    pub fn new(total_bytes: u64) -> Self {
        let expected = usize::try_from(total_bytes / VIEW_BYTES).unwrap_or(usize::MAX);
        Self(Cache::with_weighter(expected, total_bytes, BySize))
    }

    fn find(&self, caller: &Caller, image: ImageId) -> Option<Arc<KeptView<V>>> {
        let owners = self.0.get(&Key { image, by_owner: true });
        if let Some(kept) = owners.filter(|kept| kept.owner == caller.user) {
            return Some(kept);
        }
        let others = self.0.get(&Key { image, by_owner: false });
        others.filter(|kept| kept.owner != caller.user)
    }
}

impl Service {
    /// What `make` makes of an image that the caller may see, and of whether it is theirs.
    ///
    /// # Errors
    /// Those of [`load_image`](Self::load_image).
    pub async fn view_image<V: View>(
        &self,
        caller: &Caller,
        image: ImageId,
        views: &KeptViews<V>,
        make: impl FnOnce(Image, bool) -> V,
    ) -> Result<Arc<KeptView<V>>> {
        caller.require(Scope::Read)?;
        if let Some(kept) = views.find(caller, image)
            && self.is_current(&kept, self.moment())
        {
            return Ok(kept);
        }
        let stamp = self.catalog().image_stamp(image);
        let found = self.load_image(caller, image).await?;
        Ok(self.make_view(caller, found, stamp, views, make))
    }

    /// The same of an image that was just written: who reads it next gets what is made here,
    /// unless somebody else writes it, too.
    pub fn view_written<V: View>(
        &self,
        caller: &Caller,
        written: Stamped<Image>,
        views: &KeptViews<V>,
        make: impl FnOnce(Image, bool) -> V,
    ) -> Arc<KeptView<V>> {
        self.make_view(caller, written.value, written.stamp, views, make)
    }

    /// The same of a page of the caller's own images by upload.
    ///
    /// # Errors
    /// Those of [`list_images`](Self::list_images).
    pub async fn view_images<V: View>(
        &self,
        caller: &Caller,
        order: Order,
        page: &PageRequest,
        views: &KeptViews<V>,
        make: impl Fn(Image, bool) -> V,
    ) -> Result<Listed<Arc<KeptView<V>>>> {
        caller.require(Scope::Read)?;
        if let Some(seen) = self.view_by_ids(caller, order, page, views, &make).await? {
            return Ok(seen);
        }
        let found = self.catalog().list_unread_images(caller.user, order, page).await?;
        let mut entries = Vec::with_capacity(found.entries.len());
        for unread in found.entries {
            match self.find_view(caller, &unread, views) {
                Some(kept) => entries.push(kept),
                None => {
                    let shown = self.shown_to(caller, unread.read()?);
                    let view = |image| self.make_view(caller, image, None, views, &make);
                    entries.extend(shown.map(view));
                }
            }
        }
        Ok(Listed { entries, next: found.next })
    }

    /// The same by the ids of the images, where the table finds those alone: most views are kept as
    /// a rule, and then nothing of the images is read. `None` if that is not possible, or if an
    /// image has left the list since its id was found.
    async fn view_by_ids<V: View>(
        &self,
        caller: &Caller,
        order: Order,
        page: &PageRequest,
        views: &KeptViews<V>,
        make: impl Fn(Image, bool) -> V,
    ) -> Result<Option<Listed<Arc<KeptView<V>>>>> {
        let found = self.catalog().list_image_ids(caller.user, order, page).await?;
        let Some(Listed { entries: ids, next }) = found else { return Ok(None) };
        let moment = self.moment();
        let known = |image: &ImageId| {
            let kept = views.find(caller, *image)?;
            (kept.owner == caller.user && self.is_current(&kept, moment)).then_some(kept)
        };
        let mut entries: Vec<_> = ids.iter().map(known).collect();
        let unknown = ids.iter().zip(&entries).filter(|(_, kept)| kept.is_none());
        let unknown: Vec<ImageId> = unknown.map(|(image, _)| *image).collect();
        if !unknown.is_empty() {
            let stamps: Vec<_> =
                unknown.iter().map(|image| self.catalog().image_stamp(*image)).collect();
            let read = self.catalog().find_images(&unknown).await?;
            let mut read = read.into_iter().peekable();
            let missing = entries.iter_mut().filter(|entry| entry.is_none());
            for (entry, (image, stamp)) in missing.zip(unknown.into_iter().zip(stamps)) {
                // Those that are gone are left out of what was read.
                let image = read.next_if(|read| read.id == image);
                *entry = image.map(|image| self.make_view(caller, image, stamp, views, &make));
            }
        }
        let listed = |kept: &Arc<KeptView<V>>| kept.owner == caller.user && kept.is_listed;
        let entries: Option<Vec<_>> =
            entries.into_iter().map(|entry| entry.filter(listed)).collect();
        Ok(entries.map(|entries| Listed { entries, next }))
    }

    /// The kept view of a row that was just found.
    fn find_view<V: View>(
        &self,
        caller: &Caller,
        unread: &UnreadImage,
        views: &KeptViews<V>,
    ) -> Option<Arc<KeptView<V>>> {
        let kept = views.find(caller, unread.id())?;
        let is_same = kept.version == unread.version() && kept.urls_until == self.urls_until();
        (is_same && kept.owner == caller.user).then_some(kept)
    }

    fn moment(&self) -> Moment {
        Moment { now_seconds: self.now().as_seconds(), urls_until: self.urls_until() }
    }

    fn is_current<V>(&self, kept: &KeptView<V>, moment: Moment) -> bool {
        kept.urls_until == moment.urls_until
            && kept.ttl.is_none_or(|ttl| ttl >= moment.now_seconds)
            && kept.stamp.is_some_and(|stamp| self.catalog().is_current(stamp))
    }

    fn make_view<V: View>(
        &self,
        caller: &Caller,
        image: Image,
        stamp: Option<Stamp>,
        views: &KeptViews<V>,
        make: impl FnOnce(Image, bool) -> V,
    ) -> Arc<KeptView<V>> {
        let by_owner = image.owner == caller.user;
        let key = Key { image: image.id, by_owner };
        // Others keep what everybody may see; who sees it for another reason looks each time.
        let is_everybodys = image.visibility == Visibility::Shared && image.is_visible();
        let may_be_kept = (by_owner || is_everybodys) && image.status != ImageStatus::Pending;
        let kept = Arc::new(KeptView {
            version: image.version,
            owner: image.owner,
            urls_until: self.urls_until(),
            ttl: image.ttl,
            is_listed: image.uploaded_at.is_some()
                && image.trashed_at.is_none()
                && image.purging_since.is_none(),
            stamp,
            view: make(image, by_owner),
        });
        if may_be_kept {
            views.0.insert(key, Arc::clone(&kept));
        }
        kept
    }
}
