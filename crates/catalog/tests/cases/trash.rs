use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use catalog::{
    Added, Begun, CreatedExternal, Edited, Held, ImageEdit, ImageTags, NewFaces, Order, Recorded,
    SetTags, TagScope, TagVisibility,
};
use model::{External, Image, UserId, Visibility, WorkKind};

use super::{World, expect_list, expect_search, map};

const GRACE: Duration = Duration::from_secs(30 * 24 * 3600);

async fn trash(w: &World, image: &Image) -> Image {
    let now = w.now();
    let outcome = w.catalog.trash_image(image.id, image.owner, None, now.after(GRACE), now).await;
    match outcome.unwrap() {
        Edited::Edited(image) => image,
        other => panic!("{other:?}"),
    }
}

/// An image with everything an image can have attached to it.
async fn furnished(w: &World, owner: UserId) -> Image {
    let image = w.upload(owner).await;
    let image = w.process(image.id).await;
    let edit = ImageEdit {
        title: Some(Some("Grandma at the lake".parse().unwrap())),
        tags: Some(vec!["summer holiday".parse().unwrap(), "lake".parse().unwrap()]),
        visibility: Some(Visibility::Shared),
        ..ImageEdit::default()
    };
    let _ = w.catalog.edit_image(image.id, owner, None, &edit, w.now()).await.unwrap();
    let album = w.album(owner, "Summer").await;
    let added = w.catalog.add_to_album(album.id, &[image.id], w.now()).await.unwrap();
    assert_eq!(added, [Added::Added]);
    let person = w.catalog.create_person(owner, w.now()).await.unwrap();
    w.show(image.id, person.id).await;
    let author = w.user("author").await;
    let tags = ImageTags(BTreeMap::from([("water".parse().unwrap(), TagVisibility::Public)]));
    let set = w.catalog.set_tags(image.id, author, &tags, w.now()).await.unwrap();
    assert_eq!(set, SetTags::Set);
    w.image(image.id).await
}

pub async fn trash_hides_and_undo_brings_back(w: &World) {
    let ada = w.user("ada").await;
    let image = furnished(w, ada).await;
    let before = w.quota(ada).await;
    let list = async |page| {
        w.catalog.list_images(ada, Order::Newest, &page).await.map(|l| map(l, |i| i.id))
    };
    let trashed_list =
        async |page| w.catalog.list_trash(ada, &page).await.map(|l| map(l, |i| i.id));
    let feed = async |page| w.catalog.list_feed(&page).await.map(|l| map(l, |i| i.id));

    let trashed = trash(w, &image).await;
    assert!(!trashed.is_visible());
    expect_list(&[], 10, list).await;
    expect_list(&[], 10, feed).await;
    expect_list(&[image.id], 10, trashed_list).await;
    assert_eq!(w.quota(ada).await, before, "what is in the trash still counts");

    let restored = w.catalog.restore_image(image.id, ada, w.now()).await.unwrap();
    assert!(matches!(&restored, Edited::Edited(image) if image.is_visible()));
    expect_list(&[image.id], 10, list).await;
    expect_list(&[image.id], 10, feed).await;
    expect_list(&[], 10, trashed_list).await;
    w.advance(GRACE + GRACE);
    let due = w.catalog.claim_work(WorkKind::Purge, &w.claim("w"), w.now()).await.unwrap();
    assert_eq!(due, []);
}

pub async fn only_the_owner_throws_away(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let image = w.upload(ada).await;
    let now = w.now();
    let stranger = w.catalog.trash_image(image.id, bob, None, now, now).await.unwrap();
    assert_eq!(stranger, Edited::NotOwner);
    let stale = w.catalog.trash_image(image.id, ada, Some(1), now, now).await.unwrap();
    assert_eq!(stale, Edited::Conflict(image.clone()));
    assert_eq!(w.image(image.id).await, image);
    trash(w, &image).await;
    let stranger = w.catalog.restore_image(image.id, bob, now).await.unwrap();
    assert_eq!(stranger, Edited::NotOwner);
    let missing = w.new_image(ada).id;
    let outcome = w.catalog.trash_image(missing, ada, None, now, now).await.unwrap();
    assert_eq!(outcome, Edited::Missing);
}

