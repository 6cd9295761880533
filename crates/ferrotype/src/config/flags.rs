//! Settings from flags, one flag for each that is not secret.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::raw::{Origin, Raw};
use super::setting::{SETTINGS, Setting};

/// The flags that were given. Every command takes all of them.
#[derive(Debug, Default)]
pub struct SettingFlags(Vec<(&'static Setting, String)>);

impl SettingFlags {
    /// What was said, and by which flag.
    pub fn values(&self) -> impl Iterator<Item = (&'static Setting, Raw)> {
        self.0.iter().map(|(setting, text)| {
            let name = setting.flag().unwrap_or_default();
            (*setting, Raw { text: text.clone(), origin: Origin::Flag { name } })
        })
    }
}

impl Args for SettingFlags {
    fn augment_args(command: Command) -> Command {
        command.args(SETTINGS.iter().filter_map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let given = |setting: &'static Setting| {
            setting.flag()?;
            matches.get_one::<String>(setting.key).map(|text| (setting, text.clone()))
        };
        self.0.extend(SETTINGS.iter().filter_map(given));
        Ok(())
    }
}

fn argument(setting: &'static Setting) -> Option<Arg> {
    let flag = setting.flag()?;
    let default = setting.default.map(|text| format!(" [default: {text}]")).unwrap_or_default();
    Some(
        Arg::new(setting.key)
            .long(flag)
            .value_name("VALUE")
            .help(format!("{}{default}", setting.about))
            .help_heading("Settings")
            .global(true),
    )
}
