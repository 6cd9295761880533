//! Those whom an identity provider sends.

use std::sync::Arc;

use catalog::{CreatedUser, Entry, Linked, NewAccount};
use model::{Email, Identity, Name, Sha256Hex, User, UserId};

use super::token;
use super::users::not_created;
use super::{Authenticated, Client, NewSession, NewUser, Proof};
use crate::{Caller, Error, Result, Service};

/// What an identity provider says about somebody. Whoever makes one of these has verified that
/// the provider did.
#[derive(Clone, Debug)]
pub struct ProvenIdentity {
    /// The provider, as it names itself.
    pub issuer: String,
    /// Its name for them.
    pub subject: String,
    /// Their address, if the provider tells.
    pub email: Option<Email>,
    /// Whether the provider vouches for the address.
    pub email_verified: bool,
    /// What they are called, if the provider tells.
    pub name: Option<Name>,
}

/// Races for one new identity end after the first has won.
const TRIES: usize = 3;

impl Service {
    /// Begins a session for somebody whom the provider sends.
    ///
    /// # Errors
    /// [`Error::UnknownIdentity`] if they have no account and get none by this.
    pub async fn sign_in_by_identity(
        &self,
        identity: &ProvenIdentity,
        client: Client<'_>,
    ) -> Result<NewSession> {
        let user = self.user_of_identity(identity).await?;
        self.begin_session(user, client).await
    }

    /// Who somebody is who shows the provider's word with every request.
    ///
    /// # Errors
    /// [`Error::UnknownIdentity`] if they have no account and get none by this.
    pub async fn authenticate_identity(&self, identity: &ProvenIdentity) -> Result<Authenticated> {
        let user = self.user_of_identity(identity).await?;
        let caller = Caller::new(user.id, user.role);
        Ok(Authenticated { caller, user: Arc::new(user), proof: Proof::Identity })
    }

    async fn user_of_identity(&self, identity: &ProvenIdentity) -> Result<User> {
        let hash = hash_of(identity)?;
        for _ in 0..TRIES {
            if let Some(user) = self.catalog().find_user_by_identity(&hash).await? {
                return match user.erasing_since {
                    None => Ok(user),
                    Some(_) => Err(Error::UnknownIdentity),
                };
            }
            if let Some(user) = self.admit_identity(identity, &hash).await? {
                return Ok(user);
            }
        }
        Err(Error::internal("an identity was linked and unlinked again and again"))
    }

    /// Links an identity that nobody has, or makes an account for it. `None` if somebody else
    /// was faster.
    async fn admit_identity(
        &self,
        identity: &ProvenIdentity,
        hash: &Sha256Hex,
    ) -> Result<Option<User>> {
        let email = identity.email.as_ref().ok_or(Error::UnknownIdentity)?;
        match self.catalog().find_user_by_email(email).await? {
            // Both sides must vouch for the address: otherwise whoever claims somebody else's
            // address here first would share the account with them.
            Some(user) if identity.email_verified && user.email_verified => {
                self.link_identity(identity, hash, user).await
            }
            Some(_) => Err(Error::UnknownIdentity),
            None if self.settings().accounts.create_for_identity => {
                self.create_for_identity(identity, hash, email).await
            }
            None => Err(Error::UnknownIdentity),
        }
    }

    async fn link_identity(
        &self,
        identity: &ProvenIdentity,
        hash: &Sha256Hex,
        user: User,
    ) -> Result<Option<User>> {
        let linked = self.catalog().link_identity(&self.identity(identity, hash, user.id)).await?;
        match linked {
            Linked::Linked => Ok(Some(user)),
            Linked::Taken => Ok(None),
            Linked::NoUser => Err(Error::UnknownIdentity),
        }
    }

    async fn create_for_identity(
        &self,
        identity: &ProvenIdentity,
        hash: &Sha256Hex,
        email: &Email,
    ) -> Result<Option<User>> {
        let name = match &identity.name {
            Some(name) => name.clone(),
            None => email.as_str().parse().map_err(Error::internal)?,
        };
        let mut user = self.new_user(&NewUser { email: email.clone(), name });
        user.email_verified = identity.email_verified;
        let theirs = self.identity(identity, hash, user.id);
        let account = NewAccount {
            user: &user,
            quota: self.new_quota().await?,
            password: None,
            identity: Some(&theirs),
            entry: Entry::Granted,
        };
        match self.catalog().create_account(account).await? {
            CreatedUser::Created => Ok(Some(user)),
            CreatedUser::EmailTaken | CreatedUser::IdentityTaken => Ok(None),
            other => Err(not_created(other)),
        }
    }

    fn identity(&self, proven: &ProvenIdentity, hash: &Sha256Hex, user: UserId) -> Identity {
        Identity {
            hash: hash.clone(),
            issuer: proven.issuer.clone(),
            subject: proven.subject.clone(),
            user,
            linked_at: self.now(),
        }
    }
}

/// The length keeps issuer and subject apart, whatever they contain.
fn hash_of(identity: &ProvenIdentity) -> Result<Sha256Hex> {
    let ProvenIdentity { issuer, subject, .. } = identity;
    token::hash_of(&format!("{}:{issuer}{subject}", issuer.len()))
}
