//! Tidy on small repositories of its own, through real `cargo metadata`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A workspace with two crates, of which `catalog` may use `model`.
fn repository(catalog_dependencies: &str, model_dependencies: &str) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let this_one = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    write("deny.toml", &fs::read_to_string(this_one.join("deny.toml")).unwrap());
    write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n");
    for (name, dependencies) in [("catalog", catalog_dependencies), ("model", model_dependencies)] {
        let package = "version = \"0.1.0\"\nedition = \"2024\"\nlicense = \"MIT\"";
        let manifest = format!("[package]\nname = \"{name}\"\n{package}\n{dependencies}");
        write(&format!("crates/{name}/Cargo.toml"), &manifest);
        write(&format!("crates/{name}/src/lib.rs"), "");
    }
    let table = "| crate | what it is | may use |\n|---|---|---|\n\
                 | `catalog` | keys | model |\n| `model` | words | – |\n";
    write("ARCHITECTURE.md", table);
    write("docs/requirements.md", &requirements());
    lock(root.path());
    root
}

fn requirements() -> String {
    let letters = [("L", 9), ("I", 20), ("S", 17), ("T", 9), ("B", 34)];
    let row = |(letter, last): (&str, u32)| {
        (1..=last).map(|n| format!("| {letter}{n} | open |\n")).collect::<String>()
    };
    letters.into_iter().map(row).collect()
}

fn lock(root: &Path) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let locked = Command::new(cargo)
        .args(["generate-lockfile", "--offline"])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(locked.status.success(), "{}", String::from_utf8_lossy(&locked.stderr));
}

fn tidy(root: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["tidy", "--root"]).arg(root).output().unwrap()
}

fn assert_complains(root: &Path, complaint: &str) {
    let done = tidy(root);
    let said = String::from_utf8_lossy(&done.stdout);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains(complaint), "{said}{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_tidy_repository_has_nothing_to_complain_about() {
    let dependency = "[dependencies]\nmodel = { path = \"../model\" }\n";
    let root = repository(dependency, "");
    let done = tidy(root.path());
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert!(said.contains("nothing to complain about"), "{said}");
}

#[test]
fn a_dependency_against_the_map_fails() {
    let root = repository("", "[dependencies]\ncatalog = { path = \"../catalog\" }\n");
    assert_complains(root.path(), "crates/model/Cargo.toml: uses `catalog`");
}

#[test]
fn a_dependency_of_tests_is_free() {
    let root = repository("", "[dev-dependencies]\ncatalog = { path = \"../catalog\" }\n");
    assert!(tidy(root.path()).status.success());
}

#[test]
fn a_dead_link_fails() {
    let root = repository("", "");
    fs::write(root.path().join("README.md"), "[map](docs/map.md)\n").unwrap();
    assert_complains(root.path(), "README.md:1: docs/map.md leads nowhere");
}

#[test]
fn a_long_file_fails() {
    let root = repository("", "");
    fs::write(root.path().join("crates/model/src/lib.rs"), "//\n".repeat(601)).unwrap();
    assert_complains(root.path(), "crates/model/src/lib.rs: has 601 lines");
}

#[test]
fn a_lost_requirement_fails() {
    let root = repository("", "");
    fs::write(root.path().join("docs/requirements.md"), requirements().replace("| T3 |", "| |"))
        .unwrap();
    assert_complains(root.path(), "docs/requirements.md: T3 has no row");
}

#[test]
fn a_licence_that_is_not_allowed_fails() {
    let root = repository("", "");
    let manifest = root.path().join("crates/model/Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"MIT\"", "\"AGPL-3.0-only\"")).unwrap();
    assert_complains(root.path(), "model 0.1.0: has the licence \"AGPL-3.0-only\"");
}

#[test]
fn an_unknown_benchmark_is_named() {
    let run =
        Command::new(env!("CARGO_BIN_EXE_xtask")).args(["bench", "nothing"]).output().unwrap();
    assert_eq!(run.status.code(), Some(1));
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains("no benchmark is called \"nothing\""), "{said}");
}
