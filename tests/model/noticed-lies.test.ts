import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolResult } from '../support/mcp-client.ts';
import type { HttpResponse } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import type { Command } from './commands.ts';
import { playersOn } from './make-players.ts';
import { play } from './play.ts';
import type { Caller, Player } from './player.ts';

/** Keeps the model's comparisons honest: the model must notice one changed response of the service. */
const players = await playersOn(await useTarget());

type Lie = (operation: string, response: HttpResponse) => HttpResponse;
type ToolLie = (tool: string, result: ToolResult) => ToolResult;
const honest: ToolLie = (_, result) => result;

/** The same workspace through a service that changes some responses to account-wide keys. */
function lying(
  players: readonly [Player, Player],
  lie: Lie,
  lieByTool: ToolLie = honest,
): readonly [Player, Player] {
  const tools = (each: Caller['tools']): Caller['tools'] => ({
    legacy: { call: async (tool, given) => lieByTool(tool, await each.legacy.call(tool, given)) },
    modern: { call: async (tool, given) => lieByTool(tool, await each.modern.call(tool, given)) },
  });
  const wrap = ({ 'account-wide': honestCaller, scoped }: Player): Player => ({
    scoped,
    'account-wide': {
      ...honestCaller,
      tools: tools(honestCaller.tools),
      workspace: {
        ...honestCaller.workspace,
        put: async (path, body, put) => lie('put', await honestCaller.workspace.put(path, body, put)),
        query: async (operation, parameters) =>
          lie(operation, await honestCaller.workspace.query(operation, parameters)),
        post: async (operation, json) => lie(operation, await honestCaller.workspace.post(operation, json)),
      },
    },
  });
  return [wrap(players[0]), wrap(players[1])];
}

const rest = { surface: 'rest', key: 'account-wide', encoding: 'utf8' } as const;
const twoWrites: readonly Command[] = (['none', 'current'] as const).map((precondition) => ({
  kind: 'put',
  actor: 0,
  via: rest,
  path: { kind: 'named', path: 'a.md' },
  content: precondition,
  contentType: null,
  precondition,
  hash: 'none',
  rejectStale: false,
  allowEmpty: false,
}));

const edited = (response: HttpResponse, from: string, to: string): HttpResponse => ({
  ...response,
  bytes: Buffer.from(response.bytes.toString('utf8').replace(from, to)),
});

for (const [title, lie] of [
  [
    'a version that is off by one',
    (operation, response) =>
      operation === 'put' ? edited(response, '"version":2', '"version":3') : response,
  ],
  [
    'an update called a creation',
    (operation, response) =>
      operation === 'put' && response.status === 200 ? { ...response, status: 201 } : response,
  ],
  [
    'a change that is missing',
    (operation, response) =>
      operation === 'changes'
        ? edited(response, /\{"id".*?\},/.exec(response.bytes.toString())?.[0] ?? '', '')
        : response,
  ],
  [
    'a change by another author',
    (operation, response) => (operation === 'changes' ? edited(response, '"Robot"', '"Laptop"') : response),
  ],
  [
    'a file of another size',
    (operation, response) => (operation === 'list' ? edited(response, '"size":7', '"size":8') : response),
  ],
  [
    'a file with another author',
    (operation, response) => (operation === 'list' ? edited(response, '"Robot"', '"Laptop"') : response),
  ],
  [
    'usage that forgot a byte',
    (operation, response) =>
      operation === 'usage' ? edited(response, '"usedBytes":7', '"usedBytes":6') : response,
  ],
] as const satisfies readonly (readonly [string, Lie])[]) {
  test(`the model notices ${title}`, async () => {
    await play(twoWrites, await players());
    await assert.rejects(play(twoWrites, lying(await players(), lie)));
  });
}

const oneMadePrivate: readonly Command[] = [
  ...twoWrites,
  {
    kind: 'private',
    actor: 0,
    via: rest,
    path: { kind: 'named', path: 'a.md' },
    node: 'file',
    private: true,
  },
];

