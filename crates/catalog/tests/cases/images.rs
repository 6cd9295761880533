use std::collections::BTreeMap;
use std::time::Duration;

use catalog::{CreatedExternal, Edited, EditedImage, ExternalEdit, ImageEdit, Order};
use futures::future::join_all;
use model::{External, Image, ImageId, UserId, Visibility};
use table::{Action, Attributes, Item, Key, Query, TableExt as _, VERSION};

use super::{World, expect_list, expect_search, map};

fn titled(title: &str) -> ImageEdit {
    ImageEdit { title: Some(Some(title.parse().unwrap())), ..ImageEdit::default() }
}

async fn edit(w: &World, image: &Image, edit: ImageEdit) -> Image {
    match w.catalog.edit_image(image.id, image.owner, None, &edit, w.now()).await.unwrap() {
        EditedImage::Written(written) => written.value,
        EditedImage::Ended(Edited::Edited(same)) => same,
        other => panic!("{other:?}"),
    }
}

async fn ids(w: &World, owner: UserId, order: Order, limit: usize, expected: &[ImageId]) {
    expect_list(expected, limit, async |page| {
        w.catalog.list_images(owner, order, &page).await.map(|images| map(images, |i| i.id))
    })
    .await;
}

/// Three images arrive in the same millisecond; their order must not depend on the page.
pub async fn images_are_listed_both_ways_with_stable_order(w: &World) {
    let ada = w.user("ada").await;
    let bob = w.user("bob").await;
    w.upload(bob).await;
    let mut newest = Vec::new();
    let now = w.now();
    for _ in 0..3 {
        let image = w.reserve(ada).await;
        let _ = w.catalog.commit_upload(&w.received(image.id), now).await.unwrap();
        newest.push(image.id);
    }
    newest.push(w.upload(ada).await.id);
    newest.sort();
    newest.reverse();
    for limit in [1, 2, 3, 10] {
        ids(w, ada, Order::Newest, limit, &newest).await;
        let oldest: Vec<_> = newest.iter().rev().copied().collect();
        ids(w, ada, Order::Oldest, limit, &oldest).await;
    }
}

pub async fn pages_of_images_go_on_where_they_ended(w: &World) {
    let ada = w.user("ada").await;
    let mut newest = Vec::new();
    for _ in 0..7 {
        newest.push(w.upload(ada).await.id);
    }
    newest.reverse();
    ids(w, ada, Order::Newest, 7, &newest).await;
    let page = catalog::PageRequest::first(3);
    let first = w.catalog.list_images(ada, Order::Newest, &page).await.unwrap();
    w.upload(ada).await;
    let page = catalog::PageRequest::after(10, first.next);
    let rest = w.catalog.list_images(ada, Order::Newest, &page).await.unwrap();
    let rest: Vec<_> = rest.entries.iter().map(|image| image.id).collect();
    assert_eq!(rest, newest[3..], "a new image does not shift the pages");
    let foreign = catalog::PageRequest::after(10, page.cursor);
    let error = w.catalog.list_images(ada, Order::Oldest, &foreign).await.unwrap_err();
    assert!(matches!(error, catalog::Error::BadCursor), "{error}");
}

pub async fn an_edit_needs_the_right_version_and_owner(w: &World) {
    let ada = w.user("ada").await;
    let bob = w.user("bob").await;
    let image = w.upload(ada).await;
    let first = w.catalog.edit_image(image.id, ada, Some(2), &titled("First"), w.now()).await;
    let first = match first.unwrap() {
        EditedImage::Written(written) => written.value,
        other => panic!("{other:?}"),
    };
    assert_eq!((first.version, first.title.as_ref().unwrap().as_str()), (3, "First"));
    let second = w.catalog.edit_image(image.id, ada, Some(2), &titled("Second"), w.now()).await;
    assert_eq!(second.unwrap(), EditedImage::Ended(Edited::Conflict(first.clone())));
    let stranger = w.catalog.edit_image(image.id, bob, None, &titled("Mine"), w.now()).await;
    assert_eq!(stranger.unwrap(), EditedImage::Ended(Edited::NotOwner));
    assert_eq!(w.image(image.id).await, first);
    let missing = w.new_image(ada).id;
    let outcome = w.catalog.edit_image(missing, ada, None, &titled("x"), w.now()).await.unwrap();
    assert_eq!(outcome, EditedImage::Ended(Edited::Missing));
    let removed = ImageEdit { title: Some(None), ..ImageEdit::default() };
    assert_eq!(edit(w, &first, removed).await.title, None);
}

pub async fn sixteen_edits_are_all_counted(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let edits = (0..16).map(|n| {
        let edit = titled(&format!("Title {n}"));
        async move { w.catalog.edit_image(image.id, ada, None, &edit, w.now()).await.unwrap() }
    });
    for outcome in join_all(edits).await {
        assert!(matches!(outcome, EditedImage::Written(_)), "{outcome:?}");
    }
    assert_eq!(w.image(image.id).await.version, image.version + 16);
}

