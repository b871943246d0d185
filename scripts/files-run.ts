/**
 * Counts the source files that run for one request on a warm server: the files that a reader must follow. With an
 * argument it also prints their names: `npm run files-run -- names`.
 * docs/speed.md
 */
import { setTimeout as wait } from 'node:timers/promises';
import { startedServer } from '../packages/server/test/http/support/started-server.ts';
import { type CountMessage, channelName } from './counting/count-files.ts';

/** A pause for work after the response: the index of contents follows a write after a while. */
const settleMs = 3000;
/** The timeout for a reply: a thread that has ended sends none. */
const responseMs = 2000;

const channel = new BroadcastChannel(channelName);
const threads = new Set<number>([0]);
let found = new Map<number, readonly string[]>();
let whenAll: () => void = () => {};
channel.onmessage = ({ data }: { readonly data: CountMessage }) => {
  if (data.kind === 'ready') threads.add(data.threadId);
  if (data.kind === 'counted') found.set(data.threadId, data.files);
  if (found.size === threads.size) whenAll();
};

async function filesRun(): Promise<readonly string[]> {
  await wait(settleMs);
  found = new Map();
  const all = new Promise<void>((resolve) => {
    whenAll = resolve;
  });
  channel.postMessage({ kind: 'count' } satisfies CountMessage);
  await Promise.race([all, wait(responseMs)]);
  return [...new Set([...found.values()].flat())].sort();
}

const stoa = await startedServer();
const write = (path: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'write_file',
    arguments: { workspaceId: stoa.workspaceId, path, content: 'thirty bytes of text, or about' },
  },
});
const requests: readonly (readonly [string, (name: string) => Promise<Response>])[] = [
  [
    'PUT',
    (name) =>
      stoa.call(stoa.at(`files/${name}.md`), { method: 'PUT', body: 'thirty bytes of text, or about' }),
  ],
  ['GET', () => stoa.call(stoa.at('files/warm.md'))],
  ['feed page', () => stoa.call(stoa.at('changes'))],
  [
    'MCP write_file',
    (name) =>
      stoa.call('/api/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(write(`${name}-mcp.md`)),
      }),
  ],
];
const send = async (ask: (name: string) => Promise<Response>, name: string) => {
  const response = await ask(name);
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
};
for (const [, ask] of requests) await send(ask, 'warm');
await filesRun();
for (const [title, ask] of requests) {
  await send(ask, 'counted');
  const files = await filesRun();
  console.log(`${title}: ${files.length} files`);
  if (process.argv.length > 2) console.log(files.map((file) => `  ${file}`).join('\n'));
}
await stoa[Symbol.asyncDispose]();
channel.close();
