//! What people wrote into photos, and sidecars that change it. That all of it agrees with exiftool
//! is tested in `crates/ferrotype/tests/commands/metadata.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;

use fixture::fixture;
use imaging::metadata::read_sidecar;
use imaging::{Error, probe};
use model::{Exif, Metadata, Place, RegionKind};

fn shares(metadata: &Metadata) -> Vec<[f64; 4]> {
    let round = |share: f64| (share * 1000.0).round() / 1000.0;
    let regions = metadata.regions.iter();
    regions
        .map(|region| [region.left, region.top, region.width, region.height].map(round))
        .collect()
}

fn sidecar(properties: &str) -> Vec<u8> {
    format!(
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'>
         <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
         <rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/'
           xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmlns:exif='http://ns.adobe.com/exif/1.0/'
           xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/'
           xmlns:tiff='http://ns.adobe.com/tiff/1.0/' {properties}/></rdf:RDF></x:xmpmeta>"
    )
    .into_bytes()
}

#[test]
fn a_jpeg_says_it_in_three_ways() {
    let probe = probe(&fixture("described.jpg")).unwrap();
    let said = &probe.metadata;
    assert_eq!(said.title.as_deref(), Some("A title"));
    assert_eq!(said.description.as_deref(), Some("Above the sea"));
    assert_eq!(said.keywords, ["Places/Zürich", "sea"]);
    assert_eq!(said.rating, Some(4));
    assert_eq!(said.artist.as_deref(), Some("Ann Bee; Cy"), "EXIF comes first");
    assert_eq!(said.copyright.as_deref(), Some("© Ann Bee"));
    assert_eq!(said.place, Place { city: Some("Zürich".into()), ..Place::default() });
    // Stored at the left, and turned right by a quarter.
    assert_eq!(shares(said), [[0.6, 0.2, 0.2, 0.1]]);
    assert_eq!(said.regions[0].kind, RegionKind::Face);
    assert_eq!(said.regions[0].name.as_deref(), Some("Ann"));
    let exif = probe.exif.unwrap();
    assert_eq!(exif.taken_at, Some("2019-05-06T05:08:09Z".parse().unwrap()));
    assert_eq!(exif.offset_minutes, Some(120));
}

#[test]
fn a_packet_in_a_png_may_be_compressed() {
    let said = probe(&fixture("described.png")).unwrap().metadata;
    assert_eq!(said.title.as_deref(), Some("A title"), "XMP comes before the texts of PNG");
    assert_eq!(said.keywords, ["Places/Zürich", "sea"]);
}

#[test]
fn a_sidecar_wins_where_it_says_something() {
    let photo = probe(&fixture("described.jpg")).unwrap();
    let sidecar = read_sidecar(&sidecar(
        "dc:title='Another' xmp:Rating='2' photoshop:Country='France' exif:DateTimeOriginal='2001-02-03T04:05:06'",
    ));
    let both = photo.clone().with_sidecar(&sidecar.unwrap());
    let expected = Metadata {
        title: Some("Another".into()),
        rating: Some(2),
        place: Place { country: Some("France".into()), ..Place::default() },
        ..photo.metadata
    };
    assert_eq!(both.metadata, expected);
    let exif = both.exif.unwrap();
    assert_eq!(exif.taken_at, Some("2001-02-03T04:05:06Z".parse().unwrap()));
    assert_eq!(exif.offset_minutes, None);
}

#[test]
fn a_sidecar_changes_neither_the_camera_nor_a_zone_that_it_leaves_out() {
    let photo = probe(&fixture("camera.jpg")).unwrap();
    let sidecar = read_sidecar(&sidecar(
        "tiff:Make='Other' tiff:Model='Other 1' exif:DateTimeOriginal='2024-05-01T10:20:30'",
    ));
    let both = photo.clone().with_sidecar(&sidecar.unwrap());
    assert_eq!(both.exif, photo.exif);
}

#[test]
fn a_sidecar_alone_is_read_too() {
    let sidecar = read_sidecar(&sidecar(
        "dc:subject='sea' exif:GPSLatitude='46,30N' exif:GPSLongitude='7,15W'",
    ));
    let sidecar = sidecar.unwrap();
    assert_eq!(sidecar.metadata().keywords, ["sea"]);
    let Exif { gps: Some(gps), .. } = sidecar.exif().unwrap() else { panic!("no place") };
    assert_eq!((gps.latitude, gps.longitude), (46.5, -7.25));
    for other in [&b""[..], b"plain text", b"\xff\xd8\xff\xe1 <rdf:RDF/>", b"<html></html>"] {
        assert!(matches!(read_sidecar(other), Err(Error::Unsupported { .. })));
    }
}
