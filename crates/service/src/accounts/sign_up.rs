//! New accounts by those who want one.

use catalog::{Entry, NewAccount};
use model::{Invitation, Role};

use super::attempts::Counted;
use super::token;
use super::users::not_created;
use super::{Client, NewSession, NewUser, Password, SignUp};
use crate::{Error, Result, Service};

impl Service {
    /// Makes an account, by invitation or where everybody may, and begins a session.
    ///
    /// # Errors
    /// [`Error::SignUpClosed`], [`Error::BadInvitation`], [`Error::EmailTaken`].
    pub async fn sign_up(
        &self,
        new: &NewUser,
        password: &Password,
        invitation: Option<&str>,
        client: Client<'_>,
    ) -> Result<NewSession> {
        if let Some(address) = client.address {
            self.take_attempt(Counted::SignUp(address)).await?;
        }
        let invitation = self.admit(new, invitation).await?;
        let mut user = self.new_user(new);
        user.role = invitation.as_ref().map_or(Role::User, |invitation| invitation.role);
        // It reached them there.
        user.email_verified = invitation.as_ref().is_some_and(|i| i.email.is_some());
        let password = self.passwords().hash(password, user.created_at).await?;
        let entry = invitation.as_ref().map_or(Entry::Granted, |i| Entry::Invitation(&i.hash));
        let account = NewAccount {
            user: &user,
            quota: self.new_quota().await?,
            password: Some(&password),
            identity: None,
            entry,
        };
        match self.catalog().create_account(account).await? {
            catalog::CreatedUser::Created => self.begin_session(user, client).await,
            other => Err(not_created(other)),
        }
    }

    /// The invitation that lets somebody in, or nothing where everybody may come.
    async fn admit(&self, new: &NewUser, invitation: Option<&str>) -> Result<Option<Invitation>> {
        let Some(invitation) = invitation else {
            return match self.settings().accounts.sign_up {
                SignUp::Open => Ok(None),
                SignUp::Closed | SignUp::Invitation => Err(Error::SignUpClosed),
            };
        };
        let found = self.catalog().find_invitation(&token::hash_of(invitation)?).await?;
        let invitation = found.ok_or(Error::BadInvitation)?;
        if invitation.email.as_ref().is_some_and(|email| *email != new.email) {
            return Err(Error::BadInvitation);
        }
        Ok(Some(invitation))
    }
}
