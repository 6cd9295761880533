//! Clients that generators make from docs/openapi.json, with the programs of docs/api.md.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::fences::only;
use crate::site::{Site, installed, of_node, of_repository, read, succeed};

/// What both programs print: what they have uploaded, all pages, and an error by its code.
const PRINTED: &str = "Evening,sea,sun\nsunset.jpg\nharbour.jpg\nnot_found\n";

#[test]
fn a_client_in_typescript_compiles_uploads_and_turns_pages() {
    let site = site_with_a_photo();
    let folder = site.folder.path();
    symlink(of_node(".").join("..").canonicalize().unwrap(), folder.join("node_modules")).unwrap();
    let document = of_repository("docs/openapi.json");
    let mut generate = site.command(of_node("openapi-typescript"), &["--output", "schema.d.ts"]);
    generate.arg(document);
    succeed(generate);
    fs::write(folder.join("package.json"), r#"{ "type": "module" }"#).unwrap();
    fs::write(folder.join("program.ts"), only(&read("docs/api.md"), "ts")).unwrap();
    fs::write(folder.join("tsconfig.json"), TSCONFIG).unwrap();
    succeed(site.command(of_node("tsc"), &[]));
    let printed = succeed(site.command_with_key(installed("node"), &["program.js"]));
    assert_eq!(printed, PRINTED);
}

const TSCONFIG: &str = r#"{
  "compilerOptions": {
    "strict": true, "target": "es2022", "module": "nodenext", "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": false, "types": ["node"]
  },
  "files": ["program.ts"]
}"#;

#[test]
fn a_client_in_python_is_imported_uploads_and_turns_pages() {
    let site = site_with_a_photo();
    let tools = testkit::servers::installed("api-python/bin/openapi-python-client");
    let python = tools.with_file_name("python");
    let mut path = vec![tools.parent().unwrap().to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let arguments =
        ["generate", "--meta", "none", "--fail-on-warning", "--output-path", "ferrotype_client"];
    let mut generate: Command = site.command(tools, &arguments);
    generate.env("PATH", std::env::join_paths(path).unwrap());
    generate.arg("--config").arg(of_repository("scripts/tools/api/python.yaml"));
    generate.arg("--path").arg(of_repository("docs/openapi.json"));
    succeed(generate);
    fs::write(site.folder.path().join("program.py"), only(&read("docs/api.md"), "python")).unwrap();
    // Every module, also those that the program does not use.
    succeed(site.command(&python, &["-m", "compileall", "-q", "ferrotype_client"]));
    let printed = succeed(site.command_with_key(&python, &["program.py"]));
    assert_eq!(printed, PRINTED);
}

/// One photo is there already, so that there are two pages.
fn site_with_a_photo() -> Site {
    let site = Site::open();
    let file = fs::read(site.folder.path().join("harbour.jpg")).unwrap();
    let form = crate::support::client::Form { filename: Some("harbour.jpg"), ..Default::default() };
    site.ada.upload_form(&file, &form).expect(201);
    site
}
