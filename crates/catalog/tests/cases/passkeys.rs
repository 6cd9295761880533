use std::time::Duration;

use catalog::{BegunErase, CreatedPasskey, PageRequest};
use futures::future::join_all;
use model::{Passkey, Sha256Hex, UserId};
use table::Scan;

use super::World;

const MAX: i64 = 3;

fn hash(number: usize) -> Sha256Hex {
    format!("{number:064x}").parse().unwrap()
}

pub fn passkey(w: &World, user: UserId, number: usize) -> Passkey {
    Passkey {
        hash: hash(number),
        user,
        credential: format!("credential{number}"),
        public_key: "key".to_owned(),
        sign_count: 0,
        backup_eligible: true,
        backed_up: false,
        name: format!("Phone {number}").parse().unwrap(),
        created_at: w.now(),
        last_used_at: None,
    }
}

async fn create(w: &World, passkey: &Passkey) -> CreatedPasskey {
    w.catalog.create_passkey(passkey, MAX).await.unwrap()
}

async fn listed(w: &World, user: UserId) -> Vec<Passkey> {
    w.catalog.list_passkeys(user, &PageRequest::first(20)).await.unwrap().entries
}

/// The keys of all rows that are about passkeys, whoever's.
pub(crate) async fn passkey_rows(w: &World) -> Vec<String> {
    let (mut rows, mut scan) = (Vec::new(), Scan { limit: 500, start: None });
    loop {
        let page = w.table.scan(&scan).await.unwrap();
        rows.extend(page.items.iter().map(|item| format!("{} {}", item.key.pk, item.key.sk)));
        scan.start = page.next;
        if scan.start.is_none() {
            break;
        }
    }
    rows.retain(|row| row.contains("PASSKEY") || row.contains("CHALLENGE"));
    rows
}

pub async fn a_challenge_is_answered_once_by_whom_it_is_for_and_in_time(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let nobody = w.new_user("nobody").id;
    let put = async |user, number| {
        let ends_at = w.now().after(Duration::from_secs(300));
        w.catalog.put_challenge(user, &hash(number), ends_at).await.unwrap()
    };
    let take = async |user, number| w.catalog.take_challenge(user, &hash(number)).await.unwrap();
    assert!(put(Some(ada), 1).await && put(None, 2).await && put(Some(ada), 3).await);
    assert!(put(None, 4).await);
    assert!(!put(Some(nobody), 5).await && !take(Some(nobody), 5).await);
    // Whoever it is not for does not use it up.
    assert!(!take(Some(bob), 1).await && !take(None, 1).await && !take(Some(ada), 2).await);
    let answers = join_all((0..6).map(|_| take(Some(ada), 1))).await;
    assert_eq!(answers.iter().filter(|taken| **taken).count(), 1);
    let answers = join_all((0..6).map(|_| take(None, 2))).await;
    assert_eq!(answers.iter().filter(|taken| **taken).count(), 1);
    w.advance(Duration::from_secs(302));
    assert!(!take(Some(ada), 3).await && !take(None, 4).await);
}

pub async fn a_passkey_is_one_users_and_is_found_renamed_and_removed(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    assert_eq!(w.catalog.find_passkey(&hash(1)).await.unwrap(), None);
    let first = passkey(w, ada, 1);
    assert_eq!(create(w, &first).await, CreatedPasskey::Created);
    assert_eq!(create(w, &first).await, CreatedPasskey::Taken);
    assert_eq!(create(w, &passkey(w, bob, 1)).await, CreatedPasskey::Taken);
    let nobody = w.new_user("nobody").id;
    assert_eq!(create(w, &passkey(w, nobody, 2)).await, CreatedPasskey::NoUser);
    assert_eq!(w.catalog.find_passkey(&hash(2)).await.unwrap(), None);
    let (found, user) = w.catalog.find_passkey(&hash(1)).await.unwrap().unwrap();
    assert_eq!((&found, user.id), (&first, ada));
    assert_eq!(listed(w, ada).await, std::slice::from_ref(&first));
    assert!(listed(w, bob).await.is_empty());

    let name = "Blue key".parse().unwrap();
    assert_eq!(w.catalog.rename_passkey(bob, &hash(1), &name).await.unwrap(), None);
    let renamed = w.catalog.rename_passkey(ada, &hash(1), &name).await.unwrap();
    assert_eq!(renamed, Some(Passkey { name: name.clone(), ..first }));
    assert!(!w.catalog.delete_passkey(bob, &hash(1)).await.unwrap());
    assert!(w.catalog.delete_passkey(ada, &hash(1)).await.unwrap());
    assert!(!w.catalog.delete_passkey(ada, &hash(1)).await.unwrap());
    assert_eq!(w.catalog.rename_passkey(ada, &hash(1), &name).await.unwrap(), None);
    assert_eq!(w.catalog.find_passkey(&hash(1)).await.unwrap(), None);
    // It is free again, for whoever has it.
    assert_eq!(create(w, &passkey(w, bob, 1)).await, CreatedPasskey::Created);
}

