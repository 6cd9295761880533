//! What was made of images is made once, and never handed out when it is no longer right.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use blob::Blobs;
use catalog::Catalog;
use model::{Image, ImageId, ImageStatus, Role, UserId};
use service::{
    Caller, Clock as _, EditImage, KeptViews, NewUser, Parts, Service, Settings, Stamped,
    SystemClock, View,
};
use table::MemoryTable;
use tempfile::TempDir;

/// An image's title.
#[derive(Clone, Debug, PartialEq)]
struct Title(Option<String>);

impl View for Title {
    fn size_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, String::len)
    }
}

struct World {
    service: Service,
    catalog: Catalog,
    views: KeptViews<Title>,
    made: AtomicUsize,
    _folder: TempDir,
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let catalog = Catalog::new(Arc::new(MemoryTable::new(catalog::schema())));
        let parts = Parts {
            catalog: catalog.clone(),
            blobs: Blobs::open_folder(folder.path()).await.unwrap(),
            clock: Arc::new(SystemClock),
            settings: Settings::default(),
            people: service::People::default(),
        };
        let service = Service::open(parts).await.unwrap();
        let (views, made) = (KeptViews::new(1 << 20), AtomicUsize::new(0));
        Self { service, catalog, views, made, _folder: folder }
    }

    /// With somebody who has an image.
    async fn with_image() -> (Self, Caller, ImageId) {
        let w = Self::new().await;
        let ada = w.user().await;
        let image = w.image(ada.user).await;
        (w, ada, image)
    }

    async fn user(&self) -> Caller {
        let new =
            NewUser { email: "ada@example.org".parse().unwrap(), name: "Ada".parse().unwrap() };
        let made = self.service.create_user(&Caller::operator(), &new, Role::User, None).await;
        Caller::new(made.unwrap().id, Role::User)
    }

    async fn image(&self, owner: UserId) -> ImageId {
        let now = SystemClock.now();
        let mut image = Image::pending(ImageId::new(now, 1), owner, now);
        image.uploaded_at = Some(now);
        image.status = ImageStatus::Completed;
        let id = image.id;
        self.catalog.load_images(&[image]).await.unwrap();
        id
    }

    fn make(&self, image: Image) -> Title {
        self.made.fetch_add(1, Ordering::SeqCst);
        Title(image.title.map(|title| title.as_str().to_owned()))
    }

    async fn edit(&self, caller: &Caller, image: ImageId, title: &str) -> Stamped<Image> {
        let edit = EditImage { title: Some(Some(title.parse().unwrap())), ..EditImage::default() };
        self.service.edit_image(caller, image, None, edit).await.unwrap()
    }

    fn answer(&self, caller: &Caller, written: Stamped<Image>) -> Title {
        let make = |image, _| self.make(image);
        self.service.view_written(caller, written, &self.views, make).view.clone()
    }

    async fn write(&self, caller: &Caller, image: ImageId, title: &str) -> Title {
        self.answer(caller, self.edit(caller, image, title).await)
    }

    async fn look(&self, caller: &Caller, image: ImageId) -> Title {
        let make = |image, _| self.make(image);
        let seen = self.service.view_image(caller, image, &self.views, make).await;
        seen.unwrap().view.clone()
    }

    fn made(&self) -> usize {
        self.made.swap(0, Ordering::SeqCst)
    }
}

fn titled(title: &str) -> Title {
    Title(Some(title.to_owned()))
}

#[tokio::test]
async fn what_a_write_has_made_is_what_the_next_reader_gets() {
    let (w, ada, image) = World::with_image().await;
    assert_eq!(w.look(&ada, image).await, Title(None));
    assert_eq!(w.write(&ada, image, "One").await, titled("One"));
    assert_eq!(w.made(), 2);
    assert_eq!(w.look(&ada, image).await, titled("One"));
    assert_eq!(w.made(), 0, "it was there already");
}

#[tokio::test]
async fn what_a_write_has_made_is_not_kept_if_nothing_was_written() {
    let (w, ada, image) = World::with_image().await;
    w.write(&ada, image, "One").await;
    w.write(&ada, image, "One").await;
    assert_eq!(w.made(), 2);
    assert_eq!(w.look(&ada, image).await, titled("One"));
    assert_eq!(w.made(), 1, "nobody knows what came between looking and finding it the same");
}

/// Who was slower has made something of what is no longer there.
#[tokio::test]
async fn what_a_write_has_made_is_not_given_when_another_write_followed() {
    let (w, ada, image) = World::with_image().await;
    let slow = w.edit(&ada, image, "Slow").await;
    w.write(&ada, image, "Fast").await;
    assert_eq!(w.answer(&ada, slow), titled("Slow"));
    assert_eq!(w.look(&ada, image).await, titled("Fast"));
}
