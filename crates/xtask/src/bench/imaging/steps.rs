//! How long each step of rendering takes: the spans that `imaging` opens, timed by the processor
//! time of the thread.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use imaging::{RenderOptions, Renderer, probe, sha256};
use rustix::time::{ClockId, clock_gettime};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::with_default;
use tracing::{Event, Metadata, Subscriber};

use crate::Outcome;
use crate::photos::Photos;

/// One step, on average over the photos.
#[derive(Clone, Debug)]
pub struct Step {
    pub name: String,
    pub time: Duration,
    /// Of the time of all steps.
    pub share: f64,
}

/// Renders photos some times, with one renderer; of each photo and step the median counts.
pub fn measure(rounds: usize, photos: &Photos) -> Outcome<Vec<Step>> {
    let mut renderer = Renderer::new();
    let sizes = model::default_sizes();
    let mut times: BTreeMap<(usize, String), Vec<Duration>> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    let photos = photos.paths(false);
    for (number, path) in photos.iter().enumerate() {
        let bytes = fs::read(path)?;
        // The first time is not counted: buffers grow.
        for round in 0..=rounds {
            let watch = Watch::default();
            let done = with_default(watch.clone(), || -> Outcome {
                watch.time("SHA-256 of the original", || sha256(&bytes));
                let probe = watch.time("probe", || probe(&bytes))?;
                let rendered = watch.time("rest", || {
                    renderer.render(&bytes, &probe, &sizes, &RenderOptions::default())
                })?;
                drop(rendered);
                Ok(())
            });
            done?;
            for (name, time) in watch.shown() {
                if !order.contains(&name) {
                    order.push(name.clone());
                }
                if round > 0 {
                    times.entry((number, name)).or_default().push(time);
                }
            }
        }
    }
    Ok(steps(&order, &times, photos.len()))
}

fn steps(
    order: &[String],
    times: &BTreeMap<(usize, String), Vec<Duration>>,
    photos: usize,
) -> Vec<Step> {
    let mean = |name: &String| {
        let medians = (0..photos).filter_map(|photo| times.get(&(photo, name.clone())));
        medians.map(|times| median(times)).sum::<Duration>()
            / u32::try_from(photos.max(1)).unwrap_or(1)
    };
    let all: Vec<(String, Duration)> =
        order.iter().map(|name| (name.clone(), mean(name))).collect();
    let total: Duration = all.iter().map(|(_, time)| *time).sum();
    let share = |time: Duration| time.as_secs_f64() / total.as_secs_f64();
    all.into_iter().map(|(name, time)| Step { name, time, share: share(time) }).collect()
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Listens to spans. Time spent in a span within another counts for the inner one only.
#[derive(Clone, Default)]
struct Watch(Arc<Mutex<Spans>>);

#[derive(Default)]
struct Spans {
    names: Vec<String>,
    /// Open spans, the innermost last.
    open: Vec<Open>,
    shown: Vec<(String, Duration)>,
}

struct Open {
    name: String,
    since: Duration,
    inner: Duration,
}

impl Watch {
    fn time<T>(&self, name: &str, run: impl FnOnce() -> T) -> T {
        self.spans().open(name.to_owned());
        let done = run();
        self.spans().close();
        done
    }

    fn shown(&self) -> Vec<(String, Duration)> {
        std::mem::take(&mut self.spans().shown)
    }

    fn spans(&self) -> MutexGuard<'_, Spans> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spans {
    fn open(&mut self, name: String) {
        self.open.push(Open { name, since: processor_time(), inner: Duration::ZERO });
    }

    fn close(&mut self) {
        let Some(closed) = self.open.pop() else { return };
        let took = processor_time().saturating_sub(closed.since);
        if let Some(outer) = self.open.last_mut() {
            outer.inner += took;
        }
        self.shown.push((closed.name, took.saturating_sub(closed.inner)));
    }
}

impl Subscriber for Watch {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.target().starts_with("imaging")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut name = Name(span.metadata().name().to_owned());
        span.record(&mut name);
        let mut spans = self.spans();
        spans.names.push(name.0);
        Id::from_u64(spans.names.len() as u64)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, id: &Id) {
        let mut spans = self.spans();
        let index = usize::try_from(id.into_u64() - 1).unwrap_or(usize::MAX);
        let name = spans.names.get(index).cloned().unwrap_or_default();
        spans.open(name);
    }

    fn exit(&self, _: &Id) {
        self.spans().close();
    }
}

/// A span's name with the values of its fields.
struct Name(String);

impl Visit for Name {
    fn record_str(&mut self, _: &Field, value: &str) {
        // Writing to a string does not fail.
        let _ = write!(self.0, " {value}");
    }

    fn record_debug(&mut self, _: &Field, value: &dyn std::fmt::Debug) {
        let _ = write!(self.0, " {value:?}");
    }
}

/// Of this thread.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}
