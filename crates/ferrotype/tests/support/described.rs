//! Files in which exiftool has written what people and their programs write into photos: every
//! field in every carrier of every format, carriers that contradict each other, charsets,
//! languages, hierarchies, and marked parts in all orientations.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Every field in XMP.
const XMP: &[&str] = &[
    "-XMP-dc:Title=A title & more",
    "-XMP-dc:Description=Über die Brücke\nin two lines",
    "-XMP-dc:Subject=sea",
    "-XMP-dc:Subject=<sky>",
    "-XMP-dc:Creator=Ann Bee",
    "-XMP-dc:Creator=Çelik Ö.",
    "-XMP-dc:Rights=© 2024 Ann Bee",
    "-XMP-xmp:Rating=4",
    "-XMP-photoshop:City=Genève",
    "-XMP-photoshop:State=GE",
    "-XMP-photoshop:Country=Suisse",
    "-XMP-iptcCore:Location=Jet d'eau",
    "-XMP-iptcCore:CountryCode=CHE",
    "-XMP-photoshop:DateCreated=2019:05:06 07:08:09+02:00",
    "-XMP-exif:GPSLatitude=-46.2044",
    "-XMP-exif:GPSLongitude=6.1432",
    "-XMP-tiff:Make=Canon",
    "-XMP-tiff:Model=Canon EOS R5",
    "-XMP-aux:Lens=RF50mm F1.2 L USM",
    "-XMP-exif:ISO=400",
    "-XMP-exif:ExposureTime=1/250",
    "-XMP-exif:FNumber=2.8",
    "-XMP-exif:FocalLength=50",
    "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=320,H=240,Unit=pixel},RegionList=[{Area={X=0.25,Y=0.3,W=0.1,H=0.2,Unit=normalized},Name=Ann,Type=Face},{Area={X=0.75,Y=0.6,W=0.2,H=0.1,Unit=normalized},Name=Rex,Type=Pet}]}",
];

/// Every field in EXIF.
const EXIF: &[&str] = &[
    "-EXIF:ImageDescription=The harbour, zürich",
    "-EXIF:Artist=Ann Bee; Cy Dee",
    "-EXIF:Copyright=Ann Bee",
    "-EXIF:XPTitle=Ein Titel für Windows",
    "-EXIF:XPKeywords=eins;zwei für drei",
    "-EXIF:Rating=3",
    "-EXIF:DateTimeOriginal=2020:02:29 23:59:58",
    "-EXIF:OffsetTimeOriginal=-03:30",
    "-EXIF:SubSecTimeOriginal=25",
    "-EXIF:ModifyDate=2024:01:01 00:00:00",
    "-EXIF:Make=NIKON CORPORATION",
    "-EXIF:Model=NIKON Z 6",
    "-EXIF:LensModel=NIKKOR Z 35mm f/1.8 S",
    "-EXIF:ISO=6400",
    "-EXIF:ExposureTime=1/60",
    "-EXIF:FNumber=1.8",
    "-EXIF:FocalLength=35",
    "-EXIF:GPSLatitude=33.8688",
    "-EXIF:GPSLatitudeRef=S",
    "-EXIF:GPSLongitude=151.2093",
    "-EXIF:GPSLongitudeRef=E",
];

/// Every field in IPTC, with western signs.
const IPTC: &[&str] = &[
    "-IPTC:ObjectName=Object näme",
    "-IPTC:Caption-Abstract=Caption of é",
    "-IPTC:Keywords=harbour",
    "-IPTC:Keywords=fjörd",
    "-IPTC:By-line=Ann Bee",
    "-IPTC:By-line=Cy Dee",
    "-IPTC:CopyrightNotice=© Ann",
    "-IPTC:City=Tromsø",
    "-IPTC:Province-State=Troms",
    "-IPTC:Country-PrimaryLocationName=Norge",
    "-IPTC:Country-PrimaryLocationCode=NOR",
    "-IPTC:Sub-location=Tromsdalen",
    "-IPTC:DateCreated=2011:12:13",
    "-IPTC:TimeCreated=14:15:16+01:00",
];

const UTF8: &[&str] = &[
    "-IPTC:CodedCharacterSet=UTF8",
    "-IPTC:Caption-Abstract=東京タワー",
    "-IPTC:Keywords=東京",
    "-IPTC:City=Łódź",
];

