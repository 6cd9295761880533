use catalog::{CreatedUser, EditedUser, UserEdit};
use futures::future::join_all;
use model::{ApiKey, Quota};

use super::{World, email, expect_list, map};

pub async fn a_user_is_found_by_id_and_by_email(w: &World) {
    let user = w.new_user("ada");
    let _ = w.catalog.create_user(&user, Quota::default()).await.unwrap();
    assert_eq!(w.catalog.find_user(user.id).await.unwrap().as_ref(), Some(&user));
    assert_eq!(w.catalog.find_user_by_email(&email("ADA")).await.unwrap().as_ref(), Some(&user));
    assert_eq!(w.catalog.find_user_by_email(&email("bob")).await.unwrap(), None);
    assert_eq!(w.quota(user.id).await, Quota::default());
    let nobody = w.new_user("nobody").id;
    let found = w.catalog.find_user_and_password(&email("ada"), nobody).await.unwrap();
    assert_eq!(found, Some((user.clone(), None)));
    assert_eq!(w.catalog.find_user_and_password(&email("bob"), nobody).await.unwrap(), None);
    assert_eq!(w.catalog.find_users(&[nobody, user.id, user.id]).await.unwrap(), [user]);
}

pub async fn an_email_belongs_to_one_user(w: &World) {
    let first = w.user("ada").await;
    let second = w.new_user("ada");
    let outcome = w.catalog.create_user(&second, Quota::default()).await.unwrap();
    assert_eq!(outcome, CreatedUser::EmailTaken);
    assert_eq!(w.catalog.find_user(second.id).await.unwrap(), None);
    assert_eq!(w.catalog.find_quota(second.id).await.unwrap(), None);
    let mut same_id = w.new_user("eve");
    same_id.id = first;
    let outcome = w.catalog.create_user(&same_id, Quota::default()).await.unwrap();
    assert_eq!(outcome, CreatedUser::IdTaken);
}

pub async fn many_racers_for_one_email_leave_one_user(w: &World) {
    let racers: Vec<_> = (0..8).map(|_| w.new_user("ada")).collect();
    let outcomes =
        join_all(racers.iter().map(|user| w.catalog.create_user(user, Quota::default()))).await;
    let created =
        outcomes.into_iter().filter(|outcome| matches!(outcome, Ok(CreatedUser::Created)));
    assert_eq!(created.count(), 1);
    let mut there = 0;
    for user in &racers {
        there += usize::from(w.catalog.find_user(user.id).await.unwrap().is_some());
    }
    assert_eq!(there, 1);
}

pub async fn users_are_listed_by_email(w: &World) {
    let (zoe, ada, max) = (w.user("zoe").await, w.user("ada").await, w.user("max").await);
    expect_list(&[ada, max, zoe], 2, async |page| {
        w.catalog.list_users(&page).await.map(|users| map(users, |user| user.id))
    })
    .await;
}

pub async fn an_email_can_change_and_becomes_free(w: &World) {
    let ada = w.user("ada").await;
    let bob = w.user("bob").await;
    let to = |name: &str| UserEdit { email: Some(email(name)), ..UserEdit::default() };
    let taken = w.catalog.edit_user(bob, None, &to("ada"), w.now()).await.unwrap();
    assert_eq!(taken, EditedUser::EmailTaken);
    let edited = w.catalog.edit_user(ada, None, &to("lovelace"), w.now()).await.unwrap();
    assert!(matches!(edited, EditedUser::Edited(user) if user.version == 2));
    let edited = w.catalog.edit_user(bob, None, &to("ada"), w.now()).await.unwrap();
    assert!(matches!(edited, EditedUser::Edited(_)));
    let found = w.catalog.find_user_by_email(&email("ada")).await.unwrap().unwrap();
    assert_eq!(found.id, bob);
    let found = w.catalog.find_user_by_email(&email("lovelace")).await.unwrap().unwrap();
    assert_eq!(found.id, ada);
}

pub async fn the_loser_of_two_edits_sees_the_winner(w: &World) {
    let ada = w.user("ada").await;
    let named = |name: &str| UserEdit { name: Some(name.parse().unwrap()), ..UserEdit::default() };
    let first = w.catalog.edit_user(ada, Some(1), &named("First"), w.now()).await.unwrap();
    assert!(matches!(first, EditedUser::Edited(_)));
    match w.catalog.edit_user(ada, Some(1), &named("Second"), w.now()).await.unwrap() {
        EditedUser::Conflict(current) => {
            assert_eq!((current.name.as_str(), current.version), ("First", 2));
        }
        other => panic!("{other:?}"),
    }
    let nobody = w.new_user("nobody").id;
    let outcome = w.catalog.edit_user(nobody, None, &named("X"), w.now()).await.unwrap();
    assert_eq!(outcome, EditedUser::NoUser);
}

