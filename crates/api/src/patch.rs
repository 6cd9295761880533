use serde::{Deserialize, Deserializer};

use crate::ApiError;

/// What a request says about one field: `null` clears it, and what is absent stays.
///
/// ```ignore
/// #[serde(default)]
/// #[schema(value_type = Option<String>)]
/// title: Patch<String>,
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Patch<T> {
    /// The field stays as it is.
    #[default]
    Keep,
    /// The field becomes empty.
    Clear,
    /// The field becomes this.
    Set(T),
}

impl<T> Patch<T> {
    /// The same with its value made into something else, such as by [`crate::error::field`].
    pub(crate) fn try_map<U>(
        self,
        make: impl FnOnce(T) -> Result<U, ApiError>,
    ) -> Result<Patch<U>, ApiError> {
        Ok(match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(make(value)?),
        })
    }

    /// `None`: keep; `Some(None)`: clear.
    pub(crate) fn into_option(self) -> Option<Option<T>> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(None),
            Self::Set(value) => Some(Some(value)),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Edit {
        #[serde(default)]
        title: Patch<String>,
    }

    #[test]
    fn null_clears_and_absent_keeps() {
        let title = |text| serde_json::from_str::<Edit>(text).unwrap().title;
        assert_eq!(title("{}"), Patch::Keep);
        assert_eq!(title(r#"{"title":null}"#), Patch::Clear);
        assert_eq!(title(r#"{"title":"x"}"#), Patch::Set("x".to_owned()));
        assert_eq!(title(r#"{"title":null}"#).into_option(), Some(None));
    }
}
