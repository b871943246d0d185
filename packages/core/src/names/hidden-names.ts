import { foldedName } from './folded-name.ts';

/** The client's own folder at the root of a synced folder: its key, its state, its trash. */
export const hiddenFolderName = '.stoa';

// Folders and files by which version control systems find their repository. Their hooks and configuration run commands.
const versionControl = ['git', 'hg', 'jj', 'bzr', 'pijul', 'sl', 'repo', 'fslckout'].join('|');
// `GIT~1` is the short name of `.git` on Windows. It cuts names to six characters, and the last three names have no
// short one.
const hidden = new RegExp(
  `^(?:\\.stoa|stoa~\\d+|\\.(?:${versionControl})|(?:${versionControl}|fslcko)~\\d+|_darcs|_fossil_|_mtn)$`,
);

/**
 * Names that are not synced in either direction, at any depth and in any form that a disk may treat as the same. A
 * foreign `.git` runs commands, and a foreign `.stoa` names the server that a key is sent to. See `repository-names.ts`
 * for repositories without such a name.
 */
export function isHiddenName(segment: string): boolean {
  return hidden.test(foldedName(segment));
}

/** Whether any segment of a path is such a name. */
export function isHiddenPath(path: string): boolean {
  return path.split('/').some(isHiddenName);
}
