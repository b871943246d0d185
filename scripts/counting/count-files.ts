/** Loaded first into every thread of a process. Reports the source files with a function call since the last count. */
import { Session } from 'node:inspector/promises';
import { threadId } from 'node:worker_threads';

export const channelName = 'stoa-files-run';
/** `count` goes to every thread. Each thread replies once, and sends `ready` when it can. */
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
    // A function that begins at the start of the file is the module itself, which runs when the file is loaded.
    const ran = functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0 && whole?.startOffset !== 0);
    return file !== undefined && ran ? [file] : [];
  });
  channel.postMessage({ kind: 'counted', threadId, files } satisfies CountMessage);
};
channel.unref();
channel.postMessage({ kind: 'ready', threadId, files: [] } satisfies CountMessage);
