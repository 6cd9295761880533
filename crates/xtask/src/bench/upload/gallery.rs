//! Somebody who looks at their gallery: what its pages ask for, one request after the other, and how
//! long each answer takes.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::Agent;

use crate::Outcome;
use crate::server::Server;

/// Between two requests; a person scrolls.
const PAUSE: Duration = Duration::from_millis(5);

/// Who looks.
pub struct Gallery {
    agent: Agent,
    token: String,
    addresses: Vec<String>,
}

/// What was answered.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    durations: Vec<Duration>,
    /// Answers that were no success.
    pub refused: usize,
    /// Of these, those for too many requests.
    pub told_to_wait: usize,
}

impl Gallery {
    /// Opens it: the shell, the timeline, the newest images, and some of their pictures.
    pub fn open(server: &Server) -> Outcome<Self> {
        let config = Agent::config_builder().proxy(None).http_status_as_error(false);
        let agent: Agent = config.timeout_global(Some(Duration::from_secs(60))).build().into();
        let endpoint = server.endpoint();
        let mut gallery = Self { agent, token: server.token.clone(), addresses: Vec::new() };
        let listed = gallery.ask(&format!("{endpoint}/api/v1/images?limit=20"))?;
        let listed: Value = serde_json::from_slice(&listed.1)?;
        let images = listed.get("items").and_then(Value::as_array).ok_or("no images")?;
        let thumb = |image: &Value| {
            let url = image.get("sizes")?.get("thumb")?.get("url")?.as_str()?;
            Some(if url.starts_with('/') { format!("{endpoint}{url}") } else { url.to_owned() })
        };
        let thumbs: Vec<String> = images.iter().filter_map(thumb).collect();
        let pages = ["/favicon.svg", "/api/v1/me", "/api/v1/timeline", "/api/v1/images?limit=20"];
        gallery.addresses = pages.map(|path| format!("{endpoint}{path}")).to_vec();
        gallery.addresses.extend(thumbs);
        Ok(gallery)
    }

    /// Looks until it is enough.
    pub fn look_until(&self, enough: impl Fn(usize) -> bool) -> Outcome<Looks> {
        let mut looks = Looks::default();
        for address in self.addresses.iter().cycle() {
            if enough(looks.durations.len()) {
                break;
            }
            let begun = Instant::now();
            let (status, _) = self.ask(address)?;
            looks.durations.push(begun.elapsed());
            looks.refused += usize::from(!(200..400).contains(&status));
            looks.told_to_wait += usize::from(status == 429);
            thread::sleep(PAUSE);
        }
        looks.durations.sort_unstable();
        Ok(looks)
    }

    fn ask(&self, address: &str) -> Outcome<(u16, Vec<u8>)> {
        let token = format!("Bearer {}", self.token);
        let mut answer = self.agent.get(address).header("authorization", token).call()?;
        let body = answer.body_mut().with_config().limit(64 << 20).read_to_vec()?;
        Ok((answer.status().as_u16(), body))
    }
}

impl Looks {
    pub fn count(&self) -> usize {
        self.durations.len()
    }

    /// So many of a hundred answers take no longer.
    pub fn at(&self, percent: usize) -> Duration {
        let last = self.durations.len().saturating_sub(1);
        self.durations.get(last * percent / 100).copied().unwrap_or_default()
    }
}
