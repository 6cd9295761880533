//! One kind of work: claimed as long as there is room for it.

use std::sync::Arc;
use std::time::Duration;

use model::WorkKind;
use service::{Service, Task};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::{Options, Stopped, task};

/// Does all work of one kind, so many tasks at a time.
pub(crate) struct Lane {
    kind: WorkKind,
    service: Service,
    options: Arc<Options>,
    /// True when nothing new is to be begun; closed when nothing is to be waited for.
    stop: watch::Receiver<bool>,
    hints: watch::Receiver<u64>,
    running: JoinSet<()>,
}

impl Lane {
    pub(crate) fn new(
        kind: WorkKind,
        service: Service,
        options: Arc<Options>,
        stop: watch::Receiver<bool>,
    ) -> Self {
        let hints = service.hints();
        Self { kind, service, options, stop, hints, running: JoinSet::new() }
    }

    pub(crate) async fn run(mut self) -> Stopped {
        while !*self.stop.borrow() {
            self.hints.mark_unchanged();
            let claimed = self.claim().await;
            let found = !claimed.is_empty();
            for claimed in claimed {
                self.running.spawn(task::run(self.service.clone(), claimed, self.stop.clone()));
            }
            if self.running.is_empty() {
                self.service.rest(self.kind);
            }
            self.wait(found).await;
        }
        self.finish().await
    }

    async fn claim(&self) -> Vec<Task> {
        let room = self.options.tasks_max(self.kind).saturating_sub(self.running.len());
        if room == 0 {
            return Vec::new();
        }
        match self.service.claim_tasks(self.kind, &self.options.name, room).await {
            Ok(claimed) => claimed,
            Err(error) => {
                tracing::warn!(kind = %self.kind, %error, "work cannot be claimed");
                Vec::new()
            }
        }
    }

    /// Until there may be something to claim again: room, a hint, or time.
    async fn wait(&mut self, found: bool) {
        let is_full = self.running.len() >= self.options.tasks_max(self.kind);
        if found && !is_full {
            return;
        }
        // Not all processes at the same moment.
        let poll = self.options.poll_interval.mul_f64(0.75 + 0.5 * rand::random::<f64>());
        tokio::select! {
            _ = self.stop.changed() => {}
            Some(_) = self.running.join_next() => {}
            hint = self.hints.changed(), if !is_full => {
                if hint.is_err() {
                    tokio::time::sleep(poll).await;
                }
            }
            () = tokio::time::sleep(poll), if !is_full => {}
        }
        while self.running.try_join_next().is_some() {}
    }

    /// Waits for what was begun until nobody waits for us any more; then tasks put themselves back.
    async fn finish(mut self) -> Stopped {
        let mut stop = self.stop.clone();
        let mut ended = Stopped::Wholly;
        while !self.running.is_empty() {
            tokio::select! {
                _ = self.running.join_next() => {}
                () = closed(&mut stop), if ended == Stopped::Wholly => ended = Stopped::CutOff,
            }
        }
        ended
    }
}

/// Returns when the sender is gone.
pub(crate) async fn closed(stop: &mut watch::Receiver<bool>) {
    while stop.changed().await.is_ok() {}
    // Let others see it first who answer to the same.
    tokio::time::sleep(Duration::from_millis(1)).await;
}
