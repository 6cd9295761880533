// Made from docs/openapi.json by scripts/api-types.mjs; not to be edited.

export interface Page<T> {
  items: T[]
  nextCursor?: string | null
}

/** Who may come in, and how. */
export type AccountInfo = { oidc?: OidcInfo | null; /** Whether passkeys can be used here. */ passkeys: boolean; /** Whether the first administrator is still to be made, by the link that the server prints. */ setUp: boolean; setUpQuota?: SetUpQuotaInfo | null; /** Who may make an account: `open` everybody, `invitation` who has one, `closed` nobody. */ signUp: SignUpPolicy }

/** An album. */
export type Album = { /** How many albums are nested directly in it. */ albumCount: number; /** The id of the image that stands for it, if one was chosen and is still in it. */ cover?: string | null; /** Where a picture of it is: of the cover, or else of the newest image; signed, and good for an hour at least. */ coverUrl?: string | null; /** When it was made. */ createdAt: string; /** The description. */ description?: string | null; /** Its id, a ULID: sorted by creation. */ id: string; /** How many images are in it, with those in the trash. */ imageCount: number; /** How many members it has itself. */ memberCount: number; /** The id of the user whose it is. */ owner: string; /** What they are called. */ ownerName?: string | null; /** The id of the album it is nested in, for those who may see that one. */ parent?: string | null; /** What the caller is in it: `owner`, `contributor` or `viewer`. */ role: AlbumAccess; /** What its images are ordered by, unless asked otherwise. */ sort: AlbumSort; /** The title. */ title: string; /** When it, or what is in it, last changed. */ updatedAt: string; /** Counts the changes of the album itself; send it back with an edit. */ version: number }


export type AlbumAccess = 'owner' | 'contributor' | 'viewer'

/** What to change. What is absent stays; `null` clears. */
export type AlbumChanges = { /** The id of the image that stands for it, which must be in it. */ cover?: string | null; /** The description. */ description?: string | null; /** The id of the album of one's own that it is nested in; `null` for none. */ parent?: string | null; sort?: AlbumSort | null; /** The title. */ title?: string | null; /** The version that is to be changed, unless `If-Match` says so. */ version?: number | null }

/** Images to be put into an album and to be taken out of it. */
export type AlbumImageChanges = { /** Ids of images of one's own, 100 at most. */ add?: (string)[]; /** Ids of images, 100 at most. They are taken out before others are put in. */ remove?: (string)[] }

/** Somebody who may see an album. */
export type AlbumMember = { /** Since when they are a member. */ addedAt: string; /** What they are called. */ name?: string | null; /** Where their picture is, small; signed, and good for an hour at least. */ pictureUrl?: string | null; /** What they may do. */ role: AlbumRole; /** The id of the user. */ user: string }

/** What a member may do. */
export type AlbumRole = 'viewer' | 'contributor'

/** What the images of an album are ordered by. */
export type AlbumSort = 'uploaded' | 'taken' | 'hand'

/** A tag and how many images of the album have it. */
export type AlbumTag = { /** How many images have it. */ count: number; /** The tag. */ tag: string }

/** Tags within an album. */
export type AlbumTags = { /** Whether all images of the album were looked at; the first 10,000 are. */ complete: boolean; /** In the order of the alphabet. */ items: (AlbumTag)[] }

/** A key, without what proves it. */
export type ApiKey = { /** When it was made. */ createdAt: string; /** When it ends, if ever. */ expiresAt?: string | null; /** Names the key. */ id: string; /** What its owner calls it. */ name: string; /** What it may do. */ scopes: (Scope)[] }

/** How the files are put into folders. */
export type ArchiveFolders = 'month' | 'none'

/** Whose a face is: a person, or somebody new with a name. */
export type AssignFace = { /** The id of the image it is in. */ image: string; /** What somebody new is called, instead of `person`. */ name?: string | null; /** The id of the person. */ person?: string | null }

/** What a browser hands over after a passkey was used. It may say more. */
export type AuthenticationResponseJSON = { /** Names the credential, as base64url. */ id: string; /** The same. */ rawId: string; response: AuthenticatorAssertionResponseJSON; /** Always `public-key`. */ type: PublicKey }

/** What was said when it was used. */
export type AuthenticatorAssertionResponseJSON = { /** By the authenticator, as base64url. */ authenticatorData: string; /** By the browser, as base64url. */ clientDataJSON: string; /** The signature of both, as base64url. */ signature: string; /** Names the user, as base64url; every passkey has it. */ userHandle?: string | null }

/** What was said when it was made. */
export type AuthenticatorAttestationResponseJSON = { /** By the authenticator, as base64url. */ attestationObject: string; /** By the browser, as base64url. */ clientDataJSON: string }

/** What the authenticator must do. */
export type AuthenticatorSelection = { /** The same, for older browsers. */ requireResidentKey: boolean; /** Always `required`: it finds the passkey without being told who signs in. */ residentKey: string; /** Always `required`: a finger, a face or a PIN. */ userVerification: string }

/** Something that happened. */
export type Change = { /** When. */ at: string; /** To what: `image`, `album`, `person` or `user`. */ entity: ChangedEntity; /** Its id. */ id: string; /** What: `created`, `updated` or `deleted`. */ kind: ChangeKind; /** Whose it is. */ owner: string; /** Its version afterwards; absent when it is gone. */ version?: number | null }


export type ChangeKind = 'created' | 'updated' | 'deleted'


export type ChangeOutcome = 'added' | 'alreadyThere' | 'tooManyAlbums' | 'removed' | 'notFound'

/** A new password. */
export type ChangePassword = { /** The password until now; absent for those who never had one. */ current?: string | null; /** A password of at least 10 characters. */ new: string }

/** How dates are to change: with `ids`, exactly one of `takenAt`, `shiftSeconds` and `offsetMinutes`; or `items` alone. */
export type ChangeTaken = { /** The zone whose time the clock showed; that of `offsetMinutes`, unless given. */ clockOffsetMinutes?: number | null; /** Which images. */ ids?: (string)[]; /** Each image to a date of its own, such as the `previous` of an answer to undo that. */ items?: (TakenItem)[] | null; /** They were taken in the zone so many minutes east of UTC, from -1080 to 1080. */ offsetMinutes?: number | null; /** The clock was wrong by so many seconds: they are added, or taken away if negative. */ shiftSeconds?: number | null; /** All of them were taken then, such as `2024-05-01T10:00:00+02:00`, or without the offset if the zone is not known; `null` goes back to what the files say. */ takenAt?: string | null }


