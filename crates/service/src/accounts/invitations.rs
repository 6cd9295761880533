//! Invitations, made by administrators.

use catalog::{Listed, PageRequest};
use model::{Email, Invitation, Role, Sha256Hex};

use super::SignUp;
use super::token::{self, EntryKind, Token};
use crate::{Caller, Error, Result, Service};

/// What an invitation shall be good for.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    /// What the account will be allowed.
    pub role: Role,
    /// The only address it is good for.
    pub email: Option<Email>,
}

impl Service {
    /// Makes an invitation. Its token is shown now and never again.
    ///
    /// # Errors
    /// [`Error::SignUpClosed`] where only administrators make accounts.
    pub async fn create_invitation(
        &self,
        caller: &Caller,
        new: &NewInvitation,
    ) -> Result<(Token, Invitation)> {
        caller.require_administrator()?;
        let accounts = &self.settings().accounts;
        if accounts.sign_up == SignUp::Closed {
            return Err(Error::SignUpClosed);
        }
        let token = Token::for_entry(EntryKind::Invitation);
        let now = self.now();
        let invitation = Invitation {
            hash: token.hash()?,
            role: new.role,
            email: new.email.clone(),
            created_by: caller.user,
            created_at: now,
            ttl: now.after(accounts.invitation_time).as_seconds(),
        };
        self.catalog().put_invitation(&invitation).await?;
        Ok((token, invitation))
    }

    /// Invitations that wait to be used, newest first.
    pub async fn list_invitations(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Listed<Invitation>> {
        caller.require_administrator()?;
        Ok(self.catalog().list_invitations(page).await?)
    }

    /// Takes an invitation back.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none of this hash, or not any more.
    pub async fn delete_invitation(&self, caller: &Caller, invitation: &Sha256Hex) -> Result<()> {
        caller.require_administrator()?;
        let was_there = self.catalog().delete_invitation(invitation).await?;
        if was_there { Ok(()) } else { Err(Error::NotFound { what: "invitation" }) }
    }

    /// What an invitation is good for, for whoever has its token.
    ///
    /// # Errors
    /// [`Error::BadInvitation`] if it was used or has ended.
    pub async fn find_invitation(&self, token: &str) -> Result<Invitation> {
        let found = self.catalog().find_invitation(&token::hash_of(token)?).await?;
        found.ok_or(Error::BadInvitation)
    }
}
