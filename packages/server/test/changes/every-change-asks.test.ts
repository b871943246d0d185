import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { type ContentHash, type ErrorCode, fullGrant, type Grant, parseWorkspacePath } from '@stoa/core';
import { type Caller, viewerOf } from '../../src/service/access.ts';
import { revokeAnyKey } from '../../src/service/keys/revoke-key.ts';
import type { Script } from '../../src/service/ports/script.ts';
import type { ChangeAuthor } from '../../src/service/script-steps.ts';
import { scripts } from '../../src/service/scripts.ts';
import { createWorkspace } from '../../src/service/workspaces/create-workspace.ts';
import { operateWorkspace } from '../../src/service/workspaces/operate-workspace.ts';
import { openService } from '../support/open-service.ts';
import { addMember, removeMembership, signedIn, signOut, withKey } from '../support/signed-in.ts';

/**
 * Every script that changes a workspace checks access first. Each script of the service is listed in one of
 * the tables below. The tests run those of the first tables for callers whose access has ended. A new script
 * that is in no table fails here.
 */

type Command = (author: ChangeAuthor) => object;

/** All scenes share one database, so unique values include the workspace id. */
const { deps, ...service } = await openService();
after(() => service[Symbol.asyncDispose]());
const idIn = ({ workspaceId }: Pick<ChangeAuthor, 'workspaceId'>, name: string) => `${name}_${workspaceId}`;

const path = parseWorkspacePath;
const bytes = new TextEncoder().encode('# A note\n');
const contentHash = createHash('sha256').update(bytes).digest('hex') as ContentHash;
const content = {
  contentHash,
  sizeBytes: bytes.length,
  location: { kind: 'inline', bytes },
  frontMatter: { kind: 'unread' },
} as const;

const write = (at: string): Command => {
  const file = { path: path(at), precondition: { kind: 'absent' }, contentType: null, content };
  return (author) => ({ ...author, ...file });
};

const comment = (id: string): Command => {
  const anchor = { kind: 'range', quote: 'note', contextBefore: '', contextAfter: '' };
  const thread = { path: path('a.md'), body: 'Why?', anchor, range: { start: 4, end: 8 }, contentHash };
  return (author) => ({ ...author, ...thread, id: idIn(author, id) });
};

const invite = (id: string): Command => {
  const until = { createdAt: 1, expiresAt: Number.MAX_SAFE_INTEGER, maxUses: null, usesLeft: null };
  return (author) => {
    const named = { id: idIn(author, id), tokenHash: idIn(author, id), createdBy: idIn(author, 'dan') };
    return { ...author, invite: { ...named, ...until, workspaceId: author.workspaceId } };
  };
};

const share = (id: string): Command => {
  const target = { path: path('a.md'), kind: 'file', access: 'member' };
  const pin = { pinnedVersion: null, pinnedContentHash: null, isPinHidden: false };
  const options = { passwordHash: null, ...pin, allowScripts: false };
  return (author) => {
    return { ...author, id: idIn(author, id), tokenHash: idIn(author, id), ...target, ...options };
  };
};

const plain =
  (fields: object): Command =>
  (author) => ({ ...author, ...fields });

/** Some of its fields name what the scene has. */
const naming =
  (names: Readonly<Record<string, string>>, fields: object): Command =>
  (author) => ({
    ...author,
    ...fields,
    ...Object.fromEntries(Object.entries(names).map(([field, name]) => [field, idIn(author, name)])),
  });

/** Commands by a member that add data to a workspace. They are rejected while the workspace is read-only. */
const writes: Readonly<Record<string, Command>> = {
  'files.write': write('new.md'),
  'files.restore': plain({ target: { path: path('a.md'), version: 1, contentHash: null }, row: null }),
  'conflicts.settle': plain({
    copy: { path: path('a.md'), version: 1, contentHash: null },
    original: { path: path('merged.md'), seen: null },
    kept: { kind: 'stored', contentHash, sizeBytes: 1, contentType: 'text/plain' },
  }),
  'undo.put': plain({
    path: path('a.md'),
    seen: { version: 1, contentHash: null },
    needsManager: true,
    result: { kind: 'stored', contentHash, sizeBytes: 1, contentType: 'text/plain' },
  }),
  'comments.insert-thread': comment('thread_2'),
  'comments.add-reply': naming(
    { id: 'entry_1', threadId: 'thread_1' },
    { body: 'Because.', dedupeKey: null },
  ),
};

