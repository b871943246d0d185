import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { listedBodies, startThread } from '../support/comments.ts';
import { jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useServer } from './support/shared-workspace.ts';
import { hashOf, until } from './support/synced-folder.ts';

const server = await useServer();
const scale = Number(process.env.STOA_SYNC_SCALE ?? '') || 1;

describe('two watches on one workspace', () => {
  it('a create, an edit, a rename and a delete reach the other folder', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await using grace = await shared.folder();
    await ada.write('docs/plan.md', 'one\n');
    await ada.watch();
    await grace.watch();
    assert.equal(await grace.read('docs/plan.md'), 'one\n');

    await grace.write('docs/plan.md', 'two\n');
    await grace.write('new/deep/file.txt', 'new\n');
    await shared.untilSame([ada, grace]);
    assert.equal(await ada.read('docs/plan.md'), 'two\n');

    await ada.rename('docs/plan.md', 'docs/renamed.md');
    await ada.remove('new');
    await until(
      async () =>
        (await grace.read('docs/renamed.md')) === 'two\n' && (await grace.read('docs/plan.md')) === null,
      60_000,
      () => 'the rename did not arrive',
    );
    await shared.untilSame([ada, grace]);
  });

  it('comments follow moved files: alone, edited, in a chain, and with their folder', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    const inFolder = Array.from({ length: Math.round(13 * scale) }, (_, n) => `old/${n % 3}/${n}.md`);
    const alone = ['renamed.md', 'docs/across.md', 'edited.md', 'first.md', 'second.md'];
    for (const path of [...alone, ...inFolder]) await ada.write(path, `text of ${path}\n`);
    await ada.watch();
    const commented = [...alone, ...inFolder.slice(0, 2), ...inFolder.slice(-1)];
    for (const path of commented) {
      await startThread(shared.workspace, { path, quote: `text of ${path}`, body: path });
    }
    await ada.rename('renamed.md', 'a new name.md');
    await ada.rename('docs/across.md', 'other/deep/across.md');
    await ada.rename('edited.md', 'edited elsewhere.md');
    await ada.write('edited elsewhere.md', 'text of edited.md\nand more\n');
    await ada.rename('second.md', 'third.md');
    await ada.rename('first.md', 'second.md');
    await ada.rename('old', 'new');
    await shared.untilSame([ada]);
    const moved = new Map(inFolder.map((path) => [path, path.replace('old/', 'new/')] as const))
      .set('renamed.md', 'a new name.md')
      .set('docs/across.md', 'other/deep/across.md')
      .set('edited.md', 'edited elsewhere.md')
      .set('second.md', 'third.md')
      .set('first.md', 'second.md');
    assert.deepEqual([...(await shared.hashes()).keys()].toSorted(), [...moved.values()].toSorted());
    for (const path of commented) {
      assert.deepEqual(await listedBodies(shared.workspace, { path: moved.get(path) ?? '' }), [path]);
    }
  });

  it('watches a folder again that is removed and created at once', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await ada.write('docs/a.md', 'one');
    await ada.write('docs/b.md', 'one');
    await ada.watch();
    rmSync(join(ada.path, 'docs'), { recursive: true });
    mkdirSync(join(ada.path, 'docs'));
    writeFileSync(join(ada.path, 'docs', 'a.md'), 'two');
    await shared.untilSame([ada]);
    await ada.write('docs/a.md', 'three');
    await until(
      async () => (await shared.hashes()).get('docs/a.md') === hashOf('three'),
      60_000,
      () => 'the watch does not notice the new file',
    );
    assert.deepEqual([...(await shared.hashes()).keys()], ['docs/a.md']);
  });

  it('downloads a file as soon as the ignored folder at its path is gone', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    writeFileSync(join(ada.path, '.stoa', 'ignore'), 'out/\n');
    await ada.write('out/a.o', 'mine');
    const watch = await ada.watch();
    await shared.workspace.put('out', 'theirs');
    await until(
      () => watch.told().some(({ event, path }) => event === 'left_out' && path === 'out'),
      60_000,
      () => 'the watch does not report that the folder blocks the file',
    );
    rmSync(join(ada.path, 'out'), { recursive: true });
    // A full scan happens only after some minutes.
    await until(
      async () => (await ada.read('out')) === 'theirs',
      60_000,
      () => 'it does not come',
    );
  });

  it('keeps both texts when both write, one of them as the file', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await using grace = await shared.folder();
    await ada.write('a.md', 'base\n');
    await ada.watch();
    const second = await grace.watch();
    await second.end('SIGTERM');
    await ada.write('a.md', 'from ada\n');
    await grace.write('a.md', 'from grace\n');
    await until(
      async () => (await shared.hashes()).get('a.md') === hashOf('from ada\n'),
      60_000,
      () => 'the first did not arrive',
    );
    await grace.watch();
    await shared.untilSame([ada, grace]);
    const texts = await Promise.all([...(await ada.hashes()).keys()].map((path) => ada.read(path)));
    assert.deepEqual(texts.sort(), ['from ada\n', 'from grace\n']);
  });

  it('an end by a signal loses nothing', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    const watch = await ada.watch();
    await ada.write('a.md', 'one');
    await shared.untilSame([ada]);
    const { code, stderr } = await watch.end('SIGTERM');
    assert.equal(code, 143, stderr);
    await ada.write('a.md', 'two');
    assert.equal((await ada.run('sync')).code, 0);
    await shared.untilSame([ada], 1000);
  });

  it('a second watch fails, and the first watch runs a requested sync', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await ada.watch();
    assert.equal((await ada.run('watch')).code, 9);
    await ada.write('a.md', 'one');
    const synced = await ada.run('sync', '--json');
    assert.equal(synced.code, 0, synced.stdout + synced.stderr);
    assert.equal((await shared.hashes()).get('a.md'), hashOf('one'));
  });
});

