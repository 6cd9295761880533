use std::collections::BTreeMap;

use catalog::{
    Edited, EditedImage, ImageEdit, ImageTags, SetTags, TagEdit, TagScope, TagVisibility,
};
use futures::future::join_all;
use model::{ImageId, Tag, UserId};

use super::{World, expect_list, expect_search, map};

fn tag(text: &str) -> Tag {
    text.parse().unwrap()
}

fn tags(visibility: TagVisibility, texts: &[&str]) -> ImageTags {
    ImageTags(texts.iter().map(|text| (tag(text), visibility)).collect())
}

fn public(texts: &[&str]) -> ImageTags {
    tags(TagVisibility::Public, texts)
}

async fn set(w: &World, image: ImageId, author: UserId, tags: &ImageTags) {
    let outcome = w.catalog.set_tags(image, author, tags, w.now()).await.unwrap();
    assert_eq!(outcome, SetTags::Set);
}

async fn expect_found(w: &World, scope: TagScope, prefix: &str, expected: &[ImageId]) {
    expect_list(expected, 2, async |page| {
        let hits = w.catalog.list_images_by_tag_prefix(scope, prefix, &page).await?;
        Ok(map(hits, |hit| hit.image.id))
    })
    .await;
}

pub async fn tags_are_replaced_in_one_step(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let image = w.upload(ada).await.id;
    set(w, image, bob, &public(&["Cat", " cute  Animal"])).await;
    assert_eq!(w.catalog.find_tags(image, bob).await.unwrap(), public(&["cat", "cute animal"]));
    set(w, image, bob, &public(&["cat", "dog"])).await;
    assert_eq!(w.catalog.find_tags(image, bob).await.unwrap(), public(&["cat", "dog"]));
    let mine = TagScope::Author(bob);
    expect_found(w, mine, "cute", &[]).await;
    expect_found(w, mine, "dog", &[image]).await;
    expect_found(w, TagScope::Everyone, "animal", &[]).await;
    set(w, image, bob, &public(&[])).await;
    expect_found(w, mine, "c", &[]).await;
    expect_found(w, TagScope::Everyone, "d", &[]).await;
    assert_eq!(w.catalog.find_tags(image, ada).await.unwrap(), ImageTags::default());
}

pub async fn tags_are_found_by_prefix_by_author_and_by_everyone(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let (one, two) = (w.upload(ada).await.id, w.upload(ada).await.id);
    set(w, one, ada, &public(&["sunset"])).await;
    set(w, one, bob, &public(&["sunset"])).await;
    set(w, two, bob, &public(&["sunny"])).await;
    expect_found(w, TagScope::Author(ada), "sun", &[one]).await;
    expect_found(w, TagScope::Author(bob), "SUN", &[one, two]).await;
    expect_found(w, TagScope::Everyone, "sun", &[one, two]).await;
    expect_found(w, TagScope::Everyone, "suns", &[one]).await;
    expect_found(w, TagScope::Everyone, " ", &[]).await;
    let exact = tag("sunny");
    expect_list(&[two], 2, async |page| {
        let hits = w.catalog.list_images_by_tag(TagScope::Everyone, &exact, &page).await?;
        Ok(map(hits, |hit| hit.image.id))
    })
    .await;
}

pub async fn a_phrase_is_found_by_its_inner_words(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    set(w, image, ada, &public(&["red sports car"])).await;
    for scope in [TagScope::Author(ada), TagScope::Everyone] {
        for prefix in ["red", "red sp", "sports", "sports c", "car", "ca"] {
            expect_found(w, scope, prefix, &[image]).await;
        }
        expect_found(w, scope, "ports", &[]).await;
    }
    // But exactly "car" it is not tagged.
    let page = catalog::PageRequest::first(10);
    let car = tag("car");
    let hits = w.catalog.list_images_by_tag(TagScope::Everyone, &car, &page).await.unwrap();
    assert_eq!(hits.entries, []);
}

pub async fn no_image_comes_twice(w: &World) {
    let ada = w.user("ada").await;
    let mut images = Vec::new();
    for _ in 0..5 {
        let image = w.upload(ada).await.id;
        set(w, image, ada, &public(&["sun", "sunset", "sunny day", "late sun", "sundown"])).await;
        images.insert(0, image);
    }
    expect_found(w, TagScope::Author(ada), "sun", &images).await;
    expect_found(w, TagScope::Everyone, "sun", &images).await;
}

