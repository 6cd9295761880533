//! Passwords of links, and the proof that somebody knew one.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::{LinkId, PasswordHash, Timestamp};

use crate::accounts::Counted;
use crate::secret::{Purpose, same};
use crate::{Client, Error, Result, Service};

/// That somebody has just known the password of a link.
#[derive(Clone, Debug)]
pub struct Unlocked {
    /// What proves it, for this link and as long as it has this password.
    pub proof: String,
    /// Until when it does.
    pub until: Timestamp,
}

/// How long nobody is asked again: an evening with an album.
const UNLOCKED_TIME: Duration = Duration::from_secs(4 * 60 * 60);

impl Service {
    /// Proves for a while that somebody knows the password of a link. A link without one needs no
    /// proof, and any password is right.
    ///
    /// # Errors
    /// [`Error::WrongLinkPassword`], [`Error::TooManyAttempts`], and those of
    /// [`admit_guest`](Self::admit_guest) but for [`Error::LinkLocked`].
    pub async fn unlock_link(
        &self,
        token: &str,
        password: &str,
        client: Client<'_>,
    ) -> Result<Unlocked> {
        let link = self.open_link(token).await?;
        let until = self.now().after(UNLOCKED_TIME);
        let Some(kept) = &link.password else {
            return Ok(Unlocked { proof: String::new(), until });
        };
        if let Some(address) = client.address {
            self.take_attempt(Counted::Address(address)).await?;
        }
        self.take_attempt(Counted::Link(link.id)).await?;
        if !self.passwords().verify(password, Some(kept)).await? {
            return Err(Error::WrongLinkPassword);
        }
        self.forgive_attempt(Counted::Link(link.id)).await?;
        if let Some(address) = client.address {
            self.forgive_attempt(Counted::Address(address)).await?;
        }
        let until = Timestamp::from_millis(until.as_seconds().saturating_mul(1000));
        let signature = self.unlock_signature(link.id, kept, until.as_seconds());
        let proof = format!("{}.{}", until.as_seconds(), URL_SAFE_NO_PAD.encode(signature));
        Ok(Unlocked { proof, until })
    }

    pub(super) fn is_unlocked(&self, link: LinkId, password: &PasswordHash, proof: &str) -> bool {
        let Some((until, signature)) = proof.split_once('.') else { return false };
        let Ok(until) = until.parse::<i64>() else { return false };
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        until > self.now().as_seconds()
            && same(&signature, &self.unlock_signature(link, password, until))
    }

    /// Bound to the very hash of the password, whose salt is new for every new password.
    fn unlock_signature(&self, link: LinkId, password: &PasswordHash, until: i64) -> [u8; 32] {
        let (link, until) = (link.to_string(), until.to_be_bytes());
        let parts: [&[u8]; 4] = [b"unlocked", link.as_bytes(), password.hash.as_bytes(), &until];
        self.secret().sign(Purpose::Links, &parts)
    }
}