/** Commands by a member that change a workspace, whether it is read-only or not. */
const arrangements: Readonly<Record<string, Command>> = {
  'files.delete': plain({ path: path('a.md'), expected: { version: 1, contentHash: null } }),
  'files.move': plain({ from: path('a.md'), to: path('z.md'), base: null }),
  'files.move-folder': plain({ from: path('f'), to: path('g'), rest: null }),
  'files.move-folder-files': plain({ from: path('f'), to: path('g') }),
  'comments.set-resolved': naming({ threadId: 'thread_1' }, { resolved: true }),
  'nodes.set-icon': plain({ path: path('a.md'), icon: 'star' }),
  'nodes.set-order': plain({ paths: [path('a.md')] }),
  'nodes.set-private': plain({ path: path('a.md'), kind: 'file', private: true }),
  'members.change-role': naming({ userId: 'carl' }, { role: 'admin' }),
  'members.remove': naming({ userId: 'carl' }, {}),
  'privacy.reclaim': plain({ path: path('left.md'), toUserId: null }),
  'invites.create': invite('invite_2'),
  'invites.revoke': naming({ inviteId: 'invite_1' }, {}),
  'shares.create': share('share_2'),
  'shares.update': naming({ shareId: 'share_1' }, { allowScripts: false }),
  'shares.revoke': naming({ shareId: 'share_1' }, {}),
  'workspaces.note-export': plain({}),
  'workspaces.update': plain({ fields: { name: 'Renamed' } }),
  'workspaces.put-image': plain({ contentHash, imageType: 'image/png', bytes }),
};

const newKey = { start: 'stoa_', name: 'k', principal: 'agent' };
const forEver = { ...fullGrant, expiresAt: null, expiresInDays: null };

/** Commands whose author need not be a member. They need a valid credential. */
const ownOperations: Readonly<Record<string, Command>> = {
  'invites.accept': (author) => {
    const { credential, now } = author;
    return { credential, now, tokenHash: idIn(author, 'invite_1') };
  },
  'keys.insert': (author) => {
    const { credential, now } = author;
    const named = { id: idIn(author, 'key_2'), secretHash: idIn(author, 'key_2') };
    return { ...newKey, ...named, maker: { credential, now }, workspaceId: null, ...forEver };
  },
  'workspaces.create': (author) => {
    const workspaceId = idIn(author, 'new');
    return { ...author, workspaceId, name: 'New', icon: null, color: null, files: [] };
  },
};

