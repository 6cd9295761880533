use catalog::{
    Added, AlbumEdit, DeletedAlbum, Edited, EditedAlbum, Moved, Order, Place, Processed, Removed,
};
use futures::future::join_all;
use model::limits::ALBUMS_BY_IMAGE_MAX;
use model::{Album, AlbumSort, Exif, ImageId, Timestamp, WorkKind};

use super::{World, eventually, expect_list, map};

async fn add(w: &World, album: &Album, image: ImageId) -> Added {
    w.catalog.add_to_album(album.id, &[image], w.now()).await.unwrap()[0]
}

async fn remove(w: &World, album: &Album, image: ImageId) -> bool {
    let removed = w.catalog.remove_from_album(album.id, &[image], w.now()).await.unwrap();
    removed == [Removed::Removed]
}

async fn expect_images(w: &World, album: &Album, order: Order, expected: &[ImageId]) {
    expect_sorted(w, album, AlbumSort::Uploaded, order, expected).await;
}

async fn expect_sorted(
    w: &World,
    album: &Album,
    sort: AlbumSort,
    order: Order,
    expected: &[ImageId],
) {
    expect_list(expected, 2, async |page| {
        let images = w.catalog.list_album_images(album.id, sort, order, &page).await?;
        Ok(map(images, |image| image.id))
    })
    .await;
}

async fn count(w: &World, album: &Album) -> i64 {
    w.catalog.find_album(album.id).await.unwrap().unwrap().image_count
}

pub async fn an_album_lists_its_images(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Summer").await;
    let mut newest = Vec::new();
    for _ in 0..5 {
        newest.insert(0, w.upload(ada).await.id);
    }
    w.upload(ada).await;
    for image in [3, 0, 4, 1, 2] {
        assert_eq!(add(w, &album, newest[image]).await, Added::Added);
    }
    expect_images(w, &album, Order::Newest, &newest).await;
    let oldest: Vec<_> = newest.iter().rev().copied().collect();
    expect_images(w, &album, Order::Oldest, &oldest).await;
    assert_eq!(count(w, &album).await, 5);
    let other = w.album(ada, "Winter").await;
    expect_list(&[other.id, album.id], 1, async |page| {
        w.catalog.list_albums(ada, &page).await.map(|albums| map(albums, |album| album.id))
    })
    .await;
}

pub async fn an_image_may_be_in_several_albums_and_in_each_once(w: &World) {
    let ada = w.user("ada").await;
    let (one, two) = (w.album(ada, "One").await, w.album(ada, "Two").await);
    let image = w.upload(ada).await.id;
    assert_eq!(add(w, &one, image).await, Added::Added);
    assert_eq!(add(w, &two, image).await, Added::Added);
    assert_eq!(add(w, &one, image).await, Added::AlreadyThere);
    assert_eq!((count(w, &one).await, count(w, &two).await), (1, 1));
    let mut albums = vec![one.id, two.id];
    albums.sort();
    assert_eq!(w.catalog.list_image_albums(image).await.unwrap(), albums);
    assert!(remove(w, &one, image).await);
    assert!(!remove(w, &one, image).await);
    assert_eq!((count(w, &one).await, count(w, &two).await), (0, 1));
    expect_images(w, &one, Order::Newest, &[]).await;
    expect_images(w, &two, Order::Newest, &[image]).await;
    let missing = w.new_image(ada).id;
    assert_eq!(add(w, &one, missing).await, Added::NoImage);
    let pending = w.reserve(ada).await.id;
    assert_eq!(add(w, &one, pending).await, Added::NoImage);
    let mut nowhere = one.clone();
    nowhere.id = model::AlbumId::new(w.now(), 1);
    assert_eq!(add(w, &nowhere, image).await, Added::NoAlbum);
}

pub async fn counts_are_exact_under_concurrency(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Party").await;
    let mut images = Vec::new();
    for _ in 0..8 {
        images.push(w.upload(ada).await.id);
    }
    // Everybody adds everything, twice at once, and half of it is taken out again.
    let adds = images.iter().chain(&images).map(|image| add(w, &album, *image));
    let added = join_all(adds).await.into_iter().filter(|added| *added == Added::Added).count();
    assert_eq!(added, 8);
    let removals = images[..4].iter().chain(&images[..4]).map(|image| remove(w, &album, *image));
    let removed = join_all(removals).await.into_iter().filter(|removed| *removed).count();
    assert_eq!(removed, 4);
    assert_eq!(count(w, &album).await, 4);
}

