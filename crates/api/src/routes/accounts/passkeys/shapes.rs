//! Passkeys as JSON. What browsers take and hand over has the names that the standard gives it.

use model::{Email, Name, Passkey, Sha256Hex, Timestamp};
use serde::{Deserialize, Serialize};
use service::{
    Assertion, PASSKEY_ALGORITHMS, PASSKEY_TIME, PasskeyOffer, Registration, RelyingParty,
};
use utoipa::ToSchema;

/// What sites and credentials of this kind are called.
const PUBLIC_KEY: &str = "public-key";
/// What people see when they make a passkey.
const SITE_NAME: &str = "Ferrotype";
/// A passkey stands for a password, so having the device is not enough.
const USER_VERIFICATION: &str = "required";

/// A passkey, without what proves it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PasskeyInfo)]
pub(super) struct PasskeyAnswer {
    /// Names the passkey.
    #[schema(value_type = String)]
    id: Sha256Hex,
    /// What its owner calls it.
    #[schema(value_type = String)]
    name: Name,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was last used to sign in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Timestamp>,
    /// Whether it survives the loss of a device, as far as its authenticator says.
    backed_up: bool,
}

/// All passkeys of a user.
#[derive(Serialize, ToSchema)]
pub(super) struct PasskeyList {
    /// Oldest first.
    pub(super) passkeys: Vec<PasskeyAnswer>,
}

/// A passkey that was made.
#[derive(Deserialize, ToSchema)]
pub(super) struct NewPasskey {
    /// What you call it.
    #[schema(max_length = 255)]
    pub(super) name: String,
    pub(super) credential: RegistrationBody,
}

/// Another name for a passkey.
#[derive(Deserialize, ToSchema)]
pub(super) struct RenamePasskey {
    /// What you call it.
    #[schema(max_length = 255)]
    pub(super) name: String,
}

/// A passkey that was used.
#[derive(Deserialize, ToSchema)]
pub(super) struct PasskeySignIn {
    pub(super) credential: AuthenticationBody,
}

/// How to make a passkey.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PasskeyCreation)]
pub(super) struct CreationAnswer {
    pub(super) public_key: CreationOptions,
}

/// How to use a passkey.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PasskeyRequest)]
pub(super) struct RequestAnswer {
    pub(super) public_key: RequestOptions,
}

/// What `PublicKeyCredential.parseCreationOptionsFromJSON` takes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PublicKeyCredentialCreationOptionsJSON)]
pub(super) struct CreationOptions {
    rp: Site,
    user: PasskeyUser,
    /// What is to be answered, as base64url.
    challenge: String,
    /// What is accepted, dearest first.
    pub_key_cred_params: Vec<CredentialParameter>,
    /// Milliseconds for which the challenge is good.
    timeout: u64,
    /// What the user has already.
    exclude_credentials: Vec<CredentialDescriptor>,
    authenticator_selection: AuthenticatorSelection,
    /// Always `none`: who made the authenticator is not asked.
    attestation: &'static str,
}

/// What `PublicKeyCredential.parseRequestOptionsFromJSON` takes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PublicKeyCredentialRequestOptionsJSON)]
pub(super) struct RequestOptions {
    /// What is to be answered, as base64url.
    challenge: String,
    /// Milliseconds for which the challenge is good.
    timeout: u64,
    /// The name of the host that passkeys are bound to.
    rp_id: String,
    /// Always `required`: a finger, a face or a PIN.
    user_verification: &'static str,
}

/// Whom a passkey is for: this installation.
#[derive(Serialize, ToSchema)]
#[schema(as = PasskeySite)]
struct Site {
    /// The name of the host that passkeys are bound to.
    id: String,
    /// What people see.
    name: &'static str,
}

/// Who a passkey is of.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PasskeyUser {
    /// Names the user, as base64url.
    id: String,
    /// The address of their account.
    #[schema(value_type = String)]
    name: Email,
    /// What they are called.
    #[schema(value_type = String)]
    display_name: Name,
}

/// A kind of key.
#[derive(Serialize, ToSchema)]
struct CredentialParameter {
    /// Always `public-key`.
    r#type: &'static str,
    /// The algorithm, by its number in the registry of COSE.
    alg: i64,
}

