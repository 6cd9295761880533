//! Settings of images, quotas and workers.

use std::time::Duration;

use model::{ByteRule, Fit, QuotaRule, RenditionFormat, SizeName, SizeSpec};

use super::parse;
use super::validate::Check;

/// What is decided about images.
#[derive(Clone, Debug)]
pub struct ImageConfig {
    /// The renditions that every image gets.
    pub sizes: Vec<SizeSpec>,
    /// Memory for decoding.
    pub memory_bytes: u64,
    /// Bytes of a file at most.
    pub file_bytes_max: u64,
    /// How long an upload may take.
    pub upload_time: Duration,
    /// How long images stay in the trash.
    pub trash_time: Duration,
    /// How long URLs of pictures work at least.
    pub url_time: Duration,
    /// Whether pictures are fetched from the storage itself.
    pub redirect: bool,
    /// Whether others see what the camera wrote.
    pub share_exif: bool,
    /// What a new user may keep, if that is decided here.
    pub quota: Option<QuotaRule>,
    /// Bytes of the disk that stay free.
    pub free_bytes_min: u64,
}

/// How this process works on what waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerConfig {
    /// Whether it does at all.
    pub enabled: bool,
    /// Images rendered at once; as many as there are cores if not set.
    pub rendering_max: Option<usize>,
}

impl Check<'_> {
    pub(super) fn images(&mut self) -> Option<ImageConfig> {
        let sizes = self.required("images.sizes", sizes, "for renditions");
        let memory_bytes = self.required("images.memory", parse::bytes, "for renditions");
        let file_bytes_max = self.required("images.file_size_max", parse::bytes, "for uploads");
        let upload_time = self.required("images.upload_time", parse::long_time, "for uploads");
        let trash_time = self.required("images.trash_time", parse::long_time, "for the trash");
        let url_time = self.required("images.url_time", parse::long_time, "for URLs");
        let redirect = self.required("images.redirect", parse::boolean, "for pictures");
        if redirect == Some(true) && !self.is("blob.engine", "s3") {
            self.refuse("images.redirect", "false, unless blob.engine is \"s3\"");
        }
        let share_exif = self.required("images.share_exif", parse::boolean, "for privacy");
        let quota = self.quota();
        let free_bytes_min = self.required("storage.free_min", parse::bytes_or_none, "for uploads");
        Some(ImageConfig {
            sizes: sizes?,
            memory_bytes: memory_bytes?,
            file_bytes_max: file_bytes_max?,
            upload_time: upload_time?,
            trash_time: trash_time?,
            url_time: url_time?,
            redirect: redirect?,
            share_exif: share_exif?,
            quota,
            free_bytes_min: free_bytes_min?,
        })
    }

    /// Whoever sets one of the two has decided; the other one is then what it is without a word.
    fn quota(&mut self) -> Option<QuotaRule> {
        let images = self.optional("quota.images", parse::image_limit);
        let bytes = self.optional("quota.bytes", parse::byte_limit);
        if matches!(bytes, Some(ByteRule::DiskPercent(_))) && !self.is("blob.engine", "folder") {
            self.refuse("quota.bytes", "bytes or unlimited, unless blob.engine is \"folder\"");
        }
        if images.is_none() && bytes.is_none() {
            return None;
        }
        let usual = QuotaRule::default();
        Some(QuotaRule {
            images: images.unwrap_or(usual.images),
            bytes: bytes.unwrap_or(usual.bytes),
        })
    }

    pub(super) fn worker(&mut self) -> Option<WorkerConfig> {
        let enabled = self.required("worker.enabled", parse::boolean, "to work");
        let rendering_max = self.optional("worker.rendering_max", parse::count);
        Some(WorkerConfig { enabled: enabled?, rendering_max })
    }
}

impl ImageConfig {
    /// What the use cases need of it.
    pub fn settings(&self, storage_url: Option<String>) -> service::Settings {
        let mut settings = service::Settings {
            sizes: self.sizes.clone(),
            memory_bytes: self.memory_bytes,
            upload_time: self.upload_time,
            trash_time: self.trash_time,
            url_time: self.url_time,
            redirect_pixels: self.redirect,
            share_exif: self.share_exif,
            quota: self.quota,
            storage_url,
            ..service::Settings::default()
        };
        settings.limits.bytes = self.file_bytes_max;
        settings.limits.decoded_bytes = self.memory_bytes;
        settings.render.limits = settings.limits;
        settings
    }
}

/// `thumb 256x256 cover webp 80, small 640x640`: a name, a box, and what is not as usual.
fn sizes(text: &str) -> Result<Vec<SizeSpec>, String> {
    const RIGHT: &str = "sizes such as \"thumb 256x256 cover, large 2048x2048 jpeg 85\": a name, \
                         width x height, then inside or cover, webp, avif, jpeg or png, and a \
                         quality from 1 to 100 where they are not inside, webp and 80";
    let mut sizes: Vec<SizeSpec> = Vec::new();
    for part in text.split(',') {
        let size = size(part).ok_or(RIGHT)?;
        if sizes.iter().any(|other| other.name() == size.name()) {
            return Err(format!("each size once; {:?} is there twice", size.name().as_str()));
        }
        sizes.push(size);
    }
    Ok(sizes)
}

fn size(text: &str) -> Option<SizeSpec> {
    let mut words = text.split_whitespace();
    let name: SizeName = words.next()?.parse().ok()?;
    let (width, height) = words.next()?.split_once('x')?;
    let sides = (width.parse().ok()?, height.parse().ok()?);
    let (mut fit, mut format, mut quality) =
        (Fit::Inside, RenditionFormat::Webp, SizeSpec::QUALITY_DEFAULT);
    for word in words {
        match word {
            "inside" => fit = Fit::Inside,
            "cover" => fit = Fit::Cover,
            "webp" => format = RenditionFormat::Webp,
            "avif" => format = RenditionFormat::Avif,
            "jpeg" => format = RenditionFormat::Jpeg,
            "png" => format = RenditionFormat::Png,
            number => quality = number.parse().ok()?,
        }
    }
    SizeSpec::new(name, sides, fit, format, quality).ok()
}

#[cfg(test)]
mod tests {
    use super::super::setting::find_setting;
    use super::*;

    #[test]
    fn the_default_sizes_are_those_of_the_model() {
        let default = find_setting("images.sizes").unwrap().default.unwrap();
        assert_eq!(sizes(default), Ok(model::default_sizes()));
    }

    #[test]
    fn a_size_says_only_what_is_not_as_usual() {
        let hero = size("hero 1600x900 cover jpeg 85").unwrap();
        assert_eq!((hero.width(), hero.height(), hero.quality()), (1600, 900, 85));
        assert_eq!((hero.fit(), hero.format()), (Fit::Cover, RenditionFormat::Jpeg));
        for wrong in [
            "",
            "hero",
            "hero 1600",
            "hero 0x9",
            "hero 9x9 gif",
            "Hero 9x9",
            "a 9x9, a 8x8",
            "a 9x9,",
        ] {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }
}
