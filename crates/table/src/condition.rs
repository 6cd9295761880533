use crate::item::validate_attribute;
use crate::{Item, Number, Result, VERSION, Value};

/// What must be true of an item, as it is now, for a write to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// There is no such item.
    Absent,
    /// There is such an item.
    Present,
    /// The item has the attribute, with exactly this value.
    Equals(String, Value),
    /// The item has the attribute, with a number not below this.
    AtLeast(String, Number),
    /// The item has the attribute, with a number not above this.
    AtMost(String, Number),
    /// The item exists and has the attribute.
    Has(String),
    /// The item does not have the attribute, or does not exist.
    Lacks(String),
}

impl Condition {
    /// The attribute has exactly this value.
    pub fn equals(name: impl Into<String>, value: impl Into<Value>) -> Self {
        Self::Equals(name.into(), value.into())
    }

    /// The attribute's number is not below this.
    pub fn at_least(name: impl Into<String>, number: impl Into<Number>) -> Self {
        Self::AtLeast(name.into(), number.into())
    }

    /// The attribute's number is not above this.
    pub fn at_most(name: impl Into<String>, number: impl Into<Number>) -> Self {
        Self::AtMost(name.into(), number.into())
    }

    /// Nobody has changed the item since it had this version.
    pub fn version(version: i64) -> Self {
        Self::equals(VERSION, version)
    }

    /// Whether the condition holds for the item as it is now (`None`: there is none).
    pub fn holds(&self, item: Option<&Item>) -> bool {
        // One attribute is found without decoding the others.
        let attribute = |name: &str| item.and_then(|item| item.attributes.value(name));
        let number = |name: &str| attribute(name).as_ref().and_then(Value::as_number);
        match self {
            Self::Absent => item.is_none(),
            Self::Present => item.is_some(),
            Self::Equals(name, value) => attribute(name).as_ref() == Some(value),
            Self::AtLeast(name, least) => number(name).is_some_and(|found| found >= *least),
            Self::AtMost(name, most) => number(name).is_some_and(|found| found <= *most),
            Self::Has(name) => attribute(name).is_some(),
            Self::Lacks(name) => attribute(name).is_none(),
        }
    }

    pub(crate) fn validate(&self) -> Result<()> {
        match self {
            Self::Absent | Self::Present => Ok(()),
            Self::Equals(name, value) => validate_attribute(name, value),
            Self::AtLeast(name, _)
            | Self::AtMost(name, _)
            | Self::Has(name)
            | Self::Lacks(name) => validate_attribute(name, &Value::int(0)),
        }
    }
}

/// Index of the first condition that does not hold.
pub fn first_unmet(conditions: &[Condition], item: Option<&Item>) -> Option<usize> {
    conditions.iter().position(|condition| !condition.holds(item))
}