/// What only JPEG files are made with: a name, and what is written in each run.
const OF_JPEG: &[(&str, &[&[&str]])] = &[
    ("iptc-utf8", &[UTF8]),
    ("iptc-latin-beside-xmp", &[IPTC, &["-XMP-dc:Title=From XMP", "-XMP-dc:Subject=xmp"]]),
    // Written by what knows both, and then changed by what knows IPTC only.
    (
        "iptc-changed-later",
        &[
            XMP,
            IPTC,
            &["-Photoshop:IPTCDigest=new"],
            &[
                "-IPTC:Caption-Abstract=changed later",
                "-IPTC:City=Bodø",
                "-IPTC:ObjectName=later",
                "-IPTC:DateCreated=2012:01:02",
            ],
        ],
    ),
    ("iptc-in-step", &[IPTC, XMP, &["-Photoshop:IPTCDigest=new"]]),
    ("user-comment", &[&["-EXIF:UserComment=Ein Kommentar – ✓"]]),
    ("user-comment-ascii", &[&["-EXIF:UserComment=a plain comment"]]),
    (
        "windows",
        &[&["-EXIF:XPComment=Kommentar", "-EXIF:XPAuthor=Ann;Bee", "-EXIF:XPSubject=Betreff"]],
    ),
    ("copyright-of-two", &[&["-EXIF:Copyright=Photographer\nEditor"]]),
    ("artist-quoted", &[&["-XMP-dc:Creator=Bee; Ann", "-XMP-dc:Creator=Cy"]]),
    (
        "german-only",
        &[&[
            "-XMP-dc:Title-de=Der Berg",
            "-XMP-dc:Description-de=Am Abend",
            "-XMP-dc:Rights-fr=tous droits",
        ]],
    ),
    ("two-languages", &[&["-XMP-dc:Title=The hill", "-XMP-dc:Title-de=Der Berg"]]),
    ("rejected", &[&["-XMP-xmp:Rating=-1"]]),
    ("unrated", &[&["-XMP-xmp:Rating=0"]]),
    ("rated-twice", &[&["-EXIF:Rating=2", "-XMP-xmp:Rating=5"]]),
    ("rated-in-percent", &[&["-XMP-microsoft:RatingPercent=75"]]),
    ("rated-by-windows", &[&["-EXIF:RatingPercent=50"]]),
    (
        "lightroom",
        &[&[
            "-XMP-lr:HierarchicalSubject=Places|France|Paris",
            "-XMP-lr:HierarchicalSubject=Animals|Cat",
            "-XMP-dc:Subject=Paris",
            "-XMP-dc:Subject=Cat",
            "-XMP-dc:Subject=evening",
        ]],
    ),
    (
        "lightroom-with-parents",
        &[&[
            "-XMP-lr:HierarchicalSubject=Places",
            "-XMP-lr:HierarchicalSubject=Places|Paris",
            "-XMP-dc:Subject=Places",
            "-XMP-dc:Subject=Paris",
        ]],
    ),
    (
        "digikam",
        &[&[
            "-XMP-digiKam:TagsList=People/Ann",
            "-XMP-lr:HierarchicalSubject=People|Ann",
            "-XMP-microsoft:LastKeywordXMP=People/Ann",
            "-XMP-mediapro:CatalogSets=People|Ann",
            "-XMP-dc:Subject=Ann",
        ]],
    ),
    (
        "darktable",
        &[&[
            "-XMP-lr:HierarchicalSubject=darktable|format|nef",
            "-XMP-lr:HierarchicalSubject=sea|beach",
            "-XMP-dc:Subject=beach",
        ]],
    ),
    (
        "acdsee",
        &[&[
            "-XMP-acdsee:Categories=<Categories><Category Assigned=\"0\">Sky<Category Assigned=\"1\">Blue</Category></Category></Categories>",
            "-XMP-acdsee:Rating=3",
            "-XMP-acdsee:Caption=A caption",
            "-XMP-acdsee:Notes=Some notes",
        ]],
    ),
    (
        "tree",
        &[&[
            "-XMP-mwg-kw:KeywordInfo={Hierarchy=[{Keyword=Sea,Applied=False,Children=[{Keyword=Beach,Applied=True}]}]}",
        ]],
    ),
    (
        "people-of-microsoft",
        &[&[
            "-XMP-MP:RegionInfoMP={Regions=[{Rectangle=0.2|, 0.3|, 0.1|, 0.15,PersonDisplayName=Ann}]}",
        ]],
    ),
    (
        "people-twice",
        &[
            XMP,
            &[
                "-XMP-MP:RegionInfoMP={Regions=[{Rectangle=0.2|, 0.2|, 0.1|, 0.2,PersonDisplayName=Ann}]}",
            ],
        ],
    ),
    (
        "place-shown",
        &[
            XMP,
            &[
                "-XMP-iptcExt:LocationShown={City=Lyon,CountryName=France,CountryCode=FRA,ProvinceState=Rhône,Sublocation=Fourvière}",
            ],
        ],
    ),
    (
        "place-of-the-camera",
        &[&["-XMP-iptcExt:LocationCreated={City=Nice,CountryName=France,CountryCode=FRA}"]],
    ),
    (
        "date-digitized",
        &[&["-EXIF:CreateDate=2003:04:05 06:07:08", "-EXIF:ModifyDate=2023:01:01 00:00:00"]],
    ),
    ("date-of-change-only", &[&["-EXIF:ModifyDate=2003:04:05 06:07:08"]]),
    (
        "date-of-change-beside-xmp",
        &[&["-EXIF:ModifyDate=2023:04:05 06:07:08", "-XMP-xmp:CreateDate=2009:01:02 03:04:05"]],
    ),
    (
        "date-scanned",
        &[&["-EXIF:CreateDate=2015:01:01 10:00:00", "-XMP-photoshop:DateCreated=1975:06"]],
    ),
    ("date-year", &[&["-XMP-photoshop:DateCreated=1931"]]),
    ("date-of-iptc", &[&["-IPTC:DateCreated=1999:12:31", "-IPTC:TimeCreated=23:59:59-05:00"]]),
    ("date-of-iptc-alone", &[&["-IPTC:DateCreated=1999:12:31"]]),
    ("date-of-xmp-exif", &[&["-XMP-exif:DateTimeOriginal=2008:07:06 05:04:03.21+09:00"]]),
    (
        "date-none",
        &[&[
            "-EXIF:DateTimeOriginal#=0000:00:00 00:00:00",
            "-XMP-xmp:CreateDate=2009:01:02 03:04:05Z",
        ]],
    ),
    (
        "place-in-the-north-west",
        &[&[
            "-EXIF:GPSLatitude=51.5",
            "-EXIF:GPSLatitudeRef=N",
            "-EXIF:GPSLongitude=0.1276",
            "-EXIF:GPSLongitudeRef=W",
        ]],
    ),
    (
        "place-of-both",
        &[&[
            "-XMP-exif:GPSLatitude=10",
            "-XMP-exif:GPSLongitude=10",
            "-EXIF:GPSLatitude=20",
            "-EXIF:GPSLatitudeRef=N",
            "-EXIF:GPSLongitude=20",
            "-EXIF:GPSLongitudeRef=E",
        ]],
    ),
];

