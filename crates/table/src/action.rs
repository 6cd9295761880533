use std::collections::HashSet;

use crate::item::validate_attribute;
use crate::{
    CHANGES_MAX, CONDITIONS_MAX, Condition, Error, Item, Key, Limit, Result, Schema,
    TRANSACTION_ACTIONS_MAX, TRANSACTION_BYTES_MAX, Value, first_unmet,
};

/// One part of a transaction: what to do with one item, if its conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What to do.
    pub effect: Effect,
    /// What must be true of the item as it is now; all of it.
    pub conditions: Vec<Condition>,
}

/// What an action does to its item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Store this item, in place of any with the same key.
    Put(Item),
    /// Change some attributes and keep the others; creates the item if there is none.
    Update(Key, Vec<Change>),
    /// Remove the item; nothing happens if there is none.
    Delete(Key),
    /// Only check the conditions.
    Check(Key),
}

/// A change of one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Give the attribute this value.
    Set(String, Value),
    /// Take the attribute away.
    Remove(String),
    /// Add to the attribute's integer; an absent attribute counts as 0. DynamoDB also adds
    /// to fractions, and cannot be told not to; the other engines refuse it.
    Add(String, i64),
}

/// How a transaction ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a refused transaction has written nothing"]
pub enum Transacted {
    /// Everything was written, durably.
    Done,
    /// Nothing was written, because of these actions' conditions, in their order.
    Refused(Vec<Refusal>),
}

/// An action whose conditions did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which action, counted from 0.
    pub action: usize,
    /// The first of its conditions that did not hold, counted from 0.
    pub condition: usize,
    /// The item as it was found.
    pub found: Option<Item>,
}

impl Transacted {
    /// Whether everything was written.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Done)
    }

    /// The refusal of one action, if it was refused.
    pub fn refusal(&self, action: usize) -> Option<&Refusal> {
        match self {
            Self::Done => None,
            Self::Refused(refusals) => refusals.iter().find(|refusal| refusal.action == action),
        }
    }
}

impl Action {
    /// Stores the item.
    pub fn put(item: Item) -> Self {
        Self { effect: Effect::Put(item), conditions: Vec::new() }
    }

    /// Changes the item of this key; add the changes with [`set`](Self::set),
    /// [`remove`](Self::remove) and [`add`](Self::add).
    pub fn update(key: Key) -> Self {
        Self { effect: Effect::Update(key, Vec::new()), conditions: Vec::new() }
    }

    /// Removes the item of this key.
    pub fn delete(key: Key) -> Self {
        Self { effect: Effect::Delete(key), conditions: Vec::new() }
    }

    /// Checks the item of this key.
    pub fn check(key: Key) -> Self {
        Self { effect: Effect::Check(key), conditions: Vec::new() }
    }

    /// Only if this condition holds, too.
    #[must_use]
    pub fn when(mut self, condition: Condition) -> Self {
        self.conditions.push(condition);
        self
    }

    /// Also sets an attribute. Has no effect on actions other than an update.
    #[must_use]
    pub fn set(self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.change(Change::Set(name.into(), value.into()))
    }

    /// Also removes an attribute. Has no effect on actions other than an update.
    #[must_use]
    pub fn remove(self, name: impl Into<String>) -> Self {
        self.change(Change::Remove(name.into()))
    }

    /// Also adds to an attribute. Has no effect on actions other than an update.
    #[must_use]
    pub fn add(self, name: impl Into<String>, by: i64) -> Self {
        self.change(Change::Add(name.into(), by))
    }

    fn change(mut self, change: Change) -> Self {
        if let Effect::Update(_, changes) = &mut self.effect {
            changes.push(change);
        }
        self
    }

    /// The key of the item it is about.
    pub fn key(&self) -> &Key {
        match &self.effect {
            Effect::Put(item) => &item.key,
            Effect::Update(key, _) | Effect::Delete(key) | Effect::Check(key) => key,
        }
    }

    /// The refusal of this action, as the `index`th, if its conditions do not hold for the
    /// item found.
    pub fn refusal(&self, index: usize, found: Option<&Item>) -> Option<Refusal> {
        let condition = first_unmet(&self.conditions, found)?;
        Some(Refusal { action: index, condition, found: found.cloned() })
    }

    /// What the item becomes: an item, or `None` when it is gone (or was never there).
    ///
    /// # Errors
    /// When the result would break a limit, or a change does not fit the attribute found.
    pub fn result(&self, found: Option<&Item>, schema: &Schema) -> Result<Option<Item>> {
        match &self.effect {
            Effect::Put(item) => Ok(Some(item.clone())),
            Effect::Delete(_) => Ok(None),
            Effect::Check(_) => Ok(found.cloned()),
            Effect::Update(key, changes) => {
                let mut item = found.cloned().unwrap_or_else(|| Item::new(key.clone()));
                for change in changes {
                    change.apply(&mut item)?;
                }
                item.validate(schema)?;
                Ok(Some(item))
            }
        }
    }

