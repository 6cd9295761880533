//! Uploads in pieces, by tus 1.0.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::site::Site;
use crate::support::client::{Answer, Client};

pub fn a_file_comes_in_pieces(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let offers = ada.send(ada.request("OPTIONS", "/api/v1/uploads"), Vec::new());
    assert_eq!((offers.status, offers.header("tus-version")), (204, "1.0.0"));
    let title = STANDARD.encode("In pieces");
    let created = create(&ada, file.len(), &[("upload-metadata", &format!("title {title}"))]);
    assert_eq!(created.status, 201);
    assert!(!created.header("upload-expires").is_empty());
    let upload = created.header("location");
    let mut sent = 0;
    for piece in file.chunks(60_000) {
        assert_eq!(offset(&ada, upload), sent.to_string());
        let answer = append(&ada, upload, sent, piece, &[]);
        answer.expect(204);
        sent += piece.len();
        assert_eq!(answer.header("upload-offset"), sent.to_string());
        if sent == file.len() {
            let image = ada.completed(answer.header("upload-image"));
            assert_eq!(image["title"], "In pieces");
            assert_eq!(ada.get(image["originalUrl"].as_str().unwrap()).body, file);
        }
    }
    // Whoever lost the last answer learns that all is there.
    assert_eq!(offset(&ada, upload), file.len().to_string());
}

pub fn the_first_bytes_may_come_with_the_request(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let request = ada
        .request("POST", "/api/v1/uploads")
        .header("tus-resumable", "1.0.0")
        .header("upload-length", file.len().to_string())
        .header("content-type", "application/offset+octet-stream");
    let created = ada.send(request, file[..70_000].to_vec());
    assert_eq!((created.status, created.header("upload-offset")), (201, "70000"));
    let upload = created.header("location");
    append(&ada, upload, 1, &file[1..], &[]).assert_refused(409, "wrong_offset");
    append(&ada, upload, 70_000, &file[70_000..], &[]).expect(204);
}

pub fn a_piece_with_another_checksum_is_not_kept(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let upload = create(&ada, file.len(), &[]).header("location").to_owned();
    let checksum = |bytes: &[u8]| format!("sha256 {}", STANDARD.encode(Sha256::digest(bytes)));
    let wrong = checksum(b"something else");
    let refused = append(&ada, &upload, 0, &file[..9000], &[("upload-checksum", &wrong)]);
    refused.assert_refused(460, "checksum_mismatch");
    assert_eq!(offset(&ada, &upload), "0");
    let right = checksum(&file[..9000]);
    append(&ada, &upload, 0, &file[..9000], &[("upload-checksum", &right)]).expect(204);
    let unknown = [("upload-checksum", "crc32 AAAA")];
    append(&ada, &upload, 9000, &file[9000..], &unknown).assert_refused(400, "bad_request");
    assert_eq!(offset(&ada, &upload), "9000");
}

pub fn an_upload_can_be_cancelled(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let left = ada.left();
    let upload = create(&ada, file.len(), &[]).header("location").to_owned();
    append(&ada, &upload, 0, &file[..9000], &[]).expect(204);
    assert_ne!(ada.left(), left);
    let cancel = ada.request("DELETE", &upload).header("tus-resumable", "1.0.0");
    ada.send(cancel, Vec::new()).expect(204);
    assert_eq!(ada.left(), left);
    append(&ada, &upload, 9000, &file[9000..], &[]).assert_refused(404, "not_found");
}

pub fn what_the_protocol_forbids_is_refused(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let old = ada
        .request("POST", "/api/v1/uploads")
        .header("tus-resumable", "0.2.2")
        .header("upload-length", "10");
    let refused = ada.send(old, Vec::new());
    refused.assert_refused(412, "precondition_failed");
    assert_eq!(refused.header("tus-version"), "1.0.0");
    let endless = ada.request("POST", "/api/v1/uploads").header("tus-resumable", "1.0.0");
    ada.send(endless, Vec::new()).assert_refused(400, "bad_request");
    create(&ada, 1 << 40, &[]).assert_refused(413, "file_too_large");
    create(&ada, 10, &[("upload-metadata", "title !!")]).assert_refused(400, "bad_request");

    let upload = create(&ada, file.len(), &[]).header("location").to_owned();
    let untyped = ada
        .request("PATCH", &upload)
        .header("tus-resumable", "1.0.0")
        .header("upload-offset", "0")
        .header("content-type", "image/bmp");
    ada.send(untyped, file.clone()).assert_refused(415, "unsupported_media_type");
    let bob = site.user();
    append(&bob, &upload, 0, &file, &[]).assert_refused(404, "not_found");
    append(&ada, &upload, 0, &file, &[]).expect(204);
}

fn create(client: &Client, length: usize, headers: &[(&str, &str)]) -> Answer {
    let mut request = client
        .request("POST", "/api/v1/uploads")
        .header("tus-resumable", "1.0.0")
        .header("upload-length", length.to_string());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    client.send(request, Vec::new())
}

fn append(
    client: &Client,
    upload: &str,
    offset: usize,
    bytes: &[u8],
    headers: &[(&str, &str)],
) -> Answer {
    let mut request = client
        .request("PATCH", upload)
        .header("tus-resumable", "1.0.0")
        .header("upload-offset", offset.to_string())
        .header("content-type", "application/offset+octet-stream");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    client.send(request, bytes.to_vec())
}

fn offset(client: &Client, upload: &str) -> String {
    let head = client.request("HEAD", upload).header("tus-resumable", "1.0.0");
    let head = client.send(head, Vec::new());
    assert_eq!((head.status, head.header("cache-control")), (200, "no-store"));
    head.header("upload-offset").to_owned()
}
