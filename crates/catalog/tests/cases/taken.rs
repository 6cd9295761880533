//! When images were taken: who is believed, and that an image stands there everywhere at once.

use catalog::{Added, EditedImage, Finished, ImageEdit, Order, Processed, ReadFile};
use futures::future::join_all;
use model::{
    Album, AlbumSort, Exif, Image, ImageId, Month, TakenAt, TakenSource, Timestamp, UserId,
    WorkKind,
};

use super::{World, eventually, expect_list, expect_search, map, processed, search};
use catalog::SearchOrder;
use model::TimelineOrder;

pub fn at(text: &str) -> TakenAt {
    text.parse().unwrap()
}

/// Says when an image was taken.
pub(crate) async fn say(w: &World, image: ImageId, owner: UserId, taken: Option<TakenAt>) -> Image {
    let edit = ImageEdit { taken: Some(taken), ..ImageEdit::default() };
    match w.catalog.edit_image(image, owner, None, &edit, w.now()).await.unwrap() {
        EditedImage::Written(written) => written.value,
        EditedImage::Ended(catalog::Edited::Edited(image)) => image,
        other => panic!("{other:?}"),
    }
}

/// An image that a camera has taken, by its own clock.
async fn shot(w: &World, owner: UserId, clock: &str) -> Image {
    let id = w.upload(owner).await.id;
    let work = w.claim_for(WorkKind::Process, id).await;
    let TakenAt { at, offset_minutes } = at(clock);
    let exif = Some(Exif { taken_at: Some(at), offset_minutes, ..Exif::default() });
    let read = ReadFile { exif, ..ReadFile::default() };
    let made = Processed { read, ..processed() };
    match w.catalog.finish_processing(&work, id, &made, w.now()).await.unwrap() {
        Finished::Finished(image) => image,
        other => panic!("{other:?}"),
    }
}

/// Waits until the images of a timeline stand so, newest first, in these months.
pub(crate) async fn expect_timeline(w: &World, user: UserId, expected: &[(&str, ImageId)]) {
    let expected: Vec<(String, ImageId)> =
        expected.iter().map(|(month, image)| ((*month).to_owned(), *image)).collect();
    eventually(async || {
        let order = TimelineOrder::Taken;
        let timeline = w.catalog.load_timeline(user, order, None).await.unwrap()?;
        let mut found = Vec::new();
        for month in &timeline.months {
            let images = w.catalog.list_timeline_images(user, order, month, 0, 100).await.unwrap();
            let name: Month = month.month;
            found.extend(images.into_iter().map(|image| (name.to_string(), image.id)));
        }
        let counted = timeline.count();
        (found == expected && counted == expected.len()).then_some(())
    })
    .await;
}

pub(crate) async fn expect_album(w: &World, album: &Album, expected: &[ImageId]) {
    expect_list(expected, 2, async |page| {
        let list =
            w.catalog.list_album_images(album.id, AlbumSort::Taken, Order::Oldest, &page).await?;
        Ok(map(list, |image: Image| image.id))
    })
    .await;
}

pub async fn a_date_moves_an_image_in_its_timeline_its_albums_and_searches(w: &World) {
    let ada = w.user("ada").await;
    w.catalog.prepare_timeline(ada).await.unwrap();
    let (one, other) = (w.album(ada, "One").await, w.album(ada, "Other").await);
    let may = shot(w, ada, "2024-05-01T10:00:00").await.id;
    let june = shot(w, ada, "2024-06-01T10:00:00+02:00").await.id;
    for album in [&one, &other] {
        let added = w.catalog.add_to_album(album.id, &[may, june], w.now()).await.unwrap();
        assert_eq!(added, [Added::Added; 2]);
    }
    expect_timeline(w, ada, &[("2024-06", june), ("2024-05", may)]).await;

    // 2 o'clock on the first of May there was still April at UTC.
    let moved = say(w, june, ada, Some(at("2024-05-01T02:00:00+09:00"))).await;
    assert_eq!(moved.taken().unwrap().source, TakenSource::Owner);
    expect_timeline(w, ada, &[("2024-05", may), ("2024-05", june)]).await;
    for album in [&one, &other] {
        expect_album(w, album, &[june, may]).await;
    }
    expect_search(w, ada, "taken:2024-05", &[june, may]).await;
    expect_search(w, ada, "taken:2024-06", &[]).await;
    expect_search(w, ada, "taken:2024-04", &[]).await;

    // What the file says was kept, and counts again.
    assert_eq!(moved.exif.as_ref().unwrap().taken_at, Some(at("2024-06-01T10:00:00+02:00").at));
    let back = say(w, june, ada, None).await;
    assert_eq!(back.taken().unwrap().source, TakenSource::Camera);
    expect_timeline(w, ada, &[("2024-06", june), ("2024-05", may)]).await;
    expect_album(w, &one, &[may, june]).await;
    expect_search(w, ada, "taken:2024-06", &[june]).await;
}

