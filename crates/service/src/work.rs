//! Work that waits, for those who do it and those who look after it.

use std::sync::Arc;
use std::time::Duration;

use catalog::{Claim, Finished, Held, Listed, PageRequest};
use model::{FailureCode, Image, Subject, Timestamp, User, UserId, Work, WorkKind};

use tokio::sync::{Mutex, MutexGuard};

use crate::{Caller, Error, Result, Service};

/// How long work is held without a word from its worker.
pub(crate) const LEASE: Duration = Duration::from_secs(60);

/// Work that somebody holds. Clones are the same task: one of them may be kept while another is
/// done.
#[derive(Clone, Debug)]
pub struct Task {
    kind: WorkKind,
    subject: Subject,
    attempts: i64,
    work: Arc<Mutex<Work>>,
}

/// Work that was given up, with what an administrator needs to know of it.
#[derive(Clone, Debug)]
pub struct DeadWork {
    /// The work.
    pub work: Work,
    /// The image it is about, if there still is one.
    pub image: Option<Image>,
    /// Whose it is, if they still are.
    pub owner: Option<User>,
}

/// How doing a task ended, if it did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Done {
    /// It is done.
    Finished,
    /// Somebody else has taken it over.
    Lost,
}

/// What becomes of a task that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Failure {
    /// It is tried again at this time.
    Retried(Timestamp),
    /// It is given up, and waits for an administrator.
    GivenUp,
    /// Somebody else has taken it over.
    Lost,
}

impl Task {
    pub(crate) fn new(work: Work) -> Self {
        let (kind, subject, attempts) = (work.kind, work.subject, work.attempts);
        Self { kind, subject, attempts, work: Arc::new(Mutex::new(work)) }
    }

    /// What is to be done.
    pub fn kind(&self) -> WorkKind {
        self.kind
    }

    /// To what.
    pub fn subject(&self) -> Subject {
        self.subject
    }

    /// How often it was begun, this time included.
    pub fn attempts(&self) -> i64 {
        self.attempts
    }

    /// What proves that the task is held. Nobody prolongs it, and so changes the proof, as long
    /// as this is kept.
    pub(crate) async fn held(&self) -> MutexGuard<'_, Work> {
        self.work.lock().await
    }
}

/// Attempts before work is given up, and the pauses between them.
const ATTEMPTS_MAX: i64 = 5;
/// Work that was begun so often and has neither ended nor failed is what kills those who do it.
/// A few times it may have been killed together with them, by a restart.
const BEGUN_MAX: i64 = 10;
const PAUSE_MIN: Duration = Duration::from_secs(2);
const PAUSE_MAX: Duration = Duration::from_secs(600);

impl Service {
    /// How often a worker must say that it still works on a task.
    pub const HEARTBEAT: Duration = Duration::from_secs(20);

