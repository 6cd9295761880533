use std::fs;
use std::sync::Mutex;

use super::*;

/// Does everything for real, writes down what it did, and fails one step if told to.
#[derive(Debug, Default)]
struct Recorder {
    root: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    log: Vec<String>,
    fail_at: Option<usize>,
}

impl Recorder {
    fn name(&self, path: &FilePath) -> String {
        let below = path.strip_prefix(&self.root).unwrap();
        if below.starts_with(staging::STAGING) {
            return "temporary".to_owned();
        }
        format!("/{}", below.display())
    }

    fn describe(&self, step: Step<'_>) -> String {
        match step {
            Step::CreateDir(path) => format!("create {}", self.name(path)),
            Step::Write { bytes, .. } => format!("write {} bytes", bytes.len()),
            Step::SyncFile(_) => "sync file".to_owned(),
            Step::SyncDir(path) => format!("sync {}", self.name(path)),
            Step::Rename { from, to } => format!("rename {} to {}", self.name(from), self.name(to)),
            Step::Link { from, to } => format!("link {} to {}", self.name(from), self.name(to)),
            Step::RemoveFile(path) | Step::RemoveDir(path) => format!("remove {}", self.name(path)),
        }
    }
}

impl Disk for Recorder {
    fn perform(&self, step: Step<'_>) -> io::Result<()> {
        let mut state = self.state.lock().unwrap();
        let number = state.log.len();
        let step_text = self.describe(step);
        state.log.push(step_text);
        if state.fail_at == Some(number) {
            return Err(io::Error::other("injected"));
        }
        RealDisk.perform(step)
    }
}

/// An open folder whose steps are written down.
struct Bench {
    disk: Arc<Recorder>,
    folder: Folder,
    dir: tempfile::TempDir,
}

impl Bench {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let disk = Arc::new(Recorder { root, ..Recorder::default() });
        let folder = Folder::open_on(dir.path(), Arc::<Recorder>::clone(&disk)).await.unwrap();
        disk.state.lock().unwrap().log.clear();
        Self { disk, folder, dir }
    }

    /// The steps since the last call.
    fn steps(&self) -> Vec<String> {
        std::mem::take(&mut self.disk.state.lock().unwrap().log)
    }

    fn fail_step(&self, number: usize) {
        self.disk.state.lock().unwrap().fail_at = Some(number);
    }

    async fn put(&self, key: &str, content: &'static str) -> Result<()> {
        let mut upload = self.folder.start(&Path::from(key), None).await?;
        upload.write(Bytes::from_static(content.as_bytes())).await?;
        upload.publish().await
    }

    async fn put_new(&self, key: &str, content: &'static str) -> Result<Written> {
        self.folder.put_new(&Path::from(key), Bytes::from_static(content.as_bytes()), None).await
    }

    fn content(&self, key: &str) -> Option<String> {
        fs::read_to_string(self.dir.path().join(key)).ok()
    }

    fn temporary_files(&self) -> usize {
        // Without the lock.
        fs::read_dir(self.dir.path().join(staging::STAGING)).unwrap().count() - 1
    }
}

#[tokio::test]
async fn a_write_syncs_file_and_directories_before_it_succeeds() {
    let bench = Bench::new().await;
    bench.put("images/x/original", "abc").await.unwrap();
    let first = [
        "write 3 bytes",
        "sync file",
        "create /images",
        "sync /",
        "create /images/x",
        "sync /images",
        "rename temporary to /images/x/original",
        "sync /images/x",
        "remove temporary",
    ];
    assert_eq!(bench.steps(), first);

    bench.put("images/x/thumb.webp", "abc").await.unwrap();
    let second = [
        "write 3 bytes",
        "sync file",
        "rename temporary to /images/x/thumb.webp",
        "sync /images/x",
        "remove temporary",
    ];
    assert_eq!(bench.steps(), second, "what is known to be durable is not synced again");
}

