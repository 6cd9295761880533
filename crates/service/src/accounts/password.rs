//! Passwords: argon2id, off the async threads, and only so many at once.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc};
use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use model::{PasswordHash, Timestamp, limits};
use tokio::sync::Semaphore;

use super::PasswordCost;
use crate::{Error, Result};

/// A password that may be chosen.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// A password that may not be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPassword {
    /// It could be guessed.
    #[error("a password has at least {chars_min} characters")]
    TooShort {
        /// How many it must have.
        chars_min: usize,
    },
    /// Nobody types that much.
    #[error("a password has at most {} bytes", limits::PASSWORD_BYTES_MAX)]
    TooLong,
}

impl FromStr for Password {
    type Err = BadPassword;

    fn from_str(text: &str) -> std::result::Result<Self, BadPassword> {
        Self::parse(text, limits::PASSWORD_CHARS_MIN)
    }
}

impl Password {
    /// A password for a link.
    ///
    /// # Errors
    /// When it could be guessed, or nobody would type it.
    pub fn for_link(text: &str) -> std::result::Result<Self, BadPassword> {
        Self::parse(text, limits::LINK_PASSWORD_CHARS_MIN)
    }

    fn parse(text: &str, chars_min: usize) -> std::result::Result<Self, BadPassword> {
        if text.chars().count() < chars_min {
            return Err(BadPassword::TooShort { chars_min });
        }
        if text.len() > limits::PASSWORD_BYTES_MAX {
            return Err(BadPassword::TooLong);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// Makes and compares hashes.
pub(crate) struct Passwords {
    argon2: Argon2<'static>,
    /// What nobody's password has: comparing with it takes as long as with a real one.
    nobodys: String,
    running: Arc<Semaphore>,
    waiting: Semaphore,
}

/// Hashes at once. Each takes as much memory as the cost says.
const RUNNING_MAX: usize = 4;
/// Who comes after these is turned away: nobody would wait so long.
const WAITING_MAX: usize = 256;

impl Passwords {
    pub(crate) fn new(cost: PasswordCost) -> Result<Self> {
        let PasswordCost { memory_kib, passes } = cost;
        let params = Params::new(memory_kib, passes, 1, None).map_err(Error::internal)?;
        let salt = STANDARD_NO_PAD.encode(rand::random::<[u8; 16]>());
        let hash = STANDARD_NO_PAD.encode(rand::random::<[u8; 32]>());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            nobodys: format!("$argon2id$v=19$m={memory_kib},t={passes},p=1${salt}${hash}"),
            running: Arc::new(Semaphore::new(cores.min(RUNNING_MAX))),
            waiting: Semaphore::new(WAITING_MAX),
        })
    }

    /// The hash of a new password.
    pub(crate) async fn hash(&self, password: &Password, now: Timestamp) -> Result<PasswordHash> {
        let (argon2, text) = (self.argon2.clone(), password.0.clone());
        let hash = self
            .run(move || argon2.hash_password(text.as_bytes()).map(|hash| hash.to_string()))
            .await?
            .map_err(Error::internal)?;
        Ok(PasswordHash { hash, changed_at: now })
    }

    /// Whether this is the password. Takes as long when there is none.
    pub(crate) async fn verify(&self, given: &str, kept: Option<&PasswordHash>) -> Result<bool> {
        let phc = kept.map_or(&self.nobodys, |kept| &kept.hash).clone();
        // Nobody could have chosen a longer one; whether it is too long costs no less time.
        let fits = given.len() <= limits::PASSWORD_BYTES_MAX;
        let given = if fits { given.to_owned() } else { String::new() };
        let argon2 = self.argon2.clone();
        let verified = move || {
            let hash = phc::PasswordHash::new(&phc)?;
            Ok::<_, phc::Error>(argon2.verify_password(given.as_bytes(), &hash).is_ok())
        };
        let is_right = self.run(verified).await?.map_err(Error::internal)?;
        Ok(is_right && fits && kept.is_some())
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let busy = "too many people sign in at once; try again in a few seconds";
        let _waiting = self
            .waiting
            .try_acquire()
            .map_err(|_| Error::Unavailable { message: busy.to_owned() })?;
        let running = Arc::clone(&self.running).acquire_owned().await.map_err(Error::internal)?;
        let work = move || {
            let done = work();
            drop(running);
            done
        };
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH;

    #[tokio::test]
    async fn a_password_is_right_only_if_it_is_the_one() {
        let passwords = Passwords::new(PasswordCost::for_tests()).unwrap();
        let password = "correct horse".parse().unwrap();
        let kept = passwords.hash(&password, NOW).await.unwrap();
        assert!(kept.hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{}", kept.hash);
        assert!(passwords.verify("correct horse", Some(&kept)).await.unwrap());
        assert!(!passwords.verify("Correct horse", Some(&kept)).await.unwrap());
        assert!(!passwords.verify(&"x".repeat(5000), Some(&kept)).await.unwrap());
        assert!(!passwords.verify("correct horse", None).await.unwrap());
        let again = passwords.hash(&password, NOW).await.unwrap();
        assert_ne!(kept.hash, again.hash, "the salt is random");
    }

    #[test]
    fn who_has_no_password_costs_the_same() {
        let passwords = Passwords::new(PasswordCost::default()).unwrap();
        let nobodys = phc::PasswordHash::new(&passwords.nobodys).unwrap();
        let params = Params::try_from(&nobodys).unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (19 * 1024, 2, 1));
        assert_eq!(nobodys.hash.unwrap().len(), 32);
    }

    #[test]
    fn a_password_has_a_sensible_length() {
        assert_eq!("ninechars".parse::<Password>(), Err(BadPassword::TooShort { chars_min: 10 }));
        assert!(Password::for_link("secret").is_ok());
        assert_eq!(Password::for_link("12345"), Err(BadPassword::TooShort { chars_min: 6 }));
        assert!("tenletters".parse::<Password>().is_ok());
        assert_eq!("x".repeat(1025).parse::<Password>(), Err(BadPassword::TooLong));
        assert!(!format!("{:?}", "tenletters".parse::<Password>()).contains("ten"));
    }
}
