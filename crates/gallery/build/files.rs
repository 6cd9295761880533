//! Files of a folder as Rust, each compressed where that helps.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::Outcome;

/// What compressing makes shorter; pictures and fonts are short already.
const COMPRESSIBLE: [&str; 7] = ["css", "html", "js", "json", "svg", "txt", "webmanifest"];
/// What only those need who build the gallery.
const LEFT_OUT: [&str; 2] = ["map", "br"];
const BUILD_MANIFEST: &str = "manifest.json";

/// The source of a list without files.
pub fn nothing(why: &str) -> String {
    format!("{HEAD}pub static FILES: &[File] = &[];\n{MISSING} = Some({why:?});\n")
}

/// The source of a list with all files of a folder.
pub fn embed(dist: &Path, out: &Path) -> Outcome<String> {
    let kept = out.join("files");
    if kept.exists() {
        fs::remove_dir_all(&kept)?;
    }
    fs::create_dir_all(&kept)?;
    let mut list = Vec::new();
    add(dist, "", &kept, &mut list)?;
    let list = list.concat();
    Ok(format!("{HEAD}pub static FILES: &[File] = &[\n{list}];\n{MISSING} = None;\n"))
}

const HEAD: &str = "/// All files, by their paths.\n";
const MISSING: &str =
    "/// Why there are none, if there are none.\npub static MISSING: Option<&str>";

fn add(folder: &Path, prefix: &str, kept: &Path, list: &mut Vec<String>) -> Outcome {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            add(&entry.path(), &format!("{path}/"), kept, list)?;
        } else if !is_left_out(&path) {
            list.push(file(&entry.path(), &path, kept, list.len())?);
        }
    }
    Ok(())
}

fn is_left_out(path: &str) -> bool {
    path == BUILD_MANIFEST || extension(path).is_some_and(|end| LEFT_OUT.contains(&end))
}

fn extension(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, end)| end)
}

/// Copies a file and its compressed forms, so that what the binary is made of stays as long as
/// the build does; and names them.
fn file(from: &Path, path: &str, kept: &Path, number: usize) -> Outcome<String> {
    let bytes = fs::read(from)?;
    let hash = hex(Sha256::digest(&bytes).get(..12).unwrap_or_default());
    let keep = |end: &str, content: &[u8]| -> Outcome<String> {
        let to = kept.join(format!("{number}{end}"));
        fs::write(&to, content)?;
        Ok(format!("include_bytes!({:?})", to.to_string_lossy()))
    };
    let shorter = |content: Vec<u8>| Some(content).filter(|content| content.len() < bytes.len());
    let (mut gzip, mut brotli) = (None, None);
    if extension(path).is_some_and(|end| COMPRESSIBLE.contains(&end)) {
        gzip = shorter(compress(&bytes)?);
        brotli = fs::read(format!("{}.br", from.display())).ok().and_then(shorter);
    }
    let optional = |end: &str, content: Option<Vec<u8>>| -> Outcome<String> {
        Ok(match content {
            Some(content) => format!("Some({})", keep(end, &content)?),
            None => "None".to_owned(),
        })
    };
    let (gzip, brotli) = (optional(".gz", gzip)?, optional(".br", brotli)?);
    let bytes = keep("", &bytes)?;
    Ok(format!(
        "    File {{ path: {path:?}, bytes: {bytes}, gzip: {gzip}, brotli: {brotli}, hash: {hash:?} }},\n"
    ))
}

fn compress(bytes: &[u8]) -> Outcome<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
