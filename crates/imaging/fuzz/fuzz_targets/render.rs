//! Whatever the bytes, rendering ends in renditions of the right size or in an error, in bounded
//! time and memory, and no panic is our own.
#![no_main]

use std::cell::RefCell;
use std::sync::LazyLock;

use imaging::{Error, Limits, RenderOptions, Renderer};
use libfuzzer_sys::fuzz_target;
use model::{Fit, RenditionFormat, SizeSpec};

/// Small enough for hundreds of files in a second; what is larger is refused, as in production.
const LIMITS: Limits =
    Limits { bytes: 1 << 20, pixels: 1 << 18, side: 4096, frames: 16, decoded_bytes: 256 << 20 };

static SIZES: LazyLock<Vec<SizeSpec>> = LazyLock::new(|| {
    let size = |name: &str, side, fit, format| {
        let name = name.parse().expect("a name");
        SizeSpec::new(name, (side, side), fit, format, 60).expect("a size")
    };
    vec![
        size("large", 96, Fit::Inside, RenditionFormat::Webp),
        size("medium", 48, Fit::Inside, RenditionFormat::Jpeg),
        size("small", 24, Fit::Cover, RenditionFormat::Png),
    ]
});

thread_local! {
    static RENDERER: RefCell<Renderer> = RefCell::new(Renderer::new());
}

fuzz_target!(
    init: tolerate_panics_of_decoders(),
    |bytes: &[u8]| {
        let Ok(probe) = imaging::probe(bytes) else { return };
        let options = RenderOptions { limits: LIMITS, ..RenderOptions::default() };
        let rendered = RENDERER.with_borrow_mut(|r| r.render(bytes, &probe, &SIZES, &options));
        match rendered {
            Ok(rendered) => {
                for size in &rendered.renditions {
                    let (width, height) = (size.rendition.width, size.rendition.height);
                    assert!((1..=96).contains(&width) && (1..=96).contains(&height));
                    let again = imaging::probe(&size.bytes).expect("a rendition that is an image");
                    assert_eq!(again.display_size(), (width, height));
                    assert!(again.exif.is_none(), "metadata in a rendition");
                }
            }
            Err(Error::Internal { what }) => panic!("blamed on ourselves: {what}"),
            Err(_) => {}
        }
    }
);

/// The renderer catches panics of the libraries that decode; only our own are faults.
fn tolerate_panics_of_decoders() {
    let abort = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let ours = |file: &str| file.contains("imaging/src") || file.contains("fuzz_targets");
        if panic.location().is_none_or(|location| ours(location.file())) {
            abort(panic);
        }
    }));
}
