//! The one table of error codes. `docs/api.md` and the OpenAPI document are rendered from it.

use axum::http::StatusCode;

/// Makes the enum, and everything that is said about each code, from one list.
macro_rules! error_codes {
    ($($variant:ident $name:literal $status:ident $about:literal;)+) => {
        /// What can be wrong with a request, as a client's program sees it. Codes never change
        /// their meaning once released.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorCode {
            $(#[doc = $about] $variant,)+
        }

        impl ErrorCode {
            /// All codes, by status.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The HTTP status it goes with.
            pub fn status(self) -> StatusCode {
                let standard = match self { $(Self::$variant => StatusCode::$status),+ };
                match self {
                    // What tus says for it; no standard knows it.
                    Self::ChecksumMismatch => StatusCode::from_u16(460).unwrap_or(standard),
                    _ => standard,
                }
            }

            /// What it means and what to do, in one line.
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => $about),+ }
            }
        }
    };
}

error_codes! {
    BadRequest "bad_request" BAD_REQUEST "The request is not understood; the message says where.";
    BadJson "bad_json" BAD_REQUEST "The body is not the JSON that this route takes; the message says where.";
    BadQuery "bad_query" BAD_REQUEST "A parameter of the query is missing, unknown (`details.parameter`) or cannot be what it was given as.";
    BadSearch "bad_search" BAD_REQUEST "The search is not understood; `details.offset` says after how many characters, the message why.";
    BadCursor "bad_cursor" BAD_REQUEST "The cursor was not given out for this list and this user; start from the first page.";
    BytesDiffer "bytes_differ" BAD_REQUEST "Other bytes arrived than were announced, by length or checksum; send them again.";
    UploadInterrupted "upload_interrupted" BAD_REQUEST "The bytes stopped coming; send them again.";
    Unauthenticated "unauthenticated" UNAUTHORIZED "Nobody is signed in, or the session, token or key is wrong or has expired.";
    WrongPassword "wrong_password" UNAUTHORIZED "The e-mail address or the password is wrong; or the password of a link is.";
    BadPasskey "bad_passkey" UNAUTHORIZED "The passkey could not be verified, for whatever reason; ask for new options and try again, or sign in another way.";
    LinkLocked "link_locked" UNAUTHORIZED "The link has a password; send it to the link's `unlock`, and what that answers with every request.";
    Forbidden "forbidden" FORBIDDEN "Only an administrator may do this.";
    RoleMissing "role_missing" FORBIDDEN "The album is somebody else's, who has not given the caller this right; ask them.";
    ScopeMissing "scope_missing" FORBIDDEN "The API key lacks the scope in `details.scope`.";
    BrowserOnly "browser_only" FORBIDDEN "Only a browser that is signed in may do this, by its cookie; not an API key or a token.";
    HttpsNeeded "https_needed" FORBIDDEN "The page was opened without https, where browsers keep no session of this installation; open the address in `details.url`.";
    Csrf "csrf" FORBIDDEN "A request with a session cookie came from another site, or without the header that proves otherwise.";
    BadSignature "bad_signature" FORBIDDEN "The link was changed or has run out; ask for a new one.";
    DownloadOff "download_off" FORBIDDEN "The link is only to be looked at; ask whoever gave it to you.";
    SignUpClosed "sign_up_closed" FORBIDDEN "Accounts are made by invitation or by an administrator.";
    BadInvitation "bad_invitation" FORBIDDEN "The invitation was used, has ended or is for another address.";
    BadSetUp "bad_set_up" FORBIDDEN "The set-up link is not valid; the server prints the newest one when it starts.";
    UnknownIdentity "unknown_identity" FORBIDDEN "The identity provider vouches for this person, but they have no account here.";
    QuotaImages "quota_images" FORBIDDEN "The owner may keep no more images; delete some or ask an administrator.";
    QuotaBytes "quota_bytes" FORBIDDEN "The owner may not keep so many more bytes; delete some images or ask an administrator.";
    NotFound "not_found" NOT_FOUND "There is no such thing, or none that this caller may know of.";
    MethodNotAllowed "method_not_allowed" METHOD_NOT_ALLOWED "The path does not answer this method; the `Allow` header has those it does.";
    RequestTimeout "request_timeout" REQUEST_TIMEOUT "The request did not arrive in time; send it again on a better connection.";
    Conflict "conflict" CONFLICT "It was changed meanwhile; `details.currentVersion` is its version now. Load it and try again.";
    WrongOffset "wrong_offset" CONFLICT "The bytes do not begin where those before them ended; `Upload-Offset` says where to go on.";
    UploadGone "upload_gone" CONFLICT "The upload is no longer expected, or a repeated request has taken its place; begin it again.";
    BytesMissing "bytes_missing" CONFLICT "No bytes have arrived for this upload; send them first.";
    AlreadyExists "already_exists" CONFLICT "There is one already, such as a user with this e-mail address.";
    NotFailed "not_failed" CONFLICT "The image has not failed, so there is nothing to try again.";
    EmailTaken "email_taken" CONFLICT "The e-mail address belongs to an account already.";
    LastAdministrator "last_administrator" CONFLICT "There must be an administrator; make somebody else one first.";
    AlbumHasAlbums "album_has_albums" CONFLICT "Albums are nested in it; move or delete them first.";
    SamePhoto "same_photo" CONFLICT "Two faces of one photo would be one person; first say whose the face there is.";
    PeopleOff "people_off" CONFLICT "The server has no models to find faces with; `GET /api/v1/service` says why.";
    PasskeysOff "passkeys_off" CONFLICT "The server has no address that passkeys could be bound to; the message says what its operator can do.";
    PasskeyTaken "passkey_taken" CONFLICT "The passkey is registered already.";
    RequestRunning "request_running" CONFLICT "The first request with this `Idempotency-Key` is being worked on; ask again after as many seconds as `Retry-After` says.";
    LinkExpired "link_expired" GONE "The link has ended; ask whoever gave it to you for a new one.";
    ResultDeleted "result_deleted" GONE "The first request with this `Idempotency-Key` made the image in `details.image`, which has been deleted since; to upload it anew, use another key.";
    PreconditionFailed "precondition_failed" PRECONDITION_FAILED "`If-Match` names another version than the current one, which `details.currentVersion` has; or `Tus-Resumable` another version of tus than 1.0.0.";
    BodyTooLarge "body_too_large" PAYLOAD_TOO_LARGE "The body has more bytes than this route takes.";
    FileTooLarge "file_too_large" PAYLOAD_TOO_LARGE "The file has more bytes than are allowed.";
    UriTooLong "uri_too_long" URI_TOO_LONG "The path and the query are too long.";
    UnsupportedMediaType "unsupported_media_type" UNSUPPORTED_MEDIA_TYPE "The body is not of the `Content-Type` that this route takes.";
    UnsupportedImage "unsupported_image" UNSUPPORTED_MEDIA_TYPE "The bytes are not an image of a kind that is taken, whatever they are called.";
    BadRange "bad_range" RANGE_NOT_SATISFIABLE "None of the bytes that were asked for exists.";
    InvalidValue "invalid_value" UNPROCESSABLE_ENTITY "A value cannot be what it was given as; `details.field` names it.";
    IdempotencyMismatch "idempotency_mismatch" UNPROCESSABLE_ENTITY "Another request came with this `Idempotency-Key` before; use a new key for every request.";
    TitleTooLong "title_too_long" UNPROCESSABLE_ENTITY "A title has at most 255 characters.";
    DescriptionTooLong "description_too_long" UNPROCESSABLE_ENTITY "A description has at most 5000 characters.";
    AltTextTooLong "alt_text_too_long" UNPROCESSABLE_ENTITY "An alternative text has at most 255 characters.";
    FilenameTooLong "filename_too_long" UNPROCESSABLE_ENTITY "A filename has at most 255 characters.";
    NameTooLong "name_too_long" UNPROCESSABLE_ENTITY "A name has at most 255 characters.";
    TagTooLong "tag_too_long" UNPROCESSABLE_ENTITY "A tag has at most 50 characters.";
    TooManyTags "too_many_tags" UNPROCESSABLE_ENTITY "There are more tags than the `details.limit` that are allowed.";
    AlbumInsideItself "album_inside_itself" UNPROCESSABLE_ENTITY "An album cannot be nested in itself or in what is nested in it.";
    AlbumTooDeep "album_too_deep" UNPROCESSABLE_ENTITY "Albums can be nested `details.limit` levels deep at most.";
    TooManyMembers "too_many_members" UNPROCESSABLE_ENTITY "The album has the `details.limit` members that it can have.";
    TooManyLinks "too_many_links" UNPROCESSABLE_ENTITY "There are the `details.limit` links that somebody can have; delete one first.";
    PasskeyRefused "passkey_refused" UNPROCESSABLE_ENTITY "The new passkey cannot be accepted; the message says why. Ask for new options and try again.";
    TooManyPasskeys "too_many_passkeys" UNPROCESSABLE_ENTITY "There are the `details.limit` passkeys that somebody can have; delete one first.";
    ArchiveTooLarge "archive_too_large" UNPROCESSABLE_ENTITY "There are more images than the `details.limit` that fit into an archive.";
    TruncatedImage "truncated_image" UNPROCESSABLE_ENTITY "The file ends too early; send all of it.";
    DamagedImage "damaged_image" UNPROCESSABLE_ENTITY "The file is an image by its first bytes, but broken.";
    TooManyPixels "too_many_pixels" UNPROCESSABLE_ENTITY "The image has more pixels than are allowed.";
    SideTooLong "side_too_long" UNPROCESSABLE_ENTITY "A side of the image has more pixels than are allowed.";
    TooManyFrames "too_many_frames" UNPROCESSABLE_ENTITY "The animation has more frames than are allowed.";
    TooMuchMemory "too_much_memory" UNPROCESSABLE_ENTITY "Decoding the image would take more memory than is allowed.";
    BadTransform "bad_transform" UNPROCESSABLE_ENTITY "This rendition is not offered; `GET /api/v1/service` lists what is.";
    PreconditionRequired "precondition_required" PRECONDITION_REQUIRED "Say which version is to be changed, by `If-Match` or `version`.";
    RateLimited "rate_limited" TOO_MANY_REQUESTS "Too many requests; wait for as many seconds as `Retry-After` says.";
    ChecksumMismatch "checksum_mismatch" BAD_REQUEST "The bytes of this request are not what `Upload-Checksum` says, and were not kept; send them again.";
    TooManyAttempts "too_many_attempts" TOO_MANY_REQUESTS "Passwords or passkeys were tried too often; wait for as many seconds as `Retry-After` says.";
    HeadTooLarge "head_too_large" REQUEST_HEADER_FIELDS_TOO_LARGE "The request has too many headers, or too long ones.";
    Internal "internal" INTERNAL_SERVER_ERROR "We made a mistake; the log has it under the request's id.";
    Timeout "timeout" SERVICE_UNAVAILABLE "It took us too long; try again later.";
    Unavailable "unavailable" SERVICE_UNAVAILABLE "A store cannot be used now; try again after as many seconds as `Retry-After` says.";
    StorageFull "storage_full" INSUFFICIENT_STORAGE "The server's disk is full, so nothing new is taken in. Whoever runs the server has to make room; deleting photos works and makes some. Try again after as many seconds as `Retry-After` says.";
}

