//! Transactions: all or nothing, and exactly once.
//!
//! Every attempt of one transaction carries the same token, by which DynamoDB recognises one
//! that it has carried out already; so a lost answer may be asked for again. Even a single
//! write goes this way: a plain one that is repeated could overwrite what somebody else wrote
//! in between. The request is changed, under a new token, only when the one before is known
//! not to have been carried out.

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    CancellationReason, ConditionCheck, Delete, Put, ReturnConsumedCapacity,
    ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use table::{Action, Change, Effect, Error, Item, Key, Refusal, Result, Transacted};

use crate::attribute::{from_item, from_key, to_item};
use crate::engine::DynamoTable;
use crate::expression::{Guard, Placeholders};
use crate::fault::Fault;
use crate::operation::Operation;
use crate::retry::Retry;

/// How one attempt ended, if it was answered.
enum Attempt {
    Done,
    /// Nothing was written, for these reasons, one for each action.
    Cancelled(Vec<CancellationReason>),
    /// Nothing was written, because the request as such was refused.
    Rejected(Fault),
    /// Somebody else's transaction has our token.
    TokenTaken,
}

/// What the reasons of a cancelled transaction come to.
enum Verdict {
    Refused(Vec<Refusal>),
    /// Some items have expired, or no longer have: their updates must be made differently.
    Changed,
    /// The items found do not explain it, or none were sent; if the server took the request
    /// to be wrong, what it said.
    Unexplained(Option<Fault>),
}

/// How an update is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// As an update of an item that has not expired.
    Change,
    /// As a fresh item in the place of one that has.
    Afresh,
}

impl DynamoTable {
    pub(crate) async fn run_transaction(&self, actions: &[Action]) -> Result<Transacted> {
        if let [Action { effect: Effect::Check(key), .. }] = actions {
            return self.check_alone(key, actions).await;
        }
        if actions.iter().any(|action| self.never_fits(action)) {
            return self.decide_unsent(actions).await;
        }
        self.send_until_decided(actions).await
    }

    async fn send_until_decided(&self, actions: &[Action]) -> Result<Transacted> {
        let now = self.clock.now_seconds();
        let mut modes = vec![Mode::Change; actions.len()];
        let mut items = self.write_items(actions, &modes, now)?;
        let mut token = new_token();
        let mut retry = self.retry(Operation::Transact);
        loop {
            let verdict = match retry.attempt(self.attempt(items.clone(), &token)).await {
                Ok(Attempt::Done) => return Ok(Transacted::Done),
                Ok(Attempt::Cancelled(reasons)) => self.judge(actions, &mut modes, reasons, now)?,
                Ok(Attempt::Rejected(fault)) => Verdict::Unexplained(Some(fault)),
                Ok(Attempt::TokenTaken) => Verdict::Changed,
                Err(fault) => {
                    retry.after(fault).await?;
                    continue;
                }
            };
            if let Verdict::Refused(refusals) = verdict {
                return Ok(Transacted::Refused(refusals));
            }
            ensure_not_written(&retry)?;
            if let Verdict::Unexplained(rejection) = verdict {
                if let Some(refused) = self.decide(actions).await? {
                    return Ok(refused);
                }
                if let Some(fault) = rejection.filter(|_| retry.attempts() >= REJECTIONS_MAX) {
                    return Err(retry.error(fault));
                }
            }
            retry.after(Fault::Conflict).await?;
            items = self.write_items(actions, &modes, now)?;
            token = new_token();
        }
    }

