import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type HttpResponse, headerOf, type JsonRecord, jsonOf, recordsAt, textAt } from './response.ts';
import type { WorkspaceClient } from './workspace-client.ts';

export const iso8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Lower-case hex SHA-256. */
export function sha256(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

export function assertStatus(response: HttpResponse, status: number): void {
  assert.equal(
    response.status,
    status,
    `${response.status} ${response.bytes.toString('utf8').slice(0, 2000)}`,
  );
}

/** Asserts a successful JSON response with exactly this body. */
export function assertJson(response: HttpResponse, status: number, body: unknown): void {
  assertStatus(response, status);
  assert.deepEqual(jsonOf(response), body);
}

/** Asserts that the file reads as these bytes at this version. */
export async function assertFile(
  workspace: WorkspaceClient,
  path: string,
  body: string | Uint8Array,
  version: number,
): Promise<void> {
  const response = await workspace.get(path);
  assertStatus(response, 200);
  assert.equal(sha256(response.bytes), sha256(body), `${path} holds other bytes`);
  assert.equal(headerOf(response, 'x-service-version'), String(version));
}

/** The paths of a listing, in its order. */
export async function listedPaths(workspace: WorkspaceClient, prefix?: string): Promise<readonly string[]> {
  const response = await workspace.query('list', prefix === undefined ? {} : { prefix });
  assertStatus(response, 200);
  return recordsAt(jsonOf(response), 'entries').map((entry) => textAt(entry, 'path'));
}

/** `op path version` of each change since the workspace was ready. */
export async function feedLines(workspace: WorkspaceClient): Promise<readonly string[]> {
  return (await workspace.changes()).map(feedLine);
}

export function feedLine(change: JsonRecord): string {
  return `${change.op} ${change.path} ${change.version}`;
}
