//! Marked parts of a picture, turned as the picture is.
//!
//! By the guidelines of the Metadata Working Group, coordinates are shares of the picture as it is
//! stored, from the top left; whoever turns it by its orientation has to turn them as well. digiKam
//! and Lightroom write them so. Some programs mark the upright picture instead: they are recognised
//! by the size they say to have marked.

use model::{Region, RegionKind};

use crate::Orientation;

pub(super) const REGIONS_MAX: usize = 500;

/// The parts as they were marked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Marked {
    /// Width and height of what was marked.
    pub(super) applied_to: Option<(f64, f64)>,
    pub(super) regions: Vec<Region>,
}

/// A part by its left upper corner; `None` if it is none.
pub(super) fn region(
    kind: RegionKind,
    name: Option<String>,
    [left, top, width, height]: [f64; 4],
) -> Option<Region> {
    let finite = [left, top, width, height].iter().all(|share| share.is_finite());
    let (right, bottom) = ((left + width).min(1.0), (top + height).min(1.0));
    let (left, top) = (left.max(0.0), top.max(0.0));
    let there = finite && right > left && bottom > top;
    there.then_some(Region { kind, name, left, top, width: right - left, height: bottom - top })
}

/// By the name that the Metadata Working Group gives it.
pub(super) fn kind(name: &str) -> RegionKind {
    match name.to_lowercase().as_str() {
        "face" => RegionKind::Face,
        "pet" => RegionKind::Pet,
        _ => RegionKind::Other,
    }
}

/// Whether both mark the same: programs write their faces in several ways.
pub(super) fn are_same(one: &Region, other: &Region) -> bool {
    let overlap = |a: f64, a_length: f64, b: f64, b_length: f64| {
        ((a + a_length).min(b + b_length) - a.max(b)).max(0.0)
    };
    let both = overlap(one.left, one.width, other.left, other.width)
        * overlap(one.top, one.height, other.top, other.height);
    let all = one.width * one.height + other.width * other.height - both;
    both > 0.5 * all
}

/// The parts of the upright picture.
pub(super) fn upright(
    marked: &Marked,
    orientation: Orientation,
    (width, height): (u32, u32),
) -> Vec<Region> {
    let orientation = match marked.applied_to {
        Some(applied_to) if was_upright(applied_to, orientation, (width, height)) => {
            Orientation::Upright
        }
        _ => orientation,
    };
    marked.regions.iter().map(|region| turned(region, orientation)).collect()
}

/// Whether what was marked has the sides of the upright picture and not those of the stored one.
fn was_upright(applied_to: (f64, f64), orientation: Orientation, stored: (u32, u32)) -> bool {
    let is_wide = applied_to.0 > applied_to.1;
    let was_wide = stored.0 > stored.1;
    let square = applied_to.0 == applied_to.1 || stored.0 == stored.1;
    orientation.swaps_sides() && !square && is_wide != was_wide
}

fn turned(region: &Region, orientation: Orientation) -> Region {
    let turn = |x: f64, y: f64| match orientation {
        Orientation::Upright => (x, y),
        Orientation::FlipHorizontal => (1.0 - x, y),
        Orientation::Rotate180 => (1.0 - x, 1.0 - y),
        Orientation::FlipVertical => (x, 1.0 - y),
        Orientation::Transpose => (y, x),
        Orientation::Rotate90 => (1.0 - y, x),
        Orientation::Transverse => (1.0 - y, 1.0 - x),
        Orientation::Rotate270 => (y, 1.0 - x),
    };
    let one = turn(region.left, region.top);
    let other = turn(region.left + region.width, region.top + region.height);
    Region {
        left: one.0.min(other.0),
        top: one.1.min(other.1),
        width: (one.0 - other.0).abs(),
        height: (one.1 - other.1).abs(),
        ..region.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(applied_to: Option<(f64, f64)>) -> Marked {
        let region = region(RegionKind::Face, None, [0.1, 0.2, 0.3, 0.1]).unwrap();
        Marked { applied_to, regions: vec![region] }
    }

    fn shares(regions: &[Region]) -> Vec<[f64; 4]> {
        let round = |share: f64| (share * 1000.0).round() / 1000.0;
        regions.iter().map(|r| [r.left, r.top, r.width, r.height].map(round)).collect()
    }

    #[test]
    fn they_turn_as_the_picture_does() {
        let turned = |number| {
            let orientation = Orientation::from_exif(number).unwrap();
            shares(&upright(&marked(Some((400.0, 300.0))), orientation, (800, 600)))
        };
        assert_eq!(turned(1), [[0.1, 0.2, 0.3, 0.1]]);
        assert_eq!(turned(2), [[0.6, 0.2, 0.3, 0.1]]);
        assert_eq!(turned(3), [[0.6, 0.7, 0.3, 0.1]]);
        assert_eq!(turned(4), [[0.1, 0.7, 0.3, 0.1]]);
        assert_eq!(turned(5), [[0.2, 0.1, 0.1, 0.3]]);
        assert_eq!(turned(6), [[0.7, 0.1, 0.1, 0.3]]);
        assert_eq!(turned(7), [[0.7, 0.6, 0.1, 0.3]]);
        assert_eq!(turned(8), [[0.2, 0.6, 0.1, 0.3]]);
    }

    #[test]
    fn what_was_marked_upright_stays() {
        let stays = upright(&marked(Some((300.0, 400.0))), Orientation::Rotate90, (800, 600));
        assert_eq!(shares(&stays), [[0.1, 0.2, 0.3, 0.1]]);
    }

    #[test]
    fn what_is_outside_is_cut_off_and_nothing_is_none() {
        let part = |shares| region(RegionKind::Other, None, shares);
        let cut = part([-0.1, 0.9, 0.3, 0.3]).unwrap();
        assert_eq!(shares(&[cut]), [[0.0, 0.9, 0.2, 0.1]]);
        for none in [[0.1, 0.1, 0.0, 0.1], [1.2, 0.1, 0.1, 0.1], [0.1, f64::NAN, 0.1, 0.1]] {
            assert_eq!(part(none), None);
        }
    }
}
