//! Albums: their images, their order, their members and what these may see and do.

use serde_json::{Value, json};

use crate::site::Site;
use crate::support::client::{Client, id_of};

pub fn album(client: &Client, title: &str) -> Value {
    client.post("/api/v1/albums", &json!({ "title": title })).expect(201)
}

pub fn path(album: &Value, rest: &str) -> String {
    format!("/api/v1/albums/{}{rest}", id_of(album))
}

pub fn upload(site: &Site, client: &Client) -> String {
    id_of(&client.upload(&site.file()).expect(201)).to_owned()
}

pub fn change(client: &Client, album: &Value, add: &[&str], remove: &[&str]) -> Value {
    let asked = json!({ "add": add, "remove": remove });
    client.post(&path(album, "/images"), &asked).expect(200)
}

fn outcomes(told: &Value) -> Vec<&str> {
    told.as_array().unwrap().iter().map(|one| one["outcome"].as_str().unwrap()).collect()
}

pub fn join(owner: &Client, album: &Value, member: &Client, role: &str) {
    let member = path(album, &format!("/members/{}", member.user_id()));
    owner.json("PUT", &member, &json!({ "role": role })).expect(200);
}

/// Reads a whole list, two entries at a time; indexes may lag behind what was answered.
#[track_caller]
pub fn expect_ids(client: &Client, list: &str, expected: &[&str]) {
    let mut found = Vec::new();
    let done = testkit::wait::wait_until(crate::support::program::DEADLINE, || {
        found = all_ids(client, list);
        found == expected
    });
    assert!(done, "{list}: {found:?}, not {expected:?}");
}

pub fn all_ids(client: &Client, list: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let sign = if list.contains('?') { '&' } else { '?' };
        let page = client.get(&format!("{list}{sign}limit=2{cursor}")).expect(200);
        found.extend(page["items"].as_array().unwrap().iter().map(|one| id_of(one).to_owned()));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}

pub fn an_album_is_made_changed_and_deleted_and_its_images_stay(site: &Site) {
    let ada = site.user();
    let new = json!({ "title": " Summer ", "description": "By the sea", "sort": "taken" });
    let made = ada.post("/api/v1/albums", &new);
    let album = made.expect(201);
    assert_eq!(made.header("location"), path(&album, ""));
    let told = (&album["title"], &album["role"], &album["sort"], &album["imageCount"]);
    assert_eq!(told, (&json!("Summer"), &json!("owner"), &json!("taken"), &json!(0)));
    let image = upload(site, &ada);
    change(&ada, &album, &[&image], &[]);
    let tag = ada.get(&path(&album, "")).header("etag").to_owned();
    let edit = json!({ "title": "Autumn", "description": null, "cover": image, "sort": "hand" });
    let request = ada.request("PATCH", &path(&album, "")).header("if-match", &tag);
    let request = request.header("content-type", "application/json");
    let edited = ada.send(request, edit.to_string().into()).expect(200);
    let told = (&edited["title"], &edited["description"], &edited["cover"], &edited["imageCount"]);
    assert_eq!(told, (&json!("Autumn"), &Value::Null, &json!(image), &json!(1)));

    let late = ada.request("DELETE", &path(&album, "")).header("if-match", &tag);
    ada.send(late, Vec::new()).assert_refused(412, "precondition_failed");
    let late = json!({ "title": "Late", "version": album["version"] });
    let refused = ada.patch(&path(&album, ""), &late);
    refused.assert_refused(409, "conflict");
    assert_eq!(refused.json()["error"]["details"]["currentVersion"], edited["version"]);
    for (bad, status, code) in [
        (json!({ "title": "x".repeat(256) }), 422, "title_too_long"),
        (json!({ "title": null, "owner": "me" }), 400, "bad_json"),
        (json!({ "cover": "me" }), 422, "invalid_value"),
        (json!({ "sort": "size" }), 400, "bad_json"),
    ] {
        ada.patch(&path(&album, ""), &bad).assert_refused(status, code);
    }
    let other = upload(site, &ada);
    let foreign = json!({ "cover": other });
    ada.patch(&path(&album, ""), &foreign).assert_refused(422, "invalid_value");

    ada.delete(&path(&album, "")).expect(204);
    ada.get(&path(&album, "")).assert_refused(404, "not_found");
    ada.get(&format!("/api/v1/images/{image}")).expect(200);
    let albums = ada.get(&format!("/api/v1/images/{image}/albums")).expect(200);
    assert_eq!(albums["items"], json!([]));
}

