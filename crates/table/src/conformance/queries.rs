//! Reading partitions of the table itself.

use super::Fixture;
use crate::{Error, PAGE_BYTES_MAX, Query, SortRange};

const WORDS: [&str; 7] = ["a", "ab", "abc", "b", "ba", "c", "ca"];

pub async fn an_empty_partition_is_an_empty_page(f: &Fixture) {
    let page = f.query(&f.query_partition("empty")).await;
    assert_eq!((page.items, page.next), (vec![], None));
}

pub async fn items_come_in_the_order_of_their_sort_key(f: &Fixture) {
    f.put_all("p", &["c", "ab", "b", "a", "ca", "abc", "ba"]).await;
    assert_eq!(f.sort_keys(&f.query_partition("p")).await, WORDS);
}

/// Not by UTF-16 units, not by any language's collation, and capital letters first.
pub async fn order_is_by_utf8_bytes(f: &Fixture) {
    let ascending =
        ["\u{0}", "#", "A", "Z", "_", "a", "z", "é", "日", "\u{FFFD}", "🎞", "\u{10FFFF}"];
    let mut shuffled = ascending;
    shuffled.reverse();
    shuffled.swap(1, 5);
    f.put_all("p", &shuffled).await;
    assert_eq!(f.sort_keys(&f.query_partition("p")).await, ascending);
}

pub async fn descending_is_the_reverse(f: &Fixture) {
    f.put_all("p", &WORDS).await;
    let mut reversed = WORDS;
    reversed.reverse();
    assert_eq!(f.sort_keys(&f.query_partition("p").descending()).await, reversed);
    assert_eq!(f.sort_keys(&f.query_partition("p").descending().limit(2)).await, reversed);
}

pub async fn prefix_covers_what_begins_with_it(f: &Fixture) {
    f.put_all("p", &WORDS).await;
    let with = |prefix: &str| f.query_partition("p").prefix(prefix);
    assert_eq!(f.sort_keys(&with("a")).await, ["a", "ab", "abc"]);
    assert_eq!(f.sort_keys(&with("ab").descending()).await, ["abc", "ab"]);
    assert_eq!(f.sort_keys(&with("abcd")).await, [""; 0]);
    assert_eq!(f.sort_keys(&with("")).await, WORDS);
    assert_eq!(f.sort_keys(&with("a").limit(1)).await, ["a", "ab", "abc"]);
}

/// The end of a prefix is easily computed wrongly where a character has no successor.
pub async fn prefix_may_end_in_any_character(f: &Fixture) {
    for end in ["\u{7F}", "\u{7FF}", "\u{D7FF}", "\u{FFFF}", "\u{10FFFF}", "\u{0}", "%", "_"] {
        let name = format!("end {end}");
        let (exact, longer, other) = (format!("x{end}"), format!("x{end}y"), "y".to_owned());
        f.put_all(&name, &[&exact, &longer, &other, "w", "x"]).await;
        let query = f.query_partition(&name).prefix(format!("x{end}"));
        assert_eq!(f.sort_keys(&query).await, [exact, longer], "{end:?}");
    }
    f.put_all("max", &["\u{10FFFF}", "\u{10FFFF}\u{10FFFF}", "a"]).await;
    let query = f.query_partition("max").prefix("\u{10FFFF}");
    assert_eq!(f.sort_keys(&query).await, ["\u{10FFFF}", "\u{10FFFF}\u{10FFFF}"]);
}

pub async fn ranges_include_their_bounds(f: &Fixture) {
    f.put_all("p", &WORDS).await;
    let with = |range| f.query_partition("p").range(range);
    let between = SortRange::Between("ab".into(), "b".into());
    assert_eq!(f.sort_keys(&with(between.clone())).await, ["ab", "abc", "b"]);
    assert_eq!(f.sort_keys(&with(between).descending()).await, ["b", "abc", "ab"]);
    assert_eq!(f.sort_keys(&with(SortRange::From("ba".into()))).await, ["ba", "c", "ca"]);
    assert_eq!(f.sort_keys(&with(SortRange::To("ab".into()))).await, ["a", "ab"]);
    let one = SortRange::Between("c".into(), "c".into());
    assert_eq!(f.sort_keys(&with(one)).await, ["c"]);
}

