import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { integerAt, type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import type { Attempt } from './attempt.ts';

export interface Entry {
  readonly path: string;
  readonly version: number;
  readonly size: number;
}

/** Everything that a client can see of a workspace. Hashes are those of the returned bytes. */
export interface Observed {
  readonly feed: readonly JsonRecord[];
  readonly head: number;
  readonly entries: readonly Entry[];
  readonly usedBytes: number;
  readonly usedFiles: number;
  readonly historyBytes: number;
  readonly currentHashes: ReadonlyMap<string, string>;
  /** By `path@version`; missing where the version could not be read. */
  readonly versionHashes: ReadonlyMap<string, string>;
}

const readers = 16;
const pageLimits = [1, 3, 50, 1000];
const pagesMax = 100_000;

export async function observeWorkspace(
  workspace: WorkspaceClient,
  attempts: readonly Attempt[],
  round: number,
): Promise<Observed> {
  const feed: JsonRecord[] = [];
  const limit = pageLimits[round % pageLimits.length] ?? 1000;
  let cursor = 0;
  let head = -1;
  for (let page = 0; page < pagesMax && cursor !== head; page += 1) {
    const body = jsonOf(await workspace.query('changes', { sinceSeq: cursor, limit }));
    feed.push(...recordsAt(body, 'changes'));
    cursor = integerAt(body, 'nextSeq');
    head = integerAt(body, 'head');
  }
  const entries = recordsAt(jsonOf(await workspace.query('list')), 'entries').map((entry) => ({
    path: textAt(entry, 'path'),
    version: integerAt(entry, 'version'),
    size: integerAt(entry, 'size'),
  }));
  const usage = jsonOf(await workspace.query('usage'));
  const currentHashes = new Map<string, string>();
  await each(entries, async ({ path }) => {
    const response = await workspace.get(path);
    assert.equal(response.status, 200, `${path}: ${response.status}`);
    currentHashes.set(path, hashOf(response.bytes));
  });
  const versionHashes = new Map<string, string>();
  const acknowledged = attempts.flatMap((attempt) =>
    attempt.kind === 'write' && attempt.reported?.kind === 'version'
      ? [{ path: attempt.path, version: attempt.reported.version }]
      : [],
  );
  await each(acknowledged, async ({ path, version }) => {
    const response = await workspace.query('version', { path, version });
    if (response.status === 200) versionHashes.set(`${path}@${version}`, hashOf(response.bytes));
  });
  return {
    feed,
    head,
    entries,
    usedBytes: integerAt(usage, 'usedBytes'),
    usedFiles: integerAt(usage, 'usedFiles'),
    historyBytes: integerAt(usage, 'historyBytes'),
    currentHashes,
    versionHashes,
  };
}

async function each<T>(items: readonly T[], visit: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: readers }, async () => {
      for (const item of waiting) await visit(item);
    }),
  );
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
