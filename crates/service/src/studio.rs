//! Where images are looked at and renditions made: on threads of their own, within the memory
//! that the installation allows.

use std::sync::{Mutex, PoisonError};

use imaging::{MemoryBudget, Permit, Probe, RenderOptions, Rendered, Renderer};
use model::SizeSpec;

use crate::{Error, Result, Settings};

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

/// The bytes of a file, and the memory they are allowed to take.
pub(crate) struct Held {
    bytes: Vec<u8>,
    _memory: Permit,
}

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
        self: &std::sync::Arc<Self>,
        file: Held,
        probe: Probe,
        sizes: Vec<SizeSpec>,
        options: RenderOptions,
    ) -> Result<Rendered> {
        let memory = self.rendering.admit(probe.decoded_bytes(&sizes)).await?;
        let studio = std::sync::Arc::clone(self);
        off_the_runtime(move || {
            let mut renderer = studio.take_renderer();
            let rendered = renderer.render(&file.bytes, &probe, &sizes, &options);
            studio.give_back(renderer);
            drop((file, memory));
            Ok(rendered?)
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
}

async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
