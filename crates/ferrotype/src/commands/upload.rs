//! `ferrotype upload`

use crate::cli::UploadArguments;
use crate::config::{SettingFlags, find_setting};
use crate::failure::Failure;
use crate::upload::{self, Key, Options, ServerAddress};

/// Sends files and folders to a running server.
pub async fn upload(arguments: &UploadArguments, settings: &SettingFlags) -> Result<(), Failure> {
    if let Some((setting, _)) = settings.values().next() {
        return Err(Failure::Unsuitable(format!(
            "`ferrotype upload` asks a running server and takes no settings of its own; leave out \
             --{}",
            setting.flag().unwrap_or_default()
        )));
    }
    let server = match &arguments.server {
        Some(server) => server.clone(),
        None => server_of_this_machine().map_err(Failure::Unsuitable)?,
    };
    let key = Key::find(arguments.key_file.as_deref(), server.as_str());
    let key = key.map_err(Failure::Unsuitable)?;
    let options = Options {
        paths: arguments.paths.clone(),
        server,
        key,
        parallel: arguments.parallel.into(),
        patience: arguments.patience,
        state: arguments.state.clone(),
        again: arguments.again,
        wait: arguments.wait,
        quiet: arguments.quiet,
        album: arguments.album.clone(),
        tags: arguments.tags.iter().map(ToString::to_string).collect(),
        visibility: arguments.visibility,
        taken: arguments.taken,
        report: arguments.report.clone(),
    };
    Box::pin(upload::upload(options)).await
}

/// Where a server answers that was started without any configuration.
fn server_of_this_machine() -> Result<ServerAddress, String> {
    let listen = find_setting("listen").and_then(|setting| setting.default).unwrap_or_default();
    format!("http://{listen}").parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_the_one_on_this_machine_unless_another_is_named() {
        assert_eq!(server_of_this_machine().unwrap().as_str(), "http://127.0.0.1:8080");
    }
}
