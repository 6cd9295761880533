use catalog::{
    Added, AlbumEdit, EditedImage, EditedUser, Finished, ImageEdit, ImageTags, Processed,
    PutMember, ReadFile, Search, SearchOrder, SetTags, TagVisibility, UserEdit,
};
use model::{
    Album, AlbumRole, Exif, Image, ImageId, PersonId, SearchQuery, UserId, Visibility, WorkKind,
};

use super::{World, eventually, expect_search, processed, search};

async fn edit(w: &World, image: ImageId, edit: &ImageEdit) {
    let owner = w.image(image).await.owner;
    let edited = w.catalog.edit_image(image, owner, None, edit, w.now()).await.unwrap();
    assert!(
        matches!(edited, EditedImage::Written(_) | EditedImage::Ended(catalog::Edited::Edited(_))),
        "{edited:?}"
    );
}

async fn titled(w: &World, owner: UserId, title: &str) -> ImageId {
    let image = w.upload(owner).await.id;
    w.process(image).await;
    let title = Some(Some(title.parse().unwrap()));
    edit(w, image, &ImageEdit { title, ..ImageEdit::default() }).await;
    image
}

async fn see(w: &World, image: ImageId, visibility: Visibility) {
    edit(w, image, &ImageEdit { visibility: Some(visibility), ..ImageEdit::default() }).await;
}

async fn tag(w: &World, image: ImageId, author: UserId, public: &[&str], private: &[&str]) {
    let of = |texts: &[&str], visibility| {
        let tags = texts.iter().map(|text| (text.parse().unwrap(), visibility));
        tags.collect::<Vec<_>>()
    };
    let public = of(public, TagVisibility::Public);
    let tags = ImageTags(of(private, TagVisibility::Private).into_iter().chain(public).collect());
    let set = w.catalog.set_tags(image, author, &tags, w.now()).await.unwrap();
    assert_eq!(set, SetTags::Set);
}

async fn add(w: &World, album: &Album, image: ImageId) {
    let added = w.catalog.add_to_album(album.id, &[image], w.now()).await.unwrap();
    assert_eq!(added, [Added::Added]);
}

async fn let_in(w: &World, album: &Album, user: UserId) {
    let role = AlbumRole::Contributor;
    let put = w.catalog.put_album_member(album.id, user, role, w.now()).await.unwrap();
    assert!(matches!(put, PutMember::Put(_)));
}

async fn person(w: &World, owner: UserId, name: &str, image: ImageId) -> PersonId {
    let id = w.catalog.create_person(owner, w.now()).await.unwrap().id;
    call(w, owner, id, name).await;
    w.show(image, id).await;
    id
}

async fn call(w: &World, owner: UserId, person: PersonId, name: &str) {
    w.call(owner, person, Some(name)).await;
}

/// An image of which the camera says something.
async fn taken(w: &World, owner: UserId, camera: &str, at: &str) -> Image {
    let image = w.upload(owner).await.id;
    let work = w.claim_for(WorkKind::Process, image).await;
    let exif = Exif {
        camera: Some(camera.to_owned()),
        taken_at: Some(at.parse().unwrap()),
        ..Exif::default()
    };
    let read = ReadFile { exif: Some(exif), ..ReadFile::default() };
    let processed = Processed { read, ..processed() };
    let finished = w.catalog.finish_processing(&work, image, &processed, w.now()).await.unwrap();
    match finished {
        Finished::Finished(image) => image,
        other => panic!("{other:?}"),
    }
}

pub async fn words_are_found_wherever_they_are_written(w: &World) {
    let ada = w.user("ada").await;
    let mut reservation = w.reservation(ada);
    let id = reservation.image.id;
    reservation.image.title = Some("Evening at the Lake".parse().unwrap());
    reservation.image.description = Some("Grandma's boat".parse().unwrap());
    reservation.image.alt_text = Some("Mountains".parse().unwrap());
    reservation.image.filename = Some("IMG_2024.jpg".parse().unwrap());
    reservation.image.tags = vec!["red sports-car".parse().unwrap()];
    let _ = w.catalog.reserve_upload(reservation).await.unwrap();
    w.commit(&w.received(id)).await;
    tag(w, id, ada, &["red sports-car"], &["my secret"]).await;
    let album = w.album(ada, "Summer trip").await;
    add(w, &album, id).await;
    person(w, ada, "Grace Hopper", id).await;
    let other = titled(w, ada, "Other").await;
    for text in [
        "evening",
        "LAKE",
        "boat",
        "mount",
        "img",
        "2024",
        "sports",
        "car",
        "secret",
        "summer",
        "hopper",
        "gra",
        "lake boat mountains jpg red secret trip grace",
    ] {
        expect_search(w, ada, text, &[id]).await;
    }
    for text in ["\"eve\"", "winter", "lake winter", "evening -summer", "lake -grace -x"] {
        expect_search(w, ada, text, &[]).await;
    }
    expect_search(w, ada, "", &[other, id]).await;
    expect_search(w, ada, "-lake", &[other]).await;
    expect_search(w, ada, "-\"lake winter\"", &[other, id]).await;
}

