import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { ContentHash } from '@stoa/core';
import type {
  FolderEntry,
  LocalFolder,
  PresumedFile,
  StagedFile,
  StandingThing,
} from '../../src/engine/ports/local-folder.ts';

/** What the folder's user, and other programs, do on the same disk. Paths are relative to the folder. */
export interface TestDisk {
  write(path: string, text: string): Promise<void>;
  /** Null where no file is. */
  read(path: string): Promise<string | null>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  makeSymlink(path: string, to: string): Promise<void>;
  /** All files, the hidden folder's trash, rescued and staging among them, sorted. */
  listAll(): Promise<string[]>;
}

export interface OpenedFolder extends AsyncDisposable {
  readonly local: LocalFolder;
  readonly disk: TestDisk;
  /** What happens just before the step is taken, once. */
  beforeStep(name: string, act: () => Promise<void>): void;
}

export interface FolderSuiteOptions {
  readonly hasHardLinks: boolean;
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex') as ContentHash;
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** What every folder does. `open` gives an empty one that is linked. */
export function localFolderSuite(
  name: string,
  { hasHardLinks }: FolderSuiteOptions,
  open: () => Promise<OpenedFolder>,
): void {
  const lookAt = async (local: LocalFolder, path: string) =>
    local.readEntry(path, await local.readDiskTime());
  const fileAt = async (local: LocalFolder, path: string) => {
    const found = await lookAt(local, path);
    assert(found.kind === 'file', `${path} is ${found.kind}`);
    return found;
  };
  const presume = async ({ local, disk }: OpenedFolder, path: string): Promise<PresumedFile> => {
    const { stamp } = await fileAt(local, path);
    return { stamp, hash: hashOf((await disk.read(path)) ?? '') };
  };
  const stage = async (local: LocalFolder, id: string, text: string) => {
    const staged = await local.stageBytes(id, bytesOf(text));
    assert.equal(staged.kind, 'staged');
  };
  const visible = async (disk: TestDisk) =>
    (await disk.listAll()).filter((path) => !path.startsWith('.stoa/'));
  const inTrash = async ({ disk }: OpenedFolder) => {
    const files = (await disk.listAll()).filter((path) => path.startsWith('.stoa/trash/'));
    return Promise.all(files.map((file) => disk.read(file)));
  };
  const leftInStaging = async ({ local }: OpenedFolder) => local.listStaged();

  describe(name, () => {
    it('a folder is read by name, with what stands there, and without the hidden one', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('b.md', 'b');
      await disk.write('a/deep.md', 'deep');
      await disk.makeSymlink('c', 'b.md');
      const reading = await local.readFolder('', await local.readDiskTime());
      assert.equal(reading.kind, 'read');
      assert.deepEqual(
        reading.entries.map((entry) => [entry.name, entry.kind]),
        [
          ['a', 'folder'],
          ['b.md', 'file'],
          ['c', 'symlink'],
        ],
      );
      const file = reading.entries[1] as FolderEntry & StandingThing & { kind: 'file' };
      assert.deepEqual([file.sizeBytes, file.isRecent, file.isUtf8], [1, true, true]);
      assert.equal(file.stamp, (await fileAt(local, 'b.md')).stamp);
      assert.deepEqual((await local.readFolder('a', await local.readDiskTime())).entries.length, 1);
    });

    it('a folder that is not there, a file and a symlink to a folder are no folders', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('file', 'x');
      await disk.makeFolder('real');
      await disk.makeSymlink('link', 'real');
      const time = await local.readDiskTime();
      for (const path of ['missing', 'file', 'link', 'file/below']) {
        assert.equal((await local.readFolder(path, time)).kind, 'gone', path);
      }
    });

    it('a folder that is linked itself is left alone', async () => {
      await using opened = await open();
      await opened.disk.write('sub/.stoa/config.json', '{}');
      const { local } = opened;
      const reading = await local.readFolder('sub', await local.readDiskTime());
      assert.deepEqual([reading.kind, reading.reason], ['unknown', 'nested_link']);
    });

    it('a stamp changes with each write, and not by itself', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', '1');
      const first = (await fileAt(local, 'a')).stamp;
      assert.equal((await fileAt(local, 'a')).stamp, first);
      await disk.write('a', '22');
      assert.notEqual((await fileAt(local, 'a')).stamp, first);
    });

