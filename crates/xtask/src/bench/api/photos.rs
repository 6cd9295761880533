//! The photos that are uploaded.

use testkit::photos::take;

use crate::Outcome;
use crate::plan::Plan;
use crate::shared::photo_file::jpeg_file;

const EXIF_UPRIGHT: u8 = 1;

/// JPEG files as a camera writes them. Each is handed out any number of times, and never twice
/// with the same bytes: whoever knows a photo by its bytes has not seen it before.
pub struct Photos {
    files: Vec<Vec<u8>>,
    handed_out: usize,
}

impl Photos {
    pub fn take(plan: &Plan, (width, height): (usize, usize)) -> Outcome<Self> {
        let photos = (0..plan.photos as u64).map(|number| take(plan.seed + number, width, height));
        let files = photos.map(|photo| jpeg_file(&photo, EXIF_UPRIGHT)).collect::<Outcome<_>>()?;
        Ok(Self { files, handed_out: 0 })
    }

    /// The next photos.
    pub fn next(&mut self, count: usize) -> Outcome<Vec<Vec<u8>>> {
        (0..count).map(|_| self.next_one()).collect()
    }

    pub fn mean_bytes(&self) -> u64 {
        self.files.iter().map(Vec::len).sum::<usize>() as u64 / self.files.len().max(1) as u64
    }

    fn next_one(&mut self) -> Outcome<Vec<u8>> {
        let number = self.handed_out;
        self.handed_out += 1;
        let file = self.files.get(number % self.files.len().max(1)).ok_or("there are no photos")?;
        // A comment between the camera's segment, which is the first, and the rest.
        let length = file.get(4..6).ok_or("a photo without segments")?;
        let length = length.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
        let (start, rest) = file.split_at_checked(4 + length).ok_or("a photo that is cut off")?;
        let comment = format!("photo {number:08}");
        let comment_length = u16::try_from(comment.len() + 2)?.to_be_bytes();
        Ok([start, &[0xFF, 0xFE], &comment_length, comment.as_bytes(), rest].concat())
    }
}
