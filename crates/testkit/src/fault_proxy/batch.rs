//! Splitting a batch into the part that reaches the server and the part that comes back.

use serde_json::{Map, Value, json};

/// A batch cut in two, both in the form of a request's `RequestItems`.
#[derive(Debug)]
pub(super) struct Split {
    /// The request that goes to the server; nothing if no entry is left for it.
    pub(super) forwarded: Option<Value>,
    /// What comes back as unprocessed.
    pub(super) unprocessed: Map<String, Value>,
}

pub(super) fn is_batch(operation: &str) -> bool {
    unprocessed_field(operation).is_some()
}

/// Leaves the first `count` entries of a batch to the server; nothing if all of them are left or
/// the request is no batch.
pub(super) fn split(operation: &str, request: &[u8], count: usize) -> Option<Split> {
    unprocessed_field(operation)?;
    let mut request: Value = serde_json::from_slice(request).ok()?;
    let tables = request.get_mut("RequestItems")?.as_object_mut()?;
    let mut left = count;
    let mut unprocessed = Map::new();
    for (table, batch) in tables.iter_mut() {
        let entries = entries_mut(batch)?;
        let rest = entries.split_off(left.min(entries.len()));
        left -= entries.len();
        if !rest.is_empty() {
            let mut came_back = batch.clone();
            *entries_mut(&mut came_back)? = rest;
            unprocessed.insert(table.clone(), came_back);
        }
    }
    tables.retain(|_, batch| entries_mut(batch).is_some_and(|entries| !entries.is_empty()));
    let forwarded = (!tables.is_empty()).then_some(request);
    (!unprocessed.is_empty()).then_some(Split { forwarded, unprocessed })
}

/// What the server would answer to a batch of which it took nothing.
pub(super) fn empty_answer(operation: &str) -> Value {
    match operation {
        "BatchGetItem" => json!({"Responses": {}, "UnprocessedKeys": {}}),
        _ => json!({"UnprocessedItems": {}}),
    }
}

/// Adds what came back to the server's answer.
pub(super) fn add_unprocessed(
    operation: &str,
    answer: &mut Value,
    unprocessed: Map<String, Value>,
) -> Option<()> {
    let field = unprocessed_field(operation)?;
    let all = answer.as_object_mut()?.entry(field).or_insert_with(|| json!({})).as_object_mut()?;
    for (table, mut batch) in unprocessed {
        if let Some(of_the_server) = all.get_mut(&table) {
            entries_mut(of_the_server)?.append(entries_mut(&mut batch)?);
        } else {
            all.insert(table, batch);
        }
    }
    Some(())
}

fn unprocessed_field(operation: &str) -> Option<&'static str> {
    match operation {
        "BatchGetItem" => Some("UnprocessedKeys"),
        "BatchWriteItem" => Some("UnprocessedItems"),
        _ => None,
    }
}

/// Writes are listed directly, keys in a field beside their projection and consistency.
fn entries_mut(batch: &mut Value) -> Option<&mut Vec<Value>> {
    match batch {
        Value::Array(writes) => Some(writes),
        Value::Object(keys) => keys.get_mut("Keys")?.as_array_mut(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_beyond_the_count_come_back() {
        let request = json!({"RequestItems": {"a": [1, 2], "b": [3, 4, 5]}, "Other": true});
        let split = split("BatchWriteItem", request.to_string().as_bytes(), 3).unwrap();
        let forwarded = json!({"RequestItems": {"a": [1, 2], "b": [3]}, "Other": true});
        assert_eq!(split.forwarded, Some(forwarded));
        assert_eq!(Value::from(split.unprocessed), json!({"b": [4, 5]}));
    }

    #[test]
    fn keys_that_come_back_keep_their_projection() {
        let request = json!({"RequestItems": {"a": {"Keys": [1, 2], "ConsistentRead": true}}});
        let split = split("BatchGetItem", request.to_string().as_bytes(), 1).unwrap();
        let expected = json!({"a": {"Keys": [2], "ConsistentRead": true}});
        assert_eq!(Value::from(split.unprocessed), expected);
    }

    #[test]
    fn nothing_is_forwarded_of_a_batch_cut_at_zero() {
        let request = json!({"RequestItems": {"a": [1], "b": [2]}});
        let split = split("BatchWriteItem", request.to_string().as_bytes(), 0).unwrap();
        assert_eq!(split.forwarded, None);
        assert_eq!(Value::from(split.unprocessed), request["RequestItems"]);
    }

    #[test]
    fn a_batch_that_fits_is_not_split() {
        let request = json!({"RequestItems": {"a": [1, 2]}});
        assert!(split("BatchWriteItem", request.to_string().as_bytes(), 2).is_none());
        assert!(split("PutItem", request.to_string().as_bytes(), 0).is_none());
    }

    #[test]
    fn what_the_server_left_itself_is_kept() {
        let mut answer = json!({"UnprocessedItems": {"a": [1]}});
        let Value::Object(more) = json!({"a": [2], "b": [3]}) else { unreachable!() };
        add_unprocessed("BatchWriteItem", &mut answer, more).unwrap();
        assert_eq!(answer, json!({"UnprocessedItems": {"a": [1, 2], "b": [3]}}));
    }
}
