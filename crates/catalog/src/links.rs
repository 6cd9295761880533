//! Links that show something to whoever has them.
//!
//! A link has a partition of its own, so that being opened disturbs nothing else. It is named in
//! the partition of its owner, and in that of the image or album it shows: lists of links are read
//! there, and whoever removes one of the two finds its links there, without asking an index.

use model::{
    Image, ImageId, Link, LinkDownload, LinkId, LinkTarget, PasswordHash, Timestamp, Title, UserId,
};
use table::{Action, Condition, Item, Key, Query, TTL, Transacted};

use crate::edit::{Edited, Owned};
use crate::paging::{PageRequest, collect};
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Error, Listed, Result, images, keys, row};

/// How making a link ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum CreatedLink {
    /// It is there now.
    Created,
    /// Its owner has no such image or album.
    NoTarget,
    /// There is no such user.
    NoUser,
    /// There is another one of this id.
    Exists,
}

/// What to change of a link. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct LinkEdit {
    /// What it is called.
    pub title: Option<Option<Title>>,
    /// What must be known to look at it.
    pub password: Option<Option<PasswordHash>>,
    /// What may be taken away.
    pub download: Option<LinkDownload>,
    /// When it ends, and when it is forgotten.
    pub expiry: Option<Option<(Timestamp, i64)>>,
}

const VIEW_COUNT: &str = "viewCount";
const OWNER: &str = "owner";

impl Catalog {
    /// Makes a link.
    pub async fn create_link(&self, link: &Link) -> Result<CreatedLink> {
        until_settled!(self.try_create_link(link).await)
    }

    async fn try_create_link(&self, link: &Link) -> Result<Attempt<CreatedLink>> {
        let key = keys::link(link.id);
        let attributes = row::attributes_of(&key, link)?;
        let mut actions = vec![
            Action::put(Item::of(key, attributes)).when(Condition::Absent),
            Action::check(keys::profile(link.owner))
                .when(Condition::Present)
                .when(Condition::Lacks("erasingSince".to_owned())),
        ];
        let is_own = Condition::equals(OWNER, link.owner.to_string());
        actions.extend(match &link.target {
            LinkTarget::Image(image) => Some(images::attach(*image).when(is_own)),
            LinkTarget::Album(album) => Some(
                Action::check(keys::album(*album))
                    .when(is_own)
                    .when(Condition::Lacks("deletingSince".to_owned())),
            ),
            LinkTarget::Search(_) => None,
        });
        actions.extend(names_of(link).into_iter().map(|name| Action::put(name_row(name, link))));
        let outcome = self.table.transact(actions).await?;
        Ok(Attempt::Settled(match &outcome {
            Transacted::Done => CreatedLink::Created,
            refused if refused.refusal(0).is_some() => CreatedLink::Exists,
            refused if refused.refusal(1).is_some() => CreatedLink::NoUser,
            Transacted::Refused(_) => CreatedLink::NoTarget,
        }))
    }

    /// The link of this id, whether it has ended or not, unless it is forgotten.
    pub async fn find_link(&self, link: LinkId) -> Result<Option<Link>> {
        self.find(&keys::link(link)).await
    }

    /// A user's links, newest first.
    pub async fn list_links(&self, owner: UserId, page: &PageRequest) -> Result<Listed<Link>> {
        self.list_links_named_in(keys::user_partition(owner), page).await
    }

    /// The links that show an image or an album, newest first. Those that show what is found by a
    /// search are named nowhere but with their owner.
    pub async fn list_links_to(
        &self,
        target: &LinkTarget,
        page: &PageRequest,
    ) -> Result<Listed<Link>> {
        match partition_of(target) {
            Some(partition) => self.list_links_named_in(partition, page).await,
            None => Ok(Listed { entries: Vec::new(), next: None }),
        }
    }

    async fn list_links_named_in(
        &self,
        partition: String,
        page: &PageRequest,
    ) -> Result<Listed<Link>> {
        let query = Query::partition(partition).prefix(keys::LINKS).descending();
        collect(&*self.table, query, page, |found| async move {
            let ids = found.items.iter().map(link_of).collect::<Result<Vec<_>>>()?;
            let keys: Vec<Key> = ids.into_iter().map(keys::link).collect();
            self.load_rows(&keys).await?.iter().map(row::entity_of).collect()
        })
        .await
    }

    /// Changes a link of `owner`. With a version, only if it still has that one.
    pub async fn edit_link(
        &self,
        link: LinkId,
        owner: UserId,
        version: Option<i64>,
        edit: &LinkEdit,
        now: Timestamp,
    ) -> Result<Edited<Link>> {
        until_settled!(self.try_edit_link(link, owner, version, edit, now).await)
    }

