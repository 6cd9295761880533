//! `ferrotype serve`

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use api::{Drained, Gallery, GalleryFile, Site};
use service::{Room, Service};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::build_info::VERSION;
use crate::config::{BlobConfig, Config, TableConfig};
use crate::control::Control;
use crate::data_folder::DataFolder;
use crate::engines::Engines;
use crate::failure::Failure;
use crate::metrics_text::MetricsText;
use crate::output::say;
use crate::people::tell_of_people;
use crate::probe::Probe;
use crate::room_keeper::RoomKeeper;
use crate::signals::Signals;
use crate::{people, use_cases, workers};

/// Answers requests until a signal; then finishes what was begun and closes the stores.
pub async fn serve(config: &Config) -> Result<(), Failure> {
    let mut signals = Signals::listen()?;
    let metrics = MetricsText::start()?;
    // First of all: who cannot have the address leaves no folder behind. Whoever asks meanwhile
    // waits to be accepted.
    let listening = listen(config.listen).await?;
    let engines = Arc::new(Engines::open(config).await?);
    let served = serve_on(config, &engines, listening, &metrics, &mut signals).await;
    engines.table.close().await;
    metrics.stop().await;
    if served.is_ok() {
        tracing::info!("stopped");
    }
    served
}

async fn serve_on(
    config: &Config,
    engines: &Arc<Engines>,
    (listener, address): (TcpListener, SocketAddr),
    metrics: &MetricsText,
    signals: &mut Signals,
) -> Result<(), Failure> {
    let sweeper = match &config.table {
        TableConfig::Embedded { sweep_interval, .. } => {
            engines.table.start_sweeper(*sweep_interval)
        }
        TableConfig::DynamoDb(_) => None,
    };
    let service =
        use_cases::open(config, engines, storage_url(config, address), people::open(config).await?)
            .await?;
    if let TableConfig::Embedded { .. } = config.table {
        take_over(&service).await?;
    }
    let set_up = service.offer_set_up().await;
    let set_up = set_up.map_err(|error| Failure::Start(format!("the set-up: {error}")))?;
    let room = service.settings().room.clone();
    let keeper = room.clone().map(|room| {
        let reserve = DataFolder::new(&config.data_folder).reserve();
        RoomKeeper::start(room, Arc::clone(engines), &reserve)
    });
    let control = match config.table {
        TableConfig::Embedded { .. } => {
            Control::start(&DataFolder::new(&config.data_folder).control(), &service)
        }
        TableConfig::DynamoDb(_) => None,
    };
    let workers = config.worker.enabled.then(|| workers::start(config, &service));
    let told = service.clone();
    let storage_origins = service.storage_origin().await.into_iter().collect();
    let site = Site {
        service,
        settings: api::Settings { storage_origins, ..config.http.clone() },
        gallery: carried_gallery(),
        health: probe(config, engines, room),
        metrics: metrics.writer(),
    };
    say!("Ferrotype {VERSION} is running: open {}", url(address));
    tell_of_people(&told);
    if let Some(token) = set_up {
        let base = config.http.public_url.as_ref().map(|url| format!("{}/", url.as_str()));
        let base = base.unwrap_or_else(|| url(address));
        match told.has_users().await {
            Ok(true) => {
                say!("There are accounts, but no administrator's. Make one at:");
                say!("  {base}setup?token={}", token.as_str());
                say!("  or make somebody one: ferrotype user role EMAIL administrator");
            }
            _ => {
                say!("Nobody has an account yet. Make the first one, an administrator's, at:");
                say!("  {base}setup?token={}", token.as_str());
            }
        }
    }
    tracing::info!(%address, "listening");

    let outcome = answer(config, listener, site, signals).await;
    if let Some(workers) = workers {
        // Whoever did not wait for requests does not wait for work either.
        let waits = matches!(outcome, Ok(Drained::Wholly));
        let grace = if waits { config.shutdown_grace } else { Duration::ZERO };
        workers::stop(workers, grace, signals).await;
    }
    if let Some(control) = control {
        control.stop().await;
    }
    if let Some(keeper) = keeper {
        keeper.stop().await;
    }
    if let Some(sweeper) = sweeper {
        sweeper.stop().await;
    }
    match outcome? {
        Drained::Wholly => {}
        Drained::CutOff => tracing::warn!("some requests were cut off"),
    }
    Ok(())
}

/// An embedded table belongs to one process: whoever held work before is gone, and nobody needs
/// to wait for the end of their leases.
async fn take_over(service: &Service) -> Result<(), Failure> {
    let freed = service.free_tasks_of_the_dead().await;
    let freed = freed.map_err(|error| Failure::Start(format!("the work that waits: {error}")))?;
    if freed > 0 {
        tracing::info!(tasks = freed, "taking up what a killed server had begun");
    }
    Ok(())
}

/// Serves until the first signal, and then until all is done, the grace period ends or there
/// is a second one.
async fn answer(
    config: &Config,
    listener: TcpListener,
    site: Site,
    signals: &mut Signals,
) -> Result<Drained, Failure> {
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    let serving = api::serve(
        listener,
        api::router(site),
        config.http.limits.clone(),
        async move { stopped.notified().await },
        config.shutdown_grace,
    );
    tokio::pin!(serving);
    tokio::select! {
        // Only an error ends it before it is told to stop.
        served = &mut serving => return served.map_err(Failure::Serve),
        name = signals.next() => {
            tracing::info!(signal = name, grace = ?config.shutdown_grace, "stopping");
            stop.notify_one();
        }
    }
    tokio::select! {
        served = serving => served.map_err(Failure::Serve),
        name = signals.next() => {
            tracing::warn!(signal = name, "a second signal: not waiting any longer");
            Ok(Drained::CutOff)
        }
    }
}

/// The gallery that was built into this binary.
fn carried_gallery() -> Gallery {
    if let Some(why) = gallery::MISSING {
        return Gallery::missing(why);
    }
    Gallery::of(gallery::FILES.iter().map(|file| {
        let gallery::File { path, bytes, gzip, brotli, hash } = *file;
        GalleryFile { path, bytes, gzip, brotli, hash }
    }))
}

/// Where blobs in a folder are reached. Buckets sign and answer URLs of their own; for a folder we
/// do.
fn storage_url(config: &Config, address: SocketAddr) -> Option<String> {
    match (&config.blob, &config.http.public_url) {
        (BlobConfig::Folder, Some(public)) => Some(format!("{}/storage/", public.as_str())),
        (BlobConfig::Folder, None) => Some(format!("{}storage/", url(address))),
        (BlobConfig::S3(_), _) => None,
    }
}

fn probe(config: &Config, engines: &Arc<Engines>, room: Option<Arc<Room>>) -> Arc<Probe> {
    let blob_folder = match config.blob {
        BlobConfig::Folder => Some(DataFolder::new(&config.data_folder).blobs()),
        BlobConfig::S3(_) => None,
    };
    Arc::new(Probe::new(Arc::clone(engines), blob_folder, room))
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), Failure> {
    let failed = |source| Failure::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// What to type into a browser on this machine.
fn url(mut address: SocketAddr) -> String {
    match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    format!("http://{address}/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_to_open_is_one_that_can_be_opened() {
        let url = |address: &str| url(address.parse().unwrap());
        assert_eq!(url("0.0.0.0:80"), "http://127.0.0.1:80/");
        assert_eq!(url("[::]:80"), "http://[::1]:80/");
        assert_eq!(url("10.0.0.1:8080"), "http://10.0.0.1:8080/");
    }
}
