//! The proxy's thread: accepts connections, asks the script, forwards or does harm.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore, oneshot};

use super::batch::{self, Split};
use super::script::Script;
use super::{Fault, answer};

/// How many clients may be connected at once; others wait.
const CONNECTIONS_MAX: usize = 1024;
/// The largest request or answer, well above DynamoDB's 16 MB.
const BODY_BYTES_MAX: usize = 64 << 20;

type Answer = Response<Full<Bytes>>;
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What the client gets.
enum Outcome {
    Answer(Answer),
    Reset,
}

pub(super) fn listen() -> (std::net::TcpListener, SocketAddr) {
    let listener =
        std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("listen on a loopback port");
    listener.set_nonblocking(true).expect("make the listener non-blocking");
    let address = listener.local_addr().expect("ask for the port");
    (listener, address)
}

/// Serves until the owner drops its end of `stopped`. Every task lives in the runtime made here
/// and is gone when this returns.
pub(super) fn run(
    listener: std::net::TcpListener,
    upstream: SocketAddr,
    script: Arc<Mutex<Script>>,
    stopped: oneshot::Receiver<()>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("start the runtime of the fault proxy");
    let proxy = Proxy { upstream, script };
    runtime.block_on(async {
        tokio::select! {
            () = accept(listener, &proxy) => {}
            _ = stopped => {}
        }
    });
}

async fn accept(listener: std::net::TcpListener, proxy: &Proxy) {
    let listener = TcpListener::from_std(listener).expect("take over the listener");
    let seats = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let Ok(seat) = seats.clone().acquire_owned().await else { return };
        // A client that is gone again before it was accepted is no reason to stop.
        let Ok((stream, _)) = listener.accept().await else { continue };
        let proxy = proxy.clone();
        tokio::spawn(async move {
            proxy.serve(stream).await;
            drop(seat);
        });
    }
}

#[derive(Debug, Clone)]
struct Proxy {
    upstream: SocketAddr,
    script: Arc<Mutex<Script>>,
}

impl Proxy {
    /// Serves one connection until either side closes it or a fault resets it.
    async fn serve(self, stream: TcpStream) {
        let reset = Arc::new(Notify::new());
        let service = service_fn({
            let reset = reset.clone();
            move |request| self.clone().respond(request, reset.clone())
        });
        let mut connection = hyper::server::conn::http1::Builder::new()
            .auto_date_header(false)
            .serve_connection(TokioIo::new(stream), service);
        let harmed = tokio::select! {
            _ = &mut connection => false,
            () = reset.notified() => true,
        };
        if harmed {
            // Closing without lingering sends a reset instead of an orderly end.
            let stream = connection.into_parts().io.into_inner();
            let _ = stream.set_zero_linger();
        }
    }

    async fn respond(
        self,
        request: Request<Incoming>,
        reset: Arc<Notify>,
    ) -> Result<Answer, Failure> {
        let (parts, body) = request.into_parts();
        let request = Request::from_parts(parts, collect(body).await?);
        // A task of its own: a request on its way to the server goes on when its client gives up.
        match tokio::spawn(self.exchange(request)).await? {
            Ok(Outcome::Answer(answer)) => Ok(answer),
            Ok(Outcome::Reset) => {
                reset.notify_one();
                std::future::pending().await
            }
            Err(failure) => Ok(answer::bad_gateway(&failure.to_string())),
        }
    }

    async fn exchange(self, request: Request<Bytes>) -> Result<Outcome, Failure> {
        let operation = operation_of(&request);
        let fault = self.locked().arrived(&operation, token_of(&request));
        let Some(fault) = fault else {
            return self.forward(&operation, request).await.map(Outcome::Answer);
        };
        let answer = match fault {
            Fault::Throttling => answer::throttling(),
            Fault::ThroughputExceeded => answer::throughput_exceeded(),
            Fault::TransactionConflict => answer::transaction_conflict(request.body()),
            Fault::TransactionInProgress => answer::transaction_in_progress(),
            Fault::InternalServerError => answer::internal_server_error(),
            Fault::ServiceUnavailable => answer::service_unavailable(),
            Fault::Unprocessed { forwarded } => {
                self.forward_part(&operation, request, forwarded).await?
            }
            Fault::ResetBefore => return Ok(Outcome::Reset),
            Fault::ResetAfter => {
                self.forward(&operation, request).await?;
                return Ok(Outcome::Reset);
            }
            Fault::DelayBefore(delay) => {
                tokio::time::sleep(delay).await;
                self.forward(&operation, request).await?
            }
            Fault::DelayAfter(delay) => {
                let answer = self.forward(&operation, request).await?;
                tokio::time::sleep(delay).await;
                answer
            }
            Fault::Garbage => {
                self.forward(&operation, request).await?;
                answer::garbage()
            }
        };
        Ok(Outcome::Answer(answer))
    }

    /// Hands the request to the server as it is, on a connection of its own.
    async fn forward(&self, operation: &str, request: Request<Bytes>) -> Result<Answer, Failure> {
        let stream = TcpStream::connect(self.upstream).await?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        let exchange = async move {
            let (parts, body) = sender.send_request(request.map(Full::new)).await?.into_parts();
            Ok::<_, Failure>((parts, collect(body).await?))
        };
        let (answer, _) = tokio::join!(exchange, connection);
        let (parts, body) = answer?;
        self.locked().forwarded(operation);
        Ok(Response::from_parts(parts, Full::new(body)))
    }

    async fn forward_part(
        &self,
        operation: &str,
        mut request: Request<Bytes>,
        count: usize,
    ) -> Result<Answer, Failure> {
        let Some(Split { forwarded, unprocessed }) = batch::split(operation, request.body(), count)
        else {
            return self.forward(operation, request).await;
        };
        let mut answer = batch::empty_answer(operation);
        if let Some(part) = forwarded {
            let part = Bytes::from(part.to_string());
            request.headers_mut().remove(TRANSFER_ENCODING);
            request.headers_mut().insert(CONTENT_LENGTH, part.len().into());
            *request.body_mut() = part;
            let of_the_server = self.forward(operation, request).await?;
            if of_the_server.status() != StatusCode::OK {
                return Ok(of_the_server);
            }
            answer = serde_json::from_slice(&collect(of_the_server.into_body()).await?)?;
        }
        batch::add_unprocessed(operation, &mut answer, unprocessed)
            .ok_or("the server answered a batch in an unknown form")?;
        Ok(answer::json_answer(StatusCode::OK, &answer))
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Script> {
        self.script.lock().expect("a function given to decide_by panicked")
    }
}

async fn collect<B>(body: B) -> Result<Bytes, Failure>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Failure>,
{
    Ok(Limited::new(body, BODY_BYTES_MAX).collect().await?.to_bytes())
}

fn operation_of(request: &Request<Bytes>) -> String {
    let target = request.headers().get("x-amz-target").and_then(|value| value.to_str().ok());
    let operation = target.map(|target| target.rsplit('.').next().unwrap_or(target));
    operation.unwrap_or(request.method().as_str()).to_owned()
}

fn token_of(request: &Request<Bytes>) -> Option<String> {
    let body: serde_json::Value = serde_json::from_slice(request.body()).ok()?;
    Some(body.get("ClientRequestToken")?.as_str()?.to_owned())
}
