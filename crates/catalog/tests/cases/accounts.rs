use std::time::Duration;

use catalog::{
    Attempted, BegunErase, CreatedUser, EditedUser, Entry, Linked, NewAccount, PageRequest, SetUp,
    UserEdit,
};
use futures::future::join_all;
use model::{
    Identity, Invitation, PasswordHash, Quota, Role, Session, Sha256Hex, Subject, User, UserId,
    WorkKind,
};

use super::{World, expect_list, map};

fn hash(digit: &str) -> Sha256Hex {
    digit.repeat(64).parse().unwrap()
}

fn password(w: &World, text: &str) -> PasswordHash {
    PasswordHash { hash: format!("$argon2id${text}"), changed_at: w.now() }
}

fn account<'a>(user: &'a User, entry: Entry<'a>) -> NewAccount<'a> {
    NewAccount { user, quota: Quota::default(), password: None, identity: None, entry }
}

async fn administrator(w: &World, name: &str) -> UserId {
    let user = User { role: Role::Administrator, ..w.new_user(name) };
    let created = w.catalog.create_user(&user, Quota::default()).await.unwrap();
    assert_eq!(created, CreatedUser::Created);
    user.id
}

async fn session(w: &World, user: UserId, digit: &str) -> Session {
    let generation = w.catalog.find_user(user).await.unwrap().unwrap().generation;
    let created_at = w.now();
    let ttl = created_at.as_seconds() + 3600;
    let agent = Some("test".to_owned());
    Session { user, hash: hash(digit), generation, agent, created_at, ttl }
}

fn role(role: Role) -> UserEdit {
    UserEdit { role: Some(role), ..UserEdit::default() }
}

pub async fn set_up_is_done_once_with_the_newest_token(w: &World) {
    assert_eq!(w.catalog.find_set_up().await.unwrap(), SetUp::NotOffered);
    assert!(w.catalog.offer_set_up(&hash("a")).await.unwrap());
    assert!(w.catalog.offer_set_up(&hash("b")).await.unwrap());
    assert_eq!(w.catalog.find_set_up().await.unwrap(), SetUp::Open(hash("b")));
    let racers: Vec<User> = (0..4)
        .map(|n| User { role: Role::Administrator, ..w.new_user(&format!("admin{n}")) })
        .collect();
    let late = w.catalog.create_account(account(&racers[0], Entry::SetUp(&hash("a"), None))).await;
    assert_eq!(late.unwrap(), CreatedUser::EntryClosed);
    let token = hash("b");
    let outcomes = join_all(
        racers
            .iter()
            .map(|user| w.catalog.create_account(account(user, Entry::SetUp(&token, None)))),
    )
    .await;
    let created = outcomes.into_iter().filter(|o| matches!(o, Ok(CreatedUser::Created))).count();
    assert_eq!(created, 1);
    assert_eq!(w.catalog.find_set_up().await.unwrap(), SetUp::Done);
    assert!(!w.catalog.offer_set_up(&hash("c")).await.unwrap());
}

pub async fn an_administrator_made_otherwise_ends_set_up(w: &World) {
    assert!(w.catalog.offer_set_up(&hash("a")).await.unwrap());
    w.user("ada").await;
    assert_eq!(w.catalog.find_set_up().await.unwrap(), SetUp::Open(hash("a")));
    administrator(w, "root").await;
    assert_eq!(w.catalog.find_set_up().await.unwrap(), SetUp::Done);
}

pub async fn the_last_administrator_stays_one(w: &World) {
    let first = administrator(w, "first").await;
    let alone = w.catalog.edit_user(first, None, &role(Role::User), w.now()).await.unwrap();
    assert_eq!(alone, EditedUser::LastAdministrator);
    assert_eq!(w.catalog.begin_erase(first, w.now()).await.unwrap(), BegunErase::LastAdministrator);
    let second = w.user("second").await;
    let raised = w.catalog.edit_user(second, None, &role(Role::Administrator), w.now()).await;
    assert!(matches!(raised.unwrap(), EditedUser::Edited(_)));
    let lower = async |user| w.catalog.edit_user(user, None, &role(Role::User), w.now()).await;
    let (one, other) = futures::join!(lower(first), lower(second));
    let outcomes = [one.unwrap(), other.unwrap()];
    let lowered = outcomes.iter().filter(|o| matches!(o, EditedUser::Edited(_))).count();
    assert_eq!(lowered, 1, "{outcomes:?}");
}

