use std::time::Duration;

use model::{ByteRule, Quota, QuotaRule, Role, Subject, WorkKind};
use service::{
    Caller, Client, Error, NewApiKey, NewInvitation, PageRequest, QuotaSource, Scopes, SignUp,
    UserEdit,
};

use crate::world::{PASSWORD, World, address, new_user, password};

fn invitation() -> NewInvitation {
    NewInvitation { role: Role::User, email: None }
}

pub async fn who_may_sign_up_is_a_setting(w: &World) {
    let root = w.administrator("root").await;
    for (sign_up, may) in
        [(SignUp::Closed, false), (SignUp::Invitation, false), (SignUp::Open, true)]
    {
        let service = w.with(|settings| settings.sign_up = sign_up).await;
        let new = new_user(&format!("stranger-{sign_up}"));
        let outcome = service.sign_up(&new, &password(PASSWORD), None, Client::default()).await;
        match outcome {
            Ok(session) => {
                assert!(may, "{sign_up}");
                assert_eq!((session.user.role, session.user.email_verified), (Role::User, false));
            }
            Err(error) => assert!(!may && matches!(error, Error::SignUpClosed), "{error}"),
        }
        let invited = service.create_invitation(&root, &invitation()).await;
        assert_eq!(invited.is_ok(), sign_up != SignUp::Closed);
    }
    let open = w.with(|settings| settings.sign_up = SignUp::Open).await;
    let taken = open.sign_up(&new_user("root"), &password(PASSWORD), None, Client::default()).await;
    assert!(matches!(taken, Err(Error::EmailTaken)));
}

pub async fn an_invitation_lets_one_person_in(w: &World) {
    let root = w.administrator("root").await;
    let person = w.person("ada").await;
    let refused = w.service.create_invitation(&person, &invitation()).await;
    assert!(matches!(refused, Err(Error::NotAdministrator)));
    let new = NewInvitation { role: Role::Administrator, email: None };
    let (token, kept) = w.service.create_invitation(&root, &new).await.unwrap();
    assert_eq!(w.service.find_invitation(token.as_str()).await.unwrap(), kept);
    let accept = async |name: &str, token: &str| {
        let secret = password(PASSWORD);
        w.service.sign_up(&new_user(name), &secret, Some(token), Client::default()).await
    };
    let session = accept("bob", token.as_str()).await.unwrap();
    assert_eq!((session.user.role, session.user.email_verified), (Role::Administrator, false));
    let again = accept("eve", token.as_str()).await;
    assert!(matches!(again, Err(Error::BadInvitation)));

    let (token, kept) = w.service.create_invitation(&root, &invitation()).await.unwrap();
    let page = PageRequest::first(10);
    assert_eq!(
        w.service.list_invitations(&root, &page).await.unwrap().entries,
        std::slice::from_ref(&kept)
    );
    assert!(w.service.list_invitations(&person, &page).await.is_err());
    assert!(w.service.delete_invitation(&person, &kept.hash).await.is_err());
    w.service.delete_invitation(&root, &kept.hash).await.unwrap();
    assert!(matches!(accept("eve", token.as_str()).await, Err(Error::BadInvitation)));

    let (token, _) = w.service.create_invitation(&root, &invitation()).await.unwrap();
    w.advance(Duration::from_secs(8 * 24 * 3600));
    assert!(matches!(accept("eve", token.as_str()).await, Err(Error::BadInvitation)));
    assert!(matches!(accept("eve", "").await, Err(Error::BadInvitation)));
}

pub async fn an_invitation_to_an_address_is_good_for_that_address(w: &World) {
    let root = w.administrator("root").await;
    let email = Some(address("ada").parse().unwrap());
    let new = NewInvitation { role: Role::User, email };
    let (token, _) = w.service.create_invitation(&root, &new).await.unwrap();
    let accept = async |name: &str| {
        let secret = password(PASSWORD);
        let token = Some(token.as_str());
        w.service.sign_up(&new_user(name), &secret, token, Client::default()).await
    };
    assert!(matches!(accept("eve").await, Err(Error::BadInvitation)));
    assert!(accept("ada").await.unwrap().user.email_verified);
}