describe('ways to save', () => {
  // In one step: if a save paused in the middle, the watch would report the missing file as deleted.
  const patterns: Readonly<Record<string, (file: string, text: string) => void>> = {
    'in place': (file, text) => writeFileSync(file, text),
    'truncated, then written': (file, text) => {
      writeFileSync(file, '');
      writeFileSync(file, text);
    },
    'renamed over': (file, text) => {
      writeFileSync(`${file}.new~`, text);
      renameSync(`${file}.new~`, file);
    },
    'a backup, then a new file': (file, text) => {
      renameSync(file, `${file}~`);
      writeFileSync(file, text);
      rmSync(`${file}~`);
    },
    'deleted, then renamed': (file, text) => {
      writeFileSync(`${file}.new~`, text);
      rmSync(file);
      renameSync(`${file}.new~`, file);
    },
    'a copy as backup, then in place': (file, text) => {
      copyFileSync(file, `${file}~`);
      writeFileSync(file, text);
      rmSync(`${file}~`);
    },
    'a stream editor, over the old one': (file, text) => {
      const made = join(dirname(file), 'sedAb12Cd');
      writeFileSync(made, text);
      renameSync(made, file);
    },
    'flushed in place': (file, text) => {
      const opened = openSync(file, 'r+');
      ftruncateSync(opened, 0);
      writeFileSync(opened, text);
      fsyncSync(opened);
      closeSync(opened);
    },
    'with a lock, over the old one': (file, text) => {
      const lock = join(dirname(file), `.~lock.${basename(file)}#`);
      const made = join(dirname(file), 'lu1234.tmp');
      writeFileSync(lock, 'somebody');
      writeFileSync(made, text);
      renameSync(made, file);
      rmSync(lock);
    },
    'a folder for the new file next to it': (file, text) => {
      const folder = `${file}.sb-1a2b3c4d-XyZ123`;
      mkdirSync(folder);
      writeFileSync(join(folder, 'new'), text);
      renameSync(join(folder, 'new'), file);
      rmSync(folder, { recursive: true });
    },
  };

  it('all create the next version of the same file', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await ada.write('a.md', 'version 1');
    await ada.watch();
    await startThread(shared.workspace, { path: 'a.md', quote: 'version', body: 'stays' });
    let version = 1;
    for (const [name, save] of Object.entries(patterns)) {
      version += 1;
      save(join(ada.path, 'a.md'), `version ${version}`);
      await until(
        async () => (await shared.versions('a.md')).length >= version,
        60_000,
        () => `no new version: ${name}`,
      );
      const versions = recordsAt(
        jsonOf(await shared.workspace.query('versions', { path: 'a.md' })),
        'versions',
      );
      assert.equal(versions.length, version, name);
      assert.equal(textAt(versions[0] ?? {}, 'contentHash'), hashOf(`version ${version}`), name);
    }
    assert.deepEqual([...(await shared.hashes()).keys()], ['a.md']);
    assert.deepEqual(await listedBodies(shared.workspace, { path: 'a.md' }), ['stays']);
  });
});