    /// Takes up to `limit` tasks of a kind that are due.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn claim_tasks(
        &self,
        kind: WorkKind,
        worker: &str,
        limit: usize,
    ) -> Result<Vec<Task>> {
        let writes_files = matches!(kind, WorkKind::Process | WorkKind::Faces);
        if writes_files && self.has_no_room_to_work() {
            return Ok(Vec::new());
        }
        let claim = Claim { worker: worker.to_owned(), lease: LEASE, limit };
        let claimed = self.catalog().claim_work(kind, &claim, self.now()).await?;
        Ok(claimed.into_iter().map(Task::new).collect())
    }

    /// Makes due at once what other processes hold, for a caller who knows that there are none:
    /// those that held it were killed. Tells how many tasks there were.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn free_tasks_of_the_dead(&self) -> Result<usize> {
        let mut freed = 0;
        for kind in WorkKind::ALL {
            freed += self.catalog().free_held_work(kind, LEASE, self.now()).await?;
        }
        Ok(freed)
    }

    /// Does a task. May be repeated at any point.
    ///
    /// # Errors
    /// When it failed; what becomes of it says [`fail_task`](Self::fail_task).
    pub async fn do_task(&self, task: &Task) -> Result<Done> {
        // Without a purge or an expiry nothing would be given back; and neither reads files.
        let reads_files = matches!(task.kind, WorkKind::Process | WorkKind::Faces);
        if reads_files && task.attempts > BEGUN_MAX {
            let begun = task.attempts - 1;
            return Err(Error::internal(format!("it was begun {begun} times and never ended")));
        }
        match (task.kind, task.subject) {
            (WorkKind::Process, Subject::Image(image)) => self.process(task, image).await,
            (WorkKind::Faces, Subject::Image(image)) => self.look(task, image).await,
            (WorkKind::Group, Subject::User(owner)) => self.group(task, owner).await,
            (WorkKind::Purge, Subject::Image(image)) => self.purge(task, image).await,
            (WorkKind::Expire, Subject::Image(image)) => self.expire(image).await,
            (WorkKind::Erase, Subject::User(user)) => self.erase(task, user).await,
            (kind, subject) => {
                Err(Error::internal(format!("nobody knows how to {kind} {subject:?}")))
            }
        }
    }

    /// Keeps a task for another while.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn keep_task(&self, task: &Task) -> Result<Held> {
        Ok(self.catalog().renew_work(&mut *task.held().await, LEASE, self.now()).await?)
    }

    /// Puts a task back that its worker cannot finish because it must stop.
    ///
    /// # Errors
    /// When the table cannot be used; the task is then due when its lease ends.
    pub async fn put_back_task(&self, task: &Task) -> Result<Held> {
        let held = task.held().await;
        Ok(self.catalog().retry_work(&held, "its worker was stopped", self.now()).await?)
    }

    /// Says that a task failed: it is tried again after a pause that grows, or given up.
    ///
    /// # Errors
    /// When the table cannot be used; the task is then due when its lease ends.
    pub async fn fail_task(&self, task: &Task, error: &Error) -> Result<Failure> {
        let (held, text) = (task.held().await, error.to_string());
        let work = &*held;
        // A full disk says nothing about what was to be done.
        let is_full = matches!(error, Error::StorageFull { .. });
        if can_help_to_retry(error) && (work.attempts < ATTEMPTS_MAX || is_full) {
            let due = self.now().after(pause(work.attempts));
            return Ok(match self.catalog().retry_work(work, &text, due).await? {
                Held::Still => Failure::Retried(due),
                Held::Lost => Failure::Lost,
            });
        }
        let now = self.now();
        let held = match (work.kind, work.subject) {
            (WorkKind::Process, Subject::Image(image)) => {
                let why = told_to_owner(error);
                let why = (why.0, why.1.as_str());
                match self.catalog().fail_processing(work, image, why, &text, now).await? {
                    Finished::Lost => Held::Lost,
                    Finished::Finished(_) | Finished::Gone => Held::Still,
                }
            }
            _ => self.catalog().bury_work(work, &text, now).await?,
        };
        Ok(if held == Held::Still { Failure::GivenUp } else { Failure::Lost })
    }

    /// Work of a kind that was given up, with what it is about.
    ///
    /// # Errors
    /// When the caller is no administrator.
    pub async fn list_dead_work(
        &self,
        caller: &Caller,
        kind: WorkKind,
        page: &PageRequest,
    ) -> Result<Listed<DeadWork>> {
        caller.require_administrator()?;
        let Listed { entries, next } = self.catalog().list_dead_work(kind, page).await?;
        let images = entries.iter().filter_map(|work| match work.subject {
            Subject::Image(image) => Some(image),
            Subject::User(_) => None,
        });
        let images = self.catalog().find_images(&images.collect::<Vec<_>>()).await?;
        let owners: Vec<UserId> = entries.iter().map(|work| work.owner).collect();
        let owners = self.catalog().find_users(&owners).await?;
        let entries = entries.into_iter().map(|work| {
            let image = images.iter().find(|image| work.subject == Subject::Image(image.id));
            let owner = owners.iter().find(|owner| owner.id == work.owner);
            DeadWork { image: image.cloned(), owner: owner.cloned(), work }
        });
        Ok(Listed { entries: entries.collect(), next })
    }

    /// Tries work again that was given up.
    ///
    /// # Errors
    /// When the caller is no administrator, or there is no such dead work.
    pub async fn revive_work(
        &self,
        caller: &Caller,
        kind: WorkKind,
        subject: Subject,
    ) -> Result<()> {
        caller.require_administrator()?;
        if !self.catalog().revive_work(kind, subject, self.now()).await? {
            return Err(Error::NotFound { what: "dead work" });
        }
        self.hint();
        Ok(())
    }
}