/// Makes them all in a folder; fails with what to do if exiftool is not there.
pub fn make(folder: &Path, fixtures: &Path) {
    let mut run = Runs::default();
    let formats: &[(&str, &str, &[&[&str]])] = &[
        ("jpg", "plain.jpg", &[XMP, EXIF, IPTC]),
        ("tif", "plain.tif", &[XMP, EXIF, IPTC]),
        ("psd", "", &[XMP, EXIF, IPTC]),
        ("jp2", "plain.jp2", &[XMP, EXIF, IPTC]),
        ("png", "plain.png", &[XMP, EXIF]),
        ("webp", "lossy.webp", &[XMP, EXIF]),
        ("heic", "plain.heic", &[XMP, EXIF]),
        ("avif", "plain.avif", &[XMP, EXIF]),
        ("jxl", "camera.jxl", &[XMP, EXIF]),
        ("gif", "plain.gif", &[XMP]),
        ("xmp", "", &[XMP]),
    ];
    for (extension, fixture, carriers) in formats {
        let file = |name: &str| {
            let path = folder.join(format!("{name}.{extension}"));
            match *extension {
                "psd" => fs::write(&path, photoshop_document()).unwrap(),
                "xmp" => {}
                _ => drop(fs::copy(fixtures.join(fixture), &path).unwrap()),
            }
            path
        };
        for (number, carrier) in carriers.iter().enumerate() {
            run.add(carrier, &file(["xmp", "exif", "iptc"][number]));
        }
        // All at once: they contradict each other in everything.
        let all = file("all");
        carriers.iter().for_each(|carrier| run.add(carrier, &all));
    }
    for (name, writes) in OF_JPEG {
        let path = folder.join(format!("{name}.jpg"));
        fs::copy(fixtures.join("plain.jpg"), &path).unwrap();
        writes.iter().for_each(|write| run.add(write, &path));
    }
    for orientation in 1..=8 {
        for (extension, fixture) in [
            ("jpg", "plain.jpg"),
            ("tif", "plain.tif"),
            ("png", "plain.png"),
            ("webp", "lossy.webp"),
        ] {
            let path = folder.join(format!("turned-{orientation}.{extension}"));
            fs::copy(fixtures.join(fixture), &path).unwrap();
            run.add(XMP, &path);
            run.add(&[&*format!("-Orientation#={orientation}")], &path);
        }
    }
    let texts = folder.join("texts.png");
    fs::copy(fixtures.join("plain.png"), &texts).unwrap();
    run.add(
        &[
            "-PNG:Title=A title",
            "-PNG:Description=Über",
            "-PNG:Author=Ann",
            "-PNG:Copyright=Bee",
            "-PNG:CreationTime=2010:11:12 13:14:15+01:00",
        ],
        &texts,
    );
    let packed = folder.join("packed.png");
    fs::copy(fixtures.join("plain.png"), &packed).unwrap();
    run.add(&[&["-z"], XMP].concat(), &packed);
    // More than fits into one segment: the rest goes into others.
    let long = folder.join("long.jpg");
    fs::copy(fixtures.join("plain.jpg"), &long).unwrap();
    run.add(
        &[&*format!("-XMP-dc:Description={}", "😀".repeat(18_000)), "-XMP-dc:Title=A short title"],
        &long,
    );
    run.execute(folder);
    other_spellings(folder);
}

