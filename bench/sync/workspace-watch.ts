import type { DeskWorkspace } from './sync-desk.ts';

const holdSeconds = 25;
const waitMsMax = 60_000;

/** Follows a workspace's feed by long polls, like a waiting client. */
export interface WorkspaceWatch {
  /** Resolves with the `performance.now()` at which a matching change was seen. */
  readonly until: (isIt: (change: SeenChange) => boolean) => Promise<number>;
  readonly end: () => Promise<void>;
}

export interface SeenChange {
  readonly op: string;
  readonly path: string;
  readonly version: number | null;
}

export async function watchWorkspaceFeed({ address, key }: DeskWorkspace): Promise<WorkspaceWatch> {
  const headers = { 'x-api-key': key };
  const ended = new AbortController();
  const waiting = new Set<{ isIt: (change: SeenChange) => boolean; seen: (at: number) => void }>();
  const read = async (query: string) => {
    const response = await fetch(`${address}/changes?${query}`, { headers, signal: ended.signal });
    if (response.status !== 200) throw new Error(`feed: ${response.status} ${await response.text()}`);
    return JSON.parse(await response.text());
  };
  let since = (await read('limit=0')).head;
  let failure: unknown = null;
  const following = (async () => {
    while (!ended.signal.aborted) {
      const page = await read(`sinceSeq=${since}&wait=${holdSeconds}`);
      const at = performance.now();
      since = page.nextSeq;
      for (const change of page.changes as SeenChange[]) {
        for (const each of waiting) if (each.isIt(change)) each.seen(at);
      }
    }
  })().catch((error: unknown) => {
    if (!ended.signal.aborted) failure = error;
  });
  return {
    until: (isIt) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(each);
          reject(failure ?? new Error('a change did not reach the server in a minute'));
        }, waitMsMax);
        const each = {
          isIt,
          seen(at: number) {
            clearTimeout(timer);
            waiting.delete(each);
            resolve(at);
          },
        };
        waiting.add(each);
      }),
    async end() {
      ended.abort();
      await following;
    },
  };
}
