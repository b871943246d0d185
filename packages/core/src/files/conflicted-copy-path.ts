// Users read these names years later, so a name has the date, the writer and the original file name.
import { pathMaxCharacters, pathSegmentMaxBytes } from '../limits.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace-path.ts';

const marker = / \(conflicted copy \d{4}-\d{2}-\d{2} \d{6}(?: [^()]*)?\)(?: \d+)?$/u;
/** In the name of each copy. */
const copyMark = ' (conflicted copy ';
/** The whole name of a copy. Of several markers the last one counts, because the earlier ones are part of the name. */
const copyName =
  /^(?<stem>.*) \(conflicted copy (?<day>\d{4}-\d{2}-\d{2}) (?<time>\d{6})(?: (?<writer>[^()]*))?\)(?: \d+)?(?<extension>\.[^.]*)?$/su;
const utf8 = new TextEncoder();
/** More names than one second, one writer and one path can use up. */
const attemptsMax = 10_000;

/**
 * Generates the candidate paths of a conflicted copy, best first:
 * `plan (conflicted copy 2026-11-20 143012 Claude Code).md`, then with ` 2`, ` 3`… The caller takes the first free one.
 * The folder and the extension stay; the time is UTC. A copy of a copy keeps one marker. A name that is too long is
 * shortened in the stem, never in the extension.
 *
 * @param now milliseconds since the epoch.
 * @param writer the name of the key or user; characters that a file name cannot contain are removed.
 */
export function* conflictedCopyPaths(
  path: WorkspacePath,
  now: number,
  writer: string,
): Generator<WorkspacePath, void, undefined> {
  const slash = path.lastIndexOf('/') + 1;
  const folder = path.slice(0, slash);
  // Removes a marker at the very end before looking for the extension: the writer's name in it may contain a dot.
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

/** The parts of a conflicted copy's name. */
export interface ConflictedCopyName {
  /** The path that was written to. If the name had to be shortened, the part that the copy's name kept. */
  readonly original: WorkspacePath;
  /** Milliseconds since the epoch, to the second. */
  readonly madeAt: number;
  /** The part that a file name can contain; may be empty. */
  readonly writer: string;
}

/**
 * Parses the name of a conflicted copy; null for every other name. For a copy of a copy, `original` is the first file.
 * A file that a user named like a copy gives the same result.
 */
export function parseConflictedCopyPath(path: WorkspacePath): ConflictedCopyName | null {
  // Fast path: most paths are not copies, and some callers check every path.
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
  // `Date.parse` reads 30 February as 1 March.
  if (Number.isNaN(madeAt) || new Date(madeAt).toISOString() !== stamp) return null;
  return { original: parseWorkspacePath(path.slice(0, slash) + name), madeAt, writer };
}

function fittingPath(folder: string, stem: string, suffix: string, extension: string): WorkspacePath {
  const characters = [...stem];
  // With an extension so long that the marker does not fit, the name counts as one without an extension.
  const shortest = (characters[0] ?? '') + suffix + extension;
  const kept = utf8.encode(shortest).length <= pathSegmentMaxBytes ? extension : '';
  const nameOf = () => characters.join('') + suffix + kept;
  while (characters.length > 1 && utf8.encode(nameOf()).length > pathSegmentMaxBytes) characters.pop();
  const tooLong = () => [...home, ...nameOf()].length > pathMaxCharacters;
  let home = folder;
  while (characters.length > 1 && tooLong()) characters.pop();
  // If the folder is so deep that no marked name fits in it, the copy goes to the nearest folder above with room.
  while (home !== '' && tooLong()) home = home.slice(0, home.lastIndexOf('/', home.length - 2) + 1);
  return parseWorkspacePath(home + nameOf());
}

/** Returns a name without separators, control or shell-hostile characters, at most 40 characters. */
function safeLabel(name: string): string {
  const safe = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}/\\:*?"<>|()]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return [...safe].slice(0, 40).join('').trim().replace(/\.+$/, '');
}
