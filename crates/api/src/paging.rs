//! Pages of lists: how they are asked for, and how they are answered.
//!
//! A list has a name that holds everything that decides what is in it and in which order, such as
//! `images?order=newest`. Cursors are sealed for that name and the caller.

use model::UserId;
use model::limits::{PAGE_DEFAULT, PAGE_MAX};
use serde::{Deserialize, Serialize};
use service::{Caller, Listed, Order, PageRequest};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::{ApiError, ErrorCode};

/// Which page of a list, and how long. A route with more parameters takes a second
/// `Query<…>` for them.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageParams {
    /// Entries at most.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

impl PageParams {
    /// The page of a list that is meant.
    pub(crate) fn request(
        &self,
        app: &App,
        caller: &Caller,
        list: &str,
    ) -> Result<PageRequest, ApiError> {
        self.request_of(app, caller.user, list)
    }

    /// The same of a list that belongs to this user, whoever looks at it.
    pub(crate) fn request_of(
        &self,
        app: &App,
        user: UserId,
        list: &str,
    ) -> Result<PageRequest, ApiError> {
        let cursor = self.cursor.as_deref();
        let cursor = cursor.map(|text| app.service.open_cursor(user, list, text));
        Ok(PageRequest::after(limit(self.limit)?, cursor.transpose()?))
    }
}

/// How many entries a page has.
pub(crate) fn limit(asked: Option<usize>) -> Result<usize, ApiError> {
    let limit = asked.unwrap_or(PAGE_DEFAULT);
    if (1..=PAGE_MAX).contains(&limit) {
        return Ok(limit);
    }
    Err(ApiError::new(ErrorCode::BadQuery, format!("limit: a page has 1 to {PAGE_MAX} entries")))
}

/// The order of a list by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Order)]
pub(crate) enum OrderParam {
    /// Newest first.
    #[default]
    Newest,
    /// Oldest first.
    Oldest,
}

impl OrderParam {
    /// Its name, for the name of a list.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Oldest => "oldest",
        }
    }
}

impl From<OrderParam> for Order {
    fn from(order: OrderParam) -> Self {
        match order {
            OrderParam::Newest => Self::Newest,
            OrderParam::Oldest => Self::Oldest,
        }
    }
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page<T> {
    /// The entries, in order.
    items: Vec<T>,
    /// What to ask the next page with; absent when nothing follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// A page of what `shape` makes of each entry.
    pub(crate) fn of<E>(
        app: &App,
        caller: &Caller,
        list: &str,
        listed: Listed<E>,
        shape: impl FnMut(E) -> T,
    ) -> Self {
        Self::of_user(app, caller.user, list, listed, shape)
    }

    /// The same of a list that belongs to this user, whoever looks at it.
    pub(crate) fn of_user<E>(
        app: &App,
        user: UserId,
        list: &str,
        listed: Listed<E>,
        shape: impl FnMut(E) -> T,
    ) -> Self {
        let seal = |cursor| app.service.seal_cursor(user, list, &cursor);
        Self {
            items: listed.entries.into_iter().map(shape).collect(),
            next_cursor: listed.next.map(seal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_20_entries_unless_asked_otherwise_and_never_more_than_100() {
        assert_eq!(limit(None), Ok(20));
        assert_eq!(limit(Some(100)), Ok(100));
        for wrong in [0, 101] {
            assert_eq!(limit(Some(wrong)).unwrap_err().code(), ErrorCode::BadQuery);
        }
    }
}
