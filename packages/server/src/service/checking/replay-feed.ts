import { foldersAbove, parseWorkspacePath, restoreJumpSeqs, type WorkspacePath } from '@stoa/core';
import type { CheckedChange, CheckedCounters, CheckedFile, CheckedVersion } from '../ports/checks.ts';

/** The file at a path during the replay. The record of a conflicted copy names no content: then the hash is null. */
interface Existing {
  readonly incarnation: number;
  readonly version: number;
  readonly contentHash: string | null;
}

export type Report = (rule: ReplayRule, subject: string) => void;

/** The rules that need the whole feed of a workspace, and their messages. */
export const replayRules = {
  change_without_sense: 'A change contradicts the ones before it.',
  change_of_no_version: 'The feed names a version that is not stored.',
  version_without_change: 'A stored version has no change in the feed.',
  version_unlike_change: 'A version has another path or other bytes than in the feed.',
  file_unlike_feed: 'The replayed feed does not match the current files.',
  file_below_file: 'A file is below another file, which no disk can store.',
  // After a restore the seqs continue far above the earlier head, so that none is reused.
  change_missing: 'The feed has a gap that no restore explains, or goes beyond its head.',
  comment_lost: 'The feed names a comment that does not exist.',
  incarnation_twice: 'Two files share their versions.',
  used_files_wrong: 'The file counter of a workspace is wrong.',
  used_bytes_wrong: 'The byte counter of a workspace is wrong.',
  history_bytes_wrong: 'The counter for bytes of earlier versions of a workspace is wrong.',
  comments_wrong: 'The comment counter of a workspace is wrong.',
  privacy_records_wrong: 'The counter of private items of a workspace is wrong.',
  path_not_canonical: 'A path is not canonical or not allowed, so no request can name it.',
} as const;
export type ReplayRule = keyof typeof replayRules;

export interface FeedReplay {
  change(change: CheckedChange): void;
  /** After all changes, ordered by file id and version. */
  version(version: CheckedVersion): void;
  /** After all changes. */
  file(file: CheckedFile): void;
  /** After all changes: a thread or reply that exists, by its seq. */
  comment(seq: number): void;
  /** Checks that need the end of the feed. @param counters undefined in a workspace that is not opened yet. */
  end(counters: CheckedCounters | undefined, privateItems: number): void;
}

/**
 * Replays the feed of one workspace, and compares the result with the stored versions and files. Each change must be
 * consistent with those before it. Uses about 200 bytes of memory for each file and version.
 */
export function replayFeed(report: Report): FeedReplay {
  const existing = new Map<string, Existing>();
  /** The path and the contents, in order, of each file id. */
  const made = new Map<number, { readonly path: string; readonly hashes: (string | null)[] }>();
  /** Number of stored versions for each file id. */
  const found = new Map<number, number>();
  const files = new Set<string>();
  const incarnations = new Map<number, string>();
  /** Comments that the feed names and that were not found yet. */
  const comments = new Map<number, string>();
  const sums = { changes: 0, last: 0, files: 0, bytes: 0, versionBytes: 0, comments: 0 };
  let removed: (Existing & { readonly path: string; readonly seq: number }) | null = null;

  const put = ({ seq, path, contentHash }: CheckedChange, before: Existing | undefined) => {
    const incarnation = before?.incarnation ?? seq;
    const version = (before?.version ?? 0) + 1;
    existing.set(path, { incarnation, version, contentHash });
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
      const before = existing.get(path);
      const source = removed;
      removed = null;
      const reject = (why: string) => report('change_without_sense', `seq ${seq}, ${op} ${path}: ${why}`);
      switch (op) {
        case 'write':
        case 'restore': {
          const expected = put(change, before);
          if (version !== expected) reject(`version ${version} instead of ${expected}`);
          if (contentHash === null) reject('names no content');
          return;
        }
        case 'conflict':
          if (before !== undefined) reject('the path has a file');
          if (put(change, undefined) !== version) reject(`version ${version} instead of 1`);
          return;
        case 'delete':
          if (before === undefined) reject('nothing stood there');
          else if (version !== before.version) reject(`version ${version} instead of ${before.version}`);
          removed = before === undefined ? null : { ...before, path, seq };
          existing.delete(path);
          return;
        case 'move':
          if (before !== undefined) reject('the path has a file');
          if (source === null || source.path !== movedFrom || source.seq !== seq - 1) {
            reject('does not follow the delete of its source');
          } else if (source.contentHash !== null && source.contentHash !== contentHash) {
            reject('has other bytes than its source');
          }
          if (put(change, undefined) !== version) reject(`version ${version} instead of 1`);
          return;
        default:
          if (op === 'comment_created' || op === 'comment_replied') comments.set(seq, path);
          checkPath(path, report);
      }
    },
    version({ incarnation, version, path, contentHash, op, sizeBytes }) {
      // A move stores no bytes of its own: its version is the one that was moved.
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
      const expected = existing.get(path);
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
      for (const path of existing.keys()) {
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

/** Reports a path that no request can name. */
export function checkPath(path: string, report: Report): void {
  try {
    if (parseWorkspacePath(path) === path) return;
  } catch {
    // The error's text adds nothing to the path.
  }
  report('path_not_canonical', JSON.stringify(path));
}
