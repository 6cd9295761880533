//! Users, their e-mail addresses and their quotas.

use model::{
    ChangeKind, Email, Entity, ImageId, Name, PersonId, Quota, Role, Timestamp, User, UserId,
};
use table::{Action, Condition, Item, Query, Transacted};

use crate::paging::{PageRequest, collect};
use crate::retry::{Attempt, until_settled};
use crate::schema::{GLOBAL, GLOBAL_PK, GLOBAL_SK, NUMBER, NUMBER_PK};
use crate::{Catalog, Error, Listed, Result, changes, keys, row};

/// How creating a user ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum CreatedUser {
    /// They have an account now.
    Created,
    /// The e-mail address belongs to somebody.
    EmailTaken,
    /// There is a user of this id.
    IdTaken,
}

/// What to change of a user. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct UserEdit {
    /// The address they sign in with.
    pub email: Option<Email>,
    /// The name others see.
    pub name: Option<Name>,
    /// What they may do.
    pub role: Option<Role>,
    /// Their profile picture.
    pub picture: Option<Option<ImageId>>,
    /// The person they are in the photos.
    pub person: Option<Option<PersonId>>,
}

/// How editing a user ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum EditedUser {
    /// The user as they are now.
    Edited(User),
    /// Somebody changed them first; this is how they are now.
    Conflict(User),
    /// The e-mail address belongs to somebody else.
    EmailTaken,
    /// There is no such user.
    NoUser,
}

impl Catalog {
    /// Creates a user with a quota.
    pub async fn create_user(&self, user: &User, quota: Quota) -> Result<CreatedUser> {
        let actions = vec![
            Action::put(user_row(user)?).when(Condition::Absent),
            Action::put(email_row(user)).when(Condition::Absent),
            Action::put(quota_row(user.id, quota)?),
            record(user, ChangeKind::Created, user.created_at)?,
        ];
        let outcome = self.table.transact(actions).await?;
        Ok(match (outcome.is_done(), outcome.refusal(0)) {
            (true, _) => CreatedUser::Created,
            (false, None) => CreatedUser::EmailTaken,
            (false, Some(_)) => CreatedUser::IdTaken,
        })
    }

    /// The user of this id.
    pub async fn find_user(&self, user: UserId) -> Result<Option<User>> {
        self.find(&keys::profile(user)).await
    }

    /// The user who signs in with this address.
    pub async fn find_user_by_email(&self, email: &Email) -> Result<Option<User>> {
        let Some(row) = self.table.get(&keys::email(email)).await? else { return Ok(None) };
        let id = row.str("user").unwrap_or_default();
        let id: UserId = id.parse().map_err(|error| Error::bad_row(&row.key, error))?;
        self.find_user(id).await
    }

    /// All users, by e-mail address.
    pub async fn list_users(&self, page: &PageRequest) -> Result<Listed<User>> {
        self.list_entities(Query::index(GLOBAL, keys::USERS), page).await
    }

    /// Changes a user. With a version, only if they still have that one.
    pub async fn edit_user(
        &self,
        user: UserId,
        version: Option<i64>,
        edit: &UserEdit,
        now: Timestamp,
    ) -> Result<EditedUser> {
        until_settled!(self.try_edit_user(user, version, edit, now).await)
    }

