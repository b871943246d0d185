import assert from 'node:assert/strict';
import {
  type Answer,
  headerOf,
  integerAt,
  type JsonRecord,
  jsonOf,
  recordsAt,
  textAt,
} from '../support/answer.ts';
import { iso8601 } from '../support/expect.ts';
import type { Put, WorkspaceClient } from '../support/workspace-client.ts';
import type { Command, PathChoice, VersionChoice } from './commands.ts';
import {
  type Actor,
  type Expected,
  type ModelChange,
  type Precondition,
  WorkspaceModel,
} from './workspace-model.ts';

const large = 'large '.repeat(12_000);

/** One caller: what it acts through and what its changes must say of it. */
export interface Player {
  readonly actor: Actor;
  readonly workspace: WorkspaceClient;
}

/**
 * Sends each command to the service and to the model and compares every answer, then the whole workspace.
 * @throws AssertionError that names the command where they part.
 */
export async function play(commands: readonly Command[], players: readonly [Player, Player]): Promise<void> {
  const model = new WorkspaceModel(players[0].workspace.id);
  const seqs: Seqs = new Map();
  const feeds = [new FeedReader(players[0], model, seqs), new FeedReader(players[1], model, seqs)] as const;
  for (const [turn, command] of commands.entries()) {
    await step(command, model, players, feeds).catch((error: unknown) => {
      throw new Error(`turn ${turn}, ${JSON.stringify(command).slice(0, 300)}: ${messageOf(error)}`, {
        cause: error,
      });
    });
  }
  for (const feed of feeds) await feed.compareAll();
  for (const { workspace, actor } of players) {
    compare(await workspace.query('list'), model.list(actor, ''));
  }
  await compareUsage(players[0].workspace, model);
}

async function step(
  command: Command,
  model: WorkspaceModel,
  players: readonly [Player, Player],
  feeds: readonly [FeedReader, FeedReader],
): Promise<void> {
  const number = 'actor' in command && command.actor === 1 ? 1 : 0;
  const { actor, workspace } = players[number];
  switch (command.kind) {
    case 'put': {
      const { contentType } = command;
      const content = command.content === 'large' ? large : command.content;
      const path = choose(command.path, model);
      const precondition = preconditionOf(command.precondition, model.versionOf(path));
      const answer = await workspace.put(path, content, putOf(precondition, contentType));
      const copy = answer.status === 412 ? textAt(jsonOf(answer), 'conflict_copy_path') : null;
      return compare(answer, model.put(actor, { path, content, contentType, precondition }, copy));
    }
    case 'delete': {
      const path = choose(command.path, model);
      const version = versionOf(command.version, model.versionOf(path));
      return compare(await workspace.remove(path, version ?? undefined), model.delete(actor, path, version));
    }
    case 'move': {
      const from = choose(command.from, model);
      const to = choose(command.to, model);
      // Into or out of its own name: whether the source still blocks is left open.
      if (from.startsWith(`${to}/`) || to.startsWith(`${from}/`)) return;
      const version = versionOf(command.version, model.versionOf(from));
      const base = version === null ? {} : { baseVersion: version };
      return compare(
        await workspace.post('move', { from, to, ...base }),
        model.move(actor, from, to, version),
      );
    }
    case 'restore': {
      const path = choose(command.path, model);
      const { version } = command;
      const answer = await workspace.post('restore', { path, targetVersion: version });
      return compare(answer, model.restore(actor, path, version));
    }
    case 'private': {
      const path = choose(command.path, model);
      const { node: kind, private: isPrivate } = command;
      const json = { path, kind, private: isPrivate };
      const answer = await workspace.send('PUT', '/node-private', { json });
      return compare(answer, model.setPrivate(actor, path, kind, isPrivate));
    }
    case 'get': {
      const path = choose(command.path, model);
      const known = versionOf(command.known, model.versionOf(path));
      const headers: Record<string, string> = known === null ? {} : { 'if-none-match': `"${known}"` };
      return compare(await workspace.get(path, { headers }), model.get(actor, path, known));
    }
    case 'version': {
      const path = choose(command.path, model);
      const { version } = command;
      return compare(
        await workspace.query('version', { path, version }),
        model.readVersion(actor, path, version),
      );
    }
    case 'versions': {
      const path = choose(command.path, model);
      return compare(await workspace.query('versions', { path }), model.versions(actor, path));
    }
    case 'list':
      return compare(
        await workspace.query('list', { prefix: command.prefix }),
        model.list(actor, command.prefix),
      );
    case 'search':
      return compareSearch(
        await workspace.query('search', { q: command.query, limit: 200 }),
        model.search(actor, command.query),
      );
    case 'changes':
      return feeds[number].comparePage(command.after, command.limit);
    case 'usage':
      return compareUsage(workspace, model);
  }
}

/** The sequence numbers, which only the service can know: of each change the same to all who see it. */
type Seqs = Map<ModelChange, number>;

/** Reads the feed for one caller, to whom past changes appear and vanish with what they may see. */
class FeedReader {
  readonly #player: Player;
  readonly #model: WorkspaceModel;
  readonly #seqs: Seqs;

  constructor(player: Player, model: WorkspaceModel, seqs: Seqs) {
    this.#player = player;
    this.#model = model;
    this.#seqs = seqs;
  }

