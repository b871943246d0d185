import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Answer } from '../support/answer.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { type ApiKey, createKey, type Person, signUp } from '../support/people.ts';
import { seedFrom, sizeFrom } from '../support/random.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { type Command, commandSequences } from './commands.ts';
import { type Player, play } from './play.ts';

/** Sequences played at the same time, so that the service has several to commit together. */
const lanes = 8;
const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const robot = await createKey(ada, { name: 'Robot', actorType: 'agent' });
const laptop = await createKey(ben, { name: 'Laptop', actorType: 'human' });

function player(person: Person, key: ApiKey, workspace: WorkspaceClient): Player {
  const actor = { principal: key.actorType, actorId: person.id, actorKeyId: key.id, actorLabel: key.name };
  return { actor, workspace: workspace.as(key.client) };
}

/** Two members of a workspace of their own. */
async function players(): Promise<readonly [Player, Player]> {
  const workspace = await createWorkspace(ada);
  await joinWorkspace(workspace, ada, ben);
  return [player(ada, robot, workspace), player(ben, laptop, workspace)];
}

test('whatever two members do, the service answers each as the model', { timeout: 3_600_000 }, async (t) => {
  const seed = seedFrom('STOA_MODEL_SEED');
  const sequences = sizeFrom('STOA_MODEL_SEQUENCES', 2000);
  t.diagnostic(`STOA_MODEL_SEED=${seed} STOA_MODEL_SEQUENCES=${sequences}`);
  const property = () =>
    fc.asyncProperty(commandSequences, async (commands) => play(commands, await players()));
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      fc.assert(property(), {
        seed: seed + lane,
        numRuns: Math.ceil(sequences / lanes),
        endOnFailure: false,
      }),
    ),
  );
});

/** The same workspace through a service that lies in one way. */
function lying(
  players: readonly [Player, Player],
  lie: (path: string, answer: Answer) => Answer,
): readonly [Player, Player] {
  const wrap = ({ actor, workspace }: Player): Player => ({
    actor,
    workspace: {
      ...workspace,
      put: async (path, body, put) => lie('put', await workspace.put(path, body, put)),
      query: async (operation, parameters) => lie(operation, await workspace.query(operation, parameters)),
    },
  });
  return [wrap(players[0]), wrap(players[1])];
}

const twoWrites: readonly Command[] = (['none', 'current'] as const).map((precondition) => ({
  kind: 'put',
  actor: 0,
  path: { kind: 'named', path: 'a.md' },
  content: precondition,
  contentType: null,
  precondition,
}));

const edited = (answer: Answer, from: string, to: string): Answer => ({
  ...answer,
  bytes: Buffer.from(answer.bytes.toString('utf8').replace(from, to)),
});

for (const [title, lie] of [
  [
    'a version that is off by one',
    (operation, answer) => (operation === 'put' ? edited(answer, '"version":2', '"version":3') : answer),
  ],
  [
    'an update called a creation',
    (operation, answer) =>
      operation === 'put' && answer.status === 200 ? { ...answer, status: 201 } : answer,
  ],
  [
    'a change that is missing',
    (operation, answer) =>
      operation === 'changes'
        ? edited(answer, /\{"id".*?\},/.exec(answer.bytes.toString())?.[0] ?? '', '')
        : answer,
  ],
  [
    'a change made by somebody else',
    (operation, answer) => (operation === 'changes' ? edited(answer, '"Robot"', '"Laptop"') : answer),
  ],
  [
    'a file of another size',
    (operation, answer) => (operation === 'list' ? edited(answer, '"size":7', '"size":8') : answer),
  ],
  [
    'usage that forgot a byte',
    (operation, answer) =>
      operation === 'usage' ? edited(answer, '"usedBytes":7', '"usedBytes":6') : answer,
  ],
] as const satisfies readonly (readonly [string, (operation: string, answer: Answer) => Answer])[]) {
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
    path: { kind: 'named', path: 'a.md' },
    node: 'file',
    private: true,
  },
];

for (const [title, lie] of [
  [
    'a private file in the list of another',
    (operation, answer) =>
      operation === 'list'
        ? edited(
            answer,
            '"entries":[]',
            '"entries":[{"path":"a.md","size":7,"contentType":"text/markdown","version":2}]',
          )
        : answer,
  ],
  [
    'a lost path that nobody is told of',
    (operation, answer) =>
      operation === 'changes'
        ? edited(answer, /\{"id"[^{]*"access_revoked".*?\}/.exec(answer.bytes.toString())?.[0] ?? '', '')
        : answer,
  ],
] as const satisfies readonly (readonly [string, (operation: string, answer: Answer) => Answer])[]) {
  test(`the model notices ${title}`, async () => {
    await play(oneMadePrivate, await players());
    await assert.rejects(play(oneMadePrivate, lying(await players(), lie)));
  });
}
