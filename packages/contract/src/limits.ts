export {
  commentsPerWorkspaceMax,
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
  sharesPerPathMax,
  themeCssMaxBytes,
  workspaceImageMaxBytes,
  workspaceNameMaxCharacters,
} from '@stoa/core';

/** Room for an emoji, the name of an icon, or the address of an uploaded image. */
export const workspaceIconMaxCharacters = 1024;
/** How long a feed request may be held open for something new. */
export const feedWaitMaxSeconds = 30;
/** No JSON body of this interface comes near it: 1000 paths of 1024 characters would, so it leaves room for those. */
export const jsonBodyMaxBytes = 8 * 1024 * 1024;
/** One call of `read_file`, in bytes of the file. */
export const readWindowMaxBytes = 1024 * 1024;
/** Lines of one call of `list_files`. */
export const listPageMaxEntries = 1000;