pub async fn a_deleted_album_leaves_its_images(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let album = w.album(ada, "Gone").await;
    let mut images = Vec::new();
    for _ in 0..3 {
        images.push(w.upload(ada).await.id);
        assert_eq!(add(w, &album, *images.last().unwrap()).await, Added::Added);
    }
    let delete = async |owner, version| {
        w.catalog.delete_album(album.id, owner, version, w.now()).await.unwrap()
    };
    assert_eq!(delete(bob, None).await, DeletedAlbum::Missing);
    assert!(matches!(delete(ada, Some(7)).await, DeletedAlbum::Conflict(_)));
    assert_eq!(delete(ada, Some(1)).await, DeletedAlbum::Deleted);
    assert_eq!(delete(ada, None).await, DeletedAlbum::Missing);
    assert_eq!(w.catalog.find_album(album.id).await.unwrap(), None);
    assert_eq!(w.catalog.find_images(&images).await.unwrap().len(), 3);
    for image in &images {
        assert_eq!(w.catalog.list_image_albums(*image).await.unwrap(), []);
    }
    assert_eq!(add(w, &album, images[0]).await, Added::NoAlbum);
    expect_list(&[], 10, async |page| w.catalog.list_albums(ada, &page).await).await;
}

pub async fn trashed_images_do_not_show_and_pages_stay_full(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Mixed").await;
    let mut shown = Vec::new();
    for n in 0..9 {
        let image = w.upload(ada).await.id;
        assert_eq!(add(w, &album, image).await, Added::Added);
        if n % 3 == 1 {
            let now = w.now();
            let _ = w.catalog.trash_image(image, ada, None, now, now).await.unwrap();
        } else {
            shown.insert(0, image);
        }
    }
    eventually(async || {
        let page = catalog::PageRequest::first(100);
        let sort = AlbumSort::Uploaded;
        let all = w.catalog.list_album_images(album.id, sort, Order::Newest, &page).await.unwrap();
        (all.entries.len() == shown.len()).then_some(())
    })
    .await;
    expect_images(w, &album, Order::Newest, &shown).await;
}

pub async fn an_album_edit_needs_the_right_version_and_owner(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let album = w.album(ada, "Old").await;
    let titled =
        |title: &str| AlbumEdit { title: Some(title.parse().unwrap()), ..AlbumEdit::default() };
    let image = w.upload(ada).await.id;
    assert_eq!(add(w, &album, image).await, Added::Added);
    let edited = w.catalog.edit_album(album.id, ada, Some(1), &titled("New"), w.now()).await;
    let EditedAlbum::Ended(Edited::Edited(edited)) = edited.unwrap() else { panic!("not edited") };
    assert_eq!((edited.title.as_str(), edited.version, edited.image_count), ("New", 2, 1));
    let late = w.catalog.edit_album(album.id, ada, Some(1), &titled("Late"), w.now()).await;
    assert_eq!(late.unwrap(), EditedAlbum::Ended(Edited::Conflict(edited)));
    let stranger = w.catalog.edit_album(album.id, bob, None, &titled("Mine"), w.now()).await;
    assert_eq!(stranger.unwrap(), EditedAlbum::Ended(Edited::NotOwner));
    assert_eq!(count(w, &album).await, 1);
}

pub async fn many_images_are_added_and_removed_at_once_and_each_is_told(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Many").await;
    let mut images = Vec::new();
    for _ in 0..60 {
        images.push(w.upload(ada).await.id);
    }
    let missing = w.new_image(ada).id;
    assert_eq!(add(w, &album, images[3]).await, Added::Added);
    let mut asked = images.clone();
    asked.insert(10, missing);
    asked.push(images[5]);
    let told = w.catalog.add_to_album(album.id, &asked, w.now()).await.unwrap();
    assert_eq!((told[3], told[10], told[61]), (Added::AlreadyThere, Added::NoImage, Added::Added));
    assert_eq!(told.iter().filter(|end| **end == Added::Added).count(), 60);
    assert_eq!(count(w, &album).await, 60);
    let told = w.catalog.remove_from_album(album.id, &asked, w.now()).await.unwrap();
    assert_eq!((told[10], told[11]), (Removed::NotThere, Removed::Removed));
    assert_eq!(count(w, &album).await, 0);
    expect_images(w, &album, Order::Newest, &[]).await;
}

pub async fn overlapping_batches_count_every_image_once(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Rush").await;
    let mut images = Vec::new();
    for _ in 0..12 {
        images.push(w.upload(ada).await.id);
    }
    let batches = (0..6).map(|n| {
        let batch: Vec<_> = images[n..n + 6].to_vec();
        async move { w.catalog.add_to_album(album.id, &batch, w.now()).await.unwrap() }
    });
    let told = join_all(batches).await.concat();
    assert_eq!(told.iter().filter(|end| **end == Added::Added).count(), 11);
    assert_eq!(count(w, &album).await, 11);
    let both = (0..6).map(|n| {
        let batch: Vec<_> = images[n..n + 6].to_vec();
        async move {
            match n % 2 {
                0 => drop(w.catalog.add_to_album(album.id, &batch, w.now()).await.unwrap()),
                _ => drop(w.catalog.remove_from_album(album.id, &batch, w.now()).await.unwrap()),
            }
        }
    });
    join_all(both).await;
    let mut inside = 0;
    for image in &images {
        inside += w.catalog.list_image_albums(*image).await.unwrap().len();
    }
    assert_eq!(count(w, &album).await, i64::try_from(inside).unwrap());
}

