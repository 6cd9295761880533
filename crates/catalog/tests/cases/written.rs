//! What was written into photos: taken over, found, and never stronger than what owners say.

use catalog::{EditedImage, Finished, ImageEdit, Processed, ReadFile, TakenOver};
use model::{
    Image, ImageId, Metadata, Place, Rating, Region, RegionKind, Sidecar, UserId, Visibility,
    WorkKind,
};

use super::{World, expect_search, processed};

fn metadata() -> Metadata {
    let region = |name: &str| Region {
        kind: RegionKind::Face,
        name: Some(name.to_owned()),
        left: 0.1,
        top: 0.1,
        width: 0.2,
        height: 0.2,
    };
    Metadata {
        title: Some("Harbour".to_owned()),
        description: Some("Ships at dusk".to_owned()),
        keywords: vec!["Places/Hamburg".to_owned(), "Red Car".to_owned()],
        rating: Some(4),
        artist: Some("Ansel Adams".to_owned()),
        copyright: Some("nobody".to_owned()),
        place: Place { city: Some("Lübeck".to_owned()), ..Place::default() },
        regions: vec![region("Wilhelmina")],
    }
}

fn read(metadata: Metadata) -> ReadFile {
    ReadFile { metadata, ..ReadFile::default() }
}

async fn process(w: &World, image: ImageId, read: ReadFile) -> Image {
    let work = w.claim_for(WorkKind::Process, image).await;
    let processed = Processed { read, ..processed() };
    match w.catalog.finish_processing(&work, image, &processed, w.now()).await.unwrap() {
        Finished::Finished(image) => image,
        other => panic!("{other:?}"),
    }
}

async fn take_over(w: &World, image: ImageId, read: &ReadFile) -> Image {
    match w.catalog.take_over(image, read, w.now()).await.unwrap() {
        TakenOver::Written(image) | TakenOver::Unchanged(image) => image,
        TakenOver::Gone => panic!("{image} is gone"),
    }
}

async fn edit(w: &World, image: ImageId, owner: UserId, edit: ImageEdit) {
    let edited = w.catalog.edit_image(image, owner, None, &edit, w.now()).await.unwrap();
    assert!(matches!(edited, EditedImage::Written(_)), "{edited:?}");
}

fn title(image: &Image) -> Option<&str> {
    image.title.as_ref().map(|title| title.as_str())
}

fn tags(image: &Image) -> Vec<&str> {
    image.tags.iter().map(|tag| tag.as_str()).collect()
}

pub async fn what_is_written_in_a_file_is_taken_over_and_found(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let made = process(w, image, read(metadata())).await;
    assert_eq!(made, w.image(image).await);
    assert_eq!(title(&made), Some("Harbour"));
    assert_eq!(tags(&made), ["places/hamburg", "red car"]);
    assert_eq!(made.rating, Rating::new(4));
    for found in [
        "harbour",
        "dusk",
        "hamburg",
        "tag:\"red car\"",
        "adams",
        "lübeck",
        "wilhelmina",
        "artist:ansel",
        "place:Lübeck",
        "rating:4",
        "rating:>=3 -rating:5",
    ] {
        expect_search(w, ada, found, &[image]).await;
    }
    for not_found in ["rating:5", "artist:lübeck", "place:adams", "-rating:4", "nobody"] {
        expect_search(w, ada, not_found, &[]).await;
    }
    // The file says something else now.
    let other = Metadata { keywords: vec!["boat".to_owned()], ..Metadata::default() };
    let other = take_over(w, image, &read(other)).await;
    assert_eq!((title(&other), tags(&other)), (None, vec!["boat"]));
    expect_search(w, ada, "harbour", &[]).await;
    expect_search(w, ada, "lübeck", &[]).await;
    expect_search(w, ada, "tag:\"red car\"", &[]).await;
    expect_search(w, ada, "tag:boat", &[image]).await;
}

pub async fn what_the_owner_says_is_not_undone_by_reading_again(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    process(w, image, read(metadata())).await;
    let said = ImageEdit {
        title: Some("Mine".parse().ok()),
        description: Some(None),
        tags: Some(vec!["mine".parse().unwrap(), "red car".parse().unwrap()]),
        rating: Some(Rating::new(1)),
        ..ImageEdit::default()
    };
    edit(w, image, ada, said).await;
    let before = w.image(image).await;
    let outcome = w.catalog.take_over(image, &read(metadata()), w.now()).await.unwrap();
    assert_eq!(outcome, TakenOver::Unchanged(before.clone()));

    let changed = Metadata { title: Some("Theirs".to_owned()), rating: Some(5), ..metadata() };
    let after = take_over(w, image, &read(changed)).await;
    assert_eq!(title(&after), Some("Mine"));
    assert_eq!(tags(&after), ["mine", "red car"]);
    assert_eq!((after.rating, &after.description), (Rating::new(1), &None));
    expect_search(w, ada, "rating:1 mine", &[image]).await;
}

pub async fn others_find_what_they_may_know(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let image = w.upload(ada).await.id;
    process(w, image, read(metadata())).await;
    let share = ImageEdit { visibility: Some(Visibility::Shared), ..ImageEdit::default() };
    edit(w, image, ada, share).await;
    for found in ["harbour", "dusk", "hamburg", "tag:\"red car\""] {
        expect_search(w, bob, found, &[image]).await;
    }
    for hidden in ["adams", "lübeck", "wilhelmina", "artist:adams", "place:lübeck", "rating:4"] {
        expect_search(w, bob, hidden, &[]).await;
        expect_search(w, ada, hidden, &[image]).await;
    }
}

pub async fn a_sidecar_that_came_meanwhile_is_not_lost(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let sidecar = Sidecar { size_bytes: 7, sha256: "0".repeat(64).parse().unwrap() };
    let beside = ReadFile {
        metadata: Metadata { title: Some("Beside".to_owned()), ..Metadata::default() },
        sidecar: Some(sidecar.clone()),
        ..ReadFile::default()
    };
    take_over(w, image, &beside).await;
    // A worker that had begun before knows nothing of it.
    let made = process(w, image, read(metadata())).await;
    assert_eq!((title(&made), &made.sidecar), (Some("Beside"), &Some(sidecar)));
    assert!(made.processed_at.is_some());
}

pub async fn many_keywords_are_all_found(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let keywords: Vec<String> = (0..120).map(|n| format!("Keyword{n} of many")).collect();
    let made = process(w, image, read(Metadata { keywords, ..Metadata::default() })).await;
    assert_eq!(made.tags.len(), model::limits::TAGS_BY_OWNER_MAX);
    for found in ["tag:\"keyword0 of many\"", "keyword19", "keyword20", "keyword119", "many"] {
        expect_search(w, ada, found, &[image]).await;
    }
}

pub async fn a_file_full_of_texts_fits_into_its_row(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let long = |chars: usize| "\u{1f6a2}".repeat(chars);
    let full = metadata();
    let region = Region { name: Some(long(60_000)), ..full.regions[0].clone() };
    let full = Metadata {
        title: Some(long(60_000)),
        description: Some(long(60_000)),
        keywords: (0..3000).map(|n| format!("{n} {}", long(250))).collect(),
        artist: Some(long(60_000)),
        copyright: Some(long(60_000)),
        regions: vec![region; 1000],
        ..full
    };
    let made = process(w, image, read(full.clone())).await;
    assert!(made.title.is_some() && made.description.is_some());
    assert_eq!(made, w.image(image).await);
    assert_eq!(take_over(w, image, &read(full)).await, made);
}
