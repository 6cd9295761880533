//! Filling libraries, and asking them for what a page wants.

use std::path::Path;
use std::time::{Duration, Instant};

use model::{Month, TimelineOrder};
use service::{Clock, Service, SystemClock, Timeline};

use crate::browser::{self, InBrowser};
use crate::library::{self, Library};
use crate::shared::dice::Dice;
use crate::shared::format::{duration, grouped};
use crate::shared::machine::{self, Facts};
use crate::shared::say;
use crate::{Outcome, Plan};

/// Places in the library that are asked for.
const CHUNKS: usize = 200;
const CHUNK: usize = 256;

/// What was found, and where.
pub struct Findings {
    pub machine: Facts,
    pub libraries: Vec<Measured>,
}

/// One library.
pub struct Measured {
    pub images: u64,
    pub load_time: Duration,
    /// The first timeline ever, which reads every image.
    pub first: Duration,
    /// The first one after a start.
    pub after_start: Duration,
    /// The first one after a new photo.
    pub after_arrival: Duration,
    /// One that has not changed.
    pub unchanged: Duration,
    /// 256 images anywhere: half of them took at most this, and 99 of 100 at most that.
    pub chunk_median: Duration,
    pub chunk_slow: Duration,
    pub browser: Option<InBrowser>,
}

pub fn run(plan: &Plan, folder: &Path) -> Outcome<Findings> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut machine = machine::facts()?;
    let mut libraries = Vec::new();
    for images in plan.sizes() {
        let data = tempfile::tempdir_in(folder)?;
        if libraries.is_empty() {
            machine.extend(machine::disk_facts(data.path())?);
        }
        let mut measured = runtime.block_on(measure(plan, images, data.path()))?;
        if plan.browser {
            let found = browser::run(data.path())?;
            if libraries.is_empty() {
                machine.extend(found.versions());
            }
            measured.browser = Some(found);
        }
        libraries.push(measured);
    }
    Ok(Findings { machine, libraries })
}

async fn measure(plan: &Plan, images: u64, data: &Path) -> Outcome<Measured> {
    let started = Instant::now();
    let library = Library::fill(images, plan.seed, plan.browser, data).await?;
    let load_time = started.elapsed();
    say(format_args!("{} images were loaded in {}", grouped(images), duration(load_time)));
    let order = TimelineOrder::Taken;
    let load = async |service: &Service| {
        let started = Instant::now();
        let timeline = service.load_timeline(&library.caller, order).await?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>((timeline, started.elapsed()))
    };
    let (service, _, table) = library::open(data).await?;
    let (timeline, first) = load(&service).await?;
    if timeline.count() as u64 != images {
        return Err(format!("{} of {images} images are in the timeline", timeline.count()).into());
    }
    table.close().await;
    drop(service);
    let (service, catalog, table) = library::open(data).await?;
    let (_, after_start) = load(&service).await?;
    let photo = library::new_photo(plan.seed, library.caller.user, SystemClock.now())?;
    catalog.load_images(&[photo]).await?;
    let (timeline, after_arrival) = load(&service).await?;
    let (_, unchanged) = load(&service).await?;
    let chunks = ask_for_chunks(plan, &service, &library, &timeline).await?;
    table.close().await;
    let at = |percent: usize| chunks.get(chunks.len() * percent / 100).copied().unwrap_or_default();
    Ok(Measured {
        images,
        load_time,
        first,
        after_start,
        after_arrival,
        unchanged,
        chunk_median: at(50),
        chunk_slow: at(99),
        browser: None,
    })
}

/// Images at random places; how long each answer took, the shortest first.
async fn ask_for_chunks(
    plan: &Plan,
    service: &Service,
    library: &Library,
    timeline: &Timeline,
) -> Outcome<Vec<Duration>> {
    let mut dice = Dice::new(plan.seed ^ 0xC4, 0);
    let places: Vec<(Month, usize)> =
        timeline.months.iter().map(|month| (month.month, month.count())).collect();
    let mut times = Vec::with_capacity(CHUNKS);
    for _ in 0..CHUNKS {
        let nth = usize::try_from(dice.below(places.len() as u64))?;
        let (month, count) = places.get(nth).copied().ok_or("no month")?;
        let offset = usize::try_from(dice.below((count / CHUNK + 1) as u64))? * CHUNK;
        let (caller, order) = (&library.caller, timeline.order);
        let started = Instant::now();
        service.load_timeline_chunk(caller, order, month, offset, CHUNK).await?;
        times.push(started.elapsed());
    }
    times.sort();
    Ok(times)
}
