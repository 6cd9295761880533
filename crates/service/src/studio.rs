//! Where images are looked at and renditions made: on threads of their own, within the memory
//! that the installation allows.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use imaging::{
    Limits, MemoryBudget, Part, Permit, Probe, Raster, RenderOptions, Rendered, Renderer,
};
use model::{FaceBox, FaceId, MediaType, SizeSpec};
use tokio::sync::oneshot;

use crate::{Error, FindFaces, Result, Settings};

/// Bounds what image work takes, and keeps renderers with their buffers from one to the next.
///
/// There are two budgets. Files are held while they are probed, which is short and must not wait
/// for rendering, or an upload would. Whoever wants both takes the files' first; nobody who holds
/// the other waits for it, so they never wait for each other.
pub(crate) struct Studio {
    files: MemoryBudget,
    rendering: MemoryBudget,
    idle: Mutex<Vec<Renderer>>,
}

/// How soon somebody needs what is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// A request waits for it.
    Now,
    /// It can give way to whatever requests need.
    Background,
}

/// What the kernel calls the priority of work that gives way: a tenth of the usual share.
const BACKGROUND_NICE: i32 = 10;

/// What models take while they look at a picture, beside the picture.
const LOOKING_BYTES: u64 = 64 << 20;
/// Longest side of a face that is cut out.
const PORTRAIT_SIDE_MAX: u32 = 320;

/// The bytes of a file, and the memory they are allowed to take.
pub(crate) struct Held {
    bytes: Vec<u8>,
    _memory: Permit,
}

/// What kind of image a file is, and what can be shown of it.
type Looked = (Option<MediaType>, std::result::Result<Probe, imaging::Error>);

impl Studio {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            files: MemoryBudget::new(settings.limits.bytes),
            rendering: MemoryBudget::new(settings.memory_bytes),
            idle: Mutex::default(),
        }
    }

    /// Waits until a file of this size may be held.
    pub(crate) async fn admit_file(&self, size_bytes: u64) -> Result<Permit> {
        Ok(self.files.admit(size_bytes).await?)
    }

    /// Makes renditions of a file that was probed.
    pub(crate) async fn render(
        self: &Arc<Self>,
        file: Held,
        probe: Probe,
        sizes: Vec<SizeSpec>,
        options: RenderOptions,
        turn: Turn,
    ) -> Result<Rendered> {
        let memory = self.rendering.admit(probe.decoded_bytes(&sizes)).await?;
        let studio = Arc::clone(self);
        in_turn(turn, move || {
            let mut renderer = studio.take_renderer();
            let rendered = renderer.render(&file.bytes, &probe, &sizes, &options);
            studio.give_back(renderer);
            drop((file, memory));
            Ok(rendered?)
        })
        .await
    }

    /// The pixels of a file that was probed, and the memory they are allowed to take: as much again
    /// as decoding, so that whatever looks at them is admitted, too.
    pub(crate) async fn raster(
        self: &Arc<Self>,
        file: Held,
        probe: Probe,
        size: SizeSpec,
        options: RenderOptions,
    ) -> Result<Raster> {
        let sizes = std::slice::from_ref(&size);
        let memory = self.rendering.admit(probe.decoded_bytes(sizes)).await?;
        let studio = Arc::clone(self);
        in_turn(Turn::Background, move || {
            let mut renderer = studio.take_renderer();
            let raster = renderer.raster(&file.bytes, &probe, &size, &options);
            studio.give_back(renderer);
            drop((file, memory));
            Ok(raster?)
        })
        .await
    }

    /// Finds the faces of a picture, and gives it back.
    pub(crate) async fn find_faces(
        self: &Arc<Self>,
        finder: Arc<dyn FindFaces>,
        raster: Raster,
    ) -> Result<(Raster, Vec<faces::Found>)> {
        let memory = self.rendering.admit(LOOKING_BYTES + raster.rgb.len() as u64).await?;
        in_turn(Turn::Background, move || {
            let pixels = faces::Pixels::new(&raster.rgb, raster.width, raster.height);
            let pixels = pixels.ok_or_else(|| Error::internal("a picture has no pixels"))?;
            let found = finder.find(&pixels).map_err(|error| match error {
                // Somebody may bring them back.
                faces::Error::NotLoaded(_) => Error::Unavailable { message: error.to_string() },
                faces::Error::Failed(_) => Error::internal(error),
            })?;
            drop(memory);
            Ok((raster, found))
        })
        .await
    }

    /// Cuts faces out of a picture.
    pub(crate) async fn portraits(
        self: &Arc<Self>,
        raster: Raster,
        boxes: Vec<(FaceId, FaceBox)>,
    ) -> Result<Vec<(FaceId, Vec<u8>)>> {
        let memory = self.rendering.admit(2 * raster.rgb.len() as u64).await?;
        let studio = Arc::clone(self);
        off_the_runtime(move || {
            let pixels = faces::Pixels::new(&raster.rgb, raster.width, raster.height);
            let pixels = pixels.ok_or_else(|| Error::internal("a picture has no pixels"))?;
            let mut renderer = studio.take_renderer();
            let portraits = boxes.into_iter().map(|(face, bounds)| {
                let faces::Square { left, top, width, height } =
                    faces::crop(&pixels, relative(bounds));
                let part = Part { left, top, width, height };
                Ok((face, renderer.portrait(&raster, part, PORTRAIT_SIDE_MAX)?))
            });
            let portraits = portraits.collect::<Result<Vec<_>>>();
            studio.give_back(renderer);
            drop(memory);
            portraits
        })
        .await
    }

    fn take_renderer(&self) -> Renderer {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// As many are kept as ever worked at once, which the callers bound.
    fn give_back(&self, renderer: Renderer) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(renderer);
    }
}

