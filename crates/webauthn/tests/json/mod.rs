//! What `toJSON()` of a credential gives, as what is verified.

use serde_json::Value;
use webauthn::{Assertion, Registration};

pub fn registration(json: &Value) -> Registration {
    Registration {
        id: text(&json["id"]),
        raw_id: text(&json["rawId"]),
        kind: text(&json["type"]),
        client_data: text(&json["response"]["clientDataJSON"]),
        attestation_object: text(&json["response"]["attestationObject"]),
    }
}

pub fn assertion(json: &Value) -> Assertion {
    Assertion {
        id: text(&json["id"]),
        raw_id: text(&json["rawId"]),
        kind: text(&json["type"]),
        client_data: text(&json["response"]["clientDataJSON"]),
        authenticator_data: text(&json["response"]["authenticatorData"]),
        signature: text(&json["response"]["signature"]),
        user_handle: json["response"]["userHandle"].as_str().map(str::to_owned),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
