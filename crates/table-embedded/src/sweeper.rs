use std::sync::Arc;
use std::time::Duration;

use table::Sweep;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

/// A task that removes expired items from time to time, until it is stopped.
#[derive(Debug)]
pub struct Sweeper {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// Starts to sweep the table, now and then after each interval.
pub fn spawn_sweeper(table: Arc<dyn Sweep>, interval: Duration) -> Sweeper {
    let (stop, mut stopped) = oneshot::channel();
    let task = tokio::spawn(async move {
        let mut ticks = tokio::time::interval(interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                // Also when the sweeper was dropped without being stopped.
                _ = &mut stopped => return,
                _ = ticks.tick() => sweep(table.as_ref()).await,
            }
        }
    });
    Sweeper { stop, task }
}

impl Sweeper {
    /// Stops the task, after the sweep that may be under way.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

async fn sweep(table: &dyn Sweep) {
    match table.sweep_expired().await {
        Ok(0) => {}
        Ok(items) => tracing::debug!(items, "removed expired items"),
        Err(error) => tracing::warn!(%error, "could not remove expired items; trying again later"),
    }
}