export type ChangedEntity = 'image' | 'album' | 'person' | 'user'

/** What became of an image. */
export type ChangedImage = { /** Its id. */ id: string; /** `added`, `alreadyThere`, `tooManyAlbums`, `removed`, or `notFound`: the caller has no such image, or it was not in the album. */ outcome: ChangeOutcome }

/** What became of each image. */
export type ChangedImages = { /** Those to be put in, in the order of the request. */ added: (ChangedImage)[]; /** Those to be taken out. */ removed: (ChangedImage)[] }

/** What a decision has made of persons. */
export type ChangedPersons = { /** What was decided, to be undone by its id. */ edits: (PersonEdit)[]; person?: Person | null }

/** What became of the date of an image. */
export type ChangedTaken = { /** Its id. */ id: string; /** `changed`; `noDate`, nothing is known that could be shifted; `impossible`, the date would lie in the future or before the year 1; `notFound`, the caller has no such image; or `contested`, others change it all the time. */ outcome: string; /** What its owner had said before: a date, or `null` for what the file says. Of changed ones. */ previous?: string | null; taken?: Taken | null; /** Its version now. */ version?: number | null }

/** What became of the dates. */
export type ChangedTakenList = { /** In the order of the request. */ items: (ChangedTaken)[] }

/** Some changes, oldest first. */
export type ChangesPage = { /** What happened. */ items: (Change)[]; /** Whether more has happened already. */ more: boolean; /** Where to go on, also when nothing has happened. */ nextCursor: string }

/** Which images. */
export type ChosenImages = { /** How the files are put into folders. */ folders?: ArchiveFolders; /** Ids, 100,000 at most. */ ids: (string)[] }

/** The same from the form of a page, which browsers save without keeping it in memory. */
export type ChosenImagesForm = { /** How the files are put into folders. */ folders?: ArchiveFolders; /** Ids, 100,000 at most, with spaces between them. */ ids: string }

/** A tag and how many images have it. */
export type CountedTag = { /** How many images have it, counted up to 50. */ count: number; /** Whether more than the counted ones have it. */ more: boolean; /** The tag. */ tag: string }

/** A user that an administrator makes. */
export type CreateUser = { /** The address to sign in with. */ email: string; /** The name others see. */ name: string; /** A password of at least 10 characters. Without one, they can come only through the identity provider. */ password?: string | null; role?: Role | null }

/** A credential that there is already. */
export type CredentialDescriptor = { /** Names it, as base64url. */ id: string; /** Always `public-key`. */ type: PublicKey }

/** A kind of key. */
export type CredentialParameter = { /** The algorithm, by its number in the registry of COSE. */ alg: number; /** Always `public-key`. */ type: PublicKey }

/** Work that was given up. */
export type DeadWork = { /** How often it was begun. */ attempts: number; /** Since when it is given up. */ deadSince?: string | null; /** How the last attempt failed. */ error?: string | null; failure?: Failure | null; /** The name of the image's file. */ filename?: string | null; /** The image it is about. */ image?: string | null; /** What was to be done. */ kind: WorkKind; /** Whose it is. */ owner: string; /** What the owner is called. */ ownerName?: string | null; /** The user it is about. */ user?: string | null }

/** What new accounts may keep. */
export type DefaultQuota = { /** Bytes, also where they are a share of the disk; `null` without a limit. */ bytesMax?: number | null; /** Bytes of the disk that photos are kept on; `null` where that is none of the server's. */ diskBytes?: number | null; /** The share of the disk that the bytes are, in percent; else `null`. */ diskPercent?: number | null; /** Images; `null` without a limit. */ imagesMax?: number | null; source: QuotaSource }

/** Where to send a file. */
export type DirectUpload = { /** What to call when it is sent. */ completeUrl: string; /** The last moment at which the URL works. */ expiresAt: string; /** Headers to send along, exactly so. */ headers: Record<string, string>; /** The upload's id, which the image will have. */ id: string; /** The method to send it with. */ method: string; /** Where to send it, exactly so. */ url: string }

/** What to change of a user. What is absent stays; `null` clears. */
export type EditUser = { /** The address they sign in with. */ email?: string | null; /** The name others see. */ name?: string | null; /** Whether they want to be recognised in photos. If not, all that is known of the people in their images is removed, as is whatever they could be recognised by in images of others. */ people?: boolean | null; /** The person they are in the photos. */ person?: string | null; /** Their profile picture, one of their own images. */ picture?: string | null; role?: Role | null; /** The version that is to be changed; else whichever there is. */ version?: number | null }

/** Every answer that is neither a success nor a redirection. */
export type Error = { error: ErrorBody }

