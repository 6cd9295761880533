//! The answers that DynamoDB gives on bad days, in the form it sends them.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::CONTENT_TYPE;
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

const DYNAMODB: &str = "com.amazonaws.dynamodb.v20120810";
const AVAILABILITY: &str = "com.amazon.coral.availability";

pub(super) fn throttling() -> Response<Full<Bytes>> {
    error(
        StatusCode::BAD_REQUEST,
        AVAILABILITY,
        "ThrottlingException",
        "Rate of requests exceeds the allowed throughput.",
    )
}

pub(super) fn throughput_exceeded() -> Response<Full<Bytes>> {
    error(
        StatusCode::BAD_REQUEST,
        DYNAMODB,
        "ProvisionedThroughputExceededException",
        "The level of configured provisioned throughput for the table was exceeded. \
         Consider increasing your provisioning level with the UpdateTable API.",
    )
}

/// The last action is the one that met the conflict.
pub(super) fn transaction_conflict(request: &[u8]) -> Response<Full<Bytes>> {
    let request: Value = serde_json::from_slice(request).unwrap_or_default();
    let actions = request.get("TransactItems").and_then(Value::as_array).map_or(0, Vec::len);
    let message = "Transaction is ongoing for the item";
    if actions == 0 {
        let name = "TransactionConflictException";
        return error(StatusCode::BAD_REQUEST, DYNAMODB, name, message);
    }
    let mut reasons = vec![json!({"Code": "None"}); actions - 1];
    reasons.push(json!({"Code": "TransactionConflict", "Message": message}));
    let mut codes = vec!["None"; actions - 1];
    codes.push("TransactionConflict");
    let codes = codes.join(", ");
    json_answer(
        StatusCode::BAD_REQUEST,
        &json!({
            "__type": format!("{DYNAMODB}#TransactionCanceledException"),
            "CancellationReasons": reasons,
            "Message": format!("Transaction cancelled, please refer cancellation reasons for \
                                specific reasons [{codes}]"),
        }),
    )
}

pub(super) fn transaction_in_progress() -> Response<Full<Bytes>> {
    error(
        StatusCode::BAD_REQUEST,
        DYNAMODB,
        "TransactionInProgressException",
        "The transaction with the given request token is already in progress.",
    )
}

pub(super) fn internal_server_error() -> Response<Full<Bytes>> {
    error(
        StatusCode::INTERNAL_SERVER_ERROR,
        DYNAMODB,
        "InternalServerError",
        "Internal server error",
    )
}

pub(super) fn service_unavailable() -> Response<Full<Bytes>> {
    error(
        StatusCode::SERVICE_UNAVAILABLE,
        AVAILABILITY,
        "ServiceUnavailableException",
        "Service Unavailable",
    )
}

pub(super) fn garbage() -> Response<Full<Bytes>> {
    let body = Bytes::from_static(b"{\"Attributes\": \xff\x00<html>");
    body_answer(StatusCode::OK, body)
}

/// The proxy's own failure, in words for whoever reads the failed test.
pub(super) fn bad_gateway(cause: &str) -> Response<Full<Bytes>> {
    body_answer(StatusCode::BAD_GATEWAY, Bytes::from(format!("fault proxy: {cause}")))
}

pub(super) fn json_answer(status: StatusCode, body: &Value) -> Response<Full<Bytes>> {
    body_answer(status, Bytes::from(body.to_string()))
}

fn error(status: StatusCode, space: &str, name: &str, message: &str) -> Response<Full<Bytes>> {
    json_answer(status, &json!({"__type": format!("{space}#{name}"), "message": message}))
}

fn body_answer(status: StatusCode, body: Bytes) -> Response<Full<Bytes>> {
    Response::builder()
        .status(status)
        .header(CONTENT_TYPE, "application/x-amz-json-1.0")
        .header("x-amzn-requestid", "FAULTPROXY")
        .body(Full::new(body))
        .expect("headers that are valid")
}
