//! What somebody feels who opens the gallery: the release binary, and Chromium driven by
//! `web/bench/timeline.mjs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use testkit::servers::Program;

use crate::Outcome;
use crate::library::{EMAIL, PASSWORD};
use crate::shared::machine::Facts;
use crate::shared::repository::repository;

/// What the browser found, as its script writes it.
pub struct InBrowser(Value);

impl InBrowser {
    /// A number, by its names from outside to inside.
    pub fn number(&self, names: &[&str]) -> Option<f64> {
        names.iter().try_fold(&self.0, |value, name| value.get(*name))?.as_f64()
    }

    /// What it was measured with.
    pub fn versions(&self) -> Facts {
        let version = |name: &str| {
            let found = self.0.get("versions").and_then(|versions| versions.get(name)?.as_str());
            found.unwrap_or("unknown").to_owned()
        };
        vec![("Chromium", version("chromium")), ("Lighthouse", version("lighthouse"))]
    }
}

/// Starts the binary on a data folder and measures.
pub fn run(data: &Path) -> Outcome<InBrowser> {
    let binary = build()?;
    let server = Program::start("ferrotype", "/health/live", |port, _| {
        let mut command = Command::new(&binary);
        command
            .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data-folder"])
            .arg(data)
            .args(["--rate-limits-enabled", "false", "--log-level", "warn"]);
        command
    });
    let out = data.join("browser.json");
    let script = repository().join("web/bench/timeline.mjs");
    let status = Command::new("node")
        .arg(script)
        .args(["--url", &server.endpoint(), "--email", EMAIL, "--password", PASSWORD])
        .args(["--lighthouse", "--json"])
        .arg(&out)
        .status()?;
    if !status.success() {
        return Err("web/bench/timeline.mjs failed: has `scripts/setup test` been run?".into());
    }
    Ok(InBrowser(serde_json::from_slice(&std::fs::read(out)?)?))
}

/// Builds the binary as this program was built, and says where it is.
fn build() -> Outcome<PathBuf> {
    let exe = std::env::current_exe()?;
    let folder = exe.ancestors().nth(2).ok_or("this program is in no target folder")?;
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--locked", "--workspace", "--bin", "ferrotype"]);
    if folder.ends_with("release") {
        build.arg("--release");
    }
    if !build.status()?.success() {
        return Err("the binary cannot be built".into());
    }
    Ok(folder.join("ferrotype"))
}
