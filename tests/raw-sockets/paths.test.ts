import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claims } from '../conformance/claims.ts';
import { assertJson, assertStatus, listedPaths } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { type HttpResponse, integerAt, jsonOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, encodePath, type WorkspaceClient } from '../support/workspace-client.ts';
import {
  absoluteForms,
  anyName,
  backslashRejected,
  caseKept,
  characterLimit,
  composed,
  controlRejected,
  decodedOnce,
  dotDotRejected,
  dotsInNames,
  droppedSegments,
  emptyRejected,
  encodedSlash,
  notAddresses,
  nullRejected,
  type PathCase,
  percentRejected,
  rawBytesRejected,
  segmentLimit,
  unparsableRejected,
  utf8Rejected,
} from './path-cases.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const shared = await createWorkspace(ada, robot.client);

/** Sends a request line exactly as given. */
function request(method: string, target: string, body = ''): Promise<HttpResponse> {
  const head = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${new URL(server.url).host}`,
    `x-api-key: ${robot.secret}`,
    'Connection: close',
    ...(method === 'PUT' ? [`Content-Length: ${body.length}`] : []),
  ];
  return sendRaw(server.url, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function inWorkspace(workspace: WorkspaceClient, target: string): string {
  return target.replace('{id}', workspace.id).replace('{host}', new URL(server.url).host);
}

/** Writes, reads and deletes at the target, which means this path or is rejected each time. */
async function check(target: string, expected: string | 400): Promise<void> {
  const workspace = await createWorkspace(ada, robot.client);
  const exact = inWorkspace(workspace, target);
  if (expected === 400) {
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const response = await request(method, exact, method === 'PUT' ? 'bytes' : '');
      assertStatus(response, 400);
      assert.equal(integerAt(jsonOf(response), 'statusCode'), 400);
    }
    assert.deepEqual(await listedPaths(workspace), []);
    return;
  }
  assertJson(await request('PUT', exact, 'bytes'), 201, { path: expected, version: 1 });
  assert.deepEqual(await listedPaths(workspace), [expected]);
  for (const form of [exact, `${workspace.root}/files/${encodePath(expected)}`]) {
    const response = await request('GET', form);
    assertStatus(response, 200);
    assert.equal(response.bytes.toString(), 'bytes');
  }
  const version = await workspace.query('version', { path: expected, version: 1 });
  assertStatus(version, 200);
}

const below = (raw: string) => `/api/workspaces/{id}/files/${raw}`;

function title([raw, expected]: PathCase): string {
  const shown = JSON.stringify(raw.length > 60 ? `${raw.slice(0, 50)}… (${raw.length})` : raw);
  return expected === 400 ? `${shown} is refused` : `${shown} is a path`;
}

for (const each of dotDotRejected)
  test(...claims('paths.dot-dot', title(each)), () => check(below(each[0]), each[1]));
for (const each of dotsInNames)
  test(...claims('paths.dot-dot', title(each)), () => check(below(each[0]), each[1]));
for (const each of backslashRejected)
  test(...claims('paths.backslash', title(each)), () => check(below(each[0]), each[1]));
for (const each of nullRejected)
  test(...claims('paths.null', title(each)), () => check(below(each[0]), each[1]));
for (const each of controlRejected)
  test(...claims('paths.control', title(each)), () => check(below(each[0]), each[1]));
for (const each of utf8Rejected)
  test(...claims('paths.utf8', title(each)), () => check(below(each[0]), each[1]));
for (const each of rawBytesRejected)
  test(...claims('paths.utf8', title(each)), () => check(below(each[0]), each[1]));
for (const each of percentRejected)
  test(...claims('paths.percent', title(each)), () => check(below(each[0]), each[1]));
for (const each of decodedOnce)
  test(...claims('paths.decoded-once', title(each)), () => check(below(each[0]), each[1]));
for (const each of encodedSlash)
  test(...claims('paths.encoded-slash', title(each)), () => check(below(each[0]), each[1]));
for (const each of droppedSegments) {
  test(...claims(['paths.dropped-segments', 'paths.canonical-answer'], title(each)), () =>
    check(below(each[0]), each[1]),
  );
}
for (const each of emptyRejected)
  test(...claims('paths.empty', title(each)), () => check(below(each[0]), each[1]));
for (const each of composed) {
  test(...claims(['paths.nfc', 'paths.canonical-answer'], title(each)), () => check(below(each[0]), each[1]));
}
for (const each of caseKept)
  test(...claims('paths.case-sensitive', title(each)), () => check(below(each[0]), each[1]));
for (const each of anyName)
  test(...claims('paths.any-name', title(each)), () => check(below(each[0]), each[1]));
for (const each of characterLimit)
  test(...claims('paths.characters', title(each)), () => check(below(each[0]), each[1]));
for (const each of segmentLimit)
  test(...claims('paths.segment-bytes', title(each)), () => check(below(each[0]), each[1]));
for (const each of absoluteForms)
  test(...claims('paths.no-normalising', title(each)), () => check(each[0], each[1]));

for (const [raw] of unparsableRejected) {
  test(...claims('paths.control', `${JSON.stringify(raw)} is not a valid request line`), async () => {
    for (const method of ['PUT', 'GET']) {
      assertStatus(
        await request(method, inWorkspace(shared, below(raw)), method === 'PUT' ? 'bytes' : ''),
        400,
      );
    }
    assert.deepEqual(await listedPaths(shared), []);
  });
}

for (const target of notAddresses) {
  test(...claims('paths.no-normalising', `${target} is not an address`), async () => {
    await shared.put('a.md', 'there', { ifNoneMatch: '*' });
    for (const method of ['GET', 'PUT']) {
      const response = await request(method, inWorkspace(shared, target), method === 'PUT' ? 'bytes' : '');
      assertStatus(response, 404);
      assert.ok(textAt(jsonOf(response), 'statusMessage'));
    }
    await shared.remove('a.md', 1);
  });
}

test(
  ...claims(['paths.nfc', 'paths.case-sensitive'], 'NFC and NFD name one file, two cases name two files'),
  async () => {
    const workspace = await createWorkspace(ada, robot.client);
    assertStatus(await workspace.put('é.md', 'composed'), 201);
    assertStatus(await workspace.put('e\u0301.md', 'decomposed'), 428);
    assertStatus(await workspace.put('É.md', 'upper'), 201);
    assert.deepEqual(await listedPaths(workspace), ['É.md', 'é.md']);
  },
);
