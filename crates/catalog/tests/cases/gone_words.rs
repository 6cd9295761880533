//! Entries of words that an image no longer has: believed by nobody, taken out an hour later.

use std::collections::BTreeSet;
use std::time::Duration;

use catalog::{Edited, EditedImage, ImageEdit, Looked};
use model::{Image, ImageId, WorkKind};
use table::{Action, BatchEntry, Item, Key, Query};

use super::{World, expect_search};

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Gives an image another title.
pub(crate) async fn write(w: &World, image: &Image, title: &str) {
    edit(w, image, ImageEdit { title: Some(Some(title.parse().unwrap())), ..Default::default() })
        .await;
}

pub(crate) async fn describe(w: &World, image: &Image, text: &str) {
    let description = Some(Some(text.parse().unwrap()));
    edit(w, image, ImageEdit { description, ..Default::default() }).await;
}

async fn edit(w: &World, image: &Image, edit: ImageEdit) {
    let edited = w.catalog.edit_image(image.id, image.owner, None, &edit, w.now()).await.unwrap();
    assert!(matches!(edited, EditedImage::Written(_)), "{edited:?}");
}

/// The words of which an image has entries, beside what is known of it.
pub(crate) async fn words(w: &World, image: ImageId) -> BTreeSet<String> {
    let query = Query::partition(format!("IMAGE#{image}")).prefix("TERM#").limit(1000);
    let page = w.table.query(&query).await.unwrap();
    let words = page.items.iter().filter_map(|item| item.key.sk.strip_prefix("TERM#"));
    words.filter(|word| !word.starts_with(':')).map(str::to_owned).collect()
}

async fn expect_words<const N: usize>(w: &World, image: ImageId, expected: [&str; N]) {
    assert_eq!(words(w, image).await, expected.map(str::to_owned).into());
}

/// Takes out what can be taken out; how many.
pub(crate) async fn take_out(w: &World) -> usize {
    let mut removed = 0;
    loop {
        match w.catalog.remove_gone_words(w.now()).await.unwrap() {
            Looked::OnTheWay(more) => removed += more,
            Looked::ToTheEnd(last) => return removed + last,
            Looked::NotAlone => panic!("there is nobody else"),
        }
    }
}

pub async fn gone_words_lead_nowhere_and_are_taken_out_an_hour_later(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    write(w, &image, "Red sunset").await;
    expect_search(w, ada, "sunset", &[image.id]).await;
    write(w, &image, "Red moonrise").await;
    expect_search(w, ada, "moonrise", &[image.id]).await;
    expect_search(w, ada, "sunset", &[]).await;
    let sun = "sun".parse().unwrap();
    assert_eq!(w.catalog.list_words(ada, &sun, 9).await.unwrap(), [""; 0]);
    w.advance(HOUR - Duration::from_secs(60));
    assert_eq!(take_out(w).await, 0);
    expect_words(w, image.id, ["moonrise", "red", "sunset"]).await;
    w.advance(Duration::from_secs(120));
    assert_eq!(take_out(w).await, 1);
    expect_words(w, image.id, ["moonrise", "red"]).await;
    expect_search(w, ada, "red moonrise", &[image.id]).await;
    assert_eq!(take_out(w).await, 0);
}

pub async fn a_word_that_came_back_stays(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    for title in ["Sunset", "Moonrise", "Sunset"] {
        write(w, &image, title).await;
    }
    w.advance(2 * HOUR);
    assert_eq!(take_out(w).await, 1);
    expect_words(w, image.id, ["sunset"]).await;
    expect_search(w, ada, "sunset", &[image.id]).await;
}

pub async fn what_came_within_the_hour_stays_although_older_words_go(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    write(w, &image, "Sunset").await;
    write(w, &image, "Moonrise").await;
    w.advance(2 * HOUR);
    write(w, &image, "Harbour").await;
    write(w, &image, "Sunset").await;
    // As a large change does before the image says so.
    let early = Key::new(format!("IMAGE#{}", image.id), "TERM#early");
    let early = Item::new(early).with("since", w.now().as_seconds());
    w.table.batch_write(vec![BatchEntry::Put(early)]).await.unwrap();
    assert_eq!(take_out(w).await, 1);
    expect_words(w, image.id, ["early", "harbour", "sunset"]).await;
    w.advance(2 * HOUR);
    assert_eq!(take_out(w).await, 2);
    expect_words(w, image.id, ["sunset"]).await;
}

