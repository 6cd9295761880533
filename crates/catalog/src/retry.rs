//! Trying again after losing a race.

use std::time::Duration;

/// Attempts at a change that others keep getting in the way of.
const ATTEMPTS: u32 = 40;
const PAUSE_MAX: Duration = Duration::from_millis(100);

/// What one attempt came to.
pub(crate) enum Attempt<T> {
    /// The answer.
    Settled(T),
    /// Somebody else was faster; read again and try again.
    Raced,
}

/// Counts attempts and waits longer and longer between them.
#[derive(Default)]
pub(crate) struct Attempts(u32);

impl Attempts {
    /// Waits before the next attempt; fails when there were too many.
    pub(crate) async fn again(&mut self) -> crate::Result<()> {
        self.0 += 1;
        if self.0 >= ATTEMPTS {
            return Err(table::Error::Contention.into());
        }
        let pause_max = Duration::from_micros(500 << self.0.min(10)).min(PAUSE_MAX);
        tokio::time::sleep(pause_max.mul_f64(rand::random())).await;
        Ok(())
    }
}

/// Repeats `$attempt`, an expression of type `Result<Attempt<T>>`, until it settles.
macro_rules! until_settled {
    ($attempt:expr) => {{
        let mut attempts = $crate::retry::Attempts::default();
        loop {
            match $attempt {
                Ok($crate::retry::Attempt::Settled(outcome)) => break Ok(outcome),
                Ok($crate::retry::Attempt::Raced)
                | Err($crate::Error::Table(table::Error::Contention)) => {}
                Err(error) => break Err(error),
            }
            if let Err(error) = attempts.again().await {
                break Err(error);
            }
        }
    }};
}
pub(crate) use until_settled;
