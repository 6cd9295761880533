//! The whole benchmark with very little data, as a test: every kind of request, the report. What it
//! measures means nothing.

use crate::Outcome;
use crate::kind::Kind;
use crate::plan::Plan;
use crate::shared::smoke;
use crate::{measure, report, targets};

const NAME: &str = "search_benchmark_works";

/// Runs the test, if the arguments of the test run ask for it.
pub fn run(arguments: &[String]) -> Outcome {
    smoke::run(NAME, arguments, test)
}

fn test() -> Outcome {
    let seed = testkit::seed::seed_from_env_or_random(NAME);
    let plan = Plan { images: 2_000, requests: 5, seed, only: None };
    let findings = measure::run(&plan, &std::env::temp_dir(), None)?;
    let targets = targets::judge(&plan, &findings);
    let text = report::markdown(&plan, &findings, &targets, "cargo test");
    for kind in Kind::ALL {
        if !text.contains(&kind.to_string()) {
            return Err(format!("the report does not mention {kind}:\n{text}").into());
        }
    }
    Ok(())
}