pub fn many_images_are_put_in_and_taken_out_and_each_is_told(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let (one, two) = (album(&ada, "One"), album(&ada, "Two"));
    let (a, b, c) = (upload(site, &ada), upload(site, &ada), upload(site, &ada));
    let his = upload(site, &bob);
    assert_eq!(outcomes(&change(&ada, &one, &[&a], &[])["added"]), ["added"]);
    let told = change(&ada, &one, &[&a, &his, &b, "01ARZ3NDEKTSV4RRFFQ69G5FAV", &c], &[]);
    let expected = ["alreadyThere", "notFound", "added", "notFound", "added"];
    assert_eq!(outcomes(&told["added"]), expected);
    assert_eq!(told["added"][2]["id"], json!(b));
    assert_eq!(ada.get(&path(&one, "")).expect(200)["imageCount"], 3);
    change(&ada, &two, &[&a], &[]);
    let albums = ada.get(&format!("/api/v1/images/{a}/albums")).expect(200);
    let ids: Vec<_> = albums["items"].as_array().unwrap().iter().map(id_of).collect();
    assert_eq!(ids, [id_of(&one), id_of(&two)]);
    let told = change(&ada, &one, &[], &[&a, &his]);
    assert_eq!(outcomes(&told["removed"]), ["removed", "notFound"]);
    expect_ids(&ada, &path(&one, "/images?order=oldest"), &[&b, &c]);
    expect_ids(&ada, &path(&two, "/images"), &[&a]);
    // What goes for good goes from its albums, too.
    ada.delete(&format!("/api/v1/images/{a}?permanent=true")).expect(204);
    let gone = testkit::wait::wait_until(crate::support::program::DEADLINE, || {
        ada.get(&path(&two, "")).expect(200)["imageCount"] == 0
    });
    assert!(gone);
    let many = vec![b.as_str(); 101];
    let asked = json!({ "add": many });
    ada.post(&path(&one, "/images"), &asked).assert_refused(422, "invalid_value");
}

pub fn counts_are_exact_however_many_add_at_once(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let shared = album(&ada, "Party");
    join(&ada, &shared, &bob, "contributor");
    let of = |client: &Client| -> Vec<String> { (0..6).map(|_| upload(site, client)).collect() };
    let (hers, his) = (of(&ada), of(&bob));
    std::thread::scope(|scope| {
        for (client, images) in [(&ada, &hers), (&bob, &his), (&ada, &hers), (&bob, &his)] {
            for images in images.chunks(3) {
                let images: Vec<&str> = images.iter().map(String::as_str).collect();
                let shared = &shared;
                scope.spawn(move || change(client, shared, &images, &[]));
            }
        }
    });
    assert_eq!(ada.get(&path(&shared, "")).expect(200)["imageCount"], 12);
    let remove: Vec<&str> = hers.iter().chain(&his).map(String::as_str).collect();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            let (ada, shared, remove) = (&ada, &shared, &remove);
            scope.spawn(move || change(ada, shared, &[], &remove[..7]));
        }
    });
    assert_eq!(ada.get(&path(&shared, "")).expect(200)["imageCount"], 5);
}

pub fn an_album_has_three_orders(site: &Site) {
    let ada = site.user();
    let story = album(&ada, "Story");
    let (a, b, c) = (upload(site, &ada), upload(site, &ada), upload(site, &ada));
    change(&ada, &story, &[&b, &c, &a], &[]);
    let images = |query: &str| path(&story, &format!("/images{query}"));
    expect_ids(&ada, &images(""), &[&c, &b, &a]);
    expect_ids(&ada, &images("?order=oldest"), &[&a, &b, &c]);
    expect_ids(&ada, &images("?sort=taken&order=oldest"), &[&a, &b, &c]);
    expect_ids(&ada, &images("?sort=hand"), &[&b, &c, &a]);
    let put = |asked: Value| ada.post(&path(&story, "/images/move"), &asked);
    put(json!({ "ids": [a], "behind": null })).expect(204);
    expect_ids(&ada, &images("?sort=hand"), &[&a, &b, &c]);
    put(json!({ "ids": [a], "behind": b })).expect(204);
    expect_ids(&ada, &images("?sort=hand"), &[&b, &a, &c]);
    put(json!({ "ids": [b] })).expect(204);
    ada.patch(&path(&story, ""), &json!({ "sort": "hand" })).expect(200);
    expect_ids(&ada, &images(""), &[&a, &c, &b]);
    put(json!({ "ids": [b], "behind": b })).assert_refused(422, "invalid_value");
    let other = upload(site, &ada);
    put(json!({ "ids": [other] })).assert_refused(422, "invalid_value");
    let page = ada.get(&images("?limit=1&sort=hand")).expect(200);
    let cursor = page["nextCursor"].as_str().unwrap();
    let elsewhere = ada.get(&images(&format!("?sort=taken&cursor={cursor}")));
    elsewhere.assert_refused(400, "bad_cursor");
}

