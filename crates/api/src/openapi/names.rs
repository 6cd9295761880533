//! Names of operations, which become names of functions in clients: a verb and a noun.

use serde_json::Value;

use super::walk::each_operation;

/// Those whose function here says too little without its module.
const SAID_OTHERWISE: [(&str, &str); 17] = [
    ("append", "appendUpload"),
    ("begin", "beginDirectUpload"),
    ("cancel", "cancelUpload"),
    ("complete", "completeUpload"),
    ("create", "createUpload"),
    ("describe", "describeUploads"),
    ("head", "getUploadOffset"),
    ("live", "getLiveness"),
    ("metrics", "getMetrics"),
    ("offer_sign_in", "offerPasskeySignIn"),
    ("ready", "getReadiness"),
    ("set_up", "createAdministrator"),
    ("sign_in", "createSession"),
    ("sign_in_by_passkey", "createPasskeySession"),
    ("sign_out", "endSession"),
    ("sign_up", "createAccount"),
    ("get_pixels", "getPicture"),
];

/// Names all operations by a verb and a noun, such as `listImages`.
pub(super) fn say_verb_and_noun(document: &mut Value) {
    each_operation(document, |route, operation| {
        let said = SAID_OTHERWISE.iter().find(|(here, _)| *here == route.name);
        let name = said.map_or_else(|| camel_case(&route.name), |(_, said)| (*said).to_owned());
        operation.insert("operationId".to_owned(), name.into());
    });
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::camel_case;

    #[test]
    fn names_are_written_as_programs_in_other_languages_write_them() {
        assert_eq!(camel_case("list_images"), "listImages");
        assert_eq!(camel_case("find"), "find");
    }
}
