//! What should have been read, by what exiftool says: its composite tags of the Metadata Working
//! Group where there are any, and the same precedence where there are none.

use super::tags::Tags;

impl Tags {
    pub(super) fn title(&self) -> Option<String> {
        self.synchronised("IPTC:ObjectName", "XMP-dc:Title")
            .or_else(|| self.text(&["IFD0:XPTitle", "XMP-acdsee:Caption", "PNG:Title"]))
    }

    pub(super) fn description(&self) -> Option<String> {
        self.text(&["MWG:Description"])
            .or_else(|| self.text_in_any_language("XMP-dc:Description"))
            .or_else(|| {
                self.text(&[
                    "IPTC:Caption-Abstract",
                    "IFD0:XPComment",
                    "IFD0:XPSubject",
                    "ExifIFD:UserComment",
                    "XMP-tiff:ImageDescription",
                    "XMP-acdsee:Notes",
                    "XMP-exif:UserComment",
                    "PNG:Description",
                ])
            })
    }

    pub(super) fn copyright(&self) -> Option<String> {
        self.text(&["MWG:Copyright"])
            .or_else(|| self.text_in_any_language("XMP-dc:Rights"))
            .or_else(|| self.text(&["IPTC:CopyrightNotice", "XMP-tiff:Copyright", "PNG:Copyright"]))
    }

    pub(super) fn artists(&self) -> Vec<String> {
        self.texts(&[
            "MWG:Creator",
            "XMP-dc:Creator",
            "IPTC:By-line",
            "IFD0:XPAuthor",
            "XMP-tiff:Artist",
            "PNG:Author",
            "PNG:Artist",
        ])
    }

    pub(super) fn rating(&self) -> Option<f64> {
        let stars = |name| self.number(&[name]).filter(|stars| (-1.0..6.0).contains(stars));
        let percent = |name| {
            let percent = self.number(&[name]).filter(|percent| (0.0..=100.0).contains(percent))?;
            Some(if percent == 0.0 { 0.0 } else { ((percent - 1.0) / 24.5 + 1.0).round() })
        };
        stars("XMP-xmp:Rating")
            .or_else(|| stars("IFD0:Rating"))
            .or_else(|| percent("IFD0:RatingPercent"))
            .or_else(|| percent("XMP-microsoft:RatingPercent"))
            .or_else(|| stars("XMP-acdsee:Rating"))
            .map(f64::floor)
    }

    pub(super) fn city(&self) -> Option<String> {
        self.place("MWG:City", "IPTC:City", "City", &["XMP-photoshop:City"])
    }

    pub(super) fn state(&self) -> Option<String> {
        let old = ["XMP-photoshop:State"];
        self.place("MWG:State", "IPTC:Province-State", "ProvinceState", &old)
    }

    pub(super) fn country(&self) -> Option<String> {
        let (iptc, old) = ("IPTC:Country-PrimaryLocationName", ["XMP-photoshop:Country"]);
        self.place("MWG:Country", iptc, "CountryName", &old)
    }

    pub(super) fn location(&self) -> Option<String> {
        let (iptc, old) = ("IPTC:Sub-location", ["XMP-iptcCore:Location"]);
        self.place("MWG:Location", iptc, "Sublocation", &old)
    }

    pub(super) fn country_code(&self) -> Option<String> {
        let shown = self.text(&["XMP-iptcExt:LocationShownCountryCode"]);
        let iptc = "IPTC:Country-PrimaryLocationCode";
        let newer = self.is_iptc_newer().then(|| self.text(&[iptc])).flatten();
        newer
            .or(shown)
            .or_else(|| self.synchronised(iptc, "XMP-iptcCore:CountryCode"))
            .or_else(|| self.text(&["XMP-iptcExt:LocationCreatedCountryCode"]))
    }

    /// As it was written: `2024:05:01 10:20:30.12+02:00`, or the beginning of that.
    pub(super) fn date(&self) -> Option<String> {
        const NAMES: [&str; 8] = [
            "MWG:DateTimeOriginal",
            "XMP-photoshop:DateCreated",
            "XMP-exif:DateTimeOriginal",
            "PNG:CreationTime",
            "MWG:CreateDate",
            "XMP-xmp:CreateDate",
            "XMP-exif:DateTimeDigitized",
            "IFD0:ModifyDate",
        ];
        let dates = NAMES.iter().filter_map(|name| self.text(&[name]));
        dates.map(|date| known_part(&date)).find(|date| is_date(date))
    }

    pub(super) fn camera(&self) -> Option<(Option<String>, Option<String>)> {
        // Both of one carrier: the maker of one with the model of the other would be no camera.
        let carriers = [["IFD0:Make", "IFD0:Model"], ["XMP-tiff:Make", "XMP-tiff:Model"]];
        let of = |[make, model]: [&str; 2]| (self.text(&[make]), self.text(&[model]));
        carriers.into_iter().map(of).find(|(make, model)| make.is_some() || model.is_some())
    }

    pub(super) fn lens(&self) -> Option<String> {
        self.text(&["ExifIFD:LensModel", "IFD0:Lens", "XMP-exifEX:LensModel", "XMP-aux:Lens"])
    }

