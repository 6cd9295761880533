//! An authenticator and the browser around it, in software: makes passkeys and signs in with
//! them, as Web Authentication has it, from the options that a server gives out as JSON.
//!
//! It writes every byte itself and shares nothing with what verifies it. Tests may change what it
//! says before it is written and signed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256,
    RsaKeyPair,
};
use serde_json::{Value, json};

/// Nobody's: made for these tests, since making one takes long.
const RSA_KEY: &[u8] = include_bytes!("../fixtures/authenticator-rsa.der");

/// Somebody is there.
pub const PRESENT: u8 = 0x01;
/// They have shown who they are.
pub const VERIFIED: u8 = 0x04;
/// The passkey may be copied to other devices.
pub const BACKUP_ELIGIBLE: u8 = 0x08;
/// It is.
pub const BACKED_UP: u8 = 0x10;
/// A credential follows.
pub const HAS_CREDENTIAL: u8 = 0x40;
/// Extensions follow.
pub const HAS_EXTENSIONS: u8 = 0x80;

/// How a passkey signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// ECDSA on P-256.
    Es256,
    /// Ed25519.
    EdDsa,
    /// RSA with 2048 bits.
    Rs256,
}

/// An authenticator with one passkey, or with none yet.
pub struct Authenticator {
    key: Key,
    /// Names the passkey.
    pub id: Vec<u8>,
    /// How often it was used; stays 0 unless it [counts](Self::counts).
    pub sign_count: u32,
    /// Whether it counts how often it was used. Those that copy passkeys do not.
    pub counts: bool,
    /// For whom the passkey was made.
    pub user_handle: Option<Vec<u8>>,
    /// What it says of itself, whatever is asked.
    pub flags: u8,
}

enum Key {
    Es256(EcdsaKeyPair),
    EdDsa(Ed25519KeyPair),
    Rs256(Box<RsaKeyPair>),
}

/// What is said in a ceremony, before it is written down.
#[derive(Clone, Debug)]
pub struct Said {
    /// Names the passkey, for the browser.
    pub id: String,
    /// The same.
    pub raw_id: String,
    /// The type of credential.
    pub kind: String,
    /// What the browser says.
    pub client_data: Value,
    /// The site.
    pub rp_id: String,
    /// How it was used.
    pub flags: u8,
    /// How often it was used.
    pub sign_count: u32,
    /// The passkey that was made: its id, how long that claims to be, and its public key.
    pub made: Option<(Vec<u8>, u16, Vec<u8>)>,
    /// What stands behind all of it.
    pub rest: Vec<u8>,
    /// The form of attestation.
    pub format: String,
    /// What it attests, as CBOR.
    pub statement: Vec<u8>,
    /// For whom the passkey was made.
    pub user_handle: Option<Vec<u8>>,
}

impl Authenticator {
    /// An authenticator that somebody unlocks by a finger, with nothing in it.
    pub fn new(algorithm: Algorithm) -> Self {
        let random = SystemRandom::new();
        let key = match algorithm {
            Algorithm::Es256 => {
                let form = &ECDSA_P256_SHA256_ASN1_SIGNING;
                let made = EcdsaKeyPair::generate_pkcs8(form, &random).unwrap();
                Key::Es256(EcdsaKeyPair::from_pkcs8(form, made.as_ref(), &random).unwrap())
            }
            Algorithm::EdDsa => {
                let made = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
                Key::EdDsa(Ed25519KeyPair::from_pkcs8(made.as_ref()).unwrap())
            }
            Algorithm::Rs256 => Key::Rs256(Box::new(RsaKeyPair::from_pkcs8(RSA_KEY).unwrap())),
        };
        Self {
            key,
            id: rand::random::<[u8; 32]>().to_vec(),
            sign_count: 0,
            counts: false,
            user_handle: None,
            flags: PRESENT | VERIFIED,
        }
    }

    /// Makes its passkey by the options of `navigator.credentials.create`, on a page of this
    /// origin. Answers what `toJSON()` of the credential does.
    pub fn register(&mut self, options: &Value, origin: &str) -> Value {
        self.register_with(options, origin, |_| {})
    }

    /// The same, with something else said.
    pub fn register_with(
        &mut self,
        options: &Value,
        origin: &str,
        change: impl FnOnce(&mut Said),
    ) -> Value {
        self.user_handle = options.pointer("/user/id").and_then(Value::as_str).map(decode);
        let mut said = self.said("webauthn.create", options, "/rp/id", origin);
        let id_len = u16::try_from(self.id.len()).unwrap();
        said.flags |= HAS_CREDENTIAL;
        said.made = Some((self.id.clone(), id_len, self.public_key()));
        change(&mut said);
        let object = map(&[
            (text("fmt"), text(&said.format)),
            (text("attStmt"), said.statement.clone()),
            (text("authData"), bytes(&said.authenticator_data())),
        ]);
        said.credential(&json!({
            "clientDataJSON": encode(said.client_data.to_string().as_bytes()),
            "attestationObject": encode(&object),
            "transports": ["internal"],
        }))
    }