pub async fn a_clock_that_is_ahead_leads_no_timeline_until_it_is_corrected(w: &World) {
    let ada = w.user("ada").await;
    w.catalog.prepare_timeline(ada).await.unwrap();
    let ahead = shot(w, ada, "2238-01-01T00:00:00").await;
    assert!(ahead.is_clock_wrong);
    let uploaded = Month::of(ahead.uploaded_at.unwrap()).to_string();
    expect_timeline(w, ada, &[(uploaded.as_str(), ahead.id)]).await;
    expect_search(w, ada, "taken:2238", &[]).await;
    let clock = ahead.taken_by_clock().unwrap();
    let wrong_by = clock.at.as_millis() - at("2024-05-01T10:00:00").at.as_millis();
    say(w, ahead.id, ada, Some(clock.shifted(-wrong_by / 1000))).await;
    expect_timeline(w, ada, &[("2024-05", ahead.id)]).await;
    expect_search(w, ada, "taken:2024-05-01", &[ahead.id]).await;
}

pub async fn the_time_of_a_file_counts_until_the_camera_says_more(w: &World) {
    let ada = w.user("ada").await;
    w.catalog.prepare_timeline(ada).await.unwrap();
    let mut reservation = w.reservation(ada);
    reservation.image.file_time = Some(at("2020-02-02T10:00:00+01:00"));
    let id = reservation.image.id;
    let _ = w.catalog.reserve_upload(reservation).await.unwrap();
    w.commit(&w.received(id)).await;
    expect_timeline(w, ada, &[("2020-02", id)]).await;
    expect_search(w, ada, "taken:2020-02-02", &[id]).await;
    // Processing finds out what the camera says.
    let work = w.claim_for(WorkKind::Process, id).await;
    let exif = Some(Exif { taken_at: Some(at("2019-01-01").at), ..Exif::default() });
    let read = ReadFile { exif, ..ReadFile::default() };
    let made = Processed { read, ..processed() };
    let _ = w.catalog.finish_processing(&work, id, &made, w.now()).await.unwrap();
    expect_timeline(w, ada, &[("2019-01", id)]).await;
    expect_search(w, ada, "taken:2020", &[]).await;
    expect_search(w, ada, "taken:2019", &[id]).await;
}

/// Whoever comes last decides, and the album, the timeline and the counts are of the same mind.
pub async fn dates_changed_at_once_leave_an_image_in_one_place(w: &World) {
    let ada = w.user("ada").await;
    w.catalog.prepare_timeline(ada).await.unwrap();
    let image = shot(w, ada, "2024-05-15T10:00:00").await.id;
    let (early, late) = (
        shot(w, ada, "1999-01-01T00:00:00").await.id,
        shot(w, ada, "2025-12-31T00:00:00").await.id,
    );
    let album = w.album(ada, "Busy").await;
    let rest = w.catalog.add_to_album(album.id, &[early, late], w.now()).await.unwrap();
    assert_eq!(rest, [Added::Added; 2]);
    let changes = (1..=9).map(async |day| {
        let taken = at(&format!("20{day:02}-03-0{day}T12:00:00"));
        say(w, image, ada, Some(taken)).await;
    });
    let one = [image];
    let added = w.catalog.add_to_album(album.id, &one, w.now());
    let (_, added) = tokio::join!(join_all(changes), added);
    assert_eq!(added.unwrap(), [Added::Added]);
    let taken = w.image(image).await.taken().unwrap().at;
    let month = taken.day().month_text();
    expect_timeline(w, ada, &[("2025-12", late), (&month, image), ("1999-01", early)]).await;
    expect_album(w, &album, &[early, image, late]).await;
    let place = say(w, image, ada, Some(at("2026-01-01"))).await.taken().unwrap().at;
    assert_eq!(place, at("2026-01-01"));
    expect_album(w, &album, &[early, late, image]).await;
}

pub async fn results_stand_by_when_they_were_taken(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let mut all: Vec<(Timestamp, ImageId)> = Vec::new();
    for day in [5, 2, 9, 1, 7] {
        let image = shot(w, ada, &format!("2024-05-0{day}T10:00:00+02:00")).await;
        all.push((image.taken().unwrap().at.wall_clock(), image.id));
    }
    let untold = w.upload(ada).await;
    all.push((untold.uploaded_at.unwrap(), untold.id));
    // Of another's photo only the upload counts, whatever its owner says.
    let theirs = shot(w, bob, "2020-01-01T00:00:00").await;
    let share = ImageEdit { visibility: Some(model::Visibility::Shared), ..ImageEdit::default() };
    let _ = w.catalog.edit_image(theirs.id, bob, None, &share, w.now()).await.unwrap();
    all.push((theirs.uploaded_at.unwrap(), theirs.id));
    // One's own stands in one place, though it is shared and in an album.
    let shared = all[0].1;
    let _ = w.catalog.edit_image(shared, ada, None, &share, w.now()).await.unwrap();
    let album = w.album(ada, "Inside").await;
    let _ = w.catalog.add_to_album(album.id, &[shared, theirs.id], w.now()).await.unwrap();
    all.sort_by(|one, other| other.cmp(one));
    let expected: Vec<ImageId> = all.iter().map(|(_, image)| *image).collect();
    for text in ["", "type:jpeg"] {
        eventually(async || {
            let found = search(w, ada, text, SearchOrder::Taken).await;
            (found == expected).then_some(())
        })
        .await;
    }
    say(w, shared, ada, Some(at("2023-01-01"))).await;
    let mut moved: Vec<ImageId> = expected.into_iter().filter(|image| *image != shared).collect();
    moved.push(shared);
    eventually(async || {
        let found = search(w, ada, "", SearchOrder::Taken).await;
        (found == moved).then_some(())
    })
    .await;
}
