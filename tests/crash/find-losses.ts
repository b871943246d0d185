import type { JsonRecord } from '../support/response.ts';
import type { Attempt } from './attempt.ts';
import type { Observed } from './observe-workspace.ts';

interface Existing {
  readonly version: number;
  /** Null for a conflicted copy: its record has no hash. */
  readonly hash: string | null;
}

/**
 * Lists the faults of a workspace, given all attempts in it. Empty when every acknowledged change is kept exactly once
 * and every other change matches an attempt. Pure, so that a test can show that it detects each loss.
 */
export function findLosses(attempts: readonly Attempt[], observed: Observed): readonly string[] {
  return [
    ...wrongOrder(observed),
    ...wrongReplay(observed),
    ...lostAcknowledged(attempts, observed),
    ...unexplained(attempts, observed),
    ...wrongSums(attempts, observed),
  ];
}

function wrongOrder({ feed, head }: Observed): readonly string[] {
  const problems = feed.flatMap(({ seq }, at) =>
    at > 0 && Number(seq) <= Number(feed[at - 1]?.seq) ? [`seq ${seq} does not increase`] : [],
  );
  const last = feed.length === 0 ? 0 : Number(feed.at(-1)?.seq);
  return head === last ? problems : [...problems, `head is ${head}, the last change ${last}`];
}

/** Replays the feed: each change must fit the state before it, and the last state must equal the list. */
function wrongReplay({ feed, entries, currentHashes }: Observed): readonly string[] {
  const problems: string[] = [];
  const files = new Map<string, Existing>();
  let removed: (Existing & { readonly path: string }) | null = null;
  for (const change of feed) {
    const path = String(change.path);
    const existing = files.get(path);
    const hash = change.contentHash === null ? null : String(change.contentHash);
    const fits = (expected: number) => {
      if (change.version !== expected) problems.push(`${lineOf(change)} should be version ${expected}`);
    };
    const before = removed;
    removed = null;
    switch (change.op) {
      case 'write':
      case 'restore':
        fits((existing?.version ?? 0) + 1);
        files.set(path, { version: Number(change.version), hash });
        break;
      case 'conflict':
        if (existing !== undefined) problems.push(`${lineOf(change)} overwrites a file`);
        fits(1);
        files.set(path, { version: 1, hash: null });
        break;
      case 'delete':
        fits(existing?.version ?? -1);
        removed = existing === undefined ? null : { ...existing, path };
        files.delete(path);
        break;
      case 'move':
        if (existing !== undefined) problems.push(`${lineOf(change)} overwrites a file`);
        if (before?.path !== change.movedFrom)
          problems.push(`${lineOf(change)} follows no delete of its source`);
        if (before?.hash !== hash) problems.push(`${lineOf(change)} has another hash than its source`);
        fits(1);
        files.set(path, { version: 1, hash });
        break;
      default:
        problems.push(`${lineOf(change)} was never requested`);
    }
  }
  const listed = new Map(entries.map((entry) => [entry.path, entry.version]));
  for (const [path, { version, hash }] of files) {
    if (listed.get(path) !== version)
      problems.push(`${path} is ${version} in the feed, ${listed.get(path)} in the list`);
    if (hash !== null && currentHashes.get(path) !== hash)
      problems.push(`${path} has other bytes than the feed says`);
  }
  for (const path of listed.keys())
    if (!files.has(path)) problems.push(`${path} is listed and not in the feed`);
  return problems;
}

