//! The models that find faces, if they are there and wanted.

use std::path::PathBuf;
use std::sync::Arc;

use faces::{LoadError, Models};
use service::{People, Service};

use crate::config::{Config, PeopleWanted};
use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::say;

/// Looks whether the models are there, as the configuration says. They are loaded when the first
/// photo waits for them.
///
/// # Errors
/// When people are to be on and the models are not what they should be.
pub async fn open(config: &Config) -> Result<People, Failure> {
    if config.people.wanted == PeopleWanted::Off {
        return Ok(People::Off { why: "people.enabled is \"off\"".to_owned() });
    }
    let folder = folder(config);
    let found = tokio::task::spawn_blocking(move || Models::open(&folder)).await;
    let found = found.map_err(|error| Failure::Start(format!("the face models: {error}")))?;
    match (found, config.people.wanted) {
        (Ok(models), _) => Ok(People::On(Arc::new(models))),
        // What is there but broken is no wish to be without.
        (Err(error @ LoadError::Missing(_)), PeopleWanted::Auto) => {
            Ok(People::Off { why: error.to_string() })
        }
        (Err(error), _) => Err(Failure::Unsuitable(format!(
            "people cannot be recognised: {error}\nset people.enabled to \"off\" to do without"
        ))),
    }
}

/// Says whether people are recognised, and how they would be.
pub fn tell_of_people(service: &Service) {
    match service.people() {
        People::On(finder) => tracing::info!(model = finder.model(), "people are recognised"),
        People::Off { why } => {
            say!("People are off: {why}");
            say!("  `ferrotype doctor` says more; everything else works without.");
        }
    }
}

/// Where the models are, or would be.
pub fn folder(config: &Config) -> PathBuf {
    if let Some(folder) = &config.people.models {
        return folder.clone();
    }
    let candidates = [DataFolder::new(&config.data_folder).models(), PathBuf::from(SET_UP)];
    let has_models =
        |folder: &&PathBuf| faces::MODEL_FILES.iter().any(|file| folder.join(file).exists());
    let found = candidates.iter().find(has_models).or(candidates.first());
    found.cloned().unwrap_or_default()
}

/// Where `scripts/setup models` puts them, in the repository.
const SET_UP: &str = ".tools/models";
