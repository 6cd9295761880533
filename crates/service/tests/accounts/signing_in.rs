use std::time::Duration;

use model::{ByteRule, Quota, QuotaRule, Role};
use service::{Caller, Client, Error, PageRequest, Proof, ProvenIdentity};

use crate::world::{PASSWORD, World, address, from, new_user, password};

pub async fn set_up_makes_one_administrator_with_the_newest_link(w: &World) {
    let service = &w.service;
    assert!(service.is_set_up_open().await.unwrap());
    let old = service.offer_set_up().await.unwrap().unwrap();
    let token = service.offer_set_up().await.unwrap().unwrap();
    let set_up = async |token: &str, name: &str| {
        let wish = Some(QuotaRule { images: Some(7), bytes: ByteRule::Unlimited });
        let password = password(PASSWORD);
        service.set_up(token, &new_user(name), &password, wish, Client::default()).await
    };
    for wrong in [old.as_str(), "", "ftu_guess"] {
        assert!(matches!(set_up(wrong, "eve").await, Err(Error::BadSetUp)), "{wrong}");
    }
    let session = set_up(token.as_str(), "ada").await.unwrap();
    assert_eq!(session.user.role, Role::Administrator);
    let known = service.authenticate(session.token.as_str()).await.unwrap();
    assert!(known.caller.require_administrator().is_ok());
    assert!(matches!(set_up(token.as_str(), "eve").await, Err(Error::BadSetUp)));
    assert!(!service.is_set_up_open().await.unwrap());
    assert_eq!(service.offer_set_up().await.unwrap(), None);
    // Whoever sets it up has no limit; later accounts have what was decided with it.
    let root = Caller::new(session.user.id, session.user.role);
    assert_eq!(service.find_quota(&root, root.user).await.unwrap(), Quota::unlimited());
    let bob = w.person("bob").await;
    let theirs = service.find_quota(&bob, bob.user).await.unwrap();
    assert_eq!((theirs.images_limit(), theirs.bytes_limit()), (Some(7), None));
    assert!(w.sign_in("ada").await.is_ok());
}

pub async fn a_password_opens_a_session_until_it_is_ended(w: &World) {
    let ada = w.person("ada").await;
    let client = Client { agent: Some("curl/8"), ..Client::default() };
    let session = w.service.sign_in(" ADA@example.org", PASSWORD, client).await.unwrap();
    let known = w.service.authenticate(session.token.as_str()).await.unwrap();
    assert_eq!(known.caller, ada);
    let Proof::Session(hash) = &known.proof else { panic!("{known:?}") };
    let listed = w.service.list_sessions(&ada, &PageRequest::first(10)).await.unwrap().entries;
    assert_eq!((listed.len(), listed[0].agent.as_deref()), (1, Some("curl/8")));
    w.service.sign_out(&known.caller, hash).await.unwrap();
    w.service.sign_out(&known.caller, hash).await.unwrap();
    let again = w.service.authenticate(session.token.as_str()).await;
    assert!(matches!(again, Err(Error::Unauthenticated)));
    for nonsense in ["", "fts_", session.token.as_str().get(..40).unwrap()] {
        let unknown = w.service.authenticate(nonsense).await;
        assert!(matches!(unknown, Err(Error::Unauthenticated)), "{nonsense}");
    }
}

pub async fn a_session_ends_by_itself(w: &World) {
    w.person("ada").await;
    let session = w.sign_in("ada").await.unwrap();
    w.advance(Duration::from_secs(29 * 24 * 3600));
    assert!(w.service.authenticate(session.token.as_str()).await.is_ok());
    w.advance(Duration::from_secs(25 * 3600));
    let ended = w.service.authenticate(session.token.as_str()).await;
    assert!(matches!(ended, Err(Error::Unauthenticated)));
}

pub async fn wrong_addresses_and_wrong_passwords_look_alike(w: &World) {
    w.person("ada").await;
    for (email, given) in [
        (address("ada"), "wrong"),
        (address("nobody"), PASSWORD),
        ("no address".to_owned(), PASSWORD),
        (address("ada"), ""),
    ] {
        let error = w.service.sign_in(&email, given, Client::default()).await.unwrap_err();
        assert!(matches!(error, Error::WrongPassword), "{email} {error}");
    }
}

