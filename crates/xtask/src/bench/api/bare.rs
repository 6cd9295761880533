//! The bare handler: axum, and nothing behind it. It answers with bytes that Ferrotype has
//! answered with before, the head included.

use std::fs;
use std::net::Ipv4Addr;
use std::path::Path;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::routing::{MethodRouter, get};
use axum::serve::ListenerExt as _;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use crate::Outcome;
use crate::client::Client;
use crate::library::Library;
use crate::operation::Operation;

/// The argument that makes this program the bare handler.
pub const COMMAND: &str = "bare-handler";
/// Answered as soon as it listens.
pub const READY_PATH: &str = "/ready";

/// An answer, as it is kept in a file.
#[derive(Serialize, Deserialize)]
struct Kept {
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// Keeps what Ferrotype answers.
pub fn record(endpoint: &str, library: &Library, folder: &Path) -> Outcome {
    let client = Client::new();
    let image = library.images.first().ok_or("there are no images")?;
    let api_key = library.api_key_of(image)?;
    let one = format!("/api/v1/images/{}", image.id);
    let list = "/api/v1/images?limit=20";
    let asked = [
        (Operation::Get, one.as_str(), Some(api_key)),
        (Operation::List, list, Some(api_key)),
        (Operation::Thumb, image.thumb_path.as_str(), None),
    ];
    for (operation, path, api_key) in asked {
        let answer = client.get(&format!("{endpoint}{path}"), api_key)?;
        let text = |(name, value): (&HeaderName, &HeaderValue)| {
            Ok((name.to_string(), value.to_str()?.to_owned()))
        };
        let headers = answer.headers.iter().filter(|(name, _)| !is_of_the_connection(name));
        let headers = headers.map(text).collect::<Outcome<_>>()?;
        let kept = Kept { headers, body: answer.body };
        fs::write(folder.join(operation.name()), serde_json::to_vec(&kept)?)?;
    }
    Ok(())
}

/// Answers until it is killed.
pub fn serve(port: &str, folder: &str) -> Outcome {
    let answer = |operation: Operation| canned(&Path::new(folder).join(operation.name()));
    let router = Router::new()
        .route(READY_PATH, get(async || "ready"))
        .route("/api/v1/images", answer(Operation::List)?)
        .route("/api/v1/images/{id}", answer(Operation::Get)?)
        .route("/i/{image}/{name}", answer(Operation::Thumb)?);
    let port = port.parse()?;
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        Ok(axum::serve(listener, router).await?)
    })
}

fn canned(file: &Path) -> Outcome<MethodRouter> {
    let Kept { headers, body } = serde_json::from_slice(&fs::read(file)?)?;
    let mut head = HeaderMap::new();
    for (name, value) in headers {
        head.append(name.parse::<HeaderName>()?, value.parse::<HeaderValue>()?);
    }
    let body = Bytes::from(body);
    Ok(get(async move || (head.clone(), body.clone())))
}

/// What hyper adds by itself.
fn is_of_the_connection(name: &HeaderName) -> bool {
    [header::DATE, header::CONTENT_LENGTH, header::CONNECTION, header::TRANSFER_ENCODING]
        .contains(name)
}