pub async fn private_tags_are_their_authors_own(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let image = w.upload(ada).await.id;
    set(w, image, ada, &tags(TagVisibility::Private, &["secret"])).await;
    set(w, image, bob, &public(&["open"])).await;
    expect_found(w, TagScope::Author(ada), "secret", &[image]).await;
    expect_found(w, TagScope::Author(bob), "secret", &[]).await;
    expect_found(w, TagScope::Everyone, "secret", &[]).await;
    assert!(w.image(image).await.tags.is_empty());
    set(w, image, ada, &public(&["secret"])).await;
    expect_found(w, TagScope::Everyone, "secret", &[image]).await;
    set(w, image, ada, &tags(TagVisibility::Private, &["secret"])).await;
    expect_found(w, TagScope::Everyone, "secret", &[]).await;
}

pub async fn everyones_entry_goes_with_its_last_author(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let mut authors = Vec::new();
    for n in 0..3 {
        let author = w.user(&format!("author{n}")).await;
        set(w, image, author, &public(&["shared"])).await;
        authors.push(author);
    }
    for (left, author) in (0..3).rev().zip(&authors) {
        let counts = w.catalog.find_public_tags(&[image]).await.unwrap();
        assert_eq!(counts[0].get(&tag("shared")), Some(&(left + 1)));
        expect_found(w, TagScope::Everyone, "shared", &[image]).await;
        set(w, image, *author, &public(&[])).await;
    }
    assert_eq!(w.catalog.find_public_tags(&[image]).await.unwrap(), [BTreeMap::new()]);
    expect_found(w, TagScope::Everyone, "shared", &[]).await;
}

/// Eight authors set and take back the same tag over and over. At the end only those whose
/// last word was to set it count.
pub async fn many_authors_tag_one_image_at_once(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let mut authors = Vec::new();
    for n in 0..8 {
        authors.push(w.user(&format!("author{n}")).await);
    }
    let writers = authors.iter().enumerate().map(|(n, author)| async move {
        for round in 0..3 {
            let texts: &[&str] = if (n + round) % 2 == 0 { &["hot", "fire"] } else { &[] };
            set(w, image, *author, &public(texts)).await;
        }
    });
    join_all(writers).await;
    let counts = w.catalog.find_public_tags(&[image]).await.unwrap();
    assert_eq!(counts[0].get(&tag("hot")), Some(&4));
    expect_found(w, TagScope::Everyone, "hot", &[image]).await;
    join_all(
        authors.iter().map(|author| async move { set(w, image, *author, &public(&[])).await }),
    )
    .await;
    expect_found(w, TagScope::Everyone, "hot", &[]).await;
    let leftover = table::Query::partition(format!("IMAGE#{image}")).prefix("TAG");
    assert_eq!(w.table.query(&leftover).await.unwrap().items, []);
}

pub async fn too_many_tags_are_refused(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let image = w.upload(ada).await.id;
    let many = |count: usize| -> ImageTags {
        ImageTags((0..count).map(|n| (tag(&format!("tag {n}")), TagVisibility::Public)).collect())
    };
    for (author, max) in [(ada, 20), (bob, 10)] {
        set(w, image, author, &many(max)).await;
        let outcome = w.catalog.set_tags(image, author, &many(max + 1), w.now()).await.unwrap();
        assert_eq!(outcome, SetTags::TooMany { max });
        assert_eq!(w.catalog.find_tags(image, author).await.unwrap(), many(max));
    }
    let missing = w.new_image(ada).id;
    let outcome = w.catalog.set_tags(missing, ada, &many(1), w.now()).await.unwrap();
    assert_eq!(outcome, SetTags::NoImage);
}

pub async fn the_status_of_a_set_is_told(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let mut images = Vec::new();
    for _ in 0..3 {
        images.push(w.upload(ada).await.id);
    }
    set(w, images[0], ada, &public(&["mine"])).await;
    set(w, images[2], bob, &public(&["his"])).await;
    let mine = w.catalog.find_tags_of_images(&images, ada).await.unwrap();
    let tagged_by_me: Vec<bool> = mine.iter().map(|tags| !tags.0.is_empty()).collect();
    assert_eq!(tagged_by_me, [true, false, false]);
    let anyone = w.catalog.find_public_tags(&images).await.unwrap();
    let tagged_by_anyone: Vec<bool> = anyone.iter().map(|tags| !tags.is_empty()).collect();
    assert_eq!(tagged_by_anyone, [true, false, true]);
}

