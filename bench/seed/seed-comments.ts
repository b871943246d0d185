import { postReply, startThread } from '../../tests/support/comments.ts';
import { assertStatus } from '../../tests/support/expect.ts';
import { openHttpClient } from '../../tests/support/http-client.ts';
import { createKey, signUp } from '../../tests/support/people.ts';
import { integerAt, jsonOf } from '../../tests/support/response.ts';
import { createWorkspace } from '../../tests/support/workspace-client.ts';
import type { HeaderLines } from '../load/load-job.ts';
import type { StoaSide } from '../sides/start-stoa.ts';
import { commentedLine, commentedPage } from './commented-page.ts';

const path = 'minutes.md';
/** The number of versions that threads are pinned to: people comment on a page while it is written. */
const pinnedVersions = 10;

/** A Markdown file with many threads, each with its own quote and one reply. */
export interface CommentedFile extends AsyncDisposable {
  /** The address of its list of threads, without limit and offset. */
  readonly target: string;
  readonly headers: HeaderLines;
  /** Rewrites the file: all text moves, and another tenth of the quotes differs by a word. */
  readonly edit: () => Promise<void>;
}

export async function seedComments(stoa: StoaSide, threads: number): Promise<CommentedFile> {
  const client = openHttpClient(`http://127.0.0.1:${stoa.port}`);
  const person = await signUp(client);
  const key = await createKey(person);
  const workspace = await createWorkspace(person, key.client);
  const state = { edits: 0, version: 0 };
  const write = async () => {
    const put = state.version === 0 ? {} : { ifMatch: state.version };
    const response = await workspace.put(path, commentedPage(threads, state.edits), put);
    assertStatus(response, state.version === 0 ? 201 : 200);
    state.version = integerAt(jsonOf(response), 'version');
  };
  const comment = async (paragraph: number) => {
    const quote = commentedLine(paragraph, state.edits);
    const thread = await startThread(workspace, { path, quote, body: `Is item ${paragraph} settled?` });
    assertStatus(await postReply(workspace, thread, { body: 'It is, since last week.' }), 201);
  };
  const edit = async () => {
    state.edits += 1;
    await write();
  };
  await write();
  const perVersion = Math.ceil(threads / pinnedVersions);
  for (let first = 0; first < threads; first += perVersion) {
    if (first > 0) await edit();
    const count = Math.min(perVersion, threads - first);
    await Promise.all(Array.from({ length: count }, (_, at) => comment(first + at)));
  }
  return {
    target: `${workspace.root}/comments?path=${path}`,
    headers: [`x-api-key: ${key.secret}`],
    edit,
    [Symbol.asyncDispose]: () => client.close(),
  };
}
