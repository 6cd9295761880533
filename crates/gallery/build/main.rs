//! Turns `web/` into files that the binary carries.
//!
//! - `FERROTYPE_WEB=skip` leaves the gallery out;
//! - `FERROTYPE_WEB_DIST=<folder>` takes what `npm run build` has made elsewhere;
//! - otherwise npm builds it, once for the same sources, whatever cargo builds with it;
//! - without Node.js there is no gallery, and a page that says so.

mod files;
mod npm;

use std::env;
use std::error::Error;
use std::path::PathBuf;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// What becomes of the gallery.
enum Gallery {
    /// This folder has it.
    Built(PathBuf),
    /// There is none, for this reason.
    Missing(String),
}

fn main() -> Outcome {
    println!("cargo::rerun-if-changed=build");
    for name in ["FERROTYPE_WEB", "FERROTYPE_WEB_DIST"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets no OUT_DIR")?);
    let code = match gallery(&out)? {
        Gallery::Built(dist) => files::embed(&dist, &out)?,
        Gallery::Missing(why) => {
            println!("cargo::warning=the gallery is left out: {why}");
            files::nothing(&why)
        }
    };
    std::fs::write(out.join("files.rs"), code)?;
    Ok(())
}

fn gallery(out: &std::path::Path) -> Outcome<Gallery> {
    if env::var_os("FERROTYPE_WEB").is_some_and(|value| value == "skip") {
        return Ok(Gallery::Missing("it was built with FERROTYPE_WEB=skip".to_owned()));
    }
    if let Some(dist) = env::var_os("FERROTYPE_WEB_DIST").map(PathBuf::from) {
        if !dist.join("index.html").is_file() {
            let dist = dist.display();
            return Err(format!("FERROTYPE_WEB_DIST={dist} has no index.html").into());
        }
        println!("cargo::rerun-if-changed={}", dist.display());
        return Ok(Gallery::Built(dist));
    }
    npm::build(out)
}