pub async fn an_image_is_in_a_limited_number_of_albums(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    for n in 0..ALBUMS_BY_IMAGE_MAX {
        let album = w.album(ada, &format!("Album {n}")).await;
        assert_eq!(add(w, &album, image).await, Added::Added);
    }
    let last = w.album(ada, "One more").await;
    assert_eq!(add(w, &last, image).await, Added::TooManyAlbums);
    assert_eq!(count(w, &last).await, 0);
}

pub async fn images_are_ordered_by_when_they_were_taken(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Travel").await;
    let taken =
        |millis| Some(Exif { taken_at: Some(Timestamp::from_millis(millis)), ..Exif::default() });
    let process = async |image, exif| {
        let held = w.claim_for(WorkKind::Process, image).await;
        let read = catalog::ReadFile { exif, ..catalog::ReadFile::default() };
        let made = Processed { read, ..super::processed() };
        let now = w.now();
        let finished = w.catalog.finish_processing(&held, image, &made, now).await.unwrap();
        let catalog::Finished::Finished(image) = finished else { panic!("{finished:?}") };
        w.catalog.place_by_taken(image.id).await.unwrap();
    };
    // One is known when it is put in, one is not yet, and one never is.
    let late = w.upload(ada).await.id;
    process(late, taken(2_000)).await;
    let (early, untold) = (w.upload(ada).await.id, w.upload(ada).await.id);
    let all = [late, early, untold];
    assert_eq!(w.catalog.add_to_album(album.id, &all, w.now()).await.unwrap(), [Added::Added; 3]);
    process(early, taken(1_000)).await;
    let sorted = async |order, expected: [ImageId; 3]| {
        expect_sorted(w, &album, AlbumSort::Taken, order, &expected).await;
    };
    sorted(Order::Oldest, [early, late, untold]).await;
    sorted(Order::Newest, [untold, late, early]).await;
    expect_images(w, &album, Order::Oldest, &[late, early, untold]).await;
}

pub async fn images_are_ordered_by_hand(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Story").await;
    let mut images = Vec::new();
    for _ in 0..5 {
        images.push(w.upload(ada).await.id);
    }
    let [a, b, c, d, e] = images[..] else { panic!("five") };
    let told = w.catalog.add_to_album(album.id, &[c, a, e], w.now()).await.unwrap();
    assert_eq!(told, [Added::Added; 3]);
    let told = w.catalog.add_to_album(album.id, &[d, b], w.now()).await.unwrap();
    assert_eq!(told, [Added::Added; 2]);
    let hand = async |expected: [ImageId; 5]| {
        expect_sorted(w, &album, AlbumSort::Hand, Order::Newest, &expected).await;
    };
    hand([c, a, e, d, b]).await;
    let put = async |images: &[ImageId], place| {
        w.catalog.move_in_album(&album, images, place, w.now()).await.unwrap()
    };
    assert_eq!(put(&[a], Place::First).await, Moved::Moved);
    hand([a, c, e, d, b]).await;
    assert_eq!(put(&[b, c], Place::Behind(a)).await, Moved::Moved);
    hand([a, b, c, e, d]).await;
    assert_eq!(put(&[e], Place::Last).await, Moved::Moved);
    hand([a, b, c, d, e]).await;
    assert_eq!(put(&[b], Place::Behind(e)).await, Moved::Moved);
    hand([a, c, d, e, b]).await;
    assert!(remove(w, &album, d).await);
    assert_eq!(put(&[d], Place::First).await, Moved::NotThere(d));
    assert_eq!(put(&[a], Place::Behind(d)).await, Moved::NotThere(d));
}

pub async fn a_cover_is_one_of_the_images(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Covered").await;
    let (image, other) = (w.upload(ada).await.id, w.upload(ada).await.id);
    assert_eq!(add(w, &album, image).await, Added::Added);
    let covered = |cover| AlbumEdit { cover: Some(Some(cover)), ..AlbumEdit::default() };
    let edit = async |edit: AlbumEdit| {
        w.catalog.edit_album(album.id, ada, None, &edit, w.now()).await.unwrap()
    };
    assert_eq!(edit(covered(other)).await, EditedAlbum::CoverNotInside);
    let EditedAlbum::Ended(Edited::Edited(edited)) = edit(covered(image)).await else {
        panic!("not edited")
    };
    assert_eq!(edited.cover, Some(image));
    let shown = async |album| w.catalog.with_covers_inside(vec![album]).await.unwrap()[0].cover;
    assert_eq!(shown(edited.clone()).await, Some(image));
    assert!(remove(w, &album, image).await);
    assert_eq!(shown(edited).await, None);
}

/// What an index still shows is not believed.
pub async fn what_was_taken_out_is_not_shown_by_an_old_index(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Quick").await;
    let image = w.upload(ada).await.id;
    assert_eq!(add(w, &album, image).await, Added::Added);
    expect_images(w, &album, Order::Newest, &[image]).await;
    assert!(remove(w, &album, image).await);
    let page = catalog::PageRequest::first(10);
    let sort = AlbumSort::Uploaded;
    let listed = w.catalog.list_album_images(album.id, sort, Order::Newest, &page).await.unwrap();
    assert_eq!(listed.entries, []);
}
