//! Reserving, receiving, and giving back what never arrived.

use std::collections::HashMap;
use std::time::Duration;

use model::limits::TAGS_BY_OWNER_MAX;
use model::{
    ChangeKind, Image, ImageId, ImageStatus, MediaType, Original, Quota, Release, Sha256Hex,
    Subject, Tag, Timestamp, UserId, Work, WorkKind,
};
use table::{Action, Condition, Item, Refusal, TTL, Transacted};

use super::{change, image_row, record, trash};
use crate::entries::Swap;
use crate::requests::{KEY_KEPT, REQUEST};
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, ImageTags, Result, TagVisibility, keys, row, terms, timeline, users, work};

/// How much longer a reserved image's row lives than its reservation, so that the work
/// that gives the quota back finds it.
const ROW_OUTLIVES_RESERVATION: Duration = Duration::from_secs(60 * 60);

/// An upload that asks to be accepted.
#[derive(Clone, Debug)]
pub struct Reservation {
    /// The image to be; pending.
    pub image: Image,
    /// Bytes announced; 0 if unknown.
    pub bytes: i64,
    /// When the reservation ends if the bytes have not arrived.
    pub expires_at: Timestamp,
    /// What tells a repeated request from a new one.
    pub idempotency_key: Option<String>,
    /// What the request says, in short: another request with the same key says something else.
    pub said: Option<String>,
}

/// How a reservation ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Reserved {
    /// The quota is taken and the image's row is there.
    Reserved(Image),
    /// The same request was accepted before, for this image.
    Repeated(ImageId),
    /// Another request came with the same key before, and perhaps made this image.
    KeyTaken(Option<ImageId>),
    /// The owner may keep no more images.
    NoImagesLeft(Quota),
    /// The owner may not keep so many more bytes.
    NoBytesLeft(Quota),
    /// There is no such user.
    NoUser,
    /// The image comes with more tags than its owner may set.
    TooManyTags {
        /// How many are allowed.
        max: usize,
    },
}

/// What has arrived.
#[derive(Clone, Debug)]
pub struct Received {
    /// The image that was reserved.
    pub image: ImageId,
    /// The bytes.
    pub original: Original,
    /// What they are.
    pub media_type: MediaType,
    /// When the image is to disappear by itself, if ever.
    pub expires_at: Option<Timestamp>,
    /// Whether a second copy of the same bytes is wanted.
    pub keep_duplicate: bool,
}

/// How receiving ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Committed {
    /// The image is the owner's, and waits to be processed.
    Committed(Image),
    /// The owner has these bytes already, as this image. The reservation is given back.
    Duplicate(ImageId),
    /// More bytes arrived than the owner may keep. The reservation is given back.
    NoBytesLeft(Quota),
    /// There is no reservation any more; it has run out, or was committed before.
    NotReserved(Option<Image>),
}

/// How saying something else about an upload ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Restated {
    /// The image to be is like this now.
    Restated(Image),
    /// It comes with more tags than its owner may set.
    TooManyTags {
        /// How many are allowed.
        max: usize,
    },
    /// The upload is not waited for any more.
    Gone,
}

/// How giving back ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Released {
    /// The quota is given back and the rows are gone.
    Released,
    /// There was no reservation.
    NotReserved,
}

impl Catalog {
    /// Takes the quota for an upload and writes the image's row, or does neither.
    pub async fn reserve_upload(&self, reservation: Reservation) -> Result<Reserved> {
        until_settled!(self.try_reserve(&reservation).await)
    }

    async fn try_reserve(&self, reservation: &Reservation) -> Result<Attempt<Reserved>> {
        let Reservation { image, bytes, expires_at, idempotency_key, said } = reservation;
        if image.tags.len() > TAGS_BY_OWNER_MAX {
            let max = TAGS_BY_OWNER_MAX;
            return Ok(Attempt::Settled(Reserved::TooManyTags { max }));
        }
        let mut image = image.clone();
        image.ttl = Some(expires_at.after(ROW_OUTLIVES_RESERVATION).as_seconds());
        let mut expiry =
            Work::new(WorkKind::Expire, Subject::Image(image.id), image.owner, *expires_at);
        expiry.release = Some(Release {
            images: 1,
            bytes: *bytes,
            sha256: None,
            external: None,
            idempotency_key: idempotency_key.clone(),
        });

        let mut actions = vec![
            users::take_quota(image.owner, 1, *bytes),
            Action::put(image_row(&image)?).when(Condition::Absent),
            Action::put(work::work_row(&expiry)?),
        ];
        if let Some(key) = idempotency_key {
            let ttl = image.created_at.after(KEY_KEPT).as_seconds();
            let mut row = Item::new(keys::idempotency(image.owner, key))
                .with("image", image.id.to_string())
                .with(TTL, ttl);
            if let Some(said) = said {
                row = row.with(REQUEST, said.as_str());
            }
            actions.push(Action::put(row).when(Condition::Absent));
        }
        Ok(Attempt::Settled(match self.table.transact(actions).await? {
            Transacted::Done => Reserved::Reserved(image),
            Transacted::Refused(refusals) => {
                refused_reservation(&refusals, image.id, said.as_deref())?
            }
        }))
    }

