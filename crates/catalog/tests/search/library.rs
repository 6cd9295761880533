//! A random library: what was done to the catalog, remembered in plain lists.

use std::collections::{BTreeMap, BTreeSet};

use catalog::{
    Added, AlbumEdit, DeletedAlbum, EditedAlbum, EditedImage, EditedUser, Finished, ImageEdit,
    ImageTags, Processed, PutMember, ReadFile, Removed, SetTags, TagVisibility, TakenOver,
    UserEdit,
};
use model::{
    AlbumId, AlbumRole, Email, Exif, Face, FailureCode, ImageId, MediaType, Metadata, PersonId,
    Place, Rating, Region, RegionKind, Timestamp, UserId, Visibility, WorkKind,
};
use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;

use crate::cases::{World, email, processed};

pub const WORDS: [&str; 10] =
    ["sun", "sunny", "Sunset", "sea", "seal", "Été", "lake", "red", "2024", "cat"];
pub const TAGS: [&str; 9] =
    ["sun", "red car", "sunny lake", "#Été", "sea-seal", "cat", "cat cat", "cat food", "seal"];
pub const CAMERAS: [&str; 3] = ["Canon EOS", "Nikon Z", "canon r5"];
pub const PLACES: [&str; 3] = ["Sea Lake", "Berlin", "été"];
pub const ARTISTS: [&str; 3] = ["Ada Sun", "sunny cat", "Bob"];
pub const MONTHS: [&str; 4] = ["2023-12", "2024-01", "2024-05", "2025-05"];
const TYPES: [MediaType; 2] = [MediaType::Jpeg, MediaType::Png];

pub struct Library {
    pub users: Vec<User>,
    /// Oldest first.
    pub images: Vec<Image>,
    pub albums: Vec<Album>,
    pub persons: Vec<Person>,
    /// Who users are.
    pub selves: BTreeMap<UserId, PersonId>,
}

pub struct User {
    pub id: UserId,
    pub email: Email,
}

pub struct Image {
    pub id: ImageId,
    pub owner: UserId,
    pub texts: [Option<String>; 4],
    pub is_shared: bool,
    pub is_completed: bool,
    pub is_failed: bool,
    pub is_trashed: bool,
    pub media_type: MediaType,
    pub camera: Option<String>,
    /// Such as `2024-05-07`: as the camera says, and as the owner says.
    pub shot: Option<String>,
    pub said: Option<String>,
    pub uploaded_at: Timestamp,
    pub tags: BTreeMap<UserId, BTreeMap<String, bool>>,
    pub favourite_of: BTreeSet<UserId>,
    pub faces: Vec<Face>,
    pub metadata: Metadata,
    pub rating: Option<i8>,
}

pub struct Album {
    pub id: AlbumId,
    pub owner: UserId,
    pub title: String,
    pub parent: Option<AlbumId>,
    pub members: BTreeSet<UserId>,
    pub images: BTreeSet<ImageId>,
}

pub struct Person {
    pub id: PersonId,
    pub owner: UserId,
    pub name: Option<String>,
}

impl Library {
    pub async fn new(w: &World) -> Self {
        let mut users = Vec::new();
        for name in ["ada", "bob", "eve", "kim"] {
            users.push(User { id: w.user(name).await, email: email(name) });
        }
        let (images, albums, persons) = (Vec::new(), Vec::new(), Vec::new());
        Self { users, images, albums, persons, selves: BTreeMap::new() }
    }

    fn user(&self, dice: &mut StdRng) -> UserId {
        self.users.choose(dice).unwrap().id
    }

    /// Does one random thing.
    pub async fn change(&mut self, w: &World, dice: &mut StdRng) {
        if self.images.len() < 3 {
            return self.upload(w, dice).await;
        }
        match dice.random_range(0..26) {
            0..=4 => self.upload(w, dice).await,
            5..=7 => self.edit(w, dice).await,
            8..=10 => self.tag(w, dice).await,
            11 => self.mark(w, dice).await,
            12 => self.trash(w, dice).await,
            13 => self.make_album(w, dice).await,
            14..=16 => self.fill_album(w, dice).await,
            17 => self.let_in(w, dice).await,
            18 => self.change_album(w, dice).await,
            19 => self.delete_album(w, dice).await,
            20 => self.name_person(w, dice).await,
            21 => self.say_who_one_is(w, dice).await,
            22..=24 => self.read_again(w, dice).await,
            _ => self.show_person(w, dice).await,
        }
    }

