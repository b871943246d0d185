import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { integerAt, type JsonRecord, jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');
const robot = await createKey(ada);
const emptyWorkspace = () => createWorkspace(ada, robot.client);

const colors = ['blue', 'violet', 'emerald', 'amber', 'rose', 'cyan', 'slate', 'neutral'];
const themes = ['light', 'dark', 'dracula', 'nord', 'solarized-light', 'rose-pine', 'service'];

async function patched(workspace: WorkspaceClient, fields: unknown): Promise<JsonRecord> {
  assertStatus(await workspace.send('PATCH', '', { json: fields }), 200);
  const response = await workspace.send('GET', '');
  assertStatus(response, 200);
  return jsonOf(response);
}

test(...claims('workspaces.create', 'a new workspace belongs to its maker'), async () => {
  const response = await ada.session.send('POST', '/api/workspaces', { json: { name: 'Notes' } });
  assertStatus(response, 200);
  const { id, ...rest } = jsonOf(response);
  assert.equal(typeof id, 'string');
  assert.deepEqual(rest, {
    name: 'Notes',
    icon: null,
    color: null,
    theme: null,
    themeCss: null,
    role: 'owner',
  });
});

test(...claims('workspaces.create-fields', 'icon and color can come with the name'), async () => {
  const json = { name: 'Notes', icon: '🦉', color: 'rose' };
  const response = await ada.session.send('POST', '/api/workspaces', { json });
  assertStatus(response, 200);
  const { name, icon, color } = jsonOf(response);
  assert.deepEqual({ name, icon, color }, json);
});

for (const json of [
  {},
  { name: '' },
  { name: 7 },
  { name: 'x'.repeat(101) },
  { name: 'x', color: 'red' },
  [],
]) {
  test(
    ...claims('workspaces.create-malformed', `${JSON.stringify(json).slice(0, 30)} makes no workspace`),
    async () => {
      assertRejection(await ada.session.send('POST', '/api/workspaces', { json }), 400);
    },
  );
}

test(...claims('workspaces.list', 'a person sees own workspaces and no others'), async () => {
  const eve = await signUp(server, 'Eve');
  const evesHome = await createWorkspace(eve, eve.session, "Eve's");
  const mine = await emptyWorkspace();
  const listFor = async (person: typeof ada) => {
    const response = await person.session.send('GET', '/api/workspaces');
    assertStatus(response, 200);
    return recordsAt(jsonOf(response), 'workspaces');
  };
  const adas = (await listFor(ada)).map(({ id }) => id);
  assert.ok(adas.includes(mine.id));
  assert.ok(!adas.includes(evesHome.id));
  const eves = await listFor(eve);
  assert.deepEqual(
    eves.map(({ id, name }) => ({ id, name })),
    [{ id: evesHome.id, name: "Eve's" }],
  );
});

test(...claims('workspaces.get', 'a workspace has its documented fields'), async () => {
  const workspace = await emptyWorkspace();
  assertJson(await workspace.send('GET', ''), 200, {
    id: workspace.id,
    name: 'Workspace',
    icon: null,
    color: null,
    theme: null,
    themeCss: null,
  });
});

test(
  ...claims(['workspaces.patch', 'workspaces.patch-key'], 'one field changes and the others stay'),
  async () => {
    const workspace = await emptyWorkspace();
    for (const [field, value] of [
      ['name', 'Renamed'],
      ['icon', '🐢'],
      ['color', 'amber'],
      ['theme', 'nord'],
      ['themeCss', 'h1 { color: red }'],
    ] as const) {
      const before = jsonOf(await workspace.send('GET', ''));
      const after = await patched(workspace, { [field]: value });
      if (field === 'themeCss') assert.match(textAt(after, field), /color:\s*red/);
      else assert.equal(after[field], value);
      assert.deepEqual({ ...after, [field]: null }, { ...before, [field]: null });
    }
  },
);

for (const cleared of ['', null]) {
  test(...claims('workspaces.patch-clear', `${JSON.stringify(cleared)} clears a field`), async () => {
    const workspace = await emptyWorkspace();
    await patched(workspace, { icon: '🐢', color: 'amber', theme: 'nord', themeCss: 'h1 { color: red }' });
    const after = await patched(workspace, {
      icon: cleared,
      color: cleared,
      theme: cleared,
      themeCss: cleared,
    });
    const { icon, color, theme, themeCss } = after;
    assert.deepEqual(
      { icon, color, theme, themeCss },
      { icon: null, color: null, theme: null, themeCss: null },
    );
  });
}

test(...claims('workspaces.patch-name', 'a name has 1 to 100 characters'), async () => {
  const workspace = await emptyWorkspace();
  assert.equal((await patched(workspace, { name: 'ü'.repeat(100) })).name, 'ü'.repeat(100));
  for (const name of ['', null, 'x'.repeat(101), 7]) {
    assertRejection(await workspace.send('PATCH', '', { json: { name } }), 400);
  }
  assert.equal(jsonOf(await workspace.send('GET', '')).name, 'ü'.repeat(100));
});

test(
  ...claims(
    ['workspaces.patch-colors', 'workspaces.patch-themes'],
    'colors and themes are those of the list',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    for (const color of colors) assert.equal((await patched(workspace, { color })).color, color);
    for (const theme of themes) assert.equal((await patched(workspace, { theme })).theme, theme);
    for (const wrong of [
      { color: 'red' },
      { color: 'BLUE' },
      { theme: 'stoa' },
      { theme: 7 },
      { color: 7 },
    ]) {
      assertRejection(await workspace.send('PATCH', '', { json: wrong }), 400);
    }
  },
);

test(...claims('workspaces.theme-css', 'custom CSS loads nothing and stays inside its element'), async () => {
  const workspace = await emptyWorkspace();
  const hostile = `@import "https://evil.example/a.css"; @font-face { font-family: x; src: url(https://evil.example/f) }
    h1 { color: red; background: url("https://evil.example/i") } </style><script>alert(1)</script>`;
  const response = await workspace.send('PATCH', '', { json: { themeCss: hostile } });
  const stored = jsonOf(await workspace.send('GET', '')).themeCss ?? '';
  assert.ok(response.status === 200 || response.status === 400, `${response.status}`);
  assert.doesNotMatch(String(stored), /@import|@font-face|url\(|<\/?style|<script|evil\.example/i);
});

test(...claims('workspaces.theme-css', 'custom CSS has at most 64 KiB'), async () => {
  const workspace = await emptyWorkspace();
  const rule = 'h1 { color: red }\n';
  const fitting = rule.repeat(Math.floor(65_536 / rule.length));
  assertStatus(await workspace.send('PATCH', '', { json: { themeCss: fitting } }), 200);
  assertRejection(await workspace.send('PATCH', '', { json: { themeCss: fitting + rule } }), 400);
});

test(
  ...claims(['workspaces.usage', 'workspaces.usage-exact'], 'usage is the sum of the current files'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', '12345');
    await workspace.put('b.bin', Buffer.alloc(70_000, 1));
    await workspace.put('a.md', '123', { ifMatch: 1 });
    await workspace.put('a.md', 'late one', { ifMatch: 1 });
    await workspace.post('move', { from: 'b.bin', to: 'c.bin' });
    const usage = jsonOf(await workspace.query('usage'));
    assert.equal(integerAt(usage, 'usedBytes'), 3 + 70_000 + 8);
    assert.equal(integerAt(usage, 'usedFiles'), 3);
    await workspace.remove('c.bin', 1);
    assert.equal(integerAt(jsonOf(await workspace.query('usage')), 'usedBytes'), 11);
  },
);

test(
  ...claims('workspaces.usage-extra', 'usage says the largest file, the views and the billing'),
  async () => {
    const usage = jsonOf(await (await emptyWorkspace()).query('usage'));
    assert.deepEqual(Object.keys(usage).sort(), [
      'billing',
      'historyBytes',
      'limitBytes',
      'limitFiles',
      'limitHistoryBytes',
      'maxFileBytes',
      'remainingBytes',
      'remainingFiles',
      'shareViews',
      'usedBytes',
      'usedFiles',
      'warning',
    ]);
    assert.ok(integerAt(usage, 'maxFileBytes') > 0);
    assert.deepEqual(usage.shareViews, { total: 0, last30Days: 0 });
    assert.equal(recordOf(usage.billing).status, 'active');
    assert.equal(typeof recordOf(usage.billing).plan, 'string');
  },
);

test(...claims('workspaces.members', 'members are shown by name, without addresses'), async () => {
  const workspace = await emptyWorkspace();
  assertJson(await workspace.query('members'), 200, {
    members: [{ id: ada.id, name: 'Ada Lovelace', image: '', role: 'owner' }],
  });
});

test(
  ...claims('workspaces.name-visible', 'a workspace and a key accept and reject the same names'),
  async () => {
    const person = await signUp(server);
    const workspace = await createWorkspace(person);
    const named = async (name: string) => {
      const json = { name };
      return [
        await person.session.send('POST', '/api/workspaces', { json }),
        await person.session.send('POST', '/api/keys', { json }),
        await workspace.send('PATCH', '', { json }),
      ];
    };
    for (const name of ['no\u202etes', 'no\u2028tes', '\u2066notes', 'no\u0007tes', '   ', 'x'.repeat(101)]) {
      for (const response of await named(name)) assertRejection(response, 400, { says: /^name/ });
    }
    for (const response of await named('  Notes \u{1f600} ')) {
      assertStatus(response, 200);
      assert.equal(jsonOf(response).name, 'Notes \u{1f600}');
    }
  },
);
