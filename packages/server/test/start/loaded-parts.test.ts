import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const server = new URL('../../src/serve.ts', import.meta.url);
const loadAndTell = `
import { registerHooks } from 'node:module';
const urls = [];
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
await import(${JSON.stringify(server.href)});
console.log(JSON.stringify(urls));
`;
/** Whoever needs one of these waits for it, once. */
const loadedWhenAskedFor = ['better-auth', '@modelcontextprotocol/server', 'pg', '@aws-sdk/client-s3'];

test('a server starts without the libraries that nobody asked for yet', async () => {
  const words = ['--input-type=module', '--eval', loadAndTell];
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 4 * 1024 * 1024 });
  const urls: readonly string[] = JSON.parse(stdout);
  const isLoaded = (name: string) => urls.some((url) => url.includes(`/node_modules/${name}/`));
  assert.ok(isLoaded('fastify') && isLoaded('kysely'));
  assert.deepEqual(loadedWhenAskedFor.filter(isLoaded), []);
});
