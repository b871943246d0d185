import { foldedName } from './folded-name.ts';

/** The client's own folder at the root of a synced folder: its key, its state, its trash. */
export const hiddenFolderName = '.stoa';

// `STOA~1` is what Windows calls `.stoa` by its short name.
const hidden = /^(?:\.stoa|\.git|stoa~\d+|git~\d+)$/;

/**
 * Names that are synced in neither direction, at any depth and in any spelling that a disk may take for them: a `.git`
 * from elsewhere runs commands, and a `.stoa` from elsewhere names the server that a key is sent to.
 */
export function isHiddenName(segment: string): boolean {
  return hidden.test(foldedName(segment));
}

/** Whether any segment of it is such a name. */
export function isHiddenPath(path: string): boolean {
  return path.split('/').some(isHiddenName);
}
