//! HEIC, AVIF and JPEG 2000 as other programs write them: properties that are none, boxes without a
//! length, tiles, depths and code points.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod shown;

use fixture::fixture;
use imaging::{Error, probe};
use model::{MediaType, Shown as Part, default_sizes};
use shown::{Shown, drawn, render, shown};

/// The picture of the fixtures, at another size.
fn drawn_at(width: usize, height: usize) -> Shown {
    Shown::from_fn(width, height, |x, y| match (x, y) {
        _ if x <= width / 4 && y <= height / 4 => [230, 20, 20, 255],
        _ => [(x * 255 / width % 256) as u8, (y * 255 / height) as u8, 128, 255],
    })
}

fn position(file: &[u8], text: &[u8]) -> usize {
    file.windows(text.len()).position(|window| window == text).expect("it is there")
}

#[test]
fn a_heif_file_may_refer_to_no_property() {
    for name in ["plain.heic", "alpha.heic", "plain.avif"] {
        let file = fixture(name);
        let before = shown(&file);
        let changed = with_empty_property(&file);
        assert_ne!(changed, file, "{name}");
        let after = shown(&changed);
        assert_eq!(after, before, "{name}");
    }
}

/// One more property of the first item, with the number 0.
fn with_empty_property(file: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    let at = position(&file, b"ipma");
    assert_eq!(file[at + 7] & 1, 0, "numbers of one byte");
    let wide = file[at + 4] > 0;
    let count = at + 12 + if wide { 4 } else { 2 };
    file[count] += 1;
    file.insert(count + 1, 0);
    for kind in [&b"ipma"[..], b"iprp", b"meta"] {
        let at = position(&file, kind) - 4;
        let length = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) + 1;
        file[at..at + 4].copy_from_slice(&length.to_be_bytes());
    }
    // Everything behind has moved by a byte.
    let at = position(&file, b"iloc") + 4;
    let (version, sizes) = (file[at], file[at + 4]);
    assert!(version < 2 && sizes == 0x44, "{version} {sizes:x}");
    let count = u16::from_be_bytes([file[at + 6], file[at + 7]]);
    let mut item = at + 8;
    for _ in 0..count {
        item += if version == 0 { 2 } else { 4 };
        let method = if version == 0 { 0 } else { file[item - 1] & 15 };
        item += 2 + usize::from(file[at + 5] >> 4);
        let extents = u16::from_be_bytes([file[item], file[item + 1]]);
        item += 2;
        for _ in 0..extents {
            if method == 0 {
                let start = u32::from_be_bytes(file[item..item + 4].try_into().unwrap()) + 1;
                file[item..item + 4].copy_from_slice(&start.to_be_bytes());
            }
            item += 8;
        }
    }
    file
}

#[test]
fn the_last_box_may_reach_to_the_end_of_the_file() {
    for name in ["plain.avif", "plain.heic", "plain.jp2"] {
        let mut file = fixture(name);
        let before = shown(&file);
        let last: &[u8] = if name == "plain.jp2" { b"jp2c" } else { b"mdat" };
        let at = position(&file, last);
        file[at - 4..at].fill(0);
        assert_eq!(shown(&file), before, "{name}");
    }
}

#[test]
fn avif_of_ten_bits_with_code_points_is_read() {
    let file = fixture("hdr10.avif");
    let found = probe(&file).unwrap();
    assert_eq!((found.media_type, found.bit_depth), (MediaType::Avif, 10));
    let read = shown(&file);
    assert_eq!((read.width, read.height), (64, 48));
    // The colours of its curve for high dynamic range are not mapped, but red is red.
    let [r, g, b, _] = read.at(8, 6);
    assert!(r > g && r > b, "{r} {g} {b}");
}

#[test]
fn avif_in_tiles_is_put_together() {
    let read = shown(&fixture("grid.avif"));
    let likeness = read.likeness(&drawn_at(192, 160));
    assert!(likeness > 60.0, "{likeness}");
}

#[test]
fn heic_in_tiles_is_put_together() {
    let tile = shown(&without_aperture(fixture("plain.heic")));
    assert_eq!((tile.width, tile.height), (64, 64), "as it is coded, with what pads it");
    let plain = shown(&fixture("plain.heic"));
    let within = Shown::from_fn(64, 48, |x, y| tile.at(x, y));
    assert!(within.distance(&plain) < 2.0, "{}", within.distance(&plain));
    // The whole is smaller than its tiles, which are cut at the right and at the bottom.
    for (columns, rows, width, height) in
        [(3, 2, 192, 128), (3, 2, 192, 96), (2, 3, 120, 130), (1, 1, 64, 48)]
    {
        let file = heic_grid(columns, rows, (width, height));
        let read = shown(&file);
        assert_eq!((read.width, read.height), (usize::from(width), usize::from(height)));
        let expected = Shown::from_fn(read.width, read.height, |x, y| tile.at(x % 64, y % 64));
        let distance = read.distance(&expected);
        assert!(distance < 2.0, "{columns} x {rows}: {distance}");
    }
}

/// The picture as large as it is coded: its encoder pads to 64 pixels a side, and cuts that off
/// again by an aperture.
fn without_aperture(mut file: Vec<u8>) -> Vec<u8> {
    let at = position(&file, b"clap");
    file[at..at + 4].copy_from_slice(b"free");
    file
}

