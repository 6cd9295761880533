//! An issuer whose keys a test holds, so that it can say what no real one would.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub struct Issuer {
    pub url: String,
    keys: Arc<Mutex<Value>>,
    asked: Arc<AtomicUsize>,
}

/// A key of an issuer.
pub struct Key {
    pair: EcdsaKeyPair,
    pub id: String,
}

impl Issuer {
    pub async fn start() -> Self {
        let keys = Arc::new(Mutex::new(json!([])));
        let asked = Arc::new(AtomicUsize::new(0));
        let (shown, count) = (Arc::clone(&keys), Arc::clone(&asked));
        let answer = async move || {
            count.fetch_add(1, Ordering::SeqCst);
            json!({ "keys": *shown.lock().unwrap() }).to_string()
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().route("/keys", get(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, keys, asked }
    }

    /// How often its keys were asked for.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    pub fn publish(&self, keys: &[&Key]) {
        let keys: Vec<Value> = keys.iter().map(|key| key.public()).collect();
        *self.keys.lock().unwrap() = keys.into();
    }
}

impl Key {
    pub fn new(id: &str) -> Self {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).unwrap();
        Self { pair, id: id.to_owned() }
    }

    fn public(&self) -> Value {
        let point = self.pair.public_key().as_ref();
        let (x, y) = point[1..].split_at(32);
        let encode = |bytes| URL_SAFE_NO_PAD.encode(bytes);
        json!({ "kty": "EC", "crv": "P-256", "kid": self.id, "x": encode(x), "y": encode(y) })
    }

    pub fn sign(&self, claims: &Value) -> String {
        self.sign_with(&json!({ "alg": "ES256", "kid": self.id }), claims)
    }

    pub fn sign_with(&self, header: &Value, claims: &Value) -> String {
        let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", encode(header), encode(claims));
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}
