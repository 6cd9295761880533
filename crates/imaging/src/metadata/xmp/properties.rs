//! RDF as properties: a value, a list of values, or fields with values.
//!
//! The same can be written in many ways (attributes or elements, `rdf:Description` or
//! `rdf:parseType`, qualified values): here they are one.

use super::space::Space;
use super::xml::{Element, Name, parse};

/// A value, and its language where it has one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    language: Option<String>,
    value: Value,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Text(String),
    List(Vec<Node>),
    Fields(Vec<(Name, Node)>),
}

/// The properties of all descriptions in these packets, those of earlier ones first; `None` if
/// none of them has any RDF.
pub(super) fn read<'a>(packets: impl Iterator<Item = &'a str>) -> Option<Vec<(Name, Node)>> {
    let mut properties = Vec::new();
    let mut found = packets.flat_map(parse).peekable();
    found.peek()?;
    for element in found {
        let descriptions = match element.name.local.as_str() {
            "RDF" => element.children,
            _ => vec![element],
        };
        descriptions.iter().for_each(|description| properties.extend(fields(description)));
    }
    Some(properties)
}

impl Node {
    fn of_text(text: &str) -> Self {
        Self { language: None, value: Value::Text(text.to_owned()) }
    }

    /// A text: of several languages the one for everybody, of several values the first.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::List(list) => {
                let default = |node: &&Self| node.language.as_deref() == Some("x-default");
                let of_default = list.iter().find(default).and_then(Self::text);
                let filled = |text: &&str| !text.trim().is_empty();
                of_default
                    .filter(filled)
                    .or_else(|| list.iter().filter_map(Self::text).find(filled))
            }
            // A qualified value.
            Value::Fields(_) => self.field(Space::Rdf, "value")?.text(),
        }
    }

    /// All values; of a single one that alone.
    pub(super) fn values(&self) -> &[Self] {
        match &self.value {
            Value::List(list) => list,
            _ => std::slice::from_ref(self),
        }
    }

    pub(super) fn field(&self, space: Space, local: &str) -> Option<&Self> {
        let Value::Fields(fields) = &self.value else { return None };
        fields.iter().find(|(name, _)| name.is(space, local)).map(|(_, node)| node)
    }

    pub(super) fn number(&self) -> Option<f64> {
        number(self.text()?)
    }
}

/// `28/10` as well as `2.8`.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = match text.split_once('/') {
        Some((above, below)) => {
            above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?
        }
        None => text.parse().ok()?,
    };
    number.is_finite().then_some(number)
}

/// Attributes and elements of a description.
fn fields(element: &Element) -> Vec<(Name, Node)> {
    let attributes = element.attributes.iter().filter(|(name, _)| is_property(name));
    let attributes = attributes.map(|(name, text)| (name.clone(), Node::of_text(text)));
    let children = element.children.iter().filter(|child| is_property(&child.name));
    attributes.chain(children.map(|child| (child.name.clone(), node(child)))).collect()
}

fn is_property(name: &Name) -> bool {
    match name.space {
        Space::Rdf => name.local == "value",
        Space::Xml => false,
        _ => true,
    }
}

/// The value of a property or of a member of a list.
fn node(element: &Element) -> Node {
    let language = element.attribute(Space::Xml, "lang").map(ToOwned::to_owned);
    Node { language, value: value(element) }
}

fn value(element: &Element) -> Value {
    if element.attribute(Space::Rdf, "parseType") == Some("Resource") {
        return Value::Fields(fields(element));
    }
    if let Some(resource) = element.attribute(Space::Rdf, "resource") {
        return Value::Text(resource.to_owned());
    }
    let of_rdf = |name: &str| element.children.iter().find(|child| child.name.is(Space::Rdf, name));
    if let Some(list) = of_rdf("Bag").or_else(|| of_rdf("Seq")).or_else(|| of_rdf("Alt")) {
        let members = list.children.iter().filter(|child| child.name.space == Space::Rdf);
        return Value::List(members.map(node).collect());
    }
    if let Some(description) = of_rdf("Description") {
        return Value::Fields(fields(description));
    }
    match &*element.children {
        // An element in place of a description says of what type it is.
        [typed] if !has_attributes(element) && has_fields(typed) => Value::Fields(fields(typed)),
        _ if has_fields(element) && element.text.trim().is_empty() => {
            Value::Fields(fields(element))
        }
        _ => Value::Text(element.text.clone()),
    }
}

fn has_attributes(element: &Element) -> bool {
    element.attributes.iter().any(|(name, _)| is_property(name))
}

fn has_fields(element: &Element) -> bool {
    has_attributes(element) || element.children.iter().any(|child| is_property(&child.name))
}
