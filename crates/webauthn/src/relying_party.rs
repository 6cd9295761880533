use std::net::Ipv4Addr;

use ring::digest;

use crate::Refused;

/// Whom passkeys are for: a site, by the name of its host, and the one origin of its pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelyingParty {
    id: String,
    origin: String,
}

/// Why there can be no passkeys at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRelyingParty {
    /// Nobody has said where pages are.
    #[error("public_url is not set")]
    NoAddress,
    /// Browsers have passkeys for names only.
    #[error("public_url has no host name but an IP address")]
    IpAddress,
    /// Browsers have passkeys on safe connections only.
    #[error("public_url is neither https nor http://localhost")]
    NotSecure,
    /// It is nothing that a browser would call an origin.
    #[error("public_url is no origin, such as https://photos.example.org")]
    NoOrigin,
}

impl RelyingParty {
    /// The site whose pages are at this origin, such as `https://photos.example.org`.
    ///
    /// # Errors
    /// [`NoRelyingParty`] if browsers would not make passkeys there.
    pub fn of_origin(origin: &str) -> Result<Self, NoRelyingParty> {
        // Browsers write the scheme and the host in lower case, whatever was typed.
        let origin = origin.to_ascii_lowercase();
        let (scheme, authority) = origin.split_once("://").ok_or(NoRelyingParty::NoOrigin)?;
        if authority.starts_with('[') {
            return Err(NoRelyingParty::IpAddress);
        }
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        };
        // Browsers leave out the port that follows from the scheme.
        let (port, usual) = match (port, scheme) {
            (port, "https") => (port, "443"),
            (port, "http") => (port, "80"),
            _ => return Err(NoRelyingParty::NotSecure),
        };
        let suffix = match port {
            None => String::new(),
            Some(port) if port == usual => String::new(),
            Some(port) => {
                let number: u16 = port.parse().map_err(|_| NoRelyingParty::NoOrigin)?;
                format!(":{number}")
            }
        };
        if is_ip_address(host) {
            return Err(NoRelyingParty::IpAddress);
        }
        if !is_name(host) {
            return Err(NoRelyingParty::NoOrigin);
        }
        let is_local = host == "localhost" || host.ends_with(".localhost");
        if scheme != "https" && !is_local {
            return Err(NoRelyingParty::NotSecure);
        }
        Ok(Self { id: host.to_owned(), origin: format!("{scheme}://{host}{suffix}") })
    }

    /// The name that passkeys are bound to.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where its pages are.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub(crate) fn check_hash(&self, hash: &[u8]) -> Result<(), Refused> {
        match digest::digest(&digest::SHA256, self.id.as_bytes()).as_ref() == hash {
            true => Ok(()),
            false => Err(Refused::WrongRelyingParty),
        }
    }
}

/// A last part of digits makes browsers read all of it as an address, in whatever form.
fn is_ip_address(host: &str) -> bool {
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    host.parse::<Ipv4Addr>().is_ok()
        || last.strip_prefix("0x").is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
        || (!last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()))
}

/// As browsers write a name, other alphabets as punycode.
fn is_name(host: &str) -> bool {
    let is_label = |label: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        !label.is_empty() && label.len() <= 63 && label.bytes().all(plain)
    };
    host.len() <= 253 && host.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_a_name_and_a_safe_connection() {
        for (given, id, origin) in [
            ("https://photos.example.org", "photos.example.org", "https://photos.example.org"),
            ("https://Photos.Example.org:443", "photos.example.org", "https://photos.example.org"),
            (
                "https://photos.example.org:8443",
                "photos.example.org",
                "https://photos.example.org:8443",
            ),
            ("http://localhost:8080", "localhost", "http://localhost:8080"),
            ("http://localhost", "localhost", "http://localhost"),
            ("http://photos.localhost:80", "photos.localhost", "http://photos.localhost"),
            (
                "https://xn--bcher-kva.example",
                "xn--bcher-kva.example",
                "https://xn--bcher-kva.example",
            ),
        ] {
            let found = RelyingParty::of_origin(given).unwrap();
            assert_eq!((found.id(), found.origin()), (id, origin), "{given}");
        }
    }

    #[test]
    fn elsewhere_there_are_no_passkeys() {
        use NoRelyingParty::{IpAddress, NoOrigin, NotSecure};
        for (given, why) in [
            ("http://photos.example.org", NotSecure),
            ("http://localhost.example.org", NotSecure),
            ("ftp://photos.example.org", NotSecure),
            ("https://192.0.2.1", IpAddress),
            ("http://127.0.0.1:8080", IpAddress),
            ("https://[2001:db8::1]", IpAddress),
            ("https://0x7f.1", IpAddress),
            ("https://127.0x1", IpAddress),
            ("https://2130706433", IpAddress),
            ("https://bücher.example", NoOrigin),
            ("https://photos.example.org:port", NoOrigin),
            ("https://", NoOrigin),
            ("https://a..b", NoOrigin),
            ("photos.example.org", NoOrigin),
            ("", NoOrigin),
        ] {
            assert_eq!(RelyingParty::of_origin(given), Err(why), "{given}");
        }
    }
}
