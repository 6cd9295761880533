//! The one-time set-up. There is no default password: who can read the console comes first.

use catalog::{CreatedUser, Entry, NewAccount, SetUp};
use model::Role;

use super::attempts::Counted;
use super::token::{self, EntryKind, Token};
use super::{Client, NewSession, NewUser, Password};
use crate::{Error, Result, Service};

impl Service {
    /// A new set-up token, unless there has ever been an administrator. Tokens made before are
    /// worth nothing from now on.
    pub async fn offer_set_up(&self) -> Result<Option<Token>> {
        let token = Token::for_entry(EntryKind::SetUp);
        let is_open = self.catalog().offer_set_up(&token.hash()?).await?;
        Ok(is_open.then_some(token))
    }

    /// Whether set-up waits to be done.
    pub async fn is_set_up_open(&self) -> Result<bool> {
        Ok(self.catalog().find_set_up().await? != SetUp::Done)
    }

    /// Makes the first administrator and closes set-up, in one step.
    ///
    /// # Errors
    /// [`Error::BadSetUp`] if the token is not the newest, or set-up is done.
    pub async fn set_up(
        &self,
        token: &str,
        new: &NewUser,
        password: &Password,
        client: Client<'_>,
    ) -> Result<NewSession> {
        if let Some(address) = client.address {
            self.take_attempt(Counted::SignUp(address)).await?;
        }
        let hash = token::hash_of(token)?;
        // Found by its hash, whose comparison tells nothing about the token; and before the
        // password is hashed, which costs.
        if self.catalog().find_set_up().await? != SetUp::Open(hash.clone()) {
            return Err(Error::BadSetUp);
        }
        let mut user = self.new_user(new);
        user.role = Role::Administrator;
        user.email_verified = true;
        let password = self.passwords().hash(password, user.created_at).await?;
        let account = NewAccount {
            user: &user,
            quota: self.settings().quota,
            password: Some(&password),
            identity: None,
            entry: Entry::SetUp(&hash),
        };
        match self.catalog().create_account(account).await? {
            CreatedUser::Created => self.begin_session(user, client).await,
            CreatedUser::EntryClosed => Err(Error::BadSetUp),
            other => Err(super::users::not_created(other)),
        }
    }
}
