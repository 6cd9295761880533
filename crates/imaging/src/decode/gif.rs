use std::io::Cursor;
use std::time::Duration;

use gif::{
    ColorOutput, DecodeOptions, Decoder, DecodingError, DisposalMethod, MemoryLimit, Repeat,
};

use super::Source;
use crate::Error;
use crate::picture::{Buffers, Channels, Pixels, Size, area};

/// Browsers show frames that claim less than 20 ms for 100 ms, and makers rely on it.
const SHORTEST_DELAY: Duration = Duration::from_millis(20);
const DEFAULT_DELAY: Duration = Duration::from_millis(100);

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Pixels, Error> {
    let mut reader = GifReader::new(source)?;
    let frame = reader.next_frame()?.ok_or_else(|| Error::damaged("a GIF without images"))?;
    let mut pixels = super::blank(source, Channels::Rgba, buffers);
    pixels.data.copy_from_slice(frame.0);
    Ok(pixels)
}

/// Reads a GIF frame by frame, each drawn over what the last one left.
pub(crate) struct GifReader<'a> {
    decoder: Decoder<Cursor<&'a [u8]>>,
    size: Size,
    canvas: Vec<u8>,
    before: Vec<u8>,
    /// What becomes of the frame shown last, and where it is.
    disposal: Option<(DisposalMethod, Area)>,
    end: Duration,
}

#[derive(Clone, Copy)]
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl<'a> GifReader<'a> {
    pub(crate) fn new(source: &Source<'a>) -> Result<Self, Error> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let bytes = std::num::NonZeroU64::new(source.limits.decoded_bytes);
        options.set_memory_limit(MemoryLimit::Bytes(bytes.unwrap_or(std::num::NonZeroU64::MIN)));
        let decoder = options.read_info(Cursor::new(source.bytes)).map_err(damaged)?;
        source.expect_size(u32::from(decoder.width()), u32::from(decoder.height()))?;
        let canvas = vec![0; area(source.size()) * 4];
        let size = source.size();
        Ok(Self { decoder, size, canvas, before: Vec::new(), disposal: None, end: Duration::ZERO })
    }

    /// How often it plays; 0 is for ever. Known after the first frame.
    pub(crate) fn loops(&self) -> u32 {
        match self.decoder.repeat() {
            Repeat::Infinite => 0,
            // The file counts repetitions.
            Repeat::Finite(times) => u32::from(times) + 1,
        }
    }

    /// The next frame as RGBA and when it ends; `None` after the last.
    pub(crate) fn next_frame(&mut self) -> Result<Option<(&[u8], Duration)>, Error> {
        self.dispose();
        let Some(frame) = self.decoder.read_next_frame().map_err(damaged)? else {
            return Ok(None);
        };
        let place = Area {
            left: frame.left.into(),
            top: frame.top.into(),
            width: frame.width.into(),
            height: frame.height.into(),
        };
        if frame.dispose == DisposalMethod::Previous {
            self.before.clone_from(&self.canvas);
        }
        draw(&frame.buffer, place, &mut self.canvas, self.size);
        let delay = Duration::from_millis(u64::from(frame.delay) * 10);
        self.end += if delay < SHORTEST_DELAY { DEFAULT_DELAY } else { delay };
        self.disposal = Some((frame.dispose, place));
        Ok(Some((&self.canvas, self.end)))
    }

    fn dispose(&mut self) {
        match self.disposal.take() {
            Some((DisposalMethod::Background, place)) => {
                rows(&mut self.canvas, place, self.size).for_each(|row| row.fill(0));
            }
            Some((DisposalMethod::Previous, _)) => {
                std::mem::swap(&mut self.canvas, &mut self.before);
            }
            _ => {}
        }
    }
}

/// Draws the pixels that are not transparent.
fn draw(frame: &[u8], place: Area, canvas: &mut [u8], size: Size) {
    let frame_rows = frame.chunks_exact((place.width * 4).max(1));
    for (into, from) in rows(canvas, place, size).zip(frame_rows) {
        for (into, from) in into.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<4>().0) {
            if from[3] != 0 {
                *into = *from;
            }
        }
    }
}

/// The part of each row of the canvas that lies within an area, which may reach beyond it.
fn rows(canvas: &mut [u8], place: Area, size: Size) -> impl Iterator<Item = &mut [u8]> {
    let width = size.0 as usize;
    let (from, to) = (place.left.min(width), (place.left + place.width).min(width));
    let rows = canvas.chunks_exact_mut((width * 4).max(1)).skip(place.top).take(place.height);
    rows.map(move |row| row.get_mut(from * 4..to * 4).unwrap_or_default())
}

fn damaged(error: DecodingError) -> Error {
    match error {
        DecodingError::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Error::truncated("the pixels of a GIF image")
        }
        error => Error::damaged(format!("GIF: {error}")),
    }
}
