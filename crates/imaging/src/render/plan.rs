//! Which renditions are made, how large, and from which other one.

use model::{Fit, SizeSpec};

use crate::picture::Size;
use crate::resize::Window;

/// A rendition is taken from a larger one only if that is larger by this factor; resampling twice
/// at nearly the same size would blur.
const CHAIN_FACTOR_MIN: f64 = 1.4;

/// All renditions of one image, largest first.
pub(crate) struct Plan {
    /// The size of the whole image that everything is made from, as seen.
    pub(crate) frame: Size,
    pub(crate) targets: Vec<Target>,
}

/// One rendition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Target {
    /// Which of the specifications it is for.
    pub(crate) index: usize,
    /// Its size, as seen.
    pub(crate) size: Size,
    /// How much smaller than the original it is, at most 1.
    scale: f64,
    /// The part of the whole image it shows, as shares of width and height.
    share: (f64, f64),
}

impl Plan {
    /// For an image that is seen at this size. Without any rendition, the frame is still large
    /// enough for a placeholder.
    pub(crate) fn new(image: Size, sizes: &[SizeSpec]) -> Self {
        let targets = sizes.iter().enumerate().map(|(index, size)| Target::new(index, image, size));
        let mut targets: Vec<_> = targets.collect();
        targets
            .sort_by(|a, b| b.scale.total_cmp(&a.scale).then(a.is_cropped().cmp(&b.is_cropped())));
        let frame = targets.first().map_or_else(|| placeholder(image), |first| first.frame(image));
        Self { frame, targets }
    }
}

impl Target {
    fn new(index: usize, image: Size, spec: &SizeSpec) -> Self {
        let (width, height) = (f64::from(image.0), f64::from(image.1));
        let (box_width, box_height) = (f64::from(spec.width()), f64::from(spec.height()));
        let (part_width, part_height) = match spec.fit() {
            Fit::Inside => (width, height),
            // The largest part in the middle that has the shape of the box.
            Fit::Cover => (
                width.min(height * box_width / box_height),
                height.min(width * box_height / box_width),
            ),
        };
        let scale = (box_width / part_width).min(box_height / part_height).min(1.0);
        let pixels = |length: f64| (length * scale).round().max(1.0) as u32;
        Self {
            index,
            size: (pixels(part_width), pixels(part_height)),
            scale,
            share: (part_width / width, part_height / height),
        }
    }

    /// Whether it shows less than the whole image.
    pub(crate) fn is_cropped(&self) -> bool {
        self.share != (1.0, 1.0)
    }

    /// The part of a picture of the whole image that it shows.
    pub(crate) fn window(&self, whole: Size) -> Window {
        let along = |pixels: u32, share: f64| f64::from(pixels) * share;
        Window::middle(whole, (along(whole.0, self.share.0), along(whole.1, self.share.1)))
    }

    /// The index of the best of some pictures of the whole image, largest first: the smallest one
    /// that is large enough.
    pub(crate) fn best_source(&self, wholes: impl DoubleEndedIterator<Item = Size>) -> usize {
        let wholes: Vec<_> = wholes.collect();
        let enough = |whole: &Size| {
            let window = self.window(*whole);
            window.width >= f64::from(self.size.0) * CHAIN_FACTOR_MIN
                && window.height >= f64::from(self.size.1) * CHAIN_FACTOR_MIN
                || *whole == self.size && !self.is_cropped()
        };
        wholes.iter().rposition(enough).unwrap_or(0)
    }

    /// The size of the whole image where this is a part of it.
    fn frame(&self, image: Size) -> Size {
        if !self.is_cropped() {
            return self.size;
        }
        let pixels =
            |length: u32| ((f64::from(length) * self.scale).ceil() as u32).clamp(1, length);
        (pixels(image.0), pixels(image.1))
    }
}

/// Large enough for what [`crate::placeholder`] looks at.
fn placeholder((width, height): Size) -> Size {
    let scale = (256.0 / f64::from(width.max(height))).min(1.0);
    let pixels = |length: u32| (f64::from(length) * scale).round().max(1.0) as u32;
    (pixels(width), pixels(height))
}

#[cfg(test)]
mod tests {
    use model::{RenditionFormat, default_sizes};

    use super::*;

    fn sizes_of(image: Size) -> Vec<Size> {
        let plan = Plan::new(image, &default_sizes());
        let mut targets = plan.targets;
        targets.sort_by_key(|target| target.index);
        targets.iter().map(|target| target.size).collect()
    }

    #[test]
    fn renditions_fit_their_boxes() {
        assert_eq!(sizes_of((4032, 3024)), [(256, 256), (640, 480), (1280, 960), (2048, 1536)]);
        assert_eq!(sizes_of((3024, 4032)), [(256, 256), (480, 640), (960, 1280), (1536, 2048)]);
    }

    #[test]
    fn nothing_is_enlarged() {
        assert_eq!(sizes_of((100, 300)), [(100, 100), (100, 300), (100, 300), (100, 300)]);
        assert_eq!(sizes_of((1, 1)), [(1, 1); 4]);
    }

    #[test]
    fn a_line_stays_a_line() {
        assert_eq!(sizes_of((1, 20_000)), [(1, 1), (1, 640), (1, 1280), (1, 2048)]);
        assert_eq!(sizes_of((20_000, 1)), [(1, 1), (640, 1), (1280, 1), (2048, 1)]);
    }

    #[test]
    fn a_cropped_rendition_alone_is_taken_from_a_frame_that_covers_it() {
        let name = "hero".parse().unwrap();
        let format = RenditionFormat::Webp;
        let hero = SizeSpec::new(name, (1600, 900), Fit::Cover, format, 80).unwrap();
        let plan = Plan::new((4000, 3000), &[hero]);
        assert_eq!(plan.frame, (1600, 1200));
        let window = plan.targets[0].window(plan.frame);
        assert_eq!(window, Window { left: 0.0, top: 150.0, width: 1600.0, height: 900.0 });
    }

    #[test]
    fn each_is_taken_from_the_next_larger_one() {
        let plan = Plan::new((4032, 3024), &default_sizes());
        assert_eq!(plan.frame, (2048, 1536));
        let wholes = [(2048, 1536), (1280, 960), (640, 480)];
        let source = |target: usize, made: usize| {
            plan.targets[target].best_source(wholes[..made].iter().copied())
        };
        assert_eq!([source(0, 1), source(1, 1), source(2, 2), source(3, 3)], [0, 0, 1, 2]);
    }

    #[test]
    fn near_sizes_are_not_taken_from_each_other() {
        let target = Plan::new((4000, 3000), &default_sizes()).targets[1];
        assert_eq!(target.best_source([(2048, 1536), (1400, 1050)].into_iter()), 0);
    }
}
