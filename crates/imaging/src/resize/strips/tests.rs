use super::*;

/// Soft, with edges, and for four channels with opacity that changes.
fn picture((width, height): Size, channels: Channels) -> Pixels {
    let sample = |x: u32, y: u32, channel: u32| {
        let edge = if (x / 37 + y / 29 + channel).is_multiple_of(3) { 150 } else { 20 };
        (edge + (x * 5 + y * 3 * (channel + 1)) % 90) as u8
    };
    let count = channels.count() as u32;
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let data: Vec<u8> =
        pixels.flat_map(|(x, y)| (0..count).map(move |channel| sample(x, y, channel))).collect();
    Pixels { size: (width, height), channels, data: data.into() }
}

/// Row by row, with strips no higher than they must be.
fn by_strips(from: &Pixels, wanted: Size) -> Pixels {
    let (mut resize, mut buffers) = (Resize::default(), Buffers::default());
    let mut strips = Strips::new(&mut buffers, from.size, from.channels, wanted);
    let row_bytes = from.size.0 as usize * from.channels.count();
    strips.at_once = strips.at_once.min(LEAST_ROWS);
    let scale = strips.scale().max(1.0);
    let least = (f64::from(LEAST_ROWS) * scale + 2.0 * LOBES * scale + 2.0).ceil() as usize + 1;
    let rows = least.min(from.size.1 as usize);
    strips.strip = buffers.take(rows * row_bytes);
    for row in from.data.chunks_exact(row_bytes) {
        let fill = |into: &mut [u8]| {
            into.copy_from_slice(row);
            Ok(())
        };
        strips.push(&mut resize, fill).unwrap();
    }
    strips.finish(&mut buffers).unwrap()
}

fn whole(from: &Pixels, size: Size) -> Pixels {
    let window = Window::whole(from.size);
    Resize::default().pixels(&mut Buffers::default(), from, window, size).unwrap()
}

#[test]
fn strips_make_what_the_whole_picture_makes() {
    let channels =
        [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba, Channels::Cmyk];
    let sizes = [
        ((301, 203), (100, 67)),
        ((301, 203), (300, 202)),
        ((301, 203), (301, 203)),
        ((64, 997), (13, 200)),
        ((997, 5), (97, 1)),
        ((1, 500), (1, 60)),
        ((500, 1), (60, 1)),
        ((400, 300), (400, 20)),
        ((400, 300), (30, 300)),
        ((7, 3), (7, 3)),
    ];
    for channels in channels {
        for (from, wanted) in sizes {
            let from = picture(from, channels);
            let (made, exact) = (by_strips(&from, wanted), whole(&from, wanted));
            assert_eq!(made.size, wanted);
            let distance = made.data.iter().zip(exact.data.iter()).map(|(a, b)| a.abs_diff(*b));
            let worst = distance.max().unwrap_or(0);
            assert!(worst <= 1, "{channels:?} {:?} to {wanted:?}: {worst}", from.size);
        }
    }
}

#[test]
fn a_row_too_few_is_noticed() {
    let (mut resize, mut buffers) = (Resize::default(), Buffers::default());
    let mut strips = Strips::new(&mut buffers, (40, 30), Channels::Rgb, (10, 8));
    for _ in 0..29 {
        strips.push(&mut resize, |_| Ok(())).unwrap();
    }
    assert!(strips.finish(&mut buffers).is_err());
}

#[test]
fn steep_pictures_are_made_larger_than_wanted_within_bounds() {
    assert_eq!(strips_size((4000, 3000), (2048, 1536)), (2048, 1536));
    assert_eq!(strips_size((65_535, 4000), (256, 16)), (4096, 256));
    assert_eq!(strips_size((20_000, 1), (256, 1)), (256, 1));
    let megabytes = |from, wanted| strips_bytes(from, wanted, Channels::Rgba) >> 20;
    assert!(megabytes((65_535, 4000), (256, 16)) < 100);
    assert!(megabytes((16_384, 16_384), (2048, 2048)) < 50);
}
