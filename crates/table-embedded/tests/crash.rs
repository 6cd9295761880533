//! A process that writes is killed, again and again: everything it acknowledged is there when
//! the table is opened again, and every transaction is there as a whole or not at all.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use table::conformance::schema;
use table::{Action, BatchEntry, Condition, Item, Key, Query, Table, TableExt};
use table_embedded::{EmbeddedTable, Options};
use tempfile::TempDir;
use testkit::seed::seed_from_env_or_random;

const FOLDER: &str = "FERROTYPE_CRASH_FOLDER";
const WRITERS: usize = 8;
const ACCOUNTS: i64 = 5;
const BALANCE: i64 = 1_000;
const KILLS_MIN: usize = 10;

fn soak() -> Duration {
    let seconds = std::env::var("FERROTYPE_SOAK_SECONDS").ok();
    Duration::from_secs(seconds.map_or(0, |seconds| seconds.parse().unwrap()))
}

fn open(folder: &Path) -> EmbeddedTable {
    EmbeddedTable::open(folder, schema(), Options::default()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_by_kill_9() {
    let mut rng = StdRng::seed_from_u64(seed_from_env_or_random("crash"));
    let folder = TempDir::new().unwrap();
    prepare(folder.path()).await;
    let end = Instant::now() + soak();
    let mut acknowledged = Acknowledged::default();
    let mut kills = 0;
    let mut slowest_open = Duration::ZERO;
    while kills < KILLS_MIN || Instant::now() < end {
        run_and_kill(folder.path(), &mut rng, &mut acknowledged);
        kills += 1;
        let opening = Instant::now();
        let table = open(folder.path());
        slowest_open = slowest_open.max(opening.elapsed());
        verify(&table, &acknowledged).await;
    }
    let count: i64 = acknowledged.transactions.values().sum();
    println!("{kills} kills, {count} transactions, slowest open {slowest_open:?}");
    assert!(count > 0, "nothing was acknowledged between the kills");
    assert!(slowest_open < Duration::from_secs(5), "{slowest_open:?}");
}

/// What the killed processes said they had written.
#[derive(Debug, Default)]
struct Acknowledged {
    /// The last transaction of each writer.
    transactions: BTreeMap<usize, i64>,
    /// The last batch of each writer.
    batches: BTreeMap<usize, i64>,
    /// The largest number an increment returned.
    counter: i64,
}

async fn prepare(folder: &Path) {
    let table = open(folder);
    for account in 0..ACCOUNTS {
        table.put(Item::new(account_key(account)).with("balance", BALANCE)).await.unwrap();
    }
    table.close().await;
}

fn account_key(account: i64) -> Key {
    Key::new(format!("ACCOUNT#{account}"), "ACCOUNT")
}

fn log_key(writer: usize, n: i64) -> Key {
    Key::new(format!("LOG#{writer}"), format!("{n:08}"))
}

fn batch_key(writer: usize, n: i64, part: i64) -> Key {
    Key::new(format!("BATCH#{writer}#{n:08}"), format!("{part}"))
}

fn head_key(writer: usize) -> Key {
    Key::new(format!("HEAD#{writer}"), "HEAD")
}

/// Lets a process write and kills it after a random number of its acknowledgements.
fn run_and_kill(folder: &Path, rng: &mut StdRng, acknowledged: &mut Acknowledged) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_process_to_kill", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let acknowledgements = rng.random_range(0..400);
    if acknowledgements < 40 {
        // While it opens the table.
        std::thread::sleep(Duration::from_millis(acknowledgements));
    } else {
        let asked = usize::try_from(acknowledgements).unwrap();
        let said = lines.by_ref().take(asked).map(|line| acknowledged.note(&line.unwrap()));
        // A process that cannot open the table or is refused its writes ends by itself.
        assert_eq!(said.count(), asked, "the process ended before it was killed");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What it had said before it was killed counts.
    for line in lines.map_while(Result::ok) {
        acknowledged.note(&line);
    }
}

impl Acknowledged {
    fn note(&mut self, line: &str) {
        // Each line is written by one call, but the last may be cut off; the test harness
        // says things, too.
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["transaction", writer, n, "."] => {
                self.transactions.insert(writer.parse().unwrap(), n.parse().unwrap());
            }
            ["batch", writer, n, "."] => {
                self.batches.insert(writer.parse().unwrap(), n.parse().unwrap());
            }
            ["counter", n, "."] => self.counter = self.counter.max(n.parse().unwrap()),
            _ => {}
        }
    }
}

async fn verify(table: &EmbeddedTable, acknowledged: &Acknowledged) {
    for writer in 0..WRITERS {
        let acked = acknowledged.transactions.get(&writer).copied().unwrap_or(0);
        let head = table.get(&head_key(writer)).await.unwrap();
        let written = head.and_then(|head| head.i64("n")).unwrap_or(0);
        assert!(written >= acked, "writer {writer}: {acked} acknowledged, {written} there");
        // All of each transaction: the log has exactly what the head says.
        assert_eq!(log_length(table, writer).await, written, "writer {writer}");
        if let Some(&n) = acknowledged.batches.get(&writer) {
            for part in 0..5 {
                assert!(table.get(&batch_key(writer, n, part)).await.unwrap().is_some());
            }
        }
    }
    let counter = table.get(&Key::new("COUNTER", "COUNTER")).await.unwrap();
    assert!(counter.and_then(|item| item.i64("value")).unwrap_or(0) >= acknowledged.counter);
    let mut sum = 0;
    for account in 0..ACCOUNTS {
        sum += table.get(&account_key(account)).await.unwrap().unwrap().i64("balance").unwrap();
    }
    assert_eq!(sum, ACCOUNTS * BALANCE);
    let report = table.check().await.unwrap();
    assert!(report.is_sound(), "{:?}", report.problems);
}

async fn log_length(table: &EmbeddedTable, writer: usize) -> i64 {
    let mut start = None;
    let mut expected = 0;
    loop {
        let query = Query::index("by_number", format!("LOG#{writer}")).limit(500).start(start);
        let page = table.query(&query).await.unwrap();
        for item in &page.items {
            expected += 1;
            assert_eq!(item.key, log_key(writer, expected), "a hole in the log");
        }
        start = page.next;
        if start.is_none() {
            return expected;
        }
    }
}

/// Not a test by itself: the process that is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_to_kill() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let table = Arc::new(open(Path::new(&folder)));
    let writers =
        (0..WRITERS).map(|writer| tokio::spawn(write_for_ever(Arc::clone(&table), writer)));
    futures::future::join_all(writers).await;
}

