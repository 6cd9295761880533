//! The XML of XMP packets as a small tree of what is looked at.
//!
//! Lenient, as all that reads photos is: what is open when the text ends or breaks is closed, a
//! prefix without a namespace means what it usually does, and an unknown entity stands for itself.
//! Nothing is ever expanded but single signs, and a packet may neither be deep nor become large.

use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, name::QName};

use super::space::Space;

const DEPTH_MAX: usize = 48;
const NODES_MAX: usize = 20_000;
const TEXT_BYTES_MAX: usize = 1 << 20;
const NAMESPACES_MAX: usize = 256;

/// A name within its namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) space: Space,
    pub(super) local: String,
}

impl Name {
    pub(super) fn is(&self, space: Space, local: &str) -> bool {
        self.space == space && self.local == local
    }
}

/// An element with what is in it, but for elements and attributes of namespaces that nobody reads.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Element {
    pub(super) name: Name,
    pub(super) attributes: Vec<(Name, String)>,
    pub(super) children: Vec<Element>,
    pub(super) text: String,
}

impl Element {
    pub(super) fn attribute(&self, space: Space, local: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name.is(space, local)).map(|(_, text)| &**text)
    }
}

/// The outermost elements of RDF.
pub(super) fn parse(text: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    let mut tree = Tree { text_left: TEXT_BYTES_MAX, nodes_left: NODES_MAX, ..Tree::default() };
    while let Ok(event) = reader.read_event() {
        let going_on = match event {
            Event::Start(start) => tree.open(&start),
            Event::Empty(start) => tree.open(&start).map(|()| tree.close()),
            Event::End(_) => {
                tree.close();
                Some(())
            }
            Event::Text(text) => tree.text(&String::from_utf8_lossy(&text)),
            Event::CData(data) => tree.text(&String::from_utf8_lossy(&data)),
            Event::GeneralRef(reference) => tree.text(&resolved(&reference)),
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => Some(()),
        };
        if going_on.is_none() {
            break;
        }
    }
    tree.finish()
}

/// `amp` as `&` and `#228` as `ä`.
fn resolved(reference: &BytesRef<'_>) -> String {
    let name = String::from_utf8_lossy(reference);
    match reference.resolve_char_ref() {
        Ok(Some(sign)) => sign.to_string(),
        _ => resolve_xml_entity(&name).map_or_else(|| format!("&{name};"), ToOwned::to_owned),
    }
}

#[derive(Default)]
struct Tree {
    done: Vec<Element>,
    /// What is open and read.
    open: Vec<Element>,
    /// What is open around that.
    around: usize,
    /// What is open within something that is not read.
    skipped: usize,
    /// Prefixes, with the number of elements that were open when they were declared.
    namespaces: Vec<(usize, String, Space)>,
    nodes_left: usize,
    text_left: usize,
}

impl Tree {
    /// `None` if it becomes too much.
    fn open(&mut self, start: &BytesStart<'_>) -> Option<()> {
        if self.skipped > 0 {
            self.skipped += 1;
            return Some(());
        }
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let level = self.open.len() + self.around;
        self.declare(start, level);
        let name = self.name(start.name(), true);
        if self.open.is_empty() && name.space != Space::Rdf {
            self.around += 1;
        } else if name.space == Space::Other || self.open.len() >= DEPTH_MAX {
            self.forget(level);
            self.skipped = 1;
        } else {
            let attributes = self.attributes(start)?;
            self.open.push(Element { name, attributes, children: Vec::new(), text: String::new() });
        }
        Some(())
    }

