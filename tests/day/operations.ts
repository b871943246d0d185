import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { assertStatus } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import type { McpClient } from '../support/mcp-client.ts';
import type { ApiKey, SignedUpPerson } from '../support/people.ts';
import type { Random } from '../support/random.ts';
import {
  type HttpResponse,
  headerOf,
  integerAt,
  jsonOf,
  recordOf,
  recordsAt,
  textAt,
} from '../support/response.ts';
import { opens, share } from '../support/shares.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';

/** A user who works in the workspace all day: a person with a key, and their files. */
export interface Worker {
  readonly name: string;
  readonly person: SignedUpPerson;
  readonly server: HttpClient;
  readonly key: ApiKey;
  readonly workspace: WorkspaceClient;
  readonly mcp: McpClient;
  readonly random: Random;
  /** Files that no other worker changes, by path. */
  readonly own: Map<string, { readonly version: number; readonly hash: string }>;
  /** The number of file names that this worker has used. */
  named: number;
  cursor: number;
  /** The service's clock. */
  readonly now: () => number;
}

type Operation = (worker: Worker) => Promise<void>;

const filesOfEach = 30;
const sharedPath = 'shared/log.md';
const words = 'harbour ferry lantern ledger quay anchor tide rope mast keel'.split(' ');

/** The operations of workers, as people and agents use a workspace. Each is listed as often as it should run. */
export const operations: readonly Operation[] = [
  ...times(6, writeOwn),
  ...times(6, readOwn),
  ...times(6, poll),
  ...times(3, list),
  ...times(3, writeShared),
  ...times(2, searchNames),
  ...times(2, searchContents),
  ...times(2, findByWords),
  ...times(2, editByTool),
  ...times(2, comment),
  catchUp,
  moveOwn,
  deleteOwn,
  restoreOwn,
  readHistory,
  shareOwn,
  makeAndRevokeKey,
  signInAndOut,
  undoNothing,
];

function times(count: number, operation: Operation): readonly Operation[] {
  return Array.from({ length: count }, () => operation);
}

async function writeOwn(worker: Worker): Promise<void> {
  const { own, random, workspace } = worker;
  const text = textOf(random);
  const known = own.size < filesOfEach && random.below(2) === 0 ? undefined : pickOwn(worker);
  if (known === undefined) {
    worker.named += 1;
    const path = `own/${worker.name}/${worker.named % 7}/${worker.named}.md`;
    assertStatus(await workspace.put(path, text, { ifNoneMatch: '*' }), 201);
    own.set(path, { version: 1, hash: hashOf(text) });
    return;
  }
  const [path, { version }] = known;
  const response = await workspace.put(path, text, { ifMatch: version });
  assertStatus(response, 200);
  own.set(path, { version: integerAt(jsonOf(response), 'version'), hash: hashOf(text) });
}

async function readOwn(worker: Worker): Promise<void> {
  const known = pickOwn(worker);
  if (known === undefined) return;
  const [path, { hash }] = known;
  const response = await worker.workspace.get(path);
  assertStatus(response, 200);
  assert.equal(hashOf(response.bytes), hash, path);
}

/** Reads the feed from the cursor to the head, like a sync client. */
async function poll(worker: Worker): Promise<void> {
  const response = await worker.workspace.query('changes', { sinceSeq: worker.cursor, limit: 200 });
  const page = read(response);
  worker.cursor = integerAt(page, 'nextSeq');
}

async function list({ workspace, random }: Worker): Promise<void> {
  read(await workspace.query('list', random.below(2) === 0 ? {} : { details: 1, prefix: 'own' }));
}

/** Writes a file that all workers share. A worker that loses the race deletes its conflicted copy. */
async function writeShared({ workspace, random }: Worker): Promise<void> {
  const current = await workspace.get(sharedPath);
  const text = `${textOf(random)}${random.below(1_000_000)}`;
  const response = await workspace.put(
    sharedPath,
    text,
    current.status === 404
      ? { ifNoneMatch: '*' }
      : { ifMatch: Number(headerOf(current, 'x-service-version')) },
  );
  if (response.status === 412) {
    const copy = textAt(jsonOf(response), 'conflict_copy_path');
    assertStatus(await workspace.remove(copy, 1), 204);
    return;
  }
  assert.ok(response.status === 200 || response.status === 201, `${response.status} ${response.bytes}`);
}

async function searchNames({ workspace, random }: Worker): Promise<void> {
  read(await workspace.query('search', { q: `${random.below(50)}.md` }));
}

async function searchContents({ workspace, random }: Worker): Promise<void> {
  read(await workspace.query('search-content', { q: `${random.pick(words)} ${random.pick(words)}` }));
}

async function findByWords({ workspace, random }: Worker): Promise<void> {
  const q = `${random.pick(words)} ${random.pick(words)}`;
  read(await workspace.query('find', { q: random.below(3) === 0 ? `${q} type:md` : q }));
}