async fn write_for_ever(table: Arc<EmbeddedTable>, writer: usize) {
    let mut rng = StdRng::seed_from_u64(u64::try_from(writer).unwrap());
    let head = table.get(&head_key(writer)).await.unwrap();
    let first = head.and_then(|head| head.i64("n")).unwrap_or(0) + 1;
    for n in first.. {
        write_transaction(&table, &mut rng, writer, n).await;
        say(&format!("transaction {writer} {n} .\n"));
        if n % 3 == 0 {
            let entries = (0..5).map(|part| BatchEntry::Put(Item::new(batch_key(writer, n, part))));
            table.batch_write(entries.collect()).await.unwrap();
            say(&format!("batch {writer} {n} .\n"));
        }
        if n % 4 == 0 {
            let value = table.increment(&Key::new("COUNTER", "COUNTER"), "value", 1).await.unwrap();
            say(&format!("counter {value} .\n"));
        }
    }
}

/// One more line in the writer's log and, in the same transaction, money from one account to
/// another; repeated when the account has too little.
async fn write_transaction(table: &EmbeddedTable, rng: &mut StdRng, writer: usize, n: i64) {
    loop {
        let from = rng.random_range(0..ACCOUNTS);
        let to = (from + rng.random_range(1..ACCOUNTS)) % ACCOUNTS;
        let amount = rng.random_range(1..200);
        let payload = vec![0u8; rng.random_range(0..16_384)];
        let log = Item::new(log_key(writer, n))
            .with("number_partition", format!("LOG#{writer}"))
            .with("number_sort", n)
            .with("payload", payload);
        let outcome = table
            .transact(vec![
                Action::put(log).when(Condition::Absent),
                Action::update(head_key(writer)).add("n", 1),
                Action::update(account_key(from))
                    .add("balance", -amount)
                    .when(Condition::at_least("balance", amount)),
                Action::update(account_key(to)).add("balance", amount),
            ])
            .await
            .unwrap();
        if outcome.is_done() {
            return;
        }
    }
}

/// One call, so that lines of different writers do not mix.
fn say(line: &str) {
    std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
}
