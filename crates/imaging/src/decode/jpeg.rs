//! JPEG by libjpeg-turbo: into planes where the file has planes, and scaled down while decoding
//! where much less is needed.

mod low;

use std::borrow::Cow;

use model::Shown;
use turbojpeg::{Colorspace, DecompressHeader, Decompressor, Image, PixelFormat, ScalingFactor};
use turbojpeg::{Subsamp, YuvImage};

use super::Source;
use crate::Error;
use crate::picture::{Buffers, Channels, Coding, Picture, Pixels, Size, Ycc, area};

/// Progressive files have some ten scans; each takes a pass over the whole image, so a small file
/// with thousands of them would take minutes.
const SCANS_MAX: u32 = 100;

/// The scaled image must be so much larger than what is wanted of it: below, the resampling that
/// follows has too little left to work with.
const SCALED_MARGIN: f64 = 1.3;

pub(super) fn decode(
    source: &Source<'_>,
    buffers: &mut Buffers,
) -> Result<(Picture, Shown), Error> {
    // A fresh handle for every image: a reused one remembers the last image's profile and scale.
    let mut decompressor = Decompressor::new().map_err(|error| fault(&error))?;
    decompressor.set_scan_limit(SCANS_MAX).map_err(|error| fault(&error))?;
    let (header, bytes) = read_header(&mut decompressor, source.bytes)?;
    source.expect_size(side(header.width)?, side(header.height)?)?;

    let scale = match header.is_lossless {
        true => ScalingFactor::ONE,
        false => scale_for(source.size(), source.wanted),
    };
    let eighths = eighths(scale);
    let in_planes = matches!(header.colorspace, Colorspace::YCbCr | Colorspace::Gray);
    if source.probe.held_in_part && low::is_worth(source.probe.held_bytes, eighths) && in_planes {
        let scaled = scaled_by(source.size(), scale);
        let (picture, is_whole) = low::decode(&bytes, source.size(), (scaled, eighths), buffers)?;
        return Ok((picture, if is_whole { Shown::Whole } else { Shown::Incomplete }));
    }
    decompressor.set_scaling_factor(scale).map_err(|error| fault(&error))?;
    let scaled = header.scaled(scale);
    let mut job = Job { decompressor, bytes: &bytes, header: scaled, shown: Shown::Whole };
    let picture = match (header.colorspace, header.subsamp) {
        // Planes are scaled alike: chroma would be smaller than the picture wanted. For pixels, it
        // is scaled to the size of luma, from all of the detail it has.
        (Colorspace::YCbCr, Subsamp::Sub2x2) if source.full_chroma && eighths < 8 => {
            job.pixels(PixelFormat::RGB, Channels::Rgb, buffers)
        }
        (Colorspace::YCbCr, subsamp) if subsamp != Subsamp::Unknown && !header.is_lossless => {
            job.planes(buffers).map(Picture::Ycc)
        }
        (Colorspace::Gray, _) => job.pixels(PixelFormat::GRAY, Channels::Gray, buffers),
        (Colorspace::CMYK | Colorspace::YCCK, _) => job.inks(buffers),
        _ => job.pixels(PixelFormat::RGB, Channels::Rgb, buffers),
    }?;
    Ok((picture, job.shown))
}

/// What the header says, and the file to go on with: without what the library stumbles over in it,
/// such as stray bytes before a segment, which harm nothing but end the reading of headers.
fn read_header<'a>(
    decompressor: &mut Decompressor,
    bytes: &'a [u8],
) -> Result<(DecompressHeader, Cow<'a, [u8]>), Error> {
    match decompressor.read_header(bytes) {
        Ok(header) => Ok((header, bytes.into())),
        Err(error) if complaint(&error) == Complaint::Harmless => {
            let plain = crate::probe::jpeg::only_needed_segments(bytes)?;
            let header = decompressor.read_header(&plain).map_err(|error| damaged(&error))?;
            Ok((header, plain.into()))
        }
        Err(error) => Err(damaged(&error)),
    }
}

struct Job<'a> {
    decompressor: Decompressor,
    bytes: &'a [u8],
    header: DecompressHeader,
    shown: Shown,
}

