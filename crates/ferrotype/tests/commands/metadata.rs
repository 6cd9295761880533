//! `ferrotype metadata`: what is read of photos, against exiftool.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::program::{Ended, ferrotype, run, run_in};
use crate::support::described;

/// How many files exiftool found each field in, by the table that was printed.
fn counts(said: &str) -> BTreeMap<String, usize> {
    let lines = said.lines().skip_while(|line| !line.starts_with("field")).skip(1);
    let row = |line: &str| {
        let (name, numbers) = line.split_at_checked(14)?;
        let has = numbers.split_whitespace().nth(1)?.parse().ok()?;
        Some((name.trim().to_owned(), has))
    };
    lines.map_while(row).collect()
}

#[test]
fn what_is_read_agrees_with_exiftool_in_every_carrier_of_every_format() {
    let folder = tempdir().unwrap();
    let photos = folder.path().join("photos");
    fs::create_dir(&photos).unwrap();
    described::make(&photos, &described::fixtures());

    let compare = ["metadata", "compare", "photos", "--verbose", "--report", "report.jsonl"];
    let ended = run_in(folder.path(), &compare);

    assert_eq!(ended.code, Some(0), "{}\n{}", ended.stdout, ended.stderr);
    assert!(!ended.stdout.contains("left out"), "{}", ended.stdout);
    // Whatever is made here agrees wholly; a hundredth is for what others have made.
    assert_eq!(fs::read_to_string(folder.path().join("report.jsonl")).unwrap(), "");
    let counts = counts(&ended.stdout);
    for (field, at_least) in [
        ("date", 80),
        ("title", 75),
        ("description", 75),
        ("keywords", 75),
        ("rating", 70),
        ("artist", 70),
        ("copyright", 70),
        ("location", 60),
        ("city", 60),
        ("state", 60),
        ("country", 60),
        ("country code", 60),
        ("regions", 55),
        ("coordinates", 65),
        ("camera", 65),
        ("lens", 65),
        ("ISO", 65),
        ("shutter speed", 65),
        ("aperture", 65),
        ("focal length", 65),
    ] {
        let has = counts.get(field).copied().unwrap_or(0);
        assert!(has >= at_least, "{field} is in {has} files only\n{}", ended.stdout);
    }
}

#[test]
fn what_is_read_of_a_photo_is_shown_as_json() {
    let folder = tempdir().unwrap();
    described::make_one(
        &folder.path().join("photo.jpg"),
        &[
            "-XMP-dc:Title=A title",
            "-XMP-dc:Subject=sea",
            "-EXIF:DateTimeOriginal=2020:02:03 04:05:06",
        ],
    );

    let shown = run_in(folder.path(), &["metadata", "show", "photo.jpg"]).success();

    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["metadata"]["title"], "A title");
    assert_eq!(shown["metadata"]["keywords"], serde_json::json!(["sea"]));
    assert_eq!(shown["exif"]["takenAt"], "2020-02-03T04:05:06.000Z");
    fs::write(folder.path().join("text.jpg"), "no photo, but a text of some words").unwrap();
    let said = run_in(folder.path(), &["metadata", "show", "text.jpg"]).failure(1);
    assert!(said.contains("text.jpg: not a supported image"), "{said}");
}

/// Compares a photo with a program that stands for exiftool and answers this for every file.
fn compared_with(folder: &Path, answer: &str, arguments: &[&str]) -> Ended {
    let programs = folder.join("programs");
    fs::create_dir_all(&programs).unwrap();
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = -ver ] && echo 1.0 && exit\nread -r file\n\
         printf '[{{\"SourceFile\":\"%s\",{answer}}}]' \"$file\"\n"
    );
    let program = programs.join("exiftool");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = ferrotype(folder, &[&["metadata", "compare", "photos"], arguments].concat());
    command.env("PATH", programs.as_os_str());
    run(command)
}

#[test]
fn what_differs_is_counted_and_reported_and_fails() {
    let folder = tempdir().unwrap();
    let photos = folder.path().join("photos");
    fs::create_dir(&photos).unwrap();
    fs::copy(described::fixtures().join("plain.jpg"), photos.join("photo.jpg")).unwrap();
    let answer = "\"XMP-dc:Title\":\"A title\"";

    let ended = compared_with(folder.path(), answer, &["--report", "report.jsonl"]);

    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("less than 99 % agree: title"), "{}", ended.stderr);
    let report = fs::read_to_string(folder.path().join("report.jsonl")).unwrap();
    let report: Value = serde_json::from_str(report.trim()).unwrap();
    assert_eq!(report["field"], "title");
    assert_eq!((&report["exiftool"], &report["here"]), (&"\"A title\"".into(), &"nothing".into()));
    let tolerant = compared_with(folder.path(), answer, &["--at-least", "0"]);
    assert_eq!(tolerant.code, Some(0), "{tolerant:?}");
}

#[test]
fn without_exiftool_it_is_said_how_to_get_it() {
    let folder = tempdir().unwrap();
    let mut command = ferrotype(folder.path(), &["metadata", "compare", "."]);
    command.env("PATH", folder.path());
    let said = run(command).failure(1);
    assert!(said.contains("libimage-exiftool-perl"), "{said}");
}
