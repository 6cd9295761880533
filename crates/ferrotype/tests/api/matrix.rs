//! Every route for everybody: nobody, a token that has ended, a key that may not, another user,
//! the owner and an administrator.

mod rows;

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Duration;

use rows::{Right, Row};
use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::site::Site;
use crate::support::client::{Answer, Client, id_of};
use crate::support::program::DEADLINE;

/// Those who ask. Each row has its own, since some routes end their accounts.
struct Cast {
    owner: Client,
    other: Client,
    administrator: Client,
    nobody: Client,
    ended: Client,
    file: Box<dyn Fn() -> Vec<u8>>,
}

/// What is sent, apart from who sends it.
#[derive(Clone, Default)]
struct Ask {
    /// Stands for `{id}` in the path.
    id: String,
    /// Stands for `{user}` in the path.
    user: String,
    /// Stands for `{token}` in the path.
    token: String,
    query: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

/// Who asks. The owner comes last: they may end their own account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    EndedToken,
    KeyWithoutTheScope,
    AnotherUser,
    Administrator,
    Owner,
}

const EVERYBODY: [Who; 6] = [
    Who::Nobody,
    Who::EndedToken,
    Who::KeyWithoutTheScope,
    Who::AnotherUser,
    Who::Administrator,
    Who::Owner,
];

