//! From texts to a configuration that cannot be wrong.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use blob::{Addressing, S3Config, S3Credentials, Secret};
use service::AccountSettings;
use table_dynamodb::Credentials;
use table_embedded::Checkpoints;

use super::parse::{self, Parse};
use super::raw::Raw;
use super::setting::find_setting;
use super::{ConfigError, ConfigErrors, ImageConfig, PeopleConfig, RawConfig, WorkerConfig};

/// The whole configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where everything lives that no distant store keeps.
    pub data_folder: PathBuf,
    /// Where to answer.
    pub listen: SocketAddr,
    /// How long requests may take after a stop signal.
    pub shutdown_grace: Duration,
    /// How to answer.
    pub http: api::Settings,
    /// What to log and how.
    pub log: LogConfig,
    /// Where rows are.
    pub table: TableConfig,
    /// Where objects are.
    pub blob: BlobConfig,
    /// Who may come in, and how.
    pub accounts: AccountSettings,
    /// What is decided about images.
    pub images: ImageConfig,
    /// Whether people are recognised.
    pub people: PeopleConfig,
    /// How this process works on what waits.
    pub worker: WorkerConfig,
}

/// What to log and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogConfig {
    /// Directives that have been tried.
    pub filter: String,
    /// In which form.
    pub format: LogFormat,
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// The engine for rows.
#[derive(Clone, Debug)]
pub enum TableConfig {
    /// SQLite in the data folder.
    Embedded {
        /// How often expired items are removed.
        sweep_interval: Duration,
        /// Who moves the write-ahead log.
        checkpoints: Checkpoints,
    },
    /// DynamoDB.
    DynamoDb(Box<table_dynamodb::Config>),
}

/// The engine for objects.
#[derive(Clone, Debug)]
pub enum BlobConfig {
    /// Files in the data folder.
    Folder,
    /// A bucket.
    S3(Box<S3Config>),
}

impl Config {
    /// What the texts mean, where `errors` are wrong with them already: all of it is said together.
    ///
    /// # Errors
    /// Those, and all settings that are wrong, each with its value, its place and what is possible.
    pub fn validate(raw: &RawConfig, errors: Vec<ConfigError>) -> Result<Self, ConfigErrors> {
        let mut check = Check { raw, errors };
        let config = check.config();
        match config {
            Some(config) if check.errors.is_empty() => Ok(config),
            _ => Err(ConfigErrors(check.errors)),
        }
    }
}

/// Reads settings and collects what is wrong with them. Everything is read before anything is
/// given up, so that all mistakes are found at once.
pub(super) struct Check<'a> {
    raw: &'a RawConfig,
    errors: Vec<ConfigError>,
}

