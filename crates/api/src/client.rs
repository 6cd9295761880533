//! Where a request really comes from, when proxies stand between.
//!
//! Anybody may send headers that claim an address. Only the part of the chain that was written
//! by proxies we trust is believed: from the right, up to the first address that is not one of
//! theirs. Which header they write is configured, since they pass on the other one as the client
//! sent it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use axum::extract::Request;
use axum::http::{HeaderMap, header};

use crate::Settings;

/// The other end of the connection, as [`crate::serve`] sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Who sends a request, as far as the network knows. In the extensions of every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    /// Their address.
    pub(crate) address: IpAddr,
    /// Whether they use TLS.
    pub(crate) https: bool,
}

/// The header by which trusted proxies tell the client's address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For` and `X-Forwarded-Proto`.
    #[default]
    XForwarded,
    /// `Forwarded` of RFC 7239.
    Forwarded,
}

impl Client {
    /// Who sends this request.
    pub(crate) fn of(request: &Request, settings: &Settings) -> Self {
        let peer = request.extensions().get::<Peer>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Peer(address)| address.ip());
        let client = Self::behind(peer.to_canonical(), request.headers(), settings);
        // Whoever says that they are reached by TLS is, whatever a proxy forgets to tell.
        let https = settings.public_url.as_ref().is_some_and(|url| url.is_https());
        Self { https: client.https || https, ..client }
    }

    /// Where the client reaches us: what stands before a path of ours in a whole address. Nothing
    /// if even that is not known.
    pub(crate) fn reached_at(self, headers: &HeaderMap, settings: &Settings) -> String {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let scheme = if self.https { "https" } else { "http" };
        match (&settings.public_url, host) {
            (Some(url), _) => url.as_str().to_owned(),
            (None, Some(host)) => format!("{scheme}://{host}"),
            (None, None) => String::new(),
        }
    }

    fn behind(peer: IpAddr, headers: &HeaderMap, settings: &Settings) -> Self {
        let is_trusted =
            |address: IpAddr| settings.trusted_proxies.iter().any(|net| net.contains(&address));
        let mut client = Self { address: peer, https: false };
        if !is_trusted(peer) {
            return client;
        }
        for hop in hops(headers, settings.proxy_header).into_iter().rev() {
            if !is_trusted(client.address) {
                break;
            }
            client.https = hop.https;
            match hop.address {
                Some(address) => client.address = address,
                // Nothing further to the left can be told from lies.
                None => break,
            }
        }
        client
    }
}

/// What one proxy says of who asked it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hop {
    address: Option<IpAddr>,
    https: bool,
}

/// What all proxies say, the nearest last.
fn hops(headers: &HeaderMap, header: ProxyHeader) -> Vec<Hop> {
    match header {
        ProxyHeader::XForwarded => {
            let schemes: Vec<_> = values(headers, "x-forwarded-proto").collect();
            let addresses: Vec<_> = values(headers, "x-forwarded-for").collect();
            // Some proxies add to the list of schemes, others replace it: count from the right.
            let scheme = |from_right: usize| {
                schemes.iter().rev().nth(from_right).or(schemes.first()).copied()
            };
            let count = addresses.len();
            let hop = |(index, text): (usize, &str)| Hop {
                address: parse_address(text),
                https: scheme(count - 1 - index).is_some_and(is_https),
            };
            addresses.into_iter().enumerate().map(hop).collect()
        }
        ProxyHeader::Forwarded => values(headers, "forwarded").map(parse_forwarded).collect(),
    }
}

fn values<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    let lines = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim)
}

fn parse_forwarded(element: &str) -> Hop {
    let mut hop = Hop { address: None, https: false };
    for pair in element.split(';') {
        let Some((name, value)) = pair.trim().split_once('=') else { continue };
        let value = value.trim_matches('"');
        match name.to_ascii_lowercase().as_str() {
            "for" => hop.address = parse_address(value),
            "proto" => hop.https = is_https(value),
            _ => {}
        }
    }
    hop
}

