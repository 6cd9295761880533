//! Work waits for memory in the order in which it came, and the sum never exceeds the budget.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use imaging::{Error, MemoryBudget};

const MEGABYTE: u64 = 1 << 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_at_once_never_exceed_the_budget_and_all_get_their_turn() {
    let budget = MemoryBudget::new(64 * MEGABYTE);
    let (taken, peak) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let tasks = (0..400_u64).map(|i| {
        let (budget, taken, peak) = (budget.clone(), taken.clone(), peak.clone());
        tokio::spawn(async move {
            // From nothing to the whole budget.
            let bytes = i * 7919 % 65 * MEGABYTE;
            let permit = budget.admit(bytes).await.unwrap();
            assert_eq!(permit.bytes(), bytes);
            let now = taken.fetch_add(bytes, Ordering::SeqCst) + bytes;
            peak.fetch_max(now, Ordering::SeqCst);
            tokio::task::yield_now().await;
            taken.fetch_sub(bytes, Ordering::SeqCst);
            drop(permit);
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        let done = tokio::time::timeout(Duration::from_secs(60), task).await;
        done.expect("work that was never admitted").unwrap();
    }
    assert!(peak.load(Ordering::SeqCst) <= budget.total_bytes());
    assert!(peak.load(Ordering::SeqCst) >= 64 * MEGABYTE, "the whole budget is used");
    assert_eq!(budget.free_bytes(), budget.total_bytes());
}

#[tokio::test]
async fn a_large_image_is_not_overtaken_by_small_ones() {
    let budget = MemoryBudget::new(10 * MEGABYTE);
    let first = budget.admit(6 * MEGABYTE).await.unwrap();
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut tasks = Vec::new();
    for (name, bytes) in [("large", 10), ("small", 1), ("smaller", 1)] {
        let (budget, order) = (budget.clone(), order.clone());
        let mut admission = Box::pin(async move {
            let permit = budget.admit(bytes * MEGABYTE).await.unwrap();
            order.lock().unwrap().push(name);
            drop(permit);
        });
        // Polled once, it stands in the queue.
        assert!(has_to_wait(&mut admission).await, "{name} should wait");
        tasks.push(tokio::spawn(admission));
    }
    drop(first);
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(*order.lock().unwrap(), ["large", "small", "smaller"]);
}

#[tokio::test]
async fn who_stops_waiting_does_not_hold_up_the_others() {
    let budget = MemoryBudget::new(10 * MEGABYTE);
    let first = budget.admit(6 * MEGABYTE).await.unwrap();
    let mut given_up = Box::pin(budget.admit(10 * MEGABYTE));
    assert!(has_to_wait(&mut given_up).await);
    drop(given_up);
    let second = budget.admit(4 * MEGABYTE).await.unwrap();
    assert_eq!(budget.free_bytes(), 0);
    drop((first, second));
    assert_eq!(budget.free_bytes(), 10 * MEGABYTE);
}

#[tokio::test]
async fn only_what_can_never_fit_fails() {
    let budget = MemoryBudget::new(10 * MEGABYTE);
    assert!(budget.admit(10 * MEGABYTE).await.is_ok());
    for bytes in [10 * MEGABYTE + 1, u64::MAX] {
        let error = budget.admit(bytes).await.unwrap_err();
        assert_eq!(error, Error::TooMuchMemory { bytes, limit: 10 * MEGABYTE });
    }
}

#[test]
fn threads_wait_without_a_runtime() {
    let budget = MemoryBudget::new(8 * MEGABYTE);
    let inside = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let permit = budget.admit_blocking(4 * MEGABYTE).unwrap();
                    assert!(inside.fetch_add(1, Ordering::SeqCst) < 2);
                    inside.fetch_sub(1, Ordering::SeqCst);
                    drop(permit);
                }
            });
        }
    });
    assert_eq!(budget.free_bytes(), budget.total_bytes());
}

/// Polls once; whether it has to wait.
async fn has_to_wait<F: Future + Unpin>(future: &mut F) -> bool {
    std::future::poll_fn(|context| {
        std::task::Poll::Ready(std::pin::Pin::new(&mut *future).poll(context).is_pending())
    })
    .await
}
