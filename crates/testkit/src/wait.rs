//! Waiting for a condition with a deadline, instead of sleeping and hoping.

use std::time::{Duration, Instant};

/// How long to pause between two looks at a condition.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits on the calling thread until the condition holds; false if the deadline passed first.
///
/// The condition is looked at once more at the deadline, so a slow machine gets a last chance.
pub fn wait_until(deadline: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + deadline;
    loop {
        let last_look = Instant::now() >= end;
        if condition() {
            return true;
        }
        if last_look {
            return false;
        }
        std::thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_as_soon_as_the_condition_holds() {
        let mut looks = 0;
        let held = wait_until(Duration::from_secs(60), || {
            looks += 1;
            looks == 3
        });
        assert!(held);
        assert_eq!(looks, 3);
    }

    #[test]
    fn gives_up_at_the_deadline() {
        assert!(!wait_until(Duration::from_millis(30), || false));
    }

    #[test]
    fn a_condition_that_already_holds_needs_no_time() {
        assert!(wait_until(Duration::ZERO, || true));
    }
}