#[tokio::test]
async fn a_directory_made_by_someone_else_is_synced_too() {
    let bench = Bench::new().await;
    fs::create_dir_all(bench.dir.path().join("images/x")).unwrap();
    bench.put("images/x/original", "abc").await.unwrap();
    let steps = bench.steps();
    let position = |step: &str| steps.iter().position(|s| s == step).expect(step);
    let renamed = position("rename temporary to /images/x/original");
    assert!(position("sync /") < renamed);
    assert!(position("sync /images") < renamed);
}

#[tokio::test]
async fn a_create_only_write_links_instead_of_renaming() {
    let bench = Bench::new().await;
    assert_eq!(bench.put_new("persons/p", "abc").await, Ok(Written::Created));
    let steps = [
        "write 3 bytes",
        "sync file",
        "create /persons",
        "sync /",
        "link temporary to /persons/p",
        "sync /persons",
        "remove temporary",
    ];
    assert_eq!(bench.steps(), steps);
    assert_eq!(bench.put_new("persons/p", "xyz").await, Ok(Written::AlreadyThere));
    assert_eq!(bench.content("persons/p").as_deref(), Some("abc"));
    assert_eq!(bench.temporary_files(), 0);
}

#[tokio::test]
async fn a_move_syncs_the_new_place_before_the_old_one() {
    let bench = Bench::new().await;
    bench.put("uploads/x", "abc").await.unwrap();
    bench.steps();
    bench.folder.rename(&Path::from("uploads/x"), &Path::from("images/x/original")).await.unwrap();
    let steps = [
        "create /images",
        "sync /",
        "create /images/x",
        "sync /images",
        "rename /uploads/x to /images/x/original",
        "sync /images/x",
        "sync /uploads",
    ];
    assert_eq!(bench.steps(), steps);
}

#[tokio::test]
async fn a_delete_is_synced_and_takes_empty_directories_along() {
    let bench = Bench::new().await;
    bench.put("images/x/original", "abc").await.unwrap();
    bench.put("images/x/thumb.webp", "abc").await.unwrap();
    bench.steps();
    let keys = ["images/x/original", "images/x/thumb.webp"];
    bench.folder.delete(keys.map(Path::from).to_vec()).await.unwrap();
    let steps = [
        "remove /images/x/original",
        "remove /images/x/thumb.webp",
        "sync /images/x",
        "remove /images/x",
    ];
    assert_eq!(bench.steps(), steps);
    assert!(bench.dir.path().join("images").exists(), "the first level stays");
    bench.put("images/x/original", "again").await.unwrap();
    assert_eq!(bench.content("images/x/original").as_deref(), Some("again"));
}

/// For every step of a write: if it fails, the write fails, nothing half-written shows, and
/// repeating the write heals.
#[tokio::test]
async fn whichever_step_of_a_write_fails_nothing_torn_is_visible() {
    let bench = Bench::new().await;
    bench.put("images/x/original", "abc").await.unwrap();
    let steps = bench.steps();
    // The last one removes the temporary name, which the rename has already taken away.
    for number in 0..steps.len() - 1 {
        let bench = Bench::new().await;
        bench.fail_step(number);
        let error = bench.put("images/x/original", "abc").await.unwrap_err();
        assert!(error.to_string().contains("injected"), "{error}");
        let renamed = steps[..number].iter().any(|step| step.starts_with("rename"));
        let expected = renamed.then_some("abc");
        assert_eq!(bench.content("images/x/original").as_deref(), expected, "{}", steps[number]);
        assert_eq!(bench.temporary_files(), 0, "{}", steps[number]);
        bench.put("images/x/original", "abc").await.unwrap();
        assert_eq!(bench.content("images/x/original").as_deref(), Some("abc"));
    }
}

#[tokio::test]
async fn a_failed_overwrite_leaves_the_old_object() {
    let bench = Bench::new().await;
    bench.put("persons/p", "old").await.unwrap();
    for step in ["write", "sync file", "rename"] {
        let bench = Bench::new().await;
        bench.put("persons/p", "old").await.unwrap();
        bench.steps();
        let number = ["write", "sync file", "rename"].iter().position(|s| *s == step).unwrap();
        bench.fail_step(number);
        bench.put("persons/p", "new").await.unwrap_err();
        assert!(bench.steps()[number].starts_with(step));
        assert_eq!(bench.content("persons/p").as_deref(), Some("old"), "{step}");
    }
}