    async fn upload(&mut self, w: &World, dice: &mut StdRng) {
        let owner = self.user(dice);
        let mut reservation = w.reservation(owner);
        let texts = [text(dice), text(dice), text(dice), text(dice).map(|name| name + ".x")];
        let image = &mut reservation.image;
        image.title = texts[0].as_ref().map(|text| text.parse().unwrap());
        image.description = texts[1].as_ref().map(|text| text.parse().unwrap());
        image.alt_text = texts[2].as_ref().map(|text| text.parse().unwrap());
        image.filename = texts[3].as_ref().map(|text| text.parse().unwrap());
        let tags: BTreeSet<&str> =
            (0..dice.random_range(0..3)).map(|_| one_of(&TAGS, dice)).collect();
        image.tags = tags.iter().map(|tag| tag.parse().unwrap()).collect();
        let (id, is_shared) = (image.id, dice.random_bool(0.3));
        image.visibility = if is_shared { Visibility::Shared } else { Visibility::Private };
        let _ = w.catalog.reserve_upload(reservation).await.unwrap();
        let mut received = w.received(id);
        received.media_type = *TYPES.choose(dice).unwrap();
        let uploaded_at = w.commit(&received).await.uploaded_at.unwrap();
        let mut image = Image {
            id,
            owner,
            texts,
            is_shared,
            is_completed: false,
            is_failed: false,
            is_trashed: false,
            media_type: received.media_type,
            camera: None,
            shot: None,
            said: None,
            uploaded_at,
            tags: BTreeMap::new(),
            favourite_of: BTreeSet::new(),
            faces: Vec::new(),
            metadata: Metadata::default(),
            rating: None,
        };
        let tags = tags.into_iter().map(|tag| (folded(tag), true)).collect();
        image.tags.insert(owner, tags);
        match dice.random_range(0..10) {
            0 => fail(w, &mut image).await,
            1 => {}
            _ => process(w, &mut image, dice).await,
        }
        self.images.push(image);
    }

    async fn edit(&mut self, w: &World, dice: &mut StdRng) {
        let image = self.images.choose_mut_by(dice);
        let mut edit = ImageEdit::default();
        match dice.random_range(0..7) {
            4 | 5 => {
                image.said = dice.random_bool(0.7).then(|| day(dice));
                edit.taken = Some(image.said.as_ref().map(|day| noon(day).parse().unwrap()));
            }
            6 => {
                image.rating = dice.random_bool(0.7).then(|| dice.random_range(1..6));
                edit.rating = Some(image.rating.and_then(Rating::new));
            }
            0 => {
                image.texts[0] = text(dice);
                edit.title = Some(image.texts[0].as_ref().map(|text| text.parse().unwrap()));
            }
            1 => {
                image.texts[1] = text(dice);
                edit.description = Some(image.texts[1].as_ref().map(|text| text.parse().unwrap()));
            }
            _ => {
                image.is_shared = !image.is_shared;
                let shared = if image.is_shared { Visibility::Shared } else { Visibility::Private };
                edit.visibility = Some(shared);
            }
        }
        if dice.random_bool(0.2) {
            let tags: BTreeSet<&str> = (0..2).map(|_| one_of(&TAGS, dice)).collect();
            edit.tags = Some(tags.iter().map(|tag| tag.parse().unwrap()).collect());
            let own = image.tags.entry(image.owner).or_default();
            own.retain(|_, is_public| !*is_public);
            own.extend(tags.into_iter().map(|tag| (folded(tag), true)));
        }
        let edited = w.catalog.edit_image(image.id, image.owner, None, &edit, w.now()).await;
        assert!(matches!(
            edited.unwrap(),
            EditedImage::Written(_) | EditedImage::Ended(catalog::Edited::Edited(_))
        ));
    }

