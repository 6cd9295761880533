//! Reading everything.

use super::Fixture;

pub async fn a_scan_finds_every_item_once(f: &Fixture) {
    let names: Vec<String> = (0..40).map(|n| format!("scan {n:02}")).collect();
    for name in &names {
        f.put(f.item(name, "s")).await;
        f.put(f.item(name, "t")).await;
    }
    let mine: Vec<String> = names.iter().map(|name| f.partition(name)).collect();
    for limit in [7, 1000] {
        let found = f.scan_all(limit).await;
        let mut keys: Vec<(String, String)> = found
            .into_iter()
            .filter(|item| mine.contains(&item.key.pk))
            .map(|item| (item.key.pk, item.key.sk))
            .collect();
        keys.sort();
        let expected: Vec<(String, String)> =
            mine.iter().flat_map(|pk| ["s", "t"].map(|sk| (pk.clone(), sk.to_owned()))).collect();
        assert_eq!(keys, expected, "{limit}");
    }
}