pub async fn administrators_manage_users_and_nobody_else_does(w: &World) {
    let (root, ada) = (w.administrator("root").await, w.person("ada").await);
    let (service, page) = (&w.service, PageRequest::first(10));
    let emails: Vec<String> = service
        .list_users(&root, &page)
        .await
        .unwrap()
        .entries
        .iter()
        .map(|user| user.email.to_string())
        .collect();
    assert_eq!(emails, [address("ada"), address("root")]);
    let email = address("ada").parse().unwrap();
    assert_eq!(service.find_user_by_email(&root, &email).await.unwrap().id, ada.user);
    assert_eq!(service.find_user(&root, ada.user).await.unwrap().email, email);
    let nobody = address("nobody").parse().unwrap();
    let missing = service.find_user_by_email(&root, &nobody).await;
    assert!(matches!(missing, Err(Error::NotFound { .. })));

    let new = new_user("bob");
    let refused = [
        service.list_users(&ada, &page).await.err(),
        service.find_user_by_email(&ada, &email).await.err(),
        service.find_user(&ada, root.user).await.err(),
        service.create_user(&ada, &new, Role::User, None).await.err(),
        service.reset_password(&ada, root.user, &password(PASSWORD)).await.err(),
        service.set_quota(&ada, ada.user, 1_000_000, 1).await.err(),
        service.find_quota(&ada, root.user).await.err(),
        service.list_quotas(&ada, &page).await.err(),
        service.erase_user(&ada, root.user).await.err(),
    ];
    for (n, error) in refused.iter().enumerate() {
        assert!(matches!(error, Some(Error::NotAdministrator)), "{n}: {error:?}");
    }
    let session = w.sign_in("ada").await.unwrap();
    service.reset_password(&root, ada.user, &password("battery staple")).await.unwrap();
    assert!(service.authenticate(session.token.as_str()).await.is_err());
    assert!(w.sign_in("ada").await.is_err());
    let taken = service.create_user(&root, &new_user("ada"), Role::User, None).await;
    assert!(matches!(taken, Err(Error::EmailTaken)));
}

pub async fn users_change_themselves_but_not_their_role(w: &World) {
    let (root, ada) = (w.administrator("root").await, w.person("ada").await);
    let rename = UserEdit { name: Some("Ada L.".parse().unwrap()), ..UserEdit::default() };
    let edited = w.service.edit_user(&ada, ada.user, Some(1), rename.clone()).await.unwrap();
    assert_eq!((edited.name.as_str(), edited.version), ("Ada L.", 2));
    let late = w.service.edit_user(&ada, ada.user, Some(1), rename.clone()).await;
    assert!(matches!(late, Err(Error::Conflict { current: 2 })));
    let raise = UserEdit { role: Some(Role::Administrator), ..UserEdit::default() };
    let refused = w.service.edit_user(&ada, ada.user, None, raise.clone()).await;
    assert!(matches!(refused, Err(Error::NotAdministrator)));
    let other = w.service.edit_user(&ada, root.user, None, rename).await;
    assert!(matches!(other, Err(Error::NotAdministrator)));
    let raised = w.service.edit_user(&root, ada.user, None, raise).await.unwrap();
    assert_eq!(raised.role, Role::Administrator);

    let bob = w.person("bob").await;
    let to = |name: &str| UserEdit {
        email: Some(address(name).parse().unwrap()),
        ..UserEdit::default()
    };
    let taken = w.service.edit_user(&bob, bob.user, None, to("ada")).await;
    assert!(matches!(taken, Err(Error::EmailTaken)));
    let same = w.service.edit_user(&bob, bob.user, None, to("bob")).await.unwrap();
    assert!(same.email_verified, "nothing has changed");
    let moved = w.service.edit_user(&bob, bob.user, None, to("robert")).await.unwrap();
    assert!(!moved.email_verified, "nobody vouches for that");
    let vouched = w.service.edit_user(&root, bob.user, None, to("bob2")).await.unwrap();
    assert!(vouched.email_verified);
    let picture = model::ImageId::new(w.now(), 1);
    let edit = UserEdit { picture: Some(Some(picture)), ..UserEdit::default() };
    let refused = w.service.edit_user(&bob, bob.user, None, edit).await;
    assert!(matches!(refused, Err(Error::Invalid { field: "picture", .. })));
}