/** Scripts that check no caller's access, each with the reason. */
const others: Readonly<Record<string, string>> = {
  'audit.forget': 'the server itself',
  'audit.noteOperatorCommand': 'the operator',
  'checks.jump-feed': 'the operator, after a restore',
  'checks.mend': 'the operator',
  'contents.mend': 'the operator, who brings bytes back',
  'contents.quarantine': 'the server itself, of bytes that it found wrong',
  'contents.release': 'the operator, of bytes that were found right',
  'imports.begin': 'the operator, of a workspace that is not visible yet',
  'imports.discard': 'the operator, of a workspace that is not visible yet',
  'imports.finish': 'the operator, of a workspace that is not visible yet',
  'imports.insert-rows': 'the operator, of a workspace that is not visible yet',
  'imports.keep-contents': 'the operator, of a workspace that is not visible yet',
  'device.approve': 'makes its key by keys.insert',
  'device.deny': 'ends a code that its person claimed',
  'device.insert': 'runs without sign-in',
  'device.lookUp': 'claims a code for a person',
  'device.poll': 'runs without sign-in',
  'device.sweep': 'the server itself',
  'feed.note-bookmark': 'stores the cursor of a key whose credential is still valid',
  'front-matter.keep': 'the server itself',
  'keys.revoke': "takes a person's own key away",
  'keys.touch': 'the server itself',
  'people.admitByProvider': 'runs without sign-in',
  'people.linkByProvider':
    "checks that the user is not disabled; the session was checked with the provider's response",
  'people.disable': 'the operator',
  'people.noteRefusedSignIn': 'runs without sign-in',
  'people.enable': 'the operator',
  'people.endMembership': 'the operator',
  'people.endSessions': 'the operator',
  'people.erase': 'the operator',
  'people.handOver': 'the operator',
  'people.putPasswordReset': 'the operator',
  'people.resetPassword': 'the user who has the link that the operator made',
  'people.setPassword': 'the operator',
  'people.admitAttempt': 'counts attempts',
  'people.countAttempts': 'counts attempts',
  'people.executeLibraryStatement': 'accounts and sessions',
  'people.register': 'runs without sign-in',
  'privacy.operate-reclaim': 'the operator',
  'scrub.note': 'the server itself, of how far it read what is stored',
  'scrub.take': 'the server itself, of how far it read what is stored',
  'secrets.forget': 'the operator',
  'secrets.keep': 'the server itself',
  'shares.count-views': 'visitors of links',
  'workspaces.operate': 'the operator',
};

/** The first covers every path of the commands, although it has a path. */
const narrowGrants: readonly Grant[] = [
  { access: 'read', path: '' },
  { access: 'comment', path: '' },
  { access: 'write', path: path('f') },
  { access: 'read', path: path('f') },
];

/**
 * Commands on the workspace itself, or on something that belongs to a user. A key for one folder cannot run
 * them.
 */
const ofWorkspaces = /^(workspaces|members|invites|privacy)\b/;

function errorOf(grant: Grant, name: string): ErrorCode | null {
  if (name === 'keys.insert') return 'key_management_needs_session';
  if (grant.access === 'read') return 'key_only_reads';
  if (grant.access === 'comment') return name.startsWith('comments.') ? null : 'key_only_comments';
  return ofWorkspaces.test(name) ? 'key_not_for_workspace' : outsideOf(name);
}

/**
 * The error code of commands that name a path outside the third key's folder, or that move something out of
 * it.
 */
function outsideOf(name: string): ErrorCode | null {
  switch (name) {
    case 'files.move-folder':
    case 'nodes.set-order':
      return null;
    case 'comments.add-reply':
    case 'comments.set-resolved':
      return 'thread_not_found';
    case 'shares.update':
    case 'shares.revoke':
      return 'share_not_found';
    default:
      return 'file_not_found';
  }
}

const memberCommands = { ...writes, ...arrangements };
const commands = { ...memberCommands, ...ownOperations };

const ada = await signedIn(deps.store, 'ada');

/** A workspace with something of everything, in which Dan is an owner with a key and Carl a member. */
async function openScene() {
  const { store } = deps;
  const { id: workspaceId } = await createWorkspace(deps, ada, { name: 'Home', icon: null, color: null });
  const named = (name: string) => idIn({ workspaceId }, name);
  const [dansId, carlsId, lenasId, keyId] = [named('dan'), named('carl'), named('lena'), named('key_1')];
  const dan = await signedIn(store, dansId);
  const dansKey = await withKey(store, dan, keyId);
  await signedIn(store, carlsId);
  await addMember(store, workspaceId, dansId, 'owner');
  await addMember(store, workspaceId, carlsId);
  const run = async (name: string, caller: Caller, command: Command) => {
    const script = scripts.find((each) => each.name === name) as Script<object, unknown> | undefined;
    assert.ok(script, name);
    const { actor, credential } = caller;
    const author = { workspaceId, actor, credential, viewer: viewerOf(caller), now: deps.clock() };
    return await store.transact(script, command(author));
  };
  await run('files.write', ada, write('a.md'));
  await run('files.write', ada, write('f/x.md'));
  await run('comments.insert-thread', ada, comment('thread_1'));
  await run('invites.create', ada, invite('invite_1'));
  await run('shares.create', ada, share('share_1'));
  const lena = await signedIn(store, lenasId);
  await addMember(store, workspaceId, lenasId);
  await run('files.write', lena, write('left.md'));
  await run('nodes.set-private', lena, plain({ path: path('left.md'), kind: 'file', private: true }));
  await removeMembership(store, workspaceId, lenasId);
  return {
    store,
    workspaceId,
    dan,
    dansId,
    dansKey,
    keyId,
    run,
    /** The state that a change could modify. */
    async state() {
      return await store.snapshot(async (reader) => ({
        workspace: await reader.workspaces.find(workspaceId),
        members: await reader.members.listOf(workspaceId),
        invites: await reader.invites.listOf(workspaceId, 100),
        shares: await reader.shares.listAt(workspaceId, path('a.md')),
        privacy: await reader.nodes.privacyPage({ workspaceId, afterPath: null, limit: 10 }),
        keys: await reader.keys.listOf(dansId),
        workspacesOfDan: (await reader.workspaces.listOf(dansId)).length,
      }));
    },
  };
}