    fn validate(&self, schema: &Schema) -> Result<()> {
        self.key().validate()?;
        if self.conditions.len() > CONDITIONS_MAX {
            let what = format_args!("an action on {:?}", self.key());
            return Err(Error::limit(Limit::ActionConditions, what));
        }
        for condition in &self.conditions {
            condition.validate()?;
        }
        match &self.effect {
            Effect::Put(item) => item.validate(schema),
            Effect::Update(key, changes) => validate_changes(key, changes),
            Effect::Check(key) if self.conditions.is_empty() => {
                Err(Error::invalid(format_args!("the check of {key:?} has no condition")))
            }
            Effect::Delete(_) | Effect::Check(_) => Ok(()),
        }
    }

    fn size_bytes(&self) -> usize {
        let key = self.key();
        match &self.effect {
            Effect::Put(item) => item.size_bytes(),
            Effect::Update(_, changes) => {
                key.pk.len() + key.sk.len() + changes.iter().map(Change::size_bytes).sum::<usize>()
            }
            Effect::Delete(_) | Effect::Check(_) => key.pk.len() + key.sk.len(),
        }
    }
}

impl Change {
    /// The attribute it is about.
    pub fn name(&self) -> &str {
        match self {
            Self::Set(name, _) | Self::Remove(name) | Self::Add(name, _) => name,
        }
    }

    pub(crate) fn apply(&self, item: &mut Item) -> Result<()> {
        match self {
            Self::Set(name, value) => {
                item.attributes.insert(name.into(), value.clone());
            }
            Self::Remove(name) => {
                item.attributes.remove(name.as_str());
            }
            Self::Add(name, by) => {
                let sum = self.sum(item.get(name), *by, &item.key)?;
                item.attributes.insert(name.into(), sum);
            }
        }
        Ok(())
    }

    fn sum(&self, found: Option<&Value>, by: i64, key: &Key) -> Result<Value> {
        let found = match found {
            None => Some(0),
            Some(value) => value.as_i64(),
        };
        found.and_then(|found| found.checked_add(by)).map(Value::int).ok_or_else(|| {
            Error::invalid(format_args!(
                "cannot add {by} to attribute {:?} of {key:?}: it is no integer with room for it",
                self.name()
            ))
        })
    }

    fn size_bytes(&self) -> usize {
        match self {
            Self::Set(name, value) => name.len() + value.size_bytes(),
            Self::Remove(name) | Self::Add(name, _) => name.len(),
        }
    }
}

fn validate_changes(key: &Key, changes: &[Change]) -> Result<()> {
    if changes.is_empty() {
        return Err(Error::invalid(format_args!("the update of {key:?} changes nothing")));
    }
    if changes.len() > CHANGES_MAX {
        return Err(Error::limit(Limit::UpdateChanges, format_args!("the update of {key:?}")));
    }
    let mut names = HashSet::new();
    for change in changes {
        match change {
            Change::Set(name, value) => validate_attribute(name, value)?,
            Change::Remove(name) | Change::Add(name, _) => {
                validate_attribute(name, &Value::int(0))?;
            }
        }
        if !names.insert(change.name()) {
            return Err(Error::invalid(format_args!(
                "the update of {key:?} changes attribute {:?} twice",
                change.name()
            )));
        }
    }
    Ok(())
}

/// Checks everything that can be known to be wrong with a transaction before it is sent.
///
/// # Errors
/// [`Error::Limit`] or [`Error::Invalid`], naming what is wrong.
pub fn validate_transaction(actions: &[Action], schema: &Schema) -> Result<()> {
    if actions.is_empty() || actions.len() > TRANSACTION_ACTIONS_MAX {
        let what = format_args!("a transaction of {} actions", actions.len());
        return Err(Error::limit(Limit::TransactionActions, what));
    }
    let mut keys = HashSet::new();
    for action in actions {
        action.validate(schema)?;
        if !keys.insert(action.key()) {
            return Err(Error::invalid(format_args!(
                "two actions of one transaction are about the item {:?}",
                action.key()
            )));
        }
    }
    let size_bytes: usize = actions.iter().map(Action::size_bytes).sum();
    if size_bytes > TRANSACTION_BYTES_MAX {
        let what = format_args!("a transaction of {size_bytes} bytes");
        return Err(Error::limit(Limit::TransactionBytes, what));
    }
    Ok(())
}
