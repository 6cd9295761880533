//! Seeded random operations on the embedded engine and on the reference engine: both must say
//! the same, through every reopening.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::path::Path;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use table::{
    Action, BatchEntry, Condition, Index, Item, Key, ManualClock, MemoryTable, Number, Query, Scan,
    Schema, SortRange, SortValue, Sweep, TTL, Table, VERSION, Value,
};
use table_embedded::{EmbeddedTable, Options};
use tempfile::TempDir;
use testkit::seed::seed_from_env_or_random;

/// Enough to meet every operation many times; longer by `FERROTYPE_SOAK_SECONDS`.
const STEPS_MIN: u64 = 1_500;

fn soak() -> Duration {
    let seconds = std::env::var("FERROTYPE_SOAK_SECONDS").ok();
    Duration::from_secs(seconds.map_or(0, |seconds| seconds.parse().unwrap()))
}

/// Indexes that share attributes, are sorted by text and by number, and by the ttl.
fn schema() -> Schema {
    Schema::new(vec![
        Index::by_text("by_text", "g1", "s1"),
        Index::by_number("by_number", "g2", "n2"),
        Index::by_text("turned", "s1", "g1"),
        Index::by_number("by_ttl", "g1", TTL),
    ])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn embedded_and_reference_engine_agree() {
    let mut rng = StdRng::seed_from_u64(seed_from_env_or_random("oracle"));
    let folder = TempDir::new().unwrap();
    let clock = ManualClock::at(1_000);
    let mut pair = Pair::open(folder.path(), &clock);
    let end = Instant::now() + soak();
    let mut steps = 0u64;
    while steps < STEPS_MIN || Instant::now() < end {
        pair.step(&mut rng, &clock).await;
        steps += 1;
        if steps.is_multiple_of(500) {
            pair.compare_everything().await;
            let closes = rng.random();
            pair = pair.reopen(folder.path(), &clock, closes).await;
            pair.compare_everything().await;
        }
    }
    pair.compare_everything().await;
    println!("{steps} steps");
}

struct Pair {
    embedded: EmbeddedTable,
    reference: MemoryTable,
}

impl Pair {
    fn open(folder: &Path, clock: &ManualClock) -> Self {
        let reference = MemoryTable::new(schema()).with_clock(clock.clone());
        Self { embedded: open(folder, clock), reference }
    }

    async fn reopen(self, folder: &Path, clock: &ManualClock, closes: bool) -> Self {
        if closes {
            self.embedded.close().await;
        }
        drop(self.embedded);
        Self { embedded: open(folder, clock), reference: self.reference }
    }

    async fn step(&self, rng: &mut StdRng, clock: &ManualClock) {
        match rng.random_range(0..100) {
            0..40 => {
                let actions = random_actions(rng);
                let ours = self.embedded.transact(actions.clone()).await;
                let theirs = self.reference.transact(actions.clone()).await;
                assert_eq!(text(&ours), text(&theirs), "{actions:?}");
            }
            40..50 => {
                let entries = random_batch(rng);
                let ours = self.embedded.batch_write(entries.clone()).await;
                let theirs = self.reference.batch_write(entries.clone()).await;
                assert_eq!(text(&ours), text(&theirs), "{entries:?}");
            }
            50..55 => {
                let (key, name, by) = (random_key(rng), random_name(rng), random_int(rng));
                let ours = self.embedded.increment(&key, name, by).await;
                let theirs = self.reference.increment(&key, name, by).await;
                assert_eq!(text(&ours), text(&theirs), "{key:?} {name} {by}");
            }
            55..65 => {
                let key = random_key(rng);
                let ours = self.embedded.get(&key).await;
                assert_eq!(text(&ours), text(&self.reference.get(&key).await), "{key:?}");
            }
            65..70 => {
                let keys = random_keys(rng, 30);
                let ours = self.embedded.batch_get(&keys).await;
                assert_eq!(text(&ours), text(&self.reference.batch_get(&keys).await), "{keys:?}");
            }
            70..96 => self.compare_pages(&random_query(rng)).await,
            96..98 => clock.advance_seconds(rng.random_range(1..20)),
            _ => {
                let ours = self.embedded.sweep_expired().await;
                assert_eq!(text(&ours), text(&self.reference.sweep_expired().await));
            }
        }
    }

    /// All pages of a query, next keys included: both engines seal the same positions.
    async fn compare_pages(&self, query: &Query) {
        let mut start = None;
        loop {
            let query = query.clone().start(start);
            let ours = self.embedded.query(&query).await;
            let theirs = self.reference.query(&query).await;
            assert_eq!(text(&ours), text(&theirs), "{query:?}");
            start = theirs.ok().and_then(|page| page.next);
            if start.is_none() {
                return;
            }
        }
    }

    async fn compare_everything(&self) {
        assert_eq!(scan_all(&self.embedded).await, scan_all(&self.reference).await);
        let report = self.embedded.check().await.unwrap();
        assert!(report.is_sound(), "{:?}", report.problems);
    }
}

fn open(folder: &Path, clock: &ManualClock) -> EmbeddedTable {
    let options = Options::default().with_clock(clock.clone());
    EmbeddedTable::open(folder, schema(), options).unwrap()
}

fn text(outcome: &impl std::fmt::Debug) -> String {
    format!("{outcome:?}")
}

async fn scan_all(table: &dyn Table) -> Vec<Item> {
    let mut items = Vec::new();
    let mut start = None;
    loop {
        let page = table.scan(&Scan::all(37).start(start)).await.unwrap();
        items.extend(page.items);
        start = page.next;
        if start.is_none() {
            return items;
        }
    }
}

/// Few keys, so that operations meet; with characters at the borders of their encodings.
fn random_key(rng: &mut StdRng) -> Key {
    Key::new(*PARTITIONS.choose(rng).unwrap(), random_text(rng))
}

const PARTITIONS: [&str; 4] = ["IMAGE#1", "IMAGE#2", "ä", "z"];

fn random_text(rng: &mut StdRng) -> String {
    const LETTERS: [&str; 9] = ["a", "A", "b", "#", "é", "\u{7f}", "\u{ffff}", "\u{10FFFF}", "\0"];
    let length = rng.random_range(1..4);
    (0..length).map(|_| *LETTERS.choose(rng).unwrap()).collect()
}

fn random_keys(rng: &mut StdRng, count_max: usize) -> Vec<Key> {
    let count = rng.random_range(1..=count_max);
    let mut keys: Vec<Key> = (0..count).map(|_| random_key(rng)).collect();
    keys.sort();
    keys.dedup();
    keys
}

fn random_name(rng: &mut StdRng) -> &'static str {
    ["g1", "s1", "g2", "n2", "count", "note", VERSION].choose(rng).unwrap()
}

