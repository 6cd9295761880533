//! What a browser keeps for us while it is at an identity provider.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::Service;
use crate::secret::{Purpose, same};

impl Service {
    /// A text that a browser may keep but not change.
    pub fn seal_login(&self, text: &str) -> String {
        let signature = self.secret().sign(Purpose::Logins, &[text.as_bytes()]);
        format!("{}.{}", URL_SAFE_NO_PAD.encode(text), URL_SAFE_NO_PAD.encode(signature))
    }

    /// The text that [`seal_login`](Self::seal_login) has sealed, on whichever server.
    pub fn open_login(&self, sealed: &str) -> Option<String> {
        let (text, signature) = sealed.split_once('.')?;
        let text = URL_SAFE_NO_PAD.decode(text).ok()?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        let is_ours = same(&signature, &self.secret().sign(Purpose::Logins, &[&text]));
        if is_ours { String::from_utf8(text).ok() } else { None }
    }
}
