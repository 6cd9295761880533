//! One task, from its claim to its end.

use std::time::Instant;

use service::{Done, Failure, Held, Service, Task};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use crate::lane::closed;

const TASKS: &str = "ferrotype_tasks_total";
const SECONDS: &str = "ferrotype_task_duration_seconds";

pub(crate) fn describe_metrics() {
    metrics::describe_counter!(TASKS, "Tasks that ended, by kind and by how they ended.");
    metrics::describe_histogram!(
        SECONDS,
        metrics::Unit::Seconds,
        "Time from the claim of a task to its end, by kind."
    );
}

/// Does a task, keeps it while that takes long, and says how it ended.
pub(crate) async fn run(service: Service, task: Task, mut stop: watch::Receiver<bool>) {
    let started = Instant::now();
    let heart = Heart::start(&service, &task);
    let done = tokio::select! {
        done = service.do_task(&task) => Some(done),
        () = closed(&mut stop) => None,
    };
    heart.stop().await;
    let outcome = match done {
        Some(Ok(Done::Finished)) => "finished",
        Some(Ok(Done::Lost)) => "lost",
        Some(Err(error)) => fail(&service, &task, &error).await,
        None => put_back(&service, &task).await,
    };
    let kind = task.kind().to_string();
    metrics::histogram!(SECONDS, "kind" => kind.clone()).record(started.elapsed());
    metrics::counter!(TASKS, "kind" => kind, "outcome" => outcome).increment(1);
    tracing::debug!(kind = %task.kind(), subject = ?task.subject(), outcome, "task ended");
}

async fn fail(service: &Service, task: &Task, error: &service::Error) -> &'static str {
    let (kind, subject, attempts) = (task.kind(), task.subject(), task.attempts());
    match service.fail_task(task, error).await {
        Ok(Failure::Retried(due)) => {
            tracing::warn!(%kind, ?subject, attempts, %error, %due, "task failed, to be tried again");
            "retried"
        }
        Ok(Failure::GivenUp) => {
            match error {
                // A file that cannot be read is its owner's affair.
                service::Error::Image(_) => {
                    tracing::warn!(%kind, ?subject, attempts, %error, "task given up");
                }
                _ => tracing::error!(%kind, ?subject, attempts, %error, "task given up"),
            }
            "given up"
        }
        Ok(Failure::Lost) => "lost",
        Err(unsaid) => {
            tracing::warn!(%kind, ?subject, %error, %unsaid, "task failed; due when its lease ends");
            "lost"
        }
    }
}

async fn put_back(service: &Service, task: &Task) -> &'static str {
    if let Err(error) = service.put_back_task(task).await {
        tracing::warn!(kind = %task.kind(), %error, "task not put back; due when its lease ends");
    }
    "put back"
}

/// Keeps a task until it is stopped. It beats in a task of its own: whoever does the work may hold
/// the proof while the heart waits for it.
struct Heart {
    stop: oneshot::Sender<()>,
    beating: JoinHandle<()>,
}

impl Heart {
    fn start(service: &Service, task: &Task) -> Self {
        let (stop, stopped) = oneshot::channel();
        let beating = tokio::spawn(beat(service.clone(), task.clone(), stopped));
        Self { stop, beating }
    }

    /// A beat that has begun is finished, so that what the task shows as its proof is true.
    async fn stop(self) {
        drop(self.stop);
        if let Err(error) = self.beating.await {
            tracing::error!(%error, "a task's heart failed");
        }
    }
}

async fn beat(service: Service, task: Task, mut stopped: oneshot::Receiver<()>) {
    loop {
        tokio::select! {
            _ = &mut stopped => return,
            () = tokio::time::sleep(Service::HEARTBEAT) => {}
        }
        match service.keep_task(&task).await {
            Ok(Held::Still) => {}
            // Whatever is done now will not be recorded, and does no harm.
            Ok(Held::Lost) => return,
            Err(error) => tracing::warn!(kind = %task.kind(), %error, "task not kept"),
        }
    }
}
