//! How much users may keep.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::limits;

/// How much a user may keep, and how much of that is left.
///
/// What is left is taken when an upload is accepted and given back when the image is gone
/// for good; an administrator who lowers a limit may make it negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quota {
    /// Images allowed.
    pub images_max: i64,
    /// Images still allowed.
    pub images_left: i64,
    /// Bytes allowed.
    pub bytes_max: i64,
    /// Bytes still allowed.
    pub bytes_left: i64,
}

impl Quota {
    /// The limit of those who have none. What is left is counted below it as below any other, so
    /// what is in use stays exact; and it is a number that JavaScript has, too.
    pub const UNLIMITED: i64 = (1 << 53) - 1;

    /// An untouched quota.
    pub fn new(images_max: i64, bytes_max: i64) -> Self {
        Self { images_max, images_left: images_max, bytes_max, bytes_left: bytes_max }
    }

    /// An untouched quota without limits.
    pub fn unlimited() -> Self {
        Self::new(Self::UNLIMITED, Self::UNLIMITED)
    }

    /// Images allowed; none without a limit.
    pub fn images_limit(&self) -> Option<i64> {
        limit_of(self.images_max)
    }

    /// Bytes allowed; none without a limit.
    pub fn bytes_limit(&self) -> Option<i64> {
        limit_of(self.bytes_max)
    }

    /// Images in use.
    pub fn images_used(&self) -> i64 {
        self.images_max.saturating_sub(self.images_left)
    }

    /// Bytes in use.
    pub fn bytes_used(&self) -> i64 {
        self.bytes_max.saturating_sub(self.bytes_left)
    }
}

impl Default for Quota {
    fn default() -> Self {
        Self::new(limits::IMAGES_PER_USER_DEFAULT, limits::BYTES_PER_USER_DEFAULT)
    }
}

fn limit_of(max: i64) -> Option<i64> {
    (max < Quota::UNLIMITED).then_some(max)
}

/// What a new account may keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaRule {
    /// Images; none without a limit.
    pub images: Option<i64>,
    /// Bytes.
    pub bytes: ByteRule,
}

/// How many bytes a new account may keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteRule {
    /// As many as there is room for.
    Unlimited,
    /// So many.
    Bytes(i64),
    /// So many hundredths of the disk that photos are kept on, from 1 to 100.
    DiskPercent(u8),
}

impl QuotaRule {
    /// No limits.
    pub const UNLIMITED: Self = Self { images: None, bytes: ByteRule::Unlimited };

    /// What an account gets that is made now, beside a disk of so many bytes. Where no disk is
    /// known to have a part of, it gets the bytes of an installation that was never asked.
    pub fn quota(&self, disk_bytes: Option<u64>) -> Quota {
        let bytes = match self.bytes {
            ByteRule::Unlimited => Quota::UNLIMITED,
            ByteRule::Bytes(bytes) => bytes,
            ByteRule::DiskPercent(percent) => {
                disk_bytes.map_or(limits::BYTES_PER_USER_DEFAULT, |disk| part_of(disk, percent))
            }
        };
        let images = self.images.unwrap_or(Quota::UNLIMITED);
        Quota::new(images.min(Quota::UNLIMITED), bytes.min(Quota::UNLIMITED))
    }
}

/// A hundredth first, so that nothing overflows.
fn part_of(disk_bytes: u64, percent: u8) -> i64 {
    let part = (disk_bytes / 100).saturating_mul(u64::from(percent));
    i64::try_from(part).unwrap_or(Quota::UNLIMITED)
}

impl Default for QuotaRule {
    fn default() -> Self {
        Self {
            images: Some(limits::IMAGES_PER_USER_DEFAULT),
            bytes: ByteRule::Bytes(limits::BYTES_PER_USER_DEFAULT),
        }
    }
}

/// A number that is no hundredths of a disk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a share of the disk is from 1 to 100 percent")]
pub struct BadDiskPercent;

impl ByteRule {
    /// A share of the disk.
    ///
    /// # Errors
    /// [`BadDiskPercent`] unless it is from 1 to 100.
    pub fn disk_percent(percent: i64) -> Result<Self, BadDiskPercent> {
        let percent = u8::try_from(percent).ok().filter(|percent| (1..=100).contains(percent));
        percent.map(Self::DiskPercent).ok_or(BadDiskPercent)
    }
}

impl fmt::Display for ByteRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlimited => f.write_str("unlimited"),
            Self::Bytes(bytes) => write!(f, "{bytes}"),
            Self::DiskPercent(percent) => write!(f, "{percent}%"),
        }
    }
}

impl FromStr for ByteRule {
    type Err = BadDiskPercent;

    /// Bytes as a number, `unlimited` or such as `10%`.
    fn from_str(text: &str) -> Result<Self, BadDiskPercent> {
        match (text, text.strip_suffix('%')) {
            ("unlimited", _) => Ok(Self::Unlimited),
            (_, Some(percent)) => {
                Self::disk_percent(percent.trim().parse().map_err(|_| BadDiskPercent)?)
            }
            (bytes, None) => bytes.parse().map(Self::Bytes).map_err(|_| BadDiskPercent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_limit_is_counted_all_the_same() {
        let mut quota = Quota::unlimited();
        quota.images_left -= 501;
        quota.bytes_left -= 1 << 40;
        assert_eq!((quota.images_limit(), quota.bytes_limit()), (None, None));
        assert_eq!((quota.images_used(), quota.bytes_used()), (501, 1 << 40));
        assert_eq!(Quota::default().images_limit(), Some(500));
    }

    #[test]
    fn a_rule_is_unlimited_images_bytes_or_a_share_of_the_disk() {
        assert_eq!(QuotaRule::default().quota(None), Quota::default());
        assert_eq!(QuotaRule::UNLIMITED.quota(Some(1)), Quota::unlimited());
        let share = QuotaRule { images: None, bytes: ByteRule::DiskPercent(10) };
        assert_eq!(share.quota(Some(2_000)), Quota::new(Quota::UNLIMITED, 200));
        assert_eq!(share.quota(None).bytes_max, limits::BYTES_PER_USER_DEFAULT);
        assert_eq!(share.quota(Some(u64::MAX)).bytes_limit(), None, "what no number can say");
    }

    #[test]
    fn bytes_are_spelt_alike_everywhere() {
        for rule in [ByteRule::Unlimited, ByteRule::Bytes(7), ByteRule::DiskPercent(10)] {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        for wrong in ["", "0%", "101%", "%", "many"] {
            assert!(wrong.parse::<ByteRule>().is_err(), "{wrong}");
        }
    }
}
