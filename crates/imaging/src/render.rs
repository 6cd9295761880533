//! From bytes to renditions: one decode, all sizes.
//!
//! The steps, in the order of [`Renderer::render`]: plan, decode, shrink to the largest size,
//! convert to sRGB, turn upright, and then for every size, largest first, resize from the next
//! larger one and encode. Whatever can wait until the picture is small does.

mod animation;
mod plan;
mod raster;
mod upright;

use std::panic::AssertUnwindSafe;

use model::{Facts, MediaType, Rendition, RenditionFormat, Sha256Hex, Shown, SizeName, SizeSpec};
use sha2::{Digest, Sha256};
use tracing::trace_span;

pub use self::raster::{Part, Raster};

pub(crate) use self::plan::Plan;
use self::plan::Target;
use self::upright::upright;
use crate::color::{Space, to_rgb, to_srgb};
use crate::decode::{Decoded, Source, decode};
use crate::encode::{Encoding, encode, has_quality, takes_planes};
use crate::picture::{Buffers, Coding, Picture, Pixels, Size, area};
use crate::placeholder::{self, opaque};
use crate::probe::preview_of;
use crate::resize::{HALF_CHROMA, Resize, Window, is_ready};
use crate::{Error, Limits, Probe, Transform, allocators};

/// Makes renditions. Keeps its buffers from one image to the next (32 MiB at most, and 48 MiB
/// together with all other renderers that rest), so there should be one for each worker thread.
#[derive(Default)]
pub struct Renderer {
    buffers: Buffers,
    resize: Resize,
}

/// How to render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// What an image may take.
    pub limits: Limits,
    /// Whether pictures with more colours than sRGB keep them, with their profile, in WebP, JPEG
    /// and PNG renditions. Otherwise every rendition is sRGB, without a profile.
    pub keep_wide_gamut: bool,
    /// Animations with more frames than these stand still in their renditions.
    pub moving_frames_max: u32,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self { limits: Limits::default(), keep_wide_gamut: false, moving_frames_max: 300 }
    }
}

/// What became of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// What decoding told.
    pub facts: Facts,
    /// The renditions, in the order of their specifications.
    pub renditions: Vec<RenderedSize>,
}

/// A rendition to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedSize {
    /// What it is called.
    pub name: SizeName,
    /// What it is.
    pub rendition: Rendition,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The SHA-256 of a file.
pub fn sha256(bytes: &[u8]) -> Sha256Hex {
    let digest = Sha256::digest(bytes);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    match hex.parse() {
        Ok(hex) => hex,
        Err(_) => unreachable!("a digest has 64 hexadecimal digits"),
    }
}

impl Renderer {
    /// A renderer without any buffers yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes all renditions of an image, and finds what stands for it until they are there.
    ///
    /// `probe` must be that of `bytes`. Takes [`Probe::decoded_bytes`] of memory at most.
    pub fn render(
        &mut self,
        bytes: &[u8],
        probe: &Probe,
        sizes: &[SizeSpec],
        options: &RenderOptions,
    ) -> Result<Rendered, Error> {
        probe.check(&options.limits, sizes)?;
        allocators::keep_no_large_blocks();
        self.buffers.wake();
        let rendered =
            self.guarded(|renderer| renderer.render_checked(bytes, probe, sizes, options));
        let rendered = match rendered {
            Err(error) if error.is_about_showing() => {
                self.render_preview(bytes, probe, sizes, options).ok_or(error)
            }
            rendered => rendered,
        };
        // Photographs live in buffers that are kept, and in the memory of codecs in C.
        if probe.coding() != MediaType::Jpeg {
            allocators::give_back();
        }
        rendered
    }

    /// What stands for an image that cannot be decoded, if it has brought something along.
    fn render_preview(
        &mut self,
        bytes: &[u8],
        probe: &Probe,
        sizes: &[SizeSpec],
        options: &RenderOptions,
    ) -> Option<Rendered> {
        let preview = preview_of(bytes, probe)?;
        preview.check(&options.limits, sizes).ok()?;
        self.guarded(|renderer| renderer.render_checked(bytes, &preview, sizes, options)).ok()
    }

    /// Makes one rendition on demand.
    pub fn transform(
        &mut self,
        bytes: &[u8],
        probe: &Probe,
        transform: &Transform,
        options: &RenderOptions,
    ) -> Result<RenderedSize, Error> {
        let spec = std::slice::from_ref(transform.spec());
        let mut rendered = self.render(bytes, probe, spec, options)?;
        rendered.renditions.pop().ok_or_else(|| fault("a rendition is missing"))
    }

