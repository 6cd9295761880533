//! Timelines: hours and shapes without a look at the images.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use catalog::{Begun, Edited, Finished, ImageEdit, Processed, Timeline};
use model::{
    Exif, Facts, Image, ImageId, ImageStatus, Month, Subject, TakenAt, TimelineOrder, Timestamp,
    UserId, Work, WorkKind,
};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use table::{Action, Key, Query};

use super::{World, eventually, processed};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

pub async fn a_timeline_is_what_a_look_at_all_images_shows(w: &World) {
    let seed = std::env::var("FERROTYPE_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(rand::random);
    println!("FERROTYPE_SEED={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let ada = w.user("ada").await;
    w.catalog.prepare_timeline(ada).await.unwrap();
    let mut images: Vec<ImageId> = Vec::new();
    let mut known = [None, None];
    for round in 0..48 {
        if images.len() < 4 || random.random_bool(0.4) {
            images.push(w.upload(ada).await.id);
        } else {
            let image = images[random.random_range(..images.len())];
            change(w, &mut random, ada, image).await;
        }
        if random.random_bool(0.3) {
            w.advance(DAY.mul_f64(random.random_range(0.01..20.0)));
        }
        if round % 4 == 3 {
            expect_timelines(w, ada, &images, &mut known).await;
        }
    }
    expect_timelines(w, ada, &images, &mut [None, None]).await;
}

/// Processes, renames, throws away, brings back or removes an image, as it comes.
async fn change(w: &World, random: &mut StdRng, owner: UserId, id: ImageId) {
    let Some(image) = w.catalog.find_image(id).await.unwrap() else { return };
    match random.random_range(0..7) {
        0 | 1 if image.status == ImageStatus::Processing => {
            let work = claim(w, WorkKind::Process, id).await;
            let made = as_taken(random);
            let done = w.catalog.finish_processing(&work, id, &made, w.now()).await.unwrap();
            assert!(matches!(done, Finished::Finished(_)), "{done:?}");
        }
        2 => {
            let title = format!("Number {}", random.random::<u16>()).parse().unwrap();
            let edit = ImageEdit { title: Some(Some(title)), ..ImageEdit::default() };
            let _ = w.catalog.edit_image(id, owner, None, &edit, w.now()).await.unwrap();
        }
        5 | 6 => {
            let taken = random.random_bool(0.8).then(|| as_said(random));
            let edit = ImageEdit { taken: Some(taken), ..ImageEdit::default() };
            let _ = w.catalog.edit_image(id, owner, None, &edit, w.now()).await.unwrap();
        }
        3 if image.trashed_at.is_some() => {
            let _ = w.catalog.restore_image(id, owner, w.now()).await.unwrap();
        }
        4 if image.trashed_at.is_some() && random.random_bool(0.5) => purge(w, id).await,
        _ => {
            let purge_at = w.now().after(Duration::from_millis(1));
            let done = w.catalog.trash_image(id, owner, None, purge_at, w.now()).await.unwrap();
            assert!(matches!(done, Edited::Edited(_)), "{done:?}");
        }
    }
}

async fn claim(w: &World, kind: WorkKind, image: ImageId) -> Work {
    let (subject, claim) = (Subject::Image(image), w.claim("tester"));
    w.catalog.claim_work_of(kind, subject, &claim, w.now()).await.unwrap().unwrap()
}

async fn purge(w: &World, image: ImageId) {
    w.advance(Duration::from_secs(1));
    let work = claim(w, WorkKind::Purge, image).await;
    let begun = w.catalog.begin_purge(&work, image, w.now()).await.unwrap();
    assert!(matches!(begun, Begun::Begun(Some(_))), "{begun:?}");
    let _ = w.catalog.finish_purge(&work, image, w.now()).await.unwrap();
}

/// Taken in one of few seconds, so that many are taken in the same one.
fn as_taken(random: &mut StdRng) -> Processed {
    let sides = [(4000, 3000), (3000, 4000), (6000, 4000), (100, 3000)];
    let (width, height) = sides[random.random_range(..sides.len())];
    let start: Timestamp = "2024-02-29T22:59:58Z".parse().unwrap();
    let taken_at = start.after(Duration::from_secs(random.random_range(0..5)));
    let offsets = [None, Some(0), Some(60), Some(-600)];
    let exif = Exif {
        taken_at: Some(taken_at),
        offset_minutes: offsets[random.random_range(..offsets.len())],
        ..Exif::default()
    };
    let exif = Some(exif).filter(|_| random.random_bool(0.8));
    let facts = Facts { width, height, ..processed().facts };
    let read = catalog::ReadFile { exif, ..catalog::ReadFile::default() };
    Processed { facts, read, ..processed() }
}

/// A date near those of the cameras.
fn as_said(random: &mut StdRng) -> TakenAt {
    let dates = ["2024-02-29T23:00:00", "2024-02-29T22:59:59Z", "2024-03-01T00:30:00+02:00"];
    let taken: TakenAt = dates[random.random_range(..dates.len())].parse().unwrap();
    taken.shifted(random.random_range(-5..5))
}

/// Loads both timelines, of what is known, until they are as the images themselves say.
async fn expect_timelines(
    w: &World,
    user: UserId,
    ids: &[ImageId],
    known: &mut [Option<Arc<Timeline>>; 2],
) {
    let images = w.catalog.find_images(ids).await.unwrap();
    for (order, known) in TimelineOrder::ALL.into_iter().zip(known) {
        let truth = look(&images, order);
        let before = known.clone();
        let timeline = eventually(async || {
            let loaded = w.catalog.load_timeline(user, order, before.as_ref()).await.unwrap();
            loaded.filter(|loaded| shown(loaded) == truth.hours)
        });
        let timeline = timeline.await;
        assert_eq!(timeline.count(), truth.ids.len());
        expect_chunks(w, user, &timeline, &truth.ids).await;
        *known = Some(timeline);
    }
}

async fn expect_chunks(w: &World, user: UserId, timeline: &Timeline, all: &[ImageId]) {
    let mut first = 0;
    for month in &timeline.months {
        let ids = &all[first..first + month.count()];
        first += month.count();
        for offset in [0, 1, 255, 256, 300, 600, ids.len().saturating_sub(1), ids.len()] {
            let expected = ids.get(offset..).unwrap_or_default();
            let expected = &expected[..expected.len().min(256)];
            // The images come from an index, which may still have one where it stood before.
            eventually(async || {
                let list = w.catalog.list_timeline_images(user, timeline.order, month, offset, 256);
                let found = list.await.unwrap();
                found.iter().map(|image| &image.id).eq(expected).then_some(())
            })
            .await;
        }
    }
}

/// What a look at images tells: their ids in order, and the shapes of each hour.
struct Look {
    ids: Vec<ImageId>,
    hours: Hours,
}

/// Months and hours, with the shapes of their images.
type Hours = Vec<(String, i32, Vec<u8>)>;

fn look(images: &[Image], order: TimelineOrder) -> Look {
    let mut all: Vec<(Timestamp, ImageId, u8)> = images
        .iter()
        .filter_map(|image| Some((image.moment(order)?, image.id, image.shape().byte())))
        .collect();
    all.sort_by(|one, other| other.cmp(one));
    let mut hours: BTreeMap<i32, (String, Vec<u8>)> = BTreeMap::new();
    for (at, _, shape) in &all {
        let hour = i32::try_from(at.as_millis().div_euclid(3_600_000)).unwrap();
        let month = Month::of(*at).to_string();
        hours.entry(hour).or_insert((month, Vec::new())).1.push(*shape);
    }
    let hours = hours.into_iter().rev().map(|(hour, (month, shapes))| (month, hour, shapes));
    Look { ids: all.into_iter().map(|(_, id, _)| id).collect(), hours: hours.collect() }
}

fn shown(timeline: &Timeline) -> Hours {
    let months = timeline.months.iter();
    let hours = months.flat_map(|month| month.hours.iter().map(|hour| (month.month, hour)));
    hours.map(|(month, hour)| (month.to_string(), hour.hour, hour.shapes.clone())).collect()
}

pub async fn a_month_of_many_images_is_kept_and_leads_to_each(w: &World) {
    let ada = w.user("ada").await;
    let start: Timestamp = "2025-06-30T22:00:00Z".parse().unwrap();
    let images: Vec<Image> = (0..700_u32)
        .map(|n| {
            let at = start.after(Duration::from_secs(u64::from(n) * 10));
            let mut image = Image::pending(ImageId::new(at, u128::from(n)), ada, at);
            image.status = ImageStatus::Completed;
            image.uploaded_at = Some(at);
            image.facts = Some(Facts { width: 100 + n, height: 200, ..processed().facts });
            image
        })
        .collect();
    w.catalog.load_images(&images).await.unwrap();
    let ids: Vec<ImageId> = images.iter().map(|image| image.id).collect();
    let mut known = [None, None];
    expect_timelines(w, ada, &ids, &mut known).await;
    // Whoever starts anew finds what was kept.
    expect_timelines(w, ada, &ids, &mut [None, None]).await;
    let purge_at = w.now().after(DAY);
    let _ = w.catalog.trash_image(ids[300], ada, None, purge_at, w.now()).await.unwrap();
    expect_timelines(w, ada, &ids, &mut known).await;
    expect_timelines(w, ada, &ids, &mut [None, None]).await;
}

pub async fn a_library_from_before_gets_its_timelines(w: &World) {
    let ada = w.user("ada").await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let image = w.upload(ada).await;
        w.process(image.id).await;
        ids.push(image.id);
        w.advance(DAY);
    }
    for id in &ids {
        let key = Key::new(format!("IMAGE#{id}"), "METADATA");
        let update = Action::update(key).remove("GSI2PK").remove("GSI2SK");
        assert!(w.table.transact(vec![update]).await.unwrap().is_done());
    }
    forget_counts(w, ada).await;
    // It was never there, so no index shows it.
    eventually(async || {
        let owned = Query::index("owner", format!("USER#{ada}")).prefix("UPLOADED#");
        let images = w.table.query(&owned).await.unwrap().items;
        images.iter().all(|image| image.str("GSI2SK").is_none()).then_some(())
    })
    .await;
    let order = TimelineOrder::Taken;
    assert!(w.catalog.load_timeline(ada, order, None).await.unwrap().is_none());
    // The index must show all of it.
    eventually(async || {
        w.catalog.prepare_timeline(ada).await.unwrap();
        let loaded = w.catalog.load_timeline(ada, order, None).await.unwrap();
        loaded.filter(|loaded| loaded.count() == ids.len())
    })
    .await;
    expect_timelines(w, ada, &ids, &mut [None, None]).await;
}

async fn forget_counts(w: &World, user: UserId) {
    let months = rows(w, &format!("TIMELINE#{user}")).await;
    for month in &months {
        for hour in rows(w, &format!("TIMELINE#{user}#{}", month.sk)).await {
            assert!(w.table.transact(vec![Action::delete(hour)]).await.unwrap().is_done());
        }
    }
    for month in months {
        assert!(w.table.transact(vec![Action::delete(month)]).await.unwrap().is_done());
    }
}

async fn rows(w: &World, partition: &str) -> Vec<Key> {
    let page = w.table.query(&Query::partition(partition).limit(1000)).await.unwrap();
    page.items.into_iter().map(|item| item.key).collect()
}

pub async fn counts_that_are_wrong_are_corrected(w: &World) {
    let ada = w.user("ada").await;
    w.catalog.prepare_timeline(ada).await.unwrap();
    let ids = [w.upload(ada).await.id, w.upload(ada).await.id];
    let month = rows(w, &format!("TIMELINE#{ada}")).await;
    let month = month.into_iter().find(|key| key.sk != "READY").unwrap();
    let hour = rows(w, &format!("TIMELINE#{ada}#{}", month.sk)).await.remove(0);
    let wrong = |key| Action::update(key).add("uploadedCount", 5).add("uploadedSum", 55);
    let done = w.table.transact(vec![wrong(month.clone()), wrong(hour)]).await.unwrap();
    assert!(done.is_done());
    expect_timelines(w, ada, &ids, &mut [None, None]).await;
    let count = eventually(async || {
        let row = w.table.get(&month).await.unwrap().unwrap();
        row.i64("uploadedCount").filter(|count| *count == 2)
    });
    assert_eq!(count.await, 2);
}

pub async fn what_disappears_by_itself_is_in_no_timeline_and_a_user_goes_with_theirs(w: &World) {
    let ada = w.user("ada").await;
    w.catalog.prepare_timeline(ada).await.unwrap();
    let image = w.reserve(ada).await;
    let mut received = w.received(image.id);
    received.expires_at = Some(w.now().after(DAY));
    let temporary = w.commit(&received).await;
    let lasting = w.upload(ada).await;
    expect_timelines(w, ada, &[temporary.id, lasting.id], &mut [None, None]).await;
    w.catalog.remove_user_rows(ada).await.unwrap();
    assert_eq!(rows(w, &format!("TIMELINE#{ada}")).await, []);
    let month = Month::of(lasting.uploaded_at.unwrap());
    assert_eq!(rows(w, &format!("TIMELINE#{ada}#{month}")).await, []);
}