pub async fn purge_removes_everything_and_gives_back_once(w: &World) {
    let ada = w.user("ada").await;
    let before = w.quota(ada).await;
    let image = furnished(w, ada).await;
    let albums = w.catalog.list_image_albums(image.id).await.unwrap();
    let faces = w.catalog.list_image_faces(image.id).await.unwrap();
    assert!(w.rows_of(image.id).await > 10);

    trash(w, &image).await;
    w.advance(GRACE + Duration::from_secs(1));
    let work = w.claim_for(WorkKind::Purge, image.id).await;
    let begun = w.catalog.begin_purge(&work, image.id, w.now()).await.unwrap();
    assert!(matches!(&begun, Begun::Begun(Some(last)) if last.original == image.original));
    assert_eq!(w.catalog.finish_purge(&work, image.id, w.now()).await.unwrap(), Held::Still);
    assert_eq!(w.catalog.finish_purge(&work, image.id, w.now()).await.unwrap(), Held::Lost);

    assert_eq!(w.rows_of(image.id).await, 0);
    assert_eq!(w.quota(ada).await, before);
    let album = w.catalog.find_album(albums[0]).await.unwrap().unwrap();
    assert_eq!(album.image_count, 0);
    let person = w.catalog.find_person(faces[0].person.unwrap()).await.unwrap().unwrap();
    assert_eq!(person.face_count, 0);
    let sha256 = image.original.unwrap().sha256;
    assert_eq!(w.catalog.find_duplicate(ada, &sha256).await.unwrap(), None);
    expect_list(&[], 10, async |page| {
        let everyone = TagScope::Everyone;
        let hits = w.catalog.list_images_by_tag_prefix(everyone, "w", &page).await?;
        Ok(map(hits, |hit| hit.image.id))
    })
    .await;
    expect_list(&[], 10, async |page| w.catalog.list_trash(ada, &page).await).await;
}

/// A worker dies after beginning, and after removing half the rows; the next one finishes.
pub async fn purge_can_be_cut_short_anywhere(w: &World) {
    let ada = w.user("ada").await;
    let before = w.quota(ada).await;
    let image = furnished(w, ada).await;
    trash(w, &image).await;
    w.advance(GRACE + Duration::from_secs(1));
    let first = w.claim_for(WorkKind::Purge, image.id).await;
    let _ = w.catalog.begin_purge(&first, image.id, w.now()).await.unwrap();
    let partition = table::Query::partition(format!("IMAGE#{}", image.id)).limit(1000);
    let rows = w.table.query(&partition).await.unwrap().items;
    let terms = rows.iter().filter(|item| item.key.sk.starts_with("TERM#"));
    for item in terms {
        table::TableExt::delete(&*w.table, item.key.clone()).await.unwrap();
    }
    w.advance(Duration::from_secs(61));
    let second = w.claim_for(WorkKind::Purge, image.id).await;
    let begun = w.catalog.begin_purge(&second, image.id, w.now()).await.unwrap();
    assert!(matches!(begun, Begun::Begun(Some(_))));
    assert_eq!(w.catalog.finish_purge(&second, image.id, w.now()).await.unwrap(), Held::Still);
    assert_eq!(w.catalog.finish_purge(&first, image.id, w.now()).await.unwrap(), Held::Lost);
    assert_eq!(w.rows_of(image.id).await, 0);
    assert_eq!(w.quota(ada).await, before);
}

pub async fn a_restored_image_is_not_purged(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    trash(w, &image).await;
    w.advance(GRACE + Duration::from_secs(1));
    let work = w.claim_for(WorkKind::Purge, image.id).await;
    let restored = w.catalog.restore_image(image.id, ada, w.now()).await.unwrap();
    assert!(matches!(restored, Edited::Edited(_)));
    let begun = w.catalog.begin_purge(&work, image.id, w.now()).await.unwrap();
    assert_eq!(begun, Begun::Lost);
    assert!(w.image(image.id).await.is_visible());
}