impl Held {
    pub(crate) fn new(bytes: Vec<u8>, memory: Permit) -> Self {
        Self { bytes, _memory: memory }
    }

    /// What the file is, and the file again.
    pub(crate) async fn probe(self) -> Result<(Probe, Self)> {
        off_the_runtime(move || Ok((imaging::probe(&self.bytes)?, self))).await
    }

    /// The same for making these sizes within limits: of an image beyond them, its preview.
    pub(crate) async fn probe_within(
        self,
        limits: Limits,
        sizes: Vec<SizeSpec>,
    ) -> Result<(Probe, Self)> {
        let probe = move || Ok((imaging::probe_within(&self.bytes, &limits, &sizes)?, self));
        off_the_runtime(probe).await
    }

    /// What the file is if it is an image, and what of it can be shown within these limits.
    pub(crate) async fn look(self, limits: Limits, sizes: Vec<SizeSpec>) -> Result<Looked> {
        off_the_runtime(move || {
            let found = imaging::probe_within(&self.bytes, &limits, &sizes);
            Ok((imaging::recognise(&self.bytes), found))
        })
        .await
    }
}

fn relative(bounds: FaceBox) -> faces::Bounds {
    let FaceBox { left, top, width, height } = bounds;
    faces::Bounds { left: left as f32, top: top as f32, width: width as f32, height: height as f32 }
}

async fn in_turn<T: Send + 'static>(
    turn: Turn,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    match turn {
        Turn::Now => off_the_runtime(work).await,
        Turn::Background => in_the_background(work).await,
    }
}

/// On a thread of its own, since a thread that gives way once does so for good.
async fn in_the_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let (tell, told) = oneshot::channel();
    let run = move || {
        // Of this thread alone. Where it is not allowed, it works as all others.
        let _ = rustix::process::setpriority_process(None, BACKGROUND_NICE);
        // Nobody may wait any more.
        let _ = tell.send(work());
    };
    thread::Builder::new().name("rendering".to_owned()).spawn(run).map_err(Error::internal)?;
    told.await.map_err(|_| Error::internal("rendering has panicked"))?
}

pub(crate) async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

#[cfg(test)]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    #[tokio::test]
    async fn what_no_request_waits_for_gives_way() {
        let nice = || getpriority_process(None).map_err(Error::internal);
        let usual = nice().unwrap();
        let behind = in_turn(Turn::Background, nice).await.unwrap();
        assert_eq!(behind, usual.max(BACKGROUND_NICE));
        assert_eq!(in_turn(Turn::Now, nice).await.unwrap(), usual, "nobody else is slower");
    }
}
