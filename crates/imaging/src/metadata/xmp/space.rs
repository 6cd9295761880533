//! The namespaces of the properties that are read.

/// A namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Rdf,
    Xml,
    Dc,
    Xmp,
    Photoshop,
    Tiff,
    Exif,
    ExifEx,
    Aux,
    IptcCore,
    IptcExt,
    Lightroom,
    DigiKam,
    /// Ratings and keywords of Microsoft.
    Microsoft,
    /// Faces of Microsoft, in three namespaces.
    People,
    MediaPro,
    Acdsee,
    /// Regions of the Metadata Working Group.
    Regions,
    Keywords,
    Area,
    Dimensions,
    /// What nobody reads.
    Other,
}

/// Addresses without what ends them, and the prefix that is usual.
const SPACES: [(Space, &str, &str); 26] = [
    (Space::Rdf, "http://www.w3.org/1999/02/22-rdf-syntax-ns", "rdf"),
    (Space::Xml, "http://www.w3.org/XML/1998/namespace", "xml"),
    (Space::Dc, "http://purl.org/dc/elements/1.1", "dc"),
    (Space::Dc, "http://purl.org/dc/1.1", "dc"),
    (Space::Xmp, "http://ns.adobe.com/xap/1.0", "xmp"),
    (Space::Xmp, "http://ns.adobe.com/xap/1.0", "xap"),
    (Space::Photoshop, "http://ns.adobe.com/photoshop/1.0", "photoshop"),
    (Space::Tiff, "http://ns.adobe.com/tiff/1.0", "tiff"),
    (Space::Exif, "http://ns.adobe.com/exif/1.0", "exif"),
    (Space::ExifEx, "http://cipa.jp/exif/1.0", "exifEX"),
    (Space::Aux, "http://ns.adobe.com/exif/1.0/aux", "aux"),
    (Space::IptcCore, "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns", "Iptc4xmpCore"),
    (Space::IptcExt, "http://iptc.org/std/Iptc4xmpExt/2008-02-29", "Iptc4xmpExt"),
    (Space::Lightroom, "http://ns.adobe.com/lightroom/1.0", "lr"),
    (Space::DigiKam, "http://www.digikam.org/ns/1.0", "digiKam"),
    (Space::Microsoft, "http://ns.microsoft.com/photo/1.0", "MicrosoftPhoto"),
    (Space::People, "http://ns.microsoft.com/photo/1.2", "MP"),
    (Space::People, "http://ns.microsoft.com/photo/1.2/t/RegionInfo", "MPRI"),
    (Space::People, "http://ns.microsoft.com/photo/1.2/t/Region", "MPReg"),
    (Space::MediaPro, "http://ns.iview-multimedia.com/mediapro/1.0", "mediapro"),
    (Space::MediaPro, "http://ns.microsoft.com/expressionmedia/1.0", "expressionmedia"),
    (Space::Acdsee, "http://ns.acdsee.com/iptc/1.0", "acdsee"),
    (Space::Regions, "http://www.metadataworkinggroup.com/schemas/regions", "mwg-rs"),
    (Space::Keywords, "http://www.metadataworkinggroup.com/schemas/keywords", "mwg-kw"),
    (Space::Area, "http://ns.adobe.com/xmp/sType/Area", "stArea"),
    (Space::Dimensions, "http://ns.adobe.com/xap/1.0/sType/Dimensions", "stDim"),
];

impl Space {
    /// By its address; writers disagree about what ends it.
    pub(super) fn of_uri(uri: &str) -> Self {
        let uri = uri.trim().trim_end_matches(['/', '#']);
        let found = SPACES.iter().find(|(_, address, _)| *address == uri);
        found.map_or(Self::Other, |(space, ..)| *space)
    }

    /// By a prefix that was not declared.
    pub(super) fn of_prefix(prefix: &str) -> Self {
        let found = SPACES.iter().find(|(.., usual)| *usual == prefix);
        found.map_or(Self::Other, |(space, ..)| *space)
    }
}
