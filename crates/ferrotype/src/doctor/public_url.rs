//! Where users reach the service.

use super::Finding;
use super::neighbour::get;
use crate::config::Config;

const CHECK: &str = "public URL";

/// Asks the service at the address that its users have. From here it may be out of reach and
/// still be right, so that is only worth a warning.
pub(super) async fn check(config: &Config) -> Finding {
    let Some(url) = &config.http.public_url else {
        if config.listen.ip().is_loopback() {
            return Finding::ok(CHECK, "not set; links are for this machine only");
        }
        return Finding::warning(CHECK, "not set, so links have the address that clients used")
            .remedy("set public_url, such as https://photos.example.org");
    };
    let shown = url.as_str();
    if !url.is_https() && !is_local(shown) {
        let found = format!("{shown} has no TLS: passwords and photos can be read on the way");
        return Finding::warning(CHECK, found)
            .remedy("put a proxy with a certificate in front, and set public_url to https://…");
    }
    match get(&format!("{shown}/health/live")).await {
        Ok(text) if text.contains("alive") => {
            Finding::ok(CHECK, format_args!("{shown} is reached from here"))
        }
        Ok(_) => Finding::warning(CHECK, format_args!("{shown} is answered by something else"))
            .remedy("see where the name and the proxy lead"),
        Err(error) => Finding::warning(CHECK, format_args!("{shown} is not reached: {error}"))
            .remedy("start the server; else see where the name and the proxy lead"),
    }
}

fn is_local(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    ["localhost", "127.", "[::1]"].iter().any(|local| host.starts_with(local))
}
