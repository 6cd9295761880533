use table::{Index, Schema};

/// By owner: a user's images, albums and persons.
pub(crate) const OWNER: &str = "owner";
/// By container: the images of an album or a person.
pub(crate) const CONTAINER: &str = "container";
/// Lists of the whole installation: the feed and the users.
pub(crate) const GLOBAL: &str = "global";
/// By word: tags and search terms.
pub(crate) const WORDS: &str = "words";
/// Work that waits, by when it is due.
pub(crate) const WORK: &str = "work";
/// Rows in the order of a number: quotas by what is left.
pub(crate) const NUMBER: &str = "number";

/// The partition attribute of an index.
pub(crate) const OWNER_PK: &str = "GSI1PK";
pub(crate) const OWNER_SK: &str = "GSI1SK";
pub(crate) const CONTAINER_PK: &str = "GSI2PK";
pub(crate) const CONTAINER_SK: &str = "GSI2SK";
pub(crate) const GLOBAL_PK: &str = "GSI3PK";
pub(crate) const GLOBAL_SK: &str = "GSI3SK";
pub(crate) const WORDS_PK: &str = "GSI4PK";
pub(crate) const WORDS_SK: &str = "GSI4SK";
pub(crate) const WORK_PK: &str = "GSI5PK";
pub(crate) const WORK_SK: &str = "GSI5SK";
pub(crate) const NUMBER_PK: &str = "GSI6PK";
/// The quota itself, so that taking from it moves the row within the index.
pub(crate) const NUMBER_SK: &str = "imagesLeft";

/// The indexes of Ferrotype's table. `docs/table.md` says what each serves.
pub fn schema() -> Schema {
    Schema::new(vec![
        Index::by_text(OWNER, OWNER_PK, OWNER_SK),
        Index::by_text(CONTAINER, CONTAINER_PK, CONTAINER_SK),
        Index::by_text(GLOBAL, GLOBAL_PK, GLOBAL_SK),
        Index::by_text(WORDS, WORDS_PK, WORDS_SK),
        Index::by_text(WORK, WORK_PK, WORK_SK),
        Index::by_number(NUMBER, NUMBER_PK, NUMBER_SK),
    ])
}
