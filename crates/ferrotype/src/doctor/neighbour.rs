//! Who answers at the address that the configuration says to listen on.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::time::Duration;

use serde::Deserialize;

use super::Finding;
use crate::control::Standing;
use crate::http_client::{self, causes};

/// Whoever has the address.
#[derive(Debug)]
pub(super) enum Neighbour {
    /// Any free port will do.
    AnyPort,
    /// Nobody.
    Nobody,
    /// A server like this one.
    Ferrotype(Readiness),
    /// Somebody else, who said this.
    Other(String),
    /// Nobody can have it.
    Impossible(io::Error),
}

/// What a server says about itself.
#[derive(Debug, Deserialize)]
pub(super) struct Readiness {
    status: String,
    parts: std::collections::BTreeMap<String, Part>,
}

#[derive(Debug, Deserialize)]
struct Part {
    status: String,
}

/// How long anybody may take to answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
const CHECK: &str = "listen address";

impl Neighbour {
    /// Tries to have the address, and asks whoever has it.
    pub(super) async fn find(address: SocketAddr) -> Self {
        if address.port() == 0 {
            return Self::AnyPort;
        }
        match TcpListener::bind(address) {
            Ok(_) => Self::Nobody,
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Self::ask(address).await,
            Err(error) => Self::Impossible(error),
        }
    }

    async fn ask(address: SocketAddr) -> Self {
        let text = match get(&format!("{}health/ready", url(address))).await {
            Ok(text) => text,
            Err(error) => return Self::Other(error),
        };
        match serde_json::from_str::<Readiness>(&text) {
            Ok(readiness) if readiness.parts.contains_key("table") => Self::Ferrotype(readiness),
            _ => Self::Other("it is no Ferrotype".to_owned()),
        }
    }

    pub(super) fn is_ferrotype(&self) -> bool {
        matches!(self, Self::Ferrotype(_))
    }

    pub(super) fn finding(&self, address: SocketAddr) -> Finding {
        match self {
            Self::AnyPort => Finding::ok(CHECK, format_args!("{address}: any free port")),
            Self::Nobody => Finding::ok(CHECK, format_args!("{address} is free")),
            Self::Ferrotype(readiness) => match readiness.problem() {
                None => Finding::ok(
                    CHECK,
                    format_args!("{address}: a running Ferrotype answers and is ready"),
                ),
                Some(problem) => {
                    let found = format!("{address}: a running Ferrotype is not ready: {problem}");
                    Finding::problem(CHECK, found).remedy("its log says what is wrong")
                }
            },
            Self::Other(who) => {
                let found = format!("{address} is taken by another program: {who}");
                Finding::problem(CHECK, found)
                    .remedy("stop that program, or choose another address with --listen")
            }
            Self::Impossible(error) => {
                let found = format!("{address} cannot be listened on: {error}");
                let remedy = match error.kind() {
                    io::ErrorKind::PermissionDenied => {
                        "ports below 1024 need a right (CAP_NET_BIND_SERVICE) or a proxy in front; \
                         choose a higher port with --listen"
                    }
                    _ => "choose an address of this machine with --listen",
                };
                Finding::problem(CHECK, found).remedy(remedy)
            }
        }
    }
}

impl Readiness {
    /// The parts that do not work, if any.
    pub(super) fn problem(&self) -> Option<String> {
        let failed = self.parts.iter().filter(|(_, part)| part.status != "ok");
        let failed: Vec<&str> = failed.map(|(name, _)| name.as_str()).collect();
        match (self.status.as_str(), failed.as_slice()) {
            ("ready", []) => None,
            (status, []) => Some(status.to_owned()),
            (_, failed) => Some(format!("{} failed", failed.join(" and "))),
        }
    }
}

/// What a server says that it offers, as far as it matters here.
#[derive(Deserialize)]
struct Offer {
    accounts: Accounts,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Accounts {
    /// Whether the first administrator is still to be made.
    set_up: bool,
}

/// What the server that has the address tells everybody about its accounts. Whether there are any
/// without an administrator is not for everybody.
pub(super) async fn find_standing(address: SocketAddr) -> Option<Standing> {
    let offer = get(&format!("{}api/v1/service", url(address))).await.ok()?;
    let offer: Offer = serde_json::from_str(&offer).ok()?;
    Some(Standing { is_set_up: !offer.accounts.set_up, has_users: false })
}

/// Asks for a page, and returns it if the answer is one of a server that lives.
pub(super) async fn get(url: &str) -> Result<String, String> {
    let client = http_client::builder(url).timeout(PATIENCE).build().map_err(causes)?;
    let answer = client.get(url).send().await.map_err(causes)?;
    let status = answer.status();
    // Whoever is not ready says so with a status of its own.
    if !status.is_success() && status != reqwest::StatusCode::SERVICE_UNAVAILABLE {
        return Err(format!("it answers {status}"));
    }
    answer.text().await.map_err(causes)
}

/// What to ask on this machine.
fn url(mut address: SocketAddr) -> String {
    match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    format!("http://{address}/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Status;

    #[tokio::test]
    async fn a_free_address_and_a_taken_one_are_told_apart() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let answering = std::thread::spawn(move || {
            let (mut stream, _) = taken.accept().unwrap();
            let mut request = [0; 1024];
            assert!(io::Read::read(&mut stream, &mut request).unwrap() > 0);
            let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi";
            io::Write::write_all(&mut stream, answer.as_bytes()).unwrap();
        });
        let neighbour = Neighbour::find(address).await;
        assert_eq!(neighbour.finding(address).status, Status::Problem, "{neighbour:?}");
        answering.join().unwrap();
        let neighbour = Neighbour::find(address).await;
        assert_eq!(neighbour.finding(address).status, Status::Ok, "{neighbour:?}");
    }

    #[test]
    fn parts_that_fail_are_named() {
        let text = r#"{"status":"unavailable","parts":{"table":{"status":"ok"},"blobs":{"status":"failed"}}}"#;
        let readiness: Readiness = serde_json::from_str(text).unwrap();
        assert_eq!(readiness.problem().as_deref(), Some("blobs failed"));
    }
}