    /// Something else is written in the file.
    async fn read_again(&mut self, w: &World, dice: &mut StdRng) {
        let image = self.images.choose_mut_by(dice);
        let read = image.write(dice);
        let taken_over = w.catalog.take_over(image.id, &read, w.now()).await.unwrap();
        assert!(!matches!(taken_over, TakenOver::Gone));
    }

    async fn tag(&mut self, w: &World, dice: &mut StdRng) {
        let author = self.user(dice);
        let image = self.images.choose_mut_by(dice);
        let count = dice.random_range(0..4);
        let tags: BTreeMap<String, bool> =
            (0..count).map(|_| (folded(one_of(&TAGS, dice)), dice.random_bool(0.5))).collect();
        let visibility = |is_public: bool| match is_public {
            true => TagVisibility::Public,
            false => TagVisibility::Private,
        };
        let set =
            tags.iter().map(|(tag, is_public)| (tag.parse().unwrap(), visibility(*is_public)));
        let set = ImageTags(set.collect());
        let outcome = w.catalog.set_tags(image.id, author, &set, w.now()).await.unwrap();
        assert_eq!(outcome, SetTags::Set);
        image.tags.insert(author, tags);
    }

    async fn mark(&mut self, w: &World, dice: &mut StdRng) {
        let user = self.user(dice);
        let image = self.images.choose_mut_by(dice);
        if image.favourite_of.remove(&user) {
            w.catalog.delete_favourite(image.id, user).await.unwrap();
        } else {
            assert!(w.catalog.put_favourite(image.id, user, w.now()).await.unwrap());
            image.favourite_of.insert(user);
        }
    }

    async fn trash(&mut self, w: &World, dice: &mut StdRng) {
        let image = self.images.choose_mut_by(dice);
        let (id, owner, now) = (image.id, image.owner, w.now());
        let edited = match image.is_trashed {
            true => w.catalog.restore_image(id, owner, now).await.unwrap(),
            false => {
                let later = now.after(std::time::Duration::from_secs(1_000_000));
                w.catalog.trash_image(id, owner, None, later, now).await.unwrap()
            }
        };
        assert!(matches!(edited, catalog::Edited::Edited(_)), "{edited:?}");
        image.is_trashed = !image.is_trashed;
    }

    async fn make_album(&mut self, w: &World, dice: &mut StdRng) {
        let owner = self.user(dice);
        let title = text(dice).unwrap_or("Album".to_owned());
        let made = w.album(owner, &title).await;
        let (members, images) = (BTreeSet::new(), BTreeSet::new());
        self.albums.push(Album { id: made.id, owner, title, parent: None, members, images });
    }

    /// Owners and members put their own images into albums, and take any out.
    async fn fill_album(&mut self, w: &World, dice: &mut StdRng) {
        let Some(album) = self.albums.choose_mut_maybe(dice) else { return };
        let image = self.images.choose(dice).unwrap();
        if album.images.remove(&image.id) {
            let removed = w.catalog.remove_from_album(album.id, &[image.id], w.now()).await;
            assert_eq!(removed.unwrap(), [Removed::Removed]);
            return;
        }
        let added = w.catalog.add_to_album(album.id, &[image.id], w.now()).await.unwrap();
        assert_eq!(added, [Added::Added]);
        album.images.insert(image.id);
    }

    async fn let_in(&mut self, w: &World, dice: &mut StdRng) {
        let user = self.user(dice);
        let Some(album) = self.albums.choose_mut_maybe(dice) else { return };
        if album.owner == user {
            return;
        }
        if album.members.remove(&user) {
            assert!(w.catalog.delete_album_member(album.id, user, w.now()).await.unwrap());
            return;
        }
        let role = AlbumRole::Viewer;
        let put = w.catalog.put_album_member(album.id, user, role, w.now()).await.unwrap();
        assert!(matches!(put, PutMember::Put(_)));
        album.members.insert(user);
    }

