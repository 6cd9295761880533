//! Every row key and index key, in one place. `docs/table.md` is the same in prose.

use model::{
    AlbumId, Email, FaceId, ImageId, LinkId, Month, PeopleEditId, PersonId, Sha256Hex, Subject,
    Tag, TimelineOrder, Timestamp, UserId, WorkKind,
};
use table::Key;

pub(crate) const METADATA: &str = "METADATA";

/// Parts a word from what follows it in an index. Words have no control characters, so
/// `sun` followed by anything sorts before `sunny`.
pub(crate) const WORD_END: char = '\u{1F}';
/// Stands in its place behind a whole tag, which so sorts before equal endings of others.
pub(crate) const WHOLE_TAG_END: char = '\u{1E}';

/// Partitions that the feed and the changes of one period are spread over.
pub(crate) const SHARDS: u8 = 4;

pub(crate) fn image_partition(image: ImageId) -> String {
    format!("IMAGE#{image}")
}

pub(crate) fn image(image: ImageId) -> Key {
    Key::new(image_partition(image), METADATA)
}

pub(crate) fn album_entry(image: ImageId, album: AlbumId) -> Key {
    Key::new(image_partition(image), format!("{ALBUM_ENTRIES}{album}"))
}

pub(crate) fn upload_parts(image: ImageId) -> Key {
    Key::new(image_partition(image), "UPLOAD")
}

pub(crate) const ALBUM_ENTRIES: &str = "ALBUM#";
/// Faces, in the partition of their image.
pub(crate) const FACES: &str = "FACE#";

pub(crate) fn face(image: ImageId, face: FaceId) -> Key {
    Key::new(image_partition(image), format!("{FACES}{face}"))
}

/// Says that an image was looked at for faces.
pub(crate) fn looked_at(image: ImageId) -> Key {
    Key::new(image_partition(image), "FACES")
}

/// Where all faces of a library are found, in the partition of its owner.
pub(crate) const OWNED_FACES: &str = "FACE#";

pub(crate) fn owned_face(image: ImageId, face: FaceId) -> String {
    format!("{OWNED_FACES}{image}#{face}")
}

/// Where a face stands that was a deleted person's.
pub(crate) const DELETED_FACES: &str = "DELETED#";

pub(crate) fn favourite(image: ImageId, user: UserId) -> Key {
    Key::new(image_partition(image), format!("{FAVOURITES}{user}"))
}

pub(crate) const FAVOURITES: &str = "FAVOURITE#";

pub(crate) fn favoured(at: Timestamp, image: ImageId) -> String {
    format!("{FAVOURITES}{at}#{image}")
}

/// Whose tags: one author's, or everyone's public ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagScope {
    /// One author's tags, public and private.
    Author(UserId),
    /// The public tags of everyone.
    Everyone,
}

impl TagScope {
    /// The author's id, or nothing.
    fn segment(self) -> String {
        match self {
            Self::Author(author) => author.to_string(),
            Self::Everyone => String::new(),
        }
    }
}

pub(crate) fn tag_entry(image: ImageId, scope: TagScope, value: &str) -> Key {
    Key::new(image_partition(image), format!("TAG#{}#{value}", scope.segment()))
}

pub(crate) fn tag_summary(image: ImageId, scope: TagScope) -> Key {
    Key::new(image_partition(image), format!("TAGS#{}", scope.segment()))
}

pub(crate) fn tag_words(scope: TagScope) -> String {
    format!("TAG#{}", scope.segment())
}

pub(crate) fn term_entry(image: ImageId, term: &str) -> Key {
    Key::new(image_partition(image), format!("{TERM_ENTRIES}{term}"))
}

/// What the keys of an image's words begin with, in its partition.
pub(crate) const TERM_ENTRIES: &str = "TERM#";

pub(crate) fn term_words(owner: UserId) -> String {
    format!("{SHARED_TERMS}{owner}")
}

/// Where the words of images are found that are shared with everybody.
pub(crate) const SHARED_TERMS: &str = "TERM#";

/// Something that is known of an image, as a word like those of its texts. It begins with a
/// character that no word has, so that no beginning of a word is one of a fact.
pub(crate) fn fact(kind: FactKind, value: &str) -> String {
    format!("{}{value}", kind.prefix())
}

/// What can be known of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FactKind {
    /// Its media type.
    Type,
    /// A word of what the camera is called.
    Camera,
    /// The month in which it was taken.
    Taken,
}

impl FactKind {
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Type => ":type:",
            Self::Camera => ":camera:",
            Self::Taken => ":taken:",
        }
    }
}

/// Entries of the words of an album's title or a person's name, in its partition.
pub(crate) const NAME_WORDS: &str = "TERM#";