fn random_int(rng: &mut StdRng) -> i64 {
    match rng.random_range(0..8) {
        0 => i64::MAX,
        1 => i64::MIN,
        2 => (1 << 53) + rng.random_range(-1..2),
        _ => rng.random_range(-5..6),
    }
}

fn random_number(rng: &mut StdRng) -> Number {
    match rng.random_range(0..4) {
        0 => Number::from_f64(f64::from(rng.random_range(-20..20)) / 4.0).unwrap(),
        1 => Number::from_f64(*[9.5e18, -9.5e18, 1e125, 1e-130, 0.1].choose(rng).unwrap()).unwrap(),
        _ => random_int(rng).into(),
    }
}

/// Mostly what the attribute may hold, sometimes what it may not.
fn random_value(rng: &mut StdRng, name: &str) -> Value {
    if rng.random_range(0..25) == 0 {
        return [Value::Null, Value::S(String::new()), true.into(), 1.into()]
            .choose(rng)
            .unwrap()
            .clone();
    }
    match name {
        "g1" | "g2" => (*["x", "y"].choose(rng).unwrap()).into(),
        "s1" => random_text(rng).into(),
        "n2" => random_number(rng).into(),
        TTL => Value::int(1_000 + rng.random_range(0..2_000)),
        "note" => match rng.random_range(0..4) {
            0 => vec![Value::Null, random_text(rng).into(), random_number(rng).into()].into(),
            1 => vec![0u8; rng.random_range(0..20_000)].into(),
            2 => Value::M([(random_text(rng).into(), Value::Bool(rng.random()))].into()),
            _ => random_text(rng).into(),
        },
        _ => Value::int(rng.random_range(0..4)),
    }
}

