//! What cargo knows about our crates and about everything they are built from.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// All crates that take part in a build.
pub struct Workspace {
    /// Ours.
    pub crates: Vec<Crate>,
    /// Ours and everybody else's.
    pub packages: Vec<Package>,
}

/// One of our crates.
#[derive(Debug)]
pub struct Crate {
    pub name: String,
    /// Which of our other crates it uses, tests and benchmarks aside.
    pub uses: Vec<String>,
}

/// A crate that takes part in a build.
#[derive(Debug)]
pub struct Package {
    pub name: String,
    pub version: String,
    pub licence: Option<String>,
    pub source: Source,
}

/// Where a crate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A folder of this repository.
    Here,
    /// The registry that everybody uses.
    CratesIo,
    /// Another registry.
    OtherRegistry,
    /// A git repository, or something newer than this program.
    Elsewhere,
}

impl Workspace {
    /// Asks cargo, for these platforms only.
    pub fn load(root: &Path, targets: &[String]) -> Result<Self, Box<dyn Error>> {
        let mut crates = Vec::new();
        // A crate that two platforms need counts once.
        let mut packages = BTreeMap::new();
        for target in targets {
            let metadata = metadata(root, target)?;
            crates = our_crates(&metadata);
            for package in metadata.packages {
                let key = (package.name.to_string(), package.version.clone());
                packages.insert(key, Package::from(package));
            }
        }
        Ok(Self { crates, packages: packages.into_values().collect() })
    }
}

fn metadata(root: &Path, target: &str) -> Result<Metadata, cargo_metadata::Error> {
    let options = ["--locked", "--filter-platform", target].map(str::to_owned);
    MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .other_options(options.to_vec())
        .exec()
}

fn our_crates(metadata: &Metadata) -> Vec<Crate> {
    let members = metadata.workspace_packages();
    let is_ours = |name: &str| members.iter().any(|member| member.name == name);
    let uses = |member: &cargo_metadata::Package| {
        let normal = member.dependencies.iter().filter(|d| d.kind == DependencyKind::Normal);
        normal.map(|d| d.name.clone()).filter(|name| is_ours(name)).collect()
    };
    let our = |member: &&cargo_metadata::Package| Crate {
        name: member.name.to_string(),
        uses: uses(member),
    };
    members.iter().map(our).collect()
}

impl From<cargo_metadata::Package> for Package {
    fn from(package: cargo_metadata::Package) -> Self {
        let source = match &package.source {
            None => Source::Here,
            Some(source) if source.is_crates_io() => Source::CratesIo,
            Some(source) if is_registry(&source.repr) => Source::OtherRegistry,
            Some(_) => Source::Elsewhere,
        };
        Self {
            name: package.name.to_string(),
            version: package.version.to_string(),
            licence: package.license,
            source,
        }
    }
}

fn is_registry(source: &str) -> bool {
    source.starts_with("registry+") || source.starts_with("sparse+")
}
