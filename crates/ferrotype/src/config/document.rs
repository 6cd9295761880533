//! The document and the code list the same settings.

use super::setting::SETTINGS;

const DOCUMENT: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md"));

#[test]
fn every_setting_is_documented_with_its_names_and_its_default() {
    let documented: Vec<_> = rows().collect();
    let code = SETTINGS.iter().map(|setting| {
        let flag = setting.flag().map_or("–".to_owned(), |flag| format!("--{flag}"));
        let default = setting.default.unwrap_or("–").to_owned();
        [setting.key.to_owned(), setting.variable(), flag, default]
    });
    assert_eq!(documented, code.collect::<Vec<_>>());
}

/// The first four cells of each row of the table of settings.
fn rows() -> impl Iterator<Item = [String; 4]> {
    let table = DOCUMENT.lines().skip_while(|line| !line.starts_with("| setting |")).skip(2);
    table.take_while(|line| line.starts_with('|')).map(|line| {
        let mut cells = line.split('|').skip(1).map(|cell| cell.trim().replace('`', ""));
        std::array::from_fn(|_| cells.next().unwrap())
    })
}
