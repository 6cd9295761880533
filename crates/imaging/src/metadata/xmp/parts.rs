//! Nested properties: parts of the picture, and keywords as trees.

use model::{Region, RegionKind};

use super::Properties;
use super::properties::Node;
use super::space::Space;
use super::xml::parse;
use crate::metadata::charset::clean;
use crate::metadata::keywords::{Path, cut};
use crate::metadata::regions::{Marked, REGIONS_MAX, are_same, kind, region};

/// Trees of keywords are walked so deep.
const LEVELS_MAX: usize = 16;
const PATHS_MAX: usize = 1000;

/// What was marked, by whichever program; each part once.
pub(super) fn marked(properties: &Properties) -> Marked {
    let (applied_to, mut regions) = of_working_group(properties);
    let others = of_microsoft(properties).into_iter().chain(of_iptc(properties));
    for other in others {
        if !regions.iter().any(|region| are_same(region, &other)) {
            regions.push(other);
        }
    }
    regions.truncate(REGIONS_MAX);
    Marked { applied_to, regions }
}

/// `mwg-rs:Regions`: areas by their centres.
fn of_working_group(properties: &Properties) -> (Option<(f64, f64)>, Vec<Region>) {
    let Some(info) = properties.get(Space::Regions, "Regions") else {
        return (None, Vec::new());
    };
    let size = info.field(Space::Regions, "AppliedToDimensions");
    let side = |local| size?.field(Space::Dimensions, local)?.number().filter(|&side| side > 0.0);
    let applied_to = side("w").zip(side("h"));
    let list = info.field(Space::Regions, "RegionList").map(Node::values).unwrap_or_default();
    let regions = list.iter().take(REGIONS_MAX).filter_map(|node| {
        let text = |local| clean(node.field(Space::Regions, local)?.text()?);
        let kind = text("Type").map_or(RegionKind::Other, |name| kind(&name));
        region(kind, text("Name"), area(node.field(Space::Regions, "Area")?, applied_to)?)
    });
    (applied_to, regions.collect())
}

/// Left, top, width and height; of a circle, those of the square around it.
fn area(area: &Node, applied_to: Option<(f64, f64)>) -> Option<[f64; 4]> {
    let number = |local| area.field(Space::Area, local)?.number();
    let unit = area.field(Space::Area, "unit").and_then(Node::text);
    if unit.is_some_and(|unit| unit != "normalized") {
        return None;
    }
    let (x, y) = (number("x")?, number("y")?);
    let (width, height) = match (number("w"), number("h"), number("d")) {
        (Some(width), Some(height), _) => (width, height),
        (_, _, Some(diameter)) => {
            // A share of the shorter side.
            let (w, h) = applied_to.unwrap_or((1.0, 1.0));
            (diameter * w.min(h) / w, diameter * w.min(h) / h)
        }
        _ => return None,
    };
    Some([x - width / 2.0, y - height / 2.0, width, height])
}

/// `MP:RegionInfo`: people by their left upper corners.
fn of_microsoft(properties: &Properties) -> Vec<Region> {
    let info = properties.get(Space::People, "RegionInfo");
    let list = info.and_then(|info| info.field(Space::People, "Regions")).map(Node::values);
    let regions = list.unwrap_or_default().iter().take(REGIONS_MAX).filter_map(|node| {
        let text = |local| clean(node.field(Space::People, local)?.text()?);
        let rectangle = text("Rectangle")?;
        let mut numbers = rectangle.split(',').map(|part| part.trim().parse().ok());
        let mut next = || numbers.next()?;
        region(RegionKind::Face, text("PersonDisplayName"), [next()?, next()?, next()?, next()?])
    });
    regions.collect()
}

/// `Iptc4xmpExt:ImageRegion`: rectangles by their left upper corners.
fn of_iptc(properties: &Properties) -> Vec<Region> {
    let list = properties.get(Space::IptcExt, "ImageRegion").map(Node::values).unwrap_or_default();
    let regions = list.iter().take(REGIONS_MAX).filter_map(|node| {
        let boundary = node.field(Space::IptcExt, "RegionBoundary")?;
        let text = |local| boundary.field(Space::IptcExt, local)?.text();
        if text("rbShape") != Some("rectangle") || text("rbUnit") != Some("relative") {
            return None;
        }
        let number = |local| boundary.field(Space::IptcExt, local)?.number();
        let shares = [number("rbX")?, number("rbY")?, number("rbW")?, number("rbH")?];
        let name = node.field(Space::IptcExt, "Name").and_then(|name| clean(name.text()?));
        region(RegionKind::Other, name, shares)
    });
    regions.collect()
}

/// Keywords that stand in trees.
pub(super) fn paths(properties: &Properties) -> Vec<Path> {
    let mut paths = Vec::new();
    let tree = properties.get(Space::Keywords, "Keywords");
    let roots = tree.and_then(|tree| tree.field(Space::Keywords, "Hierarchy")).map(Node::values);
    for root in roots.unwrap_or_default() {
        walk(root, &Vec::new(), &mut paths);
    }
    if let Some(categories) = properties.text(Space::Acdsee, "categories") {
        paths.extend(categories_of_acdsee(&categories));
    }
    paths
}

/// The Metadata Working Group's tree: what has no children, or is said to be applied.
fn walk(node: &Node, above: &Path, paths: &mut Vec<Path>) {
    let text = |local| clean(node.field(Space::Keywords, local)?.text()?);
    let Some(keyword) = text("Keyword").map(|keyword| cut(&keyword)) else { return };
    if above.len() >= LEVELS_MAX || paths.len() >= PATHS_MAX {
        return;
    }
    let here: Path = above.iter().cloned().chain([keyword]).collect();
    let children = node.field(Space::Keywords, "Children").map(Node::values).unwrap_or_default();
    let applied = text("Applied").map(|applied| applied.eq_ignore_ascii_case("true"));
    if applied.unwrap_or(children.is_empty()) {
        paths.push(here.clone());
    }
    children.iter().for_each(|child| walk(child, &here, paths));
}

/// `<Categories><Category Assigned="0">Places<Category Assigned="1">Paris</Category>…`
fn categories_of_acdsee(text: &str) -> Vec<Path> {
    const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    // Read as if all of it were RDF, of which the parser keeps everything.
    let text = text.replace(" Assigned=", " c:Assigned=");
    let tree = parse(&format!("<c:c xmlns:c='{RDF}' xmlns='{RDF}'>{text}</c:c>"));
    let mut paths = Vec::new();
    let mut waiting: Vec<(&super::xml::Element, Path)> =
        tree.iter().map(|root| (root, Vec::new())).collect();
    while let Some((element, above)) = waiting.pop() {
        let name = element.text.trim();
        let mut here = above;
        if element.name.local == "Category" && !name.is_empty() {
            here.push(cut(name));
            if element.attribute(Space::Rdf, "Assigned") == Some("1") && paths.len() < PATHS_MAX {
                paths.push(here.clone());
            }
        }
        let children = element.children.iter().rev();
        waiting.extend(children.map(|child| (child, here.clone())));
    }
    paths
}
