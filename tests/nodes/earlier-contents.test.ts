import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { assertStatus } from '../support/expect.ts';
import { openHttpClient } from '../support/http-client.ts';
import { signUp } from '../support/people.ts';
import { jsonOf, recordsAt } from '../support/response.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';

const deadlineMs = 30_000;

async function titles(workspace: WorkspaceClient): Promise<unknown> {
  const entries = recordsAt(jsonOf(await workspace.query('list', { details: 1 })), 'entries');
  return entries.map(({ path, frontMatter }) => [path, frontMatter ?? null]);
}

test('front matter of contents from before its migration is read after the next start', async () => {
  await using home = await makeServiceHome();
  const begun = await startService({}, { home });
  const first = openHttpClient(begun.url);
  const ada = await signUp(first);
  const workspace = await createWorkspace(ada);
  const filler = '# filler\n'.repeat(200);
  const contents = {
    'large.md': `---\ntitle: Large\n---\n${'x'.repeat(300_000)}`,
    'long.md': `---\n${filler}title: Long\n---\n`,
    'none.md': 'text',
    'short.md': '---\ndate: 2026-11-22\n---\n',
  };
  for (const [path, content] of Object.entries(contents)) {
    assertStatus(await workspace.put(path, content), 201);
  }
  const expected = await titles(workspace);
  assert.deepEqual(expected, [
    ['large.md', { title: 'Large' }],
    ['long.md', { title: 'Long' }],
    ['none.md', null],
    ['short.md', { date: '2026-11-22' }],
  ]);
  await first.close();
  await begun.end('SIGTERM');
  // This is the state after the migration.
  await home.changeRows('delete from front_matter');
  await home.changeRows('insert into front_matter_unread select workspace_id, content_hash from blob');

  await using again = await startService({ STOA_LOG_LEVEL: 'info' }, { home });
  const second = openHttpClient(again.url);
  const seen = () => titles(workspace.as(second.as(ada.session.credentials)));
  const deadline = performance.now() + deadlineMs;
  while (JSON.stringify(await seen()) !== JSON.stringify(expected) && performance.now() < deadline) {
    await wait(50);
  }
  assert.deepEqual(await seen(), expected);
  await second.close();
  await again.end('SIGTERM');
  const line = again
    .log()
    .split('\n')
    .find((each) => each.includes('read the front matter of earlier contents'));
  assert.match(line ?? '', /"contents":\d+,"withFrontMatter":3,"missing":0,"more":false/);
});
