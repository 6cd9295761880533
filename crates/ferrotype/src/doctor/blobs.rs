//! Where objects are: whether one can be written, read by a signed URL, and deleted.

use std::time::{Duration, SystemTime};

use blob::{Access, BlobKey, Blobs, PutLimits, S3Config};
use bytes::Bytes;
use model::{ImageId, Timestamp};

use super::Finding;
use super::data_folder::is_ours;
use super::neighbour::PATIENCE;
use crate::config::{BlobConfig, Config};
use crate::data_folder::DataFolder;
use crate::http_client::{self, causes};

const CHECK: &str = "blobs";
const CONTENT: &[u8] = b"ferrotype doctor was here and forgot to remove this";
/// S3 refuses requests that are signed a quarter of an hour off.
const CLOCK_PROBLEM: Duration = Duration::from_secs(10 * 60);
const CLOCK_WARNING: Duration = Duration::from_secs(30);

/// Tries the store that the configuration names.
pub(super) async fn check(config: &Config) -> Vec<Finding> {
    match &config.blob {
        BlobConfig::Folder => vec![check_folder(config).await],
        BlobConfig::S3(s3) => check_s3(s3).await,
    }
}

async fn check_folder(config: &Config) -> Finding {
    let folder = DataFolder::new(&config.data_folder).blobs();
    let shown = folder.display();
    if !folder.exists() {
        return Finding::ok(CHECK, format_args!("there are none yet in {shown}"));
    }
    if !is_ours(&folder) {
        let found = format!("{shown} belongs to another user and is not tried");
        return Finding::warning(CHECK, found).remedy("run this as its owner");
    }
    let tried = async {
        let blobs = Blobs::open_folder(&folder).await?;
        let key = new_key();
        let limits = PutLimits::at_most(CONTENT.len() as u64);
        let put = blobs.put_bytes(&key, Bytes::from_static(CONTENT), &limits).await?;
        let read = blobs.measure(&key).await;
        blobs.delete(&key).await?;
        Ok::<_, blob::Error>(put == read?)
    };
    match tried.await {
        Ok(true) => Finding::ok(CHECK, format_args!("{shown}: written, read and deleted")),
        Ok(false) => Finding::problem(CHECK, format_args!("{shown} gives back other bytes"))
            .remedy("check the disk"),
        Err(error) => Finding::problem(CHECK, error),
    }
}

async fn check_s3(config: &S3Config) -> Vec<Finding> {
    let config = S3Config { retry_for_max: PATIENCE, ..config.clone() };
    let place = config.endpoint.clone().unwrap_or_else(|| "Amazon S3".to_owned());
    let what = format!("bucket {:?} at {place}", config.bucket);
    let blobs = match Blobs::open_s3(&config).await {
        Ok(blobs) => blobs,
        Err(error) => return vec![Finding::problem(CHECK, error)],
    };
    let key = new_key();
    let limits = PutLimits::at_most(CONTENT.len() as u64);
    if let Err(error) = blobs.put_bytes(&key, Bytes::from_static(CONTENT), &limits).await {
        return vec![Finding::problem(CHECK, error)];
    }
    let fetched = fetch(&blobs, &key).await;
    // The sweeper of the workers would remove it, but not today.
    let deleted = blobs.delete(&key).await;
    let mut findings = vec![match (&fetched, deleted) {
        (_, Err(error)) => Finding::problem(CHECK, error),
        (Err(problem), _) => {
            Finding::problem(CHECK, format_args!("{what}: a signed URL does not work: {problem}"))
                .remedy("check the endpoint, blob.s3.path_style and the clock of this machine")
        }
        (Ok(_), Ok(())) => {
            Finding::ok(CHECK, format_args!("{what}: written, read by a signed URL and deleted"))
        }
    }];
    findings.extend(fetched.ok().flatten().map(check_clock));
    findings
}

/// Reads the object as browsers do. Returns the time by the store's clock, if it tells.
async fn fetch(blobs: &Blobs, key: &BlobKey) -> Result<Option<SystemTime>, String> {
    let until = now().after(Duration::from_secs(60));
    let signed = blobs.sign(key, &Access::Get, until).await.map_err(|error| error.to_string())?;
    // A signed URL is a secret for as long as it works.
    let url = signed.url.as_str();
    let client = http_client::builder(url).timeout(PATIENCE).build().map_err(causes)?;
    let answer = client.get(url).send().await.map_err(causes)?;
    if !answer.status().is_success() {
        return Err(format!("it answers {}", answer.status()));
    }
    let date = answer.headers().get(reqwest::header::DATE);
    let date = date.and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok());
    let body = answer.bytes().await.map_err(causes)?;
    if body != CONTENT {
        return Err("it gives other bytes than were written".to_owned());
    }
    Ok(date)
}

fn check_clock(theirs: SystemTime) -> Finding {
    const CHECK: &str = "clock";
    let ours = SystemTime::now();
    let off = ours.duration_since(theirs).unwrap_or_else(|early| early.duration());
    let found = format!("{} s away from that of the store", off.as_secs());
    let remedy = "set the clock of this machine (NTP)";
    match off {
        off if off >= CLOCK_PROBLEM => Finding::problem(CHECK, found).remedy(remedy),
        off if off >= CLOCK_WARNING => Finding::warning(CHECK, found).remedy(remedy),
        _ => Finding::ok(CHECK, found),
    }
}

/// A key among those of uploads that nobody has begun.
fn new_key() -> BlobKey {
    BlobKey::Upload(ImageId::new(now(), rand::random()))
}

fn now() -> Timestamp {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Status;

    #[test]
    fn clocks_may_differ_a_little() {
        let off = |seconds| check_clock(SystemTime::now() - Duration::from_secs(seconds)).status;
        assert_eq!([off(1), off(60), off(3600)], [Status::Ok, Status::Warning, Status::Problem]);
        let ahead = check_clock(SystemTime::now() + Duration::from_secs(3600));
        assert_eq!(ahead.status, Status::Problem);
    }
}
