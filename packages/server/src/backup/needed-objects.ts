import { isAbsent, type Manifest } from './manifest.ts';
import { isUnreadable, type ObjectFolder, WrongBytes } from './object-folder.ts';

/** The objects that a backup needs. */
export interface NeededObjects {
  readonly hashes: ReadonlySet<string>;
  /** Its list of large contents, if that is missing or damaged: `hashes` then has none of them. */
  readonly lostList: { readonly hash: string; readonly cause: unknown } | null;
}

/** Without the large contents if the backup is older than such lists. */
export async function neededObjects(
  objects: ObjectFolder,
  { database, contents }: Manifest,
): Promise<NeededObjects> {
  const hashes = new Set(database.kind === 'sqlite' ? database.pieces : []);
  const { list } = contents;
  if (list === undefined) return { hashes, lostList: null };
  hashes.add(list);
  try {
    const text = Buffer.concat(await Array.fromAsync(objects.read(list))).toString('latin1');
    for (const hash of text.split('\n')) if (hash !== '') hashes.add(hash);
    return { hashes, lostList: null };
  } catch (cause) {
    if (!(cause instanceof WrongBytes || isAbsent(cause) || isUnreadable(cause))) throw cause;
    return { hashes, lostList: { hash: list, cause } };
  }
}

/** Returns the missing objects of a backup, except for contents that were lost before it was made. */
export function missingOf(
  { hashes }: NeededObjects,
  { contents }: Manifest,
  there: Pick<ReadonlySet<string>, 'has'>,
): readonly string[] {
  const lost = new Set(contents.lost.map(({ contentHash }) => contentHash));
  return [...hashes].filter((hash) => !there.has(hash) && !lost.has(hash));
}
