//! Ferrotype's worker: threads that each keep a renderer, and take photos as they come.

use std::error::Error;
use std::fs;
use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use imaging::{RenderOptions, Renderer, probe, sha256};
use model::SizeSpec;

use crate::Outcome;
use crate::worker::{Answer, Hello, Made, Request};

/// The argument that makes this program a worker.
pub const WORKER_COMMAND: &str = "render-photos";

/// Answers requests until there are no more, on as many threads as photos are in flight.
pub fn work(in_flight: &str) -> Outcome {
    let threads: usize = in_flight.parse()?;
    let version = concat!("Ferrotype ", env!("CARGO_PKG_VERSION")).to_owned();
    say(&Hello { version })?;
    let sizes = model::default_sizes();
    let (sender, receiver) = sync_channel::<Request>(threads);
    let receiver = Mutex::new(receiver);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| answer_all(&receiver, &sizes));
        }
        for line in std::io::stdin().lock().lines() {
            sender.send(serde_json::from_str(&line?)?)?;
        }
        drop(sender);
        Ok(())
    })
}

fn answer_all(requests: &Mutex<Receiver<Request>>, sizes: &[SizeSpec]) {
    let mut renderer = Renderer::new();
    loop {
        let request = requests.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(request) = request else { return };
        let id = request.id;
        let answer = render(&mut renderer, &request, sizes).unwrap_or_else(|error| Answer {
            id,
            error: Some(error.to_string()),
            ..Answer::default()
        });
        if say(&answer).is_err() {
            return;
        }
    }
}

fn render(
    renderer: &mut Renderer,
    request: &Request,
    sizes: &[SizeSpec],
) -> Result<Answer, Box<dyn Error>> {
    let bytes = fs::read(&request.path)?;
    // The others are not asked for it, but no photo is taken in without.
    std::hint::black_box(sha256(&bytes));
    let probe = probe(&bytes)?;
    let rendered = renderer.render(&bytes, &probe, sizes, &RenderOptions::default())?;
    if let Some(out) = &request.out {
        for made in &rendered.renditions {
            fs::write(Path::new(out).join(format!("{}.webp", made.name)), &made.bytes)?;
        }
    }
    let made = |made: &imaging::RenderedSize| Made {
        name: made.name.to_string(),
        bytes: made.bytes.len() as u64,
    };
    let sizes = rendered.renditions.iter().map(made).collect();
    Ok(Answer { id: request.id, sizes, ..Answer::default() })
}

fn say<T: serde::Serialize>(line: &T) -> Outcome {
    let mut line = serde_json::to_string(line)?;
    line.push('\n');
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.flush()?;
    Ok(())
}