    async fn change_album(&mut self, w: &World, dice: &mut StdRng) {
        let parents: Vec<(AlbumId, UserId)> =
            self.albums.iter().map(|album| (album.id, album.owner)).collect();
        let Some(album) = self.albums.choose_mut_maybe(dice) else { return };
        let mut edit = AlbumEdit::default();
        if dice.random_bool(0.5) {
            let title = text(dice).unwrap_or("Album".to_owned());
            edit.title = Some(title.parse().unwrap());
        } else {
            let own = parents.iter().filter(|(_, owner)| *owner == album.owner);
            let own: Vec<AlbumId> = own.map(|(id, _)| *id).collect();
            edit.parent = Some(own.choose(dice).copied().filter(|parent| *parent != album.id));
        }
        let edited = w.catalog.edit_album(album.id, album.owner, None, &edit, w.now()).await;
        // It may not be possible to nest it there.
        if let EditedAlbum::Ended(catalog::Edited::Edited(edited)) = edited.unwrap() {
            album.parent = edited.parent;
            album.title = edited.title.to_string();
        }
    }

    async fn delete_album(&mut self, w: &World, dice: &mut StdRng) {
        if self.albums.len() < 4 {
            return;
        }
        let at = dice.random_range(0..self.albums.len());
        let (id, owner) = (self.albums[at].id, self.albums[at].owner);
        let deleted = w.catalog.delete_album(id, owner, None, w.now()).await.unwrap();
        if deleted == DeletedAlbum::Deleted {
            self.albums.remove(at);
        }
    }

    async fn name_person(&mut self, w: &World, dice: &mut StdRng) {
        if self.persons.len() < 4 || dice.random_bool(0.3) {
            let owner = self.user(dice);
            let id = w.catalog.create_person(owner, w.now()).await.unwrap().id;
            self.persons.push(Person { id, owner, name: None });
        }
        let at = dice.random_range(0..self.persons.len());
        let person = &mut self.persons[at];
        person.name = text(dice);
        w.call(person.owner, person.id, person.name.as_deref()).await;
    }

    async fn say_who_one_is(&mut self, w: &World, dice: &mut StdRng) {
        let Some(person) = self.persons.choose(dice) else { return };
        let is_known = dice.random_bool(0.8);
        let edit = UserEdit { person: Some(is_known.then_some(person.id)), ..UserEdit::default() };
        let edited = w.catalog.edit_user(person.owner, None, &edit, w.now()).await.unwrap();
        assert!(matches!(edited, EditedUser::Edited(_)));
        match is_known {
            true => self.selves.insert(person.owner, person.id),
            false => self.selves.remove(&person.owner),
        };
    }

    async fn show_person(&mut self, w: &World, dice: &mut StdRng) {
        let Some(person) = self.persons.choose(dice) else { return };
        let image = self.images.choose_mut_by(dice);
        let known = image.faces.iter().position(|face| face.person == Some(person.id));
        if let Some(at) = known.filter(|_| dice.random_bool(0.6)) {
            let face = image.faces.remove(at);
            w.give(&face, None).await;
            return;
        }
        image.faces.push(w.show(image.id, person.id).await);
    }
}

impl Image {
    /// Writes something into the file. What of it becomes title, tags and rating is told by the
    /// rules; here they are as simple as can be, as all tags fit.
    fn write(&mut self, dice: &mut StdRng) -> ReadFile {
        let before = std::mem::take(&mut self.metadata);
        let long = |word: &str| format!("{word} {}", "x".repeat(60));
        let written = Metadata {
            title: text(dice),
            rating: dice.random_bool(0.5).then(|| dice.random_range(0..6)),
            keywords: match dice.random_range(0..4) {
                0 => vec![one_of(&TAGS, dice).to_owned(), long(one_of(&WORDS, dice))],
                1 => vec![one_of(&TAGS, dice).to_owned()],
                _ => Vec::new(),
            },
            artist: dice.random_bool(0.4).then(|| one_of(&ARTISTS, dice).to_owned()),
            copyright: text(dice),
            place: Place {
                city: dice.random_bool(0.4).then(|| one_of(&PLACES, dice).to_owned()),
                ..Place::default()
            },
            regions: (0..dice.random_range(0..2)).map(|_| region(one_of(&WORDS, dice))).collect(),
            ..Metadata::default()
        };
        let stars = |rating: Option<i8>| rating.filter(|stars| *stars != 0);
        if self.texts[0] == before.title {
            self.texts[0].clone_from(&written.title);
        }
        if self.rating == stars(before.rating) {
            self.rating = stars(written.rating);
        }
        let tags = |metadata: &Metadata| -> BTreeSet<String> {
            let short = metadata.keywords.iter().filter(|keyword| keyword.len() < 50);
            short.map(|keyword| folded(keyword)).collect()
        };
        let (had, has) = (tags(&before), tags(&written));
        let own = self.tags.entry(self.owner).or_default();
        own.retain(|tag, is_public| !*is_public || !had.contains(tag) || has.contains(tag));
        for tag in has.difference(&had) {
            own.entry(tag.clone()).or_insert(true);
        }
        self.metadata = written.clone();
        let exif = Exif {
            camera: self.camera.clone(),
            taken_at: self.shot.as_deref().map(at_noon),
            ..Exif::default()
        };
        ReadFile { exif: Some(exif), metadata: written, sidecar: None }
    }
}

