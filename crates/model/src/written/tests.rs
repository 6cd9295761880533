use super::*;
use crate::{ImageId, Timestamp, UserId};

fn image() -> Image {
    let now = Timestamp::from_millis(0);
    Image::pending(ImageId::new(now, 1), UserId::new(now, 2), now)
}

fn titled(title: &str) -> Metadata {
    Metadata { title: Some(title.to_owned()), ..Metadata::default() }
}

fn with_keywords(keywords: impl IntoIterator<Item = impl Into<String>>) -> Metadata {
    let keywords = keywords.into_iter().map(Into::into).collect();
    Metadata { keywords, ..Metadata::default() }
}

fn read(image: &mut Image, metadata: &Metadata) {
    image.take_over(metadata, &BTreeSet::new());
}

fn title(image: &Image) -> Option<&str> {
    image.title.as_ref().map(Title::as_str)
}

fn tags(image: &Image) -> Vec<&str> {
    image.tags.iter().map(Tag::as_str).collect()
}

fn keywords(image: &Image) -> Vec<String> {
    image.metadata.clone().unwrap_or_default().keywords.clone()
}

#[test]
fn what_the_owner_says_is_stronger_than_the_file() {
    let mut given = image();
    given.title = "Given".parse().ok();
    read(&mut given, &titled("Written"));
    assert_eq!(title(&given), Some("Given"));

    let mut cleared = image();
    read(&mut cleared, &titled("Written"));
    assert_eq!(title(&cleared), Some("Written"));
    cleared.title = None;
    read(&mut cleared, &titled("Written"));
    assert_eq!(title(&cleared), None);
    read(&mut cleared, &titled("Written again"));
    assert_eq!(title(&cleared), None);
}

#[test]
fn what_the_owner_has_left_alone_follows_the_file() {
    let mut image = image();
    read(&mut image, &titled("One"));
    read(&mut image, &titled("Two"));
    assert_eq!(title(&image), Some("Two"));
    read(&mut image, &Metadata::default());
    assert_eq!((title(&image), image.metadata.clone()), (None, None));
    let rated = |stars| Metadata { rating: Some(stars), ..Metadata::default() };
    read(&mut image, &rated(4));
    assert_eq!(image.rating, Rating::new(4));
    image.rating = Rating::new(2);
    read(&mut image, &rated(5));
    assert_eq!(image.rating, Rating::new(2));
}

#[test]
fn no_stars_are_no_rating() {
    let mut image = image();
    read(&mut image, &Metadata { rating: Some(0), ..Metadata::default() });
    assert_eq!((image.rating, image.metadata.clone()), (None, None));
}

#[test]
fn keywords_become_tags_beside_those_that_were_given() {
    let mut image = image();
    image.tags = vec!["given".parse().unwrap()];
    read(&mut image, &with_keywords(["Places/Berlin", "  Red  Car", "given", "red car", " "]));
    assert_eq!(tags(&image), ["given", "places/berlin", "red car"]);
    assert!(keywords(&image).is_empty());
}

#[test]
fn keywords_for_which_there_is_no_room_stay_keywords() {
    let mut image = image();
    let long = "x".repeat(60);
    let mut all: Vec<String> = (0..25).map(|n| format!("k{n:02}")).collect();
    all.insert(0, long.clone());
    read(&mut image, &with_keywords(all.clone()));
    assert_eq!(image.tags.len(), TAGS_BY_OWNER_MAX);
    assert_eq!(keywords(&image), [long.as_str(), "k20", "k21", "k22", "k23", "k24"]);

    // Reading the same again changes nothing, even if there is room now.
    image.tags.truncate(3);
    let before = image.clone();
    read(&mut image, &with_keywords(all));
    assert_eq!(image, before);
}

#[test]
fn private_tags_stay_and_take_room() {
    let mut image = image();
    let private: BTreeSet<Tag> = (0..19).map(|n| format!("p{n}").parse().unwrap()).collect();
    image.take_over(&with_keywords(["p0", "one", "two"]), &private);
    assert_eq!(tags(&image), ["one"]);
    assert_eq!(keywords(&image), ["two"]);
}

#[test]
fn tags_that_came_from_keywords_go_with_them_and_no_others() {
    let mut image = image();
    read(&mut image, &with_keywords(["sea", "lake"]));
    image.tags.push("mine".parse().unwrap());
    image.tags.retain(|tag| tag.as_str() != "lake");
    read(&mut image, &with_keywords(["lake", "hill"]));
    assert_eq!(tags(&image), ["hill", "mine"], "lake was taken away by the owner");
}

#[test]
fn without_room_for_public_tags_all_stay_keywords() {
    let before = image();
    let mut after = before.clone();
    read(&mut after, &with_keywords(["sea", "lake"]));
    after.leave_tags(&before);
    assert!(after.tags.is_empty());
    assert_eq!(keywords(&after), ["sea", "lake"]);
}

#[test]
fn long_texts_are_cut_and_odd_ones_made_plain() {
    let mut image = image();
    read(
        &mut image,
        &Metadata {
            title: Some(format!("a\u{0}b\n{}", "é".repeat(400))),
            description: Some(format!(" one\ntwo {}", "x".repeat(9000))),
            artist: Some("\u{7}".to_owned()),
            ..Metadata::default()
        },
    );
    let title = title(&image).unwrap();
    assert!(title.starts_with("a b é") && title.ends_with('…'), "{title}");
    assert_eq!(title.chars().count(), TITLE_CHARS_MAX);
    let description = image.description.as_ref().unwrap().as_str();
    assert!(description.starts_with("one\ntwo x"));
    assert_eq!(description.chars().count(), DESCRIPTION_CHARS_MAX);
    assert_eq!(image.metadata.as_ref().unwrap().artist, None);
}

#[test]
fn what_cameras_say_about_every_photo_is_no_description() {
    for said in ["OLYMPUS DIGITAL CAMERA         ", "SONY DSC", "Exif_JPEG_PICTURE"] {
        let mut image = image();
        let description = Some(said.to_owned());
        read(&mut image, &Metadata { description, ..Metadata::default() });
        assert_eq!(image.description, None, "{said}");
    }
}

#[test]
fn regions_without_a_place_are_left_out() {
    let region = |width| Region {
        kind: crate::RegionKind::Face,
        name: Some(" Ada ".to_owned()),
        left: 0.1,
        top: 0.1,
        width,
        height: 0.2,
    };
    let mut image = image();
    let regions = vec![region(0.0), region(f64::NAN), region(0.2)];
    read(&mut image, &Metadata { regions, ..Metadata::default() });
    let kept = image.metadata.unwrap().regions.clone();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].name.as_deref(), Some("Ada"));
}

#[test]
fn others_are_told_what_the_installation_shows_to_all() {
    let mut image = image();
    read(
        &mut image,
        &Metadata {
            rating: Some(4),
            artist: Some("Ada".to_owned()),
            regions: vec![Region {
                kind: crate::RegionKind::Face,
                name: None,
                left: 0.0,
                top: 0.0,
                width: 1.0,
                height: 1.0,
            }],
            ..Metadata::default()
        },
    );
    let mut shown = image.clone();
    shown.hide_written(true);
    let written = shown.metadata.unwrap();
    assert_eq!((shown.rating, written.rating), (None, None));
    assert_eq!((written.artist.as_deref(), written.regions.len()), (Some("Ada"), 0));
    image.hide_written(false);
    assert_eq!(image.metadata, None);
}
