import { sha256 } from '../support/expect.ts';
import type { Random } from '../support/random.ts';
import { headerOf, jsonOf, recordsAt, textAt } from '../support/response.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';

/** The results of all readers so far. */
export interface ReadCounts {
  /** Read to the end, with the right bytes. */
  whole: number;
  /** Rejected, or broken off before the end. */
  failed: number;
}

export interface Reading {
  readonly random: Random;
  readonly counts: ReadCounts;
  /** Whether to stop. The reader calls it before each read; it may let the reader wait. */
  readonly isOver: () => boolean | Promise<boolean>;
}

const readsMax = 1_000_000;
const readsPerList = 20;

/**
 * Reads listed files, whole and in part, at random nodes. A read may fail. A complete read must return the bytes that
 * the service says the file has. @returns the reads that did not.
 */
export async function readAtRandom(
  at: readonly WorkspaceClient[],
  { random, counts, isOver }: Reading,
): Promise<readonly string[]> {
  const problems: string[] = [];
  let paths: readonly string[] = [];
  for (let reads = 0; reads < readsMax && !(await isOver()); reads += 1) {
    if (reads % readsPerList === 0 || paths.length === 0) {
      const listed = await random.pick(at).query('list');
      paths = recordsAt(jsonOf(listed), 'entries').map((entry) => textAt(entry, 'path'));
      if (paths.length === 0) continue;
    }
    const path = random.pick(paths);
    const response = await random
      .pick(at)
      .get(path)
      .catch(() => null);
    switch (response?.status) {
      case 200:
        counts.whole += 1;
        if (sha256(response.bytes) !== headerOf(response, 'x-service-content-hash')) {
          problems.push(`${path} was read to the end with other bytes than it has`);
        }
        break;
      case 404:
        paths = [];
        break;
      case undefined:
      case 502:
      case 503:
        counts.failed += 1;
        break;
      default:
        problems.push(`${path} returned ${response?.status} ${response?.bytes.toString()}`);
    }
  }
  return problems;
}
