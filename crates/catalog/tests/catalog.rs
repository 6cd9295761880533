//! Every case on the reference engine with fresh and with lagging indexes, on the embedded
//! engine, and on a server that speaks the DynamoDB API.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod cases;
mod engines;

/// Makes a test of every case. The argument names a function of [`engines`].
macro_rules! catalog_tests {
    ($engine:ident) => {
        mod $engine {
            catalog_tests!(@group $engine, users, [
                a_user_is_found_by_id_and_by_email,
                an_email_belongs_to_one_user,
                many_racers_for_one_email_leave_one_user,
                users_are_listed_by_email,
                an_email_can_change_and_becomes_free,
                the_loser_of_two_edits_sees_the_winner,
                users_are_listed_by_what_is_left_of_their_quota,
                a_changed_limit_moves_what_is_left,
                a_user_is_a_person_with_a_picture,
                api_keys_are_found_by_hash_until_they_end,
                all_who_ask_at_once_get_the_same_secret,
            ]);
            catalog_tests!(@group $engine, accounts, [
                set_up_is_done_once_with_the_newest_token,
                an_administrator_made_otherwise_ends_set_up,
                the_last_administrator_stays_one,
                an_invitation_is_used_once,
                a_session_lasts_until_it_is_ended_or_over,
                a_new_password_ends_all_sessions_but_one,
                an_identity_belongs_to_one_user,
                attempts_are_counted_exactly_until_their_time_is_over,
                who_is_being_erased_is_shut_out,
            ]);
            catalog_tests!(@group $engine, written, [
                what_is_written_in_a_file_is_taken_over_and_found,
                what_the_owner_says_is_not_undone_by_reading_again,
                others_find_what_they_may_know,
                a_sidecar_that_came_meanwhile_is_not_lost,
                many_keywords_are_all_found,
                a_file_full_of_texts_fits_into_its_row,
            ]);
            catalog_tests!(@group $engine, passkeys, [
                a_challenge_is_answered_once_by_whom_it_is_for_and_in_time,
                a_passkey_is_one_users_and_is_found_renamed_and_removed,
                a_user_has_only_so_many_passkeys_however_many_are_added_at_once,
                uses_are_counted_in_order,
                passkeys_stay_with_a_new_password_and_go_with_their_user,
            ]);
            catalog_tests!(@group $engine, uploads, [
                an_upload_becomes_an_image,
                sixty_four_uploads_against_a_limit_of_ten_leave_ten_rows,
                bytes_are_limited_too,
                a_repeated_request_returns_the_first_image,
                the_same_bytes_are_recognised,
                many_sums_are_looked_up_at_once,
                a_wanted_duplicate_is_kept,
                an_upload_that_never_arrives_gives_everything_back,
                a_commit_too_late_is_told_so,
                more_bytes_than_announced_are_counted,
                more_bytes_than_allowed_are_refused_and_given_back,
                an_unknown_user_cannot_reserve,
                a_temporary_image_disappears_with_everything,
                bytes_of_an_image_that_is_going_away_can_be_uploaded_again,
                a_request_whose_upload_was_given_back_can_be_made_again,
                nothing_is_committed_once_it_is_being_cleared_away,
                tags_and_words_that_come_with_an_upload_are_found,
                parts_of_an_upload_are_added_in_order_by_one_at_a_time,
                what_is_said_after_the_bytes_is_found_with_the_image,
            ]);
            catalog_tests!(@group $engine, requests, [
                a_request_is_worked_on_by_one_and_answered_to_all,
                a_request_that_nobody_works_on_any_more_is_taken_over,
                a_key_is_for_one_request,
            ]);
            catalog_tests!(@group $engine, images, [
                images_are_listed_both_ways_with_stable_order,
                pages_of_images_go_on_where_they_ended,
                an_edit_needs_the_right_version_and_owner,
                sixteen_edits_are_all_counted,
                unknown_attributes_survive_an_edit,
                a_loaded_image_has_the_rows_that_an_upload_and_edits_leave,
                an_edit_that_changes_nothing_keeps_the_version,
                words_follow_the_texts,
                a_word_that_another_text_has_is_found_for_good,
                a_long_description_is_found_by_every_word,
                a_word_prefix_finds_each_image_once,
                shared_images_are_in_the_feed_of_all_months,
                images_by_ids_keep_their_order,
                an_external_image_is_recorded_once,
                of_many_who_record_an_external_image_one_owns_it_and_changes_where_it_lives,
            ]);
            catalog_tests!(@group $engine, work, [
                work_is_claimed_by_one_worker,
                a_lease_runs_out_and_another_takes_over,
                work_of_workers_that_are_gone_is_due_at_once,
                work_of_one_subject_is_claimed_before_it_is_due_but_from_nobody,
                a_renewed_lease_holds,
                failed_work_waits_and_then_is_dead_and_revived,
                a_failed_image_is_tried_again_by_its_owner,
                processing_finishes_once,
                an_image_shared_while_processing_appears_when_done,
                work_is_added_once_and_only_for_what_is_there,
                work_for_an_image_that_is_no_more_ends,
                what_processing_found_is_kept,
            ]);
            catalog_tests!(@group $engine, trash, [
                trash_hides_and_undo_brings_back,
                only_the_owner_throws_away,
                purge_removes_everything_and_gives_back_once,
                purge_can_be_cut_short_anywhere,
                a_restored_image_is_not_purged,
                nothing_attaches_to_an_image_being_purged,
                a_temporary_image_stays_temporary_through_trash_and_undo,
                an_external_image_gives_back_its_id_and_no_quota,
                search_shows_only_what_can_be_seen,
            ]);
            catalog_tests!(@group $engine, albums, [
                an_album_lists_its_images,
                an_image_may_be_in_several_albums_and_in_each_once,
                counts_are_exact_under_concurrency,
                a_deleted_album_leaves_its_images,
                trashed_images_do_not_show_and_pages_stay_full,
                an_album_edit_needs_the_right_version_and_owner,
                many_images_are_added_and_removed_at_once_and_each_is_told,
                overlapping_batches_count_every_image_once,
                an_image_is_in_a_limited_number_of_albums,
                images_are_ordered_by_when_they_were_taken,
                images_are_ordered_by_hand,
                a_cover_is_one_of_the_images,
                what_was_taken_out_is_not_shown_by_an_old_index,
            ]);
            catalog_tests!(@group $engine, nesting, [
                albums_are_nested_moved_and_listed,
                only_an_album_of_the_same_owner_can_be_nested_in,
                albums_are_not_nested_too_deep,
                no_circle_is_ever_formed,
                nothing_is_nested_in_what_is_being_removed,
            ]);
            catalog_tests!(@group $engine, members, [
                members_come_and_go,
                members_are_users_and_counted_exactly,
                rights_are_inherited_by_what_is_nested,
                images_are_seen_through_albums,
                rights_hold_while_members_and_images_come_and_go,
            ]);
            catalog_tests!(@group $engine, links, [
                a_link_is_made_found_changed_and_taken_back,
                only_what_is_ones_own_can_be_shown,
                links_are_listed_by_owner_and_by_what_they_show,
                views_are_counted_exactly_and_leave_the_version,
                a_link_goes_with_what_it_shows,
                a_link_is_forgotten_some_time_after_its_end,
            ]);
            catalog_tests!(@group $engine, persons, [
                person_ids_count_up_and_are_never_the_same,
                persons_are_listed_and_renamed,
                images_of_a_person_and_persons_of_an_image,
                a_person_with_faces_is_not_deleted,
                a_user_is_found_in_the_libraries_of_others,
            ]);
            catalog_tests!(@group $engine, people, [
                a_face_that_is_found_again_is_the_same_face,
                what_is_found_no_more_goes_unless_somebody_said_whose_it_is,
                nothing_is_recorded_by_a_worker_who_lost_the_work,
                many_faces_change_hands_in_several_steps,
                a_face_that_changed_meanwhile_is_left_alone,
                a_library_is_grouped_again_until_nothing_changed_meanwhile,
                decisions_are_listed_and_undone,
                faces_go_with_their_image,
                likenesses_are_kept_by_whoever_holds_the_work,
                everything_known_of_people_can_be_removed,
            ]);
            catalog_tests!(@group $engine, tags, [
                tags_are_replaced_in_one_step,
                tags_are_found_by_prefix_by_author_and_by_everyone,
                a_phrase_is_found_by_its_inner_words,
                no_image_comes_twice,
                private_tags_are_their_authors_own,
                everyones_entry_goes_with_its_last_author,
                many_authors_tag_one_image_at_once,
                too_many_tags_are_refused,
                the_status_of_a_set_is_told,
                an_authors_tags_are_listed,
                twenty_long_phrases_can_be_swapped_for_twenty_others,
                the_owners_tags_are_part_of_the_image,
                what_has_not_arrived_cannot_be_tagged_or_edited,
                a_summary_that_came_back_is_a_new_one,
                the_last_public_author_takes_a_tag_away_under_any_concurrency,
                a_tag_is_renamed_or_merged_in_one_step,
                favourites_are_marked_listed_and_forgotten,
            ]);
            catalog_tests!(@group $engine, search, [
                words_are_found_wherever_they_are_written,
                keys_look_for_one_thing,
                only_what_may_be_seen_is_found,
                what_is_found_comes_newest_first_page_by_page,
                albums_and_persons_are_found_by_what_they_are_called_now,
                one_finds_oneself,
                sharing_and_its_end_move_all_entries,
                the_best_come_first,
                searches_are_completed,
            ]);
            catalog_tests!(@group $engine, gone_words, [
                gone_words_lead_nowhere_and_are_taken_out_an_hour_later,
                a_word_that_came_back_stays,
                what_came_within_the_hour_stays_although_older_words_go,
                many_words_are_taken_out_in_several_steps,
                many_changes_are_gone_through_each_once,
                several_may_take_out_words_at_once,
                words_of_images_in_the_trash_go_and_of_purged_ones_too,
                what_cannot_be_read_holds_up_nothing,
                who_was_away_longer_than_changes_are_kept_starts_anew,
            ]);
            catalog_tests!(@group $engine, taken, [
                a_date_moves_an_image_in_its_timeline_its_albums_and_searches,
                a_clock_that_is_ahead_leads_no_timeline_until_it_is_corrected,
                the_time_of_a_file_counts_until_the_camera_says_more,
                dates_changed_at_once_leave_an_image_in_one_place,
                results_stand_by_when_they_were_taken,
            ]);
            catalog_tests!(@group $engine, timeline, [
                a_timeline_is_what_a_look_at_all_images_shows,
                a_month_of_many_images_is_kept_and_leads_to_each,
                a_library_from_before_gets_its_timelines,
                counts_that_are_wrong_are_corrected,
                what_disappears_by_itself_is_in_no_timeline_and_a_user_goes_with_theirs,
            ]);
            catalog_tests!(@group $engine, changes, [
                changes_come_in_order_from_a_cursor,
                a_bad_cursor_is_refused,
                a_cursor_can_stand_behind_a_moment,
            ]);
        }
    };
    (@group $engine:ident, $group:ident, [$($case:ident),* $(,)?]) => {
        mod $group {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let world = crate::engines::$engine().await;
                    crate::cases::$group::$case(&world).await;
                }
            )*
        }
    };
}

catalog_tests!(memory);
catalog_tests!(lagging);
catalog_tests!(embedded);
catalog_tests!(dynoxide);

/// A case that is written but not listed would never run.
#[test]
fn every_case_is_listed() {
    let list = include_str!("catalog.rs");
    let sources = [
        include_str!("cases/accounts.rs"),
        include_str!("cases/albums.rs"),
        include_str!("cases/changes.rs"),
        include_str!("cases/gone_words.rs"),
        include_str!("cases/images.rs"),
        include_str!("cases/links.rs"),
        include_str!("cases/members.rs"),
        include_str!("cases/nesting.rs"),
        include_str!("cases/passkeys.rs"),
        include_str!("cases/people.rs"),
        include_str!("cases/persons.rs"),
        include_str!("cases/search.rs"),
        include_str!("cases/tags.rs"),
        include_str!("cases/taken.rs"),
        include_str!("cases/timeline.rs"),
        include_str!("cases/trash.rs"),
        include_str!("cases/uploads.rs"),
        include_str!("cases/users.rs"),
        include_str!("cases/work.rs"),
    ];
    testkit::listing::assert_every_case_is_listed(list, &sources);
}