pub async fn the_last_administrator_cannot_go(w: &World) {
    let root = w.administrator("root").await;
    let lower = UserEdit { role: Some(Role::User), ..UserEdit::default() };
    let refused = w.service.edit_user(&root, root.user, None, lower.clone()).await;
    assert!(matches!(refused, Err(Error::LastAdministrator)));
    let refused = w.service.erase_user(&root, root.user).await;
    assert!(matches!(refused, Err(Error::LastAdministrator)));
    let second = w.administrator("second").await;
    w.service.edit_user(&second, root.user, None, lower.clone()).await.unwrap();
    let refused = w.service.edit_user(&second, second.user, None, lower).await;
    assert!(matches!(refused, Err(Error::LastAdministrator)));
}

pub async fn quotas_are_listed_by_what_is_left(w: &World) {
    let (root, ada, bob) =
        (w.administrator("root").await, w.person("ada").await, w.person("bob").await);
    w.service.set_quota(&root, ada.user, 10, 1 << 30).await.unwrap();
    let quota = w.service.set_quota(&root, bob.user, 9, 1 << 30).await.unwrap();
    assert_eq!((quota.images_max, quota.images_left), (9, 9));
    assert_eq!(w.service.find_quota(&bob, bob.user).await.unwrap(), quota);
    let listed = w.service.list_quotas(&root, &PageRequest::first(10)).await.unwrap().entries;
    let order: Vec<_> = listed.iter().map(|(user, _)| user.id).collect();
    assert_eq!(order, [bob.user, ada.user, root.user]);
    let negative = w.service.set_quota(&root, bob.user, -1, 0).await;
    assert!(matches!(negative, Err(Error::Invalid { field: "imagesMax", .. })));
}

pub async fn what_new_accounts_may_keep_is_for_administrators_to_decide(w: &World) {
    let (root, ada) = (w.administrator("root").await, w.person("ada").await);
    let quota = async |caller: &Caller| w.service.find_quota(caller, caller.user).await.unwrap();
    assert_eq!(quota(&ada).await, Quota::default());
    assert_eq!(quota(&root).await, Quota::unlimited(), "the first administrator, however made");
    assert_eq!(quota(&w.administrator("second").await).await, Quota::default());
    let found = w.service.default_quota(&root).await.unwrap();
    assert_eq!((found.rule, found.source), (QuotaRule::default(), QuotaSource::BuiltIn));

    let rule = QuotaRule { images: None, bytes: ByteRule::Bytes(5_000) };
    for refused in [
        w.service.default_quota(&ada).await.err(),
        w.service.set_default_quota(&ada, rule).await.err(),
    ] {
        assert!(matches!(refused, Some(Error::NotAdministrator)));
    }
    let set = w.service.set_default_quota(&root, rule).await.unwrap();
    assert_eq!((set.rule, set.source), (rule, QuotaSource::Administrator));
    let bob = quota(&w.person("bob").await).await;
    assert_eq!((bob.images_limit(), bob.bytes_limit()), (None, Some(5_000)));
    assert_eq!(quota(&ada).await, Quota::default(), "those that there are keep what they have");

    // Here photos are on no disk that a share could be of.
    let share = QuotaRule { images: None, bytes: ByteRule::DiskPercent(10) };
    let refused = w.service.set_default_quota(&root, share).await;
    assert!(matches!(refused, Err(Error::Invalid { field: "diskPercent", .. })));
}

pub async fn an_erased_user_is_shut_out_at_once(w: &World) {
    let ada = w.person("ada").await;
    let session = w.sign_in("ada").await.unwrap();
    let new = NewApiKey { name: "k".parse().unwrap(), scopes: Scopes::all(), expires_at: None };
    let (key, _) = w.service.create_api_key(&ada, &new).await.unwrap();
    w.service.erase_user(&ada, ada.user).await.unwrap();
    for token in [session.token.as_str(), key.as_str()] {
        let refused = w.service.authenticate(token).await;
        assert!(matches!(refused, Err(Error::Unauthenticated)));
    }
    assert!(matches!(w.sign_in("ada").await, Err(Error::WrongPassword)));
    let work = w.catalog().find_work(WorkKind::Erase, Subject::User(ada.user)).await.unwrap();
    assert!(work.is_some());
}

pub async fn others_see_a_name_and_nothing_else(w: &World) {
    let (ada, bob) = (w.person("ada").await, w.person("bob").await);
    let profile = w.service.find_profile(&bob, ada.user).await.unwrap();
    assert_eq!((profile.id, profile.name.as_str()), (ada.user, "ada"));
    let nobody = model::UserId::new(w.now(), 1);
    let missing = w.service.find_profile(&bob, nobody).await;
    assert!(matches!(missing, Err(Error::NotFound { .. })));
}
