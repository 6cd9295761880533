//! Pages for coming in: set-up, sign-in and sign-up. Plain forms that work without scripts, for
//! installations without the gallery, which has pages of its own at the same addresses.

mod html;

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use service::{NewSession, SignUp};
use utoipa_axum::router::OpenApiRouter;

use self::html::Field;
pub(super) use self::html::Page;
use super::oidc;
use super::shapes::{client_of, new_user, password};
use crate::app::App;
use crate::client::Client;
use crate::extract::{Form, Query};
use crate::identity::cookie::SessionCookie;
use crate::identity::origin::expect_kept_session;
use crate::identity::{Visitor, origin};
use crate::security::PAGE_POLICY;
use crate::{ApiError, ErrorCode};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .route("/setup", get(set_up_page).post(set_up))
        .route("/signin", get(sign_in_page).post(sign_in))
        .route("/signup", get(sign_up_page).post(sign_up))
        .route("/signout", post(sign_out))
}

/// What the links to the pages carry.
#[derive(Debug, Default, Deserialize)]
struct Link {
    #[serde(default)]
    token: String,
    #[serde(default)]
    invitation: String,
    #[serde(default)]
    next: String,
}

/// What the forms send.
#[derive(Default, Deserialize)]
struct Filled {
    #[serde(default)]
    token: String,
    #[serde(default)]
    invitation: String,
    #[serde(default)]
    next: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
}

async fn set_up_page(
    State(app): State<App>,
    headers: HeaderMap,
    Query(link): Query<Link>,
) -> Result<Response, ApiError> {
    if let Some(page) = app.gallery.index() {
        return Ok(page.respond(&headers, &app.settings));
    }
    if !app.service.is_set_up_open().await? {
        let page = Page::new("Set-up is done").text("This installation has an administrator.");
        return Ok(answer(StatusCode::OK, &page.link("/signin", "Sign in")));
    }
    let filled = Filled { token: link.token, ..Filled::default() };
    Ok(answer(StatusCode::OK, &set_up_form(&filled, None)))
}

async fn set_up(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Form(filled): Form<Filled>,
) -> Response {
    let done = async {
        check_origin(&app, &headers)?;
        let new = new_user(&filled.email, &filled.name)?;
        let password = password(&filled.password)?;
        let from = client_of(client, &headers);
        Ok(app.service.set_up(&filled.token, &new, &password, None, from).await?)
    };
    match done.await {
        Ok(session) => come_in(&app, client, &session, "/"),
        Err(error) => refuse(&error, |error| set_up_form(&filled, Some(error))),
    }
}

fn set_up_form(filled: &Filled, error: Option<&str>) -> Page {
    Page::new("Set up Ferrotype")
        .text(
            "Make the administrator's account. It has no limits; what later accounts may keep is \
             shown and changed by `ferrotype user default-limit`.",
        )
        .error(error)
        .form(
            "/setup",
            "Create the administrator",
            &[
                Field::hidden("token", &filled.token),
                Field::name(&filled.name),
                Field::email(&filled.email),
                Field::new_password(),
            ],
        )
}

async fn sign_in_page(
    State(app): State<App>,
    headers: HeaderMap,
    Visitor(visitor): Visitor,
    Query(link): Query<Link>,
) -> Response {
    if let Some(page) = app.gallery.index() {
        return page.respond(&headers, &app.settings);
    }
    if let Some(visitor) = visitor {
        let page = Page::new("Signed in")
            .text(&format!("You are signed in as {}.", visitor.user.name))
            .form("/signout", "Sign out", &[])
            .link("/", "To the front page");
        return answer(StatusCode::OK, &page);
    }
    let filled = Filled { next: link.next, ..Filled::default() };
    answer(StatusCode::OK, &sign_in_form(&app, &filled, None))
}

async fn sign_in(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Form(filled): Form<Filled>,
) -> Response {
    let done = async {
        check_origin(&app, &headers)?;
        let from = client_of(client, &headers);
        Ok(app.service.sign_in(&filled.email, &filled.password, from).await?)
    };
    match done.await {
        Ok(session) => come_in(&app, client, &session, local(&filled.next)),
        Err(error) => refuse(&error, |error| sign_in_form(&app, &filled, Some(error))),
    }
}

fn sign_in_form(app: &App, filled: &Filled, error: Option<&str>) -> Page {
    let page = Page::new("Sign in").error(error).form(
        "/signin",
        "Sign in",
        &[Field::hidden("next", &filled.next), Field::email(&filled.email), Field::password()],
    );
    let page = match &app.oidc {
        Some(oidc) => page.link(oidc::LOGIN, &format!("Sign in with {}", oidc.label())),
        None => page,
    };
    match app.service.settings().accounts.sign_up {
        SignUp::Open => page.link("/signup", "Make an account"),
        SignUp::Closed | SignUp::Invitation => page,
    }
}

