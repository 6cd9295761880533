//! What a client needs to know of this installation before it asks for anything else.
//!
//! This group is also the pattern for others: handlers take [`App`] as their state and extractors
//! from `crate::extract`, answer with shapes of their own (never with a row), and name their
//! errors with `error_answers!`.

use axum::Json;
use axum::extract::State;
use model::{Fit, RenditionFormat, SizeSpec, limits};
use serde::Serialize;
use service::SignUp;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accounts::OIDC_LOGIN;
use crate::ApiError;
use crate::app::App;
use crate::openapi::tag;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_service))
}

/// What this installation offers
///
/// Limits, sizes and formats; the same for everybody, and without signing in.
#[utoipa::path(
    get,
    path = "/api/v1/service",
    tag = tag::SERVICE,
    responses((status = 200, description = "What this installation offers.", body = ServiceInfo))
)]
async fn get_service(State(app): State<App>) -> Result<Json<ServiceInfo>, ApiError> {
    let accounts = AccountInfo::of(&app).await?;
    Ok(Json(ServiceInfo::of(app.service.settings(), accounts, app.service.people())))
}

/// What an installation offers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ServiceInfo {
    /// Always `ferrotype`.
    name: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The renditions that every image gets.
    sizes: Vec<SizeInfo>,
    /// What may be asked for on demand.
    transforms: TransformInfo,
    /// What an image and its texts may take.
    limits: LimitInfo,
    /// Who may come in, and how.
    accounts: AccountInfo,
    /// Days that an image stays in the trash.
    trash_days: u64,
    /// Whether people are recognised.
    people: PeopleInfo,
}

/// Whether people are recognised.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PeopleInfo {
    /// `on` or `off`. If off, no faces are looked for; what is known already can be seen and changed.
    state: &'static str,
    /// Which models find them.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// Why they are off.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
}

/// Who may come in, and how.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AccountInfo {
    /// Who may make an account: `open` everybody, `invitation` who has one, `closed` nobody.
    sign_up: &'static str,
    /// Whether the first administrator is still to be made, by the link that the server prints.
    set_up: bool,
    /// What set-up asks about the limits of later accounts; only while it is to be done, and not
    /// where the configuration decides them.
    #[serde(skip_serializing_if = "Option::is_none")]
    set_up_quota: Option<SetUpQuotaInfo>,
    /// Whether passkeys can be used here.
    passkeys: bool,
    /// The identity provider, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    oidc: Option<OidcInfo>,
}

/// What whoever sets an installation up needs to know to decide what later accounts may keep.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SetUpQuotaInfo {
    /// Bytes of the disk that photos are kept on; `null` where that is none of the server's.
    disk_bytes: Option<u64>,
}

/// The identity provider.
#[derive(Serialize, ToSchema)]
struct OidcInfo {
    /// What its button says.
    label: String,
    /// Where to send the browser; `next` is the path to come back to.
    login: &'static str,
}

impl AccountInfo {
    async fn of(app: &App) -> Result<Self, ApiError> {
        let oidc = app.oidc.as_ref();
        let set_up = app.service.is_set_up_open().await?;
        let asks_quota = set_up && app.service.settings().quota.is_none();
        Ok(Self {
            sign_up: match app.service.settings().accounts.sign_up {
                SignUp::Closed => "closed",
                SignUp::Invitation => "invitation",
                SignUp::Open => "open",
            },
            set_up,
            set_up_quota: asks_quota
                .then(|| SetUpQuotaInfo { disk_bytes: app.service.disk_bytes() }),
            passkeys: app.passkeys.is_ok(),
            oidc: oidc.map(|oidc| OidcInfo { label: oidc.label().to_owned(), login: OIDC_LOGIN }),
        })
    }
}

/// A rendition that every image gets.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SizeInfo {
    /// Its name in URLs.
    name: String,
    /// Width of the box in pixels.
    width: u32,
    /// Height of the box in pixels.
    height: u32,
    /// `inside`: the whole image; `cover`: its middle, cut to the shape of the box.
    fit: &'static str,
    /// How it is encoded.
    format: &'static str,
}

/// Renditions on demand: every combination of these may be asked for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TransformInfo {
    /// Widths in pixels.
    widths: Vec<u32>,
    /// Heights in pixels.
    heights: Vec<u32>,
    /// Formats.
    formats: Vec<&'static str>,
    /// Qualities from 1 to 100.
    qualities: Vec<u8>,
}

/// What an image and its texts may take.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LimitInfo {
    /// Bytes of a file.
    file_bytes: u64,
    /// Pixels of one frame.
    pixels: u64,
    /// Pixels along the longer side.
    side: u32,
    /// Frames of an animation.
    frames: u32,
    /// Characters of a title.
    title_chars: usize,
    /// Characters of a description.
    description_chars: usize,
    /// Characters of an alternative text.
    alt_text_chars: usize,
    /// Characters of a filename.
    filename_chars: usize,
    /// Characters of a tag.
    tag_chars: usize,
    /// Tags that the owner may set on an image.
    tags: usize,
    /// Entries in a page.
    page: usize,
}

/// What is wrong exactly may name folders; the log of the server has it.
const PEOPLE_OFF: &str = "the server has no face models: its operator gets them with \
                          `scripts/setup models` and sets people.models, see docs/people.md";

impl PeopleInfo {
    fn of(people: &service::People) -> Self {
        match people.finder() {
            Some(finder) => {
                Self { state: "on", model: Some(finder.model().to_owned()), message: None }
            }
            None => Self { state: "off", model: None, message: Some(PEOPLE_OFF) },
        }
    }
}

impl ServiceInfo {
    fn of(settings: &service::Settings, accounts: AccountInfo, people: &service::People) -> Self {
        let rules = &settings.transforms;
        Self {
            name: "ferrotype",
            version: env!("CARGO_PKG_VERSION"),
            sizes: settings.sizes.iter().map(SizeInfo::of).collect(),
            transforms: TransformInfo {
                widths: rules.widths.iter().copied().collect(),
                heights: rules.heights.iter().copied().collect(),
                formats: rules.formats.iter().copied().map(format_name).collect(),
                qualities: rules.qualities.iter().copied().collect(),
            },
            people: PeopleInfo::of(people),
            limits: LimitInfo {
                file_bytes: settings.limits.bytes,
                pixels: settings.limits.pixels,
                side: settings.limits.side,
                frames: settings.limits.frames,
                title_chars: limits::TITLE_CHARS_MAX,
                description_chars: limits::DESCRIPTION_CHARS_MAX,
                alt_text_chars: limits::ALT_TEXT_CHARS_MAX,
                filename_chars: limits::FILENAME_CHARS_MAX,
                tag_chars: limits::TAG_CHARS_MAX,
                tags: limits::TAGS_BY_OWNER_MAX,
                page: limits::PAGE_MAX,
            },
            accounts,
            trash_days: settings.trash_time.as_secs() / (24 * 60 * 60),
        }
    }
}

impl SizeInfo {
    fn of(size: &SizeSpec) -> Self {
        let fit = match size.fit() {
            Fit::Inside => "inside",
            Fit::Cover => "cover",
        };
        Self {
            name: size.name().as_str().to_owned(),
            width: size.width(),
            height: size.height(),
            fit,
            format: format_name(size.format()),
        }
    }
}

fn format_name(format: RenditionFormat) -> &'static str {
    match format {
        RenditionFormat::Webp => "webp",
        RenditionFormat::Avif => "avif",
        RenditionFormat::Jpeg => "jpeg",
        RenditionFormat::Png => "png",
    }
}
