import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from '../support/invites.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf } from '../support/tool-result.ts';
import { createWorkspace, workspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada);
const account = openMcp(server, key);
const colors = ['blue', 'violet', 'emerald', 'amber', 'rose', 'cyan', 'slate', 'neutral'];
const themes = ['light', 'dark', 'dracula', 'nord', 'solarized-light', 'rose-pine', 'service'];

async function openWorkspace(name = 'Workspace') {
  const workspace = await createWorkspace(ada, key.client, name);
  return { workspace, mcp: openMcp(server, key, { workspaceId: workspace.id }) };
}

test(
  ...claims(
    ['mcp.list-workspaces', 'mcp.list-workspaces.own'],
    'an agent finds the workspaces of the person it works for',
  ),
  async () => {
    const ben = await signUp(server, 'Ben');
    const bens = await createWorkspace(ben, ben.session, "Ben's");
    const { workspace } = await openWorkspace('Shared');
    await join(ada, ben, workspace.id);
    const mcp = openMcp(server, await createKey(ben));
    const own = { id: bens.id, name: "Ben's" };
    const shared = { id: workspace.id, name: 'Shared' };
    const { workspaces, ...rest } = await dataOf(mcp, 'list_workspaces');
    assert.deepEqual(rest, {});
    assert.ok(Array.isArray(workspaces));
    assert.deepEqual(
      workspaces.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      [own, shared],
    );
    const eve = await signUp(server, 'Eve');
    assert.deepEqual(await dataOf(openMcp(server, await createKey(eve)), 'list_workspaces'), {
      workspaces: [],
    });
  },
);

test(
  ...claims(
    ['mcp.create-workspace', 'mcp.create-workspace.look'],
    'an agent makes a workspace, owned by its person alone',
  ),
  async () => {
    const made = await dataOf(account, 'create_workspace', { name: 'New', icon: '🚀', color: 'amber' });
    assert.deepEqual(made, { id: made.id, name: 'New' });
    const workspace = workspaceClient(key.client, textAt(made, 'id'), 0);
    const { id, name, icon, color } = jsonOf(await workspace.send('GET', ''));
    assert.deepEqual({ id, name, icon, color }, { id: made.id, name: 'New', icon: '🚀', color: 'amber' });
    const { members } = jsonOf(await workspace.query('members'));
    assert.deepEqual(members, [{ id: ada.id, name: ada.name, image: '', role: 'owner' }]);
  },
);

test(...claims('mcp.create-workspace.look', 'a new workspace takes every color, or none'), async () => {
  for (const color of [...colors, undefined]) {
    const { id } = await dataOf(account, 'create_workspace', { name: 'N', ...(color && { color }) });
    const found = jsonOf(await key.client.send('GET', `/api/workspaces/${id}`));
    assert.deepEqual([found.color, found.icon], [color ?? null, null]);
  }
  await assertHardError(account, 'create_workspace', { name: 'N', color: 'red' }, /^color: /);
});

test(...claims('mcp.create-workspace.name', 'a name has 1 to 100 characters'), async () => {
  const longest = 'ü'.repeat(100);
  assert.equal((await dataOf(account, 'create_workspace', { name: longest })).name, longest);
  for (const given of [{}, { name: '' }, { name: `${longest}x` }]) {
    await assertHardError(account, 'create_workspace', given, /^name\b/);
  }
});

test(
  ...claims(
    ['mcp.set-workspace', 'mcp.set-workspace.optional'],
    'settings change one by one, and the result has all of them',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace('Before');
    const { id } = workspace;
    const untouched = { id, name: 'Before', icon: null, color: null, theme: null };
    assert.deepEqual(await dataOf(mcp, 'set_workspace'), untouched);
    const named = { ...untouched, name: 'After' };
    assert.deepEqual(await dataOf(mcp, 'set_workspace', { name: 'After' }), named);
    const colored = { ...named, color: 'cyan' };
    assert.deepEqual(await dataOf(mcp, 'set_workspace', { color: 'cyan' }), colored);
    const all = { ...colored, icon: '🐘', theme: 'dracula' };
    assert.deepEqual(await dataOf(mcp, 'set_workspace', { icon: '🐘', theme: 'dracula' }), all);
    assert.deepEqual(await dataOf(mcp, 'set_workspace'), all);
    const { themeCss: _, ...stored } = jsonOf(await workspace.send('GET', ''));
    assert.deepEqual(stored, all);
  },
);

test(...claims('mcp.set-workspace.clears', 'an empty string clears one field and no other'), async () => {
  const { workspace, mcp } = await openWorkspace();
  const looks = { name: 'Workspace', icon: '🐘', color: 'rose', theme: 'nord' };
  const all = { id: workspace.id, ...looks };
  for (const name of ['icon', 'color', 'theme']) {
    assert.deepEqual(await dataOf(mcp, 'set_workspace', looks), all);
    assert.deepEqual(await dataOf(mcp, 'set_workspace', { [name]: '' }), { ...all, [name]: null });
    assert.equal(jsonOf(await workspace.send('GET', ''))[name], null);
  }
});

test(...claims('mcp.set-workspace.empty-name', 'an empty name is ignored, the rest is done'), async () => {
  const { workspace, mcp } = await openWorkspace('Kept');
  const changed = await dataOf(mcp, 'set_workspace', { name: '', color: 'blue' });
  assert.deepEqual(changed, { id: workspace.id, name: 'Kept', icon: null, color: 'blue', theme: null });
  assert.equal(jsonOf(await workspace.send('GET', '')).name, 'Kept');
});

