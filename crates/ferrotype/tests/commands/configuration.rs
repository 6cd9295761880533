//! Configuration from a file, the environment and flags.

use std::fs;
use std::process::Stdio;

use tempfile::tempdir;

use crate::program::{ferrotype, run, run_in};

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let folder = tempdir().unwrap();
    let text = "listen = \"127.0.0.1:1\"\nshutdown_grace = \"1s\"\n[log]\nlevel = \"warn\"\n";
    fs::write(folder.path().join("ferrotype.toml"), text).unwrap();
    let mut command = ferrotype(folder.path(), &["config", "show", "--listen", "127.0.0.1:3"]);
    command.env("FERROTYPE_LISTEN", "127.0.0.1:2").env("FERROTYPE_SHUTDOWN_GRACE", "2s");
    let shown = run(command).success();
    for line in [
        "listen = \"127.0.0.1:3\"  # flag --listen",
        "shutdown_grace = \"2s\"  # environment variable FERROTYPE_SHUTDOWN_GRACE",
        "log.level = \"warn\"  # ferrotype.toml:4",
        "log.format = \"text\"  # default",
        "blob.s3.bucket = (not set)",
    ] {
        assert!(shown.contains(line), "{line} is not in\n{shown}");
    }
}

#[test]
fn the_file_is_the_named_one_or_in_the_working_or_the_data_folder() {
    let folder = tempdir().unwrap();
    let write = |name: &str, level: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("log.level = \"{level}\"")).unwrap();
    };
    let level = |arguments: &[&str]| {
        let mut all = vec!["config", "show"];
        all.extend(arguments);
        let shown = run_in(folder.path(), &all).success();
        let line = shown.lines().find(|line| line.starts_with("log.level")).unwrap().to_owned();
        line.split('"').nth(1).unwrap().to_owned()
    };
    write("photos/ferrotype.toml", "debug");
    assert_eq!(level(&[]), "info");
    assert_eq!(level(&["--data-folder", "photos"]), "debug");
    write("ferrotype.toml", "warn");
    assert_eq!(level(&["--data-folder", "photos"]), "warn");
    write("other.toml", "error");
    assert_eq!(level(&["--data-folder", "photos", "--config", "other.toml"]), "error");
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let folder = tempdir().unwrap();
    let text = "[table]\nengine = \"mysql\"\n\n[blob]\nengine = \"s3\"\n";
    fs::write(folder.path().join("ferrotype.toml"), text).unwrap();
    let mut command = ferrotype(folder.path(), &["serve", "--listen", "localhost"]);
    command.env("FERROTYPE_SHUTDOWN_GRACE", "soon");
    let complaint = run(command).failure(2);
    for line in [
        "setting listen is \"localhost\" (flag --listen); it must be an IP address and a port",
        "setting shutdown_grace is \"soon\" (environment variable FERROTYPE_SHUTDOWN_GRACE); it \
         must be a length of time up to 24h, such as 500ms",
        "setting table.engine is \"mysql\" (ferrotype.toml:2); it must be \"embedded\" or \
         \"dynamodb\"",
        "setting blob.s3.bucket is not set, but needed because blob.engine is \"s3\"",
    ] {
        assert!(complaint.contains(line), "{line} is not in\n{complaint}");
    }
    assert_eq!(complaint.lines().count(), 4, "{complaint}");
    assert!(!folder.path().join("data").exists());
}

#[test]
fn a_bad_file_reports_all_its_faults_at_once() {
    let folder = tempdir().unwrap();
    let text = "listen = \"localhost\"\nlistn = \"x\"\n[table]\nengine = \"mysql\"\n\
                [log]\nlevel = = \"info\"\nformat = 7\n[blob]\nengine = \"s3\"\n\
                s3.bucket = [1]\n[quota]\nbytes = \"10%\"\nimages = \"many\"\n";
    fs::write(folder.path().join("ferrotype.toml"), text).unwrap();
    let complaint = run_in(folder.path(), &["serve"]).failure(2);
    for line in [
        "ferrotype.toml:6 is not valid TOML",
        "ferrotype.toml:2: there is no setting \"listn\"; did you mean listen?",
        "setting blob.s3.bucket is of the TOML type array (ferrotype.toml:10)",
        "setting listen is \"localhost\" (ferrotype.toml:1)",
        "setting log.format is \"7\" (ferrotype.toml:7)",
        "setting table.engine is \"mysql\" (ferrotype.toml:4)",
        "setting quota.images is \"many\" (ferrotype.toml:13)",
        "setting quota.bytes is \"10%\" (ferrotype.toml:12); it must be bytes or unlimited",
    ] {
        assert!(complaint.contains(line), "{line} is not in\n{complaint}");
    }
    assert_eq!(complaint.lines().count(), 8, "{complaint}");
    let doctor = run_in(folder.path(), &["doctor"]);
    assert_eq!(doctor.stdout.matches("problem  configuration").count(), 8, "{doctor:?}");
}

