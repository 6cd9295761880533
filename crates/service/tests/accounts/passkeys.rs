use std::time::Duration;

use futures::future::join_all;
use serde_json::{Value, json};
use service::{
    Assertion, Authenticated, Caller, Error, NewSession, PageRequest, ProvenIdentity, Registration,
    RelyingParty, Scope,
};
use service::{Client, NewApiKey};
use testkit::authenticator::{Algorithm, Authenticator, BACKED_UP, BACKUP_ELIGIBLE, Said, encode};

use crate::passkey_json::{assertion, registration};
use crate::world::{PASSWORD, World, address, from, password};

const ORIGIN: &str = "https://photos.example.org";

fn site() -> RelyingParty {
    RelyingParty::of_origin(ORIGIN).unwrap()
}

/// Somebody at a browser.
async fn browser(w: &World, name: &str) -> Authenticated {
    w.person(name).await;
    let session = w.sign_in(name).await.unwrap();
    w.service.authenticate(session.token.as_str()).await.unwrap()
}

async fn creation(w: &World, who: &Authenticated) -> Value {
    let offer = w.service.offer_passkey(who).await.unwrap();
    json!({
        "rp": { "id": "photos.example.org" },
        "user": { "id": offer.user_handle },
        "challenge": offer.challenge,
    })
}

async fn request(w: &World) -> Value {
    let challenge = w.service.offer_passkey_sign_in().await.unwrap();
    json!({ "rpId": "photos.example.org", "challenge": challenge })
}

async fn add(
    w: &World,
    who: &Authenticated,
    device: &mut Authenticator,
) -> service::Result<model::Passkey> {
    let made = registration(&device.register(&creation(w, who).await, ORIGIN));
    w.service.add_passkey(who, &site(), &"Phone".parse().unwrap(), &made).await
}

async fn enter(w: &World, used: &Assertion) -> service::Result<NewSession> {
    w.service.sign_in_by_passkey(&site(), used, Client::default()).await
}

async fn sign_in(w: &World, device: &mut Authenticator) -> service::Result<NewSession> {
    enter(w, &assertion(&device.sign_in(&request(w).await, ORIGIN))).await
}

async fn sign_in_with(
    w: &World,
    device: &mut Authenticator,
    change: impl FnOnce(&mut Said),
) -> service::Result<NewSession> {
    enter(w, &assertion(&device.sign_in_with(&request(w).await, ORIGIN, change))).await
}

pub async fn a_passkey_opens_a_session_like_any_other(w: &World) {
    let ada = browser(w, "ada").await;
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa, Algorithm::Rs256] {
        let mut device = Authenticator::new(algorithm);
        device.counts = true;
        let kept = add(w, &ada, &mut device).await.unwrap();
        assert_eq!((kept.user, kept.last_used_at), (ada.caller.user, None));
        w.advance(Duration::from_secs(60));
        for uses in 1..=2 {
            let session = sign_in(w, &mut device).await.unwrap();
            let known = w.service.authenticate(session.token.as_str()).await.unwrap();
            assert_eq!(known.caller, ada.caller);
            assert!(known.proof.session().is_some());
            let listed = w.service.list_passkeys(&ada.caller).await.unwrap();
            let used = listed.iter().find(|passkey| passkey.hash == kept.hash).unwrap();
            assert_eq!((used.sign_count, used.last_used_at), (uses, Some(w.now())));
        }
    }
    let sessions = w.service.list_sessions(&ada.caller, &PageRequest::first(20)).await.unwrap();
    assert_eq!(sessions.entries.len(), 7);
    let listed = w.service.list_passkeys(&ada.caller).await.unwrap();
    let sorted = listed.is_sorted_by_key(|passkey| passkey.created_at);
    assert!(listed.len() == 3 && sorted, "oldest first");
}

