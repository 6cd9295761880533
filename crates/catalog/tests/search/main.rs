//! What a search finds is what a look at everything finds: random libraries, random searches, and
//! every way of searching that there is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[allow(dead_code, reason = "the cases are another test's; this one uses their world")]
#[path = "../cases/mod.rs"]
mod cases;
#[path = "../engines/mod.rs"]
mod engines;

mod library;
mod look;
mod queries;

use std::time::{Duration, Instant};

use catalog::{Catalog, PageRequest, Search, SearchLimits, SearchOrder};
use model::{ImageId, SearchQuery, UserId};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use testkit::seed::seed_from_env_or_random;

use cases::World;
use library::Library;

/// How much is tried.
struct Effort {
    rounds: usize,
    changes: usize,
    searches: usize,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equals_a_look_at_everything_in_memory() {
    let effort = Effort { rounds: 6, changes: 60, searches: 40 };
    compare("memory", engines::memory().await, effort).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equals_a_look_at_everything_with_lagging_indexes() {
    let effort = Effort { rounds: 2, changes: 60, searches: 30 };
    compare("lagging", engines::lagging().await, effort).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equals_a_look_at_everything_on_the_embedded_engine() {
    let effort = Effort { rounds: 3, changes: 60, searches: 40 };
    compare("embedded", engines::embedded().await, effort).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equals_a_look_at_everything_on_dynamodb() {
    let effort = Effort { rounds: 1, changes: 60, searches: 30 };
    compare("dynamodb", engines::dynoxide().await, effort).await;
}

async fn compare(name: &str, w: World, effort: Effort) {
    let seed = seed_from_env_or_random(name);
    let mut dice = StdRng::seed_from_u64(seed);
    let mut library = Library::new(&w).await;
    let mut found = 0;
    // Chance may make a library in which little is found: then it goes on.
    for round in 0.. {
        if round >= effort.rounds && found > effort.searches {
            break;
        }
        assert!(round < effort.rounds + 5, "too little was found to mean anything: {found}");
        for _ in 0..effort.changes {
            library.change(&w, &mut dice).await;
        }
        for _ in 0..effort.searches {
            let text = queries::text(&library, &mut dice);
            let query: SearchQuery = text.parse().unwrap_or_else(|bad| panic!("{text:?}: {bad}"));
            let user = library.users[dice.random_range(0..library.users.len())].id;
            let sees_exif = dice.random_bool(0.5);
            let expected = look::find_all(&library, user, &query, sees_exif);
            found += expected.len();
            let search = Search { user, query: &query, order: SearchOrder::Newest, sees_exif };
            let limits = limits(&mut dice);
            let catalog = w.catalog.clone().with_search_limits(limits);
            expect(&catalog, &search, &expected, dice.random_range(1..8), &text).await;
            let search = Search { order: SearchOrder::Taken, ..search };
            let by_taken = look::by_taken(&library, user, &expected);
            expect(&catalog, &search, &by_taken, dice.random_range(1..8), &text).await;
            expect_ranked(&catalog, &search, &expected, &text).await;
        }
    }
}

/// From limits so small that every way is gone to those of the product.
fn limits(dice: &mut StdRng) -> SearchLimits {
    let mut up_to = |most: usize| dice.random_range(0..=most);
    match up_to(3) {
        0 => SearchLimits::default(),
        1 => SearchLimits { closed: [0; 5], words: 64, named: 2, units: 60, steps: 1 },
        _ => {
            let closed = [2, 3, 4, 6, 8].map(&mut up_to);
            let (words, named, units) = (up_to(4), 1 + up_to(3), up_to(200));
            SearchLimits { closed, words, named, units, steps: 1 + up_to(3) }
        }
    }
}

/// Indexes may lag, so it is asked again for a while.
async fn expect(
    catalog: &Catalog,
    search: &Search<'_>,
    expected: &[ImageId],
    limit: usize,
    text: &str,
) {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let found = all_pages(catalog, search, limit).await;
        if found == expected {
            return;
        }
        let user: UserId = search.user;
        let limits = format!("{text:?} by {user} with {search:?}");
        assert!(Instant::now() < deadline, "{limits}: expected {expected:?}, found {found:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// In the order of relevance the same are found, as far as one request looks. Small pages, for which
/// less is looked at, are parts of a large one.
async fn expect_ranked(catalog: &Catalog, search: &Search<'_>, expected: &[ImageId], text: &str) {
    let catalog = catalog.clone().with_search_limits(SearchLimits::default());
    let search = Search { order: SearchOrder::Relevance, ..*search };
    let mut found = all_pages(&catalog, &search, 3).await;
    assert_eq!(found, all_pages(&catalog, &search, 500).await, "{text:?}: in one order");
    let count = found.len();
    found.sort();
    found.dedup();
    assert_eq!(found.len(), count, "{text:?}: no image comes twice");
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(found, expected, "{text:?}");
}

async fn all_pages(catalog: &Catalog, search: &Search<'_>, limit: usize) -> Vec<ImageId> {
    let (mut found, mut cursor) = (Vec::new(), None);
    for page in 0.. {
        assert!(page < 2_000, "it does not get on");
        let request = PageRequest::after(limit, cursor);
        let listed = catalog.search_images(search, &request).await.unwrap();
        assert!(listed.entries.len() <= limit);
        found.extend(listed.entries.into_iter().map(|image| image.id));
        cursor = listed.next;
        if cursor.is_none() {
            break;
        }
    }
    found
}
