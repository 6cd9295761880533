//! The album that all images of a run are put into.

use std::time::Duration;

use model::AlbumId;
use reqwest::Method;
use serde::Deserialize;
use serde_json::json;

use super::client::{Refusal, Server, accept, read_json, send};
use super::patience::patiently;
use super::progress::Progress;

/// Images put into an album with one request; the API takes no more.
pub(super) const ADDED_MAX: usize = 100;

/// An album to fill, and what is not in it yet.
pub(super) struct Filling {
    album: String,
    waiting: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Albums {
    items: Vec<Album>,
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Album {
    id: String,
    title: String,
}

impl Filling {
    /// Finds the album by its id or its name, or makes one of this name.
    pub(super) async fn open(
        server: &Server,
        named: &str,
        patience: Duration,
        progress: &Progress,
    ) -> Result<Self, Refusal> {
        let album = patiently(patience, progress, async || server.open_album(named).await).await?;
        Ok(Self { album, waiting: Vec::new() })
    }

    /// An image that belongs into it. Enough of them are sent together.
    pub(super) async fn add(
        &mut self,
        image: String,
        server: &Server,
        patience: Duration,
        progress: &Progress,
    ) -> Result<(), Refusal> {
        self.waiting.push(image);
        match self.waiting.len() < ADDED_MAX {
            true => Ok(()),
            false => self.flush(server, patience, progress).await,
        }
    }

    /// Puts into the album what waits for it.
    pub(super) async fn flush(
        &mut self,
        server: &Server,
        patience: Duration,
        progress: &Progress,
    ) -> Result<(), Refusal> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let images = std::mem::take(&mut self.waiting);
        let add = async || server.add_to_album(&self.album, &images).await;
        patiently(patience, progress, add).await
    }
}

impl Server {
    async fn open_album(&self, named: &str) -> Result<String, Refusal> {
        if named.parse::<AlbumId>().is_ok() {
            let request = self.request(Method::GET, &format!("/api/v1/albums/{named}"));
            return match accept(send(request).await?).await {
                // Who may not read finds out when something is put into it.
                Ok(_) | Err(Refusal::All { .. }) => Ok(named.to_owned()),
                Err(Refusal::Gone { .. }) => {
                    Err(Refusal::All { reason: format!("there is no album {named}") })
                }
                Err(refusal) => Err(refusal),
            };
        }
        let mut cursor: Option<String> = None;
        loop {
            let mut path = "/api/v1/albums?limit=100".to_owned();
            if let Some(cursor) = &cursor {
                path += &format!("&cursor={cursor}");
            }
            let answer = accept(send(self.request(Method::GET, &path)).await?).await?;
            let albums: Albums = serde_json::from_value(read_json(answer).await?)
                .map_err(|_| self.no_ferrotype())?;
            if let Some(album) = albums.items.into_iter().find(|album| album.title == named) {
                return Ok(album.id);
            }
            cursor = albums.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let request = self.json(Method::POST, "/api/v1/albums", &json!({ "title": named }));
        let answer = accept(send(request).await?).await.map_err(|refusal| match refusal {
            Refusal::File { reason, .. } => Refusal::All { reason },
            other => other,
        })?;
        let album: Album =
            serde_json::from_value(read_json(answer).await?).map_err(|_| self.no_ferrotype())?;
        Ok(album.id)
    }

    async fn add_to_album(&self, album: &str, images: &[String]) -> Result<(), Refusal> {
        let path = format!("/api/v1/albums/{album}/images");
        let request = self.json(Method::POST, &path, &json!({ "add": images, "remove": [] }));
        accept(send(request).await?).await.map(drop)
    }
}