pub async fn many_words_are_taken_out_in_several_steps(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let text: Vec<String> = (0..230).map(|n| format!("word{n}")).collect();
    describe(w, &image, &text.join(" ")).await;
    describe(w, &image, "Few words").await;
    w.advance(2 * HOUR);
    assert_eq!(take_out(w).await, 230);
    expect_words(w, image.id, ["few", "words"]).await;
}

pub async fn many_changes_are_gone_through_each_once(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    write(w, &image, "Sunset").await;
    write(w, &image, "Moonrise").await;
    // More changes than are looked at together, of somebody else.
    let bob = w.user("bob").await;
    let record = |n: i32| {
        let at = w.now();
        let day = at.to_string();
        let partition = format!("CHANGE#{}#{}", &day[..10], n % 4);
        let item = Item::new(Key::new(partition, format!("{at}#{n:016x}")))
            .with("at", at.to_string())
            .with("kind", "updated")
            .with("user", bob.to_string())
            .with("owner", bob.to_string());
        BatchEntry::Put(item)
    };
    let changes: Vec<BatchEntry> = (0..600).map(record).collect();
    for some in changes.chunks(25) {
        w.table.batch_write(some.to_vec()).await.unwrap();
    }
    write(w, &image, "Harbour").await;
    w.advance(2 * HOUR);
    let first = w.catalog.remove_gone_words(w.now()).await.unwrap();
    assert_eq!(first, Looked::OnTheWay(2));
    expect_words(w, image.id, ["harbour"]).await;
    assert_eq!(w.catalog.remove_gone_words(w.now()).await.unwrap(), Looked::ToTheEnd(0));
}

pub async fn several_may_take_out_words_at_once(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    write(w, &image, "Sunset").await;
    write(w, &image, "Moonrise").await;
    w.advance(2 * HOUR);
    let now = w.now();
    let looks = (0..4).map(|_| w.catalog.remove_gone_words(now));
    let looked = futures::future::try_join_all(looks).await.unwrap();
    let ended = |looked: &&Looked| matches!(looked, Looked::ToTheEnd(_));
    assert!(looked.iter().any(|looked| ended(&looked)), "{looked:?}");
    expect_words(w, image.id, ["moonrise"]).await;
}

pub async fn words_of_images_in_the_trash_go_and_of_purged_ones_too(w: &World) {
    let ada = w.user("ada").await;
    let [trashed, purged] = [w.upload(ada).await, w.upload(ada).await];
    for image in [&trashed, &purged] {
        write(w, image, "Sunset").await;
        write(w, image, "Moonrise").await;
        let now = w.now();
        let _ = w.catalog.trash_image(image.id, ada, None, now, now).await.unwrap();
    }
    let held = w.claim_for(WorkKind::Purge, purged.id).await;
    let _ = w.catalog.begin_purge(&held, purged.id, w.now()).await.unwrap();
    let _ = w.catalog.finish_purge(&held, purged.id, w.now()).await.unwrap();
    w.advance(2 * HOUR);
    assert_eq!(take_out(w).await, 1);
    expect_words(w, trashed.id, ["moonrise"]).await;
    assert_eq!(w.rows_of(purged.id).await, 0);
    let restored = w.catalog.restore_image(trashed.id, ada, w.now()).await.unwrap();
    assert!(matches!(restored, Edited::Edited(_)), "{restored:?}");
    expect_search(w, ada, "moonrise", &[trashed.id]).await;
}

pub async fn what_cannot_be_read_holds_up_nothing(w: &World) {
    let ada = w.user("ada").await;
    let [broken, image] = [w.upload(ada).await, w.upload(ada).await];
    for image in [&broken, &image] {
        write(w, image, "Sunset").await;
        write(w, image, "Moonrise").await;
    }
    let key = Key::new(format!("IMAGE#{}", broken.id), "METADATA");
    let damage = Action::update(key).set("version", "two");
    assert!(w.table.transact(vec![damage]).await.unwrap().is_done());
    w.advance(2 * HOUR);
    assert_eq!(take_out(w).await, 1);
    expect_words(w, image.id, ["moonrise"]).await;
    expect_words(w, broken.id, ["moonrise", "sunset"]).await;
}

pub async fn who_was_away_longer_than_changes_are_kept_starts_anew(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    write(w, &image, "Sunset").await;
    write(w, &image, "Moonrise").await;
    w.advance(2 * HOUR);
    assert_eq!(take_out(w).await, 1);
    w.advance(40 * 24 * HOUR);
    write(w, &image, "Harbour").await;
    w.advance(2 * HOUR);
    assert_eq!(take_out(w).await, 1);
    expect_words(w, image.id, ["harbour"]).await;
}
