import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { testScale } from '../../../../tests/support/random.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createDeps, createOperatorDeps, holdDatabase, openBlobs } from '../../src/create-deps.ts';
import { moveInstallation } from '../../src/moving/move-installation.ts';
import { operatorCommandRow } from '../../src/service/auditing/record-operator-command.ts';
import type { HeldDatabase } from '../../src/storage/held-database.ts';
import {
  admin,
  changeRows,
  homesFolder,
  listeners,
  rowsOf,
  type Settings,
  startProblem,
} from './support/moved-home.ts';

/** Returns the files of the large contents. The fixture has two. */
async function storedIn({ STOA_DATA_DIR = '' }: Settings): Promise<readonly string[]> {
  const entries = await readdir(join(STOA_DATA_DIR, 'blobs'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

class Cut extends Error {}

/**
 * Cuts a move off after a number of steps. A step is a change outside of a transaction, or a transaction. The
 * last transaction is kept or not.
 */
function cutting(held: HeldDatabase, cut: { left: number; readonly isKept: boolean }): HeldDatabase {
  let isInside = false;
  return {
    ...held,
    async change(sql, values) {
      await held.change(sql, values);
      if (isInside) return;
      cut.left -= 1;
      if (cut.left === 0) throw new Cut();
    },
    async inTransaction(work) {
      cut.left -= 1;
      isInside = true;
      try {
        await held.inTransaction(async () => {
          await work();
          if (cut.left === 0 && !cut.isKept) throw new Cut();
        });
      } finally {
        isInside = false;
      }
      if (cut.left === 0) throw new Cut();
    },
  };
}

async function moveWithin(from: Settings, to: Settings, cut: { left: number; readonly isKept: boolean }) {
  const [source, target] = [parseConfig(from), parseConfig(to)];
  await mkdir(target.dataDir, { recursive: true });
  await using left = await holdDatabase(source, 'filled');
  await using filled = await holdDatabase(target, 'any');
  const options = {
    source: { database: cutting(left, cut), blobs: await openBlobs(source, listeners) },
    target: { database: cutting(filled, cut), blobs: await openBlobs(target, listeners) },
    to: 'elsewhere',
    isSameLocation: false,
    secret: { value: 'a secret', keep: async () => {}, isCompared: true },
    lost: 'refused',
    auditRow: operatorCommandRow('move-to', { to: 'elsewhere' }, 1),
    readBytes: false,
  } as const;
  return await moveInstallation(options, () => {});
}

test('the same command continues a move that was cut off anywhere, and copies every row once', async () => {
  await using homes = await homesFolder();
  const from = await homes.filled('from');
  // STOA_TEST_SCALE=4 cuts at every step.
  const stride = Math.max(1, Math.round(4 / testScale()));
  // The first cut comes after the mark of the source.
  let steps = 0;
  const reported = `select count(*) as moves from audit_entry where target_name = 'move-to'`;
  for (let moves = 1; ; moves += 1, steps += steps === 0 ? 1 : stride) {
    const to = homes.empty(`to-${steps}`);
    try {
      await moveWithin(from, to, { left: Math.max(1, steps), isKept: steps % 2 === 0 });
      break;
    } catch (error) {
      if (!(error instanceof Cut)) throw error;
    }
    const isOver = rowsOf(from, `select 1 from server_secret where value like '%"isDone":true%'`).length > 0;
    const isMarked = rowsOf(to, `select 1 from server_secret where name = 'moving-here'`).length > 0;
    if (isMarked || !isOver) {
      const { target } = await moveWithin(from, to, { left: Number.POSITIVE_INFINITY, isKept: true });
      assert.deepEqual(target.problems, []);
    }
    for (const end of [from, to]) assert.deepEqual({ ...rowsOf(end, reported)[0] }, { moves });
    assert.deepEqual(
      rowsOf(to, 'select count(*) as files from file'),
      rowsOf(from, 'select count(*) as files from file'),
    );
    changeRows(from, `delete from server_secret where name = 'moved-to'`);
  }
  assert.ok(steps > 25, `${steps} steps`);
});

test('a move is rejected while the service runs, into a non-empty target, and for invalid text', async () => {
  await using homes = await homesFolder();
  const from = await homes.filled('from');
  const to = homes.empty('to');
  const file = await homes.file('to', to);
  {
    await using running = await createOperatorDeps(parseConfig(from), listeners);
    assert.ok(running);
    const rejected = await admin(from, 'move-to', file);
    assert.equal(rejected.code, 1);
    assert.match(rejected.err, /stoa\.db is in use: stop the service/);
  }
  const itself = await admin(from, 'move-to', await homes.file('itself', from));
  assert.match(itself.err, /names the database of this installation/);
  const nowhere = await admin(from, 'move-to', await homes.file('nowhere', { STOA_PORT: '4700' }));
  assert.match(nowhere.err, /does not name a target/);
  const wrong = await admin(from, 'move-to', await homes.file('wrong', { STOA_DATABASE_URL: 'nonsense' }));
  assert.match(wrong.err, /The settings in .*wrong\.env are wrong:\n {2}STOA_DATABASE_URL/);

  const full = await admin(from, 'move-to', await homes.file('full', await homes.filled('full')));
  assert.match(full.err, /The target is not empty \(its table user has rows\)/);
  const other = homes.empty('other');
  await mkdir(join(homes.path, 'other'));
  await writeFile(join(homes.path, 'other', 'notes.txt'), 'mine');
  assert.match((await admin(from, 'move-to', await homes.file('other', other))).err, /is not empty/);
  // None of these began a move.
  assert.equal(await startProblem(from), null);

  // No release writes these: another program did.
  for (const text of [`'a' || char(0) || 'b'`, `cast(x'ff41' as text)`]) {
    changeRows(from, `update "user" set name = ${text}`);
    const unstorable = await admin(from, 'move-to', file);
    assert.equal(unstorable.code, 1);
    assert.match(unstorable.err, /user\.name holds a text with a NUL or invalid characters/);
  }
  assert.match((await startProblem(from)) ?? '', /is being moved to .*move forget/);
  assert.match((await startProblem(to)) ?? '', /A move into this database is not finished/);
  changeRows(from, `update "user" set name = 'Zoë 😀'`);
  const gone = await admin(from, 'move-to', file, '--json');
  assert.equal(gone.code, 0, gone.err);
  assert.equal(rowsOf(to, 'select name from "user" limit 1')[0]?.name, 'Zoë 😀');
  assert.equal(await startProblem(to), null);
});

test('a moved source starts only after `move forget`; a part of another move is not continued', async () => {
  await using homes = await homesFolder();
  const from = await homes.filled('from');
  const to = homes.empty('to');
  const file = await homes.file('to', to);
  assert.equal((await admin(from, 'move forget')).code, 1);
  const moved = await admin(from, 'move-to', file);
  assert.equal(moved.code, 0, moved.err);
  assert.match(moved.out, /all tables are identical[\s\S]*Nothing is wrong\.$/m);
  const log = (await admin(to, 'audit')).out.trimEnd().split('\n');
  const { action, by, address, target, details } = JSON.parse(log.at(-1) ?? '');
  assert.deepEqual([action, by.id, address, target.name], ['operator.command', 'operator', null, 'move-to']);
  const location = join(homes.path, 'to');
  assert.deepEqual(details, {
    operands: file,
    to: `${join(location, 'stoa.db')}, with large contents in ${join(location, 'blobs')}`,
  });
  await assert.rejects(
    createDeps(parseConfig(from), listeners),
    /This installation was moved to .*to\/stoa\.db, .*: start that one/,
  );
  assert.match((await admin(from, 'move-to', file)).err, /was moved to .* already/);
  // The command would report that a user lost access where the user never had any.
  const asked = await admin(from, 'user', 'disable', 'somebody');
  assert.equal(asked.code, 1);
  assert.match(asked.err, /^Nothing was changed\. .*was moved to .*to\/stoa\.db.*settings of that one\.$/m);
  assert.equal((await admin(from, 'user', 'list')).code, 0);
  assert.equal(await startProblem(to), null);
  assert.equal(
    await readFile(join(homes.path, 'to/session-secret'), 'utf8'),
    await readFile(join(homes.path, 'from/session-secret'), 'utf8'),
  );
  const backups = join(homes.path, 'backups');
  assert.equal((await admin(from, 'backup', backups)).code, 0);
  const restored = homes.empty('restored');
  assert.match(
    (await admin(restored, 'restore', backups)).out,
    /The service does not start on it yet\. This installation was moved to .*move forget/,
  );
  assert.notEqual(await startProblem(restored), null);
  assert.equal((await admin(from, 'move forget')).code, 0);
  assert.equal(await startProblem(from), null);

  changeRows(
    to,
    `insert into server_secret values ('moving-here', '{"move":"other","contents":"brought","reached":null}', 0)`,
  );
  assert.match((await admin(from, 'move-to', file)).err, /contains a part of another move: empty it/);
  assert.match(
    (await admin(to, 'user', 'disable', 'somebody')).err,
    /^Nothing was changed\. A move into this/,
  );
  const secret = { ...homes.empty('secret'), STOA_SECRET: 'another-secret-of-thirty-two-characters' };
  const signedOut = await admin(from, 'move-to', await homes.file('secret', secret));
  assert.match(signedOut.err, /all users would be signed out/);
});

test('a move reads contents from where they are stored, and writes all of them to one location', async () => {
  await using homes = await homesFolder();
  const from = await homes.filled('from');
  const to = homes.empty('to');
  const file = await homes.file('to', to);
  const [{ value: stored }] = rowsOf(
    from,
    `select value from server_secret where name = 'contents-place'`,
  ) as [{ value: string }];
  const setStored = (id: string) =>
    changeRows(from, `update server_secret set value = '${id}' where name = 'contents-place'`);
  setStored('place_elsewhere');
  const misplaced = await admin(from, 'move-to', file, '--leave-lost');
  assert.equal(misplaced.code, 1);
  assert.match(misplaced.err, /not at the location in these settings/);
  // The move had not begun.
  assert.equal(await startProblem(from), null);

  setStored(stored);
  const [lost = ''] = await storedIn(from);
  const bytes = await readFile(lost);
  await rm(lost);
  assert.match((await admin(from, 'move-to', file)).err, /is missing or damaged/);
  await writeFile(lost, bytes);
  // As if the earlier run had been given another bucket for the same database.
  changeRows(
    from,
    `update server_secret set value = replace(value, 'with large contents in ', 'with large contents in s3://') where name = 'moved-to'`,
  );
  assert.match((await admin(from, 'move-to', file)).err, /is being moved to .*s3:\/\/.*: finish that/);
});

test('a lost content stops a move; it continues when the content is back, or with --leave-lost', async () => {
  await using homes = await homesFolder();
  const from = await homes.filled('from');
  const to = homes.empty('to');
  const file = await homes.file('to', to);
  const [lost = ''] = await storedIn(from);
  const bytes = await readFile(lost);
  // A read error does not show whether the bytes are wrong.
  await rm(lost);
  await symlink(lost, lost);
  const unread = await admin(from, 'move-to', file, '--leave-lost');
  assert.equal(unread.code, 1);
  assert.match(unread.err, /ELOOP/);
  await rm(lost);
  await writeFile(lost, bytes.with(1000, bytes[1000] === 0 ? 1 : 0));
  const stopped = await admin(from, 'move-to', file);
  assert.equal(stopped.code, 1);
  assert.match(stopped.err, /is missing or damaged at the source/);
  const left = await admin(from, 'move-to', file, '--leave-lost', '--json');
  assert.equal(left.code, 3);
  const report = JSON.parse(left.out);
  assert.equal(report.contents.lost.length, 1);
  assert.deepEqual(
    report.problems.map(({ rule }: { rule: string }) => rule),
    ['stored_bytes_missing'],
  );

  await admin(from, 'move forget');
  const next = homes.empty('next');
  assert.equal((await admin(from, 'move-to', await homes.file('next', next))).code, 1);
  await writeFile(lost, bytes);
  const whole = await admin(from, 'move-to', await homes.file('next', next), '--contents');
  assert.equal(whole.code, 0, whole.err);
});

test('long commands report their progress and the total', async () => {
  await using homes = await homesFolder();
  const source = await homes.filled('source');
  const backups = join(homes.path, 'backups');
  const tar = join(homes.path, 'export.tar');
  const moved = await homes.file('moved', homes.empty('moved'));
  const [{ id = null } = {}] = rowsOf(source, 'select id from workspace limit 1');
  const [{ owner = null } = {}] = rowsOf(source, 'select id as owner from user limit 1');
  for (const [words, settings, ...said] of [
    [['backup', backups], source, /^(\d+) of \1 large contents, (\d{5,}) of \2 bytes$/],
    [['check', '--contents'], source, /^(\d+) of \1 contents, (\d{6,}) of \2 bytes read$/],
    [['check'], source, /^(\d+) of \1 contents$/],
    [['export', String(id), tar], source, /^(\d+) of \1 files$/],
    [
      ['move-to', moved],
      source,
      /^file_version: (\d+) of \1 rows$/,
      /^comparing file_version: (\d+) of \1 rows$/,
    ],
    [['restore', backups], homes.empty('restored'), /^(\d+) of \1 large contents, \d{5,} bytes$/],
    [
      ['import', tar, '--owner', String(owner), '--yes'],
      homes.empty('restored'),
      /^(\d+) of \1 contents$/,
      /^(\d+) of \1 changes$/,
    ],
  ] as const) {
    const { code, err, steps } = await admin(settings, ...words);
    assert.deepEqual([code, err], [0, ''], words.join(' '));
    for (const each of said)
      assert.ok(
        steps.some((step) => each.test(step)),
        `${words[0]} ${each}: ${steps.join('; ')}`,
      );
  }
});
