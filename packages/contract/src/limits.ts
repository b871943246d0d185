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

/** The JSON body that carries this many bytes of text, also when each byte is sent as an escape of six (`\u0061`). */
export function bodyMaxBytesFor(textBytes: number): number {
  return 6 * textBytes + jsonBodyMaxBytes;
}

/** Room for an emoji, the name of an icon, or the address of an uploaded image. */
export const workspaceIconMaxCharacters = 1024;
/** How long a feed request may be held open for something new. */
export const feedWaitMaxSeconds = 30;
/** A JSON body, where its route says nothing else: names, paths and settings are short. */
export const jsonBodyMaxBytes = 64 * 1024;
/** 1000 paths of 1024 characters, in any script, with some to spare. */
export const nodeOrderBodyMaxBytes = 8 * 1024 * 1024;
/** Lists and objects within each other, in any JSON body: the interface needs few. */
export const jsonDepthMax = 64;
/** Values in any JSON body, the members of lists and objects counted one by one. */
export const jsonValuesMax = 50_000;
/** One call of `read_file`, in bytes of the file. */
export const readWindowMaxBytes = 1024 * 1024;
/** Lines of one call of `list_files`. */
export const listPageMaxEntries = 1000;
