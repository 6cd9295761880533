//! Workers of this process: as configured, and stopped as signals say.

use std::time::Duration;

use service::Service;
use worker::{Options, Stopped, Workers};

use crate::config::Config;
use crate::signals::Signals;

/// Starts the workers that the configuration asks for.
pub fn start(config: &Config, service: &Service) -> Workers {
    let options = Options::default();
    let rendering_max = config.worker.rendering_max.unwrap_or(options.rendering_max);
    let options = Options { rendering_max, ..options };
    tracing::info!(worker = options.name, rendering_max, "working");
    Workers::start(service, options)
}

/// Lets workers finish what they have begun, until the grace period ends or there is another
/// signal; the rest is put back.
pub async fn stop(workers: Workers, grace: Duration, signals: &mut Signals) {
    let enough = async {
        tokio::select! {
            () = tokio::time::sleep(grace) => {}
            name = signals.next() => {
                tracing::warn!(signal = name, "a second signal: not waiting any longer");
            }
        }
    };
    if workers.stop_when(enough).await == Stopped::CutOff {
        tracing::warn!("some work was put back, to be begun again");
    }
}
