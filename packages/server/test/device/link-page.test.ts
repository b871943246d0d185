import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { password, startedServer } from '../http/support/started-server.ts';

const stoa = await startedServer({ STOA_TRUST_PROXY: 'loopback' });
after(() => stoa[Symbol.asyncDispose]());

interface Code {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

let asked = 0;

async function newCode(userAgent = 'stoa-cli/1.0'): Promise<Code> {
  asked += 1;
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': `198.51.100.${asked}` };
  const answer = await fetch(`${stoa.url}/api/device/code`, { method: 'POST', headers });
  return (await answer.json()) as Code;
}

function open(path: string, headers: Record<string, string> = { cookie: stoa.cookie }): Promise<Response> {
  return fetch(stoa.url + path, { headers });
}

/** Sends a form as a browser does from a page of ours. */
function send(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${stoa.url}/link`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: stoa.cookie, origin: stoa.url, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
  });
}

async function poll({ device_code: code }: Code): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${stoa.url}/api/device/poll?device_code=${code}`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('a person compares the code, chooses a workspace and approves, without any script', async () => {
  const code = await newCode();
  const path = code.verification_uri_complete.slice(code.verification_uri_complete.indexOf('/link'));
  const entry = await (await open(path)).text();
  assert.ok(entry.includes(`value="${code.user_code}"`), entry);
  const review = await (await send({ action: 'look-up', code: code.user_code })).text();
  for (const shown of [
    code.user_code,
    '198.51.100.',
    'stoa-cli/1.0',
    'UTC',
    'Ada',
    'Home',
    stoa.workspaceId,
  ]) {
    assert.ok(review.includes(shown), `${shown} is not on the page`);
  }
  assert.doesNotMatch(entry + review, /<script/i);
  const approval = {
    action: 'approve',
    code: code.user_code,
    workspace: stoa.workspaceId,
    name: 'Desk',
    actor: 'agent',
  };
  assert.match(await (await send(approval)).text(), /Approved/);
  assert.match(await (await send({ action: 'look-up', code: code.user_code })).text(), /Already approved/);
  const { body } = await poll(code);
  assert.equal(body.workspace_id, stoa.workspaceId);
  const me = await fetch(`${stoa.url}/api/me`, { headers: { 'x-api-key': String(body.api_key) } });
  assert.equal(me.status, 200);
});

test('a person turns the device away', async () => {
  const code = await newCode();
  assert.match(await (await send({ action: 'deny', code: code.user_code })).text(), /Denied/);
  assert.equal((await poll(code)).status, 403);
  const again = await send({ action: 'look-up', code: code.user_code });
  assert.equal(again.status, 403);
  assert.match(await again.text(), /denied/);
});

test('who is not signed in signs in, and comes back to the code', async () => {
  const { user_code: code } = await newCode();
  const page = await (await open(`/link?code=${code.toLowerCase()}`, {})).text();
  assert.match(page, /type="password"/);
  assert.ok(page.includes(`value="${code}"`));
  const form = { action: 'sign-in', code, email: 'ada@example.org', password };
  const wrong = await send({ ...form, password: 'a wrong password' }, { cookie: '' });
  assert.equal(wrong.status, 401);
  assert.match(await wrong.text(), /role="alert"/);
  const signedIn = await send(form, { cookie: '' });
  assert.equal(signedIn.status, 303);
  assert.equal(signedIn.headers.get('location'), `link?code=${code}`);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  assert.match(await (await open(`/link?code=${code}`, { cookie })).text(), /Signed in as Ada/);
});

test('a session that has ended is asked for again, and nothing is answered meanwhile', async () => {
  const code = await newCode();
  const approval = { action: 'approve', code: code.user_code, workspace: stoa.workspaceId };
  for (const cookie of ['', 'stoa.session_token=gone']) {
    const answer = await send(approval, { cookie });
    assert.equal(answer.status, 401);
    assert.match(await answer.text(), /type="password"/);
  }
  assert.deepEqual((await poll(code)).body, { status: 'pending' });
});

test('opening the page does not take a code up', async () => {
  const code = await newCode();
  await open(`/link?code=${code.user_code}`);
  const eve = await signUp('eve');
  assert.equal((await send({ action: 'look-up', code: code.user_code }, { cookie: eve })).status, 200);
  const late = await send({ action: 'look-up', code: code.user_code });
  assert.equal(late.status, 404);
  assert.match(await late.text(), /no such code/);
});

test('a page of another site can neither answer a code nor sign anybody in', async () => {
  const code = await newCode();
  for (const headers of [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  ]) {
    const approval = { action: 'approve', code: code.user_code, workspace: stoa.workspaceId };
    assert.equal((await send(approval, headers)).status, 403);
    const signIn = await send(
      { action: 'sign-in', email: 'ada@example.org', password },
      { ...headers, cookie: '' },
    );
    assert.equal(signIn.status, 403);
    assert.deepEqual(signIn.headers.getSetCookie(), []);
  }
  assert.deepEqual((await poll(code)).body, { status: 'pending' });
});

test('what a device says of itself, a code and a name are text on the page', async () => {
  const hostile = '"><img src=x onerror=alert(1)>';
  const { user_code: code } = await newCode(hostile);
  const eve = await signUp(hostile.slice(0, 60));
  await makeWorkspace(eve, hostile);
  const pages = [
    await open(`/link?code=${encodeURIComponent(hostile)}`, { cookie: eve }),
    await open(`/link?code=${encodeURIComponent(hostile)}`, {}),
    await send({ action: 'look-up', code }, { cookie: eve }),
    await send({ action: 'look-up', code: hostile }, { cookie: eve }),
  ];
  for (const page of pages) {
    const text = await page.text();
    assert.match(text, /onerror/);
    assert.doesNotMatch(text, /<img|">"/);
  }
});

test('the page is neither kept, framed nor scripted, and its address goes to nobody else', async () => {
  for (const page of [
    await open('/link'),
    await open('/link', {}),
    await send({ action: 'look-up', code: 'x' }),
  ]) {
    const { headers } = page;
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
  }
});

test('a form that is none of ours, and other ways to ask, are refused', async () => {
  assert.equal((await send({})).status, 404);
  assert.equal((await send({ action: 'approve-all' })).status, 404);
  assert.equal((await send({ action: 'look-up', code: 'x'.repeat(20_000) })).status, 413);
  const json = { 'content-type': 'application/json', cookie: stoa.cookie, origin: stoa.url };
  const asJson = await fetch(`${stoa.url}/link`, { method: 'POST', headers: json, body: '{}' });
  assert.equal(asJson.status, 415);
  assert.equal((await fetch(`${stoa.url}/link`, { method: 'DELETE' })).status, 405);
});

async function signUp(name: string): Promise<string> {
  const email = `eve${asked}-${name.length}@example.org`;
  const answer = await fetch(`${stoa.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, email, password }),
  });
  assert.equal(answer.status, 200, await answer.text());
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

async function makeWorkspace(cookie: string, name: string): Promise<void> {
  const answer = await fetch(`${stoa.url}/api/workspaces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ name }),
  });
  assert.equal(answer.status, 200);
}