    async fn attempt(
        &self,
        items: Vec<TransactWriteItem>,
        token: &str,
    ) -> std::result::Result<Attempt, Fault> {
        let answer = self
            .client
            .transact_write_items()
            .set_transact_items(Some(items))
            .client_request_token(token)
            .return_consumed_capacity(ReturnConsumedCapacity::Indexes)
            .send()
            .await;
        let error = match answer {
            Ok(answer) => {
                self.capacity.count(Operation::Transact, answer.consumed_capacity());
                return Ok(Attempt::Done);
            }
            Err(error) => error,
        };
        match error.as_service_error() {
            Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                let reasons = cancelled.cancellation_reasons().to_vec();
                return passing_fault(&reasons).map_or(Ok(Attempt::Cancelled(reasons)), Err);
            }
            Some(TransactWriteItemsError::IdempotentParameterMismatchException(_)) => {
                return Ok(Attempt::TokenTaken);
            }
            _ => {}
        }
        match Fault::from(error) {
            fault @ Fault::Rejected { .. } => Ok(Attempt::Rejected(fault)),
            fault => Err(fault),
        }
    }

    /// Finds out what a cancelled transaction was refused for, by the items that the server
    /// found, and which updates must be made in another way.
    fn judge(
        &self,
        actions: &[Action],
        modes: &mut [Mode],
        reasons: Vec<CancellationReason>,
        now: i64,
    ) -> Result<Verdict> {
        let mut refusals = Vec::new();
        let mut senseless = None;
        let mut rejection = None;
        let mut changed = false;
        let judged = actions.iter().zip(modes).zip(reasons).enumerate();
        for (index, ((action, mode), reason)) in judged {
            match reason.code() {
                Some("ConditionalCheckFailed") => {}
                None | Some("None") => continue,
                Some(code) => {
                    let message = reason.message().unwrap_or_default().to_owned();
                    rejection = Some(Fault::Rejected { code: code.to_owned(), message });
                    continue;
                }
            }
            let found = reason.item.filter(|item| !item.is_empty()).map(to_item).transpose()?;
            let expired = found.as_ref().is_some_and(|item| item.is_expired(now));
            let live = found.filter(|_| !expired);
            if let Some(refusal) = action.refusal(index, live.as_ref()) {
                refusals.push(refusal);
                continue;
            }
            let fitting = if expired { Mode::Afresh } else { Mode::Change };
            if is_update(action) && *mode != fitting {
                *mode = fitting;
                changed = true;
            } else if let Err(error) = action.result(live.as_ref(), &self.schema) {
                senseless.get_or_insert(error);
            }
        }
        match senseless {
            _ if !refusals.is_empty() => Ok(Verdict::Refused(refusals)),
            Some(error) => Err(error),
            None if changed => Ok(Verdict::Changed),
            None => Ok(Verdict::Unexplained(rejection)),
        }
    }

    /// What the reference engine would say of these actions, by the items as they are now:
    /// refused, senseless (an error), or nothing to say against it.
    async fn decide(&self, actions: &[Action]) -> Result<Option<Transacted>> {
        let keys: Vec<Key> = actions.iter().map(|action| action.key().clone()).collect();
        let found = self.find_all(&keys).await?;
        let pairs = || actions.iter().zip(found.iter().map(Option::as_ref));
        let refusals: Vec<Refusal> = pairs()
            .enumerate()
            .filter_map(|(index, (action, found))| action.refusal(index, found))
            .collect();
        if !refusals.is_empty() {
            return Ok(Some(Transacted::Refused(refusals)));
        }
        for (action, found) in pairs() {
            action.result(found, &self.schema)?;
        }
        Ok(None)
    }

    /// Whether an update cannot succeed whatever it finds, because of what it sets.
    fn never_fits(&self, action: &Action) -> bool {
        let Effect::Update(key, changes) = &action.effect else { return false };
        let mut set = Item::new(key.clone());
        for change in changes {
            if let Change::Set(name, value) = change {
                set.attributes.insert(name.into(), value.clone());
            }
        }
        set.validate(&self.schema).is_err()
    }

    /// Decides a transaction that cannot succeed: it is refused or senseless.
    async fn decide_unsent(&self, actions: &[Action]) -> Result<Transacted> {
        match self.decide(actions).await? {
            Some(refused) => Ok(refused),
            None => Err(Error::invalid("an update sets what no item can hold")),
        }
    }

    /// A check by itself only reads.
    async fn check_alone(&self, key: &Key, actions: &[Action]) -> Result<Transacted> {
        let found = self.find(key).await?;
        let refusals = actions.iter().enumerate();
        let refusals: Vec<Refusal> =
            refusals.filter_map(|(index, action)| action.refusal(index, found.as_ref())).collect();
        if refusals.is_empty() { Ok(Transacted::Done) } else { Ok(Transacted::Refused(refusals)) }
    }

    fn write_items(
        &self,
        actions: &[Action],
        modes: &[Mode],
        now: i64,
    ) -> Result<Vec<TransactWriteItem>> {
        let pairs = actions.iter().zip(modes);
        pairs.map(|(action, mode)| self.write_item(action, *mode, now)).collect()
    }

    fn write_item(&self, action: &Action, mode: Mode, now: i64) -> Result<TransactWriteItem> {
        let mut placeholders = Placeholders::new(now);
        let item = TransactWriteItem::builder();
        let item = match &action.effect {
            Effect::Put(new) => {
                let condition = placeholders.condition(&action.conditions, Guard::None, &[]);
                item.put(self.put(new, condition, &placeholders)?)
            }
            Effect::Update(key, changes) => match mode {
                Mode::Change => item.update(self.update(key, changes, action, placeholders)?),
                Mode::Afresh => {
                    let fresh = action.result(None, &self.schema)?;
                    let fresh = fresh.unwrap_or_else(|| Item::new(key.clone()));
                    let condition = placeholders.condition(&[], Guard::AbsentOrExpired, &[]);
                    item.put(self.put(&fresh, condition, &placeholders)?)
                }
            },
            Effect::Delete(key) => {
                let condition = placeholders.condition(&action.conditions, Guard::None, &[]);
                let delete = Delete::builder()
                    .table_name(&self.name)
                    .set_key(Some(from_key(key)))
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(placeholders.names())
                    .set_expression_attribute_values(placeholders.values())
                    .return_values_on_condition_check_failure(FOUND);
                item.delete(delete.build().map_err(Error::invalid)?)
            }
            Effect::Check(key) => {
                let condition = placeholders.condition(&action.conditions, Guard::None, &[]);
                let check = ConditionCheck::builder()
                    .table_name(&self.name)
                    .set_key(Some(from_key(key)))
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(placeholders.names())
                    .set_expression_attribute_values(placeholders.values())
                    .return_values_on_condition_check_failure(FOUND);
                item.condition_check(check.build().map_err(Error::invalid)?)
            }
        };
        Ok(item.build())
    }

    fn put(
        &self,
        item: &Item,
        condition: Option<String>,
        placeholders: &Placeholders,
    ) -> Result<Put> {
        Put::builder()
            .table_name(&self.name)
            .set_item(Some(from_item(item)))
            .set_condition_expression(condition)
            .set_expression_attribute_names(placeholders.names())
            .set_expression_attribute_values(placeholders.values())
            .return_values_on_condition_check_failure(FOUND)
            .build()
            .map_err(Error::invalid)
    }

    fn update(
        &self,
        key: &Key,
        changes: &[Change],
        action: &Action,
        mut placeholders: Placeholders,
    ) -> Result<Update> {
        let update = placeholders.update(changes);
        let condition = placeholders.condition(&action.conditions, Guard::NotExpired, changes);
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(from_key(key)))
            .update_expression(update)
            .set_condition_expression(condition)
            .set_expression_attribute_names(placeholders.names())
            .set_expression_attribute_values(placeholders.values())
            .return_values_on_condition_check_failure(FOUND)
            .build()
            .map_err(Error::invalid)
    }
}

