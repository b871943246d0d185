import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extendedTools, type PublishedTool, publishTools, tools } from '@stoa/contract';

const listMaxBytes = 12_000;
const accountWide = publishTools('account-wide');
const scoped = publishTools('scoped');
const extended = publishTools('account-wide', 'extended');
const lists: readonly (readonly PublishedTool[])[] = [
  accountWide,
  scoped,
  extended,
  publishTools('scoped', 'extended'),
  publishTools('account-wide', 'files'),
  publishTools('scoped', 'files'),
];

/** Maximum size of each list in bytes, which an agent pays for. */
const listsMaxBytes = {
  extended: { 'account-wide': 16_800, scoped: 14_700 },
  files: { 'account-wide': 11_700, scoped: 9_700 },
} as const;

/** Expected hints for clients that run a tool without asking, listed a second time by its effect. */
const hints = {
  list_workspaces: 'reads',
  create_workspace: 'adds',
  set_workspace: 'replaces',
  set_workspace_image_icon: 'replaces',
  get_usage: 'reads',
  list_files: 'reads',
  search_files: 'reads',
  read_file: 'reads',
  write_file: 'repeatable',
  move_file: 'repeatable',
  delete_file: 'replaces',
  set_file_icon: 'replaces',
  set_private: 'replaces',
  read_file_version: 'reads',
  restore_file: 'adds',
  create_share: 'adds',
  list_shares: 'reads',
  revoke_share: 'replaces',
  list_comments: 'reads',
  add_comment: 'adds',
  reply_comment: 'adds',
  resolve_comment: 'repeatable',
} as const;

/** The tools that the extended set adds. */
const addedHints = {
  edit_file: 'adds',
  append_file: 'adds',
  read_lines: 'reads',
  search_content: 'reads',
  catch_up: 'reads',
  answer_comments: 'adds',
  resolve_conflict: 'adds',
} as const;

const annotationsOf = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  repeatable: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const;

test('the whole list costs an agent at most 12,000 bytes', (t) => {
  const bytes = Buffer.byteLength(JSON.stringify(accountWide));
  t.diagnostic(`${accountWide.length} tools, ${bytes} bytes`);
  assert.ok(bytes <= listMaxBytes, `${bytes} bytes`);
});

for (const set of ['extended', 'files'] as const) {
  for (const key of ['account-wide', 'scoped'] as const) {
    test(`the ${set} list of ${key} keys has at most ${listsMaxBytes[set][key]} bytes`, (t) => {
      const list = publishTools(key, set);
      const bytes = Buffer.byteLength(JSON.stringify(list));
      t.diagnostic(`${list.length} tools, ${bytes} bytes`);
      assert.ok(bytes <= listsMaxBytes[set][key], `${bytes} bytes`);
    });
  }
}

test('the extended set adds tools after the standard ones, and the lean set omits those beyond files', () => {
  assert.deepEqual(
    extended.map(({ name }) => name),
    [...Object.keys(hints), ...Object.keys(addedHints)],
  );
  const lean = publishTools('account-wide', 'files').map(({ name }) => name);
  assert.deepEqual(
    extended.map(({ name }) => name).filter((name) => !lean.includes(name)),
    [
      'set_workspace',
      'set_workspace_image_icon',
      'get_usage',
      'set_file_icon',
      'set_private',
      'create_share',
      'list_shares',
      'revoke_share',
      'reply_comment',
      'resolve_comment',
      'resolve_conflict',
    ],
  );
});

test('an account-wide key sees all 22 tools, a scoped one those that act in a workspace', () => {
  const names = Object.keys(hints);
  assert.equal(names.length, 22);
  assert.deepEqual(
    accountWide.map(({ name }) => name),
    names,
  );
  assert.deepEqual(
    scoped.map(({ name }) => name),
    names.filter((name) => name !== 'list_workspaces' && name !== 'create_workspace'),
  );
});

test('a scoped list nowhere names a workspaceId', () => {
  for (const { name, inputSchema } of scoped) {
    assert.ok(!Object.hasOwn(inputSchema.properties ?? {}, 'workspaceId'), name);
    assert.ok(!(inputSchema.required ?? []).includes('workspaceId'), name);
  }
  assert.ok(!JSON.stringify(scoped).includes('workspaceId'));
});

test('the two lists differ only in workspaceId', () => {
  for (const tool of scoped) {
    const wide = accountWide.find(({ name }) => name === tool.name);
    assert.ok(wide !== undefined);
    const { workspaceId, ...properties } = wide.inputSchema.properties ?? {};
    assert.deepEqual(workspaceId, { type: 'string' }, tool.name);
    assert.equal(wide.inputSchema.required?.[0], 'workspaceId', tool.name);
    assert.deepEqual(properties, tool.inputSchema.properties ?? {}, tool.name);
    assert.deepEqual(wide.inputSchema.required?.slice(1), tool.inputSchema.required ?? [], tool.name);
    assert.equal(wide.description, tool.description);
  }
});

test('every tool has correct hints for read-only, destructive and idempotent calls', () => {
  for (const { name, annotations } of lists.flat()) {
    const kind = Object.entries({ ...hints, ...addedHints }).find(([tool]) => tool === name)?.[1];
    assert.ok(kind !== undefined, name);
    assert.deepEqual(annotations, annotationsOf[kind], name);
  }
});

test('every tool has a title and a description of suitable length', () => {
  const titles = new Set(extended.map(({ title }) => title));
  assert.equal(titles.size, extended.length);
  for (const { name, title, description } of lists.flat()) {
    assert.match(name, /^[a-z]+(_[a-z]+)+$/);
    assert.match(title, /^[A-Z][a-z ]{4,40}$/, name);
    assert.ok(description.length >= 50 && description.length <= 350, `${name}: ${description.length}`);
    assert.match(description, /\.$/, name);
  }
});

test('the description of a search says that it does not search contents', () => {
  assert.match(accountWide.find(({ name }) => name === 'search_files')?.description ?? '', /not contents/);
});

test('no schema has a top-level keyword that breaks whole sessions', () => {
  for (const { name, inputSchema } of lists.flat()) {
    const allowed = new Set(['type', 'properties', 'required']);
    assert.deepEqual(
      Object.keys(inputSchema).filter((key) => !allowed.has(key)),
      [],
      name,
    );
    assert.equal(inputSchema.type, 'object', name);
    for (const required of inputSchema.required ?? []) {
      assert.ok(Object.hasOwn(inputSchema.properties ?? {}, required), `${name}.${required}`);
    }
  }
});

test('no schema refers to another, and none repeats the bounds of machine numbers', () => {
  const text = JSON.stringify(lists);
  for (const word of ['$ref', '$schema', '$defs', 'additionalProperties', '9007199254740991']) {
    assert.ok(!text.includes(word), word);
  }
});

test('every parameter has one type that a client can fill in', () => {
  for (const { name, inputSchema } of lists.flat()) {
    for (const [parameter, schema] of Object.entries(inputSchema.properties ?? {})) {
      assert.match(String(schema.type), /^(string|integer|boolean|array)$/, `${name}.${parameter}`);
    }
  }
});

test('each tool is defined once', () => {
  for (const each of [tools, extendedTools]) {
    assert.equal(new Set(Object.values(each).map(({ name }) => name)).size, Object.values(each).length);
  }
});
