//! The whole API over HTTP, by the real program: once on the embedded table and a folder, once on
//! DynamoDB and S3. Nothing but configuration tells the two apart.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod accounts;
mod albums;
mod archiving;
mod changing;
mod deleting;
mod developing;
mod failing;
mod following;
mod matrix;
mod passkeys;
mod people;
mod pixels;
mod reading;
mod resuming;
mod searching;
mod sharing;
mod site;
mod tagging;
mod timeline;
mod uploading;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread;

use site::Site;
use support::stores::Stores;

/// Cases at once: many users of one server, as in life.
const AT_ONCE: usize = 4;

/// A case and its name.
type Case = (&'static str, fn(&Site));

macro_rules! cases {
    ($($group:ident: [$($case:ident),* $(,)?]),* $(,)?) => {
        const CASES: &[Case] = &[
            $($((concat!(stringify!($group), "::", stringify!($case)), $group::$case),)*)*
        ];
    };
}

cases! {
    uploading: [
        what_is_said_about_a_photo_is_kept_with_it,
        a_repeated_request_is_answered_by_the_same_image,
        a_file_that_the_owner_has_is_not_kept_twice_unless_wanted,
        hundreds_of_files_are_asked_about_with_one_request,
        the_quota_of_images_is_exact_under_concurrency,
        the_quota_of_bytes_is_taken_and_given_back,
        what_cannot_be_is_refused_by_its_own_code,
        bytes_that_are_no_image_leave_nothing,
        an_image_that_cannot_be_shown_is_kept_with_the_reason,
        what_is_shown_of_an_image_is_said,
        a_file_goes_straight_to_storage_by_a_signed_address,
        an_address_of_storage_is_good_for_one_upload_only,
    ],
    developing: [
        the_fields_of_a_form_come_in_any_order,
        what_is_wrong_with_a_form_is_said_wherever_it_stands,
        every_picture_that_the_documents_name_is_made,
        a_parameter_that_a_route_does_not_take_is_refused_by_name,
        a_key_that_may_only_write_learns_what_became_of_its_upload,
        an_upload_of_bytes_that_are_there_is_found_where_it_was_sent,
        a_key_with_another_body_is_refused,
        albums_links_tags_and_people_honour_the_key,
        a_key_whose_image_is_gone_says_so,
        a_tag_that_is_none_of_ours_is_told_the_version_there_is,
        both_addresses_of_an_upload_to_storage_are_whole,
    ],
    failing: [
        what_could_not_be_shown_says_why_and_is_found,
        its_owner_tries_again_what_could_not_be_shown,
        administrators_see_whose_file_was_given_up_and_why,
    ],
    resuming: [
        a_file_comes_in_pieces,
        the_first_bytes_may_come_with_the_request,
        a_piece_with_another_checksum_is_not_kept,
        an_upload_can_be_cancelled,
        what_the_protocol_forbids_is_refused,
    ],
    reading: [
        pages_put_together_are_the_list_in_either_order,
        a_cursor_is_good_for_its_user_and_list_only,
        only_what_is_shared_is_seen_by_others,
        many_images_are_found_by_id_in_order,
        what_a_client_has_is_not_sent_again,
        the_service_says_what_it_offers,
    ],
    timeline: [
        a_page_knows_all_images_before_it_has_seen_any,
        images_of_a_month_come_some_at_a_time,
        a_timeline_follows_what_happens_and_texts_leave_it_alone,
        a_timeline_is_sent_compressed_to_those_who_take_it,
    ],
    changing: [
        an_edit_changes_what_it_names_and_nothing_else,
        of_two_who_edit_the_same_version_one_wins,
        a_bad_edit_changes_nothing,
        whoever_looks_sees_the_last_change,
        what_was_answered_is_never_unseen_again,
    ],
    deleting: [
        the_trash_gives_back_what_was_thrown_away,
        what_is_removed_for_good_is_gone_with_its_files_and_gives_its_quota_back,
        a_user_is_erased_with_everything,
    ],
    albums: [
        an_album_is_made_changed_and_deleted_and_its_images_stay,
        many_images_are_put_in_and_taken_out_and_each_is_told,
        counts_are_exact_however_many_add_at_once,
        an_album_has_three_orders,
        membership_gives_sight_of_images_and_its_end_takes_it,
        members_do_what_their_role_allows,
        nested_albums_inherit_their_members,
        rights_hold_while_members_and_images_come_and_go,
    ],
    tagging: [
        each_author_has_tags_of_their_own,
        what_everyone_has_is_exact_however_many_tag_at_once,
        many_images_are_tagged_with_one_request,
        images_are_found_by_tags_by_those_who_may_see_them,
        tags_are_listed_counted_renamed_and_merged,
        favourites_are_ones_own_as_long_as_they_can_be_seen,
        an_image_that_lives_elsewhere_is_recorded_once_and_tagged_by_all,
    ],
    searching: [
        images_are_searched_by_words_and_keys,
        a_search_finds_only_what_its_caller_may_see,
        a_search_that_is_not_understood_is_told_where_and_why,
        searches_are_completed_while_they_are_written,
    ],
    sharing: [
        an_image_is_shown_without_an_account_and_without_what_is_its_owners_business,
        an_album_is_shown_as_it_is_now,
        a_search_shows_what_it_finds_of_its_owners_images_now,
        a_password_must_be_known,
        passwords_of_a_link_are_tried_only_so_often,
        a_link_ends_and_can_be_taken_back,
        openings_are_counted_exactly_once_for_each_visit,
        what_may_not_be_taken_away_is_not,
        an_album_is_downloaded_as_one_file,
        a_cursor_of_one_link_is_refused_by_another,
        links_belong_to_their_owner_and_are_changed_by_version,
        a_link_goes_with_its_image_and_with_its_owner,
        the_page_shows_a_link_and_tells_other_programs_about_it,
    ],
    archiving: [
        chosen_images_are_downloaded_as_one_file,
    ],
    people: [
        faces_become_persons_who_are_named_found_and_shown,
        persons_are_merged_and_deleted_and_both_is_undone,
        faces_are_given_and_taken_away_by_hand,
        nobody_learns_of_persons_but_by_photos_they_may_see,
        who_does_not_want_to_be_recognised_is_forgotten,
    ],
    pixels: [
        every_size_is_served_and_may_be_kept_by_caches,
        an_address_that_was_changed_is_refused,
        parts_of_a_file_can_be_fetched,
        the_format_is_what_the_client_takes,
        sizes_on_demand_are_made_once_and_only_if_offered,
        the_original_is_for_its_owner_under_its_name,
    ],
    following: [
        what_happened_is_told_in_order_to_those_who_may_know,
        events_arrive_while_they_happen,
    ],
    accounts: [
        a_key_does_what_its_scopes_say_until_it_is_taken_back,
        a_session_ends_when_it_is_signed_out,
        an_invitation_makes_one_account,
        administrators_find_users_and_set_their_limits,
        users_are_found_by_name_or_whole_address_and_seen_with_their_pictures,
        administrators_see_how_the_installation_is,
    ],
    matrix: [
        every_route_lets_in_whom_it_should,
        a_private_image_looks_like_none_at_all,
    ],
}

#[test]
fn on_the_embedded_table_and_a_folder() {
    hold_on(&Stores::embedded());
}

#[test]
fn on_dynamodb_and_s3() {
    hold_on(&Stores::distributed());
}

/// Runs all cases against one server, and tells all that failed.
fn hold_on(stores: &Stores) {
    let (server, site) = Site::open(stores);
    let waiting = Mutex::new(CASES.iter());
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((name, case)) = next(&waiting) {
                    if catch_unwind(AssertUnwindSafe(|| case(&site))).is_err() {
                        failed.lock().unwrap().push(*name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    let log = server.stop();
    let complaints: Vec<_> = log.lines().filter(|line| line.contains("ERROR")).collect();
    assert!(failed.is_empty(), "failed: {failed:#?}; the server says: {complaints:#?}");
    assert!(complaints.is_empty(), "{complaints:#?}");
}

fn next(waiting: &Mutex<std::slice::Iter<'static, Case>>) -> Option<&'static Case> {
    waiting.lock().unwrap().next()
}
