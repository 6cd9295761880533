//! Adds up the time spent in each span.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Totals by the name of the step.
#[derive(Clone, Default)]
pub struct Steps {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    names: Vec<String>,
    open: Vec<(usize, Instant)>,
    totals: BTreeMap<String, Duration>,
}

/// Watches all spans from now on.
pub fn watch() -> Steps {
    let steps = Steps::default();
    // Fails only if something else watches already.
    let _ = tracing::subscriber::set_global_default(steps.clone());
    steps
}

impl Steps {
    /// What each step took in all.
    pub fn totals(&self) -> BTreeMap<String, Duration> {
        self.state().totals.clone()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscriber for Steps {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut name = Name(span.metadata().name().to_owned());
        span.record(&mut name);
        let mut state = self.state();
        state.names.push(name.0);
        Id::from_u64(state.names.len() as u64)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, span: &Id) {
        let index = usize::try_from(span.into_u64()).unwrap_or(0);
        self.state().open.push((index, Instant::now()));
    }

    fn exit(&self, _: &Id) {
        let mut state = self.state();
        let Some((index, since)) = state.open.pop() else { return };
        let name = state.names.get(index.saturating_sub(1)).cloned().unwrap_or_default();
        *state.totals.entry(name).or_default() += since.elapsed();
    }
}

struct Name(String);

impl Visit for Name {
    fn record_str(&mut self, _: &Field, value: &str) {
        self.0 = format!("{} {value}", self.0);
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}
