//! Public keys in the form of COSE (RFC 9052 and 9053), and what they verify.

use minicbor::Decoder;
use minicbor::data::Type;
use minicbor::decode::Error;
use ring::signature::{self, UnparsedPublicKey};

use crate::{Refused, cbor};

/// The algorithms that are offered, by their numbers at IANA, dearest first: ES256, EdDSA, RS256.
pub const ALGORITHMS: [i64; 3] = [ES256, EDDSA, RS256];

const ES256: i64 = -7;
const EDDSA: i64 = -8;
const RS256: i64 = -257;

const KTY: i64 = 1;
const ALG: i64 = 3;
const OKP: i64 = 1;
const EC2: i64 = 2;
const RSA: i64 = 3;
const P256: i64 = 1;
const ED25519: i64 = 6;

/// What `ring` takes: 2048 to 8192 bits.
const MODULUS_BYTES: std::ops::RangeInclusive<usize> = 256..=1024;
const EXPONENT_BYTES_MAX: usize = 4;

/// A key that signatures are verified with.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PublicKey<'a> {
    /// A point of P-256, uncompressed.
    Es256([u8; 65]),
    /// A point of Ed25519.
    EdDsa([u8; 32]),
    Rs256 {
        n: &'a [u8],
        e: &'a [u8],
    },
}

impl<'a> PublicKey<'a> {
    /// The key at the beginning of some bytes, and how many it takes.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<(Self, usize), Refused> {
        let mut decoder = Decoder::new(bytes);
        let fields = Fields::read(&mut decoder).map_err(|_| Refused::BadKey)?;
        Ok((fields.key()?, decoder.position()))
    }

    /// Whether this key has signed the message.
    pub(crate) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Refused> {
        let verified = match self {
            Self::Es256(point) => UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_ASN1, point)
                .verify(message, signature),
            Self::EdDsa(point) => {
                UnparsedPublicKey::new(&signature::ED25519, point).verify(message, signature)
            }
            Self::Rs256 { n, e } => signature::RsaPublicKeyComponents { n, e }.verify(
                &signature::RSA_PKCS1_2048_8192_SHA256,
                message,
                signature,
            ),
        };
        verified.map_err(|_| Refused::WrongSignature)
    }
}

/// What a key has at most: kind, algorithm, and three of its own.
const FIELDS_MAX: u64 = 5;

#[derive(Clone, Copy)]
enum Field<'a> {
    Number(i64),
    Bytes(&'a [u8]),
}

/// The labels of a key and what stands there. Labels below zero mean what the kind says.
struct Fields<'a>(Vec<(i64, Field<'a>)>);

impl<'a> Fields<'a> {
    fn read(decoder: &mut Decoder<'a>) -> Result<Self, Error> {
        let len = cbor::map_len(decoder)?;
        if len > FIELDS_MAX {
            return Err(Error::message("a key has no optional parts here"));
        }
        let mut fields: Vec<(i64, Field<'a>)> = Vec::new();
        for _ in 0..len {
            let label = decoder.i64()?;
            if fields.iter().any(|(other, _)| *other == label) {
                return Err(Error::message("a label stands there twice"));
            }
            let field = match decoder.datatype()? {
                Type::Bytes => Field::Bytes(decoder.bytes()?),
                _ => Field::Number(decoder.i64()?),
            };
            fields.push((label, field));
        }
        Ok(Self(fields))
    }

    /// A key of one of the kinds that are offered, with nothing else in it.
    fn key(&self) -> Result<PublicKey<'a>, Refused> {
        let algorithm = self.number(ALG)?;
        if !ALGORITHMS.contains(&algorithm) {
            return Err(Refused::WrongAlgorithm);
        }
        match (algorithm, self.number(KTY)?, self.0.len()) {
            (ES256, EC2, 5) if self.number(-1)? == P256 => {
                let (x, y) = (self.coordinate(-2)?, self.coordinate(-3)?);
                let mut point = [4; 65];
                for (to, from) in point.iter_mut().skip(1).zip(x.into_iter().chain(y)) {
                    *to = from;
                }
                Ok(PublicKey::Es256(point))
            }
            (EDDSA, OKP, 4) if self.number(-1)? == ED25519 => {
                Ok(PublicKey::EdDsa(self.coordinate(-2)?))
            }
            (RS256, RSA, 4) => {
                let (n, e) = (self.bytes(-1)?, self.bytes(-2)?);
                let is_plain = |number: &[u8]| number.first().is_some_and(|first| *first != 0);
                let fits = MODULUS_BYTES.contains(&n.len()) && e.len() <= EXPONENT_BYTES_MAX;
                match fits && is_plain(n) && is_plain(e) {
                    true => Ok(PublicKey::Rs256 { n, e }),
                    false => Err(Refused::BadKey),
                }
            }
            _ => Err(Refused::BadKey),
        }
    }

    fn find(&self, label: i64) -> Option<Field<'a>> {
        self.0.iter().find(|(own, _)| *own == label).map(|(_, field)| *field)
    }

    fn number(&self, label: i64) -> Result<i64, Refused> {
        match self.find(label) {
            Some(Field::Number(number)) => Ok(number),
            _ => Err(Refused::BadKey),
        }
    }

    fn bytes(&self, label: i64) -> Result<&'a [u8], Refused> {
        match self.find(label) {
            Some(Field::Bytes(bytes)) => Ok(bytes),
            _ => Err(Refused::BadKey),
        }
    }

    fn coordinate(&self, label: i64) -> Result<[u8; 32], Refused> {
        self.bytes(label)?.try_into().map_err(|_| Refused::BadKey)
    }
}