    async fn try_edit_link(
        &self,
        link: LinkId,
        owner: UserId,
        version: Option<i64>,
        edit: &LinkEdit,
        now: Timestamp,
    ) -> Result<Attempt<Edited<Link>>> {
        let before = match Link::admit(self.find_link(link).await?, owner, version) {
            Ok(link) => link,
            Err(end) => return Ok(Attempt::Settled(end)),
        };
        let mut after = edit.apply(&before);
        if after == before {
            return Ok(Attempt::Settled(Edited::Edited(before)));
        }
        after.version += 1;
        after.updated_at = now;
        let key = keys::link(link);
        let old = row::attributes_of(&key, &before)?;
        let new = row::attributes_of(&key, &after)?;
        let change = row::update(key, &old, &new);
        let mut actions = vec![change.when(Condition::version(before.version))];
        if after.ttl != before.ttl {
            actions.extend(names_of(&after).into_iter().map(|name| keep_until(name, after.ttl)));
        }
        let outcome = self.table.transact(actions).await?;
        Ok(match &outcome {
            Transacted::Done => Attempt::Settled(Edited::Edited(after)),
            refused if refused.refusal(0).is_some() => Attempt::Raced,
            // It is going with what it shows.
            Transacted::Refused(_) => Attempt::Settled(Edited::Missing),
        })
    }

    /// Takes a link of `owner` back. Tells whether there was one.
    pub async fn delete_link(&self, link: LinkId, owner: UserId) -> Result<bool> {
        let found = self.find_link(link).await?.filter(|found| found.owner == owner);
        let Some(found) = found else { return Ok(false) };
        until_settled!({
            let mut actions = vec![Action::delete(keys::link(link)).when(Condition::Present)];
            actions.extend(names_of(&found).into_iter().map(Action::delete));
            match self.table.transact(actions).await {
                Ok(outcome) => Ok(Attempt::Settled(outcome.is_done())),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// Counts that a link was opened. Its version stays. Tells whether there is such a link.
    pub async fn count_link_view(&self, link: LinkId) -> Result<bool> {
        until_settled!({
            let count = Action::update(keys::link(link)).add(VIEW_COUNT, 1);
            match self.table.transact(vec![count.when(Condition::Present)]).await {
                Ok(outcome) => Ok(Attempt::Settled(outcome.is_done())),
                Err(error) => Err(Error::from(error)),
            }
        })
    }

    /// An image, if it is in an album now and can be seen.
    pub async fn find_image_in_album(
        &self,
        album: model::AlbumId,
        image: ImageId,
    ) -> Result<Option<Image>> {
        let found = self.images_still_marked(&[keys::album_entry(image, album)]).await?;
        Ok(found.into_iter().next())
    }

    /// Removes the links that these rows name, but for the rows themselves. Nobody can make
    /// another one any more.
    pub(crate) async fn remove_named_links(&self, names: &[Item]) -> Result<()> {
        let mut gone = Vec::new();
        for name in names {
            let link = link_of(name)?;
            gone.push(keys::link(link));
            let owner = name.str(OWNER).and_then(|owner| owner.parse::<UserId>().ok());
            let of_owner = owner.map(|o| keys::link_name(keys::user_partition(o), link));
            gone.extend(of_owner.filter(|key| *key != name.key));
        }
        self.remove_rows(&gone).await
    }

    /// Removes all links to an album that is being removed.
    pub(crate) async fn remove_links_to_album(&self, album: model::AlbumId) -> Result<()> {
        let query = Query::partition(keys::album_container(album)).prefix(keys::LINKS);
        loop {
            let page = self.table.query(&query.clone().limit(100)).await?;
            self.remove_named_links(&page.items).await?;
            let names: Vec<Key> = page.items.into_iter().map(|row| row.key).collect();
            self.remove_rows(&names).await?;
            if page.next.is_none() {
                return Ok(());
            }
        }
    }
}

impl LinkEdit {
    fn apply(&self, link: &Link) -> Link {
        let mut link = link.clone();
        link.title = self.title.clone().unwrap_or(link.title);
        link.password = self.password.clone().unwrap_or(link.password);
        link.download = self.download.unwrap_or(link.download);
        if let Some(expiry) = self.expiry {
            (link.expires_at, link.ttl) = expiry.unzip();
        }
        link
    }
}

/// Where a link is named.
fn names_of(link: &Link) -> Vec<Key> {
    let of_owner = Some(keys::user_partition(link.owner));
    let partitions = of_owner.into_iter().chain(partition_of(&link.target));
    partitions.map(|partition| keys::link_name(partition, link.id)).collect()
}

fn partition_of(target: &LinkTarget) -> Option<String> {
    match target {
        LinkTarget::Image(image) => Some(keys::image_partition(*image)),
        LinkTarget::Album(album) => Some(keys::album_container(*album)),
        LinkTarget::Search(_) => None,
    }
}

/// A name is forgotten together with its link.
fn name_row(name: Key, link: &Link) -> Item {
    let row = Item::new(name).with(OWNER, link.owner.to_string());
    match link.ttl {
        Some(ttl) => row.with(TTL, ttl),
        None => row,
    }
}

fn keep_until(name: Key, ttl: Option<i64>) -> Action {
    let action = Action::update(name).when(Condition::Present);
    match ttl {
        Some(ttl) => action.set(TTL, ttl),
        None => action.remove(TTL),
    }
}

/// The link that a row names.
fn link_of(name: &Item) -> Result<LinkId> {
    let id = name.key.sk.strip_prefix(keys::LINKS).unwrap_or_default();
    id.parse().map_err(|error| Error::bad_row(&name.key, error))
}