fn region(name: &str) -> Region {
    let (kind, name) = (RegionKind::Face, Some(name.to_owned()));
    Region { kind, name, left: 0.1, top: 0.1, width: 0.1, height: 0.1 }
}

fn at_noon(day: &str) -> Timestamp {
    noon(day).parse().unwrap()
}

fn day(dice: &mut StdRng) -> String {
    format!("{}-{:02}", one_of(&MONTHS, dice), dice.random_range(1..29))
}

fn noon(day: &str) -> String {
    format!("{day}T12:00:00.000Z")
}

impl Image {
    /// The day on which it was taken.
    pub fn taken(&self) -> Option<&str> {
        self.said.as_deref().or(self.shot.as_deref())
    }

    /// Where it stands for its owner, by when it was taken.
    pub fn moment(&self) -> String {
        self.taken().map_or_else(|| self.uploaded_at.to_string(), noon)
    }
}

async fn process(w: &World, image: &mut Image, dice: &mut StdRng) {
    let work = w.claim_for(WorkKind::Process, image.id).await;
    image.camera = dice.random_bool(0.6).then(|| one_of(&CAMERAS, dice).to_owned());
    image.shot = dice.random_bool(0.6).then(|| day(dice));
    let processed = Processed { read: image.write(dice), ..processed() };
    let finished = w.catalog.finish_processing(&work, image.id, &processed, w.now()).await;
    assert!(matches!(finished.unwrap(), Finished::Finished(_)));
    image.is_completed = true;
}

async fn fail(w: &World, image: &mut Image) {
    let work = w.claim_for(WorkKind::Process, image.id).await;
    let why = (FailureCode::DamagedImage, "it is damaged");
    let ended = w.catalog.fail_processing(&work, image.id, why, "it is damaged", w.now()).await;
    assert!(matches!(ended.unwrap(), Finished::Finished(_)));
    image.is_failed = true;
}

fn text(dice: &mut StdRng) -> Option<String> {
    let count = dice.random_range(0..4);
    let words: Vec<&str> = (0..count).map(|_| one_of(&WORDS, dice)).collect();
    (count > 0).then(|| words.join(["_", " ", ", "].choose(dice).unwrap()))
}

pub fn one_of<'t>(all: &[&'t str], dice: &mut StdRng) -> &'t str {
    all.choose(dice).unwrap()
}

/// As tags are kept.
pub fn folded(tag: &str) -> String {
    tag.to_lowercase()
}

/// Choosing something to change.
trait ChooseMut<T> {
    fn choose_mut_maybe(&mut self, dice: &mut StdRng) -> Option<&mut T>;

    fn choose_mut_by(&mut self, dice: &mut StdRng) -> &mut T {
        self.choose_mut_maybe(dice).unwrap()
    }
}

impl<T> ChooseMut<T> for Vec<T> {
    fn choose_mut_maybe(&mut self, dice: &mut StdRng) -> Option<&mut T> {
        let len = self.len();
        (len > 0).then(|| &mut self[dice.random_range(0..len)])
    }
}