pub async fn keys_look_for_one_thing(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let one = taken(w, ada, "Canon EOS R5", "2024-05-31T23:00:00.000Z").await.id;
    let two = taken(w, ada, "Nikon Z", "2024-06-01T00:00:00.000Z").await.id;
    tag(w, one, ada, &["red car", "red"], &[]).await;
    tag(w, two, ada, &["red cars"], &["red car"]).await;
    see(w, two, Visibility::Shared).await;
    let album = w.album(ada, "Red album").await;
    add(w, &album, one).await;
    let grace = person(w, ada, "Grace Red", two).await;
    assert!(w.catalog.put_favourite(one, ada, w.now()).await.unwrap());
    let owner = format!("owner:{ada}");
    let (by_album, by_person) = (format!("album:{}", album.id), format!("person:{grace}"));
    for (text, expected) in [
        ("tag:red", vec![one]),
        ("tag:\"Red  car\"", vec![two, one]),
        ("tag:\"red cars\"", vec![two]),
        ("tag:car", vec![]),
        ("album:red", vec![one]),
        ("album:\"album red\"", vec![one]),
        ("album:\"red x\"", vec![]),
        (&by_album, vec![one]),
        ("person:grace", vec![two]),
        (&by_person, vec![two]),
        ("person:ada", vec![]),
        ("red -tag:red", vec![two]),
        ("type:jpeg", vec![two, one]),
        ("type:png", vec![]),
        ("camera:canon", vec![one]),
        ("camera:\"eos r5 canon\"", vec![one]),
        ("camera:can", vec![]),
        ("-camera:canon", vec![two]),
        ("taken:2024-05", vec![one]),
        ("taken:2024-05-31..2024-06-01", vec![two, one]),
        ("taken:2024-06-01..", vec![two]),
        ("taken:..2024-05-31", vec![one]),
        ("taken:2019..2030", vec![two, one]),
        ("taken:2023", vec![]),
        ("is:favourite", vec![one]),
        ("-is:favourite", vec![two]),
        ("is:shared", vec![two]),
        ("is:private", vec![one]),
        ("is:animated", vec![]),
        ("owner:me", vec![two, one]),
        (&owner, vec![two, one]),
        ("owner:ada@example.org", vec![two, one]),
        ("owner:eve@example.org", vec![]),
        ("-owner:eve@example.org", vec![two, one]),
        ("owner:me owner:bob@example.org", vec![]),
        ("-owner:me", vec![]),
    ] {
        expect_search(w, ada, text, &expected).await;
    }
    for (text, expected) in [
        ("owner:ada@example.org", vec![two]),
        ("tag:\"red cars\"", vec![two]),
        ("tag:\"red car\"", vec![]),
        ("person:grace", vec![]),
        ("is:favourite", vec![]),
        // What the camera wrote is its owner's, unless the installation shows it.
        ("camera:nikon", vec![]),
        ("taken:2024", vec![]),
        ("-camera:nikon", vec![two]),
    ] {
        expect_search(w, bob, text, &expected).await;
    }
    let query: SearchQuery = "camera:nikon taken:2024".parse().unwrap();
    let shown = Search { user: bob, query: &query, order: SearchOrder::Newest, sees_exif: true };
    let page = catalog::PageRequest::first(9);
    eventually(async || {
        let found = w.catalog.search_images(&shown, &page).await.unwrap().entries;
        (found.len() == 1).then_some(())
    })
    .await;
}

