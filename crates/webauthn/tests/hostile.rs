//! No bytes make it panic, and none that were changed are accepted.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod json;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use testkit::authenticator::{Algorithm, Authenticator, decode, encode};
use testkit::seed::seed_from_env_or_random;
use webauthn::{Assertion, KnownCredential, Registration, RelyingParty};

const ORIGIN: &str = "http://localhost:8080";
const CHALLENGE: [u8; 32] = [9; 32];
const ROUNDS: usize = 20_000;

fn site() -> RelyingParty {
    RelyingParty::of_origin(ORIGIN).unwrap()
}

fn options() -> Value {
    json!({
        "rp": { "id": "localhost" }, "rpId": "localhost",
        "user": { "id": encode(b"ada") }, "challenge": encode(&CHALLENGE),
    })
}

fn registration(device: &mut Authenticator) -> Registration {
    json::registration(&device.register(&options(), ORIGIN))
}

fn assertion(device: &mut Authenticator) -> Assertion {
    json::assertion(&device.sign_in(&options(), ORIGIN))
}

/// The same bytes with some of them changed, left out, doubled or cut off.
fn damaged(text: &str, random: &mut StdRng) -> String {
    let mut bytes = decode(text);
    for _ in 0..random.random_range(1..4) {
        if bytes.is_empty() {
            break;
        }
        let at = random.random_range(0..bytes.len());
        match random.random_range(0..6) {
            0 => bytes[at] ^= 1 << random.random_range(0..8),
            1 => bytes[at] = random.random(),
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, random.random()),
            4 => bytes.truncate(at),
            _ => bytes.extend_from_within(at..),
        }
    }
    encode(&bytes)
}

fn nonsense(random: &mut StdRng) -> String {
    let len = random.random_range(0..300);
    let bytes: Vec<u8> = (0..len).map(|_| random.random()).collect();
    match random.random_range(0..3) {
        0 => String::from_utf8_lossy(&bytes).into_owned(),
        _ => encode(&bytes),
    }
}

#[test]
fn random_bytes_are_refused() {
    let mut random = StdRng::seed_from_u64(seed_from_env_or_random("random_bytes_are_refused"));
    let mut device = Authenticator::new(Algorithm::Es256);
    let (made, used) = (registration(&mut device), assertion(&mut device));
    let key = device.public_key();
    for _ in 0..ROUNDS {
        let made = match random.random_range(0..3) {
            0 => Registration { client_data: nonsense(&mut random), ..made.clone() },
            1 => Registration { attestation_object: nonsense(&mut random), ..made.clone() },
            _ => Registration { raw_id: nonsense(&mut random), ..made.clone() },
        };
        let _ = made.challenge();
        assert!(made.verify(&site(), &CHALLENGE).is_err(), "{made:?}");
        let used = match random.random_range(0..4) {
            0 => Assertion { client_data: nonsense(&mut random), ..used.clone() },
            1 => Assertion { authenticator_data: nonsense(&mut random), ..used.clone() },
            2 => Assertion { signature: nonsense(&mut random), ..used.clone() },
            _ => Assertion { user_handle: Some(nonsense(&mut random)), ..used.clone() },
        };
        let public_key: Vec<u8> = match random.random() {
            true => key.clone(),
            false => decode(&encode(nonsense(&mut random).as_bytes())),
        };
        let known = KnownCredential {
            id: &device.id,
            public_key: &public_key,
            sign_count: 0,
            is_backup_eligible: false,
            user_handle: b"ada",
        };
        let _ = (used.challenge(), used.credential_id());
        assert!(used.verify(&site(), &CHALLENGE, &known).is_err(), "{used:?}");
    }
}

#[test]
fn what_is_damaged_is_read_without_panic_and_a_signature_covers_all_of_it() {
    let name = "what_is_damaged_is_read_without_panic_and_a_signature_covers_all_of_it";
    let mut random = StdRng::seed_from_u64(seed_from_env_or_random(name));
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa, Algorithm::Rs256] {
        let mut device = Authenticator::new(algorithm);
        let (made, used) = (registration(&mut device), assertion(&mut device));
        let key = device.public_key();
        let known = KnownCredential {
            id: &device.id,
            public_key: &key,
            sign_count: 0,
            is_backup_eligible: false,
            user_handle: b"ada",
        };
        assert!(used.verify(&site(), &CHALLENGE, &known).is_ok());
        for _ in 0..ROUNDS / 3 {
            // Nothing is signed here, so what still reads well may be accepted: another key, say.
            let attestation_object = damaged(&made.attestation_object, &mut random);
            let _ = Registration { attestation_object, ..made.clone() }.verify(&site(), &CHALLENGE);
            let client_data = damaged(&made.client_data, &mut random);
            let _ = Registration { client_data, ..made.clone() }.verify(&site(), &CHALLENGE);

            let data = damaged(&used.authenticator_data, &mut random);
            if data != used.authenticator_data {
                let handed = Assertion { authenticator_data: data, ..used.clone() };
                assert!(handed.verify(&site(), &CHALLENGE, &known).is_err(), "{handed:?}");
            }
            let client_data = damaged(&used.client_data, &mut random);
            if client_data != used.client_data {
                let handed = Assertion { client_data, ..used.clone() };
                let _ = handed.challenge();
                assert!(handed.verify(&site(), &CHALLENGE, &known).is_err(), "{handed:?}");
            }
        }
    }
}
