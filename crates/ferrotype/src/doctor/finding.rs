use std::fmt;

use serde::Serialize;

/// What one check has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub check: &'static str,
    /// How it is.
    pub status: Status,
    /// What was found.
    pub found: String,
    /// What to do about it, unless that is clear from what was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should be.
    Ok,
    /// It works, but somebody should know.
    Warning,
    /// It does not work.
    Problem,
}

impl Finding {
    /// All is well.
    pub fn ok(check: &'static str, found: impl fmt::Display) -> Self {
        Self::new(check, Status::Ok, found)
    }

    /// Something to know.
    pub fn warning(check: &'static str, found: impl fmt::Display) -> Self {
        Self::new(check, Status::Warning, found)
    }

    /// Something to change.
    pub fn problem(check: &'static str, found: impl fmt::Display) -> Self {
        Self::new(check, Status::Problem, found)
    }

    /// The same with what to do about it.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    fn new(check: &'static str, status: Status, found: impl fmt::Display) -> Self {
        // Errors of others may have several lines; a finding has one.
        let found: Vec<String> =
            found.to_string().lines().map(|line| line.trim().to_owned()).collect();
        Self { check, status, found: found.join(" "), remedy: None }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Problem => "problem",
        };
        write!(f, "{status:<8} {}: {}", self.check, self.found)?;
        match &self.remedy {
            Some(remedy) => write!(f, "; {remedy}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line() {
        let finding = Finding::problem("table", "it is\n  not there").remedy("create it");
        assert_eq!(finding.to_string(), "problem  table: it is not there; create it");
        let json = serde_json::to_value(Finding::ok("blobs", "fine")).unwrap();
        let expected = serde_json::json!({ "check": "blobs", "status": "ok", "found": "fine" });
        assert_eq!(json, expected);
    }
}
