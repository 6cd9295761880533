//! The way that production goes: HTTPS, with the certificates that the machine trusts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use std::process::Command;
use std::sync::Arc;

use table::{Item, Key, Schema, Table as _, TableExt as _};
use table_dynamodb::{Config, CreateOptions, DynamoTable, OpenError};
use testkit::servers::Dynoxide;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// Set in a second run of this program, which trusts the server's certificate.
const TRUSTING: &str = "FERROTYPE_TEST_HTTPS_ENDPOINT";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_is_reached_over_https_if_the_server_is_trusted() {
    if let Ok(endpoint) = std::env::var(TRUSTING) {
        return put_and_get(endpoint).await;
    }
    let certificate = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let trusted = folder.path().join("trusted.pem");
    std::fs::write(&trusted, certificate.cert.pem()).unwrap();
    let endpoint = before(Dynoxide::shared().endpoint(), &certificate).await;

    let config = Config { retry: support::impatient(), ..support::config(&endpoint, "table") };
    let error = DynamoTable::open(config, Schema::new(vec![])).await.unwrap_err();
    assert!(matches!(error, OpenError::Unreachable { .. }), "{error}");

    // Which certificates are trusted is read from the environment, once for each process.
    let run = tokio::task::spawn_blocking(move || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_table_is_reached_over_https_if_the_server_is_trusted"])
            .env("SSL_CERT_FILE", trusted)
            .env(TRUSTING, endpoint)
            .output()
    });
    let run = run.await.unwrap().unwrap();
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && printed.contains("1 passed"), "{printed}");
}

async fn put_and_get(endpoint: String) {
    let config = support::config(endpoint, support::new_name());
    let schema = Schema::new(vec![]);
    DynamoTable::create(&config, &schema, &CreateOptions::default()).await.unwrap();
    let table = DynamoTable::open(config, schema).await.unwrap();
    let item = Item::new(Key::new("p", "s")).with("x", 1);
    table.put(item.clone()).await.unwrap();
    assert_eq!(table.get(&item.key).await.unwrap(), Some(item));
}

/// Ends TLS before a server; returns the address for clients.
async fn before(server: String, certificate: &rcgen::CertifiedKey<rcgen::KeyPair>) -> String {
    let key = PrivateKeyDer::try_from(certificate.signing_key.serialize_der()).unwrap();
    let settings = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(settings));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (acceptor, server) = (acceptor.clone(), server.clone());
            tokio::spawn(async move {
                let mut client = acceptor.accept(stream).await?;
                let mut server = TcpStream::connect(server.trim_start_matches("http://")).await?;
                tokio::io::copy_bidirectional(&mut client, &mut server).await
            });
        }
    });
    endpoint
}
