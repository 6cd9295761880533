//! Accounts, on the reference table and on the embedded one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod keys;
#[path = "../../../webauthn/tests/json/mod.rs"]
mod passkey_json;
mod passkeys;
mod people;
mod providers;
mod signing_in;
mod world;

/// Makes a test of every case on both engines.
macro_rules! on_both_engines {
    ($($group:ident: [$($case:ident),* $(,)?];)*) => {
        mod memory {
            $(mod $group { $(
                #[tokio::test]
                async fn $case() {
                    let world = crate::world::World::on_memory().await;
                    crate::$group::$case(&world).await;
                }
            )* })*
        }
        mod embedded {
            $(mod $group { $(
                #[tokio::test]
                async fn $case() {
                    let world = crate::world::World::on_embedded().await;
                    crate::$group::$case(&world).await;
                }
            )* })*
        }
    };
}

on_both_engines! {
    signing_in: [
        set_up_makes_one_administrator_with_the_newest_link,
        a_password_opens_a_session_until_it_is_ended,
        a_session_ends_by_itself,
        wrong_addresses_and_wrong_passwords_look_alike,
        attempts_are_limited_by_account_and_by_place,
        good_attempts_do_not_count,
        a_new_password_ends_all_other_sessions,
        somebody_without_a_password_can_choose_one,
        all_other_sessions_can_be_ended,
    ];
    keys: [
        a_key_does_what_its_scopes_say_until_it_ends,
        a_key_cannot_make_a_stronger_one,
        a_key_is_nobodys_but_its_owners,
    ];
    passkeys: [
        a_passkey_opens_a_session_like_any_other,
        a_challenge_is_good_for_five_minutes_one_answer_and_one_user,
        whatever_is_wrong_with_a_passkey_looks_alike,
        a_copy_of_an_authenticator_is_noticed,
        only_a_person_in_a_session_adds_passkeys,
        passkeys_are_named_and_taken_away_by_their_owner,
        there_are_twenty_passkeys_at_most,
        a_new_password_leaves_passkeys_and_erasure_does_not,
        bad_passkeys_are_counted_with_bad_passwords_from_one_place,
    ];
    people: [
        who_may_sign_up_is_a_setting,
        an_invitation_lets_one_person_in,
        an_invitation_to_an_address_is_good_for_that_address,
        administrators_manage_users_and_nobody_else_does,
        users_change_themselves_but_not_their_role,
        the_last_administrator_cannot_go,
        quotas_are_listed_by_what_is_left,
        what_new_accounts_may_keep_is_for_administrators_to_decide,
        an_erased_user_is_shut_out_at_once,
        others_see_a_name_and_nothing_else,
    ];
    providers: [
        an_identity_gets_an_account_once,
        an_identity_is_linked_only_if_both_sides_vouch_for_the_address,
        without_permission_no_account_is_made,
        many_first_requests_make_one_account,
    ];
}

/// A case that is written but not listed would never run.
#[test]
fn every_case_is_listed() {
    let sources = [
        include_str!("keys.rs"),
        include_str!("passkeys.rs"),
        include_str!("people.rs"),
        include_str!("providers.rs"),
        include_str!("signing_in.rs"),
    ];
    testkit::listing::assert_every_case_is_listed(include_str!("main.rs"), &sources);
}