pub async fn only_what_may_be_seen_is_found(w: &World) {
    let (ada, bob, eve) = (w.user("ada").await, w.user("bob").await, w.user("eve").await);
    let image = titled(w, ada, "Sunset").await;
    tag(w, image, ada, &["glow"], &["wish"]).await;
    tag(w, image, bob, &["haze"], &["hope"]).await;
    expect_search(w, ada, "sunset glow wish haze", &[image]).await;
    expect_search(w, ada, "hope", &[]).await;
    let texts = ["sunset", "glow", "haze", "hope", "sunset -wish", "", "tag:glow", "tag:hope"];
    for text in texts {
        expect_search(w, bob, text, &[]).await;
    }
    see(w, image, Visibility::Shared).await;
    for text in texts {
        expect_search(w, bob, text, &[image]).await;
    }
    expect_search(w, bob, "wish", &[]).await;
    expect_search(w, eve, "hope", &[]).await;
    see(w, image, Visibility::Private).await;
    for text in texts {
        expect_search(w, bob, text, &[]).await;
    }
    // Through an album that his one is nested in, and an image that he has put there himself.
    let (outer, inner) = (w.album(ada, "Outer").await, w.album(ada, "Inner beach").await);
    let nest = AlbumEdit { parent: Some(Some(outer.id)), ..AlbumEdit::default() };
    let _ = w.catalog.edit_album(inner.id, ada, None, &nest, w.now()).await.unwrap();
    add(w, &inner, image).await;
    let_in(w, &outer, bob).await;
    let his = titled(w, bob, "Sunset by Bob").await;
    add(w, &inner, his).await;
    for text in ["sunset", "", "beach", "album:beach", "type:jpeg", "-x"] {
        expect_search(w, bob, text, &[his, image]).await;
        expect_search(w, ada, text, &[his, image]).await;
        expect_search(w, eve, text, &[]).await;
    }
    let_in(w, &inner, eve).await;
    expect_search(w, eve, "sunset", &[his, image]).await;
    expect_search(w, eve, "outer", &[]).await;
    assert!(w.catalog.delete_album_member(inner.id, eve, w.now()).await.unwrap());
    assert_eq!(search(w, eve, "sunset", SearchOrder::Newest).await, [], "at once");
    assert!(w.catalog.delete_album_member(outer.id, bob, w.now()).await.unwrap());
    expect_search(w, bob, "sunset", &[his]).await;
    // What he has put there can be seen by the album's owner still.
    expect_search(w, ada, "bob", &[his]).await;
    let _ = w.catalog.trash_image(his, bob, None, w.now(), w.now()).await.unwrap();
    assert_eq!(search(w, ada, "sunset", SearchOrder::Newest).await, [image], "at once");
    expect_search(w, bob, "sunset", &[]).await;
    let _ = w.catalog.delete_album(inner.id, ada, None, w.now()).await.unwrap();
    expect_search(w, ada, "beach", &[]).await;
    expect_search(w, ada, "sunset", &[image]).await;
}

pub async fn what_is_found_comes_newest_first_page_by_page(w: &World) {
    let ada = w.user("ada").await;
    let mut newest = Vec::new();
    for n in 0..7 {
        let image = titled(w, ada, if n % 2 == 0 { "sun sea" } else { "sunny sea" }).await;
        tag(w, image, ada, &["sun one", "sun two", "sun three"], &[]).await;
        newest.insert(0, image);
    }
    expect_search(w, ada, "sun", &newest).await;
    expect_search(w, ada, "\"sea\"", &newest).await;
    expect_search(w, ada, "sea -sunny", &[newest[0], newest[2], newest[4], newest[6]]).await;
    let query: SearchQuery = "sea".parse().unwrap();
    let of = |order| Search { user: ada, query: &query, order, sees_exif: false };
    for order in [SearchOrder::Newest, SearchOrder::Relevance] {
        let cursor = Some(catalog::Cursor::from_text("nonsense"));
        let page = catalog::PageRequest::after(2, cursor);
        let refused = w.catalog.search_images(&of(order), &page).await;
        assert!(matches!(refused, Err(catalog::Error::BadCursor)), "{refused:?}");
    }
}

pub async fn one_finds_oneself(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let (one, two) = (titled(w, ada, "One").await, titled(w, ada, "Two").await);
    let (lovelace, grace) =
        (person(w, ada, "Lovelace", one).await, person(w, ada, "Grace Me", two).await);
    expect_search(w, ada, "person:me", &[]).await;
    expect_search(w, ada, "-person:me", &[two, one]).await;
    be(w, ada, lovelace).await;
    expect_search(w, ada, "person:me", &[one]).await;
    expect_search(w, ada, "-person:me", &[two]).await;
    expect_search(w, ada, "person:\"me\"", &[two]).await;
    be(w, ada, grace).await;
    expect_search(w, ada, "person:me two", &[two]).await;
    // Others are somebody else, whatever they may see, and even if they say that they are her.
    see(w, two, Visibility::Shared).await;
    be(w, bob, grace).await;
    expect_search(w, bob, "two", &[two]).await;
    expect_search(w, bob, "person:me", &[]).await;
}

async fn be(w: &World, user: UserId, person: PersonId) {
    let edit = UserEdit { person: Some(Some(person)), ..UserEdit::default() };
    let edited = w.catalog.edit_user(user, None, &edit, w.now()).await.unwrap();
    assert!(matches!(edited, EditedUser::Edited(_)));
}

