import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { failureOf } from '../../src/commands/failure-of.ts';
import { StateDiskError, StateWriteError } from '../../src/engine/ports/state-store.ts';
import { findStateDamage } from '../../src/state/check-state.ts';
import { namedDiskTrouble } from '../../src/state/disk-troubles.ts';
import { isFolderLocked, takeFolderLock } from '../../src/state/lock.ts';
import { StateTooNewError } from '../../src/state/open-database.ts';
import { openStateStore } from '../../src/state/open-state-store.ts';
import { askWorkingProcess, openRequestBox } from '../../src/state/requests.ts';
import { createStateReader, openStateReader } from '../../src/state/state-reader.ts';
import { plan, stateStoreSuite } from './state-store-suite.ts';

async function makeHiddenFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-state-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

stateStoreSuite('state store on disk', async () => {
  const hidden = await makeHiddenFolder();
  let store = openStateStore(hidden.folder);
  return {
    store,
    async reopen() {
      await store[Symbol.asyncDispose]();
      store = openStateStore(hidden.folder);
      return store;
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await hidden[Symbol.asyncDispose]();
    },
  };
});

describe('the state on its disk', () => {
  const put = (path: string) => ({ table: 'base', path: parseWorkspacePath(path), row: plan }) as const;

  it('only its user may read it', async () => {
    await using hidden = await makeHiddenFolder();
    await using store = openStateStore(hidden.folder);
    await store.commit([put('a')], 'durable');
    using _lock = takeFolderLock(hidden.folder);
    for (const name of await readdir(hidden.folder)) {
      assert.equal((await stat(join(hidden.folder, name))).mode & 0o077, 0, name);
    }
  });

  it('is quarantined and created again when it is damaged', async () => {
    await using hidden = await makeHiddenFolder();
    const before = openStateStore(hidden.folder);
    await before.commit([put('a')], 'durable');
    await before[Symbol.asyncDispose]();
    await writeFile(join(hidden.folder, 'state.db'), 'x'.repeat(100_000));
    assert.throws(
      () => openStateReader(hidden.folder),
      (error) => failureOf(error).code === 'state_damaged',
    );
    await using after = openStateStore(hidden.folder);
    assert.equal(after.quarantinedPath, join(hidden.folder, 'state.db.broken-1'));
    assert.equal((await after.load()).base.size, 0);
    assert.equal((await stat(join(hidden.folder, 'state.db.broken-1'))).size, 100_000);
  });

  it('is checked for torn pages when it is opened', async () => {
    await using hidden = await makeHiddenFolder();
    const before = openStateStore(hidden.folder);
    await before.commit(
      Array.from({ length: 2000 }, (_, n) => put(`some/longer/folder/${n}`)),
      'durable',
    );
    await before[Symbol.asyncDispose]();
    const bytes = new Uint8Array(4096).fill(7);
    const { open } = await import('node:fs/promises');
    const file = await open(join(hidden.folder, 'state.db'), 'r+');
    for (const page of [20, 21, 22]) await file.write(bytes, 0, bytes.length, page * 4096);
    await file.close();
    await using after = openStateStore(hidden.folder);
    assert.notEqual(after.quarantinedPath, null);
  });

  it('names a disk that SQLite reports as full and keeps other errors unchanged', async () => {
    await using hidden = await makeHiddenFolder();
    const db = new DatabaseSync(':memory:');
    db.exec('PRAGMA max_page_count = 1');
    const named = (sql: string): unknown => {
      try {
        return db.exec(sql);
      } catch (error) {
        return namedDiskTrouble(error, hidden.folder);
      }
    };
    const full = failureOf(named('CREATE TABLE one (a); CREATE TABLE two (a)'));
    assert.deepEqual(
      [full.code, full.message, full.next],
      [
        'disk_full',
        `The disk of ${hidden.folder} is full.`,
        'Nothing is lost: make room on it, and run it again.',
      ],
    );
    const other = named('SELECT * FROM three');
    assert.ok(other instanceof Error && !(other instanceof StateDiskError));
    db.close();
  });

  it('explains other disk errors of SQLite and of the system in plain words', async () => {
    await using hidden = await makeHiddenFolder();
    const { folder } = hidden;
    const reported = (facts: object) => {
      const { code, message, next } = failureOf(
        namedDiskTrouble(Object.assign(new Error('words'), facts), folder),
      );
      assert.ok(next !== null && !`${message}${next}`.includes('words'));
      return [code, message];
    };
    const failing = ['disk_failing', `The disk of ${folder} fails.`];
    for (const errcode of [10, 266, 778, 8, 14, 270])
      assert.deepEqual(reported({ errcode }), failing, `${errcode}`);
    for (const code of ['EIO', 'ESTALE', 'ENOTCONN']) assert.deepEqual(reported({ code }), failing);
    assert.deepEqual(reported({ errcode: 4874 }), ['disk_full', `The disk of ${folder} is full.`]);
    for (const code of ['ENOSPC', 'EDQUOT']) assert.equal(reported({ code })[0], 'disk_full');
    assert.deepEqual(reported({ code: 'EROFS' }), ['disk_read_only', `The disk of ${folder} is read-only.`]);
    for (const code of ['EACCES', 'EPERM']) {
      assert.deepEqual(reported({ code }), ['disk_denied', `This user may not read and write in ${folder}.`]);
    }
    assert.equal(namedDiskTrouble('words', folder), 'words');
    const gone = Object.assign(new Error('gone'), { code: 'ENOENT' });
    assert.equal(namedDiskTrouble(gone, folder), gone);
  });

  it('reports a lock of another program and what to do', async () => {
    await using hidden = await makeHiddenFolder();
    await openStateStore(hidden.folder)[Symbol.asyncDispose]();
    const file = join(hidden.folder, 'state.db');
    using viewer = new DatabaseSync(file);
    viewer.exec('PRAGMA locking_mode = EXCLUSIVE');
    viewer.exec('BEGIN EXCLUSIVE');
    // Fails at once. The program itself waits for five seconds.
    using db = new DatabaseSync(file, { timeout: 0 });
    const pending = (): unknown => {
      try {
        return db.exec('UPDATE meta SET value = value');
      } catch (error) {
        return namedDiskTrouble(error, hidden.folder);
      }
    };
    const { code, message, next } = failureOf(pending());
    assert.deepEqual(
      [code, message, next],
      [
        'state_locked',
        `Another program uses the sync state of the folder, in ${hidden.folder}.`,
        'Nothing is lost: end what has state.db open, such as a viewer of databases, and run it again.',
      ],
    );
  });

  it('is not treated as damaged when it cannot be opened', async () => {
    await using hidden = await makeHiddenFolder();
    await openStateStore(hidden.folder)[Symbol.asyncDispose]();
    assert.equal(findStateDamage(hidden.folder), null);
    // A folder is at its path. SQLite reports only that it cannot open it.
    await rename(join(hidden.folder, 'state.db'), join(hidden.folder, 'elsewhere'));
    await mkdir(join(hidden.folder, 'state.db'));
    for (const open of [findStateDamage, openStateReader, openStateStore]) {
      assert.throws(
        () => open(hidden.folder),
        (error) => error instanceof StateDiskError && error.trouble === 'failing',
      );
    }
    assert.deepEqual(
      (await readdir(hidden.folder)).filter((name) => name.includes('broken')),
      [],
    );
  });

  it('is not opened when a newer program wrote it', async () => {
    await using hidden = await makeHiddenFolder();
    await openStateStore(hidden.folder)[Symbol.asyncDispose]();
    const db = new DatabaseSync(join(hidden.folder, 'state.db'));
    db.exec('PRAGMA user_version = 1000');
    db.close();
    assert.throws(() => openStateStore(hidden.folder), StateTooNewError);
    assert.throws(() => openStateReader(hidden.folder), StateTooNewError);
  });

  it('finds the trash of a file by an index, also in an older state without that index', async () => {
    await using hidden = await makeHiddenFolder();
    const before = openStateStore(hidden.folder);
    await before[Symbol.asyncDispose]();
    const file = join(hidden.folder, 'state.db');
    const older = new DatabaseSync(file);
    older.exec('DROP INDEX trash_by_path');
    older.close();
    await using _store = openStateStore(hidden.folder);
    const asked: string[] = [];
    using db = new DatabaseSync(file);
    const prepare = db.prepare.bind(db);
    db.prepare = (sql) => {
      asked.push(sql);
      return prepare(sql);
    };
    createStateReader(db, hidden.folder);
    const ofFile = asked.find((sql) => sql.includes('FROM trash WHERE path = ?'));
    const steps = prepare(`EXPLAIN QUERY PLAN ${ofFile}`).all('a');
    assert.deepEqual(
      steps.map(({ detail }) => detail),
      ['SEARCH trash USING INDEX trash_by_path (path=?)'],
    );
  });

  it('can be read while a store has it open', async () => {
    await using hidden = await makeHiddenFolder();
    assert.equal(openStateReader(hidden.folder), null);
    await using store = openStateStore(hidden.folder);
    await store.commit([put('a'), { table: 'meta', values: { cursor: 5 } }], 'grouped');
    using reader = openStateReader(hidden.folder);
    assert.equal((await reader?.readMeta())?.cursor, 5);
    assert.equal((await reader?.readCounts())?.files, 1);
  });

  it('writes no commit after a failed one', async () => {
    await using hidden = await makeHiddenFolder();
    await using store = openStateStore(hidden.folder);
    const other = new DatabaseSync(join(hidden.folder, 'state.db'));
    other.exec('DROP TABLE base');
    other.close();
    await assert.rejects(store.commit([put('a')], 'durable'), StateWriteError);
    await assert.rejects(
      store.commit([{ table: 'meta', values: { cursor: 5 } }], 'durable'),
      StateWriteError,
    );
    assert.equal((await store.readMeta()).cursor, 0);
  });
});