pub async fn an_authors_tags_are_listed(w: &World) {
    let ada = w.user("ada").await;
    for texts in [vec!["sea", "red car"], vec!["sea", "car"], vec!["sky", "sea side"]] {
        let image = w.upload(ada).await.id;
        set(w, image, ada, &public(&texts)).await;
    }
    let list = async |prefix: &str, after: Option<&str>, limit| -> Vec<String> {
        let after = after.map(tag);
        let mine = TagScope::Author(ada);
        let tags = w.catalog.list_tags(mine, prefix, after.as_ref(), limit).await.unwrap();
        tags.iter().map(ToString::to_string).collect()
    };
    let all = ["car", "red car", "sea", "sea side", "sky"];
    super::eventually(async || (list("", None, 10).await == all).then_some(())).await;
    assert_eq!(list("", None, 2).await, ["car", "red car"]);
    assert_eq!(list("", Some("red car"), 10).await, ["sea", "sea side", "sky"]);
    assert_eq!(list("sea", None, 10).await, ["sea", "sea side"]);
    assert_eq!(list("side", None, 10).await, [""; 0], "an ending is no tag");
}

/// More entries than one transaction has actions.
pub async fn twenty_long_phrases_can_be_swapped_for_twenty_others(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let phrases = |letter: char| -> ImageTags {
        let phrase = |n: usize| tag(&format!("{letter}{n} two three four five"));
        ImageTags((0..20).map(|n| (phrase(n), TagVisibility::Public)).collect())
    };
    for letter in ['a', 'b', 'c'] {
        set(w, image, ada, &phrases(letter)).await;
        assert_eq!(w.catalog.find_tags(image, ada).await.unwrap(), phrases(letter));
        expect_found(w, TagScope::Everyone, &format!("{letter}17"), &[image]).await;
    }
    expect_found(w, TagScope::Author(ada), "a", &[]).await;
    expect_found(w, TagScope::Everyone, "b1", &[]).await;
    expect_found(w, TagScope::Everyone, "three", &[image]).await;
}

pub async fn the_owners_tags_are_part_of_the_image(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    set(w, image.id, ada, &tags(TagVisibility::Private, &["secret"])).await;
    let edit = ImageEdit { tags: Some(vec![tag("lake"), tag("Lake")]), ..ImageEdit::default() };
    let _ = w.catalog.edit_image(image.id, ada, None, &edit, w.now()).await.unwrap();
    assert_eq!(w.image(image.id).await.tags, [tag("lake")]);
    let found = w.catalog.find_tags(image.id, ada).await.unwrap();
    let expected = [(tag("lake"), TagVisibility::Public), (tag("secret"), TagVisibility::Private)];
    assert_eq!(found.0, BTreeMap::from(expected));
    expect_found(w, TagScope::Everyone, "lake", &[image.id]).await;
    let before = w.image(image.id).await.version;
    set(w, image.id, ada, &public(&["mountain"])).await;
    let image = w.image(image.id).await;
    assert_eq!((image.tags, image.version), (vec![tag("mountain")], before + 1));
    expect_search(w, ada, "mount", &[image.id]).await;
}

pub async fn what_has_not_arrived_cannot_be_tagged_or_edited(w: &World) {
    let ada = w.user("ada").await;
    let pending = w.reserve(ada).await;
    let set = w.catalog.set_tags(pending.id, ada, &public(&["early"]), w.now()).await.unwrap();
    assert_eq!(set, SetTags::NoImage);
    let edit = ImageEdit { tags: Some(vec![tag("early")]), ..ImageEdit::default() };
    let edited = w.catalog.edit_image(pending.id, ada, None, &edit, w.now()).await.unwrap();
    assert_eq!(edited, EditedImage::Ended(Edited::Missing));
    let _ = w.catalog.release_upload(pending.id).await.unwrap();
    assert_eq!(w.rows_of(pending.id).await, 0);
}

/// A row that was gone and came back is not the one that was read before.
pub async fn a_summary_that_came_back_is_a_new_one(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let key = table::Key::new(format!("IMAGE#{image}"), "TAGS#");
    let mut versions = std::collections::BTreeSet::new();
    for _ in 0..4 {
        set(w, image, ada, &public(&["here"])).await;
        versions.insert(w.table.get(&key).await.unwrap().unwrap().version());
        set(w, image, ada, &public(&[])).await;
        assert_eq!(w.table.get(&key).await.unwrap(), None);
    }
    assert_eq!(versions.len(), 4);
}

