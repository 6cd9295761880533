//! One's own images in the order of time, of which a page knows all before it has seen any.

use std::io::Read;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::site::Site;
use crate::support::client::{Client, id_of};
use crate::support::program::DEADLINE;

/// A timeline as a page reads it.
#[derive(Debug, PartialEq, Eq)]
struct Skeleton {
    order: u8,
    /// Each month as text, how many images it has, and its tag.
    months: Vec<(String, usize, String)>,
    /// Each hour since 1970, and how many images it has.
    hours: Vec<(i32, usize)>,
    shapes: Vec<u8>,
}

impl Skeleton {
    fn read(bytes: &[u8]) -> Self {
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let count_at = |at: usize| usize::try_from(u32_at(at)).unwrap();
        assert_eq!(&bytes[..5], b"FTTL\x01");
        let (months, photos) = (count_at(8), count_at(12));
        let mut hours = 0;
        let mut found = Self { order: bytes[5], months: vec![], hours: vec![], shapes: vec![] };
        for month in 0..months {
            let at = 16 + 24 * month;
            let year = u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
            let name = format!("{year:04}-{:02}", bytes[at + 2]);
            let tag = u64::from_le_bytes(bytes[at + 16..at + 24].try_into().unwrap());
            found.months.push((name, count_at(at + 4), format!("{tag:016x}")));
            hours += count_at(at + 8);
        }
        let start = 16 + 24 * months;
        for hour in 0..hours {
            let at = start + 8 * hour;
            found.hours.push((u32_at(at).cast_signed(), count_at(at + 4)));
        }
        found.shapes = bytes[start + 8 * hours..].to_vec();
        assert_eq!(found.shapes.len(), photos);
        assert_eq!(found.hours.iter().map(|(_, count)| count).sum::<usize>(), photos);
        assert_eq!(found.months.iter().map(|(_, count, _)| count).sum::<usize>(), photos);
        found
    }

    fn of(client: &Client, path: &str) -> Self {
        let answer = client.get(path);
        assert_eq!(answer.status, 200, "{path}");
        Self::read(&answer.body)
    }
}

/// The bytes that stand for width divided by height.
fn shape(image: &Value) -> u8 {
    let side = |name: &str| image[name].as_f64().unwrap();
    let steps = (side("width") / side("height")).log2() * 36.0;
    u8::try_from(128 + steps.round() as i64).unwrap()
}

pub fn a_page_knows_all_images_before_it_has_seen_any(site: &Site) {
    let ada = site.user();
    let nothing = Skeleton::of(&ada, "/api/v1/timeline");
    assert_eq!((nothing.months.len(), nothing.shapes.len()), (0, 0));
    let images: Vec<Value> = (0..3).map(|_| ada.keep(&site.file())).collect();
    for by in ["uploaded", "taken"] {
        let path = format!("/api/v1/timeline?by={by}");
        let newest_first: Vec<u8> = images.iter().rev().map(shape).collect();
        // The index of a distant table may lag behind.
        let is_there = || Skeleton::of(&ada, &path).shapes == newest_first;
        assert!(wait_until(DEADLINE, is_there), "{by}: {:?}", Skeleton::of(&ada, &path));
        let skeleton = Skeleton::of(&ada, &path);
        let months = ada.get(&format!("/api/v1/timeline/months?by={by}")).expect(200);
        assert_eq!(months["total"], 3);
        for (told, (month, count, tag)) in
            months["months"].as_array().unwrap().iter().zip(&skeleton.months)
        {
            assert_eq!(*told, json!({ "month": month, "count": count, "tag": tag }));
            let one = Skeleton::of(&ada, &format!("/api/v1/timeline/months/{month}?by={by}"));
            assert_eq!(one.months, [(month.clone(), *count, tag.clone())]);
        }
    }
    let other = site.user();
    assert_eq!(Skeleton::of(&other, "/api/v1/timeline").shapes, [] as [u8; 0]);
    ada.get("/api/v1/timeline?by=colour").assert_refused(400, "bad_query");
    ada.get("/api/v1/timeline/months/2026-13").assert_refused(404, "not_found");
}