impl Check<'_> {
    fn config(&mut self) -> Option<Config> {
        let data_folder =
            self.required("data_folder", parse::nonempty, "always").map(PathBuf::from);
        let listen = self.required("listen", parse::listen_address, "to serve");
        let shutdown_grace = self.required("shutdown_grace", parse::duration, "to serve");
        let http = self.http();
        let log = self.log();
        let table = self.table();
        let blob = self.blob();
        let accounts = self.accounts();
        let images = self.images();
        let people = self.people();
        let worker = self.worker();
        Some(Config {
            data_folder: data_folder?,
            listen: listen?,
            shutdown_grace: shutdown_grace?,
            http: http?,
            log: log?,
            table: table?,
            blob: blob?,
            accounts: accounts?,
            images: images?,
            people: people?,
            worker: worker?,
        })
    }

    fn log(&mut self) -> Option<LogConfig> {
        let filter = self.required("log.level", parse::log_filter, "to log");
        let formats = [("text", LogFormat::Text), ("json", LogFormat::Json)];
        let format = self.choice("log.format", &formats);
        Some(LogConfig { filter: filter?, format: format? })
    }

    fn table(&mut self) -> Option<TableConfig> {
        let sweep_interval = self.required("table.sweep_interval", parse::interval, "to sweep");
        let checkpoints =
            [("own", Checkpoints::Own), ("replicator", Checkpoints::LeftToReplicator)];
        let checkpoints = self.choice("table.checkpoints", &checkpoints);
        let dynamodb = self.dynamodb();
        let engines = [("embedded", false), ("dynamodb", true)];
        if self.choice("table.engine", &engines)? {
            return Some(TableConfig::DynamoDb(Box::new(dynamodb?)));
        }
        Some(TableConfig::Embedded { sweep_interval: sweep_interval?, checkpoints: checkpoints? })
    }

    fn dynamodb(&mut self) -> Option<table_dynamodb::Config> {
        let name = self.required("table.dynamodb.name", table_name, "for DynamoDB");
        let region = self.optional("table.dynamodb.region", parse::nonempty);
        let endpoint = self.optional("table.dynamodb.endpoint", parse::url);
        let credentials = match self.keys(
            "table.dynamodb.access_key_id",
            "table.dynamodb.secret_access_key",
            "table.dynamodb.session_token",
        ) {
            None => Credentials::Chain,
            Some(Keys { access_key_id, secret_access_key, session_token }) => {
                Credentials::Static { access_key_id, secret_access_key, session_token }
            }
        };
        let config = table_dynamodb::Config::new(name?);
        Some(table_dynamodb::Config { region, endpoint, credentials, ..config })
    }

    fn blob(&mut self) -> Option<BlobConfig> {
        let prefix = self.optional("blob.s3.prefix", object_prefix);
        let region = self.optional("blob.s3.region", parse::nonempty);
        let endpoint = self.optional("blob.s3.endpoint", parse::url);
        let path_style = self.required("blob.s3.path_style", parse::boolean, "for S3");
        let allow_http = self.required("blob.s3.allow_http", parse::boolean, "for S3");
        let credentials = match self.keys(
            "blob.s3.access_key_id",
            "blob.s3.secret_access_key",
            "blob.s3.session_token",
        ) {
            None => S3Credentials::Environment,
            Some(Keys { access_key_id, secret_access_key, session_token }) => {
                S3Credentials::Static {
                    access_key_id,
                    secret_access_key: Secret::new(secret_access_key),
                    session_token: session_token.map(Secret::new),
                }
            }
        };
        let bucket = self.optional("blob.s3.bucket", bucket_name);
        if !self.choice("blob.engine", &[("folder", false), ("s3", true)])? {
            return Some(BlobConfig::Folder);
        }
        if bucket.is_none() && self.raw.find("blob.s3.bucket").is_none() {
            self.missing("blob.s3.bucket", "because blob.engine is \"s3\"");
        }
        let addressing = if path_style? { Addressing::Path } else { Addressing::VirtualHost };
        let config = S3Config::new(bucket?);
        let allow_http = allow_http?;
        Some(BlobConfig::S3(Box::new(S3Config {
            prefix,
            region,
            endpoint,
            credentials,
            addressing,
            allow_http,
            ..config
        })))
    }

    /// Keys that belong together: none of them, or a name and a secret.
    fn keys(
        &mut self,
        name_key: &'static str,
        secret_key: &'static str,
        token_key: &'static str,
    ) -> Option<Keys> {
        let access_key_id = self.optional(name_key, parse::nonempty);
        let secret_access_key = self.optional(secret_key, parse::nonempty);
        let session_token = self.optional(token_key, parse::nonempty);
        match (access_key_id, secret_access_key) {
            (Some(access_key_id), Some(secret_access_key)) => {
                return Some(Keys { access_key_id, secret_access_key, session_token });
            }
            (Some(_), None) => self.missing(secret_key, &format!("because {name_key} is set")),
            (None, Some(_)) => self.missing(name_key, &format!("because {secret_key} is set")),
            (None, None) if session_token.is_some() => {
                self.missing(name_key, &format!("because {token_key} is set"));
            }
            (None, None) => {}
        }
        None
    }

    pub(super) fn required<T>(
        &mut self,
        key: &'static str,
        parse: Parse<T>,
        reason: &str,
    ) -> Option<T> {
        if self.raw.find(key).is_none() {
            self.missing(key, reason);
        }
        self.optional(key, parse)
    }

    pub(super) fn optional<T>(&mut self, key: &'static str, parse: Parse<T>) -> Option<T> {
        let raw = self.raw.find(key)?;
        parse(&raw.text).map_err(|allowed| self.wrong(key, raw, allowed)).ok()
    }

    pub(super) fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let raw = self.raw.find(key)?;
        let chosen = choices.iter().find(|(name, _)| *name == raw.text);
        if chosen.is_none() {
            let names: Vec<_> = choices.iter().map(|(name, _)| format!("{name:?}")).collect();
            self.wrong(key, raw, names.join(" or "));
        }
        chosen.map(|(_, value)| *value)
    }

    /// Whether a setting has this value.
    pub(super) fn is(&self, key: &str, value: &str) -> bool {
        self.raw.find(key).is_some_and(|raw| raw.text == value)
    }

    /// Says of a value that it does not go with others.
    pub(super) fn refuse(&mut self, key: &'static str, allowed: &str) {
        if let Some(raw) = self.raw.find(key) {
            self.wrong(key, raw, allowed.to_owned());
        }
    }

    fn wrong(&mut self, key: &'static str, raw: Raw, allowed: String) {
        let secret = find_setting(key).is_some_and(|setting| setting.secret);
        let shown = if secret { "(hidden)".to_owned() } else { shown(&raw.text) };
        self.errors.push(ConfigError::Wrong { key, shown, origin: raw.origin, allowed });
    }

    pub(super) fn missing(&mut self, key: &'static str, reason: &str) {
        // What is there and makes no sense is not missing, too.
        let is_told = |error: &ConfigError| match error {
            ConfigError::Wrong { key: wrong, .. } => *wrong == key,
            _ => false,
        };
        if self.errors.iter().any(is_told) {
            return;
        }
        self.errors.push(ConfigError::Missing { key, reason: reason.to_owned() });
    }
}

/// A value in quotes, without the password that a URL may have in it.
pub fn shown(text: &str) -> String {
    let hidden = text.split_once("://").and_then(|(scheme, rest)| {
        let (_, host) = rest.rsplit_once('@')?;
        Some(format!("{scheme}://(hidden)@{host}"))
    });
    format!("{:?}", hidden.as_deref().unwrap_or(text))
}

struct Keys {
    access_key_id: String,
    secret_access_key: String,
    session_token: Option<String>,
}

fn table_name(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    if (3..=255).contains(&text.len()) && text.bytes().all(plain) {
        return Ok(text.to_owned());
    }
    Err("3 to 255 of the characters a-z A-Z 0-9 _ . -".to_owned())
}

fn bucket_name(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    if (3..=63).contains(&text.len()) && text.bytes().all(plain) {
        return Ok(text.to_owned());
    }
    Err("the name of a bucket: 3 to 63 of the characters a-z 0-9 . -".to_owned())
}

fn object_prefix(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    if text.bytes().all(plain) && !text.contains("//") {
        return Ok(text.to_owned());
    }
    Err("letters, digits, dashes, underscores and dots, separated by slashes".to_owned())
}
