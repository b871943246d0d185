import { setTimeout as pause } from 'node:timers/promises';
import type { WorkspaceClient } from '../support/workspace-client.ts';

const triesMax = 100;
const triesEveryMs = 100;

/**
 * Sends requests to each node until it reads and writes again. Database and object store already run again.
 * @returns the highest number of tries of a node, and the time until the last node worked.
 * @throws Error when a node does not work after the tries of ten seconds.
 */
export async function untilBack(
  at: readonly WorkspaceClient[],
  body: Buffer,
): Promise<{ readonly tries: number; readonly ms: number }> {
  const startedAt = performance.now();
  const tries = await Promise.all(
    at.map((node, n) => triesUntilBack(node, `back/${n} ${startedAt}.bin`, body)),
  );
  return { tries: Math.max(...tries), ms: performance.now() - startedAt };
}

async function triesUntilBack(node: WorkspaceClient, path: string, body: Buffer): Promise<number> {
  let last = '';
  for (let tries = 1; tries <= triesMax; tries += 1) {
    const written = await node.put(path, body, { ifNoneMatch: '*' }).catch(() => null);
    const read = await node.get(path).catch(() => null);
    const isWritten = written?.status === 200 || written?.status === 201;
    if (isWritten && read?.status === 200 && read.bytes.equals(body)) return tries;
    last = `${written?.status} ${read?.status}`;
    await pause(triesEveryMs);
  }
  throw new Error(`a node is not back after ${triesMax} tries: ${last}`);
}
