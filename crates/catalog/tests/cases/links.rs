use std::time::Duration;

use catalog::{CreatedLink, DeletedAlbum, Edited, LinkEdit};
use futures::future::join_all;
use model::{Link, LinkDownload, LinkId, LinkTarget, PasswordHash, Timestamp, UserId, WorkKind};
use table::Query;

use super::{World, expect_list, map};

const DAY: Duration = Duration::from_secs(24 * 3600);

fn new_link(w: &World, owner: UserId, target: LinkTarget) -> Link {
    let now = w.now();
    Link {
        id: LinkId::new(now, rand::random()),
        owner,
        target,
        title: None,
        password: None,
        download: LinkDownload::default(),
        expires_at: None,
        view_count: 0,
        created_at: now,
        updated_at: now,
        ttl: None,
        version: 1,
    }
}

pub(crate) async fn link(w: &World, owner: UserId, target: LinkTarget) -> Link {
    let link = new_link(w, owner, target);
    assert_eq!(w.catalog.create_link(&link).await.unwrap(), CreatedLink::Created);
    link
}

fn search() -> LinkTarget {
    LinkTarget::Search("tag:sun".parse().unwrap())
}

async fn find(w: &World, link: &Link) -> Option<Link> {
    w.catalog.find_link(link.id).await.unwrap()
}

/// How many rows of a partition are about links.
pub(crate) async fn names_in(w: &World, partition: String) -> usize {
    let query = Query::partition(partition).prefix("LINK#").limit(1000);
    w.table.query(&query).await.unwrap().items.len()
}

pub async fn a_link_is_made_found_changed_and_taken_back(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let image = w.upload(ada).await.id;
    let made = link(w, ada, LinkTarget::Image(image)).await;
    assert_eq!(find(w, &made).await, Some(made.clone()));
    assert_eq!(w.catalog.create_link(&made).await.unwrap(), CreatedLink::Exists);
    let password = PasswordHash { hash: "$argon2id$…".to_owned(), changed_at: w.now() };
    let edit = LinkEdit {
        title: Some(Some("Summer".parse().unwrap())),
        password: Some(Some(password.clone())),
        download: Some(LinkDownload::Off),
        ..LinkEdit::default()
    };
    let change =
        async |user, version| w.catalog.edit_link(made.id, user, version, &edit, w.now()).await;
    assert_eq!(change(bob, None).await.unwrap(), Edited::NotOwner);
    assert_eq!(change(ada, Some(7)).await.unwrap(), Edited::Conflict(made.clone()));
    let Edited::Edited(edited) = change(ada, Some(1)).await.unwrap() else { panic!() };
    assert_eq!((edited.version, edited.password.clone()), (2, Some(password)));
    assert_eq!(find(w, &made).await, Some(edited));
    let open = LinkEdit { password: Some(None), title: Some(None), ..LinkEdit::default() };
    let Edited::Edited(edited) =
        w.catalog.edit_link(made.id, ada, None, &open, w.now()).await.unwrap()
    else {
        panic!()
    };
    assert_eq!((edited.title, edited.password, edited.version), (None, None, 3));
    assert!(!w.catalog.delete_link(made.id, bob).await.unwrap());
    assert!(w.catalog.delete_link(made.id, ada).await.unwrap());
    assert!(!w.catalog.delete_link(made.id, ada).await.unwrap());
    assert_eq!(find(w, &made).await, None);
    assert_eq!(change(ada, None).await.unwrap(), Edited::Missing);
    assert!(!w.catalog.count_link_view(made.id).await.unwrap());
    assert_eq!(names_in(w, format!("IMAGE#{image}")).await, 0);
    assert_eq!(names_in(w, format!("USER#{ada}")).await, 0);
}

pub async fn only_what_is_ones_own_can_be_shown(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let (image, album) = (w.upload(ada).await.id, w.album(ada, "Album").await);
    let create = async |owner, target| {
        let link = new_link(w, owner, target);
        w.catalog.create_link(&link).await.unwrap()
    };
    let missing = w.new_image(ada).id;
    for target in
        [LinkTarget::Image(image), LinkTarget::Album(album.id), LinkTarget::Image(missing)]
    {
        assert_eq!(create(bob, target).await, CreatedLink::NoTarget);
    }
    let nobody = UserId::new(w.now(), 7);
    assert_eq!(create(nobody, search()).await, CreatedLink::NoUser);
    assert_eq!(create(bob, search()).await, CreatedLink::Created);
    let _ = w.catalog.begin_erase(bob, w.now()).await.unwrap();
    assert_eq!(create(bob, search()).await, CreatedLink::NoUser);
    assert_eq!(names_in(w, format!("USER#{ada}")).await, 0);
}

