import assert from 'node:assert/strict';
import type { HttpClient, Request } from './http-client.ts';
import type { Person } from './people.ts';
import { type HttpResponse, integerAt, type JsonRecord, jsonOf, recordsAt, textAt } from './response.ts';

/** A file's bytes and the headers that go with them. */
export interface Put {
  readonly ifMatch?: number | string;
  readonly ifNoneMatch?: string;
  readonly contentType?: string;
  /** An addition to `ifMatch`. */
  readonly ifContentHash?: string;
  readonly conflict?: string;
  readonly allowEmpty?: string;
}

/** One caller in one workspace. Paths are encoded segment by segment. */
export interface WorkspaceClient {
  readonly id: string;
  readonly root: string;
  /** The feed's head when the workspace was ready for the test. */
  readonly startSeq: number;
  readonly credentials: HttpClient['credentials'];
  readonly send: HttpClient['send'];
  readonly get: (path: string, request?: Request) => Promise<HttpResponse>;
  readonly put: (path: string, body: string | Uint8Array, put?: Put) => Promise<HttpResponse>;
  readonly remove: (path: string, ifMatch?: number | string, ifContentHash?: string) => Promise<HttpResponse>;
  readonly post: (operation: string, json: unknown) => Promise<HttpResponse>;
  readonly query: (
    operation: string,
    parameters?: Readonly<Record<string, string | number>>,
  ) => Promise<HttpResponse>;
  /** Every change since the workspace was ready, oldest first. */
  readonly changes: () => Promise<readonly JsonRecord[]>;
  /** The same workspace for another caller. */
  readonly as: (client: HttpClient) => WorkspaceClient;
}

/** Makes an empty workspace of the person's and speaks to it as `caller`. */
export async function createWorkspace(
  person: Person,
  caller: HttpClient = person.session,
  name = 'Workspace',
): Promise<WorkspaceClient> {
  const response = await person.session.send('POST', '/api/workspaces', { json: { name } });
  assert.equal(response.status, 200, `create workspace: ${response.status} ${response.bytes.toString()}`);
  const id = textAt(jsonOf(response), 'id');
  const seeded = workspaceClient(person.session, id, 0);
  for (const entry of recordsAt(jsonOf(await seeded.query('list')), 'entries')) {
    await seeded.remove(textAt(entry, 'path'), integerAt(entry, 'version'));
  }
  const head = integerAt(jsonOf(await seeded.query('changes', { limit: 0 })), 'head');
  return workspaceClient(caller, id, head);
}

export function workspaceClient(client: HttpClient, id: string, startSeq: number): WorkspaceClient {
  const root = `/api/workspaces/${id}`;
  const send: HttpClient['send'] = (method, path, request) => client.send(method, root + path, request);
  return {
    id,
    root,
    startSeq,
    credentials: client.credentials,
    send,
    get: (path, request) => send('GET', `/files/${encodePath(path)}`, request),
    put: (path, body, put = {}) => {
      const query = queryString(put.conflict === undefined ? {} : { conflict: put.conflict });
      return send('PUT', `/files/${encodePath(path)}${query}`, { body, headers: putHeaders(put) });
    },
    remove: (path, ifMatch, ifContentHash) =>
      send('DELETE', `/files/${encodePath(path)}`, {
        headers: putHeaders({
          ...(ifMatch === undefined ? {} : { ifMatch }),
          ...(ifContentHash === undefined ? {} : { ifContentHash }),
        }),
      }),
    post: (operation, json) => send('POST', `/${operation}`, { json }),
    query: (operation, parameters = {}) => send('GET', `/${operation}${queryString(parameters)}`),
    changes: () => readFeed(send, startSeq),
    as: (other) => workspaceClient(other, id, startSeq),
  };
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function putHeaders(put: Put): Record<string, string> {
  return {
    ...(put.ifMatch === undefined ? {} : { 'if-match': String(put.ifMatch) }),
    ...(put.ifNoneMatch === undefined ? {} : { 'if-none-match': put.ifNoneMatch }),
    ...(put.contentType === undefined ? {} : { 'content-type': put.contentType }),
    ...(put.ifContentHash === undefined ? {} : { 'x-service-if-content-hash': put.ifContentHash }),
    ...(put.allowEmpty === undefined ? {} : { 'x-service-allow-empty': put.allowEmpty }),
  };
}

function queryString(parameters: Readonly<Record<string, string | number>>): string {
  const text = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

const feedPagesMax = 1000;

async function readFeed(send: HttpClient['send'], startSeq: number): Promise<readonly JsonRecord[]> {
  const all: JsonRecord[] = [];
  let cursor = startSeq;
  for (let page = 0; page < feedPagesMax; page += 1) {
    const response = jsonOf(await send('GET', `/changes?sinceSeq=${cursor}&limit=1000`));
    all.push(...recordsAt(response, 'changes'));
    cursor = integerAt(response, 'nextSeq');
    if (cursor === integerAt(response, 'head')) return all;
  }
  throw new Error(`the feed did not end within ${feedPagesMax} pages`);
}