test('every script of the service is in a table', () => {
  const known = [...Object.keys(commands), ...Object.keys(others)];
  assert.deepEqual(known.toSorted(), scripts.map(({ name }) => name).toSorted());
});

for (const [name, command] of Object.entries(commands)) {
  test(`${name} succeeds for a session and for a key`, async () => {
    for (const holder of ['dan', 'dansKey'] as const) {
      const scene = await openScene();
      if (name === 'invites.accept') await removeMembership(scene.store, scene.workspaceId, scene.dansId);
      const done = scene.run(name, scene[holder], command);
      if (name === 'keys.insert' && holder === 'dansKey') {
        // A key cannot make a key.
        await assert.rejects(done, { code: 'key_management_needs_session' });
      } else await done;
    }
  });

  test(`${name} respects the grant of a narrow key`, async () => {
    for (const grant of narrowGrants) {
      const scene = await openScene();
      const key = await withKey(scene.store, scene.dan, idIn(scene, 'narrow'), grant);
      if (name === 'invites.accept') await removeMembership(scene.store, scene.workspaceId, scene.dansId);
      // The request's copy of the key may be stale: the row decides.
      const claiming: Caller = { ...key, grant: { ...grant, access: 'write' } };
      const before = await scene.state();
      const done = scene.run(name, claiming, command);
      const error = errorOf(grant, name);
      if (error === null) await done;
      else {
        await assert.rejects(done, { code: error }, JSON.stringify(grant));
        assert.deepEqual(await scene.state(), before);
      }
    }
  });

  test(`${name} is rejected without effect once the session signed out or the key was revoked`, async () => {
    const scene = await openScene();
    const { store, dan, dansKey, keyId, run } = scene;
    await signOut(store, dan);
    await revokeAnyKey(deps, keyId);
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
  test(`${name} is rejected without effect once its author is not a member`, async () => {
    const scene = await openScene();
    await removeMembership(scene.store, scene.workspaceId, scene.dansId);
    const before = await scene.state();
    for (const holder of [scene.dan, scene.dansKey]) {
      await assert.rejects(scene.run(name, holder, command), { code: 'not_a_member' });
    }
    const nowhere: Command = (author) => command({ ...author, workspaceId: 'ws_nowhere' });
    await assert.rejects(scene.run(name, scene.dan, nowhere), { code: 'workspace_not_found' });
    assert.deepEqual(await scene.state(), before);
  });

  test(`${name} ${name in writes ? 'is rejected' : 'succeeds'} in a read-only workspace`, async () => {
    const scene = await openScene();
    await operateWorkspace(deps, scene.workspaceId, { lapsed: true });
    const before = await scene.state();
    const done = scene.run(name, scene.dan, command);
    if (!(name in writes)) return void (await done);
    await assert.rejects(done, { code: 'workspace_read_only' });
    assert.deepEqual(await scene.state(), before);
  });
}
