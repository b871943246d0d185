import type { WorkspacePath } from '../workspace-path.ts';
import { isHiddenName } from './hidden-names.ts';

/** The longest name that some systems allow, with room for the path of the target folder. Bytes of UTF-8. */
const archiveNameMaxBytes = 1000;

const utf8 = new TextEncoder();
const utf8Reader = new TextDecoder();
const forbidden = /[\\:*?"<>|\p{Cc}]|[. ]$|%(?=[0-9A-Fa-f]{2})/gu;
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

/**
 * Returns the name of a file in an archive: its path, in a form that every system can create. A character that some
 * system rejects is written as its bytes, `%3A` for a colon. So is the first character of a device name, of a folder
 * from which programs run commands (`.git`), and of a `HEAD` that would make its folder a git repository. A `%` that
 * would look like such an escape is `%25`: `pathOfArchiveName` restores the path.
 * @param isRepositoryHead the result of `RepositoryHeads` for this path, given all paths in the archive.
 * @returns null for a path that is too long for a name.
 */
export function archiveName(path: WorkspacePath, isRepositoryHead = false): string | null {
  const segments = path.split('/').map(segmentName);
  if (utf8.encode(segments.join('/')).byteLength > archiveNameMaxBytes) return null;
  if (isRepositoryHead) segments.push(firstEscaped(segments.pop() ?? ''));
  return segments.join('/');
}

/** Restores the path of a file from its name in an archive. */
export function pathOfArchiveName(name: string): string {
  return name.replace(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) =>
    utf8Reader.decode(Uint8Array.from(bytes.split('%').slice(1), (byte) => Number.parseInt(byte, 16))),
  );
}

function segmentName(segment: string): string {
  const possible = segment.replace(forbidden, escaped);
  return isHiddenName(possible) || device.test(possible.trimEnd()) ? firstEscaped(possible) : possible;
}

function firstEscaped(name: string): string {
  const first = String.fromCodePoint(name.codePointAt(0) ?? 0);
  return escaped(first) + name.slice(first.length);
}

function escaped(text: string): string {
  return Array.from(utf8.encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
    '',
  );
}