pub async fn unknown_attributes_survive_an_edit(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let key = Key::new(format!("IMAGE#{}", image.id), "METADATA");
    let future = Action::update(key.clone()).set("fromTheFuture", vec![1_u8, 2, 3]);
    assert!(w.table.transact(vec![future]).await.unwrap().is_done());
    edit(w, &image, titled("New")).await;
    w.process(image.id).await;
    let row = w.table.get(&key).await.unwrap().unwrap();
    assert_eq!(row.get("fromTheFuture"), Some(&vec![1_u8, 2, 3].into()));
}

/// Whoever fills a table in bulk leaves what the usual way leaves.
pub async fn a_loaded_image_has_the_rows_that_an_upload_and_edits_leave(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    w.process(image.id).await;
    let shared = ImageEdit {
        title: Some(Some("At the harbour".parse().unwrap())),
        tags: Some(vec!["red sports car".parse().unwrap(), "harbour".parse().unwrap()]),
        visibility: Some(Visibility::Shared),
        ..ImageEdit::default()
    };
    let image = edit(w, &image, shared).await;

    let partition = format!("IMAGE#{}", image.id);
    let rows = async || {
        let query = Query::partition(partition.as_str()).limit(100);
        comparable(w.table.query(&query).await.unwrap().items)
    };
    let left = rows().await;
    for key in left.keys() {
        w.table.delete(key.clone()).await.unwrap();
    }
    assert!(rows().await.is_empty());
    w.catalog.load_images(&[image]).await.unwrap();
    assert_eq!(rows().await, left);
}

/// Rows by their keys, without what is random, when words came, and work that waits.
fn comparable(rows: Vec<Item>) -> BTreeMap<Key, Attributes> {
    let rows = rows.into_iter().filter(|row| !row.key.sk.starts_with("WORK#"));
    rows.map(|row| {
        let is_summary = row.key.sk.starts_with("TAGS#");
        let mut attributes = Attributes::from(row.attributes);
        if is_summary {
            attributes.remove(VERSION);
        }
        attributes.remove("since");
        (row.key, attributes)
    })
    .collect()
}

pub async fn an_edit_that_changes_nothing_keeps_the_version(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let image = edit(w, &image, titled("Same")).await;
    assert_eq!(edit(w, &image, titled("Same")).await, image);
    assert_eq!(edit(w, &image, ImageEdit::default()).await, image);
}

pub async fn words_follow_the_texts(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let image = edit(w, &image, titled("Sunset over Zürich")).await;
    expect_search(w, ada, "sunset", &[image.id]).await;
    expect_search(w, ada, "zür", &[image.id]).await;
    let image = edit(w, &image, titled("Sunrise over Bern")).await;
    expect_search(w, ada, "sunset", &[]).await;
    expect_search(w, ada, "bern", &[image.id]).await;
    expect_search(w, ada, "over", &[image.id]).await;
    let bob = w.user("bob").await;
    expect_search(w, bob, "bern", &[]).await;
    // A word in quotes is not its beginning.
    expect_search(w, ada, "\"sun\"", &[]).await;
}

pub async fn a_word_that_another_text_has_is_found_for_good(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let both = ImageEdit {
        description: Some(Some("The harbour at noon".parse().unwrap())),
        ..titled("Old harbour")
    };
    let image = edit(w, &image, both).await;
    // It moves out of one text, and a word of that comes into the other.
    let image = edit(w, &image, titled("Noon in Genoa")).await;
    let description = Some(Some("Old boats".parse().unwrap()));
    let swapped = ImageEdit { description, ..titled("The harbour") };
    let image = edit(w, &image, swapped).await;
    w.advance(Duration::from_secs(3 * 3600));
    super::gone_words::take_out(w).await;
    for word in ["the", "harbour", "old", "boats"] {
        expect_search(w, ada, word, &[image.id]).await;
    }
    for word in ["noon", "genoa", "at", "in"] {
        expect_search(w, ada, word, &[]).await;
    }
}

/// More words than one transaction has actions.
pub async fn a_long_description_is_found_by_every_word(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let description = |from: usize| {
        let words: Vec<String> = (from..from + 150).map(|n| format!("word{n}")).collect();
        let description = words.join(" ").parse().unwrap();
        ImageEdit { description: Some(Some(description)), ..ImageEdit::default() }
    };
    let image = edit(w, &image, description(0)).await;
    for word in ["word0", "word77", "word149"] {
        expect_search(w, ada, word, &[image.id]).await;
    }
    edit(w, &image, description(100)).await;
    expect_search(w, ada, "word99", &[]).await;
    expect_search(w, ada, "word249", &[image.id]).await;
    expect_search(w, ada, "word", &[image.id]).await;
}

