//! Tells the program how it was built. Nothing here depends on git or on the time, so that the
//! same sources give the same binary.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Not called FERROTYPE_…: `cargo run` hands them on to the program, which would take them
    // for settings.
    for (name, value) in [
        ("BUILT_FOR", variable("TARGET")),
        ("BUILT_AS", variable("PROFILE")),
        ("BUILT_BY", compiler()),
    ] {
        println!("cargo:rustc-env={name}={value}");
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| "unknown".to_owned())
}

fn compiler() -> String {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    version.map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}