/// Authors come and go all at once; what everyone has is exactly what the authors left have.
pub async fn the_last_public_author_takes_a_tag_away_under_any_concurrency(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let mut authors = Vec::new();
    for n in 0..6 {
        authors.push(w.user(&format!("author{n}")).await);
    }
    for author in &authors {
        set(w, image, *author, &public(&["cat", "cute animal"])).await;
    }
    let private = tags(TagVisibility::Private, &["cat"]);
    let steps = authors.iter().enumerate().map(|(n, author)| {
        let (none, dog, private) = (public(&[]), public(&["dog"]), private.clone());
        async move {
            set(w, image, *author, if n % 2 == 0 { &none } else { &dog }).await;
            set(w, image, *author, if n % 3 == 0 { &private } else { &none }).await;
        }
    });
    join_all(steps).await;
    let counts = w.catalog.find_public_tags(&[image]).await.unwrap();
    assert_eq!(counts, [BTreeMap::new()]);
    for gone in ["cat", "cute", "animal", "dog"] {
        expect_found(w, TagScope::Everyone, gone, &[]).await;
    }
    expect_found(w, TagScope::Author(authors[0]), "cat", &[image]).await;
    let back = authors.iter().map(|author| set(w, image, *author, &CAT));
    join_all(back).await;
    let stay = authors[1..].iter().map(|author| set(w, image, *author, &NONE));
    join_all(stay).await;
    let counts = w.catalog.find_public_tags(&[image]).await.unwrap();
    assert_eq!(counts, [BTreeMap::from([(tag("cat"), 1)])]);
    expect_found(w, TagScope::Everyone, "cat", &[image]).await;
}

static CAT: std::sync::LazyLock<ImageTags> = std::sync::LazyLock::new(|| public(&["cat"]));
static NONE: std::sync::LazyLock<ImageTags> = std::sync::LazyLock::new(|| public(&[]));

pub async fn a_tag_is_renamed_or_merged_in_one_step(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let image = w.upload(ada).await.id;
    let (from, to) = (tag("kitty"), tag("cat"));
    let rename = async |author| {
        let edit = TagEdit::Rename { from: &from, to: &to };
        assert_eq!(w.catalog.edit_tags(image, author, edit, w.now()).await.unwrap(), SetTags::Set);
        w.catalog.find_tags(image, author).await.unwrap()
    };
    set(w, image, ada, &public(&["kitty", "red"])).await;
    assert_eq!(rename(ada).await, public(&["cat", "red"]));
    assert_eq!(w.image(image).await.tags, [tag("cat"), tag("red")]);
    let version = w.image(image).await.version;
    assert_eq!(rename(ada).await, public(&["cat", "red"]));
    assert_eq!(w.image(image).await.version, version, "nothing changed");
    let mut both = tags(TagVisibility::Private, &["cat"]);
    both.0.insert(from.clone(), TagVisibility::Public);
    set(w, image, bob, &both).await;
    assert_eq!(rename(bob).await, tags(TagVisibility::Private, &["cat"]));
    let counts = w.catalog.find_public_tags(&[image]).await.unwrap();
    assert_eq!(counts, [BTreeMap::from([(tag("cat"), 1), (tag("red"), 1)])]);
    expect_found(w, TagScope::Everyone, "kitty", &[]).await;
}

pub async fn favourites_are_marked_listed_and_forgotten(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let (one, two) = (w.upload(ada).await.id, w.upload(ada).await.id);
    let mark = async |image, user| w.catalog.put_favourite(image, user, w.now()).await.unwrap();
    let expect = async |user, expected: &[ImageId]| {
        expect_list(expected, 1, async |page| {
            Ok(map(w.catalog.list_favourites(user, &page).await?, |image| image.id))
        })
        .await;
    };
    assert!(mark(two, bob).await && mark(one, bob).await && mark(two, bob).await);
    assert!(!mark(w.new_image(ada).id, bob).await);
    expect(bob, &[one, two]).await;
    expect(ada, &[]).await;
    assert!(w.catalog.is_favourite(two, bob).await.unwrap());
    w.catalog.delete_favourite(one, bob).await.unwrap();
    w.catalog.delete_favourite(one, bob).await.unwrap();
    assert!(!w.catalog.is_favourite(one, bob).await.unwrap());
    expect(bob, &[two]).await;
    w.catalog.remove_favourites(bob).await.unwrap();
    expect(bob, &[]).await;
}
