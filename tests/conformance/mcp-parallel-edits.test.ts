import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { sizeFrom } from '../support/random.ts';
import { useTarget } from '../support/target.ts';
import { dataOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

/** Rounds of several at once on one file; a full run has 1000. */
const rounds = sizeFrom('STOA_EDIT_ROUNDS', 10);
const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada);
const workspace = await createWorkspace(ada, key.client);
const mcp = openMcp(server, key, { workspaceId: workspace.id, toolSet: 'extended' });
const contentOf = async (path: string) => (await workspace.get(path)).bytes.toString();

for (const editors of [2, 8]) {
  const [title, { timeout }] = claims(
    'mcp.edit-file.parallel',
    `${editors} who edit one file at once all find their edit in it`,
  );
  // A long run takes as long as it has rounds.
  test(title, { timeout: timeout + rounds * 1_000 }, async () => {
    const path = `edited-by-${editors}.md`;
    const lines = Array.from({ length: editors }, (_, i) => `Line of editor ${i}, round 0.\n`);
    await dataOf(mcp, 'write_file', { path, content: lines.join('') });
    for (let round = 1; round <= rounds; round += 1) {
      const { version } = await dataOf(mcp, 'read_file', { path });
      const answers = await Promise.all(
        lines.map((_, i) => {
          const oldText = `editor ${i}, round ${round - 1}.`;
          const newText = `editor ${i}, round ${round}.`;
          return mcp.call('edit_file', { path, edits: [{ oldText, newText }], baseVersion: version });
        }),
      );
      for (const { data, text } of answers) assert.equal(data.ok, true, text);
      const expected = lines.map((line) => line.replace('round 0', `round ${round}`)).join('');
      assert.equal(await contentOf(path), expected);
    }
  });
}

test(
  ...claims('mcp.append-file.parallel', 'a hundred who add to one file at once all find their line'),
  async () => {
    const path = 'log.md';
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`);
    const answers = await Promise.all(lines.map((content) => dataOf(mcp, 'append_file', { path, content })));
    assert.deepEqual(new Set(answers.map(({ version }) => version)).size, 100);
    const written = (await contentOf(path)).trimEnd().split('\n');
    assert.deepEqual(written.sort(), lines.sort());
  },
);
