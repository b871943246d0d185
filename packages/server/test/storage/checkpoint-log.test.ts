import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createLogCheckpoints, startLogCopier } from '../../src/storage/sqlite/checkpoint-log.ts';
import { openConnection } from '../../src/storage/sqlite/open-connection.ts';

const checkpointPages = 240;

/** A database whose log grows by three pages a change, with two connections to it. */
async function openLog() {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-log-'));
  const file = join(folder, 'log.db');
  const db = openConnection(file, 'write');
  db.exec('create table page (id integer primary key, filler blob)');
  const insert = db.prepare('insert into page (filler) values (zeroblob(3000))');
  const reading = openConnection(file, 'read');
  const look = db.prepare('pragma wal_checkpoint(noop)');
  const pages = () => {
    const row = look.get();
    return { log: Number(row?.log), copied: Number(row?.checkpointed) };
  };
  return {
    file,
    db,
    reading,
    pages,
    write: (changes: number, afterCommit: () => void) => {
      for (let change = 0; change < changes; change += 1) {
        insert.run();
        afterCommit();
      }
    },
    async [Symbol.asyncDispose]() {
      reading.close();
      db.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Copies when the test says so, on a connection of its own. */
function copierByHand(connection: DatabaseSync) {
  const copier = { asked: 0, end: () => {}, finish };
  const start = (onEnd: () => void) => {
    copier.end = onEnd;
    return {
      copy: () => {
        copier.asked += 1;
      },
      close: async () => {},
    };
  };
  return { copier, start };

  function finish(): void {
    connection.prepare('pragma wal_checkpoint(passive)').get();
    copier.end();
  }
}

test('the writer leaves a large log to the copier, and copies only the rest', async () => {
  await using log = await openLog();
  const { copier, start } = copierByHand(log.reading);
  const { afterCommit } = createLogCheckpoints(log.db, checkpointPages, start);
  log.write(30, afterCommit);
  assert.equal(copier.asked, 0);
  log.write(60, afterCommit);
  assert.equal(copier.asked, 1);
  assert.equal(log.pages().copied, 0);
  // Half as much is written while it copies. The copier gets that also.
  const reader = openConnection(log.file, 'read');
  reader.exec('begin');
  reader.prepare('select count(*) from page').get();
  log.reading.prepare('pragma wal_checkpoint(passive)').get();
  log.write(40, afterCommit);
  copier.end();
  assert.equal(copier.asked, 2);
  reader.exec('commit');
  reader.close();
  copier.finish();
  const { log: length, copied } = log.pages();
  assert.equal(copied, length);
  log.write(1, afterCommit);
  assert.ok(log.pages().log < 10, `${log.pages().log} pages`);
  assert.equal(copier.asked, 2);
});

test('pages that a reader blocks are requested again only when the log has grown as much', async () => {
  await using log = await openLog();
  const { copier, start } = copierByHand(log.reading);
  const { afterCommit } = createLogCheckpoints(log.db, checkpointPages, start);
  const reader = openConnection(log.file, 'read');
  reader.exec('begin');
  reader.prepare('select count(*) from page').get();
  log.write(90, afterCommit);
  // First the pages before the reader, then none.
  copier.finish();
  copier.finish();
  assert.equal(copier.asked, 2);
  log.write(70, afterCommit);
  assert.equal(copier.asked, 2);
  log.write(40, afterCommit);
  assert.equal(copier.asked, 3);
  reader.exec('commit');
  reader.close();
  copier.finish();
  log.write(1, afterCommit);
  assert.ok(log.pages().log < 10, `${log.pages().log} pages`);
});

test('a log that grows faster than it is copied is copied by the writer', async () => {
  await using log = await openLog();
  const { copier, start } = copierByHand(log.reading);
  const { afterCommit } = createLogCheckpoints(log.db, checkpointPages, start);
  let longest = 0;
  log.write(2000, () => {
    afterCommit();
    longest = Math.max(longest, log.pages().log);
  });
  assert.equal(copier.asked, 1);
  assert.ok(longest < 5 * checkpointPages, `${longest} pages`);
});

test('the thread copies the log, and ends on request', async () => {
  await using log = await openLog();
  const ends: (() => void)[] = [];
  const copier = startLogCopier(
    log.file,
    () => ends.shift()?.(),
    (error) => assert.fail(String(error)),
  );
  for (let round = 0; round < 3; round += 1) {
    log.write(100, () => {});
    const ended = new Promise<void>((resolve) => ends.push(resolve));
    copier.copy();
    await ended;
    const { log: length, copied } = log.pages();
    assert.ok(length > 50);
    assert.equal(copied, length);
  }
  await copier.close();
});
