import type { WorkspacePath } from '../workspace-path.ts';
import { isHiddenName } from './hidden-names.ts';

/** Some systems have no longer ones, and a folder's own path comes before it. Bytes of UTF-8. */
const archiveNameMaxBytes = 1000;

const utf8 = new TextEncoder();
const forbidden = /[\\:*?"<>|\p{Cc}]|[. ]$|%(?=[0-9A-Fa-f]{2})/gu;
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

/**
 * The name of a file in an archive: its path, where every system can make that. A character that some system refuses is
 * written as its bytes, `%3A` for a colon; so is the first one of a name that means a device, or a folder from which
 * programs run commands (`.git`). A `%` that would look like that is `%25`: who turns each `%` and two digits back into
 * a byte has the path.
 * @returns null for a path that is too long to be a name.
 */
export function archiveName(path: WorkspacePath): string | null {
  const name = path.split('/').map(segmentName).join('/');
  return utf8.encode(name).byteLength <= archiveNameMaxBytes ? name : null;
}

function segmentName(segment: string): string {
  const possible = segment.replace(forbidden, escaped);
  if (!isHiddenName(possible) && !device.test(possible.trimEnd())) return possible;
  const first = String.fromCodePoint(possible.codePointAt(0) ?? 0);
  return escaped(first) + possible.slice(first.length);
}

function escaped(text: string): string {
  return Array.from(utf8.encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
    '',
  );
}
