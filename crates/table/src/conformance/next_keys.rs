//! Next keys that were damaged, or belong elsewhere.

use super::Fixture;
use crate::{Error, NextKey, Query, Scan, SortRange};

async fn filled(f: &Fixture) -> NextKey {
    for sk in ["1", "2", "3", "4"] {
        f.put(f.text_item("p", sk, sk)).await;
        f.put(f.text_item("q", sk, sk)).await;
    }
    f.query(&f.query_partition("p").limit(2)).await.next.unwrap()
}

async fn assert_bad(f: &Fixture, query: Query) {
    let error = f.table.query(&query).await.unwrap_err();
    assert!(matches!(error, Error::BadNextKey), "{query:?}: {error}");
}

pub async fn a_next_key_survives_as_text(f: &Fixture) {
    let next = filled(f).await;
    let next = NextKey::from_text(next.as_str());
    let page = f.query(&f.query_partition("p").start(Some(next))).await;
    let keys: Vec<_> = page.items.iter().map(|item| item.key.sk.as_str()).collect();
    assert_eq!(keys, ["3", "4"]);
}

pub async fn a_tampered_next_key_is_refused(f: &Fixture) {
    let next = filled(f).await;
    let text = next.as_str();
    let mut tampered = vec![String::new(), "x".to_owned(), "AAAAAAAAAAAAAAAA".to_owned()];
    tampered.push(text[..text.len() - 1].to_owned());
    tampered.push(format!("{text}A"));
    for at in 0..text.len() {
        let mut bytes = text.as_bytes().to_vec();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        tampered.push(String::from_utf8(bytes).unwrap());
    }
    for text in tampered {
        assert_bad(f, f.query_partition("p").start(Some(NextKey::from_text(text)))).await;
    }
}

pub async fn a_next_key_of_another_query_is_refused(f: &Fixture) {
    let next = Some(filled(f).await);
    let foreign = [
        f.query_partition("q"),
        f.query_partition("p").descending(),
        f.query_partition("p").prefix("2"),
        f.query_partition("p").range(SortRange::From("1".into())),
        f.query_text("p"),
        f.query_number("p"),
    ];
    for query in foreign {
        assert_bad(f, query.start(next.clone())).await;
    }
}

pub async fn a_next_key_of_a_scan_is_refused_by_a_query_and_vice_versa(f: &Fixture) {
    let next = filled(f).await;
    let error = f.table.scan(&Scan::all(10).start(Some(next))).await.unwrap_err();
    assert!(matches!(error, Error::BadNextKey), "{error}");
    let scan = f.table.scan(&Scan::all(1)).await.unwrap();
    assert_bad(f, f.query_partition("p").start(scan.next)).await;
}