/// Everything a stranger can ask about a private image must look as if there were none.
pub fn membership_gives_sight_of_images_and_its_end_takes_it(site: &Site) {
    let (ada, bob, eve) = (site.user(), site.user(), site.user());
    let family = album(&ada, "Family");
    let image = ada.keep(&site.file());
    let id = id_of(&image);
    change(&ada, &family, &[id], &[]);
    let sees = |client: &Client| {
        let statuses = [
            client.get(&format!("/api/v1/images/{id}")).status,
            client.get(&format!("/i/{id}/thumb")).status,
            client.get(&format!("/api/v1/images/{id}/albums")).status,
            client.get(&path(&family, "")).status,
            client.get(&path(&family, "/images")).status,
            client.get(&path(&family, "/members")).status,
        ];
        assert!(statuses.iter().all(|status| *status == statuses[0]), "{statuses:?}");
        let found = client.post("/api/v1/images/batch-get", &json!({ "ids": [id] })).expect(200);
        assert_eq!(found["items"].as_array().unwrap().len(), usize::from(statuses[0] == 200));
        statuses[0] == 200
    };
    assert!(sees(&ada) && !sees(&bob) && !sees(&eve));
    join(&ada, &family, &bob, "viewer");
    assert!(sees(&bob) && !sees(&eve));
    let shown = bob.get(&format!("/api/v1/images/{id}")).expect(200);
    assert_eq!((&shown["originalUrl"], &shown["exif"]), (&Value::Null, &Value::Null));
    bob.get(&format!("/i/{id}/original")).assert_refused(404, "not_found");
    expect_ids(&bob, "/api/v1/albums/shared", &[id_of(&family)]);
    assert_eq!(bob.get(&path(&family, "")).expect(200)["role"], "viewer");
    assert_eq!(bob.get("/api/v1/images").expect(200)["items"], json!([]));
    // What is in the trash is nobody's but its owner's.
    ada.delete(&format!("/api/v1/images/{id}")).expect(204);
    bob.get(&format!("/api/v1/images/{id}")).assert_refused(404, "not_found");
    assert_eq!(bob.get(&path(&family, "/images")).expect(200)["items"], json!([]));
    ada.post(&format!("/api/v1/images/{id}/restore"), &Value::Null).expect(200);
    assert!(sees(&bob));
    let membership = path(&family, &format!("/members/{}", bob.user_id()));
    ada.delete(&membership).expect(204);
    assert!(!sees(&bob));
    ada.delete(&membership).assert_refused(404, "not_found");
    join(&ada, &family, &bob, "viewer");
    change(&ada, &family, &[], &[id]);
    bob.get(&format!("/api/v1/images/{id}")).assert_refused(404, "not_found");
    change(&ada, &family, &[id], &[]);
    bob.delete(&membership).expect(204);
    assert!(!sees(&bob), "a member can leave");
    join(&ada, &family, &bob, "viewer");
    ada.delete(&path(&family, "")).expect(204);
    bob.get(&format!("/api/v1/images/{id}")).assert_refused(404, "not_found");
}

pub fn members_do_what_their_role_allows(site: &Site) {
    let (ada, bob, eve) = (site.user(), site.user(), site.user());
    let shared = album(&ada, "Shared");
    join(&ada, &shared, &bob, "viewer");
    let (hers, his) = (upload(site, &ada), upload(site, &bob));
    change(&ada, &shared, &[&hers], &[]);
    let add = json!({ "add": [his] });
    bob.post(&path(&shared, "/images"), &add).assert_refused(403, "role_missing");
    eve.post(&path(&shared, "/images"), &add).assert_refused(404, "not_found");
    join(&ada, &shared, &bob, "contributor");
    assert_eq!(
        outcomes(&change(&bob, &shared, &[&his, &hers], &[])["added"]),
        ["added", "notFound"]
    );
    // The owner of the album sees what is put into it, whoever put it there.
    ada.get(&format!("/api/v1/images/{his}")).expect(200);
    assert_eq!(outcomes(&change(&bob, &shared, &[], &[&hers])["removed"]), ["notFound"]);
    let eves = eve.user_id();
    for refused in [
        bob.patch(&path(&shared, ""), &json!({ "title": "Mine" })),
        bob.delete(&path(&shared, "")),
        bob.post(&path(&shared, "/images/move"), &json!({ "ids": [his] })),
        bob.json("PUT", &path(&shared, &format!("/members/{eves}")), &json!({ "role": "viewer" })),
        bob.delete(&path(&shared, &format!("/members/{eves}"))),
    ] {
        refused.assert_refused(403, "role_missing");
    }
    // Whoever leaves takes their images back, if they like.
    bob.delete(&path(&shared, &format!("/members/{}", bob.user_id()))).expect(204);
    ada.get(&format!("/api/v1/images/{his}")).expect(200);
    let take_back = json!({ "remove": [his] });
    let told = bob.post(&path(&shared, "/images"), &take_back).expect(200);
    assert_eq!(outcomes(&told["removed"]), ["removed"]);
    bob.post(&path(&shared, "/images"), &take_back).assert_refused(404, "not_found");
    ada.get(&format!("/api/v1/images/{his}")).assert_refused(404, "not_found");
    let me = path(&shared, &format!("/members/{}", ada.user_id()));
    ada.json("PUT", &me, &json!({ "role": "viewer" })).assert_refused(422, "invalid_value");
    let nobody = path(&shared, "/members/01ARZ3NDEKTSV4RRFFQ69G5FAV");
    ada.json("PUT", &nobody, &json!({ "role": "viewer" })).assert_refused(404, "not_found");
}

