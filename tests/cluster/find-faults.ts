import type { Attempt } from '../crash/attempt.ts';
import { findLosses } from '../crash/find-losses.ts';
import { observeWorkspace } from '../crash/observe-workspace.ts';
import { assertStatus } from '../support/expect.ts';
import { type JsonRecord, jsonOf, recordsAt } from '../support/response.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import { readWholeFeed } from './compare-feeds.ts';
import type { Ledger } from './writing-client.ts';

/**
 * Lists the faults of workspaces in which each file had one writer, given the responses to all writers. A fault is an
 * acknowledged change that is lost or made twice, a rejected change that was made, or a duplicate version. Others are a
 * conflict of a client with itself, a feed that is not exact, wrong sums, and nodes that disagree.
 */
export async function findFaults(
  workspaces: readonly (readonly WorkspaceClient[])[],
  ledgers: readonly Ledger[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [n, at] of workspaces.entries()) {
    const [first] = at;
    if (first === undefined) throw new Error('a workspace is at no node');
    const attempts = ledgers
      .filter(({ workspaceId }) => workspaceId === first.id)
      .flatMap((one) => one.attempts);
    const observed = await observeWorkspace(first, attempts, n + 2);
    const found = [
      ...findLosses(attempts, observed),
      ...ownConflicts(observed.feed),
      ...(await disagreements(at)),
      ...(await wrongHistories(first, attempts, observed.feed)),
    ];
    faults.push(...found.map((fault) => `${first.id}: ${fault}`));
  }
  return faults;
}

function ownConflicts(feed: readonly JsonRecord[]): readonly string[] {
  return feed
    .filter(({ op }) => op === 'conflict')
    .map(({ path }) => `${path}: a client conflicted with itself`);
}

async function disagreements(at: readonly WorkspaceClient[]): Promise<readonly string[]> {
  const shown = await Promise.all(
    at.map(async (node) => {
      const list = await node.query('list');
      assertStatus(list, 200);
      return JSON.stringify([jsonOf(list), await readWholeFeed(node, true)]);
    }),
  );
  return new Set(shown).size === 1 ? [] : ['the nodes show different lists or feeds'];
}

/** Lists versions that a history has twice, and versions that differ from the feed. */
async function wrongHistories(
  workspace: WorkspaceClient,
  attempts: readonly Attempt[],
  feed: readonly JsonRecord[],
): Promise<readonly string[]> {
  const written = new Set(attempts.flatMap((attempt) => (attempt.kind === 'write' ? [attempt.path] : [])));
  const hashes = new Map(
    feed
      .filter(({ op }) => op === 'write')
      .map(({ path, version, contentHash }) => [`${path} ${version}`, contentHash]),
  );
  const faults: string[] = [];
  for (const path of written) {
    const response = await workspace.query('versions', { path });
    assertStatus(response, 200);
    const seen = new Set<unknown>();
    for (const { op, version, contentHash } of recordsAt(jsonOf(response), 'versions')) {
      // Older versions belong to the path that the file had before its move.
      if (op !== 'write') break;
      if (seen.has(version)) faults.push(`${path} has version ${version} twice`);
      seen.add(version);
      if (hashes.get(`${path} ${version}`) !== contentHash)
        faults.push(`${path} ${version} is not what the feed says`);
    }
  }
  return faults;
}
