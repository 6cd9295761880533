//! Taking out what changes of texts have left in the indexes.

use catalog::Looked;

use crate::{Result, Service};

impl Service {
    /// Takes out entries of words that images have not had for an hour; how many.
    ///
    /// # Errors
    /// When the table cannot be used; some may be taken out then.
    pub async fn remove_gone_words(&self) -> Result<usize> {
        let mut removed = 0;
        loop {
            match self.catalog().remove_gone_words(self.now()).await? {
                Looked::OnTheWay(more) => removed += more,
                Looked::ToTheEnd(last) => return Ok(removed + last),
                Looked::NotAlone => return Ok(removed),
            }
        }
    }
}