    /// Decoders are written by many hands; a file that makes one of them panic is damaged, and
    /// must not take a worker with it.
    fn guarded<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let result = std::panic::catch_unwind(AssertUnwindSafe(|| run(self)));
        self.buffers.rest(self.resize.trim());
        result.unwrap_or_else(|_| {
            *self = Self::default();
            Err(Error::damaged("no decoder could read it"))
        })
    }

    fn render_checked(
        &mut self,
        bytes: &[u8],
        probe: &Probe,
        sizes: &[SizeSpec],
        options: &RenderOptions,
    ) -> Result<Rendered, Error> {
        let seen = probe.display_size();
        let plan = Plan::new(seen, sizes);
        let wanted = probe.orientation.apply_to_size(plan.frame);
        let full_chroma = sizes.iter().any(|size| !takes_planes(size.format()));
        let source = Source { bytes, probe, limits: &options.limits, wanted, full_chroma };
        if animation::moves(probe, sizes, options) {
            return self.render_moving(&source, &plan, sizes);
        }
        let decoded = {
            let _step = trace_span!("decode").entered();
            decode(&source, &mut self.buffers)?
        };
        let shown = match decoded.shown {
            Shown::Whole => probe.shown,
            shown => shown,
        };
        let is_scaled = probe.coding() == MediaType::Jpeg
            && area(decoded.picture.size()) < area((probe.width, probe.height));
        let (frame, icc) = self.develop(decoded, &plan, sizes, options)?;
        let mut made = Made::new(frame, is_scaled, sizes.len());
        for target in &plan.targets {
            self.make(target, sizes, icc.as_deref(), &mut made)?;
        }
        let mut rendered = self.finish(made, seen, probe)?;
        rendered.facts.shown = shown;
        Ok(rendered)
    }

    /// Shrinks what was decoded to the largest size needed, as sRGB and upright. Returns the
    /// profile to embed if the colours are kept.
    fn develop(
        &mut self,
        decoded: Decoded,
        plan: &Plan,
        sizes: &[SizeSpec],
        options: &RenderOptions,
    ) -> Result<(Picture, Option<Vec<u8>>), Error> {
        let Decoded { picture, space, orientation, .. } = decoded;
        let size = orientation.apply_to_size(plan.frame);
        let kept = options.keep_wide_gamut && sizes.iter().all(|size| takes_profile(size.format()));
        let icc = space.icc().filter(|_| kept).map(<[u8]>::to_vec);
        let space = if icc.is_some() { Space::Srgb } else { space };
        let planes = space == Space::Srgb && sizes.iter().all(|size| takes_planes(size.format()));

        let picture = {
            let _step = trace_span!("shrink").entered();
            self.shrink(picture, size, planes)?
        };
        let picture = match picture {
            Picture::Pixels(pixels) => {
                let _step = trace_span!("colour").entered();
                Picture::Pixels(to_srgb(pixels, &space, &mut self.buffers))
            }
            ycc @ Picture::Ycc(_) => ycc,
        };
        let _step = trace_span!("upright").entered();
        Ok((upright(picture, orientation, &mut self.buffers), icc))
    }

    /// As planes ready for an encoder if they may stay planes, else as pixels.
    fn shrink(&mut self, picture: Picture, size: Size, planes: bool) -> Result<Picture, Error> {
        let (resize, buffers) = (&mut self.resize, &mut self.buffers);
        let small = match &picture {
            Picture::Pixels(pixels) if pixels.size == size => return Ok(picture),
            Picture::Ycc(ycc) if planes && is_ready(ycc, size) => return Ok(picture),
            Picture::Pixels(pixels) => {
                let whole = Window::whole(pixels.size);
                Picture::Pixels(resize.pixels(buffers, pixels, whole, size)?)
            }
            Picture::Ycc(ycc) if planes && ycc.coding == Coding::JPEG => {
                let whole = Window::whole(ycc.size);
                Picture::Ycc(resize.ycc(buffers, ycc, whole, size, HALF_CHROMA)?)
            }
            Picture::Ycc(ycc) => Picture::Pixels(to_rgb(resize, buffers, ycc, size)?),
        };
        buffers.give(picture.into_buffer());
        Ok(small)
    }

    /// Makes one rendition from the best of what there is.
    fn make(
        &mut self,
        target: &Target,
        sizes: &[SizeSpec],
        icc: Option<&[u8]>,
        made: &mut Made,
    ) -> Result<(), Error> {
        let spec = sizes.get(target.index).ok_or_else(|| fault("a size is missing"))?;
        let best = target.best_source(made.wholes.iter().map(Picture::size));
        let source = made.wholes.get(best).ok_or_else(|| fault("a picture is missing"))?;
        let resized = {
            let _step = trace_span!("resize", size = spec.name().as_str()).entered();
            self.resized(source, target)?
        };
        let is_scaled = made.is_scaled && resized.is_none();
        let encoding = Encoding { format: spec.format(), quality: spec.quality(), icc, is_scaled };
        let bytes = {
            let _step = trace_span!("encode", size = spec.name().as_str()).entered();
            encode(resized.as_ref().unwrap_or(source), encoding, &mut self.buffers)?
        };
        made.renditions.push((target.index, rendered(spec, target.size, bytes)));
        match resized {
            Some(whole) if !target.is_cropped() => made.wholes.push(whole),
            Some(part) => self.buffers.give(part.into_buffer()),
            None => {}
        }
        Ok(())
    }

    /// The picture a rendition shows; `None` if it is the source itself.
    fn resized(&mut self, source: &Picture, target: &Target) -> Result<Option<Picture>, Error> {
        let window = target.window(source.size());
        if source.size() == target.size && !target.is_cropped() {
            return Ok(None);
        }
        self.part(source, window, target.size).map(Some)
    }

    fn part(&mut self, source: &Picture, window: Window, size: Size) -> Result<Picture, Error> {
        let (resize, buffers) = (&mut self.resize, &mut self.buffers);
        Ok(match source {
            Picture::Pixels(pixels) => {
                Picture::Pixels(resize.pixels(buffers, pixels, window, size)?)
            }
            Picture::Ycc(ycc) => {
                Picture::Ycc(resize.ycc(buffers, ycc, window, size, HALF_CHROMA)?)
            }
        })
    }

    /// Looks at the smallest picture, and gives all buffers back.
    fn finish(&mut self, made: Made, seen: Size, probe: &Probe) -> Result<Rendered, Error> {
        let _step = trace_span!("placeholder").entered();
        let smallest = made.wholes.last().ok_or_else(|| fault("a picture is missing"))?;
        let facts = self.facts(smallest, seen, probe)?;
        for picture in made.wholes {
            self.buffers.give(picture.into_buffer());
        }
        let mut renditions = made.renditions;
        renditions.sort_by_key(|(index, _)| *index);
        Ok(Rendered { facts, renditions: renditions.into_iter().map(|(_, made)| made).collect() })
    }

    fn facts(&mut self, picture: &Picture, seen: Size, probe: &Probe) -> Result<Facts, Error> {
        let small = self.small(picture)?;
        let found = placeholder::find(&small, &mut self.resize, &mut self.buffers)?;
        self.buffers.give(small.data);
        Ok(Facts {
            width: seen.0,
            height: seen.1,
            animated: probe.is_animated(),
            shown: probe.shown,
            thumbhash: Some(found.thumbhash),
            color: found.color,
            perceptual_hash: Some(found.perceptual_hash),
        })
    }

    /// RGBA of the size that [`placeholder`] takes.
    fn small(&mut self, picture: &Picture) -> Result<Pixels, Error> {
        let (width, height) = picture.size();
        let scale = f64::from(placeholder::SIDE_MAX) / f64::from(width.max(height));
        let side = |side: u32| (f64::from(side) * scale.min(1.0)).round().max(1.0) as u32;
        let size = (side(width), side(height));
        let pixels = match picture {
            Picture::Ycc(ycc) => to_rgb(&mut self.resize, &mut self.buffers, ycc, size)?,
            Picture::Pixels(pixels) => {
                let whole = Window::whole(pixels.size);
                self.resize.pixels(&mut self.buffers, pixels, whole, size)?
            }
        };
        if pixels.channels.has_alpha() {
            return Ok(pixels);
        }
        let rgba = opaque(&pixels, &mut self.buffers);
        self.buffers.give(pixels.data);
        Ok(rgba)
    }
}

/// What has been made so far.
struct Made {
    /// Pictures of the whole image, largest first.
    wholes: Vec<Picture>,
    /// Whether the decoder has scaled the first of them down.
    is_scaled: bool,
    /// With the index of their specification.
    renditions: Vec<(usize, RenderedSize)>,
}

impl Made {
    fn new(frame: Picture, is_scaled: bool, sizes: usize) -> Self {
        Self { wholes: vec![frame], is_scaled, renditions: Vec::with_capacity(sizes) }
    }
}

fn rendered(spec: &SizeSpec, size: Size, bytes: Vec<u8>) -> RenderedSize {
    let rendition = Rendition {
        format: spec.format(),
        quality: has_quality(spec.format()).then_some(spec.quality()),
        width: size.0,
        height: size.1,
        size_bytes: i64::try_from(bytes.len()).unwrap_or(i64::MAX),
    };
    RenderedSize { name: spec.name().clone(), rendition, bytes }
}

/// Whether a rendition of this format can hold a colour profile here.
fn takes_profile(format: RenditionFormat) -> bool {
    format != RenditionFormat::Avif
}

fn fault(what: &'static str) -> Error {
    Error::Internal { what: what.into() }
}
