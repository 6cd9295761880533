//! What is accepted, and that everything else is refused for the right reason, by an authenticator
//! in software that shares nothing with the code that verifies.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod json;

use serde_json::{Value, json};
use testkit::authenticator::{
    Algorithm, Authenticator, BACKED_UP, BACKUP_ELIGIBLE, HAS_CREDENTIAL, HAS_EXTENSIONS, PRESENT,
    Said, VERIFIED, bytes, decode, encode, int, map, text,
};
use webauthn::{
    Assertion, KnownCredential, NewCredential, Proven, Refused, Registration, RelyingParty,
};

use json::{assertion, registration};

const ORIGIN: &str = "https://photos.example.org";
const ALL: [Algorithm; 3] = [Algorithm::Es256, Algorithm::EdDsa, Algorithm::Rs256];
const CHALLENGE: [u8; 32] = [7; 32];
const USER: &[u8] = b"01ARZ3NDEKTSV4RRFFQ69G5FAV";

fn site() -> RelyingParty {
    RelyingParty::of_origin(ORIGIN).unwrap()
}

fn creation() -> Value {
    json!({
        "rp": { "id": "photos.example.org" },
        "user": { "id": encode(USER) },
        "challenge": encode(&CHALLENGE),
    })
}

fn request() -> Value {
    json!({ "rpId": "photos.example.org", "challenge": encode(&CHALLENGE) })
}

/// What becomes of a passkey that is made so.
fn made(change: impl FnOnce(&mut Said)) -> Result<NewCredential, Refused> {
    let mut device = Authenticator::new(Algorithm::Es256);
    let json = device.register_with(&creation(), ORIGIN, change);
    registration(&json).verify(&site(), &CHALLENGE)
}

fn known<'a>(device: &'a Authenticator, key: &'a [u8], sign_count: u32) -> KnownCredential<'a> {
    KnownCredential {
        id: &device.id,
        public_key: key,
        sign_count,
        is_backup_eligible: false,
        user_handle: USER,
    }
}

/// What becomes of a passkey that is used so, after it was used five times.
fn used(change: impl FnOnce(&mut Said)) -> Result<Proven, Refused> {
    let mut device = Authenticator::new(Algorithm::Es256);
    device.register(&creation(), ORIGIN);
    (device.counts, device.sign_count) = (true, 5);
    let json = device.sign_in_with(&request(), ORIGIN, change);
    let key = device.public_key();
    assertion(&json).verify(&site(), &CHALLENGE, &known(&device, &key, 5))
}

#[test]
fn a_passkey_of_each_algorithm_is_made_and_used() {
    for algorithm in ALL {
        let mut device = Authenticator::new(algorithm);
        device.counts = true;
        let json = device.register(&creation(), ORIGIN);
        let handed = registration(&json);
        assert_eq!(handed.challenge().unwrap(), CHALLENGE);
        let made = handed.verify(&site(), &CHALLENGE).unwrap();
        assert_eq!((&made.id, &made.public_key), (&device.id, &device.public_key()));
        assert!(!made.is_backup_eligible && !made.is_backed_up && made.sign_count == 0);
        let json = device.sign_in(&request(), ORIGIN);
        let handed = assertion(&json);
        assert_eq!(handed.credential_id().unwrap(), device.id);
        assert_eq!(handed.challenge().unwrap(), CHALLENGE);
        let proven = handed.verify(&site(), &CHALLENGE, &known(&device, &made.public_key, 0));
        assert_eq!(proven.unwrap(), Proven { sign_count: 1, is_backed_up: false });
    }
}

