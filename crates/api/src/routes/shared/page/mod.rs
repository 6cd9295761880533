//! The pages behind links: plain, without scripts, and with what other programs need to show a
//! preview of a link. Of a link with a password, nothing is told before it was given.

mod gallery;
mod html;
mod picture;

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use model::{ImageId, LinkTarget};
use serde::Deserialize;
use service::{Guest, PageRequest};
use utoipa_axum::router::OpenApiRouter;

use self::html::{Page, Preview};
use self::picture::Base;
use super::guest::{Opening, admit, discreet, remember_unlocked};
use super::unlock::unlocked;
use crate::app::App;
use crate::client::Client;
use crate::extract::{Form, Path, Query};
use crate::html::{capitalised, escape};
use crate::identity::Visitor;
use crate::{ApiError, ErrorCode};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .route("/s/{token}", get(open_page).post(unlock_page))
        .route("/s/{token}/{image}", get(image_page))
}

/// Images on one page.
const IMAGES_MAX: usize = 60;

/// Names the list of a link's images, for its page keys: they are good for this link alone.
pub(super) fn list_of(guest: &Guest) -> String {
    format!("links/{}/images", guest.link().id)
}

#[derive(Debug, Deserialize)]
struct PageKey {
    cursor: Option<String>,
}

#[derive(Deserialize)]
struct Filled {
    #[serde(default)]
    password: String,
}

async fn open_page(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(visitor): Visitor,
    Path(token): Path<String>,
    Query(key): Query<PageKey>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let (token, visitor) = (token.as_str(), visitor.as_ref());
    let opening = Opening { token, method: &method, headers: &headers, client, visitor };
    let page = show(&app, &opening, key.cursor.as_deref());
    page.await.unwrap_or_else(|error| refuse(&app, token, &error))
}

async fn show(
    app: &App,
    opening: &Opening<'_>,
    cursor: Option<&str>,
) -> Result<Response, ApiError> {
    let guest = admit(app, opening.token, opening.headers).await?;
    let shown = app.service.show_guest(&guest).await?;
    let base = Base::of(app, opening);
    let page = match guest.link().target {
        LinkTarget::Image(_) => {
            let image = shown.cover.clone().ok_or_else(no_link)?;
            picture::of_image_link(app, &guest, &base, &shown, &image)
        }
        LinkTarget::Album(_) | LinkTarget::Search(_) => {
            let (owner, list) = (guest.link().owner, list_of(&guest));
            let cursor = cursor.map(|text| app.service.open_cursor(owner, &list, text));
            let request = PageRequest::after(IMAGES_MAX, cursor.transpose()?);
            let listed = app.service.list_guest_images(&guest, &request).await?;
            let next = listed.next.map(|next| app.service.seal_cursor(owner, &list, &next));
            let is_first = request.cursor.is_none();
            let images = gallery::Images { entries: &listed.entries, next, is_first };
            gallery::page(app, &guest, &base, &shown, &images)
        }
    };
    let counted = opening.count(app, &guest).await?;
    let mut response = answer(app, StatusCode::OK, &page);
    response.headers_mut().extend(counted);
    Ok(response)
}

async fn image_page(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Path((token, image)): Path<(String, ImageId)>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let token = token.as_str();
    let opening = Opening { token, method: &method, headers: &headers, client, visitor: None };
    let page = show_image(&app, &opening, image);
    page.await.unwrap_or_else(|error| refuse(&app, token, &error))
}

async fn show_image(
    app: &App,
    opening: &Opening<'_>,
    image: ImageId,
) -> Result<Response, ApiError> {
    let guest = admit(app, opening.token, opening.headers).await?;
    let image = app.service.load_guest_image(&guest, image).await?;
    let page = picture::of_image(app, &guest, &Base::of(app, opening), &image);
    Ok(answer(app, StatusCode::OK, &page))
}

/// Nothing is done in anybody's name here, so it does not matter which site the form was on.
async fn unlock_page(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Path(token): Path<String>,
    headers: HeaderMap,
    Form(filled): Form<Filled>,
) -> Response {
    match unlocked(&app, &token, &filled.password, client, &headers).await {
        Ok(proof) => {
            let mut response = Redirect::to(&format!("/s/{token}")).into_response();
            response.headers_mut().extend(remember_unlocked(&app, &token, &proof, client));
            response.headers_mut().extend(discreet());
            response
        }
        Err(error) => refuse(&app, &token, &error),
    }
}

fn no_link() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "there is no such link")
}

/// What is wrong, as a page; where a password would help, with a form for it.
fn refuse(app: &App, token: &str, error: &ApiError) -> Response {
    let (status, page) = match error.code() {
        ErrorCode::LinkLocked => (StatusCode::OK, password_form(token, None)),
        ErrorCode::WrongPassword | ErrorCode::TooManyAttempts => {
            (error.code().status(), password_form(token, Some(error.message())))
        }
        ErrorCode::NotFound => {
            let text = "There is nothing here, or not any more. Ask whoever gave you the link.";
            (StatusCode::NOT_FOUND, note("Not found", text))
        }
        ErrorCode::LinkExpired => {
            let text = "Ask whoever gave it to you for a new one.";
            (StatusCode::GONE, note("This link has ended", text))
        }
        code => (code.status(), note("That did not work", &capitalised(error.message()))),
    };
    let mut response = answer(app, status, &page);
    response.headers_mut().extend(error.headers().iter().cloned());
    response
}

fn password_form(token: &str, error: Option<&str>) -> Page {
    let error = error.map_or_else(String::new, |error| {
        format!("<p class=\"error\" role=\"alert\">{}</p>\n", escape(&capitalised(error)))
    });
    let body = format!(
        "<div class=\"note\">\n<h1>A password is needed</h1>\n{error}\
         <form method=\"post\" action=\"/s/{}\">\n<label>Password\n\
         <input type=\"password\" name=\"password\" autocomplete=\"off\" required></label>\n\
         <button>Open</button>\n</form>\n</div>\n",
        escape(token)
    );
    Page { preview: Preview::plain("A password is needed"), body }
}

fn note(title: &str, text: &str) -> Page {
    let (heading, text) = (escape(title), escape(text));
    let body = format!("<div class=\"note\">\n<h1>{heading}</h1>\n<p>{text}</p>\n</div>\n");
    Page { preview: Preview::plain(title), body }
}

fn answer(app: &App, status: StatusCode, page: &Page) -> Response {
    let mut response = (status, discreet(), Html(page.render())).into_response();
    let policy = HeaderValue::try_from(html::policy(app)).ok();
    let policy = policy.map(|policy| (header::CONTENT_SECURITY_POLICY, policy));
    response.headers_mut().extend(policy);
    response
}
