import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertStatus, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { seedFrom, sizeFrom } from '../support/random.ts';
import { headerOf, type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

/**
 * Two keys write, move, delete and restore files of a few names. Each writes lines that the other never writes.
 * Then the changes of one key in a period are undone.
 * The other key loses no line. No undone line stays in a file, unless the response reports that file as left.
 * Every earlier text can still be read.
 */
const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');
const [undone, staying] = [
  await createKey(ada, { name: 'Undone' }),
  await createKey(ada, { name: 'Staying' }),
];
/** One of them is a folder at times. */
const names = ['a.md', 'b.md', 'c.md', 'd', 'd/c.md'];
/** All of them, one after the other. */
const prefixes = ['d', 'c.md', 'b.md', 'a.md'];
const allTime = { since: '2000-01-01T00:00:00Z', until: undefined };

type Kind = 'create' | 'insert' | 'replace' | 'remove' | 'delete' | 'restore' | 'move';

interface Operation {
  readonly by: 'undone' | 'staying';
  readonly kind: Kind;
  /** An index into the paths that fit at that time: existing or free ones. */
  readonly path: number;
  /** The destination of a move. */
  readonly to: number;
  /** A line, or a version. */
  readonly at: number;
}

interface Play {
  readonly operations: readonly Operation[];
  /** The actor undoes their own changes, or the owner does. */
  readonly caller: 'owner' | 'undone';
  /** The part of the operations to undo, as fractions of all; null for all. */
  readonly time: { readonly from: number; readonly to: number } | null;
  readonly isPathByPath: boolean;
}

const operation: fc.Arbitrary<Operation> = fc.record({
  by: fc.constantFrom('undone', 'staying'),
  kind: fc.constantFrom(
    ...(['create', 'insert', 'insert', 'replace', 'remove', 'delete', 'delete'] as const),
    ...(['restore', 'restore', 'move', 'move', 'move'] as const),
  ),
  path: fc.nat(names.length - 1),
  to: fc.nat(names.length - 1),
  at: fc.nat(11),
});

const part = fc.nat(9).map((tenths) => tenths / 10);
const play: fc.Arbitrary<Play> = fc.record({
  operations: fc.array(operation, { minLength: 3, maxLength: 12, size: 'max' }),
  caller: fc.constantFrom('owner', 'undone'),
  time: fc.option(fc.record({ from: part, to: part })),
  isPathByPath: fc.boolean(),
});

/** A text that was at a path. */
interface Stood {
  readonly path: string;
  readonly version: number;
  readonly text: string;
}

/** The result of an operation. */
interface Done extends Pick<Operation, 'by' | 'kind'> {
  readonly createdAt: string;
  /** The line that only this operation wrote. */
  readonly wrote: string | null;
  /** Lines that a restore brought to a path that did not have them. */
  readonly broughtBack: readonly string[];
}

class Scene {
  readonly owner: WorkspaceClient;
  readonly undone: WorkspaceClient;
  readonly staying: WorkspaceClient;
  readonly done: Done[] = [];
  readonly stood: Stood[] = [];

  constructor(owner: WorkspaceClient) {
    this.owner = owner;
    this.undone = owner.as(undone.client);
    this.staying = owner.as(staying.client);
  }

  async fileAt(path: string): Promise<Stood | null> {
    const response = await this.owner.get(path);
    if (response.status === 404) return null;
    assertStatus(response, 200);
    const version = Number(headerOf(response, 'x-service-version'));
    return { path, version, text: response.bytes.toString() };
  }

  async all(): Promise<ReadonlyMap<string, Stood>> {
    const all = await Promise.all(names.map((path) => this.fileAt(path)));
    return new Map(all.flatMap((stood) => (stood === null ? [] : [[stood.path, stood]])));
  }

  /** Skips an operation that does not fit: one that would put a file at the path of a folder. */
  async act({ by, kind, path, to, at }: Operation, number: number): Promise<void> {
    const existing = await this.all();
    const isThere = (name: string) => existing.has(name);
    const isFree = (name: string) => !existing.has(name);
    const isFitting = kind === 'create' ? isFree : kind === 'restore' ? () => true : isThere;
    const from = pick(names.filter(isFitting), path);
    const target = { path: from ?? pick(names, path) ?? '', to: pick(names.filter(isFree), to) ?? '' };
    const before = existing.get(target.path) ?? null;
    const line = `${by} ${number}`;
    const wrote = await this.#write(this[by], before, { kind, at, ...target }, line);
    if (wrote === 'refused') return;
    const now = await this.fileAt(kind === 'move' ? target.to : target.path);
    if (now !== null) this.stood.push(now);
    const last = (await this.owner.changes()).at(-1) ?? {};
    const broughtBack =
      kind === 'restore' ? linesOf(now).filter((each) => !linesOf(before).includes(each)) : [];
    const createdAt = textAt(last, 'createdAt');
    this.done.push({ by, kind, createdAt, wrote: wrote === 'wrote' ? line : null, broughtBack });
    while (Date.now() <= Date.parse(createdAt)) await new Promise((resolve) => setImmediate(resolve));
  }

  async #write(
    as: WorkspaceClient,
    before: Stood | null,
    { kind, path, to, at }: Pick<Operation, 'kind' | 'at'> & { readonly path: string; readonly to: string },
    line: string,
  ): Promise<'wrote' | 'done' | 'refused'> {
    const isFine = (status: number, fine: 'wrote' | 'done') => (status < 300 ? fine : 'refused');
    if (kind === 'restore') {
      const listed = await this.owner.query('versions', { path });
      const versions = listed.status === 200 ? recordsAt(jsonOf(listed), 'versions') : [];
      const wanted = versions[at % Math.max(1, versions.length)];
      if (wanted === undefined) return 'refused';
      const { version, contentHash } = wanted;
      const restored = await as.post('restore', { path, targetVersion: version, contentHash });
      return isFine(restored.status, 'done');
    }
    if (before === null) {
      if (kind !== 'create' && kind !== 'insert') return 'refused';
      return isFine((await as.put(path, `${line}\n`)).status, 'wrote');
    }
    if (kind === 'move') return isFine((await as.post('move', { from: path, to })).status, 'done');
    if (kind === 'delete') return isFine((await as.remove(path, before.version)).status, 'done');
    const lines = [...linesOf(before)];
    const location = lines.length === 0 ? 0 : at % lines.length;
    const isRemoval = kind === 'remove' && lines.length > 1;
    if (isRemoval) lines.splice(location, 1);
    else lines.splice(location, kind === 'replace' ? 1 : 0, line);
    const put = await as.put(path, lines.map((each) => `${each}\n`).join(''), { ifMatch: before.version });
    return isFine(put.status, isRemoval ? 'done' : 'wrote');
  }
}

