//! Entries of words that an image no longer has: left where they are, and taken out later.
//!
//! Taking an entry out changes a page in each of its indexes, all over the table, and nobody who
//! changes a text needs to wait for that, since nobody believes an entry that its image does not
//! confirm. So the change only says in its row of the change feed that it has left some. Whoever
//! has time goes through the feed, and compares the entries of these images with what they say.
//!
//! Nothing is taken out that is younger than an hour: a change that is too large for one
//! transaction writes its entries before the image says their words.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::stream::{self, StreamExt, TryStreamExt};
use model::{Change, Entity, ImageId, Timestamp};
use table::{
    Action, Condition, Effect, Item, Key, Query, TRANSACTION_ACTIONS_MAX, Transacted, Value,
};

use crate::retry::{Attempt, until_settled};
use crate::{Catalog, ChangeCursor, Error, Result, keys, row, terms};

/// Since when an entry is there, in seconds. One that does not say is as old as its image.
pub(crate) const SINCE: &str = "since";
/// What a change has left, in its row.
const LEFT: &str = "left";
/// How far the feed was gone through.
const CURSOR: &str = "cursor";

/// How long entries stay. Long enough that a number of changes, one after the other, does not wait
/// for it, and longer than any change takes.
const KEPT: Duration = Duration::from_secs(60 * 60);
/// How many changes are looked at together, and how many of their images at a time.
const CHANGES_AT_ONCE: usize = 500;
const IMAGES_AT_ONCE: usize = 8;

/// What a change leaves to be taken out later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    Nothing,
    GoneWords,
}

/// What became of a look at the next changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    /// So many entries were taken out, and there may be more.
    OnTheWay(usize),
    /// So many entries were taken out, and for now there are no more.
    ToTheEnd(usize),
    /// Somebody else does it just now.
    NotAlone,
}

impl Left {
    /// The put of a change's row, which also says what the change has left.
    pub(crate) fn noted_in(self, mut record: Action) -> Action {
        if let (Self::GoneWords, Effect::Put(row)) = (self, &mut record.effect) {
            row.attributes.insert(LEFT.into(), true.into());
        }
        record
    }

    fn by(row: &Item) -> Self {
        match row.attributes.value(LEFT) {
            Some(Value::Bool(true)) => Self::GoneWords,
            _ => Self::Nothing,
        }
    }
}

impl Catalog {
    /// Looks at the next changes that are old enough, and takes out the entries of words that they
    /// have left. May be repeated at will, by several at a time.
    pub async fn remove_gone_words(&self, now: Timestamp) -> Result<Looked> {
        let until = now.before(KEPT);
        let found = self.table.get(&keys::gone_words()).await?;
        let cursor = found.as_ref().and_then(|row| row.str(CURSOR));
        let after = cursor.and_then(|cursor| ChangeCursor::from_text(cursor).ok());
        let changes = match self.read_changes(after.as_ref(), until, CHANGES_AT_ONCE).await {
            // Nobody looked for longer than changes are kept.
            Err(Error::BadCursor) => self.read_changes(None, until, CHANGES_AT_ONCE).await?,
            changes => changes?,
        };
        let Some(last) = changes.last() else { return Ok(Looked::ToTheEnd(0)) };
        let to = ChangeCursor::at_row(last).to_text();
        let left = changes.iter().filter(|row| Left::by(row) == Left::GoneWords);
        let images: BTreeSet<ImageId> = left.filter_map(image_of_change).collect();
        let removed = stream::iter(images)
            .map(|image| self.remove_gone_words_of(image, until))
            .buffer_unordered(IMAGES_AT_ONCE)
            .try_fold(0, async |sum, removed| Ok(sum + removed))
            .await?;
        let unchanged = match cursor {
            Some(cursor) => Condition::equals(CURSOR, cursor),
            None => Condition::Absent,
        };
        let reached = Item::new(keys::gone_words()).with(CURSOR, to);
        Ok(match self.table.transact(vec![Action::put(reached).when(unchanged)]).await? {
            Transacted::Refused(_) => Looked::NotAlone,
            Transacted::Done if changes.len() < CHANGES_AT_ONCE => Looked::ToTheEnd(removed),
            Transacted::Done => Looked::OnTheWay(removed),
        })
    }

    async fn remove_gone_words_of(&self, image: ImageId, until: Timestamp) -> Result<usize> {
        match until_settled!(self.try_remove_gone_words(image, until).await) {
            // What cannot be read has no words to compare with, and must not hold up all others.
            Err(Error::BadRow { .. }) => Ok(0),
            removed => removed,
        }
    }

    async fn try_remove_gone_words(
        &self,
        image: ImageId,
        until: Timestamp,
    ) -> Result<Attempt<usize>> {
        let found = self.find_image(image).await?;
        // What is being removed takes all its rows along.
        let Some(found) = found.filter(|image| image.purging_since.is_none()) else {
            return Ok(Attempt::Settled(0));
        };
        let said = terms::terms_of(&found);
        let said: BTreeSet<Key> = said.iter().map(|word| keys::term_entry(image, word)).collect();
        let mut gone = Vec::new();
        let entries = Query::partition(keys::image_partition(image)).prefix(keys::TERM_ENTRIES);
        let mut start = None;
        loop {
            let page = self.table.query(&entries.clone().start(start)).await?;
            let not_said = page.items.iter().filter(|entry| !said.contains(&entry.key));
            gone.extend(not_said.filter_map(|entry| removal(entry, until)));
            start = page.next;
            if start.is_none() {
                break;
            }
        }
        // Nobody gives the image other words meanwhile.
        let still = Action::check(keys::image(image)).when(Condition::version(found.version));
        for some in gone.chunks(TRANSACTION_ACTIONS_MAX - 1) {
            let actions = std::iter::once(&still).chain(some).cloned().collect();
            if !self.table.transact(actions).await?.is_done() {
                return Ok(Attempt::Raced);
            }
        }
        Ok(Attempt::Settled(gone.len()))
    }
}

/// Takes an entry out that is old enough, provided that it has not been put there anew.
fn removal(entry: &Item, until: Timestamp) -> Option<Action> {
    let unchanged = match entry.i64(SINCE) {
        Some(since) if since > until.as_seconds() => return None,
        Some(since) => Condition::equals(SINCE, since),
        None => Condition::Lacks(SINCE.to_owned()),
    };
    Some(Action::delete(entry.key.clone()).when(unchanged))
}

fn image_of_change(row: &Item) -> Option<ImageId> {
    match row::entity_of::<Change>(row).ok()?.entity {
        Entity::Image(image) => Some(image),
        Entity::Album(_) | Entity::Person(_) | Entity::User(_) => None,
    }
}
