//! Archives as another program reads them: Python's `zipfile`, which the test servers bring along.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Command;

use blob::{BlobKey, PutLimits, Receipt};
use futures::StreamExt;
use model::{ImageId, Timestamp};

use super::*;

const NOW: Timestamp = Timestamp::EPOCH;

async fn store(folder: &Path) -> Blobs {
    Blobs::open_folder(folder).await.unwrap()
}

fn key(number: u128) -> BlobKey {
    BlobKey::Original(ImageId::new(NOW, number))
}

async fn put(blobs: &Blobs, key: &BlobKey, bytes: &[u8]) -> Receipt {
    let limits = PutLimits::at_most(u64::MAX);
    blobs.put_bytes(key, bytes.to_vec().into(), &limits).await.unwrap()
}

fn entry(name: &str, size: u64) -> Entry {
    let taken = Timestamp::from_millis(1_754_040_262_000);
    Entry::new(name.to_owned(), size, Moment::at(taken, 0))
}

fn packed(blobs: &Blobs, files: Vec<Content>, length: Option<u64>) -> Packer {
    let contents = stream::iter(files.into_iter().map(Ok));
    Packer::new(blobs.clone(), Box::pin(contents), length, NOW)
}

/// What a script prints that is given the path of an archive.
fn python(archive: &Path, script: &str) -> String {
    let program = testkit::servers::installed("python/bin/python");
    let run = Command::new(program).args(["-I", "-c", script]).arg(archive).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

/// Writes an archive whose length is promised.
async fn write(blobs: Blobs, files: Vec<Content>, archive: &Path) {
    let length = length_of(&files, NOW);
    let mut file = File::create(archive).unwrap();
    let mut pieces = packed(&blobs, files, Some(length)).run();
    while let Some(piece) = pieces.next().await {
        file.write_all(&piece.unwrap()).unwrap();
    }
    assert_eq!(file.metadata().unwrap().len(), length, "as long as was promised");
}

/// What three programs say about an archive that is all right.
fn check_by_others(archive: &Path) {
    for (program, arguments) in [("unzip", ["-tq"].as_slice()), ("bsdtar", &["-tf"])] {
        let run = Command::new(program).args(arguments).arg(archive).output();
        let run = run.unwrap_or_else(|error| {
            panic!("{program}: {error}; scripts/setup test installs it (Debian: unzip, libarchive-tools)")
        });
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success() && told.is_empty(), "{program}: {told}");
    }
    python(archive, "import sys,zipfile;assert zipfile.ZipFile(sys.argv[1]).testzip() is None");
}

#[tokio::test]
async fn every_file_comes_out_as_it_went_in() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = store(&folder.path().join("blobs")).await;
    let large: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
    let contents: [(&str, &[u8]); 3] =
        [("été.jpg", b"small"), ("empty.png", b""), ("日本 (2).webp", &large)];
    let mut files = Vec::new();
    for (number, (name, bytes)) in (1..).zip(contents) {
        put(&blobs, &key(number), bytes).await;
        files.push(Content::File(key(number), entry(name, bytes.len() as u64)));
    }
    let archive = folder.path().join("archive.zip");
    write(blobs, files, &archive).await;
    check_by_others(&archive);
    let script = "import sys,zipfile,hashlib\n\
                  z=zipfile.ZipFile(sys.argv[1])\n\
                  assert z.testzip() is None\n\
                  for i in z.infolist():\n \
                  print(i.filename.encode().hex(),hashlib.sha256(z.read(i)).hexdigest(),i.date_time)";
    let told = python(&archive, script);
    let expected: String = contents
        .iter()
        .map(|(name, bytes)| {
            let sha256 = crate::hex::hex(&<sha2::Sha256 as sha2::Digest>::digest(bytes));
            let name = crate::hex::hex(name.as_bytes());
            format!("{name} {sha256} (2025, 8, 1, 9, 24, 22)\n")
        })
        .collect();
    assert_eq!(told, expected);
}

#[tokio::test]
async fn an_archive_without_files_is_one_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = store(&folder.path().join("blobs")).await;
    let archive = folder.path().join("archive.zip");
    write(blobs, Vec::new(), &archive).await;
    let script = "import sys,zipfile;print(zipfile.ZipFile(sys.argv[1]).namelist())";
    assert_eq!(python(&archive, script), "[]\n");
}

#[tokio::test]
async fn more_files_than_16_bits_can_count_are_all_found() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = store(&folder.path().join("blobs")).await;
    put(&blobs, &key(1), b"x").await;
    let count = 66_000;
    let file = |n| Content::File(key(1), entry(&format!("2026/2026-11/{n}.txt"), 1));
    let files = (0..count).map(file).collect();
    let archive = folder.path().join("archive.zip");
    write(blobs, files, &archive).await;
    let script = "import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);n=z.namelist();\
                  print(len(n),n[-1],z.read(n[-1]))";
    assert_eq!(python(&archive, script), format!("{count} 2026/2026-11/{}.txt b'x'\n", count - 1));
    check_by_others(&archive);
}

