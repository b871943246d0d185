import assert from 'node:assert/strict';
import { iso8601 } from '../support/expect.ts';
import { type HttpResponse, headerOf, type JsonRecord, jsonOf, recordsAt } from '../support/response.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import { sha256 } from './workspace/facts.ts';
import { byCodePoint } from './workspace/paths.ts';
import type { ContentFound, Found } from './workspace/reads.ts';
import type { Expected } from './workspace/responses.ts';
import type { WorkspaceModel } from './workspace-model.ts';

/** A longer line is cut around the match. */
const lineMax = 500;

/** Compares a REST response with the model's. */
export function compareResponse(response: HttpResponse, expected: Expected): void {
  const shown = `${response.status} ${response.bytes.toString('utf8').slice(0, 1000)}`;
  assert.equal(response.status, expected.status, `expected ${expected.status}, got ${shown}`);
  if (expected.json !== undefined) assert.deepEqual(comparableBody(jsonOf(response)), expected.json);
  else if (expected.bytes !== undefined) assert.equal(response.bytes.toString('utf8'), expected.bytes);
  else assert.equal(jsonOf(response).statusCode, expected.status, shown);
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    assert.equal(headerOf(response, name), value, name);
  }
}

export function compareSearch(response: HttpResponse, expected: readonly string[]): void {
  assert.equal(response.status, 200);
  const body = jsonOf(response);
  const results = recordsAt(body, 'results');
  assert.deepEqual(results.map(({ path, isDir }) => (isDir === true ? `${path}/` : path)).sort(), expected);
  for (const { path, name } of results) assert.equal(name, String(path).split('/').at(-1));
  assert.deepEqual(
    { totalMatches: body.totalMatches, truncated: body.truncated },
    { totalMatches: expected.length, truncated: false },
  );
}

/** Expects short lines unchanged. */
export function compareContentSearch(response: HttpResponse, { files, searchedFiles }: ContentFound): void {
  assert.equal(response.status, 200, response.bytes.toString('utf8'));
  const { files: found, ...counts } = jsonOf(response);
  const shown = files.map(({ path, version, content }) => {
    const text = content.length > lineMax ? null : content;
    return { path, version, contentHash: sha256(content), lines: [{ line: 1, text }] };
  });
  const withoutLong = (file: JsonRecord) => ({
    ...file,
    lines: recordsAt(file, 'lines').map((line) =>
      String(line.text).includes('…') ? { ...line, text: null } : line,
    ),
  });
  assert.deepEqual(recordsAt({ found }, 'found').map(withoutLong), shown);
  assert.deepEqual(counts, {
    totalLines: files.length,
    totalFiles: files.length,
    searchedFiles,
    skipped: { notText: 0, tooLarge: 0 },
    truncated: false,
    nextOffset: null,
    next: null,
  });
}

export function compareFind(response: HttpResponse, expected: readonly Found[]): void {
  assert.equal(response.status, 200, response.bytes.toString('utf8'));
  const { results, total, isTotalExact } = jsonOf(response);
  assert.deepEqual([total, isTotalExact], [expected.length, true]);
  const found = recordsAt({ results }, 'results').map(({ path, isDir, version }) => ({
    path: isDir === true ? `${path}/` : String(path),
    version,
  }));
  // A page has at most 100.
  if (expected.length > 100) return;
  assert.deepEqual(
    found.sort((a, b) => byCodePoint(a.path, b.path)),
    expected,
  );
}

export async function compareUsage(workspace: WorkspaceClient, model: WorkspaceModel): Promise<void> {
  const { usedBytes, usedFiles, historyBytes } = jsonOf(await workspace.query('usage'));
  assert.deepEqual({ usedBytes, usedFiles, historyBytes }, model.usage());
}

/** A list of versions, or of files with details, without their times; any other body unchanged. */
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

/** @throws AssertionError when it has no time. */
export function withoutTime({ createdAt, ...rest }: JsonRecord): JsonRecord {
  assert.match(String(createdAt), iso8601);
  return rest;
}
