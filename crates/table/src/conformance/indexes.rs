//! Reading the secondary indexes. They may lag behind, so each case waits for the index to
//! show what it expects.

use super::Fixture;
use crate::{Action, Number, SortRange};

pub async fn an_index_turns_items_round(f: &Fixture) {
    f.put(f.text_item("p", "1", "c")).await;
    f.put(f.text_item("p", "2", "a")).await;
    f.put(f.text_item("p", "3", "b")).await;
    f.expect_sort_keys(&f.query_text("p"), &["2", "3", "1"]).await;
    f.expect_sort_keys(&f.query_text("p").descending(), &["1", "3", "2"]).await;
}

pub async fn an_index_returns_whole_items(f: &Fixture) {
    let item = f.text_item("p", "1", "a").with("title", "Iron").with("bytes", vec![1_u8, 2]);
    f.put(item.clone()).await;
    f.expect_sort_keys(&f.query_text("p"), &["1"]).await;
    assert_eq!(f.query_all(&f.query_text("p")).await, [item]);
}

pub async fn items_without_the_attributes_are_not_in_the_index(f: &Fixture) {
    f.put(f.item("p", "neither")).await;
    f.put(f.item("p", "no sort").with("text_partition", f.partition("p"))).await;
    f.put(f.item("p", "no partition").with("text_sort", "a")).await;
    f.put(f.text_item("p", "both", "b")).await;
    f.expect_sort_keys(&f.query_text("p"), &["both"]).await;
}

pub async fn items_appear_and_disappear_with_the_attribute(f: &Fixture) {
    let key = f.key("p", "1");
    f.put(f.item("p", "1")).await;
    f.expect_sort_keys(&f.query_text("p"), &[]).await;

    let appear =
        Action::update(key.clone()).set("text_partition", f.partition("p")).set("text_sort", "a");
    f.done(vec![appear]).await;
    f.expect_sort_keys(&f.query_text("p"), &["1"]).await;

    f.done(vec![Action::update(key.clone()).remove("text_sort")]).await;
    f.expect_sort_keys(&f.query_text("p"), &[]).await;

    f.put(f.text_item("p", "1", "b")).await;
    f.expect_sort_keys(&f.query_text("p"), &["1"]).await;

    f.put(f.item("p", "1")).await;
    f.expect_sort_keys(&f.query_text("p"), &[]).await;
}

pub async fn an_item_moves_when_its_sort_value_changes(f: &Fixture) {
    f.put(f.text_item("p", "1", "a")).await;
    f.put(f.text_item("p", "2", "b")).await;
    f.done(vec![Action::update(f.key("p", "1")).set("text_sort", "c")]).await;
    f.expect_sort_keys(&f.query_text("p"), &["2", "1"]).await;
    f.done(vec![Action::update(f.key("p", "1")).set("text_partition", f.partition("q"))]).await;
    f.expect_sort_keys(&f.query_text("p"), &["2"]).await;
    f.expect_sort_keys(&f.query_text("q"), &["1"]).await;
}

pub async fn deleted_items_leave_the_index(f: &Fixture) {
    f.put(f.text_item("p", "1", "a")).await;
    f.put(f.text_item("p", "2", "b")).await;
    f.expect_sort_keys(&f.query_text("p"), &["1", "2"]).await;
    f.delete(f.key("p", "1")).await;
    f.expect_sort_keys(&f.query_text("p"), &["2"]).await;
}

pub async fn text_indexes_take_prefixes_and_ranges_both_ways(f: &Fixture) {
    for sort in ["a", "ab", "abc", "b", "ba", "c"] {
        f.put(f.text_item("p", sort, sort)).await;
    }
    let query = || f.query_text("p");
    f.expect_sort_keys(&query().prefix("ab"), &["ab", "abc"]).await;
    f.expect_sort_keys(&query().prefix("a").descending().limit(1), &["abc", "ab", "a"]).await;
    let between = SortRange::Between("ab".into(), "b".into());
    f.expect_sort_keys(&query().range(between.clone()), &["ab", "abc", "b"]).await;
    f.expect_sort_keys(&query().range(between).descending(), &["b", "abc", "ab"]).await;
    f.expect_sort_keys(&query().range(SortRange::From("b".into())), &["b", "ba", "c"]).await;
    let to = SortRange::To("ab".into());
    f.expect_sort_keys(&query().range(to).descending(), &["ab", "a"]).await;
}