/// What the owner of an image is told of why it cannot be shown. Faults of ours are told in general
/// words: what they say may name hosts and folders, and is for administrators.
fn told_to_owner(error: &Error) -> (FailureCode, String) {
    use imaging::Error as Image;
    let code = match error {
        Error::Image(image) => match image {
            Image::Unsupported { .. } => FailureCode::UnsupportedImage,
            Image::Truncated { .. } => FailureCode::TruncatedImage,
            Image::Damaged { .. } => FailureCode::DamagedImage,
            Image::TooManyBytes { .. } => FailureCode::FileTooLarge,
            Image::TooManyPixels { .. } => FailureCode::TooManyPixels,
            Image::SideTooLong { .. } => FailureCode::SideTooLong,
            Image::TooManyFrames { .. } => FailureCode::TooManyFrames,
            Image::TooMuchMemory { .. } => FailureCode::TooMuchMemory,
            Image::BadSpec { .. } | Image::Internal { .. } => FailureCode::ProcessingFailed,
        },
        Error::ObjectMissing { .. } => FailureCode::OriginalMissing,
        _ => FailureCode::ProcessingFailed,
    };
    let message = match code {
        FailureCode::OriginalMissing => "the file is not where it was stored".to_owned(),
        FailureCode::ProcessingFailed => {
            "the server failed to make renditions of it; try again, or ask an administrator"
                .to_owned()
        }
        _ => error.to_string(),
    };
    (code, message)
}

/// A damaged file stays damaged, however often it is tried.
fn can_help_to_retry(error: &Error) -> bool {
    match error {
        Error::Image(error) => matches!(error, imaging::Error::Internal { .. }),
        _ => true,
    }
}

/// Twice as long each time, and never the same for all who failed together.
fn pause(attempts: i64) -> Duration {
    let doublings = u32::try_from(attempts.clamp(1, 16) - 1).unwrap_or(0);
    let longest = PAUSE_MIN.saturating_mul(1 << doublings).min(PAUSE_MAX);
    longest.mul_f64(0.5 + 0.5 * rand::random::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_is_told_what_is_wrong_with_the_file_but_not_with_the_server() {
        let damaged = imaging::Error::Damaged { what: "no end".into() };
        let (code, message) = told_to_owner(&Error::Image(damaged));
        assert_eq!(
            (code, message.as_str()),
            (FailureCode::DamagedImage, "the file is damaged: no end")
        );
        let large = imaging::Error::TooMuchMemory { bytes: 2, limit: 1 };
        assert_eq!(told_to_owner(&Error::Image(large)).0, FailureCode::TooMuchMemory);
        let fault = imaging::Error::Internal { what: "/srv/secret".into() };
        for fault in [Error::Image(fault), Error::internal("/srv/secret")] {
            let (code, message) = told_to_owner(&fault);
            assert_eq!(code, FailureCode::ProcessingFailed);
            assert!(!message.contains("secret"), "{message}");
        }
        let missing = Error::ObjectMissing { message: "/srv/secret".to_owned() };
        assert_eq!(told_to_owner(&missing).0, FailureCode::OriginalMissing);
    }
}
