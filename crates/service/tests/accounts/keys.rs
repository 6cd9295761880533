use std::time::Duration;

use service::{Caller, Error, NewApiKey, PageRequest, Scope, Scopes};

use crate::world::World;

fn key(scopes: &[Scope]) -> NewApiKey {
    let name = "script".parse().unwrap();
    NewApiKey { name, scopes: scopes.iter().copied().collect(), expires_at: None }
}

pub async fn a_key_does_what_its_scopes_say_until_it_ends(w: &World) {
    let ada = w.administrator("ada").await;
    let expires_at = Some(w.now().after(Duration::from_secs(60)));
    let new = NewApiKey { expires_at, ..key(&[Scope::Read]) };
    let (token, kept) = w.service.create_api_key(&ada, &new).await.unwrap();
    assert_eq!((kept.owner, kept.scopes.as_slice()), (ada.user, &["read".to_owned()][..]));
    let known = w.service.authenticate(token.as_str()).await.unwrap().caller;
    assert_eq!((known.user, known.require(Scope::Read).is_ok()), (ada.user, true));
    assert!(matches!(known.require(Scope::Write), Err(Error::ScopeMissing { .. })));
    assert!(known.require_administrator().is_err(), "not even an administrator's");
    w.advance(Duration::from_secs(62));
    let ended = w.service.authenticate(token.as_str()).await;
    assert!(matches!(ended, Err(Error::Unauthenticated)));
    let past = NewApiKey { expires_at, ..key(&[Scope::Read]) };
    let refused = w.service.create_api_key(&ada, &past).await;
    assert!(matches!(refused, Err(Error::Invalid { field: "expiresAt", .. })));
    let refused = w.service.create_api_key(&ada, &key(&[])).await;
    assert!(matches!(refused, Err(Error::Invalid { field: "scopes", .. })));
}

pub async fn a_key_cannot_make_a_stronger_one(w: &World) {
    let ada = w.person("ada").await;
    let weak = Caller { scopes: [Scope::Read, Scope::Account].into_iter().collect(), ..ada };
    let stronger = w.service.create_api_key(&weak, &key(&[Scope::Delete])).await;
    assert!(matches!(stronger, Err(Error::ScopeMissing { scope: Scope::Delete })));
    assert!(w.service.create_api_key(&weak, &key(&[Scope::Read])).await.is_ok());
    let reader = Caller { scopes: [Scope::Read].into_iter().collect(), ..weak };
    let refused = w.service.create_api_key(&reader, &key(&[Scope::Read])).await;
    assert!(matches!(refused, Err(Error::ScopeMissing { scope: Scope::Account })));
    let page = PageRequest::first(10);
    assert!(w.service.list_api_keys(&reader, &page).await.is_err());
}

pub async fn a_key_is_nobodys_but_its_owners(w: &World) {
    let (ada, bob) = (w.person("ada").await, w.person("bob").await);
    let everything: Vec<Scope> = Scopes::all().iter().collect();
    let (token, kept) = w.service.create_api_key(&ada, &key(&everything)).await.unwrap();
    let page = PageRequest::first(10);
    assert!(w.service.list_api_keys(&bob, &page).await.unwrap().entries.is_empty());
    let refused = w.service.delete_api_key(&bob, &kept.hash).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })));
    assert!(w.service.authenticate(token.as_str()).await.is_ok());
    assert_eq!(
        w.service.list_api_keys(&ada, &page).await.unwrap().entries,
        std::slice::from_ref(&kept)
    );
    w.service.delete_api_key(&ada, &kept.hash).await.unwrap();
    assert!(w.service.authenticate(token.as_str()).await.is_err());
}
