//! Passkeys: adding them to an account, and signing in with one.
//!
//! Each ceremony has two steps. First a challenge is given out and kept for a few minutes; then
//! what the browser hands over must answer it, once. Whatever comes of it, the challenge is used
//! up.

use std::time::Duration;

use catalog::{CreatedPasskey, PageRequest};
use model::{Name, Passkey, Sha256Hex, User, UserId};
use sha2::{Digest, Sha256};
use webauthn::{Assertion, KnownCredential, Refused, Registration, RelyingParty};

use super::attempts::Counted;
use super::token;
use super::{Authenticated, Client, NewSession};
use crate::{Caller, Error, Result, Scope, Service};

/// How long somebody may take to answer a challenge.
pub const PASSKEY_TIME: Duration = Duration::from_secs(5 * 60);

/// Passkeys that one user may have.
const PASSKEYS_MAX: usize = 20;

/// Uses of one passkey at the same time that we sort out.
const TRIES: usize = 5;

/// What a browser needs to make a passkey.
#[derive(Clone, Debug)]
pub struct PasskeyOffer {
    /// What is to be answered, as base64url.
    pub challenge: String,
    /// Who the passkey is for.
    pub user: User,
    /// The same for the authenticator, which tells it again when the passkey is used; as
    /// base64url.
    pub user_handle: String,
    /// The credentials that they have already, as base64url: no authenticator needs two.
    pub known: Vec<String>,
}

impl Service {
    /// Begins to add a passkey to the caller's account.
    ///
    /// # Errors
    /// [`Error::BrowserOnly`] for whoever is not in a session, [`Error::TooManyPasskeys`].
    pub async fn offer_passkey(&self, who: &Authenticated) -> Result<PasskeyOffer> {
        require_session(who)?;
        let user = User::clone(&who.user);
        let passkeys = self.passkeys_of(user.id).await?;
        if passkeys.len() >= PASSKEYS_MAX {
            return Err(Error::TooManyPasskeys { max: PASSKEYS_MAX });
        }
        let known = passkeys.into_iter().map(|passkey| passkey.credential).collect();
        let user_handle = webauthn::encode(&handle_of(user.id));
        Ok(PasskeyOffer {
            challenge: self.new_challenge(Some(user.id)).await?,
            user,
            user_handle,
            known,
        })
    }

    /// Adds the passkey that was made.
    ///
    /// # Errors
    /// [`Error::PasskeyRefused`], [`Error::PasskeyTooLate`], [`Error::PasskeyTaken`],
    /// [`Error::TooManyPasskeys`], [`Error::BrowserOnly`].
    pub async fn add_passkey(
        &self,
        who: &Authenticated,
        site: &RelyingParty,
        name: &Name,
        made: &Registration,
    ) -> Result<Passkey> {
        require_session(who)?;
        let user = who.caller.user;
        let challenge = made.challenge().map_err(Error::PasskeyRefused)?;
        if !self.catalog().take_challenge(Some(user), &hash_of(&challenge)?).await? {
            return Err(Error::PasskeyTooLate);
        }
        let made = made.verify(site, &challenge).map_err(Error::PasskeyRefused)?;
        let passkey = Passkey {
            hash: hash_of(&made.id)?,
            user,
            credential: webauthn::encode(&made.id),
            public_key: webauthn::encode(&made.public_key),
            sign_count: i64::from(made.sign_count),
            backup_eligible: made.is_backup_eligible,
            backed_up: made.is_backed_up,
            name: name.clone(),
            created_at: self.now(),
            last_used_at: None,
        };
        let max = i64::try_from(PASSKEYS_MAX).map_err(Error::internal)?;
        match self.catalog().create_passkey(&passkey, max).await? {
            CreatedPasskey::Created => Ok(passkey),
            CreatedPasskey::Taken => Err(Error::PasskeyTaken),
            CreatedPasskey::TooMany => Err(Error::TooManyPasskeys { max: PASSKEYS_MAX }),
            CreatedPasskey::NoUser => Err(Error::Unauthenticated),
        }
    }

    /// The caller's passkeys, oldest first.
    pub async fn list_passkeys(&self, caller: &Caller) -> Result<Vec<Passkey>> {
        caller.require(Scope::Account)?;
        self.passkeys_of(caller.user).await
    }

    /// Gives one of the caller's passkeys another name.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has none of this hash.
    pub async fn rename_passkey(
        &self,
        caller: &Caller,
        passkey: &Sha256Hex,
        name: &Name,
    ) -> Result<Passkey> {
        caller.require(Scope::Account)?;
        let renamed = self.catalog().rename_passkey(caller.user, passkey, name).await?;
        renamed.ok_or(Error::NotFound { what: "passkey" })
    }