    /// Uses its passkey by the options of `navigator.credentials.get`, on a page of this origin.
    pub fn sign_in(&mut self, options: &Value, origin: &str) -> Value {
        self.sign_in_with(options, origin, |_| {})
    }

    /// The same, with something else said, and signed.
    pub fn sign_in_with(
        &mut self,
        options: &Value,
        origin: &str,
        change: impl FnOnce(&mut Said),
    ) -> Value {
        self.sign_count += u32::from(self.counts);
        let mut said = self.said("webauthn.get", options, "/rpId", origin);
        change(&mut said);
        let client_data = said.client_data.to_string();
        let data = said.authenticator_data();
        let hash = digest::digest(&digest::SHA256, client_data.as_bytes());
        let signature = self.sign(&[data.as_slice(), hash.as_ref()].concat());
        said.credential(&json!({
            "clientDataJSON": encode(client_data.as_bytes()),
            "authenticatorData": encode(&data),
            "signature": encode(&signature),
            "userHandle": said.user_handle.as_deref().map(encode),
        }))
    }

    fn said(&self, ceremony: &str, options: &Value, rp_id: &str, origin: &str) -> Said {
        Said {
            id: encode(&self.id),
            raw_id: encode(&self.id),
            kind: "public-key".to_owned(),
            client_data: json!({
                "type": ceremony,
                "challenge": options.get("challenge"),
                "origin": origin,
                "crossOrigin": false,
            }),
            rp_id: options.pointer(rp_id).and_then(Value::as_str).unwrap().to_owned(),
            flags: self.flags,
            sign_count: self.sign_count,
            made: None,
            rest: Vec::new(),
            format: "none".to_owned(),
            statement: map(&[]),
            user_handle: self.user_handle.clone(),
        }
    }

    /// The public key as COSE has it.
    pub fn public_key(&self) -> Vec<u8> {
        match &self.key {
            Key::Es256(key) => {
                let point = key.public_key().as_ref();
                let (x, y) = (point.get(1..33).unwrap(), point.get(33..).unwrap());
                map(&[
                    (int(1), int(2)),
                    (int(3), int(-7)),
                    (int(-1), int(1)),
                    (int(-2), bytes(x)),
                    (int(-3), bytes(y)),
                ])
            }
            Key::EdDsa(key) => map(&[
                (int(1), int(1)),
                (int(3), int(-8)),
                (int(-1), int(6)),
                (int(-2), bytes(key.public_key().as_ref())),
            ]),
            Key::Rs256(key) => {
                let PublicKeyComponents::<Vec<u8>> { n, e } = key.public().into();
                map(&[
                    (int(1), int(3)),
                    (int(3), int(-257)),
                    (int(-1), bytes(&n)),
                    (int(-2), bytes(&e)),
                ])
            }
        }
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.key {
            Key::Es256(key) => key.sign(&random, message).unwrap().as_ref().to_vec(),
            Key::EdDsa(key) => key.sign(message).as_ref().to_vec(),
            Key::Rs256(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).unwrap();
                signature
            }
        }
    }
}

impl Said {
    /// What `toJSON()` gives.
    fn credential(&self, response: &Value) -> Value {
        json!({
            "id": self.id,
            "rawId": self.raw_id,
            "type": self.kind,
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": response,
        })
    }

    fn authenticator_data(&self) -> Vec<u8> {
        let mut data = digest::digest(&digest::SHA256, self.rp_id.as_bytes()).as_ref().to_vec();
        data.push(self.flags);
        data.extend(self.sign_count.to_be_bytes());
        if let Some((id, id_len, key)) = &self.made {
            data.extend([0; 16]);
            data.extend(id_len.to_be_bytes());
            data.extend(id);
            data.extend(key);
        }
        data.extend(&self.rest);
        data
    }
}

/// As browsers write bytes in JSON.
pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Bytes that a browser has written.
pub fn decode(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}

/// An integer in CBOR.
pub fn int(number: i64) -> Vec<u8> {
    match u64::try_from(number) {
        Ok(number) => head(0, number),
        Err(_) => head(1, number.unsigned_abs() - 1),
    }
}

/// Bytes in CBOR.
pub fn bytes(bytes: &[u8]) -> Vec<u8> {
    [head(2, bytes.len() as u64), bytes.to_vec()].concat()
}

/// A text in CBOR.
pub fn text(text: &str) -> Vec<u8> {
    [head(3, text.len() as u64), text.as_bytes().to_vec()].concat()
}

/// A map in CBOR, of what is CBOR already.
pub fn map(entries: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let mut map = head(5, entries.len() as u64);
    for (key, value) in entries {
        map.extend(key);
        map.extend(value);
    }
    map
}

fn head(major: u8, number: u64) -> Vec<u8> {
    let major = major << 5;
    match number {
        0..24 => vec![major | u8::try_from(number).unwrap()],
        24..0x100 => vec![major | 24, u8::try_from(number).unwrap()],
        0x100..0x1_0000 => {
            [vec![major | 25], u16::try_from(number).unwrap().to_be_bytes().to_vec()].concat()
        }
        _ => [vec![major | 27], number.to_be_bytes().to_vec()].concat(),
    }
}
