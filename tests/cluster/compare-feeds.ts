import { integerAt, type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';

/** A feed from its beginning to its end, read after all writers have stopped. */
export interface WholeFeed {
  readonly changes: readonly JsonRecord[];
  readonly head: number;
}

const pagesMax = 10_000;

export async function readWholeFeed(
  workspace: WorkspaceClient,
  includeComments: boolean,
): Promise<WholeFeed> {
  const changes: JsonRecord[] = [];
  let cursor = 0;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const asked = { sinceSeq: cursor, limit: 1000, includeComments: includeComments ? 1 : 0 };
    const page = jsonOf(await workspace.query('changes', asked));
    changes.push(...recordsAt(page, 'changes'));
    cursor = integerAt(page, 'nextSeq');
    const head = integerAt(page, 'head');
    if (cursor === head) return { changes, head };
  }
  throw new Error(`the feed did not end within ${pagesMax} pages`);
}

/**
 * Lists the changes that a follower of a feed missed, saw twice, saw out of order or saw with other content than the
 * final feed. Empty when the follower saw exactly the feed. Pure, so that a test can show that it detects each kind.
 */
export function differencesFrom(
  whole: readonly JsonRecord[],
  seen: readonly JsonRecord[],
): readonly string[] {
  const problems: string[] = [];
  const seenIds = new Map<string, number>();
  for (const change of seen) {
    const id = textAt(change, 'id');
    seenIds.set(id, (seenIds.get(id) ?? 0) + 1);
  }
  const wholeIds = new Set(whole.map((change) => textAt(change, 'id')));
  for (const change of whole) {
    const times = seenIds.get(textAt(change, 'id')) ?? 0;
    if (times === 0) problems.push(`missed ${lineOf(change)}`);
    if (times > 1) problems.push(`saw ${lineOf(change)} ${times} times`);
  }
  for (const change of seen) {
    if (!wholeIds.has(textAt(change, 'id'))) problems.push(`saw ${lineOf(change)}, which is not in the feed`);
  }
  for (const [at, change] of seen.entries()) {
    const before = seen[at - 1];
    if (before !== undefined && integerAt(change, 'seq') <= integerAt(before, 'seq')) {
      problems.push(`saw ${lineOf(change)} after ${lineOf(before)}`);
    }
  }
  if (problems.length === 0 && JSON.stringify(seen) !== JSON.stringify(whole)) {
    problems.push('saw the changes with other contents than they have now');
  }
  return problems;
}

function lineOf(change: JsonRecord): string {
  return `${change.seq} ${change.op} ${change.path} ${change.version}`;
}
