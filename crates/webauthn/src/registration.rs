//! A passkey that was made (section 7.1 of the specification).

use minicbor::Decoder;
use minicbor::decode::Error;

use crate::authenticator_data::AuthenticatorData;
use crate::client_data::{Ceremony, ClientData};
use crate::{Refused, RelyingParty, cbor, credential_id, decode};

/// What a browser hands over after a passkey was made; what is binary, as base64url.
#[derive(Clone, Debug)]
pub struct Registration {
    /// Names the credential.
    pub id: String,
    /// The same.
    pub raw_id: String,
    /// Always `public-key`.
    pub kind: String,
    /// What the browser says.
    pub client_data: String,
    /// What the authenticator says.
    pub attestation_object: String,
}

/// A credential that was made for us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCredential {
    /// Names it.
    pub id: Vec<u8>,
    /// What verifies its signatures, as the authenticator wrote it.
    pub public_key: Vec<u8>,
    /// How often it was used, if the authenticator counts.
    pub sign_count: u32,
    /// Whether it can ever be on more than one device.
    pub is_backup_eligible: bool,
    /// Whether it is.
    pub is_backed_up: bool,
}

impl Registration {
    /// The challenge that it says it answers. Whoever calls must have given it out, and must not
    /// accept it a second time.
    pub fn challenge(&self) -> Result<Vec<u8>, Refused> {
        ClientData::read(&self.client_data).map(ClientData::into_challenge)
    }

    /// The credential, if it was made for this site and in answer to this challenge.
    ///
    /// Who made the authenticator was not asked, so nothing depends on it: a statement of
    /// attestation that comes nevertheless is not looked at.
    pub fn verify(&self, site: &RelyingParty, challenge: &[u8]) -> Result<NewCredential, Refused> {
        let id = credential_id(&self.kind, &self.id, &self.raw_id)?;
        ClientData::read(&self.client_data)?.check(Ceremony::Register, site, challenge)?;
        let attestation = decode(&self.attestation_object)?;
        let said = authenticator_data(&attestation).map_err(|_| Refused::BadAttestation)?;
        let said = AuthenticatorData::read(said)?;
        said.check(site)?;
        let made = said.made.as_ref().ok_or(Refused::BadAuthenticatorData)?;
        if made.id != id {
            return Err(Refused::OtherCredential);
        }
        Ok(NewCredential {
            id,
            public_key: made.key.to_vec(),
            sign_count: said.sign_count,
            is_backup_eligible: said.is_backup_eligible(),
            is_backed_up: said.is_backed_up(),
        })
    }
}

/// The authenticator data in an attestation object.
fn authenticator_data(object: &[u8]) -> Result<&[u8], Error> {
    let mut decoder = Decoder::new(object);
    let (mut format, mut statement_len, mut data) = (None, None, None);
    for _ in 0..cbor::map_len(&mut decoder)? {
        let twice = match decoder.str()? {
            "fmt" => format.replace(decoder.str()?).is_some(),
            "authData" => data.replace(decoder.bytes()?).is_some(),
            "attStmt" => statement_len.replace(skip_map(&mut decoder)?).is_some(),
            _ => return Err(Error::message("it has a part of another name")),
        };
        if twice {
            return Err(Error::message("it has a part twice"));
        }
    }
    let is_whole = decoder.position() == object.len();
    match (format, statement_len, data) {
        // Without attestation there is no statement.
        (Some("none"), Some(0), Some(data)) if is_whole => Ok(data),
        (Some(format), Some(_), Some(data)) if is_whole && format != "none" => Ok(data),
        _ => Err(Error::message("it lacks a part, or has more than it should")),
    }
}

/// How many entries a map has; they are not looked at.
fn skip_map(decoder: &mut Decoder<'_>) -> Result<u64, Error> {
    let len = cbor::map_len(&mut decoder.clone())?;
    cbor::skip(decoder)?;
    Ok(len)
}
