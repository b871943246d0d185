import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { createKey, signUp } from '../support/people.ts';
import { headerOf } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const home = await createWorkspace(ada, robot.client);

for (const path of [
  '/api/none',
  '/api',
  '/api/workspaces/',
  `${home.root}/none`,
  `${home.root}/`,
  '/API/health',
  '/api/health/',
]) {
  test(
    ...claims(['errors.unknown-route', 'errors.body'], `${path.replace(home.id, 'ID')} is not a route`),
    async () => {
      assertRejection(await robot.client.send('GET', path), 404);
    },
  );
}

for (const [method, path, allowed] of [
  ['POST', '/api/health', /\bGET\b/],
  ['DELETE', '/api/me', /\bGET\b/],
  ['POST', `${home.root}/list`, /\bGET\b/],
  ['GET', `${home.root}/move`, /\bPOST\b/],
  ['POST', `${home.root}/files/a.md`, /\bGET\b.*\bPUT\b|\bPUT\b.*\bGET\b/],
  ['PATCH', `${home.root}/files/a.md`, /\bDELETE\b/],
] as const) {
  test(...claims('errors.method', `${method} ${path.replace(home.id, 'ID')} is not allowed`), async () => {
    const response = await robot.client.send(method, path);
    assertRejection(response, 405);
    assert.match(headerOf(response, 'allow') ?? '', allowed);
  });
}

for (const body of ['', '{', 'null', '"text"', '7', '{"from":"a.md",}', '\ufeff{}', '{"from":"a.md"} x']) {
  test(...claims('errors.malformed-json', `${JSON.stringify(body)} is not a valid body`), async () => {
    const headers = { 'content-type': 'application/json' };
    assertRejection(await home.send('POST', '/move', { headers, body }), 400);
  });
}

for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
  test(...claims('errors.wrong-media-type', `a move cannot be sent as ${type}`), async () => {
    await home.put('a.md', 'x', { ifNoneMatch: '*' });
    const headers = { 'content-type': type };
    const response = await home.send('POST', '/move', { headers, body: '{"from":"a.md","to":"b.md"}' });
    assertRejection(response, 415);
  });
}

test(...claims('errors.no-leaks', 'an error reveals nothing about the machine behind it'), async () => {
  for (const path of [
    '/files/none.md',
    '/version?path=none.md&version=1',
    '/files/%00',
    '/changes?sinceSeq=x',
  ]) {
    const response = await home.send('GET', path);
    assert.doesNotMatch(response.bytes.toString(), /node_modules|\.ts\b|SQLITE|at .*:\d+:\d+|\/tmp\//);
    assert.equal(headerOf(response, 'x-powered-by'), null);
  }
});
