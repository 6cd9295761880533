//! Taking photos in, until all their renditions can be had.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use testkit::wait::wait_until;

use crate::Outcome;
use crate::client::{Client, form};

/// How long a photo may take.
const DEADLINE: Duration = Duration::from_secs(120);
/// The long sides of Ferrotype's sizes, which pict-rs is asked for.
const SIDES: [u32; 4] = [256, 640, 1280, 2048];

/// Somebody who takes photos in.
pub enum Host<'h> {
    Ferrotype { endpoint: &'h str, api_key: &'h str },
    PictRs { endpoint: &'h str },
}

/// Ferrotype's answer about an image.
#[derive(Deserialize)]
struct Image {
    id: String,
    status: String,
    sizes: serde_json::Map<String, serde_json::Value>,
}

/// pict-rs's answer to an upload.
#[derive(Deserialize)]
struct Accepted {
    files: Vec<AcceptedFile>,
}

#[derive(Deserialize)]
struct AcceptedFile {
    file: String,
}

impl Host<'_> {
    /// How many of these photos are done in a second, all renditions included, when so many
    /// clients upload at a time.
    pub fn take_in(&self, photos: &[Vec<u8>], uploaders: usize) -> Outcome<f64> {
        let forms: Vec<Vec<u8>> = photos.iter().map(|photo| self.form(photo)).collect();
        let waiting = Mutex::new(forms.iter());
        let started = Instant::now();
        thread::scope(|scope| {
            let upload = || self.upload_all(&waiting);
            let uploaders: Vec<_> = (0..uploaders).map(|_| scope.spawn(upload)).collect();
            uploaders
                .into_iter()
                .try_for_each(|uploader| uploader.join().map_err(|_| "an uploader has panicked")?)
        })?;
        Ok(photos.len() as f64 / started.elapsed().as_secs_f64())
    }

    /// How long it takes until this photo is acknowledged. Returns when nothing is left to do.
    pub fn acknowledge(&self, client: &Client, photo: &[u8]) -> Outcome<Duration> {
        let form = self.form(photo);
        let started = Instant::now();
        let name = self.upload(client, &form)?;
        let took = started.elapsed();
        self.wait_for_renditions(client, &name)?;
        Ok(took)
    }

    fn form(&self, photo: &[u8]) -> Vec<u8> {
        let field = if matches!(self, Self::PictRs { .. }) { "images[]" } else { "file" };
        form(field, photo)
    }

    /// One client's share.
    fn upload_all<'f>(&self, waiting: &Mutex<impl Iterator<Item = &'f Vec<u8>>>) -> Outcome {
        let client = Client::new();
        let mut uploaded = Vec::new();
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(form) = next() {
            let name = self.upload(&client, form)?;
            match self {
                // Renditions are made without being asked for.
                Self::Ferrotype { .. } => uploaded.push(name),
                Self::PictRs { .. } => self.wait_for_renditions(&client, &name)?,
            }
        }
        uploaded.iter().try_for_each(|name| self.wait_for_renditions(&client, name))
    }

    /// Sends a photo, and returns its name there.
    fn upload(&self, client: &Client, form: &[u8]) -> Outcome<String> {
        match self {
            Self::Ferrotype { endpoint, api_key } => {
                let url = format!("{endpoint}/api/v1/images");
                let answer = client.upload(&url, Some(api_key), form)?;
                let image: Image = serde_json::from_slice(&answer.body)?;
                if image.status == "completed" {
                    return Err(format!("{} was there before", image.id).into());
                }
                Ok(image.id)
            }
            Self::PictRs { endpoint } => {
                let answer = client.upload(&format!("{endpoint}/image"), None, form)?;
                let accepted: Accepted = serde_json::from_slice(&answer.body)?;
                let file = accepted.files.into_iter().next().ok_or("pict-rs kept nothing")?;
                Ok(file.file)
            }
        }
    }

    /// Waits until Ferrotype has made them, or has pict-rs make them.
    fn wait_for_renditions(&self, client: &Client, name: &str) -> Outcome {
        match self {
            Self::Ferrotype { endpoint, api_key } => {
                let url = format!("{endpoint}/api/v1/images/{name}");
                let mut failed = None;
                let done = wait_until(DEADLINE, || match load_image(client, &url, api_key) {
                    Ok(image) => image.status == "completed" && image.sizes.len() == SIDES.len(),
                    Err(error) => {
                        failed = Some(error);
                        true
                    }
                });
                match (done, failed) {
                    (true, None) => Ok(()),
                    (_, Some(error)) => Err(error),
                    (false, None) => Err(format!("{name} has no renditions yet").into()),
                }
            }
            Self::PictRs { endpoint } => {
                for side in SIDES {
                    let url = format!("{endpoint}/image/process.webp?src={name}&thumbnail={side}");
                    let made = client.get(&url, None)?.body;
                    if !made.starts_with(b"RIFF") {
                        return Err(format!("{url} is no WebP file").into());
                    }
                }
                Ok(())
            }
        }
    }
}

fn load_image(client: &Client, url: &str, api_key: &str) -> Outcome<Image> {
    Ok(serde_json::from_slice(&client.get(url, Some(api_key))?.body)?)
}
