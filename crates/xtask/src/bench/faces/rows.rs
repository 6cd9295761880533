//! What a worker does with a photo of 12 MP once its renditions are there: read one, find the
//! faces, write their rows and portraits; and then say who is who in the library. In a process of
//! its own, on the embedded engines, one photo after the other.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use blob::Blobs;
use bytes::Bytes;
use catalog::Catalog;
use faces::Models;
use futures::stream;
use model::{Role, Subject, WorkKind};
use serde::{Deserialize, Serialize};
use service::{Caller, NewImage, NewUser, Parts, People, Service, Settings, SystemClock};
use table_embedded::{EmbeddedTable, Options};

use crate::Outcome;
use crate::finding::processor_time;
use crate::picture::Picture;
use crate::shared::repository::installed;
use crate::shared::say;
use crate::shared::spread::Spread;

/// The argument that makes our process work.
pub const OWN: &str = "look-as-a-worker";

const WIDTH: usize = 4000;
const HEIGHT: usize = 3000;
/// How much larger than in the rendition `medium` everything is.
const SCALE: f64 = WIDTH as f64 / 1280.0;

/// How often, and how far apart, it is asked whether the library is to be grouped.
const GROUPING_TRIES: u32 = 100;
const GROUPING_PAUSE: Duration = Duration::from_millis(100);

/// What was found and how long it took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Worked {
    pub photos: usize,
    pub faces: usize,
    /// Of each photo but the first, for which the models are loaded: by the clock, and of the
    /// processor.
    pub looked: Vec<(Duration, Duration)>,
    /// Of the whole library, at the end.
    pub grouped: Duration,
}

impl Worked {
    pub fn by_clock(&self) -> Option<Spread<Duration>> {
        Spread::of(self.looked.iter().map(|(clock, _)| *clock))
    }

    pub fn of_processor(&self) -> Option<Spread<Duration>> {
        Spread::of(self.looked.iter().map(|(_, processor)| *processor))
    }
}

pub fn measure(photos: usize) -> Outcome<Worked> {
    let own = Command::new(std::env::current_exe()?).args([OWN, &photos.to_string()]).output()?;
    if !own.status.success() {
        return Err(String::from_utf8_lossy(&own.stderr).into_owned().into());
    }
    say(format_args!("{photos} photos were looked at as a worker does"));
    Ok(serde_json::from_slice(&own.stdout)?)
}

/// Our process: how many photos.
pub fn work(arguments: &[String]) -> Outcome {
    let photos = arguments.first().ok_or("how many photos?")?.parse()?;
    let folder = tempfile::tempdir()?;
    let worked = tokio::runtime::Runtime::new()?.block_on(work_in(folder.path(), photos))?;
    println!("{}", serde_json::to_string(&worked)?);
    Ok(())
}

async fn work_in(folder: &Path, photos: usize) -> Outcome<Worked> {
    let table = EmbeddedTable::open(&folder.join("table"), catalog::schema(), Options::default())?;
    let catalog = Catalog::new(Arc::new(table));
    let service = Service::open(Parts {
        catalog: catalog.clone(),
        blobs: Blobs::open_folder(&folder.join("blobs")).await?,
        clock: Arc::new(SystemClock),
        settings: Settings::default(),
        people: People::On(Arc::new(Models::open(&installed("models")?)?)),
    })
    .await?;
    upload(&service, photos).await?;
    while do_one(&service, WorkKind::Process).await?.is_some() {}

    let (mut looked, mut faces) = (Vec::new(), 0);
    loop {
        let (clock, processor) = (Instant::now(), processor_time());
        let Some(subject) = do_one(&service, WorkKind::Faces).await? else { break };
        looked.push((clock.elapsed(), processor_time() - processor));
        let Subject::Image(image) = subject else { continue };
        faces += catalog.list_image_faces(image).await?.len();
    }
    if looked.len() != photos {
        return Err(format!("{} of {photos} photos were looked at", looked.len()).into());
    }
    looked.remove(0);
    Ok(Worked { photos, faces, looked, grouped: group(&service).await? })
}

/// Who is who is asked a moment later, so that photos that come together are asked about once.
async fn group(service: &Service) -> Outcome<Duration> {
    for _ in 0..GROUPING_TRIES {
        let clock = Instant::now();
        if do_one(service, WorkKind::Group).await?.is_some() {
            return Ok(clock.elapsed());
        }
        tokio::time::sleep(GROUPING_PAUSE).await;
    }
    Err("the library was not to be grouped".into())
}

/// Photos with two faces each, as a camera makes them.
async fn upload(service: &Service, photos: usize) -> Outcome {
    let new = NewUser { email: "ada@example.org".parse()?, name: "Ada".parse()? };
    let user = service.create_user(&Caller::operator(), &new, Role::User, None).await?;
    let caller = Caller::new(user.id, Role::User);
    let [collins, hopper] = Picture::portraits()?;
    for number in 0..photos {
        let mut photo = Picture::background(WIDTH, HEIGHT, number);
        let scale = SCALE * (0.6 + 0.05 * (number % 9) as f64);
        photo.put(&collins, 125 + 53 * (number % 5), 625 + 97 * (number % 7), scale);
        photo.put(&hopper, 2190, 188 + 72 * (number % 6), scale * 0.9);
        let file = stream::iter([Ok::<_, std::io::Error>(Bytes::from(photo.to_jpeg()?))]);
        let _ = service.upload(&caller, NewImage::default(), file).await?;
    }
    Ok(())
}

/// Claims a task and does it; none if there is none.
async fn do_one(service: &Service, kind: WorkKind) -> Outcome<Option<Subject>> {
    let tasks = service.claim_tasks(kind, "benchmark", 1).await?;
    let Some(task) = tasks.first() else { return Ok(None) };
    let _ = service.do_task(task).await?;
    Ok(Some(task.subject()))
}
