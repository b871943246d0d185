import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentChanges } from '../support/comments.ts';
import { assertFile, assertStatus, iso8601 } from '../support/expect.ts';
import { join } from '../support/invites.ts';
import { type McpClient, type McpEra, openMcp } from '../support/mcp-client.ts';
import { type ApiKey, createKey, type Person, signUp } from '../support/people.ts';
import { type JsonRecord, jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');

interface Caller {
  readonly person: Person;
  readonly key: ApiKey;
  readonly mcp: McpClient;
}

interface Office {
  readonly workspace: WorkspaceClient;
  /** A key of each kind, of two people. */
  readonly callers: readonly Caller[];
}

async function openOffice(): Promise<Office> {
  const workspace = await createWorkspace(ada);
  await join(ada, ben, workspace.id);
  const callers: Caller[] = [];
  const hire = async (
    person: Person,
    name: string,
    actorType: ApiKey['actorType'],
    era: McpEra = 'legacy',
  ) => {
    const key = await createKey(person, { name, actorType });
    callers.push({ person, key, mcp: openMcp(server, key, { era, workspaceId: workspace.id }) });
  };
  await hire(ada, 'Claude Code', 'agent');
  await hire(ada, 'Laptop', 'human');
  await hire(ben, 'Robot', 'agent', 'modern');
  await hire(ben, 'Ünïcode 🦉', 'human', 'modern');
  const scoped = await createKey(ben, { name: 'Scoped', actorType: 'agent', workspaceId: workspace.id });
  callers.push({ person: ben, key: scoped, mcp: openMcp(server, scoped) });
  return { workspace, callers };
}

const actorOf = ({ principal, actorId, actorKeyId, actorLabel }: JsonRecord) => ({
  principal,
  actorId,
  actorKeyId,
  actorLabel,
});

const actorBehind = ({ person, key }: Pick<Caller, 'person' | 'key'>) => ({
  principal: key.actorType,
  actorId: person.id,
  actorKeyId: key.id,
  actorLabel: key.name,
});

/** Asserts these operations, in this order, each made by the caller. */
function assertMade(changes: readonly JsonRecord[], caller: Caller, ops: readonly string[]): void {
  assert.deepEqual(
    changes.map((change) => ({ op: change.op, ...actorOf(change) })),
    ops.map((op) => ({ op, ...actorBehind(caller) })),
  );
}

test(
  ...claims(
    ['mcp.attribution.principal', 'mcp.attribution.key'],
    'every change says which key made it, for whom, and whether that is an agent',
  ),
  async () => {
    const { workspace, callers } = await openOffice();
    for (const caller of callers) {
      const before = (await workspace.changes()).length;
      const { mcp } = caller;
      await dataOf(mcp, 'write_file', { path: 'a.md', content: 'one' });
      await dataOf(mcp, 'write_file', { path: 'a.md', content: 'two', baseVersion: 1 });
      await dataOf(mcp, 'restore_file', { path: 'a.md', targetVersion: 1 });
      await textOf(mcp, 'move_file', { from: 'a.md', to: 'b.md' });
      await textOf(mcp, 'delete_file', { path: 'b.md', baseVersion: 1 });
      await dataOf(mcp, 'restore_file', { path: 'b.md', targetVersion: 1 });
      await textOf(mcp, 'delete_file', { path: 'b.md', baseVersion: 1 });
      const made = (await workspace.changes()).slice(before);
      const ops = ['write', 'write', 'restore', 'delete', 'move', 'delete', 'restore', 'delete'];
      assertMade(made, caller, ops);
    }
  },
);

test(
  ...claims('mcp.attribution.key', 'a conflicted copy belongs to its writer and has the name of the key'),
  async () => {
    const { workspace, callers } = await openOffice();
    await workspace.put('plan.md', 'one');
    for (const caller of callers) {
      const before = (await workspace.changes()).length;
      const lost = await dataOf(caller.mcp, 'write_file', { path: 'plan.md', content: caller.key.name });
      const copy = textAt(lost, 'conflictCopyPath');
      assert.ok(copy.endsWith(` ${caller.key.name}).md`), copy);
      await assertFile(workspace, copy, caller.key.name, 1);
      assertMade((await workspace.changes()).slice(before), caller, ['conflict']);
    }
  },
);

test(
  ...claims(
    ['mcp.attribution.principal', 'mcp.attribution.key'],
    'a private path is recorded for the user who made it private',
  ),
  async () => {
    const { workspace, callers } = await openOffice();
    const [agent, human] = callers;
    assert.ok(agent !== undefined && human !== undefined);
    await workspace.put('a.md', 'one');
    await textOf(agent.mcp, 'set_private', { path: 'a.md', kind: 'file' });
    const bens = workspace.as(ben.session);
    assertMade(await bens.changes(), agent, ['access_revoked']);
    await textOf(human.mcp, 'set_private', { path: 'a.md', kind: 'file', private: false });
    assertMade((await bens.changes()).slice(-1), human, ['access_granted']);
  },
);

test(...claims('mcp.attribution.key', 'keys that write at the same moment are not confused'), async () => {
  const { workspace, callers } = await openOffice();
  const rounds = Array.from({ length: 8 }, (_, round) => round);
  await Promise.all(
    rounds.flatMap((round) =>
      callers.map(({ key, mcp }) =>
        dataOf(mcp, 'write_file', { path: `${key.id}/${round}.md`, content: `${round}` }),
      ),
    ),
  );
  const changes = await workspace.changes();
  assert.equal(changes.length, rounds.length * callers.length);
  for (const caller of callers) {
    const own = changes.filter((change) => textAt(change, 'path').startsWith(`${caller.key.id}/`));
    assertMade(
      own,
      caller,
      rounds.map(() => 'write'),
    );
  }
});

test(
  ...claims(
    ['mcp.attribution.principal', 'mcp.attribution.key'],
    'a key is recorded alike over MCP and REST, in the feed and in the history of a file',
  ),
  async () => {
    const { workspace, callers } = await openOffice();
    for (const { person, key, mcp } of callers) {
      const path = `${key.id}.md`;
      await dataOf(mcp, 'write_file', { path, content: 'one' });
      assertStatus(await workspace.as(key.client).put(path, 'two', { ifMatch: 1 }), 200);
      const own = (await workspace.changes()).filter((change) => change.path === path);
      const kept = recordsAt(jsonOf(await workspace.query('versions', { path })), 'versions');
      const actor = actorBehind({ person, key });
      assert.deepEqual([...own, ...kept].map(actorOf), [actor, actor, actor, actor]);
    }
  },
);

test(...claims('mcp.attribution.key', 'a change keeps the name of a key that is gone'), async () => {
  const workspace = await createWorkspace(ada);
  const key = await createKey(ada, { name: 'Gone' });
  const mcp = openMcp(server, key, { workspaceId: workspace.id });
  await dataOf(mcp, 'write_file', { path: 'a.md', content: 'one' });
  assertStatus(await ada.session.send('DELETE', `/api/keys/${key.id}`), 200);
  assert.deepEqual((await workspace.changes()).map(actorOf), [actorBehind({ person: ada, key })]);
});

test(
  ...claims('mcp.attribution.comments', 'a thread, a reply and a resolution say which key made them'),
  async () => {
    const { workspace, callers } = await openOffice();
    await workspace.put('plan.md', 'We ship on Monday.');
    for (const caller of callers) {
      const { person, key, mcp } = caller;
      const madeBy = {
        createdBy: person.id,
        principal: key.actorType,
        actorKeyId: key.id,
        actorLabel: key.name,
      };
      const before = (await commentChanges(workspace)).length;
      const question = { path: 'plan.md', body: 'Why?', quote: 'Monday' };
      const thread = recordOf((await dataOf(mcp, 'add_comment', question)).thread);
      const threadId = textAt(thread, 'id');
      const entry = recordOf((await dataOf(mcp, 'reply_comment', { threadId, body: 'So.' })).entry);
      for (const { createdAt, createdBy, principal, actorKeyId, actorLabel } of [thread, entry]) {
        assert.match(String(createdAt), iso8601);
        assert.deepEqual({ createdBy, principal, actorKeyId, actorLabel }, madeBy);
      }
      const resolved = await dataOf(mcp, 'resolve_comment', { threadId, resolved: true });
      assert.equal(resolved.resolvedBy, person.id);
      const [listed] = recordsAt(await dataOf(mcp, 'list_comments', { threadId }), 'threads');
      const { resolvedAt } = resolved;
      const state = { status: 'resolved', resolvedAt, resolvedAtVersion: 1, resolvedBy: person.id };
      assert.deepEqual(listed, { ...thread, ...state, entries: [entry], entryCount: 1 });
      await dataOf(mcp, 'resolve_comment', { threadId, resolved: false });
      const made = (await commentChanges(workspace)).slice(before);
      const ops = ['comment_created', 'comment_replied', 'comment_resolved', 'comment_reopened'];
      assertMade(made, caller, ops);
    }
  },
);

test(...claims('mcp.attribution.comments', 'each part of a thread names its own maker'), async () => {
  const { workspace, callers } = await openOffice();
  const [asker, replier, resolver] = callers;
  assert.ok(asker !== undefined && replier !== undefined && resolver !== undefined);
  await workspace.put('plan.md', 'We ship on Monday.');
  const question = { path: 'plan.md', body: 'Why?', quote: 'Monday' };
  const threadId = textAt(recordOf((await dataOf(asker.mcp, 'add_comment', question)).thread), 'id');
  await dataOf(replier.mcp, 'reply_comment', { threadId, body: 'So.' });
  await dataOf(resolver.mcp, 'resolve_comment', { threadId, resolved: true });
  const [thread] = recordsAt(await dataOf(asker.mcp, 'list_comments', { threadId }), 'threads');
  const { actorKeyId, resolvedBy, entries } = recordOf(thread);
  assert.deepEqual([actorKeyId, resolvedBy], [asker.key.id, resolver.person.id]);
  assert.ok(Array.isArray(entries));
  assert.deepEqual(
    entries.map((entry) => recordOf(entry).actorKeyId),
    [replier.key.id],
  );
  assert.deepEqual(
    (await commentChanges(workspace)).map(actorOf),
    [asker, replier, resolver].map(actorBehind),
  );
});
