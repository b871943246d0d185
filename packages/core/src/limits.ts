// docs/decisions/0005-where-bytes-live.md

/** Limits that decisions use. Byte sizes are bytes of UTF-8 or of file content. */
export const pathMaxCharacters = 1024;
export const pathSegmentMaxBytes = 255;
export const contentTypeMaxCharacters = 255;
export const feedPageDefault = 200;
export const feedPageMax = 1000;
export const searchQueryMaxCharacters = 200;
export const searchLimitDefault = 50;
export const searchLimitMax = 200;
export const nodeOrderMaxPaths = 1000;
export const nodeIconMaxCharacters = 64;
export const workspaceNameMaxCharacters = 100;
export const keyNameMaxCharacters = 100;
/** 1 MiB. */
export const workspaceImageMaxBytes = 1024 * 1024;
/** Bytes of UTF-8. */
export const themeCssMaxBytes = 64 * 1024;
/** Links of one path. */
export const sharesPerPathMax = 100;
/** Links of a workspace in one list. */
export const sharesListedMax = 1000;
/** Of a new link; one that was made with less still opens. */
export const sharePasswordMinCharacters = 8;
export const sharePasswordMaxCharacters = 256;
export const inviteDaysDefault = 7;
export const inviteDaysMax = 90;
export const inviteUsesMax = 1_000_000;
/** Invites of one workspace that are kept at once, passed ones included until they are cleared. */
export const invitesPerWorkspaceMax = 1000;
/** With the next ones, far above what people do: they keep the disk within what a plan says. Threads and replies. */
export const commentsPerWorkspaceMax = 100_000;
export const repliesPerThreadMax = 10_000;
/** Those that work. */
export const keysPerPersonMax = 1000;
/** Of revoked keys the newest are told apart from unknown ones. */
export const revokedKeysPerPersonMax = 1000;
/** Files and folders made private by choice; what a move keeps private is never refused. */
export const privacyRecordsPerWorkspaceMax = 100_000;
export const departedPageDefault = 200;
export const departedPageMax = 1000;
/** Bytes up to this size live in the database, so that one commit holds row and bytes; larger ones in the blob store. */
export const inlineBytesMax = 64 * 1024;
