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
import { type Actor, type Expected, type Precondition, WorkspaceModel } from './workspace-model.ts';

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
  const reader = players[0].workspace;
  const model = new WorkspaceModel(reader.id);
  const feed = new FeedReader(reader, model);
  for (const [turn, command] of commands.entries()) {
    await step(command, model, players, feed).catch((error: unknown) => {
      throw new Error(`turn ${turn}, ${JSON.stringify(command).slice(0, 300)}: ${messageOf(error)}`, {
        cause: error,
      });
    });
  }
  await feed.catchUp();
  compare(await reader.query('list'), model.list(''));
  await compareUsage(reader, model);
}

async function step(
  command: Command,
  model: WorkspaceModel,
  players: readonly [Player, Player],
  feed: FeedReader,
): Promise<void> {
  const { actor, workspace } = 'actor' in command && command.actor === 1 ? players[1] : players[0];
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
    case 'get': {
      const path = choose(command.path, model);
      const known = versionOf(command.known, model.versionOf(path));
      const headers: Record<string, string> = known === null ? {} : { 'if-none-match': `"${known}"` };
      return compare(await workspace.get(path, { headers }), model.get(path, known));
    }
    case 'version': {
      const path = choose(command.path, model);
      const { version } = command;
      return compare(await workspace.query('version', { path, version }), model.readVersion(path, version));
    }
    case 'versions': {
      const path = choose(command.path, model);
      return compare(await workspace.query('versions', { path }), model.versions(path));
    }
    case 'list':
      return compare(await workspace.query('list', { prefix: command.prefix }), model.list(command.prefix));
    case 'search':
      return compareSearch(
        await workspace.query('search', { q: command.query, limit: 200 }),
        model,
        command.query,
      );
    case 'changes':
      return feed.comparePage(command.after, command.limit);
    case 'usage':
      return compareUsage(workspace, model);
  }
}

/** Reads the feed as it grows and keeps the sequence numbers, which only the service can know. */
class FeedReader {
  readonly #workspace: WorkspaceClient;
  readonly #model: WorkspaceModel;
  readonly #seqs: number[] = [];

  constructor(workspace: WorkspaceClient, model: WorkspaceModel) {
    this.#workspace = workspace;
    this.#model = model;
  }

  async catchUp(): Promise<void> {
    const cursor = this.#cursorAfter(this.#seqs.length);
    const body = await this.#page(cursor, 1000);
    const changes = recordsAt(body, 'changes');
    assert.deepEqual(changes.map(comparable), this.#model.changes.slice(this.#seqs.length));
    for (const change of changes) {
      const seq = integerAt(change, 'seq');
      assert.ok(seq > this.#cursorAfter(this.#seqs.length), 'a sequence number does not increase');
      this.#seqs.push(seq);
    }
    const head = this.#cursorAfter(this.#seqs.length);
    assert.deepEqual({ head: body.head, nextSeq: body.nextSeq }, { head, nextSeq: head });
  }

  /** A page from after the given change, as the model has it. */
  async comparePage(after: number, limit: number): Promise<void> {
    await this.catchUp();
    const start = Math.min(after, this.#seqs.length);
    const cursor = this.#cursorAfter(start);
    const body = await this.#page(cursor, limit);
    const end = Math.min(start + limit, this.#seqs.length);
    assert.deepEqual(recordsAt(body, 'changes').map(comparable), this.#model.changes.slice(start, end));
    assert.deepEqual(
      recordsAt(body, 'changes').map(({ seq }) => seq),
      this.#seqs.slice(start, end),
    );
    assert.deepEqual(
      { head: body.head, nextSeq: body.nextSeq },
      { head: this.#cursorAfter(this.#seqs.length), nextSeq: this.#cursorAfter(end) },
    );
  }

  async #page(sinceSeq: number, limit: number): Promise<JsonRecord> {
    const answer = await this.#workspace.query('changes', { sinceSeq, limit });
    assert.equal(answer.status, 200);
    return jsonOf(answer);
  }

  #cursorAfter(count: number): number {
    return this.#seqs[count - 1] ?? this.#workspace.startSeq;
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

function compareSearch(answer: Answer, model: WorkspaceModel, query: string): void {
  assert.equal(answer.status, 200);
  const body = jsonOf(answer);
  const results = recordsAt(body, 'results');
  const expected = model.search(query);
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
