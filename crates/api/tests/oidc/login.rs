use api::OidcSettings;
use model::Role;
use service::{AccountSettings, Caller, NewUser};
use testkit::servers::{OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OidcProvider};
use ureq::Body;
use ureq::http::Response;

use crate::support::browser::{Browser, location};
use crate::support::{Server, cheap_accounts};
use crate::{plain_server, server};

const START: &str = "/auth/oidc/login";

fn settings() -> OidcSettings {
    let issuer = tokio::task::block_in_place(|| OidcProvider::shared().issuer());
    OidcSettings {
        client_secret: Some(OIDC_CLIENT_SECRET.to_owned()),
        label: "Example".to_owned(),
        ..OidcSettings::new(issuer, OIDC_CLIENT_ID)
    }
}

/// Goes through all of the provider's pages as `name`, and comes back with the URL of ours that
/// the provider sends to.
async fn at_the_provider(browser: &mut Browser, start: &str, name: &str) -> String {
    let mut url = location(&browser.get(start).await);
    for _ in 0..20 {
        let path = browser.visit(&url);
        if path.starts_with("/auth/oidc/callback") {
            return path;
        }
        let mut answer = browser.get(&path).await;
        if answer.status().is_redirection() {
            url = location(&answer);
            continue;
        }
        let page = answer.body_mut().read_to_string().unwrap();
        let fields: &[(&str, &str)] = match page.contains("value=\"login\"") {
            true => &[("prompt", "login"), ("login", name), ("password", "any")],
            false => &[("prompt", "consent")],
        };
        url = location(&browser.submit(&path, fields).await);
    }
    panic!("the provider sends round in circles");
}

async fn sign_in(server: &Server, name: &str) -> (Browser, Response<Body>) {
    let mut browser = Browser::at(server.address);
    let back = at_the_provider(&mut browser, START, name).await;
    let answer = browser.get(&back).await;
    (browser, answer)
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_new_gets_an_account_by_signing_in_at_the_provider() {
    let server = plain_server(settings()).await;
    let mut browser = Browser::at(server.address);
    let mut page = browser.get("/signin").await;
    let page = page.body_mut().read_to_string().unwrap();
    assert!(page.contains("Sign in with Example") && page.contains(START), "{page}");

    let back = at_the_provider(&mut browser, &format!("{START}?next=/albums"), "ada").await;
    let answer = browser.get(&back).await;
    assert_eq!(location(&answer), "/albums");
    let me = browser.json("/api/v1/me").await;
    assert_eq!(
        (me["email"].as_str(), me["emailVerified"].as_bool()),
        (Some("ada@example.org"), Some(true))
    );
    assert!(me["name"].as_str().unwrap().starts_with("ada of "), "{me}");
    assert_eq!(browser.cookie("ferrotype_login"), None, "good for one login");

    let (mut again, _) = sign_in(&server, "ada").await;
    assert_eq!(again.json("/api/v1/me").await["id"], me["id"]);
    let (mut other, _) = sign_in(&server, "bob").await;
    assert_ne!(other.json("/api/v1/me").await["id"], me["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_the_provider_is_good_for_one_login_in_one_browser() {
    let server = plain_server(settings()).await;
    let mut browser = Browser::at(server.address);
    let back = at_the_provider(&mut browser, START, "ada").await;
    let refused = async |browser: &mut Browser, path: &str| {
        let answer = browser.get(path).await;
        assert_eq!(answer.status(), 401, "{path}");
        assert!(browser.cookie("ferrotype_session").is_none());
    };
    // Another browser, in which no login was begun: somebody was sent a link.
    refused(&mut Browser::at(server.address), &back).await;
    // Another browser, in which another login was begun.
    let mut other = Browser::at(server.address);
    other.get(START).await;
    refused(&mut other, &back).await;
    // A cookie that was changed.
    let sealed = browser.cookie("ferrotype_login").unwrap().to_owned();
    let mut forged = browser.clone();
    forged.set_cookie("/auth/oidc", "ferrotype_login", &format!("A{}", &sealed[1..]));
    refused(&mut forged, &back).await;
    // Another code.
    let mut wrong_code = browser.clone();
    refused(&mut wrong_code, &back.replace("code=", "code=x")).await;
    // Too late.
    let mut late = browser.clone();
    assert_eq!(location(&browser.get(&back).await), "/");
    refused(&mut late, &back).await;
    let mut late = Browser::at(server.address);
    let back = at_the_provider(&mut late, START, "ada").await;
    server.clock.advance(std::time::Duration::from_secs(11 * 60));
    refused(&mut late, &back).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_linked_only_by_a_verified_address() {
    let server = plain_server(settings()).await;
    let add = async |name: &str| {
        let email = format!("{name}@example.org").parse().unwrap();
        let new = NewUser { email, name: name.parse().unwrap() };
        server.service.create_user(&Caller::operator(), &new, Role::User, None).await.unwrap()
    };
    let (ada, doubtful) = (add("ada").await, add("doubtful").await);
    let (mut browser, _) = sign_in(&server, "ada").await;
    assert_eq!(browser.json("/api/v1/me").await["id"], ada.id.to_string());
    let (browser, answer) = sign_in(&server, "doubtful").await;
    assert_eq!(answer.status(), 403);
    assert!(browser.cookie("ferrotype_session").is_none());
    assert_eq!(server.catalog.find_user(doubtful.id).await.unwrap(), Some(doubtful));
}

#[tokio::test(flavor = "multi_thread")]
async fn where_strangers_get_no_account_they_are_told_so() {
    let accounts = AccountSettings { create_for_identity: false, ..cheap_accounts() };
    let server = server(settings(), accounts).await;
    let (_, mut answer) = sign_in(&server, "ada").await;
    assert_eq!(answer.status(), 403);
    let page = answer.body_mut().read_to_string().unwrap();
    assert!(page.contains("ask an administrator"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_cannot_be_asked_is_our_trouble_and_not_the_users() {
    let nobody = OidcSettings::new("http://127.0.0.1:9", "ferrotype");
    let server = plain_server(nobody).await;
    assert_eq!(Browser::at(server.address).get(START).await.status(), 503);
    let wrong = OidcSettings {
        discovery_url: Some(format!("{}/.well-known/openid-configuration", settings().issuer)),
        ..OidcSettings::new("https://other.example.org", "ferrotype")
    };
    let server = plain_server(wrong).await;
    assert_eq!(Browser::at(server.address).get(START).await.status(), 503);
    let none = Server::start().await;
    let answer = none.get(START).await;
    assert_eq!(answer.status(), 404);
}