/// Makes one JPEG file.
pub fn make_one(path: &Path, arguments: &[&str]) {
    fs::copy(fixtures().join("plain.jpg"), path).unwrap();
    let mut run = Runs::default();
    run.add(arguments, path);
    run.execute(path.parent().unwrap());
}

/// Arguments of exiftool, run after run.
#[derive(Default)]
struct Runs(Vec<String>);

impl Runs {
    fn add(&mut self, arguments: &[&str], file: &Path) {
        // A line break within an argument of a list is said so.
        let escaped = arguments.iter().map(|argument| match argument.contains('\n') {
            true => format!("#[CSTR]{}", argument.replace('\n', "\\n")),
            false => (*argument).to_owned(),
        });
        self.0.extend(escaped);
        self.0.extend([file.to_str().unwrap().to_owned(), "-execute".to_owned()]);
    }

    fn execute(&self, folder: &Path) {
        let list = folder.join("arguments.txt");
        let mut file = fs::File::create(&list).unwrap();
        self.0.iter().for_each(|line| writeln!(file, "{line}").unwrap());
        let mut command = Command::new("exiftool");
        command.arg("-@").arg(&list);
        command.args([
            "-common_args",
            "-q",
            "-m",
            "-overwrite_original",
            "-charset",
            "filename=utf8",
        ]);
        let ended = command
            .stdin(Stdio::null())
            .output()
            .expect("exiftool is missing: run `scripts/setup test`, which installs it");
        assert!(ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
        fs::remove_file(list).unwrap();
    }
}

/// Sidecars as programs write them that have little to do with exiftool: attributes, other
/// prefixes, nested descriptions, UTF-16.
fn other_spellings(folder: &Path) {
    let attributes = r#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<r:Description r:about="" xmlns:a="http://ns.adobe.com/xap/1.0/" xmlns:p="http://ns.adobe.com/photoshop/1.0/" xmlns:e="http://ns.adobe.com/exif/1.0/"
 a:Rating="3" a:CreateDate="2014-05-06T07:08:09+02:00" p:City="Köln &amp; Bonn" e:GPSLatitude="50,56.1N" e:GPSLongitude="6,57.5E"/>
</r:RDF></x:xmpmeta>"#;
    let nested = r#"<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
 xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#">
<rdf:Description rdf:about=""><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Ein &quot;Titel&quot; &#228;</rdf:li></rdf:Alt></dc:title></rdf:Description>
<rdf:Description rdf:about=""><dc:subject><rdf:Seq><rdf:li>one</rdf:li><rdf:li><![CDATA[two & three]]></rdf:li></rdf:Seq></dc:subject>
<mwg-rs:Regions><rdf:Description><mwg-rs:AppliedToDimensions stDim:w="400" stDim:h="300" stDim:unit="pixel"/>
<mwg-rs:RegionList><rdf:Bag><rdf:li><rdf:Description mwg-rs:Name="Bee" mwg-rs:Type="Face">
<mwg-rs:Area stArea:x="0.5" stArea:y="0.5" stArea:w="0.2" stArea:h="0.2" stArea:unit="normalized"/></rdf:Description></rdf:li></rdf:Bag></mwg-rs:RegionList>
</rdf:Description></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"#;
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("attributes.xmp", attributes.as_bytes());
    write("nested.xmp", nested.as_bytes());
    let marked = format!("\u{feff}{attributes}");
    write("utf-16-be.xmp", &marked.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
    write("utf-16-le.xmp", &marked.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
}

/// Two by two pixels, and nothing beside.
fn photoshop_document() -> Vec<u8> {
    let mut file = b"8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x02\0\0\0\x02\0\x08\0\x03".to_vec();
    // No palette, no resources, no layers; not compressed.
    file.extend([0; 14]);
    file.extend([0x80; 12]);
    file
}

/// Where the pictures are that it is written into.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../imaging/tests/fixtures")
}
