//! Tokens of Amazon Cognito, as ministack makes them. Their issuer is Amazon's address, so the
//! keys are found only because their address is configured apart.

use api::OidcSettings;
use serde_json::{Value, json};
use testkit::servers::{ACCESS_KEY_ID, Ministack, REGION};
use ureq::Agent;

use crate::support::{code_of, json_of};
use crate::{me, plain_server};

/// Calls Cognito by plain JSON.
fn call(endpoint: &str, target: &str, body: &Value) -> Value {
    let agent: Agent =
        Agent::config_builder().http_status_as_error(false).proxy(None).build().into();
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential={ACCESS_KEY_ID}/20250101/{REGION}/cognito-idp/aws4_request, \
         SignedHeaders=host;x-amz-date, Signature=0"
    );
    let mut answer = agent
        .post(endpoint)
        .header("content-type", "application/x-amz-json-1.1")
        .header("x-amz-target", format!("AWSCognitoIdentityProviderService.{target}"))
        .header("x-amz-date", "20250101T000000Z")
        .header("authorization", authorization)
        .send(body.to_string())
        .unwrap();
    let text = answer.body_mut().read_to_string().unwrap();
    assert_eq!(answer.status(), 200, "{target}: {text}");
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

struct Pool {
    endpoint: String,
    id: String,
    client: String,
}

fn pool() -> Pool {
    let endpoint = Ministack::shared().endpoint();
    let made = call(&endpoint, "CreateUserPool", &json!({ "PoolName": "photos" }));
    let id = made["UserPool"]["Id"].as_str().unwrap().to_owned();
    let body = json!({ "UserPoolId": id, "ClientName": "web",
        "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"] });
    let made = call(&endpoint, "CreateUserPoolClient", &body);
    let client = made["UserPoolClient"]["ClientId"].as_str().unwrap().to_owned();
    Pool { endpoint, id, client }
}

impl Pool {
    /// The access and the id token of somebody who signs in.
    fn sign_in(&self, email: &str) -> (String, String) {
        let user = json!({ "UserPoolId": self.id, "Username": email, "MessageAction": "SUPPRESS",
            "UserAttributes": [{ "Name": "email", "Value": email },
                { "Name": "email_verified", "Value": "true" }] });
        call(&self.endpoint, "AdminCreateUser", &user);
        let password = json!({ "UserPoolId": self.id, "Username": email, "Password": "Secret-123!",
            "Permanent": true });
        call(&self.endpoint, "AdminSetUserPassword", &password);
        let auth = json!({ "ClientId": self.client, "AuthFlow": "USER_PASSWORD_AUTH",
            "AuthParameters": { "USERNAME": email, "PASSWORD": "Secret-123!" } });
        let tokens = call(&self.endpoint, "InitiateAuth", &auth);
        let token =
            |name: &str| tokens["AuthenticationResult"][name].as_str().expect("a token").to_owned();
        (token("AccessToken"), token("IdToken"))
    }

    fn settings(&self) -> OidcSettings {
        let jwks_url = Some(format!("{}/{}/.well-known/jwks.json", self.endpoint, self.id));
        let issuer = format!("https://cognito-idp.{REGION}.amazonaws.com/{}", self.id);
        OidcSettings { jwks_url, ..OidcSettings::new(issuer, self.client.as_str()) }
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

#[tokio::test]
async fn tokens_of_cognito_are_accepted_by_the_keys_that_are_configured_apart() {
    let (settings, access, id) = blocking(|| {
        let pool = pool();
        let (access, id) = pool.sign_in("ada@example.org");
        (pool.settings(), access, id)
    })
    .await;
    let server = plain_server(settings).await;
    // The access token does not tell the address, and the id token does.
    assert_eq!(code_of(me(&server, &access).await), "unknown_identity");
    let ada = json_of(me(&server, &id).await);
    assert_eq!(
        (ada["email"].as_str(), ada["emailVerified"].as_bool()),
        (Some("ada@example.org"), Some(true))
    );
    assert_eq!(json_of(me(&server, &access).await)["id"], ada["id"]);
}

#[tokio::test]
async fn tokens_for_another_client_or_pool_are_refused() {
    let (settings, other_client, other_pool) = blocking(|| {
        let (ours, theirs) = (pool(), pool());
        let (access, _) = theirs.sign_in("eve@example.org");
        let body = json!({ "UserPoolId": ours.id, "ClientName": "other",
            "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"] });
        let made = call(&ours.endpoint, "CreateUserPoolClient", &body);
        let client = made["UserPoolClient"]["ClientId"].as_str().unwrap().to_owned();
        let other = Pool { client, id: ours.id.clone(), endpoint: ours.endpoint.clone() };
        let (other_client, _) = other.sign_in("max@example.org");
        (ours.settings(), other_client, access)
    })
    .await;
    let server = plain_server(settings).await;
    assert_eq!(code_of(me(&server, &other_client).await), "unauthenticated");
    assert_eq!(code_of(me(&server, &other_pool).await), "unauthenticated");
}
