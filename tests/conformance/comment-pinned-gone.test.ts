import { test } from 'node:test';
import { readThread, startThread } from '../support/comments.ts';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { textAt } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const { client: server, service } = await useOwnService();
const ada = await signUp(server);

test(...claims('comments.pinned', 'the text that a thread was written against can be gone'), async () => {
  const workspace = await createWorkspace(ada);
  // Large enough to be stored outside the database.
  const filler = 'A line that nobody quotes.\n'.repeat(4000);
  await workspace.put('plan.md', `${filler}The quote.\n`);
  const thread = await startThread(workspace, { path: 'plan.md', quote: 'The quote.' });
  await workspace.put('plan.md', 'The quote.\n', { ifMatch: 1 });
  const pinned = `comments/${textAt(thread, 'id')}/pinned-content`;
  assertStatus(await workspace.query(pinned), 200);
  await service.home.removeStored();
  assertRejection(await workspace.query(pinned), 410);
  await readThread(workspace, thread);
});
