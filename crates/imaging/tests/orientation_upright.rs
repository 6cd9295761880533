//! Every picture is seen upright, whichever way its format says it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod shown;

use fixture::fixture;
use imaging::Orientation;
use model::{Fit, RenditionFormat};
use shown::{drawn, render, shown, spec};

fn check(name: &str, orientation: Orientation) {
    let expected = drawn().turned(orientation);
    let bytes = fixture(name);
    // As pixels, and by way of planes, with both sides even and with an odd one.
    let distance = shown(&bytes).distance(&expected);
    assert!(distance < 6.0, "{name}: {distance}");
    for side in [64, 37] {
        let rendered =
            render(&bytes, &[spec("x", side, Fit::Inside, RenditionFormat::Webp)]).unwrap();
        let read = shown(&rendered.renditions[0].bytes);
        let distance = read.distance(&expected.resampled(read.width, read.height));
        assert!(distance < 8.0, "{name} as WebP of {side}: {distance}");
    }
}

#[test]
fn eight_orientations_of_jpeg() {
    for orientation in Orientation::ALL {
        check(&format!("orientation-{}.jpg", orientation.to_exif()), orientation);
    }
}

#[test]
fn turned_heic() {
    for number in [2, 3, 6, 8] {
        check(&format!("orientation-{number}.heic"), Orientation::from_exif(number).unwrap());
    }
}

#[test]
fn turned_avif() {
    for number in [4, 5, 6, 8] {
        check(&format!("orientation-{number}.avif"), Orientation::from_exif(number).unwrap());
    }
}

#[test]
fn turned_jxl() {
    check("camera.jxl", Orientation::Rotate90);
}