fn random_item(rng: &mut StdRng) -> Item {
    let mut item = Item::new(random_key(rng));
    for name in ["g1", "s1", "g2", "n2", TTL, "note", "count", VERSION] {
        if rng.random_range(0..3) > 0 {
            let value = random_value(rng, name);
            item = item.with(name, value);
        }
    }
    item
}

fn random_condition(rng: &mut StdRng) -> Condition {
    let name = random_name(rng);
    match rng.random_range(0..10) {
        0..3 => Condition::Absent,
        3..5 => Condition::Present,
        5 => Condition::equals(name, random_value(rng, name)),
        6 => Condition::at_least(name, random_number(rng)),
        7 => Condition::at_most(name, random_number(rng)),
        8 => Condition::Has(name.to_owned()),
        _ => Condition::Lacks(name.to_owned()),
    }
}

fn random_actions(rng: &mut StdRng) -> Vec<Action> {
    let mut actions: Vec<Action> = Vec::new();
    for _ in 0..rng.random_range(1..4) {
        let action = random_action(rng);
        if actions.iter().all(|other| other.key() != action.key()) {
            actions.push(action);
        }
    }
    actions
}

fn random_action(rng: &mut StdRng) -> Action {
    let mut action = match rng.random_range(0..10) {
        0..4 => Action::put(random_item(rng)),
        4..8 => random_update(rng),
        8 => Action::delete(random_key(rng)),
        _ => Action::check(random_key(rng)).when(random_condition(rng)),
    };
    if rng.random_range(0..3) == 0 {
        action = action.when(random_condition(rng));
    }
    action
}

fn random_update(rng: &mut StdRng) -> Action {
    let mut action = Action::update(random_key(rng)).add("updates", 1);
    for name in ["g1", "s1", "n2", "note", "count", TTL] {
        action = match rng.random_range(0..8) {
            0..3 => {
                let value = random_value(rng, name);
                action.set(name, value)
            }
            3 => action.remove(name),
            4 if name == "count" || name == "n2" => {
                let by = random_int(rng);
                action.add(name, by)
            }
            _ => action,
        };
    }
    action
}

fn random_batch(rng: &mut StdRng) -> Vec<BatchEntry> {
    let keys = random_keys(rng, 25);
    keys.into_iter()
        .map(|key| match rng.random_range(0..4) {
            0 => BatchEntry::Delete(key),
            _ => BatchEntry::Put(Item { key, ..random_item(rng) }),
        })
        .collect()
}

fn random_query(rng: &mut StdRng) -> Query {
    let (query, numeric) = match rng.random_range(0..6) {
        0..2 => (Query::partition(*PARTITIONS.choose(rng).unwrap()), false),
        2 => (Query::index("by_text", *["x", "y"].choose(rng).unwrap()), false),
        3 => (Query::index("by_number", *["x", "y"].choose(rng).unwrap()), true),
        4 => (Query::index("turned", random_text(rng)), false),
        _ => (Query::index("by_ttl", *["x", "y"].choose(rng).unwrap()), true),
    };
    let query = query.limit(*[1, 2, 7, 20, 101, 1000].choose(rng).unwrap());
    let query = query.range(random_range(rng, numeric));
    if rng.random() { query.descending() } else { query }
}

fn random_range(rng: &mut StdRng, numeric: bool) -> SortRange {
    let bound = |rng: &mut StdRng| match numeric {
        true => SortValue::N(random_number(rng)),
        false => SortValue::S(random_text(rng)),
    };
    match rng.random_range(0..6) {
        0 if !numeric => SortRange::Prefix(random_text(rng)),
        1 => {
            let mut bounds = [bound(rng), bound(rng)];
            bounds.sort();
            let [low, high] = bounds;
            SortRange::Between(low, high)
        }
        2 => SortRange::From(bound(rng)),
        3 => SortRange::To(bound(rng)),
        _ => SortRange::All,
    }
}
