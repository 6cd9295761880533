//! Settings of the HTTP face.

use api::{AnswerMemory, CorsOrigins, ProxyHeader, PublicUrl, RateLimits, RequestLimits, Settings};
use ipnet::IpNet;

use super::parse;
use super::validate::Check;

impl Check<'_> {
    pub(super) fn http(&mut self) -> Option<Settings> {
        let cdn_url = self.optional("images.cdn_url", public_url);
        let public_url = self.optional("public_url", public_url);
        let trusted_proxies = self.optional("trusted_proxies", networks);
        let headers =
            [("x-forwarded-for", ProxyHeader::XForwarded), ("forwarded", ProxyHeader::Forwarded)];
        let proxy_header = self.choice("proxy_header", &headers);
        let oidc = self.oidc();
        let cors = self.optional("cors.origins", origins);
        let limits = self.request_limits();
        let rates = self.rate_limits();
        let answers = self.required("http.answer_memory", parse::bytes, "to serve");
        Some(Settings {
            public_url,
            cdn_url,
            storage_origins: Vec::new(),
            trusted_proxies: trusted_proxies.unwrap_or_default(),
            proxy_header: proxy_header?,
            oidc: oidc?,
            cors: cors.unwrap_or_default(),
            limits: limits?,
            rates: rates?,
            answers: AnswerMemory { bytes: answers? },
        })
    }

    fn request_limits(&mut self) -> Option<RequestLimits> {
        let connections = self.required("http.connections", parse::count, "to serve");
        let head_bytes = self.required("http.head_bytes", head_bytes, "to serve");
        let head_time = self.required("http.head_time", parse::interval, "to serve");
        let body_bytes = self.required("http.body_bytes", parse::count, "to serve");
        let stall_time = self.required("http.stall_time", parse::interval, "to serve");
        let request_time = self.required("http.request_time", parse::interval, "to serve");
        Some(RequestLimits {
            connections: connections?,
            head_bytes: head_bytes?,
            head_time: head_time?,
            body_bytes: body_bytes?,
            stall_time: stall_time?,
            request_time: request_time?,
            ..RequestLimits::default()
        })
    }

    /// None where they are off; nothing at all where they are wrong.
    #[allow(clippy::option_option, reason = "the outer one is that of all checks")]
    fn rate_limits(&mut self) -> Option<Option<RateLimits>> {
        let enabled = self.required("rate_limits.enabled", parse::boolean, "to serve");
        let user = self.required("rate_limits.user", parse::count, "to limit");
        let address = self.required("rate_limits.address", parse::count, "to limit");
        let pixels = self.required("rate_limits.pixels", parse::count, "to limit");
        let sign_in = self.required("rate_limits.sign_in", parse::count, "to limit");
        let transfers = self.required("rate_limits.transfers", parse::count, "to limit");
        let bytes = self.required("rate_limits.transfer_bytes", parse::bytes, "to limit");
        let limits = RateLimits {
            user: user?,
            address: address?,
            pixels: pixels?,
            sign_in: sign_in?,
            transfers: transfers?,
            transfer_bytes: bytes?,
        };
        Some(enabled?.then_some(limits))
    }
}

fn public_url(text: &str) -> Result<PublicUrl, String> {
    text.parse().map_err(|bad: api::BadPublicUrl| bad.to_string())
}

fn networks(text: &str) -> Result<Vec<IpNet>, String> {
    let network = |part: &str| {
        let part = part.trim();
        part.parse().ok().or_else(|| Some(IpNet::from(part.parse::<std::net::IpAddr>().ok()?)))
    };
    let networks: Option<Vec<IpNet>> = text.split(',').map(network).collect();
    networks.ok_or_else(|| "addresses or networks such as 10.0.0.0/8, ::1".to_owned())
}

/// Origins as browsers send them: scheme, host and perhaps a port, nothing behind.
fn origins(text: &str) -> Result<CorsOrigins, String> {
    if text.trim() == "*" {
        return Ok(CorsOrigins::Any);
    }
    let origin = |part: &str| {
        let url: PublicUrl = part.trim().parse().ok()?;
        url.path().is_empty().then(|| url.as_str().to_lowercase())
    };
    let origins: Option<Vec<String>> = text.split(',').map(origin).collect();
    origins
        .map(CorsOrigins::These)
        .ok_or_else(|| "origins such as https://example.org, with commas between, or *".to_owned())
}

fn head_bytes(text: &str) -> Result<usize, String> {
    const RANGE: std::ops::RangeInclusive<usize> = 8192..=1_048_576;
    let bytes = text.parse().ok().filter(|bytes| RANGE.contains(bytes));
    bytes.ok_or_else(|| format!("a number of bytes from {} to {}", RANGE.start(), RANGE.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_addresses_or_networks() {
        let found = networks("10.0.0.0/8, ::1,192.0.2.7").unwrap();
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, ["10.0.0.0/8", "::1/128", "192.0.2.7/32"]);
        for wrong in ["", "10.0.0.0/33", "proxy.example.org", "10.0.0.1,"] {
            assert!(networks(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn origins_have_no_path() {
        assert_eq!(origins(" * "), Ok(CorsOrigins::Any));
        let two = ["https://a.example", "http://localhost:5173"].map(str::to_owned).to_vec();
        let found = origins("https://A.example, http://localhost:5173");
        assert_eq!(found, Ok(CorsOrigins::These(two)));
        for wrong in ["", "a.example", "https://a.example/x", "*, https://a.example"] {
            assert!(origins(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_head_has_room_for_what_browsers_send() {
        assert_eq!(head_bytes("8192"), Ok(8192));
        for wrong in ["0", "8191", "1048577", "32k"] {
            assert!(head_bytes(wrong).is_err(), "{wrong}");
        }
    }
}