/// The picture of a fixture again and again, with what pads it, as the tiles of a larger one.
fn heic_grid(columns: u8, rows: u8, (width, height): (u16, u16)) -> Vec<u8> {
    let file = fixture("plain.heic");
    let whole_box = |kind: &[u8]| {
        let at = position(&file, kind) - 4;
        let length = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        file[at..at + length].to_vec()
    };
    let at = position(&file, b"mdat");
    let length = u32::from_be_bytes(file[at - 4..at].try_into().unwrap()) as usize;
    let data = file[at + 4..at - 4 + length].to_vec();
    let tiles = columns * rows;
    let extents = |width: u16, height: u16| {
        let sides = [u32::from(width).to_be_bytes(), u32::from(height).to_be_bytes()].concat();
        boxed(b"ispe", &[&[0; 4], &sides])
    };
    let item = |id: u8, kind: &[u8]| boxed(b"infe", &[&[2, 0, 0, 0, 0, id, 0, 0], kind, &[0]]);
    let mut infos = item(1, b"grid");
    let mut places = Vec::new();
    let mut properties = vec![1, 1, 3];
    let mut references = vec![0, 1, 0, tiles];
    for tile in 2..2 + tiles {
        infos.extend(item(tile, b"hvc1"));
        properties.extend([0, tile, 2, 0x81, 2]);
        references.extend([0, tile]);
    }
    let grid = [&[0, 0, rows - 1, columns - 1][..], &width.to_be_bytes(), &height.to_be_bytes()];
    let meta = |start: u32, places: &mut Vec<u8>| {
        places.clear();
        places.extend([0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8]);
        for tile in 2..2 + tiles {
            places.extend([0, tile, 0, 0, 0, 0, 0, 1]);
            places.extend(start.to_be_bytes());
            places.extend((data.len() as u32).to_be_bytes());
        }
        let count = [0, 1 + tiles];
        let list =
            boxed(b"ipco", &[&whole_box(b"hvcC"), &extents(64, 64), &extents(width, height)]);
        let associations = boxed(b"ipma", &[&[0; 4], &[0, 0, 0, 1 + tiles, 0], &properties[..]]);
        boxed(
            b"meta",
            &[
                &[0; 4],
                &boxed(b"hdlr", &[&[0; 8], b"pict", &[0; 13]]),
                &boxed(b"pitm", &[&[0, 0, 0, 0, 0, 1]]),
                &boxed(b"iinf", &[&[0; 4], &count, &infos]),
                &boxed(b"iloc", &[&[1, 0, 0, 0, 0x44, 0], &count, places]),
                &boxed(b"iref", &[&[0; 4], &boxed(b"dimg", &[&references])]),
                &boxed(b"iprp", &[&list, &associations]),
                &boxed(b"idat", &[&grid.concat()]),
            ],
        )
    };
    let head = boxed(b"ftyp", &[b"heic\0\0\0\0mif1heic"]);
    let before = head.len() + meta(0, &mut places).len() + 8;
    [head, meta(before as u32, &mut places), boxed(b"mdat", &[&data])].concat()
}

fn boxed(kind: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let data = parts.concat();
    [&(8 + data.len() as u32).to_be_bytes()[..], kind, &data].concat()
}

#[test]
fn tiles_that_do_not_fit_are_refused() {
    let file = heic_grid(2, 2, (200, 96));
    let error = render(&file, &default_sizes()).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error}");
}

/// What is decoded piece by piece is let in by what that takes, not by its size.
#[test]
fn photos_of_48_megapixels_in_tiles_or_groups_fit_into_the_default_memory() {
    let sizes = default_sizes();
    let default = imaging::Limits::default();
    let heic = heic_grid(16, 12, (8064, 6048));
    // 8192 × 5504, as cjxl writes it: the head and the beginning of the first frame.
    let jxl = "ff0afaabe8ff8384e2420012080100a0e9c15b601a5e20745fe00a60a04d5d60925f20bc5ea0185ea00a\
               3b20d13ce0a83ba0b839908c5041104c50779254d5c6";
    let jxl: Vec<u8> = (0..jxl.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&jxl[at..at + 2], 16).unwrap())
        .collect();
    for (what, file, size) in [("HEIC", &heic, (8064, 6048)), ("JPEG XL", &jxl, (8192, 5504))] {
        let probe = probe(file).unwrap();
        assert_eq!((probe.width, probe.height), size, "{what}");
        let bytes = probe.decoded_bytes(&sizes);
        println!("{what}: {} MB", bytes >> 20);
        assert!(bytes < 512 << 20, "{what}: {} MB", bytes >> 20);
        probe.check(&default, &sizes).unwrap();
    }
}

#[test]
fn jpeg_2000_is_read() {
    for name in ["plain.jp2", "plain.j2k"] {
        let file = fixture(name);
        assert_eq!(probe(&file).unwrap().media_type, MediaType::Jp2);
        let likeness = shown(&file).likeness(&drawn());
        assert!(likeness > if name == "plain.jp2" { 30.0 } else { 99.0 }, "{name}: {likeness}");
        let cut = &file[..file.len() / 2];
        match render(cut, &default_sizes()) {
            Ok(rendered) => assert_eq!(rendered.facts.shown, Part::Incomplete, "{name}"),
            Err(error) => assert!(matches!(error, Error::Truncated { .. } | Error::Damaged { .. })),
        }
    }
    let read = shown(&fixture("alpha.jp2"));
    for x in [0, 10, 32, 63] {
        assert_eq!(read.at(x, 24)[3], (x * 4) as u8, "{x}");
    }
}