#[tokio::test]
async fn a_dropped_upload_leaves_nothing() {
    let bench = Bench::new().await;
    let mut upload = bench.folder.start(&Path::from("uploads/x"), None).await.unwrap();
    upload.write(Bytes::from(vec![0; 1024 * 1024])).await.unwrap();
    assert_eq!(bench.temporary_files(), 1);
    drop(upload);
    assert_eq!(bench.temporary_files(), 0);
    assert_eq!(bench.content("uploads/x"), None);
}

#[tokio::test]
async fn writers_and_deleters_of_one_directory_do_not_disturb_each_other() {
    let bench = Arc::new(Bench::new().await);
    let tasks: Vec<_> = (0..8)
        .map(|task| {
            let bench = Arc::clone(&bench);
            tokio::spawn(async move {
                let key = format!("images/x/{task}");
                for _ in 0..50 {
                    bench.put(&key, "abc").await.unwrap();
                    assert_eq!(bench.content(&key).as_deref(), Some("abc"));
                    bench.folder.delete(vec![Path::from(key.as_str())]).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(bench.temporary_files(), 0);
}

#[tokio::test]
async fn leftovers_are_swept_when_the_folder_is_opened_and_nobody_else_has_it_open() {
    let dir = tempfile::tempdir().unwrap();
    let first = Folder::open(dir.path()).await.unwrap();
    let leftover = dir.path().join(".staging/0123");
    fs::write(&leftover, "half").unwrap();

    let second = Folder::open(dir.path()).await.unwrap();
    assert!(leftover.exists(), "the first may be writing it");
    drop((first, second));

    let third = Folder::open(dir.path()).await.unwrap();
    assert!(!leftover.exists());
    drop(third);
}

#[tokio::test]
async fn what_nobody_touched_for_a_day_is_swept_even_if_others_have_the_folder_open() {
    let dir = tempfile::tempdir().unwrap();
    let first = Folder::open(dir.path()).await.unwrap();
    let leftover = dir.path().join(".staging/0123");
    let file = fs::File::create(&leftover).unwrap();
    let yesterday = std::time::SystemTime::now() - std::time::Duration::from_secs(25 * 60 * 60);
    file.set_modified(yesterday).unwrap();
    let second = Folder::open(dir.path()).await.unwrap();
    assert!(!leftover.exists());
    drop((first, second));
}

#[tokio::test]
async fn a_file_in_place_of_the_folder_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "").unwrap();
    for path in [path.clone(), path.join("below")] {
        let error = Folder::open(&path).await.unwrap_err();
        let Error::Misconfigured { setting: "blob folder", problem, .. } = error else {
            panic!("{error}");
        };
        assert!(problem.contains("not a folder"), "{problem}");
    }
}

#[tokio::test]
async fn a_folder_that_goes_away_is_not_silently_made_anew() {
    let bench = Bench::new().await;
    fs::remove_dir_all(bench.dir.path()).unwrap();
    let error = bench.put("images/x/original", "abc").await.unwrap_err();
    assert!(matches!(error, Error::Misconfigured { setting: "blob folder", .. }), "{error}");
    assert!(!bench.dir.path().exists());
}

#[tokio::test]
async fn a_file_cut_short_behind_our_back_is_an_error_and_not_an_endless_body() {
    let bench = Bench::new().await;
    let id = model::ImageId::new(Timestamp::from_millis(1), 1);
    let key = crate::BlobKey::Original(id);
    bench.put(&key.to_string(), "abcdef").await.unwrap();
    let blobs = crate::Blobs::on(Arc::new(bench.folder.clone()));
    let fetched = blobs.get(&key, None).await.unwrap();
    let file = fs::OpenOptions::new().write(true).open(bench.dir.path().join(key.to_string()));
    file.unwrap().set_len(2).unwrap();
    let read: Result<Vec<Bytes>> = fetched.body.try_collect().await;
    assert!(matches!(read, Err(Error::Corrupt { .. })), "{read:?}");
}
