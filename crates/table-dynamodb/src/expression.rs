//! Conditions, changes and key ranges as DynamoDB's expressions, with placeholders for every
//! name and value, so that no name can be mistaken for a reserved word or for syntax.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use table::{Change, Condition, Index, PK, Query, SK, SortRange, SortValue, TTL};

use crate::attribute::{from_value, number, text};

/// What an action asks of its item besides its own conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Nothing.
    None,
    /// It has not expired: an update would otherwise keep what expired.
    NotExpired,
    /// It is absent or has expired, so that it may be replaced by a fresh one.
    AbsentOrExpired,
}

/// The placeholders of one request's expressions.
#[derive(Debug)]
pub(crate) struct Placeholders {
    names: HashMap<String, String>,
    values: Vec<AttributeValue>,
    now_seconds: i64,
    now: Option<String>,
}

impl Placeholders {
    /// No placeholders yet; items expire as of `now_seconds`.
    pub(crate) fn new(now_seconds: i64) -> Self {
        Self { names: HashMap::new(), values: Vec::new(), now_seconds, now: None }
    }

    /// What stands for which name; absent when there is none, as DynamoDB wants it.
    pub(crate) fn names(&self) -> Option<HashMap<String, String>> {
        let names =
            self.names.iter().map(|(name, placeholder)| (placeholder.clone(), name.clone()));
        (!self.names.is_empty()).then(|| names.collect())
    }

    /// What stands for which value.
    pub(crate) fn values(&self) -> Option<HashMap<String, AttributeValue>> {
        let values = self.values.iter().enumerate();
        let values = values.map(|(index, value)| (value_placeholder(index), value.clone()));
        (!self.values.is_empty()).then(|| values.collect())
    }

    fn name(&mut self, name: &str) -> String {
        let next = self.names.len();
        self.names.entry(name.to_owned()).or_insert_with(|| format!("#n{next}")).clone()
    }

    fn value(&mut self, value: AttributeValue) -> String {
        self.values.push(value);
        value_placeholder(self.values.len() - 1)
    }

    fn now(&mut self) -> String {
        if let Some(now) = &self.now {
            return now.clone();
        }
        let now = self.value(number(self.now_seconds));
        self.now = Some(now.clone());
        now
    }

    fn exists(&mut self, name: &str) -> String {
        format!("attribute_exists({})", self.name(name))
    }

    fn lacks(&mut self, name: &str) -> String {
        format!("attribute_not_exists({})", self.name(name))
    }

    fn compare(&mut self, name: &str, operator: &str, value: AttributeValue) -> String {
        format!("{} {operator} {}", self.name(name), self.value(value))
    }

    /// False for an absent item and for one without a numeric `ttl`.
    fn expired(&mut self) -> String {
        format!("{} < {}", self.name(TTL), self.now())
    }

    /// True for an absent item as well.
    fn not_expired(&mut self) -> String {
        format!("({} OR NOT {})", self.lacks(TTL), self.expired())
    }

    /// The condition expression of an action; nothing when there is nothing to ask.
    pub(crate) fn condition(
        &mut self,
        conditions: &[Condition],
        guard: Guard,
        changes: &[Change],
    ) -> Option<String> {
        if guard == Guard::AbsentOrExpired {
            return Some(format!("({} OR {})", self.lacks(PK), self.expired()));
        }
        let mut terms = Vec::new();
        let live = guard == Guard::NotExpired || conditions.iter().any(needs_item);
        if live {
            terms.push(self.not_expired());
        }
        for condition in conditions {
            let term = self.term(condition);
            // An expired item has nothing, so what asks for absence holds for it.
            terms.push(if live { term } else { format!("({term} OR {})", self.expired()) });
        }
        terms.extend(changes.iter().filter_map(|change| self.room(change)));
        (!terms.is_empty()).then(|| terms.join(" AND "))
    }

