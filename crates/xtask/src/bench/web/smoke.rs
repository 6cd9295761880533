//! The server's side with very little data, as a test. What it measures means nothing.

use crate::shared::smoke;
use crate::{Outcome, Plan, measure, report, targets};

const NAME: &str = "web_benchmark_works";

/// Runs the test, if the arguments of the test run ask for it.
pub fn run(arguments: &[String]) -> Outcome {
    smoke::run(NAME, arguments, test)
}

fn test() -> Outcome {
    let seed = testkit::seed::seed_from_env_or_random(NAME);
    let plan = Plan { images: 3_000, seed, browser: false };
    let findings = measure::run(&plan, &std::env::temp_dir())?;
    let targets = targets::judge(&findings);
    let text = report::markdown(&plan, &findings, &targets);
    match text.contains("| images | 300 | 3,000 |") {
        true => Ok(()),
        false => Err(format!("the report does not mention both libraries:\n{text}").into()),
    }
}
