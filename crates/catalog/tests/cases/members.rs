use catalog::{Added, AlbumEdit, AlbumRight, DeletedAlbum, PutMember};
use futures::future::join_all;
use model::{Album, AlbumId, AlbumRole, UserId};

use super::{World, expect_list, map};

async fn put(w: &World, album: &Album, user: UserId, role: AlbumRole) {
    let put = w.catalog.put_album_member(album.id, user, role, w.now()).await.unwrap();
    assert!(matches!(put, PutMember::Put(member) if member.role == role));
}

async fn right(w: &World, album: &Album, user: UserId) -> Option<AlbumRight> {
    let found = w.catalog.find_album_access(&[album.id], user).await.unwrap();
    found.get(&album.id).map(|access| access.right)
}

async fn count(w: &World, album: &Album) -> i64 {
    w.catalog.find_album(album.id).await.unwrap().unwrap().member_count
}

async fn nest(w: &World, album: &Album, parent: Option<AlbumId>) {
    let edit = AlbumEdit { parent: Some(parent), ..AlbumEdit::default() };
    let _ = w.catalog.edit_album(album.id, album.owner, None, &edit, w.now()).await.unwrap();
}

pub async fn members_come_and_go(w: &World) {
    let (ada, bob, eve) = (w.user("ada").await, w.user("bob").await, w.user("eve").await);
    let album = w.album(ada, "Ours").await;
    assert_eq!(right(w, &album, ada).await, Some(AlbumRight::Own));
    assert_eq!(right(w, &album, bob).await, None);
    put(w, &album, bob, AlbumRole::Viewer).await;
    assert_eq!(right(w, &album, bob).await, Some(AlbumRight::View));
    put(w, &album, bob, AlbumRole::Contributor).await;
    assert_eq!(right(w, &album, bob).await, Some(AlbumRight::Contribute));
    put(w, &album, eve, AlbumRole::Viewer).await;
    assert_eq!(count(w, &album).await, 2);
    let mut both = [bob, eve];
    both.sort();
    expect_list(&both, 1, async |page| {
        let members = w.catalog.list_album_members(album.id, &page).await?;
        Ok(map(members, |member| member.user))
    })
    .await;
    let memberships = async |user: UserId, expected: &[AlbumId]| {
        expect_list(expected, 1, async |page| {
            let albums = w.catalog.list_memberships(user, &page).await?;
            Ok(map(albums, |(album, _)| album.id))
        })
        .await;
    };
    memberships(bob, &[album.id]).await;
    let end = async |user| w.catalog.delete_album_member(album.id, user, w.now()).await.unwrap();
    assert!(end(bob).await);
    assert!(!end(bob).await);
    // At once, whatever an index shows.
    let page = catalog::PageRequest::first(10);
    assert_eq!(w.catalog.list_memberships(bob, &page).await.unwrap().entries, []);
    assert_eq!((right(w, &album, bob).await, count(w, &album).await), (None, 1));
    let deleted = w.catalog.delete_album(album.id, ada, None, w.now()).await.unwrap();
    assert_eq!(deleted, DeletedAlbum::Deleted);
    memberships(eve, &[]).await;
}

pub async fn members_are_users_and_counted_exactly(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Crowd").await;
    let nobody = UserId::new(w.now(), 7);
    let viewer = AlbumRole::Viewer;
    let put_member = async |user| w.catalog.put_album_member(album.id, user, viewer, w.now()).await;
    assert_eq!(put_member(nobody).await.unwrap(), PutMember::NoUser);
    let mut users = Vec::new();
    for n in 0..6 {
        users.push(w.user(&format!("user{n}")).await);
    }
    let _ = w.catalog.begin_erase(users[0], w.now()).await.unwrap();
    assert_eq!(put_member(users[0]).await.unwrap(), PutMember::NoUser);
    join_all(users[1..].iter().chain(&users[1..]).map(|user| put(w, &album, *user, viewer))).await;
    assert_eq!(count(w, &album).await, 5);
    let ended = join_all(
        users[2..]
            .iter()
            .chain(&users[2..])
            .map(|user| w.catalog.delete_album_member(album.id, *user, w.now())),
    );
    assert_eq!(ended.await.into_iter().filter(|ended| *ended.as_ref().unwrap()).count(), 4);
    assert_eq!(count(w, &album).await, 1);
}

