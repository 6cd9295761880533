//! The features that guard a table's data. Each is switched on where the server has it, and
//! becomes a warning where it has not: Ferrotype runs without, the operator should know.

use std::fmt;
use std::time::Duration;

use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::operation::update_table::builders::UpdateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    PointInTimeRecoverySpecification, PointInTimeRecoveryStatus, SseSpecification, SseStatus,
    SseType, StreamSpecification, StreamViewType, TimeToLiveDescription, TimeToLiveSpecification,
    TimeToLiveStatus,
};
use table::TTL;

use crate::create::{CreateOptions, Encryption, Work, senseless};
use crate::describe::Description;
use crate::fault::Fault;
use crate::operation::Operation;
use crate::{DynamoTable, OpenError};

/// A feature of a table that guards its data or serves others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// DynamoDB removes items some time after they have expired.
    TimeToLive,
    /// The table can be restored to any second of the last weeks.
    PointInTimeRecovery,
    /// Every change can be read from a stream, with the item before and after.
    Streams,
    /// What is stored is encrypted with a key of AWS KMS.
    Encryption,
    /// The table cannot be deleted by mistake.
    DeletionProtection,
}

/// A feature that is not on, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The feature.
    pub feature: Feature,
    /// Why it is not on.
    pub reason: String,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TimeToLive => "time to live",
            Self::PointInTimeRecovery => "point-in-time recovery",
            Self::Streams => "streams",
            Self::Encryption => "encryption with a KMS key",
            Self::DeletionProtection => "deletion protection",
        })
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not on: {}", self.feature, self.reason)
    }
}

/// Asks for everything that can be asked for when a table is created.
pub(crate) fn with_features(
    request: CreateTableFluentBuilder,
    options: &CreateOptions,
) -> Result<CreateTableFluentBuilder, OpenError> {
    Ok(request
        .stream_specification(streams()?)
        .set_sse_specification(sse(&options.encryption))
        .deletion_protection_enabled(options.deletion_protection))
}

/// Switches on what is not on yet, and tells which features are on and which could not be.
pub(crate) async fn enable_all(work: &Work<'_>) -> Result<(Vec<Feature>, Vec<Warning>), OpenError> {
    let mut wanted = vec![Feature::TimeToLive, Feature::PointInTimeRecovery, Feature::Streams];
    if work.options.encryption != Encryption::AmazonOwnedKey {
        wanted.push(Feature::Encryption);
    }
    if work.options.deletion_protection {
        wanted.push(Feature::DeletionProtection);
    }
    let (mut features, mut warnings) = (Vec::new(), Vec::new());
    for feature in wanted {
        match enable(work, feature).await? {
            Ok(()) => features.push(feature),
            Err(reason) => warnings.push(Warning { feature, reason }),
        }
    }
    Ok((features, warnings))
}

/// Switches one feature on; the inner error says why it could not be.
async fn enable(work: &Work<'_>, feature: Feature) -> Result<Result<(), String>, OpenError> {
    loop {
        let fault = match try_enable(work, feature).await? {
            Ok(()) => return Ok(Ok(())),
            Err(fault) => fault,
        };
        match fault {
            Fault::Rejected { code, .. } if is_busy(&code) && !work.time_is_up() => {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            Fault::Rejected { code, message } => return Ok(Err(format!("{code} {message}"))),
            Fault::Denied(reason) => return Ok(Err(reason)),
            Fault::Final(error) => return Ok(Err(error.to_string())),
            fault => return Err(work.error(fault)),
        }
    }
}

/// Whether the server asks to wait, because the table was only just made or changed.
fn is_busy(code: &str) -> bool {
    matches!(
        code,
        "ContinuousBackupsUnavailableException"
            | "ResourceInUseException"
            | "LimitExceededException"
    )
}

async fn try_enable(work: &Work<'_>, feature: Feature) -> Result<Result<(), Fault>, OpenError> {
    match feature {
        Feature::TimeToLive => Ok(enable_ttl(work).await),
        Feature::PointInTimeRecovery => Ok(enable_recovery(work).await),
        Feature::Streams => {
            let change = work.update().stream_specification(streams()?);
            work.change_table(change, has_streams).await
        }
        Feature::Encryption => {
            let change = work.update().set_sse_specification(sse(&work.options.encryption));
            work.change_table(change, has_encryption).await
        }
        Feature::DeletionProtection => {
            let change = work.update().deletion_protection_enabled(true);
            work.change_table(change, has_deletion_protection).await
        }
    }
}

impl Work<'_> {
    fn update(&self) -> UpdateTableFluentBuilder {
        self.client.update_table().table_name(&self.config.table)
    }

    /// Changes the table, unless it has the feature already, and looks whether it has it then.
    async fn change_table(
        &self,
        change: UpdateTableFluentBuilder,
        has: fn(&Description) -> bool,
    ) -> Result<Result<(), Fault>, OpenError> {
        if has(&self.settled().await?) {
            return Ok(Ok(()));
        }
        if let Err(fault) = self.ask(|| change.clone().send()).await {
            return Ok(Err(fault));
        }
        Ok(if has(&self.settled().await?) { Ok(()) } else { Err(ignored()) })
    }
}