pub async fn nothing_attaches_to_an_image_being_purged(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let album = w.album(ada, "Late").await;
    let faces = w.claim_faces(image.id).await;
    trash(w, &image).await;
    w.advance(GRACE + Duration::from_secs(1));
    let work = w.claim_for(WorkKind::Purge, image.id).await;
    let _ = w.catalog.begin_purge(&work, image.id, w.now()).await.unwrap();
    let added = w.catalog.add_to_album(album.id, &[image.id], w.now()).await.unwrap();
    assert_eq!(added, [Added::NoImage]);
    let found = NewFaces {
        model: "one".to_owned(),
        faces: vec![w.found_face()],
        unrecognised: BTreeSet::new(),
    };
    let recorded = w.catalog.record_faces(&faces, image.id, &found, w.now()).await.unwrap();
    assert_eq!(recorded, Recorded::Gone);
    let tags = ImageTags(BTreeMap::from([("late".parse().unwrap(), TagVisibility::Public)]));
    for author in [ada, w.user("bob").await] {
        let set = w.catalog.set_tags(image.id, author, &tags, w.now()).await.unwrap();
        assert_eq!(set, SetTags::NoImage);
    }
    let restored = w.catalog.restore_image(image.id, ada, w.now()).await.unwrap();
    assert_eq!(restored, Edited::Missing);
    assert_eq!(w.catalog.find_album(album.id).await.unwrap().unwrap().image_count, 0);
}

pub async fn a_temporary_image_stays_temporary_through_trash_and_undo(w: &World) {
    let ada = w.user("ada").await;
    let before = w.quota(ada).await;
    let image = w.reserve(ada).await;
    let mut received = w.received(image.id);
    received.expires_at = Some(w.now().after(Duration::from_secs(600)));
    let image = w.commit(&received).await;
    trash(w, &image).await;
    let _ = w.catalog.restore_image(image.id, ada, w.now()).await.unwrap();
    w.advance(Duration::from_secs(602));
    let work = w.claim_for(WorkKind::Purge, image.id).await;
    let _ = w.catalog.begin_purge(&work, image.id, w.now()).await.unwrap();
    assert_eq!(w.catalog.finish_purge(&work, image.id, w.now()).await.unwrap(), Held::Still);
    assert_eq!(w.quota(ada).await, before);
    assert_eq!(w.rows_of(image.id).await, 0);
}

pub async fn an_external_image_gives_back_its_id_and_no_quota(w: &World) {
    let ada = w.user("ada").await;
    let before = w.quota(ada).await;
    let sticker = || {
        let mut image = w.new_image(ada);
        image.external = Some(External {
            source: "telegram".to_owned(),
            unique_id: "AgAD".to_owned(),
            file_id: None,
            set_name: None,
        });
        image
    };
    let CreatedExternal::Created(image) =
        w.catalog.create_external_image(&sticker()).await.unwrap()
    else {
        panic!("not created")
    };
    trash(w, &image).await;
    w.advance(GRACE + Duration::from_secs(1));
    let work = w.claim_for(WorkKind::Purge, image.id).await;
    let _ = w.catalog.begin_purge(&work, image.id, w.now()).await.unwrap();
    assert_eq!(w.catalog.finish_purge(&work, image.id, w.now()).await.unwrap(), Held::Still);
    assert_eq!(w.quota(ada).await, before);
    let again = w.catalog.create_external_image(&sticker()).await.unwrap();
    assert!(matches!(again, CreatedExternal::Created(_)), "{again:?}");
}

pub async fn search_shows_only_what_can_be_seen(w: &World) {
    let ada = w.user("ada").await;
    let image = furnished(w, ada).await;
    let found = async |expected: &[model::ImageId]| {
        expect_list(expected, 10, async |page| {
            let hits = w.catalog.list_images_by_tag_prefix(TagScope::Everyone, "lake", &page);
            Ok(map(hits.await?, |hit| hit.image.id))
        })
        .await;
        expect_search(w, ada, "grandma", expected).await;
    };
    found(&[image.id]).await;
    trash(w, &image).await;
    found(&[]).await;
    let _ = w.catalog.restore_image(image.id, ada, w.now()).await.unwrap();
    found(&[image.id]).await;
}