    /// Takes one of the caller's passkeys away. Sessions that began with it go on.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has none of this hash.
    pub async fn delete_passkey(&self, caller: &Caller, passkey: &Sha256Hex) -> Result<()> {
        caller.require(Scope::Account)?;
        let was_there = self.catalog().delete_passkey(caller.user, passkey).await?;
        if was_there { Ok(()) } else { Err(Error::NotFound { what: "passkey" }) }
    }

    /// A challenge for whoever wants to sign in, as base64url. It says nothing about anybody.
    pub async fn offer_passkey_sign_in(&self) -> Result<String> {
        self.new_challenge(None).await
    }

    /// Begins a session for whoever has a passkey. Attempts are counted for the client's address
    /// as those with passwords are; not for the account, which nobody could guess their way
    /// into, but anybody could have locked.
    ///
    /// # Errors
    /// [`Error::BadPasskey`], whatever is wrong, or [`Error::TooManyAttempts`].
    pub async fn sign_in_by_passkey(
        &self,
        site: &RelyingParty,
        used: &Assertion,
        client: Client<'_>,
    ) -> Result<NewSession> {
        if let Some(address) = client.address {
            self.take_attempt(Counted::Address(address)).await?;
        }
        let user = self.verify_passkey(site, used).await?;
        if let Some(address) = client.address {
            self.forgive_attempt(Counted::Address(address)).await?;
        }
        match self.begin_session(user, client).await {
            // The account was removed, or all sessions were ended, at this very moment.
            Err(Error::WrongPassword) => Err(Error::BadPasskey),
            begun => begun,
        }
    }

    async fn verify_passkey(&self, site: &RelyingParty, used: &Assertion) -> Result<User> {
        let challenge = used.challenge().map_err(refused)?;
        if !self.catalog().take_challenge(None, &hash_of(&challenge)?).await? {
            return Err(Error::BadPasskey);
        }
        let hash = hash_of(&used.credential_id().map_err(refused)?)?;
        for _ in 0..TRIES {
            let found = self.catalog().find_passkey(&hash).await?;
            let (passkey, user) = found.ok_or(Error::BadPasskey)?;
            let proven = prove(site, used, &challenge, &passkey)?;
            let (count, backed_up) = (i64::from(proven.sign_count), proven.is_backed_up);
            let now = self.now();
            if self.catalog().record_passkey_use(&passkey, count, backed_up, now).await? {
                return Ok(user);
            }
        }
        Err(Error::BadPasskey)
    }

    /// 32 random bytes that are kept until they are answered.
    async fn new_challenge(&self, user: Option<UserId>) -> Result<String> {
        let challenge: [u8; 32] = rand::random();
        let ends_at = self.now().after(PASSKEY_TIME);
        match self.catalog().put_challenge(user, &hash_of(&challenge)?, ends_at).await? {
            true => Ok(webauthn::encode(&challenge)),
            false => Err(Error::Unauthenticated),
        }
    }

    async fn passkeys_of(&self, user: UserId) -> Result<Vec<Passkey>> {
        let all = PageRequest::first(PASSKEYS_MAX);
        let mut passkeys = self.catalog().list_passkeys(user, &all).await?.entries;
        passkeys.sort_by_key(|passkey| passkey.created_at);
        Ok(passkeys)
    }
}

/// That somebody is in a session. A passkey is a way in for good: whoever has got hold of an API
/// key must not be able to turn it into one.
fn require_session(who: &Authenticated) -> Result<()> {
    who.proof.session().ok_or(Error::BrowserOnly)?;
    who.caller.require(Scope::Account)
}

fn prove(
    site: &RelyingParty,
    used: &Assertion,
    challenge: &[u8],
    passkey: &Passkey,
) -> Result<webauthn::Proven> {
    let (id, public_key) = (bytes_of(&passkey.credential)?, bytes_of(&passkey.public_key)?);
    let known = KnownCredential {
        id: &id,
        public_key: &public_key,
        sign_count: u32::try_from(passkey.sign_count).map_err(Error::internal)?,
        is_backup_eligible: passkey.backup_eligible,
        user_handle: &handle_of(passkey.user),
    };
    used.verify(site, challenge, &known).map_err(|why| {
        if why == Refused::CounterWentBack {
            tracing::warn!(user = %passkey.user, passkey = %passkey.hash, "{why}");
        }
        refused(why)
    })
}

/// What exactly is wrong is for the operator: who tries shall not learn how far they got.
fn refused(why: Refused) -> Error {
    tracing::info!(%why, "a passkey was refused");
    Error::BadPasskey
}

/// What an authenticator knows a user by: nothing that tells who they are.
fn handle_of(user: UserId) -> [u8; 16] {
    user.to_bits().to_be_bytes()
}

fn hash_of(bytes: &[u8]) -> Result<Sha256Hex> {
    token::hex(&Sha256::digest(bytes))
}

fn bytes_of(text: &str) -> Result<Vec<u8>> {
    webauthn::decode(text).map_err(Error::internal)
}
