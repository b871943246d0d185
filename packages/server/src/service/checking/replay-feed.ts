import { foldersAbove, parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import type { CheckedChange, CheckedFile, CheckedVersion } from '../ports/checks.ts';

/** What stands at a path after some of the feed. A conflicted copy's record names no content: then it is null. */
interface Standing {
  readonly incarnation: number;
  readonly version: number;
  readonly contentHash: string | null;
}

/** Tells of a rule that something breaks. */
export type Report = (rule: ReplayRule, subject: string) => void;

/** The rules that take the whole feed of a workspace to judge, with what is wrong where one is broken. */
export const replayRules = {
  change_without_sense: 'A change cannot follow the ones before it.',
  change_of_no_version: 'The feed tells of a version that is not kept.',
  version_without_change: 'A version is kept that the feed does not tell of.',
  version_unlike_change: 'A version has another path or other bytes than the feed says.',
  file_unlike_feed: 'The feed does not lead to the files that are there.',
  file_below_file: 'A file lies below another file: no disk can hold both.',
  path_not_canonical: 'A path is not in its canonical form, or not allowed: nobody can ask for it.',
} as const;
export type ReplayRule = keyof typeof replayRules;

export interface FeedReplay {
  change(change: CheckedChange): void;
  /** After all changes, in the order of incarnations and versions. */
  version(version: CheckedVersion): void;
  /** After all changes. */
  file(file: CheckedFile): void;
  /** What only an end shows. Returns how many there were. */
  end(): void;
}

/**
 * Plays the feed of one workspace back, and compares where it leads with the versions and the files that are kept. Each
 * change must fit what the changes before it made. Holds in memory what the workspace holds in files and versions, some
 * 200 bytes for each.
 */
export function replayFeed(report: Report): FeedReplay {
  const standing = new Map<string, Standing>();
  /** The contents of each incarnation in order, and its path. */
  const made = new Map<number, { readonly path: string; readonly hashes: (string | null)[] }>();
  /** How many versions of each incarnation were found. */
  const found = new Map<number, number>();
  const files = new Set<string>();
  let removed: (Standing & { readonly path: string; readonly seq: number }) | null = null;

  const put = ({ seq, path, contentHash }: CheckedChange, before: Standing | undefined) => {
    const incarnation = before?.incarnation ?? seq;
    const version = (before?.version ?? 0) + 1;
    standing.set(path, { incarnation, version, contentHash });
    const own = made.get(incarnation) ?? { path, hashes: [] };
    own.hashes.push(contentHash);
    made.set(incarnation, own);
    return version;
  };

  return {
    change(change) {
      const { seq, path, op, version, contentHash, movedFrom } = change;
      const before = standing.get(path);
      const source = removed;
      removed = null;
      const refuse = (why: string) => report('change_without_sense', `seq ${seq}, ${op} ${path}: ${why}`);
      switch (op) {
        case 'write':
        case 'restore': {
          const expected = put(change, before);
          if (version !== expected) refuse(`version ${version} instead of ${expected}`);
          if (contentHash === null) refuse('names no content');
          return;
        }
        case 'conflict':
          if (before !== undefined) refuse('a file stood there');
          if (put(change, undefined) !== version) refuse(`version ${version} instead of 1`);
          return;
        case 'delete':
          if (before === undefined) refuse('nothing stood there');
          else if (version !== before.version) refuse(`version ${version} instead of ${before.version}`);
          removed = before === undefined ? null : { ...before, path, seq };
          standing.delete(path);
          return;
        case 'move':
          if (before !== undefined) refuse('a file stood there');
          if (source === null || source.path !== movedFrom || source.seq !== seq - 1) {
            refuse('does not follow the delete of its source');
          } else if (source.contentHash !== null && source.contentHash !== contentHash) {
            refuse('has other bytes than its source');
          }
          if (put(change, undefined) !== version) refuse(`version ${version} instead of 1`);
          return;
        default:
          checkPath(path, report);
      }
    },
    version({ incarnation, version, path, contentHash }) {
      const own = made.get(incarnation);
      const subject = `${path} version ${version}`;
      if (version === 1) checkPath(path, report);
      const hash = own?.hashes[version - 1];
      if (own === undefined || hash === undefined) {
        report('version_without_change', subject);
        return;
      }
      found.set(incarnation, (found.get(incarnation) ?? 0) + 1);
      if (own.path !== path || (hash !== null && hash !== contentHash)) {
        report('version_unlike_change', subject);
      }
    },
    file({ path, incarnation, version }) {
      files.add(path);
      checkPath(path, report);
      const expected = standing.get(path);
      if (expected === undefined) report('file_unlike_feed', `${path}: not in the feed`);
      else if (expected.incarnation !== incarnation || expected.version !== version) {
        report('file_unlike_feed', `${path}: version ${version} instead of ${expected.version}`);
      }
    },
    end() {
      for (const [incarnation, { path, hashes }] of made) {
        const versions = found.get(incarnation) ?? 0;
        if (versions < hashes.length) {
          report('change_of_no_version', `${path}: ${versions} of ${hashes.length} versions`);
        }
      }
      for (const path of standing.keys()) {
        if (!files.has(path)) report('file_unlike_feed', `${path}: not there`);
      }
      for (const path of files) {
        const obstacle = foldersAbove(path as WorkspacePath).find((folder) => files.has(folder));
        if (obstacle !== undefined) report('file_below_file', `${path} below ${obstacle}`);
      }
    },
  };
}

/** Whether a path is one that requests can name. */
export function checkPath(path: string, report: Report): void {
  try {
    if (parseWorkspacePath(path) === path) return;
  } catch {
    // Its text says no more to an operator than the path does.
  }
  report('path_not_canonical', JSON.stringify(path));
}