#[test]
fn slips_are_answered_with_a_suggestion() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("ferrotype.toml"), "\nlisten_on = \"x\"\n[log]\nlevl = \"x\"\n")
        .unwrap();
    let mut command = ferrotype(folder.path(), &["serve"]);
    command.env("FERROTYPE_DATA_FOLDR", "x");
    let complaint = run(command).failure(2);
    for line in [
        "ferrotype.toml:2: there is no setting \"listen_on\"",
        "ferrotype.toml:4: there is no setting \"log.levl\"; did you mean log.level?",
        "there is no setting \"FERROTYPE_DATA_FOLDR\"; did you mean FERROTYPE_DATA_FOLDER?",
    ] {
        assert!(complaint.contains(line), "{line} is not in\n{complaint}");
    }
    let complaint = run_in(folder.path(), &["serve", "--listn", "x"]).failure(2);
    assert!(complaint.contains("--listen"), "{complaint}");
}

#[test]
fn a_file_that_is_named_must_be_there_and_make_sense() {
    let folder = tempdir().unwrap();
    let complaint = run_in(folder.path(), &["serve", "--config", "gone.toml"]).failure(2);
    assert!(complaint.contains("cannot read the configuration file gone.toml"), "{complaint}");
    fs::write(folder.path().join("bad.toml"), "listen = \"a\"\nlisten\n").unwrap();
    let complaint = run_in(folder.path(), &["serve", "--config", "bad.toml"]).failure(2);
    assert!(complaint.contains("bad.toml:2 is not valid TOML"), "{complaint}");
}

#[test]
fn variables_of_other_programs_are_only_warned_about() {
    let folder = tempdir().unwrap();
    let mut command = ferrotype(folder.path(), &["table", "create"]);
    command.env("FERROTYPE_PORT_8080_TCP_ADDR", "10.0.0.1");
    let done = run(command);
    assert!(done.stderr.contains("FERROTYPE_PORT_8080_TCP_ADDR is no setting"), "{done:?}");
    done.success();
}

#[test]
fn secrets_are_never_printed() {
    let folder = tempdir().unwrap();
    let text = "[table.dynamodb]\naccess_key_id = \"me\"\nsecret_access_key = \"hush-file\"\n";
    fs::write(folder.path().join("ferrotype.toml"), text).unwrap();
    let mut command = ferrotype(folder.path(), &["config", "show"]);
    command.env("FERROTYPE_BLOB_S3_ACCESS_KEY_ID", "me");
    command.env("FERROTYPE_BLOB_S3_SECRET_ACCESS_KEY", "hush-env");
    command.env("FERROTYPE_LOG_LEVEL", "trace");
    let shown = run(command);
    assert!(shown.stdout.contains("secret_access_key = (hidden)  # ferrotype.toml:3"), "{shown:?}");
    assert!(!shown.stdout.contains("hush") && !shown.stderr.contains("hush"), "{shown:?}");
    shown.success();

    let mut command = ferrotype(folder.path(), &["serve"]);
    command.env("FERROTYPE_BLOB_S3_SECRET_ACCESS_KEY", "hush-env").env("FERROTYPE_LISTEN", "x");
    let done = run(command);
    assert!(!done.stdout.contains("hush") && !done.stderr.contains("hush"), "{done:?}");
    let complaint = done.failure(2);
    assert!(
        complaint.contains(
            "setting blob.s3.access_key_id is not set, but needed because \
             blob.s3.secret_access_key is set"
        ),
        "{complaint}"
    );
}

#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    let folder = tempdir().unwrap();
    let mut command = ferrotype(folder.path(), &["config", "show"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdout(writer);
    let done = command.stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn version_says_what_this_is() {
    let folder = tempdir().unwrap();
    let said = run_in(folder.path(), &["version"]).success();
    assert!(said.starts_with(&format!("ferrotype {}\n", env!("CARGO_PKG_VERSION"))), "{said}");
    for word in ["SQLite", "dynamodb", "folder", "s3", "rustc"] {
        assert!(said.contains(word), "{word} is not in {said}");
    }
}
