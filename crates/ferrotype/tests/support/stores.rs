//! Where a server keeps what it is given: the data folder, or DynamoDB and S3.

use std::path::Path;
use std::process::Command;

use tempfile::{TempDir, tempdir};
use testkit::servers::{ACCESS_KEY_ID, Dynoxide, Ministack, REGION, SECRET_ACCESS_KEY};

use super::program::{Server, ferrotype, run};

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// Empty stores of a test's own, and a server on them whenever it is started.
pub struct Stores {
    folder: TempDir,
    environment: Vec<(String, String)>,
}

impl Stores {
    /// The embedded table and a folder.
    pub fn embedded() -> Self {
        Self { folder: tempdir().unwrap(), environment: Vec::new() }
    }

    /// A DynamoDB table and an S3 bucket, on servers that speak these protocols.
    pub fn distributed() -> Self {
        let name = format!("api-{:016x}", rand::random::<u64>());
        let objects = Ministack::shared().endpoint();
        create_bucket(&objects, &name);
        let mut environment = dynamodb(&Dynoxide::shared().endpoint(), &name);
        environment.extend(s3(&objects, &name));
        let stores = Self { folder: tempdir().unwrap(), environment };
        run(stores.command(&["table", "create"])).success();
        stores
    }

    /// The same with a setting, by its variable.
    #[must_use]
    pub fn with(mut self, variable: &str, value: &str) -> Self {
        self.environment.push((variable.to_owned(), value.to_owned()));
        self
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The program on these stores.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = ferrotype(self.folder.path(), arguments);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// A server on these stores.
    pub fn serve(&self) -> Server {
        Server::spawn(self.command(&SERVE))
    }

    /// The same, where it was before.
    pub fn serve_at(&self, address: &str) -> Server {
        Server::spawn(self.command(&["serve", "--listen", address]))
    }
}

/// Settings for a DynamoDB table.
pub fn dynamodb(endpoint: &str, table: &str) -> Vec<(String, String)> {
    settings(&[
        ("TABLE_ENGINE", "dynamodb"),
        ("TABLE_DYNAMODB_NAME", table),
        ("TABLE_DYNAMODB_ENDPOINT", endpoint),
        ("TABLE_DYNAMODB_REGION", REGION),
        ("TABLE_DYNAMODB_ACCESS_KEY_ID", ACCESS_KEY_ID),
        ("TABLE_DYNAMODB_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY),
    ])
}

/// Settings for an S3 bucket.
pub fn s3(endpoint: &str, bucket: &str) -> Vec<(String, String)> {
    settings(&[
        ("BLOB_ENGINE", "s3"),
        ("BLOB_S3_BUCKET", bucket),
        ("BLOB_S3_ENDPOINT", endpoint),
        ("BLOB_S3_REGION", REGION),
        ("BLOB_S3_ACCESS_KEY_ID", ACCESS_KEY_ID),
        ("BLOB_S3_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY),
    ])
}

fn settings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| (format!("FERROTYPE_{name}"), (*value).to_owned())).collect()
}

/// The test server looks for a signature in the headers, but does not verify it.
pub fn create_bucket(endpoint: &str, bucket: &str) {
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential={ACCESS_KEY_ID}/20250101/{REGION}/s3/aws4_request, \
         SignedHeaders=host;x-amz-date, Signature=0"
    );
    let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
    let request = agent.put(format!("{endpoint}/{bucket}"));
    let request = request.header("authorization", authorization);
    request.header("x-amz-date", "20250101T000000Z").send_empty().unwrap();
}
