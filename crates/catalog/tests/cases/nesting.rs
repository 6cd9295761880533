use catalog::{AlbumEdit, CreatedAlbum, DeletedAlbum, Edited, EditedAlbum, NotNested};
use futures::future::join_all;
use model::limits::ALBUM_DEPTH_MAX;
use model::{Album, AlbumId, UserId};

use super::{World, expect_list, map};

async fn nested(w: &World, owner: UserId, parent: Option<AlbumId>) -> (Album, CreatedAlbum) {
    let now = w.now();
    let id = AlbumId::new(now, rand::random());
    let album = Album { parent, ..Album::new(id, owner, "Nested".parse().unwrap(), now) };
    let created = w.catalog.create_album(&album).await.unwrap();
    (album, created)
}

async fn in_album(w: &World, parent: &Album) -> Album {
    let (album, created) = nested(w, parent.owner, Some(parent.id)).await;
    assert_eq!(created, CreatedAlbum::Created);
    album
}

async fn put_into(w: &World, album: &Album, parent: Option<AlbumId>) -> EditedAlbum {
    let edit = AlbumEdit { parent: Some(parent), ..AlbumEdit::default() };
    w.catalog.edit_album(album.id, album.owner, None, &edit, w.now()).await.unwrap()
}

#[track_caller]
fn assert_moved(edited: &EditedAlbum) {
    assert!(matches!(edited, EditedAlbum::Ended(Edited::Edited(_))), "{edited:?}");
}

async fn count(w: &World, album: &Album) -> i64 {
    w.catalog.find_album(album.id).await.unwrap().unwrap().album_count
}

pub async fn albums_are_nested_moved_and_listed(w: &World) {
    let ada = w.user("ada").await;
    let (year, other) = (w.album(ada, "2026").await, w.album(ada, "2025").await);
    let (may, june) = (in_album(w, &year).await, in_album(w, &year).await);
    assert_eq!((count(w, &year).await, count(w, &other).await), (2, 0));
    let list = async |parent: &Album, expected: &[AlbumId]| {
        expect_list(expected, 1, async |page| {
            let albums = w.catalog.list_nested_albums(parent.id, &page).await?;
            Ok(map(albums, |album| album.id))
        })
        .await;
    };
    list(&year, &[june.id, may.id]).await;
    assert_moved(&put_into(w, &may, Some(other.id)).await);
    list(&year, &[june.id]).await;
    list(&other, &[may.id]).await;
    assert_eq!((count(w, &year).await, count(w, &other).await), (1, 1));
    assert_moved(&put_into(w, &may, None).await);
    list(&other, &[]).await;
    assert_eq!(count(w, &other).await, 0);
    let delete =
        async |album: &Album| w.catalog.delete_album(album.id, ada, None, w.now()).await.unwrap();
    assert_eq!(delete(&year).await, DeletedAlbum::HasAlbums);
    assert_eq!(delete(&june).await, DeletedAlbum::Deleted);
    assert_eq!(count(w, &year).await, 0);
    assert_eq!(delete(&year).await, DeletedAlbum::Deleted);
}

pub async fn only_an_album_of_the_same_owner_can_be_nested_in(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let (hers, his) = (w.album(ada, "Hers").await, w.album(bob, "His").await);
    let no_parent = NotNested::NoParent;
    assert_eq!(put_into(w, &his, Some(hers.id)).await, EditedAlbum::NotNested(no_parent));
    let (_, created) = nested(w, bob, Some(hers.id)).await;
    assert_eq!(created, CreatedAlbum::NotNested(no_parent));
    let unknown = AlbumId::new(w.now(), 7);
    assert_eq!(put_into(w, &his, Some(unknown)).await, EditedAlbum::NotNested(no_parent));
    assert_eq!(count(w, &hers).await, 0);
}

pub async fn albums_are_not_nested_too_deep(w: &World) {
    let ada = w.user("ada").await;
    let top = w.album(ada, "Top").await;
    let mut chain = vec![top];
    while chain.len() < ALBUM_DEPTH_MAX {
        let below = in_album(w, chain.last().unwrap()).await;
        chain.push(below);
    }
    let too_deep = NotNested::TooDeep { max: ALBUM_DEPTH_MAX };
    let (_, created) = nested(w, ada, Some(chain.last().unwrap().id)).await;
    assert_eq!(created, CreatedAlbum::NotNested(too_deep));
    // A whole tree moves as one.
    let another = w.album(ada, "Above").await;
    let moved = put_into(w, &chain[0], Some(another.id)).await;
    assert_eq!(moved, EditedAlbum::NotNested(too_deep));
    assert_moved(&put_into(w, &chain[1], Some(another.id)).await);
    let moved = put_into(w, &another, Some(chain[0].id)).await;
    assert_eq!(moved, EditedAlbum::NotNested(too_deep));
    assert_eq!(count(w, &chain[0]).await, 0);
    let inside = NotNested::InsideItself;
    let moved = put_into(w, &another, Some(chain[3].id)).await;
    assert_eq!(moved, EditedAlbum::NotNested(inside));
    let moved = put_into(w, &another, Some(another.id)).await;
    assert_eq!(moved, EditedAlbum::NotNested(inside));
}

/// Everybody nests everything in everything.
pub async fn no_circle_is_ever_formed(w: &World) {
    let ada = w.user("ada").await;
    let mut albums = Vec::new();
    for n in 0..5 {
        albums.push(w.album(ada, &format!("Album {n}")).await);
    }
    for round in 1..4 {
        let moves = (0..albums.len()).map(|n| {
            let (album, parent) = (&albums[n], &albums[(n + round) % albums.len()]);
            put_into(w, album, Some(parent.id))
        });
        join_all(moves).await;
        let mut children = vec![0; albums.len()];
        for album in &albums {
            let (mut seen, mut next) = (0, Some(album.id));
            while let Some(id) = next {
                seen += 1;
                assert!(seen <= ALBUM_DEPTH_MAX, "a circle, or too deep");
                next = w.catalog.find_album(id).await.unwrap().unwrap().parent;
            }
            let parent = w.catalog.find_album(album.id).await.unwrap().unwrap().parent;
            if let Some(at) = albums.iter().position(|album| Some(album.id) == parent) {
                children[at] += 1;
            }
        }
        for (album, children) in albums.iter().zip(children) {
            assert_eq!(count(w, album).await, children, "counts are exact");
        }
    }
}

pub async fn nothing_is_nested_in_what_is_being_removed(w: &World) {
    let ada = w.user("ada").await;
    for _ in 0..4 {
        let (top, other) = (w.album(ada, "Top").await, w.album(ada, "Other").await);
        let (moved, deleted) = tokio::join!(
            put_into(w, &other, Some(top.id)),
            w.catalog.delete_album(top.id, ada, None, w.now()),
        );
        let parent = w.catalog.find_album(other.id).await.unwrap().unwrap().parent;
        match deleted.unwrap() {
            DeletedAlbum::Deleted => assert_eq!(parent, None, "{moved:?}"),
            DeletedAlbum::HasAlbums => assert_eq!(parent, Some(top.id)),
            other => panic!("{other:?}"),
        }
    }
}
