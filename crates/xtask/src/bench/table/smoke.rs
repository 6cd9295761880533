//! The whole benchmark with very little data, as a test: every operation on both sides, the
//! kills, the report. What it measures means nothing.

use std::time::Duration;

use crate::Outcome;
use crate::dataset::Dataset;
use crate::plan::Plan;
use crate::report;
use crate::run;
use crate::shared::smoke;
use crate::store::Side;
use crate::targets;
use crate::work::Operation;

const NAME: &str = "table_benchmark_works";

/// Runs the test, if the arguments of the test run ask for it.
pub fn run(arguments: &[String]) -> Outcome {
    smoke::run(NAME, arguments, test)
}

fn test() -> Outcome {
    let plan = Plan {
        items: 1_000,
        rounds: 1,
        counted: Duration::from_millis(20),
        seed: testkit::seed::seed_from_env_or_random(NAME),
        writers: [1, 2, 4],
        updaters: 2,
        chunks: 2,
        kills: 1,
    };
    check_items(&plan)?;
    let findings = run::run(&plan, &std::env::temp_dir())?;
    let targets = targets::judge(&plan, &findings.results);
    let text = report::markdown(&plan, &findings, &targets, "cargo test");
    check_report(&plan, &findings.results, &text)
}

fn check_items(plan: &Plan) -> Outcome {
    let dataset = Dataset { seed: plan.seed, items: plan.items };
    for number in 0..plan.items {
        let item = dataset.item(number)?;
        let size_bytes = item.size_bytes();
        if !(1_150..=1_350).contains(&size_bytes) {
            return Err(format!("image {number} has {size_bytes} bytes instead of 1.2 KB").into());
        }
    }
    Ok(())
}

fn check_report(plan: &Plan, results: &crate::results::Results, text: &str) -> Outcome {
    let all = plan.reads().into_iter().chain(plan.writes()).chain([Operation::FirstLoad]);
    for (operation, side) in all.flat_map(|operation| Side::BOTH.map(|side| (operation, side))) {
        let summary = results.summary(operation, plan.items, side);
        if !summary.is_some_and(|summary| summary.per_second.min > 0.0) {
            return Err(format!("{side} did nothing in {operation}").into());
        }
        if !text.contains(&operation.to_string()) {
            return Err(format!("the report does not mention {operation}:\n{text}").into());
        }
    }
    for side in Side::BOTH {
        let reopened = results.reopened.get(&side).map_or(0, Vec::len);
        let acknowledged = results.acknowledged.get(&side).copied().unwrap_or(0);
        if reopened != plan.kills || acknowledged == 0 {
            return Err(format!("{side} was not killed while writing").into());
        }
    }
    Ok(())
}
