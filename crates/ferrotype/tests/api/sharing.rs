//! Links: what people see who have no account, and what they do not.

use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::albums::{album, change, expect_ids, join, path, upload};
use crate::site::Site;
use crate::support::client::{Answer, Client, Form, id_of};
use crate::support::program::DEADLINE;

pub fn link(client: &Client, asked: &Value) -> Value {
    client.post("/api/v1/links", asked).expect(201)
}

fn own(link: &Value) -> String {
    format!("/api/v1/links/{}", id_of(link))
}

pub fn shared(link: &Value, rest: &str) -> String {
    format!("/api/v1/shared/{}{rest}", link["token"].as_str().unwrap())
}

fn page(link: &Value) -> String {
    link["url"].as_str().unwrap().to_owned()
}

/// A moment from now.
fn in_seconds(seconds: u64) -> String {
    let then = std::time::SystemTime::now() + std::time::Duration::from_secs(seconds);
    let millis = then.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    model::Timestamp::from_millis(i64::try_from(millis).unwrap()).to_string()
}

/// An album with as many processed images, in its order: the newest first.
fn filled(site: &Site, owner: &Client, images: usize) -> (Value, Vec<String>) {
    let made = album(owner, "Summer");
    let mut ids: Vec<String> =
        (0..images).map(|_| id_of(&owner.keep(&site.file())).to_owned()).collect();
    change(owner, &made, &ids.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    ids.reverse();
    (made, ids)
}

pub fn with_header(client: &Client, method: &str, path: &str, header: (&str, &str)) -> Answer {
    client.send(client.request(method, path).header(header.0, header.1), Vec::new())
}

pub fn an_image_is_shown_without_an_account_and_without_what_is_its_owners_business(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    let other = ada.keep(&site.file());
    let edit = json!({ "title": "Evening", "description": "By the sea", "tags": ["secret"] });
    ada.patch(&format!("/api/v1/images/{}", id_of(&image)), &edit).expect(200);
    let made = link(&ada, &json!({ "image": id_of(&image) }));
    assert_eq!(made["download"], "renditions");
    assert_eq!((&made["hasPassword"], &made["viewCount"]), (&json!(false), &json!(0)));
    let answer = site.nobody.get(&shared(&made, ""));
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let shown = answer.expect(200);
    assert_eq!((&shown["kind"], &shown["title"]), (&json!("image"), &json!("Evening")));
    assert_eq!(shown["imageCount"], 1);
    let listed = site.nobody.get(&shared(&made, "/images")).expect(200);
    let item = &listed["items"][0];
    assert_eq!((id_of(item), &item["title"]), (id_of(&image), &json!("Evening")));
    let one = shared(&made, &format!("/images/{}", id_of(&image)));
    assert_eq!(&site.nobody.get(&one).expect(200), item);
    for hidden in ["owner", "exif", "tags", "sha256", "originalUrl", "filename", "uploadedAt"] {
        assert_eq!(item[hidden], Value::Null, "{hidden}");
    }
    for (name, size) in item["sizes"].as_object().unwrap() {
        assert_eq!(site.nobody.get(size["url"].as_str().unwrap()).status, 200, "{name}");
    }
    let not_shown = shared(&made, &format!("/images/{}", id_of(&other)));
    site.nobody.get(&not_shown).assert_refused(404, "not_found");
    // Holding a link is no account.
    site.nobody
        .get(&format!("/api/v1/images/{}", id_of(&image)))
        .assert_refused(401, "unauthenticated");
    ada.delete(&format!("/api/v1/images/{}", id_of(&image))).expect(204);
    for gone in ["", "/images", "/archive.zip"] {
        site.nobody.get(&shared(&made, gone)).assert_refused(404, "not_found");
    }
    ada.post(&format!("/api/v1/images/{}/restore", id_of(&image)), &Value::Null).expect(200);
    site.nobody.get(&shared(&made, "")).expect(200);
}

pub fn an_album_is_shown_as_it_is_now(site: &Site) {
    let ada = site.user();
    let (summer, ids) = filled(site, &ada, 3);
    let made = link(&ada, &json!({ "album": id_of(&summer) }));
    let [c, b, a] = [ids[0].as_str(), ids[1].as_str(), ids[2].as_str()];
    let images = shared(&made, "/images");
    expect_ids(&site.nobody, &images, &[c, b, a]);
    let shown = site.nobody.get(&shared(&made, "")).expect(200);
    assert_eq!((&shown["title"], &shown["imageCount"]), (&json!("Summer"), &json!(3)));
    assert_eq!(id_of(&shown["cover"]), c);
    ada.patch(&path(&summer, ""), &json!({ "cover": a, "sort": "hand" })).expect(200);
    assert_eq!(id_of(&site.nobody.get(&shared(&made, "")).expect(200)["cover"]), a);
    expect_ids(&site.nobody, &images, &[a, b, c]);
    // At once, also for those who know the id.
    change(&ada, &summer, &[], &[b]);
    site.nobody.get(&format!("{images}/{b}")).assert_refused(404, "not_found");
    expect_ids(&site.nobody, &images, &[a, c]);
    ada.delete(&format!("/api/v1/images/{a}")).expect(204);
    site.nobody.get(&format!("{images}/{a}")).assert_refused(404, "not_found");
    expect_ids(&site.nobody, &images, &[c]);
    let nested = json!({ "title": "May", "parent": summer["id"] });
    let nested = ada.post("/api/v1/albums", &nested).expect(201);
    change(&ada, &nested, &[b], &[]);
    site.nobody.get(&format!("{images}/{b}")).assert_refused(404, "not_found");
    ada.delete(&path(&nested, "")).expect(204);
    ada.delete(&path(&summer, "")).expect(204);
    site.nobody.get(&images).assert_refused(404, "not_found");
    ada.get(&own(&made)).assert_refused(404, "not_found");
}

pub fn a_search_shows_what_it_finds_of_its_owners_images_now(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let word = format!("lake{:08x}", rand::random::<u32>());
    let titled = |client: &Client, visibility: &str| {
        let image = id_of(&client.keep(&site.file())).to_owned();
        let edit = json!({ "title": word, "visibility": visibility });
        client.patch(&format!("/api/v1/images/{image}"), &edit).expect(200);
        image
    };
    let (one, two) = (titled(&ada, "private"), titled(&ada, "shared"));
    let his = titled(&bob, "shared");
    expect_ids(&ada, &format!("/api/v1/search?q={word}"), &[&his, &two, &one]);
    let made = link(&ada, &json!({ "search": word, "download": "originals" }));
    assert_eq!(made["search"], json!(word));
    let images = shared(&made, "/images");
    expect_ids(&site.nobody, &images, &[&two, &one]);
    site.nobody.get(&format!("{images}/{one}")).expect(200);
    site.nobody.get(&format!("{images}/{his}")).assert_refused(404, "not_found");
    let shown = site.nobody.get(&shared(&made, "")).expect(200);
    assert_eq!((&shown["kind"], &shown["imageCount"]), (&json!("search"), &json!(2)));
    assert_eq!(unzip(&site.nobody.get(&shared(&made, "/archive.zip"))).len(), 2);
    assert_eq!(site.nobody.get(&page(&made)).status, 200);
    // As soon as it is not found any more.
    ada.patch(&format!("/api/v1/images/{one}"), &json!({ "title": "Other" })).expect(200);
    site.nobody.get(&format!("{images}/{one}")).assert_refused(404, "not_found");
    ada.delete(&format!("/api/v1/images/{two}")).expect(204);
    site.nobody.get(&format!("{images}/{two}")).assert_refused(404, "not_found");
    expect_ids(&site.nobody, &images, &[]);
    ada.post("/api/v1/links", &json!({ "search": "taken:soon" })).assert_refused(400, "bad_search");
}

pub fn a_password_must_be_known(site: &Site) {
    let ada = site.user();
    let (summer, ids) = filled(site, &ada, 1);
    let made = link(&ada, &json!({ "album": id_of(&summer), "password": "pass word" }));
    assert_eq!(made["hasPassword"], true);
    let one = format!("/images/{}", ids[0]);
    let rests = ["", "/images", &one, "/archive.zip"];
    for rest in rests {
        site.nobody.get(&shared(&made, rest)).assert_refused(401, "link_locked");
    }
    let unlock = |password: &str| {
        site.nobody.post(&shared(&made, "/unlock"), &json!({ "password": password }))
    };
    unlock("password").assert_refused(401, "wrong_password");
    let answer = unlock("pass word");
    let proof = answer.expect(200)["proof"].as_str().unwrap().to_owned();
    let cookie = answer.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("Path=/s/"), "{cookie}");
    let look = |rest: &str, header: (&str, &str)| {
        with_header(&site.nobody, "GET", &shared(&made, rest), header).status
    };
    for rest in rests {
        assert_eq!(look(rest, ("x-link-unlocked", &proof)), 200, "{rest}");
        assert_eq!(look(rest, ("cookie", &format!("ferrotype_link={proof}"))), 200, "{rest}");
        assert_eq!(look(rest, ("x-link-unlocked", &format!("9{proof}"))), 401, "{rest}");
    }
    let other = link(&ada, &json!({ "album": id_of(&summer), "password": "pass word" }));
    let elsewhere =
        with_header(&site.nobody, "GET", &shared(&other, ""), ("x-link-unlocked", &proof));
    elsewhere.assert_refused(401, "link_locked");
    // The same password, but a new one.
    ada.patch(&own(&made), &json!({ "password": "pass word" })).expect(200);
    assert_eq!(look("", ("x-link-unlocked", &proof)), 401);
    ada.patch(&own(&made), &json!({ "password": null })).expect(200);
    site.nobody.get(&shared(&made, "")).expect(200);
    let short = json!({ "album": id_of(&summer), "password": "12345" });
    ada.post("/api/v1/links", &short).assert_refused(422, "invalid_value");
}

