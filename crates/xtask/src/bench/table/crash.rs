//! Killing either side while many tasks write, and opening it again.
//!
//! The time counts from the start until the first row was read. Whatever had been
//! acknowledged must be there.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use futures::future::join_all;
use table::{Table as _, TableExt as _};
use testkit::postgres::Postgres;

use crate::Outcome;
use crate::dataset::Dataset;
use crate::embedded;
use crate::measure::runtime_for;
use crate::plan::Plan;
use crate::postgres::PostgresStore;
use crate::results::Results;
use crate::store::{Side, Store as _};
use crate::tables::Tables;

/// Numbers of images that one kill may use.
const NUMBERS_PER_KILL: u64 = 10_000_000;
/// The command line of the child that writes.
pub const WRITER_COMMAND: &str = "crash-writer";

/// Kills and opens both sides in turns.
pub fn kill_and_reopen(
    plan: &Plan,
    tables: Tables,
    cluster: &mut Postgres,
    first: u64,
    results: &mut Results,
) -> Outcome {
    let Tables { dataset, embedded, mut postgres } = tables;
    let folder = embedded.table().folder().to_owned();
    // The child must be the only one who has it open.
    drop(embedded);
    for kill in 0..plan.kills {
        eprintln!("bench: kill {} of {} under load", kill + 1, plan.kills);
        let first = first + u64::try_from(kill)? * NUMBERS_PER_KILL;
        let killed = kill_embedded(plan, dataset, &folder, first)?;
        note(results, Side::Embedded, killed);
        let killed = kill_postgres(plan, dataset, cluster, &mut postgres, first)?;
        note(results, Side::Postgres, killed);
    }
    Ok(())
}

fn note(results: &mut Results, side: Side, (took, acknowledged): (Duration, u64)) {
    results.reopened.entry(side).or_default().push(took);
    *results.acknowledged.entry(side).or_default() += acknowledged;
}

fn kill_embedded(
    plan: &Plan,
    dataset: Dataset,
    folder: &Path,
    first: u64,
) -> Outcome<(Duration, u64)> {
    let mut child = start_writer(plan, dataset, folder, first)?;
    let said = child.stdout.take().ok_or("the writer has no output")?;
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&acknowledged);
    let listener = thread::spawn(move || {
        for number in BufReader::new(said).lines().map_while(Result::ok) {
            lock(&heard).extend(number.parse::<u64>());
        }
    });
    let wrote = wait_for_writes(plan, &acknowledged);
    child.kill()?;
    child.wait()?;
    listener.join().map_err(|_| "the listener failed")?;
    wrote?;

    let acknowledged = std::mem::take(&mut *lock(&acknowledged));
    let started = Instant::now();
    let table = embedded::open(folder)?;
    runtime_for(1)?.block_on(async {
        let found = table.get(&dataset.key(0)).await?;
        let took = started.elapsed();
        found.ok_or("the first image is gone")?;
        for number in &acknowledged {
            let found = table.get(&dataset.key(*number)).await?;
            found.ok_or_else(|| format!("the acknowledged image {number} is gone"))?;
        }
        table.close().await;
        Ok((took, u64::try_from(acknowledged.len())?))
    })
}

fn start_writer(plan: &Plan, dataset: Dataset, folder: &Path, first: u64) -> Outcome<Child> {
    let writers = plan.busiest_put().tasks();
    let numbers = [dataset.seed, dataset.items, first, u64::try_from(writers)?];
    Ok(Command::new(std::env::current_exe()?)
        .arg(WRITER_COMMAND)
        .arg(folder)
        .args(numbers.map(|number| number.to_string()))
        .stdout(Stdio::piped())
        .spawn()?)
}

/// What the child does until it is killed: stores images, and says which are stored.
pub fn write_until_killed(folder: &Path, numbers: [u64; 4]) -> Outcome {
    let [seed, items, first, writers] = numbers;
    let dataset = Dataset { seed, items };
    let table = embedded::open(folder)?;
    let next = Arc::new(AtomicU64::new(first));
    runtime_for(2)?.block_on(async {
        let writers = (0..writers).map(|_| {
            let (table, next) = (Arc::clone(&table), Arc::clone(&next));
            tokio::spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    table.put(dataset.item(number)?).await?;
                    // Fails when nobody listens any more, and so ends this process.
                    writeln!(std::io::stdout(), "{number}")?;
                }
            })
        });
        for ended in join_all(writers).await {
            let ended: Outcome = ended?;
            ended?;
        }
        Ok(())
    })
}

fn kill_postgres(
    plan: &Plan,
    dataset: Dataset,
    cluster: &mut Postgres,
    store: &mut PostgresStore,
    first: u64,
) -> Outcome<(Duration, u64)> {
    runtime_for(1)?.block_on(store.checkpoint())?;
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    let runtime = runtime_for(2)?;
    let next = Arc::new(AtomicU64::new(first));
    let writers: Vec<_> = (0..plan.busiest_put().tasks())
        .map(|_| {
            let (store, next) = (store.clone(), Arc::clone(&next));
            let acknowledged = Arc::clone(&acknowledged);
            runtime.spawn(async move {
                let mut session = store.session().await?;
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    session.put(dataset.item(number)?).await?;
                    lock(&acknowledged).push(number);
                }
            })
        })
        .collect();
    wait_for_writes(plan, &acknowledged)?;
    let recovered = cluster.crash_and_recover();
    // All of them fail, because the server is another one now.
    let _: Vec<Result<Outcome, _>> = runtime.block_on(join_all(writers));

    let acknowledged = std::mem::take(&mut *lock(&acknowledged));
    *store = store.at(cluster.connection_string());
    let started = Instant::now();
    runtime.block_on(async {
        let mut session = store.session().await?;
        let found = session.get(&dataset.key(0)).await?;
        let took = recovered + started.elapsed();
        found.ok_or("the first image is gone")?;
        for number in &acknowledged {
            let found = session.get(&dataset.key(*number)).await?;
            found.ok_or_else(|| format!("the acknowledged image {number} is gone"))?;
        }
        Ok((took, u64::try_from(acknowledged.len())?))
    })
}

/// Waits until writes have been acknowledged, and then as long as a round.
fn wait_for_writes(plan: &Plan, acknowledged: &Mutex<Vec<u64>>) -> Outcome {
    let some = || !lock(acknowledged).is_empty();
    if !testkit::wait::wait_until(Duration::from_secs(60), some) {
        return Err("the writers wrote nothing within a minute".into());
    }
    thread::sleep(plan.counted);
    Ok(())
}

fn lock(acknowledged: &Mutex<Vec<u64>>) -> std::sync::MutexGuard<'_, Vec<u64>> {
    acknowledged.lock().unwrap_or_else(PoisonError::into_inner)
}