pub(crate) fn album_word(album: AlbumId, word: &str) -> Key {
    Key::new(album_container(album), format!("{NAME_WORDS}{word}"))
}

pub(crate) fn album_words(owner: UserId) -> String {
    format!("ALBUMS#{owner}")
}

pub(crate) fn person_word(person: PersonId, word: &str) -> Key {
    Key::new(person_container(person), format!("{NAME_WORDS}{word}"))
}

pub(crate) fn person_words(owner: UserId) -> String {
    format!("PERSONS#{owner}")
}

pub(crate) fn album(album: AlbumId) -> Key {
    Key::new(format!("ALBUM#{album}"), METADATA)
}

pub(crate) fn album_container(album: AlbumId) -> String {
    format!("ALBUM#{album}")
}

pub(crate) const ALBUM_MEMBERS: &str = "MEMBER#";

pub(crate) fn album_member(album: AlbumId, user: UserId) -> Key {
    Key::new(album_container(album), format!("{ALBUM_MEMBERS}{user}"))
}

/// Where the albums a user is a member of are found, in the partition of the user.
pub(crate) const MEMBERSHIPS: &str = "MEMBER#";

pub(crate) fn membership(album: AlbumId) -> String {
    format!("{MEMBERSHIPS}{album}")
}

/// Says that somebody has put images into an album of somebody else.
pub(crate) fn contributor(album: AlbumId, user: UserId) -> Key {
    Key::new(album_container(album), format!("CONTRIBUTOR#{user}"))
}

/// Where contributions are found, in the partition of the album's owner and of the contributor.
pub(crate) const CONTRIBUTIONS: &str = "CONTRIBUTED#";

pub(crate) fn contribution(album: AlbumId, user: UserId) -> String {
    format!("{CONTRIBUTIONS}{album}#{user}")
}

/// The album and the contributor of such a place.
pub(crate) fn contribution_of(place: &str) -> Option<(AlbumId, UserId)> {
    let (album, user) = place.strip_prefix(CONTRIBUTIONS)?.split_once('#')?;
    Some((album.parse().ok()?, user.parse().ok()?))
}

/// Counts what changes about the faces of a user's library.
pub(crate) fn library(owner: UserId) -> Key {
    Key::new(user_partition(owner), "PEOPLE")
}

/// Persons of a library that may be the same.
pub(crate) fn likenesses(owner: UserId) -> Key {
    Key::new(user_partition(owner), "LIKENESSES")
}

/// What was decided about the persons of a library.
pub(crate) const PEOPLE_EDITS: &str = "EDIT#";

pub(crate) fn people_edit(owner: UserId, edit: PeopleEditId) -> Key {
    Key::new(user_partition(owner), format!("{PEOPLE_EDITS}{edit}"))
}

/// Where the persons that are a user are found, whoever's library they are in.
pub(crate) const SELVES: &str = "PERSON#";

/// Counts the changes of how a user's albums are nested.
pub(crate) fn album_tree(owner: UserId) -> Key {
    Key::new(user_partition(owner), "ALBUMS")
}

pub(crate) fn person(person: PersonId) -> Key {
    Key::new(format!("PERSON#{person}"), METADATA)
}

pub(crate) fn person_container(person: PersonId) -> String {
    format!("PERSON#{person}")
}

pub(crate) fn user_partition(user: UserId) -> String {
    format!("USER#{user}")
}

pub(crate) fn profile(user: UserId) -> Key {
    Key::new(user_partition(user), "PROFILE")
}

pub(crate) fn limit(user: UserId) -> Key {
    Key::new(user_partition(user), "LIMIT")
}

pub(crate) fn sha256(user: UserId, sha256: &Sha256Hex) -> Key {
    Key::new(user_partition(user), format!("SHA256#{sha256}"))
}

pub(crate) const API_KEYS: &str = "KEY#";

pub(crate) fn api_key(user: UserId, hash: &Sha256Hex) -> Key {
    Key::new(user_partition(user), format!("{API_KEYS}{hash}"))
}

pub(crate) fn password(user: UserId) -> Key {
    Key::new(user_partition(user), "PASSWORD")
}

pub(crate) const SESSIONS: &str = "SESSION#";

pub(crate) fn session(user: UserId, hash: &Sha256Hex) -> Key {
    Key::new(user_partition(user), format!("{SESSIONS}{hash}"))
}

pub(crate) const IDENTITIES: &str = "IDENTITY#";

/// In the user's partition, so that the row below is found from there.
pub(crate) fn identity_of(user: UserId, hash: &Sha256Hex) -> Key {
    Key::new(user_partition(user), format!("{IDENTITIES}{hash}"))
}

