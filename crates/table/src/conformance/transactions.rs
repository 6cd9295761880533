//! Several items at once, all or nothing.

use futures::future::join_all;

use super::Fixture;
use crate::{Action, Condition, Error, Item, Limit, Transacted};

pub async fn all_actions_happen(f: &Fixture) {
    f.put(f.item("p", "changed").with("n", 1)).await;
    f.put(f.item("p", "deleted")).await;
    f.put(f.item("p", "checked").with("ok", true)).await;
    f.done(vec![
        Action::put(f.item("q", "put").with("a", 1)).when(Condition::Absent),
        Action::update(f.key("p", "changed")).add("n", 1).when(Condition::equals("n", 1)),
        Action::delete(f.key("p", "deleted")).when(Condition::Present),
        Action::check(f.key("p", "checked")).when(Condition::equals("ok", true)),
    ])
    .await;
    assert_eq!(f.get(&f.key("q", "put")).await, Some(f.item("q", "put").with("a", 1)));
    assert_eq!(f.get(&f.key("p", "changed")).await.unwrap().i64("n"), Some(2));
    assert_eq!(f.get(&f.key("p", "deleted")).await, None);
    assert_eq!(f.get(&f.key("p", "checked")).await.unwrap().attributes.len(), 1);
}

pub async fn one_unmet_condition_stops_all(f: &Fixture) {
    let kept = f.item("p", "kept").with("n", 1);
    f.put(kept.clone()).await;
    let refused = f
        .refused(vec![
            Action::put(f.item("p", "new")),
            Action::update(kept.key.clone()).add("n", 1),
            Action::delete(f.key("p", "absent")).when(Condition::Present),
        ])
        .await;
    assert_eq!(refused, [(2, 0, None)]);
    assert_eq!(f.get(&f.key("p", "new")).await, None);
    assert_eq!(f.get(&kept.key).await, Some(kept));
}

pub async fn every_unmet_condition_is_reported(f: &Fixture) {
    let there = f.item("p", "there").with("n", 1);
    f.put(there.clone()).await;
    let refused = f
        .refused(vec![
            Action::put(there.clone()).when(Condition::Absent),
            Action::put(f.item("p", "fine")).when(Condition::Absent),
            Action::check(f.key("p", "absent")).when(Condition::Present),
        ])
        .await;
    assert_eq!(refused, [(0, 0, Some(there)), (2, 0, None)]);
}

pub async fn a_check_guards_other_items(f: &Fixture) {
    let guard = f.item("p", "guard").with("open", true);
    f.put(guard.clone()).await;
    let enter = |n: i64| {
        vec![
            Action::check(guard.key.clone()).when(Condition::equals("open", true)),
            Action::put(f.item("p", &format!("visitor {n}"))),
        ]
    };
    f.done(enter(1)).await;
    f.put(guard.clone().with("open", false)).await;
    let refused = f.refused(enter(2)).await;
    assert_eq!(refused[0].0, 0);
    assert_eq!(f.get(&f.key("p", "visitor 2")).await, None);
}

pub async fn a_hundred_actions_are_taken_and_no_more(f: &Fixture) {
    let actions = |count: usize| -> Vec<Action> {
        (0..count).map(|n| Action::put(f.item("p", &format!("{n:03}")))).collect()
    };
    for wrong in [0, 101] {
        let error = f.table.transact(actions(wrong)).await.unwrap_err();
        assert!(matches!(error, Error::Limit { limit: Limit::TransactionActions, .. }), "{error}");
    }
    assert_eq!(f.sort_keys(&f.query_partition("p")).await.len(), 0);
    f.done(actions(100)).await;
    assert_eq!(f.sort_keys(&f.query_partition("p")).await.len(), 100);
}

pub async fn four_megabytes_are_the_limit(f: &Fixture) {
    let large = "x".repeat(380 * 1024);
    let actions = |count: usize| -> Vec<Action> {
        (0..count)
            .map(|n| Action::put(f.item("p", &n.to_string()).with("large", large.as_str())))
            .collect()
    };
    let error = f.table.transact(actions(11)).await.unwrap_err();
    assert!(matches!(error, Error::Limit { limit: Limit::TransactionBytes, .. }), "{error}");
    assert_eq!(f.get(&f.key("p", "0")).await, None);
    f.done(actions(10)).await;
}

pub async fn two_actions_on_one_item_are_refused(f: &Fixture) {
    let item = f.item("p", "s");
    let actions =
        vec![Action::put(item.clone()), Action::check(item.key.clone()).when(Condition::Absent)];
    let error = f.table.transact(actions).await.unwrap_err();
    assert!(matches!(error, Error::Invalid(_)), "{error}");
    assert_eq!(f.get(&item.key).await, None);
}

pub async fn an_invalid_action_stops_all(f: &Fixture) {
    let actions =
        vec![Action::put(f.item("p", "good")), Action::put(f.item("p", "bad").with("ttl", "soon"))];
    let error = f.table.transact(actions).await.unwrap_err();
    assert!(matches!(error, Error::Invalid(_)), "{error}");
    assert_eq!(f.get(&f.key("p", "good")).await, None);
}

/// Eight writers move money between four accounts; none is lost, made or overdrawn.
pub async fn transfers_between_accounts_keep_the_sum(f: &Fixture) {
    let account = |n: usize| f.key("bank", &format!("account {n}"));
    for n in 0..4 {
        f.put(Item::new(account(n)).with("balance", 20)).await;
    }
    let writers = (0..8_usize).map(|writer| async move {
        for round in 0..10_usize {
            let from = account((writer + round) % 4);
            let to = account((writer + round * 3 + 1) % 4);
            if from == to {
                continue;
            }
            let transfer = vec![
                Action::update(from).add("balance", -7).when(Condition::at_least("balance", 7)),
                Action::update(to).add("balance", 7).when(Condition::Present),
            ];
            match f.table.transact(transfer).await {
                Ok(Transacted::Done | Transacted::Refused(_)) | Err(Error::Contention) => {}
                Err(error) => panic!("{error}"),
            }
        }
    });
    join_all(writers).await;
    let accounts = f.query_all(&f.query_partition("bank")).await;
    let balances: Vec<i64> = accounts.iter().map(|item| item.i64("balance").unwrap()).collect();
    assert_eq!(balances.iter().sum::<i64>(), 80, "{balances:?}");
    assert!(balances.iter().all(|balance| *balance >= 0), "{balances:?}");
}
