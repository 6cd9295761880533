//! The members of albums.

use model::limits::ALBUM_MEMBERS_MAX;
use model::{Album, AlbumId, AlbumMember, AlbumRole, ChangeKind, Timestamp, UserId};
use table::{Action, Condition, Item, Query, Transacted};

use super::{MEMBER_COUNT, count, record};
use crate::retry::{Attempt, until_settled};
use crate::schema::{OWNER_PK, OWNER_SK};
use crate::{Catalog, Listed, PageRequest, Result, keys, row};

/// How making somebody a member ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum PutMember {
    /// They are a member with this role.
    Put(AlbumMember),
    /// There is no such album.
    NoAlbum,
    /// There is no such user.
    NoUser,
    /// It has as many members as it may have.
    TooMany {
        /// How many that is.
        max: usize,
    },
}

const ROLE: &str = "role";
/// Whose album it is, so that a list of memberships tells whose images may be seen.
pub(crate) const ALBUM_OWNER: &str = "albumOwner";

impl Catalog {
    /// Makes somebody a member of an album, or gives a member another role.
    pub async fn put_album_member(
        &self,
        album: AlbumId,
        user: UserId,
        role: AlbumRole,
        now: Timestamp,
    ) -> Result<PutMember> {
        until_settled!(self.try_put_member(album, user, role, now).await)
    }

    async fn try_put_member(
        &self,
        id: AlbumId,
        user: UserId,
        role: AlbumRole,
        now: Timestamp,
    ) -> Result<Attempt<PutMember>> {
        let Some(album) = self.find_album(id).await? else {
            return Ok(Attempt::Settled(PutMember::NoAlbum));
        };
        let key = keys::album_member(id, user);
        if let Some(mut member) = self.find::<AlbumMember>(&key).await? {
            member.role = role;
            return self.try_change_role(&album, member, now).await;
        }
        let member = AlbumMember { user, role, added_at: now };
        let row = Item::of(key.clone(), row::attributes_of(&key, &member)?)
            .with(OWNER_PK, keys::user_partition(user))
            .with(OWNER_SK, keys::membership(id))
            .with(ALBUM_OWNER, album.owner.to_string());
        let room = i64::try_from(ALBUM_MEMBERS_MAX).unwrap_or(i64::MAX) - 1;
        let actions = vec![
            Action::put(row).when(Condition::Absent),
            count(id, MEMBER_COUNT, 1, now).when(Condition::at_most(MEMBER_COUNT, room)),
            Action::check(keys::profile(user))
                .when(Condition::Present)
                .when(Condition::Lacks("erasingSince".to_owned())),
            record(&album, ChangeKind::Updated, now)?,
        ];
        let outcome = self.table.transact(actions).await?;
        Ok(match &outcome {
            Transacted::Done => Attempt::Settled(PutMember::Put(member)),
            refused if refused.refusal(2).is_some() => Attempt::Settled(PutMember::NoUser),
            refused if refused.refusal(1).is_some_and(|refusal| refusal.condition == 2) => {
                Attempt::Settled(PutMember::TooMany { max: ALBUM_MEMBERS_MAX })
            }
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    async fn try_change_role(
        &self,
        album: &Album,
        member: AlbumMember,
        now: Timestamp,
    ) -> Result<Attempt<PutMember>> {
        let key = keys::album_member(album.id, member.user);
        let role = row::attributes_of(&key, &member)?.get(ROLE).cloned();
        let Some(role) = role else { return Err(crate::Error::bad_row(&key, "it has no role")) };
        let actions = vec![
            Action::update(key).set(ROLE, role).when(Condition::Present),
            record(album, ChangeKind::Updated, now)?,
        ];
        let outcome = self.table.transact(actions).await?;
        let is_done = outcome.is_done();
        Ok(if is_done { Attempt::Settled(PutMember::Put(member)) } else { Attempt::Raced })
    }

    /// Ends a membership. Tells whether there was one.
    pub async fn delete_album_member(
        &self,
        album: AlbumId,
        user: UserId,
        now: Timestamp,
    ) -> Result<bool> {
        let Some(found) = self.find::<Album>(&keys::album(album)).await? else { return Ok(false) };
        until_settled!({
            let actions = vec![
                Action::delete(keys::album_member(album, user)).when(Condition::Present),
                count(album, MEMBER_COUNT, -1, now),
                record(&found, ChangeKind::Updated, now)?,
            ];
            match self.table.transact(actions).await {
                Ok(outcome) => Ok(Attempt::Settled(outcome.is_done())),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// The members of an album itself, without those of the albums it is nested in.
    pub async fn list_album_members(
        &self,
        album: AlbumId,
        page: &PageRequest,
    ) -> Result<Listed<AlbumMember>> {
        let query = Query::partition(keys::album_container(album)).prefix(keys::ALBUM_MEMBERS);
        self.list_entities(query, page).await
    }
}