for (const [title, lie] of [
  [
    'a private file in the list of another',
    (operation, response) =>
      operation === 'list'
        ? edited(
            response,
            '"entries":[]',
            '"entries":[{"path":"a.md","size":7,"contentType":"text/markdown","version":2}]',
          )
        : response,
  ],
  [
    'a lost path without a notification',
    (operation, response) =>
      operation === 'changes'
        ? edited(response, /\{"id"[^{]*"access_revoked".*?\}/.exec(response.bytes.toString())?.[0] ?? '', '')
        : response,
  ],
] as const satisfies readonly (readonly [string, Lie])[]) {
  test(`the model notices ${title}`, async () => {
    await play(oneMadePrivate, await players());
    await assert.rejects(play(oneMadePrivate, lying(await players(), lie)));
  });
}

const [written, updated] = twoWrites;
assert.ok(written?.kind === 'put' && updated !== undefined);
const oneConflict: readonly Command[] = [
  written,
  updated,
  { ...written, content: 'mine', precondition: 'older' },
  {
    kind: 'search-content',
    actor: 0,
    via: rest,
    text: 'MINE',
    matchCase: false,
    prefix: '',
    after: null,
  },
  { kind: 'find', actor: 0, via: rest, query: 'mine OR conflicted' },
  { kind: 'resolve', actor: 0, via: rest, at: 0, keep: 'merge' },
  { kind: 'resolve', actor: 0, via: rest, at: 0, keep: 'copy' },
];

for (const [title, lie] of [
  [
    'a file that was not searched',
    (operation, response) =>
      operation === 'search-content' ? edited(response, '"searchedFiles":2', '"searchedFiles":1') : response,
  ],
  [
    'a line of another text',
    (operation, response) =>
      operation === 'search-content' ? edited(response, '"mine"', '"MINE"') : response,
  ],
  [
    'a file that was not found',
    (operation, response) =>
      operation === 'find' ? edited(response, '"path":"a (', '"path":"b (') : response,
  ],
  [
    'a merge of lines that both changed',
    (operation, response) =>
      operation === 'resolve-conflict' && response.status === 409 ? { ...response, status: 200 } : response,
  ],
  [
    'a copy that did not become a version',
    (operation, response) =>
      operation === 'resolve-conflict' ? edited(response, '"version":3', '"version":2') : response,
  ],
] as const satisfies readonly (readonly [string, Lie])[]) {
  test(`the model notices ${title}`, async () => {
    await play(oneConflict, await players());
    await assert.rejects(play(oneConflict, lying(await players(), lie)));
  });
}

const byTool = { surface: 'modern', key: 'account-wide', encoding: 'utf8' } as const;
const [firstWrite, secondWrite] = twoWrites.map((write) => ({ ...write, via: byTool }));
assert.ok(firstWrite !== undefined && secondWrite?.kind === 'put');
const twoToolWrites: readonly Command[] = [firstWrite, secondWrite];
const writeWithoutBase: readonly Command[] = [firstWrite, { ...secondWrite, precondition: 'none' }];
const read: Command = {
  kind: 'get',
  actor: 0,
  via: byTool,
  path: { kind: 'named', path: 'a.md' },
  known: 'none',
  window: null,
};
const list: Command = { kind: 'list', actor: 1, via: byTool, prefix: '', page: null };

const toolLies: readonly (readonly [string, readonly Command[], ToolLie])[] = [
  [
    'gives another version',
    twoToolWrites,
    (_, result) => (result.data.version === 2 ? { ...result, data: { ok: true, version: 3 } } : result),
  ],
  [
    'overwrites a file',
    writeWithoutBase,
    (_, result) =>
      result.data.ok === false
        ? { ...result, text: 'Updated a.md, version 2.', data: { ok: true, version: 2 } }
        : result,
  ],
  [
    'omits the conflicted copy from its text',
    writeWithoutBase,
    (_, result) => (result.data.ok === false ? { ...result, text: 'Version 1 is there.' } : result),
  ],
  [
    'loses the content',
    [firstWrite, read],
    (name, result) => (name === 'read_file' ? { ...result, data: { ...result.data, content: '' } } : result),
  ],
  [
    'continues after the end of a file',
    [firstWrite, { ...read, window: 0 }],
    (name, result) =>
      name === 'read_file' ? { ...result, data: { ...result.data, nextOffset: 1 } } : result,
  ],
  [
    'lists a private file of another',
    [...oneMadePrivate, list],
    (name, result) => (name === 'list_files' ? { ...result, text: 'a.md\tv2 7 bytes' } : result),
  ],
  [
    'distinguishes a hidden file from a missing one',
    [...oneMadePrivate, { ...read, actor: 1 }],
    (_, result) => (result.isError ? { ...result, text: 'This file is private' } : result),
  ],
];

for (const [title, commands, lie] of toolLies) {
  test(`the model notices a tool that ${title}`, async () => {
    await play(commands, await players());
    await assert.rejects(
      play(
        commands,
        lying(await players(), (_, response) => response, lie),
      ),
    );
  });
}
