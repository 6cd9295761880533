//! The bytes of pictures.

use serde_json::Value;

use crate::site::Site;
use crate::support::client::{Answer, Client, Form, id_of};

pub fn every_size_is_served_and_may_be_kept_by_caches(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    for (name, size) in image["sizes"].as_object().unwrap() {
        let picture = fetch(site, size, "image/webp");
        assert_eq!(picture.status, 200, "{name}");
        assert_eq!(picture.header("content-type"), "image/webp");
        assert_eq!(size["sizeBytes"].as_u64(), u64::try_from(picture.body.len()).ok());
        let caching = picture.header("cache-control");
        assert!(caching.contains("public") && caching.contains("immutable"), "{caching}");
        let again = site.nobody.request("GET", size["url"].as_str().unwrap());
        let again = again.header("accept", "image/webp");
        let again = again.header("if-none-match", picture.header("etag"));
        assert_eq!(site.nobody.send(again, Vec::new()).status, 304);
    }
    // Never larger than it was.
    assert_eq!(image["sizes"]["large"]["width"], 320);
}

pub fn an_address_that_was_changed_is_refused(site: &Site) {
    let ada = site.user();
    let (image, other) = (ada.keep(&site.file()), ada.keep(&site.file()));
    let thumb = image["sizes"]["thumb"]["url"].as_str().unwrap();
    let (path, query) = thumb.split_once('?').unwrap();
    let expires = query.split('&').find(|pair| pair.starts_with("e=")).unwrap();
    let later = thumb.replace(expires, "e=99999999999");
    let changed = [
        thumb.replace("thumb", "large"),
        thumb.replace("thumb", "original"),
        thumb.replace(id_of(&image), id_of(&other)),
        later,
        format!("{thumb}0"),
    ];
    for url in changed {
        assert_eq!(site.nobody.get(&url).refusal(), (403, "bad_signature".to_owned()), "{url}");
    }
    site.nobody.get(path).assert_refused(401, "unauthenticated");
    // Without a signature, whoever may see the image may have it.
    assert_eq!(ada.get(path).status, 200);
    site.user().get(path).assert_refused(404, "not_found");
}

pub fn parts_of_a_file_can_be_fetched(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let image = ada.keep(&file);
    let original = image["originalUrl"].as_str().unwrap();
    let part = |range: &str| {
        let request = site.nobody.request("GET", original).header("range", range);
        site.nobody.send(request, Vec::new())
    };
    let middle = part("bytes=100-199");
    assert_eq!((middle.status, &middle.body[..]), (206, &file[100..200]));
    assert_eq!(middle.header("content-range"), format!("bytes 100-199/{}", file.len()));
    assert_eq!(part("bytes=-10").body, file[file.len() - 10..]);
    assert_eq!(part(&format!("bytes={}-", file.len() - 3)).body, file[file.len() - 3..]);
    let beyond = part("bytes=999999999-");
    beyond.assert_refused(416, "bad_range");
    assert_eq!(part("lines=1-2").status, 200);
}

pub fn the_format_is_what_the_client_takes(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    let thumb = &image["sizes"]["thumb"];
    let jpeg = fetch(site, thumb, "image/*,*/*;q=0.8");
    assert_eq!((jpeg.status, jpeg.header("content-type")), (200, "image/jpeg"));
    assert_eq!(jpeg.body[..2], [0xFF, 0xD8]);
    assert_eq!(jpeg.header("vary"), "accept");
    let webp = fetch(site, thumb, "image/avif,image/webp,*/*");
    assert_eq!(webp.header("content-type"), "image/webp");
    assert_eq!(&webp.body[8..12], b"WEBP");
}

pub fn sizes_on_demand_are_made_once_and_only_if_offered(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    let offers = site.nobody.get("/api/v1/service").expect(200);
    let width = offers["transforms"]["widths"][0].as_u64().unwrap();
    let path = format!("/i/{}/w{width}.jpeg", id_of(&image));
    let fetch = |client: &Client| client.get(&path);
    let answers: Vec<_> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(|| fetch(&ada))).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    for answer in &answers {
        assert_eq!((answer.status, answer.header("content-type")), (200, "image/jpeg"));
        assert_eq!(
            (&answer.body, answer.header("etag")),
            (&answers[0].body, answers[0].header("etag"))
        );
    }
    let odd = ada.get(&format!("/i/{}/w7.jpeg", id_of(&image)));
    odd.assert_refused(422, "bad_transform");
    ada.get(&format!("/i/{}/no_such_size", id_of(&image))).assert_refused(404, "not_found");
    site.user().get(&path).assert_refused(404, "not_found");
}

pub fn the_original_is_for_its_owner_under_its_name(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let form = Form {
        fields: vec![("visibility", "shared")],
        filename: Some("Übung.bmp"),
        ..Form::default()
    };
    let image = ada.upload_form(&file, &form).expect(201);
    let image = ada.completed(id_of(&image));
    let saved =
        site.nobody.get(&format!("{}&download=true", image["originalUrl"].as_str().unwrap()));
    assert_eq!((saved.status, &saved.body), (200, &file));
    assert_eq!(
        saved.header("content-disposition"),
        "attachment; filename=\"_bung.bmp\"; filename*=UTF-8''%C3%9Cbung.bmp"
    );
    let unsigned = format!("/i/{}/original?download=true", id_of(&image));
    for ada in [&ada, &ada.at_a_browser()] {
        let saved = ada.get(&unsigned);
        assert_eq!((saved.status, &saved.body), (200, &file), "by her session");
    }
    site.nobody.get(&unsigned).assert_refused(401, "unauthenticated");
    let bob = site.user();
    let seen = bob.get(&format!("/api/v1/images/{}", id_of(&image))).expect(200);
    assert_eq!(seen["originalUrl"], Value::Null);
    bob.at_a_browser().get(&unsigned).assert_refused(404, "not_found");
    assert_eq!(bob.get(&format!("/i/{}/thumb", id_of(&image))).status, 200);
    bob.get(&format!("/i/{}/original", id_of(&image))).assert_refused(404, "not_found");
}

fn fetch(site: &Site, size: &Value, accept: &str) -> Answer {
    let request = site.nobody.request("GET", size["url"].as_str().unwrap());
    site.nobody.send(request.header("accept", accept), Vec::new())
}