pub fn images_of_a_month_come_some_at_a_time(site: &Site) {
    let ada = site.user();
    let images: Vec<Value> = (0..5).map(|_| ada.keep(&site.file())).collect();
    let favourite = id_of(&images[1]);
    ada.json("PUT", &format!("/api/v1/images/{favourite}/favourite"), &Value::Null).expect(204);
    let counted = || Skeleton::of(&ada, "/api/v1/timeline").shapes.len() == 5;
    assert!(wait_until(DEADLINE, counted));
    let mut found: Vec<Value> = Vec::new();
    for (month, count, tag) in Skeleton::of(&ada, "/api/v1/timeline").months {
        for offset in (0..count).step_by(2) {
            let path = format!("/api/v1/timeline/chunk?month={month}&offset={offset}&count=2");
            let chunk = ada.get(&path).expect(200);
            assert_eq!((&chunk["month"], &chunk["offset"]), (&json!(month), &json!(offset)));
            assert_eq!(chunk["tag"], json!(tag));
            found.extend(chunk["items"].as_array().unwrap().iter().cloned());
        }
    }
    let ids: Vec<&str> = found.iter().map(id_of).collect();
    let newest_first: Vec<&str> = images.iter().rev().map(id_of).collect();
    assert_eq!(ids, newest_first);
    for item in &found {
        let whole = images.iter().find(|image| id_of(image) == id_of(item)).unwrap();
        for name in ["width", "height", "thumbhash", "color", "uploadedAt", "version", "status"] {
            assert_eq!(item[name], whole[name], "{name}");
        }
        assert_eq!(item["favourite"].as_bool().unwrap_or(false), id_of(item) == favourite);
        for (size, url) in item["urls"].as_object().unwrap() {
            assert_eq!(*url, whole["sizes"][size]["url"], "{size}");
        }
    }
    for wrong in ["count=0", "count=257", "month=may"] {
        let path = format!("/api/v1/timeline/chunk?month=2026-05&{wrong}");
        let (status, _) = ada.get(&path).refusal();
        assert!([400, 422].contains(&status), "{wrong}: {status}");
    }
    let empty = ada.get("/api/v1/timeline/chunk?month=1999-05").expect(200);
    assert_eq!(empty["items"], json!([]));
}

pub fn a_timeline_follows_what_happens_and_texts_leave_it_alone(site: &Site) {
    let ada = site.user();
    let first = ada.keep(&site.file());
    ada.keep(&site.file());
    let photos = |count: usize| {
        let is_so = || Skeleton::of(&ada, "/api/v1/timeline").shapes.len() == count;
        assert!(wait_until(DEADLINE, is_so), "{count}");
    };
    photos(2);
    let known = ada.get("/api/v1/timeline");
    let tag = known.headers["etag"].to_str().unwrap().to_owned();
    let ask = || {
        let request = ada.request("GET", "/api/v1/timeline").header("if-none-match", &tag);
        ada.send(request, Vec::new()).status
    };
    assert_eq!(ask(), 304);
    let path = format!("/api/v1/images/{}", id_of(&first));
    ada.patch(&path, &json!({ "title": "Sea" })).expect(200);
    assert_eq!(ask(), 304, "a title moves nothing");
    ada.delete(&path).expect(204);
    assert_eq!(ask(), 200);
    photos(1);
    ada.post(&format!("{path}/restore"), &Value::Null).expect(200);
    photos(2);
    let waited = || ask() == 304;
    assert!(wait_until(Duration::from_secs(20), waited), "the same images are the same timeline");
}

pub fn a_timeline_is_sent_compressed_to_those_who_take_it(site: &Site) {
    let ada = site.user();
    ada.keep(&site.file());
    let gzip = ada.request("GET", "/api/v1/timeline").header("accept-encoding", "gzip");
    let gzip = ada.send(gzip, Vec::new());
    assert_eq!(gzip.headers["content-encoding"], "gzip");
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(&gzip.body[..]).read_to_end(&mut plain).unwrap();
    assert_eq!(Skeleton::read(&plain).shapes.len(), 1);
    let none = ada.request("GET", "/api/v1/timeline").header("accept-encoding", "identity");
    let none = ada.send(none, Vec::new());
    assert!(!none.headers.contains_key("content-encoding"));
    assert_ne!(none.headers["etag"], gzip.headers["etag"]);
}
