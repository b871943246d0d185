export {
  commentsPerWorkspaceMax,
  contentContextMax,
  contentLinesDefault,
  contentLinesMax,
  contentQueryMaxCharacters,
  contentTypeMaxCharacters,
  feedPageDefault,
  feedPageMax,
  inviteDaysDefault,
  inviteDaysMax,
  inviteUsesMax,
  keyNameMaxCharacters,
  keysPerPersonMax,
  nodeIconMaxCharacters,
  nodeOrderMaxPaths,
  pathMaxCharacters,
  pathSegmentMaxBytes,
  privacyRecordsPerWorkspaceMax,
  repliesPerThreadMax,
  searchLimitDefault,
  searchLimitMax,
  searchQueryMaxCharacters,
  sharePasswordMaxCharacters,
  sharesListedMax,
  sharesPerPathMax,
  themeCssMaxBytes,
  workspaceImageMaxBytes,
  workspaceNameMaxCharacters,
} from '@stoa/core';

/** Returns the size of the JSON body for this many bytes of text, even if each byte is a six-byte escape (`\u0061`). */
export function bodyMaxBytesFor(textBytes: number): number {
  return 6 * textBytes + jsonBodyMaxBytes;
}

/** Room for an emoji, the name of an icon, or the address of an uploaded image. */
export const workspaceIconMaxCharacters = 1024;
/** Longest wait of a feed request for news. */
export const feedWaitMaxSeconds = 30;
/** Default limit of a JSON body. Names, paths and settings are short. */
export const jsonBodyMaxBytes = 64 * 1024;
/** Room for 1000 paths of 1024 characters in any script. */
export const nodeOrderBodyMaxBytes = 8 * 1024 * 1024;
/** Nesting depth of lists and objects in any JSON body. The interface needs few levels. */
export const jsonDepthMax = 64;
/** Number of values in any JSON body, counting each member of lists and objects. */
export const jsonValuesMax = 50_000;
/** Limit of one call of `read_file`, in bytes of the file. */
export const readWindowMaxBytes = 1024 * 1024;
/** Limit of lines in one call of `list_files`. */
export const listPageMaxEntries = 1000;
