//! Archives as another program reads them: Python's `zipfile`, which the test servers bring along.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Command;

use blob::{PutLimits, Receipt};
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
    Entry::new(name.to_owned(), size, Timestamp::from_millis(1_754_040_262_000))
}

/// What a script prints that is given the path of an archive.
fn python(archive: &Path, script: &str) -> String {
    let program = testkit::servers::installed("python/bin/python");
    let run = Command::new(program).args(["-I", "-c", script]).arg(archive).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

async fn write(blobs: Blobs, files: Vec<(BlobKey, Entry)>, archive: &Path) {
    let length = zip::length_of(files.iter().map(|(_, entry)| entry));
    let mut file = File::create(archive).unwrap();
    let mut pieces = Packer::new(blobs, files).run();
    while let Some(piece) = pieces.next().await {
        file.write_all(&piece.unwrap()).unwrap();
    }
    assert_eq!(file.metadata().unwrap().len(), length, "as long as was promised");
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
        files.push((key(number), entry(name, bytes.len() as u64)));
    }
    let archive = folder.path().join("archive.zip");
    write(blobs, files, &archive).await;
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
    let files = (0..count).map(|n| (key(1), entry(&format!("{n}.txt"), 1))).collect();
    let archive = folder.path().join("archive.zip");
    write(blobs, files, &archive).await;
    let script = "import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);n=z.namelist();\
                  print(len(n),n[-1],z.read(n[-1]))";
    assert_eq!(python(&archive, script), format!("{count} {}.txt b'x'\n", count - 1));
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

#[tokio::test]
async fn a_file_that_is_not_what_was_promised_breaks_the_archive_off() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = store(&folder.path().join("blobs")).await;
    put(&blobs, &key(1), b"12345").await;
    for (files, pieces) in [
        (vec![(key(1), entry("a", 5)), (key(2), entry("missing", 5))], 3),
        (vec![(key(1), entry("a", 5)), (key(1), entry("longer", 4))], 3),
        (vec![(key(1), entry("shorter", 6))], 0),
    ] {
        let run: Vec<Result<Bytes>> = Packer::new(blobs.clone(), files).run().collect().await;
        let (last, before) = run.split_last().unwrap();
        assert!(last.is_err() && before.iter().all(Result::is_ok));
        assert_eq!(before.len(), pieces);
    }
}
