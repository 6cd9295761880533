//! What every engine must do, as named cases. A test file of an engine says how to open an
//! empty store and gets one test for each case.

pub mod body;
pub mod lists;
pub mod reads;
pub mod writes;

/// One test per case, on the store that `$open` gives.
#[macro_export]
macro_rules! conformance {
    ($open:path) => {
        $crate::conformance!(@cases $open, reads: [
            what_is_put_is_what_is_got,
            an_object_never_written_is_not_found,
            any_range_of_an_object_can_be_read,
            a_range_without_any_byte_is_refused_with_the_size,
            an_empty_object_is_an_object,
            head_tells_size_and_time,
            measuring_gives_the_receipt_again,
        ]);
        $crate::conformance!(@cases $open, writes: [
            writing_again_replaces,
            of_twelve_racers_exactly_one_creates,
            a_create_only_write_leaves_the_old_object,
            the_size_limit_is_exact_and_stops_the_sender,
            a_size_announced_above_the_limit_is_refused_unread,
            a_large_object_in_odd_chunks_arrives_whole,
            objects_at_part_boundaries_arrive_whole,
            a_sender_that_breaks_off_leaves_nothing,
            a_sender_that_breaks_off_leaves_the_old_object,
            other_bytes_than_announced_are_refused_and_leave_nothing,
            another_size_than_announced_is_refused_and_leaves_nothing,
            a_cancelled_write_leaves_nothing,
            deleting_twice_succeeds,
            many_objects_are_deleted_at_once,
            a_prefix_is_deleted_and_nothing_beside_it,
            a_move_takes_the_object_along,
            a_move_can_be_repeated_after_a_crash,
            a_copy_is_an_object_of_its_own,
        ]);
        $crate::conformance!(@cases $open, lists: [
            a_listing_is_in_key_order_whatever_the_order_of_writing,
            pages_put_together_are_the_listing,
            a_page_that_ends_exactly_at_the_end_has_an_empty_successor,
            a_prefix_lists_only_what_is_below_it,
            a_listing_of_nothing_is_empty,
            every_listed_key_names_its_owner,
        ]);
    };
    (@cases $open:path, $group:ident: [$($case:ident),* $(,)?]) => {
        mod $group {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let store = $open().await;
                    $crate::conformance::$group::$case(&store.blobs).await;
                }
            )*
        }
    };
}