#[test]
fn a_passkey_that_is_copied_between_devices_does_not_count() {
    let mut device = Authenticator::new(Algorithm::EdDsa);
    device.flags |= BACKUP_ELIGIBLE;
    let json = device.register(&creation(), ORIGIN);
    let made = registration(&json).verify(&site(), &CHALLENGE).unwrap();
    assert!(made.is_backup_eligible && !made.is_backed_up);
    device.flags |= BACKED_UP;
    for _ in 0..2 {
        let json = device.sign_in(&request(), ORIGIN);
        let known =
            KnownCredential { is_backup_eligible: true, ..known(&device, &made.public_key, 0) };
        let proven = assertion(&json).verify(&site(), &CHALLENGE, &known).unwrap();
        assert_eq!(proven, Proven { sign_count: 0, is_backed_up: true });
    }
}

#[test]
fn what_the_browser_says_must_be_about_this_ceremony_on_this_page() {
    let cases: [(&str, Value, Refused); 9] = [
        ("type", json!("webauthn.other"), Refused::WrongCeremony),
        ("challenge", json!(encode(&[8; 32])), Refused::WrongChallenge),
        ("challenge", json!(encode(&[])), Refused::WrongChallenge),
        ("origin", json!("https://photos.example.org.evil.org"), Refused::WrongOrigin),
        ("origin", json!("https://photos.example.org:8443"), Refused::WrongOrigin),
        ("origin", json!("http://photos.example.org"), Refused::WrongOrigin),
        ("crossOrigin", json!(true), Refused::CrossOrigin),
        ("topOrigin", json!("https://evil.example.org"), Refused::CrossOrigin),
        ("origin", json!(7), Refused::BadClientData),
    ];
    for (field, value, why) in cases {
        let change = |said: &mut Said| said.client_data[field] = value.clone();
        assert_eq!(made(change), Err(why), "{field} {value}");
        assert_eq!(used(change), Err(why), "{field} {value}");
    }
    let create = json!("webauthn.create");
    assert_eq!(used(|said| said.client_data["type"] = create), Err(Refused::WrongCeremony));
    let get = json!("webauthn.get");
    assert_eq!(made(|said| said.client_data["type"] = get), Err(Refused::WrongCeremony));
    let forget = |said: &mut Said| {
        said.client_data.as_object_mut().unwrap().remove("crossOrigin");
        said.client_data["tokenBinding"] = json!({ "status": "supported" });
    };
    assert!(made(forget).is_ok() && used(forget).is_ok(), "older and newer browsers");
}

#[test]
fn the_authenticator_must_be_used_for_this_site_by_somebody_it_knows() {
    let other = |said: &mut Said| said.rp_id = "evil.example.org".to_owned();
    assert_eq!(made(other), Err(Refused::WrongRelyingParty));
    assert_eq!(used(other), Err(Refused::WrongRelyingParty));
    let absent = |said: &mut Said| said.flags &= !PRESENT;
    assert_eq!(made(absent), Err(Refused::NotPresent));
    assert_eq!(used(absent), Err(Refused::NotPresent));
    let unverified = |said: &mut Said| said.flags &= !VERIFIED;
    assert_eq!(made(unverified), Err(Refused::NotVerified));
    assert_eq!(used(unverified), Err(Refused::NotVerified));
    let backed_up = |said: &mut Said| said.flags |= BACKED_UP;
    assert_eq!(made(backed_up), Err(Refused::BackupContradicts));
    assert_eq!(used(backed_up), Err(Refused::BackupContradicts));
    // What could not be copied when it was made never can.
    let eligible = |said: &mut Said| said.flags |= BACKUP_ELIGIBLE;
    assert!(made(eligible).is_ok());
    assert_eq!(used(eligible), Err(Refused::BackupContradicts));
}

