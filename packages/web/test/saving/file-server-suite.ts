import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PutResponse } from '../../src/saving/messages.ts';
import type { Precondition } from '../../src/saving/state.ts';

export interface ServerVersion {
  readonly version: number;
  readonly hash: string;
  readonly by: string;
}

export interface ServerChange {
  readonly seq: number;
  readonly op: string;
  readonly path: string;
  readonly version: number | null;
  readonly hash: string | null;
  readonly movedFrom?: string;
  readonly by: string;
}

export interface PutOptions {
  readonly by?: string;
  readonly rejectStale?: boolean;
  readonly contentType?: string;
}

type Failing = 'lost' | 'busy' | 'signed_out' | 'gone' | 'rejected' | 'full';
export type PutResult = Exclude<PutResponse, { readonly kind: Failing }> | { readonly kind: 'full' };

/** The server interface of the save engine's tests, implemented by the fake and the real server. */
export interface FileServer {
  put(
    path: string,
    text: string,
    precondition: Precondition,
    options?: PutOptions,
  ): PutResult | Promise<PutResult>;
  read(path: string): ReadResult | null | Promise<ReadResult | null>;
  /** Returns the versions, newest first. */
  versions(
    path: string,
  ):
    | readonly Pick<ServerVersion, 'version' | 'hash'>[]
    | Promise<readonly Pick<ServerVersion, 'version' | 'hash'>[]>;
  remove(path: string): void | Promise<void>;
  move(from: string, to: string): void | Promise<void>;
  restore(path: string, version: number): void | Promise<void>;
}

interface ReadResult {
  readonly version: number;
  readonly hash: string;
  readonly text: string;
  readonly contentType: string;
}

export interface ServerUnderTest extends AsyncDisposable {
  readonly server: FileServer;
  /** Returns every change so far, oldest first. */
  changes(): Promise<readonly Omit<ServerChange, 'by'>[]>;
}

const none = { kind: 'none' } as const;
const at = ({ version, hash }: { readonly version: number; readonly hash: string }) =>
  ({ kind: 'version', version, hash }) as const;

/** Behaviour of a server that the save engine relies on. */
export function fileServerSuite(name: string, start: () => Promise<ServerUnderTest>): void {
  const suite = (title: string, run: (subject: ServerUnderTest) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using subject = await start();
      await run(subject);
    });

  async function made(server: FileServer, text = 'one') {
    const result = await server.put('a.md', text, none);
    assert.equal(result.kind, 'saved');
    const file = await server.read('a.md');
    assert.ok(file);
    return file;
  }

  suite('a PUT without a precondition creates a file and never overwrites one', async ({ server }) => {
    assert.partialDeepStrictEqual(await server.put('a.md', 'one', none), {
      kind: 'saved',
      version: 1,
      isNew: true,
    });
    assert.deepEqual(await server.put('a.md', 'two', none), { kind: 'taken' });
    assert.equal((await server.read('a.md'))?.text, 'one');
  });

  suite('a PUT on the current version makes the next', async ({ server }) => {
    const file = await made(server);
    assert.partialDeepStrictEqual(await server.put('a.md', 'two', at(file)), {
      kind: 'saved',
      version: 2,
      isNew: false,
    });
    assert.deepEqual(
      (await server.versions('a.md')).map(({ version }) => version),
      [2, 1],
    );
  });

  suite('a stale PUT is kept in a copy, the same bytes in the same copy', async ({ server, changes }) => {
    const file = await made(server);
    await server.put('a.md', 'two', at(file));
    const first = await server.put('a.md', 'mine', at(file));
    assert.ok(first.kind === 'kept_aside');
    assert.equal(first.currentVersion, 2);
    assert.equal((await server.read(first.copyPath))?.text, 'mine');
    assert.deepEqual(await server.put('a.md', 'mine', at(file)), first);
    assert.equal((await changes()).filter(({ op }) => op === 'conflict').length, 1);
    assert.equal((await server.read('a.md'))?.text, 'two');
  });

  suite('a stale PUT that asks for rejection leaves nothing behind', async ({ server, changes }) => {
    const file = await made(server);
    await server.put('a.md', 'two', at(file));
    assert.deepEqual(await server.put('a.md', 'mine', at(file), { rejectStale: true }), {
      kind: 'refused',
      currentVersion: 2,
    });
    assert.equal((await changes()).length, 2);
  });

  suite('a stale PUT of the current bytes succeeds and changes nothing', async ({ server, changes }) => {
    const file = await made(server);
    await server.put('a.md', 'two', at(file));
    assert.partialDeepStrictEqual(await server.put('a.md', 'two', at(file), { rejectStale: true }), {
      kind: 'saved',
      version: 2,
    });
    assert.equal((await changes()).length, 2);
  });

  suite('the right number with another hash is stale', async ({ server }) => {
    const file = await made(server);
    const other = { ...at(file), hash: '0'.repeat(64) };
    assert.deepEqual(await server.put('a.md', 'mine', other, { rejectStale: true }), {
      kind: 'refused',
      currentVersion: 1,
    });
  });

  suite('a PUT on a deleted file brings it back at version 1', async ({ server }) => {
    const file = await made(server);
    await server.remove('a.md');
    assert.equal(await server.read('a.md'), null);
    assert.partialDeepStrictEqual(await server.put('a.md', 'two', at(file)), {
      kind: 'saved',
      version: 1,
      isNew: true,
    });
  });

  suite('a move is a delete and a move side by side, at version 1', async ({ server, changes }) => {
    const file = await made(server);
    await server.move('a.md', 'b.md');
    const [removed, moved] = (await changes()).slice(-2);
    assert.partialDeepStrictEqual(removed, { op: 'delete', path: 'a.md' });
    assert.partialDeepStrictEqual(moved, {
      op: 'move',
      path: 'b.md',
      movedFrom: 'a.md',
      version: 1,
      hash: file.hash,
    });
    assert.ok((removed?.seq ?? 0) < (moved?.seq ?? 0));
  });

  suite('a restore is recorded like a write; a deleted file restarts at version 1', async ({
    server,
    changes,
  }) => {
    const file = await made(server);
    await server.put('a.md', 'two', at(file));
    await server.restore('a.md', 1);
    assert.partialDeepStrictEqual((await changes()).at(-1), { op: 'restore', version: 3, hash: file.hash });
    await server.remove('a.md');
    await server.restore('a.md', 1);
    assert.partialDeepStrictEqual((await changes()).at(-1), { op: 'restore', version: 1, hash: file.hash });
  });

  suite('the content type is that of the last PUT', async ({ server }) => {
    await server.put('a.md', 'one', none, { contentType: 'text/x-notes' });
    const file = await server.read('a.md');
    assert.equal(file?.contentType, 'text/x-notes');
  });
}