    fn close(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let Some(element) = self.open.pop() else {
            self.around = self.around.saturating_sub(1);
            self.forget(self.around);
            return;
        };
        self.forget(self.open.len() + self.around);
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => self.done.push(element),
        }
    }

    fn text(&mut self, text: &str) -> Option<()> {
        if let (0, Some(element)) = (self.skipped, self.open.last_mut()) {
            self.text_left = self.text_left.checked_sub(text.len())?;
            element.text.push_str(text);
        }
        Some(())
    }

    fn finish(mut self) -> Vec<Element> {
        self.skipped = 0;
        while !self.open.is_empty() {
            self.close();
        }
        self.done
    }

    fn declare(&mut self, start: &BytesStart<'_>, level: usize) {
        for attribute in start.attributes().with_checks(false).flatten() {
            let prefix = match attribute.key.as_ref() {
                b"xmlns" => "",
                key => match key.strip_prefix(b"xmlns:").map(std::str::from_utf8) {
                    Some(Ok(prefix)) => prefix,
                    _ => continue,
                },
            };
            if self.namespaces.len() < NAMESPACES_MAX {
                let space = Space::of_uri(&String::from_utf8_lossy(&attribute.value));
                self.namespaces.push((level, prefix.to_owned(), space));
            }
        }
    }

    /// Forgets the prefixes that an element has declared.
    fn forget(&mut self, level: usize) {
        while self.namespaces.last().is_some_and(|(declared, ..)| *declared >= level) {
            self.namespaces.pop();
        }
    }

    fn attributes(&mut self, start: &BytesStart<'_>) -> Option<Vec<(Name, String)>> {
        let mut attributes = Vec::new();
        for attribute in start.attributes().with_checks(false).flatten() {
            let name = self.name(attribute.key, false);
            if name.space == Space::Other {
                continue;
            }
            self.nodes_left = self.nodes_left.checked_sub(1)?;
            self.text_left = self.text_left.checked_sub(attribute.value.len())?;
            let value = String::from_utf8_lossy(&attribute.value);
            let value = unescape(&value).map_or_else(|_| value.to_string(), |text| text.into());
            attributes.push((name, value));
        }
        Some(attributes)
    }

    fn name(&self, name: QName<'_>, is_element: bool) -> Name {
        let (local, prefix) = name.decompose();
        let local = String::from_utf8_lossy(local.as_ref()).into_owned();
        let prefix = prefix.map(|prefix| String::from_utf8_lossy(prefix.into_inner()).into_owned());
        let space = match &prefix {
            // Attributes without a prefix are in no namespace; `about` was once written so.
            None if !is_element => Space::Other,
            prefix => self.space(prefix.as_deref().unwrap_or_default()),
        };
        Name { space, local }
    }

    fn space(&self, prefix: &str) -> Space {
        let declared = self.namespaces.iter().rev().find(|(_, name, _)| name == prefix);
        declared.map_or_else(|| Space::of_prefix(prefix), |(.., space)| *space)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RDF: &str = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'";

    #[test]
    fn names_are_told_by_namespaces_and_not_by_prefixes() {
        let found = parse(&format!(
            "<m xmlns:q='http://purl.org/dc/elements/1.1/'><rdf:RDF {RDF}><q:title q:a='1'>\
             <x:other xmlns:x='urn:x'><q:lost/></x:other>t</q:title></rdf:RDF></m>"
        ));
        let [rdf] = &*found else { panic!("{found:?}") };
        let [title] = &*rdf.children else { panic!("{rdf:?}") };
        assert!(title.name.is(Space::Dc, "title"));
        assert_eq!((title.text.as_str(), title.attribute(Space::Dc, "a")), ("t", Some("1")));
        assert_eq!(title.children, []);
    }

    #[test]
    fn a_declaration_ends_with_its_element() {
        let found = parse(&format!(
            "<rdf:RDF {RDF}><q:a xmlns:q='http://purl.org/dc/elements/1.1/'/><q:b/><dc:c/></rdf:RDF>"
        ));
        let names: Vec<_> =
            found.iter().flat_map(|rdf| &rdf.children).map(|e| &e.name.local).collect();
        assert_eq!(names, ["a", "c"]);
    }

    #[test]
    fn entities_are_signs_and_never_more() {
        let text = parse(&format!(
            "<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>\
             <rdf:RDF {RDF} rdf:x='&lt;&#228;&b;'>&lt;&#xe4;&b; & <![CDATA[<b>]]></rdf:RDF>"
        ));
        assert_eq!(text[0].text, "<ä&b; & <b>");
        assert_eq!(text[0].attribute(Space::Rdf, "x"), Some("&lt;&#228;&b;"));
    }

    #[test]
    fn what_breaks_off_is_closed() {
        let found = parse(&format!("<rdf:RDF {RDF}><rdf:li>one</rdf:li><rdf:li>tw"));
        let texts: Vec<_> = found[0].children.iter().map(|child| child.text.as_str()).collect();
        assert_eq!(texts, ["one", "tw"]);
    }

    #[test]
    fn neither_depth_nor_number_is_unbounded() {
        let deep = format!("<rdf:RDF {RDF}>{}", "<rdf:li>".repeat(100_000));
        let mut depth = 0;
        let mut found = parse(&deep);
        while let Some(element) = found.pop() {
            depth += 1;
            found = element.children;
        }
        assert_eq!(depth, DEPTH_MAX);
        let wide = format!("<rdf:RDF {RDF}>{}</rdf:RDF>", "<rdf:li/>".repeat(NODES_MAX * 2));
        assert!(parse(&wide)[0].children.len() < NODES_MAX);
    }
}