const FOUND: ReturnValuesOnConditionCheckFailure = ReturnValuesOnConditionCheckFailure::AllOld;
/// How often a request is sent that the server takes to be wrong, when the items as they are
/// now do not show why: somebody may have changed them in between.
const REJECTIONS_MAX: u32 = 2;

/// The fault behind a cancellation that may pass by itself, if any reason is such a one.
fn passing_fault(reasons: &[CancellationReason]) -> Option<Fault> {
    reasons.iter().find_map(|reason| match reason.code()? {
        "TransactionConflict" => Some(Fault::Conflict),
        code @ ("ThrottlingError" | "ProvisionedThroughputExceeded" | "RequestLimitExceeded") => {
            Some(Fault::Throttled(code.to_owned()))
        }
        "InternalServerError" => Some(Fault::Lost("an action failed inside DynamoDB".to_owned())),
        _ => None,
    })
}

/// A lost attempt may have been carried out, or may still be: what is stored no longer tells
/// what it found, and under another token both could be carried out.
fn ensure_not_written(retry: &Retry<'_>) -> Result<()> {
    if retry.maybe_written() { Err(retry.error(Fault::Conflict)) } else { Ok(()) }
}

fn is_update(action: &Action) -> bool {
    matches!(action.effect, Effect::Update(..))
}

/// 128 random bits, in at most 36 characters.
fn new_token() -> String {
    format!("{:032x}", rand::random::<u128>())
}
