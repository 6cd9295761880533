//! The whole benchmark, in order: fill, ask, upload.
//!
//! Every figure comes from rounds in which the sides take turns, so that whatever else the
//! machine does falls on all of them alike.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::thread;
use std::time::Duration;

use testkit::servers::Program;

use crate::Outcome;
use crate::bare;
use crate::client::Client;
use crate::library::Library;
use crate::load::load;
use crate::photos::Photos;
use crate::plan::Plan;
use crate::requests::Requests;
use crate::results::Results;
use crate::servers;
use crate::shared::dice::Dice;
use crate::shared::format::{duration, grouped, rate};
use crate::shared::machine::{self, Facts, memory_of};
use crate::shared::say;
use crate::side::Side;
use crate::uploads::Host;

/// After this nothing is left to do of what came before.
const QUIET: Duration = Duration::from_secs(3);

/// What was found, and where.
pub struct Findings {
    pub machine: Facts,
    pub results: Results,
    pub thumb_bytes: usize,
    pub photo_bytes: u64,
    /// The same of those that come alone.
    pub lone_photo_bytes: u64,
}

/// Runs everything with its files inside this folder, and removes them.
pub fn run(plan: &Plan, binary: Option<&Path>, parent: &Path) -> Outcome<Findings> {
    let folder = tempfile::Builder::new().prefix("ferrotype-bench-").tempdir_in(parent)?;
    // nginx's workers may be another user.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    let versions = servers::versions(plan.sides)?;
    let binary = match binary {
        Some(binary) => binary.canonicalize()?,
        None => servers::build_ferrotype()?,
    };
    let mut machine = machine::facts()?;
    machine.extend(machine::disk_facts(folder.path())?);
    machine.extend(versions);

    say(format_args!("filling the data folder with {} images", grouped(plan.images)));
    let data = folder.path().join("data");
    fs::create_dir(&data)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let library = runtime.block_on(Library::fill(plan, &data))?;
    drop(runtime);
    say(format_args!("taking {} photos", plan.photos));
    let mut photos = Photos::take(plan, plan.photo_size)?;
    let mut lone_photos = Photos::take(plan, plan.lone_photo_size)?;

    let mut results = Results::default();
    let ferrotype = servers::start_ferrotype(&binary, &data);
    thread::sleep(QUIET);
    results.memory.idle = memory_of(ferrotype.pid(), "VmRSS")?;
    ask(plan, &library, &ferrotype, folder.path(), &mut results)?;
    results.memory.asked = memory_of(ferrotype.pid(), "VmHWM")?;

    let endpoint = ferrotype.endpoint();
    let owner = library.owners.first().ok_or("there are no users")?;
    let host = Host::Ferrotype { endpoint: &endpoint, api_key: &owner.api_key };
    if plan.with_uploads {
        upload_alone(plan, &host, &mut lone_photos, &mut results)?;
        upload(plan, &host, &mut photos, &folder.path().join("pict-rs"), &mut results)?;
    }
    results.memory.uploading = memory_of(ferrotype.pid(), "VmHWM")?;
    thread::sleep(QUIET);
    results.memory.afterwards = memory_of(ferrotype.pid(), "VmRSS")?;
    results.memory.afterwards_own = memory_of(ferrotype.pid(), "RssAnon")?;
    machine.push(("load after the run", machine::load()));
    Ok(Findings {
        machine,
        results,
        thumb_bytes: library.thumb_bytes,
        photo_bytes: photos.mean_bytes(),
        lone_photo_bytes: lone_photos.mean_bytes(),
    })
}

/// Does every operation on every side that does it, round after round. The round before the first
/// is not counted.
fn ask(
    plan: &Plan,
    library: &Library,
    ferrotype: &Program,
    folder: &Path,
    results: &mut Results,
) -> Outcome {
    let requests = Requests::write(plan, library, folder)?;
    let answers = folder.join("answers");
    fs::create_dir(&answers)?;
    bare::record(&ferrotype.endpoint(), library, &answers)?;
    let bare = servers::start_bare(&answers)?;
    let nginx = match plan.sides.contains(&Side::Nginx) {
        true => Some(servers::start_nginx(&folder.join("data/blobs"))?),
        false => None,
    };
    let mut dice = Dice::new(plan.seed, 0);
    for round in 0..=plan.rounds {
        for operation in plan.operations.iter().copied() {
            let mut shown = Vec::new();
            for side in operation.sides() {
                let server = match side {
                    Side::Ferrotype => Some(ferrotype),
                    Side::Bare => Some(&bare),
                    Side::Nginx => nginx.as_ref(),
                    Side::PictRs => None,
                };
                let Some(server) = server else { continue };
                let file = requests.of(operation, *side);
                let load = load(plan, server, &file, dice.next())?;
                let (per_second, processor) = (rate(load.per_second), duration(load.processor));
                shown.push(format!("{side} {per_second}/s at {processor}"));
                if round > 0 {
                    results.add_load(operation, *side, load);
                }
            }
            say(format_args!(
                "round {round} of {}: {operation}: {}",
                plan.rounds,
                shown.join(", ")
            ));
        }
    }
    Ok(())
}

/// One photo after the other, each when the one before has its renditions. The first is not
/// counted.
fn upload_alone(
    plan: &Plan,
    host: &Host<'_>,
    photos: &mut Photos,
    results: &mut Results,
) -> Outcome {
    say(format_args!("uploading {} photos one by one", plan.lone_uploads));
    let client = Client::new();
    for (number, photo) in photos.next(plan.lone_uploads + 1)?.iter().enumerate() {
        let took = host.acknowledge(&client, photo)?;
        if number > 0 {
            results.acknowledged.push(took);
        }
    }
    Ok(())
}

/// Many photos at a time, the sides taking turns. The round before the first is not counted.
fn upload(
    plan: &Plan,
    ferrotype: &Host<'_>,
    photos: &mut Photos,
    pict_rs_folder: &Path,
    results: &mut Results,
) -> Outcome {
    let pict_rs = match plan.sides.contains(&Side::PictRs) {
        true => Some(servers::start_pict_rs(pict_rs_folder)?),
        false => None,
    };
    let endpoint = pict_rs.as_ref().map(Program::endpoint);
    let pict_rs = endpoint.as_ref().map(|endpoint| Host::PictRs { endpoint });
    for round in 0..=plan.upload_rounds {
        let sides = [(Side::Ferrotype, Some(ferrotype)), (Side::PictRs, pict_rs.as_ref())];
        for (side, host) in sides {
            let Some(host) = host else { continue };
            let per_second = host.take_in(&photos.next(plan.uploads)?, plan.uploaders)?;
            say(format_args!(
                "round {round} of {}: {side} takes in {per_second:.2} photos/s",
                plan.upload_rounds
            ));
            if round > 0 {
                results.add_uploads(side, per_second);
            }
        }
    }
    Ok(())
}
