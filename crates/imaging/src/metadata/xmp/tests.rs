//! The many ways to write the same.

use super::*;

/// A packet with these properties, as attributes and as elements of a description.
fn packet(attributes: &str, elements: &str) -> Xmp {
    let text = format!(
        "<?xpacket begin='\u{feff}' id='W5M0MpCehiHzreSzNTczkc9d'?>
         <x:xmpmeta xmlns:x='adobe:ns:meta/'>
         <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
         <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'
           xmlns:xmp='http://ns.adobe.com/xap/1.0/' {attributes}>{elements}</rdf:Description>
         </rdf:RDF></x:xmpmeta><?xpacket end='w'?>"
    );
    Xmp::read([text.as_bytes()]).unwrap_or_default()
}

#[test]
fn properties_are_attributes_or_elements() {
    let short = packet("xmp:Rating='4' dc:title='A title'", "");
    let long = packet("", "<xmp:Rating>4</xmp:Rating><dc:title>A title</dc:title>");
    assert_eq!(short.says.rating, Some(4));
    assert_eq!(short.says.title.as_deref(), Some("A title"));
    assert_eq!(short, long);
}

#[test]
fn the_text_for_everybody_comes_first() {
    let title = |members: &str| {
        packet("", &format!("<dc:title><rdf:Alt>{members}</rdf:Alt></dc:title>")).says.title
    };
    let both = "<rdf:li xml:lang='de'>Berg</rdf:li><rdf:li xml:lang='x-default'>Hill</rdf:li>";
    assert_eq!(title(both).as_deref(), Some("Hill"));
    assert_eq!(title("<rdf:li xml:lang='de'>Berg</rdf:li>").as_deref(), Some("Berg"));
    let empty = "<rdf:li xml:lang='x-default'/><rdf:li xml:lang='de'>Berg</rdf:li>";
    assert_eq!(title(empty).as_deref(), Some("Berg"));
}

#[test]
fn lists_are_bags_sequences_or_single_texts() {
    for list in ["Bag", "Seq", "Alt"] {
        let found = packet(
            "",
            &format!(
                "<dc:subject><rdf:{list}><rdf:li>a</rdf:li><rdf:li> </rdf:li><rdf:li>b &amp; c</rdf:li></rdf:{list}></dc:subject>"
            ),
        );
        assert_eq!(found.says.keywords, ["a", "b & c"], "{list}");
    }
    assert_eq!(packet("dc:subject='a'", "").says.keywords, ["a"]);
}

#[test]
fn fields_are_written_in_five_ways() {
    const AREA: &str =
        "stArea:x='0.5' stArea:y='0.4' stArea:w='0.2' stArea:h='0.1' stArea:unit='normalized'";
    const NAMES: &str = "xmlns:mwg-rs='http://www.metadataworkinggroup.com/schemas/regions/'
        xmlns:stArea='http://ns.adobe.com/xmp/sType/Area#'";
    let region = |member: &str| {
        let found = packet(
            NAMES,
            &format!(
                "<mwg-rs:Regions rdf:parseType='Resource'><mwg-rs:RegionList><rdf:Bag>{member}</rdf:Bag>\
                 </mwg-rs:RegionList></mwg-rs:Regions>"
            ),
        );
        found.marked.regions
    };
    let first = region(&format!(
        "<rdf:li><rdf:Description mwg-rs:Name='Ann' mwg-rs:Type='Face'><mwg-rs:Area {AREA}/></rdf:Description></rdf:li>"
    ));
    assert_eq!(first.len(), 1);
    assert_eq!(first[0].name.as_deref(), Some("Ann"));
    assert!((first[0].left - 0.4).abs() < 1e-9 && (first[0].top - 0.35).abs() < 1e-9);
    for other in [
        format!(
            "<rdf:li rdf:parseType='Resource'><mwg-rs:Name>Ann</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type>\
             <mwg-rs:Area {AREA}/></rdf:li>"
        ),
        format!("<rdf:li mwg-rs:Name='Ann' mwg-rs:Type='Face'><mwg-rs:Area {AREA}/></rdf:li>"),
        format!(
            "<rdf:li><mwg-rs:Region mwg-rs:Name='Ann' mwg-rs:Type='Face'><mwg-rs:Area {AREA}/></mwg-rs:Region></rdf:li>"
        ),
        format!(
            "<rdf:li rdf:parseType='Resource'><mwg-rs:Name rdf:parseType='Resource'><rdf:value>Ann</rdf:value>\
             </mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type><mwg-rs:Area><rdf:Description {AREA}/></mwg-rs:Area></rdf:li>"
        ),
    ] {
        assert_eq!(region(&other), first, "{other}");
    }
}

