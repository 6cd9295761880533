//! What kind of request it is, by its method and path: each kind has a budget of its own.

use axum::http::Method;

/// What is limited together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Traffic {
    /// Never limited: monitoring, and files that are part of the program.
    Free,
    /// Reading and changing what is kept; the pages of the gallery ask all of it.
    Api,
    /// The bytes of pictures, of which a page shows many at once.
    Pixels,
    /// Signing in, unlocking links and making accounts.
    SignIn,
    /// Files on their way; not counted, but only so many at once.
    Transfer(Direction),
}

/// Where files go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    /// To us.
    Upload,
    /// From us.
    Download,
}

impl Traffic {
    /// The kind of a request.
    pub(crate) fn of(method: &Method, path: &str) -> Self {
        if path.starts_with("/i/") {
            return Self::Pixels;
        }
        if path.starts_with("/storage/") {
            let is_put = method == Method::PUT;
            return Self::Transfer(if is_put { Direction::Upload } else { Direction::Download });
        }
        if let Some(route) = path.strip_prefix("/api/v1/") {
            return Self::of_api(method, route);
        }
        let is_sign_in =
            ["/signin", "/signup", "/setup", "/s/"].iter().any(|at| path.starts_with(at))
                && method == Method::POST;
        if is_sign_in || path.starts_with("/auth/") {
            Self::SignIn
        } else if ["/s/", "/signin", "/signup", "/setup"].iter().any(|at| path.starts_with(at)) {
            Self::Api
        } else {
            Self::Free
        }
    }

    fn of_api(method: &Method, route: &str) -> Self {
        let is_post = method == Method::POST;
        let is_upload = is_post && matches!(route, "images" | "images/exists")
            || route == "uploads"
            || route.starts_with("uploads/");
        let is_file = route.starts_with("shared/") && route.ends_with("/file");
        if is_upload {
            Self::Transfer(Direction::Upload)
        } else if is_file || route.ends_with("/archive.zip") {
            Self::Transfer(Direction::Download)
        } else if is_post
            && (route == "session"
                || route == "signup"
                || route.starts_with("session/")
                || route.ends_with("/unlock"))
        {
            Self::SignIn
        } else {
            Self::Api
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_request_has_a_budget_of_its_own() {
        let of = |method: &str, path: &str| Traffic::of(&method.parse().unwrap(), path);
        for path in ["/health/ready", "/metrics", "/favicon.svg", "/assets/a.js", "/", "/photos"] {
            assert_eq!(of("GET", path), Traffic::Free, "{path}");
        }
        for path in ["/sw.js", "/manifest.webmanifest", "/api/docs", "/api/openapi.json"] {
            assert_eq!(of("GET", path), Traffic::Free, "{path}");
        }
        assert_eq!(of("GET", "/i/01ARZ/thumb"), Traffic::Pixels);
        for (method, path) in [
            ("POST", "/api/v1/images"),
            ("POST", "/api/v1/images/exists"),
            ("POST", "/api/v1/uploads"),
            ("PATCH", "/api/v1/uploads/01ARZ"),
            ("HEAD", "/api/v1/uploads/01ARZ"),
            ("PUT", "/storage/originals/01ARZ"),
        ] {
            assert_eq!(of(method, path), Traffic::Transfer(Direction::Upload), "{method} {path}");
        }
        for (method, path) in [
            ("POST", "/api/v1/images/archive.zip"),
            ("GET", "/api/v1/images/archive.zip"),
            ("GET", "/api/v1/albums/01ARZ/archive.zip"),
            ("GET", "/api/v1/shared/token/archive.zip"),
            ("GET", "/api/v1/shared/token/images/01ARZ/file"),
            ("GET", "/storage/originals/01ARZ"),
        ] {
            assert_eq!(of(method, path), Traffic::Transfer(Direction::Download), "{method} {path}");
        }
        for (method, path) in [
            ("POST", "/api/v1/session"),
            ("POST", "/api/v1/session/passkey"),
            ("POST", "/api/v1/signup"),
            ("POST", "/api/v1/shared/token/unlock"),
            ("POST", "/signin"),
            ("POST", "/s/token"),
            ("GET", "/auth/oidc/callback"),
        ] {
            assert_eq!(of(method, path), Traffic::SignIn, "{method} {path}");
        }
        for (method, path) in [
            ("GET", "/api/v1/images"),
            ("GET", "/api/v1/session"),
            ("PATCH", "/api/v1/images/01ARZ"),
            ("POST", "/api/v1/images/batch-get"),
            ("GET", "/s/token"),
        ] {
            assert_eq!(of(method, path), Traffic::Api, "{method} {path}");
        }
    }
}
