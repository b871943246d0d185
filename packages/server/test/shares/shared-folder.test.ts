import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startedServer } from '../http/support/started-server.ts';

test('a level of a large folder is listed whole, whatever lies below it', async () => {
  await using server = await startedServer({ STOA_LOG_LEVEL: 'warn' });
  const names = [
    ...Array.from({ length: 230 }, (_, n) => `box/a/${String(n).padStart(3, '0')}`),
    ...Array.from({ length: 210 }, (_, n) => `box/b${String(n).padStart(3, '0')}.txt`),
    'box/c/x',
    'box/c/\u{10ffff}y',
    'box/c0',
    'box/c.txt',
    'box/own/hidden.txt',
    'boxes/other.txt',
  ];
  for (let from = 0; from < names.length; from += 50) {
    const puts = names
      .slice(from, from + 50)
      .map((name) => server.call(server.at(`files/${encodeURI(name)}`), { method: 'PUT', body: 'x' }));
    for (const put of await Promise.all(puts)) assert.equal(put.status, 201);
  }
  const json = (method: string, body: unknown) => ({
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await server.call(
    server.at('node-private'),
    json('PUT', { path: 'box/own', kind: 'folder', private: true }),
  );
  const options = { path: 'box', kind: 'folder', access: 'member' };
  const made = await server.call(server.at('shares'), json('POST', options));
  const { share } = (await made.json()) as { share: { url: string } };
  const page = await (await server.call(new URL(share.url).pathname)).text();
  const listed = [...page.matchAll(/<li><a [^>]*>(.*?)<\/a>/g)].map(([, name = '']) =>
    name.replaceAll(/<[^>]*>/g, ''),
  );
  const files = names.filter((name) => /^box\/[^/]+$/.test(name)).map((name) => name.slice(4));
  assert.deepEqual(listed, ['a/', 'c/', ...files.toSorted()]);
});