pub async fn a_challenge_is_good_for_five_minutes_one_answer_and_one_user(w: &World) {
    let (ada, bob) = (browser(w, "ada").await, browser(w, "bob").await);
    let name = "Phone".parse().unwrap();
    let mut device = Authenticator::new(Algorithm::EdDsa);
    let add = async |who: &Authenticated, made: &Registration| {
        w.service.add_passkey(who, &site(), &name, made).await
    };
    let made = registration(&device.register(&creation(w, &ada).await, ORIGIN));
    let refused = add(&bob, &made).await;
    assert!(matches!(refused, Err(Error::PasskeyTooLate)), "it was for ada");
    w.advance(Duration::from_secs(299));
    add(&ada, &made).await.unwrap();
    assert!(matches!(add(&ada, &made).await, Err(Error::PasskeyTooLate)), "once");
    let made = registration(&device.register(&creation(w, &ada).await, ORIGIN));
    w.advance(Duration::from_secs(302));
    assert!(matches!(add(&ada, &made).await, Err(Error::PasskeyTooLate)), "in time");

    let used = assertion(&device.sign_in(&request(w).await, ORIGIN));
    assert!(enter(w, &used).await.is_ok());
    assert!(matches!(enter(w, &used).await, Err(Error::BadPasskey)), "once");
    let used = assertion(&device.sign_in(&request(w).await, ORIGIN));
    let at_once = join_all((0..5).map(|_| enter(w, &used))).await;
    assert_eq!(at_once.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let used = assertion(&device.sign_in(&request(w).await, ORIGIN));
    w.advance(Duration::from_secs(302));
    assert!(matches!(enter(w, &used).await, Err(Error::BadPasskey)), "in time");
    // Challenges of one ceremony are worth nothing in the other.
    let creation = creation(w, &ada).await;
    let asked = json!({ "rpId": "photos.example.org", "challenge": creation["challenge"] });
    let used = assertion(&device.sign_in(&asked, ORIGIN));
    assert!(matches!(enter(w, &used).await, Err(Error::BadPasskey)));
    let mut asked = creation;
    asked["challenge"] = request(w).await["challenge"].clone();
    let made = registration(&device.register(&asked, ORIGIN));
    assert!(matches!(add(&ada, &made).await, Err(Error::PasskeyTooLate)));
    // Nor are those that somebody made up.
    asked["challenge"] = json!(encode(&[1; 32]));
    let made = registration(&device.register(&asked, ORIGIN));
    assert!(matches!(add(&ada, &made).await, Err(Error::PasskeyTooLate)));
    // An answer that is refused uses the challenge up, too.
    let asked = request(w).await;
    let wrong = device.sign_in(&asked, "https://evil.example.org");
    assert!(matches!(enter(w, &assertion(&wrong)).await, Err(Error::BadPasskey)));
    let right = device.sign_in(&asked, ORIGIN);
    assert!(matches!(enter(w, &assertion(&right)).await, Err(Error::BadPasskey)));
}

pub async fn whatever_is_wrong_with_a_passkey_looks_alike(w: &World) {
    let (ada, bob) = (browser(w, "ada").await, browser(w, "bob").await);
    let mut device = Authenticator::new(Algorithm::Es256);
    add(w, &ada, &mut device).await.unwrap();
    let mut of_bob = Authenticator::new(Algorithm::Es256);
    add(w, &bob, &mut of_bob).await.unwrap();
    let mut unknown = Authenticator::new(Algorithm::Es256);
    unknown.user_handle = device.user_handle.clone();
    let mut forged = Authenticator::new(Algorithm::Es256);
    (forged.id, forged.user_handle) = (device.id.clone(), device.user_handle.clone());
    let handle = of_bob.user_handle.clone();
    let mut outcomes = vec![
        sign_in(w, &mut unknown).await,
        sign_in(w, &mut forged).await,
        sign_in_with(w, &mut device, |said| said.user_handle = handle).await,
        sign_in_with(w, &mut device, |said| said.user_handle = None).await,
        sign_in_with(w, &mut device, |said| said.flags = 0).await,
        sign_in_with(w, &mut device, |said| said.rp_id = "evil.example.org".to_owned()).await,
        sign_in_with(w, &mut device, |said| said.id = "?".to_owned()).await,
        sign_in_with(w, &mut device, |said| said.client_data = json!(7)).await,
    ];
    let nothing = String::new;
    let empty = Assertion {
        id: nothing(),
        raw_id: nothing(),
        kind: nothing(),
        client_data: nothing(),
        authenticator_data: nothing(),
        signature: nothing(),
        user_handle: None,
    };
    outcomes.push(enter(w, &empty).await);
    let said: Vec<String> = outcomes.into_iter().map(|o| o.unwrap_err().to_string()).collect();
    let expected = Error::BadPasskey.to_string();
    assert!(said.iter().all(|text| *text == expected), "{said:?}");
    assert!(sign_in(w, &mut device).await.is_ok() && sign_in(w, &mut of_bob).await.is_ok());
}

pub async fn a_copy_of_an_authenticator_is_noticed(w: &World) {
    let ada = browser(w, "ada").await;
    let mut device = Authenticator::new(Algorithm::Es256);
    device.counts = true;
    add(w, &ada, &mut device).await.unwrap();
    for _ in 0..3 {
        sign_in(w, &mut device).await.unwrap();
    }
    for copied in [0, 1, 3] {
        let used = sign_in_with(w, &mut device, |said| said.sign_count = copied).await;
        assert!(matches!(used, Err(Error::BadPasskey)), "{copied}");
    }
    device.sign_count = 3;
    sign_in(w, &mut device).await.unwrap();
    // One that is copied on purpose does not count, and says that it is.
    let mut synced = Authenticator::new(Algorithm::EdDsa);
    synced.flags |= BACKUP_ELIGIBLE;
    let kept = add(w, &ada, &mut synced).await.unwrap();
    assert!(kept.backup_eligible && !kept.backed_up);
    synced.flags |= BACKED_UP;
    for _ in 0..2 {
        sign_in(w, &mut synced).await.unwrap();
    }
    let listed = w.service.list_passkeys(&ada.caller).await.unwrap();
    assert!(listed.iter().any(|passkey| passkey.hash == kept.hash && passkey.backed_up));
}

pub async fn only_a_person_in_a_session_adds_passkeys(w: &World) {
    let ada = browser(w, "ada").await;
    let scopes = [Scope::Read, Scope::Write, Scope::Delete, Scope::Account].into_iter().collect();
    let new = NewApiKey { name: "script".parse().unwrap(), scopes, expires_at: None };
    let (token, _) = w.service.create_api_key(&ada.caller, &new).await.unwrap();
    let key = w.service.authenticate(token.as_str()).await.unwrap();
    let identity = ProvenIdentity {
        issuer: "https://id.example.org".to_owned(),
        subject: "1".to_owned(),
        email: Some(address("ada").parse().unwrap()),
        email_verified: true,
        name: None,
    };
    let provided = w.service.authenticate_identity(&identity).await.unwrap();
    assert_eq!(provided.caller.user, ada.caller.user);
    let mut device = Authenticator::new(Algorithm::EdDsa);
    for program in [key, provided] {
        let refused = w.service.offer_passkey(&program).await;
        assert!(matches!(refused, Err(Error::BrowserOnly)));
        let refused = {
            let made = registration(&device.register(&creation(w, &ada).await, ORIGIN));
            w.service.add_passkey(&program, &site(), &"Phone".parse().unwrap(), &made).await
        };
        assert!(matches!(refused, Err(Error::BrowserOnly)));
    }
    assert!(w.service.list_passkeys(&ada.caller).await.unwrap().is_empty());
    let kept = add(w, &ada, &mut device).await.unwrap();
    // What a key may do with those that there are, its scopes say.
    let reader = Caller { scopes: [Scope::Read].into_iter().collect(), ..ada.caller.clone() };
    let scope_missing = |outcome: Error| matches!(outcome, Error::ScopeMissing { .. });
    assert!(scope_missing(w.service.list_passkeys(&reader).await.unwrap_err()));
    assert!(scope_missing(w.service.delete_passkey(&reader, &kept.hash).await.unwrap_err()));
    let name = "x".parse().unwrap();
    assert!(scope_missing(w.service.rename_passkey(&reader, &kept.hash, &name).await.unwrap_err()));
}

pub async fn passkeys_are_named_and_taken_away_by_their_owner(w: &World) {
    let (ada, bob) = (browser(w, "ada").await, browser(w, "bob").await);
    let mut device = Authenticator::new(Algorithm::Es256);
    let kept = add(w, &ada, &mut device).await.unwrap();
    let again = add(w, &bob, &mut device).await;
    assert!(matches!(again, Err(Error::PasskeyTaken)));
    // What the authenticator knows now is bob, but the passkey is ada's.
    assert!(matches!(sign_in(w, &mut device).await, Err(Error::BadPasskey)));
    let known = w.service.offer_passkey(&ada).await.unwrap();
    assert_eq!(known.known, [encode(&device.id)]);
    device.register(
        &json!({
            "rp": { "id": "photos.example.org" }, "user": { "id": known.user_handle },
            "challenge": known.challenge,
        }),
        ORIGIN,
    );
    let name: model::Name = "Blue key".parse().unwrap();
    let refused = w.service.rename_passkey(&bob.caller, &kept.hash, &name).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })));
    let renamed = w.service.rename_passkey(&ada.caller, &kept.hash, &name).await.unwrap();
    assert_eq!(renamed.name, name);
    let session = sign_in(w, &mut device).await.unwrap();
    let refused = w.service.delete_passkey(&bob.caller, &kept.hash).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })));
    w.service.delete_passkey(&ada.caller, &kept.hash).await.unwrap();
    let refused = w.service.delete_passkey(&ada.caller, &kept.hash).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })));
    assert!(matches!(sign_in(w, &mut device).await, Err(Error::BadPasskey)));
    assert!(w.service.authenticate(session.token.as_str()).await.is_ok(), "the session goes on");
}

