import assert from 'node:assert/strict';
import { type Answer, headerOf, type JsonRecord, jsonOf, recordsAt } from '../support/answer.ts';
import { iso8601 } from '../support/expect.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import type { Expected, WorkspaceModel } from './workspace-model.ts';

/** Compares an answer of REST with what the model expects. */
export function compareAnswer(answer: Answer, expected: Expected): void {
  const shown = `${answer.status} ${answer.bytes.toString('utf8').slice(0, 1000)}`;
  assert.equal(answer.status, expected.status, `expected ${expected.status}, answered ${shown}`);
  if (expected.json !== undefined) assert.deepEqual(comparableBody(jsonOf(answer)), expected.json);
  else if (expected.bytes !== undefined) assert.equal(answer.bytes.toString('utf8'), expected.bytes);
  else assert.equal(jsonOf(answer).statusCode, expected.status, shown);
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    assert.equal(headerOf(answer, name), value, name);
  }
}

export function compareSearch(answer: Answer, expected: readonly string[]): void {
  assert.equal(answer.status, 200);
  const body = jsonOf(answer);
  const results = recordsAt(body, 'results');
  assert.deepEqual(results.map(({ path, isDir }) => (isDir === true ? `${path}/` : path)).sort(), expected);
  for (const { path, name } of results) assert.equal(name, String(path).split('/').at(-1));
  assert.deepEqual(
    { totalMatches: body.totalMatches, truncated: body.truncated },
    { totalMatches: expected.length, truncated: false },
  );
}

export async function compareUsage(workspace: WorkspaceClient, model: WorkspaceModel): Promise<void> {
  const { usedBytes, usedFiles, historyBytes } = jsonOf(await workspace.query('usage'));
  assert.deepEqual({ usedBytes, usedFiles, historyBytes }, model.usage());
}

/** A list of versions, or of files with details, without their times; any other body as it is. */
function comparableBody(body: JsonRecord): JsonRecord {
  if ('entries' in body) return { ...body, entries: recordsAt(body, 'entries').map(withoutChangedAt) };
  if (!('versions' in body)) return body;
  return { ...body, versions: recordsAt(body, 'versions').map(withoutTime) };
}

function withoutChangedAt(entry: JsonRecord): JsonRecord {
  if (!('contentHash' in entry)) return entry;
  const { changedAt, ...rest } = entry;
  assert.match(String(changedAt), iso8601);
  return rest;
}

/** @throws AssertionError when it has none. */
export function withoutTime({ createdAt, ...rest }: JsonRecord): JsonRecord {
  assert.match(String(createdAt), iso8601);
  return rest;
}
