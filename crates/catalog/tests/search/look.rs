//! A look at every image of a library, one by one: what a search must find.

use std::collections::BTreeSet;

use model::{
    AlbumId, AlbumName, ImageId, ImageState, OwnerName, PersonName, Rating, SearchQuery,
    SearchTest, Term, UserId,
};

use crate::library::{Album, Image, Library};

/// The images that a user sees and that pass a search, newest first.
pub fn find_all(
    library: &Library,
    user: UserId,
    query: &SearchQuery,
    sees_exif: bool,
) -> Vec<ImageId> {
    let look = Look { library, user, sees_exif };
    let newest_first = library.images.iter().rev();
    let found = newest_first.filter(|image| {
        look.sees_image(image)
            && query.wanted.iter().all(|test| look.passes(image, test))
            && !query.unwanted.iter().any(|test| look.passes(image, test))
    });
    found.map(|image| image.id).collect()
}

/// The same images, last taken first; those of others stand by their upload.
pub fn by_taken(library: &Library, user: UserId, found: &[ImageId]) -> Vec<ImageId> {
    let mut all: Vec<(String, ImageId)> = Vec::new();
    for image in library.images.iter().filter(|image| found.contains(&image.id)) {
        let uploaded = || image.uploaded_at.to_string();
        let moment = if image.owner == user { image.moment() } else { uploaded() };
        all.push((moment, image.id));
    }
    all.sort_by(|one, other| other.cmp(one));
    all.into_iter().map(|(_, image)| image).collect()
}

struct Look<'l> {
    library: &'l Library,
    user: UserId,
    sees_exif: bool,
}

impl Look<'_> {
    fn sees_image(&self, image: &Image) -> bool {
        let is_everybodys = image.is_shared && image.is_completed;
        !image.is_trashed
            && (image.owner == self.user
                || is_everybodys
                || self.seen_albums_of(image).next().is_some())
    }

    fn sees_album(&self, album: &Album) -> bool {
        let mut here = Some(album);
        while let Some(album) = here {
            if album.owner == self.user || album.members.contains(&self.user) {
                return true;
            }
            here = album.parent.and_then(|id| self.album(id));
        }
        false
    }

    fn album(&self, id: AlbumId) -> Option<&Album> {
        self.library.albums.iter().find(|album| album.id == id)
    }

    fn seen_albums_of(&self, image: &Image) -> impl Iterator<Item = &Album> {
        let inside = self.library.albums.iter().filter(|album| album.images.contains(&image.id));
        inside.filter(|album| self.sees_album(album))
    }

    fn names_in(&self, image: &Image) -> Vec<(model::PersonId, &str)> {
        let own = self.library.persons.iter().filter(|person| person.owner == self.user);
        let shown =
            own.filter(|person| image.faces.iter().any(|face| face.person == Some(person.id)));
        shown.map(|person| (person.id, person.name.as_deref().unwrap_or_default())).collect()
    }

    fn tags(&self, image: &Image) -> BTreeSet<String> {
        let mut tags = BTreeSet::new();
        for (author, of_author) in &image.tags {
            for (tag, is_public) in of_author {
                if *is_public || *author == self.user {
                    tags.insert(tag.clone());
                }
            }
        }
        tags
    }

    fn words(&self, image: &Image) -> BTreeSet<Term> {
        let mut words = BTreeSet::new();
        words.extend(image.texts.iter().flatten().flat_map(|text| Term::all_in(text)));
        let written = &image.metadata;
        let long = written.keywords.iter().filter(|keyword| keyword.len() >= 50);
        words.extend(long.flat_map(|keyword| Term::all_in(keyword)));
        if self.knows_file(image) {
            words.extend(written.artist.iter().flat_map(|artist| Term::all_in(artist)));
            words.extend(written.place.city.iter().flat_map(|city| Term::all_in(city)));
        }
        if image.owner == self.user {
            let names = written.regions.iter().filter_map(|region| region.name.as_ref());
            words.extend(names.flat_map(|name| Term::all_in(name)));
        }
        words.extend(self.tags(image).iter().flat_map(|tag| Term::all_in(tag)));
        words.extend(self.seen_albums_of(image).flat_map(|album| Term::all_in(&album.title)));
        words.extend(self.names_in(image).iter().flat_map(|(_, name)| Term::all_in(name)));
        words
    }

    /// Whether what is written into the file may be known.
    fn knows_file(&self, image: &Image) -> bool {
        self.sees_exif || image.owner == self.user
    }

    fn passes(&self, image: &Image, test: &SearchTest) -> bool {
        let knows_exif = self.knows_file(image);
        let written = Some(&image.metadata).filter(|_| knows_exif);
        let words_in =
            |text: Option<&String>| text.map(|text| Term::all_in(text)).unwrap_or_default();
        let camera = image.camera.as_deref().filter(|_| knows_exif).unwrap_or_default();
        let taken = image.taken().filter(|_| knows_exif);
        match test {
            SearchTest::Words(words) => has_all(&self.words(image), words),
            SearchTest::Beginning(start) => {
                let words = self.words(image);
                words.iter().any(|word| word.as_str().starts_with(start.as_str()))
            }
            SearchTest::Tag(tag) => self.tags(image).contains(tag.as_str()),
            SearchTest::Album(name) => self.seen_albums_of(image).any(|album| match name {
                AlbumName::Id(id) => album.id == *id,
                AlbumName::Words(words) => has_all(&Term::all_in(&album.title), words),
            }),
            SearchTest::Person(name) => self.names_in(image).iter().any(|(id, text)| match name {
                PersonName::Me => self.library.selves.get(&self.user) == Some(id),
                PersonName::Id(wanted) => id == wanted,
                PersonName::Words(words) => has_all(&Term::all_in(text), words),
            }),
            SearchTest::Owner(OwnerName::Me) => image.owner == self.user,
            SearchTest::Owner(OwnerName::Id(id)) => image.owner == *id,
            SearchTest::Owner(OwnerName::Email(email)) => {
                let users = &self.library.users;
                users.iter().any(|user| user.email == *email && user.id == image.owner)
            }
            SearchTest::Type(media_type) => image.media_type == *media_type,
            SearchTest::Camera(words) => has_all(&Term::all_in(camera), words),
            SearchTest::Taken(range) => taken.is_some_and(|day| {
                let is_after = range.from.is_none_or(|from| from.to_string().as_str() <= day);
                is_after && range.to.is_none_or(|to| day <= to.to_string().as_str())
            }),
            SearchTest::Artist(words) => {
                has_all(&words_in(written.and_then(|written| written.artist.as_ref())), words)
            }
            SearchTest::Place(words) => {
                has_all(&words_in(written.and_then(|written| written.place.city.as_ref())), words)
            }
            SearchTest::Rating(range) => {
                let rating = image.rating.filter(|_| image.owner == self.user);
                rating.and_then(Rating::new).is_some_and(|rating| range.contains(rating))
            }
            SearchTest::Is(ImageState::Favourite) => image.favourite_of.contains(&self.user),
            SearchTest::Is(ImageState::Shared) => image.is_shared,
            SearchTest::Is(ImageState::Private) => !image.is_shared,
            SearchTest::Is(ImageState::Failed) => image.is_failed,
            SearchTest::Is(ImageState::Animated) => false,
        }
    }
}

fn has_all(words: &BTreeSet<Term>, wanted: &[Term]) -> bool {
    wanted.iter().all(|word| words.contains(word))
}