pub fn passwords_of_a_link_are_tried_only_so_often(site: &Site) {
    let ada = site.user();
    let image = upload(site, &ada);
    let made = link(&ada, &json!({ "image": image, "password": "pass word" }));
    let unlock = |password: &str| {
        site.nobody.post(&shared(&made, "/unlock"), &json!({ "password": password }))
    };
    for _ in 0..9 {
        unlock("wrong one").assert_refused(401, "wrong_password");
    }
    unlock("pass word").expect(200);
    unlock("wrong one").assert_refused(401, "wrong_password");
    let refused = unlock("pass word");
    refused.assert_refused(429, "too_many_attempts");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 0);
}

pub fn a_link_ends_and_can_be_taken_back(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    let asked = json!({ "image": id_of(&image), "expiresAt": in_seconds(2) });
    let made = link(&ada, &asked);
    let thumb = site.nobody.get(&shared(&made, "")).expect(200)["cover"].clone();
    site.nobody.wait_for(&shared(&made, ""), 410);
    site.nobody.get(&shared(&made, "/images")).assert_refused(410, "link_expired");
    assert_eq!(site.nobody.get(&page(&made)).status, 410);
    assert_eq!(id_of(&ada.get(&own(&made)).expect(200)), id_of(&made));
    ada.patch(&own(&made), &json!({ "expiresAt": "2001-01-01T00:00:00Z" }))
        .assert_refused(422, "invalid_value");
    ada.patch(&own(&made), &json!({ "expiresAt": in_seconds(600) })).expect(200);
    site.nobody.get(&shared(&made, "")).expect(200);
    ada.patch(&own(&made), &json!({ "expiresAt": null })).expect(200);

    ada.delete(&own(&made)).expect(204);
    ada.delete(&own(&made)).assert_refused(404, "not_found");
    let told = |path: &str| {
        let answer = site.nobody.get(path);
        let error = answer.json()["error"].clone();
        (answer.status, error["code"].clone(), error["message"].clone())
    };
    let token = made["token"].as_str().unwrap();
    let made_up =
        format!("{}{}", &token[..token.len() - 1], if token.ends_with('A') { 'B' } else { 'A' });
    let gone = told(&shared(&made, ""));
    assert_eq!((gone.0, &gone.1), (404, &json!("not_found")));
    for unknown in [&made_up, "x", "01ARZ3NDEKTSV4RRFFQ69G5FAV"] {
        assert_eq!(told(&format!("/api/v1/shared/{unknown}")), gone, "{unknown}");
    }
    assert_eq!(site.nobody.get(&page(&made)).status, 404);
    // What was given out before ends within an hour.
    let url = thumb["sizes"]["thumb"]["url"].as_str().unwrap();
    assert_eq!(site.nobody.get(url).status, 200);
    let ends = url.split("e=").nth(1).unwrap().split('&').next().unwrap().parse::<u64>().unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    assert!(ends - now <= 3600, "{url}");
}

