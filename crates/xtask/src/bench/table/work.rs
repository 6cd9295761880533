//! What one task does again and again while it is measured.

use std::fmt;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use model::Image;
use table::Item;

use crate::Outcome;
use crate::dataset::Dataset;
use crate::shared::dice::Dice;
use crate::shared::format::grouped;
use crate::store::{NewestPage, PAGE_ITEMS, PageEnd, Session};

/// What is measured, and by how many tasks at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    Get,
    /// A get whose item is read as the image it is.
    GetImage,
    Newest,
    /// The same, and every item is read as the image it is.
    NewestImages,
    SecondPage,
    Put {
        writers: usize,
    },
    Update {
        writers: usize,
    },
    /// 95 gets to 5 puts.
    Mixed {
        tasks: usize,
    },
    /// Filling the empty table, chunk by chunk.
    FirstLoad,
    /// Adding some rows to the full table at once.
    Load {
        rows: u64,
    },
}

impl Operation {
    /// Tasks at a time; a load is left to the side itself.
    pub fn tasks(self) -> usize {
        match self {
            read if read.is_read() => 1,
            Self::Put { writers } | Self::Update { writers } => writers,
            Self::Mixed { tasks } => tasks,
            _ => 0,
        }
    }

    /// Whether it is judged by how long one takes; others by how many are done.
    pub fn is_read(self) -> bool {
        matches!(
            self,
            Self::Get | Self::GetImage | Self::Newest | Self::NewestImages | Self::SecondPage
        )
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get => write!(f, "point get"),
            Self::GetImage => write!(f, "point get, read as an image"),
            Self::Newest => write!(f, "newest 20"),
            Self::NewestImages => write!(f, "newest 20, read as images"),
            Self::SecondPage => write!(f, "newest 20, second page"),
            Self::Put { writers: 1 } => write!(f, "durable put, 1 writer"),
            Self::Put { writers } => write!(f, "durable put, {writers} writers"),
            Self::Update { writers } => write!(f, "conditional update, {writers} writers"),
            Self::Mixed { tasks } => write!(f, "mixed 95/5, {tasks} tasks"),
            Self::FirstLoad => write!(f, "bulk load of everything (rows)"),
            Self::Load { rows } => write!(f, "bulk load of {} more (rows)", grouped(*rows)),
        }
    }
}

/// What the tasks on one table of one side know together.
#[derive(Debug)]
pub struct Knowledge {
    pub dataset: Dataset,
    /// The number of the next image that nobody has stored yet.
    pub next: AtomicU64,
    /// The version of each image.
    versions: Vec<AtomicI64>,
    /// Where the first page of each user ends.
    page_ends: Vec<PageEnd>,
}

impl Knowledge {
    /// Looks up where the first pages end.
    pub async fn gather(dataset: Dataset, session: &mut dyn Session) -> Outcome<Self> {
        let mut page_ends = Vec::new();
        for user in 0..dataset.users() {
            let page = session.newest(&dataset.user_partition(user), None).await?;
            page_ends.push(full(page)?.end.ok_or("a user without a second page")?);
        }
        let versions = (0..dataset.items).map(|_| AtomicI64::new(1)).collect();
        Ok(Self { dataset, next: AtomicU64::new(dataset.items), versions, page_ends })
    }
}

/// One task's share of an operation.
pub struct Work {
    pub operation: Operation,
    pub session: Box<dyn Session>,
    pub knowledge: Arc<Knowledge>,
    /// Which of the tasks it is.
    pub task: u64,
    pub dice: Dice,
    /// Numbers of the images it has stored.
    pub stored: Vec<u64>,
}

/// What was done in one step, and how long it took.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Read(Duration),
    Write(Duration),
}

impl Work {
    /// Does one operation. Making the request up is not timed; reading the answer is.
    pub async fn step(&mut self) -> Outcome<Step> {
        match self.operation {
            Operation::Get | Operation::GetImage => self.get().await,
            Operation::Newest | Operation::NewestImages => self.newest().await,
            Operation::SecondPage => self.second_page().await,
            Operation::Put { .. } => self.put().await,
            Operation::Update { .. } => self.update().await,
            Operation::Mixed { .. } => {
                let step =
                    if self.dice.below(100) < 5 { self.put().await } else { self.get().await };
                // Reads of an embedded table never wait; in a server, a request ends here.
                tokio::task::yield_now().await;
                step
            }
            Operation::FirstLoad | Operation::Load { .. } => Err("a load has no steps".into()),
        }
    }

    async fn get(&mut self) -> Outcome<Step> {
        let key = self.knowledge.dataset.key(self.dice.below(self.knowledge.dataset.items));
        let started = Instant::now();
        let found = self.session.get(&key).await?;
        if self.operation == Operation::GetImage {
            read_images(found.as_slice())?;
        }
        let took = started.elapsed();
        if found.is_none_or(|item| item.key != key) {
            return Err(format!("{key:?} was not found").into());
        }
        Ok(Step::Read(took))
    }

    async fn newest(&mut self) -> Outcome<Step> {
        let dataset = self.knowledge.dataset;
        let partition = dataset.user_partition(self.dice.below(dataset.users()));
        let started = Instant::now();
        let page = self.session.newest(&partition, None).await?;
        if self.operation == Operation::NewestImages {
            read_images(&page.items)?;
        }
        let took = started.elapsed();
        full(page).map(|_| Step::Read(took))
    }

    async fn second_page(&mut self) -> Outcome<Step> {
        let dataset = self.knowledge.dataset;
        let user = self.dice.below(dataset.users());
        let partition = dataset.user_partition(user);
        let end = self.knowledge.page_ends.get(usize::try_from(user)?).ok_or("an unknown user")?;
        let started = Instant::now();
        let page = self.session.newest(&partition, Some(end)).await?;
        let took = started.elapsed();
        full(page).map(|_| Step::Read(took))
    }

    async fn put(&mut self) -> Outcome<Step> {
        let number = self.knowledge.next.fetch_add(1, Ordering::Relaxed);
        let item = self.knowledge.dataset.item(number)?;
        self.stored.push(number);
        let started = Instant::now();
        self.session.put(item).await?;
        Ok(Step::Write(started.elapsed()))
    }

    /// Tasks share no images, so that every condition holds.
    async fn update(&mut self) -> Outcome<Step> {
        let tasks = u64::try_from(self.operation.tasks())?;
        let shares = self.knowledge.dataset.items / tasks;
        let number = self.dice.below(shares) * tasks + self.task;
        let known = self.knowledge.versions.get(usize::try_from(number)?);
        let version = known.ok_or("an unknown image")?;
        let before = version.load(Ordering::Relaxed);
        let edit = self.knowledge.dataset.edit(number, before)?;
        let started = Instant::now();
        let done = self.session.update(edit).await?;
        let took = started.elapsed();
        if !done {
            return Err(format!("image {number} no longer had version {before}").into());
        }
        version.store(before + 1, Ordering::Relaxed);
        Ok(Step::Write(took))
    }
}

/// Reads items as the catalog does.
fn read_images(items: &[Item]) -> Outcome {
    for item in items {
        let image: Image = item.attributes.deserialize().map_err(|error| error.to_string())?;
        black_box(image);
    }
    Ok(())
}

fn full(page: NewestPage) -> Outcome<NewestPage> {
    match page.items.len() {
        PAGE_ITEMS => Ok(page),
        items => Err(format!("a page had {items} items instead of {PAGE_ITEMS}").into()),
    }
}
