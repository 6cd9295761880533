//! Counters: a plain update, because a repetition only leaves a number out.

use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{
    ReturnConsumedCapacity, ReturnValue, ReturnValuesOnConditionCheckFailure,
};
use table::{Action, Change, Effect, Error, Item, Key, Result};

use crate::attribute::{AttributeMap, from_item, from_key, to_item};
use crate::engine::DynamoTable;
use crate::expression::{Guard, Placeholders};
use crate::fault::Fault;
use crate::operation::Operation;

/// How one attempt ended.
enum Added {
    /// With this new value.
    Value(i64),
    /// Refused, with the item found: it has expired, or has no room for the sum.
    Refused(Option<AttributeMap>),
}

impl DynamoTable {
    /// Adds to a counter; `action` is the same as an update.
    pub(crate) async fn add_to_counter(
        &self,
        key: &Key,
        attribute: &str,
        by: i64,
        action: &Action,
    ) -> Result<i64> {
        let mut retry = self.retry(Operation::Increment);
        let mut afresh = false;
        loop {
            let now = self.clock.now_seconds();
            let attempt = async {
                if afresh {
                    self.start_counter(action, by, now).await
                } else {
                    self.update_counter(key, attribute, action, now).await
                }
            };
            match retry.attempt(attempt).await {
                Ok(Added::Value(value)) => return Ok(value),
                Ok(Added::Refused(found)) => {
                    let found = found.filter(|item| !item.is_empty()).map(to_item).transpose()?;
                    let expired = found.as_ref().is_some_and(|item| item.is_expired(now));
                    if !expired {
                        action.result(found.as_ref(), &self.schema)?;
                    }
                    afresh = expired;
                    retry.after(Fault::Conflict).await?;
                }
                Err(Fault::Rejected { code, message }) => {
                    let found = self.find(key).await?;
                    action.result(found.as_ref(), &self.schema)?;
                    return Err(retry.error(Fault::Rejected { code, message }));
                }
                Err(fault) => retry.after(fault).await?,
            }
        }
    }

    async fn update_counter(
        &self,
        key: &Key,
        attribute: &str,
        action: &Action,
        now: i64,
    ) -> std::result::Result<Added, Fault> {
        let changes = changes(action);
        let mut placeholders = Placeholders::new(now);
        let update = placeholders.update(changes);
        let condition = placeholders.condition(&[], Guard::NotExpired, changes);
        let answer = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(from_key(key)))
            .update_expression(update)
            .set_condition_expression(condition)
            .set_expression_attribute_names(placeholders.names())
            .set_expression_attribute_values(placeholders.values())
            .return_values(ReturnValue::UpdatedNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Indexes)
            .send()
            .await;
        match answer {
            Ok(answer) => {
                self.capacity.count(Operation::Increment, answer.consumed_capacity());
                let mut changed = answer.attributes.unwrap_or_default();
                changed.extend(from_key(key));
                new_value(&to_item(changed)?, attribute).map(Added::Value)
            }
            Err(error) => match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(refused)) => {
                    Ok(Added::Refused(refused.item.clone()))
                }
                _ => Err(error.into()),
            },
        }
    }

    /// Puts a fresh counter in the place of one that has expired.
    async fn start_counter(
        &self,
        action: &Action,
        by: i64,
        now: i64,
    ) -> std::result::Result<Added, Fault> {
        let fresh = action.result(None, &self.schema)?;
        let mut placeholders = Placeholders::new(now);
        let condition = placeholders.condition(&[], Guard::AbsentOrExpired, &[]);
        let answer = self
            .client
            .put_item()
            .table_name(&self.name)
            .set_item(fresh.as_ref().map(from_item))
            .set_condition_expression(condition)
            .set_expression_attribute_names(placeholders.names())
            .set_expression_attribute_values(placeholders.values())
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Indexes)
            .send()
            .await;
        match answer {
            Ok(answer) => {
                self.capacity.count(Operation::Increment, answer.consumed_capacity());
                Ok(Added::Value(by))
            }
            Err(error) => match error.as_service_error() {
                Some(PutItemError::ConditionalCheckFailedException(refused)) => {
                    Ok(Added::Refused(refused.item.clone()))
                }
                _ => Err(error.into()),
            },
        }
    }
}

fn changes(action: &Action) -> &[Change] {
    match &action.effect {
        Effect::Update(_, changes) => changes,
        _ => &[],
    }
}

fn new_value(item: &Item, attribute: &str) -> std::result::Result<i64, Fault> {
    item.i64(attribute).ok_or_else(|| {
        Fault::Final(Error::Corrupt(format!(
            "counter {attribute:?} of item {:?} is no integer",
            item.key
        )))
    })
}
