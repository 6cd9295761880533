use futures::future::join_all;
use service::{Error, Proof, ProvenIdentity, SignUp, UserEdit};

use crate::world::{PASSWORD, World, address, new_user, password};

fn identity(subject: &str, name: &str, email_verified: bool) -> ProvenIdentity {
    ProvenIdentity {
        issuer: "https://id.example.org".to_owned(),
        subject: subject.to_owned(),
        email: Some(address(name).parse().unwrap()),
        email_verified,
        name: Some(name.parse().unwrap()),
    }
}

pub async fn an_identity_gets_an_account_once(w: &World) {
    let first = w.service.authenticate_identity(&identity("1", "ada", true)).await.unwrap();
    assert_eq!((&first.proof, first.user.name.as_str()), (&Proof::Identity, "ada"));
    // The provider's name for them counts from now on, and not the address.
    let renamed = identity("1", "lovelace", true);
    let again = w.service.authenticate_identity(&renamed).await.unwrap();
    assert_eq!(again.user.id, first.user.id);
    let silent = ProvenIdentity { email: None, ..renamed };
    let again = w.service.authenticate_identity(&silent).await.unwrap();
    assert_eq!(again.user.id, first.user.id);
    let elsewhere = ProvenIdentity { issuer: "https://other.example.org".to_owned(), ..silent };
    let unknown = w.service.authenticate_identity(&elsewhere).await;
    assert!(matches!(unknown, Err(Error::UnknownIdentity)));
    w.service.erase_user(&first.caller, first.user.id).await.unwrap();
    let erased = w.service.authenticate_identity(&identity("1", "ada", true)).await;
    assert!(matches!(erased, Err(Error::UnknownIdentity)));
}

pub async fn an_identity_is_linked_only_if_both_sides_vouch_for_the_address(w: &World) {
    let ada = w.person("ada").await;
    let doubtful = w.service.authenticate_identity(&identity("1", "ada", false)).await;
    assert!(matches!(doubtful, Err(Error::UnknownIdentity)));
    let linked = w.service.authenticate_identity(&identity("1", "ada", true)).await.unwrap();
    assert_eq!(linked.user.id, ada.user);

    // Somebody claims an address that is not theirs, and waits for its owner.
    let open = w.with(|settings| settings.sign_up = SignUp::Open).await;
    let secret = password(PASSWORD);
    let squatter = open.sign_up(&new_user("bob"), &secret, None, Default::default()).await.unwrap();
    let owner = w.service.authenticate_identity(&identity("2", "bob", true)).await;
    assert!(matches!(owner, Err(Error::UnknownIdentity)));
    let root = w.administrator("root").await;
    let away =
        UserEdit { email: Some(address("squatter").parse().unwrap()), ..UserEdit::default() };
    w.service.edit_user(&root, squatter.user.id, None, away).await.unwrap();
    let owner = w.service.authenticate_identity(&identity("2", "bob", true)).await.unwrap();
    assert_ne!(owner.user.id, squatter.user.id);
}

pub async fn without_permission_no_account_is_made(w: &World) {
    let service = w.with(|settings| settings.create_for_identity = false).await;
    let refused = service.authenticate_identity(&identity("1", "ada", true)).await;
    assert!(matches!(refused, Err(Error::UnknownIdentity)));
    let ada = w.person("ada").await;
    let linked = service.authenticate_identity(&identity("1", "ada", true)).await.unwrap();
    assert_eq!(linked.user.id, ada.user);
}

pub async fn many_first_requests_make_one_account(w: &World) {
    let ada = identity("1", "ada", true);
    let asked = (0..8).map(|_| w.service.authenticate_identity(&ada));
    let ids: Vec<_> = join_all(asked).await.into_iter().map(|a| a.unwrap().user.id).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}