/// As text, "10" would come before "9" and "-1" before "-2".
pub async fn numeric_indexes_order_by_value(f: &Fixture) {
    let half = Number::from_f64(9.5).unwrap();
    let tiny = Number::from_f64(1e-100).unwrap();
    f.put(f.number_item("p", "max", i64::MAX)).await;
    f.put(f.number_item("p", "10", 10)).await;
    f.put(f.number_item("p", "9.5", half)).await;
    f.put(f.number_item("p", "9", 9)).await;
    f.put(f.number_item("p", "tiny", tiny)).await;
    f.put(f.number_item("p", "0", 0)).await;
    f.put(f.number_item("p", "-1", -1)).await;
    f.put(f.number_item("p", "-2", -2)).await;
    let ascending = ["-2", "-1", "0", "tiny", "9", "9.5", "10", "max"];
    f.expect_sort_keys(&f.query_number("p"), &ascending).await;
    let mut descending = ascending;
    descending.reverse();
    f.expect_sort_keys(&f.query_number("p").descending().limit(3), &descending).await;
}

pub async fn numeric_indexes_take_ranges_both_ways(f: &Fixture) {
    for number in [-10, -1, 0, 2, 10, 100] {
        f.put(f.number_item("p", &number.to_string(), number)).await;
    }
    let query = |range| f.query_number("p").range(range);
    let between = SortRange::Between((-1).into(), 10.into());
    f.expect_sort_keys(&query(between.clone()), &["-1", "0", "2", "10"]).await;
    f.expect_sort_keys(&query(between).descending().limit(2), &["10", "2", "0", "-1"]).await;
    f.expect_sort_keys(&query(SortRange::From(10.into())), &["10", "100"]).await;
    f.expect_sort_keys(&query(SortRange::To((-1).into())), &["-10", "-1"]).await;
}

/// The order among equal sort values is the engine's own, but paging must not lose or
/// repeat any of them.
pub async fn equal_sort_values_are_paged_completely(f: &Fixture) {
    let keys: Vec<String> = (0..9).map(|n| format!("{n}")).collect();
    for key in &keys {
        f.put(f.text_item("p", key, "same")).await;
        f.put(f.number_item("n", key, 7)).await;
    }
    let whole = f.query_text("p").limit(1000);
    wait_for_count(f, &whole, keys.len()).await;
    wait_for_count(f, &f.query_number("n").limit(1000), keys.len()).await;
    for limit in [1, 2, 4] {
        for query in [f.query_text("p"), f.query_text("p").descending(), f.query_number("n")] {
            let mut found = f.sort_keys(&query.limit(limit)).await;
            found.sort();
            assert_eq!(found, keys, "{limit}");
        }
    }
}

pub async fn index_pages_cover_everything_once_both_ways(f: &Fixture) {
    let keys: Vec<String> = (0..23).map(|n| format!("{n:02}")).collect();
    for key in &keys {
        f.put(f.text_item("p", key, key)).await;
    }
    wait_for_count(f, &f.query_text("p").limit(1000), keys.len()).await;
    for limit in [1, 5, 22, 23, 24] {
        assert_eq!(f.sort_keys(&f.query_text("p").limit(limit)).await, keys);
        let mut down = f.sort_keys(&f.query_text("p").descending().limit(limit)).await;
        down.reverse();
        assert_eq!(down, keys);
    }
}

pub async fn an_index_page_exactly_at_the_limit_is_the_last(f: &Fixture) {
    for key in ["1", "2", "3"] {
        f.put(f.text_item("p", key, key)).await;
    }
    wait_for_count(f, &f.query_text("p"), 3).await;
    let page = f.query(&f.query_text("p").limit(3)).await;
    assert_eq!((page.items.len(), page.next), (3, None));
    let page = f.query(&f.query_text("p").limit(2)).await;
    assert!(page.next.is_some());
    let page = f.query(&f.query_text("p").limit(2).start(page.next)).await;
    assert_eq!((page.items.len(), page.next), (1, None));
}

pub async fn an_item_may_be_in_several_indexes(f: &Fixture) {
    let item = f.text_item("p", "1", "a");
    let item = item.with("number_partition", f.partition("n")).with("number_sort", 3);
    f.put(item.clone()).await;
    f.expect_sort_keys(&f.query_text("p"), &["1"]).await;
    f.expect_sort_keys(&f.query_number("n"), &["1"]).await;
    assert_eq!(f.query_all(&f.query_number("n")).await, [item]);
}

async fn wait_for_count(f: &Fixture, query: &crate::Query, count: usize) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while f.query_all(query).await.len() != count {
        assert!(std::time::Instant::now() < deadline, "the index did not catch up");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}