pub async fn albums_and_persons_are_found_by_what_they_are_called_now(w: &World) {
    let ada = w.user("ada").await;
    let image = titled(w, ada, "Picture").await;
    let album = w.album(ada, "Summer").await;
    add(w, &album, image).await;
    let grace = person(w, ada, "Grace", image).await;
    expect_search(w, ada, "summer grace", &[image]).await;
    let words: Vec<String> = (0..40).map(|n| format!("w{n}")).collect();
    let title = AlbumEdit { title: Some(words.join(" ").parse().unwrap()), ..AlbumEdit::default() };
    let _ = w.catalog.edit_album(album.id, ada, None, &title, w.now()).await.unwrap();
    call(w, ada, grace, "Ada").await;
    expect_search(w, ada, "summer", &[]).await;
    expect_search(w, ada, "\"grace\"", &[]).await;
    expect_search(w, ada, "w7 w39 ada", &[image]).await;
    let _ = w.catalog.remove_from_album(album.id, &[image], w.now()).await.unwrap();
    assert_eq!(search(w, ada, "w7", SearchOrder::Newest).await, [], "at once");
}

/// More entries than one transaction has actions.
pub async fn sharing_and_its_end_move_all_entries(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let image = titled(w, ada, "Long").await;
    let words: Vec<String> = (0..150).map(|n| format!("word{n}")).collect();
    let description = Some(Some(words.join(" ").parse().unwrap()));
    edit(w, image, &ImageEdit { description, ..ImageEdit::default() }).await;
    let tags: Vec<String> = (0..20).map(|n| format!("a b c d tag{n}")).collect();
    let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
    tag(w, image, ada, &tags, &[]).await;
    for round in 0..2 {
        see(w, image, Visibility::Shared).await;
        for text in ["\"word0\"", "\"word149\"", "\"tag0\"", "\"tag19\"", "tag:\"a b c d tag7\""] {
            expect_search(w, bob, text, &[image]).await;
        }
        see(w, image, Visibility::Private).await;
        assert_eq!(search(w, bob, "word", SearchOrder::Newest).await, [], "round {round}");
    }
}

pub async fn the_best_come_first(w: &World) {
    let ada = w.user("ada").await;
    let in_title = titled(w, ada, "Lake").await;
    let in_tag = titled(w, ada, "A").await;
    tag(w, in_tag, ada, &["lake"], &[]).await;
    let in_album = titled(w, ada, "B").await;
    add(w, &w.album(ada, "Lake").await, in_album).await;
    let in_text = titled(w, ada, "C").await;
    let description = Some(Some("By the lake".parse().unwrap()));
    edit(w, in_text, &ImageEdit { description, ..ImageEdit::default() }).await;
    let older = titled(w, ada, "Lakeside").await;
    let newer = titled(w, ada, "Lakeside").await;
    let best = [in_title, newer, older, in_tag, in_album, in_text];
    let found = eventually(async || {
        let found = search(w, ada, "lake", SearchOrder::Relevance).await;
        (found.len() == best.len()).then_some(found)
    })
    .await;
    assert_eq!(found, best);
    expect_search(w, ada, "lake", &[newer, older, in_text, in_album, in_tag, in_title]).await;
}

pub async fn searches_are_completed(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let image = titled(w, ada, "Sunset sunny").await;
    taken(w, ada, "Sunny Cam", "2024-05-31T23:00:00.000Z").await;
    let album = w.album(ada, "Sunday lunch").await;
    person(w, ada, "Sun Ra", image).await;
    let sun = "sun".parse().unwrap();
    eventually(async || {
        let words = w.catalog.list_words(ada, &sun, 9).await.unwrap();
        (words == ["sunny", "sunset"]).then_some(())
    })
    .await;
    let cameras = async || w.catalog.list_camera_words(ada, "", 9).await.unwrap();
    eventually(async || (cameras().await == ["cam", "sunny"]).then_some(())).await;
    let albums = async |user| {
        let albums = w.catalog.find_albums_named(user, &sun, 9).await.unwrap();
        albums.into_iter().map(|album| album.id).collect::<Vec<_>>()
    };
    eventually(async || (albums(ada).await == [album.id]).then_some(())).await;
    assert_eq!(albums(bob).await, []);
    let_in(w, &album, bob).await;
    eventually(async || (albums(bob).await == [album.id]).then_some(())).await;
    let persons = async |user| w.catalog.find_persons_named(user, &sun, 9).await.unwrap().len();
    eventually(async || (persons(ada).await == 1).then_some(())).await;
    assert_eq!(persons(bob).await, 0);
    assert_eq!(w.catalog.list_words(bob, &sun, 9).await.unwrap(), [""; 0]);
}
