//! Page keys as clients hold them: signed and hidden, and good for one caller and one list only.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use catalog::Cursor;
use model::UserId;

use crate::secret::{Purpose, same};
use crate::{Error, Result, Service};

/// Bytes of a signature: nobody guesses 128 bits, and a URL stays short.
const SIGNATURE_BYTES: usize = 16;

/// Bytes hidden at once.
const BLOCK_BYTES: usize = 32;

impl Service {
    /// A page key for a client. `list` names the list and everything that decides what is in it
    /// and in which order, such as `images?order=newest`.
    ///
    /// It is hidden, too: the place where a page ends may be that of an image that the caller may
    /// not see, or tell when one was taken.
    pub fn seal_cursor(&self, user: UserId, list: &str, cursor: &Cursor) -> String {
        let signature = self.signature(user, list, cursor.as_str());
        let mut sealed = signature.to_vec();
        sealed.extend(self.hide(signature, cursor.as_str().as_bytes()));
        URL_SAFE_NO_PAD.encode(sealed)
    }

    /// The page key that [`seal_cursor`](Self::seal_cursor) has sealed.
    ///
    /// # Errors
    /// [`Error::BadCursor`] if it was made up, or for another user or list.
    pub fn open_cursor(&self, user: UserId, list: &str, sealed: &str) -> Result<Cursor> {
        let sealed = URL_SAFE_NO_PAD.decode(sealed).map_err(|_| Error::BadCursor)?;
        let (signature, hidden) = sealed.split_first_chunk().ok_or(Error::BadCursor)?;
        let place =
            String::from_utf8(self.hide(*signature, hidden)).map_err(|_| Error::BadCursor)?;
        match same(signature, &self.signature(user, list, &place)) {
            true => Ok(Cursor::from_text(place)),
            false => Err(Error::BadCursor),
        }
    }

    /// Hides a place, or shows it again: mixed with what nobody knows who has not the secret, and
    /// what differs for every signature, and so for every place.
    fn hide(&self, signature: [u8; SIGNATURE_BYTES], place: &[u8]) -> Vec<u8> {
        let blocks = place.chunks(BLOCK_BYTES).zip(0_u64..).flat_map(|(block, number)| {
            let parts: [&[u8]; 3] = [b"hidden", &signature, &number.to_be_bytes()];
            let unknown = self.secret().sign(Purpose::Cursors, &parts);
            block.iter().zip(unknown).map(|(byte, unknown)| byte ^ unknown).collect::<Vec<u8>>()
        });
        blocks.collect()
    }

    /// The same for any text that says where a list goes on.
    pub(crate) fn seal_place(&self, user: UserId, list: &str, place: &str) -> String {
        format!("{place}.{}", URL_SAFE_NO_PAD.encode(self.signature(user, list, place)))
    }

    pub(crate) fn open_place<'a>(
        &self,
        user: UserId,
        list: &str,
        sealed: &'a str,
    ) -> Result<&'a str> {
        let (place, signature) = sealed.rsplit_once('.').ok_or(Error::BadCursor)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| Error::BadCursor)?;
        if same(&signature, &self.signature(user, list, place)) {
            Ok(place)
        } else {
            Err(Error::BadCursor)
        }
    }

    fn signature(&self, user: UserId, list: &str, place: &str) -> [u8; SIGNATURE_BYTES] {
        let user = user.to_string();
        let parts = [user.as_bytes(), list.as_bytes(), place.as_bytes()];
        let signature = self.secret().sign(Purpose::Cursors, &parts);
        let mut short = [0; SIGNATURE_BYTES];
        short.iter_mut().zip(signature).for_each(|(short, byte)| *short = byte);
        short
    }
}