pub async fn a_word_prefix_finds_each_image_once(w: &World) {
    let ada = w.user("ada").await;
    let mut newest = Vec::new();
    for _ in 0..5 {
        let image = w.upload(ada).await;
        edit(w, &image, titled("sun sunny sunset sundown")).await;
        newest.insert(0, image.id);
    }
    expect_search(w, ada, "sun", &newest).await;
    expect_search(w, ada, "\"sun\"", &newest).await;
}

pub async fn shared_images_are_in_the_feed_of_all_months(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let share = || ImageEdit { visibility: Some(Visibility::Shared), ..ImageEdit::default() };
    let mut feed = Vec::new();
    for round in 0..9 {
        let image = w.upload(if round % 2 == 0 { ada } else { bob }).await;
        let image = w.process(image.id).await;
        if round % 4 == 3 {
            w.advance(Duration::from_secs(40 * 24 * 3600));
        }
        if round == 5 {
            continue;
        }
        edit(w, &image, share()).await;
        feed.insert(0, image.id);
    }
    let list = async |page| w.catalog.list_feed(&page).await.map(|images| map(images, |i| i.id));
    for limit in [1, 3, 100] {
        expect_list(&feed, limit, list).await;
    }
    let newest = w.image(feed[0]).await;
    let private = ImageEdit { visibility: Some(Visibility::Private), ..ImageEdit::default() };
    edit(w, &newest, private).await;
    expect_list(&feed[1..], 3, list).await;
    let bad = catalog::PageRequest::after(3, Some(catalog::Cursor::from_text("nonsense")));
    let error = w.catalog.list_feed(&bad).await.unwrap_err();
    assert!(matches!(error, catalog::Error::BadCursor), "{error}");
}

pub async fn images_by_ids_keep_their_order(w: &World) {
    let ada = w.user("ada").await;
    let mut images = Vec::new();
    for _ in 0..3 {
        images.push(w.upload(ada).await.id);
    }
    let missing = w.new_image(ada).id;
    let asked = [images[2], missing, images[0], images[2], images[1]];
    let found = w.catalog.find_images(&asked).await.unwrap();
    let found: Vec<_> = found.iter().map(|image| image.id).collect();
    assert_eq!(found, [images[2], images[0], images[1]]);
}

pub async fn an_external_image_is_recorded_once(w: &World) {
    let ada = w.user("ada").await;
    let sticker = |unique_id: &str| {
        let mut image = w.new_image(ada);
        image.title = Some("Laughing cat".parse().unwrap());
        image.external = Some(External {
            source: "telegram".to_owned(),
            unique_id: unique_id.to_owned(),
            file_id: Some("CAAC".to_owned()),
            set_name: Some("cats".to_owned()),
        });
        image
    };
    let first = match w.catalog.create_external_image(&sticker("AgAD")).await.unwrap() {
        CreatedExternal::Created(image) => image,
        other => panic!("{other:?}"),
    };
    let second = w.catalog.create_external_image(&sticker("AgAD")).await.unwrap();
    assert_eq!(second, CreatedExternal::Existing(first.id));
    let found = w.catalog.find_external_image("telegram", "AgAD").await.unwrap();
    assert_eq!(found.as_ref(), Some(&first));
    assert_eq!(w.catalog.find_external_image("telegram", "other").await.unwrap(), None);
    expect_search(w, ada, "laugh", &[first.id]).await;
    ids(w, ada, Order::Newest, 10, &[first.id]).await;
}

pub async fn of_many_who_record_an_external_image_one_owns_it_and_changes_where_it_lives(
    w: &World,
) {
    let mut users = Vec::new();
    for n in 0..6 {
        users.push(w.user(&format!("user{n}")).await);
    }
    let record = |owner| async move {
        let mut image = w.new_image(owner);
        image.external = Some(External {
            source: "telegram".to_owned(),
            unique_id: "AgAD".to_owned(),
            file_id: Some("old".to_owned()),
            set_name: None,
        });
        w.catalog.create_external_image(&image).await.unwrap()
    };
    let ends = join_all(users.iter().map(|user| record(*user))).await;
    let created = ends.iter().filter_map(|end| match end {
        CreatedExternal::Created(image) => Some(image),
        _ => None,
    });
    let created: Vec<_> = created.collect();
    assert_eq!(created.len(), 1);
    let image = created[0];
    for end in &ends {
        assert!(
            matches!(end, CreatedExternal::Created(_))
                || *end == CreatedExternal::Existing(image.id)
        );
    }
    let edit = ExternalEdit { file_id: Some("new".to_owned()), set_name: None };
    for user in users {
        let edited = w.catalog.edit_external_image(image.id, user, &edit, w.now()).await.unwrap();
        match edited {
            Edited::Edited(edited) => assert_eq!((edited.owner, edited.version), (user, 2)),
            Edited::NotOwner => assert_ne!(image.owner, user),
            other => panic!("{other:?}"),
        }
    }
    let found = w.catalog.find_external_image("telegram", "AgAD").await.unwrap().unwrap();
    assert_eq!(found.external.unwrap().file_id.as_deref(), Some("new"));
}
