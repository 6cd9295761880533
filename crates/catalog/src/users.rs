//! Users, their e-mail addresses and their quotas.

use model::{
    ChangeKind, Email, Entity, ImageId, Name, PasswordHash, PersonId, Quota, Role, Timestamp, User,
    UserId,
};
use table::{Action, Condition, Item, Key, Query, Transacted};

use crate::accounts::{admit_administrator, dismiss_administrator};
use crate::paging::{PageRequest, collect};
use crate::retry::{Attempt, until_settled};
use crate::schema::{GLOBAL, GLOBAL_PK, GLOBAL_SK, NUMBER, NUMBER_PK};
use crate::{Catalog, Error, Listed, Result, changes, keys, row};

/// What to change of a user. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct UserEdit {
    /// The address they sign in with.
    pub email: Option<Email>,
    /// Whether somebody else vouches for it.
    pub email_verified: Option<bool>,
    /// The name others see.
    pub name: Option<Name>,
    /// What they may do.
    pub role: Option<Role>,
    /// Their profile picture.
    pub picture: Option<Option<ImageId>>,
    /// The person they are in the photos.
    pub person: Option<Option<PersonId>>,
    /// Whether they do not want to be recognised.
    pub unrecognised: Option<bool>,
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
    /// Nobody could administer the installation any more.
    LastAdministrator,
    /// There is no such user, or no longer.
    NoUser,
}

impl Catalog {
    /// The user of this id.
    pub async fn find_user(&self, user: UserId) -> Result<Option<User>> {
        self.find(&keys::profile(user)).await
    }

    /// The user who signs in with this address.
    pub async fn find_user_by_email(&self, email: &Email) -> Result<Option<User>> {
        let Some(row) = self.table.get(&keys::email(email)).await? else { return Ok(None) };
        self.find_user(user_of(&row)?).await
    }

    /// The user who signs in with this address, and their password. Asks the same of the table
    /// when there is none, about `nobody`, so that the time taken does not tell.
    pub async fn find_user_and_password(
        &self,
        email: &Email,
        nobody: UserId,
    ) -> Result<Option<(User, Option<PasswordHash>)>> {
        let row = self.table.get(&keys::email(email)).await?;
        let user = row.as_ref().map(user_of).transpose()?.unwrap_or(nobody);
        let found = self.table.batch_get(&[keys::profile(user), keys::password(user)]).await?;
        let [Some(profile), password] = found.as_slice() else { return Ok(None) };
        let password = password.as_ref().map(row::entity_of).transpose()?;
        Ok(Some((row::entity_of(profile)?, password)))
    }

    /// Users by their ids, without the absent ones.
    pub async fn find_users(&self, users: &[UserId]) -> Result<Vec<User>> {
        let mut distinct = users.to_vec();
        distinct.sort();
        distinct.dedup();
        let keys: Vec<Key> = distinct.into_iter().map(keys::profile).collect();
        self.load_rows(&keys).await?.iter().map(row::entity_of).collect()
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
        let found = self.find_user(user).await?;
        let Some(before) = found.filter(|user| user.erasing_since.is_none()) else {
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
        match (before.role, after.role) {
            (Role::User, Role::Administrator) => actions.extend(admit_administrator(now)),
            (Role::Administrator, Role::User) => actions.push(dismiss_administrator()),
            _ => {}
        }
        let email_at = actions.len();
        if after.email != before.email {
            actions.push(Action::put(email_row(&after)).when(Condition::Absent));
            actions.push(Action::delete(keys::email(&before.email)));
        }
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(EditedUser::Edited(after)),
            refused if refused.refusal(0).is_some() => Attempt::Raced,
            refused if refused.refusal(email_at).is_some() => {
                Attempt::Settled(EditedUser::EmailTaken)
            }
            Transacted::Refused(_) => Attempt::Settled(EditedUser::LastAdministrator),
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
        user.email_verified = self.email_verified.unwrap_or(user.email_verified);
        user.name = self.name.clone().unwrap_or(user.name);
        user.role = self.role.unwrap_or(user.role);
        user.picture = self.picture.unwrap_or(user.picture);
        user.unrecognised = self.unrecognised.unwrap_or(user.unrecognised);
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

pub(crate) fn user_row(user: &User) -> Result<Item> {
    let key = keys::profile(user.id);
    let attributes = row::attributes_of(&key, user)?;
    Ok(Item::of(key, attributes)
        .with(GLOBAL_PK, keys::USERS)
        .with(GLOBAL_SK, user.email.to_string()))
}

pub(crate) fn email_row(user: &User) -> Item {
    Item::new(keys::email(&user.email)).with("user", user.id.to_string())
}

pub(crate) fn quota_row(user: UserId, quota: Quota) -> Result<Item> {
    let key = keys::limit(user);
    let attributes = row::attributes_of(&key, &quota)?;
    Ok(Item::of(key, attributes).with(NUMBER_PK, keys::LIMITS).with("user", user.to_string()))
}

fn user_and_quota(item: &Item) -> Result<(UserId, Quota)> {
    Ok((user_of(item)?, row::entity_of(item)?))
}

fn user_of(item: &Item) -> Result<UserId> {
    let user = item.str("user").unwrap_or_default();
    user.parse().map_err(|error| Error::bad_row(&item.key, error))
}

pub(crate) fn record(user: &User, kind: ChangeKind, now: Timestamp) -> Result<Action> {
    changes::record(now, kind, Entity::User(user.id), user.id, Some(user.version))
}