test(...claims('mcp.set-workspace.values', 'every color and theme is taken, and no other'), async () => {
  const { workspace, mcp } = await openWorkspace();
  for (const color of colors) assert.equal((await dataOf(mcp, 'set_workspace', { color })).color, color);
  for (const theme of themes) assert.equal((await dataOf(mcp, 'set_workspace', { theme })).theme, theme);
  const before = jsonOf(await workspace.send('GET', ''));
  await assertHardError(mcp, 'set_workspace', { name: 'New', color: 'red' }, /^color: /);
  await assertHardError(mcp, 'set_workspace', { name: 'New', theme: 'solarized' }, /^theme: /);
  await assertHardError(mcp, 'set_workspace', { name: 'x'.repeat(101) }, /^name: .*100/);
  assert.deepEqual(jsonOf(await workspace.send('GET', '')), before);
  assert.equal((await dataOf(mcp, 'set_workspace', { name: 'x'.repeat(100) })).name, 'x'.repeat(100));
});

const images = {
  png: Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40, 7)]),
  jpeg: Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(40, 7)]),
  gif: Buffer.from('GIF89a and some more'),
  webp: Buffer.from('RIFF\u0001\u0002\u0003\u0004WEBPVP8 and more', 'latin1'),
};

test(
  ...claims(
    ['mcp.image-icon', 'mcp.image-icon.types'],
    "an image becomes the workspace's icon and can be read back",
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace('Pictured');
    for (const [type, bytes] of Object.entries(images)) {
      const set = await dataOf(mcp, 'set_workspace_image_icon', { content: bytes.toString('base64') });
      assert.deepEqual(set, { id: workspace.id, name: 'Pictured', icon: set.icon });
      assert.equal(jsonOf(await workspace.send('GET', '')).icon, set.icon);
      const shown = await key.client.send('GET', new URL(textAt(set, 'icon')).pathname);
      assert.deepEqual(shown.bytes, bytes, type);
      assert.deepEqual(shown.headers.get('content-type'), [`image/${type}`]);
    }
    const cleared = await dataOf(mcp, 'set_workspace', { icon: '' });
    assert.equal(cleared.icon, null);
  },
);

test(...claims('mcp.image-icon.types', 'other images are rejected and change nothing'), async () => {
  const { workspace, mcp } = await openWorkspace();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
  await assertHardError(mcp, 'set_workspace_image_icon', { content: svg }, /PNG, JPEG, GIF or WebP/i);
  const plain = Buffer.from('text').toString('base64');
  await assertHardError(mcp, 'set_workspace_image_icon', { content: plain }, /PNG, JPEG, GIF or WebP/i);
  const wrong = `${images.png.toString('base64').slice(0, 20)}!?`;
  await assertHardError(mcp, 'set_workspace_image_icon', { content: wrong }, /base64/);
  await assertHardError(mcp, 'set_workspace_image_icon', { content: '' }, /^content: .*empty/);
  assert.equal(jsonOf(await workspace.send('GET', '')).icon, null);
});

test(...claims('mcp.image-icon.limit', 'an image has at most 1 MiB, to the byte'), async () => {
  const { workspace, mcp } = await openWorkspace();
  const image = (bytes: number) => Buffer.concat([images.png, Buffer.alloc(bytes - images.png.length, 1)]);
  const over = image(1024 * 1024 + 1).toString('base64');
  await assertHardError(mcp, 'set_workspace_image_icon', { content: over }, /1048576|1 MiB/);
  assert.equal(jsonOf(await workspace.send('GET', '')).icon, null);
  const content = image(1024 * 1024).toString('base64');
  assert.match(textAt(await dataOf(mcp, 'set_workspace_image_icon', { content }), 'icon'), /^http/);
});

test(...claims(['mcp.usage', 'mcp.usage.unlimited'], 'usage has null for each missing limit'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('a.md', 'seven..');
  await workspace.put('.keep', 'x');
  const usage = await dataOf(mcp, 'get_usage');
  const { usedBytes, limitBytes, remainingBytes, warning, usedFiles, limitFiles, remainingFiles } = jsonOf(
    await workspace.query('usage'),
  );
  assert.deepEqual(usage, {
    usedBytes,
    limitBytes,
    remainingBytes,
    warning,
    usedFiles,
    limitFiles,
    remainingFiles,
  });
  assert.deepEqual([usage.usedBytes, usage.usedFiles, usage.warning], [8, 2, false]);
  if (process.env.STOA_TEST_URL === undefined) {
    assert.deepEqual(
      [usage.limitBytes, usage.remainingBytes, usage.limitFiles, usage.remainingFiles],
      [null, null, null, null],
    );
    assert.match((await mcp.call('get_usage')).text, /^8 bytes used, no limit\.\n2 files used, /);
    await workspace.remove('a.md', 1);
    assert.match((await mcp.call('get_usage')).text, /^1 byte used, no limit\.\n1 file used, /);
  }
});

test(...claims('mcp.usage.history', 'the extended set reports the size of earlier versions'), async () => {
  const { workspace } = await openWorkspace();
  await workspace.put('a.md', 'seven..');
  await workspace.put('a.md', 'eight...', { ifMatch: 1 });
  const key = await createKey(ada, { workspaceId: workspace.id });
  const mcp = openMcp(server, key, { toolSet: 'extended' });
  const usage = await dataOf(mcp, 'get_usage');
  const { historyBytes, limitHistoryBytes } = jsonOf(await workspace.query('usage'));
  assert.deepEqual([usage.historyBytes, usage.limitHistoryBytes], [historyBytes, limitHistoryBytes]);
  assert.match((await mcp.call('get_usage')).text, /^7 bytes of earlier versions and deleted files, /m);
});
