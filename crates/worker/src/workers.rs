use std::sync::Arc;
use std::time::Duration;

use model::WorkKind;
use service::Service;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::Options;
use crate::lane::Lane;

/// Workers that run until they are stopped.
pub struct Workers {
    stop: watch::Sender<bool>,
    lanes: JoinSet<Stopped>,
    /// What is done from time to time.
    chores: JoinSet<()>,
}

/// Whether everything that was begun could be finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Yes.
    Wholly,
    /// No; what was not finished was put back, to be begun again.
    CutOff,
}

/// Between being told to stop at last and ending, lanes put back what they hold.
const PUTTING_BACK: Duration = Duration::from_secs(5);

/// Says what our metrics mean, once a recorder is installed.
pub fn describe_metrics() {
    crate::task::describe_metrics();
}

impl Workers {
    /// Starts to work. Needs a runtime.
    pub fn start(service: &Service, options: Options) -> Self {
        let (stop, stopped) = watch::channel(false);
        let options = Arc::new(options);
        let mut lanes = JoinSet::new();
        for kind in kinds(service) {
            let lane = Lane::new(kind, service.clone(), Arc::clone(&options), stopped.clone());
            lanes.spawn(lane.run());
        }
        let mut chores = JoinSet::new();
        if !options.sweep_interval.is_zero() {
            chores.spawn(sweep(service.clone(), options.sweep_interval));
        }
        if !options.gone_words_interval.is_zero() {
            chores.spawn(remove_gone_words(service.clone(), options.gone_words_interval));
        }
        Self { stop, lanes, chores }
    }

    /// Begins nothing new, waits so long for what was begun, and puts the rest back.
    pub async fn stop(self, grace: Duration) -> Stopped {
        self.stop_when(tokio::time::sleep(grace)).await
    }

    /// The same, but waits until `enough` ends.
    pub async fn stop_when(mut self, enough: impl Future<Output = ()>) -> Stopped {
        // They may be stopped anywhere: the next ones do again what was not finished.
        self.chores.abort_all();
        // Lanes that ended by themselves no longer listen.
        let _ = self.stop.send(true);
        let mut enough = std::pin::pin!(enough);
        let mut ended = Stopped::Wholly;
        loop {
            tokio::select! {
                lane = self.lanes.join_next() => match lane {
                    Some(Ok(Stopped::Wholly)) => {}
                    Some(_) => ended = Stopped::CutOff,
                    None => return ended,
                },
                () = &mut enough => break,
            }
        }
        drop(self.stop);
        let _ = tokio::time::timeout(PUTTING_BACK, async {
            while self.lanes.join_next().await.is_some() {}
        })
        .await;
        Stopped::CutOff
    }
}

/// Faces wait for a process that has the models to find them.
fn kinds(service: &Service) -> impl Iterator<Item = WorkKind> {
    let finds_faces = service.people().finder().is_some();
    WorkKind::ALL.into_iter().filter(move |kind| finds_faces || *kind != WorkKind::Faces)
}

/// Looks for objects without rows, a little after the start and then from time to time.
async fn sweep(service: Service, interval: Duration) {
    wait_for_the_start(interval).await;
    loop {
        match service.sweep_orphans().await {
            Ok(swept) if swept.removed > 0 => {
                tracing::info!(objects = swept.objects, removed = swept.removed, "orphans removed");
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "orphans could not be looked for"),
        }
        tokio::time::sleep(interval).await;
    }
}

/// Takes entries of words out that images no longer have, a little after the start and then from
/// time to time.
async fn remove_gone_words(service: Service, interval: Duration) {
    wait_for_the_start(interval).await;
    loop {
        match service.remove_gone_words().await {
            Ok(removed) => tracing::debug!(removed, "entries of words that are gone taken out"),
            Err(error) => tracing::warn!(%error, "words that are gone could not be looked for"),
        }
        tokio::time::sleep(interval).await;
    }
}

/// Not all processes at the same moment, nor while they start.
async fn wait_for_the_start(interval: Duration) {
    let first = interval.min(Duration::from_secs(60)).mul_f64(0.5 + 0.5 * rand::random::<f64>());
    tokio::time::sleep(first).await;
}