#[test]
fn all_places_name_the_same_credential() {
    let kind = |said: &mut Said| said.kind = "password".to_owned();
    assert_eq!(made(kind), Err(Refused::WrongKind));
    assert_eq!(used(kind), Err(Refused::WrongKind));
    let id = |said: &mut Said| said.id = encode(&[1; 32]);
    assert_eq!(made(id), Err(Refused::OtherCredential));
    assert_eq!(used(id), Err(Refused::OtherCredential));
    let both = |said: &mut Said| {
        (said.id, said.raw_id) = (encode(&[1; 32]), encode(&[1; 32]));
    };
    assert_eq!(made(both), Err(Refused::OtherCredential));
    assert_eq!(used(both), Err(Refused::OtherCredential));
    let padded = |said: &mut Said| {
        said.id.push('=');
        said.raw_id.push('=');
    };
    assert_eq!(made(padded), Err(Refused::NotBase64));
    assert_eq!(used(padded), Err(Refused::NotBase64));
    let none = |said: &mut Said| (said.id, said.raw_id) = (String::new(), String::new());
    assert_eq!(made(none), Err(Refused::BadCredentialId));
    assert_eq!(used(none), Err(Refused::BadCredentialId));
}

#[test]
fn an_id_has_1023_bytes_at_most() {
    for (len, refused) in [(1, false), (1023, false), (1024, true), (0, true)] {
        let mut device = Authenticator::new(Algorithm::EdDsa);
        device.id = vec![3; len];
        let json = device.register(&creation(), ORIGIN);
        let outcome = registration(&json).verify(&site(), &CHALLENGE);
        match refused {
            true => assert_eq!(outcome, Err(Refused::BadCredentialId), "{len}"),
            false => assert_eq!(outcome.unwrap().id, device.id, "{len}"),
        }
    }
    let only_inside = |said: &mut Said| {
        let (id, len, _) = said.made.as_mut().unwrap();
        (*id, *len) = (vec![3; 1024], 1024);
    };
    assert_eq!(made(only_inside), Err(Refused::BadCredentialId));
    let longer = |said: &mut Said| said.made.as_mut().unwrap().1 = 60_000;
    assert_eq!(made(longer), Err(Refused::BadCredentialId));
    let beyond = |said: &mut Said| said.made.as_mut().unwrap().1 = 1000;
    assert_eq!(made(beyond), Err(Refused::BadAuthenticatorData));
}

#[test]
fn authenticator_data_is_what_its_flags_say_and_ends_there() {
    let more = |said: &mut Said| said.rest = vec![0];
    assert_eq!(made(more), Err(Refused::BadAuthenticatorData));
    assert_eq!(used(more), Err(Refused::BadAuthenticatorData));
    let none = |said: &mut Said| {
        said.made = None;
        said.flags &= !HAS_CREDENTIAL;
    };
    assert_eq!(made(none), Err(Refused::BadAuthenticatorData));
    let extended = |said: &mut Said| {
        said.flags |= HAS_EXTENSIONS;
        said.rest = map(&[(text("credProtect"), int(2))]);
    };
    assert!(made(extended).is_ok() && used(extended).is_ok());
    for rest in [vec![], int(1), bytes(&[1]), [map(&[]), vec![0]].concat(), vec![0xBF, 0xFF]] {
        let wrong = |said: &mut Said| {
            said.flags |= HAS_EXTENSIONS;
            said.rest.clone_from(&rest);
        };
        assert_eq!(made(wrong), Err(Refused::BadAuthenticatorData), "{rest:x?}");
        assert_eq!(used(wrong), Err(Refused::BadAuthenticatorData), "{rest:x?}");
    }
    // Nothing is made by signing in.
    let device = Authenticator::new(Algorithm::Es256);
    let key = device.public_key();
    let smuggled = |said: &mut Said| {
        said.flags |= HAS_CREDENTIAL;
        said.made = Some((vec![1; 16], 16, key));
    };
    assert_eq!(used(smuggled), Err(Refused::BadAuthenticatorData));
}

