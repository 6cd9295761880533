//! Making, changing and taking back links, by their owners.

use std::time::Duration;

use catalog::{CreatedLink, Edited, LinkEdit, Listed, PageRequest};
use model::limits::LINKS_BY_USER_MAX;
use model::{AlbumId, ImageId, Link, LinkDownload, LinkId, LinkTarget, Timestamp, Title};

use super::NO_LINK;
use super::target::own_of;
use crate::{Caller, Error, Once, Password, Result, Scope, Service, Token};

/// A new link.
#[derive(Clone, Debug)]
pub struct NewLink {
    /// What it shows.
    pub target: LinkTarget,
    /// What it is called; otherwise by what it shows.
    pub title: Option<Title>,
    /// What must be known to look at it.
    pub password: Option<Password>,
    /// What may be taken away.
    pub download: LinkDownload,
    /// When it ends, if ever.
    pub expires_at: Option<Timestamp>,
}

/// What to change of a link. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct EditLink {
    /// What it is called.
    pub title: Option<Option<Title>>,
    /// What must be known to look at it. With a new one, everybody must know it.
    pub password: Option<Option<Password>>,
    /// What may be taken away.
    pub download: Option<LinkDownload>,
    /// When it ends.
    pub expires_at: Option<Option<Timestamp>>,
}

/// A link as its owner sees it.
#[derive(Clone, Debug)]
pub struct SeenLink {
    /// The link.
    pub link: Link,
    /// What proves it, as part of an address.
    pub token: Token,
}

/// How long a link that has ended is kept, so that its owner can let it begin again.
const KEPT_AFTER_END: Duration = Duration::from_secs(30 * 24 * 60 * 60);

impl Service {
    /// Makes a link to an image or an album of the caller's, or to what a search finds of theirs.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the caller has no such image or album, or the end has passed.
    pub async fn create_link(&self, caller: &Caller, new: NewLink) -> Result<SeenLink> {
        self.create_link_once(caller, new, Once::new(self.now())).await
    }

    /// The same; however often it is called with the same `once`, there is one link.
    ///
    /// # Errors
    /// As [`create_link`](Self::create_link).
    pub async fn create_link_once(
        &self,
        caller: &Caller,
        new: NewLink,
        once: Once,
    ) -> Result<SeenLink> {
        caller.require(Scope::Write)?;
        self.check_target(caller, &new.target).await?;
        let now = self.now();
        let expiry = new.expires_at.map(|end| expiry(end, now)).transpose()?;
        self.check_room(caller).await?;
        let password = match &new.password {
            Some(password) => Some(self.passwords().hash(password, now).await?),
            None => None,
        };
        let link = Link {
            id: once.link(),
            owner: caller.user,
            target: new.target,
            title: new.title,
            password,
            download: new.download,
            expires_at: expiry.map(|(end, _)| end),
            view_count: 0,
            created_at: now,
            updated_at: now,
            ttl: expiry.map(|(_, ttl)| ttl),
            version: 1,
        };
        match self.catalog().create_link(&link).await? {
            CreatedLink::Created => Ok(self.seen_link(link)),
            CreatedLink::NoTarget => Err(no_target(&link.target)),
            CreatedLink::NoUser => Err(Error::Unauthenticated),
            CreatedLink::Exists => {
                let made = self.catalog().find_link(link.id).await?;
                let own = made.filter(|made| made.owner == caller.user);
                let own = own.map(|made| self.seen_link(made));
                own.ok_or_else(|| Error::internal(format!("the id {} is taken", link.id)))
            }
        }
    }

    /// Whoever sees an image or an album may not show it to others: only its owner may.
    async fn check_target(&self, caller: &Caller, target: &LinkTarget) -> Result<()> {
        let is_own = match target {
            LinkTarget::Image(image) => {
                let found = self.catalog().find_image(*image).await?;
                found.is_some_and(|image| image.owner == caller.user && image.is_visible())
            }
            LinkTarget::Album(album) => {
                let found = self.catalog().find_album(*album).await?;
                found.is_some_and(|album| album.owner == caller.user)
            }
            LinkTarget::Search(text) => return own_of(text).map(drop),
        };
        if is_own { Ok(()) } else { Err(no_target(target)) }
    }

    /// About as many as allowed, when several are made at once.
    async fn check_room(&self, caller: &Caller) -> Result<()> {
        let page = PageRequest::first(LINKS_BY_USER_MAX);
        let kept = self.catalog().list_links(caller.user, &page).await?;
        if kept.entries.len() < LINKS_BY_USER_MAX {
            return Ok(());
        }
        Err(Error::TooManyLinks { max: LINKS_BY_USER_MAX })
    }

