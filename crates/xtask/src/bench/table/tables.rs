//! The tables that are measured: one of each size on each side, filled with the same images.

use std::path::Path;
use std::sync::Arc;

use catalog::{Catalog, Order, PageRequest};

use crate::Outcome;
use crate::dataset::Dataset;
use crate::embedded::EmbeddedStore;
use crate::measure::{Latency, Round, runtime_for};
use crate::plan::Plan;
use crate::postgres::PostgresStore;
use crate::results::Results;
use crate::shared::dice::Dice;
use crate::store::{PAGE_ITEMS, Session, Side, Store};
use crate::work::{Knowledge, Operation};

/// Keys and users that are looked up on both sides before anything is measured.
const COMPARED: u64 = 50;

/// Both sides' tables of one size.
pub struct Tables {
    pub dataset: Dataset,
    pub embedded: EmbeddedStore,
    pub postgres: PostgresStore,
}

impl Tables {
    /// Creates empty tables for so many items.
    pub fn create(plan: &Plan, items: u64, folder: &Path, address: &str) -> Outcome<Self> {
        let embedded = EmbeddedStore::open(&folder.join(format!("embedded-{items}")))?;
        let postgres = PostgresStore::new(address.to_owned(), &format!("item_{items}"));
        runtime_for(1)?.block_on(postgres.create())?;
        Ok(Self { dataset: Dataset { seed: plan.seed, items }, embedded, postgres })
    }

    pub fn store(&self, side: Side) -> &dyn Store {
        match side {
            Side::Embedded => &self.embedded,
            Side::Postgres => &self.postgres,
        }
    }

    /// Fills both tables in turns, and notes how fast each chunk was.
    pub fn fill(&self, plan: &Plan, results: &mut Results) -> Outcome {
        let chunk = self.dataset.items.div_ceil(plan.chunks).max(1);
        let mut first = 0;
        while first < self.dataset.items {
            let rows = chunk.min(self.dataset.items - first);
            for side in Side::BOTH {
                let round = self.load(side, first, rows)?;
                runtime_for(1)?.block_on(self.store(side).settle())?;
                results.add(Operation::FirstLoad, self.dataset.items, side, round);
            }
            first += rows;
        }
        let runtime = runtime_for(2)?;
        for side in Side::BOTH {
            let size_bytes = runtime.block_on(self.store(side).size_bytes())?;
            results.disk_bytes.insert(side, size_bytes);
        }
        Ok(())
    }

    /// Loads images at once, from a number on.
    fn load(&self, side: Side, first: u64, rows: u64) -> Outcome<Round> {
        let numbers = first..first + rows;
        let items = numbers.map(|number| self.dataset.item(number)).collect::<Outcome<Vec<_>>>()?;
        let runtime = runtime_for(2)?;
        let took = runtime.block_on(self.store(side).load(items))?;
        let per_second = f64::from(u32::try_from(rows)?) / took.as_secs_f64();
        Ok(Round { per_second, latency: Latency::default(), write_latency: None })
    }

    /// Loads some more images at once and takes them away again.
    pub fn load_more(&self, side: Side, first: u64, rows: u64) -> Outcome<Round> {
        let round = self.load(side, first, rows)?;
        let keys: Vec<_> = (first..first + rows).map(|number| self.dataset.key(number)).collect();
        runtime_for(2)?.block_on(self.store(side).remove(&keys))?;
        Ok(round)
    }

    /// What tasks on the table of this side have to know.
    pub fn knowledge(&self, side: Side) -> Outcome<Arc<Knowledge>> {
        runtime_for(1)?.block_on(async {
            let mut session = self.store(side).session().await?;
            Ok(Arc::new(Knowledge::gather(self.dataset, &mut *session).await?))
        })
    }

    /// Makes sure that both sides hold the same images and give the same pages, and that the
    /// catalog knows them as images.
    pub fn compare(&self) -> Outcome {
        runtime_for(2)?.block_on(async {
            let mut embedded = self.embedded.session().await?;
            let mut postgres = self.postgres.session().await?;
            let mut dice = Dice::new(self.dataset.seed, u64::MAX);
            for _ in 0..COMPARED {
                let number = dice.below(self.dataset.items);
                let expected = Some(self.dataset.item(number)?);
                let key = self.dataset.key(number);
                if embedded.get(&key).await? != expected || postgres.get(&key).await? != expected {
                    return Err(format!("image {number} is not what was stored").into());
                }
                let user = dice.below(self.dataset.users());
                let partition = self.dataset.user_partition(user);
                let ours = two_pages(&mut *embedded, &partition).await?;
                if ours != two_pages(&mut *postgres, &partition).await? {
                    return Err(format!("the sides differ about the images of user {user}").into());
                }
            }
            self.read_as_images().await
        })
    }

    async fn read_as_images(&self) -> Outcome {
        let catalog = Catalog::new(self.embedded.table());
        let first = PageRequest::first(PAGE_ITEMS);
        let images = catalog.list_images(self.dataset.user(0), Order::Newest, &first).await?;
        match images.entries.len() {
            PAGE_ITEMS => Ok(()),
            found => Err(format!("the catalog sees {found} of {PAGE_ITEMS} images").into()),
        }
    }
}

async fn two_pages(session: &mut dyn Session, partition: &str) -> Outcome<Vec<table::Item>> {
    let first = session.newest(partition, None).await?;
    let second = session.newest(partition, first.end.as_ref()).await?;
    Ok(first.items.into_iter().chain(second.items).collect())
}
