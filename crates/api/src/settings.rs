//! What the operator has decided about HTTP.

use std::time::Duration;

use ipnet::IpNet;
use service::{NoRelyingParty, RelyingParty};

use crate::client::ProxyHeader;
use crate::oidc::OidcSettings;
use crate::public_url::PublicUrl;

/// What the operator has decided about HTTP.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where users reach us, if it is not where we listen.
    pub public_url: Option<PublicUrl>,
    /// Where pictures are reached, if not there: a cache that forwards to us.
    pub cdn_url: Option<PublicUrl>,
    /// Where the storage itself hands out pictures and takes uploads, such as
    /// `https://bucket.example.org`.
    pub storage_origins: Vec<String>,
    /// Proxies whose word about a client's address and scheme is taken.
    pub trusted_proxies: Vec<IpNet>,
    /// The header that carries their word.
    pub proxy_header: ProxyHeader,
    /// The identity provider, if there is one.
    pub oidc: Option<OidcSettings>,
    /// Which other sites' pages may use the API.
    pub cors: CorsOrigins,
    /// What one request may take.
    pub limits: RequestLimits,
    /// How many requests may be sent; nothing is counted without.
    pub rates: Option<RateLimits>,
    /// Memory for answers that can be given again.
    pub answers: AnswerMemory,
}

impl Settings {
    /// What stands before the path of our own addresses in answers: where users reach us, or
    /// nothing, so that they are relative to where the client asked.
    pub(crate) fn public_base(&self) -> &str {
        self.public_url.as_ref().map_or("", PublicUrl::as_str)
    }

    /// The path below which we are reached, without a slash at its end; usually nothing.
    pub(crate) fn path(&self) -> &str {
        self.public_url.as_ref().map_or("", PublicUrl::path)
    }

    /// The same for addresses of pictures.
    pub(crate) fn pixel_base(&self) -> &str {
        self.cdn_url.as_ref().map_or_else(|| self.public_base(), PublicUrl::as_str)
    }

    /// Whom passkeys are for: browsers bind them to where users reach us.
    pub(crate) fn relying_party(&self) -> Result<RelyingParty, NoRelyingParty> {
        let url = self.public_url.as_ref().ok_or(NoRelyingParty::NoAddress)?;
        RelyingParty::of_origin(url.origin())
    }
}

/// Memory for answers that can be given again, because what they tell has not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerMemory {
    /// Bytes at most. It is taken as it is needed, about 2 KB for an image.
    pub bytes: u64,
}

impl Default for AnswerMemory {
    fn default() -> Self {
        Self { bytes: 256 << 20 }
    }
}

/// Which other sites' pages may use the API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CorsOrigins {
    /// None.
    #[default]
    None,
    /// All, but never with the cookies of our users.
    Any,
    /// These, such as `https://example.org`, also with cookies.
    These(Vec<String>),
}

/// What one request may take.
#[derive(Clone, Debug)]
pub struct RequestLimits {
    /// Connections at once; more wait to be accepted.
    pub connections: usize,
    /// Bytes of a request's head.
    pub head_bytes: usize,
    /// Headers of a request.
    pub headers: usize,
    /// Time for the head of a request, and for which an idle connection is kept.
    pub head_time: Duration,
    /// Bytes of a body, where a route does not say otherwise.
    pub body_bytes: usize,
    /// In each span of this length, at least [`body_bytes_min`](Self::body_bytes_min) must arrive
    /// of a body, and a client must take some of its answer.
    pub stall_time: Duration,
    /// Bytes that make progress.
    pub body_bytes_min: u64,
    /// Time for a whole request, where nothing is streamed.
    pub request_time: Duration,
}

impl Default for RequestLimits {
    fn default() -> Self {
        const SECOND: Duration = Duration::from_secs(1);
        Self {
            connections: 10_000,
            head_bytes: 32 << 10,
            headers: 100,
            head_time: 30 * SECOND,
            body_bytes: 1 << 20,
            stall_time: 30 * SECOND,
            body_bytes_min: 1 << 10,
            request_time: 30 * SECOND,
        }
    }
}

/// What is allowed before somebody is taken for an abuser. Requests are counted in a minute: all
/// of them may come at once; after that, more are allowed evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimits {
    /// Requests of one user to the API.
    pub user: u32,
    /// Requests from one address to the API, whoever sends them.
    pub address: u32,
    /// Requests of one user, and from one address, for the bytes of images.
    pub pixels: u32,
    /// Requests from one address to sign in, make an account or unlock a link.
    pub sign_in: u32,
    /// Files of one user on their way at once in each direction; more wait their turn.
    pub transfers: usize,
    /// Bytes of these files, as they are announced.
    pub transfer_bytes: u64,
}

impl Default for RateLimits {
    /// A gallery in which somebody scrolls through years is far from it, and so is a family behind
    /// one address.
    fn default() -> Self {
        Self {
            user: 6000,
            address: 30_000,
            pixels: 60_000,
            sign_in: 300,
            transfers: 32,
            transfer_bytes: 512 << 20,
        }
    }
}