pub async fn pages_cover_everything_once(f: &Fixture) {
    let keys: Vec<String> = (0..23).map(|n| format!("{n:02}")).collect();
    let refs: Vec<&str> = keys.iter().map(String::as_str).collect();
    f.put_all("p", &refs).await;
    for limit in [1, 5, 22, 23, 24, 1000] {
        assert_eq!(f.sort_keys(&f.query_partition("p").limit(limit)).await, keys, "{limit}");
        let mut down = f.sort_keys(&f.query_partition("p").descending().limit(limit)).await;
        down.reverse();
        assert_eq!(down, keys, "{limit}");
    }
}

pub async fn a_page_exactly_at_the_limit_is_the_last(f: &Fixture) {
    f.put_all("p", &WORDS).await;
    for query in [f.query_partition("p"), f.query_partition("p").descending()] {
        let page = f.query(&query.limit(WORDS.len())).await;
        assert_eq!((page.items.len(), page.next), (WORDS.len(), None));
    }
    let page = f.query(&f.query_partition("p").prefix("a").limit(3)).await;
    assert_eq!((page.items.len(), page.next), (3, None));
}

pub async fn a_page_one_below_the_end_has_a_next(f: &Fixture) {
    f.put_all("p", &WORDS).await;
    let query = f.query_partition("p").limit(WORDS.len() - 1);
    let page = f.query(&query).await;
    assert_eq!(page.items.len(), WORDS.len() - 1);
    let last = f.query(&query.start(page.next)).await;
    assert_eq!((last.items.len(), last.next), (1, None));
}

pub async fn pages_may_differ_in_size(f: &Fixture) {
    f.put_all("p", &WORDS).await;
    let first = f.query(&f.query_partition("p").limit(2)).await;
    let rest = f.query(&f.query_partition("p").limit(50).start(first.next)).await;
    let keys: Vec<_> = rest.items.iter().map(|item| item.key.sk.as_str()).collect();
    assert_eq!(keys, WORDS[2..]);
}

pub async fn paging_survives_writes_between_pages(f: &Fixture) {
    f.put_all("p", &["b", "d", "f", "h"]).await;
    let query = f.query_partition("p").limit(2);
    let first = f.query(&query).await;
    f.delete(f.key("p", "d")).await;
    f.put_all("p", &["a", "c", "e"]).await;
    let second = f.query(&query.limit(10).start(first.next)).await;
    let keys: Vec<_> = second.items.iter().map(|item| item.key.sk.as_str()).collect();
    assert_eq!(keys, ["e", "f", "h"]);
}

pub async fn a_page_ends_at_a_megabyte(f: &Fixture) {
    let part = "x".repeat(PAGE_BYTES_MAX / 4);
    for n in 0..6 {
        f.put(f.item("p", &n.to_string()).with("part", part.as_str())).await;
    }
    let page = f.query(&f.query_partition("p")).await;
    assert_eq!(page.items.len(), 4);
    let rest = f.query(&f.query_partition("p").start(page.next)).await;
    assert_eq!((rest.items.len(), rest.next), (2, None));
}

pub async fn other_partitions_do_not_leak(f: &Fixture) {
    f.put_all("p", &["1"]).await;
    f.put_all("p1", &["2"]).await;
    f.put_all("o", &["3"]).await;
    assert_eq!(f.sort_keys(&f.query_partition("p")).await, ["1"]);
    assert_eq!(f.sort_keys(&f.query_partition("p").descending()).await, ["1"]);
}

pub async fn nonsense_is_refused(f: &Fixture) {
    let backwards = SortRange::Between("b".into(), "a".into());
    let nonsense = [
        Query::index("by_nothing", "p"),
        f.query_partition("p").range(backwards),
        f.query_partition("p").range(SortRange::From(1.into())),
        f.query_number("p").prefix("1"),
        f.query_number("p").range(SortRange::To("1".into())),
        Query::partition(""),
    ];
    for query in nonsense {
        let error = f.table.query(&query).await.unwrap_err();
        let keys = f.table.query_keys(&query).await;
        assert!(!matches!(keys, Ok(Some(_))), "{keys:?}");
        let places = f.table.query_places(&query).await;
        assert!(!matches!(places, Ok(Some(_))), "{places:?}");
        assert!(matches!(error, Error::Invalid(_)), "{query:?}: {error}");
    }
}
