import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extendedInstructions, extendedTools, instructions, instructionsFor, tools } from '@stoa/contract';

/** Clients silently cut longer instructions. */
const instructionsMaxCharacters = 2048;

/** The seven points of the instructions (interface: mcp, Instructions) and the text that each needs. */
const points = [
  {
    point: 'a shared file workspace of plain bytes',
    says: [/shared file workspace/, /plain bytes/, /front matter/],
  },
  {
    point: 'AGENTS.md first',
    says: [/Read AGENTS\.md at the root first/, /conventions/, /setup guide/, /organise/],
  },
  {
    point: 'front matter',
    says: [/date: YYYY-MM-DD/, /view: calendar/, /title:/, /README\.md or index\.md/],
  },
  { point: 'comments are apart', says: [/Comments are not files/, /only the comment tools see them/] },
  {
    point: 'how to address comments, in this order',
    says: [
      /no line numbers/,
      /list_comments[\s\S]*read_file, and note the version[\s\S]*write_file[\s\S]*as baseVersion[\s\S]*reply_comment on each[\s\S]*resolve_comment only/,
      /Reply to the others and leave them open/,
    ],
  },
  {
    point: 'outdated threads',
    says: [/anchorStatus is not anchored/, /read_file_version at its pinnedVersion/],
  },
  { point: 'asking', says: [/ask a question of your own, use add_comment and quote the passage/] },
] as const;

test('the instructions fit within the limit of clients', () => {
  for (const each of [instructions, extendedInstructions])
    assert.ok(each.length <= instructionsMaxCharacters, `${each.length} characters`);
});

for (const { point, says } of points) {
  test(`the instructions explain ${point}`, () => {
    for (const phrase of says) assert.match(instructions, phrase);
  });
}

test('the most important comes first', () => {
  const locations = ['shared file workspace', 'AGENTS.md', 'baseVersion'].map((word) =>
    instructions.indexOf(word),
  );
  assert.deepEqual(
    locations,
    locations.toSorted((a, b) => a - b),
  );
  assert.ok(locations.every((location) => location >= 0 && location < instructionsMaxCharacters / 2));
});

test('every tool that the instructions name exists', () => {
  for (const [text, listed] of [
    [instructions, tools],
    [extendedInstructions, extendedTools],
  ] as const) {
    const names = new Set<string>(Object.values(listed).map(({ name }) => name));
    const named = text.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [];
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((name) => !names.has(name)),
      [],
    );
  }
});

test('the instructions of each key fit, however long its names are', () => {
  const long = '漢'.repeat(500);
  for (const set of ['standard', 'extended', 'files'] as const) {
    for (const access of ['read', 'comment', 'write'] as const) {
      for (const reach of [null, long]) {
        const workspace = { name: long, isReadOnly: true };
        const reported = instructionsFor(set, { label: long, userName: long, workspace, access, reach });
        assert.ok(
          reported.length <= instructionsMaxCharacters,
          `${set} ${access} ${reach}: ${reported.length}`,
        );
        assert.equal(reported.includes('AGENTS.md'), reach === null);
        assert.match(reported, /^You are 漢+…, for 漢+…, in 漢+…\. /);
        assert.match(reported, / The workspace is read-only: writes fail\.\n/);
      }
    }
  }
});
