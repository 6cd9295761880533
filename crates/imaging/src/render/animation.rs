//! Animations: frame by frame through the same steps as a still image, into one writer for each
//! moving rendition. At no time are there more than a few frames in memory.

use std::time::Duration;

use model::{MediaType, RenditionFormat, SizeSpec};

use super::plan::{Plan, Target};
use super::upright::upright;
use super::{Made, RenderOptions, Rendered, Renderer, fault, rendered};
use crate::color::{Space, to_srgb};
use crate::decode::{GifReader, Source};
use crate::picture::{Buffers, Channels, Picture, Pixels};
use crate::resize::Window;
use crate::webp::{AnimationReader, AnimationWriter};
use crate::{Error, Probe};

/// Whether an image is an animation that keeps moving in at least one rendition.
pub(super) fn moves(probe: &Probe, sizes: &[SizeSpec], options: &RenderOptions) -> bool {
    matches!(probe.media_type, MediaType::Gif | MediaType::Webp)
        && probe.is_animated()
        && probe.frames <= options.moving_frames_max
        && sizes.iter().any(|size| size.format() == RenditionFormat::Webp)
}

impl Renderer {
    /// Makes moving WebP renditions; those in other formats show the first frame.
    pub(super) fn render_moving(
        &mut self,
        source: &Source<'_>,
        plan: &Plan,
        sizes: &[SizeSpec],
    ) -> Result<Rendered, Error> {
        let space = Space::of(&source.probe.color_profile);
        let mut reader = Reader::new(source)?;
        let mut start = Duration::ZERO;
        let mut writers: Vec<(&Target, AnimationWriter)> = Vec::new();
        let mut first: Option<Made> = None;
        while let Some((frame, end)) = reader.next_frame(source, &mut self.buffers)? {
            let frame = self.develop_frame(frame, source, plan, &space)?;
            let mut made = Made::new(frame, false, sizes.len());
            if first.is_none() {
                for target in moving(plan, sizes, true) {
                    let quality = sizes.get(target.index).map_or(80, SizeSpec::quality);
                    let writer = AnimationWriter::new(target.size, reader.loops(), quality)?;
                    writers.push((target, writer));
                }
            }
            for (target, writer) in &mut writers {
                self.add_frame(target, writer, start, &mut made)?;
            }
            start = end;
            match &first {
                None => first = Some(made),
                Some(_) => made.wholes.into_iter().for_each(|p| self.buffers.give(p.into_buffer())),
            }
        }
        let mut made = first.ok_or_else(|| Error::damaged("an animation without frames"))?;
        for target in moving(plan, sizes, false) {
            self.make(target, sizes, None, &mut made)?;
        }
        for (target, writer) in writers {
            let spec = sizes.get(target.index).ok_or_else(|| fault("a size is missing"))?;
            let file = rendered(spec, target.size, writer.finish(start)?);
            made.renditions.push((target.index, file));
        }
        // The smallest picture comes last.
        made.wholes.sort_by_key(|picture| std::cmp::Reverse(picture.size()));
        self.finish(made, source.probe.display_size(), source.probe)
    }

    fn develop_frame(
        &mut self,
        frame: Pixels,
        source: &Source<'_>,
        plan: &Plan,
        space: &Space,
    ) -> Result<Picture, Error> {
        let orientation = source.probe.orientation;
        let size = orientation.apply_to_size(plan.frame);
        let small = if frame.size == size {
            frame
        } else {
            let whole = Window::whole(frame.size);
            let small = self.resize.pixels(&mut self.buffers, &frame, whole, size)?;
            self.buffers.give(frame.data);
            small
        };
        let small = to_srgb(small, space, &mut self.buffers);
        Ok(upright(Picture::Pixels(small), orientation, &mut self.buffers))
    }

    fn add_frame(
        &mut self,
        target: &Target,
        writer: &mut AnimationWriter,
        start: Duration,
        made: &mut Made,
    ) -> Result<(), Error> {
        let best = target.best_source(made.wholes.iter().map(Picture::size));
        let source = made.wholes.get(best).ok_or_else(|| fault("a picture is missing"))?;
        let resized = self.resized(source, target)?;
        let Picture::Pixels(pixels) = resized.as_ref().unwrap_or(source) else {
            return Err(fault("planes in an animation"));
        };
        writer.add(pixels, start)?;
        match resized {
            Some(whole) if !target.is_cropped() => made.wholes.push(whole),
            Some(part) => self.buffers.give(part.into_buffer()),
            None => {}
        }
        Ok(())
    }
}

/// The renditions that move, or those that do not.
fn moving<'a>(
    plan: &'a Plan,
    sizes: &'a [SizeSpec],
    moves: bool,
) -> impl Iterator<Item = &'a Target> {
    let is_webp = |target: &&Target| {
        sizes.get(target.index).is_some_and(|size| size.format() == RenditionFormat::Webp)
    };
    plan.targets.iter().filter(move |target| is_webp(target) == moves)
}

/// The formats that move.
enum Reader<'a> {
    Gif(GifReader<'a>),
    Webp(AnimationReader<'a>),
}

impl<'a> Reader<'a> {
    fn new(source: &Source<'a>) -> Result<Self, Error> {
        let size = (source.probe.width, source.probe.height);
        match source.probe.media_type {
            MediaType::Gif => GifReader::new(source).map(Self::Gif),
            _ => AnimationReader::new(source.bytes, size).map(Self::Webp),
        }
    }

    fn loops(&self) -> u32 {
        match self {
            Self::Gif(reader) => reader.loops(),
            Self::Webp(reader) => reader.loops(),
        }
    }

    /// A copy of the next frame and when it ends.
    fn next_frame(
        &mut self,
        source: &Source<'_>,
        buffers: &mut Buffers,
    ) -> Result<Option<(Pixels, Duration)>, Error> {
        let frame = match self {
            Self::Gif(reader) => reader.next_frame()?,
            Self::Webp(reader) => reader.next_frame()?,
        };
        Ok(frame.map(|(canvas, end)| {
            let mut data = buffers.take(canvas.len());
            data.copy_from_slice(canvas);
            let size = (source.probe.width, source.probe.height);
            (Pixels { size, channels: Channels::Rgba, data }, end)
        }))
    }
}
