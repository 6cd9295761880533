//! The whole benchmark, in order: fill, compare, read, write, kill.
//!
//! Every figure comes from rounds in which sides and sizes take turns, so that whatever else
//! the machine does falls on all of them alike.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use testkit::postgres::Postgres;

use crate::Outcome;
use crate::crash;
use crate::measure::{measure, runtime_for};
use crate::plan::Plan;
use crate::postgres::{PostgresStore, SETTINGS};
use crate::results::Results;
use crate::shared::dice::Dice;
use crate::shared::format::grouped;
use crate::shared::machine::{self, Facts};
use crate::shared::say;
use crate::store::Side;
use crate::tables::Tables;
use crate::work::{Knowledge, Operation};

/// What was found, and where.
#[derive(Debug)]
pub struct Findings {
    pub machine: Facts,
    pub results: Results,
}

/// One size's tables with what the tasks know about each side's.
struct Measured {
    tables: Tables,
    embedded: Arc<Knowledge>,
    postgres: Arc<Knowledge>,
}

/// Runs everything with its files inside this folder, and removes them.
pub fn run(plan: &Plan, parent: &Path) -> Outcome<Findings> {
    let folder = tempfile::Builder::new().prefix("ferrotype-bench-").tempdir_in(parent)?;
    // PostgreSQL runs as a user of its own when we are root.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    let mut cluster = Postgres::start_in(folder.path(), &SETTINGS);
    let address = cluster.connection_string();
    let version = PostgresStore::new(address.clone(), "none");
    let version = runtime_for(1)?.block_on(version.ask("SHOW server_version"))?;
    let mut machine = machine::facts()?;
    machine.extend(machine::disk_facts(folder.path())?);
    machine.push(("SQLite", rusqlite::version().to_owned()));
    machine.push(("PostgreSQL", version));

    let mut results = Results::default();
    let mut measured = Vec::new();
    for items in plan.sizes() {
        say(format_args!("filling both sides with {} items", grouped(items)));
        let tables = Tables::create(plan, items, folder.path(), &address)?;
        tables.fill(plan, &mut results)?;
        tables.compare()?;
        let embedded = tables.knowledge(Side::Embedded)?;
        let postgres = tables.knowledge(Side::Postgres)?;
        measured.push(Measured { tables, embedded, postgres });
    }
    let mut dice = Dice::new(plan.seed, 0);
    run_rounds(plan, &plan.reads(), &measured, &mut results, &mut dice)?;
    run_rounds(plan, &plan.writes(), &measured, &mut results, &mut dice)?;
    machine.push(("load after the run", machine::load()));
    if let Some(Measured { tables, embedded, .. }) = measured.pop() {
        let first = embedded.next.load(Ordering::Relaxed);
        drop(embedded);
        crash::kill_and_reopen(plan, tables, &mut cluster, first, &mut results)?;
    }
    Ok(Findings { machine, results })
}

/// Does every operation on every table of both sides, round after round. The round before the
/// first is not counted.
fn run_rounds(
    plan: &Plan,
    operations: &[Operation],
    measured: &[Measured],
    results: &mut Results,
    dice: &mut Dice,
) -> Outcome {
    for round in 0..=plan.rounds {
        for operation in operations {
            say(format_args!("round {round} of {}: {operation}", plan.rounds));
            for each in measured {
                for side in Side::BOTH {
                    let shown = each.measure(plan, *operation, side, dice)?;
                    if round > 0 {
                        results.add(*operation, each.tables.dataset.items, side, shown);
                    }
                }
            }
        }
    }
    Ok(())
}

impl Measured {
    fn measure(
        &self,
        plan: &Plan,
        operation: Operation,
        side: Side,
        dice: &mut Dice,
    ) -> Outcome<crate::measure::Round> {
        let knowledge = match side {
            Side::Embedded => &self.embedded,
            Side::Postgres => &self.postgres,
        };
        if let Operation::Load { rows } = operation {
            let first = knowledge.next.fetch_add(rows, Ordering::Relaxed);
            return self.tables.load_more(side, first, rows);
        }
        let store = self.tables.store(side);
        measure(store, knowledge, operation, plan.length(), Dice::new(dice.next(), 0))
    }
}
