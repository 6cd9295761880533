//! Signing in with a password.

use std::net::IpAddr;

use model::{Email, Session, Timestamp, User, UserId};

use super::attempts::Counted;
use super::token::{Kind, Token};
use crate::{Error, Result, Service};

/// Where a request comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Client<'a> {
    /// Its address, if it came over a network.
    pub address: Option<IpAddr>,
    /// What its program calls itself.
    pub agent: Option<&'a str>,
}

/// A session that has just begun.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// What proves it; shown now and never again.
    pub token: Token,
    /// Whose it is.
    pub user: User,
    /// When it ends by itself.
    pub ends_at: Timestamp,
}

/// How much is kept of what a program calls itself.
const AGENT_CHARS_MAX: usize = 256;

impl Service {
    /// Begins a session for whoever knows the password. An address that nobody has is answered
    /// like a wrong password, after the same work.
    ///
    /// # Errors
    /// [`Error::WrongPassword`], or [`Error::TooManyAttempts`].
    pub async fn sign_in(
        &self,
        email: &str,
        password: &str,
        client: Client<'_>,
    ) -> Result<NewSession> {
        // What cannot be an address is nobody's.
        let email: Email = email.parse().map_err(|_| Error::WrongPassword)?;
        if let Some(address) = client.address {
            self.take_attempt(Counted::Address(address)).await?;
        }
        self.take_attempt(Counted::Email(&email)).await?;
        let user = self.verify_password(&email, password).await?;
        self.forgive_attempt(Counted::Email(&email)).await?;
        if let Some(address) = client.address {
            self.forgive_attempt(Counted::Address(address)).await?;
        }
        self.begin_session(user, client).await
    }

    async fn verify_password(&self, email: &Email, password: &str) -> Result<User> {
        let nobody = UserId::new(self.now(), rand::random());
        let found = self.catalog().find_user_and_password(email, nobody).await?;
        let kept = found.as_ref().and_then(|(_, kept)| kept.as_ref());
        let is_right = self.passwords().verify(password, kept).await?;
        match found {
            Some((user, _)) if is_right && user.erasing_since.is_none() => Ok(user),
            _ => Err(Error::WrongPassword),
        }
    }

    pub(super) async fn begin_session(&self, user: User, client: Client<'_>) -> Result<NewSession> {
        let token = Token::of_user(Kind::Session, user.id);
        let now = self.now();
        let ends_at = now.after(self.settings().accounts.session_time);
        let agent = client.agent.map(|agent| agent.chars().take(AGENT_CHARS_MAX).collect());
        let session = Session {
            user: user.id,
            hash: token.hash()?,
            generation: user.generation,
            agent,
            created_at: now,
            ttl: ends_at.as_seconds(),
        };
        if !self.catalog().create_session(&session).await? {
            // The password was changed, or the account removed, at this very moment.
            return Err(Error::WrongPassword);
        }
        Ok(NewSession { token, user, ends_at })
    }
}
