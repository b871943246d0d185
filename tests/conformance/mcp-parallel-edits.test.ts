import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editRounds, playEditRounds, untilTaken } from '../support/edit-rounds.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada);
const workspace = await createWorkspace(ada, key.client);
const mcp = openMcp(server, key, { workspaceId: workspace.id, toolSet: 'extended' });
const contentOf = async (path: string) => (await workspace.get(path)).bytes.toString();

for (const editors of [2, 8]) {
  const [title, { timeout }] = claims(
    'mcp.edit-file.parallel',
    `${editors} editors of one file at once all find their edit in it`,
  );
  // The timeout grows with the number of rounds.
  test(title, { timeout: timeout + editRounds * 1_000 }, async () => {
    await playEditRounds([{ mcp, contentOf }], {
      path: `edited-by-${editors}.md`,
      editors,
      rounds: editRounds,
    });
  });
}

test(
  ...claims('mcp.append-file.parallel', 'a hundred concurrent appends to one file all keep their line'),
  async () => {
    const path = 'log.md';
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`);
    // The file lock serves them in order, for at most eight seconds. On a busy machine the last ones must call
    // again.
    const responses = await Promise.all(
      lines.map((content) => untilTaken(() => mcp.call('append_file', { path, content }))),
    );
    for (const { isError, text } of responses) assert.equal(isError, false, text);
    assert.equal(new Set(responses.map(({ data }) => data.version)).size, 100);
    const written = (await contentOf(path)).trimEnd().split('\n');
    assert.deepEqual(written.sort(), lines.sort());
  },
);
