//! Users, seen by administrators, by themselves and by others.

use catalog::{
    BegunErase, CreatedUser, EditedUser, Entry, Listed, NewAccount, PageRequest, UserEdit,
};
use model::{Email, ImageId, Name, PersonId, Quota, Role, User, UserId};

use super::Password;
use crate::{Caller, Error, Result, Scope, Service};

/// Who wants an account.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// The address they sign in with.
    pub email: Email,
    /// The name others see.
    pub name: Name,
}

/// What users see of each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Who.
    pub id: UserId,
    /// What they are called.
    pub name: Name,
    /// Their profile picture.
    pub picture: Option<ImageId>,
    /// The person they are in the photos.
    pub person: Option<PersonId>,
}

impl Service {
    /// Makes an account, as an administrator. Without a password, they can come only through an
    /// identity provider.
    ///
    /// # Errors
    /// [`Error::EmailTaken`].
    pub async fn create_user(
        &self,
        caller: &Caller,
        new: &NewUser,
        role: Role,
        password: Option<&Password>,
    ) -> Result<User> {
        caller.require_administrator()?;
        let mut user = self.new_user(new);
        user.role = role;
        user.email_verified = true;
        let password = match password {
            Some(password) => Some(self.passwords().hash(password, user.created_at).await?),
            None => None,
        };
        // Whoever sets an installation up has no limit, by whichever way.
        let is_first = role == Role::Administrator && self.is_set_up_open().await?;
        let quota = if is_first { Quota::unlimited() } else { self.new_quota().await? };
        let account = NewAccount {
            user: &user,
            quota,
            password: password.as_ref(),
            identity: None,
            entry: Entry::Granted,
        };
        match self.catalog().create_account(account).await? {
            CreatedUser::Created => Ok(user),
            other => Err(not_created(other)),
        }
    }

    /// All users, by e-mail address, for administrators.
    pub async fn list_users(&self, caller: &Caller, page: &PageRequest) -> Result<Listed<User>> {
        caller.require_administrator()?;
        Ok(self.catalog().list_users(page).await?)
    }

    /// A user with everything, for themselves and for administrators.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such user.
    pub async fn find_user(&self, caller: &Caller, user: UserId) -> Result<User> {
        self.require_self_or_administrator(caller, user, Scope::Read)?;
        self.load_user(user).await
    }

    /// A user by their address, for administrators.
    ///
    /// # Errors
    /// [`Error::NotFound`] if nobody has this address.
    pub async fn find_user_by_email(&self, caller: &Caller, email: &Email) -> Result<User> {
        caller.require_administrator()?;
        let found = self.catalog().find_user_by_email(email).await?;
        found.ok_or(Error::NotFound { what: "user" })
    }

    /// What everybody who is signed in may see of a user.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such user.
    pub async fn find_profile(&self, caller: &Caller, user: UserId) -> Result<Profile> {
        caller.require(Scope::Read)?;
        let User { id, name, picture, person, .. } = self.load_user(user).await?;
        Ok(Profile { id, name, picture, person })
    }

    /// Changes a user. Everybody may change themselves, but for their role. With a version, only
    /// if they still have that one.
    ///
    /// # Errors
    /// [`Error::Conflict`], [`Error::EmailTaken`], [`Error::LastAdministrator`].
    pub async fn edit_user(
        &self,
        caller: &Caller,
        user: UserId,
        version: Option<i64>,
        mut edit: UserEdit,
    ) -> Result<User> {
        self.require_self_or_administrator(caller, user, Scope::Account)?;
        let is_administrator = caller.require_administrator().is_ok();
        if edit.role.is_some() {
            caller.require_administrator()?;
        }
        if let Some(Some(picture)) = edit.picture {
            self.check_picture(user, picture).await?;
        }
        if let Some(Some(person)) = edit.person {
            // To be somebody in another library is for its owner to say.
            let found = self.catalog().find_person(person).await?;
            let own = found.filter(|found| found.owner == user && found.is_somebody());
            own.ok_or_else(|| Error::invalid("person", "there is no such person of this user"))?;
        }
        let before = self.load_user(user).await?;
        if let Some(email) = &edit.email {
            // Nobody vouches for an address that somebody gives themselves.
            edit.email_verified = (*email != before.email).then_some(is_administrator);
        }
        let has_new_picture = edit.picture.is_some();
        let wish = edit.unrecognised.filter(|wish| before.unrecognised != *wish);
        match self.catalog().edit_user(user, version, &edit, self.now()).await? {
            EditedUser::Edited(user) => {
                if has_new_picture || wish.is_some() {
                    self.recognise_or_not(&user, wish).await?;
                }
                Ok(user)
            }
            EditedUser::Conflict(user) => Err(Error::Conflict { current: user.version }),
            EditedUser::EmailTaken => Err(Error::EmailTaken),
            EditedUser::LastAdministrator => Err(Error::LastAdministrator),
            EditedUser::NoUser => Err(Error::NotFound { what: "user" }),
        }
    }

    /// Shuts a user out at once, and has everything of theirs erased. Everybody may erase
    /// themselves.
    ///
    /// # Errors
    /// [`Error::LastAdministrator`], or [`Error::NotFound`].
    pub async fn erase_user(&self, caller: &Caller, user: UserId) -> Result<()> {
        self.require_self_or_administrator(caller, user, Scope::Account)?;
        match self.catalog().begin_erase(user, self.now()).await? {
            BegunErase::Begun(_) => {
                self.hint();
                Ok(())
            }
            BegunErase::LastAdministrator => Err(Error::LastAdministrator),
            BegunErase::NoUser => Err(Error::NotFound { what: "user" }),
        }
    }

    /// A profile picture is one of the user's own.
    async fn check_picture(&self, user: UserId, picture: ImageId) -> Result<()> {
        let found = self.catalog().find_image(picture).await?;
        match found.is_some_and(|image| image.owner == user && image.purging_since.is_none()) {
            true => Ok(()),
            false => Err(Error::invalid("picture", "there is no such image of this user")),
        }
    }

    pub(super) fn require_self_or_administrator(
        &self,
        caller: &Caller,
        user: UserId,
        scope: Scope,
    ) -> Result<()> {
        if caller.user == user { caller.require(scope) } else { caller.require_administrator() }
    }

    pub(super) async fn load_user(&self, user: UserId) -> Result<User> {
        let found = self.catalog().find_user(user).await?;
        found.ok_or(Error::NotFound { what: "user" })
    }

    pub(super) fn new_user(&self, new: &NewUser) -> User {
        let now = self.now();
        let id = UserId::new(now, rand::random());
        User::new(id, new.email.clone(), new.name.clone(), Role::User, now)
    }
}

/// Why an account was not made.
pub(super) fn not_created(outcome: CreatedUser) -> Error {
    match outcome {
        CreatedUser::EmailTaken => Error::EmailTaken,
        CreatedUser::EntryClosed => Error::BadInvitation,
        CreatedUser::Created | CreatedUser::IdTaken | CreatedUser::IdentityTaken => {
            Error::internal("an id that was just made up was taken")
        }
    }
}
