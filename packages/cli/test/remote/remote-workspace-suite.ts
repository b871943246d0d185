import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { type ContentHash, parseWorkspacePath, type RemotePresumed, type WorkspacePath } from '@stoa/core';
import {
  ContentChangedError,
  type DownloadSink,
  type OutgoingContent,
} from '../../src/engine/ports/content.ts';
import type { RemoteWorkspace } from '../../src/engine/ports/remote-workspace.ts';

/** Changes by another member of the same workspace. */
export interface OtherMember {
  /** Creates or overwrites the file. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  setPrivate(path: string, kind: 'file' | 'folder', isPrivate: boolean): Promise<void>;
}

export interface OpenedWorkspace extends AsyncDisposable {
  readonly remote: RemoteWorkspace;
  readonly other: OtherMember;
}

export const hashOf = (bytes: string | Uint8Array) =>
  createHash('sha256').update(bytes).digest('hex') as ContentHash;
const at = (text: string) => parseWorkspacePath(text);
const absent: RemotePresumed = { kind: 'absent' };

export function bytesContent(text: string): OutgoingContent {
  const bytes = new TextEncoder().encode(text);
  return { kind: 'bytes', bytes, hash: hashOf(bytes), sizeBytes: bytes.length };
}

function streamContent(bytes: Uint8Array, failsAt = Number.POSITIVE_INFINITY): OutgoingContent {
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent >= failsAt) return controller.error(new ContentChangedError('played'));
        const chunk = bytes.slice(sent, sent + 65_536);
        sent += chunk.length;
        controller.enqueue(chunk);
        if (sent === bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { kind: 'stream', stream, hash: hashOf(bytes), sizeBytes: bytes.length };
}

/** Keeps the downloaded bytes in memory. */
export function memorySink(): DownloadSink & { text(): string } {
  let bytes = Buffer.alloc(0);
  return {
    get receivedBytes() {
      return bytes.length;
    },
    append: async (more) => {
      bytes = Buffer.concat([bytes, more]);
    },
    restart: async () => {
      bytes = Buffer.alloc(0);
    },
    digest: () => hashOf(bytes),
    text: () => bytes.toString('utf8'),
  };
}

/** Behaviour of every remote workspace. `open` returns an empty one and another member of it. */
export function remoteWorkspaceSuite(name: string, open: () => Promise<OpenedWorkspace>): void {
  const put = ({ remote }: OpenedWorkspace, path: string, text: string, presumed: RemotePresumed = absent) =>
    remote.put({ path: at(path), content: bytesContent(text), presumed, contentType: null });
  const fileOf = (version: number, text: string) => ({ kind: 'file', version, hash: hashOf(text) }) as const;
  const head = async ({ remote }: OpenedWorkspace, path: string) => {
    const found = await remote.head(at(path));
    return found.kind === 'file' ? [found.version, found.hash] : null;
  };
  const read = async ({ remote }: OpenedWorkspace, path: string) => {
    const sink = memorySink();
    const outcome = await remote.download(at(path), sink);
    return outcome.kind === 'file' ? sink.text() : outcome.kind;
  };
  const headOfFeed = async ({ remote }: OpenedWorkspace) =>
    (await remote.readChanges({ cursor: 0, limit: 0, waitSeconds: null })).head;
  const changesAfter = async ({ remote }: OpenedWorkspace, cursor: number) =>
    (await remote.readChanges({ cursor, limit: 1000, waitSeconds: null })).records;

  describe(name, () => {
    it('creates, updates and reads a file', async () => {
      await using opened = await open();
      const { remote } = opened;
      assert.deepEqual(await put(opened, 'docs/a.md', 'one'), {
        kind: 'stored',
        version: 1,
        isUnchanged: false,
      });
      assert.deepEqual(await put(opened, 'docs/a.md', 'two', fileOf(1, 'one')), {
        kind: 'stored',
        version: 2,
        isUnchanged: false,
      });
      const facts = { version: 2, hash: hashOf('two'), sizeBytes: 3 };
      const found = await remote.head(at('docs/a.md'));
      assert(found.kind === 'file');
      assert.deepEqual([found.version, found.hash, found.sizeBytes], [2, hashOf('two'), 3]);
      assert.match(found.contentType, /^text\/markdown/);
      const sink = memorySink();
      const got = await remote.download(at('docs/a.md'), sink);
      assert.deepEqual([got, sink.text()], [{ ...found, ...facts }, 'two']);
      const { files } = await remote.list('');
      assert.deepEqual(
        files.map(({ path, version, hash, sizeBytes }) => ({ path, version, hash, sizeBytes })),
        [{ path: 'docs/a.md', ...facts }],
      );
      assert.equal((await remote.list(at('docs'))).files.length, 1);
      assert.equal((await remote.list(at('doc'))).files.length, 0);
    });

    it('does not find a file at an unused path', async () => {
      await using opened = await open();
      const { remote } = opened;
      assert.equal(await head(opened, 'no.md'), null);
      assert.equal(await read(opened, 'no.md'), 'not_found');
      assert.deepEqual(await remote.listVersions(at('no.md')), []);
      assert.deepEqual(await remote.delete(at('no.md'), fileOf(1, 'x')), { kind: 'not_found' });
      assert.deepEqual(await remote.move(at('no.md'), at('b.md'), fileOf(1, 'x')), { kind: 'not_found' });
      assert.equal(await remote.readContent(at('no.md'), fileOf(1, 'x'), 1000), null);
    });

    it('stores a stale write as a conflicted copy, once for the same bytes', async () => {
      await using opened = await open();
      await opened.other.write('a.md', 'theirs');
      const lost = await put(opened, 'a.md', 'mine');
      assert(lost.kind === 'conflict');
      assert.deepEqual(await put(opened, 'a.md', 'mine'), lost);
      assert.deepEqual([await read(opened, 'a.md'), await read(opened, lost.copyPath)], ['theirs', 'mine']);
      const other = await put(opened, 'a.md', 'mine again', fileOf(7, 'theirs'));
      assert(other.kind === 'conflict' && other.copyPath !== lost.copyPath);
    });

    it('treats an equal version with another content as stale, because versions start again', async () => {
      await using opened = await open();
      const { remote, other } = opened;
      await other.write('a.md', 'theirs');
      assert.equal((await put(opened, 'a.md', 'mine', fileOf(1, 'seen before'))).kind, 'conflict');
      assert.deepEqual(await remote.delete(at('a.md'), fileOf(1, 'seen before')), { kind: 'stale' });
      assert.deepEqual(await remote.move(at('a.md'), at('b.md'), fileOf(1, 'seen before')), {
        kind: 'stale',
      });
      assert.equal(await read(opened, 'a.md'), 'theirs');
    });

    it('accepts the same bytes twice and records only the first write', async () => {
      await using opened = await open();
      await put(opened, 'a.md', 'same');
      const before = await headOfFeed(opened);
      assert.deepEqual(await put(opened, 'a.md', 'same'), { kind: 'stored', version: 1, isUnchanged: true });
      assert.equal(await headOfFeed(opened), before);
    });

    it('treats an empty file like any other in a race', async () => {
      await using opened = await open();
      assert.deepEqual(await put(opened, 'empty.md', ''), { kind: 'stored', version: 1, isUnchanged: false });
      assert.equal(await read(opened, 'empty.md'), '');
      await put(opened, 'full.md', 'full');
      assert.deepEqual(await put(opened, 'full.md', '', fileOf(1, 'full')), {
        kind: 'stored',
        version: 2,
        isUnchanged: false,
      });
      await opened.other.write('raced.md', 'theirs');
      assert.equal((await put(opened, 'raced.md', '', fileOf(1, 'mine'))).kind, 'conflict');
      assert.equal(await read(opened, 'raced.md'), 'theirs');
      assert.equal((await put(opened, 'new.md', '', fileOf(3, 'gone'))).kind, 'stored');
    });

    it('streams a large file and stores nothing when the file changes during the upload', async () => {
      await using opened = await open();
      const { remote } = opened;
      const bytes = new Uint8Array(2_500_000).map((_, index) => index % 251);
      const request = { path: at('big.bin'), presumed: absent, contentType: null } as const;
      const broken = await remote.put({ ...request, content: streamContent(bytes, 2_400_000) });
      assert.deepEqual(broken, { kind: 'changed' });
      assert.equal(await head(opened, 'big.bin'), null);
      const stored = await remote.put({ ...request, content: streamContent(bytes) });
      assert.deepEqual(stored, { kind: 'stored', version: 1, isUnchanged: false });
      assert.deepEqual(await head(opened, 'big.bin'), [1, hashOf(bytes)]);
    });

    it('keeps the content type of an upload', async () => {
      await using opened = await open();
      const { remote } = opened;
      const content = bytesContent('x');
      await remote.put({ path: at('a.md'), content, presumed: absent, contentType: 'text/x-own' });
      const found = await remote.head(at('a.md'));
      assert.equal(found.kind === 'file' && found.contentType, 'text/x-own');
    });

    it('deletes only the version that the client saw', async () => {
      await using opened = await open();
      const { remote, other } = opened;
      await put(opened, 'a.md', 'one');
      await other.write('a.md', 'two');
      assert.deepEqual(await remote.delete(at('a.md'), fileOf(1, 'one')), { kind: 'stale' });
      assert.deepEqual(await remote.delete(at('a.md'), fileOf(2, 'two')), { kind: 'deleted' });
      assert.equal(await head(opened, 'a.md'), null);
    });

    it('moves a file to a free path and records a move', async () => {
      await using opened = await open();
      const { remote } = opened;
      await put(opened, 'a.md', 'one');
      await put(opened, 'taken.md', 'other');
      await put(opened, 'folder/x.md', 'x');
      const presumed = fileOf(1, 'one');
      assert.deepEqual(await remote.move(at('a.md'), at('taken.md'), presumed), {
        kind: 'destination_exists',
      });
      assert.deepEqual(await remote.move(at('a.md'), at('folder'), presumed), { kind: 'path_taken' });
      const before = await headOfFeed(opened);
      assert.deepEqual(await remote.move(at('a.md'), at('new/b.md'), presumed), {
        kind: 'moved',
        version: 1,
      });
      const reported = await changesAfter(opened, before);
      assert.deepEqual(reported.map(({ op, path, movedFrom }) => [op, path, movedFrom]).sort(), [
        ['delete', 'a.md', null],
        ['move', 'new/b.md', 'a.md'],
      ]);
      assert.equal(reported.find(({ op }) => op === 'move')?.hash, hashOf('one'));
      await remote.moveFolder(at('folder'), at('elsewhere'));
    });

    it('rejects a file and a folder at the same path', async () => {
      await using opened = await open();
      await put(opened, 'a/b.md', 'x');
      await put(opened, 'file', 'x');
      assert.deepEqual(await put(opened, 'a', 'x'), { kind: 'path_taken' });
      assert.deepEqual(await put(opened, 'file/below', 'x'), { kind: 'path_taken' });
      assert.deepEqual(await put(opened, 'a', ''), { kind: 'path_taken' });
    });

    it('rejects an invalid name with its reason', async () => {
      await using opened = await open();
      const rejected = await put(opened, 'a.md', 'x').then(() =>
        opened.remote.put({
          path: `${'n'.repeat(300)}.md` as WorkspacePath,
          content: bytesContent('x'),
          presumed: absent,
          contentType: null,
        }),
      );
      assert.equal(rejected.kind, 'name_refused');
    });

    it('reports an item that a member makes private, hides it and rejects writes to it', async () => {
      await using opened = await open();
      const { remote, other } = opened;
      await other.write('secret/a.md', 'theirs');
      const before = await headOfFeed(opened);
      await other.setPrivate('secret', 'folder', true);
      const revoked = (await changesAfter(opened, before)).filter(({ op }) => op === 'access_revoked');
      assert.deepEqual(
        revoked.map(({ path }) => path),
        ['secret'],
      );
      assert.equal(await head(opened, 'secret/a.md'), null);
      assert.deepEqual((await remote.list('')).files, []);
      assert.deepEqual(await put(opened, 'secret/a.md', 'mine'), { kind: 'hidden_by_private' });
      await other.setPrivate('secret', 'folder', false);
      const granted = (await changesAfter(opened, before)).filter(({ op }) => op === 'access_granted');
      assert.deepEqual(
        granted.map(({ path }) => path),
        ['secret'],
      );
      assert.equal(await read(opened, 'secret/a.md'), 'theirs');
    });

    it('reads the feed in pages, with the key of each change', async () => {
      await using opened = await open();
      const { remote, other } = opened;
      const start = await headOfFeed(opened);
      await put(opened, 'a', '1');
      await other.write('b', '2');
      const lost = await put(opened, 'b', '3');
      assert(lost.kind === 'conflict');
      const first = await remote.readChanges({ cursor: start, limit: 2, waitSeconds: null });
      assert.equal(first.records.length, 2);
      assert(first.nextSeq < first.head);
      const second = await remote.readChanges({ cursor: first.nextSeq, limit: 2, waitSeconds: null });
      assert.equal(second.nextSeq, second.head);
      assert.deepEqual(
        [...first.records, ...second.records].map(({ op, path, version, hash, conflictOf }) => [
          op,
          path,
          version,
          hash,
          conflictOf,
        ]),
        [
          ['write', 'a', 1, hashOf('1'), null],
          ['write', 'b', 1, hashOf('2'), null],
          ['conflict', lost.copyPath, 1, second.records[0]?.hash ?? null, 'b'],
        ],
      );
      assert.notEqual(first.records[0]?.keyId, first.records[1]?.keyId);
      const idle = await remote.readChanges({ cursor: second.head, limit: 10, waitSeconds: null });
      assert.deepEqual([idle.records, idle.nextSeq, idle.head], [[], second.head, second.head]);
    });

    it('ends a long poll at the next change or when its signal aborts', async () => {
      await using opened = await open();
      const { remote, other } = opened;
      const cursor = await headOfFeed(opened);
      const pending = remote.readChanges({ cursor, limit: 10, waitSeconds: 25 });
      await other.write('a', '1');
      assert.equal((await pending).records[0]?.path, 'a');
      const { nextSeq } = await pending;
      const abort = new AbortController();
      const reason = new Error('enough');
      const ending = remote.readChanges({ cursor: nextSeq, limit: 10, waitSeconds: 25 }, abort.signal);
      abort.abort(reason);
      await assert.rejects(ending, (error) => error === reason);
    });

    it('lists and reads earlier versions, also of a deleted file', async () => {
      await using opened = await open();
      const { remote } = opened;
      await put(opened, 'a.md', 'one');
      await put(opened, 'a.md', 'two', fileOf(1, 'one'));
      await remote.delete(at('a.md'), fileOf(2, 'two'));
      assert.deepEqual(await remote.listVersions(at('a.md')), [
        { version: 2, hash: hashOf('two') },
        { version: 1, hash: hashOf('one') },
      ]);
      const one = await remote.readContent(at('a.md'), fileOf(1, 'one'), 1000);
      assert.equal(new TextDecoder().decode(one ?? undefined), 'one');
      assert.equal(await remote.readContent(at('a.md'), fileOf(1, 'one'), 2), null);
    });

    it('reads the limits of the workspace', async () => {
      await using opened = await open();
      const facts = await opened.remote.readFacts();
      assert.deepEqual([facts.isReadOnly, facts.usedFiles], [false, 0]);
      assert(facts.maxFileBytes > 0);
    });
  });
}
