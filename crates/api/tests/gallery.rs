//! The gallery's files, and its page for every address that is nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use api::{Gallery, GalleryFile, Settings};
use support::{Options, Server};
use ureq::Body;
use ureq::http::{Request, Response};

const HTML: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

fn file(path: &'static str, text: &'static str) -> GalleryFile {
    let is_script = path.ends_with(".js");
    GalleryFile {
        path,
        bytes: text.as_bytes(),
        gzip: is_script.then_some(b"as gzip".as_slice()),
        brotli: is_script.then_some(b"as br".as_slice()),
        hash: "abc",
    }
}

async fn start(settings: Settings) -> Server {
    let files = [
        file("index.html", "<!doctype html><title>the gallery</title>"),
        file("assets/index-abc.js", "a script that is long"),
        file("sw.js", "a worker"),
        file("icon.svg", "<svg/>"),
    ];
    let gallery = Some(Gallery::of(files));
    Server::with(Options { settings, gallery, ..Options::default() }).await
}

async fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let request = Request::get(path);
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    server.send(request.body(String::new()).unwrap()).await
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

fn text(mut response: Response<Body>) -> String {
    response.body_mut().read_to_string().unwrap()
}

#[tokio::test]
async fn files_are_sent_in_the_shortest_form_that_is_taken() {
    let server = start(Settings::default()).await;
    let path = "/assets/index-abc.js";
    for (accepts, encoding, body) in [
        ("gzip, br", "br", "as br"),
        ("gzip", "gzip", "as gzip"),
        ("identity", "", "a script that is long"),
        ("br;q=0, gzip;q=0.1", "gzip", "as gzip"),
    ] {
        let answer = get(&server, path, &[("accept-encoding", accepts)]).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(header(&answer, "content-encoding"), encoding, "{accepts}");
        assert_eq!(header(&answer, "content-type"), "text/javascript; charset=utf-8");
        assert_eq!(header(&answer, "cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(header(&answer, "vary"), "accept-encoding");
        let tag = header(&answer, "etag").to_owned();
        assert_eq!(text(answer), body, "{accepts}");
        let known = [("accept-encoding", accepts), ("if-none-match", &tag)];
        assert_eq!(get(&server, path, &known).await.status(), 304, "{accepts}");
    }
}

#[tokio::test]
async fn what_keeps_its_name_is_asked_for_each_time() {
    let server = start(Settings::default()).await;
    for path in ["/", "/sw.js", "/icon.svg"] {
        assert_eq!(header(&get(&server, path, &[]).await, "cache-control"), "no-cache", "{path}");
    }
}

#[tokio::test]
async fn every_address_that_nobody_else_has_shows_the_page() {
    let server = start(Settings::default()).await;
    for path in ["/", "/photos", "/albums/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/signin", "/setup?token=x"]
    {
        let answer = get(&server, path, &[("accept", HTML)]).await;
        assert_eq!(answer.status(), 200, "{path}");
        assert!(text(answer).contains("the gallery"), "{path}");
    }
    for path in ["/api/v1/nothing", "/i/nothing", "/assets/gone.js", "/robots.txt", "/health/x"] {
        assert_eq!(get(&server, path, &[("accept", HTML)]).await.status(), 404, "{path}");
    }
    assert_eq!(get(&server, "/photos", &[]).await.status(), 404, "not for programs");
    let post = Request::post("/photos").header("accept", HTML).body("x".to_owned()).unwrap();
    assert_eq!(server.send(post).await.status(), 404, "only to look at");
    let head = Request::head("/photos").header("accept", HTML).body(String::new()).unwrap();
    assert_eq!(server.send(head).await.status(), 200);
    for path in ["/api/docs", "/api/v1/service", "/health/live", "/metrics"] {
        let answer = get(&server, path, &[("accept", HTML)]).await;
        assert_eq!(answer.status(), 200, "{path}");
        assert!(!text(answer).contains("the gallery"), "{path}");
    }
}

#[tokio::test]
async fn the_page_loads_nothing_from_elsewhere_unless_pictures_are_there() {
    let server = start(Settings::default()).await;
    let answer = get(&server, "/photos", &[("accept", HTML)]).await;
    let policy = header(&answer, "content-security-policy").to_owned();
    assert!(policy.contains("script-src 'self';"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    let worker = get(&server, "/sw.js", &[]).await;
    assert_eq!(header(&worker, "content-security-policy"), policy, "it must load what pages load");
    let settings = Settings {
        storage_origins: vec!["https://bucket.example.org".to_owned()],
        ..Settings::default()
    };
    let answer = get(&start(settings).await, "/", &[("accept", HTML)]).await;
    let policy = header(&answer, "content-security-policy");
    assert!(policy.contains("blob: https://bucket.example.org;"), "{policy}");
}

#[tokio::test]
async fn without_a_gallery_the_front_page_says_why_and_the_forms_work() {
    let gallery = Some(Gallery::missing("node is <missing>"));
    let server = Server::with(Options { gallery, ..Options::default() }).await;
    let page = text(get(&server, "/", &[("accept", HTML)]).await);
    assert!(page.contains("node is &lt;missing&gt;") && page.contains("/api/docs"), "{page}");
    assert_eq!(get(&server, "/photos", &[("accept", HTML)]).await.status(), 404);
    assert!(text(get(&server, "/signin", &[]).await).contains("<form"));
}
