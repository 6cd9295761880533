//! The real models on real photos: `scripts/setup test` gets both. Who is on the photos and why they
//! are free of rights stands in `scripts/tools/test-faces.txt`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod photos;

use std::fs;
use std::sync::LazyLock;
use std::time::Duration;

use faces::grouping::{FaceKey, Library, PhotoKey};
use faces::{Error, Faces, Found, LoadError, MODEL_FILES, Models, Pixels, crop};

use crate::photos::{Photo, tool};

static FACES: LazyLock<Faces> = LazyLock::new(|| match Faces::load(&tool("models")) {
    Ok(faces) => faces,
    Err(error) => panic!("{error}"),
});

/// What two faces of one person reach, and those of two do not.
const SAME: f32 = 0.5;

fn find(photo: &Photo) -> Vec<Found> {
    let pixels = Pixels::new(&photo.rgb, photo.width, photo.height).expect("whole pixels");
    FACES.find(&pixels).expect("no pixels make it fail")
}

fn only(photo: &Photo) -> Found {
    let mut found = find(photo);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn collins() -> Photo {
    Photo::load("astronaut.png")
}

fn hopper() -> Photo {
    Photo::load("grace_hopper.jpg")
}

/// What happens to photos, and should not matter.
fn variants(photo: &Photo) -> Vec<(&'static str, Photo)> {
    vec![
        ("half the size", photo.scaled(0.5)),
        ("twice the size", photo.scaled(2.0)),
        ("three times the size", photo.scaled(3.0)),
        ("turned by ten degrees", photo.turned(10.0)),
        ("turned by minus ten degrees", photo.turned(-10.0)),
        ("darker", photo.lit(0.6, 0.0)),
        ("lighter", photo.lit(1.0, 40.0)),
        ("flat", photo.lit(0.5, 64.0)),
        ("mirrored", photo.mirrored()),
        ("a little blurred", photo.blurred(1)),
        ("a bad JPEG", photo.as_jpeg(25)),
        ("grey", photo.grey()),
    ]
}

#[test]
fn faces_are_where_they_are() {
    let found = only(&collins());
    assert!((0.3..0.4).contains(&found.bounds.left), "{:?}", found.bounds);
    assert!((0.1..0.2).contains(&found.bounds.top), "{:?}", found.bounds);
    let [left_eye, right_eye, nose, left_mouth, right_mouth] = found.landmarks;
    assert!(left_eye.x < nose.x && nose.x < right_eye.x);
    assert!(left_eye.y < nose.y && nose.y < left_mouth.y && left_mouth.x < right_mouth.x);
    assert!(found.confidence > 0.9 && found.quality.shapes);
}

#[test]
fn the_same_face_is_recognised_whatever_happened_to_the_photo() {
    for photo in [collins(), hopper()] {
        let original = only(&photo);
        for (what, variant) in variants(&photo) {
            let similarity = only(&variant).vector.similarity(&original.vector).cosine();
            println!("{what}: {similarity:.3}");
            assert!(similarity >= SAME, "{what}: {similarity}");
        }
    }
}

/// Both are looked at for each of them, so that what is left is where the detector puts the eyes.
#[test]
fn a_face_and_its_mirror_image_are_nearly_one() {
    for photo in [collins(), hopper()] {
        let mirrored = only(&photo.mirrored());
        let similarity = mirrored.vector.similarity(&only(&photo).vector).cosine();
        assert!(similarity >= 0.95, "{similarity}");
    }
}

#[test]
fn different_people_are_told_apart_whatever_happened_to_the_photo() {
    let other = only(&hopper());
    for (what, variant) in variants(&collins()) {
        let similarity = only(&variant).vector.similarity(&other.vector).cosine();
        assert!(similarity < 0.3, "{what}: {similarity}");
    }
}

#[test]
fn photos_without_people_have_no_faces() {
    for name in ["chelsea.png", "rocket.jpg"] {
        assert_eq!(find(&Photo::load(name)), [], "{name}");
    }
}

#[test]
fn profiles_small_and_blurred_faces_do_not_shape_persons() {
    let profile = only(&Photo::load("camera.png"));
    assert!(profile.quality.pose < 0.25 && !profile.quality.shapes, "{:?}", profile.quality);
    let blurred = only(&collins().blurred(6));
    assert!(!blurred.quality.shapes, "{:?}", blurred.quality);
    let small = only(&collins().scaled(0.25));
    assert!(!small.quality.shapes, "{:?}", small.quality);
    let good = only(&collins()).quality;
    assert!(good.total > blurred.quality.total && good.total > small.quality.total);
}

#[test]
fn a_face_of_a_fortieth_of_the_picture_is_found() {
    let face = collins().scaled(0.7);
    let width = only(&collins()).bounds.width * face.width as f32;
    let found = find(&face.on_canvas((width * 40.0) as u32, (width * 30.0) as u32));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn several_faces_of_a_picture_are_all_found() {
    let both = collins().beside(&hopper());
    let found = find(&both);
    assert_eq!(found.len(), 2);
    let alike = |one: &Found| {
        found.iter().filter(|face| face.vector.similarity(&one.vector).cosine() > SAME).count()
    };
    assert_eq!((alike(&only(&collins())), alike(&only(&hopper()))), (1, 1));
}

#[test]
fn persons_come_out_of_photos() {
    let mut library = Library::new();
    let mut key = 0;
    for photo in [collins(), hopper()] {
        for (_, variant) in variants(&photo) {
            let found = only(&variant);
            key += 1;
            library.add(FaceKey(key), PhotoKey(key), found.vector, found.quality.shapes);
        }
    }
    library.regroup();
    let sizes: Vec<usize> = library.groups().map(|group| group.faces.len()).collect();
    assert_eq!(sizes, [12, 12]);
}

#[test]
fn the_same_pixels_give_the_same_answer() {
    let photo = collins();
    let first = find(&photo);
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| assert_eq!(find(&photo), first));
        }
    });
}

