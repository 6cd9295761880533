//! `deny.toml`: which licences and sources the crates we build from may have.
//!
//! The file is one that `cargo deny` reads as well. What this module does not understand it
//! refuses, so that nobody believes in a rule that is not enforced.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use spdx::{Expression, LicenseReq, Licensee, ParseMode};

use super::Finding;
use super::workspace::{Package, Source};

/// The rules.
#[derive(Debug)]
pub struct Policy {
    file: File,
    allowed: Vec<Licensee>,
    exceptions: Vec<(String, Vec<Licensee>)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    graph: Graph,
    licenses: Licences,
    #[expect(dead_code, reason = "one value is possible, and it is checked while reading")]
    bans: Bans,
    #[expect(dead_code, reason = "one value is possible, and it is checked while reading")]
    sources: Sources,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Graph {
    targets: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Licences {
    allow: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Bans {
    #[expect(dead_code, reason = "one value is possible")]
    multiple_versions: Warn,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(dead_code, reason = "one value is possible")]
struct Sources {
    unknown_registry: Deny,
    unknown_git: Deny,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Warn {
    Warn,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Deny {
    Deny,
}

impl Policy {
    /// Reads the rules.
    pub fn load(file: &Path) -> Result<Self, Box<dyn Error>> {
        let text = fs::read_to_string(file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        Self::parse(&text).map_err(|error| format!("{}: {error}", file.display()).into())
    }

    fn parse(text: &str) -> Result<Self, Box<dyn Error>> {
        let file: File = toml::from_str(text)?;
        let allowed = licensees(&file.licenses.allow)?;
        let mut exceptions = Vec::new();
        for exception in &file.licenses.exceptions {
            exceptions.push((exception.name.clone(), licensees(&exception.allow)?));
        }
        Ok(Self { file, allowed, exceptions })
    }

    /// The platforms we build for.
    pub fn targets(&self) -> &[String] {
        &self.file.graph.targets
    }

    /// Holds every package against the rules.
    pub fn check(&self, packages: &[Package]) -> Vec<Finding> {
        let problems = packages.iter().flat_map(|package| {
            let place = format!("{} {}", package.name, package.version);
            [self.licence_problem(package), source_problem(package)]
                .into_iter()
                .flatten()
                .map(move |problem| Finding::new(&place, problem))
        });
        problems.chain(self.unused_exceptions(packages)).collect()
    }

    fn licence_problem(&self, package: &Package) -> Option<String> {
        let Some(licence) = &package.licence else {
            return Some("does not say under which licence it may be used".to_owned());
        };
        let Ok(expression) = Expression::parse_mode(licence, ParseMode::LAX) else {
            return Some(format!("has the licence {licence:?}, which is no SPDX expression"));
        };
        let fine = expression.evaluate(|wanted| self.allows(&package.name, wanted));
        (!fine).then(|| format!("has the licence {licence:?}, which deny.toml does not allow"))
    }

    fn allows(&self, package: &str, wanted: &LicenseReq) -> bool {
        let special = self.exceptions.iter().filter(|(name, _)| name == package);
        let special = special.flat_map(|(_, allowed)| allowed);
        self.allowed.iter().chain(special).any(|licence| licence.satisfies(wanted))
    }

    fn unused_exceptions(&self, packages: &[Package]) -> Vec<Finding> {
        let is_used = |name: &str| packages.iter().any(|package| package.name == name);
        let unused = self.exceptions.iter().filter(|(name, _)| !is_used(name));
        let finding = |(name, _): &(String, _)| {
            Finding::new("deny.toml", format!("has an exception for {name}, which we do not use"))
        };
        unused.map(finding).collect()
    }
}

fn licensees(names: &[String]) -> Result<Vec<Licensee>, Box<dyn Error>> {
    let parse = |name: &String| {
        Licensee::parse(name).map_err(|error| format!("licence {name:?}: {}", error.reason).into())
    };
    names.iter().map(parse).collect()
}

fn source_problem(package: &Package) -> Option<String> {
    let from = match package.source {
        Source::Here | Source::CratesIo => return None,
        Source::OtherRegistry => "another registry",
        Source::Elsewhere => "a git repository",
    };
    Some(format!("comes from {from}; deny.toml allows the usual registry only"))
}

/// Crates of which several versions are built: they cost time and space.
pub fn duplicates(packages: &[Package]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    let several = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
    several
        .map(|(name, versions)| format!("{name} is built as {}", versions.join(" and ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
        graph.targets = ["x86_64-unknown-linux-gnu"]
        bans.multiple-versions = "warn"
        sources = { unknown-registry = "deny", unknown-git = "deny" }
        [licenses]
        allow = ["MIT", "Apache-2.0", "ISC", "Apache-2.0 WITH LLVM-exception"]
        exceptions = [{ crate = "odd", allow = ["GPL-3.0-only"] }]
    "#;

    fn package(name: &str, licence: Option<&str>, source: Source) -> Package {
        let licence = licence.map(str::to_owned);
        Package { name: name.to_owned(), version: "1.0.0".to_owned(), licence, source }
    }

    fn problem(name: &str, licence: Option<&str>, source: Source) -> Option<String> {
        let odd = package("odd", Some("MIT"), Source::CratesIo);
        let found = Policy::parse(RULES).unwrap().check(&[package(name, licence, source), odd]);
        assert!(found.len() <= 1, "{found:?}");
        found.first().map(ToString::to_string)
    }

    fn licence_problem(licence: &str) -> Option<String> {
        problem("a", Some(licence), Source::CratesIo)
    }

    #[test]
    fn allowed_licences_are_fine() {
        for licence in [
            "MIT",
            "MIT OR GPL-2.0-only",
            "MIT/Apache-2.0",
            "Apache-2.0 AND ISC",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0-or-later",
            "(GPL-2.0-only AND ISC) OR MIT",
        ] {
            assert_eq!(licence_problem(licence), None, "{licence}");
        }
    }

    #[test]
    fn other_licences_are_found() {
        for licence in ["GPL-3.0-only", "MIT AND AGPL-3.0-only", "LGPL-2.1-or-later", "MPL-2.0"] {
            let problem = licence_problem(licence).unwrap();
            assert!(problem.starts_with("a 1.0.0: has the licence"), "{problem}");
        }
        assert!(licence_problem("my own terms").unwrap().contains("no SPDX expression"));
        assert!(problem("a", None, Source::CratesIo).unwrap().contains("does not say"));
    }

    #[test]
    fn an_exception_is_for_one_crate_that_is_used() {
        assert_eq!(problem("odd", Some("GPL-3.0-only"), Source::CratesIo), None);
        let found = Policy::parse(RULES).unwrap().check(&[]);
        assert!(found[0].to_string().contains("exception for odd"), "{found:?}");
    }

    #[test]
    fn other_sources_are_found() {
        assert_eq!(problem("a", Some("MIT"), Source::Here), None);
        for source in [Source::OtherRegistry, Source::Elsewhere] {
            assert!(problem("a", Some("MIT"), source).unwrap().contains("comes from"));
        }
    }

    #[test]
    fn several_versions_are_noted() {
        let mut newer = package("a", Some("MIT"), Source::CratesIo);
        newer.version = "2.0.0".to_owned();
        let packages =
            [package("a", None, Source::CratesIo), newer, package("b", None, Source::Here)];
        assert_eq!(duplicates(&packages), ["a is built as 1.0.0 and 2.0.0"]);
    }

    #[test]
    fn rules_that_would_not_be_enforced_are_refused() {
        assert!(Policy::parse(RULES).is_ok());
        for wrong in [
            RULES.replace("\"warn\"", "\"deny\""),
            RULES.replace("unknown-git", "required-git-spec"),
            format!("{RULES}\ncopyleft = \"deny\""),
            RULES.replace("\"ISC\"", "\"My-Licence\""),
        ] {
            assert!(Policy::parse(&wrong).is_err(), "{wrong}");
        }
    }
}
