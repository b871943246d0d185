import { foldedName } from './folded-name.ts';

/**
 * Git treats a folder as a repository if it has a `HEAD`, and next to it `objects` and `refs`, or a `commondir` that
 * names their location. It then runs commands from the `config` there.
 */
const headSiblings: ReadonlySet<string> = new Set(['objects', 'refs', 'commondir']);

/** Matches every path with such a name, in any case or Unicode form. Fast path: it excludes most paths. */
const mayHaveThem = /(?:^|\/)(?:head|objects|refs|commondir)(?:[/. :]|$)|\P{ASCII}/iu;

/** Folders in which a path is, or passes through, a part of a repository. Folded: compare them only with each other. */
export interface RepositoryLocations {
  /** The folder of a file called `HEAD`. */
  readonly head: string | null;
  /** The folders of the names that git needs next to it. */
  readonly nextToHead: readonly string[];
}

/** @returns null for a path without such a name. */
export function repositoryLocationsOf(path: string): RepositoryLocations | null {
  if (!mayHaveThem.test(path)) return null;
  const segments = path.split('/').map(foldedName);
  const folderOf = (at: number): string => segments.slice(0, at).join('/');
  const head = segments.at(-1) === 'head' ? folderOf(segments.length - 1) : null;
  const locations = segments.flatMap((segment, at) => (headSiblings.has(segment) ? [folderOf(at)] : []));
  return head === null && locations.length === 0 ? null : { head, nextToHead: locations };
}

/** Finds each `HEAD` that could make its folder a repository. Add all paths before calling `has`. */
export class RepositoryHeads {
  readonly #withHeadSibling = new Set<string>();

  add(path: string): void {
    for (const folder of repositoryLocationsOf(path)?.nextToHead ?? []) this.#withHeadSibling.add(folder);
  }

  has(path: string): boolean {
    const folder = repositoryLocationsOf(path)?.head ?? null;
    return folder !== null && this.#withHeadSibling.has(folder);
  }
}

/** Whether git treats a folder with these names as a repository. */
export function isRepository(entries: Iterable<{ readonly name: string; readonly kind: string }>): boolean {
  const names = new Set<string>();
  for (const { name, kind } of entries) {
    if (!mayHaveThem.test(name)) continue;
    const folded = foldedName(name);
    if (headSiblings.has(folded) || (folded === 'head' && kind !== 'folder')) names.add(folded);
  }
  return names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
}