const pick = (from: readonly string[], at: number): string | undefined => from[at % Math.max(1, from.length)];

const linesOf = (stood: Stood | null | undefined): readonly string[] =>
  stood?.text.split('\n').slice(0, -1) ?? [];

function timeOf({ done }: Scene, { time }: Play) {
  if (time === null || done.length === 0) return allTime;
  const [from, to] = [time.from, time.to].sort((a, b) => a - b);
  const at = (share = 0) => done[Math.floor(share * done.length)]?.createdAt;
  return { since: at(from), until: at(to) };
}

async function undo(scene: Scene, play: Play, dryRun: boolean): Promise<readonly JsonRecord[]> {
  const options = play.isPathByPath ? prefixes.map((path) => ({ path })) : [{}];
  const files: JsonRecord[] = [];
  for (const given of options) {
    const body = { actorKeyId: undone.id, ...timeOf(scene, play), dryRun, ...given };
    const response = await scene[play.caller].post('undo', body);
    assertStatus(response, 200);
    const { nextPath } = jsonOf(response);
    assert.equal(nextPath, null);
    files.push(...recordsAt(jsonOf(response), 'files'));
  }
  return files;
}

const brief = ({ path, outcome, reason, movedFrom }: JsonRecord) =>
  [outcome, path, reason ?? '', movedFrom ?? ''].join(' ').trim();
