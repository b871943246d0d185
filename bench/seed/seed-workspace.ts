import type { Generator } from '../load/open-generator.ts';
import type { StoaSide } from '../sides/start-stoa.ts';

const connections = 64;
const bodyBytes = 64;
/** Far above the need of any machine: a slower seeding is broken. */
const secondsMax = 3600;

/**
 * Fills a new workspace with the first `files` files of the seeded tree, through the API like any client, so that
 * `files` is also the number of its changes.
 * @returns its routes' common start.
 */
export async function seedWorkspace(generator: Generator, stoa: StoaSide, files: number): Promise<string> {
  const workspace = await stoa.createWorkspace();
  await generator.run({
    port: stoa.port,
    connections,
    requests: { kind: 'put-tree', root: `${workspace}/files`, headers: stoa.headers, bodyBytes, first: 0 },
    expect: [201],
    secondsMax,
    requestsMax: files,
    pauseMs: 0,
  });
  return workspace;
}
