//! The models that find faces.

use faces::{Faces, LoadError};

use super::Finding;
use crate::config::{Config, PeopleWanted};
use crate::people::folder;

const CHECK: &str = "people";

/// Loads the models as a server does when the first photo waits for them.
pub(super) async fn check(config: &Config) -> Finding {
    if config.people.wanted == PeopleWanted::Off {
        return Finding::ok(CHECK, "they are off, as people.enabled says");
    }
    let folder = folder(config);
    let shown = folder.display().to_string();
    match tokio::task::spawn_blocking(move || Faces::load(&folder)).await {
        Ok(Ok(faces)) => Finding::ok(CHECK, format_args!("{} in {shown}", faces.model())),
        Ok(Err(error @ LoadError::Missing(_))) if config.people.wanted == PeopleWanted::Auto => {
            Finding::warning(CHECK, format_args!("nobody is recognised: {error}")).remedy(
                "get the models with `scripts/setup models`, or copy them into the folder \
                 `models` of the data folder, or set people.enabled to \"off\"",
            )
        }
        Ok(Err(error)) => Finding::problem(CHECK, error).remedy(
            "set people.models to the folder with the models, or people.enabled to \"off\"",
        ),
        Err(error) => Finding::problem(CHECK, error),
    }
}