/// The table as `docs/api.md` shows it.
pub fn error_table() -> String {
    let mut table = "| status | code | what it means |\n|---|---|---|\n".to_owned();
    for code in ErrorCode::ALL {
        let row =
            format!("| {} | `{}` | {} |\n", code.status().as_u16(), code.name(), code.about());
        table.push_str(&row);
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::limits;

    use super::*;

    #[test]
    fn each_code_has_a_name_of_its_own_and_an_error_status() {
        let names: BTreeSet<_> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), ErrorCode::ALL.len());
        for code in ErrorCode::ALL {
            assert!(code.status().is_client_error() || code.status().is_server_error());
            let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
            assert!(code.name().bytes().all(plain), "{}", code.name());
        }
    }

    #[test]
    fn what_is_said_of_limits_is_true() {
        for (code, limit) in [
            (ErrorCode::TitleTooLong, limits::TITLE_CHARS_MAX),
            (ErrorCode::DescriptionTooLong, limits::DESCRIPTION_CHARS_MAX),
            (ErrorCode::AltTextTooLong, limits::ALT_TEXT_CHARS_MAX),
            (ErrorCode::FilenameTooLong, limits::FILENAME_CHARS_MAX),
            (ErrorCode::NameTooLong, limits::NAME_CHARS_MAX),
            (ErrorCode::TagTooLong, limits::TAG_CHARS_MAX),
        ] {
            assert!(code.about().contains(&format!("at most {limit} ")), "{}", code.about());
        }
    }
}
