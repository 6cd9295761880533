//! Writing many items without conditions.

use aws_sdk_dynamodb::types::{DeleteRequest, PutRequest, ReturnConsumedCapacity, WriteRequest};
use table::{BatchEntry, Error, Result};

use crate::attribute::{from_item, from_key};
use crate::engine::DynamoTable;
use crate::operation::Operation;
use crate::read::unprocessed;

impl DynamoTable {
    /// Writes valid entries; repeating any of them is harmless by the trait's contract.
    pub(crate) async fn write_all(&self, entries: &[BatchEntry]) -> Result<()> {
        let mut wanted = entries.iter().map(write_request).collect::<Result<Vec<_>>>()?;
        let mut retry = self.retry(Operation::BatchWrite);
        while !wanted.is_empty() {
            let request = self
                .client
                .batch_write_item()
                .request_items(&self.name, wanted.clone())
                .return_consumed_capacity(ReturnConsumedCapacity::Indexes);
            match retry.attempt(request.send()).await {
                Ok(answer) => {
                    self.capacity.count(Operation::BatchWrite, answer.consumed_capacity());
                    let left = answer.unprocessed_items.unwrap_or_default().remove(&self.name);
                    let left = left.unwrap_or_default();
                    if left.len() < wanted.len() {
                        retry.made_progress();
                        retry.has_written();
                    }
                    wanted = left;
                    if !wanted.is_empty() {
                        retry.after(unprocessed(wanted.len())).await?;
                    }
                }
                Err(fault) => retry.after(fault).await?,
            }
        }
        Ok(())
    }
}

fn write_request(entry: &BatchEntry) -> Result<WriteRequest> {
    let request = WriteRequest::builder();
    let request = match entry {
        BatchEntry::Put(item) => {
            let put = PutRequest::builder().set_item(Some(from_item(item))).build();
            request.put_request(put.map_err(Error::invalid)?)
        }
        BatchEntry::Delete(key) => {
            let delete = DeleteRequest::builder().set_key(Some(from_key(key))).build();
            request.delete_request(delete.map_err(Error::invalid)?)
        }
    };
    Ok(request.build())
}