    async fn try_edit_user(
        &self,
        user: UserId,
        version: Option<i64>,
        edit: &UserEdit,
        now: Timestamp,
    ) -> Result<Attempt<EditedUser>> {
        let Some(before) = self.find_user(user).await? else {
            return Ok(Attempt::Settled(EditedUser::NoUser));
        };
        if version.is_some_and(|version| version != before.version) {
            return Ok(Attempt::Settled(EditedUser::Conflict(before)));
        }
        let mut after = edit.apply(&before);
        if after == before {
            return Ok(Attempt::Settled(EditedUser::Edited(before)));
        }
        after.version += 1;
        after.updated_at = now;
        let (old, new) = (user_row(&before)?, user_row(&after)?);
        let update = row::update(new.key, &old.attributes, &new.attributes);
        let mut actions = vec![
            update.when(Condition::version(before.version)),
            record(&after, ChangeKind::Updated, now)?,
        ];
        if after.email != before.email {
            actions.push(Action::put(email_row(&after)).when(Condition::Absent));
            actions.push(Action::delete(keys::email(&before.email)));
        }
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(EditedUser::Edited(after)),
            refused if refused.refusal(0).is_some() => Attempt::Raced,
            Transacted::Refused(_) => Attempt::Settled(EditedUser::EmailTaken),
        })
    }

    /// How much a user may keep, and how much of it is left.
    pub async fn find_quota(&self, user: UserId) -> Result<Option<Quota>> {
        self.find(&keys::limit(user)).await
    }

    /// Changes how much a user may keep. What is left moves by the same amount. Tells
    /// whether there is such a user.
    pub async fn set_quota(
        &self,
        user: UserId,
        images_max: i64,
        bytes_max: i64,
        now: Timestamp,
    ) -> Result<bool> {
        until_settled!(self.try_set_quota(user, images_max, bytes_max, now).await)
    }

    async fn try_set_quota(
        &self,
        user: UserId,
        images_max: i64,
        bytes_max: i64,
        now: Timestamp,
    ) -> Result<Attempt<bool>> {
        let Some(quota) = self.find_quota(user).await? else { return Ok(Attempt::Settled(false)) };
        let action = Action::update(keys::limit(user))
            .set("imagesMax", images_max)
            .set("bytesMax", bytes_max)
            .add(IMAGES_LEFT, images_max.saturating_sub(quota.images_max))
            .add(BYTES_LEFT, bytes_max.saturating_sub(quota.bytes_max))
            .when(Condition::equals("imagesMax", quota.images_max))
            .when(Condition::equals("bytesMax", quota.bytes_max));
        let change = changes::record(now, ChangeKind::Updated, Entity::User(user), user, None)?;
        Ok(match self.table.transact(vec![action, change]).await? {
            Transacted::Done => Attempt::Settled(true),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Users by how many images they may still keep, the fewest first.
    pub async fn list_quotas(&self, page: &PageRequest) -> Result<Listed<(UserId, Quota)>> {
        let query = Query::index(NUMBER, keys::LIMITS);
        collect(&*self.table, query, page, |found| async move {
            found.items.iter().map(user_and_quota).collect()
        })
        .await
    }
}

impl Catalog {
    /// What gives back to a user's quota. A user who is gone has none, and gets none.
    pub(crate) async fn give_back(
        &self,
        user: UserId,
        images: i64,
        bytes: i64,
    ) -> Result<Option<Action>> {
        let is_there = self.find_quota(user).await?.is_some();
        Ok(is_there.then(|| move_quota(user, images, bytes).when(Condition::Present)))
    }
}

impl UserEdit {
    fn apply(&self, user: &User) -> User {
        let mut user = user.clone();
        user.email = self.email.clone().unwrap_or(user.email);
        user.name = self.name.clone().unwrap_or(user.name);
        user.role = self.role.unwrap_or(user.role);
        user.picture = self.picture.unwrap_or(user.picture);
        user.person = self.person.unwrap_or(user.person);
        user
    }
}

const IMAGES_LEFT: &str = "imagesLeft";
const BYTES_LEFT: &str = "bytesLeft";

/// Which condition of [`take_quota`] is about images.
pub(crate) const IMAGES_LEFT_CONDITION: usize = 0;

/// Takes from a user's quota, if there is so much left. Taking nothing always succeeds, and
/// taking a negative amount gives back.
pub(crate) fn take_quota(user: UserId, images: i64, bytes: i64) -> Action {
    let mut action = move_quota(user, -images, -bytes);
    action = action.when(match images > 0 {
        true => Condition::at_least(IMAGES_LEFT, images),
        false => Condition::Present,
    });
    if bytes > 0 {
        action = action.when(Condition::at_least(BYTES_LEFT, bytes));
    }
    action
}

fn move_quota(user: UserId, images: i64, bytes: i64) -> Action {
    Action::update(keys::limit(user)).add(IMAGES_LEFT, images).add(BYTES_LEFT, bytes)
}

fn user_row(user: &User) -> Result<Item> {
    let key = keys::profile(user.id);
    let attributes = row::attributes_of(&key, user)?;
    Ok(Item::of(key, attributes)
        .with(GLOBAL_PK, keys::USERS)
        .with(GLOBAL_SK, user.email.to_string()))
}

fn email_row(user: &User) -> Item {
    Item::new(keys::email(&user.email)).with("user", user.id.to_string())
}

fn quota_row(user: UserId, quota: Quota) -> Result<Item> {
    let key = keys::limit(user);
    let attributes = row::attributes_of(&key, &quota)?;
    Ok(Item::of(key, attributes).with(NUMBER_PK, keys::LIMITS).with("user", user.to_string()))
}

fn user_and_quota(item: &Item) -> Result<(UserId, Quota)> {
    let user = item.str("user").unwrap_or_default();
    let user = user.parse().map_err(|error| Error::bad_row(&item.key, error))?;
    Ok((user, row::entity_of(item)?))
}

fn record(user: &User, kind: ChangeKind, now: Timestamp) -> Result<Action> {
    changes::record(now, kind, Entity::User(user.id), user.id, Some(user.version))
}