async fn sign_up_page(
    State(app): State<App>,
    headers: HeaderMap,
    Query(link): Query<Link>,
) -> Result<Response, ApiError> {
    if let Some(page) = app.gallery.index() {
        return Ok(page.respond(&headers, &app.settings));
    }
    let mut filled = Filled { invitation: link.invitation, ..Filled::default() };
    if filled.invitation.is_empty() {
        if app.service.settings().accounts.sign_up != SignUp::Open {
            let page = Page::new("By invitation")
                .text("Accounts are made by invitation or by an administrator.");
            return Ok(answer(StatusCode::OK, &page.link("/signin", "Sign in")));
        }
    } else {
        match app.service.find_invitation(&filled.invitation).await {
            Ok(invitation) => {
                filled.email = invitation.email.map(|email| email.to_string()).unwrap_or_default();
            }
            Err(error) => {
                let no_form = |error: &str| Page::new("Sign up").error(Some(error));
                return Ok(refuse(&error.into(), no_form));
            }
        }
    }
    Ok(answer(StatusCode::OK, &sign_up_form(&filled, None)))
}

async fn sign_up(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Form(filled): Form<Filled>,
) -> Response {
    let done = async {
        check_origin(&app, &headers)?;
        let new = new_user(&filled.email, &filled.name)?;
        let password = password(&filled.password)?;
        let from = client_of(client, &headers);
        let invitation = Some(filled.invitation.as_str()).filter(|token| !token.is_empty());
        Ok(app.service.sign_up(&new, &password, invitation, from).await?)
    };
    match done.await {
        Ok(session) => come_in(&app, client, &session, "/"),
        Err(error) => refuse(&error, |error| sign_up_form(&filled, Some(error))),
    }
}

fn sign_up_form(filled: &Filled, error: Option<&str>) -> Page {
    Page::new("Sign up")
        .error(error)
        .form(
            "/signup",
            "Make the account",
            &[
                Field::hidden("invitation", &filled.invitation),
                Field::name(&filled.name),
                Field::email(&filled.email),
                Field::new_password(),
            ],
        )
        .link("/signin", "I have an account")
}

async fn sign_out(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(visitor): Visitor,
) -> Result<Response, ApiError> {
    // Who sent this without a cookie, or from another site, is no visitor.
    if let Some(visitor) = visitor
        && let Some(session) = visitor.proof.session()
    {
        app.service.sign_out(&visitor.caller, session).await?;
        let mut response = Redirect::to("/signin").into_response();
        response.headers_mut().extend(
            SessionCookie::of(app.settings.path(), client.https)
                .forget()
                .map(|cookie| (header::SET_COOKIE, cookie)),
        );
        return Ok(response);
    }
    Ok(Redirect::to("/signin").into_response())
}

/// Other sites shall not sign people in to an account of theirs.
fn check_origin(app: &App, headers: &HeaderMap) -> Result<(), ApiError> {
    match origin::is_ours(headers, &app.settings) {
        true => expect_kept_session(headers, &app.settings),
        false => Err(ApiError::plain(ErrorCode::Csrf)),
    }
}

/// Gives the browser its session and sends it on.
pub(super) fn come_in(app: &App, client: Client, session: &NewSession, next: &str) -> Response {
    let mut response = Redirect::to(next).into_response();
    let time = app.service.settings().accounts.session_time;
    let cookie = SessionCookie::of(app.settings.path(), client.https);
    let cookie = cookie.keep(session.token.as_str(), time);
    response.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    response
}

/// A path of ours, never another site's.
pub(super) fn local(next: &str) -> &str {
    let is_path = next.starts_with('/') && !next.starts_with("//") && !next.contains('\\');
    if is_path && next.bytes().all(|byte| byte.is_ascii_graphic()) { next } else { "/" }
}

/// The same page again, with what was wrong.
pub(super) fn refuse(error: &ApiError, page: impl FnOnce(&str) -> Page) -> Response {
    let mut response = answer(error.code().status(), &page(error.message()));
    response.headers_mut().extend(error.headers().iter().cloned());
    response
}

pub(super) fn answer(status: StatusCode, page: &Page) -> Response {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, Html(page.render())).into_response()
}

#[cfg(test)]
mod tests {
    use super::local;

    #[test]
    fn nobody_is_sent_to_another_site() {
        assert_eq!(local("/albums?a=b"), "/albums?a=b");
        for other in ["", "https://evil.org", "//evil.org", "/\\evil.org", "/a\r\nb", "evil"] {
            assert_eq!(local(other), "/", "{other:?}");
        }
    }
}
