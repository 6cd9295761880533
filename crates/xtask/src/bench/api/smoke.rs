//! The whole benchmark with very little data and without what must be installed for it, as a
//! test. What it measures means nothing.

use crate::Outcome;
use crate::operation::Operation;
use crate::plan::Plan;
use crate::shared::smoke;
use crate::side::Side;
use crate::{report, run, targets};

const NAME: &str = "api_benchmark_works";

/// Runs the test, if the arguments of the test run ask for it.
pub fn run(arguments: &[String]) -> Outcome {
    smoke::run(NAME, arguments, test)
}

fn test() -> Outcome {
    let plan = Plan {
        images: 200,
        users: 4,
        popular: 16,
        connections: 4,
        operations: Operation::ALL.to_vec(),
        with_uploads: true,
        rounds: 1,
        seconds: 1,
        seed: testkit::seed::seed_from_env_or_random(NAME) % 1_000_000,
        photo_size: (320, 240),
        lone_photo_size: (400, 300),
        photos: 2,
        upload_rounds: 1,
        uploads: 4,
        uploaders: 2,
        lone_uploads: 2,
        sides: &Side::OWN,
    };
    let findings = run::run(&plan, None, &std::env::temp_dir())?;
    let results = &findings.results;
    for operation in Operation::ALL {
        let sides = operation.sides().iter().filter(|side| plan.sides.contains(side));
        for side in sides {
            if results.spread(operation, *side, |load| load.per_second).is_none() {
                return Err(format!("{side} did nothing for: {operation}").into());
            }
        }
    }
    // The bare handler answers with as many bytes, but for the texts of that one image.
    let bytes = |side| results.spread(Operation::Get, side, |load| load.answer_bytes);
    let (ours, bare) = (bytes(Side::Ferrotype), bytes(Side::Bare));
    let (Some(ours), Some(bare)) = (ours, bare) else { return Err("no answers".into()) };
    if ours.median.abs_diff(bare.median) > ours.median / 10 {
        return Err(format!("{} bytes are compared with {}", ours.median, bare.median).into());
    }
    let targets = targets::judge(results, findings.lone_photo_bytes);
    let text = report::markdown(&plan, &findings, &targets, "cargo test", "");
    for needed in ["## Targets", "bare handler", "## Uploads", "## Memory"] {
        if !text.contains(needed) {
            return Err(format!("the report does not mention {needed}:\n{text}").into());
        }
    }
    Ok(())
}
