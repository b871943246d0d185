import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { useServer } from './support/shared-workspace.ts';
import { type SyncedFolder, until } from './support/synced-folder.ts';

const server = await useServer();
const scale = Number(process.env.STOA_SYNC_SCALE ?? '') || 1;
const isRoot = process.getuid?.() === 0;

/** The program runs without the rights of root to read and write any file. */
const asOrdinaryUser = isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
/** Mounts that only the program sees. */
const withOwnMounts = ['unshare', ...(isRoot ? [] : ['--user', '--map-root-user']), '--mount'];
const intoMountsOf = (pid: number) => [
  `--target=${pid}`,
  '--mount',
  ...(isRoot ? [] : ['--user', '--preserve-credentials']),
];

describe('a folder with many files', () => {
  it('sends bulk deletes and edits only after confirmation, and can undo them', async () => {
    // More than 100 deletes need confirmation, although they are less than half of 404 files.
    const count = Math.min(1000, Math.round(404 * scale));
    const names = Array.from({ length: count }, (_, n) => `docs/${n % 7}/${n}.md`);
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await Promise.all(names.map((name) => ada.write(name, `text of ${name}`)));
    assert.equal((await ada.run('sync')).code, 0);
    const all = await shared.hashes();
    assert.equal(all.size, count);
    const head = await shared.head();
    const assertNothingSent = async (): Promise<void> => {
      assert.deepEqual(await shared.hashes(), all);
      assert.equal(await shared.head(), head);
    };
    const assertPending = async (kind: string, members: number): Promise<void> => {
      const { code, stdout, stderr } = await ada.run('sync', '--json');
      assert.equal(code, 7, stdout + stderr);
      const { holds } = JSON.parse(stdout) as { holds: { kind: string; count: number }[] };
      assert.deepEqual(
        holds.map((hold) => [hold.kind, hold.count]),
        [[kind, members]],
      );
      await assertNothingSent();
    };
    const leaving = names.slice(0, 101);
    const rewriteAll = (text: string) => Promise.all(names.map((name) => ada.write(name, `${text} ${name}`)));

    for (const name of leaving) await ada.remove(name);
    await assertPending('deletes_there', leaving.length);
    assert.equal((await ada.run('sync', '--undo-held')).code, 0);
    assert.deepEqual(await ada.hashes(), all);
    await assertNothingSent();

    await rewriteAll('encrypted');
    await assertPending('changes', count);
    assert.equal((await ada.run('sync', '--undo-held')).code, 0);
    assert.deepEqual(await ada.hashes(), all);
    await assertNothingSent();

    for (const name of leaving) await ada.remove(name);
    await assertPending('deletes_there', leaving.length);
    assert.equal((await ada.run('sync', '--confirm')).code, 0);
    assert.deepEqual([...(await shared.hashes()).keys()].sort(), names.slice(101).sort());
    assert.equal(await shared.head(), head + leaving.length);
  });

  it('without its `.stoa` folder does not count as linked, and loses nothing', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await ada.write('a.md', 'a');
    assert.equal((await ada.run('sync')).code, 0);
    await ada.remove('.stoa');
    await ada.remove('a.md');
    assert.equal((await ada.run('sync')).code, 3);
    assert.deepEqual([...(await shared.hashes()).keys()], ['a.md']);
  });
});

