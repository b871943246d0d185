import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type ContentHash, parseWorkspacePath } from '@stoa/core';
import { type Caller, viewerOf } from '../../src/service/access/workspace-access.ts';
import type { ChangeAuthor } from '../../src/service/changes/record-change.ts';
import { revokeAnyKey } from '../../src/service/keys/revoke-key.ts';
import type { Script } from '../../src/service/ports/script.ts';
import { scripts } from '../../src/service/scripts.ts';
import { operateWorkspace } from '../../src/service/workspaces/operate-workspace.ts';
import { openOwnedWorkspace } from '../members/support/owned-workspace.ts';
import { addMember, removeMembership, signedIn, signOut, withKey } from '../support/signed-in.ts';

/**
 * No script changes a workspace without asking who may. Each script of the service stands in one of the tables below, and
 * those of the first two are run for callers whose access has ended. A new script that is in none of them fails here.
 */

type Command = (author: ChangeAuthor) => object;

const path = parseWorkspacePath;
const bytes = new TextEncoder().encode('# A note\n');
const contentHash = createHash('sha256').update(bytes).digest('hex') as ContentHash;
const content = { contentHash, sizeBytes: bytes.length, location: { kind: 'inline', bytes } } as const;

const write = (at: string): Command => {
  const file = { path: path(at), precondition: { kind: 'absent' }, contentType: null, content };
  return (author) => ({ ...author, ...file });
};

const comment = (id: string): Command => {
  const anchor = { kind: 'range', quote: 'note', contextBefore: '', contextAfter: '' };
  const thread = { id, path: path('a.md'), body: 'Why?', anchor, range: { start: 4, end: 8 }, contentHash };
  return (author) => ({ ...author, ...thread });
};

const invite = (id: string): Command => {
  const until = { createdAt: 1, expiresAt: Number.MAX_SAFE_INTEGER, maxUses: null, usesLeft: null };
  const row = { id, tokenHash: id, createdBy: 'dan', ...until };
  return (author) => ({ ...author, invite: { ...row, workspaceId: author.workspaceId } });
};

const share = (id: string): Command => {
  const target = { id, tokenHash: id, path: path('a.md'), kind: 'file', access: 'member' };
  const wish = { passwordHash: null, pinnedVersion: null, pinnedContentHash: null, allowScripts: false };
  return (author) => ({ ...author, ...target, ...wish });
};

const plain =
  (fields: object): Command =>
  (author) => ({ ...author, ...fields });

/** What changes a workspace for one of its members and makes it larger: refused while it is read-only. */
const writes: Readonly<Record<string, Command>> = {
  'files.write': write('new.md'),
  'files.restore': plain({ path: path('a.md'), targetVersion: 1 }),
  'comments.insert-thread': comment('thread_2'),
  'comments.add-reply': plain({ id: 'entry_1', threadId: 'thread_1', body: 'Because.', dedupeKey: null }),
};

/** What changes a workspace for one of its members, read-only or not. */
const arrangements: Readonly<Record<string, Command>> = {
  'files.delete': plain({ path: path('a.md'), expected: { version: 1, contentHash: null } }),
  'files.move': plain({ from: path('a.md'), to: path('z.md'), base: null }),
  'files.move-folder': plain({ from: path('f'), to: path('g') }),
  'comments.set-resolved': plain({ threadId: 'thread_1', resolved: true }),
  'nodes.set-icon': plain({ path: path('a.md'), icon: 'star' }),
  'nodes.set-order': plain({ paths: [path('a.md')] }),
  'nodes.set-private': plain({ path: path('a.md'), kind: 'file', private: true }),
  'members.change-role': plain({ userId: 'carl', role: 'admin' }),
  'members.remove': plain({ userId: 'carl' }),
  'privacy.reclaim': plain({ path: path('left.md'), toUserId: null }),
  'invites.create': invite('invite_2'),
  'invites.revoke': plain({ inviteId: 'invite_1' }),
  'shares.create': share('share_2'),
  'shares.update': plain({ shareId: 'share_1', allowScripts: false }),
  'shares.revoke': plain({ shareId: 'share_1' }),
  'workspaces.update': plain({ fields: { name: 'Renamed' } }),
  'workspaces.put-image': plain({ contentHash, imageType: 'image/png', bytes }),
};

const newKey = { id: 'key_2', secretHash: 'key_2', start: 'stoa_', name: 'k', principal: 'agent' };

/** What somebody does who need not be a member: it takes a credential that still holds. */
const ownDoings: Readonly<Record<string, Command>> = {
  'invites.accept': ({ credential, now }) => ({ credential, now, tokenHash: 'invite_1' }),
  'keys.insert': ({ credential, now }) => {
    return { ...newKey, maker: { credential, now }, workspaceId: null, expiresAt: null };
  },
  'workspaces.create': (author) => {
    return { ...author, workspaceId: 'ws_new', name: 'New', icon: null, color: null, files: [] };
  },
};

