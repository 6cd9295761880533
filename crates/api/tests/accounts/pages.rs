use model::Role;
use service::{Caller, NewInvitation};
use ureq::Body;
use ureq::http::{Request, Response};

use crate::people::{PASSWORD, add, address};
use crate::support::browser::{Browser, encode, location};
use crate::support::{Server, code_of};

fn text_of(mut response: Response<Body>) -> String {
    let kind = response.headers()["content-type"].to_str().unwrap();
    assert!(kind.starts_with("text/html"), "{kind}");
    let policy = response.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("form-action 'self'"), "{policy}");
    assert_eq!(response.headers()["cache-control"], "no-store");
    response.body_mut().read_to_string().unwrap()
}

#[tokio::test]
async fn the_set_up_link_leads_to_the_first_account() {
    let server = Server::start().await;
    let token = server.service.offer_set_up().await.unwrap().unwrap();
    let mut browser = Browser::at(server.address);
    let page = text_of(browser.get(&format!("/setup?token={}", token.as_str())).await);
    assert!(page.contains(&format!("name=\"token\" value=\"{}\"", token.as_str())), "{page}");
    let fill = |token: &str, password: &str| {
        let fields = [("token", token), ("name", "Root"), ("email", "root@example.org")];
        [&fields[..], &[("password", password)]]
            .concat()
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect::<Vec<_>>()
    };
    let mut submit = async |fields: Vec<(String, String)>| {
        let fields: Vec<_> = fields.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        browser.submit("/setup", &fields).await
    };
    let wrong = submit(fill("ftu_wrong", PASSWORD)).await;
    assert_eq!(wrong.status(), 403);
    assert!(text_of(wrong).contains("role=\"alert\""));
    let short = submit(fill(token.as_str(), "short")).await;
    assert_eq!(short.status(), 422);
    assert!(text_of(short).contains("value=\"root@example.org\""), "nobody types it twice");
    assert_eq!(location(&submit(fill(token.as_str(), PASSWORD)).await), "/");
    assert_eq!(browser.json("/api/v1/me").await["role"], "administrator");
    let page = text_of(browser.get("/setup").await);
    assert!(page.contains("Set-up is done") && !page.contains("<form"), "{page}");
}

#[tokio::test]
async fn the_sign_in_page_signs_in_and_out() {
    let server = Server::start().await;
    add(&server, "ada", Role::User).await;
    let mut browser = Browser::at(server.address);
    let page = text_of(browser.get("/signin?next=/albums").await);
    assert!(page.contains("name=\"next\" value=\"/albums\""), "{page}");
    let ada = address("ada");
    let wrong = [("email", ada.as_str()), ("password", "wrong password")];
    let answer = browser.submit("/signin", &wrong).await;
    assert_eq!(answer.status(), 401);
    assert!(text_of(answer).contains("The e-mail address or the password is wrong"));
    let right = [("email", ada.as_str()), ("password", PASSWORD), ("next", "//evil.example.org")];
    assert_eq!(location(&browser.submit("/signin", &right).await), "/");
    let page = text_of(browser.get("/signin").await);
    assert!(page.contains("signed in as ada"), "{page}");
    assert_eq!(location(&browser.submit("/signout", &[]).await), "/signin");
    assert_eq!(code_of(browser.get("/api/v1/me").await), "unauthenticated");
}

#[tokio::test]
async fn an_invitation_link_leads_to_an_account() {
    let server = Server::start().await;
    let new = NewInvitation { role: Role::User, email: Some(address("ada").parse().unwrap()) };
    let invited = server.service.create_invitation(&Caller::operator(), &new).await;
    let (token, _) = invited.unwrap();
    let mut browser = Browser::at(server.address);
    let page = text_of(browser.get("/signup").await);
    assert!(!page.contains("<form"), "{page}");
    let page = browser.get("/signup?invitation=fti_wrong").await;
    assert_eq!(page.status(), 403);
    let page = text_of(browser.get(&format!("/signup?invitation={}", token.as_str())).await);
    assert!(page.contains("value=\"ada@example.org\""), "{page}");
    let fields = [
        ("invitation", token.as_str()),
        ("name", "<Ada>"),
        ("email", "ada@example.org"),
        ("password", PASSWORD),
    ];
    assert_eq!(location(&browser.submit("/signup", &fields).await), "/");
    let page = text_of(browser.get("/signin").await);
    assert!(page.contains("&lt;Ada&gt;"), "{page}");
}

#[tokio::test]
async fn other_sites_cannot_sign_somebody_in() {
    let server = Server::start().await;
    add(&server, "ada", Role::User).await;
    let ada = address("ada");
    let body = encode(&[("email", &ada), ("password", PASSWORD)]);
    for header in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example.org")] {
        let request = Request::post("/signin")
            .header("content-type", "application/x-www-form-urlencoded")
            .header(header.0, header.1);
        let answer = server.send(request.body(body.clone()).unwrap()).await;
        assert_eq!(answer.status(), 403);
        assert_eq!(answer.headers().get("set-cookie"), None);
    }
    let request = Request::post("/signin").header("content-type", "text/plain");
    let answer = server.send(request.body(body).unwrap()).await;
    assert_eq!(code_of(answer), "unsupported_media_type");
}