describe('a disk with missing or unreadable files', () => {
  it('keeps files on the server that its user may not read', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder(undefined, { through: asOrdinaryUser });
    for (let n = 0; n < 12; n += 1) await ada.write(`closed/deep/${n}.md`, `${n}`);
    await ada.write('open.md', 'one');
    assert.equal((await ada.run('sync')).code, 0);
    const before = await shared.hashes();

    await chmod(join(ada.path, 'closed'), 0o000);
    try {
      await ada.write('open.md', 'two');
      const { code, stdout, stderr } = await ada.run('sync', '--json');
      assert.equal(code, 8, stdout + stderr);
      const { leftOut: skipped } = JSON.parse(stdout) as {
        leftOut: { path: string; reason: string; detail: string | null }[];
      };
      assert.deepEqual(skipped[0], { path: 'closed', reason: 'unreadable', detail: 'EACCES' });
      assert(skipped.every(({ path, reason }) => path.startsWith('closed') && reason === 'unreadable'));
    } finally {
      await chmod(join(ada.path, 'closed'), 0o755);
    }
    const after = await shared.hashes();
    assert.notEqual(after.get('open.md'), before.get('open.md'));
    assert.deepEqual([...after.keys()], [...before.keys()]);
    assert.equal((await ada.run('sync')).code, 0);
    assert.deepEqual(await shared.hashes(), after);
  });

  it('names each file that its user may not read, and reports that it is not in sync', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder(undefined, { through: asOrdinaryUser });
    await ada.write('known.md', 'known');
    assert.equal((await ada.run('sync')).code, 0);
    const before = await shared.hashes();
    await ada.write('new.md', 'new');
    for (const name of ['known.md', 'new.md']) await chmod(join(ada.path, name), 0o000);
    const { code, stdout, stderr } = await ada.run('sync', '--json');
    assert.equal(code, 8, stdout + stderr);
    const { leftOut: skipped } = JSON.parse(stdout) as { leftOut: { path: string; reason: string }[] };
    assert.deepEqual(
      skipped.map(({ path, reason }) => [path, reason]),
      [
        ['known.md', 'unreadable'],
        ['new.md', 'unreadable'],
      ],
    );
    assert.deepEqual(await shared.hashes(), before);
    for (const name of ['known.md', 'new.md']) await chmod(join(ada.path, name), 0o644);
    assert.equal((await ada.run('sync')).code, 0);
    assert.deepEqual([...(await shared.hashes()).keys()], ['known.md', 'new.md']);
  });

  it('with unreadable ignore rules sends no file that they may ignore', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder(undefined, { through: asOrdinaryUser });
    const rules = join(ada.path, '.stoa', 'ignore');
    await writeFile(rules, 'secret.env\n');
    for (const name of ['secret.env', 'a.md']) await ada.write(name, name);
    assert.equal((await ada.run('sync')).code, 0);
    await chmod(rules, 0o000);
    await ada.write('b.md', 'b');
    const { code, stdout } = await ada.run('sync', '--json');
    const { error } = JSON.parse(stdout) as { error: { code: string; message: string; next: string } };
    assert.deepEqual([code, error.code], [1, 'rules_unreadable'], stdout);
    assert.equal(error.message, `The rules of what is ignored, in ${rules}, cannot be read (EACCES).`);
    assert.deepEqual([...(await shared.hashes()).keys()], ['a.md']);

    await chmod(rules, 0o600);
    const watch = await ada.watch();
    await chmod(rules, 0o000);
    await ada.write('c.md', 'c');
    await until(
      async () => (await shared.hashes()).has('c.md'),
      60_000,
      () => 'a watch that knows the rules makes no progress',
    );
    await watch.end('SIGTERM');
    assert.deepEqual([...(await shared.hashes()).keys()], ['a.md', 'b.md', 'c.md']);
  });

  it('that is read-only, or that its user may not read, makes an error that says what to do', async () => {
    const shared = await server.workspace();
    const through: string[] = [...asOrdinaryUser];
    await using ada = await shared.folder(undefined, { through });
    await ada.write('a.md', 'a');
    assert.equal((await ada.run('sync')).code, 0);
    const hidden = join(ada.path, '.stoa');
    const reports = async (code: string, message: string): Promise<void> => {
      for (const command of ['sync', 'watch', 'status', 'doctor']) {
        const ran = await ada.run(command, '--json');
        const { error } = JSON.parse(ran.stdout) as {
          error: { code: string; message: string; next: string };
        };
        assert.deepEqual(
          [ran.code, error.code, error.message],
          [1, code, message],
          `${command}: ${ran.stdout}`,
        );
        assert.match(error.next, /^Nothing is lost[.:] /);
      }
    };
    await chmod(hidden, 0o500);
    try {
      await reports('disk_denied', `This user may not read and write in ${hidden}.`);
    } finally {
      await chmod(hidden, 0o700);
    }
    const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';
    through.splice(0, through.length, ...withOwnMounts, 'sh', '-c', script, 'sh', ada.path);
    await reports('disk_read_only', `The disk of ${hidden} is read-only.`);
    through.length = 0;
    assert.equal((await ada.run('sync')).code, 0);
    assert.deepEqual([...(await shared.hashes()).keys()], ['a.md']);
  });

  it('that is unmounted during a watch ends it, which writes nothing to the empty mount point', async () => {
    const shared = await server.workspace();
    const through: string[] = [];
    await using ada = await shared.folder(undefined, { through });
    await using disk = await mountable(ada);
    through.push(...disk.mounting);
    await writeFile(join(disk.path, 'a.md'), 'a');
    const watch = await ada.watch();
    assert.deepEqual([...(await shared.hashes()).keys()], ['a.md']);

    execFileSync('nsenter', [...intoMountsOf(watch.pid), 'umount', '--lazy', ada.path]);
    await shared.workspace.put('b.md', 'b');
    await until(
      () => !watch.isRunning(),
      60_000,
      () => `the watch still runs: ${JSON.stringify(watch.told())}`,
    );
    const { code, stderr } = await watch.end('SIGTERM');
    assert.equal(code, 1, stderr);
    assert.deepEqual(await readdir(ada.path), []);
    assert.deepEqual([...(await shared.hashes()).keys()], ['a.md', 'b.md']);

    assert.equal((await ada.run('sync')).code, 0);
    assert.equal(await readFile(join(disk.path, 'b.md'), 'utf8'), 'b');
    assert.deepEqual([...(await shared.hashes()).keys()], ['a.md', 'b.md']);
  });
});

/** Moves the content of the folder to a disk of its own. The folder is its empty mount point from then on. */
async function mountable(folder: SyncedFolder) {
  const path = `${folder.path}-disk`;
  await rename(folder.path, path);
  await mkdir(folder.path);
  const script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"';
  return {
    path,
    mounting: [...withOwnMounts, 'sh', '-c', script, 'sh', path, folder.path],
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
