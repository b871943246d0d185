import type { ContentHash } from '../files/content.ts';
import {
  fileNameOf,
  foldersAbove,
  parseWorkspacePath,
  placeholderName,
  type WorkspacePath,
} from '../workspace-path.ts';

/** Content of a placeholder. Servers reject an empty body. */
export const placeholderText = '\n';

/** SHA-256 of the empty content, and of `placeholderText`. */
export const emptyContentHash =
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' as ContentHash;
export const placeholderHash =
  '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b' as ContentHash;

/** Whether a file of this path and content is only a placeholder: sync creates its folder instead. */
export function isPlaceholder(path: WorkspacePath, hash: ContentHash): boolean {
  return isPlaceholderPath(path) && (hash === placeholderHash || hash === emptyContentHash);
}

export function isPlaceholderPath(path: WorkspacePath): boolean {
  return fileNameOf(path) === placeholderName;
}

export function placeholderOf(folder: WorkspacePath): WorkspacePath {
  return parseWorkspacePath(`${folder}/${placeholderName}`);
}

/** Returns the folder of a file, or null for the root. */
export function folderOf(path: WorkspacePath): WorkspacePath | null {
  return foldersAbove(path).at(-1) ?? null;
}
