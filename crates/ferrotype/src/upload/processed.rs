//! Waiting until the images that were sent have been processed.

use std::time::Duration;

use super::client::{BATCH_MAX, Refusal};
use super::patience::Patience;
use super::report::Report;
use super::send::Sender;

const FIRST_PAUSE: Duration = Duration::from_millis(300);
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// Waits for all images of the report; those that cannot be processed count as failed.
pub(super) async fn wait(sender: &Sender, report: &mut Report) {
    if report.is_stopped() {
        return;
    }
    let mut waiting = report.images();
    let mut patience = Patience::new(sender.patience);
    let mut pause = FIRST_PAUSE;
    loop {
        match look(sender, &waiting, report).await {
            Ok(left) => {
                patience.renew();
                sender.progress.go_on();
                waiting = left;
            }
            Err(refusal) => {
                if let Err(refusal) = patience.pause(refusal, &sender.progress).await {
                    let reason = format!("it is not known whether all is processed: {refusal}");
                    return report.stop(&reason);
                }
            }
        }
        if waiting.is_empty() {
            return;
        }
        sender.progress.message(&format!("{} being processed", waiting.len()));
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE_MAX);
    }
}

/// Looks at the first images that are waited for, and returns those that still are. Later ones
/// wait behind them, so that many images cost few requests.
async fn look(
    sender: &Sender,
    waiting: &[String],
    report: &mut Report,
) -> Result<Vec<String>, Refusal> {
    let (asked, later) = waiting.split_at(waiting.len().min(BATCH_MAX));
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let found = sender.server.find_images(&asked).await?;
    // Whoever is not found has been deleted meanwhile, which ends it too.
    let mut left = Vec::new();
    for image in found {
        match image.status.as_str() {
            "completed" => {}
            "failed" => {
                let why = image.error.unwrap_or_else(|| "no reason was given".to_owned());
                report.fail_image(&image.id, &format!("it cannot be processed: {why}"));
            }
            _ => left.push(image.id),
        }
    }
    left.extend_from_slice(later);
    Ok(left)
}
