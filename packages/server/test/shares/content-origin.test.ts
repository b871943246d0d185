import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createShareKeys } from '../../src/service/shares/share-keys.ts';
import { type StartedServer, startedServer } from '../http/support/started-server.ts';

const contentUrl = 'https://content.example.net';
const secret = 'V1StGXR8_Z5jdHi6B-myTV1StGXR8_Z5jdHi6B-myTQ';
const byJson = { 'content-type': 'application/json' };

/** The request of a page's frame, without any cookie. */
interface Frame {
  /** On the server itself: path and query. */
  readonly target: string;
  readonly pass: string | null;
}

const started = () =>
  startedServer({ STOA_LOG_LEVEL: 'warn', STOA_CONTENT_URL: contentUrl, STOA_SECRET: secret });

async function put(server: StartedServer, path: string): Promise<void> {
  const headers = { 'content-type': 'text/html' };
  await server.call(server.at(`files/${path}`), { method: 'PUT', headers, body: '<b>shown</b>' });
}

/** @returns the link's id and path. */
async function share(server: StartedServer, options: object): Promise<{ id: string; path: string }> {
  const body = JSON.stringify({ kind: 'file', access: 'member', ...options });
  const headers = { ...byJson, cookie: server.cookie };
  const made = await fetch(server.url + server.at('shares'), { method: 'POST', headers, body });
  const { share } = (await made.json()) as { share: { id: string; url: string } };
  return { id: share.id, path: new URL(share.url).pathname };
}

async function frameOf(server: StartedServer, page: string, headers: Record<string, string>): Promise<Frame> {
  const shown = await fetch(server.url + page, { headers });
  assert.equal(shown.status, 200);
  assert.match(
    shown.headers.get('content-security-policy') ?? '',
    / frame-src 'self' https:\/\/content\.example\.net;/,
  );
  const framed = /<iframe [^>]*src="([^"]*)"/.exec(await shown.text())?.[1] ?? '';
  const address = new URL(framed.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
  assert.equal(address.origin, contentUrl);
  return { target: address.pathname + address.search, pass: address.searchParams.get('pass') };
}

async function statusOf(server: StartedServer, target: string): Promise<number> {
  const response = await fetch(server.url + target, { redirect: 'manual' });
  if (response.status === 200) {
    assert.equal(await response.text(), '<b>shown</b>');
    assert.match(response.headers.get('content-security-policy') ?? '', /; sandbox$/);
  }
  return response.status;
}

test('a pass opens the one file of its page from the origin for content, and no page', async () => {
  await using server = await started();
  await put(server, 'box/a.html');
  await put(server, 'box/b.html');
  const link = await share(server, { path: 'box', kind: 'folder' });
  const { target, pass } = await frameOf(server, `${link.path}/view/a.html`, { cookie: server.cookie });
  assert.ok(pass !== null);
  assert.equal(await statusOf(server, target), 200);
  assert.equal(await statusOf(server, target), 200);
  const { pathname, search } = new URL(target, server.url);
  assert.equal(pathname, `${link.path}/content/a.html`);
  assert.equal(await statusOf(server, pathname), 401);
  for (const other of [link.path, `${link.path}/view/a.html`, `${link.path}/content/b.html`]) {
    assert.equal(await statusOf(server, other + search), 401, other);
  }
  const again = await share(server, { path: 'box', kind: 'folder' });
  assert.equal(await statusOf(server, `${again.path}/content/a.html${search}`), 401);
});

test('a pass ends at once with its session, its key, or its link', async () => {
  await using server = await started();
  await put(server, 'a.html');
  const link = await share(server, { path: 'a.html' });
  const bySession = await frameOf(server, link.path, { cookie: server.cookie });
  const byKey = await frameOf(server, link.path, { 'x-api-key': server.apiKey });
  assert.equal(await statusOf(server, bySession.target), 200);
  assert.equal(await statusOf(server, byKey.target), 200);
  const { keys } = (await (
    await fetch(`${server.url}/api/keys`, { headers: { cookie: server.cookie } })
  ).json()) as { keys: { id: string }[] };
  for (const { id } of keys) {
    await fetch(`${server.url}/api/keys/${id}`, { method: 'DELETE', headers: { cookie: server.cookie } });
  }
  assert.equal(await statusOf(server, byKey.target), 401);
  const signOut = () =>
    fetch(`${server.url}/api/auth/sign-out`, {
      method: 'POST',
      headers: { ...byJson, cookie: server.cookie },
      body: '{}',
    });
  const ended = await share(server, { path: 'a.html' });
  const byEnded = await frameOf(server, ended.path, { cookie: server.cookie });
  await fetch(server.url + server.at(`shares/${ended.id}`), {
    method: 'DELETE',
    headers: { cookie: server.cookie },
  });
  assert.equal(await statusOf(server, byEnded.target), 404);
  assert.equal((await signOut()).status, 200);
  assert.equal(await statusOf(server, bySession.target), 401);
});

test('a pass holds for minutes, and no longer than the password counts as given', async () => {
  await using server = await started();
  await put(server, 'a.html');
  const password = 'open sesame';
  const link = await share(server, { path: 'a.html', access: 'public', password });
  const unlocked = await fetch(`${server.url}${link.path}/unlock`, {
    method: 'POST',
    headers: byJson,
    body: JSON.stringify({ password }),
  });
  const proof = (unlocked.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
  const keys = createShareKeys(secret);
  const file = { shareId: link.id, below: '' };
  const before = Date.now();
  const { target, pass } = await frameOf(server, link.path, { cookie: proof });
  const made = keys.openPass(file, pass ?? '');
  assert.equal(made?.viewer, null);
  const expiresAt = made?.expiresAt ?? 0;
  assert.ok(expiresAt > before && expiresAt <= Date.now() + 10 * 60_000, String(expiresAt - before));
  assert.equal(await statusOf(server, target), 200);
  const passed = keys.sealPass(file, { viewer: null, expiresAt: Date.now() - 1 });
  assert.equal(await statusOf(server, `${link.path}/content?pass=${passed}`), 401);

  const passwordHash = passwordHashOf(server, link.id);
  const soon = Date.now() + 60_000;
  const waning = `stoa_share=${keys.proveUnlocked({ id: link.id, passwordHash }, soon)}`;
  const short = await frameOf(server, link.path, { cookie: waning });
  assert.equal(keys.openPass(file, short.pass ?? '')?.expiresAt, soon);
});

test('a public link is framed without a pass', async () => {
  await using server = await started();
  await put(server, 'a.html');
  const link = await share(server, { path: 'a.html', access: 'public' });
  const { target, pass } = await frameOf(server, link.path, {});
  assert.equal(pass, null);
  assert.equal(await statusOf(server, target), 200);
});

test('opening a scripted page directly on the content origin redirects to the app', async () => {
  await using server = await started();
  await put(server, 'a.html');
  const link = await share(server, { path: 'a.html', access: 'public', allowScripts: true });
  const { target } = await frameOf(server, link.path, {});
  const sent = await fetch(server.url + target, {
    headers: { 'sec-fetch-dest': 'document' },
    redirect: 'manual',
  });
  assert.equal(sent.status, 303);
  assert.equal(sent.headers.get('location'), `${server.server.config.appUrl}${link.path}`);
});

function passwordHashOf({ server: { config } }: StartedServer, shareId: string): string {
  const database = new DatabaseSync(join(config.dataDir, 'stoa.db'), { readOnly: true });
  const row = database.prepare('select password_hash from share where id = ?').get(shareId);
  database.close();
  return String(row?.password_hash);
}