pub async fn an_invitation_is_used_once(w: &World) {
    let root = administrator(w, "root").await;
    let invitation = |digit: &str| {
        let created_at = w.now();
        let ttl = created_at.as_seconds() + 60;
        let (hash, role) = (hash(digit), Role::User);
        Invitation { hash, role, email: None, created_by: root, created_at, ttl }
    };
    let (used, ended, revoked) = (invitation("a"), invitation("b"), invitation("c"));
    for invitation in [&used, &ended, &revoked] {
        w.catalog.put_invitation(invitation).await.unwrap();
    }
    let hashes = [&revoked, &ended, &used].map(|invitation| invitation.hash.clone());
    expect_list(&hashes, 2, async |page| {
        w.catalog.list_invitations(&page).await.map(|i| map(i, |invitation| invitation.hash))
    })
    .await;
    assert_eq!(w.catalog.find_invitation(&used.hash).await.unwrap().as_ref(), Some(&used));

    let accept = async |name: &str, invitation: &Invitation| {
        let user = w.new_user(name);
        let entry = Entry::Invitation(&invitation.hash);
        w.catalog.create_account(account(&user, entry)).await.unwrap()
    };
    assert_eq!(accept("root", &used).await, CreatedUser::EmailTaken);
    let (one, other) = futures::join!(accept("ada", &used), accept("eve", &used));
    assert_eq!([one, other].iter().filter(|o| **o == CreatedUser::Created).count(), 1);
    assert_eq!(accept("root", &used).await, CreatedUser::EntryClosed);
    assert!(w.catalog.delete_invitation(&revoked.hash).await.unwrap());
    assert!(!w.catalog.delete_invitation(&revoked.hash).await.unwrap());
    assert_eq!(accept("max", &revoked).await, CreatedUser::EntryClosed);
    w.advance(Duration::from_secs(62));
    assert_eq!(accept("max", &ended).await, CreatedUser::EntryClosed);
    assert_eq!(w.catalog.find_user_by_email(&super::email("max")).await.unwrap(), None);
}

pub async fn a_session_lasts_until_it_is_ended_or_over(w: &World) {
    let ada = w.user("ada").await;
    let (short, kept) = (session(w, ada, "a").await, session(w, ada, "b").await);
    assert!(w.catalog.create_session(&short).await.unwrap());
    assert!(w.catalog.create_session(&kept).await.unwrap());
    assert!(!w.catalog.create_session(&kept).await.unwrap());
    let find = async |s: &Session| w.catalog.find_session(ada, &s.hash).await.unwrap();
    let (found, user) = find(&short).await.unwrap();
    assert_eq!((found, user.id), (short.clone(), ada));
    let stranger = w.new_user("eve").id;
    assert_eq!(w.catalog.find_session(stranger, &short.hash).await.unwrap(), None);
    assert!(w.catalog.delete_session(ada, &short.hash).await.unwrap());
    assert!(!w.catalog.delete_session(ada, &short.hash).await.unwrap());
    assert_eq!(find(&short).await, None);
    w.advance(Duration::from_secs(3602));
    assert_eq!(find(&kept).await, None);
}

pub async fn a_new_password_ends_all_sessions_but_one(w: &World) {
    let ada = w.user("ada").await;
    assert_eq!(w.catalog.find_password(ada).await.unwrap(), None);
    let sessions = [session(w, ada, "a").await, session(w, ada, "b").await];
    for session in &sessions {
        assert!(w.catalog.create_session(session).await.unwrap());
    }
    let stale = session(w, ada, "c").await;
    let new = password(w, "new");
    let kept = Some(&sessions[0].hash);
    assert!(w.catalog.renew_credentials(ada, Some(&new), kept, w.now()).await.unwrap());
    assert_eq!(w.catalog.find_password(ada).await.unwrap().as_ref(), Some(&new));
    let found = w.catalog.find_session(ada, &sessions[0].hash).await.unwrap();
    assert!(found.is_some());
    assert_eq!(w.catalog.find_session(ada, &sessions[1].hash).await.unwrap(), None);
    // Who was signing in with the old password at that moment comes too late.
    assert!(!w.catalog.create_session(&stale).await.unwrap());

    let user = w.catalog.find_user(ada).await.unwrap().unwrap();
    let list = async |page: PageRequest| {
        w.catalog.list_sessions(&user, &page).await.map(|listed| map(listed, |s| s.hash))
    };
    expect_list(&[hash("a")], 1, list).await;
    w.catalog.sweep_sessions(ada, user.generation).await.unwrap();
    assert!(!w.catalog.delete_session(ada, &hash("b")).await.unwrap(), "it was swept");
    expect_list(&[hash("a")], 1, list).await;
    let gone = w.catalog.renew_credentials(ada, None, Some(&hash("b")), w.now()).await.unwrap();
    assert!(!gone, "there is no such session");
    assert!(w.catalog.renew_credentials(ada, None, None, w.now()).await.unwrap());
    assert_eq!(w.catalog.find_session(ada, &hash("a")).await.unwrap(), None);
    let nobody = w.new_user("nobody").id;
    assert!(!w.catalog.renew_credentials(nobody, Some(&new), None, w.now()).await.unwrap());
    assert_eq!(w.catalog.find_password(nobody).await.unwrap(), None);
}

