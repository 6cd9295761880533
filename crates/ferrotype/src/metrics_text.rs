//! Metrics of the whole process, in Prometheus's text form.

use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::task::JoinHandle;

use crate::build_info::VERSION;
use crate::failure::Failure;

/// Collects metrics until it is stopped.
pub struct MetricsText {
    handle: PrometheusHandle,
    upkeep: JoinHandle<()>,
}

/// Without this, values that nobody fetches would pile up.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// From a point get to a slow upload.
const SECONDS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

impl MetricsText {
    /// Starts to collect. A process can do this once.
    pub fn start() -> Result<Self, Failure> {
        let failed = |error| Failure::Start(format!("collecting metrics: {error}"));
        let handle = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .map_err(failed)?
            .install_recorder()
            .map_err(failed)?;
        api::describe_metrics();
        metrics::describe_gauge!("ferrotype_build_info", "Always 1; the label has the version.");
        metrics::gauge!("ferrotype_build_info", "version" => VERSION).set(1.0);
        let kept = handle.clone();
        let upkeep = tokio::spawn(async move {
            let mut ticks = tokio::time::interval(UPKEEP_INTERVAL);
            loop {
                ticks.tick().await;
                kept.run_upkeep();
            }
        });
        Ok(Self { handle, upkeep })
    }

    /// Writes all metrics down.
    pub fn writer(&self) -> Arc<dyn Fn() -> String + Send + Sync> {
        let handle = self.handle.clone();
        Arc::new(move || handle.render())
    }

    /// Stops.
    pub async fn stop(self) {
        self.upkeep.abort();
        // Only to know that it has ended; it was told to.
        let _ = self.upkeep.await;
    }
}