#[test]
fn a_statement_of_attestation_is_not_looked_at() {
    let packed = |said: &mut Said| {
        said.format = "packed".to_owned();
        said.statement = map(&[(text("alg"), int(-7)), (text("sig"), bytes(b"nonsense"))]);
    };
    assert!(made(packed).is_ok());
    let contradiction = |said: &mut Said| said.statement = map(&[(text("alg"), int(-7))]);
    assert_eq!(made(contradiction), Err(Refused::BadAttestation));
    let no_map = |said: &mut Said| said.statement = text("none");
    assert_eq!(made(no_map), Err(Refused::BadAttestation));
}

#[test]
fn an_attestation_object_has_its_three_parts_once() {
    let mut device = Authenticator::new(Algorithm::Es256);
    let json = device.register(&creation(), ORIGIN);
    let good = registration(&json);
    let object = decode(&good.attestation_object);
    let entry = |name: &str, value: Vec<u8>| (text(name), value);
    let data = bytes(&[0; 37]);
    for wrong in [
        vec![],
        [object.clone(), vec![0]].concat(),
        object[..object.len() - 1].to_vec(),
        map(&[entry("fmt", text("none")), entry("attStmt", map(&[]))]),
        map(&[entry("attStmt", map(&[])), entry("authData", data.clone())]),
        map(&[
            entry("fmt", text("none")),
            entry("fmt", text("none")),
            entry("attStmt", map(&[])),
            entry("authData", data.clone()),
        ]),
        map(&[
            entry("fmt", text("none")),
            entry("attStmt", map(&[])),
            entry("authData", data),
            entry("epAtt", vec![0xF5]),
        ]),
        map(&[
            entry("fmt", text("none")),
            entry("attStmt", map(&[])),
            entry("authData", text("no bytes")),
        ]),
    ] {
        let attestation_object = encode(&wrong);
        let handed = Registration { attestation_object, ..good.clone() };
        let outcome = handed.verify(&site(), &CHALLENGE);
        assert_eq!(outcome, Err(Refused::BadAttestation), "{wrong:x?}");
    }
    let long = Registration { attestation_object: "A".repeat(70_000), ..good };
    assert_eq!(long.verify(&site(), &CHALLENGE), Err(Refused::TooLong));
}

#[test]
fn a_key_is_of_a_kind_that_is_offered_and_of_its_form() {
    let with_key = |key: Vec<u8>| made(|said| said.made.as_mut().unwrap().2 = key);
    let (x, n) = (bytes(&[1; 32]), bytes(&[1; 256]));
    let ec = |alg: i64, curve: i64, x: &[u8], y: &[u8]| {
        map(&[
            (int(1), int(2)),
            (int(3), int(alg)),
            (int(-1), int(curve)),
            (int(-2), x.to_vec()),
            (int(-3), y.to_vec()),
        ])
    };
    let okp = |curve: i64, x: Vec<u8>| {
        map(&[(int(1), int(1)), (int(3), int(-8)), (int(-1), int(curve)), (int(-2), x)])
    };
    let rsa = |n: Vec<u8>, e: Vec<u8>| {
        map(&[(int(1), int(3)), (int(3), int(-257)), (int(-1), n), (int(-2), e)])
    };
    assert!(with_key(ec(-7, 1, &x, &x)).is_ok());
    assert!(with_key(okp(6, x.clone())).is_ok());
    assert!(with_key(rsa(n.clone(), bytes(&[1, 0, 1]))).is_ok());
    for other in [-35, -36, -37, -258, -65535, 0, 7] {
        assert_eq!(with_key(ec(other, 1, &x, &x)), Err(Refused::WrongAlgorithm), "{other}");
    }
    let optional = map(&[
        (int(1), int(1)),
        (int(3), int(-8)),
        (int(-1), int(6)),
        (int(-2), x.clone()),
        (int(4), int(2)),
    ]);
    let twice = map(&[
        (int(1), int(1)),
        (int(3), int(-8)),
        (int(-1), int(6)),
        (int(-2), x.clone()),
        (int(-2), x.clone()),
    ]);
    for wrong in [
        ec(-7, 2, &x, &x),
        ec(-7, 1, &bytes(&[1; 31]), &x),
        ec(-7, 1, &x, &bytes(&[1; 33])),
        // A compressed point.
        ec(-7, 1, &x, &[0xF5]),
        ec(-8, 6, &x, &x),
        ec(-257, 1, &x, &x),
        okp(4, x.clone()),
        okp(6, bytes(&[1; 33])),
        rsa(bytes(&[1; 128]), bytes(&[1, 0, 1])),
        rsa(bytes(&[1; 1025]), bytes(&[1, 0, 1])),
        rsa(bytes(&[[0].as_slice(), &[1; 256]].concat()), bytes(&[1, 0, 1])),
        rsa(n.clone(), bytes(&[])),
        rsa(n, bytes(&[1; 9])),
        optional,
        twice,
        map(&[(int(3), int(-7))]),
        map(&[(int(1), int(2))]),
        map(&[]),
        vec![],
        vec![0xA5],
        int(1),
        vec![0xBF, 0xFF],
    ] {
        assert_eq!(with_key(wrong.clone()), Err(Refused::BadKey), "{wrong:x?}");
    }
}