pub fn every_route_lets_in_whom_it_should(site: &Site) {
    let rows = rows::all();
    assert_eq!(described(site), rows.iter().map(Row::name).collect(), "all routes, each once");
    let mut wrong = Vec::new();
    for row in &rows {
        let mut cast = Cast::new(site);
        for who in EVERYBODY {
            if who == Who::Owner {
                // The one there was may have been erased by the administrator.
                cast = Cast::new(site);
            }
            let Some(client) = cast.client(who, row) else { continue };
            let got = outcome(&row.send(&client, &(row.ask)(&cast)));
            let expected = expected(row, who);
            if got != expected {
                wrong.push(format!("{} by {who:?}: {got}, not {expected}", row.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

pub fn a_private_image_looks_like_none_at_all(site: &Site) {
    let of_owner: Vec<_> =
        rows::all().into_iter().filter(|row| row.right == Right::Owner).collect();
    assert!(of_owner.len() >= 8);
    for row in of_owner {
        let cast = Cast::new(site);
        let there = (row.ask)(&cast);
        // An id of the same kind: a ULID, or a hash.
        let missing = match there.id.len() {
            26 => "01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned(),
            length => "0".repeat(length),
        };
        let missing = Ask { id: missing, ..there.clone() };
        let told = |ask: &Ask| {
            let answer = row.send(&cast.other, ask);
            let error = answer.json()["error"].clone();
            let mut headers: Vec<_> = answer.headers.keys().map(|name| name.to_string()).collect();
            headers.sort();
            (answer.status, error["code"].clone(), error["message"].clone(), headers)
        };
        assert_eq!(told(&there), told(&missing), "{}", row.name());
    }
}

/// What somebody shall be told.
fn expected(row: &Row, who: Who) -> String {
    let refused = |status: u16, code: &str| format!("{status} {code}");
    // Those who may retry dead work learn that there is none.
    let success = match row.success {
        404 => refused(404, "not_found"),
        // Those who may add passkeys learn that they cannot be bound to this server.
        409 if row.name().ends_with("/retry") => refused(409, "not_failed"),
        409 => refused(409, "passkeys_off"),
        status => status.to_string(),
    };
    let [other, administrator, owner] = match row.right {
        Right::Everybody => return success,
        Right::Proof(code) => return refused(row.success, code),
        Right::SignedIn | Right::Browser => [success.clone(), success.clone(), success],
        Right::Owner => [refused(404, "not_found"), refused(404, "not_found"), success],
        Right::OwnerOrAdministrator => [refused(403, "forbidden"), success.clone(), success],
        Right::Administrator => [refused(403, "forbidden"), success, refused(403, "forbidden")],
    };
    match who {
        Who::Nobody | Who::EndedToken => refused(401, "unauthenticated"),
        Who::KeyWithoutTheScope if row.right == Right::Browser => refused(403, "browser_only"),
        Who::KeyWithoutTheScope => refused(403, "scope_missing"),
        Who::AnotherUser => other,
        Who::Administrator => administrator,
        Who::Owner => owner,
    }
}

fn outcome(answer: &Answer) -> String {
    if answer.status < 400 {
        return answer.status.to_string();
    }
    // A HEAD has no body to tell the code.
    if answer.body.is_empty() {
        return match answer.status {
            401 => "401 unauthenticated".to_owned(),
            403 => "403 scope_missing".to_owned(),
            404 => "404 not_found".to_owned(),
            other => other.to_string(),
        };
    }
    let (status, code) = answer.refusal();
    format!("{status} {code}")
}

/// Every operation of the document that the server gives out.
fn described(site: &Site) -> BTreeSet<String> {
    const METHODS: [&str; 7] = ["get", "put", "post", "delete", "options", "head", "patch"];
    let document = site.nobody.get("/api/openapi.json").expect(200);
    let mut names = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let methods = operations.as_object().unwrap().keys();
        for method in methods.filter(|method| METHODS.contains(&method.as_str())) {
            names.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    names
}

impl Cast {
    fn new(site: &Site) -> Self {
        let email = site.email();
        let administrator = json!({
            "email": email, "name": email, "password": crate::support::client::PASSWORD,
            "role": "administrator",
        });
        site.administrator.post("/api/v1/users", &administrator).expect(201);
        let first = std::cell::Cell::new(rand::random::<u32>() | 0x8000_0000);
        let file = move || {
            first.set(first.get().wrapping_add(1));
            crate::support::files::bitmap(first.get())
        };
        Self {
            owner: site.user(),
            other: site.user(),
            administrator: site.nobody.sign_in(&email),
            nobody: site.nobody.clone(),
            ended: ended(site),
            file: Box::new(file),
        }
    }

    fn client(&self, who: Who, row: &Row) -> Option<Client> {
        let person = |client: &Client| match row.right {
            Right::Browser => client.at_a_browser(),
            _ => client.clone(),
        };
        match who {
            Who::Nobody => Some(self.nobody.clone()),
            Who::EndedToken => Some(self.ended.clone()),
            Who::KeyWithoutTheScope => row.key_without(self),
            Who::AnotherUser => Some(person(&self.other)),
            Who::Administrator => Some(person(&self.administrator)),
            Who::Owner => Some(person(&self.owner)),
        }
    }

    /// An image of the owner.
    fn image(&self) -> Value {
        self.owner.upload(&(self.file)()).expect(201)
    }
}

/// A key whose time has run out. Both servers of this process have one.
fn ended(site: &Site) -> Client {
    static KEYS: OnceLock<std::sync::Mutex<Vec<Client>>> = OnceLock::new();
    let mut keys = KEYS.get_or_init(Default::default).lock().unwrap();
    if let Some(key) = keys.iter().find(|key| key.base == site.nobody.base) {
        return key.clone();
    }
    let user = site.user();
    let soon = std::time::SystemTime::now() + Duration::from_secs(2);
    let soon = soon.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let soon = model::Timestamp::from_millis(i64::try_from(soon).unwrap()).to_string();
    let key = json!({ "name": "short", "scopes": ["read", "write"], "expiresAt": soon });
    let made = user.post("/api/v1/me/keys", &key).expect(201);
    let key = user.with_token(made["token"].as_str().unwrap());
    key.get("/api/v1/me").expect(200);
    assert!(wait_until(DEADLINE, || key.get("/api/v1/me").status == 401));
    keys.push(key.clone());
    key
}

fn id(thing: &Value) -> Ask {
    Ask { id: id_of(thing).to_owned(), ..Ask::default() }
}
