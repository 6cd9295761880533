//! Settings from a TOML file, each with its line.

use std::fs;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::ConfigError;
use super::raw::{Origin, Raw, Spoken};
use super::setting::{SETTINGS, Setting, find_setting};
use super::suggest::suggest;

/// Reads the file; what is wrong with it is among the errors.
pub(super) fn read(path: &Path) -> Spoken {
    match fs::read_to_string(path) {
        Ok(text) => read_text(path, &text),
        Err(source) => {
            let error = ConfigError::Unreadable { file: path.to_owned(), source };
            Spoken { errors: vec![error], ..Spoken::default() }
        }
    }
}

fn read_text(path: &Path, text: &str) -> Spoken {
    let mut reader = Reader { path, text, spoken: Spoken::default() };
    // What makes sense is read all the same, so that all mistakes are found at once.
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut lines = Vec::new();
    for error in errors {
        let offset = error.span().map_or(0, |span| span.start);
        let origin = reader.origin(offset);
        // What follows from the first mistake in a line is none of its own.
        if lines.contains(&origin) {
            continue;
        }
        lines.push(origin.clone());
        let message = error.message().to_owned();
        reader.spoken.errors.push(ConfigError::Syntax { origin, message });
    }
    reader.read_table("", table.get_ref());
    // A line that makes no sense may look like a setting that there is not, or like another value.
    reader.spoken.values.retain(|(_, raw)| !lines.contains(&raw.origin));
    reader.spoken.errors.retain(|error| match error {
        ConfigError::Unknown { origin, .. } | ConfigError::Wrong { origin, .. } => {
            !lines.contains(origin)
        }
        _ => true,
    });
    reader.spoken
}

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    spoken: Spoken,
}

impl Reader<'_> {
    /// Goes through a table whose keys all start with `prefix`.
    fn read_table(&mut self, prefix: &str, table: &DeTable<'_>) {
        for (name, value) in table {
            let key = format!("{prefix}{}", name.get_ref());
            let origin = self.origin(name.span().start);
            match (find_setting(&key), value.get_ref()) {
                (Some(setting), value) => self.read_value(setting, value, origin),
                (None, DeValue::Table(inner)) if is_table(&key) => {
                    self.read_table(&format!("{key}."), inner);
                }
                (None, _) => {
                    let suggestion = inside(&key).or_else(|| suggest(&key, names()));
                    self.spoken.errors.push(ConfigError::Unknown { key, origin, suggestion });
                }
            }
        }
    }

    fn read_value(&mut self, setting: &'static Setting, value: &DeValue<'_>, origin: Origin) {
        let text = match value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
            DeValue::Boolean(value) => Some(value.to_string()),
            _ => None,
        };
        match text {
            Some(text) if setting.key == "data_folder" => {
                let text = self.seen_from_here(&text);
                self.spoken.values.push((setting, Raw { text, origin }));
            }
            Some(text) => self.spoken.values.push((setting, Raw { text, origin })),
            None => self.spoken.errors.push(ConfigError::Wrong {
                key: setting.key,
                shown: format!("of the TOML type {}", value.type_str()),
                origin,
                allowed: "text in quotes, a whole number, true or false".to_owned(),
            }),
        }
    }

    /// A path in a file is seen from the file, wherever the program is started.
    fn seen_from_here(&self, path: &str) -> String {
        match self.path.parent() {
            Some(folder) => folder.join(path).to_string_lossy().into_owned(),
            None => path.to_owned(),
        }
    }

    fn origin(&self, offset: usize) -> Origin {
        let before = self.text.bytes().take(offset);
        let line = 1 + before.filter(|byte| *byte == b'\n').count();
        Origin::File { file: self.path.to_owned(), line }
    }
}

/// Whether some setting is inside this table.
fn is_table(key: &str) -> bool {
    tables().any(|table| table == key)
}

fn tables() -> impl Iterator<Item = &'static str> {
    let parents = |setting: &'static Setting| {
        setting.key.match_indices('.').filter_map(|(at, _)| setting.key.get(..at))
    };
    SETTINGS.iter().flat_map(parents)
}

/// A setting of the table of this name, for those who gave it a value of its own.
fn inside(table: &str) -> Option<String> {
    let inside = |key: &&str| key.strip_prefix(table).is_some_and(|rest| rest.starts_with('.'));
    SETTINGS.iter().map(|setting| setting.key).find(inside).map(str::to_owned)
}

fn names() -> impl Iterator<Item = String> {
    SETTINGS.iter().map(|setting| setting.key).chain(tables()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<(&'static str, String, String)> {
        let spoken = read_text(Path::new("/etc/ferrotype.toml"), text);
        assert!(spoken.errors.is_empty(), "{:?}", spoken.errors);
        let shown = |(setting, raw): (&Setting, Raw)| {
            let Origin::File { line, .. } = raw.origin else { panic!() };
            (setting.key, raw.text, format!("line {line}"))
        };
        spoken.values.into_iter().map(|(setting, raw)| shown((setting, raw))).collect()
    }

    fn error(text: &str) -> String {
        let mut errors = read_text(Path::new("f.toml"), text).errors;
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors.remove(0).to_string()
    }

    #[test]
    fn values_come_with_their_lines() {
        let text = "listen = \"[::1]:0\"\n\n[table]\nengine = \"dynamodb\"\n\
                    [blob.s3]\n# text\npath_style = false\n";
        let mut found = values(text);
        found.sort();
        let expected = [
            ("blob.s3.path_style", "false", "line 7"),
            ("listen", "[::1]:0", "line 1"),
            ("table.engine", "dynamodb", "line 4"),
        ];
        assert_eq!(found, expected.map(|(k, t, l)| (k, t.to_owned(), l.to_owned())));
    }

    #[test]
    fn a_folder_is_seen_from_the_file() {
        assert_eq!(values("data_folder = \"photos\"")[0].1, "/etc/photos");
        assert_eq!(values("data_folder = \"/photos\"")[0].1, "/photos");
    }

    #[test]
    fn an_unknown_key_is_an_error_with_its_line_and_a_suggestion() {
        let found = error("[log]\nlevl = \"info\"\n");
        assert_eq!(found, "f.toml:2: there is no setting \"log.levl\"; did you mean log.level?");
        assert!(error("[tabel]\nengine = \"x\"\n").ends_with("did you mean table?"));
        assert_eq!(error("volume = 80\n"), "f.toml:1: there is no setting \"volume\"");
    }

    #[test]
    fn a_value_of_another_kind_is_an_error() {
        assert!(error("listen = [1]").contains("listen is of the TOML type array (f.toml:1)"));
        assert!(error("[listen]\nport = 1").contains("listen is of the TOML type table"));
        assert!(error("log = \"info\"").ends_with("no setting \"log\"; did you mean log.level?"));
    }

    #[test]
    fn what_is_not_toml_is_an_error_with_its_line() {
        assert!(error("listen = \"a\"\nlisten = = 1\n").starts_with("f.toml:2 is not valid TOML"));
    }
}
