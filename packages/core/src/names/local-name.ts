import { WorkspaceError } from '../errors.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace-path.ts';
import { foldedCase, withoutIgnorable } from './folded-name.ts';
import { isHiddenPath } from './hidden-names.ts';
import type { NameTraits } from './name-traits.ts';

export interface NameProblem {
  readonly reason: 'hostile_name' | 'name_not_possible';
  /** The segment that this disk cannot store. */
  readonly detail: string;
}

const windowsForbidden = /[\\:*?"<>|\p{Cc}]|[. ]$/u;
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

/** Returns why this disk must not or cannot store a path of the workspace; null if it can. */
export function localNameProblem(path: WorkspacePath, traits: NameTraits): NameProblem | null {
  const segments = path.split('/');
  if (isHiddenPath(path)) return { reason: 'hostile_name', detail: path };
  if (traits.forbids === 'nothing') return null;
  const impossible = segments.find(
    (each) => windowsForbidden.test(each) || windowsDevice.test(each.trimEnd()),
  );
  return impossible === undefined ? null : { reason: 'name_not_possible', detail: impossible };
}

/**
 * Returns the same key for two paths that are one file on this disk. If the disk distinguishes all names, the path
 * itself.
 */
export function diskKey(path: string, traits: NameTraits): string {
  if (!traits.foldsCase) return traits.unicodeForm === 'kept' ? path : path.normalize('NFC');
  const seen = traits.unicodeForm === 'changed' ? withoutIgnorable(path) : path;
  return foldedCase(seen.normalize('NFD')).normalize('NFC');
}

export type LocalNameReading =
  | { readonly kind: 'path'; readonly path: WorkspacePath }
  | { readonly kind: 'refused'; readonly detail: string };

/** Returns the path in the workspace of a name on the disk, relative to the folder and `/`-separated. */
export function readLocalName(name: string): LocalNameReading {
  try {
    return { kind: 'path', path: parseWorkspacePath(name) };
  } catch (error) {
    if (error instanceof WorkspaceError) return { kind: 'refused', detail: error.message };
    throw error;
  }
}