pub fn openings_are_counted_exactly_once_for_each_visit(site: &Site) {
    let ada = site.user();
    let (summer, ids) = filled(site, &ada, 1);
    let made = link(&ada, &json!({ "album": id_of(&summer) }));
    let count = || ada.get(&own(&made)).expect(200)["viewCount"].as_i64().unwrap();
    std::thread::scope(|scope| {
        for n in 0..12 {
            let path = if n % 2 == 0 { page(&made) } else { shared(&made, "") };
            scope.spawn(move || assert_eq!(site.nobody.get(&path).status, 200));
        }
    });
    assert_eq!(count(), 12);
    // Looking round in it is no opening, nor is coming back, nor is what its owner does.
    let first = site.nobody.get(&page(&made));
    assert!(first.header("set-cookie").starts_with("ferrotype_link=seen; Path=/s/"));
    assert_eq!(count(), 13);
    let again = with_header(&site.nobody, "GET", &page(&made), ("cookie", "ferrotype_link=seen"));
    assert_eq!(again.status, 200);
    for path in [shared(&made, "/images"), format!("{}/{}", page(&made), ids[0])] {
        assert_eq!(site.nobody.get(&path).status, 200);
    }
    site.nobody.send(site.nobody.request("HEAD", &page(&made)), Vec::new());
    ada.get(&shared(&made, "")).expect(200);
    assert_eq!(count(), 13);
    let seen = ada.get(&own(&made)).expect(200);
    assert_eq!(seen["version"], made["version"], "being opened is no change");
}