pub async fn there_are_twenty_passkeys_at_most(w: &World) {
    let ada = browser(w, "ada").await;
    let mut early = Authenticator::new(Algorithm::EdDsa);
    let early = registration(&early.register(&creation(w, &ada).await, ORIGIN));
    for _ in 0..20 {
        add(w, &ada, &mut Authenticator::new(Algorithm::EdDsa)).await.unwrap();
    }
    let refused = w.service.offer_passkey(&ada).await;
    assert!(matches!(refused, Err(Error::TooManyPasskeys { max: 20 })));
    let name = "One more".parse().unwrap();
    let refused = w.service.add_passkey(&ada, &site(), &name, &early).await;
    assert!(matches!(refused, Err(Error::TooManyPasskeys { max: 20 })));
    let listed = w.service.list_passkeys(&ada.caller).await.unwrap();
    assert_eq!(listed.len(), 20);
    w.service.delete_passkey(&ada.caller, &listed[0].hash).await.unwrap();
    add(w, &ada, &mut Authenticator::new(Algorithm::EdDsa)).await.unwrap();
}

pub async fn a_new_password_leaves_passkeys_and_erasure_does_not(w: &World) {
    w.administrator("root").await;
    let ada = browser(w, "ada").await;
    let mut device = Authenticator::new(Algorithm::Es256);
    add(w, &ada, &mut device).await.unwrap();
    let new = password("battery staple");
    w.service.change_password(&ada.caller, None, Some(PASSWORD), &new).await.unwrap();
    let session = sign_in(w, &mut device).await.unwrap();
    let used = assertion(&device.sign_in(&request(w).await, ORIGIN));
    w.service.erase_user(&ada.caller, ada.caller.user).await.unwrap();
    assert!(w.service.authenticate(session.token.as_str()).await.is_err());
    assert!(matches!(enter(w, &used).await, Err(Error::BadPasskey)));
    assert!(matches!(sign_in(w, &mut device).await, Err(Error::BadPasskey)));
}