pub(crate) fn identity(hash: &Sha256Hex) -> Key {
    Key::new(format!("{IDENTITIES}{hash}"), "IDENTITY")
}

pub(crate) const PASSKEYS: &str = "PASSKEY#";

/// In the user's partition, with all that is known of it.
pub(crate) fn passkey_of(user: UserId, hash: &Sha256Hex) -> Key {
    Key::new(user_partition(user), format!("{PASSKEYS}{hash}"))
}

/// Says whose passkey it is.
pub(crate) fn passkey(hash: &Sha256Hex) -> Key {
    Key::new(format!("{PASSKEYS}{hash}"), "PASSKEY")
}

/// Counts a user's passkeys.
pub(crate) fn passkey_count(user: UserId) -> Key {
    Key::new(user_partition(user), "PASSKEYS")
}

/// A challenge to a user, who is known, or to somebody who wants to sign in.
pub(crate) fn challenge(user: Option<UserId>, hash: &Sha256Hex) -> Key {
    match user {
        Some(user) => Key::new(user_partition(user), format!("CHALLENGE#{hash}")),
        None => Key::new(format!("CHALLENGE#{hash}"), "CHALLENGE"),
    }
}

pub(crate) fn invitation(hash: &Sha256Hex) -> Key {
    Key::new(format!("INVITATION#{hash}"), "INVITATION")
}

pub(crate) fn set_up() -> Key {
    Key::new("SETUP", "SETUP")
}

/// How far gone words were taken out.
pub(crate) fn gone_words() -> Key {
    Key::new("GONEWORDS", "GONEWORDS")
}

pub(crate) fn attempts(of: &Sha256Hex) -> Key {
    Key::new(format!("ATTEMPTS#{of}"), "ATTEMPTS")
}

pub(crate) const LINKS: &str = "LINK#";

pub(crate) fn link(link: LinkId) -> Key {
    Key::new(format!("{LINKS}{link}"), METADATA)
}

/// Names a link in the partition of its owner, or of what it shows.
pub(crate) fn link_name(partition: String, link: LinkId) -> Key {
    Key::new(partition, format!("{LINKS}{link}"))
}

pub(crate) fn idempotency(user: UserId, key: &str) -> Key {
    Key::new(user_partition(user), format!("IDEMPOTENCY#{key}"))
}

/// Says which image has the bytes of an upload that were there already.
pub(crate) fn duplicate_upload(user: UserId, upload: ImageId) -> Key {
    Key::new(user_partition(user), format!("DUPLICATE#{upload}"))
}

/// Where the months of a user's timelines are counted.
pub(crate) fn timeline(user: UserId) -> String {
    format!("TIMELINE#{user}")
}

/// Says that every image of the user is counted.
pub(crate) const TIMELINE_READY: &str = "READY";

pub(crate) fn timeline_ready(user: UserId) -> Key {
    Key::new(timeline(user), TIMELINE_READY)
}

pub(crate) fn timeline_month(user: UserId, at: Timestamp) -> Key {
    Key::new(timeline(user), month_of(at))
}

/// Where the hours of a month are counted.
pub(crate) fn timeline_hours(user: UserId, month: Month) -> String {
    format!("TIMELINE#{user}#{month}")
}

pub(crate) const HOURS: &str = "HOUR#";

pub(crate) fn timeline_hour(user: UserId, at: Timestamp) -> Key {
    let hour = hour_text(at);
    let in_month = hour.get(8..).unwrap_or_default();
    Key::new(timeline_hours(user, Month::of(at)), format!("{HOURS}{in_month}"))
}

pub(crate) fn is_hour(key: &Key) -> bool {
    key.sk.starts_with(HOURS)
}

/// When the hour of such a row begins.
pub(crate) fn start_of_hour(month: Month, sk: &str) -> Option<Timestamp> {
    let in_month = sk.strip_prefix(HOURS)?;
    format!("{month}-{in_month}:00:00.000Z").parse().ok()
}

/// What was made of a month, in parts.
pub(crate) fn saved_month(user: UserId, month: Month, order: TimelineOrder, part: usize) -> Key {
    Key::new(timeline_hours(user, month), format!("{}{part:04}", saved_parts(order)))
}

pub(crate) fn saved_parts(order: TimelineOrder) -> String {
    format!("SKELETON#{order}#")
}

pub(crate) fn email(email: &Email) -> Key {
    Key::new(format!("EMAIL#{email}"), "EMAIL")
}

pub(crate) fn external(source: &str, unique_id: &str) -> Key {
    Key::new(format!("EXTERNAL#{source}#{unique_id}"), "EXTERNAL")
}

pub(crate) fn counter(name: &str) -> Key {
    Key::new(format!("COUNTER#{name}"), "COUNTER")
}