    fn term(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Absent => self.lacks(PK),
            Condition::Present => self.exists(PK),
            Condition::Equals(name, value) => self.compare(name, "=", from_value(value)),
            Condition::AtLeast(name, least) => self.compare(name, ">=", number(*least)),
            Condition::AtMost(name, most) => self.compare(name, "<=", number(*most)),
            Condition::Has(name) => self.exists(name),
            Condition::Lacks(name) => self.lacks(name),
        }
    }

    /// That a sum stays a 64-bit integer; DynamoDB alone would go on to 38 digits.
    fn room(&mut self, change: &Change) -> Option<String> {
        let Change::Add(name, by) = change else { return None };
        let (operator, bound) = match by.signum() {
            1 => ("<=", i64::MAX - by),
            -1 => (">=", i64::MIN - by),
            _ => return None,
        };
        let absent = self.lacks(name);
        let fits = self.compare(name, operator, number(bound));
        Some(format!("({absent} OR {fits})"))
    }

    /// The update expression of some changes.
    pub(crate) fn update(&mut self, changes: &[Change]) -> String {
        let (mut set, mut remove, mut add) = (Vec::new(), Vec::new(), Vec::new());
        for change in changes {
            match change {
                Change::Set(name, value) => set.push(self.compare(name, "=", from_value(value))),
                Change::Remove(name) => remove.push(self.name(name)),
                Change::Add(name, by) => {
                    add.push(format!("{} {}", self.name(name), self.value(number(*by))));
                }
            }
        }
        [("SET", set), ("REMOVE", remove), ("ADD", add)]
            .into_iter()
            .filter(|(_, parts)| !parts.is_empty())
            .map(|(clause, parts)| format!("{clause} {}", parts.join(", ")))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The key condition of a query.
    pub(crate) fn key_condition(&mut self, query: &Query, index: Option<&Index>) -> String {
        let (partition, sort) = index.map_or((PK, SK), |index| (index.partition, index.sort));
        let partition = self.compare(partition, "=", text(&query.partition));
        match &query.range {
            SortRange::All => partition,
            SortRange::Prefix(prefix) => {
                let (sort, prefix) = (self.name(sort), self.value(text(prefix)));
                format!("{partition} AND begins_with({sort}, {prefix})")
            }
            SortRange::Between(low, high) => {
                let low = self.compare(sort, "BETWEEN", from_sort(low));
                format!("{partition} AND {low} AND {}", self.value(from_sort(high)))
            }
            SortRange::From(low) => {
                format!("{partition} AND {}", self.compare(sort, ">=", from_sort(low)))
            }
            SortRange::To(high) => {
                format!("{partition} AND {}", self.compare(sort, "<=", from_sort(high)))
            }
        }
    }
}

pub(crate) fn from_sort(sort: &SortValue) -> AttributeValue {
    match sort {
        SortValue::S(value) => text(value),
        SortValue::N(value) => number(*value),
    }
}

fn value_placeholder(index: usize) -> String {
    format!(":v{index}")
}

/// Whether a condition can hold only for an item that is there.
fn needs_item(condition: &Condition) -> bool {
    !matches!(condition, Condition::Absent | Condition::Lacks(_))
}

#[cfg(test)]
mod tests {
    use table::Value;

    use super::*;

    fn condition(conditions: &[Condition], guard: Guard, changes: &[Change]) -> Option<String> {
        Placeholders::new(100).condition(conditions, guard, changes)
    }

    #[test]
    fn without_conditions_nothing_is_asked() {
        assert_eq!(condition(&[], Guard::None, &[]), None);
    }

    #[test]
    fn what_needs_an_item_needs_a_live_one() {
        assert_eq!(
            condition(&[Condition::Present, Condition::Lacks("a".into())], Guard::None, &[]),
            Some(
                "(attribute_not_exists(#n0) OR NOT #n0 < :v0) AND attribute_exists(#n1) \
                 AND attribute_not_exists(#n2)"
                    .into()
            )
        );
    }

    #[test]
    fn what_needs_absence_takes_an_expired_item_for_none() {
        assert_eq!(
            condition(&[Condition::Absent], Guard::None, &[]),
            Some("(attribute_not_exists(#n0) OR #n1 < :v0)".into())
        );
    }

    #[test]
    fn a_name_or_the_time_has_one_placeholder_however_often_it_is_used() {
        let mut placeholders = Placeholders::new(100);
        let conditions = [Condition::at_least("ttl", 5), Condition::at_most("ttl", 9)];
        placeholders.condition(&conditions, Guard::NotExpired, &[]);
        assert_eq!(placeholders.names().unwrap().len(), 1);
        assert_eq!(placeholders.values().unwrap().len(), 3);
    }

    #[test]
    fn changes_are_grouped_by_clause() {
        let mut placeholders = Placeholders::new(100);
        let changes = [
            Change::Add("n".into(), -2),
            Change::Set("select".into(), Value::from("x")),
            Change::Remove("old".into()),
            Change::Set("b".into(), Value::Null),
        ];
        assert_eq!(
            placeholders.update(&changes),
            "SET #n1 = :v1, #n3 = :v2 REMOVE #n2 ADD #n0 :v0"
        );
        assert_eq!(placeholders.values().unwrap()[":v0"], number(-2));
    }

    #[test]
    fn sums_are_kept_inside_64_bits() {
        for (by, bound) in [(1, i64::MAX - 1), (-1, i64::MIN + 1), (i64::MIN, 0)] {
            let mut placeholders = Placeholders::new(100);
            placeholders.condition(&[], Guard::None, &[Change::Add("n".into(), by)]);
            assert_eq!(placeholders.values().unwrap()[":v0"], number(bound));
        }
        assert_eq!(condition(&[], Guard::None, &[Change::Add("n".into(), 0)]), None);
    }
}
