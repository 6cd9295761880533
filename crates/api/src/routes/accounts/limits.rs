//! How limits look: `null` is none.

use model::{ByteRule, Quota, QuotaRule};
use serde::{Deserialize, Serialize};
use service::{DefaultQuota, Error, QuotaSource};
use utoipa::ToSchema;

use crate::ApiError;
use crate::patch::Patch;

/// How much a user may keep, how much they keep, and how much of the limits is left.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Quota)]
pub(super) struct QuotaAnswer {
    /// Images allowed; `null` without a limit.
    images_max: Option<i64>,
    /// Images still allowed; negative when the limit was lowered below what there is, `null` without
    /// a limit.
    images_left: Option<i64>,
    /// Images in use, also those in the trash and those that are being uploaded.
    images_used: i64,
    /// Bytes allowed; `null` without a limit.
    bytes_max: Option<i64>,
    /// Bytes still allowed; `null` without a limit.
    bytes_left: Option<i64>,
    /// Bytes of the originals in use.
    bytes_used: i64,
}

/// What a user may keep. What is absent stays; `null` is no limit.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetQuota {
    /// Images.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 0)]
    images_max: Patch<i64>,
    /// Bytes.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 0)]
    bytes_max: Patch<i64>,
}

/// What new accounts may keep. What is absent stays; `null` is no limit.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetDefaultQuota {
    /// Images.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 0)]
    images_max: Patch<i64>,
    /// Bytes.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 0)]
    bytes_max: Patch<i64>,
    /// Bytes as a share of the disk that photos are kept on, instead of `bytesMax`. What that is in
    /// bytes is decided when an account is made.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    disk_percent: Option<i64>,
}

/// What new accounts may keep.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DefaultQuota)]
pub(super) struct DefaultQuotaAnswer {
    /// Images; `null` without a limit.
    images_max: Option<i64>,
    /// Bytes, also where they are a share of the disk; `null` without a limit.
    bytes_max: Option<i64>,
    /// The share of the disk that the bytes are, in percent; else `null`.
    disk_percent: Option<u8>,
    /// Bytes of the disk that photos are kept on; `null` where that is none of the server's.
    disk_bytes: Option<u64>,
    source: SourceName,
}

/// Who has decided it: the configuration, which nobody changes here, an administrator, or nobody.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = QuotaSource)]
enum SourceName {
    /// `quota.images` or `quota.bytes` is set in the configuration.
    Configuration,
    /// At set-up or later.
    Administrator,
    /// 500 images and 20 GB.
    BuiltIn,
}

impl SetQuota {
    /// The limits of somebody who has these now.
    pub(super) fn over(self, quota: Quota) -> (i64, i64) {
        let limit = |wanted: Patch<i64>, now| match wanted {
            Patch::Keep => now,
            Patch::Clear => Quota::UNLIMITED,
            Patch::Set(max) => max,
        };
        (limit(self.images_max, quota.images_max), limit(self.bytes_max, quota.bytes_max))
    }
}

impl SetDefaultQuota {
    /// What is wanted where this is so now.
    pub(super) fn over(self, rule: QuotaRule) -> Result<QuotaRule, ApiError> {
        let images = self.images_max.into_option().unwrap_or(rule.images);
        let bytes = match (self.disk_percent, self.bytes_max) {
            (None, Patch::Keep) => rule.bytes,
            (None, Patch::Clear) => ByteRule::Unlimited,
            (None, Patch::Set(bytes)) => ByteRule::Bytes(bytes),
            (Some(percent), Patch::Keep | Patch::Clear) => {
                ByteRule::disk_percent(percent).map_err(|bad| Error::invalid("diskPercent", bad))?
            }
            (Some(_), Patch::Set(_)) => {
                let message = "say bytesMax or diskPercent, one of them";
                return Err(Error::invalid("diskPercent", message).into());
            }
        };
        Ok(QuotaRule { images, bytes })
    }
}

impl From<Quota> for QuotaAnswer {
    fn from(quota: Quota) -> Self {
        let (images_max, bytes_max) = (quota.images_limit(), quota.bytes_limit());
        Self {
            images_max,
            images_left: images_max.map(|_| quota.images_left),
            images_used: quota.images_used(),
            bytes_max,
            bytes_left: bytes_max.map(|_| quota.bytes_left),
            bytes_used: quota.bytes_used(),
        }
    }
}

impl From<DefaultQuota> for DefaultQuotaAnswer {
    fn from(found: DefaultQuota) -> Self {
        let DefaultQuota { rule, source, disk_bytes } = found;
        let quota = rule.quota(disk_bytes);
        Self {
            images_max: quota.images_limit(),
            bytes_max: quota.bytes_limit(),
            disk_percent: match rule.bytes {
                ByteRule::DiskPercent(percent) => Some(percent),
                ByteRule::Unlimited | ByteRule::Bytes(_) => None,
            },
            disk_bytes,
            source: match source {
                QuotaSource::Configuration => SourceName::Configuration,
                QuotaSource::Administrator => SourceName::Administrator,
                QuotaSource::BuiltIn => SourceName::BuiltIn,
            },
        }
    }
}
