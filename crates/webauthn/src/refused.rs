/// Why what a browser handed over is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A part of it is not base64url.
    #[error("a part of it is not base64url without padding")]
    NotBase64,
    /// A part of it is longer than any browser makes it.
    #[error("a part of it is too long")]
    TooLong,
    /// It is no public-key credential.
    #[error("it is no credential of the type public-key")]
    WrongKind,
    /// The places where it names the credential differ.
    #[error("it names more than one credential")]
    OtherCredential,
    /// The credential's id is too long, or there is none.
    #[error("the id of the credential has no bytes, or more than 1023")]
    BadCredentialId,
    /// What the browser says about the ceremony cannot be read.
    #[error("its client data cannot be read")]
    BadClientData,
    /// It was made for another ceremony.
    #[error("it was made for something else: to register is not to sign in")]
    WrongCeremony,
    /// It answers another challenge.
    #[error("it answers another challenge")]
    WrongChallenge,
    /// It was made on a page of another origin.
    #[error("it was made on a page that is not at the configured public_url")]
    WrongOrigin,
    /// It was made inside of a page of another origin.
    #[error("it was made in a frame of another site")]
    CrossOrigin,
    /// The attestation object cannot be read.
    #[error("its attestation object cannot be read")]
    BadAttestation,
    /// The authenticator data cannot be read.
    #[error("its authenticator data cannot be read")]
    BadAuthenticatorData,
    /// The credential belongs to another site.
    #[error("it belongs to another site")]
    WrongRelyingParty,
    /// Nobody was there.
    #[error("the authenticator has not seen anybody")]
    NotPresent,
    /// Nobody has shown who they are.
    #[error("the authenticator has not verified who uses it; a fingerprint, face or PIN is needed")]
    NotVerified,
    /// It is backed up but cannot be, or could be but cannot any more.
    #[error("what it says about being backed up contradicts itself")]
    BackupContradicts,
    /// The public key cannot be read.
    #[error("its public key cannot be read")]
    BadKey,
    /// The public key is of a kind that was not offered.
    #[error("its public key is of a kind that was not offered")]
    WrongAlgorithm,
    /// The credential is of another user.
    #[error("it is for another user")]
    WrongUser,
    /// The signature was not made by the credential.
    #[error("its signature is wrong")]
    WrongSignature,
    /// The authenticator counts fewer uses than we do: there are two of them.
    #[error("its counter went back: the authenticator may have been copied")]
    CounterWentBack,
}