/// An address, perhaps with a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`.
fn parse_address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let parsed = IpAddr::from_str(bare).ok();
    let parsed = parsed.or_else(|| SocketAddr::from_str(text).ok().map(|with_port| with_port.ip()));
    parsed.map(|address| address.to_canonical())
}

fn is_https(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("https")
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    fn settings(trusted: &[&str], proxy_header: ProxyHeader) -> Settings {
        let trusted_proxies = trusted.iter().map(|net| net.parse().unwrap()).collect();
        Settings { trusted_proxies, proxy_header, ..Settings::default() }
    }

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&str, &str)| {
            (name.parse::<HeaderName>().unwrap(), value.parse().unwrap())
        };
        let mut headers = HeaderMap::new();
        for (name, value) in pairs.iter().map(pair) {
            headers.append(name, value);
        }
        headers
    }

    fn client(peer: &str, trusted: &[&str], sent: &[(&str, &str)]) -> (String, bool) {
        let settings = settings(trusted, ProxyHeader::XForwarded);
        let found = Client::behind(peer.parse().unwrap(), &headers(sent), &settings);
        (found.address.to_string(), found.https)
    }

    #[test]
    fn without_trusted_proxies_nobody_is_believed() {
        let sent = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-proto", "https")];
        assert_eq!(client("9.9.9.9", &[], &sent), ("9.9.9.9".to_owned(), false));
        assert_eq!(client("9.9.9.9", &["10.0.0.0/8"], &sent), ("9.9.9.9".to_owned(), false));
    }

    #[test]
    fn a_trusted_proxy_tells_address_and_scheme() {
        let sent = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-proto", "https")];
        assert_eq!(client("10.0.0.1", &["10.0.0.0/8"], &sent), ("1.1.1.1".to_owned(), true));
        let with_port = [("x-forwarded-for", "[2001:db8::1]:443")];
        assert_eq!(client("::1", &["::1/128"], &with_port), ("2001:db8::1".to_owned(), false));
    }

    #[test]
    fn what_a_client_writes_before_the_proxies_is_not_believed() {
        let trusted = ["10.0.0.0/8"];
        for sent in ["6.6.6.6, 1.1.1.1", "10.0.0.9, 1.1.1.1", "6.6.6.6, 1.1.1.1, 10.0.0.2"] {
            let sent = [("x-forwarded-for", sent)];
            assert_eq!(client("10.0.0.1", &trusted, &sent).0, "1.1.1.1");
        }
        let two_lines = [("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "1.1.1.1")];
        assert_eq!(client("10.0.0.1", &trusted, &two_lines).0, "1.1.1.1");
        // What is no address ends the chain at the proxy that passed it on.
        let nonsense = [("x-forwarded-for", "6.6.6.6, unknown")];
        assert_eq!(client("10.0.0.1", &trusted, &nonsense).0, "10.0.0.1");
    }

    #[test]
    fn a_scheme_that_a_client_claims_is_not_believed() {
        let sent = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-proto", "https, http")];
        assert!(!client("10.0.0.1", &["10.0.0.0/8"], &sent).1);
    }

    #[test]
    fn only_the_configured_header_counts() {
        let sent = headers(&[
            ("x-forwarded-for", "6.6.6.6"),
            ("forwarded", "for=7.7.7.7, for=\"1.1.1.1:99\";proto=https;by=10.0.0.1"),
        ]);
        let forwarded = settings(&["10.0.0.0/8"], ProxyHeader::Forwarded);
        let found = Client::behind("10.0.0.1".parse().unwrap(), &sent, &forwarded);
        assert_eq!((found.address.to_string().as_str(), found.https), ("1.1.1.1", true));
        let other = settings(&["10.0.0.0/8"], ProxyHeader::XForwarded);
        let found = Client::behind("10.0.0.1".parse().unwrap(), &sent, &other);
        assert_eq!(found.address.to_string(), "6.6.6.6");
    }

    #[test]
    fn an_ipv4_address_in_ipv6_clothes_is_an_ipv4_address() {
        let sent = [("x-forwarded-for", "::ffff:1.1.1.1")];
        assert_eq!(client("10.0.0.1", &["10.0.0.0/8"], &sent).0, "1.1.1.1");
    }
}
