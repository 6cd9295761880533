//! Limits of what users may send. Each is checked where a value is made, once.

/// Characters of a title.
pub const TITLE_CHARS_MAX: usize = 255;
/// Characters of a description.
pub const DESCRIPTION_CHARS_MAX: usize = 5000;
/// Characters of an alternative text.
pub const ALT_TEXT_CHARS_MAX: usize = 255;
/// Characters of an original filename.
pub const FILENAME_CHARS_MAX: usize = 255;
/// Characters of one tag.
pub const TAG_CHARS_MAX: usize = 50;
/// Tags the owner of an image may set on it.
pub const TAGS_BY_OWNER_MAX: usize = 20;
/// Tags any other author may set on an image.
pub const TAGS_BY_AUTHOR_MAX: usize = 10;
/// Different public tags an image may have, of all authors together.
pub const PUBLIC_TAGS_MAX: usize = 1000;
/// Characters of a name shown for a user or person.
pub const NAME_CHARS_MAX: usize = 255;
/// Bytes of an e-mail address, as mail systems take them.
pub const EMAIL_BYTES_MAX: usize = 254;
/// Characters of a password at least.
pub const PASSWORD_CHARS_MIN: usize = 10;
/// Bytes of a password at most.
pub const PASSWORD_BYTES_MAX: usize = 1024;
/// Characters of a search term; longer words are found by their beginning.
pub const TERM_CHARS_MAX: usize = 64;
/// Characters of a search.
pub const SEARCH_CHARS_MAX: usize = 500;
/// Tests in a search.
pub const SEARCH_TESTS_MAX: usize = 20;
/// Characters of an id that another system has given.
pub const EXTERNAL_ID_CHARS_MAX: usize = 200;
/// Albums that an image may be in. Whoever asks for an image of somebody else causes a look at
/// each of them, so they must not become too many.
pub const ALBUMS_BY_IMAGE_MAX: usize = 50;
/// Levels of albums: one at the top, and the others nested in each other.
pub const ALBUM_DEPTH_MAX: usize = 5;
/// Members an album may have.
pub const ALBUM_MEMBERS_MAX: usize = 1000;
/// Images put into an album, taken out of it or moved in it at once.
pub const ALBUM_IMAGES_AT_ONCE_MAX: usize = 100;
/// Links a user may have.
pub const LINKS_BY_USER_MAX: usize = 1000;
/// Characters of the password of a link at least. Guests type it from a note, and attempts are
/// counted, so it may be shorter than that of an account.
pub const LINK_PASSWORD_CHARS_MIN: usize = 6;
/// Images chosen one by one for an archive. Their ids come with the request; whatever is more is
/// named by a search, by an album, or as all of it.
pub const ARCHIVE_CHOSEN_MAX: usize = 100_000;
/// Images a user may keep unless an administrator says otherwise.
pub const IMAGES_PER_USER_DEFAULT: i64 = 500;
/// Bytes a user may keep unless an administrator says otherwise (20 GiB).
pub const BYTES_PER_USER_DEFAULT: i64 = 20 * 1024 * 1024 * 1024;
/// Items in a page unless asked otherwise.
pub const PAGE_DEFAULT: usize = 20;
/// Items in a page at most.
pub const PAGE_MAX: usize = 100;
/// Faces kept of one image, the largest ones. All of them are written in one transaction.
pub const FACES_BY_IMAGE_MAX: usize = 30;
/// Faces that are moved to another person by one request.
pub const FACES_AT_ONCE_MAX: usize = 100;
/// Persons that are merged into another one by one request.
pub const PERSONS_AT_ONCE_MAX: usize = 20;
/// Bytes of a sidecar.
pub const SIDECAR_BYTES_MAX: u64 = 1 << 20;
/// Keywords kept of what was written into a photo.
pub const WRITTEN_KEYWORDS_MAX: usize = 200;
/// Marked parts kept of what was written into a photo.
pub const WRITTEN_REGIONS_MAX: usize = 100;
/// Minutes east or west of UTC of a time zone at most.
pub const TAKEN_OFFSET_MINUTES_MAX: i32 = 18 * 60;
/// Images whose dates are changed by one request.
pub const TAKEN_AT_ONCE_MAX: usize = 500;