/** Outcomes that a dry run cannot tell apart: another undo may block or free the path of a deleted file. */
const reportedBefore = (file: JsonRecord) =>
  file.outcome === 'recreated' || file.reason === 'path_taken'
    ? `recreated or in the way ${String(file.path)}`
    : brief(file);
const changing = ['restored', 'merged', 'deleted', 'recreated'];

/** The owner of a line: the undone key, the other one, or both. */
function ownerOf(line: string, done: readonly Done[], isUndone: (each: Done) => boolean) {
  const [writer] = done.filter(({ wrote }) => wrote === line);
  const hands = [writer, ...done.filter(({ broughtBack }) => broughtBack.includes(line))];
  const theirs = hands.map((each) => each !== undefined && isUndone(each));
  if (theirs.every(Boolean)) return 'undone';
  return theirs.some(Boolean) ? 'both' : 'staying';
}

const runs = sizeFrom('STOA_UNDO_SEQUENCES', 24);
const [title, { timeout }] = claims(
  [
    ...(['history.undo.moves', 'history.undo.deletes', 'history.undo.time'] as const),
    ...(['history.undo.repeat', 'history.undo.dry-run'] as const),
  ],
  'an undo takes only the actor’s lines, whatever happened to the files',
);

test(title, { timeout: Math.max(timeout, runs * 10_000) }, async (t) => {
  const seed = seedFrom('STOA_UNDO_SEED');
  t.diagnostic(`STOA_UNDO_SEED=${seed} STOA_UNDO_SEQUENCES=${runs}`);
  const reported = new Map<unknown, number>();
  const property = fc.asyncProperty(play, async (play) => {
    const scene = new Scene(await createWorkspace(ada));
    for (const path of ['a.md', 'd/c.md']) assertStatus(await scene.owner.put(path, 'start\n'), 201);
    for (const [number, action] of play.operations.entries()) await scene.act(action, number);
    const before = await scene.all();
    const feed = await scene.owner.changes();
    const planned = await undo(scene, play, true);
    assert.deepEqual(await scene.owner.changes(), feed, 'a dry run changed something');
    const files = await undo(scene, play, false);
    const outcomes = new Map(files.map((file) => [textAt(file, 'path'), textAt(file, 'outcome')]));
    for (const outcome of outcomes.values()) reported.set(outcome, (reported.get(outcome) ?? 0) + 1);
    assert.deepEqual(files.map(reportedBefore), planned.map(reportedBefore));

    const { since, until } = timeOf(scene, play);
    const isUndone = ({ by, createdAt }: Done) =>
      by === 'undone' && createdAt >= (since ?? '') && (until === undefined || createdAt <= until);
    const after = await scene.all();
    for (const path of names) {
      const [was, is] = [linesOf(before.get(path)), linesOf(after.get(path))];
      const isChanged = changing.includes(outcomes.get(path) ?? '');
      if (!isChanged) assert.deepEqual(after.get(path), before.get(path), path);
      const lost = was.filter(
        (line) => ownerOf(line, scene.done, isUndone) === 'staying' && !is.includes(line),
      );
      assert.deepEqual(lost, [], `${path} lost a line of the other key`);
      if (isChanged || outcomes.get(path) === 'unchanged') {
        assert.deepEqual(
          is.filter((line) => ownerOf(line, scene.done, isUndone) === 'undone'),
          [],
          `${path} still has an undone line`,
        );
      }
    }
    const ended = await scene.owner.changes();
    const changes = [...outcomes.values()].filter((outcome) => changing.includes(outcome)).length;
    assert.equal(ended.length, feed.length + changes);
    const again = await undo(scene, play, false);
    assert.deepEqual(
      again.filter(({ outcome }) => changing.includes(String(outcome))),
      [],
    );
    assert.deepEqual(await scene.owner.changes(), ended);
    for (const { path, version, text } of scene.stood) {
      const contentHash = sha256(text);
      const read = await scene.owner.query('version', { path, version, contentHash });
      assert.equal(read.bytes.toString(), text, `${path} ${version} cannot be read any more`);
    }
  });
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: false });
  t.diagnostic(JSON.stringify(Object.fromEntries(reported)));
});
