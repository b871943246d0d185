import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openMcp, type ToolSet } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
let instructions = '';

before(async () => {
  const key = await createKey(await signUp(server));
  instructions = textAt(await openMcp(server, key).greet(), 'instructions');
});

test(
  ...claims(
    'mcp.instructions.delivered',
    'clients of both eras and all keys get the same text about the service',
  ),
  async () => {
    const ada = await signUp(server);
    const { id: workspaceId } = await createWorkspace(ada);
    for (const key of [await createKey(ada), await createKey(ada, { workspaceId })]) {
      for (const era of ['legacy', 'modern'] as const) {
        const reported = textAt(await openMcp(server, key, { era }).greet(), 'instructions');
        assert.equal(withoutGreeting(reported), withoutGreeting(instructions));
      }
    }
  },
);

test(
  ...claims('mcp.instructions.key', 'each key learns its owner, its workspace and its limits'),
  async () => {
    const ada = await signUp(server, 'Ada');
    const workspace = await createWorkspace(ada, ada.session, 'Northwind');
    const { id: workspaceId } = workspace;
    await workspace.put('drafts/a.md', 'x');
    const greetingOf = async (given: Parameters<typeof createKey>[1], toolSet?: ToolSet) => {
      const key = await createKey(ada, { name: 'Claude', ...given });
      const reported: string[] = [];
      for (const era of ['legacy', 'modern'] as const) {
        const options = { era, ...(toolSet === undefined ? {} : { toolSet }) };
        reported.push(textAt(await openMcp(server, key, options).greet(), 'instructions'));
      }
      const [text = ''] = reported;
      assert.equal(reported[1], text);
      assert.ok(text.length <= 2048);
      // A key that cannot read the file is not sent to it.
      assert.equal(text.includes('AGENTS.md'), given?.path === undefined);
      return text.split('\n')[0];
    };
    assert.equal(await greetingOf({}), 'You are Claude, for Ada.');
    for (const toolSet of [undefined, 'extended', 'files'] as const) {
      assert.equal(await greetingOf({ workspaceId }, toolSet), 'You are Claude, for Ada, in Northwind.');
      assert.equal(
        await greetingOf({ workspaceId, path: 'drafts' }, toolSet),
        'You are Claude, for Ada, in Northwind. This key reaches drafts/ only, and may write there.',
      );
    }
    assert.equal(
      await greetingOf({ workspaceId, path: 'drafts/a.md', access: 'comment' }),
      'You are Claude, for Ada, in Northwind. This key reaches drafts/a.md only, and may read and comment, but not change anything else.',
    );
    assert.equal(
      await greetingOf({ access: 'read' }),
      'You are Claude, for Ada. This key may read, but not change anything.',
    );
  },
);

function withoutGreeting(reported: string): string {
  return reported.slice(reported.indexOf('\n\n'));
}

test(...claims('mcp.instructions.size', 'no client cuts them'), () => {
  assert.ok(instructions.length > 500 && instructions.length <= 2048, `${instructions.length}`);
});

test(...claims('mcp.instructions.files', 'they say what this is'), () => {
  assert.match(instructions, /shared file workspace/);
  assert.match(instructions, /plain bytes/);
  assert.match(instructions, /markdown may begin with YAML front matter/i);
});

test(...claims('mcp.instructions.agents-md', 'they send an agent to AGENTS.md first'), () => {
  assert.match(instructions, /AGENTS\.md at the root first/);
  assert.match(instructions, /conventions/);
  assert.match(instructions, /setup guide/);
  assert.match(instructions, /asked to set up or organise/);
});

test(...claims('mcp.instructions.front-matter', 'they give the front matter that the web app shows'), () => {
  for (const words of ['date: YYYY-MM-DD', 'calendar', 'view: calendar', 'title:', 'README.md or index.md']) {
    assert.ok(instructions.includes(words), words);
  }
  assert.match(instructions, /by writing the file/);
});

test(...claims('mcp.instructions.comments', 'they say where comments are'), () => {
  assert.match(instructions, /the server keeps the threads/);
  assert.match(instructions, /only the comment tools see them/);
  assert.match(instructions, /Reviewers quote text; there are no line numbers/);
});

test(...claims('mcp.instructions.addressing', 'they give the steps in their order'), () => {
  const steps = [
    'list_comments for',
    'read_file, and note the version',
    'write_file the revision with that version as baseVersion',
    'reply_comment on each thread, saying what changed',
    'resolve_comment only',
  ];
  const locations = steps.map((step) => instructions.indexOf(step));
  assert.ok(
    locations.every((location) => location >= 0),
    `${locations}`,
  );
  assert.deepEqual(
    locations,
    locations.toSorted((a, b) => a - b),
  );
});

test(...claims('mcp.instructions.not-fixed', 'they keep an agent from resolving what it did not fix'), () => {
  assert.match(instructions, /resolve_comment only the threads you really fixed/);
  assert.match(instructions, /Reply to the others and leave them open/);
});

test(...claims('mcp.instructions.outdated', 'they say how to see what a thread was about'), () => {
  assert.match(instructions, /anchorStatus is not anchored[^.]*read_file_version at its pinnedVersion/);
});

test(...claims('mcp.instructions.asking', 'they say how to ask'), () => {
  assert.match(instructions, /ask[^.]*add_comment and quote/);
});
