use std::time::Duration;

use catalog::{ChangeCursor, Error};
use model::{ChangeKind, Entity};

use super::World;

pub async fn changes_come_in_order_from_a_cursor(w: &World) {
    let ada = w.user("ada").await;
    let first = w.upload(ada).await;
    w.advance(Duration::from_secs(3 * 24 * 3600));
    let second = w.upload(ada).await;
    let album = w.album(ada, "Summer").await;
    w.process(first.id).await;
    let all = w.catalog.list_changes(None, w.now(), 100).await.unwrap();
    let seen: Vec<_> = all.iter().map(|(_, change)| (change.kind, change.entity)).collect();
    assert_eq!(
        seen,
        [
            (ChangeKind::Created, Entity::User(ada)),
            (ChangeKind::Created, Entity::Image(first.id)),
            (ChangeKind::Created, Entity::Image(second.id)),
            (ChangeKind::Created, Entity::Album(album.id)),
            (ChangeKind::Updated, Entity::Image(first.id)),
        ]
    );
    assert!(all.iter().all(|(_, change)| change.owner == ada));

    let mut followed = Vec::new();
    let mut cursor: Option<ChangeCursor> = None;
    loop {
        let page = w.catalog.list_changes(cursor.as_ref(), w.now(), 2).await.unwrap();
        let Some((last, _)) = page.last() else { break };
        // A cursor survives the journey through a URL.
        cursor = Some(ChangeCursor::from_text(&last.to_text()).unwrap());
        followed.extend(page);
    }
    assert_eq!(followed, all);

    let settled = all[2].1.at;
    let old = w.catalog.list_changes(None, settled, 100).await.unwrap();
    assert_eq!(old, all[..3], "what is not settled is not told");

    w.advance(Duration::from_secs(40 * 24 * 3600));
    assert_eq!(w.catalog.list_changes(None, w.now(), 100).await.unwrap(), [], "changes expire");
    let error = w.catalog.list_changes(cursor.as_ref(), w.now(), 100).await.unwrap_err();
    assert!(matches!(error, Error::BadCursor), "who was away too long must know: {error}");
}

pub async fn a_bad_cursor_is_refused(_: &World) {
    for bad in ["", "x", "2025-08-01T09:24:22.159Z", "2025-08-01T09:24:22.159Z_xyz", "_00"] {
        assert!(matches!(ChangeCursor::from_text(bad), Err(Error::BadCursor)), "{bad}");
    }
}

pub async fn a_cursor_can_stand_behind_a_moment(w: &World) {
    let ada = w.user("ada").await;
    let before = ChangeCursor::after_all_at(w.now());
    assert_eq!(ChangeCursor::from_text(&before.to_text()).unwrap(), before);
    assert_eq!(w.catalog.list_changes(Some(&before), w.now(), 10).await.unwrap(), []);
    w.advance(Duration::from_secs(1));
    let image = w.upload(ada).await;
    let found = w.catalog.list_changes(Some(&before), w.now(), 10).await.unwrap();
    let [(cursor, change)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(change.entity, Entity::Image(image.id));
    assert!(before < *cursor && *cursor < ChangeCursor::after_all_at(w.now()));
}
