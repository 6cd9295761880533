//! `ferrotype doctor`

use serde::Serialize;

use crate::cli::Arguments;
use crate::config::Surroundings;
use crate::doctor::{Finding, Status, examine};
use crate::failure::Failure;
use crate::output::say;

/// Says how everything is; fails if there is a problem.
pub async fn doctor(
    arguments: &Arguments,
    surroundings: &Surroundings,
    json: bool,
) -> Result<(), Failure> {
    let file = arguments.config.as_deref();
    let findings = Box::pin(examine(file, &arguments.settings, surroundings)).await;
    let is_problem = |finding: &&Finding| finding.status == Status::Problem;
    let problems = findings.iter().filter(is_problem).count();
    let checks = findings.len();
    if json {
        #[derive(Serialize)]
        struct Answer {
            ok: bool,
            findings: Vec<Finding>,
        }
        let answer = Answer { ok: problems == 0, findings };
        let text = serde_json::to_string_pretty(&answer);
        say!("{}", text.map_err(|error| Failure::Start(error.to_string()))?);
    } else {
        for finding in &findings {
            say!("{finding}");
        }
    }
    if problems > 0 { Err(Failure::Unwell { problems, checks }) } else { Ok(()) }
}
