import { foldersAbove, parseWorkspacePath, restoreJumpSeqs, type WorkspacePath } from '@stoa/core';
import type { CheckedChange, CheckedCounters, CheckedFile, CheckedVersion } from '../ports/checks.ts';

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
  // After a restore the numbers go on a whole jump further up, so that none is given out twice.
  change_missing: 'The feed has a gap that no restore made, or goes beyond its head.',
  comment_lost: 'The feed tells of a comment that is not there.',
  incarnation_twice: 'Two files share their versions.',
  used_files_wrong: 'The number of files that a workspace is charged for is not what it holds.',
  used_bytes_wrong: 'The number of bytes that a workspace is charged for is not what it holds.',
  history_bytes_wrong:
    'The number of bytes of earlier versions that a workspace is charged for is not what it holds.',
  comments_wrong: 'The number of comments that a workspace is charged for is not what it holds.',
  privacy_records_wrong: 'The number of private items that a workspace is charged for is not what it holds.',
  path_not_canonical: 'A path is not in its canonical form, or not allowed: nobody can ask for it.',
} as const;
export type ReplayRule = keyof typeof replayRules;

export interface FeedReplay {
  change(change: CheckedChange): void;
  /** After all changes, in the order of incarnations and versions. */
  version(version: CheckedVersion): void;
  /** After all changes. */
  file(file: CheckedFile): void;
  /** After all changes: where the feed tells of a thread or a reply that is there. */
  comment(seq: number): void;
  /** What only an end shows. @param counters undefined in a workspace that is not opened yet. */
  end(counters: CheckedCounters | undefined, privateItems: number): void;
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
  const incarnations = new Map<number, string>();
  /** Comments that the feed tells of and that were not found. */
  const comments = new Map<number, string>();
  const sums = { changes: 0, last: 0, files: 0, bytes: 0, versionBytes: 0, comments: 0 };
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
      sums.changes += 1;
      sums.last = seq;
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
          if (op === 'comment_created' || op === 'comment_replied') comments.set(seq, path);
          checkPath(path, report);
      }
    },
    version({ incarnation, version, path, contentHash, op, sizeBytes }) {
      // A move keeps no bytes of its own: what it left stands where it went.
      if (op !== 'move') sums.versionBytes += sizeBytes;
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
    file({ path, incarnation, version, sizeBytes }) {
      sums.files += 1;
      sums.bytes += sizeBytes;
      const other = incarnations.get(incarnation);
      if (other === undefined) incarnations.set(incarnation, path);
      else report('incarnation_twice', other < path ? other : path);
      files.add(path);
      checkPath(path, report);
      const expected = standing.get(path);
      if (expected === undefined) report('file_unlike_feed', `${path}: not in the feed`);
      else if (expected.incarnation !== incarnation || expected.version !== version) {
        report('file_unlike_feed', `${path}: version ${version} instead of ${expected.version}`);
      }
    },
    comment(seq) {
      sums.comments += 1;
      comments.delete(seq);
    },
    end(counters, privateItems) {
      if (counters !== undefined) compareCounters(counters, { ...sums, privateItems }, report);
      for (const [seq, path] of comments) report('comment_lost', `${path} seq ${seq}`);
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

interface Sums {
  readonly changes: number;
  /** The number of the last change. */
  readonly last: number;
  readonly files: number;
  readonly bytes: number;
  readonly versionBytes: number;
  readonly comments: number;
  readonly privateItems: number;
}

function compareCounters(counters: CheckedCounters, sums: Sums, report: Report): void {
  const { changes, last } = sums;
  const { seq } = counters;
  if ((seq - changes) % restoreJumpSeqs !== 0 || last > seq) {
    report('change_missing', `${changes} changes, the last is ${last}, the head is ${seq}`);
  }
  const same = (rule: ReplayRule, counter: number, counted: number) => {
    if (counter !== counted) report(rule, `${counter} instead of ${counted}`);
  };
  same('used_files_wrong', counters.usedFiles, sums.files);
  same('used_bytes_wrong', counters.usedBytes, sums.bytes);
  same('history_bytes_wrong', counters.historyBytes, sums.versionBytes - sums.bytes);
  same('comments_wrong', counters.comments, sums.comments);
  same('privacy_records_wrong', counters.privacyRecords, sums.privateItems);
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
