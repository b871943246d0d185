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
export const personNameMaxCharacters = 100;
export const emailMaxCharacters = 254;
/** UTF-16 units. */
export const passwordMinCharacters = 8;
export const passwordMaxCharacters = 128;
export const isPasswordLength = ({ length }: string): boolean =>
  length >= passwordMinCharacters && length <= passwordMaxCharacters;
/** 1 MiB. */
export const workspaceImageMaxBytes = 1024 * 1024;
/** Bytes of UTF-8. */
export const themeCssMaxBytes = 64 * 1024;
/** Links of one path. */
export const sharesPerPathMax = 100;
/** Links of a workspace in one list. */
export const sharesListedMax = 1000;
/** For a new link. A link made with a shorter password still opens. */
export const sharePasswordMinCharacters = 8;
export const sharePasswordMaxCharacters = 256;
export const inviteDaysDefault = 7;
export const inviteDaysMax = 90;
export const inviteUsesMax = 1_000_000;
/** Stored invites of one workspace, including expired ones until they are cleared. */
export const invitesPerWorkspaceMax = 1000;
/** Threads and replies. The next limits are far above normal use; they keep disk use within the plan. */
export const commentsPerWorkspaceMax = 100_000;
export const repliesPerThreadMax = 10_000;
/** Active keys. */
export const keysPerPersonMax = 1000;
/** The newest revoked keys, which are still distinguished from unknown ones. */
export const revokedKeysPerPersonMax = 1000;
/** Files and folders that members made private. A move that keeps items private is never rejected. */
export const privacyRecordsPerWorkspaceMax = 100_000;
export const formerMemberPageDefault = 200;
export const formerMemberPageMax = 1000;
/**
 * Up to this size the database stores the bytes, so that one commit covers row and bytes; the blob store has larger
 * ones.
 */
export const inlineBytesMax = 64 * 1024;