  /** The whole feed, as the model has it. @returns the seqs that this caller sees. */
  async compareAll(): Promise<readonly number[]> {
    const { startSeq } = this.#player.workspace;
    const body = await this.#page(startSeq, 1000);
    const expected = this.#model.changesFor(this.#player.actor);
    const records = recordsAt(body, 'changes');
    assert.deepEqual(
      records.map(comparable),
      expected.map(({ record }) => record),
    );
    const seen = records.map((record) => integerAt(record, 'seq'));
    for (const [at, change] of expected.entries()) {
      const seq = seen[at] ?? 0;
      assert.ok(seq > (seen[at - 1] ?? startSeq), 'a sequence number does not increase');
      assert.equal(this.#seqs.get(change) ?? seq, seq, 'a change has another place for somebody else');
      this.#seqs.set(change, seq);
    }
    assert.equal(body.nextSeq, body.head);
    assert.ok(integerAt(body, 'head') >= (seen.at(-1) ?? startSeq), 'the head stands before a change');
    return seen;
  }

  /** A page from after the given change that this caller sees: nothing is left out on the way to its `nextSeq`. */
  async comparePage(after: number, limit: number): Promise<void> {
    const seen = await this.compareAll();
    const cursor = seen[Math.min(after, seen.length) - 1] ?? this.#player.workspace.startSeq;
    const body = await this.#page(cursor, limit);
    const head = integerAt(body, 'head');
    const next = integerAt(body, 'nextSeq');
    const seqs = recordsAt(body, 'changes').map((record) => integerAt(record, 'seq'));
    assert.deepEqual(
      seqs,
      seen.filter((seq) => seq > cursor && seq <= next),
    );
    assert.ok(seqs.length <= limit, 'more changes than were asked for');
    assert.ok(next <= head, 'the cursor stands beyond the head');
    if (limit === 0) assert.equal(next, cursor);
    else assert.ok(next > cursor || cursor === head, 'the cursor does not move on');
  }

  async #page(sinceSeq: number, limit: number): Promise<JsonRecord> {
    const answer = await this.#player.workspace.query('changes', { sinceSeq, limit });
    assert.equal(answer.status, 200);
    return jsonOf(answer);
  }
}

function compare(answer: Answer, expected: Expected): void {
  const shown = `${answer.status} ${answer.bytes.toString('utf8').slice(0, 1000)}`;
  assert.equal(answer.status, expected.status, `expected ${expected.status}, answered ${shown}`);
  if (expected.json !== undefined) assert.deepEqual(comparableBody(jsonOf(answer)), expected.json);
  else if (expected.bytes !== undefined) assert.equal(answer.bytes.toString('utf8'), expected.bytes);
  else assert.equal(jsonOf(answer).statusCode, expected.status, shown);
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    assert.equal(headerOf(answer, name), value, name);
  }
}

function compareSearch(answer: Answer, expected: readonly string[]): void {
  assert.equal(answer.status, 200);
  const body = jsonOf(answer);
  const results = recordsAt(body, 'results');
  assert.deepEqual(results.map(({ path, isDir }) => (isDir === true ? `${path}/` : path)).sort(), expected);
  for (const { path, name } of results) assert.equal(name, String(path).split('/').at(-1));
  assert.deepEqual(
    { totalMatches: body.totalMatches, truncated: body.truncated },
    { totalMatches: expected.length, truncated: false },
  );
}

async function compareUsage(workspace: WorkspaceClient, model: WorkspaceModel): Promise<void> {
  const { usedBytes, usedFiles } = jsonOf(await workspace.query('usage'));
  assert.deepEqual({ usedBytes, usedFiles }, model.usage());
}

/** A list of versions without their times; any other body as it is. */
function comparableBody(body: JsonRecord): JsonRecord {
  if (!('versions' in body)) return body;
  return { ...body, versions: recordsAt(body, 'versions').map(withoutTime) };
}

function comparable(change: JsonRecord): JsonRecord {
  const { id, seq: _seq, ...rest } = change;
  assert.ok(typeof id === 'string' && id !== '');
  return withoutTime(rest);
}

function withoutTime({ createdAt, ...rest }: JsonRecord): JsonRecord {
  assert.match(String(createdAt), iso8601);
  return rest;
}

function choose(choice: PathChoice, model: WorkspaceModel): string {
  if (choice.kind === 'named') return choice.path;
  const paths = model.paths();
  return paths[choice.at % paths.length] ?? 'a.md';
}

function versionOf(choice: VersionChoice, current: number | null): number | null {
  switch (choice) {
    case 'none':
      return null;
    case 'current':
      return current ?? 3;
    case 'older':
      return current === null || current === 1 ? 7 : current - 1;
    case 'newer':
      return (current ?? 0) + 1;
  }
}

function preconditionOf(choice: VersionChoice | 'absent', current: number | null): Precondition {
  if (choice === 'absent') return { kind: 'absent' };
  const version = versionOf(choice, current);
  return version === null ? { kind: 'none' } : { kind: 'version', version };
}

function putOf(precondition: Precondition, contentType: string | null): Put {
  const type = contentType === null ? {} : { contentType };
  switch (precondition.kind) {
    case 'none':
      return type;
    case 'absent':
      return { ...type, ifNoneMatch: '*' };
    case 'version':
      return { ...type, ifMatch: precondition.version };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