pub fn nested_albums_inherit_their_members(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let (year, month) = (album(&ada, "2026"), album(&ada, "May"));
    let nest =
        |album: &Value, parent: Value| ada.patch(&path(album, ""), &json!({ "parent": parent }));
    nest(&month, year["id"].clone()).expect(200);
    let image = upload(site, &ada);
    change(&ada, &month, &[&image], &[]);
    assert_eq!(ada.get(&path(&year, "")).expect(200)["albumCount"], 1);
    expect_ids(&ada, &path(&year, "/albums"), &[id_of(&month)]);
    join(&ada, &month, &bob, "viewer");
    let seen = bob.get(&path(&month, "")).expect(200);
    assert_eq!(seen["parent"], Value::Null, "what one may not see is not named");
    bob.get(&path(&year, "")).assert_refused(404, "not_found");
    join(&ada, &year, &bob, "contributor");
    let seen = bob.get(&path(&month, "")).expect(200);
    assert_eq!((&seen["parent"], &seen["role"]), (&year["id"], &json!("contributor")));
    bob.delete(&path(&month, &format!("/members/{}", bob.user_id()))).expect(204);
    bob.get(&format!("/api/v1/images/{image}")).expect(200);
    expect_ids(&bob, &path(&year, "/albums"), &[id_of(&month)]);

    nest(&year, month["id"].clone()).assert_refused(422, "album_inside_itself");
    nest(&year, year["id"].clone()).assert_refused(422, "album_inside_itself");
    ada.delete(&path(&year, "")).assert_refused(409, "album_has_albums");
    let his = album(&bob, "His");
    nest(&month, his["id"].clone()).assert_refused(422, "invalid_value");
    let mut deepest = month.clone();
    for _ in 0..3 {
        let new = json!({ "title": "Deeper", "parent": deepest["id"] });
        deepest = ada.post("/api/v1/albums", &new).expect(201);
    }
    let new = json!({ "title": "Too deep", "parent": deepest["id"] });
    ada.post("/api/v1/albums", &new).assert_refused(422, "album_too_deep");
    nest(&month, Value::Null).expect(200);
    bob.get(&format!("/api/v1/images/{image}")).assert_refused(404, "not_found");
    ada.delete(&path(&year, "")).expect(204);
}

/// Members and images come and go all at once; what was answered holds for the next who asks.
pub fn rights_hold_while_members_and_images_come_and_go(site: &Site) {
    let ada = site.user();
    let party = album(&ada, "Party");
    let (always, coming) = (upload(site, &ada), upload(site, &ada));
    change(&ada, &party, &[&always], &[]);
    let members: Vec<Client> = (0..3).map(|_| site.user()).collect();
    std::thread::scope(|scope| {
        for member in &members {
            let (ada, party, always) = (&ada, &party, &always);
            scope.spawn(move || {
                let image = format!("/api/v1/images/{always}");
                let membership = path(party, &format!("/members/{}", member.user_id()));
                for _ in 0..4 {
                    join(ada, party, member, "viewer");
                    member.get(&image).expect(200);
                    member.get(&path(party, "/images")).expect(200);
                    ada.delete(&membership).expect(204);
                    member.get(&image).assert_refused(404, "not_found");
                    member.get(&path(party, "/images")).assert_refused(404, "not_found");
                }
                join(ada, party, member, "contributor");
            });
        }
        let (ada, party, coming) = (&ada, &party, &coming);
        scope.spawn(move || {
            for _ in 0..6 {
                change(ada, party, &[coming], &[]);
                change(ada, party, &[], &[coming]);
            }
            change(ada, party, &[coming], &[]);
        });
    });
    let party = ada.get(&path(&party, "")).expect(200);
    assert_eq!((&party["memberCount"], &party["imageCount"]), (&json!(3), &json!(2)));
    for member in &members {
        member.get(&format!("/api/v1/images/{coming}")).expect(200);
    }
}
