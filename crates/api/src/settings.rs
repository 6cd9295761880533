//! What the operator has decided about HTTP.

use std::time::Duration;

/// What the operator has decided about HTTP.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What one request may take.
    pub limits: RequestLimits,
}

/// What one request may take.
#[derive(Clone, Debug)]
pub struct RequestLimits {
    /// Bytes of a body, where a route does not say otherwise.
    pub body_bytes: usize,
    /// Time for a whole request, where nothing is streamed.
    pub request_time: Duration,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self { body_bytes: 1 << 20, request_time: Duration::from_secs(30) }
    }
}