/** What went wrong. */
export type ErrorBody = { code: 'bad_request' | 'bad_json' | 'bad_query' | 'bad_search' | 'bad_cursor' | 'bytes_differ' | 'upload_interrupted' | 'unauthenticated' | 'wrong_password' | 'bad_passkey' | 'link_locked' | 'forbidden' | 'role_missing' | 'scope_missing' | 'browser_only' | 'https_needed' | 'csrf' | 'bad_signature' | 'download_off' | 'sign_up_closed' | 'bad_invitation' | 'bad_set_up' | 'unknown_identity' | 'quota_images' | 'quota_bytes' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'conflict' | 'wrong_offset' | 'upload_gone' | 'bytes_missing' | 'already_exists' | 'not_failed' | 'email_taken' | 'last_administrator' | 'set_by_configuration' | 'album_has_albums' | 'same_photo' | 'people_off' | 'passkeys_off' | 'passkey_taken' | 'request_running' | 'link_expired' | 'result_deleted' | 'precondition_failed' | 'body_too_large' | 'file_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'unsupported_image' | 'bad_range' | 'invalid_value' | 'idempotency_mismatch' | 'title_too_long' | 'description_too_long' | 'alt_text_too_long' | 'filename_too_long' | 'name_too_long' | 'tag_too_long' | 'too_many_tags' | 'album_inside_itself' | 'album_too_deep' | 'too_many_members' | 'too_many_links' | 'passkey_refused' | 'too_many_passkeys' | 'archive_too_large' | 'bad_sidecar' | 'truncated_image' | 'damaged_image' | 'too_many_pixels' | 'side_too_long' | 'too_many_frames' | 'too_much_memory' | 'bad_transform' | 'precondition_required' | 'rate_limited' | 'checksum_mismatch' | 'too_many_attempts' | 'head_too_large' | 'internal' | 'timeout' | 'unavailable' | 'storage_full'; /** For programs: facts that belong to the code. */ details?: Record<string, unknown> | null; /** For people: what is wrong, and what to do. */ message: string; /** What to quote when you ask the operator. */ requestId: string }

/** What is known of an image that lives elsewhere. */
export type ExternalImage = { /** The alternative text. */ altText?: string | null; /** The description. */ description?: string | null; /** What the other system needs to fetch it; may change. */ fileId?: string | null; /** The set it belongs to there. */ setName?: string | null; /** Public tags. */ tags?: (string)[]; /** The title. */ title?: string | null }

/** Where an image lives that has no file here. */
export type ExternalInfo = { /** What that system needs to fetch it; may change. */ fileId?: string | null; /** The set it belongs to there. */ setName?: string | null; /** Which system. */ source: string; /** Its lasting id there. */ uniqueId: string }

/** A face in an image. */
export type Face = { /** Where it is. */ box: FaceBox; /** How sure it is that this is a face, from 0 to 1. */ confidence: number; /** Whether somebody said whose it is; for the owner alone. */ confirmed?: boolean | null; /** Its id, a ULID. */ id: string; /** The id of the image it is in. */ image: string; person?: FacePerson | null; /** Whether it is large, sharp and frontal enough to tell what somebody looks like; for the owner alone. */ shapes?: boolean | null; /** The face, cut out; signed, and good for an hour at least. */ url: string; written?: WrittenName | null }

/** A part of an image, in parts of its width and height, upright. */
export type FaceBox = { /** Height. */ height: number; /** Left edge. */ left: number; /** Upper edge. */ top: number; /** Width. */ width: number }

/** Whose a face is. */
export type FacePerson = { /** The person's id. */ id: string; /** What they are called. */ name?: string | null }

/** How far finding faces has come; each is counted up to 10,000. */
export type FacesProgress = { /** Images that were given up. */ failed: number; /** Libraries that wait to be grouped. */ grouping: number; /** Images that wait to be looked at. */ waiting: number }

/** Why an image has no renditions. */
export type Failure = { /** `unsupported_image`, `truncated_image`, `damaged_image`, `file_too_large`, `too_many_pixels`, `side_too_long`, `too_many_frames`, `too_much_memory`, `original_missing` or `processing_failed`. */ code: FailureCode; /** The same for people. */ message: string }


export type FailureCode = 'unsupported_image' | 'truncated_image' | 'damaged_image' | 'file_too_large' | 'too_many_pixels' | 'side_too_long' | 'too_many_frames' | 'too_much_memory' | 'original_missing' | 'processing_failed'


export type Fit = 'inside' | 'cover'

/** Some albums. */
export type FoundAlbums = { /** Oldest first. */ items: (Album)[] }

/** Some images. */
export type FoundImages = { /** In the order of the ids, without those that the caller may not see. */ items: (Image)[] }

/** Some persons. */
export type FoundPersons = { /** Those in one's own library first. */ items: (Person)[] }

/** What works. */
export type HealthInfo = { /** What is wrong with each part, or soon will be; `null` if nothing is. */ parts: Record<string, string | null>; /** Whether requests can be served. */ ready: boolean }


export type HealthState = 'ok' | 'degraded' | 'failed'

/** An image. */
export type Image = { /** The alternative text. */ altText?: string | null; /** Whether it moves. */ animated: boolean; /** Width divided by height. */ aspectRatio?: number | null; /** Whether the date in `exif` cannot be, so that it does not count: the clock of the camera was wrong. */ clockWrong?: boolean; /** The dominant colour, as `#rrggbb`. */ color?: string | null; /** When the upload was asked for. */ createdAt: string; /** The description. */ description?: string | null; /** Why processing failed; the message of `failure`. */ error?: string | null; /** What the camera wrote; for the owner, unless the installation shows it to all. */ exif?: Record<string, unknown> | null; external?: ExternalInfo | null; failure?: Failure | null; /** The name that the file had. */ filename?: string | null; /** Height in pixels, as seen. */ height?: number | null; /** Its id, a ULID: sorted by creation. */ id: string; metadata?: Metadata | null; /** What kind of file it is, by its first bytes. */ mimeType?: string | null; /** Where the original is, for its owner. */ originalUrl?: string | null; /** The id of the user whose it is. */ owner: string; /** Like that of images that look alike. */ perceptualHash?: string | null; /** When its renditions were made. */ processedAt?: string | null; /** Bytes of all renditions. */ processedSizeBytes?: number | null; /** How much its owner likes it, for the owner: one to five stars, or -1 for rejected. */ rating?: number | null; /** SHA-256 of the original, as 64 hexadecimal digits: the receipt of an upload. */ sha256?: string | null; /** How much of it the renditions show, if not all: `incomplete`, what there is of a file that ends too early or is damaged; `preview`, only the smaller picture that the file brings along. */ shown?: Shown | null; sidecar?: Sidecar | null; /** Bytes of the original. */ sizeBytes?: number | null; /** The renditions that have been made, by size name. */ sizes: Record<string, SizeUrl>; /** `pending`, `processing`, `completed` or `failed`. */ status: ImageStatus; /** The owner's public tags. */ tags: (string)[]; taken?: Taken | null; /** A tiny preview, as base64 of a ThumbHash. */ thumbhash?: string | null; /** The title. */ title?: string | null; /** Since when it is in the trash. */ trashedAt?: string | null; /** When it disappears by itself, in seconds since 1970. */ ttl?: number | null; /** When anything about it last changed. */ updatedAt: string; /** When its bytes had arrived. Lists are in this order. */ uploadedAt?: string | null; /** The same in milliseconds since 1970. */ uploadedAtMillis?: number | null; /** Counts the changes; send it back with an edit. */ version: number; /** `private` or `shared`. */ visibility: Visibility; /** Width in pixels, as seen. */ width?: number | null }

/** What to change. What is absent stays; `null` clears. */
export type ImageChanges = { /** The alternative text. */ altText?: string | null; /** The description. */ description?: string | null; /** One to five stars, or -1 for rejected. */ rating?: number | null; /** The owner's public tags, all of them. */ tags?: (string)[] | null; /** When it was taken, such as `2024-05-01T10:00:00+02:00`, or without the offset if the zone is not known. `null` goes back to what the file says. */ takenAt?: string | null; /** The title. */ title?: string | null; /** The version that is to be changed, unless `If-Match` says so. */ version?: number | null; visibility?: Visibility | null }

/** Which images. */
export type ImageIds = { /** Ids, 100 at most. */ ids: (string)[] }

/** The faces of an image. */
export type ImagePersons = { /** From left to right. */ items: (Face)[]; /** Whether the image was looked at for faces. */ looked: boolean }


export type ImageStatus = 'pending' | 'processing' | 'completed' | 'failed'

/** An invitation, without what proves it. */
export type Invitation = { /** When it was made. */ createdAt: string; /** Who invites. */ createdBy: string; /** The only address it is good for. */ email?: string | null; /** When it ends by itself. */ expiresAt: string; /** Names the invitation. */ id: string; /** What the account will be allowed. */ role: Role }

/** What an invitation shall be good for. */
export type Invite = { /** The only address it is good for, if any. */ email?: string | null; role?: Role | null }

/** Whether the caller has a file. */
export type KnownSum = { /** Whether an image of the caller has these bytes. */ exists: boolean; /** Which one. */ image?: string | null; /** SHA-256 of the file. */ sha256: string; /** Whether it is in the trash; uploading the file then makes a new image. */ trashed: boolean }

/** Which of them there are. */
export type KnownSums = { /** One for each that was asked about, in the same order. */ items: (KnownSum)[] }

/** What an image and its texts may take. */
export type LimitInfo = { /** Characters of an alternative text. */ altTextChars: number; /** Characters of a description. */ descriptionChars: number; /** Bytes of a file. */ fileBytes: number; /** Characters of a filename. */ filenameChars: number; /** Frames of an animation. */ frames: number; /** Entries in a page. */ page: number; /** Pixels of one frame. */ pixels: number; /** Pixels along the longer side. */ side: number; /** Characters of a tag. */ tagChars: number; /** Tags that the owner may set on an image. */ tags: number; /** Characters of a title. */ titleChars: number }

/** A link. */
export type Link = { /** The id of the album it shows, without those nested in it. */ album?: string | null; /** When it was made. */ createdAt: string; /** What may be taken away. */ download: LinkDownload; /** When it ends, if ever. */ expiresAt?: string | null; /** Whether a password must be known. */ hasPassword: boolean; /** Its id, a ULID: sorted by creation. */ id: string; /** The id of the image it shows. */ image?: string | null; /** The search of whose results it shows those that are its owner's images. */ search?: string | null; /** What it is called; otherwise by what it shows. */ title?: string | null; /** What proves it: the last part of `url`, for the routes under `/api/v1/shared`. */ token: string; /** When it was last changed. */ updatedAt: string; /** Where to send people. Whoever has it sees what it shows. */ url: string; /** Counts the changes; send it back with an edit. */ version: number; /** How often it was opened, by others than its owner. */ viewCount: number }

/** What to change. What is absent stays; `null` clears. */
export type LinkChanges = { download?: LinkDownload | null; /** When it ends; `null` for never. */ expiresAt?: string | null; /** What must be known to look at it. Whoever has looked at it already must know the new one. */ password?: string | null; /** What it is called. */ title?: string | null; /** The version that is to be changed, unless `If-Match` says so. */ version?: number | null }

/** What those who have a link may take away, beside what they see. */
export type LinkDownload = 'off' | 'renditions' | 'originals'


export type LinkKind = 'image' | 'album' | 'search'

/** The process answers. */
export type Live = { /** `alive`. */ status: Liveness }


export type Liveness = 'alive'

/** A new invitation. */
export type MadeInvitation = (Invitation) & ({ /** Where to send people: the path of the page that signs up with it. */ path: string; /** What to sign up with. Shown now and never again. */ token: string })

/** A new key. */
export type MadeKey = (ApiKey) & ({ /** What to send as `Authorization: Bearer`. Shown now and never again. */ token: string })

/** What became of each. */
export type ManySet = { /** In the order of the request. */ items: (OneSet)[] }

/** The caller's tags of many images. */
export type ManyTags = { /** 100 at most. */ items: (TagsOf)[] }

/** Who is signed in. */
export type MeAnswer = (User) & ({ /** Whether they can sign in with a password. */ hasPassword: boolean; /** How much they may keep. */ quota: Quota; /** What the way they signed in allows: everything, or the scopes of the API key. */ scopes: (Scope)[] })

/** What a member may do. */
export type Membership = { /** `viewer` or `contributor`. */ role: AlbumRole }

/** Who else they are. */
export type MergePersons = { /** Ids of other persons, 20 at most, who are this one. */ with: (string)[] }

/** What people and their programs wrote into an image. */
export type Metadata = { /** Who made it. */ artist?: string | null; /** Whose it is by law. */ copyright?: string | null; /** Keywords that did not become tags, because there were too many or they are too long. */ keywords?: (string)[]; place?: Place | null; /** Its marked parts, for the owner. */ regions?: (Region)[] }

/** A month of a timeline. */
export type MonthInfo = { /** How many images there are. */ count: number; /** Which month, such as `2026-05`. */ month: string; /** Changes whenever an image comes, goes, moves or takes another shape. */ tag: string }

/** The months of a timeline. */
export type MonthList = { /** Those with images, newest first. */ months: (MonthInfo)[]; /** How many images there are in all. */ total: number }

/** Where images of an album are to be put. */
export type MoveImages = { /** The id of the image they are put behind; `null` puts them first, and without it they are put last. */ behind?: string | null; /** Ids of images in the album, 100 at most, in the order they shall have. */ ids: (string)[] }

/** Whether somebody is called so. */
export type NameAnswer = { /** The name. */ name: string; /** The id of the person. */ person: string; /** Whether they are called so: then they get the name, or are merged into who has it already. Otherwise they are not asked about with this name again. */ same: boolean }

/** Somebody without a name, and what photo programs have written beside their faces. */
export type NamedPerson = { /** In how many of their newest images this name is beside their face. */ count: number; known?: Person | null; /** What they may be called. */ name: string; /** Who. */ person: Person }

/** A new album. */
export type NewAlbum = { /** The description. */ description?: string | null; /** The id of the album of one's own that it is nested in. */ parent?: string | null; sort?: AlbumSort | null; /** The title. */ title: string }

/** What is said about an image before its bytes come. */
export type NewImage = { /** The alternative text. */ altText?: string | null; /** The description. */ description?: string | null; /** When the image is to disappear by itself. */ expiresAt?: string | null; /** When the file was last changed, written alike. Counts only if the file itself says nothing. */ fileModifiedAt?: string | null; /** The name of the file. */ filename?: string | null; /** Whether a second copy of a file that the owner has is wanted. */ keepDuplicate?: boolean; /** Whether an image that cannot be shown is refused. Otherwise it is kept, with `status` `failed` and the reason. */ onlyShown?: boolean; /** SHA-256 of the file, if known, as 64 hexadecimal digits; other bytes are refused. */ sha256?: string | null; /** Bytes of the file, if known; taken from the quota at once. */ sizeBytes?: number | null; /** Public tags, 20 at most. */ tags?: (string)[]; /** When it was taken, such as `2024-05-01T10:00:00+02:00`, or without the offset if the zone is not known; unless given, what the file says. */ takenAt?: string | null; /** The title. */ title?: string | null; visibility?: Visibility | null }

/** What a key shall be. */
export type NewKey = { /** When it ends; never, unless given. */ expiresAt?: string | null; /** What you call it. */ name: string; /** What it may do: `read`, `write`, `delete`, `account`, `admin`. At least one, and none that you do not have. */ scopes: (Scope)[] }

/** A new link: to an image, to an album, or to what a search finds. */
export type NewLink = { /** The id of an album of one's own. What is nested in it is not shown. */ album?: string | null; download?: LinkDownload | null; /** When it ends; never, unless given. */ expiresAt?: string | null; /** The id of an image of one's own. */ image?: string | null; /** What must be known to look at it; at least 6 characters. */ password?: string | null; /** A search. Whatever of one's own images it finds is shown, as it is then. */ search?: string | null; /** What it is called; by what it shows, unless given. */ title?: string | null }

/** A passkey that was made. */
export type NewPasskey = { credential: RegistrationResponseJSON; /** What you call it. */ name: string }

/** The caller's tags, all of them. */
export type NewTags = { /** Tags that nobody else sees. One that is also among the public ones is private. */ private?: (string)[]; /** Tags that everybody sees who may see the image. */ public?: (string)[] }

/** The identity provider. */
export type OidcInfo = { /** What its button says. */ label: string; /** Where to send the browser; `next` is the path to come back to. */ login: string }

/** What became of the tags of an image. */
export type OneSet = { /** The image's id. */ image: string; /** `set`, `notFound` or `tooMany`. */ outcome: TagOutcome }

/** How the installation is. */
export type OverviewInfo = { /** What works. */ health: HealthInfo; /** Work that waits, by kind. */ queues: (QueueInfo)[]; /** Looking for missing sizes, by this server. */ sizes: SizesInfo; /** When this server started. */ startedAt: string; /** What they keep. */ storage: StorageInfo; /** How many users there are; not counted beyond 10,000. */ users: number; /** The version of the program. */ version: string }

/** Whether one part works. */
export type PartStatus = { /** `ok`, `degraded` (it works, but photos are not taken in, say) or `failed`. */ status: HealthState }

/** How to make a passkey. */
export type PasskeyCreation = { publicKey: PublicKeyCredentialCreationOptionsJSON }

/** A passkey, without what proves it. */
export type PasskeyInfo = { /** Whether it survives the loss of a device, as far as its authenticator says. */ backedUp: boolean; /** When it was made. */ createdAt: string; /** Names the passkey. */ id: string; /** When it was last used to sign in. */ lastUsedAt?: string | null; /** What its owner calls it. */ name: string }

/** All passkeys of a user. */
export type PasskeyList = { /** Oldest first. */ passkeys: (PasskeyInfo)[] }

/** How to use a passkey. */
export type PasskeyRequest = { publicKey: PublicKeyCredentialRequestOptionsJSON }

/** A passkey that was used. */
export type PasskeySignIn = { credential: AuthenticationResponseJSON }

/** Whom a passkey is for: this installation. */
export type PasskeySite = { /** The name of the host that passkeys are bound to. */ id: string; /** What people see. */ name: string }

/** Who a passkey is of. */
export type PasskeyUser = { /** What they are called. */ displayName: string; /** Names the user, as base64url. */ id: string; /** The address of their account. */ name: string }

/** Whether people are recognised. */
export type PeopleInfo = { /** Why they are off. */ message?: string | null; /** Which models find them. */ model?: string | null; /** `on` or `off`. If off, no faces are looked for; what is known already can be seen and changed. */ state: PeopleState }


export type PeopleState = 'on' | 'off'

/** A person. */
export type Person = { /** In how many images they are: for the owner of the library with those in the trash, for others of those that they may see. */ count: number; cover?: PersonCover | null; /** When they were first seen. */ createdAt: string; /** Whether they are left out of lists. */ hidden: boolean; /** Their id, such as `person17`. */ id: string; /** Whether that is the caller. */ isOwner: boolean; /** Whether there may be more that were not counted. */ more: boolean; /** What they are called. */ name?: string | null; /** The id of the user in whose library they are. */ owner: string; /** When anything about them last changed. */ updatedAt: string; /** The id of the account they have, as the owner of the library says; for the owner alone. */ user?: string | null; /** Counts the changes of what is said of them; send it back with an edit. */ version: number }

/** What to change. What is absent stays; `null` clears. */
export type PersonChanges = { /** The id of the face that stands for them; with `null`, the best one does. */ cover?: string | null; /** Whether they are left out of lists. */ hidden?: boolean | null; /** What they are called. */ name?: string | null; /** The id of the account they have. */ user?: string | null; /** The version that is to be changed, unless `If-Match` says so. */ version?: number | null }

/** The face that stands for a person. */
export type PersonCover = { /** Whether the owner chose it. */ chosen: boolean; /** The id of the face. */ face: string; /** The id of the image it is in. */ image: string; /** The face, cut out; signed, and good for an hour at least. */ url: string }

/** Something that was decided about persons. */
export type PersonEdit = { /** What took its place. */ after?: string | null; /** When. */ at: string; /** What was there before, such as a name. */ before?: string | null; /** The id of the user who decided. */ by: string; /** The id of the face it is about. */ face?: string | null; /** Its id, a ULID: sorted by when it was decided. */ id: string; /** The id of the image of that face. */ image?: string | null; /** `rename`, `hide`, `cover`, `link`, `merge`, `split`, `assign`, `reject`, `different` or `delete`. */ kind: PersonEditKind; /** The id of the other one: who was merged into them, was split off, had the face, or is somebody else. */ other?: string | null; /** The id of the person it is about. */ person: string; /** When it was undone. */ undoneAt?: string | null; /** The id of the user who undid it. */ undoneBy?: string | null }


export type PersonEditKind = 'rename' | 'hide' | 'cover' | 'link' | 'merge' | 'split' | 'assign' | 'reject' | 'different' | 'delete'

/** The names of a place, from small to large. */
export type Place = { /** The city. */ city?: string | null; /** The country. */ country?: string | null; /** The country's ISO code. */ countryCode?: string | null; /** A part of a city, or a name of its own. */ location?: string | null; /** The state or province. */ state?: string | null }

/** Some users, as everybody sees them. */
export type Profiles = { /** In no particular order. */ items: (User)[] }

/** How far making renditions has come. */
export type ProgressInfo = { /** Images whose renditions could not be made; not counted beyond 10,000. */ failed: number; /** Images that still wait for renditions; not counted beyond 10,000. */ waiting: number }


export type PublicKey = 'public-key'

/** What `PublicKeyCredential.parseCreationOptionsFromJSON` takes. */
export type PublicKeyCredentialCreationOptionsJSON = { /** Always `none`: who made the authenticator is not asked. */ attestation: string; authenticatorSelection: AuthenticatorSelection; /** What is to be answered, as base64url. */ challenge: string; /** What the user has already. */ excludeCredentials: (CredentialDescriptor)[]; /** What is accepted, dearest first. */ pubKeyCredParams: (CredentialParameter)[]; rp: PasskeySite; /** Milliseconds for which the challenge is good. */ timeout: number; user: PasskeyUser }

/** What `PublicKeyCredential.parseRequestOptionsFromJSON` takes. */
export type PublicKeyCredentialRequestOptionsJSON = { /** What is to be answered, as base64url. */ challenge: string; /** The name of the host that passkeys are bound to. */ rpId: string; /** Milliseconds for which the challenge is good. */ timeout: number; /** Always `required`: a finger, a face or a PIN. */ userVerification: string }

/** Work of a kind. */
export type QueueInfo = { /** How much was given up; not counted beyond 10,000. */ dead: number; /** When the first of it is or was due. */ firstDue?: string | null; /** What is to be done: `process`, `faces`, `expire`, `purge` or `erase`. */ kind: WorkKind; /** How much waits, also for a later time; not counted beyond 10,000. */ waiting: number }

/** How much a user may keep, how much they keep, and how much of the limits is left. */
export type Quota = { /** Bytes still allowed; `null` without a limit. */ bytesLeft?: number | null; /** Bytes allowed; `null` without a limit. */ bytesMax?: number | null; /** Bytes of the originals in use. */ bytesUsed: number; /** Images still allowed; negative when the limit was lowered below what there is, `null` without a limit. */ imagesLeft?: number | null; /** Images allowed; `null` without a limit. */ imagesMax?: number | null; /** Images in use, also those in the trash and those that are being uploaded. */ imagesUsed: number }

/** Who has decided it: the configuration, which nobody changes here, an administrator, or nobody. */
export type QuotaSource = 'configuration' | 'administrator' | 'builtIn'


export type Readiness = 'ready' | 'unavailable'

/** Which parts work. */
export type Ready = { /** The parts by name. */ parts: Record<string, PartStatus>; /** `ready` or `unavailable`. */ status: Readiness }

/** Which images. */
export type Rebuild = { /** Also those that the present models have seen. */ all?: boolean }

/** A marked part of an image, in parts of its width and height, upright. */
export type Region = { /** Height. */ height: number; /** `face`, `pet` or `other`. */ kind: RegionKind; /** Left edge. */ left: number; /** Its name, of a face that of the person. */ name?: string | null; /** Upper edge. */ top: number; /** Width. */ width: number }


export type RegionKind = 'face' | 'pet' | 'other'

/** What a browser hands over after a passkey was made. It may say more. */
export type RegistrationResponseJSON = { /** Names the credential, as base64url. */ id: string; /** The same. */ rawId: string; response: AuthenticatorAttestationResponseJSON; /** Always `public-key`. */ type: PublicKey }

/** The image of a face. */
export type RejectFace = { /** The id of the image it is in. */ image: string }

/** Another name for a passkey. */
export type RenamePasskey = { /** What you call it. */ name: string }

/** A tag and what it is to be called. */
export type RenameTag = { /** The tag as it is. */ from: string; /** The tag as it is to be; if it is there already, the two become one. */ to: string }

/** How far renaming has come. */
export type RenamedTag = { /** Images on which it was renamed by this request. */ changed: number; /** Whether there are more; send the same request again. */ more: boolean; /** Images on which it was not, because the image has as many public tags as it may have. */ refused: number }


export type RenditionFormat = 'webp' | 'avif' | 'jpeg' | 'png'

/** A password that an administrator chooses for somebody. */
export type ResetPassword = { /** A password of at least 10 characters. */ new: string }

/** What became of an image that was to be tried again. */
export type RetriedImage = { /** Its id. */ id: string; /** `retried`; `notFailed`, there is nothing to try again; or `notFound`, the caller has no such image. */ outcome: RetryOutcome }

/** What became of each. */
export type RetriedImages = { /** In the order of the request. */ items: (RetriedImage)[] }

/** Which images to try again. */
export type RetryImages = { /** Ids, 100 at most. */ ids: (string)[] }


export type RetryOutcome = 'retried' | 'notFailed' | 'notFound'

/** Which work to try again. */
export type RetryWork = { /** The image it is about, or */ image?: string | null; /** What is to be done. */ kind: WorkKind; /** the user. */ user?: string | null }

/** What a user may do. */
export type Role = 'user' | 'administrator'

/** Whether two persons are the same. */
export type SameAnswer = { /** The ids of both. */ persons: (string)[]; /** Whether they are the same: then they are merged, and otherwise never taken for one. */ same: boolean }

/** Two persons who may be the same. */
export type SamePerson = { /** How alike they look, from 0 to 1: at 1 they would have been taken for one without asking. */ confidence: number; /** Both of them. */ persons: (Person)[] }

/** Persons who may be the same. */
export type SamePersons = { /** Most alike first. */ items: (SamePerson)[] }


export type Scope = 'read' | 'write' | 'delete' | 'account' | 'admin'

/** What an installation offers. */
export type ServiceInfo = { /** Who may come in, and how. */ accounts: AccountInfo; /** What an image and its texts may take. */ limits: LimitInfo; /** Always `ferrotype`. */ name: string; /** Whether people are recognised. */ people: PeopleInfo; /** The renditions that every image gets. */ sizes: (SizeInfo)[]; /** What may be asked for on demand. */ transforms: TransformInfo; /** Days that an image stays in the trash. */ trashDays: number; /** The version of the program. */ version: string }

/** That somebody signed in somewhere. */
export type Session = { /** What they signed in with, as its program calls itself. */ agent?: string | null; /** When they signed in. */ createdAt: string; /** Whether it is the one that asks. */ current: boolean; /** When it ends by itself. */ expiresAt: string; /** Names the session. */ id: string }

/** A session that has begun. */
export type SessionAnswer = { /** When the session ends by itself. */ expiresAt: string; /** What to send as `Authorization: Bearer`; only with `"kind":"bearer"`, and only now. */ token?: string | null; /** Who is signed in. */ user: User }

/** How a session is to be handed over. */
export type SessionKind = 'cookie' | 'bearer'

/** What new accounts may keep. What is absent stays; `null` is no limit. */
export type SetDefaultQuota = { /** Bytes. */ bytesMax?: number | null; /** Bytes as a share of the disk that photos are kept on, instead of `bytesMax`. What that is in bytes is decided when an account is made. */ diskPercent?: number | null; /** Images. */ imagesMax?: number | null }

/** What a user may keep. What is absent stays; `null` is no limit. */
export type SetQuota = { /** Bytes. */ bytesMax?: number | null; /** Images. */ imagesMax?: number | null }

/** The first administrator. */
export type SetUp = { defaultQuota?: SetDefaultQuota | null; /** The address to sign in with. */ email: string; kind?: SessionKind; /** The name others see. */ name: string; /** A password of at least 10 characters. */ password: string; /** The token in the link that the server prints. */ token: string }

/** What whoever sets an installation up needs to know to decide what later accounts may keep. */
export type SetUpQuotaInfo = { /** Bytes of the disk that photos are kept on; `null` where that is none of the server's. */ diskBytes?: number | null }

/** What a link shows. */
export type Shared = { cover?: SharedImage | null; /** What its owner says about it. */ description?: string | null; /** What may be taken away. */ download: LinkDownload; /** When the link ends, if ever. */ expiresAt?: string | null; /** How many images it shows; absent if there are more than 100. */ imageCount?: number | null; /** `image`, `album` or `search`. */ kind: LinkKind; /** What it is called. */ title?: string | null }

/** An image that a link shows. */
export type SharedImage = { /** The alternative text. */ altText?: string | null; /** Whether it moves. */ animated: boolean; /** The dominant colour, as `#rrggbb`. */ color?: string | null; /** The description. */ description?: string | null; /** The name that the original has, if the link gives it away. */ filename?: string | null; /** Height in pixels, as seen. */ height?: number | null; /** Its id. */ id: string; /** Where the original is, if the link gives it away. */ originalUrl?: string | null; /** The renditions that have been made, by size name. Their addresses end soon. */ sizes: Record<string, SizeUrl>; /** A tiny preview, as base64 of a ThumbHash. */ thumbhash?: string | null; /** The title. */ title?: string | null; /** Width in pixels, as seen. */ width?: number | null }


export type Shown = 'incomplete' | 'preview'

/** The file of XMP beside an image, which `GET /api/v1/images/{id}/sidecar` gives back. */
export type Sidecar = { /** Its SHA-256, as 64 hexadecimal digits. */ sha256: string; /** Its length. */ sizeBytes: number }

/** Who wants to sign in. */
export type SignIn = { /** The address of the account. */ email: string; kind?: SessionKind; /** Its password. */ password: string }

/** Who wants an account. */
export type SignUp = { /** The address to sign in with. */ email: string; /** The token of an invitation, where accounts are made by invitation. */ invitation?: string | null; kind?: SessionKind; /** The name others see. */ name: string; /** A password of at least 10 characters. */ password: string }


export type SignUpPolicy = 'open' | 'invitation' | 'closed'

/** A rendition that every image gets. */
export type SizeInfo = { /** `inside`: the whole image; `cover`: its middle, cut to the shape of the box. */ fit: Fit; /** How it is encoded. */ format: RenditionFormat; /** Height of the box in pixels. */ height: number; /** Its name in URLs. */ name: string; /** Width of the box in pixels. */ width: number }

/** A rendition and where it is. */
export type SizeUrl = { /** How it is encoded unless the client does not take that. */ format: RenditionFormat; /** Height in pixels. */ height: number; /** Quality from 1 to 100, of lossy formats. */ quality?: number | null; /** Its length. */ sizeBytes: number; /** Where it is; signed, and good for an hour at least. */ url: string; /** Width in pixels. */ width: number }

/** Looking for missing sizes. */
export type SizesInfo = { /** Images that were looked at. */ checked: number; /** When it ended. */ finishedAt?: string | null; /** Those that lacked sizes. */ queued: number; /** Whether it goes on. */ running: boolean; /** When it was last begun. */ startedAt?: string | null }

/** Who is somebody else. */
export type SplitPerson = { /** Ids of faces of the person, 100 at most, that are another person's. */ faces: (string)[] }

/** What users keep. */
export type StorageInfo = { /** Bytes of their originals. */ bytes: number; /** Bytes that are free where this server keeps photos and rows, if it has a disk for them. */ freeBytes?: number | null; /** Bytes that are to stay free: with less, no photos are taken in. */ freeBytesMin?: number | null; /** Images, also those in the trash and those that are being uploaded. */ images: number }

/** A completion of the last part of a search. */
export type Suggestion = { /** How many images have the tag, counted up to 10. */ count?: number | null; /** `key`, `tag`, `album`, `person`, `word` or `value`. */ kind: SuggestionKind; /** Whether more than the counted ones have it. */ more?: boolean | null; /** The whole search with it. */ query: string; /** What to show. */ text: string }


export type SuggestionKind = 'key' | 'tag' | 'album' | 'person' | 'word' | 'value'

/** What a search may become. */
export type Suggestions = { /** Up to five of each kind. */ items: (Suggestion)[] }

/** Which bytes. */
export type Sums = { /** SHA-256 of files, each as 64 hexadecimal digits. */ sha256: (string)[] }


export type TagOutcome = 'set' | 'notFound' | 'tooMany'

/** How far an image is tagged. */
export type TagStatus = { /** How many different public tags it has, of everyone. */ everyone: number; /** The image's id. */ image: string; /** How many tags the caller has set on it. */ mine: number }

/** The caller's tags of one image, all of them. */
export type TagsOf = { /** The image's id. */ image: string; /** Private tags. */ private?: (string)[]; /** Public tags. */ public?: (string)[] }

/** The tags of an image. */
export type TagsOfImage = { /** The public tags of everyone, with the number of their authors. */ everyone: Record<string, number>; /** Whether the image is one of the caller's favourites. */ favourite: boolean; /** The caller's own private tags, which nobody else sees. */ private: (string)[]; /** The caller's own public tags. */ public: (string)[] }

/** When an image was taken, and who says so. */
export type Taken = { /** The date and time there, with the zone if it is known, such as `2024-05-01T10:00:00.000+02:00` or `2024-05-01T10:00:00.000`. Sent as `takenAt` it means the same. */ at: string; /** `owner`; `camera`, what was written into the file; or `file`, when the file was last changed. */ source: string }

/** An image and its date. */
export type TakenItem = { /** Its id. */ id: string; /** When it was taken; `null` goes back to what the file says. */ takenAt: string | null }

/** Some images of a month. */
export type TimelineChunk = { /** The images, newest first. */ items: (TimelineImage)[]; /** The month, such as `2026-05`. */ month: string; /** How many newer images of the month were left out. */ offset: number; /** The state of the month in which these images stand there; absent if they come and go faster than they are read. If it is not the one that the client knows, the month has changed. */ tag?: string | null }

/** An image in a timeline. */
export type TimelineImage = { /** The alternative text. */ altText?: string | null; /** Whether it moves. */ animated?: boolean; /** The dominant colour, as `#rrggbb`. */ color?: string | null; /** Whether it is one of the caller's favourites. */ favourite?: boolean; /** The name that the file had. */ filename?: string | null; /** Height in pixels, as seen. */ height?: number | null; /** Its id. */ id: string; /** What kind of file it is. */ mimeType?: string | null; /** Minutes east of UTC where it was taken, if known. */ offsetMinutes?: number | null; /** `processing`, `completed` or `failed`. */ status: ImageStatus; /** When it was taken; where the zone is not known, as if the clock had shown UTC. */ takenAt?: string | null; /** A tiny preview, as base64 of a ThumbHash. */ thumbhash?: string | null; /** The title. */ title?: string | null; /** When its bytes had arrived. */ uploadedAt?: string | null; /** Where its renditions are, by size name; signed, and good for an hour at least. */ urls: Record<string, string>; /** Counts the changes; send it back with an edit. */ version: number; /** `private` or `shared`. */ visibility: Visibility; /** Width in pixels, as seen. */ width?: number | null }

/** Renditions on demand: every combination of these may be asked for. */
export type TransformInfo = { /** Formats. */ formats: (RenditionFormat)[]; /** Heights in pixels. */ heights: (number)[]; /** Qualities from 1 to 100. */ qualities: (number)[]; /** Widths in pixels. */ widths: (number)[] }

/** What the owner of the link has told. */
export type Unlock = { /** The password. */ password: string }

/** That the password was right. */
export type UnlockedAnswer = { /** Until when it is good, unless the password is changed before. */ expiresAt: string; /** What to send as `X-Link-Unlocked` with requests for this link. Browsers have it in a cookie, too. */ proof: string }

/** An image as a form in parts, in any order. */
export type UploadForm = { /** The alternative text. */ altText?: string; /** The description. */ description?: string; /** When the image is to disappear by itself. */ expiresAt?: string; /** The file. */ file: string; /** When the file was last changed, written alike. Counts only if the file itself says nothing. */ fileModifiedAt?: string; /** The name of the file. */ filename?: string; /** Whether a second copy of a file that the owner has is wanted. */ keepDuplicate?: 'true' | 'false'; /** Whether an image that cannot be shown is refused. Otherwise it is kept, with `status` `failed` and the reason. */ onlyShown?: 'true' | 'false'; /** SHA-256 of the file, if known, as 64 hexadecimal digits; other bytes are refused. */ sha256?: string; /** The file of XMP (`.xmp`) beside it, 1 MiB at most; what is written there is taken over. */ sidecar?: string | null; /** Bytes of the file, if known; taken from the quota at once. */ sizeBytes?: number; /** Public tags, 20 at most. */ tags?: (string)[]; /** When it was taken, such as `2024-05-01T10:00:00+02:00`, or without the offset if the zone is not known; unless given, what the file says. */ takenAt?: string; /** The title. */ title?: string; visibility?: Visibility }

/** A user. Others than the user and administrators see only id, name, picture and person. */
export type User = { /** When the account was made. */ createdAt?: string; /** The address they sign in with. */ email?: string; /** Whether somebody other than themselves vouches for the address. */ emailVerified?: boolean; /** Since when the account is being erased. */ erasingSince?: string | null; /** The user's id; never changes. */ id: string; /** The name others see. */ name: string; /** Whether they want to be recognised in photos. */ people?: boolean; /** The person they are in the photos. */ person?: string | null; /** Their profile picture, one of their own images. */ picture?: string | null; /** Where it is, small; signed, and good for an hour at least. */ pictureUrl?: string | null; /** What they may do. */ role?: Role; /** When it was last changed. */ updatedAt?: string; /** Counts the changes. */ version?: number }

/** Which users. */
export type UserIds = { /** Their ids, 100 at most. */ ids: (string)[] }

/** A user and what they may keep. */
export type UserQuota = { /** How much. */ quota: Quota; /** Who. */ user: User }

/** Who may see an image, beside its owner. */
export type Visibility = 'private' | 'shared'

/** What is to be done. */
export type WorkKind = 'process' | 'faces' | 'group' | 'expire' | 'purge' | 'erase'

/** A name that a photo program has written beside a face. */
export type WrittenName = { /** The name. */ name: string; /** The id of the person who is called so already. */ person?: string | null }

/** Persons without a name and what they may be called. */
export type WrittenNames = { /** Those in the most images first, 20 at most; further ones follow when these are answered. */ items: (NamedPerson)[] }