async function editByTool(worker: Worker): Promise<void> {
  const known = pickOwn(worker);
  if (known === undefined) return;
  const [path, { version }] = known;
  const text = `Edited ${worker.random.below(1_000_000_000)}.`;
  const { data, isError } = await worker.mcp.call('append_file', { path, content: text });
  assert.ok(!isError && data.ok === true, JSON.stringify(data));
  assert.equal(data.version, version + 1);
  const now = await worker.workspace.get(path);
  assertStatus(now, 200);
  worker.own.set(path, { version: version + 1, hash: hashOf(now.bytes) });
}

async function comment(worker: Worker): Promise<void> {
  const known = pickOwn(worker);
  if (known === undefined) return;
  const { workspace } = worker;
  const [path] = known;
  const text = (await workspace.get(path)).bytes.toString();
  const quote = text.slice(0, 40);
  const started = await workspace.post('comments', { kind: 'range', path, quote, prefix: '', body: 'Why?' });
  if (started.status === 422 || started.status === 409) return;
  assertStatus(started, 201);
  const id = textAt(recordOf(jsonOf(started).thread), 'id');
  assertStatus(await workspace.post(`comments/${id}/replies`, { body: 'Because.' }), 201);
  assertStatus(await workspace.send('PUT', `/comments/${id}/resolved`, { json: { resolved: true } }), 200);
}

async function catchUp({ mcp }: Worker): Promise<void> {
  const { isError, text } = await mcp.call('catch_up', {});
  assert.ok(!isError, text);
}

async function moveOwn(worker: Worker): Promise<void> {
  const known = pickOwn(worker);
  if (known === undefined) return;
  const [from, { version, hash }] = known;
  worker.named += 1;
  const to = `own/${worker.name}/moved/${worker.named}.md`;
  read(await worker.workspace.post('move', { from, to, baseVersion: version }));
  worker.own.delete(from);
  worker.own.set(to, { version: 1, hash });
}

async function deleteOwn(worker: Worker): Promise<void> {
  const known = worker.own.size < filesOfEach / 2 ? undefined : pickOwn(worker);
  if (known === undefined) return;
  const [path, { version }] = known;
  assertStatus(await worker.workspace.remove(path, version), 204);
  worker.own.delete(path);
}

async function restoreOwn(worker: Worker): Promise<void> {
  const known = pickOwn(worker);
  if (known === undefined) return;
  const [path] = known;
  const restored = read(await worker.workspace.post('restore', { path, targetVersion: 1 }));
  const now = await worker.workspace.get(path);
  worker.own.set(path, { version: integerAt(restored, 'version'), hash: hashOf(now.bytes) });
}

async function readHistory(worker: Worker): Promise<void> {
  const known = pickOwn(worker);
  if (known === undefined) return;
  const [path] = known;
  const { workspace } = worker;
  assert.ok(recordsAt(read(await workspace.query('versions', { path })), 'versions').length > 0);
  read(await workspace.query('blame', { path }));
}

async function shareOwn(worker: Worker): Promise<void> {
  const known = pickOwn(worker);
  if (known === undefined) return;
  const [path] = known;
  const bySession = worker.workspace.as(worker.person.session);
  const link = await share(bySession, path);
  assert.equal(await opens(worker.server, link), 200);
  assertStatus(await bySession.send('DELETE', `/shares/${link.id}`), 204);
  assert.equal(await opens(worker.server, link), 404);
}

async function makeAndRevokeKey({ person }: Worker): Promise<void> {
  const made = await person.session.send('POST', '/api/keys', {
    json: { name: 'For a moment', actorType: 'agent' },
  });
  assertStatus(made, 200);
  const revoked = await person.session.send('DELETE', `/api/keys/${textAt(jsonOf(made), 'id')}`);
  assert.ok(revoked.status < 300, String(revoked.status));
}

async function signInAndOut({ person, server }: Worker): Promise<void> {
  const { email, password } = person;
  const origin = new URL(server.url).origin;
  const signedIn = await server.send('POST', '/api/auth/sign-in/email', { json: { email, password } });
  assertStatus(signedIn, 200);
  const cookie = (signedIn.headers.get('set-cookie') ?? []).map((line) => line.split(';', 1)[0]).join('; ');
  const session = server.as({ cookie, origin });
  assertStatus(await session.send('GET', '/api/me'), 200);
  assertStatus(await session.send('POST', '/api/auth/sign-out', { json: {} }), 200);
}

/** Previews an undo, which reads much and changes nothing. */
async function undoNothing({ workspace, person, key, now }: Worker): Promise<void> {
  const since = new Date(now() - 60_000).toISOString();
  read(await workspace.as(person.session).post('undo', { actorKeyId: key.id, since, dryRun: true }));
}

function pickOwn({ own, random }: Worker) {
  return own.size === 0 ? undefined : random.pick([...own]);
}

function read(response: HttpResponse) {
  assertStatus(response, 200);
  return jsonOf(response);
}

/** Mostly a few lines, sometimes more than fits a database row. */
function textOf(random: Random): string {
  const lines = random.below(40) === 0 ? 2_000 : 1 + random.below(30);
  return Array.from(
    { length: lines },
    () => `${random.below(1_000_000)} ${random.pick(words)} ${random.pick(words)} ${random.pick(words)}\n`,
  ).join('');
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
