//! Keywords and parts of pictures, which programs write in several ways at once.

use std::collections::BTreeSet;

use model::Region;
use serde_json::Value;

use super::tags::{Tags, number_of, text_of, texts_of};

/// Keywords as exiftool reads them.
pub(super) struct ExpectedKeywords {
    /// Every word of every list and hierarchy.
    pub(super) words: BTreeSet<String>,
    /// The hierarchies.
    pub(super) paths: Vec<String>,
}

impl Tags {
    pub(super) fn keywords(&self) -> Option<ExpectedKeywords> {
        let flat = self.texts(&["MWG:Keywords", "XMP-dc:Subject", "IPTC:Keywords"]);
        let flat = if flat.is_empty() {
            let one = self.text(&["IFD0:XPKeywords"]).unwrap_or_default();
            one.split(';')
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .map(ToOwned::to_owned)
                .collect()
        } else {
            flat
        };
        let mut paths: Vec<Vec<String>> = Vec::new();
        for (name, separator) in [
            ("XMP-lr:HierarchicalSubject", '|'),
            ("XMP-digiKam:TagsList", '/'),
            ("XMP-microsoft:LastKeywordXMP", '/'),
            ("XMP-mediapro:CatalogSets", '|'),
            ("XMP-expressionmedia:CatalogSets", '|'),
        ] {
            let split = |text: String| {
                let parts = text.split(separator).map(str::trim).filter(|part| !part.is_empty());
                parts.map(ToOwned::to_owned).collect::<Vec<String>>()
            };
            paths.extend(self.texts(&[name]).into_iter().map(split));
        }
        if let Some(tree) = self.value(&["XMP-mwg-kw:KeywordInfo"]) {
            let roots = tree.get("Hierarchy").and_then(Value::as_array);
            roots.into_iter().flatten().for_each(|root| walk(root, &[], &mut paths));
        }
        if let Some(categories) = self.text(&["XMP-acdsee:Categories"]) {
            categories_of_acdsee(&categories, &mut paths);
        }
        paths.retain(|path| {
            !(path.len() > 1 && path.first().is_some_and(|first| first == "darktable"))
        });
        let words = flat.iter().flat_map(|word| words_of(word));
        let words: BTreeSet<String> =
            words.chain(paths.iter().flatten().flat_map(|word| words_of(word))).collect();
        let joined: Vec<String> = paths.iter().map(|path| path.join("/").to_lowercase()).collect();
        let goes_on =
            |path: &String| joined.iter().any(|other| other.starts_with(&format!("{path}/")));
        let paths = joined.iter().filter(|path| !goes_on(path)).cloned().collect();
        (!words.is_empty()).then_some(ExpectedKeywords { words, paths })
    }

    /// The marked parts of the upright picture: name, left, top, width, height.
    pub(super) fn regions(&self, orientation: u8) -> Option<Vec<(Option<String>, [f64; 4])>> {
        let mut regions = Vec::new();
        let info = self.value(&["XMP-mwg-rs:RegionInfo"]);
        let list = |info: Option<&Value>, name| -> Vec<Value> {
            info.and_then(|info| info.get(name)?.as_array().cloned()).unwrap_or_default()
        };
        for region in list(info, "RegionList") {
            let area = region.get("Area");
            let number = |name| area.and_then(|area| number_of(area.get(name)?));
            let unit = area.and_then(|area| text_of(area.get("Unit")?));
            let sides = number("X").zip(number("Y")).zip(number("W").zip(number("H")));
            let Some(((x, y), (w, h))) = sides.filter(|_| unit.is_none_or(|u| u == "normalized"))
            else {
                continue;
            };
            let name = region.get("Name").and_then(text_of);
            regions.push((name, [x - w / 2.0, y - h / 2.0, w, h]));
        }
        for region in list(self.value(&["XMP-MP:RegionInfoMP"]), "Regions") {
            let Some(rectangle) = region.get("Rectangle").and_then(text_of) else { continue };
            let numbers: Vec<f64> =
                rectangle.split(',').filter_map(|part| part.trim().parse().ok()).collect();
            let Ok(shares) = <[f64; 4]>::try_from(numbers) else { continue };
            let name = region.get("PersonDisplayName").and_then(text_of);
            let is_there = |(other, of): &(Option<String>, [f64; 4])| {
                *other == name && of.iter().zip(shares).all(|(a, b)| (a - b).abs() < 0.02)
            };
            if !regions.iter().any(is_there) {
                regions.push((name, shares));
            }
        }
        let turned: Vec<_> = regions
            .into_iter()
            .map(|(name, shares)| (name, cut(upright(shares, orientation))))
            .filter(|(_, [_, _, width, height])| *width > 0.0 && *height > 0.0)
            .collect();
        (!turned.is_empty()).then_some(turned)
    }
}

/// Whether the same parts were found, each with its name.
pub(super) fn are_same(expected: &[(Option<String>, [f64; 4])], ours: &[Region]) -> bool {
    expected.len() == ours.len()
        && expected.iter().all(|(name, shares)| {
            ours.iter().any(|region| {
                let found = [region.left, region.top, region.width, region.height];
                region.name == *name && found.iter().zip(shares).all(|(a, b)| (a - b).abs() < 0.001)
            })
        })
}

/// The words of a keyword or a hierarchy, as they are compared.
pub(super) fn words_of(keyword: &str) -> Vec<String> {
    let parts = keyword.split('/').map(|part| part.trim().to_lowercase());
    parts.filter(|part| !part.is_empty()).collect()
}

fn walk(node: &Value, above: &[String], paths: &mut Vec<Vec<String>>) {
    let Some(keyword) = node.get("Keyword").and_then(text_of) else { return };
    let here: Vec<String> = above.iter().cloned().chain([keyword]).collect();
    let children = node.get("Children").and_then(Value::as_array);
    let applied = node
        .get("Applied")
        .map(|applied| texts_of(applied).iter().any(|text| text.eq_ignore_ascii_case("true")));
    if applied.unwrap_or(children.is_none()) {
        paths.push(here.clone());
    }
    children.into_iter().flatten().for_each(|child| walk(child, &here, paths));
}

/// Names stand between the tags; one that closes leaves its name.
fn categories_of_acdsee(text: &str, paths: &mut Vec<Vec<String>>) {
    let mut here: Vec<String> = Vec::new();
    for tag in text.split('<') {
        let (head, name) = tag.split_once('>').unwrap_or((tag, ""));
        if head.starts_with("/Category") {
            here.pop();
        } else if head.starts_with("Category") {
            here.push(name.trim().to_owned());
            if head.contains("Assigned=\"1\"") {
                paths.push(here.clone());
            }
        }
    }
}

/// The four corners by EXIF's numbers for how the picture is stored.
fn upright([left, top, width, height]: [f64; 4], orientation: u8) -> [f64; 4] {
    let (right, bottom) = (1.0 - left - width, 1.0 - top - height);
    match orientation {
        2 => [right, top, width, height],
        3 => [right, bottom, width, height],
        4 => [left, bottom, width, height],
        5 => [top, left, height, width],
        6 => [bottom, left, height, width],
        7 => [bottom, right, height, width],
        8 => [top, right, height, width],
        _ => [left, top, width, height],
    }
}

/// What of it is in the picture.
fn cut([left, top, width, height]: [f64; 4]) -> [f64; 4] {
    let (right, bottom) = ((left + width).min(1.0), (top + height).min(1.0));
    let (left, top) = (left.max(0.0), top.max(0.0));
    [left, top, right - left, bottom - top]
}