#[test]
fn only_the_owner_is_proven_by_the_signature_of_the_credential() {
    let nobody = |said: &mut Said| said.user_handle = None;
    assert_eq!(used(nobody), Err(Refused::WrongUser));
    let other = |said: &mut Said| said.user_handle = Some(b"somebody else".to_vec());
    assert_eq!(used(other), Err(Refused::WrongUser));
    for algorithm in ALL {
        let mut device = Authenticator::new(algorithm);
        device.register(&creation(), ORIGIN);
        let (json, key) = (device.sign_in(&request(), ORIGIN), device.public_key());
        let good = assertion(&json);
        let verify = |handed: &Assertion, key: &[u8]| {
            handed.verify(&site(), &CHALLENGE, &known(&device, key, 0))
        };
        assert!(verify(&good, &key).is_ok());
        let mut signature = decode(&good.signature);
        for at in 0..signature.len() {
            signature[at] ^= 1;
            let handed = Assertion { signature: encode(&signature), ..good.clone() };
            assert_eq!(verify(&handed, &key), Err(Refused::WrongSignature), "{algorithm:?} {at}");
            signature[at] ^= 1;
        }
        let unsigned = Assertion { signature: String::new(), ..good.clone() };
        assert_eq!(verify(&unsigned, &key), Err(Refused::WrongSignature));
        for other in ALL.into_iter().filter(|other| *other != algorithm) {
            let other = Authenticator::new(other).public_key();
            assert_eq!(verify(&good, &other), Err(Refused::WrongSignature), "{algorithm:?}");
        }
        // The same words in another order are not what was signed.
        let client_data: Value = serde_json::from_slice(&decode(&good.client_data)).unwrap();
        let changed = format!(" {client_data}");
        let handed = Assertion { client_data: encode(changed.as_bytes()), ..good.clone() };
        assert_eq!(verify(&handed, &key), Err(Refused::WrongSignature));
    }
}

#[test]
fn a_counter_that_goes_back_or_stands_still_is_that_of_a_copy() {
    for (said, known_count, refused) in
        [(0, 0, false), (1, 0, false), (6, 5, false), (5, 5, true), (4, 5, true), (0, 5, true)]
    {
        let mut device = Authenticator::new(Algorithm::Es256);
        device.register(&creation(), ORIGIN);
        device.sign_count = said;
        let (json, key) = (device.sign_in(&request(), ORIGIN), device.public_key());
        let known = known(&device, &key, known_count);
        let outcome = assertion(&json).verify(&site(), &CHALLENGE, &known);
        match refused {
            true => assert_eq!(outcome, Err(Refused::CounterWentBack), "{said} {known_count}"),
            false => assert_eq!(outcome.unwrap().sign_count, said),
        }
    }
}
