use serde::{Deserialize, Serialize};

use crate::limits::SEARCH_CHARS_MAX;
use crate::text::{clean, text_type};
use crate::{AlbumId, ImageId, LinkId, PasswordHash, Timestamp, Title, UserId};

/// A link by which its owner shows something to people without an account. What proves it is not
/// kept here: it can be made from the id by whoever has the secret of the installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The link's id.
    pub id: LinkId,
    /// Who shows something.
    pub owner: UserId,
    /// What is shown.
    #[serde(flatten)]
    pub target: LinkTarget,
    /// What it is called; otherwise by what it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// What must be known to look at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<PasswordHash>,
    /// What may be taken away.
    #[serde(default)]
    pub download: LinkDownload,
    /// When it ends, if ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// How often it was opened.
    #[serde(default)]
    pub view_count: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// When it is forgotten, in seconds since 1970: some time after its end, until which its owner
    /// can let it begin again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl: Option<i64>,
    /// Counts the changes, for optimistic locking. Being opened is none.
    pub version: i64,
}

impl Link {
    /// Whether it has ended.
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

/// What a link shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LinkTarget {
    /// One image of its owner.
    Image(ImageId),
    /// An album of its owner, without those nested in it.
    Album(AlbumId),
    /// Whatever of its owner's images is found by this now.
    Search(SearchText),
}

/// What guests may take away, beside what they see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LinkDownload {
    /// Nothing.
    Off,
    /// Renditions, which tell nothing of where and by what they were taken.
    #[default]
    Renditions,
    /// Originals, with all that the camera wrote into them.
    Originals,
}

text_type!(
    /// What somebody searches for, as they typed it.
    SearchText,
    |text| clean(text, "a search", SEARCH_CHARS_MAX, false)
);

#[cfg(test)]
mod tests {
    use super::*;

    fn link(target: LinkTarget) -> Link {
        let now = Timestamp::from_millis(1_754_040_262_159);
        Link {
            id: LinkId::new(now, 1),
            owner: UserId::new(now, 2),
            target,
            title: None,
            password: None,
            download: LinkDownload::default(),
            expires_at: None,
            view_count: 0,
            created_at: now,
            updated_at: now,
            ttl: None,
            version: 1,
        }
    }

    #[test]
    fn a_link_reads_back_whatever_it_shows() {
        let now = Timestamp::from_millis(1);
        for target in [
            LinkTarget::Image(ImageId::new(now, 3)),
            LinkTarget::Album(AlbumId::new(now, 4)),
            LinkTarget::Search("tag:sun".parse().unwrap()),
        ] {
            let link = link(target);
            let json = serde_json::to_string(&link).unwrap();
            assert_eq!(serde_json::from_str::<Link>(&json).unwrap(), link, "{json}");
        }
    }

    #[test]
    fn a_link_ends_at_its_moment() {
        let mut link = link(LinkTarget::Search("sun".parse().unwrap()));
        let end = Timestamp::from_millis(1000);
        assert!(!link.has_ended(end));
        link.expires_at = Some(end);
        assert!(!link.has_ended(Timestamp::from_millis(999)) && link.has_ended(end));
    }
}
