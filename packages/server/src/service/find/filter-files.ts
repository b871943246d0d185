import {
  type FindFilter,
  isOfType,
  isWithin,
  type PathPrefix,
  parseConflictedCopyPath,
  type WorkspacePath,
  wordsOf,
} from '@stoa/core';
import { actorNames } from '../people/actor-names.ts';
import type { CurrentContent } from '../ports/files.ts';
import type { UserReader } from '../ports/users.ts';

/** The filters of a query that need no text. */
export interface FileFilter {
  /** False when a filter asks for something that folders do not have. */
  readonly allowsFolders: boolean;
  allowsFolder(path: WorkspacePath): boolean;
  /** Reads names that `allows` needs for these files. */
  prepare(files: readonly CurrentContent[]): Promise<void>;
  allows(file: CurrentContent): boolean;
}

export function createFileFilter(
  filters: readonly FindFilter[],
  users: Pick<UserReader, 'find'>,
): FileFilter {
  const nameOf = actorNames(users);
  const names = new Map<string, ReadonlySet<string>>();
  const wantsNames = filters.some((filter) => filter.kind === 'by');
  const isIn = (path: WorkspacePath) =>
    filters.every(
      (filter) =>
        filter.kind !== 'in' || (path !== filter.folder && isWithin(path, filter.folder as PathPrefix)),
    );
  return {
    allowsFolders: filters.every(({ kind }) => kind === 'in'),
    allowsFolder: isIn,
    async prepare(files) {
      if (!wantsNames) return;
      for (const file of files) {
        const key = keyOf(file);
        if (!names.has(key)) names.set(key, wordsOf(await nameOf(file)));
      }
    },
    allows(file) {
      if (!isIn(file.path)) return false;
      const changer = wantsNames ? (names.get(keyOf(file)) ?? nobody) : nobody;
      return filters.every((filter) => passes(file, filter, changer));
    },
  };
}

const nobody: ReadonlySet<string> = new Set();

/** `tag` needs the text, and `in` was checked. */
function passes(
  { path, contentType, changedAt, principal }: CurrentContent,
  filter: FindFilter,
  changer: ReadonlySet<string>,
): boolean {
  switch (filter.kind) {
    case 'by':
      if (filter.name === 'agents') return principal === 'agent';
      if (filter.name === 'people') return principal === 'human';
      return wordsOf(filter.name)
        .values()
        .every((word) => changer.has(word));
    case 'type':
      return isOfType(path, contentType, filter.type);
    case 'before':
      return changedAt < filter.at;
    case 'after':
      return changedAt >= filter.at;
    case 'is':
      return parseConflictedCopyPath(path) !== null;
    default:
      return true;
  }
}

function keyOf({ actorId, actorLabel }: CurrentContent): string {
  return JSON.stringify([actorId, actorLabel]);
}