impl DynamoTable {
    /// The attribute by which the server removes expired items; none if it does not.
    ///
    /// # Errors
    /// When the server does not tell.
    pub async fn find_expiry_attribute(&self) -> table::Result<Option<String>> {
        let mut retry = self.retry(Operation::Administer);
        loop {
            let request = self.client.describe_time_to_live().table_name(&self.name);
            match retry.attempt(request.send()).await {
                Ok(found) => return Ok(expiry_attribute(found.time_to_live_description())),
                Err(fault) => retry.after(fault).await?,
            }
        }
    }
}

/// The attribute that items expire by, if they do.
fn expiry_attribute(found: Option<&TimeToLiveDescription>) -> Option<String> {
    let found = found.filter(|found| {
        matches!(
            found.time_to_live_status(),
            Some(TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling)
        )
    })?;
    Some(found.attribute_name().unwrap_or(TTL).to_owned())
}

async fn enable_ttl(work: &Work<'_>) -> Result<(), Fault> {
    let table = &work.config.table;
    let found = work.ask(|| work.client.describe_time_to_live().table_name(table).send()).await?;
    match expiry_attribute(found.time_to_live_description()) {
        Some(name) if name == TTL => return Ok(()),
        Some(name) => {
            return Err(Fault::Rejected {
                code: "DifferentAttribute".to_owned(),
                message: format!("it goes by attribute {name:?} instead of {TTL:?}"),
            });
        }
        None => {}
    }
    let wanted = TimeToLiveSpecification::builder().attribute_name(TTL).enabled(true).build();
    let wanted = wanted.map_err(table::Error::invalid)?;
    let request = work.client.update_time_to_live().table_name(table);
    let request = request.time_to_live_specification(wanted);
    work.ask(|| request.clone().send()).await.map(drop)
}

async fn enable_recovery(work: &Work<'_>) -> Result<(), Fault> {
    let table = &work.config.table;
    let request = work.client.describe_continuous_backups().table_name(table);
    let found = work.ask(|| request.clone().send()).await?;
    let status = found
        .continuous_backups_description()
        .and_then(|found| found.point_in_time_recovery_description())
        .and_then(|found| found.point_in_time_recovery_status());
    if status == Some(&PointInTimeRecoveryStatus::Enabled) {
        return Ok(());
    }
    let wanted = PointInTimeRecoverySpecification::builder()
        .point_in_time_recovery_enabled(true)
        .build()
        .map_err(table::Error::invalid)?;
    let request = work.client.update_continuous_backups().table_name(table);
    let request = request.point_in_time_recovery_specification(wanted);
    work.ask(|| request.clone().send()).await.map(drop)
}

fn has_streams(found: &Description) -> bool {
    found.0.stream_specification().is_some_and(|streams| {
        streams.stream_enabled()
            && streams.stream_view_type() == Some(&StreamViewType::NewAndOldImages)
    })
}

fn has_encryption(found: &Description) -> bool {
    let status = found.0.sse_description().and_then(|sse| sse.status());
    matches!(status, Some(SseStatus::Enabled | SseStatus::Enabling | SseStatus::Updating))
}

fn has_deletion_protection(found: &Description) -> bool {
    found.0.deletion_protection_enabled() == Some(true)
}

fn ignored() -> Fault {
    Fault::Rejected { code: "Ignored".to_owned(), message: "the server does not do it".to_owned() }
}

fn streams() -> Result<StreamSpecification, OpenError> {
    StreamSpecification::builder()
        .stream_enabled(true)
        .stream_view_type(StreamViewType::NewAndOldImages)
        .build()
        .map_err(|error| senseless(&error))
}

fn sse(encryption: &Encryption) -> Option<SseSpecification> {
    let specification = SseSpecification::builder().enabled(true).sse_type(SseType::Kms);
    match encryption {
        Encryption::AmazonOwnedKey => None,
        Encryption::AccountKey => Some(specification.build()),
        Encryption::Key(key) => Some(specification.kms_master_key_id(key).build()),
    }
}
