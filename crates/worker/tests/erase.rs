//! A user who is erased leaves nothing behind.
#![allow(dead_code, reason = "each test binary uses a part of the world")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod world;

use std::time::Duration;

use catalog::{ImageTags, TagVisibility};
use model::{Album, AlbumId, AlbumRole, LinkDownload, LinkTarget, Passkey, Visibility};
use service::{EditImage, NewImage, NewLink};
use table::Scan;
use world::{World, photo, wait_for};

#[tokio::test]
async fn everything_of_one_user_goes_and_everything_of_others_stays() {
    let w = World::new().await;
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let workers = w.workers();
    let kept = w.upload(&ada, photo(1)).await.unwrap().image().id;
    let mut bobs = Vec::new();
    for seed in 2..5 {
        bobs.push(w.upload(&bob, photo(seed)).await.unwrap().image().id);
    }
    w.processed(kept).await;
    for image in &bobs {
        w.processed(*image).await;
    }
    w.service.trash_image(&bob, bobs[0], None).await.unwrap();
    let share = EditImage { visibility: Some(Visibility::Shared), ..EditImage::default() };
    w.service.edit_image(&ada, kept, None, share).await.unwrap();
    let tags = ImageTags([("sun".parse().unwrap(), TagVisibility::Public)].into());
    let now = w.service.now();
    let _ = w.catalog.set_tags(kept, bob.user, &tags, now).await.unwrap();
    let id = AlbumId::new(now, rand::random());
    let album = Album::new(id, bob.user, "Summer".parse().unwrap(), now);
    let created = w.catalog.create_album(&album).await.unwrap();
    assert_eq!(created, catalog::CreatedAlbum::Created);
    let _ = w.catalog.add_to_album(album.id, &[bobs[1]], now).await.unwrap();
    let nested = Album {
        parent: Some(id),
        ..Album::new(AlbumId::new(now, rand::random()), bob.user, "May".parse().unwrap(), now)
    };
    let created = w.catalog.create_album(&nested).await.unwrap();
    assert_eq!(created, catalog::CreatedAlbum::Created);
    let (hers, viewer) = (AlbumId::new(now, rand::random()), AlbumRole::Viewer);
    let her_album = Album::new(hers, ada.user, "Hers".parse().unwrap(), now);
    let created = w.catalog.create_album(&her_album).await.unwrap();
    assert_eq!(created, catalog::CreatedAlbum::Created);
    let _ = w.catalog.put_album_member(hers, bob.user, viewer, now).await.unwrap();
    assert!(w.catalog.put_favourite(kept, bob.user, now).await.unwrap());
    let _ = w.service.begin_upload(&bob, &NewImage::default()).await.unwrap();
    for target in [LinkTarget::Image(bobs[2]), LinkTarget::Album(id)] {
        let (title, password, expires_at) = (None, None, None);
        let download = LinkDownload::Originals;
        let new = NewLink { target, title, password, download, expires_at };
        let link = w.service.create_link(&bob, new).await.unwrap();
        assert!(w.service.admit_guest(link.token.as_str(), None).await.is_ok());
    }
    let passkey = Passkey {
        hash: "5".repeat(64).parse().unwrap(),
        user: bob.user,
        credential: "credential".to_owned(),
        public_key: "key".to_owned(),
        sign_count: 0,
        backup_eligible: false,
        backed_up: false,
        name: "Phone".parse().unwrap(),
        created_at: now,
        last_used_at: None,
    };
    let created = w.catalog.create_passkey(&passkey, 20).await.unwrap();
    assert_eq!(created, catalog::CreatedPasskey::Created);
    let soon = now.after(Duration::from_secs(300));
    assert!(w.catalog.put_challenge(Some(bob.user), &passkey.hash, soon).await.unwrap());

    w.service.erase_user(&ada, bob.user).await.unwrap();
    wait_for("the user to go", async || {
        w.catalog.find_user(bob.user).await.unwrap().is_none().then_some(())
    })
    .await;
    let _ = workers.stop(Duration::from_secs(60)).await;

    let objects = w.objects().await;
    assert!(objects.iter().all(|path| path.contains(&kept.to_string())), "{objects:?}");
    // Only what followers are told still names them, until it expires.
    let mut scan = Scan { limit: 500, start: None };
    loop {
        let page = w.table.scan(&scan).await.unwrap();
        for item in page.items {
            let row = format!("{item:?}");
            let is_told = item.key.pk.starts_with("CHANGE#");
            assert!(is_told || !row.contains(&bob.user.to_string()), "{row}");
        }
        if page.next.is_none() {
            break;
        }
        scan.start = page.next;
    }
    assert_eq!(w.catalog.find_album(hers).await.unwrap().unwrap().member_count, 0);
    let image = w.service.load_image(&ada, kept).await.unwrap();
    assert_eq!(image.renditions.len(), 4);
    assert!(w.service.begin_upload(&bob, &NewImage::default()).await.is_err());
}
