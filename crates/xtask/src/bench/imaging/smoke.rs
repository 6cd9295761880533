//! The whole benchmark with Ferrotype alone and two small photos, as a test: the workers, the
//! judging, the report. What it measures means nothing.

use crate::Outcome;
use crate::contender::Contender;
use crate::measure::Scenario;
use crate::photos::Kind;
use crate::plan::{Job, Plan};
use crate::shared::smoke;
use crate::{reference, report, run, targets};

const NAME: &str = "imaging_benchmark_works";

/// Runs the test, if the arguments of the test run ask for it.
pub fn run(arguments: &[String]) -> Outcome {
    smoke::run(NAME, arguments, test)
}

fn test() -> Outcome {
    reference::check()?;
    let seed = testkit::seed::seed_from_env_or_random(NAME) % 1_000_000;
    let (size, contenders) = ((480, 360), Contender::ALONE.as_slice());
    let (own, only_jpeg) = (None, false);
    let plan = Plan { rounds: 1, seed, size, photos: 3, others: 1, own, only_jpeg, contenders };
    let job = Job::of_default_sizes();
    let findings = run::run(&plan, &std::env::temp_dir())?;
    for scenario in Scenario::all(&Kind::OWN) {
        let bytes =
            findings.results.median(scenario, Contender::Ferrotype, |round| round.bytes_out);
        if bytes.is_none_or(|bytes| bytes < 1_000.0) {
            return Err(format!("nothing was rendered in {scenario:?}").into());
        }
    }
    for (kind, size) in
        Kind::OWN.into_iter().flat_map(|kind| job.sizes.iter().map(move |size| (kind, size)))
    {
        let score = findings.results.score(kind, Contender::Ferrotype, &size.name);
        // Worse than any photo at this quality: turned, cut or coloured wrongly.
        if score.is_none_or(|score| score < 50.0) {
            return Err(format!("{kind}, {}: SSIMULACRA2 is {score:?}", size.name).into());
        }
    }
    let targets = targets::judge(&job, &findings);
    let text = report::markdown(&plan, &job, &findings, &targets, "cargo test");
    for needed in ["## Targets", "## Where the time goes", "Ferrotype"] {
        if !text.contains(needed) {
            return Err(format!("the report does not mention {needed}:\n{text}").into());
        }
    }
    Ok(())
}
