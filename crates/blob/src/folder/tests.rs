use std::fs;
use std::sync::Mutex;

use bytes::Bytes;
use futures::TryStreamExt;

use super::*;

/// Does everything for real, writes down what it did, and fails one step if told to.
#[derive(Debug, Default)]
struct Recorder {
    root: PathBuf,
    log: Mutex<Vec<String>>,
    fail_at: Option<usize>,
}

impl Recorder {
    fn steps(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    fn name(&self, path: &FilePath) -> String {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        if below.starts_with(".staging") && below.components().count() == 2 {
            return "temporary".to_owned();
        }
        format!("/{}", below.display())
    }
}

impl Disk for Recorder {
    fn perform(&self, step: Step<'_>) -> io::Result<()> {
        let text = match step {
            Step::CreateDir(path) => format!("create {}", self.name(path)),
            Step::Write { bytes, .. } => format!("write {}", bytes.len()),
            Step::SyncFile(_) => "sync file".to_owned(),
            Step::SyncDir(path) => format!("sync {}", self.name(path)),
            Step::Rename { from, to } => format!("rename {} to {}", self.name(from), self.name(to)),
            Step::Link { from, to } => format!("link {} to {}", self.name(from), self.name(to)),
            Step::RemoveFile(path) => format!("remove {}", self.name(path)),
            Step::RemoveDir(path) => format!("remove {}", self.name(path)),
        };
        let mut log = self.log.lock().unwrap();
        log.push(text);
        if self.fail_at == Some(log.len() - 1) {
            return Err(io::Error::other("injected"));
        }
        RealDisk.perform(step)
    }
}

struct Bench {
    dir: tempfile::TempDir,
    disk: Arc<Recorder>,
    folder: Folder,
}

impl Bench {
    /// An open folder whose steps are recorded, counted from now on.
    async fn new(fail_at: Option<usize>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let opened = Folder::open(&root).await.unwrap();
        drop(opened);
        let opening = Arc::new(Recorder { root: root.clone(), ..Recorder::default() });
        drop(Folder::open_on(&root, Arc::<Recorder>::clone(&opening)).await.unwrap());
        let after_opening = opening.steps().len();
        let fail_at = fail_at.map(|n| n + after_opening);
        let disk = Arc::new(Recorder { root: root.clone(), fail_at, ..Recorder::default() });
        let folder = Folder::open_on(&root, Arc::<Recorder>::clone(&disk)).await.unwrap();
        disk.log.lock().unwrap().clear();
        let disk = match fail_at {
            Some(_) => disk,
            None => disk,
        };
        Self { dir, disk, folder }
    }
}