pub fn what_may_not_be_taken_away_is_not(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let (summer, ids) = filled(site, &ada, 1);
    join(&ada, &summer, &bob, "contributor");
    let his = bob.keep(&site.file());
    change(&bob, &summer, &[id_of(&his)], &[]);
    let made = link(&ada, &json!({ "album": id_of(&summer), "download": "off" }));
    let file = |image: &str| shared(&made, &format!("/images/{image}/file"));
    let image =
        |image: &str| site.nobody.get(&shared(&made, &format!("/images/{image}"))).expect(200);
    site.nobody.get(&shared(&made, "/archive.zip")).assert_refused(403, "download_off");
    site.nobody.get(&file(&ids[0])).assert_refused(403, "download_off");
    assert!(!text_of(&site.nobody.get(&page(&made))).contains("Download"));
    let shown = image(&ids[0]);
    assert_eq!(shown["originalUrl"], Value::Null);
    let large = shown["sizes"]["large"]["url"].as_str().unwrap();
    let saved = site.nobody.get(&format!("{large}&download=true"));
    assert_eq!((saved.status, saved.header("content-disposition")), (200, ""));
    let unbound = large.replace("&show=1", "");
    assert_ne!(unbound, large);
    site.nobody.get(&format!("{unbound}&download=true")).assert_refused(403, "bad_signature");

    ada.patch(&own(&made), &json!({ "download": "renditions" })).expect(200);
    assert_eq!(image(&ids[0])["originalUrl"], Value::Null);
    let kept = site.nobody.get(&file(&ids[0]));
    assert_eq!((kept.status, kept.header("content-type")), (200, "image/webp"));
    assert!(kept.header("content-disposition").starts_with("attachment; filename=\"sunset.webp\""));
    ada.patch(&own(&made), &json!({ "download": "originals" })).expect(200);
    let original = image(&ids[0])["originalUrl"].as_str().unwrap().to_owned();
    assert_eq!(site.nobody.get(&original).status, 200);
    assert_eq!(site.nobody.get(&file(&ids[0])).header("content-type"), "image/bmp");
    // Whose album it is does not make its images theirs.
    assert_eq!(image(id_of(&his))["originalUrl"], Value::Null);
    assert_eq!(site.nobody.get(&file(id_of(&his))).header("content-type"), "image/webp");
}

