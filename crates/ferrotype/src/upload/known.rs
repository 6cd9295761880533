//! Asking which files the server has, hundreds with one request.

use reqwest::Method;
use serde::Deserialize;
use serde_json::json;

use super::client::{Refusal, Server, accept, read_json, send};

/// Files asked about at once; the API takes no more.
pub(super) const SUMS_MAX: usize = 500;

#[derive(Deserialize)]
struct Known {
    items: Vec<KnownFile>,
}

#[derive(Deserialize)]
struct KnownFile {
    image: Option<String>,
    #[serde(default)]
    trashed: bool,
}

impl Server {
    /// The images that have these bytes, in the order of the sums. What is in the trash may be sent
    /// again. A server that does not know the question knows no file.
    pub(super) async fn find_known(&self, sums: &[&str]) -> Result<Vec<Option<String>>, Refusal> {
        let request = self.json(Method::POST, "/api/v1/images/exists", &json!({ "sha256": sums }));
        let answer = match accept(send(request).await?).await {
            Ok(answer) => answer,
            Err(Refusal::Gone { .. } | Refusal::File { .. } | Refusal::TooLong) => {
                return Ok(vec![None; sums.len()]);
            }
            Err(refusal) => return Err(refusal),
        };
        let known: Known =
            serde_json::from_value(read_json(answer).await?).map_err(|_| self.no_ferrotype())?;
        if known.items.len() != sums.len() {
            return Err(self.no_ferrotype());
        }
        let image = |known: KnownFile| known.image.filter(|_| !known.trashed);
        Ok(known.items.into_iter().map(image).collect())
    }
}
