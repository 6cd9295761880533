//! Where the images stand in indexes that may pass the tests of a search.

use model::{MediaType, RatingRange, SearchTest, Tag, TakenRange, Term, UserId};

use super::condition::{Condition, Range};
use super::names::Names;
use super::position::From;
use super::reach::Reach;
use super::stream::Place;
use crate::keys::FactKind;
use crate::names::Word;
use crate::schema::{CONTAINER, GLOBAL, OWNER, WORDS};
use crate::terms::rating_fact;
use crate::{Catalog, Result, TagScope, keys};

/// Whose images are searched, and what is needed to find them.
pub(super) struct Scope<'s> {
    pub(super) user: UserId,
    /// The one owner whose images are wanted, if the search says so.
    pub(super) owner: Option<UserId>,
    /// Owners whose images are not wanted.
    pub(super) unwanted: Vec<UserId>,
    pub(super) reach: &'s Reach,
    pub(super) names: &'s Names,
    /// Whether what cameras wrote is shown of images of others.
    pub(super) sees_exif: bool,
    pub(super) from: &'s From,
}

impl Scope<'_> {
    /// What must be true of all that passes a test, each for itself; nothing, if no index knows.
    pub(super) fn conditions(&self, test: &SearchTest) -> Vec<Condition> {
        match test {
            SearchTest::Words(words) => {
                words.iter().map(|word| self.has_word(Word::Whole(word))).collect()
            }
            SearchTest::Beginning(word) => vec![self.has_word(Word::Beginning(word))],
            SearchTest::Tag(tag) => self.has_tag(tag),
            SearchTest::Person(_) | SearchTest::Album(_) => vec![self.is_named(test)],
            SearchTest::Owner(_) => self.is_owned().into_iter().collect(),
            SearchTest::Type(media_type) => vec![self.has_type(*media_type)],
            SearchTest::Camera(words) => words.iter().map(|word| self.has_camera(word)).collect(),
            SearchTest::Taken(range) => vec![self.is_taken(*range)],
            SearchTest::Artist(words) | SearchTest::Place(words) => {
                words.iter().map(|word| self.is_fact(word.as_str(), self.sees_exif)).collect()
            }
            SearchTest::Rating(range) => vec![self.is_rated(*range)],
            SearchTest::Is(model::ImageState::Favourite) => vec![self.is_favourite()],
            SearchTest::Is(_) => Vec::new(),
        }
    }

    /// Everything that may be seen.
    pub(super) async fn sight(&self, catalog: &Catalog) -> Result<Condition> {
        self.sight_with(catalog, images_of(self.user), self.from).await
    }

    /// The same from some place on, with another place for one's own images.
    pub(super) async fn sight_with(
        &self,
        catalog: &Catalog,
        own: Place,
        from: &From,
    ) -> Result<Condition> {
        let mut all = Condition::new(from);
        let whose = self.owner.unwrap_or(self.user);
        if self.wants(whose) {
            all.add_place(if whose == self.user { own } else { images_of(whose) });
        }
        if self.owner.is_none() {
            all.add_feed();
            for album in self.reach.albums(catalog).await? {
                all.add_place(contained(keys::album_container(album)));
            }
        }
        Ok(all)
    }

    /// By texts and facts, public tags, private tags, albums and persons.
    fn has_word(&self, word: Word<'_>) -> Condition {
        let mut condition = Condition::new(self.from);
        let add = |condition: &mut Condition, index, partition| match word {
            Word::Whole(_) => condition.add_place(Place { index, partition, prefix: word.place() }),
            Word::Beginning(_) => {
                condition.add_range(Range::of_words(index, partition, &word.place()));
            }
        };
        for (index, partition) in self.text_partitions().chain(self.tag_partitions()) {
            add(&mut condition, index, partition);
        }
        if self.owner.is_none() {
            add(&mut condition, GLOBAL, keys::SHARED_TERMS.to_owned());
        }
        self.add_named(&mut condition, &as_test(word));
        condition
    }

    /// By its value, which knows nothing of who may see the images; and by each of its words, among
    /// those that may be seen. Whichever has fewer leads.
    fn has_tag(&self, tag: &Tag) -> Vec<Condition> {
        let mut by_value = Condition::new(self.from);
        for scope in [TagScope::Author(self.user), TagScope::Everyone] {
            let (partition, prefix) = (keys::tag_words(scope), keys::exactly(tag));
            by_value.add_place(Place { index: WORDS, partition, prefix });
        }
        let by_word = Tag::words_of(tag.as_str()).map(|word| {
            let mut condition = Condition::new(self.from);
            let prefix = keys::word_place(word, "");
            for (index, partition) in self.tag_partitions() {
                condition.add_place(Place { index, partition, prefix: prefix.clone() });
            }
            if self.owner.is_none() {
                let partition = keys::SHARED_TERMS.to_owned();
                condition.add_place(Place { index: GLOBAL, partition, prefix });
            }
            condition
        });
        by_word.chain([by_value]).collect()
    }

    fn is_named(&self, test: &SearchTest) -> Condition {
        let mut condition = Condition::new(self.from);
        self.add_named(&mut condition, test);
        condition
    }

    fn add_named(&self, condition: &mut Condition, test: &SearchTest) {
        let named = self.names.named(test);
        for album in named.albums {
            condition.add_place(contained(keys::album_container(album)));
        }
        for person in named.persons {
            condition.add_place(contained(keys::person_container(person)));
        }
        if named.has_more {
            condition.leave_open();
        }
    }

    fn is_owned(&self) -> Option<Condition> {
        self.owner.map(|owner| {
            let mut condition = Condition::new(self.from);
            condition.add_place(images_of(owner));
            condition
        })
    }

    fn has_type(&self, media_type: MediaType) -> Condition {
        self.is_fact(&keys::fact(FactKind::Type, media_type.name()), true)
    }

    fn has_camera(&self, word: &Term) -> Condition {
        self.is_fact(&keys::fact(FactKind::Camera, word.as_str()), self.sees_exif)
    }

    fn is_fact(&self, fact: &str, of_others: bool) -> Condition {
        let mut condition = Condition::new(self.from);
        for (index, partition) in self.fact_partitions(of_others) {
            condition.add_place(Place { index, partition, prefix: keys::word_place(fact, "") });
        }
        condition
    }

    fn is_taken(&self, range: TakenRange) -> Condition {
        let mut condition = Condition::new(self.from);
        let fact = |month: &str| keys::fact(FactKind::Taken, month);
        for (index, partition) in self.fact_partitions(self.sees_exif) {
            if let Some(months) = range.months() {
                for month in months {
                    let (partition, prefix) =
                        (partition.clone(), keys::word_place(&fact(&month), ""));
                    condition.add_place(Place { index, partition, prefix });
                }
                continue;
            }
            let first = fact(&range.from.map(|day| day.month_text()).unwrap_or_default());
            let last = range.to.map_or("9999-99".to_owned(), |day| day.month_text());
            let last = keys::behind_word(&fact(&last));
            condition.add_range(Range::of_words_between(index, partition, &first, &last));
        }
        condition
    }

    /// Nobody is told how others rate their images.
    fn is_rated(&self, range: RatingRange) -> Condition {
        let mut condition = Condition::new(self.from);
        for (index, partition) in self.fact_partitions(false) {
            for rating in range.ratings() {
                let (partition, prefix) =
                    (partition.clone(), keys::word_place(&rating_fact(rating), ""));
                condition.add_place(Place { index, partition, prefix });
            }
        }
        condition
    }

    fn is_favourite(&self) -> Condition {
        let mut condition = Condition::new(self.from);
        let partition = keys::user_partition(self.user);
        condition.add_range(Range::of_marks(OWNER, partition, keys::FAVOURITES));
        condition
    }

    /// Where what is known of images is found, of which not all may be known of those of others.
    fn fact_partitions(&self, of_others: bool) -> Vec<(&'static str, String)> {
        if !of_others {
            let is_own = self.owner.is_none_or(|owner| owner == self.user);
            let own =
                (is_own && self.wants(self.user)).then(|| (WORDS, keys::term_words(self.user)));
            return own.into_iter().collect();
        }
        let shared = self.owner.is_none().then(|| (GLOBAL, keys::SHARED_TERMS.to_owned()));
        self.text_partitions().chain(shared).collect()
    }

    /// Where the words of texts are found, beside those of shared images.
    fn text_partitions(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.owners().map(|owner| (WORDS, keys::term_words(owner)))
    }

    /// Where the words of tags are found, beside those of shared images: public ones by the
    /// owners of images, private ones by their author.
    fn tag_partitions(&self) -> impl Iterator<Item = (&'static str, String)> {
        let private = (OWNER, keys::term_words(self.user));
        self.owners().map(|owner| (CONTAINER, keys::term_words(owner))).chain([private])
    }

    fn owners(&self) -> impl Iterator<Item = UserId> {
        let everybody = std::iter::once(self.user).chain(self.reach.others.iter().copied());
        let owners: Vec<UserId> = match self.owner {
            Some(owner) => vec![owner],
            None => everybody.filter(|owner| self.wants(*owner)).collect(),
        };
        owners.into_iter()
    }

    fn wants(&self, owner: UserId) -> bool {
        !self.unwanted.contains(&owner)
    }
}

fn as_test(word: Word<'_>) -> SearchTest {
    match word {
        Word::Whole(term) => SearchTest::Words(vec![term.clone()]),
        Word::Beginning(term) => SearchTest::Beginning(term.clone()),
    }
}

fn images_of(owner: UserId) -> Place {
    let (partition, prefix) = (keys::user_partition(owner), keys::UPLOADED.to_owned());
    Place { index: OWNER, partition, prefix }
}

fn contained(partition: String) -> Place {
    Place { index: CONTAINER, partition, prefix: keys::UPLOADED.to_owned() }
}
