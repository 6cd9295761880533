//! The README's "Using it", as typed.

use serde_json::{Value, json};

use crate::fences::fences;
use crate::site::{Site, installed, read, succeed};
use crate::support::client::{Answer, Client, id_of};

#[test]
fn what_a_program_can_do_works_as_typed() {
    for program in ["bash", "curl"] {
        installed(program);
    }
    let site = Site::open();
    let typed = fences(&read("README.md")).into_iter().find(|f| f.text.contains("-F file=@"));
    std::fs::write(site.folder.path().join("typed.sh"), typed.unwrap().text).unwrap();
    let printed = succeed(site.command_with_key("bash", &["-eu", "typed.sh"]));
    let answers = serde_json::Deserializer::from_str(&printed).into_iter::<Value>();
    let answers: Vec<Value> = answers.collect::<Result<_, _>>().unwrap();
    let [image, album, list] = &answers[..] else { panic!("{printed}") };
    assert_eq!((&image["title"], &image["tags"]), (&json!("Evening"), &json!(["sea", "sun"])));
    assert_eq!(album["title"], "Summer");
    assert_eq!(list["items"].as_array().unwrap().len(), 1, "{list}");
}

#[test]
fn every_address_of_the_table_answers() {
    let site = Site::open();
    let ada = &site.ada;
    let image = ada.keep(&std::fs::read(site.folder.path().join("pier.jpg")).unwrap());
    let album = ada.post("/api/v1/albums", &json!({ "title": "Summer" })).expect(201);
    let link = ada.post("/api/v1/links", &json!({ "image": image["id"] })).expect(201);
    let mut seen = 0;
    for address in addresses(&read("README.md")) {
        let path = address
            .replace("<image>", id_of(&image))
            .replace("<album>", id_of(&album))
            .replace("<link>", link["token"].as_str().unwrap());
        for path in with_sizes(&path) {
            let answer = ask(ada, &path, &image);
            assert!(matches!(answer.status, 200 | 201 | 204), "{path}: {answer:?}");
            seen += 1;
        }
    }
    assert!(seen >= 25, "{seen}");
}

/// What stands in backticks in the first column of a table of addresses, and the sizes of pictures
/// in the second.
fn addresses(readme: &str) -> Vec<String> {
    let rows = readme.lines().filter(|line| line.starts_with("| `/"));
    let first = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2));
    first.map(str::to_owned).collect()
}

fn with_sizes(path: &str) -> Vec<String> {
    let readme = read("README.md");
    let row = readme.lines().find(|line| line.starts_with("| `/i/")).unwrap();
    let sizes = row.split('|').nth(2).unwrap().split('`').skip(1).step_by(2);
    match path.contains("<size>") {
        true => sizes.map(|size| path.replace("<size>", size)).collect(),
        false => vec![path.to_owned()],
    }
}

/// Those that are not read are sent what they take.
fn ask(ada: &Client, path: &str, image: &Value) -> Answer {
    match path {
        "/api/v1/images/archive.zip" => ada.post(path, &json!({ "ids": [image["id"]] })),
        "/api/v1/uploads" => ada.send(ada.request("OPTIONS", path), Vec::new()),
        "/api/v1/uploads/direct" => ada.post(path, &json!({ "sizeBytes": 1 })),
        // A face is asked for by whose it is.
        "/api/v1/faces" => ada.get("/api/v1/persons/suggestions"),
        _ => ada.get(path),
    }
}
