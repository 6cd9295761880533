//! What cameras write, against a second reader of EXIF and at the edges.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;

use exif::{In, Tag, Value};
use fixture::{fixture, fixtures};
use imaging::{Orientation, probe};
use model::{Exif, Gps};

#[test]
fn every_field_of_a_camera() {
    let expected = Exif {
        camera: Some("Ferrotype Model F".into()),
        lens: Some("50mm F1.8".into()),
        iso: Some(400),
        shutter_speed: Some("1/250".into()),
        aperture: Some(2.8),
        focal_length: Some(50.0),
        // 10:20:30.25 two hours east of UTC.
        taken_at: Some("2024-05-01T08:20:30.250Z".parse().unwrap()),
        offset_minutes: Some(120),
        gps: Some(Gps { latitude: 47.3769, longitude: -122.5, altitude: Some(-12.5) }),
    };
    for name in ["camera.jpg", "camera.jxl", "camera-compressed.jxl"] {
        let mut exif = probe(&fixture(name)).unwrap().exif.unwrap();
        let gps = exif.gps.as_mut().unwrap();
        gps.latitude = (gps.latitude * 1e6).round() / 1e6;
        gps.longitude = (gps.longitude * 1e6).round() / 1e6;
        assert_eq!(exif, expected, "{name}");
    }
}

/// kamadak-exif reads the same files.
#[test]
fn another_reader_sees_the_same() {
    let mut compared = 0;
    for (name, bytes) in fixtures() {
        let Ok(other) = exif::Reader::new().read_from_container(&mut std::io::Cursor::new(&bytes))
        else {
            continue;
        };
        let probe = probe(&bytes).unwrap();
        let ours = probe.exif.unwrap_or_default();
        let text = |tag| match other.get_field(tag, In::PRIMARY).map(|field| &field.value) {
            Some(Value::Ascii(parts)) => String::from_utf8(parts[0].clone()).ok(),
            _ => None,
        };
        let number =
            |tag| other.get_field(tag, In::PRIMARY).and_then(|field| field.value.get_uint(0));
        let camera = [text(Tag::Make), text(Tag::Model)].into_iter().flatten();
        let camera = camera.collect::<Vec<_>>().join(" ");
        assert_eq!(ours.camera.unwrap_or_default(), camera, "{name}");
        assert_eq!(ours.iso, number(Tag::PhotographicSensitivity), "{name}");
        assert_eq!(ours.lens, text(Tag::LensModel), "{name}");
        // HEIC and AVIF have their own orientation, and writers set EXIF's to 1.
        if !name.ends_with(".heic") && !name.ends_with(".avif") {
            let orientation = number(Tag::Orientation).and_then(Orientation::from_exif);
            assert_eq!(probe.orientation, orientation.unwrap_or_default(), "{name}");
        }
        compared += 1;
    }
    assert!(compared >= 15, "only {compared} files were compared");
}

/// An EXIF block in a JPEG file: entries of (tag, type, count, value or offset).
fn jpeg_with(directory: &[(u16, u16, u32, [u8; 4])], after: &[u8]) -> Vec<u8> {
    let mut block = b"Exif\0\0II\x2a\0\x08\0\0\0".to_vec();
    block.extend(u16::try_from(directory.len()).unwrap().to_le_bytes());
    for (tag, kind, count, value) in directory {
        block.extend(tag.to_le_bytes());
        block.extend(kind.to_le_bytes());
        block.extend(count.to_le_bytes());
        block.extend(value);
    }
    block.extend([0; 4]);
    block.extend(after);
    let mut file = b"\xff\xd8\xff\xe1".to_vec();
    file.extend(u16::try_from(block.len() + 2).unwrap().to_be_bytes());
    file.extend(block);
    file.extend(&fixture("plain.jpg")[2..]);
    file
}

fn exif_with(directory: &[(u16, u16, u32, [u8; 4])], after: &[u8]) -> Option<Exif> {
    probe(&jpeg_with(directory, after)).unwrap().exif
}

/// Where data after a directory of so many entries begin.
fn after(entries: u32) -> [u8; 4] {
    (8 + 2 + 12 * entries + 4).to_le_bytes()
}

#[test]
fn fractions_that_are_none_are_left_out() {
    let zero_by_zero = [(0x829d, 5, 1, after(2)), (0x920a, 5, 1, after(2))];
    assert_eq!(exif_with(&zero_by_zero, &[0; 8]), None);
}

#[test]
fn times_without_a_zone_are_taken_as_utc() {
    let time = |text: &[u8; 20]| exif_with(&[(0x9003, 2, 20, after(1))], text);
    let exif = time(b"2023:12:31 23:59:59\0").unwrap();
    assert_eq!(exif.taken_at, Some("2023-12-31T23:59:59Z".parse().unwrap()));
    assert_eq!(exif.offset_minutes, None);
    for nonsense in [b"0000:00:00 00:00:00\0", b"    :  :     :  :  \0", b"2023:13:41 25:61:61\0"] {
        assert_eq!(time(nonsense), None);
    }
}

#[test]
fn long_exposures_are_seconds() {
    for (above, below, expected) in [
        (1_u32, 250_u32, "1/250"),
        (10, 2500, "1/250"),
        (8, 10, "0.8"),
        (30, 1, "30"),
        (1, 3, "1/3"),
    ] {
        let value: Vec<u8> = [above.to_le_bytes(), below.to_le_bytes()].concat();
        let exif = exif_with(&[(0x829a, 5, 1, after(1))], &value).unwrap();
        assert_eq!(exif.shutter_speed.as_deref(), Some(expected));
    }
}

#[test]
fn directories_that_point_at_themselves_end() {
    let at_itself = 8_u32.to_le_bytes();
    let entries = [(0x8769, 4, 1, at_itself), (0x8825, 4, 1, at_itself), (0xa005, 4, 1, at_itself)];
    assert_eq!(exif_with(&entries, &[]), None);
}

#[test]
fn unknown_orientations_are_upright() {
    for number in [0, 9, 255] {
        let file = jpeg_with(&[(0x0112, 3, 1, [number, 0, 0, 0])], &[]);
        assert_eq!(probe(&file).unwrap().orientation, Orientation::Upright);
    }
}
