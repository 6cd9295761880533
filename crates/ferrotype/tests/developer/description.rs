//! docs/openapi.json as other programs read it.

use serde_json::Value;

use crate::site::{of_node, of_repository, read, succeed};
use crate::support::program::run;

#[test]
fn spectral_has_nothing_to_say() {
    let mut command = std::process::Command::new(of_node("spectral"));
    command.args(["lint", "--fail-severity", "hint", "--quiet", "--ruleset"]);
    command.arg(of_repository("scripts/tools/api/spectral.yaml"));
    let said = succeed({
        command.arg(of_repository("docs/openapi.json"));
        command
    });
    assert!(!said.contains("warning") && !said.contains("error"), "{said}");
}

#[test]
fn redocly_has_nothing_to_say() {
    let mut command = std::process::Command::new(of_node("redocly"));
    command
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")
        .args(["lint", "--format", "json", "--max-problems", "1000", "--config"])
        .arg(of_repository("scripts/tools/api/redocly.yaml"))
        .arg(of_repository("docs/openapi.json"));
    let said = run(command);
    let report: Value = serde_json::from_str(&said.stdout).unwrap_or_default();
    let problems = report["problems"].as_array().unwrap_or_else(|| panic!("{said:?}"));
    let told: Vec<_> =
        problems.iter().map(|p| format!("{}: {}", p["ruleId"], p["message"])).collect();
    assert!(told.is_empty(), "{told:#?}");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
}

#[test]
fn operations_are_called_by_a_verb_and_a_noun() {
    let document: Value = serde_json::from_str(&read("docs/openapi.json")).unwrap();
    let paths = document["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|item| item.as_object().unwrap().values());
    let mut names: Vec<_> = operations.map(|o| o["operationId"].as_str().unwrap()).collect();
    for name in &names {
        let verb = name.split(|c: char| c.is_ascii_uppercase()).next().unwrap();
        assert!(VERBS.contains(&verb), "{name} begins with no verb that is known");
        assert!(name.len() > verb.len(), "{name} says not what");
    }
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "each has a name of its own");
}

const VERBS: &[&str] = &[
    "add", "answer", "append", "archive", "assign", "begin", "cancel", "change", "check",
    "complete", "create", "delete", "describe", "edit", "end", "erase", "find", "get", "list",
    "make", "merge", "move", "offer", "put", "rebuild", "record", "reject", "rename", "reset",
    "restore", "retry", "search", "set", "split", "stream", "suggest", "undo", "unlock", "upload",
];
