//! What every engine must do, as named cases.
//!
//! An engine's test calls [`conformance_tests!`](crate::conformance_tests) with a function
//! that returns a [`Fixture`]; each case becomes a test of its own. The cases rely on
//! nothing that DynamoDB does not promise, and keep to partitions of their own, so that
//! they can share one table.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "these functions are tests; their names say what they show"
)]

mod fixture;

pub mod batches;
pub mod conditions;
pub mod counters;
pub mod expiry;
pub mod indexes;
pub mod limits;
pub mod next_keys;
pub mod queries;
pub mod reads;
pub mod scans;
pub mod sweeping;
pub mod transactions;
pub mod updates;
pub mod watching;

pub use fixture::{Fixture, schema};

/// Makes a test of every conformance case. The argument is the path, from the crate root,
/// of an `async fn() -> Fixture`.
#[macro_export]
macro_rules! conformance_tests {
    ($fixture:path) => {
        $crate::conformance_tests!(@group $fixture, reads, [
            an_absent_item_is_none,
            get_returns_what_was_put,
            put_replaces_the_whole_item,
            every_kind_of_value_reads_back,
            numbers_read_back_exactly,
            keys_may_hold_any_unicode,
            attribute_names_may_be_any_words,
            delete_of_an_absent_item_succeeds,
        ]);
        $crate::conformance_tests!(@group $fixture, batches, [
            batch_get_keeps_the_order_of_its_keys,
            batch_get_takes_a_hundred_keys_and_no_more,
            batch_get_returns_large_items_whole,
            batch_get_refuses_a_key_twice,
            batch_write_puts_and_deletes,
            batch_write_takes_twenty_five_entries_and_no_more,
            batch_write_refuses_a_key_twice,
            batch_write_with_one_bad_entry_writes_nothing,
        ]);
        $crate::conformance_tests!(@group $fixture, queries, [
            an_empty_partition_is_an_empty_page,
            items_come_in_the_order_of_their_sort_key,
            order_is_by_utf8_bytes,
            descending_is_the_reverse,
            prefix_covers_what_begins_with_it,
            prefix_may_end_in_any_character,
            ranges_include_their_bounds,
            pages_cover_everything_once,
            a_page_exactly_at_the_limit_is_the_last,
            a_page_one_below_the_end_has_a_next,
            pages_may_differ_in_size,
            paging_survives_writes_between_pages,
            a_page_ends_at_a_megabyte,
            other_partitions_do_not_leak,
            nonsense_is_refused,
        ]);
        $crate::conformance_tests!(@group $fixture, indexes, [
            an_index_turns_items_round,
            an_index_returns_whole_items,
            items_without_the_attributes_are_not_in_the_index,
            items_appear_and_disappear_with_the_attribute,
            an_item_moves_when_its_sort_value_changes,
            deleted_items_leave_the_index,
            text_indexes_take_prefixes_and_ranges_both_ways,
            numeric_indexes_order_by_value,
            numeric_indexes_take_ranges_both_ways,
            equal_sort_values_are_paged_completely,
            index_pages_cover_everything_once_both_ways,
            an_index_page_exactly_at_the_limit_is_the_last,
            an_item_may_be_in_several_indexes,
        ]);
        $crate::conformance_tests!(@group $fixture, conditions, [
            absent_holds_only_without_an_item,
            present_holds_only_with_an_item,
            equals_compares_any_kind_of_value,
            at_least_and_at_most_include_the_bound,
            has_and_lacks_look_at_the_attribute,
            version_guards_against_lost_updates,
            all_conditions_must_hold,
            a_refusal_names_the_condition_and_the_item_found,
            conditions_guard_puts_updates_and_deletes,
            one_of_many_racers_creates_the_item,
        ]);
        $crate::conformance_tests!(@group $fixture, updates, [
            update_changes_only_what_it_names,
            update_creates_an_absent_item,
            unknown_attributes_survive,
            set_replaces_and_remove_of_nothing_succeeds,
            add_counts_from_nothing_and_down,
            add_to_a_text_is_refused_and_changes_nothing,
            an_update_that_grows_the_item_too_large_is_refused,
            senseless_updates_are_refused,
        ]);
        $crate::conformance_tests!(@group $fixture, transactions, [
            all_actions_happen,
            one_unmet_condition_stops_all,
            every_unmet_condition_is_reported,
            a_check_guards_other_items,
            a_hundred_actions_are_taken_and_no_more,
            four_megabytes_are_the_limit,
            two_actions_on_one_item_are_refused,
            an_invalid_action_stops_all,
            transfers_between_accounts_keep_the_sum,
        ]);
        $crate::conformance_tests!(@group $fixture, counters, [
            sixteen_writers_count_exactly,
            sixteen_writers_get_different_numbers,
            a_limit_is_never_overdrawn,
            increment_keeps_other_attributes,
        ]);
        $crate::conformance_tests!(@group $fixture, expiry, [
            expired_items_are_never_returned,
            an_item_lives_through_its_last_second,
            conditions_take_expired_items_for_absent,
            an_update_of_an_expired_item_starts_afresh,
            an_end_set_alone_leaves_all_else_as_it_is,
            pages_are_full_in_spite_of_expired_items,
            places_are_those_of_all_living_items_and_some_expired_ones,
            without_ttl_an_item_stays,
        ]);
        $crate::conformance_tests!(@group $fixture, limits, [
            key_lengths_are_limited,
            empty_keys_are_refused,
            an_item_of_400_kilobytes_fits_and_no_more,
            index_attributes_must_be_fit_for_a_key,
            nesting_is_limited,
            attribute_names_are_limited,
            page_limits_are_limited,
            fifty_changes_and_twenty_conditions_are_taken_and_no_more,
        ]);
        $crate::conformance_tests!(@group $fixture, next_keys, [
            a_next_key_survives_as_text,
            a_tampered_next_key_is_refused,
            a_next_key_of_another_query_is_refused,
            a_next_key_of_a_scan_is_refused_by_a_query_and_vice_versa,
        ]);
        $crate::conformance_tests!(@group $fixture, scans, [
            a_scan_finds_every_item_once,
        ]);
    };
    (@group $fixture:path, $group:ident, [$($case:ident),* $(,)?]) => {
        mod $group {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let fixture = $fixture().await;
                    $crate::conformance::$group::$case(&fixture).await;
                }
            )*
        }
    };
}