pub async fn attempts_are_limited_by_account_and_by_place(w: &World) {
    w.person("ada").await;
    w.person("bob").await;
    let try_in = async |name: &str, given: &str, place: &str| {
        w.service.sign_in(&address(name), given, from(place)).await
    };
    // Whether there is such an account makes no difference.
    for name in ["ada", "nobody"] {
        for n in 0..3 {
            let place = format!("192.0.2.{n}");
            let wrong = try_in(name, "wrong password", &place).await;
            assert!(matches!(wrong, Err(Error::WrongPassword)));
        }
        match try_in(name, PASSWORD, "192.0.2.9").await {
            Err(Error::TooManyAttempts { retry_after }) => {
                assert!(retry_after > Duration::from_secs(890), "{retry_after:?}");
                assert!(retry_after <= Duration::from_secs(900), "{retry_after:?}");
            }
            other => panic!("{other:?}"),
        }
    }
    for n in 0..5 {
        let wrong = try_in(&format!("person{n}"), "wrong password", "2001:db8::1").await;
        assert!(matches!(wrong, Err(Error::WrongPassword)));
    }
    let refused = try_in("bob", PASSWORD, "2001:db8::2").await;
    assert!(matches!(refused, Err(Error::TooManyAttempts { .. })), "the same network");
    assert!(try_in("bob", PASSWORD, "2001:db8:0:1::1").await.is_ok(), "another one");
    w.advance(Duration::from_secs(16 * 60));
    assert!(try_in("ada", PASSWORD, "2001:db8::1").await.is_ok());
}

pub async fn good_attempts_do_not_count(w: &World) {
    w.person("ada").await;
    for _ in 0..10 {
        let place = from("192.0.2.1");
        let _ = w.service.sign_in(&address("ada"), "wrong password", place).await;
        assert!(w.service.sign_in(&address("ada"), PASSWORD, Client::default()).await.is_ok());
        if w.service.sign_in(&address("ada"), PASSWORD, place).await.is_err() {
            return;
        }
    }
    panic!("bad attempts from one place were never refused");
}

pub async fn a_new_password_ends_all_other_sessions(w: &World) {
    let ada = w.person("ada").await;
    let (here, there) = (w.sign_in("ada").await.unwrap(), w.sign_in("ada").await.unwrap());
    let known = w.service.authenticate(here.token.as_str()).await.unwrap();
    let kept = known.proof.session();
    let new = password("battery staple");
    let wrong = w.service.change_password(&ada, kept, Some("wrong"), &new).await;
    assert!(matches!(wrong, Err(Error::WrongPassword)));
    let wrong = w.service.change_password(&ada, kept, None, &new).await;
    assert!(matches!(wrong, Err(Error::WrongPassword)));
    w.service.change_password(&ada, kept, Some(PASSWORD), &new).await.unwrap();
    assert!(w.service.authenticate(here.token.as_str()).await.is_ok());
    let ended = w.service.authenticate(there.token.as_str()).await;
    assert!(matches!(ended, Err(Error::Unauthenticated)));
    assert!(matches!(w.sign_in("ada").await, Err(Error::WrongPassword)));
    let signed_in = w.service.sign_in(&address("ada"), "battery staple", Client::default()).await;
    assert!(signed_in.is_ok());
}

pub async fn somebody_without_a_password_can_choose_one(w: &World) {
    let identity = ProvenIdentity {
        issuer: "https://id.example.org".to_owned(),
        subject: "1".to_owned(),
        email: Some(address("ada").parse().unwrap()),
        email_verified: true,
        name: None,
    };
    let session = w.service.sign_in_by_identity(&identity, Client::default()).await.unwrap();
    assert!(matches!(w.sign_in("ada").await, Err(Error::WrongPassword)));
    let known = w.service.authenticate(session.token.as_str()).await.unwrap();
    let kept = known.proof.session();
    w.service.change_password(&known.caller, kept, None, &password(PASSWORD)).await.unwrap();
    assert!(w.sign_in("ada").await.is_ok());
}

pub async fn all_other_sessions_can_be_ended(w: &World) {
    let ada = w.person("ada").await;
    let (here, there) = (w.sign_in("ada").await.unwrap(), w.sign_in("ada").await.unwrap());
    let known = w.service.authenticate(here.token.as_str()).await.unwrap();
    w.service.delete_sessions(&ada, known.proof.session()).await.unwrap();
    assert!(w.service.authenticate(here.token.as_str()).await.is_ok());
    assert!(w.service.authenticate(there.token.as_str()).await.is_err());
    let listed = w.service.list_sessions(&ada, &PageRequest::first(10)).await.unwrap().entries;
    assert_eq!(listed.len(), 1);
    w.service.delete_session(&ada, &listed[0].hash).await.unwrap();
    let again = w.service.delete_session(&ada, &listed[0].hash).await;
    assert!(matches!(again, Err(Error::NotFound { .. })));
}