#[test]
fn no_pixels_make_it_fail() {
    let sizes = [(1, 1), (1, 20_000), (20_000, 1), (31, 33), (640, 640), (641, 1), (3, 700)];
    for (width, height) in sizes {
        for fill in [0, 128, 255] {
            let photo = Photo::filled(width, height, |_| fill);
            assert_eq!(find(&photo), [], "{width} × {height} of {fill}");
        }
        // Noise may look like anything, but must not break anything.
        let noise =
            Photo::filled(width, height, |place| (place.wrapping_mul(2_654_435_761) >> 13) as u8);
        for face in find(&noise) {
            assert!(face.bounds.width > 0.0 && face.bounds.left >= 0.0);
        }
    }
    assert!(Pixels::new(&[], 0, 0).is_none());
    assert!(Pixels::new(&[0; 5], 1, 2).is_none());
}

#[test]
fn portraits_are_square_and_inside() {
    let photo = collins();
    let found = only(&photo);
    let pixels = Pixels::new(&photo.rgb, photo.width, photo.height).expect("whole pixels");
    let portrait = crop(&pixels, found.bounds);
    assert_eq!(portrait.width, portrait.height);
    assert!(portrait.left + portrait.width <= photo.width);
    assert!(portrait.width as f32 > found.bounds.height * photo.height as f32 * 1.5);
}

#[test]
fn missing_and_damaged_models_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let load = || {
        let error = Faces::load(folder.path()).err().expect("it cannot be loaded");
        // Whoever only checks them says the same.
        let checked = Models::open(folder.path()).err().expect("it is not as it should be");
        assert_eq!(checked.to_string(), error.to_string());
        error
    };
    assert!(matches!(load(), LoadError::Missing(path) if path.ends_with(MODEL_FILES[0])));
    for name in MODEL_FILES {
        fs::copy(tool("models").join(name), folder.path().join(name)).expect("copied");
    }
    assert!(Faces::load(folder.path()).is_ok());
    let last = folder.path().join(MODEL_FILES[1]);
    let mut bytes = fs::read(&last).expect("read");
    *bytes.last_mut().expect("not empty") ^= 1;
    fs::write(&last, bytes).expect("written");
    assert!(matches!(load(), LoadError::Damaged(path) if path == last));
    fs::remove_file(&last).expect("removed");
    fs::create_dir(&last).expect("made");
    assert!(matches!(load(), LoadError::Unreadable(path, _) if path == last));
}

#[test]
fn models_are_loaded_when_they_are_needed_and_let_go_when_they_are_not() {
    let models = Models::open(&tool("models")).expect("`scripts/setup models` was run");
    assert_eq!(models.model(), FACES.model());
    assert!(!models.are_loaded());
    let photo = collins();
    let pixels = Pixels::new(&photo.rgb, photo.width, photo.height).expect("whole pixels");
    for _ in 0..2 {
        assert_eq!(models.find(&pixels).expect("they are there"), find(&photo));
        assert!(models.are_loaded());
        models.rest(Duration::from_secs(3600));
        assert!(models.are_loaded());
        models.rest(Duration::ZERO);
        assert!(!models.are_loaded());
    }
}

#[test]
fn models_that_are_gone_when_they_are_needed_are_told_and_tried_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let bring = || {
        for name in MODEL_FILES {
            fs::copy(tool("models").join(name), folder.path().join(name)).expect("copied");
        }
    };
    bring();
    let models = Models::open(folder.path()).expect("they are there");
    let gone = folder.path().join(MODEL_FILES[1]);
    fs::remove_file(&gone).expect("removed");
    let photo = collins();
    let pixels = Pixels::new(&photo.rgb, photo.width, photo.height).expect("whole pixels");
    let error = models.find(&pixels).expect_err("one is gone");
    assert!(matches!(&error, Error::NotLoaded(LoadError::Missing(path)) if *path == gone));
    assert!(error.to_string().contains("scripts/setup models"), "{error}");
    fs::write(&gone, "something else").expect("written");
    let error = models.find(&pixels).expect_err("one is another");
    assert!(matches!(error, Error::NotLoaded(LoadError::Damaged(path)) if path == gone));
    bring();
    assert_eq!(models.find(&pixels).expect("they are back"), find(&photo));
}