    pub(super) fn iso(&self) -> Option<f64> {
        let iso = self.number(&["ExifIFD:ISO", "IFD0:ISO"]).filter(|&iso| iso != 65_535.0);
        let names = [
            "ExifIFD:StandardOutputSensitivity",
            "ExifIFD:RecommendedExposureIndex",
            "ExifIFD:ISOSpeed",
            "XMP-exifEX:PhotographicSensitivity",
            "XMP-exif:ISO",
        ];
        let is_one = |iso: &f64| *iso > 0.0 && *iso < f64::from(u32::MAX);
        iso.filter(is_one).or_else(|| self.number(&names)).filter(is_one)
    }

    pub(super) fn exposure(&self) -> Option<f64> {
        self.positive(&["ExifIFD:ExposureTime", "IFD0:ExposureTime"])
            .or_else(|| self.positive(&["ExifIFD:ShutterSpeedValue"]))
            .or_else(|| self.positive(&["XMP-exif:ExposureTime"]))
    }

    pub(super) fn aperture(&self) -> Option<f64> {
        self.positive(&["ExifIFD:FNumber", "IFD0:FNumber"])
            .or_else(|| self.positive(&["ExifIFD:ApertureValue"]))
            .or_else(|| self.positive(&["XMP-exif:FNumber"]))
    }

    pub(super) fn focal_length(&self) -> Option<f64> {
        self.positive(&["ExifIFD:FocalLength", "IFD0:FocalLength"])
            .or_else(|| self.positive(&["XMP-exif:FocalLength"]))
    }

    /// Degrees north and east.
    pub(super) fn coordinates(&self) -> Option<(f64, f64)> {
        let of_exif = |tag: &str, half: &str, minus: &str| {
            let degrees = self.number(&[tag])?;
            let half = self.text(&[half])?.to_uppercase();
            Some(if half.starts_with(minus) { -degrees.abs() } else { degrees })
        };
        let latitude = of_exif("GPS:GPSLatitude", "GPS:GPSLatitudeRef", "S");
        let longitude = of_exif("GPS:GPSLongitude", "GPS:GPSLongitudeRef", "W");
        let of_xmp =
            || self.number(&["XMP-exif:GPSLatitude"]).zip(self.number(&["XMP-exif:GPSLongitude"]));
        let exists = |place: &(f64, f64)| {
            *place != (0.0, 0.0) && place.0.abs() <= 90.0 && place.1.abs() <= 180.0
        };
        latitude.zip(longitude).filter(exists).or_else(of_xmp).filter(exists)
    }

    fn positive(&self, names: &[&str]) -> Option<f64> {
        self.number(names).filter(|number| *number > 0.0)
    }

    fn place(&self, composite: &str, iptc: &str, field: &str, old: &[&str]) -> Option<String> {
        let shown = format!("XMP-iptcExt:LocationShown{field}");
        let created = format!("XMP-iptcExt:LocationCreated{field}");
        self.text(&[composite])
            .or_else(|| self.text(&[&shown]))
            .or_else(|| self.text(old))
            .or_else(|| self.text(&[iptc, &created]))
    }

    /// Of IPTC and XMP that which was changed last.
    fn synchronised(&self, iptc: &str, xmp: &str) -> Option<String> {
        let of_iptc = || self.text(&[iptc]);
        let of_xmp = || self.text_in_any_language(xmp);
        if !self.is_iptc_newer() {
            return of_xmp().or_else(of_iptc);
        }
        match (of_iptc(), of_xmp()) {
            (Some(short), Some(long)) if short.len() >= 64 && long.starts_with(&short) => {
                Some(long)
            }
            (iptc, xmp) => iptc.or(xmp),
        }
    }

    fn is_iptc_newer(&self) -> bool {
        let noted = self.text(&["Photoshop:IPTCDigest"]);
        let noted = noted.filter(|digest| digest.bytes().any(|digit| digit != b'0'));
        let current = self.text(&["File:CurrentIPTCDigest", "CurrentIPTCDigest"]);
        noted.zip(current).is_some_and(|(noted, current)| noted != current)
    }
}

/// `1975:00:00` knows the year only.
fn known_part(date: &str) -> String {
    let (day, time) = date.split_once(' ').unwrap_or((date, ""));
    if day.contains(":00") {
        return day.trim_end_matches(":00").to_owned();
    }
    if time.is_empty() { day.to_owned() } else { format!("{day} {time}") }
}

/// Whether it has a year, and what follows can be a month and a day.
fn is_date(date: &str) -> bool {
    let day = date.split(' ').next().unwrap_or_default();
    let mut parts = day.split([':', '-', '/']).map(|part| part.trim().parse::<u16>().ok());
    let year =
        parts.next().flatten().is_some_and(|year| (1..=9999).contains(&year) && day.len() >= 4);
    let mut fits =
        |most| parts.next().is_none_or(|part| part.is_some_and(|n| (1..=most).contains(&n)));
    let hour = date.split_once(' ').and_then(|(_, time)| time.get(..2)?.parse::<u8>().ok());
    year && fits(12) && fits(31) && (hour.is_some_and(|hour| hour < 24) || !date.contains(' '))
}