pub async fn a_user_has_only_so_many_passkeys_however_many_are_added_at_once(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let racers: Vec<Passkey> = (0..8).map(|number| passkey(w, ada, number)).collect();
    let outcomes = join_all(racers.iter().map(|passkey| create(w, passkey))).await;
    let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    assert_eq!((count(CreatedPasskey::Created), count(CreatedPasskey::TooMany)), (3, 5));
    let kept = listed(w, ada).await;
    assert_eq!(kept.len(), 3);
    // One goes, one may come; and nobody is counted for another.
    assert!(w.catalog.delete_passkey(ada, &kept[0].hash).await.unwrap());
    assert_eq!(create(w, &passkey(w, ada, 20)).await, CreatedPasskey::Created);
    assert_eq!(create(w, &passkey(w, ada, 21)).await, CreatedPasskey::TooMany);
    assert_eq!(create(w, &passkey(w, bob, 21)).await, CreatedPasskey::Created);
}

pub async fn uses_are_counted_in_order(w: &World) {
    let ada = w.user("ada").await;
    let new = passkey(w, ada, 1);
    assert_eq!(create(w, &new).await, CreatedPasskey::Created);
    let now = w.now();
    assert!(w.catalog.record_passkey_use(&new, 7, true, now).await.unwrap());
    assert!(!w.catalog.record_passkey_use(&new, 8, true, now).await.unwrap(), "it was read before");
    let (used, _) = w.catalog.find_passkey(&hash(1)).await.unwrap().unwrap();
    let expected = Passkey { sign_count: 7, backed_up: true, last_used_at: Some(now), ..new };
    assert_eq!(used, expected);
    assert!(w.catalog.record_passkey_use(&used, 8, false, now).await.unwrap());
    assert!(w.catalog.delete_passkey(ada, &hash(1)).await.unwrap());
    let (last, removed) = (Passkey { sign_count: 8, ..used }, w.now());
    assert!(!w.catalog.record_passkey_use(&last, 9, false, removed).await.unwrap());
    assert!(listed(w, ada).await.is_empty());
}

pub async fn passkeys_stay_with_a_new_password_and_go_with_their_user(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    for (user, number) in [(ada, 1), (ada, 2), (bob, 3)] {
        assert_eq!(create(w, &passkey(w, user, number)).await, CreatedPasskey::Created);
    }
    assert!(w.catalog.renew_credentials(ada, None, None, w.now()).await.unwrap());
    assert_eq!(listed(w, ada).await.len(), 2);
    let ends_at = w.now().after(Duration::from_secs(300));
    assert!(w.catalog.put_challenge(Some(ada), &hash(9), ends_at).await.unwrap());

    let begun = w.catalog.begin_erase(ada, w.now()).await.unwrap();
    assert!(matches!(begun, BegunErase::Begun(_)));
    assert_eq!(w.catalog.find_passkey(&hash(1)).await.unwrap(), None, "shut out at once");
    assert_eq!(create(w, &passkey(w, ada, 4)).await, CreatedPasskey::NoUser);
    assert!(!w.catalog.put_challenge(Some(ada), &hash(10), ends_at).await.unwrap());
    w.catalog.remove_user_rows(ada).await.unwrap();
    let left = passkey_rows(w).await;
    let of_bob = [
        format!("PASSKEY#{} PASSKEY", hash(3)),
        format!("USER#{bob} PASSKEY#{}", hash(3)),
        format!("USER#{bob} PASSKEYS"),
    ];
    assert_eq!(left.len(), 3, "{left:?}");
    assert!(of_bob.iter().all(|row| left.contains(row)), "{left:?}");
    let (found, _) = w.catalog.find_passkey(&hash(3)).await.unwrap().unwrap();
    assert_eq!(found.user, bob);
}
