//! What the authenticator says: for which site, how it was used, and which credential it made
//! (section 6.1 of the specification).

use minicbor::Decoder;
use minicbor::data::Type;

use crate::key::PublicKey;
use crate::{CREDENTIAL_ID_BYTES_MAX, Refused, RelyingParty, cbor};

const USER_PRESENT: u8 = 1 << 0;
const USER_VERIFIED: u8 = 1 << 2;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const BACKED_UP: u8 = 1 << 4;
const HAS_CREDENTIAL: u8 = 1 << 6;
const HAS_EXTENSIONS: u8 = 1 << 7;

/// The id of the model of an authenticator, which we do not ask for.
const AAGUID_BYTES: usize = 16;

pub(crate) struct AuthenticatorData<'a> {
    site: [u8; 32],
    flags: u8,
    pub(crate) sign_count: u32,
    /// Only when a credential was made.
    pub(crate) made: Option<MadeCredential<'a>>,
}

pub(crate) struct MadeCredential<'a> {
    pub(crate) id: &'a [u8],
    /// As the authenticator wrote it; it can be read as a [`PublicKey`].
    pub(crate) key: &'a [u8],
}

impl<'a> AuthenticatorData<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Refused> {
        let mut rest = Rest(bytes);
        let site = rest.array()?;
        let [flags] = rest.array()?;
        let sign_count = u32::from_be_bytes(rest.array()?);
        let made = match flags & HAS_CREDENTIAL != 0 {
            true => Some(rest.made_credential()?),
            false => None,
        };
        if flags & HAS_EXTENSIONS != 0 {
            rest.extensions()?;
        }
        match rest.0.is_empty() {
            true => Ok(Self { site, flags, sign_count, made }),
            false => Err(Refused::BadAuthenticatorData),
        }
    }

    /// That it is for this site, and that somebody was there and has shown who they are.
    pub(crate) fn check(&self, site: &RelyingParty) -> Result<(), Refused> {
        site.check_hash(&self.site)?;
        if self.flags & USER_PRESENT == 0 {
            return Err(Refused::NotPresent);
        }
        // A passkey stands for a password, so having the device is not enough.
        if self.flags & USER_VERIFIED == 0 {
            return Err(Refused::NotVerified);
        }
        if self.is_backed_up() && !self.is_backup_eligible() {
            return Err(Refused::BackupContradicts);
        }
        Ok(())
    }

    pub(crate) fn is_backup_eligible(&self) -> bool {
        self.flags & BACKUP_ELIGIBLE != 0
    }

    pub(crate) fn is_backed_up(&self) -> bool {
        self.flags & BACKED_UP != 0
    }
}

/// What was not read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Refused> {
        let (first, rest) = self.0.split_first_chunk().ok_or(Refused::BadAuthenticatorData)?;
        self.0 = rest;
        Ok(*first)
    }

    fn bytes(&mut self, len: usize) -> Result<&'a [u8], Refused> {
        let (first, rest) = self.0.split_at_checked(len).ok_or(Refused::BadAuthenticatorData)?;
        self.0 = rest;
        Ok(first)
    }

    fn made_credential(&mut self) -> Result<MadeCredential<'a>, Refused> {
        self.bytes(AAGUID_BYTES)?;
        let len = usize::from(u16::from_be_bytes(self.array()?));
        if len == 0 || len > CREDENTIAL_ID_BYTES_MAX {
            return Err(Refused::BadCredentialId);
        }
        let id = self.bytes(len)?;
        let (_, key_len) = PublicKey::read(self.0)?;
        Ok(MadeCredential { id, key: self.bytes(key_len)? })
    }

    /// None was asked for, and what comes nevertheless changes nothing.
    fn extensions(&mut self) -> Result<(), Refused> {
        let mut decoder = Decoder::new(self.0);
        let is_map = decoder.datatype().is_ok_and(|kind| kind == Type::Map);
        match is_map && cbor::skip(&mut decoder).is_ok() {
            true => self.bytes(decoder.position()).map(|_| ()),
            false => Err(Refused::BadAuthenticatorData),
        }
    }
}
