import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ExistingItem, FolderEntry } from '../../../src/engine/ports/local-folder.ts';
import { fileAt, hashOf, presume, type SuiteContext } from './opened-folder.ts';

/** Tests of reading a folder and its files, and of their content to send. */
export function readingSuite({ open }: SuiteContext): void {
  it('lists the entries of a folder by name, without `.stoa`', async () => {
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
    const file = reading.entries[1] as FolderEntry & ExistingItem & { kind: 'file' };
    assert.deepEqual([file.sizeBytes, file.isRecent, file.isUtf8], [1, true, true]);
    assert.equal(file.stamp, (await fileAt(local, 'b.md')).stamp);
    assert.deepEqual((await local.readFolder('a', await local.readDiskTime())).entries.length, 1);
  });

  it('reports a missing folder, a file and a symlink to a folder as gone', async () => {
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

  it('does not read a folder that has its own link', async () => {
    await using opened = await open();
    await opened.disk.write('sub/.stoa/config.json', '{}');
    const { local } = opened;
    const reading = await local.readFolder('sub', await local.readDiskTime());
    assert.deepEqual([reading.kind, reading.reason], ['unknown', 'nested_link']);
  });

  it('changes the stamp of a file only when it is written', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', '1');
    const first = (await fileAt(local, 'a')).stamp;
    assert.equal((await fileAt(local, 'a')).stamp, first);
    await disk.write('a', '22');
    assert.notEqual((await fileAt(local, 'a')).stamp, first);
  });

  it('keeps the object id of a renamed file and gives each file its own', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', '1');
    await disk.write('b', '1');
    const [a, b] = [(await fileAt(local, 'a')).object, (await fileAt(local, 'b')).object];
    assert.notEqual(a, b);
    await disk.rename('a', 'c');
    assert.equal((await fileAt(local, 'c')).object, a);
  });

  it('hashes a file only if its stamp matches', async () => {
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

  it('does not hash a file below a symlink', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    for (const text of ['small', 'x'.repeat(2_500_000)]) {
      await disk.makeFolder('folder');
      await disk.write('folder/a', text);
      await disk.makeFolder('elsewhere');
      await disk.write('elsewhere/a', text);
      const { stamp } = await fileAt(local, 'folder/a');
      await disk.rename('folder', 'kept');
      await disk.makeSymlink('folder', 'elsewhere');
      const blocked = { kind: 'blocked', by: 'symlink_above', at: 'folder' };
      assert.deepEqual(await local.hashFile('folder/a', stamp), blocked);
      for (const path of ['folder', 'elsewhere', 'kept']) await disk.remove(path);
    }
  });

  it('does not send a file below a symlink', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.makeFolder('folder');
    await disk.write('folder/a', 'a');
    const presumed = { stamp: (await fileAt(local, 'folder/a')).stamp, hash: hashOf('a') };
    await disk.rename('folder', 'kept');
    await disk.makeSymlink('folder', 'kept');
    const sent = await local.openContent('folder/a', { ...presumed, sizeBytes: 1 });
    assert.deepEqual(sent, { kind: 'blocked', by: 'symlink_above', at: 'folder' });
    const read = await local.readBytes('folder/a', presumed, 10);
    assert.deepEqual(read, { kind: 'blocked', by: 'symlink_above', at: 'folder' });
  });

  it('reads a whole file up to the given length', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    for (const text of ['small', 'x'.repeat(3_000_000)]) {
      await disk.write('a', text);
      const presumed = await presume(opened, 'a');
      const read = await local.readBytes('a', presumed, text.length);
      assert(read.kind === 'bytes');
      assert.ok(Buffer.from(read.bytes).equals(Buffer.from(text)));
      await assert.rejects(local.readBytes('a', presumed, 4), RangeError);
      const other = { ...presumed, hash: hashOf('other') };
      assert.equal((await local.readBytes('a', other, text.length)).kind, 'changed');
    }
  });

  it('opens the planned content as bytes or as a stream', async () => {
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

  it('fails to send a file that is written during the upload', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'x'.repeat(3_000_000));
    const presumed = await presume(opened, 'a');
    const sent = await local.openContent('a', { ...presumed, sizeBytes: 3_000_000 });
    assert(sent.kind === 'content' && sent.content.kind === 'stream');
    let got = 0;
    const reading = (async () => {
      for await (const chunk of sent.content.kind === 'stream' ? sent.content.stream : []) {
        got += chunk.length;
        if (got < 1_000_000) await disk.write('a', 'y'.repeat(3_000_000));
      }
    })();
    await assert.rejects(reading, { name: 'ContentChangedError' });
    assert(got < 3_000_000);
  });
}
