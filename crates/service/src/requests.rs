//! Requests with a key of their client's: a repeated one is answered as the first was.

use std::time::Duration;

use catalog::{ClaimedRequest, KeyedRequest};
use model::{AlbumId, LinkId, Timestamp};
use sha2::{Digest, Sha256};

use crate::hex::hex;
use crate::{Caller, Error, Result, Scope, Service};

/// How long a request may be worked on. Longer than any is let run.
const LEASE: Duration = Duration::from_secs(60);
const KEY_BYTES_MAX: usize = 255;

/// What becomes of a request with a key.
#[derive(Debug)]
pub enum Claimed {
    /// It is to be worked on, and then answered or forgotten.
    Claimed(RequestClaim),
    /// It was answered before, like this.
    Answered(Vec<u8>),
}

/// A request that is being worked on.
#[derive(Clone, Debug)]
pub struct RequestClaim {
    request: KeyedRequest,
    once: Once,
}

/// What the ids of something new are made of. For a request with a key they are the same however
/// often it is begun, so that it makes one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Once {
    at: Timestamp,
    random: u128,
}

impl RequestClaim {
    /// What the ids of what it makes are made of.
    pub fn once(&self) -> Once {
        self.once
    }
}

impl Once {
    pub(crate) fn new(now: Timestamp) -> Self {
        Self { at: now, random: rand::random() }
    }

    pub(crate) fn album(self) -> AlbumId {
        AlbumId::new(self.at, self.random)
    }

    pub(crate) fn link(self) -> LinkId {
        LinkId::new(self.at, self.random)
    }
}

impl Service {
    /// What the ids of something new are made of.
    pub fn once(&self) -> Once {
        Once::new(self.now())
    }

    /// Claims a request that says this, unless it was answered before.
    ///
    /// # Errors
    /// [`Error::KeyTaken`] if it said something else before, and [`Error::RequestRunning`] if it is
    /// being worked on.
    pub async fn claim_request(&self, caller: &Caller, key: &str, said: &[u8]) -> Result<Claimed> {
        // Whoever may not change anything shall not read answers of those who may.
        caller.require(Scope::Write)?;
        check_key(key)?;
        let request = KeyedRequest {
            user: caller.user,
            key: key.to_owned(),
            said: hex(&Sha256::digest(said)),
            claim: hex(&rand::random::<[u8; 16]>()),
            lease: LEASE,
        };
        match self.catalog().claim_request(&request, self.now()).await? {
            ClaimedRequest::Claimed { begun } => {
                let once = Once { at: begun, random: random_of(&request) };
                Ok(Claimed::Claimed(RequestClaim { request, once }))
            }
            ClaimedRequest::Answered(answer) => Ok(Claimed::Answered(answer)),
            ClaimedRequest::Running => Err(Error::RequestRunning),
            ClaimedRequest::KeyTaken => Err(Error::KeyTaken),
        }
    }

    /// Keeps the answer of a request for whoever repeats it.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn answer_request(&self, claim: &RequestClaim, answer: Vec<u8>) -> Result<()> {
        Ok(self.catalog().answer_request(&claim.request, answer).await?)
    }

    /// Lets somebody else work on a request at once, because it is not known what it has changed.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn leave_request(&self, claim: &RequestClaim) -> Result<()> {
        Ok(self.catalog().leave_request(&claim.request).await?)
    }

    /// Frees the key of a request that has changed nothing.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn forget_request(&self, claim: &RequestClaim) -> Result<()> {
        Ok(self.catalog().forget_request(&claim.request).await?)
    }
}

/// Fails unless a text can be the key of a request.
pub(crate) fn check_key(key: &str) -> Result<()> {
    if (1..=KEY_BYTES_MAX).contains(&key.len()) {
        return Ok(());
    }
    let message = format!("has 1 to {KEY_BYTES_MAX} bytes, not {}", key.len());
    Err(Error::invalid("idempotencyKey", message))
}

fn random_of(request: &KeyedRequest) -> u128 {
    let mut hasher = Sha256::new();
    for part in [request.user.to_string().as_str(), &request.key, &request.said] {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
    let hash: [u8; 32] = hasher.finalize().into();
    let half = hash.first_chunk::<16>().copied().unwrap_or_default();
    u128::from_be_bytes(half)
}