pub async fn links_are_listed_by_owner_and_by_what_they_show(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let (image, album) = (w.upload(ada).await.id, w.album(ada, "Album").await);
    let (of_image, of_album) = (LinkTarget::Image(image), LinkTarget::Album(album.id));
    let one = link(w, ada, of_image.clone()).await.id;
    let two = link(w, ada, of_album.clone()).await.id;
    let three = link(w, ada, search()).await.id;
    let four = link(w, ada, of_image.clone()).await.id;
    link(w, bob, search()).await;
    expect_list(&[four, three, two, one], 2, async |page| {
        Ok(map(w.catalog.list_links(ada, &page).await?, |link| link.id))
    })
    .await;
    for (target, expected) in [(of_image, &[four, one][..]), (of_album, &[two]), (search(), &[])] {
        expect_list(expected, 2, async |page| {
            Ok(map(w.catalog.list_links_to(&target, &page).await?, |link| link.id))
        })
        .await;
    }
}

pub async fn views_are_counted_exactly_and_leave_the_version(w: &World) {
    let ada = w.user("ada").await;
    let made = link(w, ada, search()).await;
    let views = (0..24).map(|_| w.catalog.count_link_view(made.id));
    let title = LinkEdit { title: Some(Some("Sun".parse().unwrap())), ..LinkEdit::default() };
    let edit = w.catalog.edit_link(made.id, ada, Some(1), &title, w.now());
    let (views, edited) = futures::join!(join_all(views), edit);
    assert!(views.into_iter().all(|counted| counted.unwrap()));
    assert!(matches!(edited.unwrap(), Edited::Edited(_)));
    let found = find(w, &made).await.unwrap();
    assert_eq!((found.view_count, found.version), (24, 2));
    assert!(found.title.is_some());
}

pub async fn a_link_goes_with_what_it_shows(w: &World) {
    let ada = w.user("ada").await;
    let (image, album) = (w.upload(ada).await.id, w.album(ada, "Album").await);
    let to_image = link(w, ada, LinkTarget::Image(image)).await;
    let mut to_album = Vec::new();
    for _ in 0..3 {
        to_album.push(link(w, ada, LinkTarget::Album(album.id)).await);
    }
    let kept = link(w, ada, search()).await;
    let now = w.now();
    let _ = w.catalog.trash_image(image, ada, None, now, now).await.unwrap();
    assert!(find(w, &to_image).await.is_some(), "it may be brought back");
    let work = w.claim_for(WorkKind::Purge, image).await;
    let _ = w.catalog.begin_purge(&work, image, w.now()).await.unwrap();
    let late = new_link(w, ada, LinkTarget::Image(image));
    assert_eq!(w.catalog.create_link(&late).await.unwrap(), CreatedLink::NoTarget);
    let _ = w.catalog.finish_purge(&work, image, w.now()).await.unwrap();
    assert_eq!((find(w, &to_image).await, w.rows_of(image).await), (None, 0));
    let deleted = w.catalog.delete_album(album.id, ada, None, w.now()).await.unwrap();
    assert_eq!(deleted, DeletedAlbum::Deleted);
    for gone in &to_album {
        assert_eq!(find(w, gone).await, None);
    }
    let late = new_link(w, ada, LinkTarget::Album(album.id));
    assert_eq!(w.catalog.create_link(&late).await.unwrap(), CreatedLink::NoTarget);
    assert_eq!(names_in(w, format!("ALBUM#{}", album.id)).await, 0);
    expect_list(&[kept.id], 2, async |page| {
        Ok(map(w.catalog.list_links(ada, &page).await?, |link| link.id))
    })
    .await;
    w.catalog.remove_user_rows(ada).await.unwrap();
    assert_eq!(find(w, &kept).await, None);
    assert_eq!(names_in(w, format!("USER#{ada}")).await, 0);
}

pub async fn a_link_is_forgotten_some_time_after_its_end(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let mut ending = new_link(w, ada, LinkTarget::Image(image));
    let expiry = |end: Timestamp| (end, end.after(DAY).as_seconds());
    let (end, ttl) = expiry(w.now().after(DAY));
    (ending.expires_at, ending.ttl) = (Some(end), Some(ttl));
    assert_eq!(w.catalog.create_link(&ending).await.unwrap(), CreatedLink::Created);
    w.advance(DAY + Duration::from_secs(10));
    let found = find(w, &ending).await.unwrap();
    assert!(found.has_ended(w.now()), "its owner can still see it");
    let longer = LinkEdit { expiry: Some(Some(expiry(w.now().after(DAY)))), ..LinkEdit::default() };
    let edited = w.catalog.edit_link(ending.id, ada, None, &longer, w.now()).await.unwrap();
    assert!(matches!(edited, Edited::Edited(link) if !link.has_ended(w.now())));
    w.advance(DAY + Duration::from_secs(10));
    assert!(find(w, &ending).await.is_some(), "it was to end a day later");
    w.advance(DAY);
    assert_eq!(find(w, &ending).await, None);
    assert_eq!(names_in(w, format!("USER#{ada}")).await, 0);
    assert_eq!(names_in(w, format!("IMAGE#{image}")).await, 0);
}