pub async fn an_identity_belongs_to_one_user(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let identity = |user: UserId, digit: &str| Identity {
        hash: hash(digit),
        issuer: "https://id.example.org".to_owned(),
        subject: digit.to_owned(),
        user,
        linked_at: w.now(),
    };
    assert_eq!(w.catalog.find_user_by_identity(&hash("a")).await.unwrap(), None);
    let linked = w.catalog.link_identity(&identity(ada, "a")).await.unwrap();
    assert_eq!(linked, Linked::Linked);
    let taken = w.catalog.link_identity(&identity(bob, "a")).await.unwrap();
    assert_eq!(taken, Linked::Taken);
    let nobody = w.new_user("nobody");
    let outcome = w.catalog.link_identity(&identity(nobody.id, "b")).await.unwrap();
    assert_eq!(outcome, Linked::NoUser);
    let found = w.catalog.find_user_by_identity(&hash("a")).await.unwrap().unwrap();
    assert_eq!(found.id, ada);
    expect_list(&[hash("a")], 5, async |page| {
        w.catalog.list_identities(ada, &page).await.map(|listed| map(listed, |i| i.hash))
    })
    .await;
    // An account that begins with an identity has it or is not made.
    let theirs = identity(nobody.id, "a");
    let taken = NewAccount { identity: Some(&theirs), ..account(&nobody, Entry::Granted) };
    assert_eq!(w.catalog.create_account(taken).await.unwrap(), CreatedUser::IdentityTaken);
    let theirs = identity(nobody.id, "c");
    let new = NewAccount { identity: Some(&theirs), ..account(&nobody, Entry::Granted) };
    assert_eq!(w.catalog.create_account(new).await.unwrap(), CreatedUser::Created);
    let found = w.catalog.find_user_by_identity(&hash("c")).await.unwrap().unwrap();
    assert_eq!(found.id, nobody.id);
}

pub async fn attempts_are_counted_exactly_until_their_time_is_over(w: &World) {
    let window = Duration::from_secs(900);
    let of = hash("a");
    let take = async || w.catalog.take_attempt(&of, 5, window, w.now()).await.unwrap();
    let started = w.now();
    let outcomes = join_all((0..9).map(|_| take())).await;
    let allowed = outcomes.iter().filter(|outcome| **outcome == Attempted::Allowed).count();
    assert_eq!(allowed, 5, "{outcomes:?}");
    match take().await {
        Attempted::Exhausted { until } => {
            assert!(until <= w.now().after(window) && until.as_millis() > started.as_millis());
        }
        Attempted::Allowed => panic!("a sixth attempt was allowed"),
    }
    w.catalog.give_back_attempt(&of).await.unwrap();
    assert_eq!(take().await, Attempted::Allowed);
    assert!(matches!(take().await, Attempted::Exhausted { .. }));
    w.advance(Duration::from_secs(902));
    assert_eq!(take().await, Attempted::Allowed);
    w.catalog.delete_attempts(&of).await.unwrap();
    w.catalog.give_back_attempt(&of).await.unwrap();
    let outcomes = join_all((0..6).map(|_| take())).await;
    let allowed = outcomes.iter().filter(|outcome| **outcome == Attempted::Allowed).count();
    assert_eq!(allowed, 5, "{outcomes:?}");
}

pub async fn who_is_being_erased_is_shut_out(w: &World) {
    administrator(w, "root").await;
    let ada = administrator(w, "ada").await;
    let before = session(w, ada, "a").await;
    assert!(w.catalog.create_session(&before).await.unwrap());
    let begun = w.catalog.begin_erase(ada, w.now()).await.unwrap();
    let BegunErase::Begun(user) = &begun else { panic!("{begun:?}") };
    assert!(user.erasing_since.is_some() && user.role == Role::User);
    assert_eq!(w.catalog.begin_erase(ada, w.now()).await.unwrap(), begun);
    assert_eq!(w.catalog.find_session(ada, &before.hash).await.unwrap(), None);
    let again = session(w, ada, "b").await;
    assert!(!w.catalog.create_session(&again).await.unwrap());
    assert!(!w.catalog.renew_credentials(ada, None, None, w.now()).await.unwrap());
    let edit = w.catalog.edit_user(ada, None, &role(Role::Administrator), w.now()).await.unwrap();
    assert_eq!(edit, EditedUser::NoUser);
    let work = w.catalog.find_work(WorkKind::Erase, Subject::User(ada)).await.unwrap().unwrap();
    assert_eq!((work.owner, work.attempts), (ada, 0));
    let nobody = w.new_user("nobody").id;
    assert_eq!(w.catalog.begin_erase(nobody, w.now()).await.unwrap(), BegunErase::NoUser);
}