pub async fn users_are_listed_by_what_is_left_of_their_quota(w: &World) {
    let ten = w.user_with("ten", Quota::new(10, 1 << 30)).await;
    let nine = w.user_with("nine", Quota::new(9, 1 << 30)).await;
    let hundred = w.user_with("hundred", Quota::new(100, 1 << 30)).await;
    let by_left =
        async |page| w.catalog.list_quotas(&page).await.map(|quotas| map(quotas, |(user, _)| user));
    expect_list(&[nine, ten, hundred], 2, by_left).await;
    for _ in 0..2 {
        w.reserve(ten).await;
    }
    expect_list(&[ten, nine, hundred], 1, by_left).await;
}

pub async fn a_changed_limit_moves_what_is_left(w: &World) {
    let ada = w.user_with("ada", Quota::new(10, 10_000)).await;
    w.upload(ada).await;
    assert!(w.catalog.set_quota(ada, 20, 5_000, w.now()).await.unwrap());
    let quota = w.quota(ada).await;
    assert_eq!((quota.images_max, quota.images_left), (20, 19));
    assert_eq!((quota.bytes_max, quota.bytes_left), (5_000, 4_000));
    assert!(w.catalog.set_quota(ada, 0, 0, w.now()).await.unwrap());
    assert_eq!(w.quota(ada).await.images_left, -1);
    let nobody = w.new_user("nobody").id;
    assert!(!w.catalog.set_quota(nobody, 1, 1, w.now()).await.unwrap());
}

pub async fn a_user_is_a_person_with_a_picture(w: &World) {
    let ada = w.user("ada").await;
    let picture = w.upload(ada).await.id;
    let person = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let edit = UserEdit {
        picture: Some(Some(picture)),
        person: Some(Some(person)),
        ..UserEdit::default()
    };
    let _ = w.catalog.edit_user(ada, None, &edit, w.now()).await.unwrap();
    let user = w.catalog.find_user(ada).await.unwrap().unwrap();
    assert_eq!((user.picture, user.person), (Some(picture), Some(person)));
    let nobody = UserEdit { person: Some(None), ..UserEdit::default() };
    let _ = w.catalog.edit_user(ada, None, &nobody, w.now()).await.unwrap();
    assert_eq!(w.catalog.find_user(ada).await.unwrap().unwrap().person, None);
}

pub async fn api_keys_are_found_by_hash_until_they_end(w: &World) {
    let ada = w.user("ada").await;
    let key = |digit: &str, ttl: Option<i64>| ApiKey {
        owner: ada,
        hash: digit.repeat(64).parse().unwrap(),
        name: "script".parse().unwrap(),
        scopes: vec!["images:read".to_owned()],
        created_at: w.now(),
        ttl,
    };
    let lasting = key("a", None);
    let ending = key("b", Some(w.now().as_seconds() + 60));
    assert!(w.catalog.create_api_key(&lasting).await.unwrap());
    assert!(!w.catalog.create_api_key(&lasting).await.unwrap());
    assert!(w.catalog.create_api_key(&ending).await.unwrap());
    let stranger = ApiKey { owner: w.new_user("eve").id, ..key("c", None) };
    assert!(!w.catalog.create_api_key(&stranger).await.unwrap());
    let find = async |key: &ApiKey| w.catalog.find_api_key(ada, &key.hash).await.unwrap();
    assert_eq!(find(&ending).await.as_ref(), Some(&ending));
    w.advance(std::time::Duration::from_secs(62));
    assert_eq!(find(&ending).await, None);
    let page = catalog::PageRequest::first(10);
    let listed = w.catalog.list_api_keys(ada, &page).await.unwrap().entries;
    assert_eq!(listed, std::slice::from_ref(&lasting));
    assert!(w.catalog.delete_api_key(ada, &lasting.hash).await.unwrap());
    assert!(!w.catalog.delete_api_key(ada, &lasting.hash).await.unwrap());
    assert_eq!(find(&lasting).await, None);
}

pub async fn all_who_ask_at_once_get_the_same_secret(w: &World) {
    let candidates: Vec<[u8; 4]> = (0..8).map(|n| [n; 4]).collect();
    let asked = candidates.iter().map(|candidate| w.catalog.load_secret("urls", candidate));
    let given: Vec<Vec<u8>> = join_all(asked).await.into_iter().map(Result::unwrap).collect();
    assert!(candidates.iter().any(|candidate| *candidate == given[0][..]));
    assert!(given.iter().all(|secret| *secret == given[0]), "{given:?}");
    assert_eq!(w.catalog.load_secret("urls", b"late").await.unwrap(), given[0]);
    assert_eq!(w.catalog.load_secret("others", b"new").await.unwrap(), b"new");
}
