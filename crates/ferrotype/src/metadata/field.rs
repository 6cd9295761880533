//! The fields that are compared.

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    Date,
    Title,
    Description,
    Keywords,
    Rating,
    Artist,
    Copyright,
    Location,
    City,
    State,
    Country,
    CountryCode,
    Regions,
    Gps,
    Camera,
    Lens,
    Iso,
    ShutterSpeed,
    Aperture,
    FocalLength,
}

impl Field {
    /// All of them.
    pub const ALL: [Self; 20] = [
        Self::Date,
        Self::Title,
        Self::Description,
        Self::Keywords,
        Self::Rating,
        Self::Artist,
        Self::Copyright,
        Self::Location,
        Self::City,
        Self::State,
        Self::Country,
        Self::CountryCode,
        Self::Regions,
        Self::Gps,
        Self::Camera,
        Self::Lens,
        Self::Iso,
        Self::ShutterSpeed,
        Self::Aperture,
        Self::FocalLength,
    ];

    /// Its name in what is printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Date => "date",
            Self::Title => "title",
            Self::Description => "description",
            Self::Keywords => "keywords",
            Self::Rating => "rating",
            Self::Artist => "artist",
            Self::Copyright => "copyright",
            Self::Location => "location",
            Self::City => "city",
            Self::State => "state",
            Self::Country => "country",
            Self::CountryCode => "country code",
            Self::Regions => "regions",
            Self::Gps => "coordinates",
            Self::Camera => "camera",
            Self::Lens => "lens",
            Self::Iso => "ISO",
            Self::ShutterSpeed => "shutter speed",
            Self::Aperture => "aperture",
            Self::FocalLength => "focal length",
        }
    }
}