pub(crate) fn secret(name: &str) -> Key {
    Key::new(format!("SECRET#{name}"), "SECRET")
}

pub(crate) fn work(subject: Subject, kind: WorkKind) -> Key {
    let partition = match subject {
        Subject::Image(image) => image_partition(image),
        Subject::User(user) => user_partition(user),
    };
    Key::new(partition, format!("WORK#{kind}"))
}

pub(crate) fn waiting_work(kind: WorkKind) -> String {
    format!("WORK#{kind}")
}

pub(crate) fn dead_work(kind: WorkKind) -> String {
    format!("DEAD#{kind}")
}

/// The order of images everywhere: by upload, then by id where that is equal.
pub(crate) fn uploaded(at: Timestamp, image: ImageId) -> String {
    format!("{UPLOADED}{at}#{image}")
}

/// The same behind a word.
pub(crate) fn position(at: Timestamp, image: ImageId) -> String {
    format!("{at}#{image}")
}

/// The order of an album, or of all images of a user, by when they were taken.
pub(crate) fn taken(at: Timestamp, image: ImageId) -> String {
    format!("{TAKEN}{at}#{image}")
}

/// The order of an album by hand. `#` sorts before all digits, so a rank sorts before those that
/// begin with it.
pub(crate) fn by_hand(rank: &str, image: ImageId) -> String {
    format!("{BY_HAND}{rank}#{image}")
}

/// The rank in a place by hand.
pub(crate) fn rank_of(place: &str) -> Option<&str> {
    place.strip_prefix(BY_HAND)?.split('#').next()
}

pub(crate) const TAKEN: &str = "TAKEN#";
pub(crate) const BY_HAND: &str = "HAND#";

pub(crate) fn trashed(at: Timestamp, image: ImageId) -> String {
    format!("{TRASHED}{at}#{image}")
}

pub(crate) const UPLOADED: &str = "UPLOADED#";
pub(crate) const TRASHED: &str = "TRASHED#";
pub(crate) const OWNED_ALBUMS: &str = "ALBUM#";
pub(crate) const OWNED_PERSONS: &str = "PERSON#";

pub(crate) fn owned_album(album: AlbumId) -> String {
    format!("{OWNED_ALBUMS}{album}")
}

/// Padded, so that person10 comes after person9.
pub(crate) fn owned_person(person: PersonId) -> String {
    format!("{OWNED_PERSONS}{:020}", person.number())
}

pub(crate) const USERS: &str = "USERS";
pub(crate) const LIMITS: &str = "LIMITS";
pub(crate) const INVITATIONS: &str = "INVITATIONS";

pub(crate) fn invited(at: Timestamp, hash: &Sha256Hex) -> String {
    format!("{at}#{hash}")
}

pub(crate) const FEED_MONTHS: &str = "FEED";

pub(crate) fn feed_month(month: &str) -> Key {
    Key::new(FEED_MONTHS, month)
}

pub(crate) fn feed(month: &str, shard: u8) -> String {
    format!("FEED#{month}#{shard}")
}

pub(crate) fn changes(day: &str, shard: u8) -> String {
    format!("CHANGE#{day}#{shard}")
}

/// `2026-05`.
pub(crate) fn month_of(at: Timestamp) -> String {
    at.to_string().chars().take(7).collect()
}

/// `2026-05-01`.
pub(crate) fn day_of(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

/// `2026-05-01T09`, with which every moment of the hour begins.
pub(crate) fn hour_text(at: Timestamp) -> String {
    at.to_string().chars().take(13).collect()
}

/// Spreads ids evenly; their last character is random.
pub(crate) fn shard_of(id: &impl ToString) -> u8 {
    id.to_string().bytes().last().unwrap_or_default() % SHARDS
}

pub(crate) fn word_place(word: &str, rest: &str) -> String {
    format!("{word}{WORD_END}{rest}")
}

/// The tag or term of an index key.
pub(crate) fn word_of(place: &str) -> Option<&str> {
    split_word(place).map(|(word, _)| word)
}

/// The tag or term of an index key, and what follows it.
pub(crate) fn split_word(place: &str) -> Option<(&str, &str)> {
    place.split_once([WHOLE_TAG_END, WORD_END])
}

pub(crate) fn tag_place(value: &str, is_whole: bool, position: &str) -> String {
    let end = if is_whole { WHOLE_TAG_END } else { WORD_END };
    format!("{value}{end}{position}")
}

/// Every tag whose text is exactly this one.
pub(crate) fn exactly(tag: &Tag) -> String {
    format!("{tag}{WHOLE_TAG_END}")
}

/// Every entry of a word sorts before this, and every longer word behind it.
pub(crate) fn behind_word(word: &str) -> String {
    format!("{word} ")
}
