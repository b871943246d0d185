import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startedServer } from '../http/support/started-server.ts';

test('shared HTML is shown from the origin for content, without a cookie', async () => {
  const contentUrl = 'https://content.example.net';
  await using server = await startedServer({ STOA_LOG_LEVEL: 'warn', STOA_CONTENT_URL: contentUrl });
  await server.call(server.at('files/a.html'), {
    method: 'PUT',
    headers: { 'content-type': 'text/html' },
    body: '<b>shown</b>',
  });
  const wish = { path: 'a.html', kind: 'file', access: 'member' };
  const made = await server.call(server.at('shares'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  });
  const { share } = (await made.json()) as { share: { url: string } };
  const page = await server.call(new URL(share.url).pathname);
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    / frame-src 'self' https:\/\/content\.example\.net;/,
  );
  const framed = /<iframe [^>]*src="([^"]*)"/.exec(await page.text())?.[1] ?? '';
  const address = new URL(framed.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
  assert.equal(address.origin, contentUrl);
  const content = await fetch(server.url + address.pathname + address.search);
  assert.equal(content.status, 200);
  assert.equal(await content.text(), '<b>shown</b>');
  assert.match(content.headers.get('content-security-policy') ?? '', /; sandbox$/);
  assert.equal((await fetch(server.url + address.pathname)).status, 401);
});