impl Job<'_> {
    fn size(&self) -> Result<Size, Error> {
        Ok((side(self.header.width)?, side(self.header.height)?))
    }

    fn planes(&mut self, buffers: &mut Buffers) -> Result<Ycc, Error> {
        let (size, subsamp) = (self.size()?, self.header.subsamp);
        let step = (side(subsamp.width())?, side(subsamp.height())?);
        let mut data = buffers.take(Ycc::bytes(size, step));
        let DecompressHeader { width, height, .. } = self.header;
        let output = YuvImage { pixels: &mut *data, width, height, subsamp, align: 1 };
        let done = self.decompressor.decompress_to_yuv(self.bytes, output);
        self.tolerate(done)?;
        Ok(Ycc { size, step, coding: Coding::JPEG, data })
    }

    fn pixels(
        &mut self,
        format: PixelFormat,
        channels: Channels,
        buffers: &mut Buffers,
    ) -> Result<Picture, Error> {
        let size = self.size()?;
        let mut data = buffers.take(area(size) * channels.count());
        let DecompressHeader { width, height, .. } = self.header;
        let pitch = width * channels.count();
        let output = Image { pixels: &mut *data, width, height, pitch, format };
        let done = self.decompressor.decompress(self.bytes, output);
        self.tolerate(done)?;
        Ok(Picture::Pixels(Pixels { size, channels, data }))
    }

    /// Goes on with what there is where the library only complains.
    fn tolerate(&mut self, done: turbojpeg::Result<()>) -> Result<(), Error> {
        let Err(error) = done else { return Ok(()) };
        match complaint(&error) {
            Complaint::Harmless => Ok(()),
            Complaint::Missing if !crate::probe::jpeg::has_pixels(self.bytes) => {
                Err(Error::truncated("the pixels of a JPEG image"))
            }
            Complaint::Missing => {
                self.shown = Shown::Incomplete;
                Ok(())
            }
            Complaint::Fatal => Err(damaged(&error)),
        }
    }

    /// Every program that writes ink files follows Adobe and stores paper, not ink.
    fn inks(&mut self, buffers: &mut Buffers) -> Result<Picture, Error> {
        let mut picture = self.pixels(PixelFormat::CMYK, Channels::Cmyk, buffers)?;
        if let Picture::Pixels(pixels) = &mut picture {
            pixels.data.iter_mut().for_each(|sample| *sample = 255 - *sample);
        }
        Ok(picture)
    }
}

/// The size in which a JPEG file is decoded that is wanted in this one: the smallest of those that
/// have fast code which leaves the image large enough.
pub(crate) fn scaled_size(size: Size, wanted: Size) -> Size {
    scaled_by(size, scale_for(size, wanted))
}

/// What libjpeg or [`low`] holds of coefficients that are `bytes` altogether.
pub(crate) fn coefficient_bytes(bytes: u64, in_part: bool, size: Size, wanted: Size) -> u64 {
    let eighths = eighths(scale_for(size, wanted));
    match in_part && low::is_worth(bytes, eighths) {
        true => low::held_bytes(bytes, eighths),
        false => bytes,
    }
}

fn eighths(scale: ScalingFactor) -> usize {
    scale.num() * 8 / scale.denom().max(1)
}

fn scaled_by(size: Size, scale: ScalingFactor) -> Size {
    (scale.scale(size.0 as usize) as u32, scale.scale(size.1 as usize) as u32)
}

fn scale_for(size: Size, wanted: Size) -> ScalingFactor {
    let enough = |scale: &ScalingFactor| {
        let (width, height) = scaled_by(size, *scale);
        f64::from(width) >= f64::from(wanted.0) * SCALED_MARGIN
            && f64::from(height) >= f64::from(wanted.1) * SCALED_MARGIN
    };
    let scales = [ScalingFactor::ONE_EIGHTH, ScalingFactor::ONE_QUARTER, ScalingFactor::ONE_HALF];
    scales.into_iter().find(enough).unwrap_or(ScalingFactor::ONE)
}

/// How bad it is what the library says of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Complaint {
    /// Nothing is missing, such as after stray bytes between segments, which cameras leave.
    Harmless,
    /// Pixels are missing: the file ends too early or is damaged within its pixels.
    Missing,
    /// There is no picture.
    Fatal,
}

/// The library warns by texts that it never translates.
fn complaint(error: &turbojpeg::Error) -> Complaint {
    const HARMLESS: [&str; 5] = [
        "extraneous bytes before marker",
        "unknown JFIF revision",
        "Unknown Adobe color transform",
        "Invalid SOS parameters for sequential",
        "bad ICC marker",
    ];
    const MISSING: [&str; 6] = [
        "Premature end of JPEG file",
        "premature end of data segment",
        "bad Huffman code",
        "bad arithmetic code",
        "instead of RST",
        "Inconsistent progression sequence",
    ];
    let text = error.to_string();
    let says = |known: &[&str]| known.iter().any(|known| text.contains(known));
    match () {
        () if says(&HARMLESS) => Complaint::Harmless,
        () if says(&MISSING) => Complaint::Missing,
        () => Complaint::Fatal,
    }
}

fn damaged(error: &turbojpeg::Error) -> Error {
    let text = error.to_string();
    if text.contains("Premature end") || text.contains("Input file is empty") {
        return Error::truncated("the pixels of a JPEG image");
    }
    if text.contains("not supported") || text.contains("Unsupported") {
        return Error::unsupported(format!("JPEG: {text}"));
    }
    Error::damaged(format!("JPEG: {text}"))
}

fn fault(error: &turbojpeg::Error) -> Error {
    Error::Internal { what: format!("libjpeg-turbo: {error}").into() }
}

fn side(pixels: usize) -> Result<u32, Error> {
    u32::try_from(pixels).map_err(|_| Error::damaged("an impossible size"))
}