/// A file of 5 GiB that is nothing but a hole, and one behind it.
#[test]
fn files_beyond_4_gib_are_found() {
    const HOLE: u64 = 5 << 30;
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive.zip");
    let entries = [entry("hole", HOLE), entry("behind", 1)];
    let [hole, behind] = &entries;
    let crc32 = crc32fast::hash(b"x");
    let mut file = File::create(&archive).unwrap();
    file.write_all(&hole.local_header()).unwrap();
    file.seek(SeekFrom::Current(i64::try_from(HOLE).unwrap())).unwrap();
    file.write_all(&hole.descriptor(0)).unwrap();
    let offset = file.stream_position().unwrap();
    assert_eq!(offset, hole.length());
    file.write_all(&[&behind.local_header()[..], b"x", &behind.descriptor(crc32)].concat())
        .unwrap();
    let start = file.stream_position().unwrap();
    let directory =
        [hole.central_header(Written::default()), behind.central_header(Written { offset, crc32 })]
            .concat();
    file.write_all(&directory).unwrap();
    file.write_all(&zip::end(2, start, directory.len() as u64)).unwrap();
    assert_eq!(file.stream_position().unwrap(), zip::length_of(entries.iter()));
    let script = "import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);i=z.infolist();\
                  print(i[0].file_size,i[1].header_offset,z.read('behind'))";
    assert_eq!(python(&archive, script), format!("{HOLE} {offset} b'x'\n"));
}

const LIST: &str = "import sys,zipfile;z=zipfile.ZipFile(sys.argv[1])\n\
                    for i in z.infolist(): print(i.filename,i.file_size)\n\
                    print(z.read('NOT-IN-THIS-ARCHIVE.txt').decode().rstrip('\\n'))";

/// One file that is there, one that is gone, and one that has become another.
async fn with_missing(blobs: &Blobs) -> Vec<Content> {
    put(blobs, &key(1), b"12345").await;
    vec![
        Content::File(key(1), entry("a.jpg", 5)),
        Content::File(key(2), entry("2026/gone.jpg", 5000)),
        Content::File(key(1), entry("2026/other.jpg", 4000)),
        Content::File(key(1), entry("b.jpg", 5)),
    ]
}

const TOLD: &str = "Not in this archive: 2\r\n\r\n2026/gone.jpg: deleted, or not shown to you any \
                    more\r\n2026/other.jpg: changed while the archive was made; download it again\r\n";

#[tokio::test]
async fn what_is_gone_meanwhile_is_named_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = store(&folder.path().join("blobs")).await;
    let archive = folder.path().join("archive.zip");
    let files = with_missing(&blobs).await;
    let bytes: Vec<Bytes> =
        packed(&blobs, files, None).run().map(|piece| piece.unwrap()).collect().await;
    std::fs::write(&archive, bytes.concat()).unwrap();
    check_by_others(&archive);
    let size = TOLD.len();
    let expected = format!("a.jpg 5\nb.jpg 5\nNOT-IN-THIS-ARCHIVE.txt {size}\n{TOLD}");
    assert_eq!(python(&archive, LIST).trim_end(), expected.trim_end());
}

#[tokio::test]
async fn what_is_gone_meanwhile_leaves_the_length_that_was_promised() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = store(&folder.path().join("blobs")).await;
    let archive = folder.path().join("archive.zip");
    let files = with_missing(&blobs).await;
    write(blobs, files, &archive).await;
    check_by_others(&archive);
    let told = python(&archive, LIST);
    assert!(told.trim_end().ends_with(TOLD.trim_end()), "{told:?}");
}

/// Room for the text of all sizes at which heads become larger.
#[tokio::test]
async fn the_text_fits_into_every_room() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = store(folder.path()).await;
    let limit = u64::from(u32::MAX);
    for size in [300, 70_000, limit - 2, limit - 1, limit, limit + 100, 5 << 30] {
        let files = vec![Content::File(key(1), entry("gone.jpg", size))];
        let length = length_of(&files, NOW);
        let mut packer = packed(&blobs, files, Some(length));
        packer.missing.add(Missing { name: "gone.jpg".to_owned(), why: Why::Gone });
        match packer.room_within(length) {
            Ok(room) => assert!(room < size && size - room < 200, "{size}: {room}"),
            // Between the largest small text and the smallest large one there is none.
            Err(_) => assert!(size.abs_diff(limit) < 200, "{size}"),
        }
    }
}

#[tokio::test]
async fn a_file_that_becomes_another_while_it_is_read_breaks_the_archive_off() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = store(&folder.path().join("blobs")).await;
    for (promised, pieces) in [(4, 0), (6, 1)] {
        let mut packer = packed(&blobs, Vec::new(), None);
        let body: Body = Box::pin(stream::iter([Ok(Bytes::from_static(b"12345"))]));
        packer.begin(entry("a", promised), body);
        let run: Vec<Result<Bytes>> = packer.run().collect().await;
        let (last, before) = run.split_last().unwrap();
        assert!(last.is_err() && before.iter().all(Result::is_ok));
        assert_eq!(before.len(), pieces);
    }
}