/** Scripts that ask for nobody's access, and why not. */
const others: Readonly<Record<string, string>> = {
  'device.approve': 'makes its key by keys.insert',
  'device.deny': 'ends a code that its person claimed',
  'device.insert': 'nobody is signed in',
  'device.lookUp': 'claims a code for a person',
  'device.poll': 'nobody is signed in',
  'device.sweep': 'the server itself',
  'keys.revoke': "takes a person's own key away",
  'keys.touch': 'the server itself',
  'people.admitAttempt': 'counts attempts',
  'people.countAttempts': 'counts attempts',
  'people.executeLibraryStatement': 'accounts and sessions',
  'people.register': 'nobody is signed in',
  'privacy.operate-reclaim': 'the operator',
  'secrets.forget': 'the operator',
  'secrets.keep': 'the server itself',
  'shares.count-views': 'visitors of links',
  'workspaces.operate': 'the operator',
};

const memberCommands = { ...writes, ...arrangements };
const commands = { ...memberCommands, ...ownDoings };

/** A workspace with something of everything, in which Dan is an owner with a key and Carl a member. */
async function openScene() {
  const service = await openOwnedWorkspace();
  const { deps, owner, workspaceId } = service;
  const { store } = deps;
  const dan = await signedIn(store, 'dan');
  const dansKey = await withKey(store, dan, 'key_1');
  await signedIn(store, 'carl');
  await addMember(store, workspaceId, 'dan', 'owner');
  await addMember(store, workspaceId, 'carl');
  const run = async (name: string, caller: Caller, command: Command) => {
    const script = scripts.find((each) => each.name === name) as Script<object, unknown> | undefined;
    assert.ok(script, name);
    const { actor, credential } = caller;
    const author = { workspaceId, actor, credential, viewer: viewerOf(caller), now: deps.clock() };
    return await store.transact(script, command(author));
  };
  await run('files.write', owner, write('a.md'));
  await run('files.write', owner, write('f/x.md'));
  await run('comments.insert-thread', owner, comment('thread_1'));
  await run('invites.create', owner, invite('invite_1'));
  await run('shares.create', owner, share('share_1'));
  const lena = await signedIn(store, 'lena');
  await addMember(store, workspaceId, 'lena');
  await run('files.write', lena, write('left.md'));
  await run('nodes.set-private', lena, plain({ path: path('left.md'), kind: 'file', private: true }));
  await removeMembership(store, workspaceId, 'lena');
  return {
    deps,
    store,
    workspaceId,
    dan,
    dansKey,
    run,
    /** All that a change could have touched. */
    async state() {
      return await store.snapshot(async (reader) => ({
        workspace: await reader.workspaces.find(workspaceId),
        members: await reader.members.listOf(workspaceId),
        invites: await reader.invites.listOf(workspaceId, 100),
        shares: await reader.shares.listAt(workspaceId, path('a.md')),
        privacy: await reader.nodes.privacyPage({ workspaceId, afterPath: null, limit: 10 }),
        keys: await reader.keys.listOf('dan'),
        workspacesOfDan: (await reader.workspaces.listOf('dan')).length,
      }));
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

test('every script of the service is known here', () => {
  const known = [...Object.keys(commands), ...Object.keys(others)];
  assert.deepEqual(known.toSorted(), scripts.map(({ name }) => name).toSorted());
});

for (const [name, command] of Object.entries(commands)) {
  test(`${name} goes through for a session and for a key`, async () => {
    for (const holder of ['dan', 'dansKey'] as const) {
      await using scene = await openScene();
      if (name === 'invites.accept') await removeMembership(scene.store, scene.workspaceId, 'dan');
      await scene.run(name, scene[holder], command);
    }
  });

  test(`${name} is refused, and changes nothing, once the session signed out or the key was revoked`, async () => {
    await using scene = await openScene();
    const { store, dan, dansKey, run } = scene;
    await signOut(store, dan);
    await revokeAnyKey(scene.deps, 'key_1');
    const before = await scene.state();
    await assert.rejects(run(name, dan, command), { code: 'unauthorized' });
    await assert.rejects(run(name, dansKey, command), {
      code: 'invalid_api_key',
      details: { reason: 'KEY_NOT_FOUND' },
    });
    assert.deepEqual(await scene.state(), before);
  });
}

for (const [name, command] of Object.entries(memberCommands)) {
  test(`${name} is refused, and changes nothing, once its author is no member`, async () => {
    await using scene = await openScene();
    await removeMembership(scene.store, scene.workspaceId, 'dan');
    const before = await scene.state();
    for (const holder of [scene.dan, scene.dansKey]) {
      await assert.rejects(scene.run(name, holder, command), { code: 'not_a_member' });
    }
    const nowhere: Command = (author) => command({ ...author, workspaceId: 'ws_nowhere' });
    await assert.rejects(scene.run(name, scene.dan, nowhere), { code: 'workspace_not_found' });
    assert.deepEqual(await scene.state(), before);
  });

  test(`${name} ${name in writes ? 'is refused' : 'goes through'} in a read-only workspace`, async () => {
    await using scene = await openScene();
    await operateWorkspace(scene.deps, scene.workspaceId, { lapsed: true });
    const before = await scene.state();
    const done = scene.run(name, scene.dan, command);
    if (!(name in writes)) return void (await done);
    await assert.rejects(done, { code: 'workspace_read_only' });
    assert.deepEqual(await scene.state(), before);
  });
}