/// Makes a test of every case for engines that sweep expired items themselves. The argument
/// is the path of an `async fn() -> (Arc<impl Sweep>, ManualClock)` that returns a new,
/// empty table with [`schema`].
#[macro_export]
macro_rules! sweep_tests {
    ($fixture:path) => {
        $crate::sweep_tests!(@group $fixture, [
            the_sweeper_removes_exactly_the_expired,
            the_sweeper_leaves_items_that_were_revived,
        ]);
    };
    (@group $fixture:path, [$($case:ident),* $(,)?]) => {
        mod sweeping {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let (table, clock) = $fixture().await;
                    $crate::conformance::sweeping::$case(&*table, &clock).await;
                }
            )*
        }
    };
}

/// Makes a test of every case for engines through which all writes go. The argument is the same
/// as for [`sweep_tests!`](crate::sweep_tests).
#[macro_export]
macro_rules! watch_tests {
    ($fixture:path) => {
        $crate::watch_tests!(@group $fixture, [
            every_kind_of_write_ends_the_stamp_of_its_partition,
            what_is_kept_is_never_older_than_what_was_acknowledged,
            who_wrote_alone_knows_what_is_there,
        ]);
    };
    (@group $fixture:path, [$($case:ident),* $(,)?]) => {
        mod watching {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let (table, clock) = $fixture().await;
                    $crate::conformance::watching::$case(table, clock).await;
                }
            )*
        }
    };
}
