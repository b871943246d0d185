// docs/decisions/0009-conflicted-copies.md
import { pathMaxCharacters, pathSegmentMaxBytes } from '../limits.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace-path.ts';

const marker = / \(conflicted copy \d{4}-\d{2}-\d{2} \d{6}(?: [^()]*)?\)(?: \d+)?$/u;
/** In the name of each copy. */
const copyMark = ' (conflicted copy ';
/** The whole name of a copy; of several markers the last one counts, as the earlier ones are part of the name. */
const copyName =
  /^(?<stem>.*) \(conflicted copy (?<day>\d{4}-\d{2}-\d{2}) (?<time>\d{6})(?: (?<writer>[^()]*))?\)(?: \d+)?(?<extension>\.[^.]*)?$/su;
const utf8 = new TextEncoder();
/** More names than one second, one writer and one path can take up. */
const attemptsMax = 10_000;

/**
 * The candidate paths of a conflicted copy, best first: `plan (conflicted copy 2026-11-20 143012 Claude Code).md`, then
 * with ` 2`, ` 3`… The first that is free is taken. Same folder, extension kept, UTC; a copy of a copy keeps one marker;
 * names too long for a path are shortened in the stem, never in the extension.
 *
 * @param now milliseconds since the epoch.
 * @param writer the key's or person's name; what a file name cannot hold is removed.
 */
export function* conflictedCopyPaths(
  path: WorkspacePath,
  now: number,
  writer: string,
): Generator<WorkspacePath, void, undefined> {
  const slash = path.lastIndexOf('/') + 1;
  const folder = path.slice(0, slash);
  // A marker at the very end goes before the extension is looked for: the writer's name in it may hold a dot.
  const name = path.slice(slash).replace(marker, '');
  const dot = name.lastIndexOf('.');
  const stemEnd = dot <= 0 ? name.length : dot;
  const stem = name.slice(0, stemEnd).replace(marker, '');
  const stamp = new Date(now).toISOString().replace('T', ' ').replaceAll(':', '').slice(0, 17);
  const label = safeLabel(writer);
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const suffix = ` (conflicted copy ${stamp}${label === '' ? '' : ` ${label}`})${attempt === 1 ? '' : ` ${attempt}`}`;
    yield fittingPath(folder, stem, suffix, name.slice(stemEnd));
  }
}

/** What the name of a conflicted copy tells. */
export interface ConflictedCopyName {
  /** The path that was written to. For a name that had to be shortened, as much of it as the copy's name kept. */
  readonly original: WorkspacePath;
  /** Milliseconds since the epoch, to the second. */
  readonly madeAt: number;
  /** As far as a file name can hold it; empty when nothing of it could be kept. */
  readonly writer: string;
}

/**
 * Reads the name of a conflicted copy back; null for every other name. Of a copy of a copy, `original` is the first
 * file. A file that a person named like a copy reads the same.
 */
export function parseConflictedCopyPath(path: WorkspacePath): ConflictedCopyName | null {
  // Most paths are none, and some ask of all that there are.
  if (!path.includes(copyMark)) return null;
  const slash = path.lastIndexOf('/') + 1;
  const {
    stem = '',
    day,
    time = '',
    writer = '',
    extension = '',
  } = copyName.exec(path.slice(slash))?.groups ?? {};
  const name = stem + extension;
  if (day === undefined || /^\.{0,2}$/.test(name)) return null;
  const stamp = `${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}.000Z`;
  const madeAt = Date.parse(stamp);
  // A 30th of February is read as the 1st of March.
  if (Number.isNaN(madeAt) || new Date(madeAt).toISOString() !== stamp) return null;
  return { original: parseWorkspacePath(path.slice(0, slash) + name), madeAt, writer };
}

function fittingPath(folder: string, stem: string, suffix: string, extension: string): WorkspacePath {
  const characters = [...stem];
  // An extension so long that the marker would not fit is not an extension that anything recognises.
  const shortest = (characters[0] ?? '') + suffix + extension;
  const kept = utf8.encode(shortest).length <= pathSegmentMaxBytes ? extension : '';
  const nameOf = () => characters.join('') + suffix + kept;
  while (characters.length > 1 && utf8.encode(nameOf()).length > pathSegmentMaxBytes) characters.pop();
  const tooLong = () => [...home, ...nameOf()].length > pathMaxCharacters;
  let home = folder;
  while (characters.length > 1 && tooLong()) characters.pop();
  // A folder so deep that no marked name fits below it: the nearest folder above that has room keeps the bytes.
  while (home !== '' && tooLong()) home = home.slice(0, home.lastIndexOf('/', home.length - 2) + 1);
  return parseWorkspacePath(home + nameOf());
}

/** A name without separators, control or shell-hostile characters, at most 40 characters. */
function safeLabel(name: string): string {
  const safe = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}/\\:*?"<>|()]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return [...safe].slice(0, 40).join('').trim().replace(/\.+$/, '');
}