#[test]
fn keywords_stand_in_hierarchies_of_many_programs() {
    let found = packet(
        "xmlns:lr='http://ns.adobe.com/lightroom/1.0/' xmlns:digiKam='http://www.digikam.org/ns/1.0/'
         xmlns:mwg-kw='http://www.metadataworkinggroup.com/schemas/keywords/'
         xmlns:acdsee='http://ns.acdsee.com/iptc/1.0/'
         acdsee:categories='&lt;Categories&gt;&lt;Category Assigned=\"0\"&gt;Sky&lt;Category Assigned=\"1\"&gt;Blue&lt;/Category&gt;&lt;/Category&gt;&lt;/Categories&gt;'",
        "<lr:hierarchicalSubject><rdf:Bag><rdf:li>Places|Paris</rdf:li></rdf:Bag></lr:hierarchicalSubject>
         <digiKam:TagsList><rdf:Seq><rdf:li>People/Ann</rdf:li></rdf:Seq></digiKam:TagsList>
         <mwg-kw:Keywords rdf:parseType='Resource'><mwg-kw:Hierarchy><rdf:Bag>
           <rdf:li rdf:parseType='Resource'><mwg-kw:Keyword>Sea</mwg-kw:Keyword><mwg-kw:Children><rdf:Bag>
             <rdf:li rdf:parseType='Resource'><mwg-kw:Keyword>Beach</mwg-kw:Keyword></rdf:li>
           </rdf:Bag></mwg-kw:Children></rdf:li>
         </rdf:Bag></mwg-kw:Hierarchy></mwg-kw:Keywords>",
    );
    assert_eq!(
        found.paths,
        [["Places", "Paris"], ["People", "Ann"], ["Sea", "Beach"], ["Sky", "Blue"]]
    );
}

#[test]
fn faces_of_two_programs_are_one() {
    let found = packet(
        "xmlns:mwg-rs='http://www.metadataworkinggroup.com/schemas/regions/'
         xmlns:stArea='http://ns.adobe.com/xmp/sType/Area#' xmlns:MP='http://ns.microsoft.com/photo/1.2/'
         xmlns:MPRI='http://ns.microsoft.com/photo/1.2/t/RegionInfo#'
         xmlns:MPReg='http://ns.microsoft.com/photo/1.2/t/Region#'",
        "<mwg-rs:Regions rdf:parseType='Resource'><mwg-rs:RegionList><rdf:Bag>
           <rdf:li><rdf:Description mwg-rs:Name='Ann' mwg-rs:Type='Face'>
             <mwg-rs:Area stArea:x='0.25' stArea:y='0.25' stArea:w='0.1' stArea:h='0.1'/></rdf:Description></rdf:li>
           <rdf:li><rdf:Description mwg-rs:Name='in pixels' mwg-rs:Type='Face'>
             <mwg-rs:Area stArea:x='25' stArea:y='25' stArea:w='10' stArea:h='10' stArea:unit='pixel'/></rdf:Description></rdf:li>
         </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
         <MP:RegionInfo rdf:parseType='Resource'><MPRI:Regions><rdf:Bag>
           <rdf:li MPReg:Rectangle='0.2, 0.2, 0.1, 0.1' MPReg:PersonDisplayName='Ann'/>
           <rdf:li MPReg:Rectangle='0.7, 0.2, 0.1, 0.1' MPReg:PersonDisplayName='Be'/>
           <rdf:li MPReg:PersonDisplayName='nowhere'/>
         </rdf:Bag></MPRI:Regions></MP:RegionInfo>",
    );
    let names: Vec<_> = found.marked.regions.iter().map(|region| region.name.as_deref()).collect();
    assert_eq!(names, [Some("Ann"), Some("Be")]);
    assert!(found.marked.regions.iter().all(|region| region.kind == model::RegionKind::Face));
}

#[test]
fn coordinates_and_the_camera_are_read_where_exif_has_none() {
    let found = packet(
        "xmlns:exif='http://ns.adobe.com/exif/1.0/' xmlns:tiff='http://ns.adobe.com/tiff/1.0/'
         xmlns:aux='http://ns.adobe.com/exif/1.0/aux/' exif:GPSLatitude='46,12,30S' exif:GPSLongitude='7,30.6E'
         exif:GPSAltitude='5000/10' exif:GPSAltitudeRef='0' tiff:Make='Canon' tiff:Model='Canon EOS R5'
         aux:Lens='RF 50mm' exif:ExposureTime='1/250' exif:FNumber='28/10' exif:FocalLength='50/1'",
        "<exif:ISOSpeedRatings><rdf:Seq><rdf:li>400</rdf:li></rdf:Seq></exif:ISOSpeedRatings>",
    );
    let gps = found.exif.gps.unwrap();
    assert!((gps.latitude + 46.208_333).abs() < 1e-5 && (gps.longitude - 7.51).abs() < 1e-9);
    assert_eq!(gps.altitude, Some(500.0));
    assert_eq!(found.exif.camera.as_deref(), Some("Canon EOS R5"));
    assert_eq!(found.exif.shutter_speed.as_deref(), Some("1/250"));
    assert_eq!(
        (found.exif.aperture, found.exif.focal_length, found.exif.iso),
        (Some(2.8), Some(50.0), Some(400))
    );
}

#[test]
fn packets_may_be_in_utf_16_and_broken() {
    let text = "<rdf:RDF><rdf:Description><dc:title>Zürich</dc:title>";
    for bytes in [
        text.as_bytes().to_vec(),
        text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
    ] {
        let found = Xmp::read([&*bytes]).unwrap();
        assert_eq!(found.says.title.as_deref(), Some("Zürich"));
    }
    for nothing in ["", "<", "<rdf:RDF", "plain text", "<a><b></a></b>"] {
        assert_eq!(Xmp::read([nothing.as_bytes()]), None, "{nothing}");
    }
}

#[test]
fn nesting_takes_no_longer_than_its_length() {
    let nested = format!("{}x{}", "<dc:a>".repeat(40), "</dc:a>".repeat(40));
    let started = std::time::Instant::now();
    packet("", &nested.repeat(200));
    assert!(started.elapsed() < std::time::Duration::from_secs(2));
}
