//! Whether people are recognised, as the program says it.

use crate::program::{Server, run_in};

#[test]
fn without_models_the_program_says_that_people_are_off_and_how_to_turn_them_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let line = server.line_with("People are off: ");
    assert!(line.contains("scripts/setup models"), "{line}");
    let service = server.get_json("/api/v1/service").1;
    assert_eq!(service["people"]["state"], "off");
    assert!(service["people"]["message"].as_str().unwrap().contains("scripts/setup models"));
    // By the server that has the table, and then without one.
    let said = run_in(folder.path(), &["faces", "status"]).success();
    assert!(said.contains("images that wait: 0"), "{said}");
    let refused = run_in(folder.path(), &["faces", "rebuild"]).failure(1);
    assert!(refused.contains("people are off"), "{refused}");
    drop(server);

    let said = run_in(folder.path(), &["faces", "status"]).success();
    assert!(said.contains("people are off: "), "{said}");
    assert!(said.contains("images that wait: 0"), "{said}");
    let refused = run_in(folder.path(), &["faces", "rebuild"]).failure(1);
    assert!(refused.contains("people are off"), "{refused}");
    let said = run_in(folder.path(), &["doctor", "--listen", "127.0.0.1:0"]).success();
    assert!(said.contains("warning  people: nobody is recognised: "), "{said}");
    let said =
        run_in(folder.path(), &["doctor", "--listen", "127.0.0.1:0", "--people-enabled", "off"]);
    assert!(said.success().contains("ok       people: they are off"));
}

#[test]
fn who_wants_people_does_not_start_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--people-enabled", "on"];
    let said = run_in(folder.path(), &arguments).failure(2);
    assert!(said.contains("people cannot be recognised: "), "{said}");
    std::fs::create_dir_all(folder.path().join("data/models")).unwrap();
    for file in faces::MODEL_FILES {
        std::fs::write(folder.path().join("data/models").join(file), "not a model").unwrap();
    }
    // Something that is there but broken is never passed over in silence.
    let said = run_in(folder.path(), &["serve", "--listen", "127.0.0.1:0"]).failure(2);
    assert!(said.contains("damaged"), "{said}");
}
