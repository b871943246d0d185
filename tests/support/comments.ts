import { assertStatus } from './expect.ts';
import { type HttpResponse, type JsonRecord, jsonOf, recordOf, recordsAt, textAt } from './response.ts';
import type { WorkspaceClient } from './workspace-client.ts';

export function postThread(workspace: WorkspaceClient, thread: JsonRecord): Promise<HttpResponse> {
  return workspace.post('comments', { kind: 'range', body: 'Why?', ...thread });
}

/** Starts a thread and asserts that it exists. */
export async function startThread(workspace: WorkspaceClient, thread: JsonRecord): Promise<JsonRecord> {
  const response = await postThread(workspace, thread);
  assertStatus(response, 201);
  return recordOf(jsonOf(response).thread);
}

export const words = ['one', 'two', 'three', 'four', 'five'];
export const wordsFile = words.map((word) => `The line of ${word}.\n`).join('\n');

/** Writes the file `a.md` with a line for each word, and starts a thread on each, whose body is the word. */
export async function commentOnWords(workspace: WorkspaceClient): Promise<readonly JsonRecord[]> {
  assertStatus(await workspace.put('a.md', wordsFile), 201);
  const threads: JsonRecord[] = [];
  for (const word of words) {
    threads.push(await startThread(workspace, { path: 'a.md', quote: `line of ${word}`, body: word }));
  }
  return threads;
}

export function postReply(
  workspace: WorkspaceClient,
  thread: JsonRecord,
  reply: JsonRecord,
): Promise<HttpResponse> {
  return workspace.post(`comments/${textAt(thread, 'id')}/replies`, reply);
}

export function putResolved(
  workspace: WorkspaceClient,
  thread: JsonRecord,
  resolved: unknown,
): Promise<HttpResponse> {
  return workspace.send('PUT', `/comments/${textAt(thread, 'id')}/resolved`, { json: { resolved } });
}

/** The response to a listing, which must succeed. */
export async function listComments(
  workspace: WorkspaceClient,
  query: Readonly<Record<string, string | number>> = {},
): Promise<JsonRecord> {
  const response = await workspace.query('comments', query);
  assertStatus(response, 200);
  return jsonOf(response);
}

/** The opening texts of the listed threads, in their order. */
export async function listedBodies(
  workspace: WorkspaceClient,
  query: Readonly<Record<string, string | number>> = {},
): Promise<readonly string[]> {
  return recordsAt(await listComments(workspace, query), 'threads').map((thread) => textAt(thread, 'body'));
}

/** The current thread. */
export async function readThread(workspace: WorkspaceClient, thread: JsonRecord): Promise<JsonRecord> {
  const [found] = recordsAt(await listComments(workspace, { threadId: textAt(thread, 'id') }), 'threads');
  return recordOf(found);
}

/** Every change to a comment since the workspace was ready, oldest first. */
export async function commentChanges(workspace: WorkspaceClient): Promise<readonly JsonRecord[]> {
  const query = { sinceSeq: workspace.startSeq, limit: 1000, includeComments: 1 };
  const page = jsonOf(await workspace.query('changes', query));
  return recordsAt(page, 'changes').filter((change) => textAt(change, 'op').startsWith('comment_'));
}
