//! Has npm build the gallery, in a folder of its own: the sources stay as they are.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::files::hex;
use crate::{Gallery, Outcome};

/// What a build is made of, in `web/`. What else is there, tests and what npm installs, is not.
const SOURCES: [&str; 9] = [
    "index.html",
    "package.json",
    "package-lock.json",
    ".npmrc",
    "public",
    "src",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];
/// What decides about the packages that it needs.
const PACKAGES: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];

/// Builds the gallery unless the same sources were built before.
pub fn build(out: &Path) -> Outcome<Gallery> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    for name in SOURCES.iter().filter(|name| web.join(name).exists()) {
        println!("cargo::rerun-if-changed={}", web.join(name).display());
    }
    if let Some(why) = missing() {
        // A file that is never there: look again with the next build.
        println!("cargo::rerun-if-changed={}", out.join("node-was-missing").display());
        return Ok(Gallery::Missing(why));
    }
    let shared = shared_folder(out)?;
    fs::create_dir_all(&shared)?;
    // Cargo may build several profiles at once.
    let lock = File::create(shared.join("lock"))?;
    lock.lock()?;
    let dist = shared.join(format!("dist-{}", hash(&web, &SOURCES)?));
    if !dist.join("index.html").is_file() {
        let work = shared.join(format!("work-{}", hash(&web, &PACKAGES)?));
        install(&web, &work)?;
        run_vite(&web, &work, &dist)?;
        forget_old(&shared)?;
    }
    Ok(Gallery::Built(dist))
}

/// Why npm cannot build it here.
fn missing() -> Option<String> {
    for program in ["node", "npm"] {
        if !Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success()) {
            let how = "install Node.js 20 or newer and build again, or set FERROTYPE_WEB_DIST to a \
                       folder that `npm run build` has made in web/";
            return Some(format!("{program} is missing; {how}"));
        }
    }
    None
}

/// `target/web`: all profiles build the same gallery.
fn shared_folder(out: &Path) -> Outcome<PathBuf> {
    // <target>/<profile>/build/<crate>/out
    Ok(out.ancestors().nth(4).ok_or("OUT_DIR is too short")?.join("web"))
}

/// Installs the packages, unless these very ones are there.
fn install(web: &Path, work: &Path) -> Outcome {
    let done = work.join("node_modules/.installed");
    if done.is_file() {
        return Ok(());
    }
    if work.exists() {
        fs::remove_dir_all(work)?;
    }
    fs::create_dir_all(work)?;
    for name in PACKAGES.iter().filter(|name| web.join(name).exists()) {
        fs::copy(web.join(name), work.join(name))?;
    }
    run(work, "npm", &["ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"])?;
    fs::write(done, "")?;
    Ok(())
}

fn run_vite(web: &Path, work: &Path, dist: &Path) -> Outcome {
    for name in SOURCES.iter().filter(|name| !PACKAGES.contains(name)) {
        let (from, to) = (web.join(name), work.join(name));
        if to.is_dir() {
            fs::remove_dir_all(&to)?;
        }
        copy(&from, &to)?;
    }
    let made = work.join("made");
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    let folder = made.to_string_lossy().into_owned();
    run(work, "npm", &["run", "--silent", "build", "--", "--outDir", &folder, "--emptyOutDir"])?;
    if !made.join("index.html").is_file() {
        return Err("`npm run build` has made no index.html".into());
    }
    run(work, "node", &["--input-type=module", "--eval", BROTLI, &folder])?;
    if dist.exists() {
        fs::remove_dir_all(dist)?;
    }
    // Whole or not at all.
    fs::rename(&made, dist)?;
    Ok(())
}

/// Node.js has Brotli, so that we need no library for it.
const BROTLI: &str = "
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
const folder = process.argv[1]
for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\\.(html|js|css|svg|json|webmanifest|txt)$/.test(name)) continue
  writeFileSync(`${folder}/${name}.br`, brotliCompressSync(readFileSync(`${folder}/${name}`)))
}
";

/// Keeps the newest few builds, so that going back and forth between branches costs nothing.
fn forget_old(shared: &Path) -> Outcome {
    const KEPT: usize = 4;
    for kind in ["dist-", "work-"] {
        let mut folders = Vec::new();
        for entry in fs::read_dir(shared)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(kind) {
                folders.push((entry.metadata()?.modified()?, entry.path()));
            }
        }
        folders.sort();
        let old = folders.len().saturating_sub(KEPT);
        for (_, folder) in folders.into_iter().take(old) {
            fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Outcome {
    let output = Command::new(program).args(arguments).current_dir(folder).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let command = arguments.first().copied().unwrap_or_default();
    Err(format!(
        "the gallery cannot be built: `{program} {command}` failed; FERROTYPE_WEB=skip builds \
         without it\n{said}"
    )
    .into())
}

/// A hash of these files and folders.
fn hash(web: &Path, names: &[&str]) -> Outcome<String> {
    let mut hasher = Sha256::new();
    for name in names {
        add(&mut hasher, &web.join(name), name)?;
    }
    Ok(hex(hasher.finalize().get(..8).unwrap_or_default()))
}

fn add(hasher: &mut Sha256, path: &Path, name: &str) -> Outcome {
    if path.is_dir() {
        for child in children(path)? {
            add(hasher, &path.join(&child), &format!("{name}/{child}"))?;
        }
    } else if path.is_file() {
        let bytes = fs::read(path)?;
        hasher.update(format!("{name}\0{}\0", bytes.len()));
        hasher.update(bytes);
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Outcome {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for child in children(from)? {
            copy(&from.join(&child), &to.join(&child))?;
        }
    } else if from.is_file() {
        fs::copy(from, to)?;
    }
    Ok(())
}

/// What is in a folder, in the same order everywhere, without tests, which no build is made of.
fn children(folder: &Path) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| !name.ends_with(".test.ts"));
    names.sort();
    Ok(names)
}