    /// Says something else about an upload whose bytes are not committed: its texts, its tags, who
    /// may see it and its terms become those of `image`.
    pub async fn restate_upload(&self, image: &Image, now: Timestamp) -> Result<Restated> {
        until_settled!(self.try_restate(image, now).await)
    }

    async fn try_restate(&self, image: &Image, now: Timestamp) -> Result<Attempt<Restated>> {
        if image.tags.len() > TAGS_BY_OWNER_MAX {
            let max = TAGS_BY_OWNER_MAX;
            return Ok(Attempt::Settled(Restated::TooManyTags { max }));
        }
        let before = self.find_image(image.id).await?;
        let Some(before) = before.filter(|image| image.status == ImageStatus::Pending) else {
            return Ok(Attempt::Settled(Restated::Gone));
        };
        let mut after = Image { version: before.version, ttl: before.ttl, ..image.clone() };
        let changed = change(&before, &mut after, now)?;
        Ok(match self.table.transact(vec![changed]).await? {
            Transacted::Done => Attempt::Settled(Restated::Restated(after)),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Turns a reservation into an image that waits to be processed.
    pub async fn commit_upload(&self, received: &Received, now: Timestamp) -> Result<Committed> {
        until_settled!(self.try_commit(received, now).await)
    }

    async fn try_commit(&self, received: &Received, now: Timestamp) -> Result<Attempt<Committed>> {
        let reservation = keys::work(Subject::Image(received.image), WorkKind::Expire);
        let image = self.find_image(received.image).await?;
        let expiry: Option<Work> = self.find(&reservation).await?;
        let (before, expiry) = match (image, expiry) {
            // Once somebody has begun to clear it away, the bytes may be gone.
            (Some(image), Some(expiry))
                if image.status == ImageStatus::Pending && expiry.attempts == 0 =>
            {
                (image, expiry)
            }
            (image, _) => {
                let image = image.filter(|image| image.status != ImageStatus::Pending);
                return Ok(Attempt::Settled(Committed::NotReserved(image)));
            }
        };
        let checksum = match self.checksum(&before, received).await? {
            Checksum::Free(action) => action,
            Checksum::Duplicate(first) => {
                self.release_duplicate(received.image, first, now).await?;
                return Ok(Attempt::Settled(Committed::Duplicate(first)));
            }
        };
        let mut after = receive(&before, received, now);
        let mut swap = commit_swap(&before, &mut after, received, &expiry, now)?;
        swap.guard(checksum);
        let public = |tag: &Tag| (tag.clone(), TagVisibility::Public);
        let tags = ImageTags(after.tags.iter().map(public).collect());
        let _ = self.exchange_tags(&mut swap, after.owner, &tags, &after, &after).await?;
        let refused = match swap.run(&*self.table).await? {
            Transacted::Done => return Ok(Attempt::Settled(Committed::Committed(after))),
            refused => refused,
        };
        match refused.refusal(QUOTA_GUARD).and_then(|refusal| refusal.found.as_ref()) {
            None => Ok(Attempt::Raced),
            Some(quota) => {
                let quota = row::entity_of(quota)?;
                let _ = self.release_upload(received.image).await?;
                Ok(Attempt::Settled(Committed::NoBytesLeft(quota)))
            }
        }
    }

    /// What makes the image the one that has these bytes. An image that cannot be seen or
    /// will disappear by itself does not stand in the way: whoever uploads its bytes again
    /// wants to keep them.
    async fn checksum(&self, image: &Image, received: &Received) -> Result<Checksum> {
        let mut key = keys::sha256(image.owner, &received.original.sha256);
        if received.keep_duplicate {
            // A wanted copy has a row of its own, which stands for nothing but itself.
            key.sk = format!("{}#{}", key.sk, image.id);
        }
        let found = self.table.get(&key).await?;
        let put = Action::put(Item::new(key).with("image", image.id.to_string()));
        let Some(first) = image_named_by(found.as_ref())? else {
            return Ok(Checksum::Free(put.when(Condition::Absent)));
        };
        let keeps = |first: &Image| first.is_visible() && first.ttl.is_none();
        if self.find_image(first).await?.is_some_and(|first| keeps(&first)) {
            return Ok(Checksum::Duplicate(first));
        }
        Ok(Checksum::Free(put.when(Condition::equals("image", first.to_string()))))
    }

    /// Ends a reservation: gives the quota back and removes the rows. For uploads that were
    /// cancelled, and for those that never arrived: whoever has claimed the `expire` work
    /// removes the bytes first, which cannot be committed from the claim on.
    pub async fn release_upload(&self, image: ImageId) -> Result<Released> {
        until_settled!(self.try_release(image, Vec::new()).await)
    }

    /// The same for bytes that the owner has already as `first`. Whoever asks for the upload again
    /// learns it for a day.
    async fn release_duplicate(
        &self,
        image: ImageId,
        first: ImageId,
        now: Timestamp,
    ) -> Result<()> {
        let Some(owner) = self.find_image(image).await?.map(|image| image.owner) else {
            return Ok(());
        };
        let row = Item::new(keys::duplicate_upload(owner, image))
            .with("image", first.to_string())
            .with(TTL, now.after(KEY_KEPT).as_seconds());
        let noted = Action::put(row);
        let released: Result<Released> =
            until_settled!(self.try_release(image, vec![noted.clone()]).await);
        released.map(|_| ())
    }

    /// The image of `owner` that an upload has become; not one that is being removed.
    pub async fn find_uploaded(&self, owner: UserId, upload: ImageId) -> Result<Option<Image>> {
        let is_there = |image: &Image| {
            image.owner == owner
                && image.status != ImageStatus::Pending
                && image.purging_since.is_none()
        };
        // Somebody else's is looked for as if it did not exist, which the calls must not tell.
        let own = self.find_image(upload).await?.filter(|image| image.owner == owner);
        if own.is_some() {
            return Ok(own.filter(is_there));
        }
        let row = self.table.get(&keys::duplicate_upload(owner, upload)).await?;
        let Some(first) = image_named_by(row.as_ref())? else { return Ok(None) };
        Ok(self.find_image(first).await?.filter(is_there))
    }

    async fn try_release(&self, image: ImageId, noted: Vec<Action>) -> Result<Attempt<Released>> {
        let key = keys::work(Subject::Image(image), WorkKind::Expire);
        let Some(expiry) = self.find::<Work>(&key).await? else {
            return Ok(Attempt::Settled(Released::NotReserved));
        };
        let bytes = expiry.release.as_ref().map_or(0, |release| release.bytes);
        let mut actions = vec![
            work::remove(&expiry),
            Action::delete(keys::image(image)),
            Action::delete(keys::upload_parts(image)),
        ];
        actions.extend(self.give_back(expiry.owner, 1, bytes).await?);
        actions.extend(noted);
        // A repeated request must not be answered with an image that is no more.
        let key = expiry.release.as_ref().and_then(|release| release.idempotency_key.as_ref());
        actions.extend(key.map(|key| Action::delete(keys::idempotency(expiry.owner, key))));
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(Released::Released),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// The image of an owner that has these bytes.
    pub async fn find_duplicate(
        &self,
        owner: UserId,
        sha256: &Sha256Hex,
    ) -> Result<Option<ImageId>> {
        let row = self.table.get(&keys::sha256(owner, sha256)).await?;
        image_named_by(row.as_ref())
    }
}

impl Catalog {
    /// The images of an owner that have these bytes, in the order of the sums. What an upload of
    /// the same bytes would not count as a duplicate is not among them, but for what is in the
    /// trash.
    pub async fn find_duplicates(
        &self,
        owner: UserId,
        sums: &[Sha256Hex],
    ) -> Result<Vec<Option<Image>>> {
        let mut distinct: Vec<&Sha256Hex> = sums.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let keys: Vec<_> = distinct.into_iter().map(|sum| keys::sha256(owner, sum)).collect();
        let mut named = HashMap::new();
        for row in self.load_rows(&keys).await? {
            if let Some(image) = image_named_by(Some(&row))? {
                named.insert(row.key.sk, image);
            }
        }
        let images: Vec<ImageId> = named.values().copied().collect();
        let images = self.find_images(&images).await?;
        let images: HashMap<ImageId, Image> =
            images.into_iter().map(|image| (image.id, image)).collect();
        let is_had = |image: &&Image| {
            image.owner == owner
                && image.status != ImageStatus::Pending
                && image.purging_since.is_none()
                && image.ttl.is_none()
        };
        let find = |sum: &Sha256Hex| {
            let image = named.get(&keys::sha256(owner, sum).sk)?;
            images.get(image).filter(is_had).cloned()
        };
        Ok(sums.iter().map(find).collect())
    }
}

/// Whether bytes are new to their owner.
enum Checksum {
    /// They are, and this says so from now on.
    Free(Action),
    /// This image has them.
    Duplicate(ImageId),
}

/// Which guard of [`commit_swap`] is about the quota.
const QUOTA_GUARD: usize = 0;

fn commit_swap(
    before: &Image,
    after: &mut Image,
    received: &Received,
    expiry: &Work,
    now: Timestamp,
) -> Result<Swap> {
    let reserved = expiry.release.as_ref().map_or(0, |release| release.bytes);
    let more_bytes = received.original.size_bytes - reserved;
    let process = Work::new(WorkKind::Process, Subject::Image(before.id), before.owner, now);

    let mut swap = Swap::default();
    swap.guard(users::take_quota(before.owner, 0, more_bytes));
    swap.guard(change(before, after, now)?);
    swap.guard(work::remove(expiry));
    swap.guard(Action::put(work::work_row(&process)?));
    swap.guard(record(after, ChangeKind::Created, now)?);
    timeline::counted(None, after).into_iter().for_each(|action| swap.guard(action));
    swap.guard(Action::delete(keys::upload_parts(before.id)));
    if let Some(expires_at) = received.expires_at {
        let purge = trash::purge_work(after, expires_at);
        swap.guard(Action::put(work::work_row(&purge)?));
    }
    terms::add_terms(&mut swap, after);
    Ok(swap)
}

fn receive(before: &Image, received: &Received, now: Timestamp) -> Image {
    let mut after = before.clone();
    after.status = ImageStatus::Processing;
    after.original = Some(received.original.clone());
    after.media_type = Some(received.media_type);
    after.upload = None;
    after.uploaded_at = Some(now);
    after.ttl = received.expires_at.map(Timestamp::as_seconds);
    after
}

fn refused_reservation(
    refusals: &[Refusal],
    image: ImageId,
    said: Option<&str>,
) -> Result<Reserved> {
    let by = |action: usize| refusals.iter().find(|refusal| refusal.action == action);
    if let Some(found) = by(3).and_then(|refusal| refusal.found.as_ref())
        && let Some(reserved) = taken_by(found, image, said)?
    {
        return Ok(reserved);
    }
    // Ids are random: an image that is there already is this one, reserved by a first
    // attempt whose answer was lost.
    if let Some(image) = by(1).and_then(|refusal| refusal.found.as_ref()) {
        return Ok(Reserved::Reserved(row::entity_of(image)?));
    }
    let Some(quota) = by(0) else { return Ok(Reserved::NoUser) };
    Ok(match &quota.found {
        None => Reserved::NoUser,
        Some(found) if quota.condition == users::IMAGES_LEFT_CONDITION => {
            Reserved::NoImagesLeft(row::entity_of(found)?)
        }
        Some(found) => Reserved::NoBytesLeft(row::entity_of(found)?),
    })
}

/// Who has the key of a request already; nobody else, if it is this very image. Keys of versions
/// before this one do not say what their requests said.
fn taken_by(found: &Item, image: ImageId, said: Option<&str>) -> Result<Option<Reserved>> {
    if found.str("image").is_none() {
        return Ok(Some(Reserved::KeyTaken(None)));
    }
    let Some(first) = image_named_by(Some(found))?.filter(|first| *first != image) else {
        return Ok(None);
    };
    let says_the_same = found.str(REQUEST).is_none_or(|before| Some(before) == said);
    Ok(Some(match says_the_same {
        true => Reserved::Repeated(first),
        false => Reserved::KeyTaken(Some(first)),
    }))
}

fn image_named_by(row: Option<&Item>) -> Result<Option<ImageId>> {
    let Some(row) = row else { return Ok(None) };
    let id = row.str("image").unwrap_or_default();
    id.parse().map(Some).map_err(|error| crate::Error::bad_row(&row.key, error))
}