/// A credential that there is already.
#[derive(Serialize, ToSchema)]
struct CredentialDescriptor {
    /// Always `public-key`.
    r#type: &'static str,
    /// Names it, as base64url.
    id: String,
}

/// What the authenticator must do.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuthenticatorSelection {
    /// Always `required`: it finds the passkey without being told who signs in.
    resident_key: &'static str,
    /// The same, for older browsers.
    require_resident_key: bool,
    /// Always `required`: a finger, a face or a PIN.
    user_verification: &'static str,
}

/// What a browser hands over after a passkey was made. It may say more.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RegistrationResponseJSON)]
pub(super) struct RegistrationBody {
    /// Names the credential, as base64url.
    id: String,
    /// The same.
    raw_id: String,
    /// Always `public-key`.
    r#type: String,
    response: AttestationBody,
}

/// What was said when it was made.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuthenticatorAttestationResponseJSON)]
struct AttestationBody {
    /// By the browser, as base64url.
    #[serde(rename = "clientDataJSON")]
    client_data_json: String,
    /// By the authenticator, as base64url.
    attestation_object: String,
}

/// What a browser hands over after a passkey was used. It may say more.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuthenticationResponseJSON)]
pub(super) struct AuthenticationBody {
    /// Names the credential, as base64url.
    id: String,
    /// The same.
    raw_id: String,
    /// Always `public-key`.
    r#type: String,
    response: AssertionBody,
}

/// What was said when it was used.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuthenticatorAssertionResponseJSON)]
struct AssertionBody {
    /// By the browser, as base64url.
    #[serde(rename = "clientDataJSON")]
    client_data_json: String,
    /// By the authenticator, as base64url.
    authenticator_data: String,
    /// The signature of both, as base64url.
    signature: String,
    /// Names the user, as base64url; every passkey has it.
    user_handle: Option<String>,
}

impl CreationOptions {
    pub(super) fn of(site: &RelyingParty, offer: PasskeyOffer) -> Self {
        let PasskeyOffer { challenge, user, user_handle, known } = offer;
        let parameter = |alg| CredentialParameter { r#type: PUBLIC_KEY, alg };
        let known = known.into_iter().map(|id| CredentialDescriptor { r#type: PUBLIC_KEY, id });
        Self {
            rp: Site { id: site.id().to_owned(), name: SITE_NAME },
            user: PasskeyUser { id: user_handle, name: user.email, display_name: user.name },
            challenge,
            pub_key_cred_params: PASSKEY_ALGORITHMS.map(parameter).into(),
            timeout: timeout(),
            exclude_credentials: known.collect(),
            authenticator_selection: AuthenticatorSelection {
                resident_key: "required",
                require_resident_key: true,
                user_verification: USER_VERIFICATION,
            },
            attestation: "none",
        }
    }
}

impl RequestOptions {
    pub(super) fn of(site: &RelyingParty, challenge: String) -> Self {
        let rp_id = site.id().to_owned();
        Self { challenge, timeout: timeout(), rp_id, user_verification: USER_VERIFICATION }
    }
}

fn timeout() -> u64 {
    PASSKEY_TIME.as_secs() * 1000
}

impl From<Passkey> for PasskeyAnswer {
    fn from(passkey: Passkey) -> Self {
        let Passkey { hash: id, name, created_at, last_used_at, backed_up, .. } = passkey;
        Self { id, name, created_at, last_used_at, backed_up }
    }
}

impl From<RegistrationBody> for Registration {
    fn from(body: RegistrationBody) -> Self {
        let AttestationBody { client_data_json, attestation_object } = body.response;
        Self {
            id: body.id,
            raw_id: body.raw_id,
            kind: body.r#type,
            client_data: client_data_json,
            attestation_object,
        }
    }
}

impl From<AuthenticationBody> for Assertion {
    fn from(body: AuthenticationBody) -> Self {
        let AssertionBody { client_data_json, authenticator_data, signature, user_handle } =
            body.response;
        Self {
            id: body.id,
            raw_id: body.raw_id,
            kind: body.r#type,
            client_data: client_data_json,
            authenticator_data,
            signature,
            user_handle,
        }
    }
}
