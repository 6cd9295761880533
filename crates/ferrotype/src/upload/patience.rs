//! Trying again, with pauses that grow, and not for ever.

use std::time::{Duration, Instant};

use super::client::{Blame, Refusal};
use super::progress::Progress;

/// How long it is worth to try again without getting any further.
pub(super) struct Patience {
    limit: Duration,
    since: Option<Instant>,
    pauses: u32,
}

/// Asks until there is an answer, or there was none for too long.
///
/// # Errors
/// What cannot be waited for, or was for too long.
pub(super) async fn patiently<T>(
    limit: Duration,
    progress: &Progress,
    ask: impl AsyncFn() -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let mut patience = Patience::new(limit);
    loop {
        match ask().await {
            Ok(answer) => {
                progress.go_on();
                return Ok(answer);
            }
            Err(refusal) => patience.pause(refusal, progress).await?,
        }
    }
}

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const PAUSE_MAX: Duration = Duration::from_secs(10);

impl Patience {
    pub(super) fn new(limit: Duration) -> Self {
        Self { limit, since: None, pauses: 0 }
    }

    /// Something was achieved.
    pub(super) fn renew(&mut self) {
        self.since = None;
        self.pauses = 0;
    }

    /// Pauses after a refusal that may pass, and says why.
    ///
    /// # Errors
    /// The refusal, if it does not, or has not for too long.
    pub(super) async fn pause(
        &mut self,
        refusal: Refusal,
        progress: &Progress,
    ) -> Result<(), Refusal> {
        let (reason, after, blame) = match refusal {
            Refusal::Passing { reason, after, blame } => (reason, after, blame),
            // Whoever is told when to come again is not given up.
            Refusal::Busy { after } => {
                progress.wait("it asks for a pause, because of too many requests", after);
                // Not all at the same moment.
                tokio::time::sleep(after.mul_f64(1.0 + rand::random::<f64>())).await;
                return Ok(());
            }
            Refusal::WrongOffset => {
                ("somebody else sends the same upload".to_owned(), None, Blame::File)
            }
            lasting => return Err(lasting),
        };
        let since = *self.since.get_or_insert_with(Instant::now);
        let pause = self.next_pause().max(after.unwrap_or_default());
        if since.elapsed() + pause > self.limit {
            return Err(given_up(reason, blame));
        }
        progress.wait(&reason, pause);
        tokio::time::sleep(pause).await;
        Ok(())
    }

    /// Doubles each time; not the same for all, so that they do not all come back at once.
    fn next_pause(&mut self) -> Duration {
        let pause = FIRST_PAUSE.saturating_mul(1 << self.pauses.min(10)).min(PAUSE_MAX);
        self.pauses += 1;
        pause.mul_f64(0.5 + 0.5 * rand::random::<f64>())
    }
}

fn given_up(reason: String, blame: Blame) -> Refusal {
    match blame {
        Blame::Server => Refusal::All { reason: format!("the server cannot be used: {reason}") },
        Blame::File => Refusal::file(reason, "no_answer"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet() -> Progress {
        Progress::new(0, true)
    }

    fn passing(blame: Blame) -> Refusal {
        Refusal::Passing { reason: "gone".to_owned(), after: None, blame }
    }

    #[tokio::test]
    async fn pauses_grow_and_end() {
        for (blame, ends_all) in [(Blame::Server, true), (Blame::File, false)] {
            let mut patience = Patience::new(Duration::ZERO);
            let ended = patience.pause(passing(blame), &quiet()).await.unwrap_err();
            assert_eq!(matches!(ended, Refusal::All { .. }), ends_all, "{ended:?}");
        }
        let mut patience = Patience::new(Duration::from_secs(60));
        let pauses: Vec<_> = (0..8).map(|_| patience.next_pause()).collect();
        assert!(pauses[0] <= FIRST_PAUSE && pauses[7] >= PAUSE_MAX / 2, "{pauses:?}");
        patience.renew();
        assert!(patience.next_pause() <= FIRST_PAUSE);
    }

    #[tokio::test]
    async fn what_does_not_pass_is_not_waited_for() {
        let mut patience = Patience::new(Duration::from_secs(60));
        let refused = Refusal::file("no image", "unsupported_image");
        assert!(matches!(patience.pause(refused, &quiet()).await, Err(Refusal::File { .. })));
    }
}
