//! What holds for every answer: security headers, CORS, proxies, rate limits, and the description
//! of the API.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use std::time::Duration;

use api::{CorsOrigins, RateLimits, Settings};
use serde_json::Value;
use support::{Options, Server, Wellness, code_of, json_of};
use ureq::Body;
use ureq::http::{Request, Response};

async fn start(settings: Settings) -> Server {
    Server::with(Options { settings, ..Options::default() }).await
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> Option<&'a str> {
    response.headers().get(name).map(|value| value.to_str().unwrap())
}

fn with_header(path: &str, name: &str, value: &str) -> Request<String> {
    Request::get(path).header(name, value).body(String::new()).unwrap()
}

#[tokio::test]
async fn every_answer_tells_browsers_what_not_to_do() {
    let wellness = Wellness { panics: true.into(), ..Wellness::default() };
    let server = Server::with(Options { wellness, ..Options::default() }).await;
    for (path, status) in [
        ("/", 200),
        ("/api/v1/service", 200),
        ("/api/docs", 200),
        ("/nothing", 404),
        ("/health/ready", 500),
        ("/api/v1/changes", 401),
    ] {
        let answer = server.get(path).await;
        assert_eq!(answer.status(), status, "{path}");
        assert_eq!(header(&answer, "x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(header(&answer, "x-frame-options"), Some("DENY"), "{path}");
        assert_eq!(header(&answer, "referrer-policy"), Some("same-origin"), "{path}");
        assert_eq!(header(&answer, "cross-origin-resource-policy"), Some("same-origin"), "{path}");
        let policy = header(&answer, "content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert!(!policy.contains("http"), "{path}: {policy}");
        assert_eq!(header(&answer, "strict-transport-security"), None, "{path}");
        assert!(header(&answer, "x-request-id").is_some(), "{path}");
    }
}

#[tokio::test]
async fn https_is_demanded_where_it_is_used() {
    let public_url = Some("https://photos.example.org".parse().unwrap());
    let server = start(Settings { public_url, ..Settings::default() }).await;
    assert!(header(&server.get("/").await, "strict-transport-security").is_some());

    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let server = start(Settings { trusted_proxies, ..Settings::default() }).await;
    let proto = |value| {
        Request::get("/")
            .header("x-forwarded-for", "192.0.2.1")
            .header("x-forwarded-proto", value)
            .body(String::new())
            .unwrap()
    };
    let answer = server.send(proto("https")).await;
    assert!(header(&answer, "strict-transport-security").is_some());
    let answer = server.send(proto("http")).await;
    assert!(header(&answer, "strict-transport-security").is_none());
}

#[tokio::test]
async fn other_sites_may_do_nothing_unless_configured() {
    let server = Server::start().await;
    let answer = server.send(with_header("/api/v1/service", "origin", "https://a.example")).await;
    assert_eq!(header(&answer, "access-control-allow-origin"), None);
}

#[tokio::test]
async fn configured_sites_may_use_the_api_with_cookies() {
    let origins = CorsOrigins::These(vec!["https://a.example".to_owned()]);
    let server = start(Settings { cors: origins, ..Settings::default() }).await;
    for path in ["/api/v1/service", "/nothing"] {
        let answer = server.send(with_header(path, "origin", "https://a.example")).await;
        assert_eq!(header(&answer, "access-control-allow-origin"), Some("https://a.example"));
        assert_eq!(header(&answer, "access-control-allow-credentials"), Some("true"));
        assert!(header(&answer, "access-control-expose-headers").unwrap().contains("etag"));
        assert!(header(&answer, "vary").unwrap().contains("origin"));
        let answer = server.send(with_header(path, "origin", "https://b.example")).await;
        assert_eq!(header(&answer, "access-control-allow-origin"), None);
    }
    let preflight = Request::options("/api/v1/images/x")
        .header("origin", "https://a.example")
        .header("access-control-request-method", "PATCH")
        .body(String::new())
        .unwrap();
    let answer = server.send(preflight).await;
    assert_eq!(answer.status(), 204);
    assert!(header(&answer, "access-control-allow-methods").unwrap().contains("PATCH"));
    assert!(header(&answer, "access-control-allow-headers").unwrap().contains("if-match"));
}

#[tokio::test]
async fn what_is_said_in_headers_can_be_read_by_pages_of_other_sites() {
    let server = start(Settings { cors: CorsOrigins::Any, ..Settings::default() }).await;
    let answer = server.send(with_header("/api/v1/service", "origin", "https://a.example")).await;
    let readable = header(&answer, "access-control-expose-headers").unwrap().to_owned();
    let readable: Vec<_> = readable.split(',').map(str::trim).collect();
    for name in [
        "upload-image",
        "upload-outcome",
        "upload-offset",
        "idempotency-replayed",
        "ratelimit-limit",
        "ratelimit-remaining",
        "ratelimit-reset",
        "retry-after",
        "etag",
        "location",
        "x-request-id",
        "content-disposition",
    ] {
        assert!(readable.contains(&name), "{name} is not in {readable:?}");
    }
    let preflight = Request::options("/api/v1/shared/x")
        .header("origin", "https://a.example")
        .header("access-control-request-method", "GET")
        .body(String::new())
        .unwrap();
    let answer = server.send(preflight).await;
    let sendable = header(&answer, "access-control-allow-headers").unwrap();
    for name in ["x-link-unlocked", "idempotency-key", "if-match", "tus-resumable"] {
        assert!(sendable.split(',').any(|one| one.trim() == name), "{name} is not in {sendable}");
    }
}

#[tokio::test]
async fn a_page_shows_what_its_site_may_have_although_it_says_nothing_of_its_origin() {
    let policy = async |cors: CorsOrigins, headers: &[(&str, &str)]| {
        let server = start(Settings { cors, ..Settings::default() }).await;
        let mut request = Request::get("/i/01ARZ3NDEKTSV4RRFFQ69G5FAV/thumb");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = server.send(request.body(String::new()).unwrap()).await;
        header(&answer, "cross-origin-resource-policy").unwrap().to_owned()
    };
    let friends = || CorsOrigins::These(vec!["https://a.example".to_owned()]);
    let from = |page: &'static str| [("referer", page)];
    assert_eq!(policy(CorsOrigins::None, &from("https://a.example/")).await, "same-origin");
    assert_eq!(policy(CorsOrigins::Any, &[]).await, "cross-origin");
    assert_eq!(policy(friends(), &from("https://a.example/page")).await, "cross-origin");
    assert_eq!(policy(friends(), &[("origin", "https://a.example")]).await, "cross-origin");
    assert_eq!(policy(friends(), &[]).await, "same-origin");
    assert_eq!(policy(friends(), &from("https://a.example.org/")).await, "same-origin");
    let two = [("origin", "https://b.example"), ("referer", "https://a.example/")];
    assert_eq!(policy(friends(), &two).await, "same-origin");
}

#[tokio::test]
async fn all_sites_may_be_allowed_but_never_with_cookies() {
    let server = start(Settings { cors: CorsOrigins::Any, ..Settings::default() }).await;
    let answer = server.send(with_header("/api/v1/service", "origin", "https://a.example")).await;
    assert_eq!(header(&answer, "access-control-allow-origin"), Some("*"));
    assert_eq!(header(&answer, "access-control-allow-credentials"), None);
}

#[tokio::test]
async fn an_address_that_asks_too_often_waits_and_recovers() {
    let rates = RateLimits { address: 3, ..RateLimits::default() };
    let server = start(Settings { rates: Some(rates), ..Settings::default() }).await;
    for left in ["2", "1", "0"] {
        let answer = server.get("/api/v1/service").await;
        assert_eq!(answer.status(), 200);
        assert_eq!(header(&answer, "ratelimit-limit"), Some("3"));
        assert_eq!(header(&answer, "ratelimit-remaining"), Some(left));
    }
    let answer = server.get("/api/v1/service").await;
    assert_eq!(header(&answer, "retry-after"), Some("20"));
    assert_eq!(header(&answer, "ratelimit-remaining"), Some("0"));
    assert_eq!(header(&answer, "ratelimit-reset"), Some("60"));
    assert_eq!(code_of(answer), "rate_limited");
    assert_eq!(server.get("/health/live").await.status(), 200, "monitoring goes on");
    assert_eq!(server.get("/i/nothing").await.status(), 404, "pixels are counted apart");
    for path in ["/", "/favicon.svg", "/sw.js", "/api/docs"] {
        let answer = server.get(path).await;
        assert_ne!(answer.status(), 429, "{path}");
        assert_eq!(header(&answer, "ratelimit-limit"), None, "{path}");
    }

    server.clock.advance(Duration::from_secs(20));
    assert_eq!(server.get("/api/v1/service").await.status(), 200);
    assert_eq!(server.get("/api/v1/service").await.status(), 429);
}

#[tokio::test]
async fn files_of_nobody_are_counted_apart_from_the_api() {
    let rates = RateLimits { address: 2, ..RateLimits::default() };
    let server = start(Settings { rates: Some(rates), ..Settings::default() }).await;
    let send = || Request::post("/api/v1/images").body(String::new()).unwrap();
    let statuses =
        [server.send(send()).await, server.send(send()).await, server.send(send()).await];
    assert_eq!(statuses.map(|answer| answer.status().as_u16()), [401, 401, 429]);
    assert_eq!(server.get("/api/v1/service").await.status(), 200);
}

#[tokio::test]
async fn addresses_behind_a_trusted_proxy_are_counted_apart_and_cannot_be_made_up() {
    let settings = |trusted: &[&str]| Settings {
        trusted_proxies: trusted.iter().map(|net| net.parse().unwrap()).collect(),
        rates: Some(RateLimits { address: 1, ..RateLimits::default() }),
        ..Settings::default()
    };
    let from = |address: &str| with_header("/api/v1/service", "x-forwarded-for", address);
    let trusting = start(settings(&["127.0.0.1/32"])).await;
    assert_eq!(trusting.send(from("192.0.2.1")).await.status(), 200);
    assert_eq!(trusting.send(from("192.0.2.2")).await.status(), 200);
    assert_eq!(trusting.send(from("192.0.2.1")).await.status(), 429);
    let spoofed = from("203.0.113.9, 192.0.2.1");
    assert_eq!(trusting.send(spoofed).await.status(), 429, "only the last address counts");

    let wary = start(settings(&[])).await;
    assert_eq!(wary.send(from("192.0.2.1")).await.status(), 200);
    assert_eq!(wary.send(from("192.0.2.2")).await.status(), 429);
}

#[tokio::test]
async fn without_rate_limits_nothing_is_counted() {
    let server = Server::start().await;
    let answer = server.get("/api/v1/service").await;
    assert_eq!(header(&answer, "ratelimit-limit"), None);
}

#[tokio::test]
async fn clients_can_ask_what_the_installation_offers() {
    let server = Server::start().await;
    let info = json_of(server.get("/api/v1/service").await);
    assert_eq!(info["name"], "ferrotype");
    assert_eq!(info["sizes"][0]["name"], "thumb");
    assert_eq!(info["limits"]["titleChars"], 255);
}

#[tokio::test]
async fn the_description_is_served_with_a_viewer_that_needs_nothing_from_elsewhere() {
    let server = Server::start().await;
    let document = json_of(server.get("/api/openapi.json").await);
    let kept: Value = serde_json::from_str(&api::openapi_json()).unwrap();
    assert_eq!(document, kept);
    assert_eq!(document["openapi"], "3.1.0");
    for (path, media_type) in [
        ("/api/docs", "text/html"),
        ("/api/docs/viewer.js", "text/javascript"),
        ("/api/docs/try.js", "text/javascript"),
        ("/api/docs/viewer.css", "text/css"),
    ] {
        let mut answer = server.get(path).await;
        assert_eq!(answer.status(), 200);
        assert!(header(&answer, "content-type").unwrap().starts_with(media_type));
        let text = answer.body_mut().read_to_string().unwrap();
        assert!(!text.contains("http://") && !text.contains("https://"), "{path}");
    }
}

#[tokio::test]
async fn every_error_in_the_description_has_its_shape() {
    let document: Value = serde_json::from_str(&api::openapi_json()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let answers = operation["responses"].as_object().unwrap();
            assert!(answers.contains_key("500"), "{method} {path}");
            for (status, answer) in answers {
                let is_error = status.parse::<u16>().unwrap() >= 400;
                if is_error && path != "/health/ready" {
                    let schema = &answer["content"]["application/json"]["schema"]["$ref"];
                    assert_eq!(schema, "#/components/schemas/Error", "{method} {path} {status}");
                }
            }
        }
    }
}

#[tokio::test]
async fn below_a_path_everything_is_found_there() {
    let public_url = Some("http://example.org/family/photos".parse().unwrap());
    let server = start(Settings { public_url, ..Settings::default() }).await;
    for path in ["/family/photos", "/family/photos/", "/family/photos/api/v1/service", "/"] {
        assert_eq!(server.get(path).await.status(), 200, "{path}");
    }
    for path in ["/family/photosynthesis", "/family", "/photos"] {
        assert_eq!(server.get(path).await.status(), 404, "{path}");
    }
    for (page, address) in [
        ("/signin", "action=\"/family/photos/signin\""),
        ("/api/docs", "src=\"/family/photos/api/docs/viewer.js\""),
        ("/", "href=\"/family/photos/signin\""),
    ] {
        let mut answer = server.get(&format!("/family/photos{page}")).await;
        let page = answer.body_mut().read_to_string().unwrap();
        assert!(page.contains(address) && !page.contains("=\"/s"), "{page}");
    }
    let document = json_of(server.get("/family/photos/api/openapi.json").await);
    assert_eq!(document["servers"][0]["url"], "/family/photos");
    let answer = server.send(Request::post("/family/photos/signout").body(String::new()).unwrap());
    assert_eq!(header(&answer.await, "location"), Some("/family/photos/signin"));
}
