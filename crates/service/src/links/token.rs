//! What proves a link: its id, and a signature of the id that only we can make.
//!
//! It can be made again at any time, so that owners can copy a link whenever they like, and it is
//! in no row. What was made up is refused without a look at the table.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::LinkId;

use crate::secret::{Purpose, same};
use crate::{Service, Token};

/// Nobody guesses 128 bits.
const PROOF_BYTES: usize = 16;
/// Characters of an id.
const ID_CHARS: usize = 26;

impl Service {
    pub(super) fn link_token(&self, link: LinkId) -> Token {
        Token::of_link(format!("{link}{}", URL_SAFE_NO_PAD.encode(self.link_proof(link))))
    }

    /// The link that a token proves.
    pub(super) fn proven_link(&self, token: &str) -> Option<LinkId> {
        let (id, proof) = token.split_at_checked(ID_CHARS)?;
        let id: LinkId = id.parse().ok()?;
        let proof = URL_SAFE_NO_PAD.decode(proof).ok()?;
        same(&proof, &self.link_proof(id)).then_some(id)
    }

    fn link_proof(&self, link: LinkId) -> [u8; PROOF_BYTES] {
        let signed = self.secret().sign(Purpose::Links, &[b"link", link.to_string().as_bytes()]);
        let mut proof = [0; PROOF_BYTES];
        proof.iter_mut().zip(signed).for_each(|(short, byte)| *short = byte);
        proof
    }
}
