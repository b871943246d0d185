import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RouteDescriptor, type RouteId, routes } from '@stoa/contract';
import { authEndpoints } from '../../packages/server/src/auth/auth-endpoints.ts';
import { freshAddress } from '../support/device-flow.ts';
import { assertRejection } from '../support/error.ts';
import type { Request } from '../support/http-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf } from '../support/response.ts';
import { share } from '../support/shares.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { targetIn, titledSamples } from './route-samples.ts';
import { foreignPages, ownPages, type PageHeaders } from './sending-pages.ts';

/**
 * Requests that a page of another site could make with the visitor's cookie, for every route that changes
 * something.
 */
const appUrl = 'https://app.stoa.example';
const { client: server } = await useOwnService({ STOA_TRUST_PROXY: 'loopback', STOA_APP_URL: appUrl });
const own = new URL(server.url).origin;
const ada = await signUp(server, 'Ada');
const home = await createWorkspace(ada);
const robot = await createKey(ada);
await home.put('a.md', 'first');
const link = await share(home, 'a.md', { access: 'public', password: 'open sesame' });
const cookie = { cookie: ada.session.credentials.cookie ?? '' };

const ours: Readonly<Record<string, PageHeaders>> = ownPages(own, appUrl);
const others: Readonly<Record<string, PageHeaders>> = foreignPages(own, appUrl);
const appPage = ownPages(own, appUrl)['its own page'];
const anotherSite = foreignPages(own, appUrl)['another site'];

interface UnsafeRequest {
  readonly title: string;
  readonly method: string;
  readonly target: string;
  readonly request: Request;
}

const isSafe = (method: string) => method === 'GET' || method === 'HEAD';
const unsafe: readonly (UnsafeRequest & { readonly id: RouteId })[] = titledSamples
  .filter(({ id }) => !isSafe(routes[id].method) && routes[id].access !== 'none')
  .map((sample) => ({
    id: sample.id,
    title: sample.title,
    method: routes[sample.id].method,
    target: targetIn(sample, home.id),
    request: sample.request ?? {},
  }));

/** Requests that change something and have no route in the contract. */
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const besides: readonly UnsafeRequest[] = [
  ...authEndpoints
    .filter(({ method, path }) => !isSafe(method) && path !== 'sign-out')
    .filter(({ path }) => !path.startsWith('revoke-'))
    .map(({ method, path }) => ({
      title: path,
      method,
      target: `/api/auth/${path}`,
      request: { json: {} },
    })),
  {
    title: 'signing in at a share link',
    method: 'POST',
    target: `${link.path}/sign-in`,
    request: { body: 'email=&password=', headers: form },
  },
];

const crossSite =
  'A request with a session cookie must come from the app itself; scripts should use an API key';
const isRejected = (bytes: Buffer) => bytes.toString().includes(crossSite);

function sendWith({ method, target, request }: UnsafeRequest, headers: PageHeaders) {
  const all = { ...request.headers, ...headers, 'x-forwarded-for': freshAddress() };
  return server.send(method, target, { ...request, headers: all });
}

for (const request of [...unsafe, ...besides]) {
  test(`${request.title} is closed to other sites and open to the app`, async () => {
    for (const [from, headers] of Object.entries(others)) {
      try {
        assertRejection(await sendWith(request, { ...cookie, ...headers }), 403, { says: crossSite });
      } catch (error) {
        throw new Error(`from ${from}`, { cause: error });
      }
    }
    for (const [from, headers] of Object.entries(ours)) {
      const response = await sendWith(request, { ...cookie, ...headers });
      assert.ok(!isRejected(response.bytes), `from ${from}: ${response.status} ${response.bytes}`);
    }
  });
}

for (const path of ['sign-out', 'revoke-session', 'revoke-sessions', 'revoke-other-sessions']) {
  test(`another site cannot end sessions with ${path}`, async () => {
    for (const headers of Object.values(others)) {
      const request = { method: 'POST', target: `/api/auth/${path}`, request: { json: {} }, title: path };
      assertRejection(await sendWith(request, { ...cookie, ...headers }), 403, { says: crossSite });
    }
    assert.equal((await ada.session.send('GET', '/api/me')).status, 200);
  });
}

test('a link accepts no password from another site', async () => {
  for (const site of ['cross-site', 'same-site']) {
    const response = await server.send('POST', `${link.path}/unlock`, {
      json: { password: 'open sesame' },
      headers: { 'sec-fetch-site': site, 'x-forwarded-for': freshAddress() },
    });
    assertRejection(response, 403, { says: crossSite });
  }
});

test('a key acts from any page, because no browser adds it automatically', async () => {
  for (const request of unsafe) {
    for (const headers of Object.values(others)) {
      const response = await sendWith(request, { ...cookie, ...headers, 'x-api-key': robot.secret });
      assert.ok(!isRejected(response.bytes), request.title);
    }
  }
});

test('a route that takes JSON accepts no form of another site', async () => {
  const takesJson = unsafe.filter(({ id }) => {
    const { body }: RouteDescriptor = routes[id];
    return body !== undefined && body !== 'bytes';
  });
  assert.ok(takesJson.length > 0);
  for (const request of takesJson) {
    const body = JSON.stringify(request.request.json);
    for (const type of [null, 'text/plain', form['content-type'], 'multipart/form-data; boundary=x']) {
      const headers = {
        ...cookie,
        ...appPage,
        ...(type === null ? {} : { 'content-type': type }),
      };
      const response = await server.send(request.method, request.target, { body, headers });
      assertRejection(response, 415);
    }
  }
});

test('reads change nothing', async () => {
  const state = async () => {
    const targets = [
      '',
      '/list',
      '/members',
      '/invites',
      '/comments',
      '/changes?limit=0',
      '/shares?path=a.md',
    ];
    const responses = await Promise.all(targets.map((target) => home.send('GET', target)));
    const ofPerson = await Promise.all(
      ['/api/keys', '/api/workspaces', '/api/auth/list-sessions'].map((target) =>
        ada.session.send('GET', target),
      ),
    );
    return [...responses.map(jsonOf), ...ofPerson.map(({ bytes }) => bytes.toString())];
  };
  const before = await state();
  for (const sample of titledSamples.filter(({ id }) => isSafe(routes[id].method))) {
    for (const method of ['GET', 'HEAD']) {
      await server.send(method, targetIn(sample, home.id), {
        headers: { ...cookie, ...anotherSite },
      });
    }
  }
  assert.deepEqual(await state(), before);
});
