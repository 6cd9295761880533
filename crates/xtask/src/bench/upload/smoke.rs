//! The whole benchmark with few photos, as a test. Its times mean nothing; but nobody may be told to
//! wait.

use crate::measure::Plan;
use crate::shared::smoke;
use crate::{Outcome, measure, report, server, targets};

const NAME: &str = "upload_benchmark_works";

/// Runs the test, if the arguments of the test run ask for it.
pub fn run(arguments: &[String]) -> Outcome {
    smoke::run(NAME, arguments, test)
}

fn test() -> Outcome {
    let plan = Plan { photos: 60, parallel: 8, idle_requests: 10 };
    let findings = measure::run(&plan, &server::build()?, &std::env::temp_dir())?;
    let text = report::markdown(&plan, &findings, &targets::judge(&findings), "cargo test");
    let told = findings.limited.told_to_wait + findings.free.told_to_wait;
    if told > 0 || findings.limited.busy.refused > 0 || !text.contains("| off |") {
        return Err(format!("somebody was refused, or the report lacks a side:\n{text}").into());
    }
    Ok(())
}