/// Names and contents of an archive, as another program reads them.
pub fn unzip(archive: &Answer) -> Vec<(String, Vec<u8>)> {
    assert_eq!((archive.status, archive.header("content-type")), (200, "application/zip"));
    assert_eq!(archive.header("content-length"), archive.body.len().to_string());
    let folder = tempfile::tempdir().unwrap();
    let zip = folder.path().join("archive.zip");
    std::fs::write(&zip, &archive.body).unwrap();
    let script = "import sys,zipfile\n\
                  z=zipfile.ZipFile(sys.argv[1])\n\
                  assert z.testzip() is None\n\
                  z.extractall(sys.argv[2])\n\
                  print('\\n'.join(z.namelist()))";
    let python = testkit::servers::installed("python/bin/python");
    let files = folder.path().join("files");
    let mut run = std::process::Command::new(python);
    let run = run.args(["-I", "-X", "utf8", "-c", script]).arg(&zip).arg(&files).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let names = String::from_utf8(run.stdout).unwrap();
    let names = names.lines().filter(|name| !name.is_empty());
    names.map(|name| (name.to_owned(), std::fs::read(files.join(name)).unwrap())).collect()
}

pub fn an_album_is_downloaded_as_one_file(site: &Site) {
    let (ada, bob, eve) = (site.user(), site.user(), site.user());
    let summer = album(&ada, "Été / 2026");
    join(&ada, &summer, &bob, "contributor");
    let mut files = Vec::new();
    for name in ["été.bmp", "IMG.bmp", "img.BMP"] {
        let file = site.file();
        let form = Form { filename: Some(name), ..Form::default() };
        let image = ada.upload_form(&file, &form).expect(201);
        ada.completed(id_of(&image));
        change(&ada, &summer, &[id_of(&image)], &[]);
        files.insert(0, (image, file));
    }
    let his = bob.keep(&site.file());
    change(&bob, &summer, &[id_of(&his)], &[]);
    let trashed = ada.keep(&site.file());
    change(&ada, &summer, &[id_of(&trashed)], &[]);
    ada.delete(&format!("/api/v1/images/{}", id_of(&trashed))).expect(204);
    expect_ids(
        &ada,
        &path(&summer, "/images"),
        &[id_of(&his), id_of(&files[0].0), id_of(&files[1].0), id_of(&files[2].0)],
    );
    let archive = ada.get(&path(&summer, "/archive.zip"));
    let told = archive.header("content-disposition");
    assert!(told.ends_with("filename*=UTF-8''%C3%89t%C3%A9%20_%202026.zip"), "{told}");
    let found = unzip(&archive);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["sunset.webp", "img.BMP", "IMG (2).bmp", "été.bmp"]);
    for ((_, file), (name, bytes)) in files.iter().zip(&found[1..]) {
        assert!(file == bytes, "{name} is the original");
    }
    let rendition = |client: &Client, image: &Value| {
        let url = client.get(&format!("/api/v1/images/{}", id_of(image))).expect(200);
        let url = url["sizes"]["large"]["url"].as_str().unwrap().to_owned();
        with_header(client, "GET", &url, ("accept", "image/webp")).body
    };
    assert!(found[0].1 == rendition(&ada, &his), "of others the largest rendition");
    let seen_by_bob = unzip(&bob.get(&path(&summer, "/archive.zip")));
    assert_eq!(seen_by_bob[0].0, "sunset.jpg", "his own original has its own name");
    assert!(seen_by_bob[1].1 == rendition(&bob, &files[0].0));
    eve.get(&path(&summer, "/archive.zip")).assert_refused(404, "not_found");

    let made = link(&ada, &json!({ "album": id_of(&summer) }));
    let found = unzip(&site.nobody.get(&shared(&made, "/archive.zip")));
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["sunset.webp", "img.webp", "IMG (2).webp", "été.webp"]);
    assert!(found[1].1 == rendition(&ada, &files[0].0));
    ada.patch(&own(&made), &json!({ "download": "originals" })).expect(200);
    let found = unzip(&site.nobody.get(&shared(&made, "/archive.zip")));
    assert!(found[1].1 == files[0].1 && found[0].1 == rendition(&ada, &his));
    let head =
        site.nobody.send(site.nobody.request("HEAD", &shared(&made, "/archive.zip")), vec![]);
    assert!(head.header("content-length").parse::<usize>().unwrap() > 3 * files[0].1.len());
    let empty = album(&ada, "Empty");
    assert_eq!(unzip(&ada.get(&path(&empty, "/archive.zip"))), []);
}

