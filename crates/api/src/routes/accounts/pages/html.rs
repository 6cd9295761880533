//! A small page with a form.

use std::fmt::Write as _;

use model::limits;

use crate::html::{capitalised, escape};

/// A page, built from top to bottom.
pub(in crate::routes::accounts) struct Page {
    title: &'static str,
    body: String,
}

/// A field of a form.
pub(super) struct Field<'a> {
    label: &'static str,
    attributes: String,
    value: &'a str,
}

impl Page {
    pub(in crate::routes::accounts) fn new(title: &'static str) -> Self {
        Self { title, body: String::new() }
    }

    pub(in crate::routes::accounts) fn text(self, text: &str) -> Self {
        self.push(format_args!("<p>{}</p>\n", escape(text)))
    }

    /// What was wrong, if anything; read out at once by screen readers.
    pub(in crate::routes::accounts) fn error(self, error: Option<&str>) -> Self {
        match error {
            Some(error) => self.push(format_args!(
                "<p class=\"error\" role=\"alert\">{}</p>\n",
                escape(&capitalised(error))
            )),
            None => self,
        }
    }

    pub(in crate::routes::accounts) fn link(self, to: &str, text: &str) -> Self {
        self.push(format_args!("<p><a href=\"{}\">{}</a></p>\n", escape(to), escape(text)))
    }

    pub(super) fn form(self, action: &str, button: &str, fields: &[Field<'_>]) -> Self {
        let fields: String = fields.iter().map(Field::render).collect();
        self.push(format_args!(
            "<form method=\"post\" action=\"{action}\">\n{fields}<button>{button}</button>\n</form>\n"
        ))
    }

    pub(in crate::routes::accounts) fn render(&self) -> String {
        let Self { title, body } = self;
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title} – Ferrotype</title>\n<style>{STYLE}</style>\n\
             <main>\n<h1>{title}</h1>\n{body}</main>\n</html>\n"
        )
    }

    fn push(mut self, text: std::fmt::Arguments<'_>) -> Self {
        // Writing to a text cannot fail.
        let _ = self.body.write_fmt(text);
        self
    }
}

impl<'a> Field<'a> {
    pub(super) fn hidden(name: &'static str, value: &'a str) -> Self {
        Self { label: "", attributes: format!("type=\"hidden\" name=\"{name}\""), value }
    }

    pub(super) fn name(value: &'a str) -> Self {
        let attributes = format!(
            "name=\"name\" autocomplete=\"name\" maxlength=\"{}\" required",
            limits::NAME_CHARS_MAX
        );
        Self { label: "Name", attributes, value }
    }

    pub(super) fn email(value: &'a str) -> Self {
        let attributes = "type=\"email\" name=\"email\" autocomplete=\"username\" required";
        Self { label: "E-mail address", attributes: attributes.to_owned(), value }
    }

    pub(super) fn password() -> Self {
        let attributes =
            "type=\"password\" name=\"password\" autocomplete=\"current-password\" required";
        Self { label: "Password", attributes: attributes.to_owned(), value: "" }
    }

    pub(super) fn new_password() -> Self {
        let attributes = format!(
            "type=\"password\" name=\"password\" autocomplete=\"new-password\" \
             minlength=\"{}\" required",
            limits::PASSWORD_CHARS_MIN
        );
        Self { label: "Password (at least 10 characters)", attributes, value: "" }
    }

    fn render(&self) -> String {
        let Self { label, attributes, value } = self;
        let input = format!("<input {attributes} value=\"{}\">", escape(value));
        match label.is_empty() {
            true => format!("{input}\n"),
            false => format!("<label>{label}\n{input}</label>\n"),
        }
    }
}

const STYLE: &str = "\
:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}\
body{margin:0;display:grid;place-items:start center;padding:10vh 1rem}\
main{width:100%;max-width:24rem}\
h1{font-size:1.5rem;margin:0 0 1rem}\
form{display:grid;gap:1rem;margin:1rem 0}\
label{display:grid;gap:.25rem}\
input,button{font:inherit;padding:.6rem .7rem;border-radius:.4rem;border:1px solid #767676}\
button{background:#1a4fa3;border-color:#1a4fa3;color:#fff;cursor:pointer}\
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid #e0a100;outline-offset:2px}\
.error{padding:.6rem .7rem;border-radius:.4rem;background:#8c1d18;color:#fff;margin:0}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_stays_text() {
        let page = Page::new("Sign in")
            .error(Some("<script>"))
            .form("/signin", "Sign in", &[Field::email("\"><script>")])
            .render();
        assert!(!page.contains("<script>"), "{page}");
        assert!(page.contains("value=\"&quot;&gt;&lt;script&gt;\""), "{page}");
    }
}