    it('an object goes along when it is renamed, and another file is another', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', '1');
      await disk.write('b', '1');
      const [a, b] = [(await fileAt(local, 'a')).object, (await fileAt(local, 'b')).object];
      assert.notEqual(a, b);
      await disk.rename('a', 'c');
      assert.equal((await fileAt(local, 'c')).object, a);
    });

    it('a file is hashed if it has the stamp, and changed otherwise', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      for (const text of ['', 'small', 'x'.repeat(2_500_000)]) {
        await disk.write('a', text);
        const { stamp } = await fileAt(local, 'a');
        const hashed = await local.hashFile('a', stamp);
        assert.deepEqual(hashed, { kind: 'hashed', hash: hashOf(text), sizeBytes: text.length });
      }
      const { stamp } = await fileAt(local, 'a');
      await disk.write('a', 'other');
      assert.equal((await local.hashFile('a', stamp)).kind, 'changed');
      assert.equal((await local.hashFile('missing', stamp)).kind, 'changed');
    });

    it('content to send is the planned one, whole or as a stream', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      for (const text of ['small', 'x'.repeat(3_000_000)]) {
        await disk.write('a', text);
        const presumed = await presume(opened, 'a');
        const sent = await local.openContent('a', { ...presumed, sizeBytes: text.length });
        assert(sent.kind === 'content');
        const { content } = sent;
        const got = content.kind === 'bytes' ? content.bytes : await new Response(content.stream).bytes();
        assert.equal(new TextDecoder().decode(got), text);
        assert.deepEqual([content.hash, content.sizeBytes], [hashOf(text), text.length]);
      }
    });

    it('a file that is written while it is sent is never sent whole', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', 'x'.repeat(3_000_000));
      const presumed = await presume(opened, 'a');
      const sent = await local.openContent('a', { ...presumed, sizeBytes: 3_000_000 });
      assert(sent.kind === 'content' && sent.content.kind === 'stream');
      let got = 0;
      const reading = (async () => {
        for await (const piece of sent.content.kind === 'stream' ? sent.content.stream : []) {
          got += piece.length;
          if (got < 1_000_000) await disk.write('a', 'y'.repeat(3_000_000));
        }
      })();
      await assert.rejects(reading, { name: 'ContentChangedError' });
      assert(got < 3_000_000);
    });

    it('a download grows in staging, begins again, and is whole with its hash', async () => {
      await using opened = await open();
      const { local } = opened;
      const file = (await local.stage('d-1', 6)) as StagedFile;
      assert.equal(file.kind, 'writing');
      await file.append(bytesOf('wrong!!'));
      await file.restart();
      await file.append(bytesOf('goo'));
      await file.append(bytesOf('d'));
      assert.deepEqual([file.receivedBytes, file.digest()], [4, hashOf('good')]);
      assert.deepEqual(await file.finish(), {
        kind: 'staged',
        id: 'd-1',
        hash: hashOf('good'),
        sizeBytes: 4,
      });
      assert.deepEqual(await local.readStaged('d-1'), await local.readStaged('d-1'));
      assert.equal((await local.readStaged('d-1'))?.hash, hashOf('good'));
      assert.deepEqual(await local.listStaged(), ['d-1']);
      await local.discardStaged('d-1');
      assert.deepEqual([await local.listStaged(), await local.readStaged('d-1')], [[], null]);
    });

    it('a copy of a file here is staged if it is the wanted content', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', 'same');
      assert.equal((await local.stageCopy('c-1', 'a', hashOf('same'))).kind, 'staged');
      assert.equal((await local.stageCopy('c-2', 'a', hashOf('other'))).kind, 'changed');
      assert.equal((await local.stageCopy('c-3', 'missing', hashOf('other'))).kind, 'changed');
      assert.deepEqual(await local.listStaged(), ['c-1']);
    });

    it('a new file comes into place with its folders, and never over anything', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await stage(local, 'n-1', 'new');
      const placed = await local.create('x/y/new.md', 'n-1');
      assert(placed.kind === 'placed');
      assert.deepEqual(
        placed.madeFolders.map(({ path }) => path),
        ['x', 'x/y'],
      );
      assert.equal(placed.stamp, (await fileAt(local, 'x/y/new.md')).stamp);
      assert.equal(await disk.read('x/y/new.md'), 'new');
      assert.deepEqual(await leftInStaging(opened), []);

      await disk.write('mine', 'mine');
      await disk.makeFolder('folder');
      await stage(local, 'n-2', 'theirs');
      for (const path of ['mine', 'folder']) assert.equal((await local.create(path, 'n-2')).kind, 'taken');
      assert.equal(await disk.read('mine'), 'mine');
      assert.deepEqual(await local.flush(['x/y/new.md', 'missing']), ['x/y/new.md']);
    });

    it('what is written into a new file before it was looked at is no content of ours', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await stage(local, 'n-1', 'theirs');
      opened.beforeStep('create: done', () => disk.write('a', 'edited'));
      const created = await local.create('a', 'n-1');
      assert(created.kind === 'placed');
      assert.notEqual(created.stamp, (await fileAt(local, 'a')).stamp);

      await disk.write('b', 'old');
      await stage(local, 'r-1', 'theirs');
      const presumed = await presume(opened, 'b');
      opened.beforeStep('replace: new one is in place', () => disk.write('b', 'edited'));
      const replaced = await local.replace('b', 'r-1', presumed, null);
      // Without hard links nothing is told of between the steps.
      assert(replaced.kind === 'replaced');
      if (hasHardLinks) assert.notEqual(replaced.stamp, (await fileAt(local, 'b')).stamp);
    });

    it('a file that appears in the last moment is not written over', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await stage(local, 'n-1', 'theirs');
      opened.beforeStep('create: put in place', () => disk.write('a', 'mine'));
      assert.equal((await local.create('a', 'n-1')).kind, 'taken');
      assert.equal(await disk.read('a'), 'mine');
    });

    it('a replaced file is in the trash, and the new one whole', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('docs/a.md', 'old');
      await stage(local, 'r-1', 'new');
      const replaced = await local.replace('docs/a.md', 'r-1', await presume(opened, 'docs/a.md'), null);
      assert(replaced.kind === 'replaced' && replaced.displaced !== null);
      assert.equal(await disk.read('docs/a.md'), 'new');
      assert.equal(replaced.stamp, (await fileAt(local, 'docs/a.md')).stamp);
      assert.deepEqual(await inTrash(opened), ['old']);
      assert.equal(replaced.displaced.isAsPlanned, true);
      assert.match(replaced.displaced.trashed.file, /^\d{4}-\d{2}-\d{2}\/docs\/a\.md$/);
      assert.equal(await local.checkTrashed(replaced.displaced.trashed), 'as_planned');
      assert.deepEqual(await leftInStaging(opened), []);
      await local.dropTrashed(replaced.displaced.trashed.file);
      assert.deepEqual([await local.listTrash(), await inTrash(opened)], [[], []]);
      assert.equal(await local.checkTrashed(replaced.displaced.trashed), 'gone');
    });

    it('a file that was written since it was looked at is not replaced, nor removed, nor renamed', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', 'old');
      const presumed = await presume(opened, 'a');
      await disk.write('a', 'newer');
      await stage(local, 's-1', 'theirs');
      assert.equal((await local.replace('a', 's-1', presumed, null)).kind, 'changed');
      assert.equal((await local.moveToTrash('a', presumed)).kind, 'changed');
      assert.equal((await local.unlink('a', presumed)).kind, 'changed');
      assert.equal((await local.rescue('a', presumed)).kind, 'changed');
      assert.equal((await local.rename('a', 'b', presumed)).kind, 'changed');
      assert.equal((await local.duplicate('a', 'b', presumed)).kind, 'changed');
      assert.deepEqual([await visible(disk), await disk.read('a')], [['a'], 'newer']);
      assert.deepEqual(await inTrash(opened), []);
    });

    const whileReplaced =
      'what is written into the old file while it is replaced is told, and can be put back';
    // Without hard links the old one is gone before the new one comes.
    if (hasHardLinks)
      it(whileReplaced, async () => {
        await using opened = await open();
        const { local, disk } = opened;
        await disk.write('a.md', 'old');
        await stage(local, 'r-1', 'theirs');
        const presumed = await presume(opened, 'a.md');
        opened.beforeStep('replace: old one has its name in the trash', () => disk.write('a.md', 'mine!'));
        const replaced = await local.replace('a.md', 'r-1', presumed, null);
        assert(replaced.kind === 'replaced' && replaced.displaced !== null);
        assert.equal(replaced.displaced.isAsPlanned, false);
        assert.equal(await disk.read('a.md'), 'theirs');
        const back = await local.putBack(replaced.displaced.trashed.file, 'a (mine).md');
        assert.equal(back.kind, 'placed');
        assert.equal(await disk.read('a (mine).md'), 'mine!');
        assert.deepEqual(await inTrash(opened), []);
      });

    it('a file that is renamed over the old one in the last moment stays', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', 'old');
      await stage(local, 'r-1', 'theirs');
      const presumed = await presume(opened, 'a');
      opened.beforeStep('replace: staged is flushed', async () => {
        await disk.write('a.new', 'mine');
        await disk.rename('a.new', 'a');
      });
      assert.equal((await local.replace('a', 'r-1', presumed, null)).kind, 'changed');
      assert.equal(await disk.read('a'), 'mine');
      assert.deepEqual(await inTrash(opened), []);
    });

    it('writes that come later into a trashed file are seen', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', 'old');
      await stage(local, 'r-1', 'new');
      const replaced = await local.replace('a', 'r-1', await presume(opened, 'a'), null);
      assert(replaced.kind === 'replaced' && replaced.displaced !== null);
      await disk.write(`.stoa/trash/${replaced.displaced.trashed.file}`, 'old and more');
      assert.equal(await local.checkTrashed(replaced.displaced.trashed), 'changed');
    });

    it('a conflicted copy takes the bytes along, and nothing is in the trash', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a.md', 'mine');
      const presumed = await presume(opened, 'a.md');
      const copy = await local.duplicate('a.md', 'a (copy).md', presumed);
      assert(copy.kind === 'placed');
      assert.equal(await disk.read('a (copy).md'), 'mine');
      if (!hasHardLinks) return;
      await stage(local, 'r-1', 'theirs');
      const replaced = await local.replace('a.md', 'r-1', { ...presumed, stamp: copy.stamp }, 'a (copy).md');
      assert(replaced.kind === 'replaced');
      assert.equal(replaced.displaced, null);
      assert.deepEqual(
        [await disk.read('a.md'), await disk.read('a (copy).md'), await inTrash(opened)],
        ['theirs', 'mine', []],
      );
    });

    it('nothing is duplicated or renamed over something', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', 'a');
      await disk.write('b', 'b');
      await disk.makeFolder('f');
      for (const to of ['b', 'f']) {
        assert.equal((await local.duplicate('a', to, await presume(opened, 'a'))).kind, 'taken');
        assert.equal((await local.rename('a', to, await presume(opened, 'a'))).kind, 'taken');
      }
      assert.deepEqual([await disk.read('a'), await disk.read('b')], ['a', 'b']);
    });

    it('a file is renamed into a new folder', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', 'a');
      const before = await fileAt(local, 'a');
      const placed = await local.rename('a', 'new/b', await presume(opened, 'a'));
      assert(placed.kind === 'placed');
      assert.deepEqual([placed.object, placed.madeFolders.length], [before.object, 1]);
      assert.deepEqual([await visible(disk), await leftInStaging(opened)], [['new/b'], []]);
    });

    it('what is saved over a second name in the last moment stays', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', 'old');
      const presumed = await presume(opened, 'a');
      for (const [step, act] of [
        ['rename: has both names', () => local.rename('a', 'b', presumed)],
        ['duplicate: has both names', () => local.duplicate('a', 'b', presumed)],
      ] as const) {
        opened.beforeStep(step, async () => {
          await disk.write('b.new', 'mine');
          await disk.rename('b.new', 'b');
        });
        const { kind } = await act();
        if (!hasHardLinks) continue;
        assert.equal(kind, 'changed');
        assert.deepEqual(await visible(disk), ['a', 'b']);
        assert.deepEqual([await disk.read('a'), await disk.read('b')], ['old', 'mine']);
        await disk.remove('b');
        await disk.write('a', 'old');
        Object.assign(presumed, await presume(opened, 'a'));
      }
    });

    it('a rename that was cut off between its two names is finished, and nothing else is', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', 'text');
      await disk.write('other', 'text');
      assert.equal((await local.finishRename('a', 'other')).kind, 'changed');
      assert.equal((await local.finishRename('a', 'missing')).kind, 'changed');
      assert.equal((await local.finishRename('a', 'a')).kind, 'changed');
      await local.duplicate('a', 'b', await presume(opened, 'a'));
      assert.equal((await local.finishRename('a', 'b')).kind, hasHardLinks ? 'done' : 'changed');
      // Without hard links the copy is another file: nobody knows whether it was meant.
      assert.deepEqual(await visible(disk), hasHardLinks ? ['b', 'other'] : ['a', 'b', 'other']);
      assert.equal(await disk.read('b'), 'text');
    });

    it('a folder is renamed with all that is in it, and not over another', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('from/deep/a', 'a');
      await disk.makeFolder('other');
      assert.equal((await local.renameFolder('from', 'other')).kind, 'taken');
      assert.equal((await local.renameFolder('missing', 'x')).kind, 'changed');
      assert.equal((await local.renameFolder('from', 'to/there')).kind, 'folder');
      assert.deepEqual(await visible(disk), ['to/there/deep/a']);
    });

    it('what is removed is in the trash, under a name of its own each time', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      for (const text of ['one', 'two']) {
        await disk.write('d/a.md', text);
        const removed = await local.moveToTrash('d/a.md', await presume(opened, 'd/a.md'));
        assert(removed.kind === 'displaced');
        assert.equal(removed.isAsPlanned, true);
      }
      assert.deepEqual((await inTrash(opened)).sort(), ['one', 'two']);
      assert.deepEqual(await visible(disk), []);
    });

    it('a file and a folder of the same path both fit into the trash', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a', 'file');
      await local.moveToTrash('a', await presume(opened, 'a'));
      await disk.write('a/b', 'below');
      await local.moveToTrash('a/b', await presume(opened, 'a/b'));
      assert.deepEqual((await inTrash(opened)).sort(), ['below', 'file']);
    });

    it('of what was made private nothing stays, and edits of it are rescued', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('secret', 'theirs');
      await disk.write('edited', 'mine');
      assert.equal((await local.unlink('secret', await presume(opened, 'secret'))).kind, 'done');
      const rescued = await local.rescue('edited', await presume(opened, 'edited'));
      assert(rescued.kind === 'rescued');
      assert.equal(await disk.read(rescued.file), 'mine');
      assert.deepEqual(await disk.listAll(), [rescued.file]);
    });

    it('a folder goes if nothing but junk is in it', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.makeFolder('empty');
      await disk.write('junk/.DS_Store', 'x');
      await disk.write('junk/.keep', '\n');
      await disk.write('mine/.keep', 'a note of mine');
      await disk.write('full/a', 'a');
      for (const path of ['empty', 'junk', 'missing']) {
        assert.equal((await local.removeFolder(path)).kind, 'done', path);
      }
      for (const path of ['mine', 'full'])
        assert.equal((await local.removeFolder(path)).kind, 'not_empty', path);
      assert.deepEqual(await visible(disk), ['full/a', 'mine/.keep']);
    });

    it('a folder is made with those above it, and where a file is it is not', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      const made = await local.makeFolder('a/b/c');
      assert(made.kind === 'folder');
      assert.equal(made.madeFolders.length, 2);
      assert.equal((await local.makeFolder('a/b')).kind, 'folder');
      await disk.write('file', 'x');
      assert.equal((await local.makeFolder('file')).kind, 'blocked');
    });

    it('nothing is written through a symlink, nor below a file', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.makeFolder('real');
      await disk.makeSymlink('link', 'real');
      await disk.write('file', 'x');
      await disk.write('a', 'a');
      await stage(local, 'n-1', 'new');
      const presumed = await presume(opened, 'a');
      for (const [folder, by] of [
        ['link', 'symlink_above'],
        ['file', 'special_file'],
      ] as const) {
        const blocked = { kind: 'blocked', by, at: folder };
        assert.deepEqual(await local.create(`${folder}/x`, 'n-1'), blocked);
        assert.deepEqual(await local.rename('a', `${folder}/x`, presumed), blocked);
        assert.deepEqual(await local.makeFolder(`${folder}/x`), blocked);
        assert.equal((await lookAt(local, `${folder}/x`)).kind, 'blocked');
      }
      assert.deepEqual(await visible(disk), ['a', 'file', 'link']);
    });

    it('a folder that becomes a symlink in the last moment is not written through', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.makeFolder('folder');
      await disk.makeFolder('elsewhere');
      await stage(local, 'n-1', 'new');
      opened.beforeStep('create: put in place', async () => {
        await disk.remove('folder');
        await disk.makeSymlink('folder', 'elsewhere');
      });
      assert.equal((await local.create('folder/x', 'n-1')).kind, 'blocked');
      assert.deepEqual(await visible(disk), ['folder']);
    });

    it('names that lead elsewhere are a bug, and hidden ones are refused', async () => {
      await using opened = await open();
      const { local } = opened;
      await stage(local, 'n-1', 'new');
      for (const path of ['../x', 'a/../../x', '/x', 'a//b', 'a/./b', '', 'a\0b']) {
        await assert.rejects(local.create(path, 'n-1'), TypeError, JSON.stringify(path));
      }
      for (const path of ['.stoa/x', '.STOA/config.json', 'sub/.git/config', 'git~1/x', '.st\u200coa/x']) {
        const refused = await local.create(path, 'n-1');
        assert.deepEqual(refused, { kind: 'refused', reason: 'hostile_name', detail: path });
        assert.equal((await local.makeFolder(path)).kind, 'refused');
      }
      for (const id of ['../x', 'a/b', '', '.']) {
        await assert.rejects(local.stageBytes(id, bytesOf('x')), TypeError);
      }
    });

    it('rules decide what is ignored, the private file last', async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('.stoaignore', '*.log\n# a comment\n/build/\n!keep.log\n!*.part\n.stoaignore\n');
      await disk.write('.stoa/ignore', 'keep.log\r\nsecret*\n');
      const rules = await local.readIgnoreRules();
      const ignored = (path: string) => rules.isIgnored(path, path.endsWith('/') ? 'folder' : 'file');
      const folderIgnored = (path: string) => rules.isIgnored(path, 'folder');
      assert.deepEqual(
        [
          'a.log',
          'deep/a.log',
          'keep.log',
          'secret.txt',
          'a.md',
          'x.part',
          '.DS_Store',
          'x/node_modules/y',
          'build/x',
        ].map(ignored),
        [true, true, true, true, false, false, true, true, true],
      );
      assert.deepEqual(['build', 'x/build', 'node_modules'].map(folderIgnored), [true, false, true]);
      assert.equal(ignored('.stoaignore'), false);
      assert.deepEqual(rules.findRule('keep.log', 'file'), { source: 'private', pattern: 'keep.log' });
      assert.equal(rules.findRule('a.md', 'file'), null);
      assert.equal(ignored('A.LOG'), false);
    });
  });
}