/** Each acknowledged change must be in the feed once, and acknowledged bytes must be readable. */
function lostAcknowledged(attempts: readonly Attempt[], observed: Observed): readonly string[] {
  const problems: string[] = [];
  const once = (what: string, op: string, path: string, fits: (change: JsonRecord) => boolean) => {
    const found = observed.feed.filter((change) => change.op === op && change.path === path && fits(change));
    if (found.length !== 1) problems.push(`${what} is in the feed ${found.length} times`);
  };
  for (const attempt of attempts) {
    if (attempt.reported === null) continue;
    switch (attempt.kind) {
      case 'write': {
        const { reported, path, hash } = attempt;
        if (reported.kind === 'version') {
          const { version } = reported;
          once(
            `write ${path} ${version}`,
            'write',
            path,
            (change) => change.contentHash === hash && change.version === version,
          );
          if (observed.versionHashes.get(`${path}@${version}`) !== hash)
            problems.push(`the bytes of ${path} ${version} are lost`);
        } else {
          once(
            `conflict ${reported.path}`,
            'conflict',
            reported.path,
            (change) => change.conflictOf === path,
          );
          if (observed.currentHashes.get(reported.path) !== hash)
            problems.push(`the bytes of ${reported.path} are lost`);
        }
        break;
      }
      case 'delete': {
        const { path, version } = attempt;
        once(`delete ${path}`, 'delete', path, (change) => change.version === version);
        break;
      }
      case 'move':
        once(`move ${attempt.to}`, 'move', attempt.to, (change) => change.movedFrom === attempt.from);
        break;
      case 'restore': {
        const { version } = attempt.reported;
        once(`restore ${attempt.path}`, 'restore', attempt.path, (change) => change.version === version);
        break;
      }
    }
  }
  return problems;
}

/** Each change must match an attempt, and each attempt may explain only one change. */
function unexplained(attempts: readonly Attempt[], { feed, currentHashes }: Observed): readonly string[] {
  const left = new Map<string, number>();
  const allow = (key: string) => left.set(key, (left.get(key) ?? 0) + 1);
  for (const attempt of attempts) {
    switch (attempt.kind) {
      case 'write':
        allow(`bytes ${attempt.hash}`);
        break;
      case 'delete':
        allow(`delete ${attempt.path}`);
        break;
      case 'move':
        allow(`delete ${attempt.from}`);
        allow(`move ${attempt.to}`);
        break;
      case 'restore':
        allow(`restore ${attempt.path} ${attempt.hash}`);
        break;
    }
  }
  return feed.flatMap((change) => {
    const key = keyOf(change, currentHashes);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? [] : [`${lineOf(change)} was not requested, or not that often`];
  });
}

function keyOf(change: JsonRecord, currentHashes: ReadonlyMap<string, string>): string {
  const path = String(change.path);
  switch (change.op) {
    case 'write':
      return `bytes ${change.contentHash}`;
    case 'conflict':
      return `bytes ${currentHashes.get(path)}`;
    case 'restore':
      return `restore ${path} ${change.contentHash}`;
    default:
      return `${change.op} ${path}`;
  }
}

function wrongSums(attempts: readonly Attempt[], observed: Observed): readonly string[] {
  const sizes = new Map(
    attempts.flatMap((attempt) => (attempt.kind === 'write' ? [[attempt.hash, attempt.size]] : [])),
  );
  const problems = observed.entries.flatMap(({ path, size }) => {
    const expected = sizes.get(observed.currentHashes.get(path) ?? '');
    return expected === size ? [] : [`${path} has ${size} bytes in the list, ${expected} were written`];
  });
  const sum = observed.entries.reduce((total, { size }) => total + size, 0);
  if (observed.usedBytes !== sum)
    problems.push(`usage says ${observed.usedBytes} bytes, the files have ${sum}`);
  if (observed.usedFiles !== observed.entries.length) {
    problems.push(`usage says ${observed.usedFiles} files, the list has ${observed.entries.length}`);
  }
  // History is the sum of all writes minus the current files. A move writes nothing.
  const written = observed.feed.reduce((total, change) => {
    const hash =
      change.op === 'conflict' ? observed.currentHashes.get(String(change.path)) : change.contentHash;
    const isWritten = change.op === 'write' || change.op === 'restore' || change.op === 'conflict';
    return isWritten ? total + (sizes.get(String(hash)) ?? 0) : total;
  }, 0);
  if (observed.historyBytes !== written - sum)
    problems.push(`usage says ${observed.historyBytes} bytes of history, the feed has ${written - sum}`);
  return problems;
}

function lineOf(change: JsonRecord): string {
  return `${change.op} ${change.path} ${change.version} (seq ${change.seq})`;
}
