//! What is counted of the images of an hour or a month.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Sum;
use std::ops::{Add, Neg};

use futures::future::try_join_all;
use model::{Image, ImageId, Shape, TimelineOrder, Timestamp, UserId};
use table::{Action, Item, Key, TRANSACTION_ACTIONS_MAX, TableExt};

use crate::{Catalog, Result, keys};

/// Where an image stands, and its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) at: Timestamp,
    pub(super) image: ImageId,
    pub(super) shape: Shape,
}

/// The number of some images, and the sum of their hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) count: i64,
    pub(super) sum: i64,
}

impl Spot {
    pub(super) fn of(image: &Image, order: TimelineOrder) -> Option<Self> {
        let at = image.moment(order)?;
        Some(Self { at, image: image.id, shape: image.shape() })
    }

    pub(super) fn sums(&self) -> Sums {
        Sums { count: 1, sum: self.hash() }
    }

    /// 31 bits, so that the sum of all images anybody will ever have is a number that every
    /// engine can add to. It is stored, and must stay what it is.
    fn hash(&self) -> i64 {
        let bits = self.image.to_bits();
        let parts = [
            u64::try_from(bits >> 64).unwrap_or_default(),
            u64::try_from(bits & u128::from(u64::MAX)).unwrap_or_default(),
            self.at.as_millis().cast_unsigned(),
            u64::from(self.shape.byte()),
        ];
        let mixed = parts.into_iter().fold(0, |state, part| mix(state ^ part));
        i64::try_from(mixed >> 33).unwrap_or_default()
    }
}

/// One step of SplitMix64.
pub(super) fn mix(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

impl Sums {
    pub(super) fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// Both in one number, for those who only want to know whether they are the same.
    pub(super) fn tag(self) -> u64 {
        mix(mix(self.count.cast_unsigned()) ^ self.sum.cast_unsigned())
    }

    /// Those that a row has for an order.
    pub(super) fn of_row(row: &Item, order: TimelineOrder) -> Self {
        let (count, sum) = names(order);
        let number = |name| row.i64(name).unwrap_or(0);
        Self { count: number(count), sum: number(sum) }
    }

    pub(super) fn add_to(self, action: Action, order: TimelineOrder) -> Action {
        let (count, sum) = names(order);
        action.add(count, self.count).add(sum, self.sum)
    }
}

/// The attributes of an order, in the rows of months and hours.
pub(super) fn names(order: TimelineOrder) -> (&'static str, &'static str) {
    match order {
        TimelineOrder::Uploaded => ("uploadedCount", "uploadedSum"),
        TimelineOrder::Taken => ("takenCount", "takenSum"),
    }
}

impl Add for Sums {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let count = self.count.saturating_add(other.count);
        Self { count, sum: self.sum.saturating_add(other.sum) }
    }
}

impl Neg for Sums {
    type Output = Self;

    fn neg(self) -> Self {
        Self { count: self.count.saturating_neg(), sum: self.sum.saturating_neg() }
    }
}

impl Sum for Sums {
    fn sum<I: Iterator<Item = Self>>(sums: I) -> Self {
        sums.fold(Self::default(), Self::add)
    }
}

/// Sums of months and hours that are to be added to their rows, for both orders.
#[derive(Default)]
pub(super) struct Counts(BTreeMap<Key, [Sums; 2]>);

impl Counts {
    pub(super) fn add(&mut self, owner: UserId, order: TimelineOrder, at: Timestamp, sums: Sums) {
        for key in [keys::timeline_month(owner, at), keys::timeline_hour(owner, at)] {
            let [uploaded, taken] = self.0.entry(key).or_default();
            let counted = match order {
                TimelineOrder::Uploaded => uploaded,
                TimelineOrder::Taken => taken,
            };
            *counted = *counted + sums;
        }
    }

    pub(super) fn image(&mut self, image: &Image, sign: impl Fn(Sums) -> Sums) {
        for order in TimelineOrder::ALL {
            if let Some(spot) = Spot::of(image, order) {
                self.add(image.owner, order, spot.at, sign(spot.sums()));
            }
        }
    }

    /// What adds them; nothing for those that stay the same.
    pub(super) fn actions(self) -> Vec<Action> {
        let mut actions = Vec::new();
        for (key, sums) in self.0 {
            let mut action = Action::update(key);
            for (order, sums) in TimelineOrder::ALL.into_iter().zip(sums) {
                if !sums.is_zero() {
                    action = sums.add_to(action, order);
                }
            }
            if sums.iter().any(|sums| !sums.is_zero()) {
                actions.push(action);
            }
        }
        actions
    }
}

impl Catalog {
    /// Counts images that are new, some thousand at a time.
    pub(crate) async fn count_loaded(&self, images: &[Image]) -> Result<()> {
        let mut counts = Counts::default();
        for image in images {
            counts.image(image, |sums| sums);
        }
        let owners: BTreeSet<UserId> = images.iter().map(|image| image.owner).collect();
        for owner in owners {
            self.table.put(Item::new(keys::timeline_ready(owner))).await?;
        }
        let actions = counts.actions();
        let transactions =
            actions.chunks(TRANSACTION_ACTIONS_MAX).map(|some| self.table.transact(some.to_vec()));
        for done in try_join_all(transactions).await? {
            debug_assert!(done.is_done());
        }
        Ok(())
    }
}

/// What counts that an image has become another one, or that there is a new one. Belongs into
/// the transaction of the change, and is nothing if the image keeps its place and its shape.
pub(crate) fn counted(before: Option<&Image>, after: &Image) -> Vec<Action> {
    let mut counts = Counts::default();
    if let Some(before) = before {
        counts.image(before, Sums::neg);
    }
    counts.image(after, |sums| sums);
    counts.actions()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Facts, ImageStatus};

    fn image(millis: i64) -> Image {
        let at = Timestamp::from_millis(millis);
        let mut image = Image::pending(ImageId::from_bits(7), UserId::from_bits(1), at);
        image.status = ImageStatus::Processing;
        image.uploaded_at = Some(at);
        image
    }

    #[test]
    fn texts_do_not_count() {
        let before = image(0);
        let after = Image { title: "Sea".parse().ok(), version: 2, ..before.clone() };
        assert_eq!(counted(Some(&before), &after), []);
    }

    #[test]
    fn a_new_image_counts_in_its_month_and_its_hour_and_a_shape_changes_the_sums() {
        let new = image(0);
        assert_eq!(counted(None, &new).len(), 2);
        let facts = Facts {
            width: 3,
            height: 2,
            animated: false,
            shown: model::Shown::Whole,
            thumbhash: None,
            color: None,
            perceptual_hash: None,
        };
        let known = Image { facts: Some(facts), ..new.clone() };
        assert_eq!(counted(Some(&new), &known).len(), 2);
    }

    #[test]
    fn hashes_stay_what_they_are() {
        let spot = Spot::of(&image(1_754_040_262_159), TimelineOrder::Uploaded).unwrap();
        assert_eq!(spot.hash(), HASH);
        assert_eq!(Sums { count: 1, sum: HASH }.tag(), TAG);
    }

    const HASH: i64 = 79_488_323;
    const TAG: u64 = 0x2340_b80d_c476_56eb;
}
