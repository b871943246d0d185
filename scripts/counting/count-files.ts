/** Loaded first into every thread of a process: tells which source files had a function called since it was last asked. */
import { Session } from 'node:inspector/promises';
import { threadId } from 'node:worker_threads';

export const channelName = 'stoa-files-run';
/** `count` asks every thread; each answers once, and says `ready` when it can. */
export type CountMessage =
  | { readonly kind: 'count' }
  | { readonly kind: 'ready' | 'counted'; readonly threadId: number; readonly files: readonly string[] };

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const channel = new BroadcastChannel(channelName);
channel.onmessage = async ({ data }: { readonly data: CountMessage }) => {
  if (data.kind !== 'count') return;
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result.flatMap(({ url, functions }) => {
    const file = /\/packages\/([^/]+\/src\/.*)$/.exec(url)?.[1];
    // What begins where the file begins is the file itself: it runs when the file is loaded.
    const ran = functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0 && whole?.startOffset !== 0);
    return file !== undefined && ran ? [file] : [];
  });
  channel.postMessage({ kind: 'counted', threadId, files } satisfies CountMessage);
};
channel.unref();
channel.postMessage({ kind: 'ready', threadId, files: [] } satisfies CountMessage);