pub async fn bad_passkeys_are_counted_with_bad_passwords_from_one_place(w: &World) {
    let ada = browser(w, "ada").await;
    let (mut device, mut stranger) =
        (Authenticator::new(Algorithm::EdDsa), Authenticator::new(Algorithm::EdDsa));
    add(w, &ada, &mut device).await.unwrap();
    stranger.user_handle = device.user_handle.clone();
    let enter = async |device: &mut Authenticator, place: &str| {
        let used = assertion(&device.sign_in(&request(w).await, ORIGIN));
        w.service.sign_in_by_passkey(&site(), &used, from(place)).await
    };
    for _ in 0..9 {
        assert!(enter(&mut device, "192.0.2.1").await.is_ok(), "good ones do not count");
    }
    for _ in 0..4 {
        assert!(matches!(enter(&mut stranger, "192.0.2.1").await, Err(Error::BadPasskey)));
    }
    let wrong = w.service.sign_in(&address("bob"), "wrong password", from("192.0.2.1")).await;
    assert!(matches!(wrong, Err(Error::WrongPassword)));
    let refused = enter(&mut device, "192.0.2.1").await;
    assert!(matches!(refused, Err(Error::TooManyAttempts { .. })));
    assert!(enter(&mut device, "192.0.2.2").await.is_ok(), "the account is open elsewhere");
}