describe("the folder's lock", () => {
  it('belongs to one process and is released when that process is killed', async () => {
    await using hidden = await makeHiddenFolder();
    const script = `
      const { takeFolderLock } = await import(${JSON.stringify(new URL('../../src/state/lock.ts', import.meta.url).href)});
      globalThis.lock = takeFolderLock(${JSON.stringify(hidden.folder)});
      process.stdout.write('locked');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    assert.equal(takeFolderLock(hidden.folder), null);
    assert.equal(isFolderLocked(hidden.folder), true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    using lock = takeFolderLock(hidden.folder);
    assert.notEqual(lock, null);
  });
});

describe('requests to the working process', () => {
  const request = {
    kind: 'sync',
    confirm: true,
    undoHeld: false,
    isDryRun: false,
    maxChanges: 6,
  } as const;

  it('get one response each, even when they were sent before the process listened', async () => {
    await using hidden = await makeHiddenFolder();
    const early = askWorkingProcess(hidden.folder, request, { timeoutMs: 60_000 });
    const box = await openRequestBox(hidden.folder);
    const seen: unknown[] = [];
    const watching = await box.watch((id, each) => {
      seen.push(each);
      void box.answer(id, { ok: true, number: seen.length });
    });
    assert.deepEqual(await early, { ok: true, number: 1 });
    const late = await askWorkingProcess(hidden.folder, { kind: 'resync' }, { timeoutMs: 60_000 });
    watching.close();
    assert.deepEqual(late, { ok: true, number: 2 });
    assert.deepEqual(seen, [request, { kind: 'resync' }]);
    assert.deepEqual(await readdir(join(hidden.folder, 'requests')), []);
  });

  it('are withdrawn when no response comes in time', async () => {
    await using hidden = await makeHiddenFolder();
    assert.equal(await askWorkingProcess(hidden.folder, request, { timeoutMs: 1 }), null);
    assert.deepEqual(await readdir(join(hidden.folder, 'requests')), []);
  });

  it('are forgotten when their files are gone, so that a long watch uses no more memory', {
    timeout: 60_000,
  }, async () => {
    await using hidden = await makeHiddenFolder();
    const folder = join(hidden.folder, 'requests');
    const box = await openRequestBox(hidden.folder);
    let heard = Promise.withResolvers<void>();
    const watching = await box.watch(() => heard.resolve());
    const id = '00000000-0000-4000-8000-000000000000';
    const file = join(folder, `${id}.json`);
    try {
      for (let round = 0; round < 2; round += 1) {
        await writeFile(`${file}.part`, JSON.stringify({ kind: 'resync' }));
        await rename(`${file}.part`, file);
        await heard.promise;
        heard = Promise.withResolvers();
        await rm(file);
        // The next scan finds the file gone.
        await askWorkingProcess(hidden.folder, { kind: 'rm' } as never, { timeoutMs: 60_000 });
      }
    } finally {
      watching.close();
    }
  });

  it('are rejected when their kind is unknown', async () => {
    await using hidden = await makeHiddenFolder();
    const asking = askWorkingProcess(hidden.folder, { kind: 'rm -rf' } as never, { timeoutMs: 60_000 });
    const box = await openRequestBox(hidden.folder);
    const watching = await box.watch(() => assert.fail('an unknown request reached the handler'));
    assert.deepEqual(await asking, { ok: false, error: { code: 'unknown_request' } });
    watching.close();
  });
});
