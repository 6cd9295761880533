//! Page keys as clients hold them: signed, and good for one caller and one list only.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use catalog::Cursor;
use model::UserId;

use crate::secret::{Purpose, same};
use crate::{Error, Result, Service};

/// Bytes of a signature: nobody guesses 128 bits, and a URL stays short.
const SIGNATURE_BYTES: usize = 16;

impl Service {
    /// A page key for a client. `list` names the list and everything that decides what is in it
    /// and in which order, such as `images?order=newest`.
    pub fn seal_cursor(&self, user: UserId, list: &str, cursor: &Cursor) -> String {
        self.seal_place(user, list, cursor.as_str())
    }

    /// The page key that [`seal_cursor`](Self::seal_cursor) has sealed.
    ///
    /// # Errors
    /// [`Error::BadCursor`] if it was made up, or for another user or list.
    pub fn open_cursor(&self, user: UserId, list: &str, sealed: &str) -> Result<Cursor> {
        Ok(Cursor::from_text(self.open_place(user, list, sealed)?))
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
