//! Pictures put together from tiles of planes, one after the other, so that no more than one of
//! them is held beside the result.

use crate::Error;
use crate::picture::{Buffer, Buffers, Channels, Coding, Picture, Pixels, Size, Ycc, area};

/// What is being put together, and how its tiles lie.
pub(super) struct Canvas {
    picture: Picture,
    tile: Size,
    columns: usize,
}

/// Where a plane of a tile goes.
pub(super) struct Place<'a> {
    plane: &'a mut [u8],
    stride: usize,
    left: usize,
    top: usize,
    /// Bytes from one sample to the next.
    step: usize,
}

impl Canvas {
    /// A canvas of planes.
    pub(super) fn planes(
        (size, tile, columns): (Size, Size, usize),
        step: Size,
        coding: Coding,
        buffers: &mut Buffers,
    ) -> Result<Self, Error> {
        let whole = |tile: u32, all: u32, step: u32| tile.is_multiple_of(step) || tile >= all;
        if !whole(tile.0, size.0, step.0) || !whole(tile.1, size.1, step.1) {
            return Err(Error::unsupported("a picture in tiles that share samples of colour"));
        }
        let data = buffers.take(Ycc::bytes(size, step));
        let picture = Picture::Ycc(Ycc { size, step, coding, data });
        Ok(Self { picture, tile, columns })
    }

    /// A canvas of interleaved channels.
    pub(super) fn pixels(
        (size, tile, columns): (Size, Size, usize),
        channels: Channels,
        buffers: &mut Buffers,
    ) -> Self {
        let data = buffers.take(area(size) * channels.count());
        let picture = Picture::Pixels(Pixels { size, channels, data });
        Self { picture, tile, columns }
    }

    /// Where planes of a tile go, as many as there are.
    pub(super) fn places(&mut self, index: usize) -> Vec<Place<'_>> {
        let column = index % self.columns.max(1);
        let row = index / self.columns.max(1);
        let left = column * self.tile.0 as usize;
        let top = row * self.tile.1 as usize;
        match &mut self.picture {
            Picture::Pixels(pixels) => {
                let step = pixels.channels.count();
                let stride = pixels.size.0 as usize * step;
                vec![Place { plane: &mut pixels.data, stride, left: left * step, top, step }]
            }
            Picture::Ycc(ycc) => {
                let steps = (ycc.step.0.max(1) as usize, ycc.step.1.max(1) as usize);
                let (planes, [luma, chroma]) = ycc.planes_mut();
                let sizes = [(luma, (1, 1)), (chroma, steps), (chroma, steps)];
                let place = |(plane, (size, by)): (_, (Size, (usize, usize)))| Place {
                    plane,
                    stride: size.0 as usize,
                    left: left / by.0,
                    top: top / by.1,
                    step: 1,
                };
                planes.into_iter().zip(sizes).map(place).collect()
            }
        }
    }

    /// The whole.
    pub(super) fn finish(self) -> Picture {
        match self.picture {
            Picture::Ycc(mut ycc) => {
                let chroma = ycc.chroma_size();
                ycc.pad(chroma);
                Picture::Ycc(ycc)
            }
            pixels @ Picture::Pixels(_) => pixels,
        }
    }

    /// The only plane of a canvas of one channel.
    pub(super) fn into_plane(self) -> Buffer {
        self.picture.into_buffer()
    }
}

impl Place<'_> {
    /// Fills in rows of samples, of which those beyond the canvas are left out. `channel` is which
    /// of several channels side by side they are.
    pub(super) fn fill<'r, S: Copy + 'r>(
        &mut self,
        rows: impl Iterator<Item = &'r [S]>,
        channel: usize,
        narrow: impl Fn(S) -> u8,
    ) {
        let (left, step) = (self.left, self.step.max(1));
        let lines = self.plane.chunks_exact_mut(self.stride.max(1)).skip(self.top);
        for (line, row) in lines.zip(rows) {
            let line = line.get_mut(left..).unwrap_or_default();
            let into = line.iter_mut().skip(channel).step_by(step);
            into.zip(row).for_each(|(into, sample)| *into = narrow(*sample));
        }
    }
}
