//! The list of all settings: flags, variables, the file's keys and the document follow it.

/// Something that can be configured.
#[derive(Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name in the file, with dots between tables.
    pub key: &'static str,
    /// Its value unless it is set; none if it is then absent.
    pub default: Option<&'static str>,
    /// What it means, in one line.
    pub about: &'static str,
    /// Whether its value must never be shown. There are no flags for secrets, since every
    /// user of the machine can see those.
    pub secret: bool,
}

impl Setting {
    /// The environment variable that sets it.
    pub fn variable(&self) -> String {
        format!("{VARIABLE_PREFIX}{}", self.key.replace('.', "_").to_uppercase())
    }

    /// The flag that sets it, without the dashes before it.
    pub fn flag(&self) -> Option<String> {
        (!self.secret).then(|| self.key.replace(['.', '_'], "-"))
    }

    const fn new(key: &'static str, default: Option<&'static str>, about: &'static str) -> Self {
        Self { key, default, about, secret: false }
    }

    const fn secret(key: &'static str, about: &'static str) -> Self {
        Self { key, default: None, about, secret: true }
    }
}

/// What the names of our environment variables begin with.
pub const VARIABLE_PREFIX: &str = "FERROTYPE_";

/// All settings.
pub const SETTINGS: &[Setting] = &[
    Setting::new("data_folder", Some("./data"), "Where the embedded table and the blobs live"),
    Setting::new("listen", Some("127.0.0.1:8080"), "The address to answer on; port 0 takes any"),
    Setting::new("shutdown_grace", Some("30s"), "How long requests may take after a stop signal"),
    Setting::new("public_url", None, "Where users reach it, such as https://photos.example.org"),
    Setting::new("trusted_proxies", None, "Proxies to believe: addresses or networks, by commas"),
    Setting::new("proxy_header", Some("x-forwarded-for"), "x-forwarded-for or forwarded"),
    Setting::new("cors.origins", None, "Other sites that may use the API, by commas, or *"),
    Setting::new("http.connections", Some("10000"), "Connections at once; more wait"),
    Setting::new("http.head_bytes", Some("32768"), "Bytes of a request's head"),
    Setting::new("http.head_time", Some("30s"), "Time for a request's head; idle connections too"),
    Setting::new("http.body_bytes", Some("1048576"), "Bytes of a body that is no file"),
    Setting::new("http.stall_time", Some("30s"), "How long a body may make no progress"),
    Setting::new("http.request_time", Some("30s"), "Time for a request that streams nothing"),
    Setting::new("http.answer_memory", Some("256MB"), "Memory for answers to give again"),
    Setting::new("rate_limits.enabled", Some("true"), "Whether requests are counted"),
    Setting::new("rate_limits.user", Some("6000"), "Requests of a user in a minute"),
    Setting::new("rate_limits.address", Some("30000"), "Requests from an address in a minute"),
    Setting::new("rate_limits.pixels", Some("60000"), "Requests for images in a minute"),
    Setting::new(
        "rate_limits.sign_in",
        Some("300"),
        "Requests to sign in from an address in a minute",
    ),
    Setting::new("rate_limits.transfers", Some("32"), "Files of a user on their way; more wait"),
    Setting::new("rate_limits.transfer_bytes", Some("512MB"), "Bytes of a user on their way"),
    Setting::new("storage.free_min", Some("1GB"), "Bytes of the disk that stay free; 0 for none"),
    Setting::new("log.level", Some("info"), "A level, or directives such as info,table=debug"),
    Setting::new("log.format", Some("text"), "text or json"),
    Setting::new("table.engine", Some("embedded"), "embedded or dynamodb"),
    Setting::new("table.sweep_interval", Some("1m"), "How often expired items are removed"),
    Setting::new(
        "table.checkpoints",
        Some("own"),
        "Who moves SQLite's log: own, or replicator (Litestream)",
    ),
    Setting::new("table.dynamodb.name", Some("ferrotype"), "The name of the DynamoDB table"),
    Setting::new("table.dynamodb.region", None, "Its region; else as usual on AWS"),
    Setting::new("table.dynamodb.endpoint", None, "Another server than Amazon's, as a URL"),
    Setting::new("table.dynamodb.access_key_id", None, "Credentials; else as usual on AWS"),
    Setting::secret("table.dynamodb.secret_access_key", "The secret of that key"),
    Setting::secret("table.dynamodb.session_token", "Its token, if it is temporary"),
    Setting::new("blob.engine", Some("folder"), "folder or s3"),
    Setting::new("blob.s3.bucket", None, "The bucket, which must exist"),
    Setting::new("blob.s3.prefix", None, "What all keys in the bucket start with"),
    Setting::new("blob.s3.region", None, "Its region; else as usual on AWS"),
    Setting::new("blob.s3.endpoint", None, "Another server than Amazon's, as a URL"),
    Setting::new("blob.s3.path_style", Some("true"), "Whether the bucket is in the URL's path"),
    Setting::new("blob.s3.allow_http", Some("false"), "Whether to do without TLS off loopback"),
    Setting::new("blob.s3.access_key_id", None, "Credentials; else as usual on AWS"),
    Setting::secret("blob.s3.secret_access_key", "The secret of that key"),
    Setting::secret("blob.s3.session_token", "Its token, if it is temporary"),
    Setting::new(
        "images.sizes",
        Some("thumb 256x256 cover, small 640x640, medium 1280x1280, large 2048x2048"),
        "The renditions that every image gets",
    ),
    Setting::new("images.memory", Some("512MB"), "Memory for decoding images"),
    Setting::new("images.file_size_max", Some("256MB"), "Bytes of an uploaded file at most"),
    Setting::new("images.upload_time", Some("24h"), "How long an upload may take"),
    Setting::new("images.trash_time", Some("30d"), "How long images stay in the trash"),
    Setting::new("images.url_time", Some("1h"), "How long URLs of pictures work at least"),
    Setting::new("images.cdn_url", None, "Where pictures are reached, if not at public_url"),
    Setting::new("images.redirect", Some("false"), "Whether S3 itself hands out pictures"),
    Setting::new("images.share_exif", Some("false"), "Whether others see what the camera wrote"),
    Setting::new("accounts.sign_up", Some("invitation"), "closed, invitation or open"),
    Setting::new("accounts.session_time", Some("30d"), "How long people stay signed in"),
    Setting::new("accounts.invitation_time", Some("7d"), "How long an invitation can be used"),
    Setting::new(
        "accounts.attempts_window",
        Some("15m"),
        "The time wrong passwords are counted in",
    ),
    Setting::new("accounts.attempts_per_email", Some("10"), "Wrong passwords for one account"),
    Setting::new("accounts.attempts_per_address", Some("100"), "Wrong passwords from one address"),
    Setting::new("oidc.issuer", None, "An identity provider, as it names itself"),
    Setting::new("oidc.client_id", None, "What the provider calls us"),
    Setting::secret("oidc.client_secret", "What proves us to the provider"),
    Setting::new("oidc.discovery_url", None, "Its description, if not below the issuer"),
    Setting::new("oidc.jwks_url", None, "Its keys, if not where the description says"),
    Setting::new("oidc.audience", None, "Whom tokens are for, if not oidc.client_id"),
    Setting::new("oidc.label", Some("single sign-on"), "What to call it on the sign-in page"),
    Setting::new("oidc.auto_create", Some("true"), "Whether whom it sends gets an account"),
    Setting::new("quota.images", None, "Images a new user may keep, if not as administrators say"),
    Setting::new("quota.bytes", None, "Bytes or part of the disk, if not as administrators say"),
    Setting::new("people.enabled", Some("auto"), "Whether people are recognised: auto, on or off"),
    Setting::new("people.models", None, "The folder with the face models, if not a usual one"),
    Setting::new("worker.enabled", Some("true"), "Whether this process makes renditions"),
    Setting::new("worker.rendering_max", None, "Images rendered at once; else one per core"),
];

/// The setting of this key.
pub fn find_setting(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_derived_from_the_key() {
        let setting = find_setting("table.dynamodb.name").unwrap();
        assert_eq!(setting.variable(), "FERROTYPE_TABLE_DYNAMODB_NAME");
        assert_eq!(setting.flag().as_deref(), Some("table-dynamodb-name"));
    }

    #[test]
    fn no_two_settings_share_a_name() {
        let variables: BTreeSet<_> = SETTINGS.iter().map(Setting::variable).collect();
        assert_eq!(variables.len(), SETTINGS.len());
        let flags: Vec<_> = SETTINGS.iter().filter_map(Setting::flag).collect();
        assert_eq!(flags.iter().collect::<BTreeSet<_>>().len(), flags.len());
    }

    #[test]
    fn secrets_have_neither_flags_nor_defaults() {
        for setting in SETTINGS.iter().filter(|setting| setting.secret) {
            assert_eq!((setting.flag(), setting.default), (None, None), "{}", setting.key);
        }
        let named_secret =
            |setting: &&Setting| setting.key.contains("secret") || setting.key.contains("token");
        assert!(SETTINGS.iter().filter(named_secret).all(|setting| setting.secret));
    }
}