pub async fn rights_are_inherited_by_what_is_nested(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let (top, middle, low) =
        (w.album(ada, "Top").await, w.album(ada, "Middle").await, w.album(ada, "Low").await);
    nest(w, &middle, Some(top.id)).await;
    nest(w, &low, Some(middle.id)).await;
    put(w, &low, bob, AlbumRole::Viewer).await;
    let rights = async || {
        (right(w, &top, bob).await, right(w, &middle, bob).await, right(w, &low, bob).await)
    };
    let (view, add) = (Some(AlbumRight::View), Some(AlbumRight::Contribute));
    assert_eq!(rights().await, (None, None, view));
    let access = w.catalog.find_album_access(&[low.id], bob).await.unwrap();
    assert!(!access[&low.id].sees_parent);
    put(w, &top, bob, AlbumRole::Contributor).await;
    assert_eq!(rights().await, (add, add, add));
    let access = w.catalog.find_album_access(&[top.id, low.id], bob).await.unwrap();
    assert!(access[&low.id].sees_parent);
    nest(w, &middle, None).await;
    assert_eq!(rights().await, (add, None, view));
    nest(w, &middle, Some(top.id)).await;
    assert!(w.catalog.delete_album_member(top.id, bob, w.now()).await.unwrap());
    assert_eq!(rights().await, (None, None, view));
}

pub async fn images_are_seen_through_albums(w: &World) {
    let (ada, bob, eve) = (w.user("ada").await, w.user("bob").await, w.user("eve").await);
    let (top, low) = (w.album(ada, "Top").await, w.album(ada, "Low").await);
    nest(w, &low, Some(top.id)).await;
    let (inside, alone) = (w.upload(ada).await.id, w.upload(ada).await.id);
    let elsewhere = w.album(ada, "Elsewhere").await;
    for album in [&low, &elsewhere] {
        let added = w.catalog.add_to_album(album.id, &[inside], w.now()).await.unwrap();
        assert_eq!(added, [Added::Added]);
    }
    let seen = async |user| {
        let mut seen: Vec<_> = w
            .catalog
            .find_seen_in_albums(&[inside, alone], user)
            .await
            .unwrap()
            .into_iter()
            .collect();
        seen.sort();
        seen
    };
    assert_eq!(seen(bob).await, []);
    put(w, &top, bob, AlbumRole::Viewer).await;
    assert_eq!((seen(bob).await, seen(eve).await), (vec![inside], vec![]));
    let _ = w.catalog.remove_from_album(low.id, &[inside], w.now()).await.unwrap();
    assert_eq!(seen(bob).await, []);
    put(w, &elsewhere, bob, AlbumRole::Viewer).await;
    assert_eq!(seen(bob).await, [inside]);
    let deleted = w.catalog.delete_album(elsewhere.id, ada, None, w.now()).await.unwrap();
    assert_eq!(deleted, DeletedAlbum::Deleted);
    assert_eq!(seen(bob).await, []);
}

/// Members and images come and go all at once. Whoever reads after their membership has ended, or
/// after the image was taken out, sees nothing; and at the end everything is counted exactly.
pub async fn rights_hold_while_members_and_images_come_and_go(w: &World) {
    let ada = w.user("ada").await;
    let album = w.album(ada, "Crowd").await;
    let (mut users, mut images) = (Vec::new(), Vec::new());
    for n in 0..4 {
        users.push(w.user(&format!("user{n}")).await);
        images.push(w.upload(ada).await.id);
    }
    let always = w.upload(ada).await.id;
    let added = w.catalog.add_to_album(album.id, &[always], w.now()).await.unwrap();
    assert_eq!(added, [Added::Added]);
    let sees = async |user, image| {
        w.catalog.find_seen_in_albums(&[image], user).await.unwrap().contains(&image)
    };
    let (sees, album) = (&sees, &album);
    let members = users.iter().map(|user| async move {
        for _ in 0..3 {
            assert!(!sees(*user, always).await);
            put(w, album, *user, AlbumRole::Viewer).await;
            assert!(sees(*user, always).await);
            assert!(w.catalog.delete_album_member(album.id, *user, w.now()).await.unwrap());
        }
        assert!(!sees(*user, always).await);
        put(w, album, *user, AlbumRole::Contributor).await;
    });
    let contents = images.iter().map(|image| async move {
        for _ in 0..3 {
            let added = w.catalog.add_to_album(album.id, &[*image], w.now()).await.unwrap();
            assert_eq!(added, [Added::Added]);
            assert!(sees(ada, *image).await);
            let _ = w.catalog.remove_from_album(album.id, &[*image], w.now()).await.unwrap();
            assert!(!sees(ada, *image).await);
        }
        let _ = w.catalog.add_to_album(album.id, &[*image], w.now()).await.unwrap();
    });
    futures::join!(join_all(members), join_all(contents));
    let found = w.catalog.find_album(album.id).await.unwrap().unwrap();
    assert_eq!((found.member_count, found.image_count), (4, 5));
    for user in users {
        assert!(sees(user, images[0]).await);
    }
}
