//! A passkey that was used (section 7.2 of the specification).

use ring::digest;

use crate::authenticator_data::AuthenticatorData;
use crate::client_data::{Ceremony, ClientData};
use crate::key::PublicKey;
use crate::{Refused, RelyingParty, credential_id, decode};

/// What a browser hands over after a passkey was used; what is binary, as base64url.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// Names the credential.
    pub id: String,
    /// The same.
    pub raw_id: String,
    /// Always `public-key`.
    pub kind: String,
    /// What the browser says.
    pub client_data: String,
    /// What the authenticator says.
    pub authenticator_data: String,
    /// The credential's signature of both.
    pub signature: String,
    /// For whom the credential was made.
    pub user_handle: Option<String>,
}

/// A credential that was registered.
#[derive(Clone, Copy, Debug)]
pub struct KnownCredential<'a> {
    /// Names it.
    pub id: &'a [u8],
    /// What verifies its signatures.
    pub public_key: &'a [u8],
    /// How often it was used.
    pub sign_count: u32,
    /// Whether it can ever be on more than one device.
    pub is_backup_eligible: bool,
    /// For whom it was made, by the handle that was told when it was.
    pub user_handle: &'a [u8],
}

/// That a credential was used, and what is to be remembered of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// How often it was used until now.
    pub sign_count: u32,
    /// Whether it is on more than one device.
    pub is_backed_up: bool,
}

impl Assertion {
    /// The challenge that it says it answers. Whoever calls must have given it out, and must not
    /// accept it a second time.
    pub fn challenge(&self) -> Result<Vec<u8>, Refused> {
        ClientData::read(&self.client_data).map(ClientData::into_challenge)
    }

    /// The credential that it says was used.
    pub fn credential_id(&self) -> Result<Vec<u8>, Refused> {
        credential_id(&self.kind, &self.id, &self.raw_id)
    }

    /// That this credential was used on this site, by its owner, in answer to this challenge.
    pub fn verify(
        &self,
        site: &RelyingParty,
        challenge: &[u8],
        known: &KnownCredential<'_>,
    ) -> Result<Proven, Refused> {
        if self.credential_id()? != known.id {
            return Err(Refused::OtherCredential);
        }
        // Nobody said beforehand who they are, so the authenticator must.
        let handle = self.user_handle.as_deref().ok_or(Refused::WrongUser)?;
        if decode(handle)? != known.user_handle {
            return Err(Refused::WrongUser);
        }
        let client_data = ClientData::read(&self.client_data)?;
        client_data.check(Ceremony::SignIn, site, challenge)?;
        let bytes = decode(&self.authenticator_data)?;
        let said = AuthenticatorData::read(&bytes)?;
        said.check(site)?;
        if said.made.is_some() {
            return Err(Refused::BadAuthenticatorData);
        }
        if said.is_backup_eligible() != known.is_backup_eligible {
            return Err(Refused::BackupContradicts);
        }
        let hash = digest::digest(&digest::SHA256, &client_data.bytes);
        let signed = [bytes.as_slice(), hash.as_ref()].concat();
        let (key, _) = PublicKey::read(known.public_key)?;
        key.verify(&signed, &decode(&self.signature)?)?;
        // Last, since only the credential itself can say so.
        let counts = said.sign_count != 0 || known.sign_count != 0;
        if counts && said.sign_count <= known.sign_count {
            return Err(Refused::CounterWentBack);
        }
        Ok(Proven { sign_count: said.sign_count, is_backed_up: said.is_backed_up() })
    }
}