pub fn a_cursor_of_one_link_is_refused_by_another(site: &Site) {
    let ada = site.user();
    let (summer, ids) = filled(site, &ada, 2);
    let (one, two) = (
        link(&ada, &json!({ "album": id_of(&summer) })),
        link(&ada, &json!({ "album": id_of(&summer) })),
    );
    let first = site.nobody.get(&shared(&one, "/images?limit=1")).expect(200);
    assert_eq!(id_of(&first["items"][0]), ids[0]);
    let cursor = first["nextCursor"].as_str().unwrap();
    let next = |link: &Value| site.nobody.get(&shared(link, &format!("/images?cursor={cursor}")));
    assert_eq!(id_of(&next(&one).expect(200)["items"][0]), ids[1]);
    next(&two).assert_refused(400, "bad_cursor");
    let as_owner = ada.get(&path(&summer, &format!("/images?cursor={cursor}")));
    as_owner.assert_refused(400, "bad_cursor");
    assert_eq!(site.nobody.get(&format!("{}?cursor={cursor}", page(&two))).status, 400);
    assert_eq!(site.nobody.get(&format!("{}?cursor={cursor}", page(&one))).status, 200);
}

pub fn links_belong_to_their_owner_and_are_changed_by_version(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let (image, summer) = (upload(site, &ada), album(&ada, "Summer"));
    join(&ada, &summer, &bob, "contributor");
    let one = link(&ada, &json!({ "image": image, "title": " Sea " }));
    let two = link(&ada, &json!({ "album": id_of(&summer) }));
    assert_eq!(one["title"], "Sea");
    expect_ids(&ada, "/api/v1/links", &[id_of(&two), id_of(&one)]);
    expect_ids(&ada, &format!("/api/v1/links?image={image}"), &[id_of(&one)]);
    expect_ids(&ada, &format!("/api/v1/links?album={}", id_of(&summer)), &[id_of(&two)]);
    expect_ids(&bob, &format!("/api/v1/links?album={}", id_of(&summer)), &[]);
    assert_eq!(ada.get(&own(&one)).expect(200), one, "it can be copied again");
    // Who sees an image or an album may not show it to others.
    for asked in [json!({ "image": image }), json!({ "album": id_of(&summer) })] {
        bob.post("/api/v1/links", &asked).assert_refused(422, "invalid_value");
    }
    for bad in [
        json!({}),
        json!({ "image": image, "album": id_of(&summer) }),
        json!({ "image": "01ARZ3NDEKTSV4RRFFQ69G5FAV" }),
        json!({ "image": "me" }),
        json!({ "image": image, "expiresAt": "soon" }),
    ] {
        ada.post("/api/v1/links", &bad).assert_refused(422, "invalid_value");
    }
    let long = json!({ "image": image, "title": "x".repeat(256) });
    ada.post("/api/v1/links", &long).assert_refused(422, "title_too_long");
    let tag = ada.get(&own(&one)).header("etag").to_owned();
    ada.patch(&own(&one), &json!({ "title": null, "version": 1 })).expect(200);
    let late = ada.request("PATCH", &own(&one)).header("if-match", &tag);
    let late = late.header("content-type", "application/json");
    ada.send(late, b"{}".to_vec()).assert_refused(412, "precondition_failed");
    ada.patch(&own(&one), &json!({ "version": 1 })).assert_refused(409, "conflict");
    for refused in [
        bob.get(&own(&one)),
        bob.patch(&own(&one), &json!({ "title": "His" })),
        bob.delete(&own(&one)),
    ] {
        refused.assert_refused(404, "not_found");
    }
}

