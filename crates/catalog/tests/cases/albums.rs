use catalog::{Added, AlbumEdit, Edited, Order};
use futures::future::join_all;
use model::{Album, ImageId};

use super::{World, eventually, expect_list, map};

async fn add(w: &World, album: &Album, image: ImageId) -> Added {
    w.catalog.add_to_album(album.id, image, w.now()).await.unwrap()
}

async fn expect_images(w: &World, album: &Album, order: Order, expected: &[ImageId]) {
    expect_list(expected, 2, async |page| {
        let images = w.catalog.list_album_images(album.id, order, &page).await?;
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
    assert!(w.catalog.remove_from_album(one.id, image, w.now()).await.unwrap());
    assert!(!w.catalog.remove_from_album(one.id, image, w.now()).await.unwrap());
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
    let removals = images[..4].iter().chain(&images[..4]).map(|image| async {
        w.catalog.remove_from_album(album.id, *image, w.now()).await.unwrap()
    });
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
    assert!(!w.catalog.delete_album(album.id, bob, w.now()).await.unwrap());
    assert!(w.catalog.delete_album(album.id, ada, w.now()).await.unwrap());
    assert!(!w.catalog.delete_album(album.id, ada, w.now()).await.unwrap());
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
        let all = w.catalog.list_album_images(album.id, Order::Newest, &page).await.unwrap();
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
    let Edited::Edited(edited) = edited.unwrap() else { panic!("not edited") };
    assert_eq!((edited.title.as_str(), edited.version, edited.image_count), ("New", 2, 1));
    let late = w.catalog.edit_album(album.id, ada, Some(1), &titled("Late"), w.now()).await;
    assert_eq!(late.unwrap(), Edited::Conflict(edited));
    let stranger = w.catalog.edit_album(album.id, bob, None, &titled("Mine"), w.now()).await;
    assert_eq!(stranger.unwrap(), Edited::NotOwner);
    assert_eq!(count(w, &album).await, 1);
}
