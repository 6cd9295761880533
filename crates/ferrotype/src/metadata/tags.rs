//! What exiftool says of one file: tags by group and name.

use serde_json::{Map, Value};

/// The tags.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct Tags(Map<String, Value>);

impl Tags {
    /// The first of these tags that is there.
    pub(super) fn value(&self, names: &[&str]) -> Option<&Value> {
        names.iter().filter_map(|name| self.0.get(*name)).find(|value| !is_blank(value))
    }

    /// … as a text; of several values the first.
    pub(super) fn text(&self, names: &[&str]) -> Option<String> {
        texts_of(self.value(names)?).into_iter().next()
    }

    /// … as a list of texts.
    pub(super) fn texts(&self, names: &[&str]) -> Vec<String> {
        self.value(names).map(texts_of).unwrap_or_default()
    }

    /// … as a number.
    pub(super) fn number(&self, names: &[&str]) -> Option<f64> {
        number_of(self.value(names)?)
    }

    /// A text in whatever language, if it is not there for everybody.
    pub(super) fn text_in_any_language(&self, name: &str) -> Option<String> {
        let prefix = format!("{name}-");
        let others = self.0.iter().filter(|(key, _)| key.starts_with(&prefix));
        self.text(&[name]).or_else(|| others.filter_map(|(_, value)| text_of(value)).next())
    }
}

fn is_blank(value: &Value) -> bool {
    texts_of(value).is_empty() && !value.is_object() && !is_list_of_objects(value)
}

fn is_list_of_objects(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().any(Value::is_object))
}

/// A text as it is compared, or `None` if it is blank.
pub(super) fn text_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        _ => return None,
    };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let shown = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let text: String = text.chars().filter(shown).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

pub(super) fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().filter_map(text_of).collect(),
        other => text_of(other).into_iter().collect(),
    }
}

pub(super) fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.split_whitespace().next()?.parse().ok(),
        Value::Array(list) => number_of(list.first()?),
        _ => None,
    }
}
