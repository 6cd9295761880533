//! Which parameters each route takes in its query: those of its description, and no others. A
//! misspelt filter that is ignored answers with everything, which looks like a success.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::{MatchedPath, Query, Request};
use axum::http::Method;
use serde_json::json;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::{OpenApi, PathItem, RefOr};

use crate::{ApiError, ErrorCode};

/// Paths of the API. Pages and pictures are left alone: people's addresses come with all sorts of
/// parameters, and those of pictures are signed.
const API: &str = "/api/v1/";

/// The parameters of all routes.
#[derive(Debug, Default)]
pub(crate) struct KnownQueries(BTreeMap<String, BTreeMap<&'static str, BTreeSet<String>>>);

impl KnownQueries {
    pub(crate) fn of(document: &OpenApi) -> Self {
        let paths = document.paths.paths.iter().filter(|(path, _)| path.starts_with(API));
        Self(paths.map(|(path, item)| (path.clone(), methods(item))).collect())
    }

    /// Fails if a request has a parameter that its route does not take.
    pub(crate) fn check(&self, request: &Request) -> Result<(), ApiError> {
        if request.uri().query().is_none_or(str::is_empty) {
            return Ok(());
        }
        let Some(known) = self.find(request) else { return Ok(()) };
        let Ok(Query(sent)) = Query::<Vec<(String, String)>>::try_from_uri(request.uri()) else {
            return Ok(());
        };
        match sent.into_iter().find(|(name, _)| !known.contains(name)) {
            None => Ok(()),
            Some((name, _)) => Err(unknown(&name, known)),
        }
    }

    fn find(&self, request: &Request) -> Option<&BTreeSet<String>> {
        let path = request.extensions().get::<MatchedPath>()?;
        let methods = self.0.get(path.as_str())?;
        let method = request.method();
        methods.get(method.as_str()).or_else(|| match *method {
            Method::HEAD => methods.get(Method::GET.as_str()),
            _ => None,
        })
    }
}

fn methods(item: &PathItem) -> BTreeMap<&'static str, BTreeSet<String>> {
    let methods = [
        ("GET", &item.get),
        ("PUT", &item.put),
        ("POST", &item.post),
        ("DELETE", &item.delete),
        ("OPTIONS", &item.options),
        ("HEAD", &item.head),
        ("PATCH", &item.patch),
    ];
    let there = methods.into_iter().filter_map(|(name, one)| Some((name, one.as_ref()?)));
    there.map(|(name, operation)| (name, parameters(operation))).collect()
}

fn parameters(operation: &Operation) -> BTreeSet<String> {
    let all = operation.parameters.iter().flatten();
    let in_query = all.filter_map(|parameter| match parameter {
        RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Query => Some(parameter),
        RefOr::T(_) | RefOr::Ref(_) => None,
    });
    in_query.map(|parameter| parameter.name.clone()).collect()
}

fn unknown(name: &str, known: &BTreeSet<String>) -> ApiError {
    let shown: String = name.chars().take(64).collect();
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    let there_are = match known.is_empty() {
        true => "this route takes none".to_owned(),
        false => format!("this route takes {}", known.join(", ")),
    };
    let message = format!("there is no parameter {shown:?}: {there_are}");
    let details = json!({ "parameter": shown, "known": known });
    ApiError::new(ErrorCode::BadQuery, message).with_details(details)
}