pub fn a_link_goes_with_its_image_and_with_its_owner(site: &Site) {
    let ada = site.user();
    let (image, kept) = (upload(site, &ada), upload(site, &ada));
    let (one, two) =
        (link(&ada, &json!({ "image": image })), link(&ada, &json!({ "image": kept })));
    ada.delete(&format!("/api/v1/images/{image}?permanent=true")).expect(204);
    assert!(wait_until(DEADLINE, || ada.get(&own(&one)).status == 404));
    site.nobody.get(&shared(&two, "")).expect(200);
    ada.delete("/api/v1/me").expect(202);
    // At once, whenever a worker comes to it.
    site.nobody.get(&shared(&two, "")).assert_refused(404, "not_found");
}

fn text_of(answer: &Answer) -> String {
    String::from_utf8(answer.body.clone()).unwrap()
}

fn meta<'a>(page: &'a str, name: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("=\"{name}\" content=\"")).unwrap_or(("", "\""));
    rest.split('"').next().unwrap()
}

pub fn the_page_shows_a_link_and_tells_other_programs_about_it(site: &Site) {
    let ada = site.user();
    let (summer, ids) = filled(site, &ada, 2);
    let title = json!({ "title": "<Summer> & \"sea\"", "description": "Two weeks" });
    ada.patch(&path(&summer, ""), &title).expect(200);
    let made = link(&ada, &json!({ "album": id_of(&summer) }));
    let answer = site.nobody.get(&page(&made));
    let text = text_of(&answer);
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/html; charset=utf-8"));
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow");
    let policy = answer.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert!(!text.contains("<Summer>") && !text.contains("<script"), "{text}");
    assert_eq!(meta(&text, "og:title"), "&lt;Summer&gt; &amp; &quot;sea&quot;");
    assert_eq!(meta(&text, "og:description"), "Two weeks");
    assert_eq!(meta(&text, "twitter:card"), "summary_large_image");
    assert_eq!(meta(&text, "robots"), "noindex, nofollow");
    assert_eq!(meta(&text, "og:url"), format!("{}{}", site.nobody.base, page(&made)));
    let preview = meta(&text, "og:image").replace("&amp;", "&");
    assert!(preview.starts_with(&site.nobody.base), "whole: {preview}");
    let picture = site.nobody.get(&preview);
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/jpeg"));
    for image in &ids {
        let there = format!("{}/{image}", page(&made));
        assert!(text.contains(&format!("href=\"{there}\"")), "{text}");
        let single = site.nobody.get(&there);
        assert_eq!(single.status, 200);
        assert!(text_of(&single).contains("Back to all photos"));
    }
    let tile = text.split("<img src=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(site.nobody.get(&tile.replace("&amp;", "&")).status, 200);

    ada.patch(&own(&made), &json!({ "password": "pass word" })).expect(200);
    let locked = text_of(&site.nobody.get(&page(&made)));
    for leak in ["Summer", "Two weeks", "og:image", "og:description", "/i/", &ids[0]] {
        assert!(!locked.contains(leak), "{leak}: {locked}");
    }
    assert!(locked.contains("type=\"password\""), "{locked}");
    let fill = |password: &str| {
        let request = site.nobody.request("POST", &page(&made));
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        site.nobody.send(request, format!("password={password}").into_bytes())
    };
    let wrong = fill("password");
    assert_eq!(wrong.status, 401);
    assert!(text_of(&wrong).contains("role=\"alert\""));
    let right = fill("pass+word");
    assert_eq!((right.status, right.header("location")), (303, page(&made).as_str()));
    let cookie = right.header("set-cookie").split(';').next().unwrap().to_owned();
    let open = with_header(&site.nobody, "GET", &page(&made), ("cookie", &cookie));
    assert!(text_of(&open).contains("Two weeks"));
    let views = ada.get(&own(&made)).expect(200)["viewCount"].clone();
    assert_eq!(views, 2, "opened once, and once with the password");

    let unknown = site.nobody.get("/s/unknown");
    assert_eq!((unknown.status, unknown.header("content-type")), (404, "text/html; charset=utf-8"));
}