    /// A link of the caller's.
    ///
    /// # Errors
    /// [`Error::NotFound`] if they have no such link.
    pub async fn load_link(&self, caller: &Caller, link: LinkId) -> Result<SeenLink> {
        caller.require(Scope::Read)?;
        let found = self.catalog().find_link(link).await?;
        let own = found.filter(|link| link.owner == caller.user).ok_or(NO_LINK)?;
        Ok(self.seen_link(own))
    }

    /// The caller's links, newest first.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_links(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Listed<SeenLink>> {
        caller.require(Scope::Read)?;
        let listed = self.catalog().list_links(caller.user, page).await?;
        Ok(self.all_seen_links(caller, listed))
    }

    /// The caller's links to one image, newest first.
    ///
    /// # Errors
    /// As [`list_links`](Self::list_links).
    pub async fn list_links_to_image(
        &self,
        caller: &Caller,
        image: ImageId,
        page: &PageRequest,
    ) -> Result<Listed<SeenLink>> {
        self.list_links_to(caller, LinkTarget::Image(image), page).await
    }

    /// The caller's links to one album, newest first.
    ///
    /// # Errors
    /// As [`list_links`](Self::list_links).
    pub async fn list_links_to_album(
        &self,
        caller: &Caller,
        album: AlbumId,
        page: &PageRequest,
    ) -> Result<Listed<SeenLink>> {
        self.list_links_to(caller, LinkTarget::Album(album), page).await
    }

    async fn list_links_to(
        &self,
        caller: &Caller,
        target: LinkTarget,
        page: &PageRequest,
    ) -> Result<Listed<SeenLink>> {
        caller.require(Scope::Read)?;
        let listed = self.catalog().list_links_to(&target, page).await?;
        Ok(self.all_seen_links(caller, listed))
    }

    /// Changes a link. With a version, only if it still has that one.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such link, [`Error::Conflict`] if it was changed
    /// meanwhile, [`Error::Invalid`] if the end has passed.
    pub async fn edit_link(
        &self,
        caller: &Caller,
        link: LinkId,
        version: Option<i64>,
        edit: EditLink,
    ) -> Result<SeenLink> {
        caller.require(Scope::Write)?;
        let now = self.now();
        let password = match &edit.password {
            Some(Some(password)) => Some(Some(self.passwords().hash(password, now).await?)),
            Some(None) => Some(None),
            None => None,
        };
        let expiry = match edit.expires_at {
            Some(Some(end)) => Some(Some(expiry(end, now)?)),
            Some(None) => Some(None),
            None => None,
        };
        let edit = LinkEdit { title: edit.title, password, download: edit.download, expiry };
        match self.catalog().edit_link(link, caller.user, version, &edit, now).await? {
            Edited::Edited(link) => Ok(self.seen_link(link)),
            Edited::Conflict(link) => Err(Error::Conflict { current: link.version }),
            Edited::NotOwner | Edited::Missing => Err(NO_LINK),
        }
    }

    /// Takes a link back. It shows nothing from now on, to nobody and for ever.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such link.
    pub async fn delete_link(&self, caller: &Caller, link: LinkId) -> Result<()> {
        caller.require(Scope::Write)?;
        match self.catalog().delete_link(link, caller.user).await? {
            true => Ok(()),
            false => Err(NO_LINK),
        }
    }

    fn seen_link(&self, link: Link) -> SeenLink {
        SeenLink { token: self.link_token(link.id), link }
    }

    fn all_seen_links(&self, caller: &Caller, listed: Listed<Link>) -> Listed<SeenLink> {
        let own = listed.entries.into_iter().filter(|link| link.owner == caller.user);
        Listed { entries: own.map(|link| self.seen_link(link)).collect(), next: listed.next }
    }
}

/// The end of a link, and when it is forgotten.
fn expiry(end: Timestamp, now: Timestamp) -> Result<(Timestamp, i64)> {
    if end <= now {
        return Err(Error::invalid("expiresAt", "that moment has passed"));
    }
    Ok((end, end.after(KEPT_AFTER_END).as_seconds()))
}

fn no_target(target: &LinkTarget) -> Error {
    match target {
        LinkTarget::Image(_) => Error::invalid("image", "you have no such image"),
        LinkTarget::Album(_) => Error::invalid("album", "you have no such album"),
        LinkTarget::Search(_) => Error::invalid("search", "you have no such account"),
    }
}
