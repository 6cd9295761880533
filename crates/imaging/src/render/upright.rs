//! Turning pictures upright. Cheap, since it is done once they are small.

mod bytes;

use self::bytes::swap_sides;
use crate::Orientation;
use crate::picture::{Buffers, Picture, Pixels, Plane, Size, Ycc};

/// The picture as it is seen.
pub(crate) fn upright(
    picture: Picture,
    orientation: Orientation,
    buffers: &mut Buffers,
) -> Picture {
    if orientation == Orientation::Upright {
        return picture;
    }
    match picture {
        Picture::Pixels(pixels) => {
            let mut data = buffers.take(pixels.data.len());
            let channels = pixels.channels;
            match channels.count() {
                1 => turn::<1>(&pixels.data, pixels.size, orientation, &mut data),
                2 => turn::<2>(&pixels.data, pixels.size, orientation, &mut data),
                3 => turn::<3>(&pixels.data, pixels.size, orientation, &mut data),
                _ => turn::<4>(&pixels.data, pixels.size, orientation, &mut data),
            }
            let size = orientation.apply_to_size(pixels.size);
            buffers.give(pixels.data);
            Picture::Pixels(Pixels { size, channels, data })
        }
        Picture::Ycc(ycc) => {
            let size = orientation.apply_to_size(ycc.size);
            let step = orientation.apply_to_size(ycc.step);
            let data = buffers.take(Ycc::bytes(size, step));
            let mut turned = Ycc { size, step, coding: ycc.coding, data };
            turn_planes(&ycc, orientation, &mut turned);
            buffers.give(ycc.data);
            Picture::Ycc(turned)
        }
    }
}

/// Planes whose luma is padded are turned with the padding, then moved so that it is at the end
/// again.
fn turn_planes(from: &Ycc, orientation: Orientation, into: &mut Ycc) {
    let size = into.size;
    let (planes, [luma, _]) = into.planes_mut();
    let stride = luma.0 as usize;
    let [y, cb, cr] = from.planes();
    let [y_out, cb_out, cr_out] = planes;
    for (plane, out) in [(y, &mut *y_out), (cb, cb_out), (cr, cr_out)] {
        if orientation.swaps_sides() {
            swap_sides(plane.data, (plane.stride, plane.rows), flips(orientation), out);
        } else {
            turn::<1>(plane.data, plane_size(plane), orientation, out);
        }
    }
    // What was on the right or at the bottom may now be on the left or at the top.
    let (flips_x, flips_y) = flips(orientation);
    let skip_x = if flips_x { (luma.0 - size.0) as usize } else { 0 };
    let skip_y = if flips_y { (luma.1 - size.1) as usize } else { 0 };
    if skip_x + skip_y > 0 {
        y_out.copy_within((skip_y * stride + skip_x).min(y_out.len()).., 0);
    }
    into.pad(into.chroma_size());
}

fn plane_size(plane: Plane<'_>) -> Size {
    (plane.stride as u32, plane.rows as u32)
}

/// Whether the result is filled from the right and from the bottom.
fn flips(orientation: Orientation) -> (bool, bool) {
    match orientation {
        Orientation::Upright | Orientation::Transpose => (false, false),
        Orientation::FlipHorizontal | Orientation::Rotate90 => (true, false),
        Orientation::Rotate180 | Orientation::Transverse => (true, true),
        Orientation::FlipVertical | Orientation::Rotate270 => (false, true),
    }
}

fn turn<const N: usize>(from: &[u8], size: Size, orientation: Orientation, into: &mut [u8]) {
    let from = from.as_chunks::<N>().0;
    let into = into.as_chunks_mut::<N>().0;
    let (width, height) = (size.0 as usize, size.1 as usize);
    let turned = orientation.apply_to_size(size).0 as usize;
    let (flips_x, flips_y) = flips(orientation);
    if !orientation.swaps_sides() {
        for (y, row) in from.chunks_exact(width.max(1)).enumerate() {
            let y = if flips_y { height - 1 - y } else { y };
            let Some(out) = into.get_mut(y * width..(y + 1) * width) else { return };
            out.copy_from_slice(row);
            if flips_x {
                out.reverse();
            }
        }
        return;
    }
    // Blocks of rows that become columns, so that what is read stays in the cache.
    const BLOCK: usize = 32;
    for block in (0..height).step_by(BLOCK) {
        let count = BLOCK.min(height - block);
        let first = if flips_x { height - block - count } else { block };
        for (x, out) in into.chunks_exact_mut(turned.max(1)).enumerate() {
            let x = if flips_y { width - 1 - x } else { x };
            let out = out.get_mut(first..first + count).unwrap_or_default();
            let column = from.get(block * width + x..).unwrap_or_default().iter().step_by(width);
            if flips_x {
                out.iter_mut().rev().zip(column).for_each(|(out, pixel)| *out = *pixel);
            } else {
                out.iter_mut().zip(column).for_each(|(out, pixel)| *out = *pixel);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Channels, Coding};

    /// A picture of 2 × 3 pixels, numbered by rows.
    fn turned(orientation: Orientation) -> Vec<u8> {
        let data = vec![1, 2, 3, 4, 5, 6].into();
        let picture = Picture::Pixels(Pixels { size: (2, 3), channels: Channels::Gray, data });
        upright(picture, orientation, &mut Buffers::default()).into_buffer().to_vec()
    }

    #[test]
    fn pictures_are_turned_as_exif_says() {
        assert_eq!(turned(Orientation::Upright), [1, 2, 3, 4, 5, 6]);
        assert_eq!(turned(Orientation::FlipHorizontal), [2, 1, 4, 3, 6, 5]);
        assert_eq!(turned(Orientation::Rotate180), [6, 5, 4, 3, 2, 1]);
        assert_eq!(turned(Orientation::FlipVertical), [5, 6, 3, 4, 1, 2]);
        assert_eq!(turned(Orientation::Transpose), [1, 3, 5, 2, 4, 6]);
        assert_eq!(turned(Orientation::Rotate90), [5, 3, 1, 6, 4, 2]);
        assert_eq!(turned(Orientation::Transverse), [6, 4, 2, 5, 3, 1]);
        assert_eq!(turned(Orientation::Rotate270), [2, 4, 6, 1, 3, 5]);
    }

    #[test]
    fn padding_is_at_the_end_after_turning() {
        // 3 × 1 pixels, padded to 4 × 2.
        let data = vec![1, 2, 3, 3, 1, 2, 3, 3, 10, 20, 30, 40].into();
        let ycc = Ycc { size: (3, 1), step: (2, 2), coding: Coding::JPEG, data };
        let turned = upright(Picture::Ycc(ycc), Orientation::Rotate180, &mut Buffers::default());
        assert_eq!(turned.into_buffer().to_vec(), [3, 2, 1, 1, 3, 2, 1, 1, 20, 10, 40, 30]);
    }
}
